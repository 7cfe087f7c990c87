package lex

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// The profiles of section 3.1.
const (
	ProfileGeneric = "generic"
	ProfileGraph   = "graph"
)

// Header is a document's first line (section 3): the profile and all
// fields in their order.
type Header struct {
	Profile string
	fields  []HeaderField
}

// HeaderField is one key=value pair of a header or of a summary. at is where it
// begins in the text; encoders leave it 0.
type HeaderField struct {
	Key, Value string
	At         int
}

// field returns the field with that key, nil if there is none.
func (h *Header) field(key string) *HeaderField {
	for i := range h.fields {
		if h.fields[i].Key == key {
			return &h.fields[i]
		}
	}
	return nil
}

// Get returns the value of the field with that key and whether there is one.
func (h *Header) Get(key string) (string, bool) {
	if f := h.field(key); f != nil {
		return f.Value, true
	}
	return "", false
}

// Is reports whether the field with that key says true.
func (h *Header) Is(key string) bool {
	value, _ := h.Get(key)
	return value == "true"
}

// Begin opens a document and reads its header.
func (l *Lines) Begin(src []byte, limits wire.Limits) (h Header) {
	text, err := l.Checked(src, limits)
	if l.Doc = string(text); err == nil {
		h, err = l.Header()
	}
	l.Stop(err)
	return h
}

// Header reads the header line and makes the first line after it current.
func (l *Lines) Header() (Header, error) {
	end := len(l.Doc)
	if n := strings.IndexByte(l.Doc, '\n'); n >= 0 {
		end = n
	}
	l.Pos = end + 1
	if end > 0 && l.Doc[end-1] == '\r' {
		end--
	}
	if end > l.MaxBytes {
		return Header{}, l.Fail(l.MaxBytes, wire.Error{Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
			Message: "the header is longer than the limit", Hint: "raise Limits.LineBytes"})
	}
	word := wordEnd(l.Doc, 0, end)
	if first := l.Doc[:word]; first != "GCF" {
		if rest, ok := strings.CutPrefix(first, "GCF"); ok && rest[0] >= '0' && rest[0] <= '9' {
			return Header{}, l.Fail(0, wire.Error{Code: "unknown_version", Kind: wire.ErrVersion,
				Message: "a later version of the format; this package reads GCF"})
		}
		kind := wire.ErrSyntax
		if strings.HasPrefix("GCF", l.Doc) {
			kind = wire.ErrTruncated
		}
		return Header{}, l.Fail(0, wire.Error{Code: "missing_header", Kind: kind, Message: `a document begins with "GCF profile="`})
	}
	fields, err := l.HeaderFields(word, end, l.few[:0])
	if err != nil {
		return Header{}, err
	}
	h := Header{fields: fields}
	f := h.field("profile")
	if f == nil {
		return Header{}, l.Syntax(end, "missing_profile", "the header has no profile= field")
	}
	if h.Profile = f.Value; h.Profile != ProfileGeneric && h.Profile != ProfileGraph {
		return Header{}, l.Fail(f.At, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the profile is neither generic nor graph"})
	}
	return h, l.Next()
}

// HeaderFields reads the pairs of text[i:end], which white space separates, and
// appends them to fields, which is empty. It serves the header and the summary
// (section 8.4).
func (l *Lines) HeaderFields(i, end int, fields []HeaderField) ([]HeaderField, error) {
	var seen map[string]bool // once there are many
	for {
		i = l.SkipBlanks(i, end)
		if i == end {
			return fields, nil
		}
		word := wordEnd(l.Doc, i, end)
		eq := BareKeyEnd(l.Doc[:word], i)
		if eq == i || eq == word || l.Doc[eq] != '=' {
			return nil, l.Syntax(i, "malformed_header_field", "a header field has the form key=value")
		}
		f := HeaderField{Key: l.Doc[i:eq], Value: l.Doc[eq+1 : word], At: i}
		if f.Value != "" && !IsHeaderValue(f.Value) {
			return nil, l.Syntax(eq+1, "malformed_header_field", "a header value holds printable ASCII only")
		}
		duplicate := seen[f.Key]
		if seen == nil {
			h := Header{fields: fields}
			_, duplicate = h.Get(f.Key)
			if len(fields) == fewHeaderFields {
				seen = make(map[string]bool)
				for _, g := range fields {
					seen[g.Key] = true
				}
			}
		}
		if duplicate {
			return nil, l.Fail(i, wire.Error{Code: "duplicate_header_field", Kind: wire.ErrDuplicateKey,
				Message: "the header field occurs twice"})
		}
		if seen != nil {
			seen[f.Key] = true
		}
		fields = append(fields, f)
		i = word
	}
}

// fewHeaderFields is the number up to which fields are compared one by one.
const fewHeaderFields = 16

// wordEnd returns the position of the first blank at or after i, below end.
func wordEnd(text string, i, end int) int {
	for i < end && !IsBlank(text[i]) {
		i++
	}
	return i
}

// IsHeaderValue reports whether s can be in a header: printable ASCII
// without white space, at least one character.
func IsHeaderValue(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7F }) < 0
}
