package goon_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
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
	names := []string{"Project", "Group", "Project", "Group", "ä", "two words", "", "\xff"}
	ids := []string{"1", "2", "99", "100001", "-5", "007", "+1", "9223372036854775808", "x", ""}
	sound := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := []int{2, 4, 6, 8}[r.IntN(4)] // names, so that some responses are sound
		pick := func() string { return names[r.IntN(most)] }
		v := anyResponse{Query: []string{goon.QueryTraversal, goon.QueryNeighbors, goon.QueryTraversal, goon.QueryPathFinding}[r.IntN(4)]}
		for range r.IntN(40) {
			e := anyEdge{From: pick(), To: pick(), FID: ids[r.IntN(5)], TID: int32(r.IntN(5)), Kind: pick(), Note: true}
			if most > 4 && r.IntN(30) == 0 {
				e.FID = ids[r.IntN(len(ids))]
			}
			if r.IntN(5) == 0 {
				e.Depth = r.IntN(4) - 1/(1+int(seed%9))
			}
			if v.Query == goon.QueryPathFinding || r.IntN(200) == 0 {
				e.Path = uint8(r.IntN(4))
			}
			v.Edges = append(v.Edges, e)
		}
		for range r.IntN(30) {
			v.Nodes = append(v.Nodes, anyNode{Type: pick(), ID: r.IntN(20) - 2, Title: pick(), F: float64(r.IntN(9)) / 4, Len: r.IntN(9) / 8})
		}
		for _, value := range []any{v, &v} {
			want, wantErr := wire.Marshal(goon.Codec{}, value)
			got, err := goon.Marshal(value)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "seed %d", seed)
			require.Equal(t, string(want), string(got), "seed %d", seed)
			appended, err := goon.AppendMarshal([]byte("before "), value)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err))
			require.Equal(t, "before "+string(want), string(appended))
			if err == nil {
				sound++
			}
		}
	}
	require.Greater(t, sound, 1000)
}
