package tokens

import (
	"sync"
	"unicode"
)

// The classes of DeepSeek's pattern, in which numbers and white space have those of the
// others. Chinese and Japanese are a part of the text by themselves.
const (
	word     = upper          // [\p{L}\p{M}]
	sign     = lower          // [\p{P}\p{S}]
	stray    = other          // what is neither
	cjkWord  = caseless       // the same, of [一-龥぀-ゟ゠-ヿ]
	cjkSign  = mark           //
	cjkStray = number | other // in no set that is skipped here

	otherPart = number | caseless | mark // what white space before it shares no part with
)

var scriptClasses = sync.OnceValue(func() *classes {
	c := classesOf(map[*unicode.RangeTable]class{unicode.L: word, unicode.M: word, unicode.P: sign, unicode.S: sign})
	own := map[class]class{word: cjkWord, sign: cjkSign, stray: cjkStray}
	for _, part := range [][2]rune{{'一', '龥'}, {'\u3040', 'ヿ'}} {
		for r := part[0]; r <= part[1]; r++ {
			at := &c.pages[r>>8][r&0xff]
			*at = own[*at]
		}
	}
	return c
})

// splitScripts follows DeepSeek's pattern where no number begins: of its three expressions
// the last, within what the others cut out.
//
//	[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+
//	[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+
//	 ?[\p{P}\p{S}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// first is the class of the character at i, next the index of the one after it.
func splitScripts(c *classes, text []byte, i int, first class, next int) int {
	second, _ := c.at(text, next)
	switch {
	case first == word || first == cjkWord || first == cjkSign:
		return c.skip(text, next, first)
	case first == stray || first == cjkStray:
		return c.unmatched(text, i, first)
	case first == blank && second == word:
		return c.skip(text, next, word)
	case first == sign && next == i+1 && next < len(text) && asciiLetter(text[next]):
		for next < len(text) && asciiLetter(text[next]) {
			next++
		}
		return next
	case first == sign || text[i] == ' ' && second == sign:
		return c.skip(text, c.skip(text, next, sign), newline)
	}
	end := whitespace(c, text, i)
	if of, after := c.at(text, end); of == blank && text[end-1] != '\n' && text[end-1] != '\r' {
		// The last of the white space was left to what follows, but that is another part.
		if of, _ := c.at(text, after); of&otherPart != 0 {
			return after
		}
	}
	return end
}

// unmatched returns the end of the piece that begins with a character that only a word may
// follow in a match: what comes up to the next match is a piece as well.
func (c *classes) unmatched(text []byte, i int, of class) int {
	wanted := word
	if of == cjkStray {
		wanted = cjkWord
	}
	end, last := i, i
	for here, next := c.at(text, i); here == of; here, next = c.at(text, next) {
		last, end = end, next
	}
	switch here, _ := c.at(text, end); {
	case here != wanted:
		return end
	case last == i:
		return c.skip(text, end, wanted)
	}
	return last
}

func asciiLetter(b byte) bool { return (b|0x20)-'a' < 26 }
