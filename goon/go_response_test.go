package goon_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

type anyEdge struct {
	From  string `json:"from"`
	To    string `json:"to,omitempty"`
	FID   string `json:"from_id"`
	TID   int32  `json:"to_id"`
	Kind  string `json:"type"`
	Depth int    `json:"depth,omitempty"`
	Path  uint8  `json:"path_id,omitempty"`
	Note  bool
}

type anyNode struct {
	Type  string   `json:"type"`
	ID    int      `json:"id"`
	Title string   `json:"title,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	F     float64  `json:"f"`
	Len   int      `json:"title_len,omitempty"`
}

type anyResponse struct {
	Query string    `json:"query_type"`
	Edges []anyEdge `json:"edges"`
	Nodes []anyNode `json:"nodes"`
	Page  *struct {
		HasMore bool `json:"has_more"`
	} `json:"pagination"`
}

// TestMarshalStructs: structs are written as their Values are, errors included.
func TestMarshalStructs(t *testing.T) {
	trials.OneGoroutine(t)
	names := []string{"Project", "Group", "Project", "Group", "ä", "two words", "", "\xff"}
	ids := []string{"1", "2", "99", "100001", "-5", "007", "+1", "9223372036854775808", "x", ""}
	sound := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := []int{2, 4, 6, 8}[r.IntN(4)] // names, so that some responses are sound
		pick := func() string { return names[r.IntN(most)] }
		v := anyResponse{Query: []string{"traversal", "neighbors", "traversal", "path_finding"}[r.IntN(4)]}
		for range r.IntN(40) {
			e := anyEdge{From: pick(), To: pick(), FID: ids[r.IntN(5)], TID: int32(r.IntN(5)), Kind: pick(), Note: true}
			if most > 4 && r.IntN(30) == 0 {
				e.FID = ids[r.IntN(len(ids))]
			}
			if r.IntN(5) == 0 {
				e.Depth = r.IntN(4) - 1/(1+int(seed%9))
			}
			if v.Query == "path_finding" || r.IntN(200) == 0 {
				e.Path = uint8(r.IntN(4))
			}
			v.Edges = append(v.Edges, e)
		}
		for range r.IntN(30) {
			v.Nodes = append(v.Nodes, anyNode{Type: pick(), ID: r.IntN(20) - 2, Title: pick(), F: float64(r.IntN(9)) / 4, Len: r.IntN(9) / 8})
		}
		for _, value := range []any{v, &v} {
			want, wantErr := wire.Marshal(codectest.Values(goon.Codec{}), value)
			got, err := goon.Marshal(value)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "seed %d", seed)
			require.Equal(t, string(want), string(got), "seed %d", seed)
			appended, err := wire.Internal.AppendMarshal([]byte("before "), goon.Codec{}, value)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err))
			require.Equal(t, "before "+string(want), string(appended))
			if err == nil {
				sound++
			}
		}
	}
	require.Greater(t, sound, 1000)
}

type plainNode struct {
	State string `json:"state"`
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
	Note  string
	Open  bool   `json:"open,omitempty"`
	ID    string `json:"id"`
	Size  uint64 `json:"body,omitzero"`
	Level int8   `json:"a b"`
}

type plainResponse struct {
	Query string      `json:"query_type"`
	Nodes []plainNode `json:"nodes"`
	Edges []anyEdge   `json:"edges"`
}

type numberedNode struct {
	Type string `json:"type"`
	ID   int    `json:"id,omitempty"`
}

type nodesAlone struct {
	Query string           `json:"query_type"`
	Edges []any            `json:"edges"`
	Nodes []numberedNode   `json:"nodes"`
	Group []map[string]any `json:"group_columns"`
	Rows  []map[string]any `json:"rows"`
}

// TestMarshalOrdered: structs that come in order, or nearly, are written as their
// Values are, by every codec.
func TestMarshalOrdered(t *testing.T) {
	trials.OneGoroutine(t)
	texts := []string{"", "open", "true", "two words", "2024-01-02 03:04:05", "a\nb\x00\u2028", strings.Repeat("ä long text ", 60), "cut...", "\xff"}
	codecs := []goon.Codec{{}, {NoTruncate: true}, {Expand: []string{"title"}}, {Limits: wire.Limits{OutputBytes: 700}}}
	sound := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		most := len(texts) - 1 + r.IntN(20)/19
		falls, rises := 1-r.IntN(6)/5*2, 1-r.IntN(6)/5*2
		v := plainResponse{Query: []string{"traversal", "search", "aggregation", "path_finding"}[max(0, r.IntN(30)-26)]}
		for i := range r.IntN(40) {
			v.Nodes = append(v.Nodes, plainNode{Type: fmt.Sprint("T ", i/9), ID: fmt.Sprint(i*i*i*i*9 - 3*r.IntN(2)), State: texts[r.IntN(most)],
				Title: texts[r.IntN(most)], Note: texts[r.IntN(most)], Open: r.IntN(2) == 0, Size: r.Uint64() * r.Uint64N(2), Level: int8(r.IntN(256))})
		}
		for i := range r.IntN(40) {
			v.Edges = append(v.Edges, anyEdge{Kind: fmt.Sprint("K", i/25), From: fmt.Sprint("T", 5+falls*(i/16)), To: string(rune('M' + rises*(i/5))), FID: fmt.Sprint(i/4 + 9998), TID: int32(i), Depth: r.IntN(2)})
		}
		for range r.IntN(2) * r.IntN(4) {
			switch a, b := r.IntN(1+len(v.Nodes)), r.IntN(1+len(v.Edges)); {
			case a < len(v.Nodes) && b%3 == 0:
				v.Nodes[a], v.Nodes[0] = v.Nodes[0], v.Nodes[a]
			case a < len(v.Nodes) && b%3 == 1:
				v.Nodes[a].ID = v.Nodes[max(0, a-1-r.IntN(2))].ID
			case a < len(v.Nodes) && r.IntN(20) == 0:
				v.Nodes[a] = plainNode{ID: texts[r.IntN(len(texts))]}
			case b < len(v.Edges) && a%3 == 0:
				v.Edges[b], v.Edges[0] = v.Edges[0], v.Edges[b]
			case b < len(v.Edges):
				v.Edges[b] = v.Edges[max(0, b-1-r.IntN(2))]
			}
		}
		alone := &nodesAlone{Query: v.Query, Group: []map[string]any{{"name": "n", "kind": "node"}},
			Rows: []map[string]any{{"n": map[string]any{"type": "T", "id": "7", "properties": map[string]any{"a": 1}}}}}
		for i := range v.Nodes {
			alone.Nodes = append(alone.Nodes, numberedNode{"N", i + 1 - int(seed%5/4)})
		}
		codec := codecs[r.IntN(len(codecs))]
		for _, value := range []any{v, &v, alone} {
			want, wantErr := wire.Marshal(codectest.Values(codec), value)
			got, err := codec.Marshal(value)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "seed %d", seed)
			require.Equal(t, string(want), string(got), "seed %d", seed)
			if err == nil {
				sound++
			}
		}
	}
	require.Greater(t, sound, 3000)
}

type endsOnly struct {
	Kind string `json:"type"`
	From string `json:"from"`
	FID  string `json:"from_id"`
	To   string `json:"to,omitempty"`
	TID  int64  `json:"to_id"`
	Note bool
}

type endsResponse struct {
	Query string           `json:"query_type"`
	Nodes []numberedNode   `json:"nodes"`
	Edges []endsOnly       `json:"edges"`
	Rows  []map[string]any `json:"rows,omitempty"`
}

// TestMarshalEdges: edges that have only ends, in order or nearly, are written as their
// Values are, by every codec.
func TestMarshalEdges(t *testing.T) {
	trials.OneGoroutine(t)
	kinds := []string{"A", "B", "B", "ä", "two words", "\xff"}
	ids := []int64{math.MinInt64, -5, 0, 9, 10, 100, math.MaxInt64}
	odd := []string{"", "007", "-0", "+1", "9223372036854775808", "x"}
	codecs := []goon.Codec{{}, {}, {Limits: wire.Limits{OutputBytes: 700}}}
	sound := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		most := len(kinds) - 1 + r.IntN(20)/19
		v := endsResponse{Query: []string{"traversal", "neighbors", "aggregation", "path_finding"}[max(0, r.IntN(30)-26)], Nodes: []numberedNode{{"N", 1}}}
		for range r.IntN(60) {
			v.Edges = append(v.Edges, endsOnly{Kind: kinds[r.IntN(most)], From: kinds[r.IntN(most)], FID: fmt.Sprint(ids[r.IntN(len(ids))]),
				To: kinds[r.IntN(most)], TID: ids[r.IntN(len(ids))]})
		}
		slices.SortFunc(v.Edges, func(a, b endsOnly) int {
			x, _ := strconv.ParseInt(a.FID, 10, 64)
			y, _ := strconv.ParseInt(b.FID, 10, 64)
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.From, b.From), cmp.Compare(x, y), cmp.Compare(a.To, b.To), cmp.Compare(a.TID, b.TID))
		})
		v.Edges = slices.Compact(v.Edges)
		if n := len(v.Edges); n > 0 && seed%2 == 0 {
			a, b := &v.Edges[r.IntN(n)], &v.Edges[r.IntN(n)]
			switch r.IntN(7) {
			case 0:
				*a, *b = *b, *a
			case 1:
				*a = *b
			case 2:
				a.FID = odd[r.IntN(len(odd))]
			case 3:
				a.TID, b.TID = b.TID, a.TID
			case 4:
				a.From, a.To = a.To, a.From
			case 5:
				a.To = "" // absent
			case 6:
				a.Kind = b.From
			}
		}
		codec := codecs[r.IntN(len(codecs))]
		for _, value := range []any{v, &v} {
			want, wantErr := wire.Marshal(codectest.Values(codec), value)
			got, err := codec.Marshal(value)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "seed %d", seed)
			require.Equal(t, string(want), string(got), "seed %d", seed)
			if err == nil {
				sound++
			}
		}
	}
	require.Greater(t, sound, 1000)
}

// TestShortIDs: ids that are read as a word are those that are read by digits.
func TestShortIDs(t *testing.T) {
	for _, c := range []string{"-", "/", ":", " ", "\x00", "\xb0", "+", ".", "a", "0"} {
		for n := 4; n <= 8; n++ {
			for i := range n {
				v := plainResponse{Query: "search", Edges: []anyEdge{}, Nodes: make([]plainNode, 20)}
				for k := range v.Nodes {
					v.Nodes[k] = plainNode{Type: "T", ID: fmt.Sprint(k)}
				}
				id := strings.Repeat("9", i) + c + strings.Repeat("1", n-1-i)
				v.Nodes[19].ID = id
				text, err := goon.Marshal(v)
				number, notNumber := strconv.Atoi(id)
				require.Equal(t, notNumber == nil, err == nil, "%q", id)
				if err == nil {
					require.Contains(t, string(text), fmt.Sprintf("\n%d ", number))
				}
			}
		}
	}
}
