package faulty_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
)

func TestReadersGiveTheSame(t *testing.T) {
	for _, text := range []string{"", "a", strings.Repeat("0123456789", 500)} {
		for name, r := range faulty.Readers([]byte(text)) {
			got, err := io.ReadAll(r)
			require.NoError(t, err, name)
			require.Equal(t, text, string(got), name)
		}
		broken := errors.New("broken")
		for name, r := range faulty.Failing([]byte(text), broken) {
			got, err := io.ReadAll(r)
			require.ErrorIs(t, err, broken, name)
			require.Equal(t, text, string(got), name)
		}
	}
}

func TestCrumbs(t *testing.T) {
	text := strings.Repeat("0123456789", 50)
	broken := errors.New("broken")
	got, err := io.ReadAll(faulty.Crumbs(rand.New(rand.NewPCG(1, 2)), []byte(text), 7, broken))
	require.ErrorIs(t, err, broken)
	require.Equal(t, text, string(got))
}

func TestStuck(t *testing.T) {
	r := faulty.Stuck([]byte("abc"))
	var buf [10]byte
	n, err := r.Read(buf[:])
	require.NoError(t, err)
	require.Equal(t, 3, n)
	n, err = r.Read(buf[:])
	require.NoError(t, err)
	require.Zero(t, n)
	require.Panics(t, func() { _, _ = io.ReadAll(r) })
}

func TestWriter(t *testing.T) {
	w := faulty.Writer{Limit: 5}
	n, err := w.Write([]byte("abc"))
	require.NoError(t, err)
	require.Equal(t, 3, n)
	n, err = w.Write([]byte("def"))
	require.ErrorIs(t, err, faulty.ErrFull)
	require.Equal(t, 2, n)
	require.Equal(t, "abcde", w.String())

	n, err = io.WriteString(&w, "g")
	require.ErrorIs(t, err, faulty.ErrFull, "whatever it is written by")
	require.Zero(t, n)

	silent := faulty.Writer{Limit: 1, Silent: true}
	n, err = silent.Write([]byte("abc"))
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

func TestCuts(t *testing.T) {
	var lengths []int
	for cut := range faulty.Cuts([]byte("abcdef"), 10) {
		lengths = append(lengths, len(cut))
	}
	require.Equal(t, []int{0, 1, 2, 3, 4, 5}, lengths)
	n := 0
	for range faulty.Cuts(make([]byte, 10_000), 100) {
		n++
	}
	require.InDelta(t, 200, n, 5)
}
