package wire

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// Internal is for the packages of this module, see internal/codec/builder. The methods by which a
// caller could break what [Builder] and [Value] promise take a token that other modules
// cannot have, or are those of [ours], which one opens; the others are safe, and of use to
// this module only.
var Internal internal

type internal struct{}

// NumberText is [Number] for text that is known to follow JSON's grammar.
func (internal) NumberText(t inplace.Token, text string) Value {
	t.Check()
	return numberText(text)
}

// Respelled returns v, a number or bool, as one with another spelling in its text than in
// JSON, which no string takes for its own: 0x1F, True. If zeros is not 0, v was made from
// text, and that many zeros that JSON does not have are before the first digit: 007, which a
// string takes so.
func (internal) Respelled(t inplace.Token, v Value, zeros int) Value {
	t.Check()
	v.nsec = respelled + uint32(zeros)
	return v
}

// Spelling returns the text of a number that was made from text, and whether v is
// such a number. It does not allocate.
func (internal) Spelling(v Value) (text string, ok bool) {
	if poison {
		v.live()
	}
	if v.kind != KindNumber || v.form != formText {
		return "", false
	}
	return v.str(), true
}

// TaggedString returns a string with a tag, which marks a format's own kind of scalar, such
// as GLYPH's ids. Only the format that set a tag interprets it; every other format writes
// the text. The tag 0 is that of a plain string.
func (internal) TaggedString(s string, tag uint8) Value {
	v := stringValue(KindString, s)
	v.tag = tag
	return v
}

// Tag returns the format's tag of a string, 0 for plain strings and all else.
func (internal) Tag(v Value) uint8 { return v.tag }

// IsFloat reports whether v is a number that came from a Go floating-point
// number, not from text or an integer. Formats that tell doubles from integers
// go by it; Equal does not. Float64 is then that number, and Text its
// shortest text, so an encoder need not look twice.
func (internal) IsFloat(v Value) bool { return v.kind == KindNumber && v.form == formFloat }

// AppendText appends the text of a scalar: a number as [Value.Text] has it, a string as it
// is, bytes in standard base64 with padding, a time in RFC 3339 with as many digits of the
// second as it needs. It appends nothing for other kinds.
func (internal) AppendText(dst []byte, v Value) []byte { return v.appendText(dst) }

// Shift returns e with its position moved by what a streaming decoder had read before the
// bytes that the position refers to: whole lines, and characters on the line after them.
func (internal) Shift(e *Error, offset, lines, columns int) *Error {
	m := *e
	if m.Line == 1 {
		m.Column += columns
		m.from += columns
	}
	m.Offset += offset
	m.Line += lines
	return &m
}

// AppendMarshal is [Marshal] for an encoding that is appended to dst. On error it
// returns dst as it was given.
func (internal) AppendMarshal(dst []byte, c Codec, v any) ([]byte, error) {
	d := describe(c)
	if d.Go != nil {
		if out, done, err := d.Go.AppendGo(c, dst, v); done {
			return out, err
		}
	}
	err := Options{}.viewGo(d, v, func(value Value) (err error) {
		dst, err = c.AppendEncode(dst, value)
		return err
	})
	return dst, err
}

// ViewGo calls f with what [FromGo] makes of v. The Value and everything in
// it are valid until f returns, because their memory is reused; what f wants
// to keep it clones. So an encoder that writes the Value and forgets it leaves no
// garbage after. ViewGo returns the error of the conversion, without
// calling f, or what f returns. It is safe for concurrent use as long as no one
// changes v.
func (internal) ViewGo(v any, f func(Value) error) error { return Options{}.view(v, f) }

// InvalidUTF8 returns the error for the first string or key of v that is not
// valid UTF-8, with its path; nil if there is none. An encoder of text can
// check its whole output once, which is faster than checking every string, and
// calls InvalidUTF8 to say which one it was.
func (in internal) InvalidUTF8(v Value, format string) error {
	switch v.kind {
	case KindString:
		if !utf8.ValidString(v.str()) {
			return &Error{Format: format, Code: CodeInvalidUTF8, Kind: ErrUTF8,
				Message: fmt.Sprintf("string %.60q is not valid UTF-8", v.str()), Hint: "use Bytes for binary data"}
		}
	case KindArray:
		for i, e := range v.children() {
			if err := in.InvalidUTF8(e, format); err != nil {
				return AtIndex(err, i)
			}
		}
	case KindObject:
		for i, e := range v.children() {
			key := v.keys().names[i]
			if !utf8.ValidString(key) {
				return &Error{Format: format, Code: CodeInvalidUTF8, Kind: ErrUTF8,
					Message: fmt.Sprintf("key %.60q is not valid UTF-8", key)}
			}
			if err := in.InvalidUTF8(e, format); err != nil {
				return AtKey(err, strings.ToValidUTF8(key, "�"))
			}
		}
	}
	return nil
}

// BytesText is [Bytes] for a Value that points into s.
func (internal) BytesText(t inplace.Token, s string) Value {
	t.Check()
	return stringValue(KindBytes, s)
}

// AppendNested is [AppendJSON] for a part of a longer text, whose UTF-8 the caller checks
// as a whole. It goes depth levels deep, and the text may get max bytes long with what
// dst holds. On error it returns dst as it was given.
func (internal) AppendNested(t inplace.Token, dst []byte, v Value, depth, max int) ([]byte, error) {
	t.Check()
	w := jsonWriter{format: "json", dst: dst, maxDepth: depth, maxLen: max}
	w.value(v, 0)
	if !w.fits() {
		return dst, w.err
	}
	return w.dst, nil
}

// Fill returns what only this module may do with a Builder.
func (internal) Fill(t inplace.Token, b *Builder) ours {
	t.Check()
	return ours{b}
}

// ours are the methods by which decoders of this module fill the memory of Values before
// these are made. Type inference can give the zero ours to anyone who sees [internal.Fill]:
// it has no Builder, and so no memory.
type ours struct{ *builder }

type builder = Builder // the name of a field that is not exported

// Borrow gives the Builder, which is new, what its document is to be decoded into: if that
// is nil, memory that other documents had before, which is shared and bounded. What is made
// from then on is valid until GiveBack; if records end with EndRecord, until the next
// record begins. What is made for [inplace.Owned] belongs to the caller, and only the stack
// and the tree of key lists were others' before.
func (b ours) Borrow(to inplace.Target) { b.borrow(to) }

// EndRecord is [Builder.endRecord].
func (b ours) EndRecord() { b.endRecord() }

// NewKeys is [Builder.newKeys].
func (b ours) NewKeys(names []string) (*Keys, error) { return b.newKeys(names...) }

// Transcode is [Transcoder.Transcode], which counts the records in n as they are copied. It
// calls check, unless that is nil, with the members of records that are objects, and those of
// the header, whenever they are others than those of the object before; its error is that of
// the record. It must be safe for concurrent use, and may be called for records that are not
// reached.
func (internal) Transcode(ctx context.Context, c Transcoder, w io.Writer, r io.Reader, n *atomic.Int64, check func(record, header *Keys) error) error {
	return c.transcode(ctx, w, r, n, check)
}

// GiveBack ends the time of everything that was made since Borrow, but err, which is what
// decoding or the use of the values came to, if anything. It is not called after a panic:
// something else may have the Values then. The Builder must not be used any more,
// unless it parses cells: then it is new.
func (b ours) GiveBack(err error) {
	b.giveBack(err)
	if b.cells != nil {
		b.cells.forCells()
	}
}

// Copy returns a copy of text for Values to point into, followed by padding: in memory of
// its own or, in a Builder that has borrowed, in that of the document or record before. A
// document is copied once, before anything is made of it.
func (b ours) Copy(text []byte, padding string) string {
	return aliasString(b.copyText(text, padding))
}

// Room returns a buffer of length 0 for n bytes of text. Values may point into what is
// appended there; TextOf makes the string.
func (b ours) Room(n int) []byte {
	if b.self != b.here() {
		b.init()
	}
	if b.textsOwned() {
		return make([]byte, 0, n)
	}
	if n > cap(b.text)-len(b.text) {
		b.text = make([]byte, 0, max(textChunk, 2*cap(b.text), n))
	}
	from := len(b.text)
	b.text = b.text[:from+n]
	return b.text[from : from : from+n]
}

// TextOf returns text, which lies in what Room returned or in other memory, as a string.
// Nothing that is read of the string is written to as long as it is used.
func (b ours) TextOf(text []byte) string {
	_ = b.stack // panics for a caller without a Builder, which has not shown the token
	return aliasString(text)
}

// Unescape returns a string that begins with the plain text s[start:i] and goes on with
// what e.Unescape makes of s from i on, and where that ends.
func (b ours) Unescape(e *scan.Escapes, s string, start, i int) (string, int) {
	if b.self != b.here() {
		b.init()
	}
	const few = 4 * firstText // bytes that most strings have
	if b.textsOwned() && cap(b.text)-len(b.text) < few {
		b.text = make([]byte, 0, min(max(4*cap(b.text), 2*few), textChunk))
	}
	room := b.text[len(b.text):]
	text, end, _ := e.Unescape(append(room, s[start:i]...), s, i)
	switch {
	case scan.SameStart(text, room):
		b.text = b.text[:len(b.text)+len(text)]
		return aliasString(text), end
	case b.textsOwned() && len(text) > textChunk/4:
		return aliasString(text), end // in an allocation of its own
	}
	return b.cloneText(text), end
}

// SameKeys reports whether v and w are objects with the same keys in the same order. It
// takes constant time when they share their [Keys], as the objects of one table do.
func (internal) SameKeys(v, w Value) bool { return v.sameKeys(w) }

// Same reports whether two lists have the same keys in the same order.
func (internal) Same(k, l *Keys) bool { return k.same(l) }

// Hash returns a hash of the keys and their order. It is remembered.
func (internal) Hash(k *Keys) uint64 {
	hash := k.hash.Load()
	if hash == 0 {
		for _, name := range k.names {
			hash = bits.RotateLeft64(hash, 5)*hashFactor + maphash.String(keySeed, name)
		}
		hash |= 1
		k.hash.Store(hash)
	}
	return hash
}

// hashFactor is odd, so that no bit of a hash is lost.
const hashFactor = 0x9E3779B97F4A7C15

// Mark returns the height of the stack on which the children of arrays and rows wait.
func (b ours) Mark() int { return b.mark() }

// Reserve makes room for n more children on the stack.
func (b ours) Reserve(n int) { b.stack = slices.Grow(b.stack, n) }

// Push puts a child on the stack.
func (internal) Push(b *Builder, v Value) { b.push(v) }

// Array takes the children above mark off the stack and returns their array.
func (internal) Array(b *Builder, mark int) Value { return b.arrayAbove(mark) }

// Row takes the children above mark off the stack and returns the object that has them as
// the values of keys. It panics if there are not as many.
func (internal) Row(b *Builder, keys *Keys, mark int) Value { return b.rowAbove(keys, mark) }

// Text returns a string with a copy of p. Short copies share larger allocations.
func (internal) Text(b *Builder, p []byte) string { return b.cloneText(p) }

// Slots returns memory for the n values of an object whose keys are known before, or for
// n+1 elements of an array: there is one slot more than its length. Its content is
// undefined until it is set, which ends with RowOf or ArrayOf; meanwhile other values can
// be made.
func (b ours) Slots(n int) []Value {
	return b.take(n + 1)[:n]
}

// RowOf returns the object that has the first values of slots, which is what Slots
// returned or a part of it up to its end, as the values of keys. The slots belong to the
// object from then on, those beyond keys.Len() are unused.
func (b ours) RowOf(keys *Keys, slots []Value) Value {
	n := keys.Len()
	if n > len(slots) {
		panic("wire: fewer slots than keys")
	}
	if b.sink != nil && n > 0 {
		v := b.sink.object(keys, slots[:n])
		b.untake(slots[:len(slots)+1])
		return v
	}
	if n < len(slots) {
		slots = b.first(slots[:len(slots)+1], n+1)
	}
	slots = slots[:n+1]
	slots[n] = keysValue(keys)
	return childrenValue(KindObject, &slots[0], n)
}

// RowFrom returns the object that has a copy of values as the values of keys. A decoder
// that gathers values in an array of its own frame writes them without a barrier, which
// takes time while the collector marks. It panics if there are not as many values as keys.
func (b ours) RowFrom(keys *Keys, values []Value) Value {
	n := keys.Len()
	if len(values) != n {
		panic("wire: an object with a number of values other than that of its keys")
	}
	if b.sink != nil {
		return b.sink.object(keys, values)
	}
	slots := b.take(n + 1)
	copy(slots, values)
	slots[n] = keysValue(keys)
	return childrenValue(KindObject, &slots[0], n)
}

// KeysSoFar returns the keys of an object that has been begun, whose values are not put, but
// given to RowOf or RowFrom in place of [Builder.EndObject].
func (b ours) KeysSoFar(o *ObjectBuilder) *Keys { return b.keysOf(o) }

// KeyOf is [Builder.Key] for an object whose values are not put either. It returns the position
// of the key's value: that of the next one if the key is new.
func (b ours) KeyOf(o *ObjectBuilder, key string, next int) int {
	if b.Key(o, key) {
		return next
	}
	at := o.slot
	o.slot = -1
	return at
}

// Growing returns an object of the first values of slots, to which others are added while it
// is in use: half of the slots, less one, are for values, and one of the rest has the keys for
// each number of them.
func (b ours) Growing(keys *Keys, slots []Value) Value {
	v := childrenValue(KindObject, &slots[0], keys.Len())
	v.nsec = uint32(len(slots) / 2)
	slots[v.num+uint64(v.nsec)] = keysValue(keys)
	return v
}

// ArrayOf returns the array of elements, of which there are some and for which Slots
// returned the memory.
func (b ours) ArrayOf(elements []Value) Value {
	if b.sink != nil {
		v := b.sink.array(elements)
		b.untake(elements)
		return v
	}
	return childrenValue(KindArray, &elements[0], len(elements))
}

// Untake returns the slots of elements, if no other value was made since.
func (b ours) Untake(elements []Value) { b.untake(elements) }

// KeyIn is [Builder.Key] for a key at text[i:] that the separator follows, if it is the
// one that came next in the object's last predecessor and an identifier: letters, digits
// and _, not a digit first. It returns the position of the separator, -1 if the key is another.
func (internal) KeyIn(b *Builder, o *ObjectBuilder, text string, i int, separator byte) (end int) {
	o.at, end = b.afterIn(o.at, text, i, separator) // inlined, as in Key
	return end
}

// afterIn returns the shape of an object with the key at text[i:] and where that ends, or
// the shape at and -1.
func (b *Builder) afterIn(at *shape, text string, i int, separator byte) (*shape, int) {
	if at == nil {
		return at, -1
	}
	next := at.last
	if next == nil || !next.ident {
		return at, -1
	}
	end := i + len(next.key)
	if end >= len(text) || text[end] != separator || text[i:end] != next.key {
		return at, -1
	}
	if len(b.stack) == cap(b.stack) {
		b.deepen()
	}
	return next, end
}

// KeysOf returns the keys of an object that the Builder has just made, nil for any other
// value.
func (b ours) KeysOf(v Value) *Keys {
	switch {
	case v.kind == KindObject:
		return v.keys()
	case v.kind == kindGo && v.num == goMap && b.sink.made == v.ptr:
		return b.sink.keys
	}
	return nil
}

// MakesGo reports whether an array or object becomes a Go value as soon as it is made, so
// that its slots can be reused.
func (b ours) MakesGo() bool { return b.sink != nil }

// ViewJSON is the View of JSON, which it does not box.
func (internal) ViewJSON(to inplace.Target, c JSON, src []byte, f func(Value) error) error {
	return c.view(to, src, f)
}

// Describe returns what c can do beside its methods.
func (internal) Describe(t inplace.Token, c Codec) *description {
	t.Check()
	return describe(c)
}

// WithWarnings returns c with a function that Decode and Records call for what they accept
// although something is wrong with it: faults that the format's specification, or what
// producers really send, makes a reader tolerate. What it is given is the error that a
// strict reader would return. It must be safe for concurrent use if the codec is used so.
// A codec that has no warnings is returned as it is: those that have them have a field Warn.
func (internal) WithWarnings(c Codec, warn func(*Error)) Codec {
	return withField(c, "Warn", warn)
}
