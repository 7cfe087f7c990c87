package wire_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// TestLinesAreElements reads lines of all kinds, with blank ones between, as the
// elements of the array that has them, in memory of their own and in memory that is
// reused, and as many as the limit lets in.
func TestLinesAreElements(t *testing.T) {
	var m wire.Memory
	r := rand.New(rand.NewPCG(7, 8))
	kinds := []string{"1", "-12", "0", "3.25", "-0.5", "12345678", "123456789.25", "1e5", "-1.5E-7", `"text"`, `"with \n in it"`, "[]", "[1,2,[3]]", "null", "true", `{"a":1,"b":[2]}`, `{"a":1}`, "{}"}
	ends := []string{"\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n \n\t\n", "\n" + strings.Repeat("\n", 50)}
	for round := range 600 {
		var text strings.Builder
		var elements []string
		most := len(kinds)
		if round%3 == 0 {
			most = 9 // numbers only
		}
		for range r.IntN(1 + round) {
			element := kinds[r.IntN(most)]
			elements = append(elements, element)
			text.WriteString(element + ends[r.IntN(len(ends))])
		}
		want, err := wire.ParseJSON([]byte("[" + strings.Join(elements, ",") + "]"))
		require.NoError(t, err)
		src := text.String()
		if round%2 == 0 {
			src = strings.TrimRight(src, " \t\r\n")
		}
		got, err := jsonl.Codec{}.Decode([]byte(src))
		require.NoError(t, err)
		require.True(t, wire.Identical(want, got), "%q: %s", src, got)
		require.NoError(t, m.View(jsonl.Codec{}, []byte(src), func(v wire.Value) error {
			require.True(t, wire.Identical(want, v), "%q: %s", src, v)
			return nil
		}))
		values := countValues(want)
		_, err = jsonl.Codec{Limits: wire.Limits{Values: values}}.Decode([]byte(src))
		require.NoError(t, err)
		if values > 1 {
			_, err = jsonl.Codec{Limits: wire.Limits{Values: values - 1}}.Decode([]byte(src))
			require.ErrorIs(t, err, wire.ErrLimit)
		}
	}
}

func countValues(v wire.Value) int {
	n := 1
	for e := range v.Elements() { // or the values of members
		n += countValues(e)
	}
	return n
}
