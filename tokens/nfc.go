package tokens

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// Of Unicode 15, each character on a line of its own, in hexadecimal: one that has a
// canonical decomposition with all of it, after a - if NFC never has that character; after a
// +, a combining class and the first and the last character in a row that have it. Hangul
// is computed.
//
//go:embed data/nfc.txt
var nfcData string

// nfcTables are nfcData by character. No variable has them, so that a program that does not
// call [LoadTokenizerJSON] has neither.
type nfcTables struct {
	decomposed map[rune][]rune
	composed   map[[2]rune]rune
	combining  map[rune]int
	// changes has a bit for each character that NFC may change, alone or after another.
	changes [0x30000 / 64]uint64
}

func newNFC() *nfcTables {
	t := &nfcTables{decomposed: make(map[rune][]rune), composed: make(map[[2]rune]rune), combining: make(map[rune]int)}
	var pairs []rune
	for line := range strings.Lines(nfcData) {
		fields := strings.Fields(strings.TrimLeft(line, "-+"))
		if line[0] == '+' {
			class, _ := strconv.Atoi(fields[0])
			for r := hex(fields[1]); r <= hex(fields[2]); r++ {
				t.combining[r] = class
				t.change(r)
			}
			continue
		}
		r := hex(fields[0])
		for _, field := range fields[1:] {
			t.decomposed[r] = append(t.decomposed[r], hex(field))
		}
		if line[0] == '-' {
			t.change(r)
		} else {
			pairs = append(pairs, r)
		}
	}
	// A character is composed of what all but the last of its parts are composed of, which
	// has fewer parts, and the last.
	slices.SortStableFunc(pairs, func(a, b rune) int { return len(t.decomposed[a]) - len(t.decomposed[b]) })
	for _, r := range pairs {
		parts := t.decomposed[r]
		last := parts[len(parts)-1]
		t.composed[[2]rune{t.compose(slices.Clone(parts[:len(parts)-1]))[0], last}] = r
		t.change(last)
	}
	for r := rune(hangulV); r < hangulT+hangulTs; r++ {
		t.change(r)
	}
	return t
}

func hex(s string) rune {
	n, _ := strconv.ParseUint(s, 16, 32)
	return rune(n)
}

func (t *nfcTables) change(r rune) { t.changes[r/64] |= 1 << (r % 64) }

// normalize returns the text, a copy if it is changed, in Unicode's form NFC, with U+FFFD for
// each byte that is not valid UTF-8.
func (t *nfcTables) normalize(text []byte) []byte {
	if !scan.IsUTF8(text) {
		text = replaceInvalid(text)
	}
	i := 0
	for i < len(text) && text[i] < 0xcc { // below U+0300 there is nothing to do
		i++
	}
	if i == len(text) {
		return text
	}
	var out []byte
	start, kept := 0, 0 // of the last character that may begin something; of what is in out
	for i = 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if !t.changed(r) {
			start, i = i, i+size
			continue
		}
		end := i + size
		for end < len(text) {
			r, size := utf8.DecodeRune(text[end:])
			if !t.changed(r) {
				break
			}
			end += size
		}
		out = append(out, text[kept:start]...)
		for _, r := range t.compose(t.decompose(text[start:end])) {
			out = utf8.AppendRune(out, r)
		}
		start, kept, i = end, end, end
	}
	if kept == 0 {
		return text
	}
	return append(out, text[kept:]...)
}

func (t *nfcTables) changed(r rune) bool {
	return int(r/64) < len(t.changes) && t.changes[r/64]>>(r%64)&1 != 0
}

// The Hangul syllables, which are composed by computing.
const (
	hangulS, hangulL, hangulV, hangulT = 0xac00, 0x1100, 0x1161, 0x11a7
	hangulLs, hangulVs, hangulTs       = 19, 21, 28
)

// decompose returns the characters of text decomposed, in canonical order.
func (t *nfcTables) decompose(text []byte) []rune {
	var out []rune
	for _, r := range string(text) {
		if s := r - hangulS; s >= 0 && s < hangulLs*hangulVs*hangulTs {
			out = append(out, hangulL+s/(hangulVs*hangulTs), hangulV+s/hangulTs%hangulVs)
			if s%hangulTs > 0 {
				out = append(out, hangulT+s%hangulTs)
			}
			continue
		}
		if parts := t.decomposed[r]; parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, r)
		}
	}
	for i := 0; i < len(out); i++ {
		first := i
		for i < len(out) && t.combining[out[i]] > 0 {
			i++
		}
		slices.SortStableFunc(out[first:i], func(a, b rune) int { return t.combining[a] - t.combining[b] })
	}
	return out
}

// compose composes characters in canonical order, in place.
func (t *nfcTables) compose(in []rune) []rune {
	out := in[:0]
	starter, last := -1, 0 // the last one of class 0 in out; the class of the last after it, 0 for none
	for _, r := range in {
		class := t.combining[r]
		if starter >= 0 && (len(out)-1 == starter || last < class) {
			if c := t.pair(out[starter], r); c != 0 {
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

// pair returns what two characters are composed to, or 0.
func (t *nfcTables) pair(a, b rune) rune {
	l, v := a-hangulL, b-hangulV
	if l >= 0 && l < hangulLs && v >= 0 && v < hangulVs {
		return hangulS + (l*hangulVs+v)*hangulTs
	}
	s, tail := a-hangulS, b-hangulT
	if s >= 0 && s < hangulLs*hangulVs*hangulTs && s%hangulTs == 0 && tail > 0 && tail < hangulTs {
		return a + tail
	}
	return t.composed[[2]rune{a, b}]
}
