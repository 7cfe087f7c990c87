package toon

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// parser parses a private copy of the text, which ends with a line end of its
// own, so that loops over a line need no check for the end of the text.
//
// Its functions report false, or return -1 as a position, once err is set.
type parser struct {
	builder.Builder
	s        string
	end      int // of the text
	unit     int // spaces a level
	strict   bool
	comments bool

	line  line // the current one
	blank int  // the first blank line between the line before and it; -1
	next  int  // where the next line begins
	shift int  // levels that the enclosing scopes are moved by
	spans int  // headers among whose rows, items or entries the current line is

	depth     int // levels that may still be opened
	values    int // that may still come
	groups    int // objects of nested groups that may still come
	rowBudget int // rows that may be given memory before they are seen
	limits    wire.Limits

	known    [knownLists]*fieldList // the last ones: tables in a list have the same header each
	replaced int                    // of known, by the next one
	idle     []*fieldList           // empty, with their memory
	inlined  inlined                // the header of the last item that was an array

	err     *wire.Error
	at      int // of err in s
	skipped int // bytes of a byte order mark
}

// padding ends the last line, and lets two words be loaded near the end.
const padding = "\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// begin makes p the parser of src, which it checks as a whole.
func (p *parser) begin(c Codec, src []byte) error {
	if err := c.check(); err != nil {
		return err
	}
	limits := c.Limits.Resolved()
	if len(src) > limits.InputBytes {
		return wire.ErrorAt(src, limits.InputBytes, wire.Error{Format: format, Code: wire.CodeInputTooLong, Kind: wire.ErrLimit,
			Message: "the document is longer than the limit", Hint: "raise Limits.InputBytes"})
	}
	text := scan.TrimBOM(src)
	skipped := len(src) - len(text)
	if !scan.IsUTF8(text) {
		return wire.ErrorAt(src, skipped+scan.ValidUTF8(text), invalidUTF8)
	}
	p.configure(c, limits)
	p.skipped = skipped
	p.reset(text)
	return nil
}

var invalidUTF8 = wire.Error{Format: format, Code: wire.CodeInvalidUTF8, Kind: wire.ErrUTF8, Message: "bytes that are not UTF-8"}

// configure makes p a parser for the codec, without a text yet, and returns it.
func (p *parser) configure(c Codec, limits wire.Limits) *parser {
	p.unit, p.strict, p.comments = c.unit(), !c.Lenient, !c.V3
	p.depth, p.values, p.limits = limits.Depth, limits.Values, limits
	return p
}

// reset gives the parser a copy of text to parse.
func (p *parser) reset(text []byte) {
	p.s, p.end, p.next = p.Copy(text, padding), len(text), 0
	p.groups = maxGroups(p.limits, len(text))
	p.rowBudget = rowBudget(len(text))
	p.inlined = inlined{}
	p.forget()
}

// failure returns the parser's error with its position in src.
func (p *parser) failure(src []byte) error {
	return wire.ErrorAt(src, p.at+p.skipped, *p.err)
}

// fail records the first error and returns false.
func (p *parser) fail(i int, code string, kind error, message, hint string) bool {
	if p.err == nil {
		p.err = &wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint}
		p.at = min(i, p.end)
	}
	return false
}

// failAt is fail for functions that return a position.
func (p *parser) failAt(i int, code string, kind error, message, hint string) int {
	p.fail(i, code, kind, message, hint)
	return -1
}

func (p *parser) tooDeep(i int) bool {
	return p.fail(i, wire.CodeTooDeep, wire.ErrLimit, "arrays and objects nest deeper than the limit", "raise Limits.Depth")
}

// spend counts n values and reports whether there may be as many.
func (p *parser) spend(n, i int) bool {
	if p.values -= n; p.values < 0 {
		return p.fail(i, wire.CodeTooManyValues, wire.ErrLimit, "the document holds more values than the limit", "raise Limits.Values")
	}
	return true
}

// enter begins a container, which leave ends.
func (p *parser) enter(i int) bool {
	if p.depth--; p.depth < 0 {
		return p.tooDeep(i)
	}
	return p.spend(1, i)
}

func (p *parser) leave() { p.depth++ }

// found shows the character at i, which may be the line's end.
func (p *parser) found(i, end int) string {
	if i >= end {
		return "the end of the line"
	}
	r, _ := utf8.DecodeRuneInString(p.s[i:])
	return strconv.QuoteRune(r)
}

// quote shows a text of the document, cut if it is long.
func quote(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}

func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "entry":
		return strconv.Itoa(n) + " entries"
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func (p *parser) skipSpaces(i, end int) int {
	for i < end && p.s[i] == ' ' {
		i++
	}
	return i
}

// document parses the whole text. The form of the root follows from the first
// line (section 5).
func (p *parser) document() (wire.Value, bool) {
	p.advance()
	if p.ended() {
		return p.emptyObject(p.end)
	}
	if p.line.depth > 0 {
		return wire.Value{}, p.stray()
	}
	i, end := p.line.text, p.line.end
	bracket, colon := p.colon(i, end)
	switch {
	case colon < 0:
		return p.rootScalar(i, end)
	case bracket == i:
		if !p.take() {
			return wire.Value{}, false
		}
		h, ok := p.header(i, bracket, end)
		if !ok {
			return wire.Value{}, false
		}
		v, ok := p.headed(&h, 0, end)
		return v, ok && p.complete()
	}
	return p.object(i, 0, false)
}

// rootScalar parses a document that is one value, or [].
func (p *parser) rootScalar(i, end int) (wire.Value, bool) {
	if !p.take() {
		return wire.Value{}, false
	}
	first := p.line
	p.advance()
	if p.s[i:end] == "[]" {
		v, ok := p.emptyArray(i)
		return v, ok && p.complete()
	}
	if !p.ended() {
		p.line = first
		return wire.Value{}, p.scalarLine()
	}
	return p.value(i, end)
}

// complete fails if there is a line after a root that is complete.
func (p *parser) complete() bool {
	if p.ended() {
		return true
	}
	return p.fail(p.line.text, "trailing_content", wire.ErrSyntax, "the document goes on after its array or keyed table",
		"a document is one value")
}

// object parses the object whose fields are at the depth. If inLine, the first one is at i in
// the line of its item.
func (p *parser) object(i, depth int, inLine bool) (wire.Value, bool) {
	if !p.enter(i) {
		return wire.Value{}, false
	}
	o := p.Object()
	if inLine && !p.plainFields(&o, i, depth) || !p.fields(&o, depth) {
		return wire.Value{}, false
	}
	p.leave()
	return p.EndObject(&o), true
}

// emptyObject makes an object without members, at i.
func (p *parser) emptyObject(i int) (wire.Value, bool) {
	ok := p.enter(i)
	p.leave()
	o := p.Object()
	return p.EndObject(&o), ok
}

// emptyArray makes an array without elements, at i.
func (p *parser) emptyArray(i int) (wire.Value, bool) {
	ok := p.enter(i)
	p.leave()
	return p.Array(p.Mark()), ok
}

// fields parses the lines of an object's fields at the depth.
func (p *parser) fields(o *wire.ObjectBuilder, depth int) bool {
	for p.line.depth == depth {
		if !p.take() || !p.plainFields(o, p.line.text, depth) {
			return false
		}
	}
	if p.line.depth > depth {
		return p.stray()
	}
	return true
}

// field parses the field of the current line that begins at i and is at the
// depth, and the lines below that belong to it. Where the search for its colon
// has its first stop is known.
func (p *parser) field(o *wire.ObjectBuilder, i, stop, depth int) bool {
	p.whole()
	end := p.line.end
	bracket, colon := -1, stop
	if p.s[stop] != ':' || stop >= end {
		bracket, colon = p.colon(stop, end)
	}
	if colon < 0 {
		return p.scalarLine()
	}
	if bracket < 0 {
		key, ok := p.keyToken(i, colon)
		return ok && p.member(o, key, i) && p.rest(o, key, colon, depth)
	}
	h, ok := p.header(i, bracket, end)
	switch {
	case !ok:
		return false
	case !h.named:
		return p.keyless(bracket)
	case !p.member(o, h.key, i):
		return false
	}
	v, ok := p.headed(&h, depth, end)
	return p.put(o, h.key, v, ok)
}

// put ends a member with its value, if that is one.
func (p *parser) put(o *wire.ObjectBuilder, key string, v wire.Value, ok bool) bool {
	if !ok {
		wire.AtKey(p.err, key)
		return false
	}
	p.Put(o, v)
	return true
}

// keyless fails because of a header without a key.
func (p *parser) keyless(i int) bool {
	return p.fail(i, "keyless_header", wire.ErrSyntax, "a header without a key where a field is expected",
		"one without fields can be an item of a list, any can be the first line of the document")
}

// member begins a member of the object.
func (p *parser) member(o *wire.ObjectBuilder, key string, i int) bool {
	if p.Key(o, key) || !p.strict {
		return true
	}
	return p.fail(i, wire.CodeDuplicateKey, wire.ErrDuplicateKey, "the object has the key "+quote(key)+" twice", "")
}

// lineRest parses a scalar or [] that ends with its line.
func (p *parser) lineRest(i, end int) (v wire.Value, ok bool) {
	if p.s[i:end] == "[]" {
		v, ok = p.emptyArray(i)
	} else {
		v, ok = p.value(i, end)
	}
	p.advance()
	return v, ok
}

// nested parses the object whose fields are at the depth; it has none if the
// current line is less deep.
func (p *parser) nested(i, depth int) (wire.Value, bool) {
	if p.line.depth < depth {
		return p.emptyObject(i)
	}
	jump, ok := p.open(depth)
	if !ok {
		return wire.Value{}, false
	}
	v, ok := p.object(p.line.text, depth, false)
	return v, ok && p.closeScope(depth, jump)
}

// headed parses the content of the header that is in the current line and stands
// at the depth.
func (p *parser) headed(h *header, depth, end int) (wire.Value, bool) {
	switch {
	case h.list == nil && h.rest < end:
		return p.inline(h, end)
	case h.list == nil:
		p.advance()
		return p.items(h, depth+1)
	case h.keyed:
		p.advance()
		return p.entries(h, depth+1)
	}
	p.advance()
	return p.rows(h, depth+1)
}

// longLine is the length of a line from which on its elements are counted before
// they are parsed, so that their array is made at once and not on a stack.
const longLine = 8 << 10

// inline parses the array that is in its header's line.
func (p *parser) inline(h *header, end int) (wire.Value, bool) {
	if v, ok := p.plainInline(h, end); ok {
		p.advance()
		return v, true
	}
	if !p.enter(h.at) {
		return wire.Value{}, false
	}
	elements, long := rowList{mark: p.Mark()}, end-h.rest > longLine
	if long {
		n := p.countCells(h.rest, end, h.delim)
		if !p.spend(n, h.at) {
			return wire.Value{}, false
		}
		p.rowBudget -= n
		elements.rows = p.Elements(n)[:0:n]
	}
	n := 0
	for i := h.rest; i <= end; i++ {
		v, next := p.cell(i, end, h.delim)
		if !elements.put(p, v, next >= 0 && (long || p.spend(1, i)), n) {
			return wire.Value{}, false
		}
		n++
		i = next
	}
	if !p.counted(h, n, "value", false) {
		return wire.Value{}, false
	}
	p.leave()
	p.advance()
	return elements.array(p), true
}

// counted compares the number of what was found with the header's. more says
// that there could have been more if the text did not end.
func (p *parser) counted(h *header, n int, what string, more bool) bool {
	if h.n == n || !p.strict {
		return true
	}
	if n < h.n && p.line.fault != faultNone { // it may be the missing one
		return p.faulty()
	}
	declared := p.s[h.at+1 : scan.Digits(p.s, h.at+1)]
	if len(declared) > 20 {
		declared = declared[:20] + "…"
	}
	kind, verb := wire.ErrChecksum, "are"
	if more && n < h.n && p.ended() {
		kind = wire.ErrTruncated
	}
	if n == 1 {
		verb = "is"
	}
	return p.fail(h.at, wire.CodeCount, kind, "the header declares "+declared+", there "+verb+" "+count(n, what), "")
}

// items parses the items of an array in list form, at the depth.
func (p *parser) items(h *header, depth int) (wire.Value, bool) {
	list := p.rowList(h.n, depth)
	ok := p.scope(h, depth, items, func(n int) (int, bool) {
		if plain := p.plainItems(&list, depth); plain > 0 {
			return plain, true
		}
		v, ok := p.item(depth)
		return 1, list.put(p, v, ok, n)
	})
	return list.array(p), ok
}

// isItem reports whether the current line is a list item.
func (p *parser) isItem() bool {
	i := p.line.text
	if p.s[i] != '-' || p.s[i+1] == ' ' {
		return p.s[i] == '-'
	}
	p.whole()
	return i+1 == p.line.end
}

// item parses the list item that is the current line, at the depth, and the
// lines below that belong to it.
func (p *parser) item(depth int) (v wire.Value, ok bool) {
	i := p.skipSpaces(p.line.text+1, p.end)
	if stop := p.keyEnd(i); p.s[stop] == ':' {
		return p.object(i, depth+1, true)
	}
	p.whole()
	end := p.line.end
	bracket, colon := p.colon(i, end)
	switch {
	case i >= end:
		v, ok = p.emptyObject(end)
		p.advance()
		return v, ok
	case colon < 0:
		return p.lineRest(i, end)
	case bracket == i:
		h, ok := p.header(i, bracket, end)
		if !ok {
			return wire.Value{}, false
		}
		if h.list != nil {
			return wire.Value{}, p.keyless(i)
		}
		if h.rest < end && h.n > 0 && h.n <= maxInlined {
			p.inlined = inlined{p.s[i:h.rest], h.n, h.delim}
		}
		return p.headed(&h, depth, end)
	}
	// The field on the hyphen's line is one level deeper (section 10).
	return p.object(i, depth+1, true)
}
