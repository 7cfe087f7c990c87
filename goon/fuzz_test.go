package goon_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// A maker makes responses from arbitrary bytes: each choice takes some.
type maker struct{ data []byte }

func (m *maker) byte() byte {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[0]
	m.data = m.data[1:]
	return b
}

func (m *maker) n(n int) int { return int(m.byte()) % n }

func (m *maker) text() string {
	n := min(m.n(12), len(m.data))
	s := strings.ToValidUTF8(string(m.data[:n]), "?")
	m.data = m.data[n:]
	return s
}

// hostile are texts that look like something else.
var hostile = []string{
	"", "null", "true", "007", "18", "1.0", "-0", "1e5", "18446744073709551616", "@edges", "@rows\n", "User(1):", "1 a=2", "path=0: A:1",
	"User:1", "User:2", "Work Item:1", "2026-05-08 22:55:58", "2026-05-08\n23:13:59", "a=b", " ", "x...", "\"", "\\", "a\tb", "\r\n", "\u0001", "a\u007fb",
	"größe", "\u2028", "x\u0085y\u2029", "\u0081", "“–”", "--X--> A:1", " --> B:2", "a,b(c)", "title", "title_len", "foo", "foo_len", "description", "type", "id",
}

func (m *maker) string() string {
	switch k := m.n(8); {
	case k < 3:
		return hostile[m.n(len(hostile))]
	case k == 3:
		return strings.Repeat(m.text()+"y", 40+m.n(8)*40)
	case k == 4:
		return strings.Repeat("z", 995+m.n(8))
	case k == 5:
		return strings.Repeat("é", 195+m.n(8)) + "..."[:m.n(4)]
	}
	return m.text()
}

func (m *maker) name() string {
	if m.n(3) > 0 {
		return []string{"User", "Group", "title", "name", "foo", "foo_len", "title_len", "a"}[m.n(8)]
	}
	return m.string()
}

func (m *maker) id() int64 {
	if m.n(9) == 0 {
		return []int64{math.MinInt64, math.MaxInt64, -1}[m.n(3)]
	}
	return int64(m.n(4))
}

func (m *maker) value(depth int) wire.Value {
	switch m.n(11) {
	case 0:
		return wire.Null()
	case 1:
		return wire.Bool(m.n(2) == 0)
	case 2:
		return wire.Int(int64(m.byte())*int64(m.byte())*37 - 500)
	case 3:
		return goon.FloatOrNull(math.Float64frombits(uint64(m.byte())<<56 | uint64(m.byte())<<48 | uint64(m.byte())))
	case 4:
		v, err := wire.Number([]string{"1.0", "-0", "1e2", "18446744073709551615", "18446744073709551616", "0.1", "201", "1001", "1e-320"}[m.n(9)])
		if err != nil {
			panic(err)
		}
		return v
	case 5:
		if depth < 2 {
			return wire.Array(m.value(depth+1), m.value(depth+1))
		}
	case 6:
		return wire.Bytes([]byte(m.text()))
	}
	return wire.String(m.string())
}

func (m *maker) node() goon.Node {
	var members []wire.Member
	seen := map[string]bool{"type": true, "id": true}
	for range m.n(5) {
		if key := m.name(); !seen[key] {
			seen[key] = true
			members = append(members, wire.Member{Key: key, Value: m.value(0)})
		}
	}
	n, err := goon.NewNode(m.name(), m.id(), members...)
	if err != nil {
		panic(err)
	}
	return n
}

func (m *maker) int() goon.Optional[int64] {
	if m.n(2) == 0 {
		return goon.Optional[int64]{}
	}
	return goon.Optional[int64]{Value: int64(m.n(3)), Valid: true}
}

func (m *maker) response() *goon.Response {
	r := &goon.Response{QueryType: []string{"traversal", "aggregation", "path_finding", "aggregation", m.string()}[m.n(5)]}
	for range m.n(5) {
		r.Nodes = append(r.Nodes, m.node())
	}
	for range m.n(5) {
		r.Edges = append(r.Edges, goon.Edge{Type: m.name(), From: m.name(), FromID: m.id(), To: m.name(), ToID: m.id(),
			Depth: m.int(), PathID: m.int(), Step: m.int()})
	}
	for range m.n(3) {
		r.GroupColumns = append(r.GroupColumns, goon.GroupColumn{Name: m.name(), Kind: []string{"node", "node", "property", m.string()}[m.n(4)],
			Property: m.string(), Entity: m.string()})
	}
	for range m.n(3) {
		r.Columns = append(r.Columns, goon.Column{Name: m.name(), Function: m.string(), Target: m.string(), Property: m.string()})
	}
	for range m.n(5) {
		var members []wire.Member
		seen := map[string]bool{}
		add := func(key string) {
			if seen[key] || m.n(4) == 0 {
				return
			}
			seen[key] = true
			cell := m.value(0)
			if m.n(3) > 0 {
				cell = m.node().Cell()
			}
			members = append(members, wire.Member{Key: key, Value: cell})
		}
		for _, c := range r.GroupColumns {
			add(c.Name)
		}
		for _, c := range r.Columns {
			add(c.Name)
		}
		row, err := wire.Object(members...)
		if err != nil {
			panic(err)
		}
		r.Rows = append(r.Rows, row)
	}
	if m.n(3) == 0 {
		cursor, total := m.string(), uint64(m.byte())
		r.Pagination = &goon.Pagination{HasMore: m.n(2) == 0, Truncated: m.n(2) == 0}
		if m.n(2) == 0 {
			r.Pagination.NextCursor = goon.Optional[string]{Value: cursor, Valid: true}
		}
		if m.n(2) == 0 {
			r.Pagination.TotalRows = goon.Optional[uint64]{Value: total, Valid: true}
		}
	}
	if m.n(6) == 0 {
		r.Header = []goon.Field{{Name: "x" + m.string(), Value: m.string()}}
	}
	return r
}

// drops reports whether a string of v holds a character that quoting drops.
func drops(v wire.Value) bool {
	dropped := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool {
			return r < 0x20 && r != '\n' && r != '\r' && r != '\t' || r >= 0x7F && r < 0xA0 && r != 0x85
		})
	}
	switch v.Kind() {
	case wire.KindString:
		return dropped(v.Text())
	case wire.KindObject, wire.KindArray:
		for e := range v.Elements() {
			if drops(e) {
				return true
			}
		}
	}
	return false
}

// withoutPath reports whether a response has an edge that cannot be written.
func withoutPath(r *goon.Response) bool {
	return r.QueryType == "path_finding" && slices.ContainsFunc(r.Edges, func(e goon.Edge) bool {
		return !e.PathID.Valid
	})
}

// checkResponse holds one response to the properties of the format.
func checkResponse(t *testing.T, r *goon.Response, seed uint64) {
	c := goon.Codec{}
	x, err := c.AppendResponse(nil, r)
	if withoutPath(r) {
		require.ErrorIs(t, err, wire.ErrShape)
		return
	}
	require.NoError(t, err)

	// Purity, into a buffer with room as well.
	again, err := c.AppendResponse(make([]byte, 0, 2*len(x)+1000), r)
	require.NoError(t, err)
	require.Equal(t, string(x), string(again))

	// No string adds a line or begins one, nor does a control character stay.
	require.True(t, bytes.HasPrefix(x, []byte("@header\n")))
	require.True(t, bytes.HasSuffix(x, []byte("\n")))
	require.False(t, bytes.ContainsFunc(x, func(r rune) bool {
		return r < 0x20 && r != '\n' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029
	}))
	var marks []string
	for line := range strings.Lines(string(x)) {
		if line[0] == '@' {
			marks = append(marks, strings.TrimSpace(line))
		}
	}
	want := []string{"@header", "@nodes", "@edges", "@rows"}
	if r.QueryType == "path_finding" {
		want[2] = "@paths"
	}
	if r.Rows == nil && r.QueryType != "aggregation" {
		want = want[:3]
	}
	require.Equal(t, want, marks, "%s", x)

	// Strict decoding checks the grammar of every line, and every count.
	decoded, err := c.DecodeResponse(x)
	require.NoError(t, err, "%s", x)
	y, err := c.AppendResponse(nil, decoded)
	require.NoError(t, err)
	if !drops(r.Value()) {
		require.Equal(t, string(x), string(y)) // P1
	}
	checkFixpoint(t, y)

	// By way of the value.
	v := codectest.Decoded(t, c, x)
	y = codectest.Encoded(t, c, v)
	checkFixpoint(t, y)

	// The order of nodes and edges does not show.
	if r.QueryType != "aggregation" {
		shuffled := *r
		shuffled.Nodes = append([]goon.Node(nil), r.Nodes...)
		shuffled.Edges = append([]goon.Edge(nil), r.Edges...)
		rnd := rand.New(rand.NewPCG(seed, 1))
		rnd.Shuffle(len(r.Nodes), func(i, j int) { shuffled.Nodes[i], shuffled.Nodes[j] = shuffled.Nodes[j], shuffled.Nodes[i] })
		rnd.Shuffle(len(r.Edges), func(i, j int) { shuffled.Edges[i], shuffled.Edges[j] = shuffled.Edges[j], shuffled.Edges[i] })
		z, err := c.AppendResponse(nil, &shuffled)
		require.NoError(t, err)
		require.Equal(t, string(x), string(z))
	}
}

// checkFixpoint holds a text to P2: what the encoder wrote of a decoded text
// stays as it is.
func checkFixpoint(t *testing.T, y []byte) {
	for _, c := range []goon.Codec{{}, {Strict: true}, {Lenient: true}} {
		doc, err := decodeNoted(c, y)
		require.NoError(t, err, "%s", y)
		if len(doc.Warnings) > 0 {
			t.Fatalf("warning %v for %s", doc.Warnings[0], y)
		}
		z, err := c.AppendResponse(nil, doc.Response)
		require.NoError(t, err)
		require.Equal(t, string(y), string(z), "lenient: %v", c.Lenient)
	}
}

func FuzzResponse(f *testing.F) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 64 {
		seed := make([]byte, 400)
		for i := range seed {
			seed[i] = byte(rnd.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := maker{data}
		checkResponse(t, m.response(), uint64(len(data)))
	})
}

// The same without a fuzzer, on many responses.
func TestRandomResponses(t *testing.T) {
	n := 4_000
	if testing.Short() {
		n = 400
	}
	rnd := rand.New(rand.NewPCG(11, 3))
	data := make([]byte, 600)
	for i := range n {
		for j := range data {
			data[j] = byte(rnd.Uint32())
		}
		m := maker{data}
		checkResponse(t, m.response(), uint64(i))
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range documents {
		f.Add([]byte(c.goon))
		f.Add([]byte(strings.ReplaceAll(c.goon, "\n", "\r\n")))
	}
	for _, c := range properties {
		f.Add([]byte(document("1 " + c.goon + "\n")))
	}
	f.Add([]byte("@header\n@nodes\nWork Item(1):\n1 a=2026-05-08 22:55:58Z b=\"x\\y\n\n@hints\n@rows\na=1 b=2\nb=1 a=1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range []goon.Codec{{}, {Strict: true}, {Lenient: true}} {
			r, err := c.DecodeResponse(data)
			v, valueErr := c.Decode(data)
			require.Equal(t, err == nil, valueErr == nil)
			if err != nil {
				require.IsType(t, (*wire.Error)(nil), err)
				require.True(t, v.Kind() == wire.KindNull)
				continue
			}
			_ = r.Validate()
			y, err := c.AppendResponse(nil, r)
			if withoutPath(r) {
				require.ErrorIs(t, err, wire.ErrShape)
				continue
			}
			require.NoError(t, err)
			again, err := goon.Codec{Strict: true}.DecodeResponse(y)
			require.NoError(t, err, "%s", y)
			z, err := c.AppendResponse(nil, again)
			require.NoError(t, err)
			if !drops(r.Value()) {
				require.Equal(t, string(y), string(z))
			}
		}
	})
}
