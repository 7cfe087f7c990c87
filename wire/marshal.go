package wire

import (
	"cmp"
	"math"
)

// Marshal encodes a Go value: [FromGo], then c's AppendEncode. The codecs of this module
// have direct ways from values of the usual types to the same bytes, and in [Unmarshal]
// from a text into a zero target: it is as fast as their own method Marshal.
func Marshal(c Codec, v any) (out []byte, err error) {
	if m := marshalerOf(c); m != nil {
		return m.Marshal(v)
	}
	if j, ok := c.(JSON); ok && j.marshalsStraight(v) {
		if text, ok := marshalGo(v); ok {
			return text, nil
		}
	}
	err = viewGo(c, v, func(value Value) (err error) {
		out, err = c.AppendEncode(make([]byte, 0, min(sizeHint(value), maxSizeHint)), value)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// viewGo is [internal.ViewGo] for encoding with c, but with a Value that stays if
// the codec might keep it.
func viewGo(c Codec, v any, f func(Value) error) error {
	if _, ok := c.(JSON); ok || marshalerOf(c) != nil {
		return Options{}.view(v, f)
	}
	value, err := FromGo(v)
	if err != nil {
		return err
	}
	return f(value)
}

// maxSizeHint bounds what a wrong guess can cost.
const maxSizeHint = 4 << 20

// maxHinted is how many values are looked at for a guess. A value that holds another
// twice, which holds one twice, and so on, may have any number of them.
const maxHinted = 1 << 15

// sizeHint guesses the length of a value's text, every key counted, so that a
// long one is not copied a dozen times while it grows. It looks at a few
// elements of each array, and guesses maxSizeHint at most.
func sizeHint(v Value) int {
	left := maxHinted
	return min(hintOf(v, &left), maxSizeHint)
}

// hintOf is sizeHint that may look at so many values, and may guess a little more.
func hintOf(v Value, left *int) int {
	const sampled = 4
	*left--
	switch v.kind {
	case KindString, KindBytes:
		return min(int(v.num), maxSizeHint) + 3
	case KindNumber:
		if v.form == formText {
			return min(int(v.num), maxSizeHint) + 1
		}
		return 12
	case KindObject:
		hint := 4
		names := v.keys().names
		for i, e := range v.children() {
			if hint += min(len(names[i]), maxSizeHint) + 4 + hintOf(e, left); hint > maxSizeHint {
				return maxSizeHint
			}
			if *left < 0 {
				return int(min(int64(hint/(i+1))*int64(len(names)), maxSizeHint))
			}
		}
		return hint
	case KindArray:
		elems := v.children()
		step := max(1, len(elems)/sampled)
		sum, n := 0, 0
		for i := 0; i < len(elems) && *left >= 0; i += step {
			sum += hintOf(elems[i], left)
			n++
		}
		return int(min(4+int64(sum/max(1, n))*int64(len(elems)), maxSizeHint))
	}
	return 6
}

// Unmarshal decodes src with c and stores the value into what v points to, as
// [ToGo] does. What empty interfaces and maps get of it may take 40 bytes of memory for
// each byte of src, and 32 MiB: more is an error that wraps [ErrLimit]. [JSON] has no
// such limit, as its texts spell every map out, and neither has ToGo.
//
// The error for a value that v does not take has its position in src, if that is a text.
func Unmarshal(c Codec, src []byte, v any) error { return Options{}.Unmarshal(c, src, v) }

// Options say how Go values become Values and how Values become Go values. The zero value
// is what [FromGo], [Marshal], [ToGo] and [Unmarshal] do. With any option set, text goes
// through a Value, which takes up to three times as long as the direct ways of the codecs.
type Options struct {
	// RejectUnknownMembers makes a member that no field of its struct takes an
	// error that wraps [ErrUnknownMember], instead of ignoring it.
	RejectUnknownMembers bool
	// Without either of these an empty interface gets a float64 for a number if no digit is
	// lost, else a json.Number: no id and no amount changes, and a program has to expect
	// both types. UseNumber always gives a json.Number, which has the number's spelling.
	// UseFloat64 always gives the nearest float64, as encoding/json does; a number beyond
	// float64's range is an error that wraps [ErrRange]. They exclude each other.
	UseNumber, UseFloat64 bool
	// Marshalers convert types that are not one's own.
	Marshalers *Marshalers
}

// ToGo is [ToGo] with these options.
func (o Options) ToGo(v Value, dst any) error { return o.toGo(v, dst, origin{room: math.MaxInt}) }

// Unmarshal is [Unmarshal] with these options.
func (o Options) Unmarshal(c Codec, src []byte, v any) error {
	if o == (Options{}) {
		if m := marshalerOf(c); m != nil {
			return m.Unmarshal(src, v)
		}
	}
	return o.through(c, src, v)
}

// through is Unmarshal through a Value, but where JSON or an empty interface needs none.
func (o Options) through(c Codec, src []byte, v any) error {
	if j, ok := c.(JSON); ok && o == (Options{}) && j.unmarshalGo(src, v) {
		return nil
	}
	if err := o.check(); err != nil {
		return err
	}
	if done, err := o.unmarshalAny(c, src, v); done {
		return err
	}
	from := origin{room: memoryFor(c, len(src)), untyped: isUntyped(c)}
	if _, whole := v.(*Value); !whole {
		if l, ok := internalsOf(c).(viewer); ok {
			from.reused = true
			var stored error
			err := l.View(c, ownTexts{}, src, func(value Value) error {
				stored = o.toGo(value, v, from)
				return nil
			})
			return cmp.Or(err, locate(c, src, stored))
		}
	}
	value, err := c.Decode(src)
	if err != nil {
		return err
	}
	return locate(c, src, o.toGo(value, v, from))
}
