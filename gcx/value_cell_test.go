package gcx_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestWideCells compares cells with objects of seven to twelve members, and of some
// hundred, which follow each other in every order, some with a key twice, with the same
// objects in JSON.
func TestWideCells(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 2))
	object := func(inner string) string {
		n := 7 + r.IntN(6)
		if r.IntN(40) == 0 {
			n = 300
		}
		members := make([]string, n)
		for i := range members {
			members[i] = fmt.Sprintf(`"k%d":%d`, r.IntN(n+4), i)
		}
		members[r.IntN(n)] = `"in":` + inner
		return "{" + strings.Join(members, ",") + "}"
	}
	for range 300 {
		cells := make([]string, 4)
		for i := range cells {
			cells[i] = object("[{}," + object(`"x"`) + "]")
		}
		text := []byte("GCX1 tool=json fields=a\n" + strings.Join(cells, "\n") + "\n")
		rows := codectest.Decoded(t, gcx.Codec{}, string(text))
		require.Equal(t, len(cells), rows.Len())
		for i, cell := range cells {
			require.True(t, wire.Identical(codectest.JSON(t, []byte(cell)), rows.Index(i).Index(0)), "%s\n%s", cell, rows.Index(i))
		}
		codectest.SameAny(t, gcx.Codec{}, text)
	}
}

// TestMismatchInCell: what does not fit is at the first scalar of the cell, also if that is
// an integer or has an escape.
func TestMismatchInCell(t *testing.T) {
	for _, c := range []struct {
		cell   string
		column int
	}{{`[7,1e5]`, 2}, {`[[-1],"x"]`, 3}, {`["a\\\\b","x"]`, 2}} {
		var rows []struct{ A map[string]string }
		err := gcx.Unmarshal([]byte("GCX1 tool=t fields=a rows=1\n"+c.cell+"\n"), &rows)
		var mismatch *wire.Error
		require.ErrorAs(t, err, &mismatch)
		require.Equal(t, "type_mismatch", mismatch.Code)
		require.Equal(t, []int{2, c.column}, []int{mismatch.Line, mismatch.Column}, c.cell)
	}
}
