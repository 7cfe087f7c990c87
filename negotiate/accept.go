package negotiate

import (
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
		for line != "" {
			var r mediaRange
			var ok bool
			if r, line, ok = nextRange(line); ok {
				ranges = append(ranges, r)
			}
		}
	}
	return ranges
}

// nextRange parses the element that s begins with, and returns what is past
// its comma.
func nextRange(s string) (r mediaRange, rest string, ok bool) {
	p := accept{s}
	p.space()
	r, ok = p.mediaRange()
	p.space()
	if p.s != "" && p.s[0] != ',' {
		ok = false
		p.skip()
	}
	return r, strings.TrimPrefix(p.s, ","), ok
}

// accept parses what is left of a header line.
type accept struct{ s string }

func (p *accept) mediaRange() (mediaRange, bool) {
	r := mediaRange{weight: 1000}
	r.kind = strings.ToLower(p.token())
	if r.kind == "" || !p.byte('/') {
		return r, false
	}
	r.subtype = strings.ToLower(p.token())
	if r.subtype == "" || r.kind == "*" && r.subtype != "*" {
		return r, false
	}
	weighed := false
	for {
		p.space()
		if !p.byte(';') {
			return r, true
		}
		p.space()
		if p.s == "" || p.s[0] == ',' || p.s[0] == ';' {
			continue // an empty parameter
		}
		name := strings.ToLower(p.token())
		if name == "" || !p.byte('=') {
			return r, false
		}
		value, ok := p.value()
		switch {
		case !ok:
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
}

// weight returns a qvalue in thousandths.
func weight(s string) (int, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if whole != "0" && whole != "1" || len(fraction) > 3 {
		return 0, false
	}
	n := int(whole[0]-'0') * 1000
	unit := 100
	for _, c := range []byte(fraction) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n += int(c-'0') * unit
		unit /= 10
	}
	return n, n <= 1000
}

func (p *accept) space() { p.s = strings.TrimLeft(p.s, " \t") }

func (p *accept) byte(b byte) bool {
	if p.s == "" || p.s[0] != b {
		return false
	}
	p.s = p.s[1:]
	return true
}

func (p *accept) token() string {
	i := 0
	for i < len(p.s) && isToken(p.s[i]) {
		i++
	}
	token := p.s[:i]
	p.s = p.s[i:]
	return token
}

func isToken(b byte) bool {
	return b > ' ' && b < 0x7F && !strings.ContainsRune(`()<>@,;:\"/[]?={}`, rune(b))
}

// value parses a token or a quoted string.
func (p *accept) value() (string, bool) {
	if !p.byte('"') {
		v := p.token()
		return v, v != ""
	}
	var b strings.Builder
	for i := 0; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == '"':
			p.s = p.s[i+1:]
			return b.String(), true
		case c == '\\' && i+1 < len(p.s):
			i++
			b.WriteByte(p.s[i])
		default:
			b.WriteByte(c)
		}
	}
	p.s = ""
	return "", false
}

// skip passes over a malformed element, up to the comma that ends it.
func (p *accept) skip() {
	quoted := false
	for i := 0; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == ',' && !quoted:
			p.s = p.s[i:]
			return
		}
	}
	p.s = ""
}
