package conformance

import (
	"bytes"
	"fmt"
	"strings"
)

// damageTokens are what damage puts into documents, also bytes that are no characters.
var damageTokens = append(textsOf("damage"), "\xff", "\xc3", "\xed\xa0\x80", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "\xff\xff\xff\xff\x0f")

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
