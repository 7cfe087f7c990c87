package gcf

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A recordDecoder reads a document that is one array, or an object whose only member is
// one. It holds one part at a time: the header of the array, an element with all that belongs
// to it, a member of another form, or the trailer.
type recordDecoder struct {
	in     chunks
	d      decoder
	given  wire.Limits // as the caller set them
	limits wire.Limits // resolved

	array  streamArray
	to     inplace.Target // nil for none
	target *rowTarget     // of the array's rows, nil if they need Values

	err error // of fill
}

// streamArray is the array being read.
type streamArray struct {
	count count
	rows  rows // of a table; plan is nil for an expanded array
	n     int
	// The value that was read as a whole, if it was.
	whole   bool
	literal wire.Value
}

func (c Codec) records(r io.Reader) *recordDecoder {
	limits := c.Limits.Resolved()
	s := &recordDecoder{in: newChunks(r, limits.LineBytes), given: c.Limits, limits: limits}
	s.d.Ending = s.in.ending(c.ending())
	return s
}

// all yields the elements of the document, and its error.
func (s *recordDecoder) all(yield func(wire.Value, error) bool) {
	object, err := s.root()
	switch {
	case err != nil:
	case object:
		err = s.member(yield)
	default:
		err = s.elements(-1, yield)
	}
	s.end(err, yield)
}

// end reads what follows the array, unless there was an error, which it yields. [io.EOF] is
// the end of reading.
func (s *recordDecoder) end(err error, yield func(wire.Value, error) bool) {
	if err == nil {
		err = s.trailer()
	}
	if err != nil && err != io.EOF {
		yield(wire.Value{}, s.in.moved(err))
	}
}

// saved is what a decoder must take back to read a part once more.
type saved struct {
	lines lex.Lines
	place
	rows                        rows
	mark, deferred, established int // the lengths of what grows
}

func (s *recordDecoder) save() saved {
	d := &s.d
	return saved{d.Lines, d.place, s.array.rows, d.Mark(), len(d.deferred), len(d.established)}
}

func (s *recordDecoder) restore(was saved) {
	d := &s.d
	if d.Mark() > was.mark {
		d.Array(was.mark) // takes what is left over off the stack
	}
	d.Lines, d.place, s.array.rows = was.lines, was.place, was.rows
	d.deferred, d.established = d.deferred[:was.deferred], d.established[:was.established]
}

// fewLines is how often a part is read once more after a single line was added.
const fewLines = 8

// read calls parse, which reads one part and makes the line after it current.
// Where that runs into the end of the piece, more of the stream is read, and
// the part once more.
func (s *recordDecoder) read(parse func() error) error {
	d := &s.d
	if err := s.in.fill(&d.Lines); err != nil {
		return err
	}
	for tries := 0; ; tries++ {
		was := s.save()
		s.allow()
		err := parse()
		if start := was.lines.Start; s.in.Ended() || !d.Done && !mayBeCut(err) {
			if err == nil && d.Start-d.Indent-(start-was.lines.Indent) > s.partBytes() {
				err = s.partTooLong(start)
			}
			return err
		}
		// A row of a table without an id is its line, and nothing below it.
		isRow := err == nil && s.array.rows.plan != nil && d.Doc[was.lines.Start] != '@'
		s.restore(was)
		if err := s.extend(tries); err != nil {
			if isRow && s.reload() == nil {
				s.allow()
				return parse() // the reader's error is that of the next part
			}
			return err
		}
	}
}

// allow gives a part what one may hold.
func (s *recordDecoder) allow() {
	d := &s.d
	d.values = s.limits.Values
	d.groups = 0
	d.limitGroups(s.given, s.partBytes())
}

// reload makes the first line of the piece current.
func (s *recordDecoder) reload() error {
	s.in.load(&s.d.Lines)
	return s.d.Next()
}

// partBytes is how long a part may be.
func (s *recordDecoder) partBytes() int { return max(s.in.max, lineio.PieceSize) }

func (s *recordDecoder) partTooLong(at int) error {
	return s.d.Fail(at, wire.Error{Code: "part_too_long", Kind: wire.ErrLimit,
		Message: "what belongs to one row, item or member is longer than the limit", Hint: "raise Limits.LineBytes"})
}

// mayBeCut reports whether an error may come from the piece's end: a count that
// the rest of the piece cannot hold.
func mayBeCut(err error) bool {
	if err == nil {
		return false // and e is not allocated
	}
	var e *wire.Error
	return errors.As(err, &e) && e.Code == wire.CodeCount
}

// extend drops what is before the current line and reads more after it.
func (s *recordDecoder) extend(tries int) error {
	d := &s.d
	s.in.Done(d.Base + d.Lines.Start - d.Indent)
	had := s.in.Len()
	if had > s.partBytes() {
		return s.partTooLong(d.Lines.Start)
	}
	if _, err := s.in.more(); err != nil {
		return err
	}
	for tries >= fewLines && s.in.Len() < 2*had {
		// What stops the reading is told when the lines before it are read.
		if more, err := s.in.more(); !more || err != nil {
			break
		}
	}
	return s.reload()
}

// root reads the header and finds out what the document is: an object, whose members follow,
// or the array or another value, which is begun.
func (s *recordDecoder) root() (object bool, err error) {
	d := &s.d
	d.MaxBytes, d.depth, d.values = s.limits.LineBytes, s.limits.Depth, s.limits.Values
	d.lastIndent = -1
	if _, err := s.in.more(); err != nil {
		return false, err
	}
	s.in.load(&d.Lines)
	h, err := d.Header()
	if err != nil {
		return false, err
	}
	if h.Profile != lex.ProfileGeneric {
		return false, d.Fail(0, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the document is not in the generic profile", Hint: "use GraphCodec.Items"})
	}
	if err := d.checkValue(&h); err != nil {
		return false, err
	}
	if !strings.HasPrefix(d.Doc, lex.GenericHeader) {
		s.to = nil
	}
	key, hasKey := h.Get("key")
	d.identityKey, d.hasIdentity = strings.Clone(key), hasKey
	switch {
	case !s.fill() || d.Indent > 0:
	case d.Doc[d.here()] == '=':
		return false, s.read(func() (err error) {
			s.array.whole = true
			s.array.literal, err = d.root()
			return err
		})
	case strings.HasPrefix(d.Line(), "## ["):
		return false, s.begin(len("## "))
	}
	return true, cmp.Or(s.err, d.enter())
}

// begin reads the beginning of an array or a keyed map, whose count is at that distance
// from the start of the line: its header, or the whole of it if it has neither rows nor
// items.
func (s *recordDecoder) begin(at int) error {
	d := &s.d
	var a streamArray
	err := s.read(func() (err error) {
		a = streamArray{}
		if a.count, err = d.countBracket(d.here() + at); err != nil {
			return err
		}
		switch c := a.count; {
		case c.next < d.End && d.Doc[c.next] == '{':
			a.rows.plan, err = d.tableFields(c)
			return err
		case c.next == d.End && !c.keyed && c.n != 0:
			return d.Next()
		case c.deferred >= 0:
			d.deferred = d.deferred[:c.deferred]
		}
		a.whole = true
		a.literal, err = d.block(d.here()+at, 0, nil)
		return err
	})
	if s.array = a; err != nil || a.whole {
		return err
	}
	d.values = s.limits.Values
	if a.rows.plan == nil {
		return d.enter()
	}
	s.target = s.newTarget(a.count.next)
	return d.enterTable(a.rows.plan)
}

// elements yields the elements of the array, most of them at most unless that is negative.
func (s *recordDecoder) elements(most int, yield func(wire.Value, error) bool) error {
	a := &s.array
	switch {
	case a.whole && a.literal.Kind() != wire.KindArray, !a.whole && a.count.keyed:
		return errNotRecords()
	case a.whole:
		for e := range a.literal.Elements() {
			if !yield(e, nil) {
				return io.EOF
			}
		}
		s.d.EndRecord()
		return nil
	}
	for n := 0; n != most; n++ {
		v, ok, err := s.element()
		if err != nil || !ok {
			return err
		}
		if !yield(v, nil) {
			return io.EOF
		}
		if s.d.EndRecord(); s.d.lent {
			a.rows.cells = nil // which the next record overwrites
		}
	}
	return io.EOF
}

func errNotRecords() error {
	return lex.Fault("not_records", wire.ErrShape, "", "the document is not one array", "decode the whole document")
}

// element reads a row or an item of the array, or its end.
func (s *recordDecoder) element() (v wire.Value, ok bool, err error) {
	if err := s.in.fill(&s.d.Lines); err != nil {
		return v, false, err
	}
	d, a := &s.d, &s.array
	table := a.rows.plan != nil
	if a.n == a.count.n || !d.At(0) || table && d.atBlock() || !table && d.Doc[d.here()] != '@' {
		return v, false, s.leave()
	}
	if table && s.store() {
		a.n++
		return v, true, d.Next()
	}
	err = s.read(func() (err error) {
		if table {
			_, v, err = d.row(&a.rows, a.n)
		} else {
			v, err = d.item(a.n, 0)
		}
		return err
	})
	if err != nil {
		return v, false, wire.AtIndex(err, a.n)
	}
	if d.Done && s.in.Cut() {
		// The record's last line may be half of one.
		if err := d.checkEnd(true); err != nil {
			return v, false, err
		}
	}
	a.n++
	return v, true, nil
}

// leave checks the count of the array.
func (s *recordDecoder) leave() (err error) {
	a := &s.array
	if a.rows.plan != nil {
		err = s.d.leaveTable(&a.rows, a.count, a.n)
	} else {
		err = s.d.leaveItems(a.count, a.n, 0)
	}
	a.rows.plan = nil
	return err
}

// member reads the root if it is an object, whose one member is to be the array.
func (s *recordDecoder) member(yield func(wire.Value, error) bool) error {
	d := &s.d
	if !s.fill() || d.atSummary() {
		return s.err
	}
	if d.Indent > 0 {
		return d.unexpected(0)
	}
	var err error
	if key, at, ok := s.blockName(); ok {
		key = strings.Clone(key)
		err = wire.AtKey(s.begin(at), key)
	} else {
		s.array = streamArray{whole: true}
		err = s.read(func() (err error) {
			s.array.literal, err = s.wholeMember()
			return err
		})
	}
	if err == nil {
		err = s.elements(-1, yield)
	}
	if err == nil && s.fill() {
		err = d.another()
	}
	return cmp.Or(err, s.err)
}

// another returns the error of a current line that is one of the root's members, or begins
// it, after the one that is the array.
func (d *decoder) another() error {
	if d.Indent > 0 {
		return nil
	}
	_, next, err := d.Scalars.ReadKey(d.here(), d.End)
	if strings.HasPrefix(d.Line(), "## ") || next > d.here() && next < d.End && (d.Doc[next] == '=' || d.Doc[next] == '[') {
		err = errNotRecords()
	}
	return err
}

// blockName returns the name in the current line if it begins a block with a
// count, and where the count is in the line.
func (s *recordDecoder) blockName() (key string, at int, ok bool) {
	d := &s.d
	if !strings.HasPrefix(d.Line(), "## ") {
		return "", 0, false
	}
	_, key, form, err := d.heading()
	return key, form - d.here(), err == nil && form < d.End
}

// wholeMember reads the value of the member whose line is current.
func (s *recordDecoder) wholeMember() (wire.Value, error) {
	o := s.d.Object()
	line, err := s.d.readMember(&o, 0)
	if err == nil && line {
		err = s.d.Next()
	}
	if err != nil {
		return wire.Value{}, err
	}
	return s.d.EndObject(&o).Index(0), nil
}

// trailer reads the summary and checks that nothing follows.
func (s *recordDecoder) trailer() error {
	d := &s.d
	if s.fill() && d.atSummary() {
		s.err = s.read(d.summary)
	}
	if s.fill() {
		s.err = d.unexpected(0)
	}
	if s.err == nil {
		s.err = d.checkEnd(s.in.Cut())
	}
	return s.err
}

// fill makes a line current if there is one left, and reports whether there is. It keeps
// its error, after which there is none.
func (s *recordDecoder) fill() bool {
	if s.err == nil {
		s.err = s.in.fill(&s.d.Lines)
	}
	return s.err == nil && !s.d.Done
}
