package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// The kinds of error. Every [*Error] has one of them, for errors.Is.
var (
	ErrSyntax        = errors.New("syntax error")        // the text breaks the format's grammar
	ErrTruncated     = errors.New("truncated")           // the input ends before it is complete
	ErrLimit         = errors.New("limit exceeded")      // a Limits field, or a limit of the format
	ErrRange         = errors.New("out of range")        // a number the format or the Go type cannot hold
	ErrShape         = errors.New("unsupported shape")   // a value the format cannot hold
	ErrType          = errors.New("wrong type")          // a value the Go type cannot hold
	ErrUnknownMember = errors.New("unknown member")      // a member that the Go type, or the header, does not have
	ErrDuplicateKey  = errors.New("duplicate key")       // two members of one object with one key
	ErrUTF8          = errors.New("invalid UTF-8")       // text that is not UTF-8
	ErrVersion       = errors.New("unsupported version") // a version this package does not read
	ErrChecksum      = errors.New("checksum mismatch")   // counts, hashes or roots that do not match the content
	ErrUnknownFormat = errors.New("unknown format")      // no codec of that name, or bytes that no codec knows
)

// Error is the error of every codec and of this package, but for what readers,
// writers and callbacks return, which is passed on as it is. Encoding errors have a path
// but no position; decoding errors have a position, and a path where one is known.
type Error struct {
	Format  string // the codec's name; "wire" where the Go value or an argument is at fault
	Code    string // what is wrong: one of the Code constants, or in the format's own terms
	Kind    error  // one of the kinds above
	Message string // what is wrong, for a person
	Hint    string // what to do instead; may be empty
	Cause   error  // what a method of the program or a package's own kind adds; mostly nil

	Offset int // bytes before the fault; binary formats have it without a Line
	Line   int // counted from 1; 0 if there is none
	Column int // in characters, counted from 1

	path []string // reference tokens of the JSON pointer, innermost first
	line string   // the source line, or a part of it around the fault
	from int      // characters of the line that line leaves out at its start
}

// maxExcerpt bounds what an Error keeps of a source line, in bytes to each
// side of the fault.
const maxExcerpt = 200

// ErrorAt returns e with its position set to src[offset]. It looks at src once
// and keeps a short copy of the line.
func ErrorAt(src []byte, offset int, e Error) *Error {
	offset = max(0, min(offset, len(src)))
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	end := len(src)
	if n := bytes.IndexByte(src[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	e.Offset = offset
	e.Line = 1 + bytes.Count(src[:start], []byte{'\n'})
	e.Column = 1 + utf8.RuneCount(src[start:offset])
	from := max(start, offset-maxExcerpt)
	for from > start && from < offset && !utf8.RuneStart(src[from]) {
		from++
	}
	to := min(end, offset+maxExcerpt)
	for to < end && to > offset && !utf8.RuneStart(src[to]) {
		to--
	}
	e.from = utf8.RuneCount(src[start:from])
	e.line = strings.TrimSuffix(string(src[from:to]), "\r")
	return &e
}

// AtKey puts the key of the member that err occurred in before its path, if
// err is an [*Error]; decoders and encoders call it while the error unwinds.
func AtKey(err error, key string) error {
	if e, ok := err.(*Error); ok {
		e.path = append(e.path, key)
	}
	return err
}

// AtIndex is AtKey for an element of an array.
func AtIndex(err error, i int) error {
	if err == nil {
		return nil
	}
	return AtKey(err, strconv.Itoa(i))
}

// maxPath bounds the reference tokens that a message shows.
const maxPath = 16

// Path returns the JSON pointer (RFC 6901) of the value at fault, "" for the
// whole document or where no path is known.
func (e *Error) Path() string {
	var b strings.Builder
	for i := len(e.path) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(scan.PointerEscapes.Replace(e.path[i]))
	}
	return b.String()
}

// Error returns one line: the format, the position, the code, the message, the
// path and the hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Format)
	if e.Line > 0 {
		fmt.Fprintf(&b, ": line %d, column %d", e.Line, e.Column)
	}
	if e.Code != "" {
		b.WriteString(": " + e.Code)
	}
	switch {
	case e.Message != "":
		b.WriteString(": " + scan.Printable(e.Message))
	case e.Kind != nil:
		b.WriteString(": " + e.Kind.Error())
	}
	if len(e.path) > 0 {
		b.WriteString(" (at " + scan.Printable(e.shortPath()) + ")")
	}
	if e.Hint != "" {
		b.WriteString("; " + scan.Printable(e.Hint))
	}
	return b.String()
}

// shortPath is Path with its middle left out where it is long.
func (e *Error) shortPath() string {
	short := *e
	if n := len(e.path); n > maxPath {
		short.path = append(append(append([]string(nil), e.path[:maxPath/2]...), "…"), e.path[n-maxPath/2:]...)
	}
	p := short.Path()
	if len(p) > 2*maxExcerpt {
		p = strings.ToValidUTF8(p[:maxExcerpt], "") + "…" + strings.ToValidUTF8(p[len(p)-maxExcerpt:], "")
	}
	return p
}

// Unwrap returns the kind and, if there is one, the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// excerptWidth is how many characters of the source line Excerpt shows.
const excerptWidth = 76

// Excerpt returns the source line and, below it, a caret under the fault; ""
// if there is no position. Tabs are drawn as one arrow each, other characters
// that do not print as a dot.
func (e *Error) Excerpt() string {
	if e.Line == 0 {
		return ""
	}
	line := []rune(e.line)
	at := max(0, min(e.Column-1-e.from, len(line)))
	from := max(0, at-excerptWidth/2)
	to := min(len(line), from+excerptWidth)
	number := strconv.Itoa(e.Line)
	var b strings.Builder
	b.WriteString(number + " | ")
	lead := len(number) + 3
	if from > 0 || e.from > 0 {
		b.WriteString("…")
		lead++
	}
	for _, r := range line[from:to] {
		b.WriteRune(drawn(r))
	}
	if to < len(line) {
		b.WriteString("…")
	}
	b.WriteString("\n" + strings.Repeat(" ", lead+at-from) + "^")
	return b.String()
}

func drawn(r rune) rune {
	switch {
	case r == '\t':
		return '→'
	case !unicode.IsPrint(r):
		return '·'
	}
	return r
}
