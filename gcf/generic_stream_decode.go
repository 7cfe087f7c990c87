package gcf

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// The kinds of parts.
const (
	partValue   = "value"
	partArray   = "array"
	partMap     = "map"
	partElement = "element"
	partEntry   = "entry"
)

// A Part is a piece of a document, see [Codec.Parts].
type Part struct {
	// Kind is "value", the whole document or a whole member of it; "array" or "map", the
	// beginning of an array or of a keyed map; "element" or "entry", one of the array or
	// map that began last.
	Kind string
	// Member says that the part is, or begins, a member of the object at the
	// root, otherwise the root itself.
	Member bool
	Key    string // of the member, or of the entry
	Value  wire.Value
}

// Parts reads a document of the generic profile, streamed or not, and refuses what
// [Codec.Decode] refuses. It holds one part at a time: a row or an item of an array or map
// at the root, or of one that is a member of the root, each with all that belongs to it;
// other members are parts as a whole. It keeps the names of members and of the entries of
// a map, to refuse doubles. An error is the last pair. A document that may be cut is
// treated as the codec's Strict and Warn say.
//
// Limits apply to one part each; LineBytes bounds its length, and InputBytes
// does not apply.
func (c Codec) Parts(r io.Reader) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		s := c.parts(r)
		for {
			p, err := s.Next()
			if err == io.EOF || !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// A partDecoder reads parts.
type partDecoder struct {
	in     chunks
	d      decoder
	given  wire.Limits // as the caller set them
	limits wire.Limits // resolved
	state  streamState
	err    error

	members map[string]bool // of the root
	block   streamBlock     // whose parts are being read
	to      inplace.Target  // nil for none
	target  *rowTarget      // of the block's rows, nil if they need Values
}

type streamState uint8

const (
	streamBegin   streamState = iota
	streamMembers             // at a member of the root
	streamParts               // at a row or an item of the block
	streamTrailer             // after the root
	streamEnd
)

// streamBlock is an array or a keyed map being read.
type streamBlock struct {
	count   count
	rows    rows // of a table; plan is nil for an expanded array
	n       int
	member  bool
	entries map[string]bool // of a keyed map
}

func (c Codec) parts(r io.Reader) *partDecoder {
	limits := c.Limits.Resolved()
	s := &partDecoder{in: newChunks(r, limits.LineBytes), given: c.Limits, limits: limits}
	s.d.Ending = s.in.ending(c.ending())
	return s
}

// Next returns the next part. The error at the end of a complete document is
// io.EOF.
func (s *partDecoder) Next() (Part, error) {
	if s.err != nil {
		return Part{}, s.err
	}
	if s.d.EndRecord(); s.d.lent {
		s.block.rows.cells = nil // which the next record overwrites
	}
	p, err := s.next()
	if err != nil {
		s.err = err
		if err != io.EOF {
			s.err = s.in.moved(err)
		}
		return Part{}, s.err
	}
	return p, nil
}

func (s *partDecoder) next() (Part, error) {
	for {
		var p Part
		var ok bool
		var err error
		switch s.state {
		case streamBegin:
			p, ok, err = s.root()
		case streamMembers:
			p, ok, err = s.member()
		case streamParts:
			p, ok, err = s.part()
		case streamTrailer:
			err = s.trailer()
		case streamEnd:
			err = io.EOF
		}
		if ok || err != nil {
			return p, err
		}
	}
}

// saved is what a decoder must take back to read a part once more.
type saved struct {
	lines lex.Lines
	place
	rows rows // whose sharedExtra is nil before the first row, and not changed later
	// The lengths of what grows.
	mark, deferred, established int
}

func (s *partDecoder) save() saved {
	d, t := &s.d, s.block.rows
	t.schemas = slices.Clone(t.schemas)
	if s.block.n == 0 { // later rows establish none
		t.shared = slices.Clone(t.shared)
	}
	return saved{d.Lines, d.place, t, d.Mark(), len(d.deferred), len(d.established)}
}

func (s *partDecoder) restore(was saved) {
	d := &s.d
	if d.Mark() > was.mark {
		d.Array(was.mark) // takes what is left over off the stack
	}
	d.Lines, d.place, s.block.rows = was.lines, was.place, was.rows
	d.deferred, d.established = d.deferred[:was.deferred], d.established[:was.established]
}

// fewLines is how often a part is read once more after a single line was added.
const fewLines = 8

// An attempt is what became of reading a part.
type attempt uint8

const (
	finished  attempt = iota // the part, or what is wrong with it, is in the piece
	unbounded                // the part may go on after the piece
	lastRow                  // it is a row with nothing below it, and the piece ends after it
)

// read calls parse, which reads one part and makes the line after it current.
// Where that runs into the end of the piece, more of the stream is read, and
// the part once more.
func (s *partDecoder) read(parse func() error) error {
	if err := s.in.fill(&s.d.Lines); err != nil {
		return err
	}
	for tries := 0; ; tries++ {
		was := s.save()
		got, err := s.try(parse, was.lines.Start)
		if got == finished {
			return err
		}
		s.restore(was)
		if err := s.extend(tries); err != nil {
			if got == lastRow && s.reload() == nil {
				s.allow()
				return parse() // the reader's error is that of the next part
			}
			return err
		}
	}
}

// try reads the part that begins at start.
func (s *partDecoder) try(parse func() error, start int) (attempt, error) {
	s.allow()
	d, indent := &s.d, s.d.Indent
	err := parse()
	switch {
	case !s.in.Ended() && err == nil && d.Done && s.wholeRow(start):
		return lastRow, nil
	case !s.in.Ended() && (d.Done || mayBeCut(err)):
		return unbounded, err
	case err == nil && d.Start-d.Indent-(start-indent) > s.partBytes():
		return finished, s.partTooLong(start)
	}
	return finished, err
}

// allow gives a part what one may hold.
func (s *partDecoder) allow() {
	d := &s.d
	d.values = s.limits.Values
	d.groups = 0
	d.limitGroups(s.given, s.partBytes())
}

// wholeRow reports whether the part that began there and was parsed is a row of
// a table without identity: such a row is its line, and nothing below it.
func (s *partDecoder) wholeRow(start int) bool {
	return s.state == streamParts && s.block.rows.plan != nil && s.d.Doc[start] != '@'
}

// reload makes the first line of the piece current.
func (s *partDecoder) reload() error {
	s.in.load(&s.d.Lines)
	return s.d.Next()
}

// partBytes is how long a part may be.
func (s *partDecoder) partBytes() int { return max(s.in.max, chunkSize) }

func (s *partDecoder) partTooLong(at int) error {
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
func (s *partDecoder) extend(tries int) error {
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
	s.in.load(&d.Lines)
	return d.Next()
}

// root reads the header and finds out what the document is.
func (s *partDecoder) root() (Part, bool, error) {
	d := &s.d
	d.MaxBytes, d.depth, d.values = s.limits.LineBytes, s.limits.Depth, s.limits.Values
	d.lastIndent = -1
	if _, err := s.in.more(); err != nil {
		return Part{}, false, err
	}
	s.in.load(&d.Lines)
	h, err := d.Header()
	if err != nil {
		return Part{}, false, err
	}
	if h.Profile != lex.ProfileGeneric {
		return Part{}, false, d.Fail(0, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the document is not in the generic profile", Hint: "use GraphCodec.Items"})
	}
	if err := d.checkValue(&h); err != nil {
		return Part{}, false, err
	}
	if !strings.HasPrefix(d.Doc, lex.GenericHeader) {
		s.to = nil
	}
	key, hasKey := h.Get("key")
	d.identityKey, d.hasIdentity = strings.Clone(key), hasKey
	if err := s.in.fill(&s.d.Lines); err != nil {
		return Part{}, false, err
	}
	switch {
	case d.Done || d.Indent > 0:
	case d.Doc[d.here()] == '=':
		s.state = streamTrailer
		p := Part{Kind: partValue}
		err := s.read(func() (err error) {
			p.Value, err = d.root()
			return err
		})
		return p, true, err
	case strings.HasPrefix(d.Line(), "## ["):
		return s.begin(Part{}, len("## "))
	}
	s.members = make(map[string]bool)
	s.state = streamMembers
	return Part{}, false, d.enter()
}

// begin reads the beginning of a block, whose count is at that distance
// from the start of the line: its header, or the whole block if it has neither
// rows nor items.
func (s *partDecoder) begin(p Part, at int) (Part, bool, error) {
	d := &s.d
	whole := false
	err := s.read(func() error {
		c, err := d.countBracket(d.here() + at)
		if err != nil {
			return err
		}
		s.block = streamBlock{count: c, member: p.Member}
		d.established = d.established[:0] // of the block before
		switch {
		case c.next < d.End && d.Doc[c.next] == '{':
			s.block.rows.plan, err = d.tableFields(c)
			return err
		case c.next == d.End && !c.keyed && c.n != 0:
			return d.Next()
		}
		if c.deferred >= 0 {
			d.deferred = d.deferred[:c.deferred]
		}
		whole = true
		p.Value, err = d.block(d.here()+at, 0, nil)
		return err
	})
	switch {
	case err != nil:
		return p, false, err
	case whole:
		p.Kind = partValue
		s.after()
		return p, true, nil
	}
	p.Kind = partArray
	if s.block.count.keyed {
		p.Kind = partMap
		s.block.entries = make(map[string]bool)
	}
	d.values = s.limits.Values
	if plan := s.block.rows.plan; plan != nil {
		s.target = s.newTarget(s.block.count.next)
		err = d.enterTable(plan)
	} else {
		err = d.enter()
	}
	s.state = streamParts
	return p, true, err
}

// after goes on after a block or a member.
func (s *partDecoder) after() {
	s.state = streamTrailer
	if s.members != nil {
		s.state = streamMembers
	}
}

// part reads a row or an item of the block, or its end.
func (s *partDecoder) part() (Part, bool, error) {
	if err := s.in.fill(&s.d.Lines); err != nil {
		return Part{}, false, err
	}
	d, b := &s.d, &s.block
	table := b.rows.plan != nil
	if b.n == b.count.n || !d.At(0) || table && d.atBlock() || !table && d.Doc[d.here()] != '@' {
		return Part{}, false, s.end()
	}
	p := Part{Kind: partElement, Member: b.member}
	if table && s.store() {
		b.n++
		return p, true, d.Next()
	}
	at := 0
	err := s.read(func() (err error) {
		at = d.here()
		if table {
			p.Key, p.Value, err = d.row(&b.rows, b.n)
		} else {
			p.Value, err = d.item(b.n, 0)
		}
		return err
	})
	switch {
	case err != nil && b.count.keyed && p.Key != "":
		return p, false, wire.AtKey(err, strings.Clone(p.Key))
	case err != nil:
		return p, false, wire.AtIndex(err, b.n)
	}
	if b.count.keyed {
		p.Kind = partEntry
		if b.entries[p.Key] {
			return p, false, d.duplicateMember(at)
		}
		b.entries[strings.Clone(p.Key)] = true
	}
	if d.Done && s.in.Cut() {
		// The part's last line may be half of one.
		if err := d.checkEnd(true); err != nil {
			return p, false, err
		}
	}
	b.n++
	return p, true, nil
}

// end checks the count of the block and goes on after it.
func (s *partDecoder) end() error {
	b := &s.block
	var err error
	if b.rows.plan != nil {
		err = s.d.leaveTable(&b.rows, b.count, b.n)
	} else {
		err = s.d.leaveItems(b.count, b.n, 0)
	}
	s.after()
	return err
}

// member reads a member of the root, or finds its end.
func (s *partDecoder) member() (Part, bool, error) {
	if err := s.in.fill(&s.d.Lines); err != nil {
		return Part{}, false, err
	}
	d := &s.d
	switch {
	case d.Done || d.Indent == 0 && strings.HasPrefix(d.Line(), "##!"):
		s.state = streamTrailer
		return Part{}, false, nil
	case d.Indent > 0:
		return Part{}, false, d.unexpected(0)
	}
	if key, at, ok := s.blockName(); ok {
		if s.members[key] {
			return Part{}, false, d.duplicateKey(d.nameAt())
		}
		key = strings.Clone(key)
		s.members[key] = true
		p, ok, err := s.begin(Part{Member: true, Key: key}, at)
		if err != nil {
			err = wire.AtKey(err, key)
		}
		return p, ok, err
	}
	p := Part{Kind: partValue, Member: true}
	at := 0
	err := s.read(func() (err error) {
		at = d.nameAt()
		p.Key, p.Value, err = s.wholeMember()
		return err
	})
	if err != nil {
		return p, false, err
	}
	if s.members[p.Key] {
		return p, false, d.duplicateKey(at)
	}
	s.members[strings.Clone(p.Key)] = true
	return p, true, nil
}

// nameAt returns where the name of the member begins whose line is current.
func (d *decoder) nameAt() int {
	if d.Doc[d.here()] == '#' {
		return d.SkipBlanks(d.here()+2, d.End)
	}
	return d.here()
}

// blockName returns the name in the current line if it begins a block with a
// count, and where the count is in the line.
func (s *partDecoder) blockName() (key string, at int, ok bool) {
	d := &s.d
	if !strings.HasPrefix(d.Line(), "## ") {
		return "", 0, false
	}
	i := d.SkipBlanks(d.here()+2, d.End)
	key, next, err := d.Scalars.ReadKey(i, d.End)
	if err != nil || next == i {
		return "", 0, false
	}
	form := d.SkipBlanks(next, d.End)
	return key, form - d.here(), form > next && form < d.End && d.Doc[form] == '['
}

// wholeMember reads the member whose line is current.
func (s *partDecoder) wholeMember() (string, wire.Value, error) {
	o := s.d.Object()
	line, err := s.d.readMember(&o, 0)
	if err == nil && line {
		err = s.d.Next()
	}
	if err != nil {
		return "", wire.Value{}, err
	}
	v := s.d.EndObject(&o)
	return v.Keys().At(0), v.Index(0), nil
}

// trailer reads the summary and checks that nothing follows.
func (s *partDecoder) trailer() error {
	s.state = streamEnd
	if err := s.in.fill(&s.d.Lines); err != nil {
		return err
	}
	d := &s.d
	if !d.Done && d.Indent == 0 && strings.HasPrefix(d.Line(), "##!") {
		if err := s.read(d.summary); err != nil {
			return err
		}
	}
	if err := s.in.fill(&s.d.Lines); err != nil {
		return err
	}
	if !d.Done {
		return d.unexpected(0)
	}
	return d.checkEnd(s.in.Cut())
}
