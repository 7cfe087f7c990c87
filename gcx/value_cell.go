package gcx

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// numberAt returns the number in JSON's grammar that is at start, the longest
// one, and where it ends; -1 if there is none. It does by itself what
// [builder.Decimal] does: a list of numbers takes a tenth more with a call between.
func numberAt(s string, start int) (wire.Value, int) {
	if start < len(s) {
		switch n, end, whole := scan.Decimal(s, start); {
		case end < 0 || end < len(s) && s[end]|0x20 == 'e':
		case whole:
			return wire.Int(n), end
		default:
			return builder.NumberText(s[start:end]), end
		}
	}
	n := scan.Number(s[start:])
	if n == 0 {
		return wire.Value{}, -1
	}
	return builder.NumberText(s[start : start+n]), start + n
}

// plainCell returns the value of a cell as most are written: a number, or a string
// without escapes that cannot be read as anything else, which a TAB or a line feed
// ends. It returns where it ends, or -1 for all others.
func plainCell(text string, i int, letter byte) (wire.Value, int) {
	if i >= len(text) {
		return wire.Value{}, -1
	}
	switch c := text[i]; {
	case !firstByte[c] || verbatim(letter):
		if c == '\t' || c == '\n' {
			return emptyCell(letter), i
		}
		end := i
		if i+8 > len(text) {
			end = special(text, i)
		} else if stop := specials(scan.Load64(text, i)); stop != 0 {
			end += bits.TrailingZeros64(stop) / 8
		} else {
			end = special(text, i+8)
		}
		if !separates(text, end) {
			return wire.Value{}, -1
		}
		return wire.String(text[i:end]), end
	case c-'0' <= 9 || c == '-':
		if v, end := builder.Decimal(text, i); end >= 0 && separates(text, end) {
			return v, end
		}
	case c == 't' && strings.HasPrefix(text[i:], "true") && separates(text, i+len("true")):
		return wire.Bool(true), i + len("true")
	case c == 'f' && strings.HasPrefix(text[i:], "false") && separates(text, i+len("false")):
		return wire.Bool(false), i + len("false")
	}
	return wire.Value{}, -1
}

// separates reports whether a TAB or a line feed is at i.
func separates(text string, i int) bool {
	return i < len(text) && (text[i] == '\t' || text[i] == '\n')
}
