package fold

import (
	"cmp"
	"errors"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
)

// Codec writes values folded with another codec, where that saves enough, and
// reads them back, folded or not:
//
//	fold.Codec{Inner: gcf.Codec{}, Options: fold.Options{Counter: tokens.O200k{}}}
//
// It is safe for concurrent use if Inner and the Counter are.
type Codec struct {
	// Inner writes what is folded; nil means wire.JSON{}.
	Inner   wire.Codec
	Options Options
}

func (c Codec) inner() wire.Codec { return cmp.Or[wire.Codec](c.Inner, wire.JSON{}) }

// Info describes the inner codec, folded.
func (c Codec) Info() wire.Info {
	info := c.inner().Info()
	info.Suffix += "+fold"
	if !info.Binary {
		info.Prompt += " References such as $1 stand for the texts of its legend, and its rules give members that data leaves out."
	}
	if !c.Options.KeepOrder && !c.Options.NoColumns {
		info.Loss |= wire.LossOrder
	}
	return info
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	WithLimits: func(c wire.Codec, l wire.Limits) wire.Codec {
		d := c.(Codec)
		d.Inner, d.Options.Limits = wire.WithLimits(d.inner(), l), l
		return d
	},
	Wrap: func(c, inner wire.Codec) wire.Codec { d := c.(Codec); d.Inner = inner; return d },
})

// AppendEncode appends v, folded if that saves enough.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	o := newFolding(c.Options, c.Inner)
	if loss := o.inner.Info().Loss; becomesText(v, loss) {
		v = builder.Map(new(builder.Builder), v, func(v wire.Value) wire.Value {
			if becomesText(v, loss) {
				return wire.String(string(wire.Internal.AppendText(nil, v)))
			}
			return v
		})
	}
	r, err := o.fold(v, dst)
	if err != nil {
		return dst, err
	}
	return r.text, nil
}

// Decode reads a text of the inner codec and unfolds what it holds.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	v, err := c.inner().Decode(src)
	if err != nil {
		return wire.Value{}, err
	}
	v, err = Unfold(v, c.Options.Limits)
	var e *wire.Error
	if !errors.As(err, &e) {
		return v, err
	}
	// The path says where; the text as a whole is well-formed.
	info := c.inner().Info()
	e.Format = info.Name
	if !info.Binary {
		e = wire.ErrorAt(src, 0, *e)
	}
	return wire.Value{}, e
}

// becomesText reports whether a codec of this loss writes v, or what it holds, as
// strings. They are folded as the strings that they will be.
func becomesText(v wire.Value, loss wire.Loss) bool {
	switch v.Kind() {
	case wire.KindTime:
		return loss&wire.LossTime != 0
	case wire.KindBytes:
		return loss&wire.LossBytes != 0
	case wire.KindString:
		return loss&wire.LossTag != 0 && wire.Internal.Tag(v) != 0
	case wire.KindArray, wire.KindObject:
		for i := range v.Len() {
			if becomesText(v.Index(i), loss) {
				return true
			}
		}
	}
	return false
}
