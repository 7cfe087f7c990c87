package csv

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one table: from a whole text, or record by record.
type decoder struct {
	columns.Source
	comma byte
	text  bool
	lent  bool // what is made is valid for a time

	cells []cell   // of a record that is read cell by cell
	names []string // of the header
	parts []byte   // of a text that has quotation marks in it
}

// A cell is one cell of a record.
type cell struct {
	text   string
	at     int
	quoted bool
}

// decoders are idle, without memory of a text.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// borrowed returns a decoder whose memory is reused, see [wire.Builder.Borrow].
func (c Codec) borrowed(m *wire.Memory, comma byte) *decoder {
	d := decoders.Get().(*decoder)
	d.Source, d.comma, d.text, d.lent = c.source(), comma, c.AllStrings, true
	d.Build.Borrow(m)
	return d
}

// giveBack ends the use of a decoder from borrowed. err is as in
// [wire.Builder.GiveBack].
func (d *decoder) giveBack(err error) {
	const maxColumns, maxParts = 256, 16 << 10 // of what is kept
	d.Build.GiveBack(err)
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
}

func (c Codec) source() columns.Source {
	return columns.Source{Format: format, Limits: c.Limits.Resolved()}
}

func (d *decoder) table(src []byte) (wire.Value, error) {
	if err := d.Begin(src); err != nil {
		return wire.Value{}, err
	}
	if d.blankToEnd() {
		return wire.Array(), nil
	}
	if err := d.header(); err != nil {
		return wire.Value{}, err
	}
	mark := d.Build.Mark()
	for rows := 0; !d.blankToEnd(); rows++ {
		row, err := d.row()
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, rows)
		}
		d.Build.Push(row)
	}
	return d.Build.Array(mark), nil
}

// blankToEnd reports whether only blank lines follow.
func (d *decoder) blankToEnd() bool {
	for i := d.Pos; i < len(d.Src); i++ {
		if b := d.Src[i]; b != '\n' && b != '\r' {
			return false
		}
	}
	return true
}

func (d *decoder) header() error {
	if err := d.record(); err != nil {
		return err
	}
	if len(d.cells) == 1 && d.cells[0].text == "" && !d.cells[0].quoted {
		return d.Fail(d.cells[0].at, "blank_line", wire.ErrSyntax, "a blank line before the header", "remove it")
	}
	d.names = d.names[:0]
	for _, c := range d.cells {
		d.names = append(d.names, c.text)
	}
	if !d.lent {
		detach(d.names)
	}
	return d.SetKeys(d.names, func(i int) int { return d.cells[i].at })
}

// detach moves names to memory of their own.
func detach(names []string) {
	all := strings.Join(names, "")
	for i, name := range names {
		names[i], all = all[:len(name)], all[len(name):]
	}
}

// row reads the next row.
func (d *decoder) row() (wire.Value, error) {
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
	if len(d.cells) != d.Keys.Len() {
		kind := wire.ErrSyntax
		if len(d.cells) < d.Keys.Len() && d.Pos >= d.End && !bytes.HasSuffix(d.Src, []byte{'\n'}) {
			kind = wire.ErrTruncated
		}
		return d.Fail(d.wrongWidth(), wire.CodeRowWidth, kind,
			fmt.Sprintf("a row of %d cells under a header of %d", len(d.cells), d.Keys.Len()), "quote cells that hold the character between cells")
	}
	if d.Values+1+len(d.cells) > d.Limits.Values {
		return d.TooMany(start)
	}
	return d.Fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", "remove it; an empty text is written as \"\"")
}

// wrongWidth returns where the first cell is that the row has too many, or the
// end of a row that has too few.
func (d *decoder) wrongWidth() int {
	if len(d.cells) > d.Keys.Len() {
		return d.cells[d.Keys.Len()].at
	}
	last := d.cells[len(d.cells)-1]
	end := last.at + len(last.text)
	if last.quoted {
		end += 2
	}
	return min(end, d.End)
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
		return d.lineEnd()
	}
}

// lineEnd reads the end of a line, or of the text.
func (d *decoder) lineEnd() error {
	switch rest := d.Str[d.Pos:d.End]; {
	case rest == "":
		return nil
	case rest[0] == '\n':
		d.Pos++
		return nil
	case strings.HasPrefix(rest, "\r\n"):
		d.Pos += 2
		return nil
	case rest == "\r":
		d.Pos++
		return nil
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
	i := start
	for i < d.End {
		b := d.Str[i]
		if b == d.comma || b == '\n' || b == '\r' {
			break
		}
		if b == '"' {
			return cell{}, d.Fail(i, "bare_quote", wire.ErrSyntax, "a quotation mark inside of a bare cell", "quote the cell and double the quotation marks in it")
		}
		i++
	}
	d.Pos = i
	return cell{text: d.Str[start:i], at: start}, nil
}
