package goon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// A project is what a Go program would declare for the nodes below.
type project struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	IID         int    `json:"iid"`
	FullPath    string `json:"full_path"`
	Title       string `json:"title"`
	Description string `json:"description"`
	WebURL      string `json:"web_url"`
}

type projects struct {
	FormatVersion string    `json:"format_version"`
	QueryType     string    `json:"query_type"`
	Nodes         []project `json:"nodes"`
	Edges         []edge    `json:"edges"`
}

type edge struct {
	From   string `json:"from"`
	FromID string `json:"from_id"`
	To     string `json:"to"`
	ToID   string `json:"to_id"`
	Type   string `json:"type"`
}

// largeResponse is a response of n nodes whose descriptions repeat a sentence
// so many times: 3 gives 192 characters, which are written whole, 30 gives
// texts that are cut.
func largeResponse(n, sentences, edges int) projects {
	r := projects{FormatVersion: "2.0.0", QueryType: "traversal"}
	for i := range n {
		id := fmt.Sprint(100_000 + i)
		path := fmt.Sprintf("group-%d/sub-%d/project-%d", i%50, i%7, i)
		r.Nodes = append(r.Nodes, project{
			Type: "Project", ID: id, IID: i, FullPath: path, Title: fmt.Sprintf("Project number %d", i),
			Description: strings.Repeat("Runs the nightly jobs; see the wiki – then ask.\nOwner: \"infra\". ", sentences),
			WebURL:      "https://git.example.com/" + path,
		})
	}
	for i := range edges {
		r.Edges = append(r.Edges, edge{"Project", fmt.Sprint(100_000 + i%n), "Group", fmt.Sprint(i % 50), "IN_GROUP"})
	}
	return r
}

// A benchmarkSize is a response to measure.
type benchmarkSize struct {
	name                    string
	nodes, sentences, edges int
}

var benchmarkSizes = []benchmarkSize{
	{"nodes_whole", 10_000, 3, 0},
	{"nodes_cut", 10_000, 30, 0},
	{"nodes_and_edges", 2_000, 1, 10_000},
}

// A benchmarkInput is the response in every form.
type benchmarkInput struct {
	structs  projects
	json     []byte
	value    wire.Value
	response *goon.Response
	text     []byte
	same     []byte // the JSON of what the text carries
}

func (s benchmarkSize) input(b *testing.B) *benchmarkInput {
	in := &benchmarkInput{structs: largeResponse(s.nodes, s.sentences, s.edges)}
	var err error
	in.json, err = gojson.Marshal(in.structs)
	require.NoError(b, err)
	in.value, err = wire.ParseJSON(in.json)
	require.NoError(b, err)
	in.response, err = goon.FromValue(in.value)
	require.NoError(b, err)
	in.text, err = goon.Codec{}.AppendEncode(nil, in.value)
	require.NoError(b, err)
	decoded := codectest.Decoded(b, goon.Codec{}, in.text)
	in.same = wire.AppendJSON(nil, decoded)
	return in
}

// A benchmarkPair is one thing to do, by this package and by goccy/go-json.
type benchmarkPair struct {
	name       string
	bytes      int
	own, other func() error
}

// pairs compares encoding with goccy encoding the response from structs, and
// decoding with goccy decoding the JSON of the same content to any.
func (in *benchmarkInput) pairs() []benchmarkPair {
	dst := make([]byte, 0, len(in.text))
	marshal := func() error {
		_, err := gojson.Marshal(in.structs)
		return err
	}
	unmarshal := func() error {
		var v any
		return gojson.Unmarshal(in.same, &v)
	}
	return []benchmarkPair{
		{"encode_value", len(in.json), func() error {
			_, err := goon.Codec{}.AppendEncode(dst, in.value)
			return err
		}, marshal},
		{"encode_response", len(in.json), func() error {
			_, err := goon.Codec{}.AppendResponse(dst, in.response)
			return err
		}, marshal},
		{"decode_value", len(in.same), func() error {
			_, err := goon.Codec{}.Decode(in.text)
			return err
		}, unmarshal},
		{"decode_response", len(in.same), func() error {
			_, err := goon.Codec{}.DecodeResponse(in.text)
			return err
		}, unmarshal},
	}
}

func BenchmarkGOON(b *testing.B) {
	for _, size := range benchmarkSizes {
		in := size.input(b)
		for _, pair := range in.pairs() {
			b.Run(size.name+"/"+pair.name, func(b *testing.B) {
				b.SetBytes(int64(pair.bytes))
				b.ReportAllocs()
				for b.Loop() {
					if err := pair.own(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkRatio alternates between this package and goccy/go-json and reports
// how many times faster the best of the runs is, which other work on the
// machine disturbs least.
func BenchmarkRatio(b *testing.B) {
	for _, size := range benchmarkSizes {
		in := size.input(b)
		for _, pair := range in.pairs() {
			b.Run(size.name+"/"+pair.name, pair.ratio)
		}
	}
}

func (p *benchmarkPair) ratio(b *testing.B) {
	own, other := time.Hour, time.Hour
	for b.Loop() {
		for range 5 {
			own = min(own, took(b, p.own))
			other = min(other, took(b, p.other))
		}
	}
	b.ReportMetric(float64(other)/float64(own), "x_goccy")
	b.ReportMetric(own.Seconds()*1e3, "own_ms")
	b.ReportMetric(other.Seconds()*1e3, "goccy_ms")
	b.ReportMetric(0, "ns/op")
}

func took(b *testing.B, f func() error) time.Duration {
	start := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkMarshal measures a response of structs, with goccy/go-json beside it:
// edges as a program finds them, and in the order of the format.
func BenchmarkMarshal(b *testing.B) {
	found := largeResponse(2_000, 1, 5_000)
	sorted := largeResponse(2_000, 1, 5_000)
	for i := range sorted.Edges {
		e := &sorted.Edges[i]
		e.FromID, e.ToID = fmt.Sprint(100_000+i*2/5), fmt.Sprint(i)
	}
	for name, r := range map[string]*projects{"found": &found, "sorted": &sorted} {
		text, err := gojson.Marshal(r)
		require.NoError(b, err)
		pair := benchmarkPair{name, len(text), func() error { _, err := goon.Marshal(r); return err },
			func() error { _, err := gojson.Marshal(r); return err }}
		codectest.Measure(b, name+"/goon", pair.bytes, pair.own)
		codectest.Measure(b, name+"/goccy", pair.bytes, pair.other)
		b.Run(name+"/ratio", pair.ratio)
	}
}
