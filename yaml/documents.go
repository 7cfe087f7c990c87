package yaml

import (
	"bytes"
	"iter"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

const (
	blanks   = " \t"
	lineEnds = "\r\n"
)

// firstLine returns the first line of a text with what ends it: LF, CR LF or CR.
func firstLine(text []byte) []byte {
	i := bytes.IndexAny(text, lineEnds)
	switch {
	case i < 0:
		return text
	case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
		i++
	}
	return text[:i+1]
}

// A document gathers what the lines of one say about where it ends.
type document struct {
	directives bool
	marked     bool // it begins with "---"
	filled     bool // it has other lines than comments and blank ones
}

// exists reports whether there is a document, which may be empty: not only comments.
func (d document) exists() bool { return d.directives || d.marked || d.filled }

// ends reports whether a line is not part of the document: one that ends it, or the first
// one of the next. The line is counted as part of it otherwise.
func (d *document) ends(line []byte) bool {
	begins := isMark(line, "---")
	if isMark(line, "...") || begins && (d.marked || d.filled) {
		return true
	}
	line = bytes.Trim(scan.TrimBOM(line), blanks+lineEnds)
	switch {
	case begins:
		d.marked = true
	case len(line) == 0 || line[0] == '#':
	case line[0] == '%' && !d.marked && !d.filled:
		d.directives = true
	default:
		d.filled = true
	}
	return false
}

// isMark reports whether a line begins with the marker, alone or before white
// space.
func isMark(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(scan.TrimBOM(line), []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(blanks+lineEnds), rest[0]) >= 0)
}

// A piece is a part of a text: a document, or comments after one.
type piece struct {
	document
	from, to int // to does not include a line that ends the document
	next     int // where the next piece begins
}

// cut returns the piece that begins at an offset.
func cut(text []byte, from int) piece {
	p := piece{from: from}
	for p.to = from; p.to < len(text); {
		line := firstLine(text[p.to:])
		if !p.ends(line) {
			p.to += len(line)
			continue
		}
		p.next = p.to
		if isMark(line, "...") {
			p.next += len(line)
		}
		return p
	}
	p.next = p.to
	return p
}

// pieces yields the pieces of the text, with an error for a line that ends a document and
// has more in it.
func (d *decoder) pieces() iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		for at := 0; at < len(d.src); {
			p := cut(d.src, at)
			if !yield(p, nil) {
				return
			}
			if i := afterEnd(d.src[p.to:p.next]); i >= 0 {
				yield(p, d.failAt(p.to+i, "syntax_error", wire.ErrSyntax, "more than a comment after the marker ... of a document's end", ""))
				return
			}
			at = p.next
		}
	}
}

// afterEnd returns where in the line that ends a document something other than a comment
// is, or -1.
func afterEnd(line []byte) int {
	rest := bytes.TrimLeft(bytes.TrimPrefix(scan.TrimBOM(line), []byte("...")), blanks+lineEnds)
	if len(rest) == 0 || rest[0] == '#' {
		return -1
	}
	return len(line) - len(rest)
}

// control returns where a character is that must not be in a text, or -1.
func control(text []byte) int {
	for i, c := range text {
		switch {
		case c >= ' ' && c < 0xc2, c == '\n', c == '\t', c == '\r':
		case c < ' ', c == 0xc2 && text[i+1] < 0xa0 && text[i+1] != 0x85, c == 0xef && text[i+1] == 0xbf && text[i+2] >= 0xbe:
			return i
		}
	}
	return -1
}
