package bcp

import (
	"context"
	"io"
	"iter"

	"github.com/wirekit/wirekit/wire"
)

// NewDecoder returns a Decoder that reads from r. If r is an io.ByteReader,
// nothing is read from it beyond END; other readers are buffered. A payload
// that is compressed as a whole is read to the end of r at once. ctx is that of the calls
// of Store.
func (o DecodeOptions) NewDecoder(ctx context.Context, r io.Reader) *Decoder {
	d := new(Decoder)
	d.init(ctx, &o)
	d.in = newInput(r)
	return d
}

// Header reads the header, unless that has happened already, and returns it.
func (d *Decoder) Header() (Header, error) {
	if d.header.Magic == "" && d.err == nil {
		d.err = d.start()
	}
	if d.err != nil && d.err != io.EOF {
		return Header{}, d.err
	}
	return d.header, nil
}

// Next returns the next block, io.EOF after END. After an error it returns the
// same error again.
func (d *Decoder) Next() (Block, error) {
	if _, err := d.Header(); err != nil {
		return Block{}, err
	}
	if d.err != nil {
		return Block{}, d.err
	}
	var b Block
	if b, d.err = d.block(); d.err == nil {
		d.index++
		return b, nil
	}
	if d.frame.Type != BlockEnd { // END is not a block of the payload
		d.err = wire.AtKey(wire.AtIndex(d.err, d.index), "blocks")
	}
	return Block{}, d.err
}

// Frame returns where the block that Next returned last is stored: the offset of its
// frame in the payload, or in the inflated payload, and the length of its body there. After
// END it is where END is.
func (d *Decoder) Frame() (offset, size int) { return d.frame.Offset, d.frame.Size }

// Blocks iterates over the blocks until END or the first error, which is the
// last pair.
func (d *Decoder) Blocks() iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		for {
			b, err := d.Next()
			if err == io.EOF || !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// An Encoder writes a payload to a writer, one block at a time; the bytes are
// those of [EncodeOptions.AppendEncode]. Each block is one call of Write, so a
// receiver sees whole blocks. With CompressPayload everything waits for Close.
//
// A block that asks to be a reference needs the Store, or Dedup and an earlier
// block with the same body: without Dedup an Encoder does not hash what it
// writes.
type Encoder struct {
	w      io.Writer
	blocks blockWriter
	buf    []byte
	err    error
	closed bool
}

// NewEncoder returns an Encoder that writes to w. The header is written with
// the first block; HasIndex is not among the flags that an Encoder can write.
// ctx is that of the calls of Store.
func (o EncodeOptions) NewEncoder(ctx context.Context, w io.Writer, h Header) *Encoder {
	e := &Encoder{w: w}
	e.blocks.init(ctx, &o, h, false)
	h.Flags &^= HeaderHasIndex | HeaderCompressed
	if e.err = checkHeader(h); e.err == nil {
		e.buf = h.append(nil)
	}
	return e
}

// Write writes one block. After an error the Encoder writes nothing more.
func (e *Encoder) Write(b Block) error {
	if e.err != nil {
		return e.err
	}
	if e.closed {
		return failure("closed", io.ErrClosedPipe, "the Encoder is closed")
	}
	e.buf, e.err = e.blocks.append(e.buf, &b)
	if e.err != nil {
		return e.err
	}
	if !e.blocks.o.CompressPayload {
		e.flush()
	}
	return e.err
}

func (e *Encoder) flush() {
	_, e.err = writeAll(e.w, e.buf)
	e.buf = e.buf[:0]
}

// Close writes END. It does not close the writer. A payload without a block is
// an error.
func (e *Encoder) Close() error {
	if e.err != nil || e.closed {
		return e.err
	}
	e.closed = true
	if e.blocks.index == 0 {
		e.err = failure("empty_payload", wire.ErrShape, "a payload has at least one block")
		return e.err
	}
	e.buf = appendEnd(e.buf)
	if e.blocks.o.CompressPayload {
		e.buf = e.blocks.finish(e.buf, 0, HeaderSize)
	}
	e.flush()
	return e.err
}
