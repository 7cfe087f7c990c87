package yaml

import (
	"cmp"
	"math/big"
	"strings"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// plain returns what a plain scalar is by the core schema (YAML 1.2.2, section
// 10.3.2). finite is false for the numbers that the data model does not have.
func plain(s string) (v wire.Value, finite bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return wire.Null(), true
	case "true", "True", "TRUE":
		return wire.Bool(true), true
	case "false", "False", "FALSE":
		return wire.Bool(false), true
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
	return decimal(s)
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
	return v, err == nil
}

// decimal turns [-+]? ( . [0-9]+ | [0-9]+ ( . [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
// into JSON's grammar.
func decimal(s string) (wire.Value, bool) {
	sign, rest := "", s
	if s[0] == '-' || s[0] == '+' {
		sign, rest = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	end := scan.Digits(rest, 0)
	whole, fraction := rest[:end], ""
	rest = rest[end:]
	if strings.HasPrefix(rest, ".") {
		end = scan.Digits(rest, 1)
		fraction, rest = rest[1:end], rest[end:]
	}
	if whole == "" && fraction == "" {
		return wire.Value{}, false
	}
	whole = strings.TrimLeft(whole, "0")
	whole = cmp.Or(whole, "0")
	if fraction != "" {
		whole += "." + fraction
	}
	text := sign + whole + rest
	if scan.Number(text) != len(text) {
		return wire.Value{}, false
	}
	v, err := wire.Number(text)
	return v, err == nil
}

// looksLike reports whether a plain scalar of that text is something other
// than a string for a reader of YAML 1.1 or 1.2, or for a careless one.
func looksLike(s string) bool {
	switch strings.ToLower(s) {
	case "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=",
		".nan", ".inf", "+.inf", "-.inf":
		return true
	}
	// Numbers in any base and notation, times and dates.
	c := s[0]
	return c >= '0' && c <= '9' || (c == '+' || c == '-' || c == '.') && len(s) > 1 && (s[1] >= '0' && s[1] <= '9' || s[1] == '.')
}

// plainSafe reports whether a string can stand plain, in a block or a flow.
func plainSafe(s string) bool {
	if looksLike(s) || len(s) > maxPlain {
		return false
	}
	switch s[0] {
	case '-', '?', ':':
		if len(s) == 1 || s[1] == ' ' {
			return false
		}
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', ' ', '.':
		return false
	}
	if strings.HasPrefix(s, "GCX") || strings.HasPrefix(s, "GCF ") {
		return false // a document must not begin like one of another format
	}
	if strings.HasPrefix(s, "---") || s[len(s)-1] == ' ' || s[len(s)-1] == ':' {
		return false
	}
	for i, r := range s {
		switch {
		case r < ' ' || r == ',' || r == '[' || r == ']' || r == '{' || r == '}':
			return false
		case r == ':' && s[i+1] == ' ', r == '#' && i > 0 && s[i-1] == ' ':
			return false
		case !printable(r) || breaks(r) || r == '\ufffd' && !strings.HasPrefix(s[i:], "\ufffd"):
			return false
		}
	}
	return true
}

// maxPlain is the length of the longest string that stands plain, and of the
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
	case r < 0xa1, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return false
	case r >= 0x2000 && r <= 0x200f, r == 0x3000, r == 0x1680, r == 0x202f, r == 0x205f:
		return false
	}
	return true
}

// breaks reports whether r ends a line in YAML 1.1 or 1.2.
func breaks(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// literal reports whether a string of several lines can stand in a literal
// block, and whether its last line ends.
func literal(s string) (ended, ok bool) {
	if len(s) < 2 || s[0] == ' ' || s[0] == '\n' || s[0] == '\t' {
		return false, false
	}
	body, ended := strings.CutSuffix(s, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") {
		return false, false
	}
	for i, r := range body {
		if !printable(r) || r == '\r' || r == '\t' || r == '\ufffd' && !strings.HasPrefix(body[i:], "\ufffd") {
			return false, false
		}
	}
	for line := range strings.SplitSeq(body, "\n") {
		// Readers differ about lines of white space only.
		if line != "" && strings.TrimLeft(line, " ") == "" {
			return false, false
		}
	}
	return ended, true
}

// appendQuoted appends a string in double quotes, with JSON's escapes.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i, r := range s {
		if r >= ' ' && r < 0x7f && r != '"' && r != '\\' || r >= 0x7f && (printable(r) || r == 0xfffd) {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + len(string(r))
		switch r {
		case '"', '\\':
			dst = append(dst, '\\', byte(r))
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
