package scan

import (
	"cmp"
	"strings"
)

// Respell returns the decimal number that s spells in JSON's grammar: without a plus sign
// and zeros in front, with a digit before the point, and with a point only where digits
// follow.
func Respell(s string) (text string, ok bool) {
	digits, sign := strings.TrimPrefix(s, "+"), ""
	if len(digits) == len(s) && strings.HasPrefix(s, "-") {
		digits, sign = s[1:], "-"
	}
	end := Digits(digits, 0)
	whole, fraction, rest := digits[:end], "", digits[end:]
	if strings.HasPrefix(rest, ".") {
		end = Digits(rest, 1)
		fraction, rest = rest[:end], rest[end:]
	}
	if whole == "" && len(fraction) < 2 {
		return "", false
	}
	if fraction == "." && !strings.HasPrefix(rest, ".") {
		fraction = ""
	}
	text = sign + cmp.Or(strings.TrimLeft(whole, "0"), "0") + fraction + rest
	return text, Number(text) == len(text)
}
