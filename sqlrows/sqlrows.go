package sqlrows

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// Options say how rows become Values. The zero value is what the package's
// functions use.
type Options struct {
	// Kinds are the kinds that the text of columns has, by their names, where the
	// type that the database reports is not what is wanted: wire.KindNumber,
	// wire.KindString or wire.KindBytes; another is an error, and so is the name of a
	// column that the rows have not. Text that spells no
	// number is an error in a column that is to have numbers. What a driver hands out
	// as a number stays one: a BOOLEAN of SQLite is 1 or 0.
	Kinds map[string]wire.Kind
	// JSONText leaves JSON columns the strings that they are.
	JSONText bool
	// Limits bound the values that Table and Marshal hold, the cells and the rows,
	// and what a JSON column may hold.
	Limits wire.Limits
}

// Marshal returns the rows as the text of a table. Without rows it is the list without
// elements, with the names of the columns where the format writes them before the rows.
func Marshal(c wire.Codec, rows *sql.Rows) ([]byte, error) { return Options{}.Marshal(c, rows) }

// Write writes the rows as the records of a stream, holding one at a time. It
// returns how many were written whole: with an error, those that precede it.
func Write(c wire.Streamer, w io.Writer, rows *sql.Rows) (int, error) {
	return Options{}.Write(c, w, rows)
}

// Table returns the rows as an array of objects. Without rows it is empty.
func (o Options) Table(rows *sql.Rows) (wire.Value, error) { return o.table(o.Records(rows)) }

// table returns the array of the rows.
func (o Options) table(rows iter.Seq2[wire.Value, error]) (wire.Value, error) {
	left := o.Limits.Resolved().Values
	var records []wire.Value
	for record, err := range rows {
		if err != nil {
			return wire.Value{}, err
		}
		if left -= 1 + record.Len(); left < 0 {
			return wire.Value{}, fault(wire.CodeTooManyValues, wire.ErrLimit, "the rows hold more values than the limit", "raise Limits.Values, or use Write or Records")
		}
		records = append(records, record)
	}
	return wire.Array(records...), nil
}

func fault(code string, kind error, message, hint string) error {
	return &wire.Error{Format: "sqlrows", Code: code, Kind: kind, Message: message, Hint: hint}
}

// Records iterates over the rows, until the end or the first error, which is the
// last pair. The loop closes the rows, also when it is left; a caller that may not
// come to it closes them itself, as an open result set keeps its connection.
func (o Options) Records(rows *sql.Rows) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		r, err := o.open(rows)
		if err != nil {
			yield(wire.Value{}, err)
			return
		}
		r.all()(yield)
	}
}

// Marshal is the package's function [Marshal] with these options.
func (o Options) Marshal(c wire.Codec, rows *sql.Rows) ([]byte, error) {
	r, err := o.open(rows)
	if err != nil {
		return nil, err
	}
	table, err := o.table(r.all())
	if err != nil {
		return nil, err
	}
	if s, ok := c.(wire.Streamer); ok && table.Len() == 0 {
		if text := r.header(s); text != nil {
			return text, nil
		}
	}
	return c.AppendEncode(nil, table)
}

// header returns what a stream without records is, if that is a document of the empty list;
// in binary formats, and where records are documents, it is not.
func (r *reader) header(c wire.Streamer) []byte {
	var text bytes.Buffer
	w, err := c.NewRecordWriter(&text, r.keys)
	if err != nil || w.Close() != nil {
		return nil
	}
	if v, err := c.Decode(text.Bytes()); err != nil || v.Kind() != wire.KindArray || v.Len() > 0 {
		return nil
	}
	return text.Bytes()
}

// Write is the package's function [Write] with these options.
func (o Options) Write(c wire.Streamer, w io.Writer, rows *sql.Rows) (int, error) {
	r, err := o.open(rows)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	out, err := c.NewRecordWriter(w, r.keys)
	if err != nil {
		return 0, err
	}
	n := 0
	for record, err := range r.all() {
		if err == nil {
			err = out.Write(record)
		}
		if err != nil {
			return lineio.Stop(out, n, err)
		}
		n++
	}
	err = out.Close()
	return out.Written(), err
}

// A reader reads the rows of one result set.
type reader struct {
	Options
	rows    *sql.Rows
	keys    *wire.Keys
	columns []column
	cells   []any
	targets []any
	build   builder.Builder
}

// open looks at the columns. On error it closes the rows.
func (o Options) open(rows *sql.Rows) (r *reader, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, rows.Close())
		}
	}()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("sqlrows: %w", err)
	}
	r = &reader{Options: o, rows: rows}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.Name()
		r.columns = append(r.columns, r.column(t))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Kinds)) {
		switch k := r.Kinds[name]; {
		case k != wire.KindNumber && k != wire.KindString && k != wire.KindBytes:
			return nil, fault(wire.CodeInvalidOption, wire.ErrRange, fmt.Sprintf("Options.Kinds has %v for the column %.40q", k, name), "use number, string or bytes")
		case !slices.Contains(names, name):
			return nil, fault(wire.CodeInvalidOption, wire.ErrRange, fmt.Sprintf("Options.Kinds has the column %.40q, which the rows have not", name), fmt.Sprintf("they have %.200q", names))
		}
	}
	if r.keys, err = wire.NewKeys(names...); err != nil {
		return nil, fault(wire.CodeDuplicateField, wire.ErrDuplicateKey, "two columns have one name: "+err.Error(), "name them with AS")
	}
	r.cells, r.targets = make([]any, len(names)), make([]any, len(names))
	for i := range r.cells {
		r.targets[i] = &r.cells[i]
	}
	return r, nil
}

// all iterates over the rows and closes them.
func (r *reader) all() iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		defer r.rows.Close()
		for n := 0; r.rows.Next(); n++ {
			record, err := r.record()
			if !yield(record, wire.AtIndex(err, n)) || err != nil {
				return
			}
			r.build.EndRecord()
		}
		if err := errors.Join(r.rows.Err(), r.rows.Close()); err != nil {
			yield(wire.Value{}, fmt.Errorf("sqlrows: %w", err))
		}
	}
}

// record returns the current row.
func (r *reader) record() (wire.Value, error) {
	if err := r.rows.Scan(r.targets...); err != nil {
		return wire.Value{}, fmt.Errorf("sqlrows: %w", err)
	}
	row := r.build.Mark()
	for i, cell := range r.cells {
		v, err := r.value(r.columns[i], cell)
		if err != nil {
			r.build.Array(row) // takes what is there off the stack
			return wire.Value{}, wire.AtKey(err, r.keys.At(i))
		}
		r.build.Push(v)
	}
	return r.build.Row(r.keys, row), nil
}
