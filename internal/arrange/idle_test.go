package arrange

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// TestIdleFormsAreFew: what one value needed is not a burden on those to come.
func TestIdleFormsAreFew(t *testing.T) {
	var shapes []string
	for i := range 2 * maxKept {
		shapes = append(shapes, fmt.Sprintf(`{"a%d":1,"s":"x y"}`, i))
	}
	for name, c := range map[string]struct {
		text string
		kept bool
	}{
		"small":       {`[{"a":1,"s":"x y"}]`, true},
		"many shapes": {"[" + strings.Join(shapes, ",") + "]", false},
		"long key":    {`{"` + strings.Repeat("k", 2*maxKeptNames) + `":1,"s":"x y"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := wire.ParseJSON([]byte(c.text))
			require.NoError(t, err)
			w := pool.New().(*forms)
			w.left, w.awkward = maxLooked, func(wire.Value) int { return 0 }
			w.look(v, 8)
			w.forget()
			require.Equal(t, c.kept, len(w.byKeys) == 0)
		})
	}
}
