package tokens

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of Unicode 15, each character on a line of its own, in hexadecimal: one that NFC has, with the
// two that it is composed of, whose own lines come first; after a -, one that it never has, with
// all of its canonical decomposition; after a +, a combining class and the first and the last
// character in a row that have it. Hangul is computed.
//
//go:embed data/nfc.txt
var nfcData string

// nfcTables are nfcData by character. No variable has them, so that a program that does not
// call [LoadTokenizerJSON] has neither.
type nfcTables struct {
	decomposed map[rune]string
	composed   map[[2]rune]rune
	combining  map[rune]rune
	// changes has a bit for each character that NFC may change, alone or after another.
	changes [unicode.MaxRune/64 + 1]uint64
}

func newNFC() *nfcTables {
	t := &nfcTables{decomposed: make(map[rune]string), composed: make(map[[2]rune]rune), combining: make(map[rune]rune)}
	for line := range strings.Lines(nfcData) {
		var runes []rune
		for _, field := range strings.Fields(strings.TrimLeft(line, "-+")) {
			n, _ := strconv.ParseUint(field, 16, 32)
			runes = append(runes, rune(n))
		}
		switch line[0] {
		case '+':
			for r := runes[1]; r <= runes[2]; r++ {
				t.combining[r] = runes[0]
				t.change(r)
			}
		case '-':
			t.decomposed[runes[0]] = string(runes[1:])
			t.change(runes[0])
		default:
			t.add(runes[0], runes[1], runes[2])
		}
	}
	const syllables, leads, vowels, tails = 0xac00, 0x1100, 0x1161, 0x11a7
	for i := range rune(19 * 21 * 28) {
		if tail := i % 28; tail > 0 {
			t.add(syllables+i, syllables+i-tail, tails+tail)
		} else {
			t.add(syllables+i, leads+i/28/21, vowels+i/28%21)
		}
	}
	return t
}

// add adds a character that is composed of two, of which the first may be composed too.
func (t *nfcTables) add(r, first, last rune) {
	t.decomposed[r] = cmp.Or(t.decomposed[first], string(first)) + string(last)
	t.composed[[2]rune{first, last}] = r
	t.change(last)
}

func (t *nfcTables) change(r rune) { t.changes[r/64] |= 1 << (r % 64) }

// normalize returns the text, a copy if it is changed, in Unicode's form NFC, with U+FFFD for
// each byte that is not valid UTF-8.
func (t *nfcTables) normalize(text []byte) []byte {
	text = replaceInvalid(text)
	if !slices.ContainsFunc(text, func(b byte) bool { return b >= 0xcc }) { // below U+0300 there is nothing to do
		return text
	}
	var out []byte
	start, kept, dirty := 0, 0, false // start is of the last character that may begin something; kept of what is not in out
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if t.changed(r) {
			dirty, i = true, i+size
			continue
		}
		if dirty {
			out = append(append(out, text[kept:start]...), string(t.compose(t.decompose(text[start:i])))...)
			kept, dirty = i, false
		}
		switch {
		case size == 0 && kept == 0:
			return text
		case size == 0:
			return append(out, text[kept:]...)
		}
		start, i = i, i+size
	}
}

func (t *nfcTables) changed(r rune) bool { return t.changes[r/64]>>(r%64)&1 != 0 }

// decompose returns the characters of text decomposed, in canonical order.
func (t *nfcTables) decompose(text []byte) []rune {
	var out []rune
	for _, r := range string(text) {
		out = append(out, []rune(cmp.Or(t.decomposed[r], string(r)))...)
	}
	for i := 0; i < len(out); i++ {
		first := i
		for i < len(out) && t.combining[out[i]] > 0 {
			i++
		}
		slices.SortStableFunc(out[first:i], func(a, b rune) int { return int(t.combining[a] - t.combining[b]) })
	}
	return out
}

// compose composes characters in canonical order, in place.
func (t *nfcTables) compose(in []rune) []rune {
	out := in[:0]
	starter, last := -1, rune(0) // the last one of class 0 in out; the class of the last after it, 0 for none
	for _, r := range in {
		class := t.combining[r]
		if starter >= 0 && (len(out)-1 == starter || last < class) {
			if c := t.composed[[2]rune{out[starter], r}]; c != 0 {
				out[starter] = c
				continue
			}
		}
		if class == 0 {
			starter = len(out)
		}
		last = class
		out = append(out, r)
	}
	return out
}
