package bcp

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// Decode returns the value that src carries, or the view of a payload that is
// no value.
func (c Codec) Decode(src []byte) (wire.Value, error) {
	o, err := c.open(src)
	if err != nil {
		return wire.Value{}, err
	}
	if v, err := o.json.Decode(o.text); err == nil || errors.Is(err, wire.ErrLimit) {
		return v, renamed(err)
	}
	return c.view(src, o)
}

// Internal is for package wire.
func (Codec) Internal() any { return description }

// description is what package wire can ask of a Codec beside its methods.
var description = describe.Type[Codec](describe.Codec{
	Variants: variants.Codecs(configurations),
	View:     describe.View(Codec.viewIn),
	Go:       new(ways),
	Views:    new(ways),
})

// ways are those of streams, and the direct ones between Go values and text.
type ways struct{}

func (*ways) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return c.(Codec).viewRecords(to, r)
}

func (*ways) AppendGo(c wire.Codec, dst []byte, v any) (out []byte, done bool, err error) {
	return c.(Codec).appendGo(dst, v)
}

func (*ways) StoreGo(c wire.Codec, src []byte, v any) (bool, error) {
	return c.(Codec).storeGo(src, v)
}

// viewIn calls f with what Decode returns, in memory that is reused. A view is in memory of its own.
func (c Codec) viewIn(to inplace.Target, src []byte, f func(wire.Value) error) error {
	o, err := c.open(src)
	if err != nil {
		return err
	}
	done := false
	err = wire.Internal.ViewJSON(to, o.json, o.text, func(v wire.Value) error {
		done = true
		return f(v)
	})
	if done {
		return err
	}
	if errors.Is(err, wire.ErrLimit) {
		return renamed(err)
	}
	v, err := c.view(src, o)
	if err != nil {
		return err
	}
	return f(v)
}

// An opened payload is one of which the text is found that it carries, if any.
type opened struct {
	text    []byte    // a part of the payload or, where that was compressed, a copy
	json    wire.JSON // that reads it
	payload *Payload  // nil if the text was found without it
}

// open finds the text that src carries. Whether it is JSON has not been checked.
func (c Codec) open(src []byte) (opened, error) {
	if limit := c.Limits.Resolved().InputBytes; len(src) > limit {
		return opened{}, fault(limit, wire.CodeInputTooLong, wire.ErrLimit, "the payload is longer than %d bytes", limit)
	}
	if text := c.plain(src); text != nil {
		return opened{text: text, json: c.json()}, nil
	}
	p, err := c.decodeOptions().Decode(context.Background(), src)
	if err != nil || len(p.Blocks) != 1 {
		return opened{payload: p}, err
	}
	if p.Header.Flags.IsCompressed() || p.Blocks[0].Flags&(FlagCompressed|FlagIsReference) != 0 {
		c.Limits.Values = c.values(len(src))
	}
	return opened{text: carried(&p.Blocks[0]), json: c.json(), payload: p}, nil
}

// plain returns the text of a payload in the form that AppendEncode gives it, without
// compression; nil for any other, which DecodeOptions.Decode reads.
func (c Codec) plain(src []byte) []byte {
	h, err := ReadHeader(src)
	if err != nil || h.Flags != 0 {
		return nil
	}
	f, n, err := ReadFrame(src[HeaderSize:])
	if err != nil || f.Type != BlockStructuredData || f.Flags != 0 || len(f.Body) > c.limits().BlockBytes {
		return nil
	}
	var buf [HeaderSize]byte
	if !bytes.Equal(src[HeaderSize+n:], appendEnd(buf[:0])) {
		return nil
	}
	text, ok := bytes.CutPrefix(f.Body, append(appendNumber(buf[:0], 1, jsonFormat), 3, byte(wireBytes)))
	if !ok {
		return nil
	}
	size, n := binary.Uvarint(text)
	if n <= 0 || size != uint64(len(text)-n) {
		return nil
	}
	return text[n:]
}

// view returns the view of a payload that carries no value.
func (c Codec) view(src []byte, o opened) (wire.Value, error) {
	if o.payload != nil {
		return o.payload.Value(), nil
	}
	p, err := c.decodeOptions().Decode(context.Background(), src)
	if err != nil {
		return wire.Value{}, err
	}
	return p.Value(), nil
}

func (c Codec) decodeOptions() DecodeOptions {
	return DecodeOptions{Store: c.Store, Limits: c.limits()}
}

// carried returns the text that b carries: JSON without a summary; nil if it carries
// none. Text that is not JSON makes an ordinary block of it.
func carried(b *Block) []byte {
	data, ok := b.Body.(*StructuredData)
	if !ok || data.Format != "json" || b.Summary != nil {
		return nil
	}
	return data.Content
}

// Records reads one value per block, as NewRecordWriter writes them. A block
// that carries no value is an error.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return c.records(r, func(text []byte, json wire.JSON, yield func(wire.Value, error) bool) (more bool, err error) {
		v, err := json.Decode(text)
		return err == nil && yield(v, nil), err
	})
}

// viewRecords reads into memory that is reused.
func (c Codec) viewRecords(to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return c.records(r, func(text []byte, json wire.JSON, yield func(wire.Value, error) bool) (more bool, err error) {
		err = wire.Internal.ViewJSON(to, json, text, func(v wire.Value) error {
			more = yield(v, nil)
			return nil
		})
		return more, err
	})
}

// records reads the texts of the blocks in r, each of which the next one overwrites, and of
// which read yields the values.
func (c Codec) records(r io.Reader, read func(text []byte, json wire.JSON, yield func(wire.Value, error) bool) (more bool, err error)) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		o := c.decodeOptions()
		o.NoBackReferences = true
		o.Limits.Blocks = -1
		d := o.NewDecoder(context.Background(), r)
		d.records, d.in.again = true, true
		for b, err := range d.Blocks() {
			if err != nil {
				yield(wire.Value{}, err)
				return
			}
			json := c.json()
			switch {
			case d.stored > 0:
				json.Limits.Values = c.values(d.stored)
			case d.frame.Flags&(FlagCompressed|FlagIsReference) != 0:
				json.Limits.Values = c.values(d.frame.Size)
			}
			more, err := read(carried(&b), json, yield)
			switch {
			case errors.Is(err, wire.ErrLimit):
				yield(wire.Value{}, renamed(err))
			case err != nil:
				yield(wire.Value{}, fault(d.frame.Offset, "not_a_record", wire.ErrShape, "a %s block that carries no JSON value", d.frame.Type))
			}
			if !more {
				return
			}
		}
	}
}
