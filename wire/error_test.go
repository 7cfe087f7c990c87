package wire_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

func TestErrorLine(t *testing.T) {
	src := []byte("first\nsecond: bad\nthird")
	err := wire.ErrorAt(src, 14, wire.Error{Format: "gcf", Code: "invalid_escape", Kind: wire.ErrSyntax, Message: "an escape", Hint: "write it so"})
	require.Equal(t, "gcf: line 2, column 9: invalid_escape: an escape; write it so", err.Error())
	require.ErrorIs(t, err, wire.ErrSyntax)
	require.NotErrorIs(t, err, wire.ErrLimit)

	var wrapped error = err
	wrapped = wire.AtKey(wire.AtIndex(wire.AtKey(wrapped, "a/b~"), 3), "rows")
	e := codectest.Error(t, wrapped)
	require.Equal(t, "/rows/3/a~1b~0", e.Path())
	require.Equal(t, "gcf: line 2, column 9: invalid_escape: an escape (at /rows/3/a~1b~0); write it so", e.Error())
	require.Equal(t, "42 | second: bad\n             ^", wire.Internal.Shift(e, 100, 40, 0).Excerpt())
	require.Equal(t, 114, wire.Internal.Shift(e, 100, 40, 0).Offset)

	encoding := &wire.Error{Format: "gcf", Code: "out_of_range", Kind: wire.ErrRange}
	require.Equal(t, "gcf: out_of_range: out of range", encoding.Error())
	require.Empty(t, encoding.Excerpt())
	other := errors.New("x")
	require.Equal(t, other, wire.AtKey(other, "a"))
}

func TestErrorIsOnePrintableLine(t *testing.T) {
	err := wire.ErrorAt([]byte("x"), 0, wire.Error{Format: "json", Message: "found \x1b[31m\nred", Code: "c"})
	require.Equal(t, "json: line 1, column 1: c: found ·[31m·red", err.Error())
	deep := error(err)
	for range 10_000 {
		deep = wire.AtKey(deep, strings.Repeat("k", 1000))
	}
	require.Less(t, len(deep.Error()), 1000)
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name, src string
		offset    int
		want      string
	}{
		{"start", "abc", 0, "1 | abc\n    ^"},
		{"end of input", "abc", 3, "1 | abc\n       ^"},
		{"end of line", "abc\ndef", 3, "1 | abc\n       ^"},
		{"empty", "", 0, "1 | \n    ^"},
		{"beyond the end", "a\n", 9, "2 | \n    ^"},
		{"CRLF", "ab\r\ncd", 1, "1 | ab\n     ^"},
		{"tabs and controls", "a\tb\x00c", 4, "1 | a→b·c\n        ^"},
		{"characters, not bytes", "é漢😀x", 9, "1 | é漢😀x\n       ^"},
		{"long line", long + "!" + long, 1000, "1 | …" + strings.Repeat("x", 38) + "!" + strings.Repeat("x", 37) + "…\n     " + strings.Repeat(" ", 38) + "^"},
		{"invalid UTF-8", "a\xffb", 1, "1 | a�b\n     ^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, wire.ErrorAt([]byte(c.src), c.offset, wire.Error{}).Excerpt())
		})
	}
}

func TestLimitsResolved(t *testing.T) {
	require.Equal(t, wire.Limits{Depth: 512, InputBytes: 1 << 30, OutputBytes: 256 << 20, Values: 64 << 20, LineBytes: 16 << 20}, wire.Limits{}.Resolved())
	l := wire.Limits{Depth: -1, InputBytes: -1, OutputBytes: 7}.Resolved()
	require.Equal(t, bound.MostDepth, l.Depth)
	require.Equal(t, int(^uint(0)>>1), l.InputBytes)
	require.Equal(t, 7, l.OutputBytes)
}

func TestRegistry(t *testing.T) {
	r, err := wire.NewRegistry(jsonl.Codec{}, wire.JSON{})
	require.NoError(t, err)
	require.Equal(t, []string{"jsonl", "json"}, describe.Names(r))
	c, err := r.Lookup("json")
	require.NoError(t, err)
	require.Equal(t, wire.Codec(wire.JSON{}), c)
	_, err = r.Lookup("yaml")
	require.ErrorIs(t, err, wire.ErrUnknownFormat)
	require.EqualError(t, err, `wire: unknown_format: unknown format "yaml"; known are jsonl, json`)
	c, err = r.Detect([]byte("[1]\n[2]"))
	require.NoError(t, err)
	require.Equal(t, "jsonl", c.Info().Name)
	_, err = r.Detect([]byte("?"))
	require.ErrorIs(t, err, wire.ErrUnknownFormat)
	codecs := r.Codecs()
	codecs[0] = nil
	require.NotNil(t, r.Codecs()[0], "a registry is immutable")
	_, err = wire.NewRegistry(wire.JSON{}, wire.JSON{Indent: " "})
	require.Error(t, err)
	r, err = wire.NewRegistry(wire.JSON{Indent: " "})
	require.NoError(t, err)
	c, err = r.Lookup("json")
	require.NoError(t, err)
	require.Equal(t, wire.Codec(wire.JSON{Indent: " "}), c, "a registry's own configuration has the format's name")
	c, err = r.Lookup("json:pretty")
	require.NoError(t, err)
	require.Equal(t, wire.Codec(wire.JSON{Indent: "  "}), c)
	_, err = r.Lookup("json:ugly")
	require.EqualError(t, err, `wire: unknown_format: unknown format "json:ugly": no variant "ugly"; known are json:pretty, json:strict`)
}

// labelled is JSON under other labels.
type labelled struct {
	wire.JSON
	name, mediaType, extension string
	variants                   []wire.Codec
}

func (c labelled) Info() wire.Info {
	name, variant, _ := strings.Cut(c.name, ":")
	return wire.Info{Name: name, Variant: variant, MediaType: c.mediaType, Extensions: []string{c.extension}}
}

func (c labelled) Internal() any {
	return describe.Type[labelled](describe.Codec{Variants: c.variants})
}

// wrapping is a wrapper that changes nothing.
type wrapping struct{ wire.Codec }

func (w wrapping) Info() wire.Info {
	var info wire.Info
	if w.Codec != nil {
		info = w.Codec.Info()
	}
	info.Suffix += "+wrap"
	return info
}

func (wrapping) Internal() any {
	return describe.Type[wrapping](describe.Codec{Wrap: func(_, inner wire.Codec) wire.Codec { return wrapping{inner} }})
}

func TestRegistryLookups(t *testing.T) {
	text := labelled{name: "f:text", mediaType: "text/f", extension: ".f"}
	tabs := labelled{name: "f:tabs", mediaType: "text/f-tabs", extension: ".tabs"}
	plain := labelled{name: "f", mediaType: "text/f", extension: ".f", variants: []wire.Codec{text, tabs}}
	graph := labelled{name: "g", mediaType: "text/f; profile=graph", extension: ".graph.f"}
	r, err := wire.NewRegistry(plain, graph)
	require.NoError(t, err)
	require.Equal(t, []string{"f", "g"}, describe.Names(r))
	require.Equal(t, []wire.Codec{plain, text, tabs, graph}, describe.All(r))
	for file, want := range map[string]wire.Codec{"a.f": plain, "A.F": plain, "a.graph.f": graph, ".f": plain, "a.tabs": tabs} {
		c, err := r.LookupFile(file)
		require.NoError(t, err, file)
		require.Equal(t, want, c, file)
	}
	for text, want := range map[string]wire.Codec{
		"text/f": plain, "TEXT/F; charset=utf-8": plain, "text/f; profile=graph": graph, "text/f; charset=utf-8; Profile=Graph": graph,
		"text/f; profile=other": plain, "text/f-tabs": tabs,
	} {
		c, err := r.LookupMediaType(text)
		require.NoError(t, err, text)
		require.Equal(t, want, c, text)
	}
	for _, text := range []string{"", "text/", "text/g", "a b"} {
		_, err := r.LookupMediaType(text)
		require.ErrorIs(t, err, wire.ErrUnknownFormat, text)
	}
	r, err = wire.NewRegistry(plain, wrapping{})
	require.NoError(t, err)
	require.Equal(t, []string{"f"}, describe.Names(r), "a wrapper is no format")
	for name, want := range map[string]string{"f+wrap": "f+wrap", "f:tabs+wrap": "f:tabs+wrap", "f+wrap+wrap": "f+wrap+wrap"} {
		c, err := r.Lookup(name)
		require.NoError(t, err, name)
		require.Equal(t, want, c.Info().FullName())
	}
	for _, name := range []string{"+wrap", "wrap", "f+other", "g+wrap", "f+wrap:tabs"} {
		_, err := r.Lookup(name)
		require.ErrorIs(t, err, wire.ErrUnknownFormat, name)
	}
	for name, codecs := range map[string][]wire.Codec{
		"two wrappers":      {wrapping{}, wrapping{}},
		"media type":        {plain, labelled{name: "h", mediaType: "text/f", extension: ".h"}},
		"extension":         {plain, labelled{name: "h", mediaType: "text/h", extension: ".F"}},
		"broken media type": {labelled{name: "h", mediaType: "a b", extension: ".h"}},
		"nameless variant":  {labelled{name: "h", mediaType: "text/h", extension: ".h", variants: []wire.Codec{labelled{name: "h"}}}},
		"another's variant": {labelled{name: "h", mediaType: "text/h", extension: ".h", variants: []wire.Codec{text}}},
		"custom variant":    {labelled{name: "h", mediaType: "text/h", extension: ".h", variants: []wire.Codec{labelled{name: "h:custom"}}}},
	} {
		_, err := wire.NewRegistry(codecs...)
		require.Error(t, err, name)
	}
}

func TestLossString(t *testing.T) {
	require.Equal(t, "none", wire.Loss(0).String())
	require.Equal(t, "member order, number spelling", (wire.LossOrder | wire.LossNumberText).String())
	require.Equal(t, "bytes as text, time as text, scalar tags", (wire.LossBytes | wire.LossTime | wire.LossTag).String())
	for _, l := range []wire.Loss{0, wire.LossContent, wire.LossOrder | wire.LossNumberText, wire.LossBytes | wire.LossTime} {
		text, err := json.Marshal(map[string]wire.Loss{"loss": l})
		require.NoError(t, err)
		require.Equal(t, `{"loss":"`+l.String()+`"}`, string(text))
		back := map[string]wire.Loss{"loss": 1 << 15}
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, l, back["loss"])
	}
	l := wire.LossTag
	for _, text := range []string{"", "member order, none", "order", "none, none"} {
		require.ErrorIs(t, l.UnmarshalText([]byte(text)), wire.ErrType, text)
		require.Equal(t, wire.LossTag, l)
	}
}
