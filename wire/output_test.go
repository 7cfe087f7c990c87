package wire

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// writes is a way from Go values to text that writes no matter what.
type writes func(dst []byte) ([]byte, bool)

func (w writes) AppendGo(_ Codec, dst []byte, _ any) (out []byte, done bool, err error) {
	out, done = w(dst)
	return out, done, nil
}

func (writes) StoreGo(Codec, []byte, any) (done bool, err error) { return false, nil }

// TestOutputs writes texts of a list whose lengths differ much from the one before:
// nothing but the text can be reached.
func TestOutputs(t *testing.T) {
	var o goResults
	var want []byte
	done := true
	d := &description{Go: writes(func(dst []byte) ([]byte, bool) {
		out := append(append(dst, want...), "more"...)
		return out[:len(out)-len("more")], done
	})}
	list := make([]struct{ A int }, 100)
	for _, n := range []int{5000, 5000, 4900, 100, 100, 99, 0, 20000, 20000, 19999} {
		want = bytes.Repeat([]byte("x"), n)
		for _, v := range []any{list, list[:1]} {
			got, ok, err := o.write(d, JSON{}, v)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, want, got)
			require.Equal(t, want, got[:cap(got)][:n])
			for _, c := range got[n:cap(got)] {
				require.Zero(t, c, "what is behind the text is cleared")
			}
		}
	}
	done = false
	_, ok, err := o.write(d, JSON{}, list)
	require.NoError(t, err)
	require.False(t, ok)
}
