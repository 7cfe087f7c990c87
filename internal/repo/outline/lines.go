package outline

import (
	"bytes"
	"cmp"
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
	for i, end := 0, 0; i < len(s.mask) && len(heads) < mostHeads; i = end {
		end = s.logicalLine(i)
		line := s.mask[i:end]
		body := bytes.TrimLeft(line, " \t\r\n\f")
		if len(body) == 0 {
			continue
		}
		indent := indentOf(line[:len(line)-len(body)])
		for len(around) > 0 && around[len(around)-1].indent >= indent {
			around = around[:len(around)-1]
		}
		if indent == 0 && bytes.HasPrefix(body, []byte("from ")) {
			text := oneLine(s.text[end-len(body) : end])
			if _, list, ok := strings.Cut(text, " import "); ok { // which the module may give to others
				heads = append(heads, Head{Text: shortened(text), Exports: listedNames("{" + strings.Trim(list, "() ") + "}")})
			}
		}
		function := beginsWithAny(body, "def ", "async def ")
		if function || beginsWithAny(body, "class ", "class\t") {
			inside := len(around) > 0 && around[len(around)-1].function
			if !inside {
				from := end - len(body)
				to := from + headEnd(body)
				text := shortened(oneLine(s.text[from:to]))
				_, name, _ := strings.Cut(strings.TrimPrefix(text, "async "), " ")
				heads = append(heads, Head{Text: text, Name: firstWord(name), Depth: len(around), Type: !function, comment: docstring(s.after(end))})
			}
			around = append(around, level{indent, function || inside})
		}
	}
	return heads
}

// headEnd returns where the colon is that ends a head, or its length
// without one.
func headEnd(text []byte) int {
	for i := 0; i < len(text); i++ {
		if strings.IndexByte("([{", text[i]) >= 0 {
			i += enclosed(text[i:]) - 1
		} else if text[i] == ':' {
			return i
		}
	}
	return len(text)
}

// indentOf is the width of the indentation.
func indentOf(blank []byte) int {
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
// join to it. Brackets that do not close join no declaration.
func (s *scanner) logicalLine(i int) int {
	depth := 0
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
			if depth <= 0 || beginsWithAny(bytes.TrimLeft(s.mask[i:min(len(s.mask), i+mostIndent)], " \t\n\f"), "def ", "class ", "async def ") {
				return i + 1
			}
		}
	}
	return i
}

// mostIndent is how far a declaration in a line that brackets may have joined is looked for.
const mostIndent = 200

// lineHeads lists the lines that the language's pattern matches.
func lineHeads(s *scanner) []Head {
	var heads []Head
	documentation := false // of Ruby and Perl, in lines of their own
	for line := range bytes.Lines(s.src) {
		if len(heads) == mostHeads {
			break
		}
		text := strings.TrimRight(string(line[:min(len(line), 2*MaxHead)]), " \t\r\n")
		switch {
		case s.lang == ruby && strings.HasPrefix(text, "=begin"), s.lang == perl && len(text) > 1 && text[0] == '=' && wordByte(text[1]):
			documentation = !strings.HasPrefix(text, "=cut")
		case s.lang == ruby && strings.HasPrefix(text, "=end"):
			documentation = false
		}
		at := s.lang.head.FindStringSubmatch(text)
		if at == nil || documentation {
			continue
		}
		h := Head{Name: strings.ToValidUTF8(cmp.Or(at[2:]...), "\uFFFD"), Type: beginsWithAny([]byte(text[len(at[1]):]), "class ", "module ", "defmodule ", "defprotocol ", "package ")}
		if s.lang == shell {
			h.Text = h.Name + "()"
		} else {
			body := strings.TrimSuffix(strings.TrimSuffix(text[len(at[1]):], "{"), " do")
			h.Text = shortened(strings.ToValidUTF8(body, "\uFFFD"))
			h.Depth = min(indentOf([]byte(at[1]))/2, 8)
		}
		heads = append(heads, h)
	}
	return heads
}
