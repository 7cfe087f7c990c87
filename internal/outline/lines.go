package outline

import (
	"bytes"
	"strings"
)

// indented lists the heads of Python: classes, and the functions that are not
// in others.
func indented(s *scanner) []Head {
	s.hide()
	var heads []Head
	type level struct {
		indent   int
		function bool
	}
	var around []level
	for i := 0; i < len(s.mask) && len(heads) < mostHeads; {
		end := s.logicalLine(i)
		line := s.mask[i:end]
		body := bytes.TrimLeft(line, " \t\r\n\f")
		if len(body) == 0 {
			i = end
			continue
		}
		indent := indentOf(line[:len(line)-len(body)])
		for len(around) > 0 && around[len(around)-1].indent >= indent {
			around = around[:len(around)-1]
		}
		if indent == 0 && bytes.HasPrefix(body, []byte("from ")) && len(body) < 8*MaxHead {
			if h, ok := reexport(oneLine(s.text[end-len(body) : end])); ok {
				heads = append(heads, h)
			}
		}
		function := beginsWithAny(body, "def ", "async def ")
		if function || beginsWithAny(body, "class ", "class\t") {
			inside := len(around) > 0 && around[len(around)-1].function
			if !inside {
				from := end - len(body)
				to := from + min(headEnd(body), 4*MaxHead)
				h := head{text: oneLine(s.text[from:to])}
				h.shorten()
				word := "class"
				if function {
					word = "def"
				}
				heads = append(heads, Head{Text: h.text, Name: nameAfter(h.text, word), Depth: len(around), comment: docstring(s.src[end:])})
			}
			around = append(around, level{indent, function || inside})
		}
		i = end
	}
	return heads
}

// reexport reads what a module of Python imports, which it may give to others.
func reexport(text string) (Head, bool) {
	_, list, ok := strings.Cut(text, " import ")
	if !ok {
		return Head{}, false
	}
	h := head{text: text}
	h.shorten()
	return Head{Text: h.text, Exports: listedNames("{" + strings.Trim(list, "() ") + "}")}, true
}

// headEnd returns where the colon is that ends a head, or its length
// without one.
func headEnd(text []byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// indentOf is the width of the indentation, after the last line end.
func indentOf(blank []byte) int {
	if i := bytes.LastIndexByte(blank, '\n'); i >= 0 {
		blank = blank[i+1:]
	}
	n := 0
	for _, ch := range blank {
		if ch == '\t' {
			n += 8 - n%8
		} else {
			n++
		}
	}
	return n
}

// logicalLine returns the end of a line with those that brackets or a backslash
// join to it. Brackets that do not close join no more than mostJoined lines.
func (s *scanner) logicalLine(i int) int {
	depth, joined := 0, 0
	for ; i < len(s.mask); i++ {
		switch s.mask[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\\':
			if i+1 < len(s.mask) && s.mask[i+1] == '\n' {
				i++
			}
		case '\n':
			if joined++; depth <= 0 || joined > mostJoined {
				return i + 1
			}
		}
	}
	return i
}

const mostJoined = 200

// lineHeads lists the lines that begin with one of the language's words, and in
// shell those of functions.
func lineHeads(s *scanner) []Head {
	var heads []Head
	documentation := false // of Ruby and Perl, in lines of their own
	for line := range bytes.Lines(s.src) {
		if len(heads) == mostHeads {
			break
		}
		text := strings.TrimRight(string(line[:min(len(line), 2*MaxHead)]), " \t\r\n")
		if strings.HasPrefix(text, "=") && (s.lang == ruby || s.lang == perl) {
			documentation = !strings.HasPrefix(text, "=end") && !strings.HasPrefix(text, "=cut")
			continue
		}
		if documentation {
			continue
		}
		body := strings.TrimLeft(text, " \t")
		depth := min(indentOf([]byte(text[:len(text)-len(body)]))/2, 8)
		if s.lang == shell {
			if name, ok := shellFunction(body); ok {
				name = strings.ToValidUTF8(name, "\uFFFD")
				heads = append(heads, Head{Text: name + "()", Name: name})
			}
			continue
		}
		for w := range s.lang.functions {
			rest, ok := strings.CutPrefix(body, w+" ")
			if !ok {
				continue
			}
			name := lineName(rest)
			if name == "" {
				continue
			}
			h := head{text: strings.ToValidUTF8(strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(body, " "), "{"), " do"), "\uFFFD")}
			h.text = strings.TrimRight(h.text, " ")
			h.shorten()
			heads = append(heads, Head{Text: h.text, Name: name, Depth: depth})
		}
	}
	return heads
}

// lineName is the name that a declaration begins with, without what it is a
// member of.
func lineName(text string) string {
	text = strings.TrimLeft(text, " ")
	n := 0
	for n < len(text) && (wordByte(text[n]) || strings.IndexByte(".:?!=", text[n]) >= 0) {
		n++
	}
	if n == 0 || text[0] == '=' || text[0] == '!' { // an operator of Ruby
		name, _, _ := strings.Cut(text, "(")
		name, _, _ = strings.Cut(name, " ")
		return name
	}
	name := strings.TrimRight(text[:n], ".:")
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// shellFunction reads name() { and function name.
func shellFunction(line string) (string, bool) {
	rest, word := strings.CutPrefix(line, "function ")
	rest = strings.TrimLeft(rest, " ")
	n := 0
	for n < len(rest) && (wordByte(rest[n]) && rest[n] != '$' || n > 0 && strings.IndexByte("-.:", rest[n]) >= 0) {
		n++
	}
	if n == 0 {
		return "", false
	}
	call := strings.TrimLeft(rest[n:], " ")
	return rest[:n], strings.HasPrefix(strings.ReplaceAll(call, " ", ""), "()") || word && (call == "" || call[0] == '{')
}
