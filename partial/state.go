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
//	                        │ ^ [ or {          an element ──^ │ ,
//	                        v └─ inColon <─ a key, or <─┐      v
//	                      inFirst ──────────────────────┴─ inNext
type state uint8

// Up to inFirst a bracket may close at every level, up to inNext at Lenient, and up to inValue
// white space is skipped.
const (
	inAfter state = iota // a comma, or a bracket that closes
	inFirst              // the first element or key, or a bracket that closes
	inNext               // an element or key, after a comma
	inColon
	inValue // a value, after a colon or at the start
	inStart
	inProse   // before the value; only where something may be around it
	inEnd     // after the value
	inTail    // in what follows it
	inString  // of a key or a value
	inNumber  // or in what begins with a digit
	inWord    // letters without quotation marks
	inBareKey // a key without quotation marks
)

// steps are what each state does with what is there. A step that does not move on waits for
// more of the text, or for its end.
var steps = [...]func(*Parser){
	inAfter: (*Parser).following, inFirst: (*Parser).child, inNext: (*Parser).child, inColon: (*Parser).colon,
	inValue: (*Parser).begins, inStart: (*Parser).start, inProse: (*Parser).prose, inEnd: (*Parser).end,
	inTail: (*Parser).tail, inString: (*Parser).string, inNumber: (*Parser).number, inWord: (*Parser).word,
	inBareKey: (*Parser).bareKey,
}

func (p *Parser) run() {
	for p.err == nil && (p.pos < p.valid || p.closed) {
		pos, state := p.pos, p.state
		if state > inValue || p.space() && !(isCloser(p.buf[p.pos]) && p.closes()) {
			steps[state](p)
		}
		if p.pos == pos && p.state == state {
			return
		}
	}
}

func (p *Parser) lenient() bool { return p.o.Level == Lenient }

// start skips a byte order mark.
func (p *Parser) start() {
	if n := len(p.buf) - len(scan.TrimBOM(p.buf)); n > 0 {
		p.repair(BOM, 0, n, "", true)
		p.pos = n
	}
	p.head = p.pos
	switch {
	case p.o.Many:
		p.state = inAfter
	case p.o.Level == Strict:
		p.state = inValue
	default:
		p.state = inProse
	}
}

// ahead returns where what is not white space begins from i on, p.valid if it is not there yet.
func (p *Parser) ahead(i int) int {
	for i = max(i, p.look); i < p.valid && scan.IsSpace(p.buf[i]); {
		i++
	}
	p.look = i
	return i
}

// space skips white space, and at Lenient comments and white space that JSON does not have. It
// reports whether something else is at pos.
func (p *Parser) space() bool {
	for p.pos < p.valid {
		switch c := p.buf[p.pos]; {
		case scan.IsSpace(c):
			p.pos++
		case !p.lenient():
			return true
		case c == '#' || c == '/':
			n := p.comment()
			if n <= 0 {
				return n == 0
			}
			p.pos += n
		case p.paddingAt(p.pos):
			_, n := utf8.DecodeRune(p.buf[p.pos:])
			p.repair(Padding, p.pos, p.pos+n, " ", true)
			p.pos += n
		default:
			return true
		}
	}
	return false
}

// paddingAt reports whether white space that JSON does not have is at i.
func (p *Parser) paddingAt(i int) bool {
	r, _ := utf8.DecodeRune(p.buf[i:])
	return r >= utf8.RuneSelf && isPadding(r)
}

func isPadding(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' }

// comment returns how long the comment at pos is: 0 if there is none, -1 if more of it must
// come. One that seems to hold the closing mark of the string before it may be part of that.
func (p *Parser) comment() int {
	rest, end := p.buf[p.pos:p.valid], "\n"
	switch {
	case bytes.HasPrefix(rest, []byte("/*")):
		end = "*/"
	case rest[0] == '/' && len(rest) > 1 && rest[1] != '/', rest[0] == '/' && len(rest) == 1 && p.closed:
		return 0
	}
	from := min(max(p.look, p.pos+len(end)), p.valid)
	n := bytes.Index(p.buf[from:p.valid], []byte(end))
	switch {
	case n >= 0 && end == "*/":
		n += len(end)
	case n < 0 && p.closed && end == "\n":
		n = p.valid - from
	case n < 0:
		p.look = max(from, p.valid-1)
		return -1
	}
	text := p.buf[p.pos : from+n]
	inString := (p.state == inAfter || p.state == inColon) && p.last.kind == wire.KindString && !p.last.bare && bytes.ContainsRune(text, p.text.mark) && !p.apart()
	if inString || isOdd(text) {
		p.ambiguous(p.pos, "what seems to be a comment may belong to a string",
			"write the comment on a line of its own, and without a single quotation mark")
		return -1
	}
	p.repair(Comment, p.pos, from+n, "", true)
	return from + n - p.pos
}

// apart reports whether pos is not on the line of the last value or key.
func (p *Parser) apart() bool { return bytes.IndexByte(p.buf[p.last.end:p.pos], '\n') >= 0 }

// isOdd reports whether text has a quotation mark without another: a string may begin or end
// in it.
func isOdd(text []byte) bool { return bytes.Count(text, []byte{'"'})%2 > 0 }

// ambiguous fails because of what has two readings.
func (p *Parser) ambiguous(at int, message, hint string) {
	p.fail(at, "ambiguous", wire.ErrSyntax, message, hint)
}

// expected fails because the byte at pos is not what the grammar wants there.
func (p *Parser) expected(what string) {
	r, _ := utf8.DecodeRune(p.buf[p.pos:])
	p.fail(p.pos, "unexpected_character", wire.ErrSyntax, "expected "+what+", found "+strconv.QuoteRune(r), "")
}

// begins reads the first byte of a value.
func (p *Parser) begins() {
	if p.values--; p.values < 0 {
		p.fail(p.pos, wire.CodeTooManyValues, wire.ErrLimit, "the document holds more values than the limit", "raise Limits.Values")
		return
	}
	p.token = p.pos
	c := p.buf[p.pos]
	switch {
	case c == '{' || c == '[':
		if p.push(p.pos, c == '{'); p.err != nil {
			return
		}
		p.pos++
		p.state = inFirst
	case c == '-' || scan.IsDigit(c):
		p.state = inNumber
	case p.quote(false):
	case c == 't' || c == 'f' || c == 'n', p.lenient() && (scan.IsLetter(c) || c == '_' || c == '/'):
		p.state = inWord
	case c == '.' && p.lenient():
		p.ambiguous(p.pos, "a value that begins with a point: a number, or what stands for something left out", "write all of it")
	default:
		p.expected("a value")
	}
}

// child reads the first byte of an element or of a key.
func (p *Parser) child() {
	n := len(p.frames) - 1
	switch {
	case !p.frames[n].object:
		p.begins()
	case p.buf[p.pos] == ',' && p.lenient() && p.state == inFirst && (n == 0 || !p.frames[n-1].object):
		p.repair(LeadingComma, p.pos, p.pos+1, "", false)
		p.pos++
		p.state = inNext
	default:
		p.last.colon = false
		p.key()
	}
}

// key reads the first byte of a key.
func (p *Parser) key() {
	f := &p.frames[len(p.frames)-1]
	f.slot, f.keyAt, p.token = -1, p.pos, p.pos
	c := p.buf[p.pos]
	switch {
	case p.quote(true):
	case p.lenient() && isName(c) && c != '-':
		p.state = inBareKey
	default:
		p.expected("a key in quotation marks")
	}
}

// bareKey reads more of a key without quotation marks.
func (p *Parser) bareKey() {
	name, ended := p.unquotedText(isName)
	if !ended || p.padded() {
		return
	}
	number := scan.Digits(name, 0)
	if _, ok := words[name]; ok && unicode.IsUpper(rune(name[0])) || number > 0 && number < len(name) {
		p.ambiguous(p.token, fmt.Sprintf("%.40q may be spelled in another way as a key", name), "write quotation marks around keys")
		return
	}
	p.endKey(name, true)
}

// endKey ends a key before pos.
func (p *Parser) endKey(name string, bare bool) {
	p.frames[len(p.frames)-1].key = name
	p.last.kind, p.last.end, p.last.bare, p.state = wire.KindString, p.pos, bare, inColon
}

// padded fails if white space that JSON does not have is beside a key or a string without
// quotation marks: it may belong to it.
func (p *Parser) padded() bool {
	beside := p.token > 0 && p.buf[p.token-1] >= utf8.RuneSelf || p.pos < p.valid && p.buf[p.pos] >= utf8.RuneSelf
	if beside {
		p.ambiguous(p.token, "white space that JSON does not have, beside a word", "write quotation marks around keys and strings")
	}
	return beside
}

func isName(c byte) bool {
	return c == '_' || c == '$' || c == '-' || scan.IsDigit(c) || c < utf8.RuneSelf && scan.IsLetter(c)
}

// colon reads the colon after a key.
func (p *Parser) colon() {
	c, n := p.buf[p.pos], 1
	key := p.frames[len(p.frames)-1].key
	digits := scan.IsDigit(p.buf[p.token])
	switch {
	case c == ':' && p.last.bare:
		p.repair(BareKey, p.token, p.token+len(key), strconv.Quote(key), !digits)
	case c == ':':
	case p.last.bare && digits:
		p.fail(p.token, "unexpected_character", wire.ErrSyntax, "a number where a key is expected", "write no separators in numbers, and quotation marks around keys")
		return
	case !p.lenient() || p.last.colon || p.last.bare || strings.IndexByte("={[-", c) < 0 && !scan.IsDigit(c) && !p.isQuote():
		p.expected("':' after a key")
		return
	case c == '=' && p.pos+1 == p.valid:
		return
	default:
		n = scan.CommonPrefix(p.buf[p.pos:p.valid], []byte("=>"))
		p.repair(MissingColon, p.pos, p.pos+n, ":", false)
	}
	p.pos += n
	p.state = inValue
}

// following reads what is after an element or a member.
func (p *Parser) following() {
	f := &p.frames[len(p.frames)-1]
	c := p.buf[p.pos]
	switch {
	case f.many:
		if len(f.vals) > 0 && p.pos == p.last.end && p.last.kind < wire.KindString {
			p.expected("white space between values")
			return
		}
		p.begins()
	case c == ',' && p.last.closer < 0:
		p.last.comma = p.pos
		p.pos++
		p.state = inNext
	case p.last.closer >= 0:
		p.ambiguous(p.last.closer, fmt.Sprintf("%q closes what another bracket should, and more follows", p.buf[p.last.closer]), "only at the end of a text it is clear what such a bracket closes")
	case p.lenient():
		p.missingComma(f, c)
	default:
		p.notAfter(f)
	}
}

// notAfter fails because of what is after an element or a member.
func (p *Parser) notAfter(f *frame) {
	after := "an element"
	if f.object {
		after = "a member"
	}
	p.expected(fmt.Sprintf("',' or %q after %s", f.closer(), after))
}

// missingComma reads what follows a value without a comma.
func (p *Parser) missingComma(f *frame, c byte) {
	apart, was, container, quote := p.apart(), p.last.kind, c == '{' || c == '[', p.isQuote()
	letter := c < utf8.RuneSelf && scan.IsLetter(c)
	switch {
	case p.last.bare,
		f.object && !quote && !letter && c != '_' && c != '$',
		!f.object && !quote && !letter && !container && c != '-' && !scan.IsDigit(c),
		!f.object && !quote && !container && was >= wire.KindArray && !apart:
		p.notAfter(f)
		return
	case f.object && was == wire.KindString && p.text.escaped && !apart:
		p.twoReadings(p.pos)
		return
	case !f.object && quote && was >= wire.KindString && !apart:
		p.ambiguous(p.pos, "a comma is missing, or the quotation marks belong to one string", "write a comma, or a backslash before the marks in the string")
		return
	}
	p.repair(MissingComma, p.last.end, p.last.end, ",", f.object || was >= wire.KindArray && container || was >= wire.KindString && quote)
	if p.last.colon = f.object; f.object {
		p.key()
	} else {
		p.begins()
	}
}

func isCloser(c byte) bool { return c == ']' || c == '}' }

// closes reads a bracket if the innermost array or object may end there, and reports that. One of the wrong kind ends it as well: perhaps it is missing, and the bracket ends what
// is around it, which the next bracket or the end shows. Nothing but brackets may follow, and
// there is an error if the mistake may be in another place.
func (p *Parser) closes() bool {
	c, n := p.buf[p.pos], len(p.frames)-1
	if p.state > inNext || p.frames[n].many {
		return false
	}
	f := &p.frames[n]
	if !p.lenient() && (c != f.closer() || p.state == inNext) {
		return false
	}
	around := p.last.around == n+1
	p.last.around = 0
	if p.state == inNext && len(f.vals) > 0 {
		p.repair(TrailingComma, p.last.comma, p.last.comma+1, "", true)
	}
	switch {
	case f.closer() == c:
		p.pos++
		p.pop()
	case around:
		p.pop()
		return p.state == inEnd || p.closes()
	case n > 0 && p.frames[n-1].object == f.object && len(f.vals) > 1, slices.ContainsFunc(p.frames, frame.holdsSame),
		len(f.vals) > 0 && mayEndBefore(f.vals[len(f.vals)-1]):
		p.ambiguous(p.pos, fmt.Sprintf("expected %q; the mistake may be in another place", f.closer()), "")
	default:
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
	return true
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

// number reads more of what begins with a digit or a minus sign.
func (p *Parser) number() {
	text, ended := p.unquotedText(isWord)
	if !ended {
		return
	}
	n := scan.Number(text)
	switch {
	case n == len(text) && (!p.lenient() || p.ends(p.pos)):
		p.complete(builder.NumberText(text))
	case p.lenient():
		p.ambiguous(p.token+n, fmt.Sprintf("%.40q begins neither a number of JSON nor a string", text), "write quotation marks if it is a code, a date or a measure")
	default:
		p.fail(p.token+n, "unexpected_character", wire.ErrSyntax, fmt.Sprintf("%.40q is not a number", text), "")
	}
}

// unquotedText reads more of a number, a word or a key, and reports whether it has ended: at the
// end of a text only where nothing must follow, for 12 may be the beginning of 123.
func (p *Parser) unquotedText(isPart func(byte) bool) (text string, ended bool) {
	for p.pos < p.valid && isPart(p.buf[p.pos]) {
		p.pos++
	}
	n := len(p.frames) - 1
	ended = p.pos < p.valid || p.closed && (n < 0 || p.frames[n].many)
	return p.b.TextOf(p.buf[p.token:p.pos:p.pos]), ended
}

// ends reports whether a number or word may end before what is at i.
func (p *Parser) ends(i int) bool {
	return i == p.valid || strings.IndexByte(",]} \n\r\t\"'{[", p.buf[i]) >= 0 || p.paddingAt(i)
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
	text, ended := p.unquotedText(isWord)
	if !ended {
		return
	}
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
		p.bareText(text)
	}
}

// bareText ends a string without quotation marks before pos, if a comma, a bracket or the end
// of the line follows.
func (p *Parser) bareText(text string) {
	next := p.ahead(p.pos)
	switch apart := bytes.IndexByte(p.buf[p.pos:next], '\n') >= 0; {
	case !apart && next == p.valid:
	case !apart && strings.IndexByte(",}]", p.buf[next]) < 0:
		p.ambiguous(next, "a string without quotation marks has one word", "write quotation marks around strings")
	default:
		p.repair(BareText, p.token, p.pos, strconv.Quote(text), false)
		p.complete(wire.String(text))
		p.last.bare = true
	}
}

// strictWord completes a word as soon as it is whole.
func (p *Parser) strictWord() {
	word := map[byte]string{'t': "true", 'f': "false", 'n': "null"}[p.buf[p.token]]
	n := scan.CommonPrefix(p.buf[p.token:p.valid], []byte(word))
	switch p.pos = p.token + n; {
	case n == len(word):
		p.complete(words[word])
	case p.pos < p.valid:
		p.expected(strconv.Quote(word))
	}
}

func isWord(c byte) bool {
	return c < utf8.RuneSelf && scan.IsLetter(c) || scan.IsDigit(c) || strings.IndexByte("_-+./:", c) >= 0
}

// isBareText reports whether a word is a string and nothing else, however it is read.
func isBareText(text string) bool {
	lower := strings.ToLower(text)
	plain := strings.Replace(lower, "://", "", 1)
	return !strings.ContainsAny(plain, ":+") && !strings.Contains(plain, "//") && strings.ContainsFunc(lower, unicode.IsLetter) &&
		!slices.ContainsFunc([]string{"true", "false", "null", "none", "nan", "inf", "undefined", "nil"}, func(word string) bool {
			return strings.HasPrefix(lower, word) || strings.HasPrefix(word, lower)
		})
}
