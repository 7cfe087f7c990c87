package conformance

import (
	"bytes"
	"fmt"
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
			each(fmt.Sprintf("%s and many %s", quoted(start), quoted(unit)), build)
		}
	}
}
