package csv

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one table: from a whole text, or record by record.
type decoder struct {
	columns.Source
	comma byte
	text  bool

	lines lineio.Table
	blank int  // where in the text that Whole sees blank lines end
	open  bool // a quoted cell in the record after them does not end yet

	names []string // of the header
	cells []cell   // of a record that is read cell by cell
	last  int      // where the last of them ends
	parts []byte   // of a text that has quotation marks in it
}

// A cell is one cell of a record.
type cell struct {
	text   string
	at     int
	quoted bool
}

// decoders are idle, without anything of a text. A small table takes half the time with
// them.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// useDecoder calls f with a decoder whose memory is reused, see [builder.Builder.Borrow].
func (c Codec) useDecoder(to inplace.Target, f func(*decoder) error) error {
	const maxColumns, maxParts = 256, 16 << 10 // of what is kept
	d := decoders.Get().(*decoder)
	err := c.begin(d)
	if err == nil {
		d.Build.Borrow(to)
		err = f(d)
		d.Build.GiveBack(err)
	}
	cells, names, parts := d.cells, d.names, d.parts
	*d = decoder{}
	if max(cap(cells), cap(names)) <= maxColumns {
		clear(cells[:cap(cells)])
		clear(names[:cap(names)])
		d.cells, d.names = cells[:0], names[:0]
	}
	if cap(parts) <= maxParts {
		d.parts = parts
	}
	decoders.Put(d)
	return err
}

// begin makes d, which may have memory of its own, a decoder of the codec.
func (c Codec) begin(d *decoder) (err error) {
	d.Source, d.text = columns.Source{Format: format, Limits: c.Limits.Resolved()}, c.AllStrings
	d.comma, err = c.comma()
	d.lines.Comma = d.comma
	return err
}

// Whole implements [columns.Format]: a record goes up to a line end that is in no quoted
// cell. The blank lines before it are a part of it, since at the end of the text
// they mean nothing; anywhere else they are refused, so that one more line is enough.
func (d *decoder) Whole(text []byte, seen int) (int, error) {
	first := d.Mark
	if d.Keys == nil {
		_, n := separator(text[first:])
		first += n
	}
	if seen == 0 {
		d.blank, d.open = first, false
	}
	d.blank = d.pass(text, d.blank)
	blank, end, whole := d.blank-first, max(seen, d.blank), false
	for !whole && end < len(text) {
		line := firstLine(text[end:])
		end += len(line)
		d.open = d.lines.Open(line, d.open)
		whole = !d.open || blank > 0
	}
	row := text[d.blank:end]
	if whole {
		row = bytes.TrimRight(row, "\r\n")
	}
	switch {
	case blank > d.Limits.LineBytes:
		d.Src = text
		return 0, d.TooLong(first, "run of blank lines")
	case blank == 0 && len(row) > d.Limits.LineBytes:
		d.Src = text
		return 0, d.TooLong(first, "row")
	case !whole:
		return 0, nil
	}
	return end, nil
}

// firstLine returns the first line of a text with its end, if it has one.
func firstLine(text []byte) []byte {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return text[:n+1]
	}
	return text
}

// pass returns where in a text lines end, from one on, that at the end of the table are no
// part of it: blank ones, and those of as many empty cells as there are columns, which
// spreadsheets write. Where all cells are strings the latter are rows.
func (d *decoder) pass(text []byte, at int) int {
	for at < len(text) && (text[at] == '\n' || text[at] == '\r' || text[at] == d.comma) {
		line := firstLine(text[at:])
		if !d.lines.Blank(line) {
			break
		}
		cells := 1 + bytes.Count(line, []byte{d.comma})
		if cells > 1 && (d.text || d.Keys == nil || cells != d.Keys.Len()) {
			break
		}
		at += len(line)
	}
	return at
}

// AtEnd implements [columns.Format]. It passes over a first line that names the separator,
// if that is the codec's.
func (d *decoder) AtEnd() bool {
	if d.Keys == nil && d.Pos == d.Mark {
		if comma, n := separator(d.Src[d.Pos:]); n > 0 && comma == d.comma {
			d.Pos += n
		}
	}
	return d.pass(d.Src, d.Pos) == len(d.Src)
}

// Header implements [columns.Format].
func (d *decoder) Header() error {
	if comma, n := separator(d.Src[d.Pos:]); n > 0 && d.Pos == d.Mark {
		return d.otherSeparator(comma)
	}
	if err := d.record(); err != nil {
		return err
	}
	if len(d.cells) == 1 && d.cells[0].text == "" && !d.cells[0].quoted {
		return d.Fail(d.cells[0].at, "blank_line", wire.ErrSyntax, "a blank line before the header", "remove it")
	}
	for _, c := range d.cells {
		d.names = append(d.names, c.text)
	}
	return d.SetKeys(d.names, func(i int) int { return d.cells[i].at })
}

// Record implements [columns.Format].
func (d *decoder) Record(int) (wire.Value, error) {
	start := d.Pos
	if row, ok := d.object(); ok {
		return row, nil
	}
	d.Pos = start
	return wire.Value{}, d.fault()
}

// fault returns what is wrong with the next row, by reading it cell by cell.
func (d *decoder) fault() error {
	start := d.Pos
	if err := d.record(); err != nil {
		return err
	}
	if len(d.cells) == 1 && d.cells[0].text == "" && !d.cells[0].quoted {
		return d.Fail(start, "blank_line", wire.ErrSyntax, "a blank line between rows", "remove it; an empty text is written as \"\"")
	}
	if width := d.Keys.Len(); len(d.cells) != width {
		at, kind := d.last, wire.ErrSyntax
		if len(d.cells) > width {
			at = d.cells[width].at
		} else if d.Pos >= d.End && !bytes.HasSuffix(d.Src, []byte{'\n'}) {
			kind = wire.ErrTruncated
		}
		return d.Fail(at, wire.CodeRowWidth, kind,
			fmt.Sprintf("a row of %d cells under a header of %d", len(d.cells), width), "quote cells that hold the character between cells")
	}
	if d.Values+1+len(d.cells) > d.Limits.Values {
		return d.TooMany(start)
	}
	return d.Fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", "remove it; an empty text is written as \"\"")
}

// record reads the cells of the next line into d.cells.
func (d *decoder) record() error {
	d.cells = d.cells[:0]
	start := d.Pos
	for {
		c, err := d.cell()
		if err != nil {
			return err
		}
		d.cells = append(d.cells, c)
		if len(d.cells) > d.Limits.Values {
			return d.TooMany(c.at)
		}
		if d.Pos-start > d.Limits.LineBytes {
			return d.TooLong(start, "row")
		}
		if d.Pos < d.End && d.Str[d.Pos] == d.comma {
			d.Pos++
			continue
		}
		d.last = d.Pos
		return d.lineEnd()
	}
}

// lineEnd reads the end of a line, or of the text.
func (d *decoder) lineEnd() error {
	if d.rowEnd(d.Pos) {
		return nil
	}
	if d.Str[d.Pos] == '\r' {
		return d.Fail(d.Pos, "misplaced_character", wire.ErrSyntax, "a carriage return without a line feed, the line end of old Macs",
			"write line feeds for them, as with tr '\\r' '\\n', or quote the cell if it has them in it")
	}
	found, _ := utf8.DecodeRuneInString(d.Str[d.Pos:d.End])
	return d.Fail(d.Pos, "misplaced_character", wire.ErrSyntax,
		fmt.Sprintf("expected the end of the cell, found %q", found), "quote the cell and double the quotation marks in it")
}

// cell reads one cell and leaves d.Pos after it.
func (d *decoder) cell() (cell, error) {
	start := d.Pos
	if start < d.End && d.Str[start] == '"' {
		text, end, ok := d.quoted(start)
		if !ok {
			return cell{}, d.Fail(d.End, wire.CodeUnterminated, wire.ErrTruncated,
				fmt.Sprintf("the text ends inside of the quoted cell that begins at byte %d", start), "")
		}
		d.Pos = end
		return cell{text: text, at: start, quoted: true}, nil
	}
	end := d.bareEnd(start)
	if end < 0 {
		at := start + strings.IndexByte(d.Str[start:], '"')
		return cell{}, d.Fail(at, "bare_quote", wire.ErrSyntax, "a quotation mark inside of a bare cell", "quote the cell and double the quotation marks in it")
	}
	d.Pos = end
	return cell{text: d.Str[start:end], at: start}, nil
}
