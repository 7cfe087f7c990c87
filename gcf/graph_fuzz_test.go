package gcf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

func addGraphs(f *testing.F) {
	for _, c := range graphVectors {
		f.Add([]byte(graphHeader + c.doc))
	}
	for _, c := range graphDocuments {
		f.Add([]byte(graphHeader + c.doc))
	}
	for _, c := range graphErrors {
		f.Add([]byte(graphHeader + c.doc))
	}
	for _, c := range deltaDocuments {
		f.Add([]byte(graphHeader + " delta=true base_root=a new_root=b\n" + c.doc))
	}
}

// FuzzGraphDecode reads arbitrary bytes as a graph, whole and as a stream. What
// is read must encode, and come back the same from its own document.
func FuzzGraphDecode(f *testing.F) {
	addGraphs(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		g, err := gcf.Decode(src)
		streamed, streamErr := readGraphStream(bytes.NewReader(src))
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("whole: %v, as a stream: %v", err, streamErr)
		}
		if _, deltaErr := gcf.DecodeDelta(src); deltaErr == nil && err == nil {
			t.Fatal("both a graph and a delta")
		}
		if err != nil {
			var e *wire.Error
			if !errors.As(err, &e) || e.Code == "" || e.Kind == nil || e.Line == 0 || g != nil {
				t.Fatalf("poor error %#v with graph %v", err, g)
			}
			return
		}
		require.Equal(t, g, streamed)
		doc, err := gcf.Encode(g)
		if err != nil {
			// What only a header of another program can hold.
			requireCode(t, err, "invalid_header_value")
			return
		}
		back, err := gcf.Decode(doc)
		require.NoError(t, err, "%s", doc)
		again, err := gcf.Encode(back)
		require.NoError(t, err)
		require.Equal(t, string(doc), string(again))
		root, err := gcf.PackRoot(g)
		require.NoError(t, err)
		same, err := gcf.PackRoot(back)
		require.NoError(t, err)
		require.Equal(t, root, same)
	})
}

// FuzzGraphEncode makes a graph of arbitrary words. What encodes must come back.
func FuzzGraphEncode(f *testing.F) {
	f.Add("a b", "fn", "p", 0.785, 0, "calls", "added")
	f.Add("#", "##", "@0", -0.125, 3, "# x", "unchanged")
	f.Add("\u00a0", "\u2028", "\xff", 1e300, -1, "", "a\nb")
	f.Fuzz(func(t *testing.T, name, kind, provenance string, score float64, distance int, edgeType, status string) {
		g := &gcf.Graph{Tool: kind, PackRoot: provenance,
			Symbols: []gcf.Symbol{{QualifiedName: name, Kind: kind, Score: score, Provenance: provenance, Distance: distance}, fn("other", score/2, distance/2)},
			Edges:   []gcf.Edge{{Source: name, SourceKind: kind, Target: "other", TargetKind: "fn", EdgeType: edgeType, Status: status}},
		}
		doc, err := gcf.Encode(g)
		var s gcf.Session
		session, sessionErr := gcf.EncodeWithSession(g, &s)
		if (err == nil) != (sessionErr == nil) {
			t.Fatalf("plain: %v, in a session: %v", err, sessionErr)
		}
		if err != nil {
			return
		}
		back, err := gcf.Decode(doc)
		require.NoError(t, err, "%q", doc)
		require.Len(t, back.Symbols, 2)
		require.Equal(t, g.Tool, back.Tool)
		require.Equal(t, g.PackRoot, back.PackRoot)
		i := slices.IndexFunc(back.Symbols, func(s gcf.Symbol) bool { return s.QualifiedName == name && s.Provenance == provenance })
		require.GreaterOrEqual(t, i, 0)
		require.Equal(t, distance, back.Symbols[i].Distance)
		require.Equal(t, fmt.Sprintf("%.2f", score), fmt.Sprintf("%.2f", back.Symbols[i].Score))
		require.Equal(t, edgeType, back.Edges[0].EdgeType)
		var d gcf.SessionDecoder
		inSession, err := d.Decode(session)
		require.NoError(t, err)
		require.Equal(t, back, inSession)
	})
}

// randomGraph returns a graph of few names, so that two of them share much.
func randomGraph(r *rand.Rand) *gcf.Graph {
	g := &gcf.Graph{Tool: "t"}
	kinds := []string{"function", "type", "fn", "widget"}
	seen := map[string]bool{}
	for range r.IntN(12) {
		s := gcf.Symbol{QualifiedName: fmt.Sprint("n", r.IntN(14)), Kind: kinds[r.IntN(len(kinds))], Score: float64(r.IntN(300)) / 200,
			Provenance: fmt.Sprint("p", r.IntN(2)), Distance: r.IntN(5)}
		if r.IntN(8) > 0 {
			s.Kind = "method" // mostly one kind a name, so that most edges are clear
		}
		key := strings.ReplaceAll(s.Kind, "function", "fn") + s.QualifiedName
		if !seen[key] {
			seen[key] = true
			g.Symbols = append(g.Symbols, s)
		}
	}
	for range r.IntN(14) {
		if len(g.Symbols) == 0 {
			break
		}
		s, u := g.Symbols[r.IntN(len(g.Symbols))], g.Symbols[r.IntN(len(g.Symbols))]
		e := gcf.Edge{Source: s.QualifiedName, Target: u.QualifiedName, EdgeType: fmt.Sprint("t", r.IntN(3))}
		if r.IntN(10) == 0 {
			e.Status = "added"
		}
		if r.IntN(3) == 0 {
			e.SourceKind, e.TargetKind = s.Kind, u.Kind
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

// FuzzGraphPairs turns one graph into another by a delta: the result has the
// other's root. The same graphs through one session come out as they went in.
func FuzzGraphPairs(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		var s gcf.Session
		var d gcf.SessionDecoder
		if seed%3 == 0 {
			s.MaxSymbols = 10
		}
		var last *gcf.Graph
		for range 6 {
			g := randomGraph(r)
			doc, err := gcf.Encode(g)
			if err != nil {
				requireCode(t, err, "ambiguous_edge_reference")
				continue
			}
			plain, err := gcf.Decode(doc)
			require.NoError(t, err)
			payload, err := gcf.EncodeWithSession(g, &s)
			require.NoError(t, err)
			got, err := d.Decode(payload)
			require.NoError(t, err, "%s", payload)
			require.Equal(t, plain.Symbols, got.Symbols)
			require.ElementsMatch(t, plain.Edges, got.Edges)
			if root, err := gcf.PackRoot(g); err != nil || root != naiveRoot(plain) {
				t.Fatalf("%v: root %s, want %s", err, root, naiveRoot(plain))
			}
			if last != nil {
				requireDelta(t, last, g)
			}
			last = g
		}
	})
}

// requireDelta checks that the delta from base to next does what it should, or
// that there is none.
func requireDelta(t *testing.T, base, next *gcf.Graph) {
	delta, err := gcf.DiffGraphs(base, next)
	if err != nil {
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, []string{"ambiguous_edge_reference", "duplicate_edge", "unsupported_status", "malformed_delta"}, e.Code)
		return
	}
	doc, err := gcf.EncodeDelta(delta)
	require.NoError(t, err)
	read, err := gcf.DecodeDelta(doc)
	require.NoError(t, err, "%s", doc)
	got, err := gcf.ApplyDelta(base, read)
	require.NoError(t, err, "%s", doc)
	root, err := gcf.PackRoot(next)
	require.NoError(t, err)
	require.Equal(t, root, got.PackRoot)
	require.Len(t, got.Symbols, len(next.Symbols))
	require.Len(t, got.Edges, len(next.Edges))
}

// FuzzDelta reads arbitrary bytes as deltas of both profiles. What is read must
// encode to a document that reads the same.
func FuzzDelta(f *testing.F) {
	addGraphs(f)
	for _, c := range genericDeltaDocuments {
		f.Add([]byte("GCF profile=generic delta=true base_root=a new_root=b key=id\n" + c.doc))
	}
	for _, c := range setPairs {
		f.Add([]byte("GCF profile=generic delta=true base_root=a new_root=b key=id savings=5%\n" + c.body))
	}
	for _, c := range setVectors {
		f.Add([]byte("GCF profile=generic pack_root=a key=id\n" + c.body))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if d, err := gcf.DecodeDelta(src); err == nil {
			if doc, err := gcf.EncodeDelta(d); err == nil {
				again, err := gcf.DecodeDelta(doc)
				require.NoError(t, err, "%s", doc)
				require.Equal(t, d, again)
			}
		}
		if d, err := gcf.DecodeGenericDelta(src); err == nil {
			if doc, err := gcf.EncodeGenericDelta(d); err == nil {
				again, err := gcf.DecodeGenericDelta(doc)
				require.NoError(t, err, "%s", doc)
				second, err := gcf.EncodeGenericDelta(again)
				require.NoError(t, err)
				require.Equal(t, string(doc), string(second))
			}
		}
		if s, err := gcf.DecodeSet(src); err == nil {
			doc, err := gcf.EncodeSet(s)
			if err != nil {
				return
			}
			again, err := gcf.DecodeSet(doc)
			require.NoError(t, err, "%s", doc)
			require.True(t, wire.Equal(wire.Array(s.Rows...), wire.Array(again.Rows...)))
		}
		if u, err := gcf.DecodeUnchanged(src); err == nil {
			if doc, err := gcf.EncodeUnchanged(u); err == nil {
				again, err := gcf.DecodeUnchanged(doc)
				require.NoError(t, err)
				require.Equal(t, u, again)
			}
		}
	})
}

// FuzzSetPairs sends sets through a session of deltas, which must end with what
// was sent.
func FuzzSetPairs(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, "text|x", 0.1)
	}
	f.Add(uint64(99), "\t\u2028\"", math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, seed uint64, text string, number float64) {
		r := rand.New(rand.NewPCG(seed, 5))
		if number != number || number-number != 0 {
			return
		}
		values := []wire.Value{wire.String(text), wire.Float(number), wire.Null(), wire.Bool(true), wire.Int(int64(seed)), wire.String("-"), wire.String("1")}
		sets := func() *gcf.Set {
			s := &gcf.Set{Key: "id", Fields: []string{"id", "a", "b c"}, Keyed: false}
			if r.IntN(10) == 0 {
				s.Fields = []string{"a", "id"}
			}
			for id := range r.IntN(8) {
				if r.IntN(3) == 0 {
					continue
				}
				members := []wire.Member{{Key: "id", Value: wire.Int(int64(id))}}
				if id == 3 {
					members[0].Value = wire.String(text + "id")
				}
				if r.IntN(3) > 0 {
					members = append(members, wire.Member{Key: "a", Value: values[r.IntN(len(values))]})
				}
				row, err := wire.Object(members...)
				require.NoError(t, err)
				s.Rows = append(s.Rows, row)
			}
			return s
		}
		session, p, err := gcf.NewDeltaSession(sets(), gcf.ReAnchor{Turns: int(seed%5) - 1, Size: seed%2 == 0})
		if err != nil {
			requireCode(t, err, "invalid_utf8")
			return
		}
		var receiver gcf.DeltaReceiver
		_, err = receiver.Receive(p.Wire)
		require.NoError(t, err, "%s", p.Wire)
		for range 8 {
			s := sets()
			p, err := session.Next(s)
			if err != nil {
				requireCode(t, err, "invalid_utf8")
				return
			}
			got, err := receiver.Receive(p.Wire)
			require.NoError(t, err, "%s", p.Wire)
			want, err := gcf.GenericPackRoot(s)
			require.NoError(t, err)
			is, err := gcf.GenericPackRoot(got)
			require.NoError(t, err)
			require.Equal(t, want, is)
			require.Equal(t, p.Root, receiver.Root())
		}
	})
}

// FuzzStream reads arbitrary bytes as a stream of the generic profile: the
// result is that of reading them at once.
func FuzzStream(f *testing.F) {
	for _, c := range streamDocuments {
		f.Add([]byte(c.doc))
	}
	for _, tt := range encodeVectors {
		f.Add([]byte(header + tt.body))
	}
	for _, tt := range decodeVectors {
		f.Add([]byte(tt.doc))
	}
	for _, tt := range errorVectors {
		f.Add([]byte(tt.doc))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		want, wantErr := gcf.DecodeGeneric(src)
		for _, reader := range readers {
			got, err := readStream(reader(bytes.NewReader(src)))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("as a stream: %v, whole: %v", err, wantErr)
			}
			if err == nil && !wire.Identical(want, got) {
				t.Fatalf("as a stream %v, whole %v", got, want)
			}
		}
	})
}

// FuzzRecords writes the elements of JSON arrays as records.
func FuzzRecords(f *testing.F) {
	for _, tt := range encodeVectors {
		f.Add([]byte(tt.json))
	}
	f.Add([]byte(`[{"a":1,"b":{"c":[1,{"d":2}]}},{"a":2},{"b":[[]],"a":"#"}]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := wire.ParseJSON(src)
		if err != nil || v.Kind() != wire.KindArray {
			return
		}
		keyLists := []*wire.Keys{nil}
		if v.Len() > 0 && v.Index(0).Kind() == wire.KindObject {
			keyLists = append(keyLists, v.Index(0).Keys())
		}
		for _, keys := range keyLists {
			var buf bytes.Buffer
			w, err := gcf.Codec{Limits: fuzzLimits}.NewRecordWriter(&buf, keys)
			if err != nil {
				continue
			}
			for record := range v.Elements() {
				if err = w.Write(record); err != nil {
					break
				}
			}
			if err != nil {
				continue
			}
			require.NoError(t, w.Close())
			whole, err := gcf.Codec{}.Decode(buf.Bytes())
			require.NoError(t, err, "%s", buf.Bytes())
			require.True(t, wire.Equal(v, whole), "%s\nwant %v\ngot  %v", buf.Bytes(), v, whole)
			var got []wire.Value
			for record, err := range (gcf.Codec{}).Records(bytes.NewReader(buf.Bytes())) {
				require.NoError(t, err)
				got = append(got, record)
			}
			require.True(t, wire.Identical(whole, wire.Array(got...)))
		}
	})
}
