package bcp

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// EncodeOptions say how payloads are written. The zero EncodeOptions write
// plain blocks.
//
// What is written stays within what a decoder with the same Limits accepts: a
// block that would not, compressed or as a reference, is written in full.
type EncodeOptions struct {
	// CompressBlocks asks for every block to be compressed for which it pays:
	// a body of 256 bytes or more that gets smaller.
	CompressBlocks bool
	// CompressPayload asks for everything after the header to be compressed
	// if it gets smaller and Limits.InflatedBytes allows. Blocks are then not
	// compressed one by one. A payload whose header has the flag is compressed
	// without being asked.
	CompressPayload bool
	// Dedup writes a block whose body, summary included, is the same as an
	// earlier one's as a reference to it, as far as Limits.KeptBytes allows a
	// reader to resolve it.
	Dedup bool
	// Store receives the content of referenced blocks, and with Dedup that of
	// all blocks. Without one, only blocks that the payload itself holds in
	// full can be referenced: payloads are complete by themselves.
	Store Store
	// Lenient writes what only DecodeOptions.Lenient reads.
	Lenient bool
	Limits  Limits
}

// AppendEncode appends p as a payload. On error it returns dst as it was given. ctx is
// that of the calls of Store.
func (o EncodeOptions) AppendEncode(ctx context.Context, dst []byte, p *Payload) ([]byte, error) {
	if p == nil || len(p.Blocks) == 0 {
		return dst, failure("empty_payload", wire.ErrShape, "a payload has at least one block")
	}
	if err := checkHeader(p.Header); err != nil {
		return dst, err
	}
	w := blockWriters.Get().(*blockWriter)
	w.init(ctx, &o, p.Header, slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.Flags.isReference() }))
	out, err := w.payloadOf(dst, p)
	w.giveBack()
	return out, err
}

// payloadOf appends p as a payload, or returns dst and an error.
func (w *blockWriter) payloadOf(dst []byte, p *Payload) ([]byte, error) {
	out := p.Header.append(slices.Grow(dst, w.expected(dst, p)))
	start := len(out)
	for i := range p.Blocks {
		var err error
		if out, err = w.append(out, &p.Blocks[i]); err != nil {
			return dst, err
		}
	}
	out = appendEnd(out)
	if p.Header.Flags.HasIndex() {
		out = append(out, p.Trailing...)
	}
	return w.finish(out, len(dst), start), nil
}

// expected returns about how long the payload gets, so that the memory for it
// is taken at once: nothing where dst brings its own or it may get much
// shorter, or if some block cannot be written. Where equal bodies may be written
// once, it hashes all of them, for the blocks to come.
func (w *blockWriter) expected(dst []byte, p *Payload) int {
	if len(dst) < cap(dst) || w.o.CompressBlocks || len(p.Blocks) == 1 {
		return 0
	}
	var hashes []Hash
	seen, n := make(map[Hash]bool), 2*HeaderSize+len(p.Trailing)
	var at places
	for i := range p.Blocks {
		b := &p.Blocks[i]
		list, size, err := w.check(b, &at)
		if err != nil {
			return 0 // the error is found again
		}
		if w.seen != nil {
			var h Hash
			if _, ok := b.Body.(*Reference); !ok {
				w.scratch = w.appendBody(slices.Grow(w.scratch[:0], size), b, list, &at)
				h = HashOf(w.scratch)
			}
			if hashes = append(hashes, h); seen[h] {
				size = len(h)
			}
			seen[h] = true
		}
		n += size + 4*maxVarintLen
	}
	w.hashes = hashes
	return min(n, w.o.Limits.PayloadBytes)
}

// Encode returns p as a payload, with the default options.
func Encode(p *Payload) ([]byte, error) {
	return EncodeOptions{}.AppendEncode(context.Background(), nil, p)
}

// A blockWriter appends blocks one after the other.
type blockWriter struct {
	ctx     context.Context // of the calls of the store
	o       EncodeOptions   // with the limits resolved, and with what the header asks for
	seen    map[Hash]bool   // bodies so far that a decoder keeps; nil unless blocks are looked for by their hashes
	kept    meter           // what those take
	meter   meter           // what a decoder inflates
	inside  int             // what it would, of a payload compressed as a whole, beyond its text
	index   int
	written int // without the header
	scratch []byte
	packed  []byte  // a compressed body
	hashes  []Hash  // of the bodies of all blocks, where they are known before
	checker checker // of the block that is written
	records bool    // each block is read before the next
}

var blockWriters = sync.Pool{New: func() any { return new(blockWriter) }}

// init makes w a writer of a payload with the header h, of which blocks may be
// references.
func (w *blockWriter) init(ctx context.Context, o *EncodeOptions, h Header, references bool) {
	w.ctx, w.o = ctx, *o
	w.o.Limits = o.Limits.resolved()
	w.o.CompressPayload = o.CompressPayload || h.Flags.IsCompressed()
	if o.Dedup || references {
		w.kept.most, w.seen = w.o.Limits.KeptBytes, make(map[Hash]bool)
	}
	w.checker.lenient, w.checker.treeDepth = o.Lenient, w.o.Limits.TreeDepth
}

// keptScratch is the most memory that a writer keeps for the next payload.
const keptScratch = 64 << 10

// giveBack returns w to the pool, without what belongs to the caller.
func (w *blockWriter) giveBack() {
	scratch, notes := w.scratch, w.checker.notes
	if cap(scratch) > keptScratch {
		scratch = nil
	}
	if cap(notes) > keptScratch/8 {
		notes = nil
	}
	*w = blockWriter{}
	w.scratch, w.checker.notes = scratch, notes
	blockWriters.Put(w)
}

// append appends the frame of b to dst.
func (w *blockWriter) append(dst []byte, b *Block) ([]byte, error) {
	out, err := w.block(dst, b)
	if err != nil {
		return dst, wire.AtKey(wire.AtIndex(err, w.index), "blocks")
	}
	w.index++
	w.written += len(out) - len(dst)
	w.inside += recordCharge + w.checker.copied
	return out, nil
}

// allows reports whether a decoder takes a frame of that size which represents
// n bytes of body, and counts them if so.
func (w *blockWriter) allows(frame, n int) bool {
	w.meter.most = w.o.Limits.inflated(HeaderSize + w.written + frame)
	if w.records {
		w.meter.used = 0
	}
	return w.meter.add(n + w.checker.copied)
}

func (w *blockWriter) block(dst []byte, b *Block) ([]byte, error) {
	if w.index >= w.o.Limits.Blocks {
		return nil, raise(failure("too_many_blocks", wire.ErrLimit, "more than %d blocks", w.o.Limits.Blocks), "Blocks")
	}
	var at places
	list, size, err := w.check(b, &at)
	if err != nil {
		return nil, err
	}
	flags := b.Flags &^ (FlagHasSummary | FlagCompressed | FlagIsReference)
	if b.Summary != nil {
		flags |= FlagHasSummary
	}
	if ref, ok := b.Body.(*Reference); ok {
		flags |= b.Flags & (FlagHasSummary | FlagCompressed)
		return BlockFrame{Type: ref.Type, Flags: flags | FlagIsReference, Body: ref.Hash[:]}.append(dst), nil
	}
	t := b.Body.blockType()
	compress := !w.o.CompressPayload && size >= minCompress && (w.o.CompressBlocks || b.Flags.isCompressed())
	if !compress && w.seen == nil && !b.Flags.isReference() {
		dst = slices.Grow(dst, size+16)
		return w.appendBody(appendFrameHead(dst, t, flags, size), b, list, &at), nil
	}
	body := w.appendBody(slices.Grow(w.scratch[:0], size), b, list, &at)
	w.scratch = body
	if w.seen != nil || b.Flags.isReference() {
		h, isReference, err := w.reference(b.Flags, body)
		if err != nil {
			return nil, err
		}
		if isReference {
			w.inside += len(body)
			return BlockFrame{Type: t, Flags: flags | FlagIsReference, Body: h[:]}.append(dst), nil
		}
	}
	if compress {
		w.packed = appendDeflated(w.packed[:0], body)
		f := BlockFrame{Type: t, Flags: flags | FlagCompressed, Body: w.packed}
		if len(f.Body) < len(body) && w.allows(f.size(), len(body)) {
			return f.append(dst), nil
		}
	}
	return BlockFrame{Type: t, Flags: flags, Body: body}.append(dst), nil
}

// check says whether b can be written, and returns its fields and the size of its body.
func (w *blockWriter) check(b *Block, at *places) (list []field, size int, err error) {
	if !b.hasBody() {
		return nil, 0, failure("no_body", wire.ErrShape, "a block without a body")
	}
	list, size = w.checker.block(b, at)
	if err := w.checker.err; err != nil {
		w.checker.err = nil
		return nil, 0, err
	}
	if b.Summary != nil {
		size += sizeVarint(uint64(len(*b.Summary))) + len(*b.Summary)
	}
	if size > w.o.Limits.BlockBytes {
		return nil, 0, hinted(failure("block_too_large", wire.ErrLimit, "a body of %d bytes; the limit is %d", size, w.o.Limits.BlockBytes),
			"split the block, or raise Limits.BlockBytes if the readers allow it")
	}
	if size > w.o.Limits.PayloadBytes-w.written {
		return nil, 0, hinted(failure("payload_too_large", wire.ErrLimit, "more than %d bytes", w.o.Limits.PayloadBytes),
			"write several payloads, or raise Limits.PayloadBytes")
	}
	return list, size, nil
}

// appendBody appends the body of the block that was checked last.
func (w *blockWriter) appendBody(dst []byte, b *Block, list []field, at *places) []byte {
	if b.Summary != nil {
		dst = binary.AppendUvarint(dst, uint64(len(*b.Summary)))
		dst = append(dst, *b.Summary...)
	}
	if unknown, ok := b.Body.(*UnknownBody); ok {
		return append(dst, unknown.Data...)
	}
	dst, rest := appendLeading(dst, b.Extra)
	dst, _ = appendFields(dst, list, at, w.checker.notes)
	return append(dst, rest...)
}

// referenceFrame is the size of the frame of a reference to a block of a type
// below 128; others take a byte more.
const referenceFrame = 3 + len(Hash{})

// reference says whether the body is to be written as its hash, and sees to it
// that a reader can find the body: earlier in the payload or in the store.
func (w *blockWriter) reference(asked BlockFlags, body []byte) (Hash, bool, error) {
	var h Hash
	if w.hashes != nil {
		h = w.hashes[w.index]
	} else {
		h = HashOf(body)
	}
	known := w.seen[h]
	if (known || asked.isReference()) && w.allows(referenceFrame, len(body)) {
		return h, true, w.provide(body, known, asked.isReference())
	}
	if asked.isReference() {
		return h, false, raise(failure("payload_too_large", wire.ErrLimit,
			"references to more than %d bytes", w.meter.most), "InflatedBytes")
	}
	if w.kept.add(len(body)) {
		w.seen[h] = true
	}
	if w.o.Dedup {
		return h, false, w.provide(body, known, false)
	}
	return h, false, nil
}

// provide puts a body into the store, unless a reader finds it in the payload.
// A reference that was asked for needs one of both.
func (w *blockWriter) provide(body []byte, known, needed bool) error {
	switch {
	case known:
		return nil
	case w.o.Store != nil:
		_, err := w.o.Store.Put(w.ctx, body)
		return ioFailure(err)
	case needed:
		return failure("missing_content_store", wire.ErrShape,
			"a reference to content that no earlier block within Limits.KeptBytes holds, and no store for it")
	}
	return nil
}

// finish compresses what follows the header at out[payload:], if that was
// asked for, pays, and stays within what a decoder inflates, and sets or
// clears the header's flag accordingly.
func (w *blockWriter) finish(out []byte, payload, start int) []byte {
	flags := &out[payload+6]
	*flags &^= byte(HeaderCompressed)
	if !w.o.CompressPayload {
		return out
	}
	plain := out[start:]
	packed := appendDeflated(make([]byte, 0, len(plain)/8), plain)
	if len(packed) < len(plain) && w.inside <= w.o.Limits.inflated(HeaderSize+len(packed))-len(plain) {
		*flags |= byte(HeaderCompressed)
		out = append(out[:start], packed...)
	}
	return out
}
