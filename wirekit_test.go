package wirekit_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// names are those of all codecs, and whether Detect finds the format. Anything could
// be a table, or a number of one byte.
var names = map[string]bool{
	"json": true, "jsonl": true, "gcf": true, "gcf-graph": true, "gcx": true, "glyph": true, "goon": true, "bcp": true, "toon": true, "tron": true, "yaml": true, "md": true,
	"csv": false, "cbor": true, "msgpack": false,
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestNames(t *testing.T) {
	require.ElementsMatch(t, slices.Collect(maps.Keys(names)), describe.Names(wirekit.Registry()))
	for _, name := range describe.Names(wirekit.Registry()) {
		c, err := wirekit.Lookup(name)
		require.NoError(t, err)
		info := c.Info()
		require.Equal(t, name, info.Name)
		require.NotEmpty(t, info.Title)
		require.NotEmpty(t, info.MediaType)
		require.NotEmpty(t, info.Extensions)
		for _, suffix := range info.Extensions {
			require.True(t, strings.HasPrefix(suffix, "."))
			found, err := wirekit.Registry().LookupFile("some.file" + strings.ToUpper(suffix))
			require.NoError(t, err)
			require.Equal(t, c, found)
		}
		found, err := wirekit.Registry().LookupMediaType(info.MediaType + "; charset=utf-8")
		require.NoError(t, err)
		require.Equal(t, c, found)
		require.NotEqual(t, c, wire.WithLimits(c, wire.Limits{Depth: 7}))
		_, detected := c.(interface{ Sniff(src []byte) bool })
		require.Equal(t, names[name], detected, name)
		if name != "json" && name != "jsonl" && name != "gcf-graph" { // wire.Marshal, and typed graphs
			require.Implements(t, (*interface {
				Marshal(v any) ([]byte, error)
				Unmarshal(src []byte, v any) error
			})(nil), c)
		}
	}
	_, err := wirekit.Lookup("toml")
	require.ErrorIs(t, err, wire.ErrUnknownFormat)
	require.ErrorContains(t, err, "glyph")
}

// TestVariants holds that every variant is found by its full name, and that a
// configuration that has no name says so.
func TestVariants(t *testing.T) {
	for _, c := range describe.All(wirekit.Registry()) {
		name := c.Info().FullName()
		require.NotEqual(t, variants.Custom, c.Info().Variant, name)
		found, err := wirekit.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, c, found)
		limited := wire.WithLimits(c, wire.Limits{Depth: 7})
		require.Equal(t, name, limited.Info().FullName(), "limits make no variant")
	}
	for _, name := range []string{"json:", "json:custom", "json:none", ":pretty", "pretty"} {
		_, err := wirekit.Lookup(name)
		require.ErrorIs(t, err, wire.ErrUnknownFormat, name)
	}
	require.Equal(t, "json:custom", wire.JSON{Indent: "\t"}.Info().FullName())
	_, err := wirekit.Registry().LookupMediaType("text/unheard-of")
	require.ErrorIs(t, err, wire.ErrUnknownFormat)
	_, err = wirekit.Registry().LookupFile("README")
	require.ErrorIs(t, err, wire.ErrUnknownFormat)
}

func TestConvertErrors(t *testing.T) {
	for _, c := range []struct {
		src, from, to string
		kind          error
	}{
		{"[1]", "json", "toml", wire.ErrUnknownFormat},
		{"[1]", "toml", "json", wire.ErrUnknownFormat},
		{"\x00\x01", "", "json", wire.ErrUnknownFormat},
		{"[1", "json", "gcf", wire.ErrTruncated},
		{"[12345678901234567890]", "json", "gcf", wire.ErrRange},
		{"{}", "json", "goon", wire.ErrShape},
	} {
		out, err := wirekit.Convert([]byte(c.src), c.from, c.to)
		require.ErrorIs(t, err, c.kind, c.src)
		require.Nil(t, out)
	}
}

// TestConvertAnyToAny sends the sample documents from each format to each other
// one and back to JSON.
func TestConvertAnyToAny(t *testing.T) {
	for _, doc := range []sample.Document{{Name: "rows", JSON: sample.Rows(50)}, {Name: "orders", JSON: sample.Orders(20)}, {Name: "api", JSON: sample.API(10)}} {
		want, err := wire.ParseJSON(doc.JSON)
		require.NoError(t, err)
		names := []string{"json", "gcf", "gcx", "glyph", "toon", "bcp"}
		for _, from := range names {
			first, err := wirekit.Convert(doc.JSON, "json", from)
			require.NoError(t, err)
			for _, to := range names {
				second, err := wirekit.Convert(first, from, to)
				require.NoError(t, err, "%s to %s", from, to)
				back, err := wirekit.Convert(second, to, "json")
				require.NoError(t, err)
				got, err := wire.ParseJSON(back)
				require.NoError(t, err)
				loss, at := wire.Difference(want, got)
				require.Zero(t, loss&^(wire.LossOrder|wire.LossNumberText|wire.LossMissing), "%s, %s to %s: %v at %s", doc.Name, from, to, loss, at)
			}
		}
	}
}

// An ini is a codec of a program's own.
type ini struct{}

func (ini) Info() wire.Info { return wire.Info{Name: "ini", Title: "INI"} }

func (ini) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	return wire.JSON{}.AppendEncode(append(dst, ';'), v)
}

func (ini) Decode(src []byte) (wire.Value, error) { return wire.JSON{}.Decode(src[1:]) }

// TestExtend: a codec of one's own is found beside those of the toolkit, and folded.
func TestExtend(t *testing.T) {
	r, err := wirekit.Registry().Extend(ini{})
	require.NoError(t, err)
	require.Equal(t, append(describe.Names(wirekit.Registry()), "ini"), describe.Names(r))
	for _, name := range []string{"ini", "ini+fold", "gcf+fold", "glyph:canonical"} {
		c, err := r.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, name, c.Info().FullName())
	}
	best, err := wirekit.Chooser{Registry: r, Formats: []string{"ini"}, Fold: true}.Choose(t.Context(), json.RawMessage(read(t, "examples/data/pulls.json")))
	require.NoError(t, err)
	require.Contains(t, best.Report.String(), "ini+fold")
	_, err = wirekit.Lookup("ini")
	require.ErrorIs(t, err, wire.ErrUnknownFormat, "the toolkit's own registry stays as it is")
	_, err = r.Extend(ini{})
	require.ErrorContains(t, err, "ini")
}

func TestCompare(t *testing.T) {
	v, err := wire.ParseJSON(sample.Orders(5))
	require.NoError(t, err)
	results, err := wirekit.Compare(t.Context(), v)
	require.NoError(t, err)
	require.Len(t, results, len(wirekit.Registry().Codecs()))
	for _, r := range results {
		switch info := r.Codec.Info(); {
		case r.Err != nil:
			require.NotEmpty(t, info.Accepts, "%s refuses a value, and declares that it takes any", r.Name())
			require.ErrorIs(t, r.Err, wire.ErrShape)
			require.Nil(t, r.Encoded)
			continue
		case info.Binary:
			require.Equal(t, -1, r.Tokens)
		default:
			n, err := tokens.O200k{}.Count(r.Encoded)
			require.NoError(t, err)
			require.Equal(t, n, r.Tokens)
		}
		require.NoError(t, r.Err)
		require.Positive(t, r.Gzip)
		require.Zero(t, r.EncodeTime)
		require.Zero(t, r.DecodeTime)
		require.True(t, r.Lossless, r.Name())
	}
	config, err := wire.ParseJSON([]byte(`{"name":"x","private":true,"scripts":{"build":"go build","test":"go test"}}`))
	require.NoError(t, err)
	for _, c := range []wirekit.Chooser{{}, {Counter: tokens.Cl100k{}}, {Fold: true}, {Precision: wirekit.PrecisionBytes}, {Exact: true}} {
		for _, v := range []wire.Value{v, config, wire.Int(1)} {
			best, err := c.Choose(t.Context(), v)
			require.NoError(t, err)
			results, err := c.Compare(t.Context(), v)
			require.NoError(t, err)
			require.LessOrEqual(t, len(results), len(wirekit.Registry().Codecs())+1)
			require.True(t, slices.ContainsFunc(results, func(m wirekit.Measurement) bool {
				return m.Name() == best.Name() && string(m.Encoded) == string(best.Encoded) && m.Lossless
			}), best.Name())
		}
	}
	results, err = wirekit.Chooser{Formats: []string{"json", "gcf:no-flatten"}, Limits: wire.Limits{Depth: 9}}.Compare(t.Context(), v)
	require.NoError(t, err)
	require.Len(t, results, 2)
	for i, r := range results {
		require.Equal(t, []string{"json", "gcf:no-flatten"}[i], r.Name())
		r.MeasureSpeed(v)
		require.Positive(t, r.EncodeTime)
		require.Positive(t, r.DecodeTime)
	}
	results, err = wirekit.Chooser{Limits: wire.Limits{Depth: 1}}.Compare(t.Context(), v)
	require.NoError(t, err)
	for _, r := range results {
		require.Error(t, r.Err, r.Name())
	}
	_, err = wirekit.Compare(t.Context(), v, "json", "nonsense")
	require.ErrorIs(t, err, wire.ErrUnknownFormat)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = wirekit.Compare(canceled, v)
	require.ErrorIs(t, err, context.Canceled)
	broken := errors.New("cannot count")
	results, err = wirekit.Chooser{Counter: failing{broken}}.Compare(t.Context(), v)
	require.NoError(t, err)
	for _, r := range results {
		if r.Err == nil {
			require.True(t, r.Codec.Info().Binary, "%s: nothing is counted of a binary format", r.Name())
		}
	}
}

type failing struct{ error }

func (failing) Name() string                { return "failing" }
func (failing) Exact() bool                 { return false }
func (f failing) Count([]byte) (int, error) { return 0, f.error }

// TestPrompts: every format of text has a sentence for a model, which is one line, and
// no other configuration of the same text is without it.
func TestPrompts(t *testing.T) {
	for _, c := range describe.All(wirekit.Registry()) {
		info := c.Info()
		require.Equal(t, info.Binary, info.Prompt == "", info.FullName())
		if !info.Binary {
			require.True(t, strings.HasSuffix(info.Prompt, "."), info.FullName())
			require.NotContains(t, info.Prompt, "\n", info.FullName())
			folded, err := wirekit.Lookup(info.FullName() + "+fold")
			require.NoError(t, err)
			require.Contains(t, folded.Info().Prompt, "legend", info.FullName())
		}
	}
}
