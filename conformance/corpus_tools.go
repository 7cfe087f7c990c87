package conformance

import (
	"fmt"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/wire"
)

// answers has what programs print: the beginning of their rows, and the whole with its lists
// cut short.
func answers(l *caseList) {
	for _, p := range payload.All() {
		for _, page := range p.Pages(3<<10, 1) {
			l.add(p.Kind+", rows", page)
		}
		l.add(p.Kind+", lists of two", shorter(p.Value, 2))
	}
}

// shorter returns v with n elements, at most, in each of its arrays.
func shorter(v wire.Value, n int) wire.Value {
	if v.Kind() < wire.KindArray {
		return v
	}
	members := builder.Children(v)
	if v.Kind() == wire.KindArray {
		members = members[:min(n, len(members))]
	}
	for i := range members {
		members[i].Value = shorter(members[i].Value, n)
	}
	return builder.With(v, members)
}

// sizes adds a case for each size of an answer.
func (l *caseList) sizes(name string, of func(n int) wire.Value) {
	for _, n := range []int{0, 1, 2, 6, 40} {
		l.add(fmt.Sprintf("%s, %d", name, n), of(n))
	}
}

// graphs has the shapes of the formats that take graphs only, and shapes that
// nearly are.
func graphs(l *caseList) {
	r := source(15)
	l.sizes("symbols and edges", func(n int) wire.Value {
		return record("tool", "context_for_task", "tokenBudget", 4000, "tokensUsed", 120*n, "symbols", repeated(n, func(i int) wire.Value {
			return record("qualifiedName", fmt.Sprintf("pkg.F%d", i), "kind", pick(r, []string{"function", "type", "method", "interface"}), "score", float64(100-i)/100, "provenance", "lsp_resolved", "distance", i*3/(n+1))
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("source", fmt.Sprintf("pkg.F%d", i), "target", fmt.Sprintf("pkg.F%d", i+1), "edgeType", "calls")
		}))
	})
	l.sizes("symbols and edges, as decoded", func(n int) wire.Value {
		return record("tool", "context_for_task", "tokenBudget", 4000, "tokensUsed", 120*n, "packRoot", "sha256:00ff", "symbols", repeated(n, func(i int) wire.Value {
			return record("qualifiedName", fmt.Sprintf("pkg.(*T).F%d", i), "kind", pick(r, []string{"function", "type", "größe"}), "score", number([]string{"0.75", "0.5", "0"}[3*i/n]), "provenance", "lsp", "distance", i)
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("source", fmt.Sprintf("pkg.(*T).F%d", i), "target", fmt.Sprintf("pkg.(*T).F%d", i+1), "edgeType", "calls", "status", []string{"", "added"}[i%2])
		}))
	})
	l.sizes("nodes and edges, as decoded", func(n int) wire.Value {
		return record("query_type", "traversal", "nodes", repeated(n, func(i int) wire.Value {
			return record("type", []string{"MergeRequest", "User"}[2*i/n], "id", fmt.Sprint(i+1), "iid", 1<<53+int64(i), "ratio", 0.5, "draft", i%2 == 0, "username", pick(r, syntaxStrings[:60]))
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("from", "User", "from_id", fmt.Sprint(i+1), "to", "User", "to_id", fmt.Sprint(i+2), "type", "KNOWS")
		}))
	})
	l.sizes("nodes and edges", func(n int) wire.Value {
		return record("format_version", "2.1.0", "query_type", "traversal", "nodes", repeated(n, func(i int) wire.Value {
			return record("type", pick(r, []string{"User", "MergeRequest"}), "id", fmt.Sprint(i+1), "username", fmt.Sprintf("user%d", i), "state", "active")
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("from", "User", "from_id", fmt.Sprint(i+1), "to", "User", "to_id", fmt.Sprint(i+2), "type", "KNOWS")
		}))
	})
	l.add("nodes with awkward properties", record("format_version", "2.1.0", "query_type", "neighbors", "nodes", repeated(len(syntaxStrings), func(i int) wire.Value {
		return record("type", "Note", "id", fmt.Sprint(i), "title", syntaxStrings[i], "n", i, "none", nil, "ok", i%2 == 0, "x", 1.5)
	}), "edges", array()))
	l.add("aggregation", record("format_version", "2.1.0", "query_type", "aggregation", "nodes", array(), "edges", array(), "columns", array(record("name", "total", "function", "count", "target", "mr")), "group_columns", array(record("name", "state", "kind", "property", "node", "mr", "property", "state")), "rows", repeated(4, func(i int) wire.Value {
		return record("state", pick(r, []string{"opened", "merged", "with space"}), "total", i*10)
	})))
	l.add("paths", record("format_version", "2.1.0", "query_type", "path_finding", "nodes", repeated(3, func(i int) wire.Value { return record("type", "User", "id", fmt.Sprint(i+1)) }), "edges", repeated(2, func(i int) wire.Value {
		return record("from", "User", "from_id", fmt.Sprint(i+1), "to", "User", "to_id", fmt.Sprint(i+2), "type", "KNOWS", "path_id", 0, "step", i)
	})))
	l.add("cut at a page", record("format_version", "2.1.0", "query_type", "traversal", "nodes", array(record("type", "User", "id", "1")), "edges", array(), "pagination", record("has_more", true, "truncated", false, "next_cursor", "abc=")))
	l.json(listed("graphs")...)
}

func kinds(l *caseList) {
	for _, b := range [][]byte{nil, {0}, {0xff}, []byte("a"), []byte("ab"), []byte("abc"), []byte("text\n|"), {0xfb, 0xff, 0xfe}, []byte(strings.Repeat("\x00\xff", 500))} {
		l.everywhere(shortened(fmt.Sprintf("bytes %x", b)), wire.Bytes(b))
	}
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600), time.FixedZone("", -(5*3600 + 30*60)), time.FixedZone("NAMED", 20700), time.FixedZone("", 14*3600), time.FixedZone("", 61)}
	for _, zone := range zones {
		for _, t := range []time.Time{
			time.Date(2026, 1, 2, 3, 4, 5, 0, zone), time.Date(2026, 1, 2, 3, 4, 5, 123456789, zone), time.Date(2026, 1, 2, 0, 0, 0, 500_000_000, zone), time.Date(1, 1, 1, 0, 0, 0, 0, zone), time.Date(1969, 12, 31, 23, 59, 59, 1, zone), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, zone), time.Date(2024, 2, 29, 12, 0, 0, 0, zone),
		} {
			l.everywhere("time "+t.Format(time.RFC3339Nano), wire.Time(t))
		}
	}
	for _, t := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC), time.Unix(1<<40, 0)} {
		l.add("time "+t.UTC().Format(time.RFC3339Nano), record("at", t))
	}
	for _, s := range []string{"", "a", "a:b", "a b", "#1", "1", "x|y\n"} {
		l.everywhere(fmt.Sprintf("tagged %q", s), wire.Internal.TaggedString(s, 255))
	}
	l.add("bytes beside their text", array(record("v", []byte("abc")), record("v", "YWJj"), record("v", []byte("abc"))))
	l.add("times beside their text", array(record("v", time.Unix(0, 0).UTC()), record("v", "1970-01-01T00:00:00Z"), record("v", nil), record("n", 1)))
}
