package glyph_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

var extended = glyph.BridgeOpts{Extended: true}

func TestBridge(t *testing.T) {
	at := time.Date(2025, 1, 13, 12, 34, 56, 789e6, time.UTC)
	for _, c := range []struct {
		name             string
		v                wire.Value
		strict, extended string
	}{
		{"time", wire.Time(at), `"2025-01-13T12:34:56.789Z"`, `{"$glyph":"time","value":"2025-01-13T12:34:56.789Z"}`},
		{"zone", wire.Time(at.In(time.FixedZone("", 5400))), `"2025-01-13T14:04:56.789+01:30"`, `{"$glyph":"time","value":"2025-01-13T14:04:56.789+01:30"}`},
		{"id", glyph.ID("user", "42"), `"^user:42"`, `{"$glyph":"id","value":"^user:42"}`},
		{"odd id", glyph.ID("", "x \"y"), `"^x \"y"`, `{"$glyph":"id","value":"^x \"y"}`},
		{"bytes", wire.Bytes([]byte{0, 1, 2}), `"AAEC"`, `{"$glyph":"bytes","base64":"AAEC"}`},
		{"string like an id", glyph.Str("^user:42"), `"^user:42"`, `"^user:42"`},
		{"date", glyph.Str("2025-01-01"), `"2025-01-01"`, `"2025-01-01"`},
		{"html", glyph.Str("<a&b>"), `"<a&b>"`, `"<a&b>"`},
		{"large", parseJSON(t, `[12345678901234567890,1.0]`), `[12345678901234567890,1.0]`, `[12345678901234567890,1.0]`},
		{"looks like a wrapper", parseJSON(t, `{"$glyph":1}`), `{"$glyph":1}`, `{"$glyph":"map","value":{"$glyph":1}}`},
		{"is a wrapper", parseJSON(t, `{"$glyph":"id","value":"^a:b"}`), `{"$glyph":"id","value":"^a:b"}`,
			`{"$glyph":"map","value":{"$glyph":"id","value":"^a:b"}}`},
		{"wrapper in a wrapper", parseJSON(t, `{"$glyph":{"$glyph":"map","value":{}}}`), `{"$glyph":{"$glyph":"map","value":{}}}`,
			`{"$glyph":"map","value":{"$glyph":{"$glyph":"map","value":{"$glyph":"map","value":{}}}}}`},
		{"nested", glyph.Map(glyph.MapEntry{Key: "z", Value: wire.Array(glyph.ID("a", "b"), wire.Null())}, glyph.MapEntry{Key: "a", Value: wire.Bytes(nil)}),
			`{"z":["^a:b",null],"a":""}`, `{"z":[{"$glyph":"id","value":"^a:b"},null],"a":{"$glyph":"bytes","base64":""}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := glyph.ToJSONLoose(c.v)
			require.NoError(t, err)
			require.Equal(t, c.strict, string(got))
			plain, err := glyph.FromJSONLoose(got)
			require.NoError(t, err)
			require.True(t, wire.Identical(parseJSON(t, c.strict), plain), "strict mode takes JSON as it is")

			got, err = extended.ToJSON(c.v)
			require.NoError(t, err)
			require.Equal(t, c.extended, string(got))
			back, err := extended.FromJSON(got)
			require.NoError(t, err)
			require.True(t, wire.Identical(c.v, back), "%v", back)
		})
	}
}

func TestBridgeErrors(t *testing.T) {
	for _, c := range []struct{ json, code, path string }{
		{`[{"$glyph":"bytes","base64":"A"}]`, "invalid_wrapper", "/0"},
		{`[{"$glyph":"bytes","base64":"AA\n=="}]`, "invalid_wrapper", "/0"},
		{`{"a":{"$glyph":"time","value":"yesterday"}}`, "invalid_wrapper", "/a"},
		{`{"$glyph":"time","value":"2025-01-01"}`, "invalid_wrapper", ""},
		{`{"$glyph":"id","value":"^a:b","x":1}`, "invalid_wrapper", ""},
		{`{"$glyph":"id","value":"a:b"}`, "invalid_wrapper", ""},
		{`{"$glyph":"id","value":1}`, "invalid_wrapper", ""},
		{`{"$glyph":"id"}`, "invalid_wrapper", ""},
		{`{"$glyph":"what","value":"x"}`, "invalid_wrapper", ""},
		{`{"$glyph":1}`, "invalid_wrapper", ""},
		{`{"$glyph":"map","value":[]}`, "invalid_wrapper", ""},
		{`{"$glyph":"map","value":{"x":{"$glyph":0}}}`, "invalid_wrapper", "/value/x"},
		{`[1e309]`, "number_out_of_range", "/0"},
		{`{"a":-1e309}`, "number_out_of_range", "/a"},
	} {
		_, err := extended.FromJSON([]byte(c.json))
		requireError(t, err, c.code, nil)
		require.Equal(t, c.path, err.(*wire.Error).Path(), c.json)
	}
	for _, bad := range []string{`NaN`, `[Infinity]`, `{"a":1`, ``, `{a:1}`} {
		_, err := glyph.FromJSONLoose([]byte(bad))
		require.Error(t, err, bad)
	}
	_, err := glyph.ToJSONLoose(glyph.Str("\xff"))
	require.ErrorIs(t, err, wire.ErrUTF8)
}

// randomTyped is randomValue with all kinds of scalars and with keys that
// wrappers use.
func randomTyped(r *rand.Rand, depth int) wire.Value {
	switch r.IntN(8) {
	case 0:
		return wire.Time(time.Unix(r.Int64N(1<<33), r.Int64N(1e9)).In(time.FixedZone("", (r.IntN(1600)-800)*60)))
	case 1:
		return glyph.ID(difficult[r.IntN(len(difficult))], difficult[r.IntN(len(difficult))])
	case 2:
		return wire.Bytes([]byte(difficult[r.IntN(len(difficult))]))
	case 3, 4:
		if depth == 0 {
			return wire.Null()
		}
		var entries []glyph.MapEntry
		for range r.IntN(4) {
			key := []string{"$glyph", "value", "base64", "a"}[r.IntN(4)]
			entries = append(entries, glyph.MapEntry{Key: key, Value: randomTyped(r, depth-1)})
		}
		return glyph.Map(entries...)
	case 5:
		return glyph.Str([]string{"time", "id", "bytes", "map", "^a"}[r.IntN(5)])
	default:
		return randomValue(r, depth)
	}
}

func TestRandomTyped(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		v := randomTyped(r, 4)
		text := codectest.Encoded(t, glyph.Codec{}, v)
		back := codectest.Decoded(t, glyph.Codec{}, text)
		loss, path := wire.Difference(v, back)
		require.Zero(t, loss&^wire.LossOrder, "%v at %s: %s", loss, path, text)

		json, err := extended.ToJSON(v)
		require.NoError(t, err)
		back, err = extended.FromJSON(json)
		require.NoError(t, err, "%s", json)
		require.True(t, wire.Identical(v, back), "%s", json)
	}
}

func TestMarshal(t *testing.T) {
	type record struct {
		ID   int       `json:"id"`
		Name string    `json:"name"`
		At   time.Time `json:"at"`
		Raw  []byte    `json:"raw,omitempty"`
	}
	in := []record{{1, "a b", time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC), nil}, {2, "c", time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC), []byte("x")}}
	text, err := glyph.Marshal(in)
	require.NoError(t, err)
	var out []record
	require.NoError(t, glyph.Unmarshal(text, &out))
	require.Equal(t, in, out, "%s", text)
	_, err = glyph.Marshal(func() {})
	require.Error(t, err)
	require.Error(t, glyph.Unmarshal([]byte("["), &out))
}

// TestBridgeTakesLittle: values that need no wrappers take memory in proportion.
func TestBridgeTakesLittle(t *testing.T) {
	for _, text := range []string{"[" + strings.Repeat("[1],", 20_000) + "1]", "[" + strings.Repeat("[],", 20_000) + "1]", "[" + strings.Repeat(`{"a":1},`, 20_000) + "1]",
		"[" + strings.Repeat(strings.Repeat("[", 300)+strings.Repeat("]", 300)+",", 100) + "1]"} {
		growth.Bytes(t, uint64(100*len(text)), func() { _, _ = extended.FromJSON([]byte(text)) })
	}
}
