package glyph_test

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

var parseJSON = codectest.JSON[string]

func newlines(s string) string { return strings.ReplaceAll(s, "⏎", "\n") }

func allVectors() []vector {
	return slices.Concat(scalarVectors, stringVectors, containerVectors, tableVectors)
}

// canonical writes the document's canonical form, corpus its golden files.
var (
	canonical = glyph.Codec{Profile: glyph.ProfileCanonical}
	corpus    = glyph.Codec{Profile: glyph.ProfileCanonical, NoTabular: true, NullStyle: glyph.NullSymbol}
	upstream  = glyph.Codec{Profile: glyph.ProfileUpstream}
	exact     = glyph.Codec{Profile: glyph.ProfileExact}
)

func TestCanonicalForm(t *testing.T) {
	for _, c := range allVectors() {
		t.Run(c.json, func(t *testing.T) {
			v, err := glyph.FromJSONLoose([]byte(c.json))
			require.NoError(t, err)
			want := newlines(c.text)
			require.Equal(t, want, glyph.CanonicalizeLoose(v))
			got, err := canonical.AppendEncode([]byte("x"), v)
			require.NoError(t, err)
			require.Equal(t, "x"+want, string(got))

			back := codectest.Decoded(t, glyph.Codec{}, want)
			require.Equal(t, want, glyph.CanonicalizeLoose(back), "canonical text is a fixpoint")
			loss, path := wire.Difference(v, back)
			require.Zero(t, loss&^canonical.Info().Loss, "%v at %s", loss, path)

			// The JSON text itself is input too.
			direct := codectest.Decoded(t, glyph.Codec{}, c.json)
			require.True(t, wire.Identical(v, direct), "%v\n%v", v, direct)
		})
	}
}

func TestOptions(t *testing.T) {
	const gap = `[{"id":1,"name":"a"},{"id":2},{"id":3,"name":"c"}]`
	const three = `[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]`
	for _, c := range []struct {
		name, json string
		codec      glyph.Codec
		want       string
	}{
		{"null symbol", `null`, glyph.Codec{NullStyle: glyph.NullSymbol}, `∅`},
		{"missing symbol", `[{"id":1,"name":"a"},{"id":2},{"id":3,"name":null}]`, glyph.Codec{Profile: glyph.ProfileCanonical, NullStyle: glyph.NullSymbol},
			`@tab _ [id name]⏎|1|a|⏎|2|∅|⏎|3|∅|⏎@end`},
		{"no tables", three, glyph.Codec{NoTabular: true}, `[{id=1 name=a} {id=2 name=b} {id=3 name=c}]`},
		{"no missing", gap, glyph.Codec{NoMissing: true}, `[{id=1 name=a} {id=2} {id=3 name=c}]`},
		{"no missing, none missing", three, glyph.Codec{Profile: glyph.ProfileCanonical, NoMissing: true}, `@tab _ [id name]⏎|1|a|⏎|2|b|⏎|3|c|⏎@end`},
		{"empty cells", gap, exact, `@tab _ [id name]⏎|1|a|⏎|2||⏎|3|c|⏎@end`},
		{"fewer than MinRows", `[{"a":1},{"a":1},{"a":1},{"a":1}]`, glyph.Codec{MinRows: 5}, `[{a=1} {a=1} {a=1} {a=1}]`},
		{"MinRows", `[{"a":1},{"a":1},{"a":1},{"a":1},{"a":1}]`, glyph.Codec{Profile: glyph.ProfileCanonical, MinRows: 5}, `@tab _ [a]⏎|1|⏎|1|⏎|1|⏎|1|⏎|1|⏎@end`},
		{"MinRows 1", `[{"a":1}]`, glyph.Codec{Profile: glyph.ProfileCanonical, MinRows: 1}, `@tab _ [a]⏎|1|⏎@end`},
		{"MaxCols", three, glyph.Codec{MaxCols: 1}, `[{id=1 name=a} {id=2 name=b} {id=3 name=c}]`},
		{"counts", gap, glyph.Codec{Profile: glyph.ProfileCanonical, Counts: true}, `@tab _ rows=3 cols=2 [id name]⏎|1|a|⏎|2|_|⏎|3|c|⏎@end`},
		{"exact", `[9007199254740993,-12345678901234567890123,-0,0.10,1e2,0.12345678901234567890,1e400,1E-9,-0.0]`,
			exact, `[9007199254740993 -1.2345678901234567890123e+22 0 0.1 100 0.1234567890123456789 1e+400 1e-09 0]`},
		{"as spelled", `[9007199254740993,-0,0.10,1e2,1E400]`, glyph.Codec{}, `[9007199254740993 -0 0.10 1e2 1E400]`},
		{"upstream words", `{"a-b":"é","_":"_","x":"map","c.d":"a/b","e":[1,null]}`, upstream,
			`{"_"="_" "a-b"="é" "c.d"="a/b" e=[1 _] x="map"}`},
		{"upstream numbers", `[1700000000.5,123456.5,1234567.5,1000000,1e14]`, upstream,
			`[1.7000000005e+09 123456.5 1.2345675e+06 1000000 100000000000000]`},
		{"upstream table", three, upstream, `@tab _ rows=3 cols=2 [id name]⏎|1|a|⏎|2|b|⏎|3|c|⏎@end`},
		{"schema", `{"action":"s","z":{"action":1}}`, glyph.Codec{Schema: glyph.NewSchemaContextWithID("abc123", []string{"action", "query"})},
			`@schema#abc123 @keys=[action query]⏎{#0=s z={#0=1}}`},
		{"schema order", `{"a":1,"b":3,"c":2,"A":4}`, glyph.Codec{Profile: glyph.ProfileCanonical, Schema: glyph.NewSchemaContext([]string{"b", "a"})},
			`@schema#hf6fofv7 @keys=[b a]⏎{#0=3 #1=1 A=4 c=2}`},
		{"schema table", three, glyph.Codec{Profile: glyph.ProfileCanonical, Schema: glyph.NewSchemaContextWithID("x", []string{"name", "id"})},
			`@schema#x @keys=[name id]⏎@tab _ [#0 #1]⏎|a|1|⏎|b|2|⏎|c|3|⏎@end`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := parseJSON(t, c.json)
			got := codectest.Encoded(t, c.codec, v)
			require.Equal(t, newlines(c.want), string(got))
			back := codectest.Decoded(t, c.codec, got)
			loss, path := wire.Difference(v, back)
			require.Zero(t, loss&^c.codec.Info().Loss, "%v at %s", loss, path)
		})
	}
}

func TestColumns20(t *testing.T) {
	for n, tabular := range map[int]bool{20: true, 21: false} {
		entries := make([]glyph.MapEntry, n)
		for i := range entries {
			entries[i] = glyph.MapEntry{Key: string(rune('a' + i)), Value: glyph.Int(int64(i))}
		}
		row := glyph.Map(entries...)
		text := glyph.CanonicalizeLoose(wire.Array(row, row, row))
		require.Equal(t, tabular, strings.HasPrefix(text, "@tab"), "%d columns", n)
	}
}

func TestScalarsBeyondJSON(t *testing.T) {
	at := time.Date(2025, 1, 13, 12, 34, 56, 0, time.UTC)
	lmt := time.FixedZone("LMT", 53*60+28)
	for _, c := range []struct {
		v    wire.Value
		want string
	}{
		{wire.Time(at), `2025-01-13T12:34:56Z`},
		{wire.Time(at.Add(789 * time.Millisecond)), `2025-01-13T12:34:56.789Z`},
		{wire.Time(at.Add(1)), `2025-01-13T12:34:56.000000001Z`},
		{wire.Time(at.In(time.FixedZone("", -5*3600))), `2025-01-13T12:34:56Z`},
		{wire.Time(at.In(lmt)), `2025-01-13T12:34:56Z`},
		{wire.Bytes([]byte{0, 1, 2}), `b64"AAEC"`},
		{wire.Bytes(nil), `b64""`},
		{glyph.ID("user", "42"), `^user:42`},
		{glyph.ID("", "x"), `^x`},
		{glyph.ID("a", "é/b:c"), `^a:é/b:c`},
		{glyph.ID("a", "x y"), `^"a:x y"`},
		{glyph.ID("", ""), `^""`},
		{glyph.ID("a", "b|\"\n"), `^"a:b|\"\n"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			require.Equal(t, c.want, glyph.CanonicalizeLoose(c.v))
			row := glyph.Map(glyph.MapEntry{Key: "k", Value: c.v})
			for _, v := range []wire.Value{c.v, wire.Array(c.v, c.v), row, wire.Array(row, row, row)} {
				text := codectest.Encoded(t, glyph.Codec{}, v)
				back := codectest.Decoded(t, glyph.Codec{}, text)
				require.True(t, wire.Identical(v, back), "%s: %v", text, back)
			}
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	deep := wire.Array()
	for range 512 {
		deep = wire.Array(deep)
	}
	for _, c := range []struct {
		name, code, path string
		kind             error
		codec            glyph.Codec
		v                wire.Value
	}{
		{"infinite", "number_out_of_range", "/a/1", wire.ErrRange, canonical, parseJSON(t, `{"a":[1,1e309]}`)},
		{"depth", "too_deep", "", wire.ErrLimit, glyph.Codec{}, deep},
		{"output", "output_too_long", "", wire.ErrLimit, glyph.Codec{Limits: wire.Limits{OutputBytes: 4}}, glyph.Str("hello")},
		{"utf8", "invalid_utf8", "/0", wire.ErrUTF8, glyph.Codec{}, wire.Array(glyph.Str("\xff"))},
		{"key utf8", "invalid_utf8", "", wire.ErrUTF8, glyph.Codec{}, glyph.Map(glyph.MapEntry{Key: "\xff"})},
		{"schema utf8", "invalid_utf8", "", wire.ErrUTF8, glyph.Codec{Schema: glyph.NewSchemaContext([]string{"\xff"})}, glyph.Int(1)},
		{"year", "time_out_of_range", "", wire.ErrRange, glyph.Codec{}, wire.Time(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))},
		{"offset", "time_out_of_range", "", wire.ErrRange, glyph.Codec{}, wire.Time(time.Unix(0, 0).In(time.FixedZone("", 24*3600)))},
		{"id", "invalid_id", "/x", wire.ErrShape, glyph.Codec{}, glyph.Map(glyph.MapEntry{Key: "x", Value: wire.Internal.TaggedString("a", 'G')})},
		{"in a table", "number_out_of_range", "/2/x", wire.ErrRange, canonical, parseJSON(t, `[{"x":1},{"x":2},{"x":1e999}]`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dst := []byte("keep")
			got, err := c.codec.AppendEncode(dst, c.v)
			require.Equal(t, "keep", string(got))
			requireError(t, err, c.code, c.kind)
			if c.path != "" {
				require.Equal(t, c.path, err.(*wire.Error).Path())
			}
		})
	}
	// What cannot fail writes something for all of these.
	require.Equal(t, "[1e309]", glyph.CanonicalizeLoose(parseJSON(t, `[1e309]`)))
	require.Equal(t, "\"\xff\"", glyph.CanonicalizeLoose(glyph.Str("\xff")))
}

func requireError(t testing.TB, err error, code string, kind error) {
	t.Helper()
	require.Error(t, err)
	e := codectest.Refused(t, err, code, nil)
	require.Equal(t, "glyph", e.Format)
	if kind != nil {
		require.ErrorIs(t, err, kind)
	}
}

// randomValue makes values of JSON's data model out of difficult parts.
func randomValue(r *rand.Rand, depth int) wire.Value {
	switch n := r.IntN(10); {
	case n < 3 && depth > 0: // records, mostly alike
		keys := make([]string, r.IntN(4)+1)
		for i := range keys {
			keys[i] = difficult[r.IntN(len(difficult))]
		}
		rows := make([]wire.Value, r.IntN(6))
		for i := range rows {
			var entries []glyph.MapEntry
			for _, key := range keys {
				if r.IntN(8) > 0 {
					entries = append(entries, glyph.MapEntry{Key: key, Value: randomValue(r, depth-1)})
				}
			}
			rows[i] = glyph.Map(entries...)
		}
		return wire.Array(rows...)
	case n < 4 && depth > 0:
		elems := make([]wire.Value, r.IntN(5))
		for i := range elems {
			elems[i] = randomValue(r, depth-1)
		}
		return wire.Array(elems...)
	case n < 6 && depth > 0:
		var entries []glyph.MapEntry
		for range r.IntN(5) {
			entries = append(entries, glyph.MapEntry{Key: difficult[r.IntN(len(difficult))], Value: randomValue(r, depth-1)})
		}
		return glyph.Map(entries...)
	case n < 7:
		v, err := wire.Number(numbers[r.IntN(len(numbers))])
		if err != nil {
			panic(err)
		}
		return v
	case n < 8:
		return []wire.Value{wire.Null(), wire.Bool(true), wire.Bool(false), wire.Int(r.Int64N(1000))}[r.IntN(4)]
	default:
		return wire.String(difficult[r.IntN(len(difficult))])
	}
}

var numbers = []string{"0", "-0", "0.0", "-0.0", "1", "-1", "1.0", "1e3", "1E+3", "0.10", "1e-7", "123456789.125", "1e22", "5e-324", "1e-400",
	"9007199254740991", "9007199254740993", "18446744073709551616", "3.141592653589793238462643", "1e15", "999999999999999.9", "100"}

var difficult = []string{"", " ", "a", "b", "id", "name", "t", "f", "true", "null", "none", "nil", "_", "__", "_x", "∅", "nan", "NaN", "inf",
	"a b", "a|b", `a\|b`, `\`, `\\`, `"`, `a"b`, "a]b", "[a]", "{", "}", "a=b", "a:b", "a,b", "#0", "#1", "@tab", "@end", "@schema", "@tab _ [x]\n|1|\n@end",
	"^a:b", "^", "b64", `b64"AAEC"`, "2025-01-01", "2025-01-01T00:00:00Z", "1", "-1", "1e5", "é", "漢字", "😀", "\u0000", "\u001f", "\u007f", "\u2028",
	"a\nb", "\r", "\t", "x\\ny", "rows=3", "|", "||", "\ufeff", "e\u0301", "A", "Z9"}

func TestRandomRoundTrip(t *testing.T) {
	codecs := []glyph.Codec{
		{}, canonical, corpus, upstream, exact, {Profile: glyph.ProfileUpstream, NoMissing: true}, {NoTabular: true}, {NoMissing: true, MinRows: 1},
		{Profile: glyph.ProfileExact, Counts: true}, {Profile: glyph.ProfileCanonical, MinRows: 1, MaxCols: 100}, {MinRows: 1, MaxCols: 2, Counts: true},
		{Profile: glyph.ProfileExact, Schema: glyph.NewSchemaContext([]string{"a", "id"})},
		{Schema: glyph.NewSchemaContext([]string{"a b", "t", "#0", "id", "]", "|", ""})},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range trials.Of(3_000) {
		v := randomValue(r, 4)
		for _, c := range codecs {
			text := codectest.Encoded(t, c, v)
			back := codectest.Decoded(t, c, text)
			loss, path := wire.Difference(v, back)
			require.Zero(t, loss&^c.Info().Loss, "%+v: %v at %s\n%v\n%v\n%s", c, loss, path, v, back, text)
			again := codectest.Encoded(t, c, back)
			require.Equal(t, string(text), string(again))
		}
	}
}

func TestLosslessInfo(t *testing.T) {
	require.Equal(t, wire.LossTag, glyph.Codec{}.Info().Loss)
	require.Zero(t, glyph.Codec{Profile: glyph.ProfileCanonical, NoMissing: true}.Info().Loss&wire.LossMissing)
	require.NotZero(t, canonical.Info().Loss&wire.LossMissing)
	require.Zero(t, exact.Info().Loss&(wire.LossPrecision|wire.LossMissing))
}

func TestFingerprint(t *testing.T) {
	for json, want := range map[string]string{
		`{"a":1}`:                 "16f764774c91b93a",
		`{"a":null}`:              "3b4dd7c9bb2adf73",
		`{"score":1,"events":[]}`: "5f55e871dff893ea",
	} {
		v := parseJSON(t, json)
		require.Equal(t, want, glyph.Fingerprint(v)[:16])
		full, err := canonical.Fingerprint(v)
		require.NoError(t, err)
		require.Equal(t, glyph.Fingerprint(v), full)
		require.Len(t, full, 64)
	}
	later, err := upstream.Fingerprint(parseJSON(t, `[{"id":1},{"id":2},{"id":3}]`))
	require.NoError(t, err)
	require.Equal(t, "b004720c45c011da", later[:16])
}

// TestEncodeAllocations holds that encoding into room makes no garbage: what a
// garbage collection in between may cost is far below one per row.
func TestEncodeAllocations(t *testing.T) {
	for _, doc := range sample.Documents() {
		v := codectest.JSON(t, doc.JSON)
		buf := make([]byte, 0, 2*len(doc.JSON))
		t.Run(doc.Name, func(t *testing.T) {
			growth.Allocs(t, 100, func() {
				if _, err := (glyph.Codec{}).AppendEncode(buf, v); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestSizes holds that the text of the sample documents is smaller than their
// JSON.
func TestSizes(t *testing.T) {
	for _, doc := range sample.Documents() {
		v := codectest.JSON(t, doc.JSON)
		require.Less(t, len(glyph.CanonicalizeLoose(v)), len(wire.AppendJSON(nil, v)), doc.Name)
	}
}

// TestInvalidOptions holds that an option out of its range is an error of the first call
// that needs it, with the field's name.
func TestInvalidOptions(t *testing.T) {
	for field, c := range map[string]glyph.Codec{"Profile": {Profile: 99}, "NullStyle": {NullStyle: 2}, "MinRows": {MinRows: -1}, "MaxCols": {MaxCols: -1}} {
		_, encode := c.AppendEncode(nil, wire.Int(1))
		_, write := c.NewRecordWriter(io.Discard, nil)
		_, marshal := c.Marshal(1)
		for _, err := range []error{encode, write, marshal} {
			require.ErrorIs(t, err, wire.ErrRange)
			require.ErrorContains(t, err, "Codec."+field)
		}
	}
}

// TestEnums holds that the options with names can be given by them, and that what is
// none of them is an error.
func TestEnums(t *testing.T) {
	for p, name := range map[glyph.Profile]string{glyph.ProfileLossless: "lossless", glyph.ProfileCanonical: "canonical", glyph.ProfileExact: "exact", glyph.ProfileUpstream: "upstream"} {
		var read glyph.Profile
		text, err := p.MarshalText()
		require.NoError(t, err)
		require.NoError(t, read.UnmarshalText(text))
		require.Equal(t, [3]any{name, name, p}, [3]any{p.String(), string(text), read})
	}
	for n, name := range map[glyph.NullStyle]string{glyph.NullUnderscore: "underscore", glyph.NullSymbol: "symbol"} {
		var read glyph.NullStyle
		text, err := n.MarshalText()
		require.NoError(t, err)
		require.NoError(t, read.UnmarshalText(text))
		require.Equal(t, [3]any{name, name, n}, [3]any{n.String(), string(text), read})
	}
	_, err := glyph.Profile(99).MarshalText()
	require.ErrorIs(t, err, enum.ErrUnknown)
	_, err = glyph.NullStyle(99).MarshalText()
	require.ErrorIs(t, err, enum.ErrUnknown)
	require.ErrorIs(t, new(glyph.Profile).UnmarshalText([]byte("what")), enum.ErrUnknown)
	require.ErrorIs(t, new(glyph.NullStyle).UnmarshalText(nil), enum.ErrUnknown)
	for _, c := range []glyph.Codec{{Profile: 99}, {NullStyle: 99}} {
		_, err := c.AppendEncode(nil, wire.Null())
		requireError(t, err, "invalid_option", wire.ErrRange)
	}
}
