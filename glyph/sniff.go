package glyph

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/scan"
)

// Sniff reports whether src begins as GLYPH text does and JSON text does not.
func (c Codec) Sniff(src []byte) bool {
	s := sniffer(bytes.TrimLeft(scan.TrimBOM(src), " \t\r\n"))
	inside := false
	// Deeper than this no document needs to be looked at.
	for range 64 {
		switch {
		case s.begins("@tab "), s.begins("@schema#"), s.begins("@schema.clear"), s.begins("∅"), s.begins(`b64"`):
			return true
		case s.begins("{"):
			if s = s.skip(1); s.begins(`"`) {
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
			s, inside = s.skip(1), true
		case s.begins("["):
			s, inside = s.skip(1), true
		case inside:
			return s.scalar()
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

// scalar decides by the first element or member, if JSON does not have it.
func (s sniffer) scalar() bool {
	if s.begins(`"`) {
		s = s.afterString()
		return s.separated()
	}
	n := s.wordLen()
	if n == 0 {
		return false
	}
	switch string(s[:n]) {
	case "_", "t", "f":
		return true
	}
	return s[0] == '^' || s.skip(n).separated()
}

// separated reports whether the next element follows without a comma.
func (s sniffer) separated() bool { return len(s) > 0 && bytes.IndexByte([]byte(",:]}"), s[0]) < 0 }
