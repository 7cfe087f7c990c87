package payload

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// TestPayloads holds what the tables promise: enough kinds, recorded ones among
// them, none of which weighs more than a tenth, each in one field.
func TestPayloads(t *testing.T) {
	all := All()
	total, recorded := 0, 0
	kinds := map[string]bool{}
	for _, p := range all {
		require.False(t, kinds[p.Kind], p.Kind)
		kinds[p.Kind] = true
		total += len(p.JSON)
		if p.Recorded {
			recorded++
		}
		require.Equal(t, string(p.JSON), string(wire.AppendJSON(nil, p.Value)), p.Kind)
	}
	require.GreaterOrEqual(t, len(all), 30)
	require.GreaterOrEqual(t, recorded, 20)
	for _, p := range all {
		require.Less(t, len(p.JSON), total/10, p.Kind)
	}
	for _, g := range Groups() {
		for _, kind := range g.Kinds {
			require.True(t, kinds[kind], "%s is no kind, or in two groups", kind)
			delete(kinds, kind)
		}
	}
	require.Empty(t, kinds, "in no group")
}

func TestPages(t *testing.T) {
	for _, p := range All() {
		for _, page := range p.Pages(4096, 4) {
			require.GreaterOrEqual(t, len(wire.AppendJSON(nil, page)), 4096, p.Kind)
			last := wire.AppendJSON(nil, page.Index(page.Len()-1))
			require.Less(t, len(wire.AppendJSON(nil, page))-len(last), 4096+2, p.Kind)
		}
	}
}
