package rewrite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// TestPruneGrows: however many words and schemas a list of somebody else's has, and
// wherever they are, pruning takes time in proportion to it.
func TestPruneGrows(t *testing.T) {
	words := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "w%d ", i)
		}
		return b.String() + "zz"
	}
	same := func(n int) string { return strings.Repeat("zz ", n) }
	each := func(n int, schema string) string {
		return strings.TrimSuffix(strings.Repeat(schema+",", n), ",")
	}
	properties := func(n int, schema string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"p%d":`+schema, i)
		}
		return b.String()[1:]
	}
	deep := func(n int) string {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, `{"description":"d%d","title":"d%d","items":`, i, i)
		}
		return b.String() + `{"anyOf":[` + each(n, `{"description":"d59","title":"d58"}`) + `]}` + strings.Repeat("}", 60)
	}
	for what, tool := range map[string]func(n int) (name, description, schema string){
		"title and description": func(n int) (_, _, s string) {
			return "f", "d", fmt.Sprintf(`{"title":%q,"description":%q}`, same(n), words(n))
		},
		"title of other words": func(n int) (_, _, s string) {
			return "f", "d", fmt.Sprintf(`{"title":%q,"description":%q}`, words(n), words(n))
		},
		"title and the tool":        func(n int) (_, _, s string) { return "f", words(n), fmt.Sprintf(`{"title":%q}`, same(n)) },
		"title and the tool's name": func(n int) (_, _, s string) { return words(n), "d", fmt.Sprintf(`{"title":%q}`, same(n)) },
		"title and a property's name": func(n int) (_, _, s string) {
			return "f", "d", fmt.Sprintf(`{"properties":{%q:{"title":%q}}}`, words(n), same(n))
		},
		"schemas below a long text": func(n int) (_, _, s string) { return "f", words(n), `{"anyOf":[` + each(n, `{"title":"zz"}`) + `]}` },
		"schemas below a long name": func(n int) (_, _, s string) {
			return "f", "d", fmt.Sprintf(`{"properties":{%q:{"oneOf":[%s]}}}`, words(n), each(n, `{"title":"zz"}`))
		},
		"properties below a long text": func(n int) (_, _, s string) {
			return "f", words(n), `{"description":` + fmt.Sprintf("%q", words(n)) + `,"properties":{` + properties(n, `{"title":"zz","description":"zz"}`) + `}}`
		},
		"schemas below many texts": func(n int) (_, _, s string) { return "f", "d", deep(n) },
		"members that are all taken out": func(n int) (_, _, s string) {
			return "f", "d", `{"properties":{` + properties(n, `{"$comment":1,"title":"P","description":"d"}`) + `}}`
		},
		"enums": func(n int) (_, _, s string) {
			return "f", "d", fmt.Sprintf(`{"title":%q,"enum":[%s]}`, same(n), each(n, `"zz"`))
		},
	} {
		t.Run(what, func(t *testing.T) {
			growth.Linear(t, 2000, func(n int) func() {
				name, description, schema := tool(n)
				text := []byte(schema)
				return func() { rewrite.Prune(text, splice.Whole(text), name, description) }
			})
		})
	}
}
