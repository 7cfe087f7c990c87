package gcf

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// PackRoot returns the identity of a graph's symbols and edges by the algorithm
// gcf-pack-root-v1 (section 10.2): "sha256:" and 64 hexadecimal digits. It does
// not depend on their order, on the header's fields or on the status of edges.
//
// Scores are rounded to two decimals first, as the wire carries them, so that
// whoever decodes the graph computes the same root. An implementation that
// hashes more decimals agrees only on scores that have no more.
func PackRoot(g *Graph) (string, error) { return packRoot(g, roundScore) }

// packRoot is PackRoot over what score makes of the scores: roundScore or fullScore.
func packRoot(g *Graph, score func(float64) float64) (string, error) {
	var e graphEncoder
	if err := e.prepare(g); err != nil {
		return "", err
	}
	return e.packRoot(score), nil
}

// fullScore keeps every decimal, as section 10.2 has it: implementations that do not
// round compute such roots. Two graphs have one in common only if neither went over
// the wire, or if their scores have two decimals.
func fullScore(score float64) float64 { return score }

// hasFullRoot reports whether root is the graph's over scores with every decimal.
func (g *Graph) hasFullRoot(root string) bool {
	is, err := packRoot(g, fullScore)
	return err == nil && is == root
}

// packRoot hashes the prepared graph, once. An edge's record is sorted by its source,
// then by its target: names hold no characters below the tab that ends them, so
// the order of records is that of their fields, and the ranks of symbols order the
// first four.
func (e *graphEncoder) packRoot(score func(float64) float64) string {
	symbols := e.graph.Symbols
	order := recordOrder(symbols)
	ranks := make([]int32, len(symbols))
	w := lex.NewRootWriter()
	for rank, at := range order {
		ranks[at] = int32(rank)
		s := &symbols[at]
		w.Buf = append(s.appendRef(append(w.Buf, 'S', '\t')), '\t')
		w.Buf, _ = lex.AppendFloat(w.Buf, score(s.Score))
		w.Buf = append(append(append(w.Buf, '\t'), s.Provenance...), '\t')
		w.Buf = append(decimal.AppendInt(w.Buf, int64(s.Distance)), '\n')
		w.Flush()
	}
	e.renumber(ranks)
	for _, l := range e.sortedLinks() {
		w.Buf = append(symbols[order[l.source()]].appendRef(append(w.Buf, 'E', '\t')), '\t')
		w.Buf = append(symbols[order[l.target()]].appendRef(w.Buf), '\t')
		w.Buf = append(append(w.Buf, e.graph.Edges[l.at].Type...), '\n')
		w.Flush()
	}
	return w.Sum()
}

// appendRef appends what identifies the symbol in a record.
func (s *Symbol) appendRef(dst []byte) []byte {
	return append(append(append(dst, shortKind(s.Kind)...), '\t'), s.QualifiedName...)
}

// checkRoot reports a pack root that is another graph's. Scores on the wire have two
// decimals, so that a root over more is one too.
func (g *Graph) checkRoot() error {
	if !strings.HasPrefix(g.PackRoot, lex.RootPrefix) {
		return nil // none, or of an algorithm that is not known
	}
	root, err := PackRoot(g)
	if err == nil && root != g.PackRoot {
		err = lex.RootMismatch(root, g.PackRoot)
	}
	return err
}

// recordOrder returns the positions of the symbols in the order of their
// records: by abbreviated kind, then by name.
func recordOrder(symbols []Symbol) []int32 {
	prefix := "" // of all names
	if len(symbols) > 0 {
		prefix = symbols[0].QualifiedName
	}
	for i := range symbols {
		if name := symbols[i].QualifiedName; !strings.HasPrefix(name, prefix) {
			prefix = prefix[:scan.CommonPrefix(prefix, name)]
		}
	}
	byKind := make(map[string][]sortKey)
	for i := range symbols {
		s := &symbols[i]
		var head [8]byte // of what names begin to differ with
		copy(head[:], s.QualifiedName[len(prefix):])
		kind := shortKind(s.Kind)
		byKind[kind] = append(byKind[kind], sortKey{binary.BigEndian.Uint64(head[:]), int32(i)})
	}
	order := make([]int32, 0, len(symbols))
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		for _, k := range sortByKey(byKind[kind], func(a, b int32) int {
			return strings.Compare(symbols[a].QualifiedName, symbols[b].QualifiedName)
		}) {
			order = append(order, k.at)
		}
	}
	return order
}
