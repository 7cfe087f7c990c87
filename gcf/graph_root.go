package gcf

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math/bits"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// rootPrefix names the algorithm's hash (section 10.2).
const rootPrefix = "sha256:"

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
	w := newRootWriter()
	for rank, at := range order {
		ranks[at] = int32(rank)
		s := &symbols[at]
		w.buf = append(append(append(w.buf, 'S', '\t'), kinds[kindOf[at]]...), '\t')
		w.buf = append(append(w.buf, s.QualifiedName...), '\t')
		if form == fullScores {
			w.buf, _ = appendNumber(w.buf, wire.Float(s.Score))
		} else {
			w.buf = canonicalScore(w.buf, s.Score)
		}
		w.buf = append(append(append(w.buf, '\t'), s.Provenance...), '\t')
		w.buf = append(appendID(w.buf, s.Distance), '\n')
		w.flush(rootBuffer)
	}
	for i := range e.links {
		l := &e.links[i]
		l.source, l.target = ranks[l.source], ranks[l.target]
	}
	e.sortLinks(len(symbols))
	for _, l := range e.links {
		edgeType, _ := e.edgeWords(l)
		source, target := order[l.source], order[l.target]
		w.buf = append(append(append(w.buf, 'E', '\t'), kinds[kindOf[source]]...), '\t')
		w.buf = append(append(w.buf, symbols[source].QualifiedName...), '\t')
		w.buf = append(append(w.buf, kinds[kindOf[target]]...), '\t')
		w.buf = append(append(w.buf, symbols[target].QualifiedName...), '\t')
		w.buf = append(append(w.buf, edgeType...), '\n')
		w.flush(rootBuffer)
	}
	return w.sum()
}

// checkRoot reports a pack root that is another graph's. Scores on the wire have two
// decimals, so that a root over more is one too.
func (g *Graph) checkRoot() error {
	if !strings.HasPrefix(g.PackRoot, rootPrefix) {
		return nil // none, or of an algorithm that is not known
	}
	root, err := PackRoot(g)
	if err == nil && root != g.PackRoot {
		err = rootMismatch(root, g.PackRoot)
	}
	return err
}

// rootWriter collects records for the hash.
type rootWriter struct {
	hash hash.Hash
	buf  []byte
}

// rootBuffer is how much is collected before it is hashed.
const rootBuffer = 8 << 10

func newRootWriter() rootWriter {
	return rootWriter{hash: sha256.New(), buf: make([]byte, 0, rootBuffer+rootBuffer/4)}
}

func (w *rootWriter) flush(atLeast int) {
	if len(w.buf) >= atLeast {
		w.hash.Write(w.buf)
		w.buf = w.buf[:0]
	}
}

func (w *rootWriter) sum() string {
	w.flush(1)
	var sum [sha256.Size]byte
	return rootPrefix + hex.EncodeToString(w.hash.Sum(sum[:0]))
}

// canonicalScore appends the rounded score by the rules for numbers (section
// 2.3.1).
func canonicalScore(dst []byte, score float64) []byte {
	n, ok := hundredths(score)
	if !ok {
		dst, _ = appendNumber(dst, wire.Float(roundScore(score)))
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
// and seven bytes of the name behind what all names begin with.
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

// isRoot reports whether s is a root of the algorithm that this package knows:
// others are unknown roots (section 10.2).
func isRoot(s string) bool {
	digits, ok := strings.CutPrefix(s, rootPrefix)
	return ok && len(digits) == 2*sha256.Size && strings.Trim(digits, "0123456789abcdef") == ""
}
