package goon

import (
	"errors"
	"math"
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// value appends label and v, or nothing if v is left out: null, empty text. If
// v is a string that is cut, length is how many characters it has.
func (e *encoder) value(dst []byte, label string, limit int, v wire.Value) (_ []byte, length int64, err error) {
	switch v.Kind() {
	case wire.KindNull:
		return dst, 0, nil
	case wire.KindBool:
		return strconv.AppendBool(append(dst, label...), v.Bool()), 0, nil
	case wire.KindNumber:
		dst, err = appendNumber(append(dst, label...), v)
		return dst, 0, err
	case wire.KindString:
		dst, length = appendCut(dst, label, limit, v.Text())
		return dst, length, nil
	case wire.KindBytes, wire.KindTime:
		dst, length = appendCut(dst, label, limit, string(wire.Internal.AppendText(nil, v)))
		return dst, length, nil
	}
	// Arrays and objects are their JSON text; cut, it has no breadcrumb.
	s, err := e.json(v)
	if err != nil {
		return dst, 0, err
	}
	dst, _ = appendCut(dst, label, limit, s)
	return dst, 0, nil
}

// appendLabeled appends label and a text that is not cut, or nothing if it is
// empty.
func appendLabeled(dst []byte, label, s string) []byte {
	if s == "" {
		return dst
	}
	return appendText(append(dst, label...), s, "")
}

// appendCut is appendLabeled for a text that is cut if it has more than limit
// characters; then it returns how many it has.
//
// The part that is cut off is only counted, not looked at.
func appendCut(dst []byte, label string, limit int, s string) ([]byte, int64) {
	if len(s) <= limit {
		return appendLabeled(dst, label, s), 0
	}
	n := characters(s)
	if n <= limit {
		return appendLabeled(dst, label, s), 0
	}
	return appendText(append(dst, label...), prefix(s, limit-len(ellipsis)), ellipsis), int64(n)
}

// json returns v's compact JSON text.
func (e *encoder) json(v wire.Value) (string, error) {
	limits := e.limits
	if limits.OutputBytes == math.MaxInt {
		limits.OutputBytes = -1
	}
	text, err := wire.JSON{Limits: limits}.AppendEncode(e.scratch[:0], v)
	if err != nil {
		var inner *wire.Error
		if errors.As(err, &inner) {
			inner.Format = name
		}
		return "", err
	}
	e.scratch = text
	return string(text), nil
}

// appendNumber writes a number without an exponent: whole numbers of 64 bits
// exactly, others as the float64 next to them.
func appendNumber(dst []byte, v wire.Value) ([]byte, error) {
	from := len(dst)
	dst = wire.Internal.AppendText(dst, v)
	if shapeOf(dst[from:]) == shortNumber {
		return dst, nil
	}
	negative := dst[from] == '-'
	dst = dst[:from]
	if n, ok := v.Int64(); ok {
		if n == 0 && negative {
			dst = append(dst, '-')
		}
		return strconv.AppendInt(dst, n, 10), nil
	}
	if n, ok := v.Uint64(); ok {
		return strconv.AppendUint(dst, n, 10), nil
	}
	f, _ := v.Float64()
	if math.IsInf(f, 0) {
		return dst, fault("number_range", wire.ErrRange, "a number beyond the range of float64")
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
}
