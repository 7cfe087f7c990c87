package bcp

import (
	"encoding/binary"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// wireType says how a field's payload is written.
type wireType uint8

// The wire types. Bytes and Nested are written alike: a length and that many
// bytes; those of Nested are fields again.
const (
	wireVarint wireType = 0
	wireBytes  wireType = 1
	wireNested wireType = 2
)

// A body is a list of fields, each of them id varint, wire type varint, and a
// varint or a length with bytes. The ids and wire types that this package
// knows take one byte each.

func appendNumber(dst []byte, id byte, v uint64) []byte {
	return binary.AppendUvarint(append(dst, id, byte(wireVarint)), v)
}

func sizeNumber(v uint64) int { return 2 + sizeVarint(v) }

func appendBytes[T string | []byte](dst []byte, id byte, b T) []byte {
	dst = binary.AppendUvarint(append(dst, id, byte(wireBytes)), uint64(len(b)))
	return append(dst, b...)
}

func sizeBytes(n int) int { return 2 + sizeVarint(uint64(n)) + n }

// appendLeading appends the fields in front of extra that belong before the known
// ones, those with id 0, and returns the rest, which belongs after them. Encoders write ids in ascending
// order and no known field has a smaller id than 1 or follows an unknown one.
func appendLeading(dst, extra []byte) (out, rest []byte) {
	if len(extra) == 0 {
		return dst, nil
	}
	at := 0
	for at < len(extra) {
		n := skipField(extra[at:])
		if id, _ := binary.Uvarint(extra[at:]); n <= 0 || id != 0 {
			break
		}
		at += n
	}
	return append(dst, extra[:at]...), extra[at:]
}

// skipField returns the length of the field that b starts with, 0 if there is
// no whole one.
func skipField(b []byte) int {
	_, n := binary.Uvarint(b)
	if n <= 0 {
		return 0
	}
	wt, m := binary.Uvarint(b[n:])
	if m <= 0 || wt > uint64(wireNested) {
		return 0
	}
	n += m
	v, m := binary.Uvarint(b[n:])
	if m <= 0 {
		return 0
	}
	n += m
	if wt == uint64(wireVarint) {
		return n
	}
	if v > uint64(len(b)-n) {
		return 0
	}
	return n + int(v)
}

// countFrames returns how many blocks b holds before END, and whether one of
// them is a reference, as far as it can be read.
func countFrames(b []byte) (count int, references bool) {
	for {
		f, n, err := ReadFrame(b)
		if err != nil || f.Type == BlockEnd {
			return count, references
		}
		count++
		references = references || f.Flags.isReference()
		b = b[n:]
	}
}

// countFields returns how many fields of b have that id, as far as b can be
// read, so that a decoder allocates its slice once.
func countFields(b []byte, id uint64) int {
	count := 0
	for n := skipField(b); n > 0; n = skipField(b) {
		if got, _ := binary.Uvarint(b); got == id {
			count++
		}
		b = b[n:]
	}
	return count
}

// An origin maps indexes of a body to offsets of the payload.
type origin struct {
	offset int
	// inside: the body does not lie in the payload as it is, because it was
	// inflated or fetched; all that can be said is where its frame's body is.
	inside bool
}

func (o origin) moved(n int) origin {
	if !o.inside {
		o.offset += n
	}
	return o
}

// fault is the error at index i of the body.
func (o origin) fault(i int, code string, kind error, format string, args ...any) *wire.Error {
	e := fault(o.moved(i).offset, code, kind, format, args...)
	if o.inside {
		e.Message += ", in its inflated or resolved body"
	}
	return e
}

func (o origin) eof(i int) *wire.Error {
	return o.fault(i, wire.CodeUnexpectedEnd, wire.ErrTruncated, "the body ends inside a field or summary")
}

func (o origin) varintFault(n, have, i int) *wire.Error {
	if n == varintTruncated {
		return o.eof(i + have)
	}
	return varintFault(n, have, o.moved(i).offset)
}

// rules are what a decoder's options say about fields.
type rules struct {
	strict    bool
	lenient   bool
	treeDepth int
	meter     *meter // nil for content that the payload itself holds
}

// A fieldReader reads one list of fields. After a fault, read returns false.
type fieldReader struct {
	rules rules
	body  []byte
	pos   int
	from  origin
	err   error

	// The field that was read last.
	start int // where it starts
	id    uint64
	wt    wireType
	num   uint64
	data  []byte
	at    int // where num or data starts

	seen   uint32 // bit set of the known ids
	lastID uint64
	extra  []byte
}

// read reads the next field. A length is checked against the bytes that are
// there.
func (r *fieldReader) read() bool {
	if r.err != nil || r.pos == len(r.body) {
		return false
	}
	r.start = r.pos
	r.id = r.varint()
	wt := r.varint()
	if r.err != nil {
		return false
	}
	if wt > uint64(wireNested) {
		r.err = r.from.fault(r.start, "unknown_field_wire_type", wire.ErrSyntax, "field %d has wire type %d", r.id, wt)
		return false
	}
	r.wt = wireType(wt)
	r.num = r.varint()
	if r.err != nil {
		return false
	}
	r.at = r.pos
	if r.wt != wireVarint {
		if r.num > uint64(len(r.body)-r.pos) {
			r.err = r.from.eof(len(r.body))
			return false
		}
		end := r.pos + int(r.num)
		r.data = r.body[r.pos:end:end]
		r.pos = end
	}
	if r.rules.strict && r.id < r.lastID {
		r.err = r.from.fault(r.start, "field_order", wire.ErrSyntax, "field %d after field %d", r.id, r.lastID)
	}
	r.lastID = r.id
	return r.err == nil
}

func (r *fieldReader) varint() uint64 {
	if r.err != nil {
		return 0
	}
	if r.pos < len(r.body) && r.body[r.pos] < 0x80 {
		r.pos++
		return uint64(r.body[r.pos-1])
	}
	v, n := binary.Uvarint(r.body[r.pos:])
	if n <= 0 {
		r.err = r.from.varintFault(n, len(r.body)-r.pos, r.pos)
		return 0
	}
	if r.rules.strict && n != sizeVarint(v) {
		r.err = r.from.fault(r.pos, "varint_not_minimal", wire.ErrSyntax, "varint of %d bytes for %d", n, v)
		return 0
	}
	r.pos += n
	return v
}

// known notes that the field has a meaning and checks its wire type. Nested ones are the
// elements of a list, of which there may be several.
func (r *fieldReader) known(name string, want wireType) bool {
	bit := uint32(1) << r.id
	if r.rules.strict && r.seen&bit != 0 && want != wireNested {
		r.fail("duplicate_field", wire.ErrSyntax, name, "field %s occurs twice", name)
		return false
	}
	r.seen |= bit
	if r.wt == want || !r.rules.strict && r.wt != wireVarint && want != wireVarint {
		return true
	}
	r.fail("wire_type_mismatch", wire.ErrSyntax, name, "field %s has wire type %d, not %d", name, r.wt, want)
	return false
}

func (r *fieldReader) fail(code string, kind error, name, format string, args ...any) {
	if r.err == nil {
		r.err = wire.AtKey(r.from.fault(r.start, code, kind, format, args...), name)
	}
}

// unknown keeps the field for re-encoding.
func (r *fieldReader) unknown() {
	if r.extra == nil {
		// The common case, fields in one run, needs no copy.
		r.extra = r.body[r.start:r.pos:r.pos]
		return
	}
	r.extra = append(r.extra, r.body[r.start:r.pos]...)
}

func (r *fieldReader) bytes(name string) []byte {
	if !r.known(name, wireBytes) {
		return nil
	}
	return r.data
}

func (r *fieldReader) text(name string) string {
	b := r.bytes(name)
	if r.err == nil && !r.rules.lenient && !scan.IsUTF8(b) {
		r.fail(wire.CodeInvalidUTF8, wire.ErrUTF8, name, "field %s is not UTF-8", name)
	}
	r.charge(len(b), name)
	if r.err != nil {
		return ""
	}
	return string(b)
}

// charge counts n bytes of memory that the content represents.
func (r *fieldReader) charge(n int, name string) {
	if m := r.rules.meter; m != nil && r.err == nil && !m.add(n) {
		r.err = wire.AtKey(tooMuch(r.from, m.most), name)
	}
}

func (r *fieldReader) number(name string, most uint64) uint64 {
	if !r.known(name, wireVarint) {
		return 0
	}
	if r.num > most {
		r.fail("integer_overflow", wire.ErrRange, name, "field %s is %d, above %d", name, r.num, most)
		return 0
	}
	return r.num
}

// enum reads a value of one byte. Only lenient mode takes values without a
// name.
func (r *fieldReader) enum(w *vocabulary) string {
	if !r.known(w.what, wireVarint) {
		return ""
	}
	if r.num > 0xFF || !w.has(uint8(r.num)) && !r.rules.lenient {
		r.fail("invalid_enum_value", wire.ErrRange, w.what, "%s has the value %d, which has no meaning", w.what, r.num)
		return ""
	}
	return w.name(uint8(r.num))
}
