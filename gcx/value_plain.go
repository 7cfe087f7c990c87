package gcx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// plain writes the document's generic fallback: fields sorted by name, cells
// that are null or missing empty, nested values as compact JSON with sorted
// members.
//
// Objects without members are the exception. The fallback's shape for them has
// no field, which the document forbids elsewhere and no decoder reads back;
// they are written as the value {} instead.
func (e *valueEncoder) plain(v wire.Value) { e.plainSection(plainTool(e.c.tool()), v, nil, 0) }

// plainTool returns a tool as a header has it.
func plainTool(tool string) string { return string(appendToken(nil, stripCR(tool), "")) }

func (e *valueEncoder) plainSection(token string, v wire.Value, meta []Meta, depth int) {
	if e.c.Interop && !plainToken(e.c.tool(), "") {
		e.fail(foreign("tool " + strconv.Quote(e.c.tool())))
	}
	e.dst = append(append(e.dst, tag+" tool="...), token...)
	fields := plainFields(v)
	if bad := e.tooSparse(v, len(fields)); bad != nil {
		e.fail(bad)
		return
	}
	if len(fields) == 0 {
		e.dst = append(e.dst, " "+metaFields+"="+valueField...)
	} else {
		for _, f := range fields {
			if e.c.Interop && !plainToken(f, ",") {
				e.fail(foreign("field " + strconv.Quote(f)))
			}
		}
		e.dst = appendFields(e.dst, e.plainNames(fields))
	}
	if v.Kind() == wire.KindArray {
		meta = append(meta, Meta{metaRows, strconv.Itoa(v.Len())})
	}
	slices.SortFunc(meta, func(a, b Meta) int { return strings.Compare(a.Key, b.Key) })
	for _, m := range meta {
		e.dst = appendMeta(e.dst, stripCR(m.Key), stripCR(m.Value))
	}
	e.dst = append(e.dst, '\n')
	if v.Kind() == wire.KindArray {
		for i := range v.Len() {
			if e.plainRow(v.Index(i), fields, depth+1); e.err != nil {
				wire.AtIndex(e.err, i)
				return
			}
		}
		return
	}
	e.plainRow(v, fields, depth)
}

// tooSparse returns the error for a table that is mostly empty cells: as many
// columns as its rows have members together would be the square of the value.
// Who sets Limits.OutputBytes says what such a table may cost.
func (e *valueEncoder) tooSparse(v wire.Value, columns int) *wire.Error {
	if columns == 0 || v.Kind() != wire.KindArray || e.c.Limits.OutputBytes != 0 {
		return nil
	}
	members := int64(0)
	for row := range v.Elements() {
		members += int64(row.Len())
	}
	const free, perMember = 8 << 20, 16
	if empty := int64(columns)*int64(v.Len()) - members; empty > free+perMember*members {
		return &wire.Error{Format: name, Code: "sparse_table", Kind: wire.ErrLimit,
			Message: "a table of " + strconv.Itoa(columns) + " columns and " + strconv.Itoa(v.Len()) + " rows would be mostly empty cells",
			Hint:    "set Limits.OutputBytes to allow it up to that length, or leave Plain off"}
	}
	return nil
}

// plainNames returns the fields as they are written, without carriage returns,
// and refuses two that are the same then.
func (e *valueEncoder) plainNames(fields []string) []string {
	if !slices.ContainsFunc(fields, func(f string) bool { return strings.IndexByte(f, '\r') >= 0 }) {
		return fields
	}
	names := make([]string, len(fields))
	seen := make(map[string]bool, len(fields))
	for i, f := range fields {
		names[i] = stripCR(f)
		if seen[names[i]] {
			e.fail(&wire.Error{Format: name, Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey,
				Message: "two fields are " + strconv.Quote(names[i]) + " without their carriage returns"})
		}
		seen[names[i]] = true
	}
	return names
}

// plainFields returns the fields of an object, or of an array of objects: the
// union of their keys, sorted. It returns nil for all else.
func plainFields(v wire.Value) []string {
	var fields []string
	switch v.Kind() {
	case wire.KindObject:
		fields = keyNames(v.Keys())
	case wire.KindArray:
		seen := make(map[string]bool)
		var last *wire.Keys
		for e := range v.Elements() {
			if e.Kind() != wire.KindObject {
				return nil
			}
			if e.Keys() == last {
				continue
			}
			last = e.Keys()
			for _, key := range last.All() {
				if !seen[key] {
					seen[key] = true
					fields = append(fields, key)
				}
			}
		}
	}
	slices.Sort(fields)
	return fields
}

func (e *valueEncoder) plainRow(v wire.Value, fields []string, depth int) {
	start := len(e.dst)
	if len(fields) == 0 {
		e.plainCell(v, depth)
	} else {
		if depth >= e.depth {
			e.fail(tooDeep())
		}
		for i, f := range fields {
			if i > 0 {
				e.dst = append(e.dst, '\t')
			}
			if cell, ok := v.Get(f); ok {
				if e.plainCell(cell, depth+1); e.stopped() {
					wire.AtKey(e.err, f)
					return
				}
			}
		}
	}
	if e.c.Interop && len(e.dst) == start {
		e.fail(foreign("a row that is a blank line"))
	}
	e.endRow(start)
}

func (e *valueEncoder) plainCell(v wire.Value, depth int) {
	switch v.Kind() {
	case wire.KindNull:
	case wire.KindString:
		e.dst = appendCell(e.dst, v.Text())
	case wire.KindNumber:
		e.dst = wire.Internal.AppendText(e.dst, v)
	case wire.KindBool:
		e.dst = gotext.AppendBool(e.dst, v.Bool())
	case wire.KindArray, wire.KindObject:
		start := len(e.dst)
		e.sorted(v, depth)
		e.dst = escapeJSON(e.dst, start)
	default:
		e.dst = wire.Internal.AppendText(e.dst, v)
	}
}

// sorted writes an array or an object as compact JSON, the members of every
// object sorted by key.
func (e *valueEncoder) sorted(v wire.Value, depth int) {
	if v.Kind() < wire.KindArray {
		e.dst = wire.AppendJSON(e.dst, v)
		return
	}
	if depth >= e.depth {
		e.fail(tooDeep())
		return
	}
	if len(e.dst) > e.max {
		e.fail(outputTooLong())
		return
	}
	if v.Kind() == wire.KindArray {
		e.dst = append(e.dst, '[')
		for i := range v.Len() {
			if i > 0 {
				e.dst = append(e.dst, ',')
			}
			if e.sorted(v.Index(i), depth+1); e.stopped() {
				wire.AtIndex(e.err, i)
				return
			}
		}
		e.dst = append(e.dst, ']')
		return
	}
	if v.Len() == 0 {
		e.dst = append(e.dst, "{}"...)
		return
	}
	keys, from := v.Keys(), len(e.order)
	for i := range v.Len() {
		e.order = append(e.order, i)
	}
	order := e.order[from:]
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(keys.At(a), keys.At(b)) })
	for i, at := range order {
		e.dst = append(scan.AppendQuote(append(e.dst, "{,"[min(i, 1)]), keys.At(at)), ':')
		if e.sorted(v.Index(at), depth+1); e.stopped() {
			wire.AtKey(e.err, keys.At(at))
			return
		}
	}
	e.order = e.order[:from]
	e.dst = append(e.dst, '}')
}

// cellText returns the text of a typed cell, not yet escaped.
func cellText(v wire.Value) (string, error) {
	switch v.Kind() {
	case wire.KindNull:
		return "", nil
	case wire.KindString, wire.KindNumber:
		return v.Text(), nil
	case wire.KindBool:
		return string(gotext.AppendBool(nil, v.Bool())), nil
	case wire.KindArray, wire.KindObject:
		text, err := wire.JSON{}.AppendEncode(nil, v)
		return string(text), renamed(err)
	}
	return string(wire.Internal.AppendText(nil, v)), nil
}
