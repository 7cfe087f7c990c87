package render

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
)

// A writer writes one block in one mode.
type writer struct {
	mode    Mode
	plain   bool
	compact bool
	most    int // of a tree's text, after which it is cut
}

// full writes the block with its content.
func (w writer) full(dst []byte, p *part) []byte {
	if p.entries != nil && w.compact {
		p.content = appendFolders(nil, "", p.entries, 0, w.most)
	} else if p.entries != nil {
		p.content = w.tree(nil, p.entries, 0)
	}
	switch w.mode {
	case ModeXML:
		return w.xml(dst, p)
	case ModeMarkdown:
		return w.markdown(dst, p)
	}
	return w.minimal(dst, p)
}

func (w writer) xml(dst []byte, p *part) []byte {
	if p.form == formComment {
		dst = append(dst, "<!-- "+p.heading+" -->\n"...)
		return w.appendContent(dst, p.content)
	}
	dst = append(dst, "<"+p.tag...)
	for _, a := range p.attrs {
		dst = append(dst, " "+a.name+`="`...)
		dst = append(w.appendAttr(dst, a.value), '"')
	}
	if p.form == formEmpty {
		return append(dst, " />"...)
	}
	dst = append(dst, '>')
	if p.form == formBlock || p.form == formLines {
		dst = append(dst, '\n')
	}
	dst = w.appendContent(dst, p.content)
	if p.form == formBlock {
		dst = append(dst, '\n')
	}
	return append(dst, "</"+p.tag+">"...)
}

func (w writer) appendAttr(dst []byte, s string) []byte {
	if w.plain {
		return appendEscaped(dst, []byte(s), attrEscapes)
	}
	return appendEscaped(dst, characters([]byte(s)), safeAttrEscapes)
}

func (w writer) appendContent(dst, content []byte) []byte {
	if w.plain {
		return append(dst, content...)
	}
	return appendEscaped(dst, characters(content), contentEscapes)
}

func (w writer) title(s string) string {
	if w.plain {
		return s
	}
	return oneLine(s)
}

func (w writer) markdown(dst []byte, p *part) []byte {
	switch p.form {
	case formComment:
		dst = append(dst, "<!-- "+p.heading+p.mark+" -->\n"...)
		return w.prose(dst, p.content, "text")
	case formTurn:
		dst = append(dst, "**"+p.heading+"**"+p.mark+":"...)
		if !w.plain && forgesMarkdown(p.content) {
			return w.fence(append(dst, '\n'), p.content, "text", false)
		}
		return append(append(dst, ' '), p.content...)
	case formEmpty:
		return append(dst, "*["+w.title(p.heading)+"]*"...)
	}
	if !p.bare {
		dst = append(dst, cmp.Or(p.level, "###")+" "+w.title(p.heading)+p.mark+"\n\n"...)
	}
	if p.fenced {
		return w.fence(dst, p.content, p.info, p.form == formLines)
	}
	return w.prose(dst, p.content, p.info)
}

// prose writes content that is not fenced, unless it has to be.
func (w writer) prose(dst, content []byte, info string) []byte {
	if w.plain || !forgesMarkdown(content) {
		return append(dst, content...)
	}
	if info == "" || info == "plain" {
		info = "text"
	}
	return w.fence(dst, content, info, false)
}

// fence writes content between fences that are longer than any run of
// backticks in it that begins a line. lines means that content brings its final line break.
func (w writer) fence(dst, content []byte, info string, lines bool) []byte {
	n := 3
	if !w.plain {
		n = max(n, longestFence(content)+1)
	}
	dst = append(dst, bytes.Repeat([]byte{'`'}, n)...)
	dst = append(append(dst, info...), '\n')
	dst = append(dst, content...)
	if !lines {
		dst = append(dst, '\n')
	}
	return append(dst, bytes.Repeat([]byte{'`'}, n)...)
}

func (w writer) minimal(dst []byte, p *part) []byte {
	switch p.form {
	case formTurn:
		dst = append(dst, "["+p.line+"]"+p.mark+" "...)
		return w.guarded(dst, p.content)
	case formEmpty:
		return append(dst, "["+w.title(p.line)+"]"...)
	}
	dst = append(dst, "--- "+w.title(p.line)+p.mark+" ---\n"...)
	return w.guarded(dst, p.content)
}

// guarded appends content with a backslash before every line that could pass for the
// markup of minimal mode.
func (w writer) guarded(dst, content []byte) []byte {
	if w.plain {
		return append(dst, content...)
	}
	for len(content) > 0 {
		n, ending := nextLine(content)
		if n > 0 && minimalFirst[content[0]] && forgesMinimal(content[:n]) {
			dst = append(dst, '\\')
		}
		dst = append(dst, content[:n+ending]...)
		content = content[n+ending:]
	}
	return dst
}

// summary writes the block's header, marked, and the summary for its content: on lines of
// its own, that of a turn on its line.
func (w writer) summary(dst []byte, p part, text string) []byte {
	if p.bare {
		p.bare, p.heading = false, "Data: "+p.info
	}
	if p.form != formTurn && p.form != formComment {
		p.form = formBlock
	}
	p.attrs = append(p.attrs, attr{"summary", "true"})
	p.mark, p.content, p.entries, p.fenced, p.info = " (summary)", []byte(text), nil, false, "text"
	return w.full(dst, &p)
}

// omitted represents all code that is not shown, and names what of it is the core.
func (w writer) omitted(dst []byte, files, tokens int, core []string) []byte {
	n, sum := strconv.Itoa(files), strconv.Itoa(tokens)
	among := ""
	if len(core) > 0 {
		among = ", among them " + w.title(strings.Join(core, ", "))
	}
	switch w.mode {
	case ModeXML:
		dst = append(dst, `<omitted files="`+n+`" tokens="`+sum+`"`...)
		if among != "" {
			dst = append(w.appendAttr(append(dst, ` core="`...), strings.Join(core, " ")), '"')
		}
		return append(dst, " />"...)
	case ModeMarkdown:
		return append(dst, "_[Omitted: "+n+" files, ~"+sum+" tokens"+among+"]_"...)
	}
	return append(dst, "[omitted: "+n+" files ~"+sum+"tok"+among+"]"...)
}

// placeholder names a block that is not shown.
func (w writer) placeholder(dst []byte, p *part, tokens int) []byte {
	n := strconv.Itoa(tokens)
	name := w.title(p.name)
	switch w.mode {
	case ModeXML:
		dst = append(dst, `<omitted type="`+p.what+`" desc="`...)
		if w.plain {
			dst = append(dst, name...)
		} else {
			dst = w.appendAttr(dst, p.name)
		}
		return append(dst, `" tokens="`+n+`" />`...)
	case ModeMarkdown:
		return append(dst, "_[Omitted: "+p.what+" "+name+", ~"+n+" tokens]_"...)
	}
	return append(dst, "[omitted: "+p.what+" "+name+" ~"+n+"tok]"...)
}
