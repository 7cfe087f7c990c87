package conformance

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// damageTokens are what damage puts into documents: bytes with a meaning in
// some format, and counts and lengths that are not true.
var damageTokens = []string{
	"\n", "\r\n", "\r", "\t", " ", "  ", "    ", "\n\n", "\x00", "\xff", "\xc3", "\xed\xa0\x80", "\ufeff", "\u2028", `"`, `""`, `\`, `\u`, `\u00`, `\ud800`, `\"`, "'", "`",
	"|", "||", ",", ":", ";", "=", "==", "^", "~", "-", "_", ".", ">", "@", "#", "# ", "##", "## ", "## x [2]", "## [9]{a}", "@0 ", "@1 {}", ".a {}", "@tab _ [a]\n", "@end", "\n@end", "GCX1 tool=a fields=b\n", "GCF profile=generic\n", "LCP\x00", "BCP\x00", "^{a}",
	"[", "]", "{", "}", "(", ")", "[]", "{}", "[[[[", "{a=", `{"a":`, "null", "true", "t", "nan",
	"0", "1", "9", "-1", "01", "1e5", "1e999999999", "99999999999999999999", "4294967296", "[99999999]", "rows=99999999", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "\xff\xff\xff\xff\x0f",
}

// damaged returns a copy of src with one to three random changes; other is a
// document to take pieces from.
func damaged(r *rand.Rand, src, other []byte) []byte {
	b := bytes.Clone(src)
	for range 1 + r.IntN(3) {
		b = damagedOnce(r, b, other)
	}
	return b
}

func damagedOnce(r *rand.Rand, b, other []byte) []byte {
	from := r.IntN(len(b) + 1)
	to := min(len(b), from+1+r.IntN(1+r.IntN(20)))
	replace := func(with []byte) []byte {
		return bytes.Join([][]byte{b[:from], with, b[to:]}, nil)
	}
	switch r.IntN(9) {
	case 0: // leave out
		return replace(nil)
	case 1: // repeat
		return replace(bytes.Repeat(b[from:to], 2+r.IntN(3)))
	case 2, 3: // insert
		to = from
		return replace([]byte(pick(r, damageTokens)))
	case 4: // overwrite
		return replace([]byte(pick(r, damageTokens)))
	case 5: // flip a bit
		if from < len(b) {
			b[from] ^= 1 << r.IntN(8)
		}
		return b
	case 6: // change a digit, that is mostly a count or a value
		if at := bytes.IndexAny(b[from:], "0123456789"); at >= 0 {
			b[from+at] = byte('0' + r.IntN(10))
		}
		return b
	case 7: // a piece of another document
		at := r.IntN(len(other) + 1)
		return replace(other[at:min(len(other), at+r.IntN(40))])
	default: // swap two lines
		lines := bytes.SplitAfter(b, []byte("\n"))
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil)
	}
}

// hostile builds documents of about n bytes that are made to be expensive,
// alone or after the beginning of a true document.
func hostile(beginnings [][]byte, each func(name string, build func(n int) []byte)) {
	var units []string
	for b := range 256 {
		units = append(units, string([]byte{byte(b)}))
	}
	units = append(units, damageTokens...)
	units = append(units, "[1,", `{"a":[`, `"a",`, "a ", "a\n", "a=1\n", "a=1 ", "{a=1 ", "@0 1|2\n", "## a\n", "1\t2\n", "|a|b|\n", "a|b\n", "\\n", `\u0041`, "é", "😀", `"a":1,`, "# c\n", "  ")
	starts := append([][]byte{nil}, beginnings...)
	for i, start := range starts {
		for j, unit := range units {
			if i > 0 && (i+j)%9 != 0 {
				continue
			}
			build := func(n int) []byte {
				return append(bytes.Clone(start), strings.Repeat(unit, n/len(unit))...)
			}
			each(strings.TrimSpace(quoted(start)+" and many "+quoted([]byte(unit))), build)
		}
	}
}
