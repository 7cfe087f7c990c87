package toon_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

type flatRow struct {
	ID     int32   `json:"id"`
	Name   string  `json:"the name"`
	Size   uint64  `json:"size"`
	Rate   float64 `json:"rate"`
	Active bool
	Unseen string `json:"-"`
}

// TestStructs: slices of flat structs have the text and the faults that their
// values have.
func TestStructs(t *testing.T) {
	for name, rows := range map[string][]flatRow{
		"one":      {{1, "a,b: c", math.MaxUint64, 1e21, true, ""}},
		"zeros":    {{Rate: math.Copysign(0, -1)}, {Name: "true", Rate: 1e-7}, {Name: "-x", Rate: 0.1}},
		"none":     {},
		"bad text": {{Name: "\xff"}},
		"NaN":      {{Rate: math.NaN()}},
	} {
		t.Run(name, func(t *testing.T) {
			want, wantErr := wire.Marshal(codectest.Values(toon.Codec{}), rows)
			got, err := toon.Marshal(rows)
			require.Equal(t, wantErr, err)
			require.Equal(t, string(want), string(got))
			if err != nil {
				return
			}
			var back, slow []flatRow
			require.NoError(t, toon.Unmarshal(got, &back))
			require.NoError(t, wire.Unmarshal(codectest.Values(toon.Codec{}), got, &slow))
			require.Equal(t, slow, back)
			require.Len(t, back, len(rows))
		})
	}
	for _, text := range []string{
		"[2]{id,Active}:\n  1,true\n  2,false", "[1|]{size|id|other}:\n  3|4|x\n", "[1]{id}:\n  null", "[1]{ID}:\n  7", "# c\n[1]{id,rate}:\n\n  1,2.5\n\n",
		"[2]{id}:\n  1\n", "[1]{id}:\n  1\n  2", "[1]{id}:\n  1,2", "[1]{id}:\n  x", "[1]{id}:\n  5000000000", "[1]{id}:\n  k: 1", "[1]{id,id}:\n  1,2", "[2]{id}:\n  1\n\n  2",
		"[1]{id{x}}:\n  1", "[0]{id}:", "[9]{id}:", "[1]:\n  - id: 1", "[1:]{id}:\n  a: 1", "id: 1", "", "[1]{id}:\n    1", "[1]{id}:\n  1\nx: 1", "  [1]{id}:\n  1",
	} {
		var back, slow []flatRow
		wantErr := wire.Unmarshal(codectest.Values(toon.Codec{}), []byte(text), &slow)
		err := toon.Unmarshal([]byte(text), &back)
		require.Equal(t, randgo.Unplaced(wantErr), randgo.Unplaced(err), text)
		require.Equal(t, slow, back, text)
	}
}
