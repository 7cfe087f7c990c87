package tokens

// A pattern is what the vocabularies' expressions differ in.
type pattern struct {
	// camel: a word ends before a capital that follows a small letter, and
	// takes its contraction with it; symbols take slashes after line breaks.
	camel bool
	// apart: a word has no contraction, of the patterns with camel.
	apart bool
	// scripts: numbers, then Chinese and Japanese are cut out first, and the rest is
	// split by itself.
	scripts bool
	// digits is how many digits a piece has at most.
	digits int
}

var (
	patternO200k  = pattern{camel: true, digits: 3}
	patternCl100k = pattern{digits: 3}
	patternQwen   = pattern{digits: 1}
	patternTekken = pattern{camel: true, apart: true, digits: 1}
	patternDeep   = pattern{scripts: true, digits: 3}
)

// classes returns the classes that split takes.
func (p *pattern) classes() *classes {
	if p.scripts {
		return scriptClasses()
	}
	return characterClasses()
}

// split returns the end of the first piece of text[i:], which is not empty and is
// valid UTF-8. Pieces are what a vocabulary's published pattern matches; no token
// crosses the border between two of them.
//
// The patterns are regular expressions whose alternatives are tried in order.
// split takes the same decisions without backtracking: it looks at a character a
// bounded number of times, so that splitting is linear whatever the text. The
// tests compare it with the expressions themselves.
func (p *pattern) split(c *classes, text []byte, i int) int {
	first, next := c.at(text, i)
	switch {
	case first == number:
		return digits(c, text, next, p.digits-1)
	case p.scripts:
		return splitScripts(c, text, i, first, next)
	}
	return p.splitWords(c, text, i, first, next)
}

// splitWords follows the pattern of cl100k_base where no number begins:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// With camel it follows that of o200k_base, or that of tekken, which lacks the contractions:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// first is the class of the character at i, next the index of the one after it.
func (p *pattern) splitWords(c *classes, text []byte, i int, first class, next int) int {
	if end := p.word(c, text, i, first, next); end > i {
		return end
	}
	if second, _ := c.at(text, next); first&symbol == 0 && (text[i] != ' ' || second&symbol == 0) {
		return whitespace(c, text, i)
	}
	end := c.skip(text, next, symbol)
	for end < len(text) && (text[end] == '\r' || text[end] == '\n' || p.camel && text[end] == '/') {
		end++
	}
	return end
}

// word returns the end of a word or a contraction, or i.
func (p *pattern) word(c *classes, text []byte, i int, first class, next int) int {
	if p.camel {
		end := wordEnd(c, text, i, first, next)
		if end > i && !p.apart {
			end = contraction(text, end)
		}
		return end
	}
	if end := contraction(text, i); end > i {
		return end
	}
	if second, _ := c.at(text, next); first&letter != 0 || first&prefix != 0 && second&letter != 0 {
		return c.skip(text, next, letter)
	}
	return i
}

// wordEnd returns the end of what the first two alternatives of o200k_base match
// without the contraction, or i if neither matches. first is the class of the
// character at i, next the index of the one after it.
func wordEnd(c *classes, text []byte, i int, first class, next int) int {
	start := i
	if first&prefix != 0 {
		start = next
	}
	// The ends of the run of wordHead, and of the last character in it that is in wordTail too.
	head, tail := start, start
	of, after := c.at(text, start)
	for ; of&wordHead != 0; of, after = c.at(text, after) {
		if of&wordTail != 0 {
			tail = after
		}
		head = after
	}
	switch {
	case of == lower:
		return c.skip(text, after, wordTail)
	case tail > start:
		// The first alternative gives characters of the head back until its
		// tail has one that is allowed there; after it is a capital, where
		// the tail ends.
		return tail
	case first == mark:
		// With the mark as prefix the first alternative fails; without, the
		// mark is its whole tail.
		return next
	case head > start:
		// Capitals only: the second alternative.
		return head
	}
	return i
}

// contraction returns the end of (?i:'s|'t|'re|'ve|'m|'ll|'d) at i, or i.
func contraction(text []byte, i int) int {
	if i+1 >= len(text) || text[i] != '\'' {
		return i
	}
	// Setting bit 5 lowers capitals and maps no other byte to one of these letters.
	first, second := text[i+1]|0x20, byte(0)
	if i+2 < len(text) {
		second = text[i+2] | 0x20
	}
	switch {
	case first == 's' || first == 't' || first == 'm' || first == 'd':
		return i + 2
	case (first == 'r' || first == 'v') && second == 'e' || first == 'l' && second == 'l':
		return i + 3
	}
	return i
}

// digits returns the end of a run of characters of \p{N}, the first of which ends at i
// and after which come most more.
func digits(c *classes, text []byte, i, most int) int {
	for of, next := c.at(text, i); most > 0 && of == number; of, next = c.at(text, next) {
		i = next
		most--
	}
	return i
}

// whitespace returns the end of the last three alternatives of both patterns.
// A run of white space ends after its last line break; a run without one
// leaves its last character to the text that follows, if there is any and
// the run has more than one. Either way what is left holds no line break, so
// no character is looked at more than three times.
func whitespace(c *classes, text []byte, i int) int {
	afterBreak, last, end := i, i, i
	for of, next := c.at(text, i); of&space != 0; of, next = c.at(text, next) {
		last, end = end, next
		if of == newline {
			afterBreak = next
		}
	}
	switch {
	case afterBreak > i:
		return afterBreak
	case end < len(text) && last > i:
		return last
	}
	return end
}
