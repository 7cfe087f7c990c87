//go:build !race && !wirekitdebug

package memory

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// ownWays are the methods of a codec for Go values.
type ownWays interface {
	wire.Codec
	Marshal(v any) ([]byte, error)
	Unmarshal(src []byte, v any) error
}

type speedRow struct {
	ID    int
	Name  string
	Score float64
	On    bool
}

// shown returns what v points to as text.
func shown(v any) string {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer {
		v = p.Elem().Interface()
	}
	return fmt.Sprintf("%+v", v)
}

// TestOneSpeed holds that wire.Marshal and wire.Unmarshal do what the codec's own methods
// do, with as many allocations, and that those end whatever they are given.
func TestOneSpeed(t *testing.T) {
	rows := make([]speedRow, 200)
	for i := range rows {
		rows[i] = speedRow{i, fmt.Sprint("row ", i), float64(i) / 4, i%3 == 0}
	}
	values := []any{rows, &rows, rows[0], map[string]any{"a": rows[:2]}, []json.Number{"1.0"}, http.ErrNotSupported, nil, make(chan int)}
	targets := []func() any{
		func() any { return new([]speedRow) }, func() any { return &[]speedRow{{}} }, func() any { return new(speedRow) },
		func() any { return new(any) }, func() any { return new(wire.Value) }, func() any { return nil }, func() any { return speedRow{} },
	}
	faster := 0
	for _, c := range describe.All(wirekit.Registry()) {
		name := c.Info().FullName()
		own, ok := c.(ownWays)
		if !ok {
			require.Contains(t, []string{"json", "jsonl", "gcf-graph"}, c.Info().Name)
			continue
		}
		for _, v := range values {
			want, wantErr := own.Marshal(v)
			got, err := wire.Marshal(c, v)
			require.Equal(t, wantErr, err, name)
			require.Equal(t, string(want), string(got), name)
			got, err = wire.Internal.AppendMarshal([]byte("before "), c, v)
			require.Equal(t, wantErr, err, name)
			require.Equal(t, "before "+string(want), string(got), name)
			for _, target := range targets {
				wanted, got := target(), target()
				require.Equal(t, own.Unmarshal(want, wanted), wire.Unmarshal(c, want, got), name)
				require.Equal(t, shown(wanted), shown(got), name)
			}
		}
		text, err := own.Marshal(rows)
		if err != nil {
			continue
		}
		count := func(run func() error) float64 {
			return testing.AllocsPerRun(20, func() { _ = run() })
		}
		marshal := count(func() error { return codectest.Err(own.Marshal(rows)) })
		require.LessOrEqual(t, count(func() error { return codectest.Err(wire.Marshal(c, rows)) }), marshal+1, name)
		unmarshal := count(func() error { return own.Unmarshal(text, new([]speedRow)) })
		require.LessOrEqual(t, count(func() error { return wire.Unmarshal(c, text, new([]speedRow)) }), unmarshal+1, name)
		through := count(func() error { return codectest.Err(wire.Marshal(codectest.Values(c), rows)) })
		if marshal+1 < through {
			faster++
		}
	}
	require.Greater(t, faster, 4, "formats have ways of their own")
}
