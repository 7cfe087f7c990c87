package lex

import (
	"math"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// FormatName is what every error of this package names as its format.
const FormatName = "gcf"

// GenericHeader is the header line of a document without further fields.
const GenericHeader = "GCF profile=generic\n"

// Lines walks over a document line by line, with one line of view: the current
// line is loaded but not consumed until next is called. Blank lines and
// comments (section 11) are never current.
//
// Positions are byte offsets into text.
type Lines struct {
	Doc  string // the document, a private copy without byte order mark
	Src  []byte // the document as it was given, for the excerpt in errors
	Base int    // bytes of src before text: the byte order mark

	Pos      int // where the line after the current one begins
	MaxBytes int // the longest line allowed, its end not counted

	// The current line: text[start:end] is its content, without indentation,
	// trailing blanks and line end. done says that there is none left.
	Start, End int
	Indent     int // spaces before start, always even
	Done       bool

	// Err is the first error that Stop was given: readers that go on after one need look at
	// it in the end only, as they find no line.
	Err error

	few [3]HeaderField // room for those of the header
}

// Stop ends the lines with an error, if it is one, and keeps the first.
func (l *Lines) Stop(err error) {
	if err != nil && l.Err == nil {
		l.Err, l.Done, l.Pos = err, true, len(l.Doc)
	}
}

// Refuse is Stop with e as the error at text[at], RefuseSyntax with one of kind ErrSyntax.
func (l *Lines) Refuse(at int, e wire.Error) {
	if l.Err == nil {
		l.Stop(l.Fail(at, e))
	}
}

func (l *Lines) RefuseSyntax(at int, code, message string) {
	l.Refuse(at, wire.Error{Code: code, Kind: wire.ErrSyntax, Message: message})
}

// Advance is Next, whose error ends the lines.
func (l *Lines) Advance() { l.Stop(l.Next()) }

// CutOff returns the kind of an error about something that the end of a line, at end,
// cuts short: ErrTruncated if the text ends there.
func (l *Lines) CutOff(end int) error {
	if strings.IndexByte(l.Doc[end:], '\n') < 0 {
		return wire.ErrTruncated
	}
	return wire.ErrSyntax
}

// Checked makes l ready to read src: it checks the input limit and UTF-8, and returns the
// text without byte order mark, of which the caller makes a copy. No line is current yet.
func (l *Lines) Checked(src []byte, limits wire.Limits) ([]byte, error) {
	l.Src = src
	l.MaxBytes = limits.LineBytes
	if len(src) > limits.InputBytes {
		return nil, l.Fail(limits.InputBytes, wire.Error{Code: wire.CodeInputTooLong, Kind: wire.ErrLimit,
			Message: "the document is longer than the limit", Hint: "raise Limits.InputBytes"})
	}
	text := scan.TrimBOM(src)
	l.Base = len(src) - len(text)
	if !scan.IsUTF8(text) {
		return nil, l.NotUTF8(scan.ValidUTF8(text))
	}
	return text, nil
}

// Fail returns e as the error at text[at].
func (l *Lines) Fail(at int, e wire.Error) error {
	e.Format = FormatName
	return wire.ErrorAt(l.Src, l.Base+at, e)
}

// Syntax is fail for an error of kind ErrSyntax.
func (l *Lines) Syntax(at int, code, message string) error {
	return l.Fail(at, wire.Error{Code: code, Kind: wire.ErrSyntax, Message: message})
}

// Next makes the next line current that is neither blank nor a comment. It
// fails for a tab in the indentation, an odd number of spaces (section 4.1)
// and a line that is too long.
func (l *Lines) Next() error {
	for l.Pos < len(l.Doc) {
		from := l.Pos
		end, err := l.content(from, from)
		if err != nil {
			return err
		}
		start := from
		if l.Doc[start] == ' ' {
			start = SpacesEnd(l.Doc, start)
		}
		if start >= end {
			continue // blank
		}
		switch l.Doc[start] {
		case '#':
			if start+1 < end && l.Doc[start+1] == ' ' {
				continue // a comment; "#" alone at a line's end is none
			}
		case '\t':
			return l.Syntax(start, "tab_indentation", "a tab in the indentation; each level is two spaces")
		}
		if (start-from)&1 != 0 {
			return l.Syntax(start, "invalid_indent", "an odd number of spaces before the line; each level is two spaces")
		}
		l.Start, l.End, l.Indent = start, end, start-from
		return nil
	}
	l.Start, l.End, l.Indent, l.Done = len(l.Doc), len(l.Doc), 0, true
	return nil
}

// content returns where the content of the line at from ends, and makes pos the
// line after it. The end of the line is not before at.
func (l *Lines) content(from, at int) (end int, err error) {
	end = len(l.Doc)
	if n := strings.IndexByte(l.Doc[at:], '\n'); n >= 0 {
		end = at + n
	}
	l.Pos = end + 1
	if end > from && l.Doc[end-1] <= ' ' {
		if l.Doc[end-1] == '\r' {
			end--
		}
		end = l.TrimBlanks(from, end)
	}
	if end-from > l.MaxBytes {
		return end, l.TooLong(from + l.MaxBytes)
	}
	return end, nil
}

// NotUTF8 returns the error for bytes that are not UTF-8.
func (l *Lines) NotUTF8(at int) error {
	return l.Fail(at, wire.Error{Code: wire.CodeInvalidUTF8, Kind: wire.ErrUTF8, Message: "bytes that are not UTF-8"})
}

// TooLong returns the error for a line whose limit is at that position.
func (l *Lines) TooLong(at int) error {
	return l.Fail(at, wire.Error{Code: wire.CodeLineTooLong, Kind: wire.ErrLimit,
		Message: "the line is longer than the limit", Hint: "raise Limits.LineBytes"})
}

// NextFrom is Next for a line that has that indentation, and a key and "=" before after.
func (l *Lines) NextFrom(indent, after int) error {
	from := l.Pos
	end, err := l.content(from, after)
	l.Start, l.End, l.Indent = from+indent, end, indent
	return err
}

// At reports whether there is a current line with exactly that indentation.
func (l *Lines) At(indent int) bool { return !l.Done && l.Indent == indent }

// Line returns the current line's content.
func (l *Lines) Line() string { return l.Doc[l.Start:l.End] }

// IsBlank reports whether c is one of the two characters that section 4.2
// trims around unquoted tokens.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// SkipBlanks returns the first position at or after i, below end, that holds
// no blank.
func (l *Lines) SkipBlanks(i, end int) int {
	for i < end && IsBlank(l.Doc[i]) {
		i++
	}
	return i
}

// TrimBlanks returns the position after the last character before end that is
// not a blank, but not below i.
func (l *Lines) TrimBlanks(i, end int) int {
	for end > i && IsBlank(l.Doc[end-1]) {
		end--
	}
	return end
}

// Count reads a count in the grammar of section 4: digits without a leading
// zero, at most maxCount. It returns the position after the digits, or i if
// the text at i is not a count.
func (l *Lines) Count(i, end int) (n, next int) {
	// Most counts have one or two digits. One that overflows is too long.
	sum := int64(0)
	for next = i; next < end && l.Doc[next]-'0' <= 9; next++ {
		sum = sum*10 + int64(l.Doc[next]-'0')
	}
	if next == i || next > i+1 && l.Doc[i] == '0' || next-i > maxCountDigits {
		return 0, i
	}
	return int(min(sum, math.MaxInt)), next
}

const (
	// maxCountDigits keeps counts within an int64. Where an int is shorter, a
	// larger count becomes the largest: no input is long enough to have as many
	// items.
	maxCountDigits = 18
	// maxIDDigits keeps ids within an int.
	maxIDDigits = 9 + 9*(math.MaxInt>>62)
)
