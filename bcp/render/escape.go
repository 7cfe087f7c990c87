package render

import "bytes"

// escapes holds what is written for a byte; "" for those written as they are.
type escapes [256]string

// attrEscapes are those of the reference.
var attrEscapes = escapes{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;"}

// contentEscapes make content well-formed. Control characters have no form in
// XML 1.0; their pictures (U+2400 and following) show what is there. A ">" is
// harmless and stays, for the reader's sake, except at the end of "]]>".
var contentEscapes = func() (e escapes) {
	for c := range byte(0x20) {
		e[c] = string(rune(0x2400 + int(c)))
	}
	e['\n'], e['\t'], e['\r'] = "", "", "&#13;"
	e['&'], e['<'] = "&amp;", "&lt;"
	return e
}()

// safeAttrEscapes also keep line breaks, which a reader of XML would take for
// spaces.
var safeAttrEscapes = func() escapes {
	e := contentEscapes
	e['\n'], e['\t'] = "&#10;", "&#9;"
	e['>'], e['"'] = "&gt;", "&quot;"
	return e
}()

// The two characters beyond the controls that XML has no form for, and what
// is written in their place.
var nonCharacters = [][2][]byte{
	{[]byte("\uFFFE"), []byte("[U+FFFE]")},
	{[]byte("\uFFFF"), []byte("[U+FFFF]")},
}

// characters returns s with characters of XML only.
func characters(s []byte) []byte {
	for _, c := range nonCharacters {
		if bytes.Contains(s, c[0]) {
			s = bytes.ReplaceAll(s, c[0], c[1])
		}
	}
	return s
}

func appendEscaped(dst, s []byte, e *escapes) []byte {
	from := 0
	for i, c := range s {
		escape := e[c]
		if c == '>' && i >= 2 && s[i-1] == ']' && s[i-2] == ']' {
			escape = "&gt;"
		}
		if escape != "" {
			dst = append(dst, s[from:i]...)
			dst = append(dst, escape...)
			from = i + 1
		}
	}
	return append(dst, s[from:]...)
}

// eachLine calls f with every line of s, without its line break, until f
// returns false. CR ends a line as LF does, since readers take it so.
func eachLine(s []byte, f func(line []byte) bool) {
	for {
		i := bytes.IndexAny(s, "\r\n")
		if i < 0 {
			f(s)
			return
		}
		if !f(s[:i]) {
			return
		}
		s = s[i+1:]
	}
}

// longestFence returns the longest run of backticks that begins a line of s,
// whatever white space stands before it.
func longestFence(s []byte) int {
	longest := 0
	if !bytes.Contains(s, []byte("```")) {
		return 0
	}
	eachLine(s, func(line []byte) bool {
		line = bytes.TrimLeft(line, " \t")
		longest = max(longest, len(line)-len(bytes.TrimLeft(line, "`")))
		return true
	})
	return longest
}

// Beginnings of lines by which Markdown's reader would know a block of the
// pack, or the beginning of a fence or of raw HTML that could swallow the
// blocks after it.
var markdownForms = [][]byte{
	[]byte("## "), []byte("### "), []byte("```"), []byte("~~~"), []byte("_[Omitted: "), []byte("*[Embedding ref: "),
	[]byte("<!"), []byte("<?"), []byte("<pre"), []byte("<script"), []byte("<style"), []byte("<textarea"),
	[]byte("**System**"), []byte("**User**"), []byte("**Assistant**"), []byte("**Tool**"),
}

// forgesMarkdown reports whether a line of s could pass for the pack's own
// markup.
func forgesMarkdown(s []byte) bool {
	found := false
	eachLine(s, func(line []byte) bool {
		line = bytes.TrimLeft(line, " \t")
		for _, f := range markdownForms {
			if bytes.HasPrefix(line, f) {
				found = true
			}
		}
		return !found
	})
	return found
}

// Beginnings of lines by which the reader of minimal mode would know a block;
// the first one counts only with the same dashes at the line's end.
var (
	minimalLine  = []byte("---")
	minimalForms = [][]byte{
		[]byte("[system]"), []byte("[user]"), []byte("[assistant]"), []byte("[tool]"), []byte("[omitted: "), []byte("[embed-ref: "),
	}
)

func forgesMinimal(line []byte) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, minimalLine) && bytes.HasSuffix(line, minimalLine) && len(line) > len(minimalLine) {
		return true
	}
	for _, f := range minimalForms {
		if bytes.HasPrefix(line, f) {
			return true
		}
	}
	return false
}

// appendGuarded appends content with a backslash before every line that could
// pass for the markup of minimal mode.
func appendGuarded(dst, content []byte) []byte {
	if !bytes.Contains(content, minimalLine) && !bytes.Contains(content, []byte("[")) {
		return append(dst, content...)
	}
	rest := content
	eachLine(content, func(line []byte) bool {
		if forgesMinimal(line) {
			dst = append(dst, '\\')
		}
		n := min(len(line)+1, len(rest)) // with its line break
		dst = append(dst, rest[:n]...)
		rest = rest[n:]
		return true
	})
	return dst
}
