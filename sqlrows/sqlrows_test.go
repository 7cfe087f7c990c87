package sqlrows_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/sqlrows"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// A table is a driver of one result set.
type table struct {
	names, types []string
	rows         [][]driver.Value
	fail         error // after the rows
	closed       int
}

func (t *table) Connect(context.Context) (driver.Conn, error) { return t, nil }
func (t *table) Driver() driver.Driver                        { return nil }
func (t *table) Prepare(string) (driver.Stmt, error)          { return t, nil }
func (t *table) Begin() (driver.Tx, error)                    { return nil, errors.New("none") }
func (t *table) Close() error                                 { return nil }
func (t *table) NumInput() int                                { return 0 }
func (t *table) Exec([]driver.Value) (driver.Result, error)   { return nil, errors.New("none") }
func (t *table) Query([]driver.Value) (driver.Rows, error)    { return &cursor{table: t}, nil }

type cursor struct {
	*table
	next int
}

func (c *cursor) Columns() []string                       { return c.names }
func (c *cursor) ColumnTypeDatabaseTypeName(i int) string { return c.types[i] }
func (c *cursor) Close() error                            { c.closed++; return nil }
func (c *cursor) Next(cells []driver.Value) error {
	if c.next == len(c.rows) {
		if c.fail != nil {
			return c.fail
		}
		return io.EOF
	}
	copy(cells, c.rows[c.next])
	c.next++
	return nil
}

// query returns the rows of a table.
func query(t testing.TB, data *table) *sql.Rows {
	t.Helper()
	db := sql.OpenDB(data)
	t.Cleanup(func() { db.Close() })
	rows, err := db.Query("SELECT")
	require.NoError(t, err)
	return rows
}

func TestTable(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	data := &table{
		names: []string{"z", "amount", "small", "name", "blob", "raw", "at", "ok", "doc", "f", "bad"},
		types: []string{"INT", "DECIMAL(20,2)", "UNSIGNED TINYINT", "VARCHAR", "MEDIUMBLOB", "", "TIMESTAMP", "BOOL", "JSONB", "REAL", "NUMERIC"},
		rows: [][]driver.Value{
			{int64(1), []byte("12345678901234567890.10"), []byte("7"), []byte("Ada"), []byte{0, 255}, []byte("x"), at, true, []byte(`{"b":1.0,"a":[]}`), 0.5, "NaN"},
			{nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil},
			{[]byte("007"), "+.50", "-00", "", "text", "text", "2026-01-02", false, "{", float64(3), []byte("1e400")},
		},
	}
	v, err := sqlrows.Options{}.Table(query(t, data))
	require.NoError(t, err)
	require.Equal(t, `[{"z":1,"amount":12345678901234567890.10,"small":7,"name":"Ada","blob":"AP8=","raw":"eA==","at":"2026-01-02T03:04:05.000000006+01:00","ok":true,"doc":{"b":1.0,"a":[]},"f":0.5,"bad":"NaN"},`+
		`{"z":null,"amount":null,"small":null,"name":null,"blob":null,"raw":null,"at":null,"ok":null,"doc":null,"f":null,"bad":null},`+
		`{"z":7,"amount":0.50,"small":-0,"name":"","blob":"dGV4dA==","raw":"text","at":"2026-01-02","ok":false,"doc":"{","f":3,"bad":1e400}]`, v.String())
	require.Equal(t, wire.KindBytes, v.Index(0).Index(4).Kind())
	require.Equal(t, wire.KindTime, v.Index(0).Index(6).Kind())
	require.True(t, v.Index(0).Index(6).Time().Equal(at))
	require.True(t, wire.Internal.SameKeys(v.Index(0), v.Index(2)))
	require.Equal(t, 1, data.closed)

	o := sqlrows.Options{JSONText: true, Kinds: map[string]wire.Kind{"raw": wire.KindString, "name": wire.KindBytes}}
	v, err = o.Table(query(t, data))
	require.NoError(t, err)
	require.Equal(t, `{"b":1.0,"a":[]}`, v.Index(0).Index(8).Text())
	require.Equal(t, wire.KindString, v.Index(0).Index(5).Kind())
	require.Equal(t, wire.KindBytes, v.Index(0).Index(3).Kind())

	o = sqlrows.Options{Kinds: map[string]wire.Kind{"bad": wire.KindNumber}}
	_, err = o.Table(query(t, data))
	e := codectest.Error(t, err)
	require.Equal(t, "/0/bad", e.Path())
	require.ErrorIs(t, err, wire.ErrRange)

	o = sqlrows.Options{Limits: wire.Limits{Values: 30}}
	_, err = o.Table(query(t, data))
	require.ErrorIs(t, err, wire.ErrLimit)
	require.Equal(t, 4, data.closed)

	for _, k := range []wire.Kind{wire.KindNull, wire.KindBool, wire.KindTime, wire.KindArray, wire.KindObject, 99} {
		o = sqlrows.Options{Kinds: map[string]wire.Kind{"raw": wire.KindString, "id": k}}
		_, err = o.Table(query(t, data))
		e := codectest.Error(t, err)
		require.Equal(t, wire.CodeInvalidOption, e.Code)
		require.Contains(t, e.Message, `Options.Kinds`)
		require.Contains(t, e.Message, `"id"`)
	}
	require.Equal(t, 10, data.closed)
}

func TestErrors(t *testing.T) {
	broken := errors.New("connection lost")
	data := &table{names: []string{"a"}, types: []string{"INT"}, rows: [][]driver.Value{{int64(1)}}, fail: broken}
	_, err := sqlrows.Options{}.Table(query(t, data))
	require.ErrorIs(t, err, broken, "half of the rows are no table")
	n := 0
	for _, err := range (sqlrows.Options{}).Records(query(t, data)) {
		if n++; n == 2 {
			require.ErrorIs(t, err, broken)
		}
	}
	require.Equal(t, 2, n)
	_, err = sqlrows.Options{}.Table(query(t, &table{names: []string{"id", "id"}, types: []string{"", ""}}))
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
	require.Contains(t, err.Error(), "AS")
	_, err = sqlrows.Options{}.Table(query(t, &table{names: []string{"f"}, types: []string{"REAL"}, rows: [][]driver.Value{{math.Inf(1)}}}))
	require.ErrorIs(t, err, wire.ErrRange)
	rows := query(t, data)
	require.NoError(t, rows.Close())
	_, err = sqlrows.Options{}.Table(rows)
	require.Error(t, err)
	_, err = sqlrows.Write(gcf.Codec{}, new(faulty.Writer), query(t, &table{names: []string{"a"}, types: []string{"INT"}}))
	require.ErrorIs(t, err, faulty.ErrFull)
}

func TestWrite(t *testing.T) {
	data := &table{names: []string{"id", "price"}, types: []string{"INT", "NUMERIC"}}
	for i := range 500 {
		data.rows = append(data.rows, []driver.Value{int64(i), []byte(fmt.Sprintf("%d.50", i))})
	}
	want := codectest.JSON(t, `{"id":499,"price":499.50}`)
	for _, c := range []wire.Streamer{jsonl.Codec{}, gcf.Codec{}, csv.Codec{}} {
		var out bytes.Buffer
		n, err := sqlrows.Write(c, &out, query(t, data))
		require.NoError(t, err)
		require.Equal(t, 500, n)
		last := wire.Value{}
		for v, err := range c.Records(&out) {
			require.NoError(t, err)
			last = v
		}
		require.True(t, wire.Equal(want, last), "%v", last)
	}
	empty := &table{names: data.names, types: data.types}
	text, err := sqlrows.Marshal(wire.JSON{}, query(t, empty))
	require.NoError(t, err)
	require.Equal(t, "[]", string(text))
	for record, err := range (sqlrows.Options{}).Records(query(t, data)) {
		require.NoError(t, err)
		require.Equal(t, 2, record.Len())
		break // closes the rows
	}
	require.Equal(t, 4, data.closed)
}

// TestWriteBreaksOff: with an error, the rows that precede it are written and counted,
// whether it is a row's, the query's or the writer's.
func TestWriteBreaksOff(t *testing.T) {
	const n = 1500
	whole := &table{names: []string{"id", "price"}, types: []string{"INT", "NUMERIC"}}
	for i := range n {
		whole.rows = append(whole.rows, []driver.Value{int64(i), []byte(fmt.Sprintf("%d.5", i))})
	}
	bad, broken := *whole, *whole
	bad.rows = append(bad.rows[:n:n], []driver.Value{int64(n), math.Inf(1)}, []driver.Value{int64(n), "1"})
	broken.fail = errors.New("the database is gone")
	for _, c := range []wire.Streamer{jsonl.Codec{}, gcf.Codec{}, csv.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}, yaml.Codec{}, bcp.Codec{}} {
		name := c.Info().Name
		for _, data := range []*table{&bad, &broken} {
			var out bytes.Buffer
			written, err := sqlrows.Write(c, &out, query(t, data))
			require.Error(t, err)
			require.Equal(t, n, written, name)
			got := 0
			for v, err := range c.Records(&out) {
				if err != nil {
					break
				}
				id, _ := v.Get("id")
				price, _ := v.Get("price")
				require.Equal(t, fmt.Sprint(got, " ", got, ".5"), id.Text()+" "+price.Text(), name)
				got++
			}
			require.Equal(t, n, got, name)
		}
		full := faulty.Writer{Limit: 10_000}
		written, err := sqlrows.Write(c, &full, query(t, whole))
		require.ErrorIs(t, err, faulty.ErrFull)
		if lines := strings.Count(full.String(), "\n"); name == "jsonl" {
			require.Equal(t, lines, written)
		}
		require.Less(t, written, n)
	}
}

// TestHints: where a cell cannot be what its column is, the error names the option that
// takes it, and that does.
func TestHints(t *testing.T) {
	for _, c := range []struct {
		column, code string
		cell         driver.Value
		kind         wire.Kind
		want         wire.Value
	}{
		{"REAL", "not_a_number", math.Inf(-1), wire.KindString, wire.String("-Inf")},
		{"REAL", "not_a_number", math.NaN(), wire.KindString, wire.String("NaN")},
		{"TEXT", "invalid_utf8", []byte("a\xff"), wire.KindBytes, wire.Bytes([]byte("a\xff"))},
		{"INT", "invalid_utf8", "\xff", wire.KindBytes, wire.Bytes([]byte("\xff"))},
	} {
		data := &table{names: []string{"x"}, types: []string{c.column}, rows: [][]driver.Value{{c.cell}}}
		_, err := sqlrows.Options{}.Table(query(t, data))
		e := codectest.Error(t, err)
		require.Equal(t, c.code, e.Code)
		require.Equal(t, "/0/x", e.Path())
		require.Contains(t, e.Hint, "wire.Kind")
		require.Contains(t, e.Hint, "Options.Kinds")
		got, err := sqlrows.Options{Kinds: map[string]wire.Kind{"x": c.kind}}.Table(query(t, data))
		require.NoError(t, err)
		require.True(t, wire.Identical(c.want, got.Index(0).Index(0)))
	}
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"1": "1", "+1": "1", "-1": "-1", "001.50": "1.50", ".5": "0.5", "-.5e3": "-0.5e3", "5.": "5", "5.e2": "5e2", "0": "0", "-0.0": "-0.0", "000": "0",
		"": "string", ".": "string", "-": "string", "+-1": "string", "1,5": "string", "0x10": "string", "1e": "string", "$1.00": "string", " 1": "string", ".e1": "string",
	} {
		v, err := sqlrows.Options{}.Table(query(t, &table{names: []string{"n"}, types: []string{"decimal"}, rows: [][]driver.Value{{in}}}))
		require.NoError(t, err)
		cell := v.Index(0).Index(0)
		if want == "string" {
			require.Equal(t, wire.KindString, cell.Kind(), in)
			require.Equal(t, in, cell.Text())
			continue
		}
		require.Equal(t, want, cell.Text(), in)
	}
}

func ExampleMarshal() {
	db := sql.OpenDB(&table{ // any driver will do
		names: []string{"id", "total", "note"},
		types: []string{"INTEGER", "NUMERIC", "TEXT"},
		rows: [][]driver.Value{
			{int64(1), []byte("19.90"), []byte("gift | wrapped")},
			{int64(2), []byte("1234567890123456.78"), nil},
		},
	})
	defer db.Close()
	rows, err := db.Query("SELECT id, total, note FROM orders")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := sqlrows.Marshal(gcf.Codec{}, rows)
	fmt.Println(strings.TrimSpace(string(text)), err)
	// Output:
	// GCF profile=generic
	// ## [2]{id,total,note}
	// 1|19.9|"gift | wrapped"
	// 2|1234567890123456.78|- <nil>
}

// TestNoRows: a result without rows is written with its columns, as Write does, in every
// format that has a place for them, and reads as the empty list in all.
func TestNoRows(t *testing.T) {
	headers := 0
	for _, c := range append(describe.All(wirekit.Registry()), wire.JSON{}) {
		for _, names := range [][]string{{"id", "name"}, {"a,b", "x|y", "last"}, {"only"}} {
			rows := func() *sql.Rows { return query(t, &table{names: names, types: make([]string, len(names))}) }
			text, err := sqlrows.Marshal(c, rows())
			name := c.Info().FullName()
			empty, fault := c.AppendEncode(nil, wire.Array())
			if fault != nil {
				require.Error(t, err, name) // no format for lists
				continue
			}
			require.NoError(t, err, name)
			v, err := c.Decode(text)
			require.NoError(t, err, "%s: %q", name, text)
			require.Equal(t, "[]", v.String(), name)
			var stream bytes.Buffer
			if s, ok := c.(wire.Streamer); ok {
				_, err = sqlrows.Write(s, &stream, rows())
			}
			if err == nil && bytes.Contains(stream.Bytes(), []byte(names[len(names)-1])) {
				require.Equal(t, stream.String(), string(text), name)
				headers++
			} else {
				require.Equal(t, string(empty), string(text), name)
			}
		}
	}
	require.Greater(t, headers, 20)
}

// TestKindsOfOtherColumns: options for a column that is not there are a mistake, wherever
// they are given.
func TestKindsOfOtherColumns(t *testing.T) {
	for _, kinds := range []map[string]wire.Kind{{"ID": wire.KindNumber}, {"id": wire.KindNumber, "": wire.KindString}, {"name ": wire.KindBytes}} {
		o := sqlrows.Options{Kinds: kinds}
		for _, rows := range [][][]driver.Value{nil, {{int64(1), "x"}}} {
			open := func() *sql.Rows {
				return query(t, &table{names: []string{"id", "name"}, types: []string{"", ""}, rows: rows})
			}
			_, tableErr := o.Table(open())
			_, marshalErr := o.Marshal(csv.Codec{}, open())
			_, writeErr := o.Write(csv.Codec{}, io.Discard, open())
			var recordErr error
			for _, err := range o.Records(open()) {
				recordErr = errors.Join(recordErr, err)
			}
			for _, err := range []error{tableErr, marshalErr, writeErr, recordErr} {
				require.ErrorIs(t, err, wire.ErrRange)
				require.ErrorContains(t, err, `["id" "name"]`)
			}
		}
	}
}
