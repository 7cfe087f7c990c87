package partial

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A state says what is expected next.
//
//	inStart ─> inProse ─> inValue ─> a scalar ─────────────> inAfter ─> … ─> inEnd ─> inTail
//	                        │ ^ [ inFirst          , inElement  │
//	                        v └─ inColon <─ key <─ { inMembers, inMember
type state uint8

const (
	inStart   state = iota
	inProse         // before the value; only where something may be around it
	inValue         // a value, after a colon or at the start
	inFirst         // the first element, or ]
	inElement       // an element, after a comma
	inMembers       // the first key, or }
	inMember        // a key, after a comma
	inColon
	inAfter   // a comma, or a bracket that closes
	inEnd     // after the value
	inTail    // in what follows it
	inString  // of a key or a value
	inConfirm // after what may be a string's closing mark
	inEscape  // waits for the rest of an escape
	inNumber
	inWord    // letters without quotation marks
	inBareKey // a key without quotation marks
	inBareEnd // after a string without quotation marks and a blank
	inComment
)

// steps are what each state does with what is there. A step that does not move on waits for
// more of the text.
var steps [inComment + 1]func(*Parser)

func init() {
	steps = [...]func(*Parser){
		inStart: (*Parser).start, inProse: (*Parser).prose, inValue: (*Parser).value, inFirst: (*Parser).value,
		inElement: (*Parser).value, inMembers: (*Parser).member, inMember: (*Parser).member, inColon: (*Parser).colon,
		inAfter: (*Parser).following, inEnd: (*Parser).end, inTail: (*Parser).tail, inString: (*Parser).string,
		inConfirm: (*Parser).confirm, inEscape: (*Parser).escape, inNumber: (*Parser).digits, inWord: (*Parser).word,
		inBareKey: (*Parser).bareKey, inBareEnd: (*Parser).bareEnd, inComment: (*Parser).comment,
	}
}

func (p *Parser) run() {
	for p.pos < p.valid && p.err == nil {
		pos, state := p.pos, p.state
		steps[state](p)
		if p.pos == pos && p.state == state {
			return
		}
	}
}

func (p *Parser) lenient() bool { return p.o.Level == Lenient }

// start skips a byte order mark.
func (p *Parser) start() {
	const mark = "\xEF\xBB\xBF"
	if bytes.HasPrefix(p.buf, []byte(mark)) {
		p.repair(BOM, 0, len(mark), "", true)
		p.pos = len(mark)
	}
	p.head, p.look = p.pos, p.pos
	switch {
	case p.o.Many:
		p.state = inAfter
	case p.o.Level == Strict:
		p.state = inValue
	default:
		p.state = inProse
	}
}

// space skips white space, and at Lenient comments and white space that JSON does not have. It
// reports whether something else is at pos.
func (p *Parser) space() bool {
	for p.pos < p.valid {
		switch c := p.buf[p.pos]; {
		case c == '\n':
			p.last.mark = ""
			p.pos++
		case c == ' ', c == '\t', c == '\r':
			p.pos++
		case !p.lenient():
			return true
		case c == '#', c == '/' && p.pos+1 < p.valid && (p.buf[p.pos+1] == '/' || p.buf[p.pos+1] == '*'):
			p.token, p.last.back, p.state = p.pos, p.state, inComment
			if p.pos++; c == '/' {
				p.pos++
			}
			return false
		case c == '/':
			return p.pos+1 < p.valid
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(p.buf[p.pos:])
			if !isPadding(r) {
				return true
			}
			p.repair(Padding, p.pos, p.pos+n, " ", true)
			p.pos += n
		default:
			return true
		}
	}
	return false
}

func isPadding(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' }

// comment reads to the end of a comment.
func (p *Parser) comment() {
	end := "\n"
	if p.block() {
		end = "*/"
	}
	n := bytes.Index(p.buf[p.pos:p.valid], []byte(end))
	if n < 0 {
		p.pos = max(p.pos, p.valid-len(end)+1)
		return
	}
	if p.pos += n; p.block() {
		p.pos += len(end)
	}
	p.endComment()
}

// block reports whether the open comment begins with /*.
func (p *Parser) block() bool { return p.buf[p.token] == '/' && p.buf[p.token+1] == '*' }

// isOdd reports whether text has a quotation mark without another: a string may begin or end
// in it.
func isOdd(text []byte) bool { return bytes.Count(text, []byte{'"'})%2 > 0 }

// endComment ends a comment before pos. One that seems to hold the closing mark of the string
// before it may be part of that.
func (p *Parser) endComment() {
	text := p.buf[p.token:p.pos]
	if p.last.mark != "" && bytes.Contains(text, []byte(p.last.mark)) || isOdd(text) {
		p.ambiguous(p.token, "what seems to be a comment may belong to a string",
			"write the comment on a line of its own, and without a single quotation mark")
		return
	}
	p.repair(Comment, p.token, p.pos, "", true)
	p.state = p.last.back
}

// ambiguous fails because of what has two readings.
func (p *Parser) ambiguous(at int, message, hint string) {
	p.fail(at, "ambiguous", wire.ErrSyntax, message, hint)
}

// expected fails because the byte at pos is not what the grammar wants there.
func (p *Parser) expected(what string) {
	r, _ := utf8.DecodeRune(p.buf[p.pos:])
	p.fail(p.pos, "unexpected_character", wire.ErrSyntax, "expected "+what+", found "+strconv.QuoteRune(r), "")
}

// value reads the first byte of a value.
func (p *Parser) value() {
	if !p.space() {
		return
	}
	c := p.buf[p.pos]
	switch {
	case c == ']' && p.state == inFirst:
		p.pos++
		p.pop()
		return
	case (c == ']' || c == '}') && p.lenient() && p.state != inValue:
		p.trailing()
		return
	case c == '>' && p.lenient() && p.state == inValue && p.buf[p.pos-1] == '=':
		p.repairs[len(p.repairs)-1].Read = "=>"
		p.pos++
		return
	}
	p.begins(c)
}

// begins reads the first byte of a value that must be there.
func (p *Parser) begins(c byte) {
	if p.values--; p.values < 0 {
		p.limit(p.pos, wire.CodeTooManyValues, "the document holds more values than the limit", "raise Limits.Values")
		return
	}
	p.token = p.pos
	switch {
	case c == '{' || c == '[':
		p.pos++
		if p.push(p.token, c == '{'); p.err != nil {
			return
		}
		p.last.mark = ""
		p.state = inFirst
		if c == '{' {
			p.state = inMembers
		}
	case p.quote(false):
	case c == '-' || scan.IsDigit(c):
		p.state, p.number = inNumber, 0
		if n := scan.Number(p.buf[p.pos:p.valid]); n > 0 && p.pos+n < p.valid && p.ends(p.pos+n) {
			p.pos += n
			p.endNumber()
		}
	case p.lenient() && (scan.IsLetter(c) || c == '_' || c == '/'):
		p.state = inWord
	case c == 't' || c == 'f' || c == 'n':
		p.state = inWord
	case c == '.' && p.lenient():
		p.ambiguous(p.pos, "a value that begins with a point: a number, or what stands for something left out", "write all of it")
	default:
		p.expected("a value")
	}
}

// trailing reads a bracket where a value or key may begin.
func (p *Parser) trailing() {
	if (p.state == inElement || p.state == inMember) && p.last.comma >= p.last.end {
		p.repair(TrailingComma, p.last.comma, p.last.comma+1, "", true)
	}
	p.closes(p.buf[p.pos])
}

// member reads the first byte of a key.
func (p *Parser) member() {
	if !p.space() {
		return
	}
	c := p.buf[p.pos]
	switch {
	case c == '}' && p.state == inMembers:
		p.pos++
		p.pop()
	case (c == '}' || c == ']') && p.lenient():
		p.trailing()
	case c == ',' && p.lenient() && p.state == inMembers && (len(p.frames) == 1 || !p.frames[len(p.frames)-2].object):
		p.repair(LeadingComma, p.pos, p.pos+1, "", false)
		p.pos++
		p.last.end, p.state = p.pos, inMember
	default:
		p.last.colon = false
		p.key("a key in quotation marks")
	}
}

// key reads the first byte of a key.
func (p *Parser) key(what string) {
	f := &p.frames[len(p.frames)-1]
	f.slot, f.keyAt, p.token = -1, p.pos, p.pos
	c := p.buf[p.pos]
	switch {
	case p.quote(true):
	case p.lenient() && (c < utf8.RuneSelf && scan.IsLetter(c) || c == '_' || c == '$' || scan.IsDigit(c)):
		p.state = inBareKey
	default:
		p.expected(what)
	}
}

// bareKey reads more of a key without quotation marks.
func (p *Parser) bareKey() {
	for p.pos < p.valid && isName(p.buf[p.pos]) {
		p.pos++
	}
	if p.pos == p.valid {
		return
	}
	name := string(p.buf[p.token:p.pos])
	number := scan.Digits(name, 0)
	if p.padded() {
		return
	}
	if _, ok := words[name]; ok && unicode.IsUpper(rune(name[0])) || number > 0 && number < len(name) {
		p.ambiguous(p.token, fmt.Sprintf("%.40q may be spelled in another way as a key", name), "write quotation marks around keys")
		return
	}
	p.frames[len(p.frames)-1].key = name
	p.last.bare, p.state = true, inColon
}

// padded fails if white space that JSON does not have is beside a key or a string without
// quotation marks: it may belong to it.
func (p *Parser) padded() bool {
	if p.buf[p.token-1] >= utf8.RuneSelf || p.buf[p.pos] >= utf8.RuneSelf {
		p.ambiguous(p.token, "white space that JSON does not have, beside a word", "write quotation marks around keys and strings")
		return true
	}
	return false
}

func isName(c byte) bool {
	return c == '_' || c == '$' || c == '-' || scan.IsDigit(c) || c < utf8.RuneSelf && scan.IsLetter(c)
}

// colon reads the colon after a key.
func (p *Parser) colon() {
	if !p.space() {
		return
	}
	c := p.buf[p.pos]
	f := &p.frames[len(p.frames)-1]
	digits := scan.IsDigit(p.buf[f.keyAt])
	switch {
	case c == ':':
		if p.last.bare {
			p.repair(BareKey, f.keyAt, f.keyAt+len(f.key), strconv.Quote(f.key), !digits)
		}
		p.pos++
		p.state = inValue
	case p.last.bare && digits:
		p.fail(f.keyAt, "unexpected_character", wire.ErrSyntax, "a number where a key is expected", "write no separators in numbers, and quotation marks around keys")
	case !p.lenient() || p.last.colon || p.last.bare:
		p.expected("':' after a key")
	case c == '=':
		p.repair(MissingColon, p.pos, p.pos+1, ":", false)
		p.pos++
		p.state = inValue
	case c == '{' || c == '[' || c == '-' || scan.IsDigit(c) || p.isQuote():
		p.repair(MissingColon, p.pos, p.pos, ":", false)
		p.state = inValue
	default:
		p.expected("':' after a key")
	}
}

// following reads what is after an element or a member.
func (p *Parser) following() {
	if !p.space() {
		return
	}
	f := &p.frames[len(p.frames)-1]
	c := p.buf[p.pos]
	switch {
	case f.many:
		if len(f.vals) > 0 && p.pos == p.last.end && p.last.kind < wire.KindString {
			p.expected("white space between values")
			return
		}
		p.state = inValue
		p.begins(c)
	case c == ',' && p.last.closer < 0:
		p.last.comma, p.last.mark = p.pos, ""
		p.pos++
		p.state = inElement
		if f.object {
			p.state = inMember
		}
	case c == f.closer() && p.last.closer < 0:
		p.pos++
		p.pop()
	case p.lenient() && (c == ']' || c == '}'):
		p.closes(c)
	case p.last.closer >= 0:
		p.ambiguous(p.last.closer, fmt.Sprintf("%q closes what another bracket should, and more follows", p.buf[p.last.closer]), "only at the end of a text it is clear what such a bracket closes")
	case p.lenient():
		p.missingComma(f, c)
	case f.object:
		p.expected("',' or '}' after a member")
	default:
		p.expected("',' or ']' after an element")
	}
}

// missingComma reads what follows a value without a comma.
func (p *Parser) missingComma(f *frame, c byte) {
	apart := bytes.IndexByte(p.buf[p.last.end:p.pos], '\n') >= 0
	was, container := p.last.kind, c == '{' || c == '['
	sure := true
	switch {
	case p.last.bare:
		p.expected("',' or a bracket after a string without quotation marks")
		return
	case f.object:
		if !p.isQuote() && (c >= utf8.RuneSelf || !scan.IsLetter(c) && c != '_' && c != '$') {
			p.expected("',' or '}' after a member")
			return
		}
		if was == wire.KindString && p.text.escaped && !apart {
			p.twoReadings(p.pos)
			return
		}
	case was >= wire.KindArray && container:
	case p.isQuote() && !apart && was >= wire.KindString:
		p.ambiguous(p.pos, "a comma is missing, or the quotation marks belong to one string", "write a comma, or a backslash before the marks in the string")
		return
	case p.isQuote() && apart && was >= wire.KindString:
	case was >= wire.KindArray && !apart:
		p.expected("',' or ']' after an element")
		return
	case container, p.isQuote(), c == '-', scan.IsDigit(c), c < utf8.RuneSelf && scan.IsLetter(c):
		sure = false
	default:
		p.expected("',' or ']' after an element")
		return
	}
	p.repair(MissingComma, p.last.end, p.last.end, ",", sure)
	p.last.mark = ""
	if f.object {
		p.last.colon = true
		p.key("")
		return
	}
	p.begins(c)
}

// closes reads a bracket where the innermost array or object may end. One of the wrong kind
// ends it as well: perhaps it is missing, and the bracket ends what is around it, which the
// next bracket or the end shows. Nothing but brackets may follow, and there is an error if the
// mistake may be in another place.
func (p *Parser) closes(c byte) {
	n := len(p.frames) - 1
	f := &p.frames[n]
	if f.many {
		p.expected("a value")
		return
	}
	if p.last.around == n+1 && f.closer() != c {
		p.pop()
		p.last.around = 0
		if p.state == inAfter {
			p.closes(c)
		}
		return
	}
	p.last.around = 0
	if f.closer() == c {
		p.pos++
		p.pop()
		return
	}
	inSame := n > 0 && p.frames[n-1].object == f.object && len(f.vals) > 1
	if inSame || slices.ContainsFunc(p.frames, frame.holdsSame) || len(f.vals) > 0 && mayEndBefore(f.vals[len(f.vals)-1]) {
		p.ambiguous(p.pos, fmt.Sprintf("expected %q; the mistake may be in another place", f.closer()), "")
		return
	}
	p.repair(WrongCloser, p.pos, p.pos+1, string(f.closer()), false)
	p.last.closer = p.pos
	p.pos++
	if p.err == nil {
		p.pop()
	}
	if n > 0 && p.frames[n-1].closer() == c {
		p.last.around = n
	}
}

func (f *frame) closer() byte {
	if f.object {
		return '}'
	}
	return ']'
}

// holdsSame reports whether a complete child of an array or object is one as well.
func (f frame) holdsSame() bool {
	for i, v := range f.vals {
		if i != f.slot && (v.Kind() == wire.KindObject && f.object || v.Kind() == wire.KindArray && !f.object) {
			return true
		}
	}
	return false
}

// number is a state of the grammar of numbers.
type number uint8

// Where a number may end is below mayEnd.
const (
	atZero number = iota + 1
	atInteger
	atFraction
	atExponent
	mayEnd
	atMinus
	atPoint
	atE
	atSign
)

// next returns the state after c, 0 if c cannot follow.
func (n number) next(c byte) number {
	digit := scan.IsDigit(c)
	switch {
	case digit && (n == 0 || n == atMinus) && c == '0':
		return atZero
	case digit && (n == 0 || n == atMinus || n == atInteger):
		return atInteger
	case digit && (n == atPoint || n == atFraction):
		return atFraction
	case digit && n >= atExponent && n != mayEnd:
		return atExponent
	case c == '-' && n == 0:
		return atMinus
	case c == '.' && (n == atZero || n == atInteger):
		return atPoint
	case c|0x20 == 'e' && n > 0 && n <= atFraction:
		return atE
	case (c == '-' || c == '+') && n == atE:
		return atSign
	}
	return 0
}

// digits reads more of a number.
func (p *Parser) digits() {
	for p.pos < p.valid {
		next := p.number.next(p.buf[p.pos])
		if next == 0 {
			break
		}
		p.number = next
		p.pos++
	}
	if p.pos == p.valid {
		return
	}
	if p.number < mayEnd && (!p.lenient() || p.ends(p.pos)) && !scan.IsDigit(p.buf[p.pos]) {
		p.endNumber()
		return
	}
	text := p.buf[p.token:min(p.pos+1, p.valid)]
	if p.lenient() {
		p.ambiguous(p.pos, fmt.Sprintf("%.40q begins neither a number of JSON nor a string", text), "write quotation marks if it is a code, a date or a measure")
		return
	}
	p.expected("a digit")
}

// ends reports whether a number or word may end before what is at i.
func (p *Parser) ends(i int) bool {
	switch c := p.buf[i]; c {
	case ',', ']', '}', ' ', '\n', '\r', '\t':
		return true
	case '"', '\'', '{', '[':
		return p.lenient()
	default:
		r, _ := utf8.DecodeRune(p.buf[i:])
		return c >= utf8.RuneSelf && p.lenient() && isPadding(r)
	}
}

func (p *Parser) endNumber() {
	p.complete(builder.NumberText(p.b.TextOf(p.buf[p.token:p.pos:p.pos])))
}

// words are those of JSON, and of Python.
var words = map[string]wire.Value{
	"true": wire.Bool(true), "false": wire.Bool(false), "null": wire.Null(),
	"True": wire.Bool(true), "False": wire.Bool(false), "None": wire.Null(),
}

// word reads more of a word.
func (p *Parser) word() {
	if !p.lenient() {
		p.strictWord()
		return
	}
	for p.pos < p.valid && isWord(p.buf[p.pos]) {
		p.pos++
	}
	if p.pos == p.valid {
		return
	}
	text := string(p.buf[p.token:p.pos])
	v, ok := words[text]
	switch {
	case !p.ends(p.pos):
		p.ambiguous(p.pos, fmt.Sprintf("%.40q and what follows is neither a value nor a word", text), "write quotation marks around strings")
	case ok && unicode.IsUpper(rune(text[0])):
		p.repair(Word, p.token, p.pos, v.String(), true)
		fallthrough
	case ok:
		p.complete(v)
	case !isBareText(text):
		p.ambiguous(p.token, fmt.Sprintf("%.40q may be a string or something else", text), "write quotation marks around strings, and null for nothing")
	case !p.padded():
		p.state = inBareEnd
	}
}

func (p *Parser) strictWord() {
	word := map[byte]string{'t': "true", 'f': "false", 'n': "null"}[p.buf[p.token]]
	for p.pos < p.valid {
		at := p.pos - p.token
		if p.buf[p.pos] != word[at] {
			p.expected(strconv.Quote(word))
			return
		}
		if p.pos++; at == len(word)-1 {
			p.complete(words[word])
			return
		}
	}
}

func isWord(c byte) bool {
	return c < utf8.RuneSelf && scan.IsLetter(c) || scan.IsDigit(c) || strings.IndexByte("_-./:", c) >= 0
}

// isBareText reports whether a word is a string and nothing else, however it is read.
func isBareText(text string) bool {
	lower := strings.ToLower(text)
	for _, word := range []string{"true", "false", "null", "none", "nan", "inf", "undefined", "nil"} {
		if strings.HasPrefix(lower, word) || strings.HasPrefix(word, lower) {
			return false
		}
	}
	scheme, rest, _ := strings.Cut(lower, "://")
	for _, part := range []string{scheme, rest} {
		if strings.Contains(part, ":") || strings.Contains(part, "//") {
			return false
		}
	}
	return strings.ContainsFunc(lower, unicode.IsLetter)
}

// bareEnd reads up to what must follow a string without quotation marks.
func (p *Parser) bareEnd() {
	end := p.pos
	for end > p.token && !isWord(p.buf[end-1]) {
		end--
	}
	for p.pos < p.valid && (p.buf[p.pos] == ' ' || p.buf[p.pos] == '\t' || p.buf[p.pos] == '\r') {
		p.pos++
	}
	if p.pos == p.valid {
		return
	}
	if c := p.buf[p.pos]; c != ',' && c != '}' && c != ']' && c != '\n' {
		p.ambiguous(p.pos, "a string without quotation marks has one word", "write quotation marks around strings")
		return
	}
	text := p.b.TextOf(p.buf[p.token:end:end])
	p.repair(BareText, p.token, end, strconv.Quote(text), false)
	p.complete(wire.String(text))
	p.last.bare = true
}
