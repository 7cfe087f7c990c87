package wirekit_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/measure"
	"github.com/wirekit/wirekit/wire"
)

// TestStreamsOfGoValues sends structs through every format that has records.
func TestStreamsOfGoValues(t *testing.T) {
	t.Parallel()
	type reading struct {
		ID    int       `json:"id"`
		Place string    `json:"place"`
		Value float64   `json:"value"`
		Note  *string   `json:"note"`
		At    time.Time `json:"at"`
		Tags  []string  `json:"tags"`
	}
	note := "line\nwith | and \"quotes\""
	var readings []reading
	for i := range 40 {
		r := reading{ID: i, Place: fmt.Sprint("place ", i%3), Value: float64(i) / 7, At: time.Unix(int64(i)*1e6, 0).UTC(), Tags: []string{"x"}}
		if i%2 > 0 {
			r.Note = &note
		}
		readings = append(readings, r)
	}
	for _, c := range wire.Internal.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		name := c.Info().FullName()
		if !ok || c.Info().Name == "csv" || name == "md" || c.Info().Loss&^measure.BeyondJSON != 0 {
			continue // tables of scalars have no lists
		}
		for _, n := range []int{0, 1, len(readings)} {
			var out bytes.Buffer
			enc := wire.NewEncoder[reading](s, &out)
			for _, r := range readings[:n] {
				require.NoError(t, enc.Encode(r), name)
			}
			require.NoError(t, enc.Close(), name)
			var back []reading
			for r, err := range wire.NewDecoder[reading](s, &out).All() {
				require.NoError(t, err, "%s of %d\n%s", name, n, out.String())
				back = append(back, r)
			}
			require.Equal(t, n, len(back), name)
			for i, r := range back {
				require.Equal(t, readings[i], r, name)
			}
		}
	}
}

// Structs go through a stream of rows without a slice of them.
func Example_streamOfStructs() {
	type reading struct {
		Place string  `json:"place"`
		Value float64 `json:"value"`
	}
	enc := wire.NewEncoder[reading](gcf.Codec{}, os.Stdout)
	for i := range 3 {
		if err := enc.Encode(reading{Place: fmt.Sprint("place ", i), Value: float64(i) / 4}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := enc.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// GCF profile=generic
	// ## [?]{place,value}
	// place 0|0
	// place 1|0.25
	// place 2|0.5
	// ##! summary counts=3
}
