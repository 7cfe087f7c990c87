package glyph_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

var _ wire.Streamer = glyph.Codec{}

// faultyReaders give the text in parts of any size.
func faultyReaders(text string) map[string]io.Reader {
	return map[string]io.Reader{
		"whole": strings.NewReader(text),
		"bytes": iotest.OneByteReader(strings.NewReader(text)),
		"half":  iotest.HalfReader(strings.NewReader(text)),
		"eof":   iotest.DataErrReader(strings.NewReader(text)),
	}
}

// TestChunkedEqualsWhole reads every vector that is a table row by row, and
// every one that is not one, and compares with Decode.
func TestChunkedEqualsWhole(t *testing.T) {
	var texts []string
	for _, c := range parseVectors {
		texts = append(texts, c.text)
	}
	for _, c := range allVectors() {
		texts = append(texts, newlines(c.text))
	}
	for _, c := range errorVectors {
		texts = append(texts, c.text)
	}
	for _, text := range texts {
		want, wantErr := glyph.Codec{}.Decode([]byte(text))
		if wantErr == nil && want.Kind() != wire.KindArray {
			wantErr = errors.New("no list")
		}
		for name, r := range faultyReaders(text) {
			rows, err := codectest.Collect(t, glyph.Codec{}.Records(r))
			if wantErr != nil {
				require.Error(t, err, "%s %q", name, text)
				var e, w *wire.Error
				if errors.As(wantErr, &w) && w.Code != "unexpected_end" {
					if errors.As(err, &e) && strings.HasPrefix(text, "@tab") {
						require.Equal(t, [3]any{w.Code, w.Line, w.Column}, [3]any{e.Code, e.Line, e.Column}, "%q", text)
						require.Equal(t, w.Offset, e.Offset)
					}
				}
				continue
			}
			require.NoError(t, err, "%s %q", name, text)
			require.True(t, wire.Identical(want, wire.Array(rows...)), "%s %q: %v", name, text, rows)
		}
	}
}

func TestTableWriter(t *testing.T) {
	rows := parseJSON(t, `[{"id":1,"name":"a|b"},{"id":2,"name":"x"},{"id":3,"name":null}]`)
	keys := rows.Index(0).Keys()
	for _, c := range []struct {
		name  string
		codec glyph.Codec
		keys  *wire.Keys
		rows  int
		want  string
	}{
		{"plain", glyph.Codec{}, keys, -1, "@tab _ [id name]\n|1|\"a\\|b\"|\n|2|x|\n|3|_|\n@end"},
		{"no keys", glyph.Codec{}, nil, -1, "@tab _ [id name]\n|1|\"a\\|b\"|\n|2|x|\n|3|_|\n@end"},
		{"announced", glyph.Codec{}, nil, 3, "@tab _ rows=3 cols=2 [id name]\n|1|\"a\\|b\"|\n|2|x|\n|3|_|\n@end"},
		{"counts", glyph.Codec{Counts: true}, nil, -1, "@tab _ cols=2 [id name]\n|1|\"a\\|b\"|\n|2|x|\n|3|_|\n@end"},
		{"canonical", canonical, nil, -1, "@tab _ [id name]\n|1|\"a\\|b\"|\n|2|x|\n|3|_|\n@end"},
		{"schema", glyph.Codec{Profile: glyph.ProfileCanonical, Schema: glyph.NewSchemaContextWithID("s", []string{"name"})}, nil, -1,
			"@schema#s @keys=[name]\n@tab _ [#0 id]\n|\"a\\|b\"|1|\n|x|2|\n|_|3|\n@end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			w, err := c.codec.NewTableWriter(&out, c.keys, c.rows)
			require.NoError(t, err)
			for row := range rows.Elements() {
				require.NoError(t, w.Write(row))
			}
			require.NoError(t, w.Close())
			require.NoError(t, w.Close(), "once more does nothing")
			require.Equal(t, c.want, out.String())
			back := codectest.Decoded(t, glyph.Codec{}, out.Bytes())
			require.True(t, wire.Equal(rows, back))

			read, err := codectest.Collect(t, glyph.Codec{}.Records(&out))
			require.NoError(t, err)
			require.True(t, wire.Equal(rows, wire.Array(read...)))
		})
	}
}

// TestTableWriterLarge writes rows of many shapes and compares with the whole
// encoding.
func TestTableWriterLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var rows []wire.Value
	for i := range 5000 {
		entries := []glyph.MapEntry{{Key: "id", Value: glyph.Int(int64(i))}, {Key: "name", Value: glyph.Str(difficult[r.IntN(len(difficult))])}}
		if i > 0 && r.IntN(3) == 0 {
			entries = entries[:1]
		}
		if r.IntN(2) == 0 {
			r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		}
		rows = append(rows, glyph.Map(entries...))
	}
	for _, c := range []glyph.Codec{canonical, exact} {
		var out bytes.Buffer
		w, err := c.NewRecordWriter(&out, nil)
		require.NoError(t, err)
		for _, row := range rows {
			require.NoError(t, w.Write(row))
		}
		require.NoError(t, w.Close())
		whole := codectest.Encoded(t, c, wire.Array(rows...))
		require.Equal(t, string(whole), out.String())
	}
}

func TestTableWriterErrors(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	one := func(json string) wire.Value { return parseJSON(t, json) }
	for _, c := range []struct {
		name, code, path string
		codec            glyph.Codec
		rows             int
		records          []wire.Value
	}{
		{"unknown column", "unknown_member", "/1/c", glyph.Codec{}, -1, []wire.Value{one(`{"a":1,"b":2}`), one(`{"a":1,"c":2}`)}},
		{"no record", "not_a_record", "/0", glyph.Codec{}, -1, []wire.Value{one(`[1]`)}},
		{"order", "member_order", "/1", glyph.Codec{}, -1, []wire.Value{one(`{"b":2}`), one(`{"b":1,"a":2}`)}},
		{"missing", "missing_key", "/0", glyph.Codec{NoMissing: true}, -1, []wire.Value{one(`{"a":1}`)}},
		{"range", "number_out_of_range", "/0/b", canonical, -1, []wire.Value{one(`{"a":1,"b":1e999}`)}},
		{"utf8", "invalid_utf8", "/0/a", glyph.Codec{}, -1, []wire.Value{glyph.Map(glyph.MapEntry{Key: "a", Value: glyph.Str("\xff")})}},
		{"depth", "too_deep", "/0/a", glyph.Codec{Limits: wire.Limits{Depth: 2}}, -1, []wire.Value{one(`{"a":[1]}`)}},
		{"length", "output_too_long", "/0/a", glyph.Codec{Limits: wire.Limits{OutputBytes: 20}}, -1, []wire.Value{one(`{"a":"` + strings.Repeat("x", 50) + `"}`)}},
		{"count", "count_mismatch", "", glyph.Codec{}, 2, []wire.Value{one(`{"a":1}`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			w, err := c.codec.NewTableWriter(&out, keys, c.rows)
			require.NoError(t, err)
			for _, r := range c.records {
				if err = w.Write(r); err != nil {
					break
				}
			}
			closeErr := w.Close()
			if err == nil {
				err = closeErr
			}
			requireError(t, err, c.code, nil)
			require.Equal(t, c.path, err.(*wire.Error).Path())
			require.Equal(t, c.rows < 0, strings.HasSuffix(out.String(), "@end"), "a record that is refused does not end the table")
			requireError(t, w.Write(one(`{"a":1}`)), "closed", nil)
		})
	}
}

func TestTableWriterEdges(t *testing.T) {
	var out bytes.Buffer
	w, err := glyph.Codec{}.NewRecordWriter(&out, nil)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.Equal(t, "[]", out.String())
	require.Error(t, w.Write(glyph.Map()))

	none := codectest.Keys(t)
	_, err = glyph.Codec{}.NewTableWriter(io.Discard, none, -1)
	requireError(t, err, "no_columns", wire.ErrShape)
	bad := codectest.Keys(t, "\xff")
	_, err = glyph.Codec{}.NewTableWriter(io.Discard, bad, -1)
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)

	failing := iotest.ErrReader(io.ErrClosedPipe)
	for _, err := range (glyph.Codec{}).Records(io.MultiReader(strings.NewReader("@tab _ [a]\n|1|\n|2"), failing)) {
		if err != nil {
			require.ErrorIs(t, err, io.ErrClosedPipe)
		}
	}
	long := "@tab _ [a]\n|" + strings.Repeat("x", 100_000) + "|\n@end"
	n := 0
	for _, err := range (glyph.Codec{}).Records(strings.NewReader(long)) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 1, n)
	for _, err := range (glyph.Codec{Limits: wire.Limits{LineBytes: 1000}}).Records(strings.NewReader(long)) {
		requireError(t, err, "line_too_long", wire.ErrLimit)
	}
}

func TestSniff(t *testing.T) {
	yes := []string{"@tab _ [a]\n|1|\n@end", "{a=1}", " {a = 1}", `{"a b"=1}`, "[1 2]", "[{a=1}]", "[a b]", "{a:b}", "{ a=1 b={}}", `{"k":"v" w=1}`, `{"k":{path="x"}}`,
		"@schema#x\n{#0=1}", "[[[x y]]]", "[_]", "{#0=1}", `{a="x"}`, `["a" "b"]`,
		"[{} {}]", "[[1] [2]]", "[[] 1]", "[[a] [b]]", `[["a"] ["b"]]`, "[[[]] []]", "[{} []]", "[[[1]] 2]", "[[1.5]\n2]"}
	no := []string{"", " ", "_", "∅", "t", "^user:42", `b64"AA=="`, "{}", "[]", `{"a":1}`, `[1,2]`, `["a","b"]`, `[{"a":[1,2]}]`, "1", `"x"`, "true", "null", "hello world", "GCX1 tool=x rows=1",
		"orders[2]{id,name}:", "name: x", "# title", "@patch\n@end", "[1]", `{"a":{"b":"c"}}`,
		"[{},{}]", "[[1],[2]]", "[[],1]", "[[]]", "[[[]]]", "[{}]", "[[1]]", "[[[1]],2]", `[["a"],["b"]]`, "[[1]] x"}
	for _, text := range yes {
		require.True(t, glyph.Codec{}.Sniff([]byte(text)), text)
		_, err := glyph.Codec{}.Decode([]byte(text))
		if !strings.Contains(text, "#0") {
			require.NoError(t, err, text)
		}
	}
	for _, text := range no {
		require.False(t, glyph.Codec{}.Sniff([]byte(text)), text)
	}
	for _, c := range allVectors() {
		if text := newlines(c.text); strings.HasPrefix(text, "@tab") {
			for i := 8; i < len(text); i++ {
				require.True(t, glyph.Codec{}.Sniff([]byte(text[:i])), "a beginning is enough")
			}
		}
	}
}

// TestSniffOwn holds that no text of a list is taken for JSON that is none.
func TestSniffOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 20_000 {
		v := wire.Array(randomLists(r, 4), randomLists(r, 3))
		text := codectest.Encoded(t, glyph.Codec{}, v)
		json, err := wire.ParseJSON(text)
		isJSON := err == nil && wire.Identical(json, v)
		if isJSON != (wire.JSON{}).Sniff(text) || isJSON == (glyph.Codec{}).Sniff(text) {
			t.Fatalf("%s: JSON %v, sniffed as JSON %v, as GLYPH %v", text, isJSON, wire.JSON{}.Sniff(text), glyph.Codec{}.Sniff(text))
		}
	}
}

// randomLists returns lists and objects of little.
func randomLists(r *rand.Rand, depth int) wire.Value {
	switch n := r.IntN(6); {
	case n < 3 && depth > 0:
		elems := make([]wire.Value, r.IntN(3))
		for i := range elems {
			elems[i] = randomLists(r, depth-1)
		}
		return wire.Array(elems...)
	case n == 3:
		return glyph.Map()
	case n == 4 && depth > 0:
		return glyph.Map(glyph.MapEntry{Key: difficult[r.IntN(len(difficult))], Value: randomLists(r, depth-1)})
	}
	return []wire.Value{glyph.Int(1), glyph.Str("a"), glyph.Str("a b"), wire.Null(), wire.Bool(true), glyph.Str("")}[r.IntN(6)]
}

func BenchmarkRecords(b *testing.B) {
	var out bytes.Buffer
	w, _ := glyph.Codec{}.NewRecordWriter(&out, nil)
	for i := range 10_000 {
		_ = w.Write(glyph.Map(glyph.MapEntry{Key: "id", Value: glyph.Int(int64(i))}, glyph.MapEntry{Key: "name", Value: glyph.Str(fmt.Sprint("name ", i))}))
	}
	_ = w.Close()
	codectest.Measure(b, "read", out.Len(), func() error {
		for _, err := range (glyph.Codec{}).Records(bytes.NewReader(out.Bytes())) {
			if err != nil {
				return err
			}
		}
		return nil
	})
}
