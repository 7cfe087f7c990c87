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
	t := &e.table
	t.resetPlain(v)
	if bad := e.tooSparse(v, len(t.names)); bad != nil {
		e.fail(bad)
		return
	}
	e.heading([]byte(token), nil)
	e.refuseTwins(len(t.names), t.field)
	if v.Kind() == wire.KindArray {
		meta = append(meta, Meta{metaRows, strconv.Itoa(v.Len())})
	}
	h := e.c.written(Header{Meta: meta})
	e.dst = h.appendMeta(e.dst)
	e.writeRows(depth)
}

// resetPlain is reset for the fallback: the fields of an object, or of an array of objects,
// are the union of their keys, sorted. All else has none.
func (t *table) resetPlain(v wire.Value) {
	t.begin(v)
	switch v.Kind() {
	case wire.KindObject:
		for _, key := range v.Keys().All() {
			t.names = append(t.names, key)
		}
	case wire.KindArray:
		t.list = true
		t.order.reset()
		for e := range v.Elements() {
			if e.Kind() != wire.KindObject {
				t.order.reset()
				break
			}
			t.order.add(e.Keys())
		}
		t.names = append(t.names, t.order.names...)
	}
	slices.Sort(t.names)
	t.columnLetters.reset(t.width())
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

// refuseTwins refuses n names that are not distinct as they are written, without carriage
// returns.
func (e *valueEncoder) refuseTwins(n int, field func(i int) string) {
	written := func(i int) string { return stripCR(field(i)) }
	for i := range n {
		if len(written(i)) == len(field(i)) {
			continue // keys are distinct
		}
		if at := repeated(n, written); at >= 0 {
			e.fail(&wire.Error{Format: name, Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey,
				Message: "two fields are " + strconv.Quote(written(at)) + " without their carriage returns"})
		}
		return
	}
}

// plainCell writes a cell of the fallback.
func (e *valueEncoder) plainCell(v wire.Value, depth int) {
	switch v.Kind() {
	case wire.KindString:
		e.dst = appendCell(e.dst, v.Text())
	case wire.KindBool:
		e.dst = gotext.AppendBool(e.dst, v.Bool())
	case wire.KindArray, wire.KindObject:
		start := len(e.dst)
		e.sorted(v, depth)
		e.dst = escapeJSON(e.dst, start)
	default:
		e.dst = wire.Internal.AppendText(e.dst, v) // nothing for null
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
	keys, from, brackets := (*wire.Keys)(nil), len(e.order), "[,]"
	if v.Kind() == wire.KindObject {
		keys, brackets = v.Keys(), "{,}"
		for i := range v.Len() {
			e.order = append(e.order, i)
		}
		slices.SortFunc(e.order[from:], func(a, b int) int { return strings.Compare(keys.At(a), keys.At(b)) })
	}
	if v.Len() == 0 {
		e.dst = append(e.dst, brackets[0])
	}
	for i := range v.Len() {
		e.dst = append(e.dst, brackets[min(i, 1)])
		at := i
		if keys != nil {
			at = e.order[from+i]
			e.dst = append(scan.AppendQuote(e.dst, keys.At(at)), ':')
		}
		if e.sorted(v.Index(at), depth+1); e.stopped() {
			if keys != nil {
				wire.AtKey(e.err, keys.At(at))
			} else {
				wire.AtIndex(e.err, at)
			}
			return
		}
	}
	e.order = e.order[:from]
	e.dst = append(e.dst, brackets[2])
}

// cellText returns the text of a typed cell, not yet escaped.
func cellText(v wire.Value) (string, error) {
	switch v.Kind() {
	case wire.KindBool, wire.KindArray, wire.KindObject:
		text, err := wire.JSON{}.AppendEncode(nil, v)
		return string(text), renamed(err)
	}
	return string(wire.Internal.AppendText(nil, v)), nil
}
