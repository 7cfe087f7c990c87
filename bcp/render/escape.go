package render

import (
	"bytes"
	"slices"
)

// escapedSlack is the room that is left after escaped text for the tag and
// the separator that follow it.
const escapedSlack = 256

// escapes holds what is written for a byte; "" for those written as they are.
type escapes [256]string

// with returns the escapes with others on top.
func (e escapes) with(texts map[byte]string) *escapes {
	for c, text := range texts {
		e[c] = text
	}
	return &e
}

// attrEscapes are those of the reference.
var attrEscapes = escapes{}.with(map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;"})

// contentEscapes make content well-formed. Control characters have no form in
// XML 1.0; their pictures (U+2400 and following) show what is there. A ">" is
// harmless and stays, for the reader's sake, except at the end of "]]>".
var contentEscapes = func() *escapes {
	var pictures escapes
	for c := range rune(0x20) {
		pictures[c] = string(0x2400 + c)
	}
	return pictures.with(map[byte]string{'\n': "", '\t': "", '\r': "&#13;", '&': "&amp;", '<': "&lt;"})
}()

// safeAttrEscapes also keep line breaks, which a reader of XML would take for
// spaces.
var safeAttrEscapes = contentEscapes.with(map[byte]string{'\n': "&#10;", '\t': "&#9;", '>': "&gt;", '"': "&quot;"})

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
	n := len(s)
	for _, c := range s {
		n += len(e[c])
	}
	dst = slices.Grow(dst, n+escapedSlack)
	from := 0
	for i, c := range s {
		escape := e[c]
		if c == '>' && bytes.HasSuffix(s[:i], []byte("]]")) {
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
