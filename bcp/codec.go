package bcp

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// Codec carries any value as JSON text in one STRUCTURED_DATA block, the
// lossless and readable use of the format: 21 to 25 bytes on top of the compact
// JSON text. Every reader of the format understands it.
//
// Decode returns that value. Any other payload decodes to the view of
// [Payload.Value], so that foreign payloads can be looked at and converted.
// Encode does not interpret views; [FromManifest] makes a payload of one.
type Codec struct {
	// Magic is written, as in [Header]: "LCP", which is the default, or "BCP". Both are read.
	Magic string
	// Compress compresses the block with zstd if that makes it smaller and a
	// reader with the default limits takes it.
	Compress bool
	// Store resolves references when decoding. Its calls cannot be cancelled; those of
	// [DecodeOptions] can.
	Store Store
	// BlockBytes is the largest body; 0 means the format's limit of
	// 16 MiB, a negative one for none. Other readers may refuse larger ones.
	BlockBytes int
	// Limits count bytes as they are written and read. OutputBytes also bounds
	// the JSON text before it is compressed and what a payload inflates to,
	// whose default is in proportion (see [Limits].InflatedBytes); so is that
	// of Values for compressed text: 256 Ki and one for each of its bytes in
	// the payload.
	Limits wire.Limits
}

var _ wire.Streamer = Codec{}

// Info describes the codec.
func (c Codec) Info() wire.Info {
	return wire.Info{
		Name:       formatName,
		Variant:    c.variant(),
		Title:      "BCP/LCP context pack",
		MediaType:  "application/vnd.bcp",
		Extensions: []string{".bcp", ".lcp"},
		Document:   "bcp-wire and the layers it names",
		Version:    "1.0",
		Binary:     true,
		Loss:       variants.LossKinds,
	}
}

// Sniff reports whether src starts with one of the two magics.
func (c Codec) Sniff(src []byte) bool {
	return magicOf(src) != ""
}

func (c Codec) json() wire.JSON { return wire.JSON{Limits: c.Limits} }

// limits translates the limits of values into those of payloads.
func (c Codec) limits() Limits {
	l := c.Limits.Resolved()
	// A view has three levels above the entries of a tree, and two for each
	// level of entries.
	depth := max(1, (l.Depth-3)/2)
	return Limits{BlockBytes: c.BlockBytes, PayloadBytes: l.OutputBytes, InflatedBytes: c.Limits.OutputBytes, TreeDepth: depth}.resolved()
}

// valuesFloor is how many values compressed text may hold by default, however
// short it is.
const valuesFloor = 1 << 18

// values returns the limit of values in text of which stored bytes are in the
// payload.
func (c Codec) values(stored int) int {
	if c.Limits.Values != 0 {
		return c.Limits.Resolved().Values
	}
	return min(bound.Values, valuesFloor+stored)
}

// holds reports whether v has no more values than text of stored bytes may.
func (c Codec) holds(v wire.Value, stored int) bool {
	most := c.values(stored)
	return builder.Count(v, most) <= most
}

// check returns an error for an option outside its range.
func (c Codec) check() error {
	if c.Magic != "" && c.Magic != magicLCP && c.Magic != magicBCP {
		return variants.Invalid(formatName, "Magic", strconv.Quote(c.Magic), `"LCP" or "BCP"`)
	}
	return nil
}

// AppendEncode appends a payload that carries v. The length of its text, which is in the
// head of the block, is known only afterwards.
func (c Codec) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if err := c.check(); err != nil {
		return dst, err
	}
	out := Header{Magic: c.Magic}.append(dst)
	start := len(out)
	out, err := c.json().AppendEncode(out, v)
	if err != nil {
		return dst, renamed(err)
	}
	n := len(out) - start
	size := sizeNumber(jsonFormat) + sizeBytes(n)
	if limit := c.limits().BlockBytes; size > limit {
		return dst, hinted(failure("block_too_large", wire.ErrLimit, "a body of %d bytes; the limit is %d", size, limit),
			"split the value, or raise BlockBytes if the readers allow it")
	}
	var room [4 * maxVarintLen]byte
	head := appendFrameHead(room[:0], BlockStructuredData, 0, size)
	head = append(appendNumber(head, 1, jsonFormat), 3, byte(wireBytes))
	out = slices.Insert(out, start, binary.AppendUvarint(head, uint64(n))...)
	if c.Compress && size >= minCompress {
		out = c.compress(out, start, size, v)
	}
	out = appendEnd(out)
	if limit := c.Limits.Resolved().OutputBytes; len(out)-len(dst) > limit {
		return dst, failure(wire.CodeOutputTooLong, wire.ErrLimit, "the payload gets longer than %d bytes", limit)
	}
	return out, nil
}

// compress compresses the block at start, whose body of size bytes carries v,
// if that pays and a decoder takes it.
func (c Codec) compress(out []byte, start, size int, v wire.Value) []byte {
	f := BlockFrame{Type: BlockStructuredData, Flags: FlagCompressed, Body: deflate(out[len(out)-size:])}
	if len(f.Body) >= size || size > c.limits().inflated(HeaderSize+f.size()) || !c.holds(v, len(f.Body)) {
		return out
	}
	return f.append(out[:start])
}

// renamed returns an error of the JSON codec as one of this codec.
func renamed(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		e.Format = formatName
	}
	return err
}

// NewRecordWriter returns a writer of one block per record. The records may be
// of any shape; keys are not looked at.
func (c Codec) NewRecordWriter(w io.Writer, _ *wire.Keys) (wire.RecordWriter, error) {
	o := EncodeOptions{Store: c.Store, Limits: c.limits()}
	o.Limits.PayloadBytes, o.Limits.Blocks = -1, -1 // the limits are for one document
	if err := c.check(); err != nil {
		return nil, err
	}
	r := &recordWriter{Base: records.Base{Format: formatName, Valid: true}, c: c, codec: c.json()}
	r.blocks.init(context.Background(), &o, Header{}, false)
	r.blocks.records = true
	return records.NewWriter(w, r)
}

type recordWriter struct {
	records.Base
	c      Codec
	codec  wire.Codec // of the texts in blocks
	blocks blockWriter
	json   []byte
	data   StructuredData
}

// Header implements [records.Form].
func (w *recordWriter) Header(dst []byte) ([]byte, error) {
	return Header{Magic: w.c.Magic}.append(dst), nil
}

// AppendGo implements [records.Form].
func (w *recordWriter) AppendGo(dst []byte, v any) (_ []byte, done bool, err error) {
	if w.c.Compress { // which looks at the Value
		return dst, false, nil
	}
	text, err := wire.Internal.AppendMarshal(w.json[:0], w.codec, v)
	if err != nil {
		return dst, false, nil
	}
	return w.block(dst, text, 0)
}

// Record implements [records.Form].
func (w *recordWriter) Record(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	text, err := w.codec.AppendEncode(w.json[:0], record)
	if err != nil {
		return dst, true, renamed(err)
	}
	flags := BlockFlags(0)
	if w.c.Compress && w.c.holds(record, 0) {
		flags = FlagCompressed
	}
	return w.block(dst, text, flags)
}

// block appends the block of a record.
func (w *recordWriter) block(dst, text []byte, flags BlockFlags) ([]byte, bool, error) {
	w.json = text
	w.data = StructuredData{Format: "json", Content: text}
	dst, err := w.blocks.append(dst, &Block{Body: &w.data, Flags: flags})
	return dst, true, err
}

// End implements [records.Form].
func (w *recordWriter) End(dst []byte, _ int) ([]byte, error) { return appendEnd(dst), nil }
