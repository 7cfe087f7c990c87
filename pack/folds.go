package pack

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// foldsText has a line for each character that is more than its lower case when names are
// compared: the character, and its canonical decomposition in full case folding, by
// UnicodeData.txt and CaseFolding.txt of Unicode 14.
//
//go:embed folds.txt
var foldsText string

var folds = sync.OnceValue(func() map[rune]string {
	m := make(map[rune]string)
	for line := range strings.Lines(foldsText) {
		r, n := utf8.DecodeRuneInString(line)
		m[r] = strings.TrimSuffix(line[n:], "\n")
	}
	return m
})

// foldName returns what names have in common that some file system takes for one: it
// looks neither at case nor at the normal form, and leaves out what is not visible.
func foldName(name string) string {
	var out []rune
	for _, r := range name {
		const first, last, vowels, finals = 0xAC00, 0xD7A3, 21, 28 // Hangul syllables
		switch fold, ok := folds()[r]; {
		case ok:
			out = append(out, []rune(fold)...)
		case unicode.Is(unicode.Cf, r):
		case r >= first && r <= last:
			n := r - first
			out = append(out, 0x1100+n/(vowels*finals), 0x1161+n/finals%vowels)
			if final := n % finals; final > 0 {
				out = append(out, 0x11A7+final)
			}
		default:
			out = append(out, unicode.ToLower(unicode.ToUpper(r)))
		}
	}
	// Marks on one letter are put into one order, whichever the right one is.
	for i := 0; i < len(out); i++ {
		from := i
		for i < len(out) && unicode.IsMark(out[i]) {
			i++
		}
		slices.Sort(out[from:i])
	}
	return string(out)
}
