package gcf

import (
	"math"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// decoder reads one document of the generic profile. Its methods take the
// current line as what they are to read, and leave the line after it current.
// indent is the number of spaces before the lines that belong to a container.
type decoder struct {
	lex.Scalars
	values  int // values left
	grouped int // objects that path columns may still make
	groups  int // objects that they made of the current row

	// identityKey is what the header's key= names, if hasIdentity: the field
	// that identifies rows (section 10a.1).
	identityKey string
	hasIdentity bool

	// deferred holds the item count of each [?] header, in their order.
	deferred []int
	lex.Ending

	lent bool // the decoder or its memory is reused, and the text is written over
	// plans are the declarations that a document had last, or one before it: nested tables
	// repeat theirs in every row. The oldest comes first.
	plans []*plan
	// established are the plans of the columns of the tables that are being read.
	established []*plan
	partial     builder.PartialRows
	gaps        []int // scratch for one

	place
}

// place is where a decoder is in the structure of a document.
type place struct {
	depth int // levels of arrays and objects left

	// What the last counted body was, to name the error in a line after it.
	lastIndent int // -1 if other content came since
	lastInline bool
}

// begin opens src and reads its header.
func (d *decoder) begin(src []byte, limits wire.Limits) (lex.Header, error) {
	given := limits
	limits = limits.Resolved()
	text, err := d.Checked(src, limits)
	if err != nil {
		return lex.Header{}, err
	}
	d.Doc = d.Copy(text, "")
	d.depth = limits.Depth
	d.values = limits.Values
	d.limitGroups(given, len(d.Doc))
	d.lastIndent = -1
	return d.Header()
}

// freeGroups is how many objects the path columns of a short document may make.
const freeGroups = 1 << 16

// limitGroups bounds the objects that path columns make of a text of that
// length. A path of n segments makes n-1 of a cell of two bytes: unless the
// caller says how many values there may be, one for each such cell is enough.
func (d *decoder) limitGroups(given wire.Limits, length int) {
	d.grouped = bound.Add(length/2, freeGroups)
	if given.Values != 0 {
		d.grouped = math.MaxInt
	}
}

// generic reads the body of a document in the generic profile (section 7.1).
func (d *decoder) generic(h lex.Header) (wire.Value, error) {
	if err := d.checkValue(&h); err != nil {
		return wire.Value{}, err
	}
	d.identityKey, d.hasIdentity = h.Get("key")
	v, err := d.root()
	if err == nil && d.atSummary() {
		err = d.summary()
	}
	if err == nil && !d.Done {
		err = d.unexpected(0)
	}
	if err == nil {
		err = d.checkEnd(d.IsCut())
	}
	if err != nil {
		return wire.Value{}, err
	}
	return v, nil
}

// checkValue refuses a document that has no value.
func (d *decoder) checkValue(h *lex.Header) error {
	if h.Is("delta") || h.Is("unchanged") {
		return d.Fail(0, wire.Error{Code: "no_value", Kind: wire.ErrShape,
			Message: "the document has no value of its own: it refers to an earlier one",
			Hint:    "apply it to the value that it refers to"})
	}
	return nil
}

func (d *decoder) root() (wire.Value, error) {
	line := d.Line()
	switch {
	case d.Done || d.Indent > 0:
		return d.object(0)
	case line[0] == '=':
		v, err := d.lastValue(d.here() + 1)
		if err == nil && !d.Done && !d.atSummary() {
			err = d.Syntax(d.here(), "trailing_characters", "a line after the value of a document that is one scalar")
		}
		return v, err
	case strings.HasPrefix(line, "## ["):
		return d.block(d.here()+3, 0, nil)
	}
	return d.object(0)
}

// atSummary reports whether the current line is the trailer, or wants to be.
func (d *decoder) atSummary() bool { return d.At(0) && strings.HasPrefix(d.Line(), "##!") }

// here returns where the current line's content begins.
func (d *decoder) here() int { return d.Start }

// enter counts one level of nesting and one value; leave ends the level.
func (d *decoder) enter() error {
	if d.depth--; d.depth < 0 {
		return d.tooDeep()
	}
	return d.spend(1)
}

func (d *decoder) leave() { d.depth++ }

func (d *decoder) tooDeep() error {
	return d.Fail(d.here(), wire.Error{Code: wire.CodeTooDeep, Kind: wire.ErrLimit,
		Message: "arrays and objects nest deeper than the limit", Hint: "raise Limits.Depth"})
}

// spend counts n values.
func (d *decoder) spend(n int) error {
	if d.values -= n; d.values < 0 {
		return d.Fail(d.here(), wire.Error{Code: wire.CodeTooManyValues, Kind: wire.ErrLimit,
			Message: "the document has more values than the limit", Hint: "raise Limits.Values"})
	}
	return nil
}

// unexpected returns the error for a current line that nothing can take, where
// lines have that indentation.
func (d *decoder) unexpected(indent int) error {
	piped := strings.IndexByte(d.Line(), '|') >= 0
	switch {
	case d.lastInline && piped && (d.Indent == d.lastIndent || d.Indent == d.lastIndent+2):
		return d.orphanInline()
	case d.Indent == d.lastIndent:
		return d.Fail(d.here(), wire.Error{Code: wire.CodeCount, Kind: wire.ErrChecksum,
			Message: "a line after the last of the items that the header declares"})
	case d.Indent > indent:
		return d.Syntax(d.here(), "invalid_indent", "the line is indented deeper than anything above it can hold")
	case piped && !d.looksLikeMember():
		return d.orphanInline()
	case d.looksLikeMember():
		return d.Fail(d.here(), wire.Error{Code: "invalid_line", Kind: wire.ErrSyntax,
			Message: "the key of a member is letters, digits and underscores, or in quotation marks",
			Hint:    `put the key in quotation marks: "a key"=1`})
	}
	return d.Syntax(d.here(), "invalid_line", "neither a member, a section nor an array")
}

// looksLikeMember reports whether the current line has an equals sign before any
// quotation mark, and a key before it that cannot be bare.
func (d *decoder) looksLikeMember() bool {
	key, _, ok := strings.Cut(d.Line(), "=")
	return ok && key != "" && key[0] != '@' && key[0] != '#' && key[0] != '.' && strings.IndexByte(key, '"') < 0
}

func (d *decoder) orphanInline() error {
	return d.Syntax(d.here(), "orphan_inline_attachment", "a positional body without a cell that it could belong to")
}

// object reads the members of an object: lines with exactly that indentation.
func (d *decoder) object(indent int) (wire.Value, error) {
	if err := d.enter(); err != nil {
		return wire.Value{}, err
	}
	o := d.Object()
	for d.At(indent) && !d.atSummary() {
		line, err := d.readMember(&o, indent)
		if err == nil && line {
			err = d.predicted(&o, indent)
		}
		if err != nil {
			return wire.Value{}, err
		}
	}
	if !d.Done && d.Indent > indent {
		return wire.Value{}, d.unexpected(indent)
	}
	d.leave()
	return d.EndObject(&o), nil
}

// readMember reads the member that begins in the current line. It reports whether that line
// is all of it, and leaves it current then.
func (d *decoder) readMember(o *wire.ObjectBuilder, indent int) (line bool, err error) {
	i := d.here()
	if strings.HasPrefix(d.Line(), "## ") {
		return false, d.section(o, indent)
	}
	key, next, err := d.Scalars.ReadKey(i, d.End)
	if err != nil {
		return false, err
	}
	if next == i || next == d.End || d.Doc[next] != '=' && d.Doc[next] != '[' {
		return false, d.unexpected(indent)
	}
	if !d.Key(o, key) {
		return false, d.duplicateKey(i)
	}
	var v wire.Value
	if d.Doc[next] == '=' {
		v, err = d.value(next+1, d.End)
	} else {
		v, err = d.inlineArray(next, indent)
	}
	if err != nil {
		return false, wire.AtKey(err, strings.Clone(key))
	}
	d.Put(o, v)
	d.lastIndent = -1
	return true, nil
}

// predicted reads the lines after the current one as far as they are members that come
// next in an earlier object, and makes the line after them current. Such a line is
// compared with one key, and where its value ends shows where it ends itself.
func (d *decoder) predicted(o *wire.ObjectBuilder, indent int) error {
	here := *o // is in this frame, where it is written without a barrier
	for d.Pos < len(d.Doc) {
		i := d.Pos + indent
		if lex.SpacesEnd(d.Doc, d.Pos) != i {
			break
		}
		equals := d.KeyIn(&here, d.Doc, i, '=')
		if equals < 0 {
			break
		}
		v, end := d.PlainValue(equals + 1)
		if end >= 0 && end-d.Pos <= d.MaxBytes && d.values > 0 {
			d.values--
			d.Pos = end + 1
		} else {
			err := d.NextFrom(indent, equals+1)
			if err != nil {
				return err
			}
			if v, err = d.value(equals+1, d.End); err != nil {
				return wire.AtKey(err, strings.Clone(d.Doc[i:equals]))
			}
		}
		d.Put(&here, v)
	}
	*o = here
	return d.Next()
}

func (d *decoder) duplicateKey(at int) error {
	return d.Fail(at, wire.Error{Code: wire.CodeDuplicateKey, Kind: wire.ErrDuplicateKey, Message: "the key occurs twice in one object"})
}

// heading reads a line that begins with "## ": a key, and where a count begins after it,
// which is the line's end if there is none.
func (d *decoder) heading() (at int, key string, count int, err error) {
	at = d.SkipBlanks(d.here()+2, d.End)
	key, next, err := d.Scalars.ReadKey(at, d.End)
	count = d.SkipBlanks(next, d.End)
	if err == nil && (next == at || count < d.End && (count == next || d.Doc[count] != '[')) {
		err = d.Syntax(next, "invalid_line", "a section has a key, alone or followed by a count in brackets")
	}
	return at, key, count, err
}

// section reads a line that begins with "## ": a nested object, or an array or
// keyed map in a block of its own.
func (d *decoder) section(o *wire.ObjectBuilder, indent int) error {
	i, key, form, err := d.heading()
	if err != nil {
		return err
	}
	if !d.Key(o, key) {
		return d.duplicateKey(i)
	}
	var v wire.Value
	if form < d.End {
		v, err = d.block(form, indent, nil)
	} else {
		v, err = d.below(indent + 2)
	}
	if err != nil {
		return wire.AtKey(err, strings.Clone(key))
	}
	d.Put(o, v)
	return nil
}

// value reads the scalar text[i:end], which has no delimiter and no blank at
// its end.
func (d *decoder) value(i, end int) (wire.Value, error) {
	if err := d.spend(1); err != nil {
		return wire.Value{}, err
	}
	i = d.SkipBlanks(i, end)
	v, _, err := d.Token(i, end, '\n')
	if err != nil || wire.Internal.Tag(v) == 0 {
		return v, err
	}
	return wire.Value{}, d.noValue(i, wire.Internal.Tag(v))
}

// lastValue is value for the scalar that the line ends with, and makes the next one current.
func (d *decoder) lastValue(i int) (wire.Value, error) {
	v, err := d.value(i, d.End)
	if err == nil {
		err = d.Next()
	}
	return v, err
}

// below reads the members of an object that are below the current line.
func (d *decoder) below(indent int) (wire.Value, error) {
	if err := d.Next(); err != nil {
		return wire.Value{}, err
	}
	d.lastIndent = -1
	return d.object(indent)
}

// noValue refuses a token that only a row's cell may have.
func (d *decoder) noValue(at int, tag uint8) error {
	if tag == lex.MarkAbsent {
		return d.Syntax(at, "invalid_missing", "~ stands for an absent field and can only be a cell of a table's row")
	}
	return d.Syntax(at, "invalid_attachment_marker", "^ stands for an attachment and can only be a cell of a table's row")
}

// inlineArray reads "[N]: a,b" after a member's key, and leaves the line
// current.
func (d *decoder) inlineArray(i, indent int) (wire.Value, error) {
	c, err := d.countBracket(i)
	if err != nil {
		return wire.Value{}, err
	}
	if c.keyed || c.next == d.End || d.Doc[c.next] != ':' {
		return wire.Value{}, d.unexpected(indent)
	}
	return d.list(c)
}

// count is a count in brackets (section 4).
type count struct {
	at       int  // where the bracket opens
	n        int  // -1 if it is deferred
	deferred int  // then its place in the decoder's list
	keyed    bool // [N:]
	next     int  // after the closing bracket
}

// countBracket reads the count at i.
func (d *decoder) countBracket(i int) (count, error) {
	c := count{at: i, n: -1, deferred: -1}
	i++
	if i < d.End && d.Doc[i] == '?' {
		i++
		c.deferred = len(d.deferred)
		d.deferred = append(d.deferred, 0)
	} else {
		n, next := d.Count(i, d.End)
		if next == i {
			return c, d.Syntax(i, "invalid_count", "a count is 0, digits without a leading zero, or ?")
		}
		c.n, i = n, next
	}
	if i < d.End && d.Doc[i] == ':' {
		c.keyed = true
		i++
	}
	if i == d.End || d.Doc[i] != ']' {
		return c, d.Syntax(i, "invalid_count", "the bracket after the count is missing")
	}
	c.next = i + 1
	return c, nil
}

// check compares the number of items that were read with the declared one, or
// notes it for the summary. at is where the items end.
func (d *decoder) check(c count, n, at int) error {
	if c.deferred >= 0 {
		d.deferred[c.deferred] = n
		return nil
	}
	if n != c.n {
		kind := wire.ErrChecksum
		if n < c.n && d.Done {
			kind = wire.ErrTruncated
		}
		return d.Fail(at, wire.Error{Code: wire.CodeCount, Kind: kind,
			Message: "the header declares " + itoa(c.n) + " items, here are " + itoa(n)})
	}
	return nil
}

// block reads an array or a keyed map from its count on. indent is that of its
// rows or items. shared is nil unless the header may leave its fields out; it is the fields
// of such a body, nil if there are none, and becomes those of an array that has them.
func (d *decoder) block(i, indent int, shared **plan) (wire.Value, error) {
	if d.Doc[i:d.End] == "[0]" {
		d.lastIndent, d.lastInline = indent, false
		return wire.Array(), d.Next()
	}
	c, err := d.countBracket(i)
	if err != nil {
		return wire.Value{}, err
	}
	// No item is shorter than its line end: what cannot be there is not read.
	if c.n > len(d.Doc)-d.End && (c.next == d.End || d.Doc[c.next] != ':') {
		return wire.Value{}, d.Fail(c.at, wire.Error{Code: wire.CodeCount, Kind: wire.ErrTruncated,
			Message: "the header declares more items than the rest of the document can hold"})
	}
	if c.next < d.End {
		switch d.Doc[c.next] {
		case ':':
			if !c.keyed {
				v, err := d.list(c)
				if err == nil {
					d.lastIndent, d.lastInline = indent, false
					err = d.Next()
				}
				return v, err
			}
		case '{':
			p, err := d.tableFields(c)
			if err != nil {
				return wire.Value{}, err
			}
			if shared != nil && !c.keyed {
				*shared = p
			}
			return d.table(c, p, indent)
		}
		return wire.Value{}, d.Syntax(c.next, "invalid_line", "after a count come fields in braces, a colon or nothing")
	}
	if c.keyed {
		return wire.Value{}, d.Syntax(c.next, "invalid_keyed_map", "a keyed map declares its fields")
	}
	if err := d.Next(); err != nil {
		return wire.Value{}, err
	}
	if shared != nil && *shared != nil && !d.beginsItem(indent) {
		return d.table(c, *shared, indent)
	}
	return d.expanded(c, indent)
}

// beginsItem reports whether the current line is an item of an expanded array:
// "@0" and what no row of a shared schema begins with (section 7.4.5.3).
func (d *decoder) beginsItem(indent int) bool {
	if !d.At(indent) {
		return false
	}
	rest, ok := strings.CutPrefix(d.Line(), "@0 ")
	return ok && (rest[0] == '=' || rest[0] == '[' || rest == "{}")
}

// item reads the item of an expanded array with that number.
func (d *decoder) item(n, indent int) (wire.Value, error) {
	i, err := d.id(n)
	if err != nil {
		return wire.Value{}, err
	}
	i = d.SkipBlanks(i, d.End)
	switch {
	case i == d.End:
	case d.Doc[i] == '=':
		return d.lastValue(i + 1)
	case d.Doc[i:d.End] == "{}":
		return d.below(indent + 2)
	case d.Doc[i] == '[':
		return d.block(i, indent+2, nil)
	}
	return wire.Value{}, d.Syntax(i, "invalid_item", "after an item's id comes =, {} or a count in brackets")
}

// id reads the id that the current line begins with, which must be n, and
// returns the position of the blank after it.
func (d *decoder) id(n int) (next int, err error) {
	i := d.here() + 1
	id, next := d.Count(i, d.End)
	if next == i || next < d.End && !lex.IsBlank(d.Doc[next]) || id != n {
		return 0, d.Syntax(d.here(), "invalid_item_id", "the id must be @"+itoa(n)+", the position in its array")
	}
	return next, nil
}

// summary reads the trailer of a stream (section 8.4). Without deferred counts
// it only informs and is not looked at.
func (d *decoder) summary() error {
	const word = "##! summary"
	rest, ok := strings.CutPrefix(d.Line(), word)
	if !ok || rest != "" && !lex.IsBlank(rest[0]) {
		return d.Syntax(d.here(), "invalid_line", `the only line that begins with "##!" is the summary`)
	}
	d.HasSummary = true
	if len(d.deferred) > 0 {
		if err := d.summaryCounts(d.here() + len(word)); err != nil {
			return err
		}
	}
	d.lastIndent = -1
	return d.Next()
}

// summaryCounts reads the fields of the summary, from i on, of a document with
// deferred counts. The paper's form, which has sections= instead of counts=, is
// a summary too.
func (d *decoder) summaryCounts(i int) error {
	fields, err := d.HeaderFields(i, d.End, nil)
	if err != nil {
		return err
	}
	sections := false
	for _, f := range fields {
		switch f.Key {
		case "counts":
			d.Counted = true
			return d.checkSummary(f)
		case "sections":
			sections = true
		}
	}
	if !sections {
		return d.Fail(d.here(), wire.Error{Code: wire.CodeCount, Kind: wire.ErrChecksum,
			Message: "the summary has no counts=, which gives the counts of the [?] in the document"})
	}
	return nil
}

// checkSummary compares the counts of the summary with those of the document,
// of which there is one at least.
func (d *decoder) checkSummary(f lex.HeaderField) error {
	i, end := f.At+len("counts="), f.At+len("counts=")+len(f.Value)
	mismatch := func(message string) error {
		return d.Fail(i, wire.Error{Code: wire.CodeCount, Kind: wire.ErrChecksum, Message: message})
	}
	for k, actual := range d.deferred {
		n, next := d.Count(i, end)
		last := k == len(d.deferred)-1
		switch {
		case i == end || next == end && !last:
			return mismatch("the summary has fewer counts than the document has [?]")
		case next == i || next < end && d.Doc[next] != ',':
			return d.Syntax(i, "invalid_summary", "the counts of the summary are 0 or digits without a leading zero, with commas between them")
		case n != actual:
			return mismatch("the summary declares " + itoa(n) + " items, there were " + itoa(actual))
		case last && next != end:
			return mismatch("the summary has more counts than the document has [?]")
		}
		i = next + 1
	}
	return nil
}
