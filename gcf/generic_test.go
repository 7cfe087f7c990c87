package gcf_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

var parse = codectest.JSON[string]

func TestEncode(t *testing.T) {
	for _, tt := range encodeVectors {
		t.Run(tt.name, func(t *testing.T) {
			v := parse(t, tt.json)
			got := codectest.Encoded(t, tt.codec, v)
			require.Equal(t, header+tt.body, string(got))

			back := codectest.Decoded(t, gcf.Codec{}, got)
			loss, path := wire.Difference(v, back)
			require.Zero(t, loss&^(wire.LossOrder|wire.LossNumberText), "%v at %q: decoded to %v", loss, path, back)
			require.Equal(t, tt.reordered, loss&wire.LossOrder != 0, "members in another order")

			again := codectest.Encoded(t, tt.codec, back)
			require.Equal(t, string(got), string(again), "encoding what was decoded")
		})
	}
}

func TestDecode(t *testing.T) {
	for _, tt := range decodeVectors {
		t.Run(tt.name, func(t *testing.T) {
			got := codectest.Decoded(t, gcf.Codec{}, tt.doc)
			loss, path := wire.Difference(parse(t, tt.json), got)
			require.Zero(t, loss&^wire.LossNumberText, "%v at %q: decoded to %v", loss, path, got)
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range errorVectors {
		t.Run(tt.name, func(t *testing.T) {
			v, err := gcf.Codec{}.Decode([]byte(tt.doc))
			e := codectest.Error(t, err)
			require.True(t, v.Kind() == wire.KindNull)
			require.Equal(t, "gcf", e.Format)
			require.Equal(t, tt.code, e.Code, "%v", err)
			require.ErrorIs(t, err, tt.kind)
			require.NotEmpty(t, e.Message)
			require.Positive(t, e.Line)
			if tt.line > 0 {
				require.Equal(t, [2]int{tt.line, tt.column}, [2]int{e.Line, e.Column}, "%v", err)
				require.Equal(t, tt.path, e.Path(), "%v", err)
			}
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	long := gcf.Codec{Limits: wire.Limits{OutputBytes: 100}}
	tests := []struct {
		name  string
		codec gcf.Codec
		value wire.Value
		code  string
		kind  error
		path  string
	}{
		{"integer above int64", gcf.Codec{}, parse(t, `{"a":[1,9223372036854775808]}`), "out_of_range", wire.ErrRange, "/a/1"},
		{"integer below int64", gcf.Codec{}, parse(t, `[{"a":-9223372036854775809}]`), "out_of_range", wire.ErrRange, "/0/a"},
		{"uint64", gcf.Codec{}, wire.Uint(math.MaxUint64), "out_of_range", wire.ErrRange, ""},
		{"integer of many digits", gcf.Codec{}, parse(t, `{"k":{"a":1},"l":{"a":100000000000000000000}}`), "out_of_range", wire.ErrRange, "/l/a"},
		{"beyond a double", gcf.Codec{}, parse(t, `[{"m":{"n":1e400}}]`), "out_of_range", wire.ErrRange, "/0/m/n"},
		{"below a double", gcf.Codec{}, parse(t, `[{"t":[1]},{"t":[1,1e-400]}]`), "out_of_range", wire.ErrRange, "/1/t/1"},
		{"invalid UTF-8", gcf.Codec{}, wire.Array(wire.String("a\xff")), "invalid_utf8", wire.ErrUTF8, "/0"},
		{"too long", long, wire.String(strings.Repeat("a", 100)), "output_too_long", wire.ErrLimit, ""},
		{"too many rows", long, parse(t, `[`+strings.Repeat(`{"a":1},`, 60)+`{"a":1}]`), "output_too_long", wire.ErrLimit, ""},
		{"too deep", gcf.Codec{Limits: wire.Limits{Depth: 3}}, parse(t, `[1,[2,[3,[4]]]]`), "too_deep", wire.ErrLimit, "/1/1/1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.codec.AppendEncode([]byte("kept"), tt.value)
			e := codectest.Error(t, err)
			require.Equal(t, "kept", string(got))
			require.Equal(t, tt.code, e.Code)
			require.ErrorIs(t, err, tt.kind)
			require.Equal(t, tt.path, e.Path())
			require.NotEmpty(t, e.Hint)
		})
	}
}

// TestVariants: each documented configuration has its name, and no other has.
func TestVariants(t *testing.T) {
	registry, err := wire.NewRegistry(gcf.GraphCodec{}, gcf.Codec{})
	require.NoError(t, err)
	for name, want := range map[string]gcf.Codec{
		"gcf": {}, "gcf:3.1": v31, "gcf:no-flatten": {NoFlatten: true}, "gcf:reorder": {Reorder: true}, "gcf:reorder-nested": {ReorderNested: true}, "gcf:dense": {Dense: true}, "gcf:no-trailer": {NoTrailer: true}, "gcf:strict": {Strict: true},
	} {
		c, err := registry.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, want, c)
		require.Equal(t, name, c.Info().FullName())
		limited := want
		limited.Limits.Depth, limited.Warn = 7, func(*wire.Error) {}
		require.Equal(t, name, limited.Info().FullName())
	}
	require.Equal(t, "gcf:custom", gcf.Codec{NoKeyedMaps: true}.Info().FullName())
	require.Equal(t, "gcf:custom", gcf.Codec{NoFlatten: true, Strict: true}.Info().FullName())

	c, err := registry.Lookup("gcf-graph:strict")
	require.NoError(t, err)
	require.Equal(t, gcf.GraphCodec{Strict: true}, c)
	require.Equal(t, "gcf-graph:strict", c.Info().FullName())
	require.Equal(t, "gcf-graph:custom", gcf.GraphCodec{Omitted: func(error) {}}.Info().FullName())
	require.Len(t, describe.All(registry), 2+1+7)
}

func TestInfo(t *testing.T) {
	info := gcf.Codec{}.Info()
	require.Equal(t, "gcf", info.Name)
	require.Equal(t, "3.5.3", info.Version)
	require.False(t, info.Binary)
}

func TestSniff(t *testing.T) {
	for doc, want := range map[string]bool{
		header:                             true,
		"GCF profile=graph tool=x\n":       true,
		"GCF tool=x profile=generic\n":     true,
		"\ufeffGCF profile=generic\r\n":    true,
		"GCF profile=gen":                  true,
		"GCF":                              false,
		"GCF2 profile=generic":             false,
		"GCF tool=x\nprofile=generic":      false,
		"GCX1 tool=x":                      false,
		"":                                 false,
		`{"GCF profile=generic":1}`:        false,
		" GCF profile=generic\n":           false,
		"GCFx profile=generic\n":           false,
		"GCF is a format, profile=generic": true, // cheap, and may be wrong
	} {
		require.Equal(t, want, gcf.Codec{}.Sniff([]byte(doc)), "%q", doc)
	}
}

// TestKinds holds the declared losses of bytes, times and tags.
func TestKinds(t *testing.T) {
	v := wire.Array(wire.Bytes([]byte("1234")), wire.Bytes([]byte{0xD7, 0x6D, 0xF8}), wire.Internal.TaggedString("x", 3), wire.Float(0.5), wire.Int(-3))
	doc := codectest.Encoded(t, gcf.Codec{}, v)
	require.Equal(t, header+"## [5]: MTIzNA==,1234,x,0.5,-3\n", strings.ReplaceAll(string(doc), `"1234"`, "1234"))
	require.Contains(t, string(doc), `"1234"`, "base64 text that reads as a number is quoted")
	back := codectest.Decoded(t, gcf.Codec{}, doc)
	loss, _ := wire.Difference(v, back)
	require.Equal(t, wire.LossBytes|wire.LossTag, loss)
}

// TestSamples takes the benchmark documents through every option.
func TestSamples(t *testing.T) {
	for _, doc := range sample.Documents() {
		v := parse(t, string(doc.JSON))
		for name, codec := range map[string]gcf.Codec{
			"default": {}, "no flattening": {NoFlatten: true}, "no keyed maps": {NoKeyedMaps: true}, "version 3.1": v31,
		} {
			t.Run(doc.Name+"/"+name, func(t *testing.T) {
				text := codectest.Encoded(t, codec, v)
				back := codectest.Decoded(t, gcf.Codec{}, text)
				loss, path := wire.Difference(v, back)
				require.Zero(t, loss&^codec.Info().Loss, "%v at %s", loss, path)
				require.Less(t, len(text), len(doc.JSON))
			})
		}
	}
}

// TestDecodedValueIsIndependent changes the input after decoding.
func TestDecodedValueIsIndependent(t *testing.T) {
	doc := []byte(header + "## a [1]{name}\nabc\n")
	v := codectest.Decoded(t, gcf.Codec{}, doc)
	for i := range doc {
		doc[i] = 'x'
	}
	require.Equal(t, `{"a":[{"name":"abc"}]}`, v.String())
}

// TestRowsShareKeys holds what makes tables cheap: one key list per table, and
// one for all the tables that repeat a declaration.
func TestRowsShareKeys(t *testing.T) {
	v := codectest.Decoded(t, gcf.Codec{}, header+"## [2]{i,t}\n@0 1|^\n.t [2]{x,y}\n    1|2\n    3|4\n@1 2|^\n.t [1]{x,y}\n    5|6\n")
	require.Same(t, v.Index(0).Keys(), v.Index(1).Keys())
	first, _ := v.Index(0).Get("t")
	second, _ := v.Index(1).Get("t")
	require.Same(t, first.Index(0).Keys(), first.Index(1).Keys())
	require.Same(t, first.Index(0).Keys(), second.Index(0).Keys())
}

func TestLimits(t *testing.T) {
	nested := header + "## a\n  ## b\n    ## c\n      d=1\n"
	tests := []struct {
		name   string
		limits wire.Limits
		doc    string
		code   string
	}{
		{"input", wire.Limits{InputBytes: 20}, header + "a=1\n", "input_too_long"},
		{"depth", wire.Limits{Depth: 3}, nested, "too_deep"},
		{"depth of path columns", wire.Limits{Depth: 4}, header + "## [1]{\"a>b>c>d\"}\n1\n", "too_deep"},
		{"values", wire.Limits{Values: 5}, header + "a[5]: 1,2,3,4,5\n", "too_many_values"},
		{"values of rows", wire.Limits{Values: 5}, header + "## [3]{a}\n1\n2\n3\n", "too_many_values"},
		{"line", wire.Limits{LineBytes: 30}, header + "a=" + strings.Repeat("x", 40) + "\n", "line_too_long"},
		{"header", wire.Limits{LineBytes: 10}, header + "a=1\n", "line_too_long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			codectest.Decoded(t, gcf.Codec{}, tt.doc)
			_, err := gcf.Codec{Limits: tt.limits}.Decode([]byte(tt.doc))
			codectest.Refused(t, err, tt.code, wire.ErrLimit)
		})
	}
	_, err := gcf.Codec{Limits: wire.Limits{Depth: 4}}.Decode([]byte(nested))
	require.NoError(t, err)
	_, err = gcf.Codec{Limits: wire.Limits{Depth: 5}}.Decode([]byte(header + "## [1]{\"a>b>c>d\"}\n1\n"))
	require.NoError(t, err)
}

func TestGeneric(t *testing.T) {
	v := parse(t, `{"a":1}`)
	doc, err := gcf.EncodeGeneric(v)
	require.NoError(t, err)
	require.Equal(t, header+"a=1\n", string(doc))
	back, err := gcf.DecodeGeneric(doc)
	require.NoError(t, err)
	require.True(t, wire.Identical(v, back))

	_, err = gcf.DecodeGeneric([]byte("GCF profile=graph\n"))
	require.ErrorIs(t, err, wire.ErrVersion)
	_, err = gcf.DecodeGeneric([]byte("nothing"))
	require.ErrorIs(t, err, wire.ErrSyntax)
}

func TestMarshal(t *testing.T) {
	type address struct {
		City string `json:"city"`
		Zip  string `json:"zip,omitempty"`
	}
	type person struct {
		ID      int      `json:"id"`
		Name    string   `json:"name"`
		Tags    []string `json:"tags"`
		Address address  `json:"address"`
	}
	people := []person{
		{1, "Ada", []string{"x", "y"}, address{"Lagos", "1"}},
		{2, "Bo", nil, address{"Lyon", "2"}},
	}
	doc, err := gcf.Marshal(people)
	require.NoError(t, err)
	require.Equal(t, header+"## [2]{id,name,tags,\"address>city\",\"address>zip\"}\n@0 1|Ada|^|Lagos|\"1\"\n.tags [2]: x,y\n2|Bo|-|Lyon|\"2\"\n", string(doc))
	var back []person
	require.NoError(t, gcf.Unmarshal(doc, &back))
	require.Equal(t, people, back)
}

// TestAllocations holds that encoding into a buffer with room allocates
// nothing, whatever tables the document is made of.
func TestAllocations(t *testing.T) {
	numbers := sample.Document{Name: "numbers", JSON: []byte(`[{"a":0.30000000000000004,"b":1e-7,"c":-0.0,"d":5.00,"e":0.00,"f":1.5E300}]`)}
	for _, doc := range append(sample.Documents(), numbers) {
		v := parse(t, string(doc.JSON))
		for name, codec := range map[string]gcf.Codec{"default": {}, "version 3.1": v31} {
			t.Run(doc.Name+", "+name, func(t *testing.T) {
				buf := codectest.Encoded(t, codec, v)
				growth.Allocs(t, 0, func() { buf, _ = codec.AppendEncode(buf[:0], v) })
			})
		}
	}
}
