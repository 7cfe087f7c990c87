package glyph

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// Sniff reports whether src begins as a table, a list or an object of GLYPH does
// and as JSON text does not. A single scalar is not claimed: t and _ are words of
// other formats too.
func (c Codec) Sniff(src []byte) bool {
	s := sniffer(bytes.TrimLeft(scan.TrimBOM(src), " \t\r\n"))
	member := false // of an object, after its key and a colon
	// Deeper than this no document needs to be looked at.
	for depth := range 64 {
		switch {
		case s.begins("@tab "), s.begins("@schema#"), s.begins("@schema.clear"):
			return true
		case s.begins("{"):
			if s = s.skip(1); s.begins("}") {
				return s.elementFollows(depth + 1)
			}
			if s.begins(`"`) {
				s = s.afterString()
			} else if key, _, _ := bytes.Cut(s[:s.wordLen()], []byte{':'}); len(key) > 0 { // JSON's keys are in quotation marks
				s = s.skip(len(key))
				return s.begins(":") || s.begins("=")
			}
			if s.begins("=") {
				return true
			}
			if !s.begins(":") {
				return false
			}
			s, member = s.skip(1), true
		case s.begins("["):
			member = false
			if s = s.skip(1); s.begins("]") {
				return s.elementFollows(depth + 1)
			}
		default:
			return depth > 0 && s.scalar(depth, member)
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

// scalar decides by the first element or member, in depth brackets, if JSON does
// not have it or does not go on so. A member that a key in quotation marks follows
// could as well lack JSON's comma.
func (s sniffer) scalar(depth int, member bool) bool {
	var rest sniffer
	switch {
	case s.begins("∅"), s.begins("^"), s.begins(`b64"`):
		return true
	case s.begins(`"`):
		rest = s.afterString()
	default:
		n := s.wordLen()
		switch string(s[:n]) {
		case "":
			return false
		case "_", "t", "f":
			return true
		}
		rest = s.skip(n)
	}
	return (!member || !rest.begins(`"`)) && rest.elementFollows(depth)
}

// elementFollows reports whether, after brackets that close, the next element
// is without a comma.
func (s sniffer) elementFollows(depth int) bool {
	for s.begins("]") || s.begins("}") {
		if depth--; depth == 0 {
			return false
		}
		s = s.skip(1)
	}
	return len(s) > 0 && s[0] != ',' && s[0] != ':'
}
