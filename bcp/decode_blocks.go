package bcp

import "github.com/wirekit/wirekit/wire"

// decodeBody reads the fields of a body, and those that are not known; the summary is
// off already. Byte fields are parts of body.
func (rules rules) decodeBody(t BlockType, body []byte, from origin) (b Body, extra []byte, err error) {
	newBody := kinds[t].new
	if newBody == nil {
		return &UnknownBody{Type: t, Data: body}, nil, nil
	}
	var at places
	b = newBody()
	r := fieldReader{rules: rules, body: body, from: from}
	if r.fields(listFields(b, &at), &at, 1); r.err != nil {
		return nil, nil, r.err
	}
	return b, r.extra, nil
}

// fields reads the fields of a body or a record, and keeps others. depth is that of the
// entries among them.
func (r *fieldReader) fields(list []field, at *places, depth int) {
	for r.read() {
		if i := r.id - 1; i < uint64(len(list)) {
			r.value(&list[i], at[i], depth)
		} else {
			r.unknown()
		}
	}
	for i := range list {
		if r.err == nil && r.seen&(2<<i) == 0 && required(at[i], r.rules.strict) {
			f := &list[i]
			r.err = wire.AtKey(r.from.fault(len(r.body), "missing_required_field", wire.ErrShape,
				"field %s (id %d) is missing", f.name, i+1), f.name)
		}
	}
}

// required reports whether a field must be there. Every encoder writes the size of an entry.
func required(at any, strict bool) bool {
	switch at.(type) {
	case *string, *[]byte, *uint32:
		return true
	case *uint64:
		return strict
	}
	return false
}

// value reads the value of a field that is known to where it is.
func (r *fieldReader) value(f *field, at any, depth int) {
	switch at := at.(type) {
	case *string:
		switch f.words {
		case nil:
			*at = r.text(f.name)
		case &langs: // every language is kept; more than a byte is not a language
			*at = langOf(uint8(r.number(f.name, 0xFF)))
		default:
			*at = r.enum(f.words)
		}
	case **string:
		s := r.text(f.name)
		*at = &s
	case *[]byte:
		*at = r.bytes(f.name)
	case *uint32:
		*at = uint32(r.number(f.name, 1<<32-1))
	case **uint32:
		n := uint32(r.number(f.name, 1<<32-1))
		*at = &n
	case *uint64:
		*at = r.number(f.name, 1<<64-1)
	case *[]FileEntry:
		if r.known("entry", wireNested); depth > r.rules.treeDepth {
			r.fail(wire.CodeTooDeep, wire.ErrLimit, f.name, "entries nest deeper than %d, Limits.TreeDepth", r.rules.treeDepth)
		}
		*at = grown(r, *at, f.name)
		r.record(f.name, at, len(*at)-1, depth+1)
	case *[]DiffHunk:
		r.known("hunk", wireNested)
		*at = grown(r, *at, f.name)
		r.record(f.name, at, len(*at)-1, depth)
	}
}

// grown returns a list with one element more, and with room for all that the body has.
func grown[T any](r *fieldReader, list []T, name string) []T {
	if list == nil && r.err == nil {
		n := countFields(r.body[r.start:], r.id)
		if r.charge(n*recordCharge, name); r.err == nil {
			list = make([]T, 0, n)
		}
	}
	var zero T
	return append(list, zero)
}

// record reads the fields of an element of a list.
func (r *fieldReader) record(name string, list any, i, depth int) {
	if r.err != nil {
		return
	}
	var at places
	fields, extra := element(list, i, &at)
	sub := fieldReader{rules: r.rules, body: r.data, from: r.from.moved(r.at)}
	if sub.fields(fields, &at, depth); sub.err != nil {
		r.err = wire.AtKey(wire.AtIndex(sub.err, i), name)
	}
	*extra = sub.extra
}
