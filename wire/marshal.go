package wire

import (
	"cmp"
	"math"
)

// Marshal encodes a Go value: [FromGo], then c's AppendEncode. The codecs of this module
// have direct ways from values of the usual types to the same bytes, and in [Unmarshal]
// from a text into a zero target: their own methods Marshal and Unmarshal are these.
func Marshal(c Codec, v any) ([]byte, error) {
	d := describe(c)
	if d.Go != nil {
		if text, done, err := resultsOfGo.write(d, c, v); done {
			return text, err
		}
	}
	return Options{}.marshal(d, c, v)
}

// Marshal is [Marshal] with these options. With Marshalers it always goes through a Value.
func (o Options) Marshal(c Codec, v any) ([]byte, error) {
	if o.Marshalers == nil {
		return Marshal(c, v)
	}
	return o.marshal(describe(c), c, v)
}

// marshal is Marshal through a Value.
func (o Options) marshal(d *description, c Codec, v any) ([]byte, error) {
	n := newConversion(c, 0)
	return n.result(o.viewGo(d, v, n.encode))
}

// viewGo is [internal.ViewGo] for encoding with the codec that d describes, but with a Value
// that stays if the codec might keep it.
func (o Options) viewGo(d *description, v any, f func(Value) error) error {
	if d != &foreign && d.Wrap == nil {
		return o.view(v, f)
	}
	value, err := o.FromGo(v)
	if err != nil {
		return err
	}
	return f(value)
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
	d := describe(c)
	if o == (Options{}) {
		if d.Go != nil {
			if done, err := d.Go.StoreGo(c, src, v); done {
				return err
			}
		}
	} else if err := o.check(); err != nil {
		return err
	}
	if done, err := o.unmarshalAny(c, d, src, v); done {
		return err
	}
	from := originOf(c, memoryFor(c, len(src)))
	if _, whole := v.(*Value); !whole {
		if d.View != nil {
			from.reused = true
			o := o // or it would be on the heap for the direct way, too
			var stored error
			err := d.View(c, ownTexts{}, src, func(value Value) error {
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
