package goon_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/goon/response"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A shape is a query's response, made up for the report.
type shape struct {
	name string
	make func(f *forge)
	// saves says whether GOON has fewer tokens than compact JSON.
	saves bool
}

// A forge makes up users, merge requests and projects with the properties that
// a code host's graph gives by default.
type forge struct {
	response.Builder
	*rand.Rand
}

func (f *forge) pick(from ...string) wire.Value { return wire.String(from[f.IntN(len(from))]) }

func (f *forge) words(n int) string {
	all := strings.Fields("cache index retry queue login token report export import search filter parser runner deploy rollback " +
		"metric alert schema migration timeout header upload preview comment review pipeline webhook branch release the a for when of in with without")
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(all[f.IntN(len(all))])
	}
	return b.String()
}

func (f *forge) text(n int) wire.Value {
	s := f.words(n)
	return wire.String(strings.ToUpper(s[:1]) + s[1:])
}

func (f *forge) slug(n int) string { return strings.ReplaceAll(f.words(n), " ", "-") }

var people = strings.Fields("ada bjorn chloe deepa emeka fatima goran hana ivan jun kofi lena mateo nadia omar priya quinn rosa sven tariq")

func (f *forge) user(id int64) goon.Node {
	first := people[f.IntN(len(people))]
	last := people[f.IntN(len(people))]
	return f.Node("User", id, member("username", wire.String(fmt.Sprintf("%s.%s%d", first, last, f.IntN(90)))),
		member("name", wire.String(strings.ToUpper(first[:1])+first[1:]+" "+strings.ToUpper(last[:1])+last[1:])),
		member("state", f.pick("active", "active", "active", "blocked")))
}

func (f *forge) mergeRequest(id int64, more ...wire.Member) goon.Node {
	return f.Node("MergeRequest", id, append([]wire.Member{member("iid", wire.Int(int64(f.IntN(9000)+1))), member("title", f.text(f.IntN(5)+4)),
		member("state", f.pick("merged", "opened", "closed")), member("source_branch", wire.String(f.slug(4))),
		member("target_branch", f.pick("main", "main", "stable"))}, more...)...)
}

func (f *forge) project(id int64) goon.Node {
	name := f.slug(2)
	return f.Node("Project", id, member("name", wire.String(name)), member("full_path", wire.String("acme/"+f.slug(1)+"/"+name)),
		member("visibility_level", f.pick("private", "internal", "public")))
}

func (f *forge) id() int64 { return 1_000_000 + f.Int64N(400_000_000) }

func (f *forge) created() wire.Member {
	return member("created_at", wire.String(fmt.Sprintf("2026-%02d-%02d %02d:%02d:%02d.%06d", f.IntN(12)+1, f.IntN(28)+1, f.IntN(24), f.IntN(60), f.IntN(60), f.IntN(1_000_000))))
}

var shapes = []shape{
	{"traversal: 50 users, 200 merge requests, 200 edges", func(f *forge) {
		users := make([]goon.Node, 50)
		for i := range users {
			users[i] = f.user(f.id())
		}
		for range 200 {
			f.Edge("AUTHORED", users[f.IntN(50)], f.mergeRequest(f.id()))
		}
	}, true},
	{"search: 5 merge requests", func(f *forge) {
		f.Query("search")
		for range 5 {
			f.mergeRequest(f.id())
		}
	}, true},
	{"search: 100 merge requests with created_at", func(f *forge) {
		f.Query("search")
		for range 100 {
			f.mergeRequest(f.id(), f.created())
		}
	}, true},
	{"search: 30 merge requests, descriptions of about 1,800 characters", func(f *forge) {
		f.Query("search")
		for range 30 {
			f.mergeRequest(f.id(), member("description", f.text(260)))
		}
	}, true},
	{"neighbors: 30 of one user", func(f *forge) {
		f.Query("neighbors")
		user := f.user(f.id())
		for range 25 {
			f.Edge("AUTHORED", user, f.mergeRequest(f.id()))
		}
		for range 5 {
			f.Edge("MEMBER_OF", user, f.project(f.id()))
		}
	}, true},
	{"path_finding: 20 paths of 2 steps", func(f *forge) {
		user, project := f.user(f.id()), f.project(f.id())
		for range 20 {
			f.Path(user).Step("AUTHORED", f.mergeRequest(f.id())).Step("IN_PROJECT", project)
		}
	}, true},
	{"aggregation by node: 20 rows", func(f *forge) {
		f.GroupByNode("u", "User")
		f.Metric("merged_count", "count", "mr", "")
		for i := range 20 {
			f.Row(f.apart().user(f.id()).Cell(), wire.Int(int64(5000-i*200-f.IntN(100))))
		}
	}, true},
	{"aggregation by node and property: 25 rows", func(f *forge) {
		f.GroupByNode("p", "Project")
		f.GroupByProperty("severity", "")
		f.Metric("count", "count", "v", "")
		for range 5 {
			p := f.apart().project(f.id()).Cell()
			for _, severity := range []string{"critical", "high", "medium", "low", "info"} {
				f.Row(p, wire.String(severity), wire.Int(int64(f.IntN(400))))
			}
		}
	}, true},
	{"aggregation by property: 5 rows", func(f *forge) {
		f.GroupByProperty("severity", "")
		f.Metric("vulnerability_count", "count", "v", "")
		for _, severity := range []string{"medium", "high", "low", "critical", "info"} {
			f.Row(wire.String(severity), wire.Int(int64(f.IntN(9000))))
		}
	}, true},
	{"aggregation: one number", func(f *forge) {
		f.Metric("total", "count", "mr", "")
		f.Row(wire.Int(2347))
	}, false},
	{"no result", func(f *forge) {}, false},
}

// apart returns a forge for nodes that are only in cells of rows.
func (f *forge) apart() *forge { return &forge{Rand: f.Rand} }

func (s shape) response(t testing.TB) *goon.Response {
	f := &forge{Rand: rand.New(rand.NewPCG(42, uint64(len(s.name))))}
	s.make(f)
	r, err := f.Build()
	require.NoError(t, err)
	r.FormatVersion = "2.0.0"
	if r.Nodes == nil {
		r.Nodes = []goon.Node{}
	}
	return r
}

func count(t testing.TB, text []byte) int {
	n, err := tokens.O200k{}.Count(text)
	require.NoError(t, err)
	return n
}

// TestTokenReport prints the table of tokens per query shape:
//
//	go test ./goon -run TestTokenReport -v
func TestTokenReport(t *testing.T) {
	var table strings.Builder
	table.WriteString("| response | compact JSON | pretty JSON | GOON | against compact | against pretty | lost | texts cut |\n")
	table.WriteString("|---|---:|---:|---:|---:|---:|---|---|\n")
	for _, s := range shapes {
		r := s.response(t)
		text, err := goon.Codec{}.AppendResponse(nil, r)
		require.NoError(t, err)
		compact := count(t, wire.AppendJSON(nil, r.Value()))
		indented := codectest.Encoded(t, wire.JSON{Indent: "  "}, r.Value())
		pretty, own := count(t, indented), count(t, text)

		fmt.Fprintf(&table, "| %s | %d | %d | %d | %+d%% | %+d%% | %s |\n", s.name, compact, pretty, own,
			percent(own, compact), percent(own, pretty), losses(t, r, text))
		require.Equal(t, s.saves, own < compact, s.name)
		require.LessOrEqual(t, own, pretty+15, s.name)

		whole, err := goon.Codec{NoTruncate: true}.AppendResponse(nil, r)
		require.NoError(t, err)
		if n := count(t, whole); n != own {
			fmt.Fprintf(&table, "| the same, `NoTruncate` | %d | %d | %d | %+d%% | %+d%% | %s |\n", compact, pretty, n,
				percent(n, compact), percent(n, pretty), losses(t, r, whole))
		}
	}
	t.Log("tokens of o200k_base\n" + table.String())
}

// losses says what reading text does not give back of r: two cells of the
// table.
func losses(t testing.TB, r *goon.Response, text []byte) string {
	v := codectest.Decoded(t, goon.Codec{}, text)
	loss, _ := wire.Difference(r.Value(), v)
	decoded, err := goon.FromValue(v)
	require.NoError(t, err)
	cut := []string{}
	texts, characters := make(map[string]int), make(map[string]int64)
	for _, n := range decoded.Nodes {
		for key, v := range n.Properties() {
			if length, truncated := n.FullLength(key); truncated {
				texts[key]++
				characters[key] += length - int64(utf8.RuneCountInString(v.Text())-len("..."))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		cut = append(cut, fmt.Sprintf("%s: %d, by %d characters", key, texts[key], characters[key]))
	}
	if len(cut) == 0 {
		cut = append(cut, "none")
	}
	return loss.String() + " | " + strings.Join(cut, "; ")
}

func percent(n, of int) int {
	p := float64(n-of) * 100 / float64(of)
	if p < 0 {
		return int(p - 0.5)
	}
	return int(p + 0.5)
}
