package partial

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// The kinds of error that only texts in pieces have. Both come as a [*wire.Error] that wraps
// [wire.ErrTruncated] as well.
var (
	ErrCut   = errors.New("the text is cut off") // it ends before the value does
	ErrEmpty = errors.New("the text is empty")   // it has nothing but white space
)

// Options configure a [Parser]. The zero Options read one strict JSON text.
type Options struct {
	Level Level
	// Many says that values follow one another, with white space between them if at all. The
	// value is the array of them then.
	Many bool
	// Quoted says that a text of one string that has an array or object as JSON is that. It is
	// a repair, for Lenient, and nothing is shown before the string ends.
	Quoted bool
	// Limits bound the text: InputBytes, Depth and Values.
	Limits wire.Limits
}

// A Parser reads a text in pieces. Its value is a view: what is complete in it stays, and what
// is open may have grown after the next Write; Clone keeps it as it is. A Parser is not safe
// for concurrent use.
type Parser struct {
	o Options // with resolved Limits
	b builder.Builder

	buf    []byte // the text so far, which strings and numbers point into
	valid  int    // bytes of it that are whole characters
	pos    int    // next byte to look at
	look   int    // if it is beyond pos: up to where what follows pos has been looked at
	state  state
	frames []frame // open arrays and objects; those beyond its length have memory to reuse
	values int     // values left
	root   wire.Value
	whole  bool // root is complete
	closed bool // nothing follows
	err    error

	token   int // where the open number, word or key without quotation marks begins
	text    text
	decoded []byte // what the open string has so far, once it is not what the text has
	last    last   // what precedes

	head    int    // where prose or the value may begin, and what is after the value
	open    []byte // what closes the brackets that are open in the text around the value
	repairs []Repair
	kinds   uint32 // bits of theirs
}

// last is what mistakes are judged by.
type last struct {
	end    int       // of the last value or key
	kind   wire.Kind // of that
	bare   bool      // it was a string or key without quotation marks
	comma  int       // the last comma
	closer int       // where a wrong or an extra bracket is: only brackets follow; else -1
	around int       // depth of what that bracket may close as well; 0 if none
	colon  bool      // the key must have its colon: the comma before it is missing
}

// A frame is an open array or object.
type frame struct {
	object bool
	many   bool // it has no brackets: the array of Options.Many
	shown  bool // Value returned its memory
	slot   int  // of the child that is open and shown, else -1
	key    string
	keyAt  int
	vals   []wire.Value // children that have begun, and of an object twice the room; see begin
	obj    wire.ObjectBuilder
	keys   *wire.Keys // of the first vals, made when asked for
}

// NewParser returns a Parser of one text.
func NewParser(o Options) *Parser {
	o.Limits = o.Limits.Resolved()
	p := &Parser{o: o, values: o.Limits.Values, state: inStart}
	p.last.closer = -1
	if o.Many {
		p.push(0, false)
		p.frames[0].many = true
		p.values--
	}
	return p
}

// Write reads a piece, which may begin and end anywhere, also within a character. After an
// error it returns that error again.
func (p *Parser) Write(piece []byte) (int, error) {
	if p.closed {
		return 0, io.ErrClosedPipe
	}
	n := len(piece)
	if room := p.o.Limits.InputBytes - len(p.buf); room < n { // one byte more shows that the limit is passed
		piece = piece[:max(0, room+1)]
	}
	if len(piece) > cap(p.buf)-len(p.buf) {
		p.buf = slices.Grow(p.buf, len(p.buf)+len(piece))
	}
	p.buf = append(p.buf, piece...) // also after an error: what follows may be what wire.JSON names first
	if p.err == nil {
		p.valid += scan.ValidUTF8(p.buf[p.valid:])
		p.run()
		switch rest := p.buf[p.valid:]; {
		case len(p.buf) > p.o.Limits.InputBytes:
			p.fail(p.o.Limits.InputBytes, wire.CodeInputTooLong, wire.ErrLimit, "the document is longer than the limit", "raise Limits.InputBytes")
		case len(rest) > 0 && utf8.FullRune(rest):
			p.fail(p.valid, wire.CodeInvalidUTF8, wire.ErrUTF8, "bytes that are not UTF-8", "")
		}
	}
	if p.err != nil {
		return 0, p.err
	}
	return n, nil
}

// WriteString is Write for a string.
func (p *Parser) WriteString(piece string) (int, error) { return p.Write([]byte(piece)) }

// Repairs returns what has been repaired so far, in the order of the text but for what was
// left out around the value.
func (p *Parser) Repairs() []Repair { return p.repairs[:len(p.repairs):len(p.repairs)] }

// Value returns the value so far; false if nothing can be shown yet. It takes as long as the
// value is deep.
func (p *Parser) Value() (wire.Value, bool) {
	if p.whole {
		return p.root, true
	}
	v, ok := wire.Value{}, false
	n := len(p.frames)
	if p.state == inString && !p.text.key && (n > 0 || !p.quoted()) {
		v, ok = wire.String(p.soFar()), true
	}
	for i := n - 1; i >= 0; i-- {
		f := &p.frames[i]
		if ok && f.slot >= 0 {
			f.vals[f.slot] = v
		}
		f.shown = true
		switch n := len(f.vals); {
		case !f.object:
			v = wire.Array(f.vals[:n:n]...)
		case f.vals == nil:
			v, _ = wire.Object()
		default:
			v = p.b.Growing(p.keysOf(f), f.vals[:cap(f.vals)])
		}
		ok = true
	}
	return v, ok
}

func (p *Parser) keysOf(f *frame) *wire.Keys {
	if f.keys == nil {
		f.keys = p.b.KeysSoFar(&f.obj)
	}
	return f.keys
}

// push opens an array or object, whose bracket is at i.
func (p *Parser) push(i int, object bool) {
	n := len(p.frames)
	if n >= p.o.Limits.Depth {
		p.fail(i, wire.CodeTooDeep, wire.ErrLimit, "arrays and objects nest deeper than the limit", "raise Limits.Depth")
		return
	}
	if n > 0 {
		p.begin()
	}
	p.frames = slices.Grow(p.frames, 1)[:n+1]
	f := &p.frames[n]
	if f.object != object {
		f.vals = nil
	}
	*f = frame{object: object, slot: -1, vals: f.vals[:0], obj: p.b.Object()}
}

// begin gives the value that begins, or is whole, its place in what holds it.
func (p *Parser) begin() {
	f := &p.frames[len(p.frames)-1]
	at := len(f.vals)
	if f.object {
		at = p.b.KeyOf(&f.obj, f.key, at)
	}
	switch {
	case at < len(f.vals):
		p.repairAt(Repair{Kind: DuplicateKey, Offset: f.keyAt, Pointer: p.pointer(len(p.frames)), Read: string(wire.AppendJSON(nil, f.vals[at])), Took: ""})
	case f.object && at >= cap(f.vals)/2:
		// Values that were returned have the old memory. After the room for n members is that
		// for the keys of 0 to n of them.
		room := max(8, cap(f.vals)/2*2)
		f.vals, f.shown = append(make([]wire.Value, 0, 2*room+1), f.vals...), false
		fallthrough
	default:
		f.keys, f.vals = nil, append(f.vals, wire.Null())
	}
	f.slot = at
}

// complete ends a value.
func (p *Parser) complete(v wire.Value) {
	p.last.kind, p.last.end, p.last.bare = v.Kind(), p.pos, false
	n := len(p.frames) - 1
	if n < 0 {
		if v.Kind() == wire.KindString && p.quoted() {
			inner, err := wire.JSON{Limits: p.o.Limits}.Decode([]byte(v.Text()))
			if err == nil && inner.Kind() >= wire.KindArray {
				p.repair(QuotedJSON, p.token, p.pos, v.Text(), true)
				v = inner
			}
		}
		p.root, p.whole, p.state = v, true, inEnd
		return
	}
	if p.frames[n].slot < 0 {
		p.begin()
	}
	f := &p.frames[n]
	f.vals[f.slot] = v
	f.slot, p.state = -1, inAfter
}

// quoted reports whether a text that is a string may be JSON in quotation marks.
func (p *Parser) quoted() bool { return p.o.Quoted && p.lenient() }

// pop ends the innermost array or object.
func (p *Parser) pop() {
	n := len(p.frames) - 1
	f := &p.frames[n]
	var v wire.Value
	switch {
	case f.object:
		v = p.b.RowFrom(p.keysOf(f), f.vals)
	case f.shown || len(f.vals) == 0:
		v = wire.Array(f.vals[:len(f.vals):len(f.vals)]...)
	default:
		elements := p.b.Elements(len(f.vals))
		copy(elements, f.vals)
		v = p.b.ArrayOf(elements)
	}
	if f.shown {
		f.vals = nil
	}
	f.obj = wire.ObjectBuilder{}
	p.frames = p.frames[:n]
	p.complete(v)
}

// token returns the reference token of the child of a frame that is open or comes next.
func (f *frame) token() string {
	switch {
	case f.object:
		return f.key
	case f.slot >= 0:
		return strconv.Itoa(f.slot)
	}
	return strconv.Itoa(len(f.vals))
}

// pointer returns where the open or next child of the frame above depth is.
func (p *Parser) pointer(depth int) string {
	var b strings.Builder
	for i := range p.frames[:depth] {
		b.WriteByte('/')
		_, _ = scan.PointerEscapes.WriteString(&b, p.frames[i].token())
	}
	return b.String()
}

// fail ends the text with an error at an offset. At Strict it is the one that the JSON codec has.
func (p *Parser) fail(at int, code string, kind error, message, hint string) {
	if p.err != nil {
		return
	}
	err := wire.ErrorAt(p.buf, at, wire.Error{Format: "json", Code: code, Kind: kind, Message: message, Hint: hint})
	for i := len(p.frames) - 1; i >= 0; i-- {
		if i < len(p.frames)-1 || p.frames[i].slot >= 0 {
			_ = wire.AtKey(err, p.frames[i].token())
		}
	}
	text := p.buf
	if !utf8.FullRune(p.buf[p.valid:]) {
		text = p.buf[:p.valid]
	}
	p.err = p.asJSON(text, err)
}

// asJSON returns the error that the JSON codec has for a text at Strict, or else err.
func (p *Parser) asJSON(text []byte, err error) error {
	if p.o.Level == Strict && !p.o.Many {
		if _, failed := (wire.JSON{Limits: p.o.Limits}).Decode(text); failed != nil {
			return failed
		}
	}
	return err
}

// Close says that nothing follows. It returns an error that wraps [ErrCut] if the value is not
// complete, one that wraps [ErrEmpty] if there is nothing, and else what is wrong with the
// text. The value so far stays.
func (p *Parser) Close() error {
	if p.closed {
		return p.err
	}
	p.closed = true
	if p.err == nil && p.valid == len(p.buf) {
		p.finish()
	}
	switch {
	case p.err != nil:
		p.err = p.asJSON(p.buf, p.err)
	case !p.whole || p.valid < len(p.buf):
		p.err = p.cut()
	}
	return p.err
}

// cut returns why the text ends too early.
func (p *Parser) cut() error {
	err := wire.Error{Format: "json", Code: wire.CodeUnexpectedEnd, Kind: wire.ErrTruncated, Cause: ErrCut, Message: "the text is cut off",
		Hint: "Value has what precedes, Open what is not complete"}
	if len(bytes.TrimSpace(p.buf)) == 0 {
		err.Cause, err.Message, err.Hint = ErrEmpty, "the text is empty", ""
	}
	at := len(p.buf)
	if e, ok := p.asJSON(p.buf, nil).(*wire.Error); ok {
		if at = e.Offset; !errors.Is(e, wire.ErrTruncated) && p.state != inString && p.valid == len(p.buf) {
			return e
		}
	}
	return wire.ErrorAt(p.buf, at, err)
}
