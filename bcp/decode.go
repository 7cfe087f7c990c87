package bcp

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// DecodeOptions say how payloads are read.
type DecodeOptions struct {
	// Store resolves references to content that the payload does not hold
	// itself. What it returns is hashed again.
	Store Store
	// Strict accepts the canonical form only: varints of minimal length,
	// fields in ascending order and once, reserved bits zero, END of four
	// bytes. Encoding an uncompressed payload that it accepts gives the same
	// bytes again.
	Strict bool
	// Lenient accepts also text that is not UTF-8, which is kept as it is,
	// and values without a name in every enumeration. Encoding such a payload
	// needs EncodeOptions.Lenient.
	Lenient bool
	// Magic restricts the payloads to those with that magic, as in [Header]; "" accepts both.
	Magic string
	// AllowTrailing accepts data after END. [DecodeOptions.Decode] returns them
	// as Payload.Trailing; a [Decoder] stops reading at END, which it must if
	// the reader is a connection that stays open.
	AllowTrailing bool
	// KeepReferences turns references that cannot be resolved into [*Reference]
	// instead of an error.
	KeepReferences bool
	// NoBackReferences keeps earlier blocks out of the resolution of
	// references, as the reference implementation does. A Decoder then holds
	// one block at a time, else also Limits.KeptBytes of earlier bodies.
	NoBackReferences bool
	Limits           Limits
}

// Decode reads a payload with the default options.
func Decode(src []byte) (*Payload, error) { return DecodeOptions{}.Decode(context.Background(), src) }

// Decode reads a whole payload. The byte fields of its blocks, such as Content
// and Extra, are parts of src unless they were compressed, so src must not
// change while they are in use; content that a reference names belongs to the
// Store or to the earlier block. Strings are copies. ctx is that of the calls of Store.
func (o DecodeOptions) Decode(ctx context.Context, src []byte) (*Payload, error) {
	var d Decoder
	d.init(ctx, &o)
	d.in.buf = src
	h, err := d.Header()
	if err != nil {
		return nil, err
	}
	p := &Payload{Header: h}
	n, references := countFrames(d.in.rest())
	if !references {
		d.o.NoBackReferences = true // no body needs to be kept
	}
	if n = min(n, d.limits.Blocks); d.stored > 0 {
		n = min(n, (d.meter.most-d.meter.used)/recordCharge)
	}
	if n > 0 {
		p.Blocks = make([]Block, 0, n)
	}
	for {
		b, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		p.Blocks = append(p.Blocks, b)
	}
	if rest := d.in.rest(); len(rest) > 0 {
		p.Trailing = rest
	}
	return p, nil
}

// A Decoder reads a payload from a reader, one block at a time. It accepts
// what [DecodeOptions.Decode] accepts, with the same errors: Decode is one that reads from
// memory. The blocks it returns are the caller's.
type Decoder struct {
	ctx    context.Context // of the calls of the store
	o      DecodeOptions
	limits Limits
	rules
	in     input
	header Header // without a magic before it is read
	frame  frameInfo
	index  int
	err    error // io.EOF after END

	records bool   // each block is used before the next is read
	stored  int    // bytes of a payload that is compressed as a whole, whose blocks are inflated; else 0
	meter   *meter // of inflated content; nil before there is any
	earlier earlierBodies
}

// init prepares d, which is zero, to read its input. It sets fields where they are: a
// small payload takes less time than a few copies of large structs.
func (d *Decoder) init(ctx context.Context, o *DecodeOptions) {
	d.ctx = ctx
	d.o, d.limits = *o, o.Limits.resolved()
	d.strict, d.lenient, d.treeDepth = o.Strict, o.Lenient, d.limits.TreeDepth
	d.earlier.kept.most = d.limits.KeptBytes
}

// start reads the header and, if the payload is compressed, all the rest.
func (d *Decoder) start() error {
	if d.strict && d.lenient {
		return failure(wire.CodeInvalidOption, wire.ErrRange, "DecodeOptions.Strict and DecodeOptions.Lenient exclude each other")
	}
	head := d.in.upTo(HeaderSize)
	if d.in.err != nil {
		return d.in.err
	}
	var err error
	if d.header, err = ReadHeader(head); err != nil {
		return err
	}
	if d.o.Magic != "" && d.header.Magic != d.o.Magic {
		return fault(0, CodeInvalidMagic, wire.ErrUnknownFormat, "magic %q where DecodeOptions.Magic is %q", d.header.Magic, d.o.Magic)
	}
	if d.strict && d.header.Flags&headerReserved != 0 {
		return fault(6, "reserved_flags", wire.ErrSyntax, "reserved header flags 0x%02X", uint8(d.header.Flags))
	}
	if d.header.Flags.IsCompressed() {
		return d.inflatePayload()
	}
	return nil
}

// inflatePayload replaces the input by what it inflates to. Offsets go on
// counting as if the payload had not been compressed.
func (d *Decoder) inflatePayload() error {
	stored := d.in.all(d.limits.PayloadBytes)
	if d.in.err != nil {
		return d.in.err
	}
	d.stored = HeaderSize + len(stored)
	limit := d.limits.inflated(d.stored)
	plain, err := inflate(stored, limit)
	if err != nil {
		return inflateFault(origin{offset: HeaderSize}, err, "InflatedBytes", limit)
	}
	d.meter = &meter{used: len(plain), most: limit}
	d.in = input{buf: plain, base: HeaderSize}
	return nil
}

// A frameInfo is how a block is stored.
type frameInfo struct {
	Offset int // of the frame in the payload, or in the inflated payload
	Type   BlockType
	Flags  BlockFlags
	Size   int // of the body as it is stored
}

func (d *Decoder) block() (Block, error) {
	f := &d.frame
	*f = frameInfo{Offset: d.in.offset(), Type: BlockEnd}
	if d.in.atEnd() { // only here without a byte of the block
		d.in.fail(fault(d.in.offset(), "missing_end_sentinel", wire.ErrTruncated, "the payload does not end with an END block"))
	}
	raw := d.varint()
	switch {
	case d.in.err != nil:
		return Block{}, d.in.err
	case raw > uint64(BlockEnd):
		return Block{}, invalidBlockType(f.Offset, raw)
	case raw == uint64(BlockEnd):
		return Block{}, d.end()
	}
	f.Type = BlockType(raw)
	if d.index >= d.limits.Blocks {
		return Block{}, raise(fault(f.Offset, "too_many_blocks", wire.ErrLimit, "more than %d blocks", d.limits.Blocks), "Blocks")
	}
	if d.stored > 0 && !d.meter.add(recordCharge) {
		return Block{}, tooMuch(origin{offset: f.Offset}, d.meter.most)
	}
	f.Flags = BlockFlags(d.in.byte())
	if d.strict && f.Flags&flagsReserved != 0 {
		return Block{}, fault(d.in.offset()-1, "reserved_flags", wire.ErrSyntax, "reserved block flags 0x%02X", uint8(f.Flags))
	}
	size := d.varint()
	if size > uint64(d.limits.BlockBytes) {
		return Block{}, raise(fault(f.Offset, "block_too_large", wire.ErrLimit, "a body of %d bytes; the limit is %d", size, d.limits.BlockBytes), "BlockBytes")
	}
	from := origin{offset: d.in.offset()}
	stored := d.in.take(int(size))
	if d.in.err != nil {
		return Block{}, d.in.err
	}
	f.Size = len(stored)
	return d.open(*f, stored, from)
}

// varint reads a varint, 0 after an error.
func (d *Decoder) varint() uint64 {
	if in := &d.in; in.pos < len(in.buf) && in.buf[in.pos] < 0x80 { // only in memory
		in.pos++
		return uint64(in.buf[in.pos-1])
	}
	start := d.in.offset()
	var buf [maxVarintLen + 1]byte
	n := 0
	for i := range buf {
		if buf[i], n = d.in.byte(), i+1; buf[i] < 0x80 {
			break
		}
	}
	v, used := binary.Uvarint(buf[:n])
	switch {
	case d.in.err != nil:
		return 0
	case used <= 0:
		d.in.fail(varintFault(used, n, start))
		return 0
	case d.strict && used != sizeVarint(v):
		d.in.fail(fault(start, "varint_not_minimal", wire.ErrSyntax, "varint of %d bytes for %d", used, v))
		return 0
	}
	return v
}

// end reads what follows the type of END: the flags and the length 0, or
// nothing at all, as the document has it; and what follows END. It returns
// io.EOF if all is well.
func (d *Decoder) end() error {
	at := d.in.offset()
	if d.in.atEnd() {
		if d.strict {
			d.in.fail(unexpectedEOF(at))
		}
		return cmp.Or(d.in.err, io.EOF)
	}
	flags := d.in.byte()
	if d.strict && flags != 0 {
		return fault(at, "reserved_flags", wire.ErrSyntax, "flags 0x%02X on END", flags)
	}
	size := d.varint()
	switch {
	case size != 0:
		return fault(at, "end_not_empty", wire.ErrSyntax, "END with a body of %d bytes", size)
	case d.in.err == nil && !d.header.Flags.HasIndex() && !d.o.AllowTrailing && !d.in.atEnd():
		return fault(d.in.offset(), wire.CodeTrailingData, wire.ErrSyntax, "data after the END block")
	}
	return cmp.Or(d.in.err, io.EOF)
}

// open undoes the layers of a stored body in their order: reference, zstd,
// summary, fields.
func (d *Decoder) open(f frameInfo, stored []byte, from origin) (Block, error) {
	b := Block{Flags: f.Flags}
	body := stored
	if f.Flags.isReference() {
		h, content, err := d.resolve(stored, from)
		if err != nil {
			return Block{}, err
		}
		if content == nil {
			b.Body = &Reference{Type: f.Type, Hash: h}
			return b, nil
		}
		body, from.inside = content, true
	}
	d.rules.meter = nil
	if d.stored > 0 || f.Flags&(FlagCompressed|FlagIsReference) != 0 {
		d.rules.meter = d.inflating()
	}
	if f.Flags.isCompressed() {
		plain, err := d.inflate(body, from)
		if err != nil {
			return Block{}, err
		}
		body, from.inside = plain, true
	}
	// What a few bytes represent counts as if it had been there. All of an
	// inflated payload has been counted.
	if from.inside && !d.meter.add(len(body)) {
		return Block{}, tooMuch(from, d.meter.most)
	}
	if !f.Flags.isReference() && !d.o.NoBackReferences {
		d.earlier.add(body)
	}
	fields := 0
	if f.Flags&FlagHasSummary != 0 {
		summary, n, err := d.rules.summary(body, from)
		if err != nil {
			return Block{}, err
		}
		b.Summary, fields = &summary, n
	}
	var err error
	b.Body, b.Extra, err = d.rules.decodeBody(f.Type, body[fields:], from.moved(fields))
	return b, err
}

// inflating returns the meter with what may be inflated by now.
func (d *Decoder) inflating() *meter {
	if d.meter == nil {
		d.meter = new(meter)
	}
	if d.stored == 0 {
		d.meter.most = d.limits.inflated(d.in.offset())
		if d.records {
			d.meter.used = 0
		}
	}
	return d.meter
}

// inflate undoes the compression of one block.
func (d *Decoder) inflate(body []byte, from origin) ([]byte, error) {
	name, limit, most := "BlockBytes", d.limits.BlockBytes, d.limits.BlockBytes
	if room := d.meter.most - d.meter.used; room < limit {
		name, limit, most = "InflatedBytes", room, d.meter.most
	}
	plain, err := inflate(body, limit)
	if err != nil {
		return nil, inflateFault(from, err, name, most)
	}
	return plain, nil
}

// tooMuch is the error for inflated content beyond Limits.InflatedBytes.
func tooMuch(from origin, limit int) error {
	return raise(from.fault(0, "payload_too_large", wire.ErrLimit,
		"what is compressed or referenced takes more than %d bytes", limit), "InflatedBytes")
}

// summary reads the summary that body starts with and returns it with the
// length of both its length and text.
func (rules rules) summary(body []byte, from origin) (string, int, error) {
	r := fieldReader{rules: rules, body: body, from: from}
	size := r.varint()
	if r.err != nil {
		return "", 0, wire.AtKey(r.err, "summary")
	}
	if size > uint64(len(body)-r.pos) {
		return "", 0, wire.AtKey(from.eof(len(body)), "summary")
	}
	end := r.pos + int(size)
	text := body[r.pos:end]
	if rules.meter != nil && !rules.meter.add(len(text)) {
		return "", 0, wire.AtKey(tooMuch(from, rules.meter.most), "summary")
	}
	if !rules.lenient && !scan.IsUTF8(text) {
		return "", 0, wire.AtKey(from.fault(r.pos, wire.CodeInvalidUTF8, wire.ErrUTF8, "the summary is not UTF-8"), "summary")
	}
	return string(text), end, nil
}

// resolve returns the content that a reference's body names; nil if it may
// stay unresolved.
func (d *Decoder) resolve(stored []byte, from origin) (h Hash, content []byte, err error) {
	if len(stored) != len(h) {
		return h, nil, from.fault(0, "invalid_reference", wire.ErrSyntax, "a reference of %d bytes; a hash has %d", len(stored), len(h))
	}
	h = Hash(stored)
	if body, ok := d.earlier.find(h); ok {
		return h, body, nil
	}
	if d.o.Store != nil {
		content, err = d.o.Store.Get(d.ctx, h)
		switch {
		case err == nil:
			if content == nil {
				content = []byte{} // nil means unresolved
			}
			return h, content, d.verify(h, content, from)
		case !errors.Is(err, ErrNotFound):
			return h, nil, ioFailure(err)
		}
	}
	if d.o.KeepReferences {
		return h, nil, nil
	}
	if d.o.Store == nil {
		return h, nil, from.fault(0, "missing_content_store", wire.ErrShape,
			"a reference to %s, which no earlier block within Limits.KeptBytes holds, and no content store", h)
	}
	return h, nil, from.fault(0, "unresolved_reference", wire.ErrShape, "no content with hash %s", h)
}

// verify checks what a store returned.
func (d *Decoder) verify(h Hash, content []byte, from origin) error {
	if len(content) > d.limits.BlockBytes {
		return raise(from.fault(0, "block_too_large", wire.ErrLimit, "stored content of %d bytes; the limit is %d", len(content), d.limits.BlockBytes), "BlockBytes")
	}
	if got := HashOf(content); got != h {
		return from.fault(0, "hash_mismatch", wire.ErrChecksum, "content stored under %s has the hash %s", h, got)
	}
	return nil
}

// earlierBodies are the bodies of the payload so far. They are hashed when the
// first reference asks, so payloads without references pay next to nothing.
type earlierBodies struct {
	kept    meter
	waiting [][]byte
	byHash  map[Hash][]byte
}

func (e *earlierBodies) add(body []byte) {
	if e.kept.add(len(body)) {
		e.waiting = append(e.waiting, body)
	}
}

func (e *earlierBodies) find(h Hash) ([]byte, bool) {
	if e.byHash == nil {
		e.byHash = make(map[Hash][]byte)
	}
	for _, body := range e.waiting {
		e.byHash[HashOf(body)] = body[:len(body):len(body)]
	}
	e.waiting = e.waiting[:0]
	body, ok := e.byHash[h]
	return body, ok
}
