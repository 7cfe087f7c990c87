package set

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// PackRoot returns the identity of a set by the algorithm
// gcf-pack-root-v1 (section 10a.3): "sha256:" and 64 hexadecimal digits. It does
// not depend on the order of rows and fields nor on the set's name. A field that
// a row does not have counts as null. Numbers count as the wire spells them, or
// as Set.Doubles says.
func PackRoot(s *Set) (string, error) {
	t, err := newKeyedRows(s)
	if err != nil {
		return "", err
	}
	return t.packRoot(), nil
}

// packRoot hashes the rows' records in their byte order.
func (t *keyedRows) packRoot() string {
	w := lex.NewRootWriter()
	for _, i := range inOrder(len(t.rows), func(a, b int) int { return bytes.Compare(t.record(a), t.record(b)) }) {
		w.Buf = append(w.Buf, t.record(i)...)
		w.Flush()
	}
	return w.Sum()
}

// inOrder returns the numbers below n in the order of compare.
func inOrder(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	return order
}

// nearestDouble returns a number with a point or an exponent as a double, and
// everything else as it is.
func nearestDouble(v wire.Value) wire.Value {
	if v.Kind() != wire.KindNumber || wire.Internal.IsFloat(v) {
		return v
	}
	var buf [32]byte
	text := wire.Internal.AppendText(buf[:0], v)
	if digits := bytes.TrimPrefix(text, []byte{'-'}); scan.Digits(digits, 0) == len(digits) {
		return v
	}
	if f, err := strconv.ParseFloat(string(text), 64); err == nil {
		return wire.Float(f)
	}
	return v
}

// appendCanonical appends a scalar as it is hashed (section 10a.3): strings
// always in quotation marks. It reports false for a number outside the domain.
func appendCanonical(dst []byte, v wire.Value) ([]byte, bool) {
	switch v.Kind() {
	case wire.KindNull, wire.KindBool, wire.KindNumber:
		return lex.AppendScalar(dst, v)
	case wire.KindString:
		return scan.AppendQuote(dst, v.Text()), true
	}
	return scan.AppendQuote(dst, string(wire.Internal.AppendText(nil, v))), true
}

// EncodeUnchanged returns the answer, of one line, that the consumer's set is still
// current: it is s, whose root [PackRoot] gave (section 10a.4).
func EncodeUnchanged(s *Set, root string) ([]byte, error) {
	if s == nil {
		return nil, lex.MissingArgument("set")
	}
	return lex.AppendUnchanged(nil, lex.ProfileGeneric, s.Tool, root, "count", len(s.Rows))
}
