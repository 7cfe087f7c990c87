package negotiate

import (
	"mime"
	"slices"
	"strconv"
	"strings"
)

// A mediaRange is an element of an Accept header.
type mediaRange struct {
	kind, subtype string // "*" for any; in lower case
	params        map[string]string
	weight        int // in thousandths
}

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
	parts := slices.DeleteFunc(split(s, ';'), func(part string) bool { return part == "" })
	isWeight := func(part string) bool { return strings.HasPrefix(strings.ToLower(part), "q=") }
	if i := slices.IndexFunc(parts, isWeight); i >= 0 {
		parts = parts[:i+1] // extensions of an older edition come after it, which mean nothing
	}
	base, params, err := mime.ParseMediaType(strings.Join(parts, ";"))
	kind, subtype, _ := strings.Cut(base, "/")
	if err != nil || subtype == "" || kind == "*" && subtype != "*" {
		return mediaRange{}, false
	}
	r, ok := mediaRange{kind, subtype, params, 1000}, true
	if q, weighed := params["q"]; weighed {
		r.weight, ok = weight(q)
	}
	delete(params, "q")
	delete(params, "charset")
	return r, ok
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
