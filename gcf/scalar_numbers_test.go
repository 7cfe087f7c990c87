package gcf_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// TestGoFloats encodes Go's floating-point numbers from where their digits could
// pass for an integer: they are doubles and have an exponent.
func TestGoFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	floats := []float64{1<<53 - 1, 1 << 53, 1<<53 + 2, 1e15, 1e16, 1e18, 1 << 62, 1 << 63, 1e19, 1e20, 999999999999999900000, 1e21, 1e300}
	for range 2000 {
		floats = append(floats, math.Trunc(math.Exp2(50+20*r.Float64())))
	}
	type row struct {
		X float64 `json:"x"`
	}
	for _, f := range floats {
		for _, f := range []float64{f, -f} {
			want := canonicalDouble(f)
			for _, v := range []any{f, wire.Float(f), &f} {
				doc, err := gcf.Marshal(v)
				require.NoError(t, err, want)
				require.Equal(t, header+"="+want+"\n", string(doc))
			}
			for _, v := range []any{[]row{{f}}, []map[string]any{{"x": f}}, []any{row{f}}} {
				doc, err := gcf.Marshal(v)
				require.NoError(t, err)
				require.Equal(t, header+"## [1]{x}\n"+want+"\n", string(doc), "%T", v)
			}
			var back float64
			require.NoError(t, gcf.Unmarshal([]byte(header+"="+want+"\n"), &back))
			require.Equal(t, f, back)
			// What decoding gives is encoded as it was.
			var v any
			require.NoError(t, gcf.Unmarshal([]byte(header+"v="+want+"\n"), &v))
			doc, err := gcf.Marshal(v)
			require.NoError(t, err)
			require.Equal(t, header+"v="+want+"\n", string(doc))
		}
	}
	doc, err := gcf.Marshal(float32(1e20))
	require.NoError(t, err)
	require.Equal(t, header+"=1e+20\n", string(doc))
}

// TestDigitsAreIntegers: equal numbers have two texts from 2^53 on, by their
// form.
func TestDigitsAreIntegers(t *testing.T) {
	for _, n := range []int64{1 << 53, 1e16, math.MaxInt64, math.MinInt64} {
		doc, err := gcf.EncodeGeneric(wire.Int(n))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%s=%d\n", header, n), string(doc))
		back, err := gcf.DecodeGeneric(doc)
		require.NoError(t, err)
		require.False(t, wire.Internal.IsFloat(back))
	}
	doc, err := gcf.EncodeGeneric(parse(t, `[10000000000000000,1e16,1e+16,10000000000000000.0]`))
	require.NoError(t, err)
	require.Equal(t, header+"## [4]: 10000000000000000,1e+16,1e+16,1e+16\n", string(doc))
}
