package glyph_test

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

func TestCodecSchemaIsKnown(t *testing.T) {
	c := glyph.Codec{Schema: glyph.NewSchemaContext([]string{"a", "b"})}
	v := codectest.Decoded(t, c, "@schema#lgzhdlq3\n{#1=1}")
	require.True(t, wire.Identical(parseJSON(t, `{"b":1}`), v))
	_, err := c.Decode([]byte("@schema#other\n{#1=1}"))
	requireError(t, err, "schema_not_found", wire.ErrShape)
	rows := 0
	for row, err := range c.Records(strings.NewReader("@schema#lgzhdlq3\n\n@tab _ [#1]\n|{#0=1}|\n@end\n\n")) {
		require.NoError(t, err)
		require.True(t, wire.Identical(parseJSON(t, `{"b":{"a":1}}`), row))
		rows++
	}
	require.Equal(t, 1, rows)
	require.Equal(t, "lgzhdlq3", glyph.NewSchemaContextWithID("§", []string{"a", "b"}).ID(), "an id of nothing is derived")
}

func TestUnlimited(t *testing.T) {
	c := glyph.Codec{Limits: wire.Limits{Depth: -1, InputBytes: -1, OutputBytes: -1, Values: -1, LineBytes: -1}}
	text, err := c.AppendEncode([]byte("12345"), glyph.Int(6))
	require.NoError(t, err)
	require.Equal(t, "123456", string(text))
	v := codectest.Decoded(t, c, text)
	require.Equal(t, "123456", v.Text())
	for _, err := range c.Records(strings.NewReader("[1 2]")) {
		require.NoError(t, err)
	}
}

func TestUpstreamIDs(t *testing.T) {
	for text, v := range map[string]wire.Value{
		`^user:4-2.x`: glyph.ID("user", "4-2.x"), `^"a:b/c"`: glyph.ID("a", "b/c"), `^"a:b:c"`: glyph.ID("a", "b:c"), `^"a:é"`: glyph.ID("a", "é"), `^"a b"`: glyph.ID("", "a b"),
	} {
		got := codectest.Encoded(t, upstream, v)
		require.Equal(t, text, string(got))
	}
}

func TestFingerprintErrors(t *testing.T) {
	bad := glyph.Str("\xff")
	_, err := canonical.Fingerprint(bad)
	require.ErrorIs(t, err, wire.ErrUTF8)
	_, err = glyph.NewPatchBuilder("x").WithBaseValue(bad).AppendText(nil)
	require.ErrorIs(t, err, wire.ErrUTF8)
	good := glyph.NewPatchBuilder("x").WithBaseValue(glyph.Int(1)).Build()
	_, err = good.Apply(bad)
	require.ErrorIs(t, err, wire.ErrUTF8)
	_, err = glyph.NewPatchBuilder("x").Set("\xff", bad).AppendText(nil)
	require.ErrorIs(t, err, wire.ErrUTF8)
	_, err = glyph.ParsePatch("@patch\n= a \"\xff\"\n@end", nil)
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)
	_, _, err = glyph.ParseLoosePayload("\xff", nil)
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)
	_, err = glyph.ParseTabularLoose("@tab _ [a]\n|\xff|\n@end")
	requireError(t, err, "invalid_utf8", wire.ErrUTF8)
}

// TestPlainValues is every kind that a table's cell can hold, as Go values.
func TestPlainValues(t *testing.T) {
	rows, err := glyph.ParseTabularLoose("@tab _ [a b c d e f g h]\n" +
		`|_|t|^x:1|b64"AA=="|2025-01-01T00:00:00Z|1e400|-0|9223372036854775808|` + "\n@end")
	require.NoError(t, err)
	row := rows[0]
	require.Equal(t, map[string]any{"a": nil, "b": true, "c": "^x:1", "d": []byte{0}, "e": time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		"f": json.Number("1e400"), "g": math.Copysign(0, -1), "h": json.Number("9223372036854775808")}, row)
	require.True(t, math.Signbit(row["g"].(float64)))
}

func TestStreamEnds(t *testing.T) {
	for _, c := range []struct{ name, text, code string }{
		{"empty", "", "unexpected_end"},
		{"blank", "\n \n", "unexpected_end"},
		{"scalar", "42", "unexpected_character"},
		{"after the end", "@tab _ [a]\n|1|\n@end x", "trailing_data"},
		{"after the end's line", "@tab _ [a]\n|1|\n@end\n\nx", "trailing_data"},
		{"utf8 in the header", "@tab _ [\xff]\n@end", "invalid_utf8"},
		{"utf8 in a row", "@tab _ [a]\n|\xff|\n@end", "invalid_utf8"},
		{"schema", "@schema#x\n@tab _ [a]\n@end", "schema_not_found"},
		{"schema and nothing", "@schema#x @keys=[a]\n", "unexpected_end"},
		{"header", "@tab _ [a\n", "unexpected_character"},
		{"list", "[1 2", "unexpected_end"},
		{"utf8 in a list", "[\"\xff\"]", "invalid_utf8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, last := codectest.Collect(t, glyph.Codec{}.Records(strings.NewReader(c.text)))
			requireError(t, last, c.code, nil)
		})
	}
	// A row is there as soon as its line is.
	pr, pw := io.Pipe()
	go func() {
		for _, part := range []string{"\n", "@sche", "ma#x @keys=[a]\n", "\n", "@tab _ [#0]\n", "|1|\n"} {
			_, _ = io.WriteString(pw, part)
		}
	}()
	for row, err := range (glyph.Codec{}).Records(pr) {
		require.NoError(t, err)
		require.True(t, wire.Identical(parseJSON(t, `{"a":1}`), row))
		break
	}
	_, err := codectest.Collect(t, glyph.Codec{Limits: wire.Limits{Depth: 1}}.Records(strings.NewReader("@tab _ [a]\n@end")))
	requireError(t, err, "too_deep", wire.ErrLimit)
	for _, err := range (glyph.Codec{}).Records(io.MultiReader(strings.NewReader("[1"), iotest.ErrReader(io.ErrClosedPipe))) {
		require.ErrorIs(t, err, io.ErrClosedPipe)
	}
	for range (glyph.Codec{}).Records(strings.NewReader("[1 2 3]")) {
		break
	}
	for range (glyph.Codec{}).Records(strings.NewReader("@tab _ [a]\n|1|\n|2|\n@end")) {
		break
	}
}

// failingWriter fails from its second write on.
type failingWriter struct{ writes int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes > 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestTableWriterFailures(t *testing.T) {
	w, err := glyph.Codec{}.NewTableWriter(&failingWriter{}, nil, -1)
	require.NoError(t, err)
	row := glyph.Map(glyph.MapEntry{Key: "a", Value: glyph.Str(strings.Repeat("x", 1000))})
	for err == nil {
		err = w.Write(row)
	}
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.ErrorIs(t, w.Close(), io.ErrClosedPipe)
	w, err = glyph.Codec{}.NewTableWriter(io.Discard, nil, -1)
	require.NoError(t, err)
	requireError(t, w.Write(glyph.Map()), "no_columns", wire.ErrShape)
}

func TestValidationBounds(t *testing.T) {
	schema := glyph.NewSchemaBuilder().AddOpenStruct("A", "", glyph.Field("l", glyph.ListType(glyph.PrimitiveType("str")))).Build()
	elems := make([]wire.Value, 15_000)
	entries := []glyph.MapEntry{{Key: "l", Value: wire.Array(elems...)}}
	for i := range 12_000 {
		entries = append(entries, glyph.MapEntry{Key: "k" + strings.Repeat("x", i%5) + string(rune('a'+i%26)) + time.Duration(i).String()})
	}
	r := glyph.ValidateWithSchema(glyph.Map(entries...), schema)
	require.Len(t, r.Errors, 10_000)
	require.Len(t, r.Warnings, 10_000)
	require.Equal(t, 5_000+2_000, r.Omitted)
}

// TestIssuesOfLongPaths holds that issues take no memory out of proportion.
func TestIssuesOfLongPaths(t *testing.T) {
	entries := make([]glyph.MapEntry, 10_000)
	for i := range entries {
		entries[i] = glyph.MapEntry{Key: "f" + strconv.Itoa(i), Value: glyph.Str("x")}
	}
	long := glyph.Map(glyph.MapEntry{Key: strings.Repeat("k", 150_000), Value: glyph.Map(entries...)})
	ints := glyph.MapType(glyph.PrimitiveType("str"), glyph.PrimitiveType("int"))
	schema := glyph.NewSchemaBuilder().AddStruct("C", "", glyph.Field("m", glyph.MapType(glyph.PrimitiveType("str"), ints))).Build()
	r := glyph.ValidateWithSchema(glyph.Map(glyph.MapEntry{Key: "m", Value: long}), schema)
	size := 0
	for _, e := range r.Errors {
		size += len(e.Path) + len(e.Message)
	}
	require.Less(t, size, 1<<20+200_000)
	require.NotEmpty(t, r.Errors)
	require.Equal(t, 10_000, len(r.Errors)+r.Omitted)
}

// TestNestedTypes holds the depth of types, and their text to linear time.
func TestNestedTypes(t *testing.T) {
	nested := func(n int) *glyph.SchemaBuilder {
		typ := glyph.PrimitiveType("int")
		for range n {
			typ = glyph.ListType(typ)
		}
		return glyph.NewSchemaBuilder().AddStruct("A", "", glyph.Field("l", typ))
	}
	require.NoError(t, nested(64).Build().Check())
	err := nested(65).Build().Check()
	require.ErrorIs(t, err, wire.ErrLimit)
	growth.Linear(t, 2_000, func(n int) func() {
		schema := nested(n).Build()
		return func() { _ = schema.String() }
	})
}

func TestKeyTypes(t *testing.T) {
	for _, c := range []struct {
		typ, key string
		ok       bool
	}{
		{"bytes", "AAEC", true}, {"bytes", "x", false}, {"bool", "t", true}, {"bool", "x", false}, {"time", "2025-01-01T00:00:00Z", true},
		{"id", "^a:b", true}, {"id", "a", false}, {"float", "1.5", true}, {"float", "1", true}, {"int", "", false}, {"any", "", true}, {"null", "_", true},
	} {
		schema := glyph.NewSchemaBuilder().AddStruct("A", "", glyph.Field("m", glyph.MapType(glyph.PrimitiveType(c.typ), glyph.PrimitiveType("any")))).Build()
		v := glyph.Map(glyph.MapEntry{Key: "m", Value: glyph.Map(glyph.MapEntry{Key: c.key})})
		require.Equal(t, c.ok, glyph.ValidateWithSchema(v, schema).Valid(), "%+v", c)
	}
	bad := glyph.NewSchemaBuilder().AddStruct("A", "", glyph.Field("m", glyph.MapType(glyph.PrimitiveType("what"), glyph.PrimitiveType("any"))))
	err := bad.Build().Check()
	requireError(t, err, "type_not_found", wire.ErrShape)
	err = glyph.NewSchemaBuilder().AddStruct("A", "a b").Build().Check()
	requireError(t, err, "invalid_name", wire.ErrSyntax)
	err = glyph.NewSchemaBuilder().Build().Check()
	requireError(t, err, "empty_schema", wire.ErrShape)
}
