package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// The profiles of section 3.1.
const (
	profileGeneric = "generic"
	profileGraph   = "graph"
)

// header is a document's first line (section 3): the profile and the other
// fields in their order.
type header struct {
	profile string
	fields  []headerField
}

// headerField is one key=value pair of a header or of a summary. at is where it
// begins in the text; encoders leave it 0.
type headerField struct {
	key, value string
	at         int
}

// get returns the value of the field with that key and whether there is one.
func (h *header) get(key string) (string, bool) {
	for _, f := range h.fields {
		if f.key == key {
			return f.value, true
		}
	}
	return "", false
}

// is reports whether the field with that key says true.
func (h *header) is(key string) bool {
	value, _ := h.get(key)
	return value == "true"
}

// header reads the header line and makes the first line after it current.
func (l *lines) header() (header, error) {
	end := len(l.text)
	if n := strings.IndexByte(l.text, '\n'); n >= 0 {
		end = n
	}
	l.pos = end + 1
	if end > 0 && l.text[end-1] == '\r' {
		end--
	}
	if end > l.maxBytes {
		return header{}, l.fail(l.maxBytes, wire.Error{Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
			Message: "the header is longer than the limit", Hint: "raise Limits.LineBytes"})
	}
	word := wordEnd(l.text, 0, end)
	if first := l.text[:word]; first != "GCF" {
		if rest, ok := strings.CutPrefix(first, "GCF"); ok && rest[0] >= '0' && rest[0] <= '9' {
			return header{}, l.fail(0, wire.Error{Code: "unknown_version", Kind: wire.ErrVersion,
				Message: "a later version of the format; this package reads GCF"})
		}
		kind := wire.ErrSyntax
		if strings.HasPrefix("GCF", l.text) {
			kind = wire.ErrTruncated
		}
		return header{}, l.fail(0, wire.Error{Code: "missing_header", Kind: kind, Message: `a document begins with "GCF profile="`})
	}
	fields, err := l.headerFields(word, end, l.few[:0])
	if err != nil {
		return header{}, err
	}
	h := header{fields: fields}
	at := -1
	for i, f := range fields {
		if f.key == "profile" {
			at = i
		}
	}
	if at < 0 {
		return header{}, l.syntax(end, "missing_profile", "the header has no profile= field")
	}
	h.profile = fields[at].value
	if h.profile != profileGeneric && h.profile != profileGraph {
		return header{}, l.fail(fields[at].at, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the profile is neither generic nor graph"})
	}
	h.fields = append(fields[:at], fields[at+1:]...)
	return h, l.next()
}

// headerFields reads the pairs of text[i:end], which white space separates, and
// appends them to fields, which is empty. It serves the header and the summary
// (section 8.4).
func (l *lines) headerFields(i, end int, fields []headerField) ([]headerField, error) {
	var seen map[string]bool // once there are many
	for {
		i = l.skipBlanks(i, end)
		if i == end {
			return fields, nil
		}
		word := wordEnd(l.text, i, end)
		eq := bareKeyEnd(l.text[:word], i)
		if eq == i || eq == word || l.text[eq] != '=' {
			return nil, l.syntax(i, "malformed_header_field", "a header field has the form key=value")
		}
		f := headerField{key: l.text[i:eq], value: l.text[eq+1 : word], at: i}
		if f.value != "" && !isHeaderValue(f.value) {
			return nil, l.syntax(eq+1, "malformed_header_field", "a header value holds printable ASCII only")
		}
		duplicate := seen[f.key]
		if seen == nil {
			h := header{fields: fields}
			_, duplicate = h.get(f.key)
			if len(fields) == fewHeaderFields {
				seen = make(map[string]bool)
				for _, g := range fields {
					seen[g.key] = true
				}
			}
		}
		if duplicate {
			return nil, l.fail(i, wire.Error{Code: "duplicate_header_field", Kind: wire.ErrDuplicateKey,
				Message: "the header field stands twice"})
		}
		if seen != nil {
			seen[f.key] = true
		}
		fields = append(fields, f)
		i = word
	}
}

// fewHeaderFields is the number up to which fields are compared one by one.
const fewHeaderFields = 16

// wordEnd returns the position of the first blank at or after i, below end.
func wordEnd(text string, i, end int) int {
	for i < end && !isBlank(text[i]) {
		i++
	}
	return i
}

// isHeaderValue reports whether s can stand in a header: printable ASCII
// without white space, at least one character.
func isHeaderValue(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7F {
			return false
		}
	}
	return s != ""
}
