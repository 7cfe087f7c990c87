package choose_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// BenchmarkChoose compares a choice with what trying everything costs: every
// text format encoded, counted, decoded again and compared. The files that
// CHOOSE_FILES matches are measured together too.
func BenchmarkChoose(b *testing.B) {
	type document struct {
		name   string
		values []wire.Value
	}
	documents := []document{
		{"rows-2KB", parsed(b, sample.Rows(20))}, {"rows-50KB", parsed(b, sample.Rows(500))},
		{"orders-5KB", parsed(b, sample.Orders(14))}, {"orders-180KB", parsed(b, sample.Orders(500))}, {"api-80KB", parsed(b, sample.API(100))},
	}
	if pattern := os.Getenv("CHOOSE_FILES"); pattern != "" {
		files, err := filepath.Glob(pattern)
		require.NoError(b, err)
		all := document{name: "files"}
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(b, err)
			all.values = append(all.values, parsed(b, text)...)
		}
		documents = append(documents, all)
	}
	for _, d := range documents {
		length := 0
		for _, v := range d.values {
			length += len(wire.AppendJSON(nil, v))
		}
		run := func(name string, f func(wire.Value)) {
			b.Run(d.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(length))
				b.ReportAllocs()
				for b.Loop() {
					for _, v := range d.values {
						f(v)
					}
				}
			})
		}
		run("everything", everything)
		for _, measure := range measures {
			run(measure.String(), func(v wire.Value) {
				_, _ = wirekit.Chooser{Precision: measure}.Choose(context.Background(), v)
			})
		}
	}
}

func parsed(b *testing.B, text []byte) []wire.Value {
	v, err := wire.ParseJSON(text)
	require.NoError(b, err)
	return []wire.Value{v}
}

// everything is the choice without any thought.
func everything(v wire.Value) {
	for _, codec := range wirekit.Registry().Codecs() {
		if codec.Info().Binary {
			continue
		}
		text, err := codec.AppendEncode(nil, v)
		if err != nil {
			continue
		}
		back, err := codec.Decode(text)
		if err != nil {
			continue
		}
		wire.Difference(v, back)
		wire.Equal(v, back)
		_, _ = tokens.O200k{}.Count(text)
	}
}
