package tokens

import (
	"sync"
	"unicode"
)

// A class is the set of roles that a character plays in the patterns of the
// vocabularies. Each character has exactly one bit of the first group; the
// sets below it are the patterns' character classes. The zero class stands for
// "past the end of the text" and belongs to no set.
type class uint8

const (
	upper    class = 1 << iota // \p{Lu} and \p{Lt}
	lower                      // \p{Ll}
	caseless                   // \p{Lm} and \p{Lo}
	mark                       // \p{M}
	number                     // \p{N}
	newline                    // CR and LF
	blank                      // \s without CR and LF
	other                      // everything else

	letter = upper | lower | caseless // \p{L}
	space  = newline | blank          // \s
	symbol = mark | other             // [^\s\p{L}\p{N}]
	prefix = mark | other | blank     // [^\r\n\p{L}\p{N}]

	wordHead = upper | caseless | mark // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	wordTail = lower | caseless | mark // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
)

// classes maps every code point to its class: a flat table for ASCII, pages of
// 256 code points for the rest, of which those are one that have no class of their own.
type classes struct {
	ascii [128]class
	pages [(unicode.MaxRune + 1) >> 8]*[256]class
}

// characterClasses builds the table at first use; it takes about a millisecond and is
// shared by all vocabularies but those of DeepSeek.
var characterClasses = sync.OnceValue(func() *classes {
	return classesOf(map[*unicode.RangeTable]class{
		unicode.Lu: upper, unicode.Lt: upper, unicode.Ll: lower, unicode.Lm: caseless, unicode.Lo: caseless, unicode.M: mark,
	})
})

// classesOf returns the table of the classes of some sets, in which numbers and white space have
// theirs, and what is left is other.
func classesOf(sets map[*unicode.RangeTable]class) *classes {
	c, none := new(classes), new([256]class)
	for i := range none {
		none[i] = other
	}
	for i := range c.pages {
		c.pages[i] = none
	}
	fill := func(lo, hi, stride uint32, of class) {
		for r := lo; r <= hi; r += stride {
			page := &c.pages[r>>8]
			if *page == none {
				own := *none
				*page = &own
			}
			(*page)[r&0xff] = of
		}
	}
	sets[unicode.N], sets[unicode.White_Space] = number, blank
	for set, of := range sets {
		for _, r := range set.R16 {
			fill(uint32(r.Lo), uint32(r.Hi), uint32(r.Stride), of)
		}
		for _, r := range set.R32 {
			fill(r.Lo, r.Hi, r.Stride, of)
		}
	}
	fill('\n', '\r', '\r'-'\n', newline)
	copy(c.ascii[:], c.pages[0][:128])
	return c
}

// at returns the class of the character that begins at text[i] and the index
// of the next one. The text must be valid UTF-8; at its end the class is 0.
func (c *classes) at(text []byte, i int) (class, int) {
	if i >= len(text) {
		return 0, i
	}
	if b := text[i]; b < 0x80 {
		return c.ascii[b], i + 1
	}
	return c.wide(text, i)
}

// wide is at for a character of two to four bytes.
func (c *classes) wide(text []byte, i int) (class, int) {
	var r rune
	switch b := text[i]; {
	case b < 0xe0:
		r = rune(b&0x1f)<<6 | rune(text[i+1]&0x3f)
		i += 2
	case b < 0xf0:
		r = rune(b&0x0f)<<12 | rune(text[i+1]&0x3f)<<6 | rune(text[i+2]&0x3f)
		i += 3
	default:
		r = rune(b&0x07)<<18 | rune(text[i+1]&0x3f)<<12 | rune(text[i+2]&0x3f)<<6 | rune(text[i+3]&0x3f)
		i += 4
	}
	return c.pages[r>>8][r&0xff], i
}

// skip returns the end of the run of characters of set that begins at i.
func (c *classes) skip(text []byte, i int, set class) int {
	for of, next := c.at(text, i); of&set != 0; of, next = c.at(text, next) {
		i = next
	}
	return i
}
