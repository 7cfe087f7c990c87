package gcf

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// PackRoot returns the identity of a graph's symbols and edges by the algorithm
// gcf-pack-root-v1 (section 10.2): "sha256:" and 64 hexadecimal digits. It does
// not depend on their order, on the header's fields or on the status of edges.
//
// Scores are rounded to two decimals first, as the wire carries them, so that
// whoever decodes the graph computes the same root. An implementation that
// hashes more decimals agrees only on scores that have no more;
// [packRootFullScores] gives its root.
func PackRoot(g *Graph) (string, error) {
	return packRoot(g, roundedScores)
}

// packRootFullScores is [PackRoot] with every decimal of the scores, as section
// 10.2 has it: the root that implementations compute which do not round. Two
// graphs have it in common only if neither went over the wire, or if their
// scores have two decimals. [ApplyDelta] takes roots of either form.
func packRootFullScores(g *Graph) (string, error) {
	return packRoot(g, fullScores)
}

func packRoot(g *Graph, form scoreForm) (string, error) {
	var e graphEncoder
	if err := e.prepare(g); err != nil {
		return "", err
	}
	return e.packRoot(form), nil
}

// scoreForm says how a pack root hashes scores.
type scoreForm uint8

const (
	roundedScores scoreForm = iota // to two decimals
	fullScores
)

// hasRoot reports whether root, of either form, is the graph's.
func (g *Graph) hasRoot(root string) bool {
	for _, form := range [...]scoreForm{roundedScores, fullScores} {
		if is, err := packRoot(g, form); err == nil && is == root {
			return true
		}
	}
	return false
}

// packRoot hashes the prepared graph, once. An edge's record is sorted by its source,
// then by its target: names hold no characters below the tab that ends them, so
// the order of records is that of their fields, and the ranks of symbols stand
// for the first four.
func (e *graphEncoder) packRoot(form scoreForm) string {
	symbols := e.graph.Symbols
	kinds, kindOf := kindRanks(symbols)
	order := recordOrder(symbols, kindOf)
	ranks := make([]int32, len(symbols))
	w := lex.NewRootWriter()
	for rank, at := range order {
		ranks[at] = int32(rank)
		s := &symbols[at]
		w.Buf = append(append(append(w.Buf, 'S', '\t'), kinds[kindOf[at]]...), '\t')
		w.Buf = append(append(w.Buf, s.QualifiedName...), '\t')
		if form == fullScores {
			w.Buf, _ = lex.AppendNumber(w.Buf, wire.Float(s.Score))
		} else {
			w.Buf = canonicalScore(w.Buf, s.Score)
		}
		w.Buf = append(append(append(w.Buf, '\t'), s.Provenance...), '\t')
		w.Buf = append(appendID(w.Buf, s.Distance), '\n')
		w.Flush(lex.RootBuffer)
	}
	for i := range e.links {
		l := &e.links[i]
		l.source, l.target = ranks[l.source], ranks[l.target]
	}
	e.sortLinks(len(symbols))
	for _, l := range e.links {
		edgeType, _ := e.edgeWords(l)
		source, target := order[l.source], order[l.target]
		w.Buf = append(append(append(w.Buf, 'E', '\t'), kinds[kindOf[source]]...), '\t')
		w.Buf = append(append(w.Buf, symbols[source].QualifiedName...), '\t')
		w.Buf = append(append(w.Buf, kinds[kindOf[target]]...), '\t')
		w.Buf = append(append(w.Buf, symbols[target].QualifiedName...), '\t')
		w.Buf = append(append(w.Buf, edgeType...), '\n')
		w.Flush(lex.RootBuffer)
	}
	return w.Sum()
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

// canonicalScore appends the rounded score by the rules for numbers (section
// 2.3.1).
func canonicalScore(dst []byte, score float64) []byte {
	n, ok := hundredths(score)
	if !ok {
		dst, _ = lex.AppendNumber(dst, wire.Float(roundScore(score)))
		return dst
	}
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = appendID(dst, int(n/100))
	switch {
	case n%100 == 0:
		return dst
	case n%10 == 0:
		return append(dst, '.', byte('0'+n/10%10))
	}
	return append(dst, '.', byte('0'+n/10%10), byte('0'+n%10))
}

// recordOrder returns the positions of the symbols in the order of their
// records: by abbreviated kind, then by name. A key holds the rank of the kind
// and seven bytes of the name after what all names begin with.
func recordOrder(symbols []Symbol, kindOf []int32) []int32 {
	prefix := commonPrefix(symbols)
	// What more bytes would tell apart in a small graph is faster compared.
	unused := uint64(0)
	if len(symbols) < manyNames {
		unused = 1<<24 - 1
	}
	keys := make([]sortKey, len(symbols))
	for i := range symbols {
		key := uint64(min(kindOf[i], 1<<8-1))<<56 | head(symbols[i].QualifiedName[prefix:])>>8
		keys[i] = sortKey{key &^ unused, int32(i)}
	}
	return sortByKey(keys, func(a, b int32) int {
		s, t := &symbols[a], &symbols[b]
		if s.Kind != t.Kind {
			if c := strings.Compare(shortKind(s.Kind), shortKind(t.Kind)); c != 0 {
				return c
			}
		}
		return strings.Compare(s.QualifiedName[prefix:], t.QualifiedName[prefix:])
	})
}

// kindRanks returns the abbreviated kinds in their byte order, and the number of
// each symbol's.
func kindRanks(symbols []Symbol) (sorted []string, ranks []int32) {
	const few = 24 // kinds that are compared one by one
	var seen []string
	var index map[string]int32
	ranks = make([]int32, len(symbols)) // first: the position in seen
	for i := range symbols {
		kind := symbols[i].Kind
		at, ok := int32(0), false
		if index != nil {
			at, ok = index[kind]
		} else {
			at = int32(slices.Index(seen, kind))
			ok = at >= 0
		}
		if !ok {
			at = int32(len(seen))
			seen = append(seen, kind)
			if len(seen) == few {
				index = make(map[string]int32, 4*few)
				for n, k := range seen {
					index[k] = int32(n)
				}
			} else if index != nil {
				index[kind] = at
			}
		}
		ranks[i] = at
	}
	kinds := make([]string, len(seen))
	for n, kind := range seen {
		kinds[n] = shortKind(kind)
	}
	sorted = slices.Compact(slices.Sorted(slices.Values(kinds)))
	byPosition := make([]int32, len(seen))
	for n, kind := range kinds {
		rank, _ := slices.BinarySearch(sorted, kind)
		byPosition[n] = int32(rank)
	}
	for i, at := range ranks {
		ranks[i] = byPosition[at]
	}
	return sorted, ranks
}

// commonPrefix returns the length of what all names begin with.
func commonPrefix(symbols []Symbol) int {
	if len(symbols) == 0 {
		return 0
	}
	first := symbols[0].QualifiedName
	n := len(first)
	for i := range symbols {
		name := symbols[i].QualifiedName
		if n = min(n, len(name)); name[:n] != first[:n] {
			for n = 0; name[n] == first[n]; n++ {
			}
		}
	}
	return n
}

// head returns the first eight bytes of s as a number that sorts as they do.
func head(s string) uint64 {
	if len(s) >= 8 {
		return bits.ReverseBytes64(scan.Load64(s, 0))
	}
	var n uint64
	for i := range min(len(s), 8) {
		n |= uint64(s[i]) << (56 - 8*i)
	}
	return n
}
