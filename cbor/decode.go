package cbor

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/items"
	"github.com/wirekit/wirekit/wire"
)

type decoder struct{ items.Decoder }

// A head is an initial byte with its argument.
type head struct {
	major      byte
	info       byte // the lower bits of the initial byte
	n          uint64
	indefinite bool
	at         int
}

func (d *decoder) head() (head, error) {
	h := head{at: d.At}
	if d.At == len(d.Src) {
		return h, d.Cut()
	}
	initial := d.Src[d.At]
	d.At++
	h.major, h.info = initial&0xe0, initial&0x1f
	switch {
	case h.info < 24:
		h.n = uint64(h.info)
	case h.info < 28:
		var err error
		h.n, err = d.Uint(1 << (h.info - 24))
		return h, err
	case h.info == 31 && (h.major >= majorBytes && h.major <= majorMap || h.major == majorSimple):
		h.indefinite = true
	default:
		return h, d.Fail(h.at, "invalid_head", wire.ErrSyntax, "an initial byte that has no meaning: 0x"+strconv.FormatUint(uint64(initial), 16), "")
	}
	return h, nil
}

func (d *decoder) value() (wire.Value, error) {
	h, err := d.head()
	if err == nil {
		err = d.Value(h.at)
	}
	if err != nil {
		return wire.Value{}, err
	}
	switch h.major {
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
		return wire.Bytes([]byte(s)), err
	case majorText:
		s, err := d.string(h)
		return wire.String(s), err
	case majorArray:
		return d.array(h)
	case majorMap:
		return d.object(h)
	case majorTag:
		return d.tagged(h)
	}
	return d.simple(h)
}

// more returns what says whether there is another child.
func (d *decoder) more(h head) func(int) (bool, error) {
	if !h.indefinite {
		return items.Times(h.n)
	}
	return func(int) (bool, error) {
		if d.At == len(d.Src) {
			return false, d.Cut()
		}
		if d.Src[d.At] != stop {
			return true, nil
		}
		d.At++
		return false, nil
	}
}

func (d *decoder) array(h head) (wire.Value, error) {
	if err := d.Enter(h.at, h.n, 1); err != nil {
		return wire.Value{}, err
	}
	if !h.indefinite {
		return d.Sized(h.n, d.value)
	}
	return d.Array(d.more(h), d.value)
}

func (d *decoder) object(h head) (wire.Value, error) {
	if err := d.Enter(h.at, h.n, 2); err != nil {
		return wire.Value{}, err
	}
	return d.Map(d.more(h), d.key, d.value)
}

func (d *decoder) key() (string, error) {
	h, err := d.head()
	if err != nil {
		return "", err
	}
	if h.major != majorText {
		return "", d.Fail(h.at, "key_not_text", wire.ErrShape, "a map has a key that is no text, which no object has", "")
	}
	return d.string(h)
}

// string reads the content of a byte or text string; one of indefinite length
// is a sequence of chunks, each valid for itself (section 3.2.3).
func (d *decoder) string(h head) (string, error) {
	read := d.Take
	if h.major == majorText {
		read = d.String
	}
	if !h.indefinite {
		return read(h.n)
	}
	var all strings.Builder
	for {
		chunk, err := d.head()
		switch {
		case err != nil:
			return "", err
		case chunk.major|chunk.info == stop:
			return all.String(), nil
		case chunk.major != h.major || chunk.indefinite:
			return "", d.Fail(chunk.at, "invalid_chunk", wire.ErrSyntax, "a string of indefinite length holds something else than strings of its kind", "")
		}
		s, err := read(chunk.n)
		if err != nil {
			return "", err
		}
		all.WriteString(s)
	}
}

func (d *decoder) simple(h head) (wire.Value, error) {
	switch h.major | h.info {
	case simpleFalse:
		return wire.Bool(false), nil
	case simpleTrue:
		return wire.Bool(true), nil
	case simpleNull:
		return wire.Null(), nil
	case float16:
		return d.float(h, halfValue(uint16(h.n)))
	case float32bits:
		return d.float(h, float64(math.Float32frombits(uint32(h.n))))
	case float64bits:
		return d.float(h, math.Float64frombits(h.n))
	case stop:
		return wire.Value{}, d.Fail(h.at, "unexpected_stop", wire.ErrSyntax, "a stop code where nothing of indefinite length is open", "")
	case majorSimple | 23:
		return wire.Value{}, d.Fail(h.at, "unsupported_simple", wire.ErrShape, "undefined is no value of the model", "send null, or leave the member out")
	}
	return wire.Value{}, d.Fail(h.at, "unsupported_simple", wire.ErrShape, "the simple value "+strconv.FormatUint(h.n, 10)+" has no meaning", "")
}

func (d *decoder) float(h head, f float64) (wire.Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return wire.Value{}, d.Fail(h.at, "not_finite", wire.ErrRange, "NaN and infinities are no numbers of the model", "send null or a string")
	}
	return wire.Float(f), nil
}

// halfValue returns what a float16 stands for.
func halfValue(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 31:
		if f = math.Inf(1); fraction != 0 {
			return math.NaN()
		}
	default:
		f = math.Ldexp(1024+fraction, exponent-25)
	}
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
	}
	return wire.Value{}, d.Fail(h.at, "unsupported_tag", wire.ErrShape, "tag "+strconv.FormatUint(h.n, 10)+" says that the item is more than the model has", "")
}

func (d *decoder) malformed(h head, what string) error {
	return d.Fail(h.at, "invalid_tag_content", wire.ErrSyntax, "tag "+strconv.FormatUint(h.n, 10)+" wants "+what, "")
}

func (d *decoder) time(h head) (wire.Value, error) {
	c, err := d.head()
	if err != nil {
		return wire.Value{}, err
	}
	if c.major != majorText {
		return wire.Value{}, d.malformed(h, "a text")
	}
	s, err := d.string(c)
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
	case c.major == majorUint && c.n < most:
		at = time.Unix(int64(c.n), 0)
	case c.major == majorNegint && c.n < most:
		at = time.Unix(-1-int64(c.n), 0)
	case c.major == majorSimple:
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
	c, err := d.head()
	if err != nil {
		return nil, err
	}
	if c.major != majorBytes {
		return nil, d.malformed(h, "a byte string")
	}
	s, err := d.string(c)
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
	if c.major != majorArray || c.indefinite || c.n != 2 {
		return wire.Value{}, d.malformed(h, "an array of an exponent and a mantissa")
	}
	exponent, err := d.integer(h)
	if err != nil {
		return wire.Value{}, err
	}
	if !exponent.IsInt64() {
		return wire.Value{}, d.malformed(h, "an exponent of 64 bits")
	}
	mantissa, err := d.integer(h)
	if err != nil {
		return wire.Value{}, err
	}
	return wire.Number(mantissa.String() + "e" + exponent.String())
}

// integer reads an integer that is a part of h.
func (d *decoder) integer(h head) (*big.Int, error) {
	c, err := d.head()
	if err != nil {
		return nil, err
	}
	switch {
	case c.major == majorUint:
		return new(big.Int).SetUint64(c.n), nil
	case c.major == majorNegint:
		n := new(big.Int).SetUint64(c.n)
		return n.Not(n), nil
	case c.major == majorTag && (c.n == tagBignum || c.n == tagNegative):
		return d.bignum(c)
	}
	return nil, d.malformed(h, "integers")
}
