package cbor

import (
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/items"
	"github.com/wirekit/wirekit/wire"
)

type decoder struct{ items.Decoder }

// A head is an initial byte with its argument.
type head struct {
	initial byte
	n       uint64
	at      int
}

// The parts of an initial byte: the major type, and what says where the argument is.
const (
	majorBits = 0xe0
	infoBits  = 0x1f
	open      = 31 // there is none: a stop code ends the item
)

func (h head) major() byte { return h.initial & majorBits }

// indefinite reports whether the item has no declared length.
func (h head) indefinite() bool { return h.initial&infoBits == open }

func (d *decoder) head() (head, error) {
	h := head{at: d.At}
	if h.at >= len(d.Src) {
		return h, d.Cut()
	}
	h.initial = d.Src[h.at]
	h.n = uint64(h.initial & infoBits)
	if d.At++; h.n < 24 {
		return h, nil
	}
	return d.longHead(h)
}

// longHead reads the rest of a head whose argument is not in its initial byte.
func (d *decoder) longHead(h head) (_ head, err error) {
	switch major := h.major(); {
	case h.n < 28:
		h.n, err = d.Uint(1 << (h.n - 24))
		return h, err
	case h.n == open && (major >= majorBytes && major <= majorMap || major == majorSimple):
		h.n = 0
		return h, nil
	}
	return h, d.Fail(h.at, "invalid_head", wire.ErrSyntax, "an initial byte that has no meaning: 0x"+strconv.FormatUint(uint64(h.initial), 16), "")
}

// headOf returns what an initial byte begins, but for what has to be looked at closely.
func headOf(b byte) items.Head {
	kinds := [8]items.HeadKind{majorUint >> 5: items.Whole, majorText >> 5: items.Text, items.Array, items.Map}
	switch info := b & infoBits; {
	case b == simpleNull:
		return items.Head{Kind: items.Null}
	case info < 28: // below 24 all bits are shifted out
		return items.Head{Kind: kinds[b>>5], Mask: infoBits, Size: 1 << (info - 24)}
	}
	return items.Head{}
}

// Item reads a value.
func (d *decoder) Item() (wire.Value, error) {
	h, err := d.head()
	if err == nil {
		err = d.Value(h.at)
	}
	if err != nil {
		return wire.Value{}, err
	}
	switch h.major() {
	case majorUint:
		return wire.Uint(h.n), nil
	case majorNegint:
		if h.n <= math.MaxInt64 {
			return wire.Int(-1 - int64(h.n)), nil
		}
		n := new(big.Int).SetUint64(h.n)
		return wire.Number(n.Not(n).String())
	case majorBytes:
		s, err := d.string(h)
		return d.Bytes(s), err
	case majorText:
		s, err := d.string(h)
		return wire.String(s), err
	case majorArray:
		if h.indefinite() {
			return d.OpenArray(h.at, stop, d)
		}
		return d.Array(h.at, h.n, d)
	case majorMap:
		if h.indefinite() {
			return d.OpenObject(h.at, stop, d)
		}
		return d.Object(h.at, h.n, d)
	case majorTag:
		return d.tagged(h)
	}
	return d.simple(h)
}

// Key reads a key.
func (d *decoder) Key() (string, error) {
	h, err := d.head()
	if err != nil {
		return "", err
	}
	if h.major() != majorText {
		return "", d.Fail(h.at, "key_not_text", wire.ErrShape, "a map has a key that is no text, which no object has", "")
	}
	return d.string(h)
}

// Reads reads a key that is name with a head of one byte.
func (d *decoder) Reads(name string) bool {
	return len(name) < 24 && d.Follows(majorText|byte(len(name)), name)
}

// string reads the content of a byte or text string.
func (d *decoder) string(h head) (string, error) {
	switch {
	case h.indefinite():
		return d.chunks(h)
	case h.major() == majorText:
		return d.String(h.n)
	}
	return d.Take(h.n)
}

// chunks reads the content of a string of indefinite length: a sequence of strings,
// each valid for itself (section 3.2.3).
func (d *decoder) chunks(h head) (string, error) {
	from, size := d.At, 0
	for {
		s, more, err := d.chunk(h)
		if err != nil {
			return "", err
		}
		if !more {
			break
		}
		size += len(s)
	}
	d.At = from
	all := d.Room(size)
	for {
		s, more, _ := d.chunk(h) // which was good
		if !more {
			return d.TextOf(all), nil
		}
		all = append(all, s...)
	}
}

// chunk reads a part of a string, or the stop code after the last.
func (d *decoder) chunk(h head) (s string, more bool, err error) {
	c, err := d.head()
	switch {
	case err != nil:
		return "", false, err
	case c.initial == stop:
		return "", false, nil
	case c.major() != h.major() || c.indefinite():
		return "", false, d.Fail(c.at, "invalid_chunk", wire.ErrSyntax, "a string of indefinite length holds something else than strings of its kind", "")
	}
	s, err = d.string(c)
	return s, true, err
}

func (d *decoder) simple(h head) (wire.Value, error) {
	switch h.initial {
	case simpleFalse:
		return wire.Bool(false), nil
	case simpleTrue:
		return wire.Bool(true), nil
	case simpleNull:
		return wire.Null(), nil
	case float16:
		return d.Float(h.at, halfValue(uint16(h.n)), notFinite)
	case float32bits:
		return d.Float(h.at, float64(math.Float32frombits(uint32(h.n))), notFinite)
	case float64bits:
		return d.Float(h.at, math.Float64frombits(h.n), notFinite)
	case stop:
		return wire.Value{}, d.Fail(h.at, "unexpected_stop", wire.ErrSyntax, "a stop code where nothing of indefinite length is open", "")
	case majorSimple | 23:
		return wire.Value{}, d.Fail(h.at, "unsupported_simple", wire.ErrShape, "undefined is no value of the model", "send null, or leave the member out")
	}
	return wire.Value{}, d.Fail(h.at, "unsupported_simple", wire.ErrShape, "the simple value "+strconv.FormatUint(h.n, 10)+" has no meaning", "")
}

const notFinite = "send null or a string"

// halfScale is what a float16 is divided by if its exponent is taken for a float32's.
const halfScale = 1 << (127 - 15)

// halfValue returns what a float16 means, NaN for the infinities too.
func halfValue(bits uint16) float64 {
	const exponent = 0x7c00
	if bits&exponent == exponent {
		return math.NaN()
	}
	f := halfScale * float64(math.Float32frombits(uint32(bits&0x7fff)<<13))
	if bits&0x8000 != 0 {
		return -f
	}
	return f
}

func (d *decoder) tagged(h head) (wire.Value, error) {
	switch h.n {
	case tagTime:
		return d.time(h)
	case tagEpoch:
		return d.epoch(h)
	case tagBignum, tagNegative:
		n, err := d.bignum(h)
		if err != nil {
			return wire.Value{}, err
		}
		return wire.Number(n.String())
	case tagDecimal:
		return d.decimal(h)
	case tagBase64URL, tagBase64, tagBase16, tagEncoded, tagURI, tagTextBase64URL, tagTextBase64, tagRegexp, tagMIME:
		return d.content(h)
	}
	return wire.Value{}, d.unsupported(h, "says that the item is more than the model has")
}

func (d *decoder) unsupported(h head, what string) error {
	return d.Fail(h.at, "unsupported_tag", wire.ErrShape, "tag "+strconv.FormatUint(h.n, 10)+" "+what, "")
}

// content reads what a tag is around that says what the item is for: a text that is a URI,
// bytes that are an item (section 3.4.5).
func (d *decoder) content(h head) (wire.Value, error) {
	if d.Warns() {
		d.Warning(d.unsupported(h, "is not kept, only its content is"))
	}
	v, err := d.Inner(h.at, d)
	switch {
	case err != nil:
		return wire.Value{}, err
	case h.n >= tagURI && v.Kind() != wire.KindString:
		return wire.Value{}, d.malformed(h, "a text")
	case h.n == tagEncoded && v.Kind() != wire.KindBytes:
		return wire.Value{}, d.malformed(h, "a byte string")
	}
	return v, nil
}

func (d *decoder) malformed(h head, what string) error {
	return d.Fail(h.at, "invalid_tag_content", wire.ErrSyntax, "tag "+strconv.FormatUint(h.n, 10)+" wants "+what, "")
}

// part reads the string of a major type that is the content of h.
func (d *decoder) part(h head, major byte, what string) (string, error) {
	c, err := d.head()
	if err == nil && c.major() != major {
		err = d.malformed(h, what)
	}
	if err != nil {
		return "", err
	}
	return d.string(c)
}

func (d *decoder) time(h head) (wire.Value, error) {
	s, err := d.part(h, majorText, "a text")
	if err != nil {
		return wire.Value{}, err
	}
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return wire.Value{}, d.malformed(h, "a time as RFC 3339 has it")
	}
	return wire.Time(at), nil
}

// epoch reads seconds since 1970 (section 3.4.2), to the nanosecond.
func (d *decoder) epoch(h head) (wire.Value, error) {
	c, err := d.head()
	if err != nil {
		return wire.Value{}, err
	}
	const most = 1 << 38 // seconds, which is beyond the year 9999
	var at time.Time
	switch {
	case c.major() == majorUint && c.n < most:
		at = time.Unix(int64(c.n), 0)
	case c.major() == majorNegint && c.n < most:
		at = time.Unix(-1-int64(c.n), 0)
	case c.major() == majorSimple:
		v, err := d.simple(c)
		if err != nil {
			return v, err
		}
		f, ok := v.Float64()
		if !ok || math.Abs(f) >= most {
			return wire.Value{}, d.malformed(h, epochRange)
		}
		seconds, part := math.Modf(f)
		at = time.Unix(int64(seconds), int64(math.Round(part*1e9)))
	default:
		return wire.Value{}, d.malformed(h, epochRange)
	}
	if at = at.UTC(); at.Year() < 0 || at.Year() > 9999 {
		return wire.Value{}, d.malformed(h, epochRange)
	}
	return wire.Time(at), nil
}

const epochRange = "seconds since 1970, of the years 0 to 9999"

// bignum reads the content of tags 2 and 3.
func (d *decoder) bignum(h head) (*big.Int, error) {
	s, err := d.part(h, majorBytes, "a byte string")
	if err != nil {
		return nil, err
	}
	if len(s) > maxBignum {
		return nil, d.Fail(h.at, "number_too_long", wire.ErrLimit, "a bignum of more than 4096 bytes", "")
	}
	n := new(big.Int).SetBytes([]byte(s))
	if h.n == tagNegative {
		n.Not(n)
	}
	return n, nil
}

// decimal reads the content of tag 4: an exponent and a mantissa.
func (d *decoder) decimal(h head) (wire.Value, error) {
	c, err := d.head()
	if err != nil {
		return wire.Value{}, err
	}
	if c.major() != majorArray || c.indefinite() || c.n != 2 {
		return wire.Value{}, d.malformed(h, "an array of an exponent and a mantissa")
	}
	exponent, err := d.integer(h)
	if err != nil {
		return wire.Value{}, err
	}
	if !exponent.fits() {
		return wire.Value{}, d.malformed(h, "an exponent of 64 bits")
	}
	mantissa, err := d.integer(h)
	if err != nil {
		return wire.Value{}, err
	}
	var buf [64]byte
	text := exponent.appendTo(append(mantissa.appendTo(buf[:0]), 'e'))
	return builder.NumberText(d.Builder.Text(text)), nil
}

// An integer is a part of a decimal fraction: n or -1-n or, if big is set, that.
type integer struct {
	n        uint64
	negative bool
	big      *big.Int
}

// fits reports whether the integer is an int64.
func (i integer) fits() bool {
	if i.big != nil {
		return i.big.IsInt64()
	}
	return i.n <= math.MaxInt64
}

// appendTo appends the integer's digits.
func (i integer) appendTo(dst []byte) []byte {
	switch {
	case i.big != nil:
		return i.big.Append(dst, 10)
	case i.negative && i.n == math.MaxUint64:
		return append(dst, "-18446744073709551616"...)
	case i.negative:
		return strconv.AppendUint(append(dst, '-'), i.n+1, 10)
	}
	return strconv.AppendUint(dst, i.n, 10)
}

// integer reads an integer that is a part of h.
func (d *decoder) integer(h head) (integer, error) {
	c, err := d.head()
	if err != nil {
		return integer{}, err
	}
	switch {
	case c.major() == majorUint || c.major() == majorNegint:
		return integer{n: c.n, negative: c.major() == majorNegint}, nil
	case c.major() == majorTag && (c.n == tagBignum || c.n == tagNegative):
		n, err := d.bignum(c)
		return integer{big: n}, err
	}
	return integer{}, d.malformed(h, "integers")
}
