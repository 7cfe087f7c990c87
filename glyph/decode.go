package glyph

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// parser parses a private copy of the text, followed by zero bytes: a zero byte
// is in no class, so it ends every run and the loops need no check for the end.
//
// Its functions take the position of the first byte they look at and return the
// position after the last, or -1 once err is set.
type parser struct {
	builder.Builder
	s       string
	end     int // length of the text
	depth   int // levels left
	values  int // values left
	line    bool
	cell    bool // within a table's cell: "\|" stands for "|"
	lenient bool
	schema  *SchemaContext // what #N means; may be nil

	gaps    []int    // scratch for a row's empty cells
	columns []string // scratch for the names in a table's header
	partial builder.PartialRows
	frames  []cellFrame // the cells with tables in them that the parser is in
	copies  int         // bytes of such cells that may still be copied
	keys    int         // bytes of the schema's keys that #N may still stand for

	counting int // bytes that may still be looked at for the length of lists

	skipped int // bytes of the source before s
	err     *wire.Error
	at      int
}

const padding = "\x00\x00\x00\x00\x00\x00\x00\x00"

// parseText reports what is wrong with a text, which parse has to take whole.
func parseText(input string, parse func(p *parser) bool) error {
	src, p := []byte(input), new(parser)
	if err := p.begin(Codec{}, src); err != nil {
		return err
	}
	if !parse(p) {
		return p.failure(src)
	}
	return nil
}

// begin makes p the parser of src.
func (p *parser) begin(c Codec, src []byte) error {
	limits := c.Limits.Resolved()
	if len(src) > limits.InputBytes {
		return wire.ErrorAt(src, limits.InputBytes, wire.Error{Format: format, Code: wire.CodeInputTooLong, Kind: wire.ErrLimit,
			Message: "the document is longer than the limit", Hint: "raise Limits.InputBytes"})
	}
	text := scan.TrimBOM(src)
	skipped := len(src) - len(text)
	n := scan.ValidUTF8(text)
	if c.Lenient && !utf8.FullRune(text[n:]) { // cut off inside a character
		text = text[:n]
	}
	if n < len(text) {
		return wire.ErrorAt(src, skipped+n, notUTF8(text[n:]))
	}
	p.depth, p.values, p.lenient, p.skipped = limits.Depth, limits.Values, c.Lenient, skipped
	p.counting = len(text)
	p.reset(text)
	p.spend(len(text))
	return nil
}

// spend sets what a text of that length may make the parser copy and expand.
func (p *parser) spend(length int) {
	n := min(length, (math.MaxInt-minExpanded)/maxExpanded)
	p.copies, p.keys = maxCopied*n, maxExpanded*n+minExpanded
}

// notUTF8 is the error of a text that is not UTF-8 from rest on.
func notUTF8(rest []byte) wire.Error {
	if !utf8.FullRune(rest) {
		return wire.Error{Format: format, Code: wire.CodeUnexpectedEnd, Kind: wire.ErrTruncated, Message: "the text ends inside a character"}
	}
	return wire.Error{Format: format, Code: wire.CodeInvalidUTF8, Kind: wire.ErrUTF8, Message: "bytes that are not UTF-8"}
}

// reset gives the parser a copy of text to parse.
func (p *parser) reset(text []byte) {
	p.s, p.end = p.Copy(text, padding), len(text)
}

// failure returns the parser's error with its position in src.
func (p *parser) failure(src []byte) *wire.Error {
	return wire.ErrorAt(src, p.at+p.skipped, *p.err)
}

// fail records the first error and returns -1.
func (p *parser) fail(i int, code string, kind error, message string) int {
	if p.err == nil {
		p.err = fault(code, kind, message)
		p.at = min(i, p.end)
	}
	return -1
}

// expected fails because the byte at i is not what the grammar wants there.
func (p *parser) expected(i int, what string) int {
	if i >= p.end {
		return p.fail(p.end, wire.CodeUnexpectedEnd, wire.ErrTruncated, "the text ends where "+what+" was expected")
	}
	return p.fail(i, "unexpected_character", wire.ErrSyntax, "expected "+what+", found "+p.found(i))
}

// cutOffIn reports whether the text ends at i with the beginning of the word.
func (p *parser) cutOffIn(word string, i int) bool {
	return i < p.end && p.end-i < len(word) && strings.HasPrefix(word, p.s[i:p.end])
}

// found shows the character at i, which is in the text.
func (p *parser) found(i int) string {
	r, _ := utf8.DecodeRuneInString(p.s[i:])
	return strconv.QuoteRune(r)
}

// space skips white space, up to the end of the line in cells and patches.
func (p *parser) space(i int) int {
	for {
		switch p.s[i] {
		case ' ', '\t':
		case '\n', '\r':
			if p.line {
				return i
			}
		default:
			return i
		}
		i++
	}
}

// What a value can begin with.
const (
	leadNothing = iota
	leadQuote
	leadMap
	leadList
	leadNumber
	leadWord
	leadWide // a character beyond ASCII
	leadID
	leadTable
)

var lead = func() (t [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case class[b]&classStart != 0:
			t[c] = leadWord
		case b >= '0' && b <= '9' || b == '-':
			t[c] = leadNumber
		case b >= utf8.RuneSelf:
			t[c] = leadWide
		}
	}
	t['"'], t['{'], t['['], t['^'], t['@'] = leadQuote, leadMap, leadList, leadID, leadTable
	return t
}()

// value parses the value that begins at i.
func (p *parser) value(i int) (wire.Value, int) {
	if p.values--; p.values < 0 {
		return wire.Value{}, p.tooMany(i)
	}
	switch lead[p.s[i]] {
	case leadWord:
		return p.word(i)
	case leadNumber:
		return p.number(i)
	case leadQuote:
		s, i := p.quoted(i)
		return wire.String(s), i
	case leadMap:
		return p.object(i)
	case leadList:
		return p.list(i)
	case leadWide:
		return p.wide(i)
	case leadID:
		return p.id(i)
	case leadTable:
		return p.tableValue(i)
	}
	return wire.Value{}, p.expected(i, "a value")
}

func (p *parser) tooMany(i int) int {
	return p.fail(i, wire.CodeTooManyValues, wire.ErrLimit, "the document holds more values than the limit; raise Limits.Values")
}

func (p *parser) tooDeep(i int) int {
	return p.fail(i, wire.CodeTooDeep, wire.ErrLimit, "arrays and objects nest deeper than the limit; raise Limits.Depth")
}

// partEnd returns the end of the run of characters from i that can continue a
// word.
func (p *parser) partEnd(i int) int {
	if i = partRun(p.s, i); p.s[i] < utf8.RuneSelf {
		return i
	}
	return wordEnd(p.s, i)
}

// word parses a bare word: null, a bool, bytes or a string.
func (p *parser) word(i int) (wire.Value, int) {
	j := p.partEnd(i)
	w := p.s[i:j]
	if len(w) <= 5 {
		switch w {
		case "_", "null", "none", "nil":
			return wire.Value{}, j
		case "t", "true":
			return wire.Bool(true), j
		case "f", "false":
			return wire.Bool(false), j
		case "b64":
			if p.s[j] == '"' {
				return p.bytes(i, j)
			}
		}
	}
	return wire.String(w), j
}

// wide parses a value that begins with a character beyond ASCII.
func (p *parser) wide(i int) (wire.Value, int) {
	r, n := utf8.DecodeRuneInString(p.s[i:])
	switch {
	case r == '∅':
		return wire.Value{}, i + n
	case wordStart(r):
		j := p.partEnd(i + n)
		return wire.String(p.s[i:j]), j
	}
	return wire.Value{}, p.fail(i, "unexpected_character", wire.ErrSyntax, "no bare word begins with "+p.found(i)+"; quote the string")
}

func (p *parser) bytes(start, i int) (wire.Value, int) {
	s, i := p.quoted(i)
	if i < 0 {
		return wire.Value{}, i
	}
	b, ok := readBase64(s)
	if !ok {
		return wire.Value{}, p.fail(start, "invalid_base64", wire.ErrSyntax, "b64 is not followed by standard base64 with padding")
	}
	return wire.Bytes(b), i
}

// readBase64 reads standard base64 with padding, which has no line ends.
func readBase64(s string) ([]byte, bool) {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	return b, err == nil && !strings.ContainsAny(s, "\r\n") // which that skips
}

func (p *parser) id(start int) (wire.Value, int) {
	i := start + 1
	if p.s[i] == '"' {
		s, i := p.quoted(i)
		return wire.Internal.TaggedString("^"+s, tagID), i
	}
	if i = idEnd(p.s, i); i == start+1 {
		return wire.Value{}, p.expected(i, "an id after ^")
	}
	return wire.Internal.TaggedString(p.s[start:i], tagID), i
}

// number parses what begins with a digit or "-": a number, a time, or a date,
// which is a string.
func (p *parser) number(start int) (wire.Value, int) {
	s, i := p.s, start
	if v, end := builder.Decimal(s, i); end > 0 && class[s[end]]&classToken == 0 {
		return v, end
	}
	for class[s[i]]&classToken != 0 {
		i++
	}
	token := s[start:i]
	if scan.Number(token) == len(token) {
		v, _ := wire.Number(token)
		return v, i
	}
	if isDate(token) {
		return wire.String(token), i
	}
	if t, ok := parseTime(token); ok {
		return wire.Time(t), i
	}
	if i >= p.end && beginsNumber(token) {
		return wire.Value{}, p.expected(p.end, "the rest of a number or a time")
	}
	return wire.Value{}, p.fail(start, "invalid_number", wire.ErrSyntax,
		fmt.Sprintf("%.40q is neither a number nor a time; quote it if it is a string", token))
}

// quoted parses a string in quotation marks.
func (p *parser) quoted(start int) (string, int) {
	i := scan.StringEnd(p.s, start+1)
	if p.s[i] == '"' {
		return p.s[start+1 : i], i + 1
	}
	text, i := p.Unescape(escapesOf(p.cell), p.s, start+1, i)
	if p.s[i] != '"' {
		return "", p.badString(start, i)
	}
	return text, i + 1
}

// escapesOf returns the escapes of strings, inside of a table's cell or not.
func escapesOf(cell bool) *scan.Escapes {
	if cell {
		return &cellEscapes
	}
	return &scan.JSONEscapes
}

// cellEscapes are those of strings within a table's cell.
var cellEscapes = func() scan.Escapes {
	e := scan.JSONEscapes
	e.Letters['|'] = '|'
	return e
}()

// badString fails because of what is not part of a string at i; the string begins at
// start.
func (p *parser) badString(start, i int) int {
	switch c := p.s[i]; {
	case i >= p.end:
		return p.fail(start, wire.CodeUnterminated, wire.ErrTruncated, "the text ends inside the string that begins here")
	case c != '\\':
		return p.fail(i, "control_character", wire.ErrSyntax,
			fmt.Sprintf("control character U+%04X in a string; it must be written as an escape", c))
	case i+1 >= p.end:
		return p.expected(i+1, "an escape")
	case p.s[i+1] != 'u':
		return p.fail(i, wire.CodeInvalidEscape, wire.ErrSyntax, "no escape begins with a backslash and "+p.found(i+1))
	}
	r, ok := scan.Hex4(p.s[i+2:])
	switch next := i + 6; {
	case !ok && p.cutOffHex(i+2):
		return p.expected(p.end, "four hexadecimal digits")
	case !ok:
		return p.fail(i, wire.CodeInvalidEscape, wire.ErrSyntax, `\u needs four hexadecimal digits`)
	case r < 0xDC00 && (next >= p.end || p.cutOffIn(`\u`, next) || strings.HasPrefix(p.s[next:], `\u`) && p.cutOffHex(next+2)):
		return p.expected(p.end, "the other half of a surrogate pair")
	}
	return p.fail(i, "lone_surrogate", wire.ErrUTF8, fmt.Sprintf(`\u%04x is half of a surrogate pair and has no other half`, r))
}

// cutOffHex reports whether the text ends within the four digits from i on.
func (p *parser) cutOffHex(i int) bool {
	const zeros = "0000"
	if n := p.end - i; n < 0 || n >= len(zeros) {
		return false
	}
	_, ok := scan.Hex4(p.s[i:p.end] + zeros)
	return ok
}

func (p *parser) list(i int) (wire.Value, int) {
	if p.depth--; p.depth < 0 {
		return wire.Value{}, p.tooDeep(i)
	}
	i = p.space(i + 1)
	mark := p.Mark()
	var list []wire.Value // of the elements, if they are many: else these are on the stack
	if n := p.length(i); n > 0 {
		list = p.Elements(n)[:0]
	}
	for p.s[i] != ']' {
		if list != nil {
			if i = p.numbers(&list, i); p.s[i] == ']' {
				break
			}
		}
		at := len(list) + p.Mark() - mark
		v, next := p.value(i)
		if next < 0 {
			wire.AtIndex(p.err, at)
			return wire.Value{}, -1
		}
		if list != nil {
			list = append(list, v)
		} else {
			p.Push(v)
		}
		if i = p.separator(next, ']'); i < 0 {
			return wire.Value{}, i
		}
	}
	p.depth++
	if list != nil {
		return wire.Array(list...), i + 1
	}
	return p.Array(mark), i + 1
}

// length guesses how many elements a list has from i on, if it begins with a
// number and goes on for some time: one more than there are blanks up to the next
// bracket. It returns 0 for all others. What is looked at for that is bounded.
func (p *parser) length(i int) int {
	const short = 64
	if c := p.s[i]; c-'0' > 9 && c != '-' || len(p.s)-i < short || strings.IndexByte(p.s[i:i+short], ']') >= 0 {
		return 0
	}
	end := strings.IndexByte(p.s[i:min(len(p.s), i+p.counting)], ']')
	if end < 0 {
		p.counting = 0
		return 0
	}
	p.counting -= end
	return 1 + strings.Count(p.s[i:i+end], " ")
}

// numbers appends the numbers of a list from i on, as long as each is one without
// an exponent that a blank and another one follow, or the end of the list. It
// returns the position of what is something else, or of the end.
func (p *parser) numbers(list *[]wire.Value, i int) int {
	s, room, left := p.s, *list, p.values
	for left > 0 {
		first := i
		if s[i] == '-' {
			first++
		}
		end := scan.Digits(s, first)
		if end == first || s[first] == '0' && end > first+1 {
			break
		}
		if s[end] == '.' {
			from := end + 1
			if end = scan.Digits(s, from); end == from {
				break
			}
		}
		next := end
		if s[end] == ' ' && s[end+1] > ',' {
			next++
		} else if s[end] != ']' {
			break
		}
		room = append(room, builder.NumberText(s[i:end]))
		left--
		if i = next; s[i] == ']' {
			break
		}
	}
	*list, p.values = room, left
	return i
}

// separator goes from the end of an element or member to the next one or to the
// closing bracket: over white space, a comma, or both.
func (p *parser) separator(i int, closing byte) int {
	if p.s[i] == ' ' && p.s[i+1] > ',' { // as canonical text has it
		return i + 1
	}
	return p.separation(i, closing)
}

// separation is separator for all that may be there.
func (p *parser) separation(i int, closing byte) int {
	if p.s[i] == closing {
		return i
	}
	j := p.space(i)
	switch p.s[j] {
	case closing:
		return j
	case ',':
		if j = p.space(j + 1); p.s[j] == closing {
			return p.fail(j, "trailing_comma", wire.ErrSyntax, "a comma with nothing after it")
		}
		return j
	}
	if j == i || j >= p.end {
		return p.expected(j, "white space, a comma or "+strconv.QuoteRune(rune(closing)))
	}
	return j
}

// fewMembers is the number of members up to which an object's values wait in an array
// of the function that parses it, which writes there without a barrier.
const fewMembers = 8

func (p *parser) object(i int) (wire.Value, int) {
	if p.depth--; p.depth < 0 {
		return wire.Value{}, p.tooDeep(i)
	}
	o := p.Object()
	var few [fewMembers]wire.Value // the values, until they are on the stack
	n := 0                         // of few; then -1
	i = p.space(i + 1)
	for p.s[i] != '}' {
		key, next := p.key(i)
		if next < 0 {
			return wire.Value{}, next
		}
		if !p.Key(&o, key) || n == len(few) {
			for k := range n {
				p.Push(few[k])
			}
			n = -1
		}
		if i = next; p.s[i] != '=' {
			if i = p.space(i); p.s[i] != '=' && p.s[i] != ':' {
				return wire.Value{}, p.expected(i, "'=' or ':' after a key")
			}
		}
		if i++; p.s[i] <= ' ' {
			i = p.space(i)
		}
		v, next := p.value(i)
		if next < 0 {
			wire.AtKey(p.err, key)
			return wire.Value{}, next
		}
		if n >= 0 {
			few[n] = v
			n++
		} else {
			p.Put(&o, v)
		}
		if i = p.separator(next, '}'); i < 0 {
			return wire.Value{}, i
		}
	}
	p.depth++
	if n >= 0 {
		return p.RowFrom(p.KeysSoFar(&o), few[:n]), i + 1
	}
	return p.EndObject(&o), i + 1
}

// The schema's keys that #N stands for count, so that a short text with a long
// key in its schema takes neither time nor, when it is written again, room out
// of proportion.
const (
	maxExpanded = 64 // in multiples of the text's length
	minExpanded = 1 << 20
)

// numbered parses #N and returns the key of the schema that it stands for.
func (p *parser) numbered(i int) (string, int) {
	j := scan.Digits(p.s, i+1)
	if j == i+1 {
		return "", p.expected(j, "a number after #")
	}
	n, err := strconv.Atoi(p.s[i+1 : j])
	if p.schema == nil || err != nil || n >= len(p.schema.keys) {
		hint := "no schema is active here; a key that is spelled so must be quoted"
		if p.schema != nil {
			hint = "schema " + p.schema.id + " has " + strconv.Itoa(len(p.schema.keys)) + " keys"
		}
		return "", p.fail(i, "schema_not_found", wire.ErrShape, fmt.Sprintf("%.40s is no key of a schema known here: %s", p.s[i:j], hint))
	}
	key := p.schema.keys[n]
	if p.keys -= len(key); p.keys < 0 {
		return "", p.fail(i, "keys_too_long", wire.ErrLimit, "the keys that #N stand for are longer than 64 times the text; write them out")
	}
	return key, j
}

// key parses a key, which may be quoted, bare or a number of the schema. Bare
// keys are less strict than bare values: nothing else can be there.
func (p *parser) key(i int) (string, int) {
	switch p.s[i] {
	case '"':
		return p.quoted(i)
	case '#':
		return p.numbered(i)
	}
	j := p.partEnd(i)
	if j == i {
		return "", p.expected(i, "a key")
	}
	return p.s[i:j], j
}
