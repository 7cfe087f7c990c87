package yaml

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// plain returns what a plain scalar is by the core schema (YAML 1.2.2, section
// 10.3.2). finite is false for the numbers that the data model does not have.
func plain(s string) (v wire.Value, finite bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return wire.Null(), true
	case "true":
		return wire.Bool(true), true
	case "false":
		return wire.Bool(false), true
	case "True", "TRUE":
		return respelled(wire.Bool(true)), true
	case "False", "FALSE":
		return respelled(wire.Bool(false)), true
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return wire.Value{}, false
	}
	if v, ok := number(s); ok {
		return v, true
	}
	return wire.String(s), true
}

// number returns the number that a plain scalar spells.
func number(s string) (wire.Value, bool) {
	if c := s[0]; c > '9' || c < '+' {
		return wire.Value{}, false
	}
	if n := scan.Number(s); n == len(s) {
		v, err := wire.Number(s)
		return v, err == nil
	}
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		return based(digits, 16)
	}
	if digits, ok := strings.CutPrefix(s, "0o"); ok {
		return based(digits, 8)
	}
	text, ok := scan.Respell(s)
	if !ok {
		return wire.Value{}, false
	}
	v, err := wire.Number(text)
	digits := strings.TrimLeft(strings.TrimPrefix(s, "-"), "0")
	if zeros := len(s) - len(text); zeros > 0 && strings.HasSuffix(text, digits) && s[0] != '+' {
		return wire.Internal.Respelled(inplace.Ours(), v, zeros), err == nil
	}
	return respelled(v), err == nil
}

// maxBased bounds the digits of a number in base 8 or 16, whose conversion
// takes more than linear time.
const maxBased = 4096

func based(digits string, base int) (wire.Value, bool) {
	if digits == "" || len(digits) > maxBased || strings.ContainsAny(digits, "+-_") {
		return wire.Value{}, false
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return wire.Value{}, false
	}
	v, err := wire.Number(n.String())
	return respelled(v), err == nil
}

// respelled marks a scalar that JSON spells in another way.
func respelled(v wire.Value) wire.Value { return wire.Internal.Respelled(inplace.Ours(), v, 0) }

// looksLike reports whether a plain scalar of that text is something other
// than a string for a reader of YAML 1.1 or 1.2, or for a careless one.
func looksLike[T scan.Bytes](s T) bool {
	const longest = len("false")
	if len(s) == 0 {
		return true
	}
	if len(s) <= longest {
		var lower [longest]byte
		for i := range len(s) {
			if lower[i] = s[i]; s[i]-'A' <= 'Z'-'A' {
				lower[i] |= 0x20
			}
		}
		switch string(lower[:len(s)]) {
		case "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=",
			".nan", ".inf", "+.inf", "-.inf":
			return true
		}
	}
	// Numbers in any base and notation, times and dates.
	c := s[0]
	return c-'0' <= 9 || (c == '+' || c == '-' || c == '.') && len(s) > 1 && (s[1]-'0' <= 9 || s[1] == '.')
}

// plainSafe reports whether a string can be plain, in a block or a flow.
func plainSafe(s string) bool {
	if len(s) > maxPlain || looksLike(s) {
		return false
	}
	switch first := s[0]; {
	case classes[first]&noStart != 0:
		return false
	case first == '-', first == '?', first == ':':
		if len(s) == 1 || s[1] == ' ' || strings.HasPrefix(s, "---") {
			return false
		}
	case first == 'G':
		if misleading(s) {
			return false
		}
	}
	if last := s[len(s)-1]; last == ' ' || last == ':' {
		return false
	}
	for i := 0; i < len(s); i++ {
		class := classes[s[i]]
		if class&^(noStart|escaped) == 0 {
			continue
		}
		switch {
		case class&never != 0, s[i] == ':' && s[i+1] == ' ', s[i] == '#' && s[i-1] == ' ':
			return false
		case class&wide != 0:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !printable(r) || size == 1 {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// misleading reports whether a text begins like a document of another format, as no
// document must.
func misleading[T scan.Bytes](s T) bool {
	return len(s) > 2 && string(s[:3]) == "GCX" || len(s) > 3 && string(s[:4]) == "GCF "
}

// What a byte means to a plain scalar.
const (
	noStart  = 1 << iota // it does not begin one
	never                // it cannot be in one
	neighbor             // it depends on what is beside it
	wide                 // it is part of a character beyond ASCII
	escaped              // it has an escape in quotation marks
)

var classes = func() (t [256]uint8) {
	for _, c := range []byte(`#&*!|>'"%@` + "` .") {
		t[c] = noStart
	}
	for _, c := range []byte("\x7f,[]{}") {
		t[c] = noStart | never
	}
	for c := range byte(' ') {
		t[c] = noStart | never | escaped
	}
	for c := 0x80; c < len(t); c++ {
		t[c] = wide
	}
	for _, c := range []byte("\"\\\x7f") {
		t[c] |= escaped
	}
	t[':'] |= neighbor
	t['#'] |= neighbor
	return t
}()

// maxPlain is the length of the longest string that is plain, and of the
// longest key without a question mark: one line of at most 1024 characters
// (section 7.4.2), some of which are more than a byte.
const maxPlain = 250

// printable is YAML's set of characters that need no escape (section 5.1)
// without the byte order mark, and without what looks like space.
func printable(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0x7f:
		return true
	case r < 0xa1, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff,
		r >= 0x2000 && r <= 0x200f, r == 0x3000, r == 0x1680, r == 0x202f, r == 0x205f:
		return false
	}
	return true
}

// literal reports whether a string of several lines can be in a literal
// block, and whether its last line ends.
func literal(s string) (ended, ok bool) {
	if len(s) < 2 || s[0] == ' ' || s[0] == '\n' || s[0] == '\t' {
		return false, false
	}
	body, ended := strings.CutSuffix(s, "\n")
	if strings.HasSuffix(body, "\n") || strings.IndexByte(body, '\n') < 0 || !utf8.ValidString(body) {
		return false, false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" && strings.TrimLeft(line, " ") == "" {
			return false, false // readers differ about lines of white space only
		}
		for _, r := range line {
			if r < ' ' || !printable(r) {
				return false, false
			}
		}
	}
	return ended, true
}

// appendQuoted appends a string in double quotes, with JSON's escapes.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i, size := 0, 1; i < len(s); i += size {
		c := s[i]
		if size = 1; classes[c]&(wide|escaped) == 0 {
			continue
		}
		r := rune(c)
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); printable(r) {
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		from = i + size
		if letter := scan.FewLetters[c]; letter != 0 {
			dst = append(dst, '\\', letter)
		} else {
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
