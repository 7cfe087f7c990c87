package mcpproxy

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/mcp"
)

// TestClientsAreBounded: what clients say of themselves is remembered in a bounded number
// of bytes, that of many sessions if they say what clients do.
func TestClientsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 8000)
	for name, c := range map[string]struct {
		client  mcp.Client
		session string
		known   int
	}{
		"usual":         {client: mcp.Client{Name: "a client", Accept: []string{"gcf", "toon"}}, known: 10_000},
		"long name":     {client: mcp.Client{Name: long}},
		"long format":   {client: mcp.Client{Accept: []string{"gcf", long}}},
		"empty formats": {client: mcp.Client{Accept: make([]string, 500)}},
		"long session":  {client: mcp.Client{Name: "a client"}, session: long},
	} {
		var h Handler
		const sessions = 30_000
		for i := range sessions {
			h.remember(c.session+strconv.Itoa(i), c.client)
		}
		known := 0
		for i := range sessions {
			if _, ok := h.clients.Get(c.session + strconv.Itoa(sessions-1-i)); ok {
				known++
			}
		}
		require.GreaterOrEqual(t, known, max(c.known, 500), name)
		if c.known == 0 {
			require.LessOrEqual(t, known, 16<<20/8000, name)
		}
	}
}
