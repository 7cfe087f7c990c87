package yaml

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// The parser ends lines at U+0085, U+2028 and U+2029, as YAML 1.1 has it, passes over marks
// of byte order where a line begins, and refuses pairs of surrogates, and names of anchors
// that end with a colon or have characters beyond ASCII. While it reads, all
// these are replaced by words of ASCII letters and digits. Such a word may be wherever the
// text may be that it is for, and means as little, so that what surrounds it does not
// matter: the nodes get the text back. Only a colon at the end of a name has a meaning
// elsewhere, see load.
//
// A stand-in is the marker, a letter for its kind, the text in base 16, and a letter that
// ends it.
const (
	verbatim  = 'v' // the text
	pair      = 'p' // in double quotes the character that two escapes spell, elsewhere the text
	nameColon = 'k' // the colon that ends a name
	standEnd  = "w"
)

// marker begins with a letter that neither follows a backslash nor is a digit in base 16.
// The rest is random, so no text has it.
var marker = "w" + strconv.FormatUint(rand.Uint64()|1<<63, 36) + "w"

func appendStandIn(dst []byte, kind byte, text []byte) []byte {
	dst = append(append(dst, marker...), kind)
	return append(hex.AppendEncode(dst, text), standEnd...)
}

// restored returns a text with what its stand-ins are for.
func restored(s string, inDoubleQuotes bool) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, marker)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		digits, rest, _ := strings.Cut(after[1:], standEnd)
		text, _ := hex.DecodeString(digits)
		if after[0] == pair && inDoubleQuotes {
			text = utf8.AppendRune(nil, pairOf(text))
		}
		b.Write(text)
		s = rest
	}
}

const pairLen = len(`\ud83d\ude00`)

// pairOf returns the character that two escapes spell at the beginning of text, or U+FFFD.
func pairOf(text []byte) rune {
	if len(text) < pairLen || string(text[:2]) != `\u` || string(text[6:8]) != `\u` {
		return utf8.RuneError
	}
	high, _ := scan.Hex4(text[2:])
	low, _ := scan.Hex4(text[8:])
	return utf16.DecodeRune(high, low) // which takes what are no digits for no pair
}

// A reading is a document as the parser gets it.
type reading struct {
	text     []byte
	standIns bool
	colons   int // at the end of what may be names
}

// newReading returns the reading of a document, with stand-ins for the colons at the end of
// what may be names or without.
func newReading(doc []byte, forColons bool) reading {
	r := reading{}
	from := 0 // what has not been copied yet
	put := func(at, n int, kind byte) {
		r.text = appendStandIn(append(r.text, doc[from:at]...), kind, doc[at:at+n])
		r.standIns = true
		from = at + n
	}
	inName, before := false, byte('\n')
	for i, n := 0, 0; i < len(doc); i += n {
		n = 1
		switch roles[doc[i]] {
		case beginsName:
			inName = inName || before == ':' || roles[before] == endsName
		case endsName:
			if inName && before == ':' {
				r.colons++
				if forColons {
					put(i-1, 1, nameColon)
				}
			}
			inName = false
		case escapes:
			if i+1 < len(doc) && doc[i+1] == '\\' {
				n = 2
			} else if pairOf(doc[i:]) != utf8.RuneError {
				n = pairLen
				put(i, n, pair)
			}
		case wideByte:
			var r rune
			if r, n = utf8.DecodeRune(doc[i:]); inName || isForeign(r) {
				put(i, n, verbatim)
			}
		}
		before = doc[i+n-1]
	}
	if !r.standIns {
		r.text = doc
		return r
	}
	r.text = append(r.text, doc[from:]...)
	return r
}

// What a byte does to a reading.
const (
	beginsName = 1 + iota
	endsName
	escapes
	wideByte // it is part of a character beyond ASCII
)

var roles = func() (t [256]uint8) {
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = wideByte
	}
	for _, c := range " \t\r\n[]{}," {
		t[c] = endsName
	}
	t['&'], t['*'], t['\\'] = beginsName, beginsName, escapes
	return t
}()

// isForeign reports whether a character is an end of a line or a mark of byte order to the
// parser.
func isForeign(r rune) bool { return r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\ufeff' }

// linesOnly returns text with line feeds for the carriage returns that end lines alone.
func linesOnly(text []byte) []byte {
	out := text
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '\r')
		if i < 0 {
			return out
		}
		if at += i; at+1 < len(text) && text[at+1] == '\n' {
			continue
		}
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		out[at] = '\n'
	}
}

// directed returns a document with directives that the parser knows, where head is how long
// they are: %YAML 1.1 for any 1.x, and comments for what YAML does not know.
func directed(doc []byte, head int) []byte {
	if !isMark(doc[head:], "---") {
		return doc
	}
	doc = bytes.Clone(doc)
	for line := range bytes.Lines(doc[:head]) {
		name, value, _ := bytes.Cut(line, []byte{' '})
		switch string(name) {
		case "%YAML":
			value = bytes.TrimLeft(value, " ")
			if len(value) > 2 && string(value[:2]) == "1." && value[2]-'0' <= 9 {
				value[2] = '1'
			}
		case "%TAG":
		default:
			if line[0] == '%' {
				line[0] = '#'
			}
		}
	}
	return doc
}

// headOf returns how long the comments, blank lines and directives before a document are,
// and whether there are directives.
func headOf(doc []byte) (n int, directives bool) {
	for n < len(doc) {
		line := firstLine(doc[n:])
		rest := bytes.TrimLeft(scan.TrimBOM(line), blanks)
		switch {
		case line[0] == '%':
			directives = true
		case len(bytes.TrimRight(rest, lineEnds)) > 0 && rest[0] != '#':
			return n, directives
		}
		n += len(line)
	}
	return n, directives
}
