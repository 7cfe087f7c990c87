package lineio

import "bytes"

// A Table is the lines of a table whose cells Comma parts, and in which a row has several
// lines where a quoted cell has line ends in it.
type Table struct{ Comma byte }

// Open reports whether a quoted cell goes on after a line, open whether one did before it.
// Where tabs part cells, as in exports that have no quoted ones, a quotation mark that a
// cell does not begin with is a character like any other.
func (t Table) Open(line []byte, open bool) bool {
	if t.Comma != '\t' {
		return open != (bytes.Count(line, quote)%2 == 1)
	}
	for i := 0; ; i++ {
		n := bytes.IndexByte(line[i:], '"')
		if n < 0 {
			return open
		}
		switch i += n; {
		case !open:
			open = i == 0 || line[i-1] == t.Comma
		case i+1 < len(line) && line[i+1] == '"':
			i++
		default:
			open = false
		}
	}
}

var quote = []byte{'"'}

// First returns the length of the first row of a text, and whether a line end ends it.
func (t Table) First(text []byte) (n int, ended bool) {
	for open := false; n < len(text); {
		end := bytes.IndexByte(text[n:], '\n') + 1
		if end == 0 {
			return len(text), false
		}
		if open = t.Open(text[n:n+end], open); !open {
			return n + end, true
		}
		n += end
	}
	return n, false
}

// Blank reports whether a line has no cell that is not empty.
func (t Table) Blank(line []byte) bool {
	for _, b := range line {
		if b != t.Comma && b != '\n' && b != '\r' {
			return false
		}
	}
	return true
}

// Cut cuts after the last row whose line end is there, but not after a blank one: what that
// means depends on what follows.
func (t Table) Cut(text []byte, _ int) (c Cut) {
	open, rows := false, 0
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n') + 1
		if n == 0 {
			return c
		}
		line := text[at : at+n]
		at += n
		if open = t.Open(line, open); open {
			continue
		}
		if len(bytes.TrimRight(line, "\r\n")) > 0 {
			rows++
		}
		if !t.Blank(line) {
			c.End, c.Records = at, rows
		}
	}
}
