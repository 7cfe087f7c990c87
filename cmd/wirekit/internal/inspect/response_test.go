package inspect

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/goon/response"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// TestSummarizeGrowth: what is cut is counted in linear time, however many properties it
// is of.
func TestSummarizeGrowth(t *testing.T) {
	cut := wire.String(strings.Repeat("x", 997) + ellipsis)
	growth.Linear(t, 2000, func(n int) func() {
		r := new(goon.Response)
		for i := range n {
			r.Rows = append(r.Rows, builder.Object(wire.Member{Key: strconv.Itoa(i), Value: cut}))
		}
		return func() { require.Len(t, summarize(r).Cut, n) }
	})
}

func TestSummarize(t *testing.T) {
	long := strings.Repeat("x", 300)
	var b response.Builder
	b.GroupByNode("u", "User")
	b.GroupByProperty("title", "")
	u, err := goon.NewNode("User", 1, wire.Member{Key: "note", Value: wire.String(long)}, wire.Member{Key: "name", Value: wire.String("ok...")})
	require.NoError(t, err)
	b.Row(u.Cell(), wire.String(long))
	b.Row(u.Cell(), wire.String("short..."))
	b.Page(true, "")
	r, err := b.Build()
	require.NoError(t, err)
	require.Empty(t, summarize(r).Cut)
	text, err := goon.Marshal(r)
	require.NoError(t, err)
	r, err = goon.Codec{}.DecodeResponse(text)
	require.NoError(t, err)
	require.Equal(t, &goonReport{Query: "aggregation", Nodes: map[string]int{"User": 1}, Edges: map[string]int{}, Rows: 2, Columns: 2, HasMore: true,
		Cut: []cutReport{{Key: "title", Texts: 1}, {Type: "User", Key: "note", Texts: 1, Characters: 103}}}, summarize(r))

	var p response.Builder
	user, project := p.Node("User", 1), p.Node("Project", 2)
	p.Path(user).Step("AUTHORED", p.Node("MergeRequest", 3)).Step("IN_PROJECT", project)
	r, err = p.Build()
	require.NoError(t, err)
	s := summarize(r)
	require.Equal(t, 1, s.Paths)
	require.Equal(t, map[string]int{"AUTHORED": 1, "IN_PROJECT": 1}, s.Edges)
}
