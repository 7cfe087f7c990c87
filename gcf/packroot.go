package gcf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math/bits"
	"slices"
	"strconv"
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
// hashes more decimals agrees only on scores that have no more.
func PackRoot(g *Graph) (string, error) {
	var e graphEncoder
	if err := e.prepare(g); err != nil {
		return "", err
	}
	return e.packRoot(), nil
}

// packRoot hashes the prepared graph. An edge's record is sorted by its source,
// then by its target: names hold no characters below the tab that ends them, so
// the order of records is that of their fields, and the ranks of symbols stand
// for the first four. These are written as they stand in the symbols' records.
func (e *graphEncoder) packRoot() string {
	symbols := e.graph.Symbols
	order := recordOrder(symbols)
	ranks := make([]int32, len(symbols))
	ends := make([]recordEnd, len(symbols))
	b := make([]byte, 0, e.size+rootBuffer)
	var scores [32]byte
	for rank, at := range order {
		ranks[at] = int32(rank)
		s := &symbols[at]
		b = append(b, 'S', '\t')
		from := len(b)
		b = append(append(b, shortKind(s.Kind)...), '\t')
		b = append(append(b, s.QualifiedName...), '\t')
		ends[rank] = recordEnd{from, len(b)}
		b = append(append(b, canonicalScore(scores[:0], s.Score)...), '\t')
		b = append(append(b, s.Provenance...), '\t')
		b = append(appendID(b, s.Distance), '\n')
	}
	w := rootWriter{hash: sha256.New(), buf: b[len(b):]}
	w.hash.Write(b)
	for i := range e.links {
		l := &e.links[i]
		l.source, l.target = ranks[l.source], ranks[l.target]
	}
	e.sortLinks(len(symbols))
	for _, l := range e.links {
		source, target := ends[l.source], ends[l.target]
		edgeType, _ := e.edgeWords(l)
		w.buf = append(append(w.buf, 'E', '\t'), b[source.from:source.to]...)
		w.buf = append(append(append(w.buf, b[target.from:target.to]...), edgeType...), '\n')
		w.flush(rootBuffer)
	}
	return w.sum()
}

// recordEnd is where a symbol's kind and name stand among the records, each with
// the tab behind it.
type recordEnd struct{ from, to int }

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
	dst = strconv.AppendInt(dst, n/100, 10)
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
func recordOrder(symbols []Symbol) []int32 {
	ranks := newKindRanks(symbols)
	prefix := commonPrefix(symbols)
	keys := make([]sortKey, len(symbols))
	for i := range symbols {
		s := &symbols[i]
		keys[i] = sortKey{uint64(min(ranks.of(s.Kind), 1<<8-1))<<56 | head(s.QualifiedName[prefix:])>>8, int32(i)}
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

// kindRanks numbers the abbreviated kinds of symbols in their byte order.
type kindRanks struct {
	kinds  []string // abbreviated
	seen   []string // as the symbols have them, with the ranks of these
	ranks  []int
	byKind map[string]int // once there are many
}

// fewKinds is the number of kinds up to which they are compared one by one.
const fewKinds = 24

func newKindRanks(symbols []Symbol) *kindRanks {
	r := &kindRanks{}
	for i := range symbols {
		r.add(symbols[i].Kind)
	}
	slices.Sort(r.kinds)
	r.kinds = slices.Compact(r.kinds)
	if r.byKind != nil {
		for rank, kind := range r.kinds {
			r.byKind[kind] = rank
		}
		return r
	}
	for _, kind := range r.seen {
		rank, _ := slices.BinarySearch(r.kinds, shortKind(kind))
		r.ranks = append(r.ranks, rank)
	}
	return r
}

func (r *kindRanks) add(kind string) {
	if r.byKind != nil {
		if _, ok := r.byKind[shortKind(kind)]; ok {
			return
		}
		r.byKind[shortKind(kind)] = 0
	} else {
		for _, k := range r.seen {
			if k == kind {
				return
			}
		}
		r.seen = append(r.seen, kind)
		if len(r.seen) > fewKinds {
			r.byKind = make(map[string]int)
			for _, k := range r.seen {
				r.byKind[shortKind(k)] = 0
			}
		}
	}
	r.kinds = append(r.kinds, shortKind(kind))
}

// of returns the rank of a symbol's kind.
func (r *kindRanks) of(kind string) int {
	if r.byKind != nil {
		return r.byKind[shortKind(kind)]
	}
	for i, k := range r.seen {
		if k == kind {
			return r.ranks[i]
		}
	}
	return 0
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
	if !ok || len(digits) != 2*sha256.Size {
		return false
	}
	for i := range len(digits) {
		if c := digits[i]; c-'0' > 9 && c-'a' > 5 {
			return false
		}
	}
	return true
}

// GenericPackRoot returns the identity of a set by the algorithm
// gcf-pack-root-v1 (section 10a.3): "sha256:" and 64 hexadecimal digits. It does
// not depend on the order of rows and fields nor on the set's name. A field that
// a row does not have counts as null.
func GenericPackRoot(s *Set) (string, error) {
	t, err := newKeyedRows(s)
	if err != nil {
		return "", err
	}
	return t.packRoot(), nil
}

// packRoot hashes the rows' records in their byte order.
func (t *keyedRows) packRoot() string {
	w := newRootWriter()
	order := make([]int, len(t.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(t.record(a), t.record(b)) })
	for _, i := range order {
		w.buf = append(w.buf, t.record(i)...)
		w.flush(rootBuffer)
	}
	return w.sum()
}

// appendCanonical appends a scalar as it is hashed (section 10a.3): strings
// always in quotation marks. It reports false for a number outside the domain.
func appendCanonical(dst []byte, v wire.Value) ([]byte, bool) {
	switch v.Kind() {
	case wire.KindNull:
		return append(dst, '-'), true
	case wire.KindBool:
		return strconv.AppendBool(dst, v.Bool()), true
	case wire.KindNumber:
		return appendNumber(dst, v)
	case wire.KindString:
		return scan.AppendQuote(dst, v.Text()), true
	}
	return scan.AppendQuote(dst, string(v.AppendText(nil))), true
}
