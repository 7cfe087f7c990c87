package yaml

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/wire"
)

// requireLent holds that a value, or the error, is lent as it is decoded.
func requireLent(t testing.TB, c Codec, text string) {
	t.Helper()
	want, wantErr := c.Decode([]byte(text))
	var kept wire.Value
	err := wire.View(c, []byte(text), func(got wire.Value) error {
		require.True(t, wire.Identical(want, got), "%q\nis lent as %v, decoded it is %v", text, got, want)
		kept = got.Clone()
		return nil
	})
	require.Equal(t, wantErr, err, "%q", text)
	if err == nil {
		require.True(t, wire.Identical(want, kept), "%q", text)
	}
}

func TestLent(t *testing.T) {
	for round := range 2 {
		for _, c := range []Codec{{}, {MultiDocument: true}, {Limits: wire.Limits{Values: 7}}, {Limits: wire.Limits{Depth: 2}}} {
			for _, v := range vectors {
				requireLent(t, c, v.text)
				requireLent(t, c, v.json)
				requireLent(t, c, v.json[:len(v.json)-round])
			}
			for _, v := range foreign {
				requireLent(t, c, v.text)
			}
			for _, v := range malformed {
				requireLent(t, c, v.text)
			}
		}
	}
	for i, p := range payload.All() {
		if i%8 == 0 {
			requireLent(t, Codec{}, string(codectest.Encoded(t, Codec{}, p.Value)))
		}
	}
}

// TestLentOnce: the function that a value is lent to is called once, and its error is
// what comes back, whatever kind of text the value is from.
func TestLentOnce(t *testing.T) {
	stop := errors.New("stop")
	for _, text := range []string{`{"a":[1,2]}`, `{a: [1,2]}`, "a: 1\n", `[1,"x"`, "- 1\n- *x\n"} {
		_, bad := Codec{}.Decode([]byte(text))
		calls := 0
		err := wire.View(Codec{}, []byte(text), func(wire.Value) error {
			calls++
			return stop
		})
		if bad != nil {
			require.Zero(t, calls)
			require.Equal(t, bad, err)
			continue
		}
		require.Equal(t, 1, calls, text)
		require.Equal(t, stop, err)
	}
}
