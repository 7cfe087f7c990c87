package response_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/goon/response"
	"github.com/wirekit/wirekit/wire"
)

func text(t *testing.T, r *goon.Response) string {
	out, err := goon.Marshal(r)
	require.NoError(t, err)
	return string(out)
}

func TestBuilder(t *testing.T) {
	var b response.Builder
	b.GroupByNode("u", "User")
	b.GroupByProperty("state", "")
	b.Metric("n", "count", "u", "")
	ann, err := goon.NewNode("User", 1, wire.Member{Key: "username", Value: wire.String("ann")})
	require.NoError(t, err)
	b.Row(ann.Cell(), wire.String("open"), wire.Int(3))
	b.Row(ann.Cell(), wire.Null(), wire.Int(4))
	b.Page(true, "next")
	r, err := b.Build()
	require.NoError(t, err)
	require.Equal(t, strings.Join([]string{"@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:1", "edges:0", "has_more:true", "next_cursor:next", "rows:2",
		"group_by:u(node:User),state(property)", "aggregations:n(count:u)", "@nodes", "User(1):", "1 username=ann", "@edges", "@rows",
		"u=User:1 state=open n=3", "u=User:1 state=null n=4", ""}, "\n"), text(t, r))

	var g response.Builder
	g.Query("neighbors")
	a, z := g.Node("A", 1), g.Node("Z", 2)
	g.Edge("X", a, z)
	r, err = g.Build()
	require.NoError(t, err)
	require.Equal(t, strings.Join([]string{"@header", "query_type:neighbors", "goon_version:1.0.0", "nodes:2", "edges:1", "@nodes", "A(1):", "1", "Z(1):", "2",
		"@edges", "X(1):", "A:1 --> Z:2", ""}, "\n"), text(t, r))
}

func TestBuilderErrors(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		use  func(b *response.Builder)
	}{
		"reserved":    {"reserved_name", func(b *response.Builder) { b.Node("A", 1, wire.Member{Key: "type", Value: wire.Int(1)}) }},
		"width":       {"row_width_mismatch", func(b *response.Builder) { b.Metric("n", "count", "", ""); b.Row() }},
		"late column": {"late_column", func(b *response.Builder) { b.Metric("n", "count", "", ""); b.Row(wire.Int(1)); b.GroupByNode("u", "") }},
		"column twice": {"duplicate_field_name", func(b *response.Builder) {
			b.Metric("n", "count", "", "")
			b.Metric("n", "sum", "", "")
			b.Row(wire.Int(1))
		}},
	} {
		var b response.Builder
		c.use(&b)
		r, err := b.Build()
		require.Nil(t, r, name)
		require.Equal(t, c.code, err.(*wire.Error).Code, name)
	}
	var b response.Builder
	b.Edge("", b.Node("A", 1), b.Node("B", 2))
	_, err := b.Build()
	require.ErrorIs(t, err, wire.ErrShape)
}
