package items

import (
	"sync"

	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A Kit encodes and decodes the documents of a format, which are one item each.
type Kit struct {
	format string
	noun   string // what errors call an item
	mark   string // what a document may begin with

	writers, readers sync.Pool // idle, without memory of a document
	ways             *GoWays
	goReaders        sync.Pool // of *goReader
}

// Options are how documents are read.
type Options struct {
	Limits wire.Limits
	Warn   func(*wire.Error) // of what was read with a loss; may be nil
}

// NewKit returns the kit of a format whose Writers and Readers these make. head says what
// an initial byte begins.
func NewKit(format, noun, mark string, short Short, writer func() Writer, reader func() Reader, head func(b byte) Head) *Kit {
	var heads [256]Head
	for b := range heads {
		heads[b] = head(byte(b))
	}
	return &Kit{
		format: format, noun: noun, mark: mark,
		writers:   sync.Pool{New: func() any { return writer() }},
		readers:   sync.Pool{New: func() any { return reader() }},
		ways:      NewGoWays(format, short, writer),
		goReaders: sync.Pool{New: func() any { r := reader(); return &goReader{r: r, Decoder: r.decoder(), heads: &heads} }},
	}
}

// Describe returns what the codecs of a kit can do, which read with the options they have.
func Describe[C wire.Codec](k *Kit, options func(C) Options) describe.Codec {
	of := func(c wire.Codec) (o Options) {
		if !variants.IsZero[C](c) { // or it is copied for nothing
			o = options(c.(C))
		}
		return o
	}
	limits := func(c wire.Codec) *wire.Limits {
		if variants.IsZero[C](c) {
			return &defaults
		}
		l := options(c.(C)).Limits.Resolved()
		return &l
	}
	return describe.Codec{
		BuildsGo: true,
		View: func(c wire.Codec, to inplace.Target, src []byte, f func(wire.Value) error) error {
			return k.view(to, src, of(c), f)
		},
		Go: &kitGo{k, of, limits},
	}
}

// kitGo are the direct ways of a Kit.
type kitGo struct {
	*Kit
	options func(wire.Codec) Options
	limits  func(wire.Codec) *wire.Limits // resolved
}

// defaults are the limits of a codec that has none set.
var defaults = wire.Limits{}.Resolved()

func (k *kitGo) AppendGo(c wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	out, done = k.ways.Append(dst, v, k.limits(c))
	return out, done, nil
}

func (k *kitGo) StoreGo(c wire.Codec, src []byte, v any) (done bool, err error) {
	return k.storeGo(src, v, k.options(c)), nil
}

// AppendEncode appends v as one item.
func (k *Kit) AppendEncode(dst []byte, v wire.Value, l wire.Limits) ([]byte, error) {
	w := k.writers.Get().(Writer)
	e := w.encoder()
	l = l.Resolved()
	e.Begin(k.format, dst, &l)
	text, err := w.Item(dst, v)
	if err == nil && len(text) > e.Max {
		err = e.tooLong()
	}
	*e = Encoder{}
	k.writers.Put(w)
	if err != nil {
		return dst, err
	}
	return text, nil
}

// Decode reads one item, which must be all of src.
func (k *Kit) Decode(src []byte, o Options) (v wire.Value, err error) {
	err = k.view(inplace.Owned{}, src, o, func(item wire.Value) error { v = item; return nil })
	return v, err
}

// view calls f with the item that is all of src, in the memory of to.
func (k *Kit) view(to inplace.Target, src []byte, o Options, f func(wire.Value) error) error {
	r := k.readers.Get().(Reader)
	d := r.decoder()
	err := d.View(to, func() (wire.Value, error) { return k.document(r, src, o) }, f)
	*d = Decoder{}
	k.readers.Put(r)
	return err
}

func (k *Kit) document(r Reader, src []byte, o Options) (wire.Value, error) {
	d := r.decoder()
	if err := d.begin(k, src, o); err != nil {
		return wire.Value{}, err
	}
	v, err := r.Item()
	if err == nil && d.At < len(d.Src) {
		err = d.Fail(d.At, wire.CodeTrailingData, wire.ErrSyntax, "something follows the "+k.noun, "")
	}
	if err != nil {
		return wire.Value{}, err
	}
	d.tell()
	return v, nil
}
