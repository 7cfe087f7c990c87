package glyph

// worthNumbers returns the schema of the keys that take fewer tokens as numbers,
// by how often the text has them outside of tables; nil if there are none.
//
// " #12=" takes three tokens, and a key that is a word of the vocabularies two. So
// only keys of several words, or in quotation marks, are worth a number, and the
// schema itself has to be worth it.
func (t *shapeTable) worthNumbers() *SchemaContext {
	if t.uses == nil {
		t.uses = make(map[string]int)
	}
	names, uses := t.names[:0], t.uses // names in the order of the text
	for i := range t.list {
		s := &t.list[i]
		for j := range s.to - s.from {
			name := s.keys.At(j)
			if _, ok := uses[name]; !ok {
				names = append(names, name)
			}
			uses[name] += s.uses
		}
	}
	t.names = names
	gain, keys := -schemaTokens, names[:0]
	for _, name := range names {
		n := wordsOf(name)
		if saved := uses[name]*savedBy(name, n) - (n + 1); saved > 0 {
			keys = append(keys, name)
			gain += saved
		}
	}
	if gain <= 0 {
		return nil
	}
	return NewSchemaContextWithID("S1", keys)
}

// schemaTokens is how many tokens there are around the keys of a schema.
const schemaTokens = 10

// savedBy returns how many tokens " #12=" saves each time in place of a key of n tokens.
func savedBy(name string, n int) int {
	if bare(name, true) {
		return n - 2
	}
	return n - 1
}

// mostOfWord is the length of a word that one token holds, about.
const mostOfWord = 11

// wordsOf returns how many tokens a key takes, about: a word begins with a capital
// after a small letter, after any other character, or after many letters.
func wordsOf(key string) int {
	const (
		other = iota
		small
		capital
		digit
	)
	n, length, last := 0, 0, other
	for i := range len(key) {
		kind := other
		switch c := key[i]; {
		case c >= 'a' && c <= 'z' || c >= 0x80:
			kind = small
		case c >= 'A' && c <= 'Z':
			kind = capital
		case c >= '0' && c <= '9':
			kind = digit
		}
		begins := length == 0 || length == mostOfWord
		switch kind {
		case small:
			begins = begins || last == digit
		case capital:
			begins = begins || last == small || last == digit
		case digit:
			begins = length == 0 || last != digit || length == 3
		case other:
			begins = true
		}
		if begins && !(last == other && length == 1 && kind != digit) {
			n++
			length = 0
		}
		length++
		last = kind
	}
	return n
}
