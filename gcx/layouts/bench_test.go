package layouts_test

import (
	"strconv"
	"testing"

	"github.com/goccy/go-json"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/internal/codectest"
)

// BenchmarkLayouts measures a result in a layout of its own, with goccy/go-json
// on the same structs beside it.
func BenchmarkLayouts(b *testing.B) {
	var r layouts.SearchSymbols
	var uses layouts.FindUsages
	for i := range 10_000 {
		n := strconv.Itoa(i)
		r.Symbols = append(r.Symbols, layouts.Symbol{ID: "pkg/" + n + ".Name", Kind: "func", Name: "Name" + n, Path: "pkg/dir/file" + n + ".go", Line: i, Sig: "func(ctx context.Context) error"})
		uses.Usages = append(uses.Usages, layouts.Usage{From: "a" + n, To: "b" + n, EdgeKind: "calls", Origin: "ast", Confidence: float64(i%100) / 100, FromName: "n" + n, FromPath: "p/" + n, FromLine: i})
	}
	layout(b, "search_symbols", &r, &r.Symbols)
	layout(b, "find_usages", &uses, &uses.Usages)
}

func layout[R any, P interface {
	*R
	gcx.Result
}, T any](b *testing.B, name string, r P, rows *[]T) {
	asJSON, err := json.Marshal(*rows)
	if err != nil {
		b.Fatal(err)
	}
	text, err := gcx.Codec{}.AppendResult(nil, r)
	if err != nil {
		b.Fatal(err)
	}
	run := func(way string, f func() error) { codectest.Measure(b, name+"/"+way, len(asJSON), f) }
	run("encode/gcx", func() error { _, err := gcx.Codec{}.AppendResult(nil, r); return err })
	run("encode/goccy", func() error { _, err := json.Marshal(*rows); return err })
	run("decode/gcx", func() error { return gcx.Codec{}.DecodeResult(text, P(new(R))) })
	run("decode/goccy", func() error { var back []T; return json.Unmarshal(asJSON, &back) })
}
