package negotiate

import (
	"strconv"
	"strings"
)

// A mediaRange is an element of an Accept header.
type mediaRange struct {
	kind, subtype string // "*" for any; in lower case
	params        []param
	weight        int // in thousandths
}

// A param is a parameter: its name in lower case, its value without quotation
// marks.
type param struct{ name, value string }

// parseAccept returns the media ranges of an Accept header's lines that are in
// order.
func parseAccept(lines []string) []mediaRange {
	var ranges []mediaRange
	for _, line := range lines {
		for _, element := range split(line, ',') {
			if r, ok := parseRange(element); ok {
				ranges = append(ranges, r)
			}
		}
	}
	return ranges
}

// split returns the parts of s between separators that are not in quotation marks, without
// the space around them.
func split(s string, separator byte) (parts []string) {
	from, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == separator && !quoted:
			parts = append(parts, strings.Trim(s[from:i], " \t"))
			from = i + 1
		}
	}
	return append(parts, strings.Trim(s[from:], " \t"))
}

func parseRange(s string) (mediaRange, bool) {
	r := mediaRange{weight: 1000}
	parts := split(s, ';')
	kind, subtype, _ := strings.Cut(strings.ToLower(parts[0]), "/")
	if !isToken(kind) || !isToken(subtype) || kind == "*" && subtype != "*" {
		return r, false
	}
	r.kind, r.subtype = kind, subtype
	weighed := false
	for _, parameter := range parts[1:] {
		name, text, _ := strings.Cut(parameter, "=")
		name = strings.ToLower(name)
		value, ok := unquote(text)
		switch {
		case parameter == "":
		case !ok || !isToken(name):
			return r, false
		case weighed: // extensions of an older edition, which mean nothing
		case name == "q":
			weighed = true
			if r.weight, ok = weight(value); !ok {
				return r, false
			}
		case name != "charset":
			r.params = append(r.params, param{name, value})
		}
	}
	return r, true
}

// weight returns a qvalue in thousandths.
func weight(s string) (int, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if whole != "0" && whole != "1" || len(fraction) > 3 {
		return 0, false
	}
	n, err := strconv.Atoi(whole + fraction + "000"[len(fraction):])
	return n, err == nil && n <= 1000
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return c <= ' ' || c >= 0x7F || strings.ContainsRune(`()<>@,;:\"/[]?={}`, c)
	})
}

// unquote returns the value that a token or a quoted string is.
func unquote(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, isToken(s)
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), i == len(s)-1
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
