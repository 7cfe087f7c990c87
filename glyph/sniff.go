package glyph

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/scan"
)

// Sniff reports whether src begins as GLYPH text does and JSON text does not.
func (c Codec) Sniff(src []byte) bool {
	s := sniffer(bytes.TrimLeft(scan.TrimBOM(src), " \t\r\n"))
	// Deeper than this no document needs to be looked at.
	for depth := range 64 {
		switch {
		case s.begins("@tab "), s.begins("@schema#"), s.begins("@schema.clear"), s.begins("∅"), s.begins(`b64"`):
			return true
		case s.begins("{"):
			if s = s.skip(1); s.begins("}") {
				return s.elementFollows(depth + 1)
			}
			if s.begins(`"`) {
				s = s.afterString()
			} else if s = s.afterWord(); s.begins(":") { // no JSON, but not GLYPH's own either
				return false
			}
			if s.begins("=") {
				return true
			}
			if !s.begins(":") {
				return false
			}
			s = s.skip(1)
		case s.begins("["):
			if s = s.skip(1); s.begins("]") {
				return s.elementFollows(depth + 1)
			}
		case depth > 0:
			return s.scalar(depth)
		default:
			return s.alone()
		}
	}
	return false
}

// sniffer is the rest of a document, without leading white space.
type sniffer []byte

func (s sniffer) begins(prefix string) bool { return bytes.HasPrefix(s, []byte(prefix)) }
func (s sniffer) skip(n int) sniffer        { return bytes.TrimLeft(s[n:], " \t\r\n") }

func (s sniffer) afterString() sniffer {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s.skip(i + 1)
		}
	}
	return nil
}

func (s sniffer) wordLen() int {
	i := 0
	for i < len(s) && (class[s[i]] != 0 || s[i] >= 0x80 || s[i] == '#' || s[i] == '^') {
		i++
	}
	return i
}

func (s sniffer) afterWord() sniffer { return s.skip(s.wordLen()) }

// alone decides for a document that is one word, which any text may be.
func (s sniffer) alone() bool {
	n := s.wordLen()
	if n == 0 || len(s.skip(n)) > 0 {
		return false
	}
	word := string(s[:n])
	return word == "_" || word == "t" || word == "f" || word[0] == '^' && n > 1
}

// scalar decides by the first element or member, in depth brackets, if JSON does
// not have it or does not go on so.
func (s sniffer) scalar(depth int) bool {
	if s.begins(`"`) {
		return s.afterString().elementFollows(depth)
	}
	n := s.wordLen()
	if n == 0 {
		return false
	}
	switch string(s[:n]) {
	case "_", "t", "f":
		return true
	}
	return s[0] == '^' || s.skip(n).elementFollows(depth)
}

// elementFollows reports whether, behind brackets that close, the next element
// stands without a comma.
func (s sniffer) elementFollows(depth int) bool {
	for s.begins("]") || s.begins("}") {
		if depth--; depth == 0 {
			return false
		}
		s = s.skip(1)
	}
	return len(s) > 0 && s[0] != ',' && s[0] != ':'
}
