package csv

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one table: from a whole text, or record by record.
type decoder struct {
	comma  byte
	text   bool
	lent   bool // what is made is valid for a time
	limits wire.Limits

	src    []byte // the text, or the record at hand
	str    string // its private copy, which values point into, with padding
	end    int    // of the copy
	pos    int
	keys   *wire.Keys
	build  builder.Builder
	values int

	cells []cell   // of a record that is read cell by cell
	names []string // of the header
	parts []byte   // of a text that has quotation marks in it
}

// padding ends the last cell, and lets two words be loaded near the end.
const padding = "\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// A cell is one cell of a record.
type cell struct {
	text   string
	at     int
	quoted bool
}

// decoders are idle, without memory of a text.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// borrowed returns a decoder whose memory is used again, see [wire.Builder.Borrow].
func (c Codec) borrowed(m *wire.Memory, comma byte) *decoder {
	d := decoders.Get().(*decoder)
	d.comma, d.text, d.limits, d.lent = comma, c.AllStrings, c.Limits.Resolved(), true
	d.build.Borrow(m)
	return d
}

// giveBack ends the use of a decoder from borrowed. err is as in
// [wire.Builder.GiveBack].
func (d *decoder) giveBack(err error) {
	const maxColumns, maxParts = 256, 16 << 10 // of what is kept
	d.build.GiveBack(err)
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

// fail returns an error at a position of src.
func (d *decoder) fail(at int, code string, kind error, message, hint string) error {
	return wire.ErrorAt(d.src, at, wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint})
}

func (d *decoder) table(src []byte) (wire.Value, error) {
	d.src = src
	if len(src) > d.limits.InputBytes {
		return wire.Value{}, d.fail(d.limits.InputBytes, wire.CodeInputTooLong, wire.ErrLimit,
			fmt.Sprintf("the text is longer than %d bytes", d.limits.InputBytes), "raise Limits.InputBytes")
	}
	if i := scan.ValidUTF8(src); i < len(src) {
		return wire.Value{}, d.fail(i, wire.CodeInvalidUTF8, wire.ErrUTF8, "the text is not UTF-8", "")
	}
	d.load()
	d.pos = len(src) - len(scan.TrimBOM(src))
	if d.blankToEnd() {
		return wire.Array(), nil
	}
	if err := d.header(); err != nil {
		return wire.Value{}, err
	}
	mark := d.build.Mark()
	for rows := 0; !d.blankToEnd(); rows++ {
		row, err := d.row()
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, rows)
		}
		d.build.Push(row)
	}
	return d.build.Array(mark), nil
}

// load copies d.src.
func (d *decoder) load() {
	d.str, d.end, d.pos = d.build.Copy(d.src, padding), len(d.src), 0
}

// blankToEnd reports whether only blank lines follow.
func (d *decoder) blankToEnd() bool {
	for i := d.pos; i < len(d.src); i++ {
		if b := d.src[i]; b != '\n' && b != '\r' {
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
		return d.fail(d.cells[0].at, "blank_line", wire.ErrSyntax, "a blank line before the header", "remove it")
	}
	d.names = d.names[:0]
	for _, c := range d.cells {
		d.names = append(d.names, c.text)
	}
	if !d.lent {
		detach(d.names)
	}
	var err error
	if d.keys, err = d.build.NewKeys(d.names...); err != nil {
		return d.duplicateName()
	}
	return nil
}

// detach moves names to memory of their own.
func detach(names []string) {
	all := strings.Join(names, "")
	for i, name := range names {
		names[i], all = all[:len(name)], all[len(name):]
	}
}

// duplicateName returns the error of two columns with one name.
func (d *decoder) duplicateName() error {
	seen := make(map[string]bool, len(d.cells))
	twice := slices.IndexFunc(d.cells, func(c cell) bool {
		known := seen[c.text]
		seen[c.text] = true
		return known
	})
	c := d.cells[twice]
	return d.fail(c.at, wire.CodeDuplicateField, wire.ErrDuplicateKey, fmt.Sprintf("two columns are named %.40q", c.text), "rename one of them")
}

// row reads the next row.
func (d *decoder) row() (wire.Value, error) {
	start := d.pos
	if row, ok := d.object(); ok {
		return row, nil
	}
	d.pos = start
	return wire.Value{}, d.fault()
}

// fault returns what is wrong with the next row, by reading it cell by cell.
func (d *decoder) fault() error {
	start := d.pos
	if err := d.record(); err != nil {
		return err
	}
	if len(d.cells) == 1 && d.cells[0].text == "" && !d.cells[0].quoted {
		return d.fail(start, "blank_line", wire.ErrSyntax, "a blank line between rows", "remove it; an empty text is written as \"\"")
	}
	if len(d.cells) != d.keys.Len() {
		kind := wire.ErrSyntax
		if len(d.cells) < d.keys.Len() && d.pos >= d.end && !bytes.HasSuffix(d.src, []byte{'\n'}) {
			kind = wire.ErrTruncated
		}
		return d.fail(d.wrongWidth(), wire.CodeRowWidth, kind,
			fmt.Sprintf("a row of %d cells under a header of %d", len(d.cells), d.keys.Len()), "quote cells that hold the character between cells")
	}
	if d.values+1+len(d.cells) > d.limits.Values {
		return d.fail(start, wire.CodeTooManyValues, wire.ErrLimit,
			fmt.Sprintf("more than %d values", d.limits.Values), "raise Limits.Values")
	}
	return d.fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", "remove it; an empty text is written as \"\"")
}

// wrongWidth returns where the first cell is that the row has too many, or the
// end of a row that has too few.
func (d *decoder) wrongWidth() int {
	if len(d.cells) > d.keys.Len() {
		return d.cells[d.keys.Len()].at
	}
	last := d.cells[len(d.cells)-1]
	end := last.at + len(last.text)
	if last.quoted {
		end += 2
	}
	return min(end, d.end)
}

// record reads the cells of the next line into d.cells.
func (d *decoder) record() error {
	d.cells = d.cells[:0]
	start := d.pos
	for {
		c, err := d.cell()
		if err != nil {
			return err
		}
		d.cells = append(d.cells, c)
		if len(d.cells) > d.limits.Values {
			return d.fail(c.at, wire.CodeTooManyValues, wire.ErrLimit, fmt.Sprintf("more than %d values", d.limits.Values), "raise Limits.Values")
		}
		if d.pos-start > d.limits.LineBytes {
			return d.fail(start, wire.CodeLineTooLong, wire.ErrLimit, fmt.Sprintf("a row longer than %d bytes", d.limits.LineBytes), "raise Limits.LineBytes")
		}
		if d.pos < d.end && d.str[d.pos] == d.comma {
			d.pos++
			continue
		}
		return d.lineEnd()
	}
}

// lineEnd reads the end of a line, or of the text.
func (d *decoder) lineEnd() error {
	switch rest := d.str[d.pos:d.end]; {
	case rest == "":
		return nil
	case rest[0] == '\n':
		d.pos++
		return nil
	case strings.HasPrefix(rest, "\r\n"):
		d.pos += 2
		return nil
	case rest == "\r":
		d.pos++
		return nil
	}
	found, _ := utf8.DecodeRuneInString(d.str[d.pos:d.end])
	return d.fail(d.pos, "misplaced_character", wire.ErrSyntax,
		fmt.Sprintf("expected the end of the cell, found %q", found), "quote the cell and double the quotation marks in it")
}

// cell reads one cell and leaves d.pos behind it.
func (d *decoder) cell() (cell, error) {
	start := d.pos
	if start < d.end && d.str[start] == '"' {
		text, end, ok := d.quoted(start)
		if !ok {
			return cell{}, d.fail(d.end, wire.CodeUnterminated, wire.ErrTruncated,
				fmt.Sprintf("the text ends inside of the quoted cell that begins at byte %d", start), "")
		}
		d.pos = end
		return cell{text: text, at: start, quoted: true}, nil
	}
	i := start
	for i < d.end {
		b := d.str[i]
		if b == d.comma || b == '\n' || b == '\r' {
			break
		}
		if b == '"' {
			return cell{}, d.fail(i, "bare_quote", wire.ErrSyntax, "a quotation mark inside of a bare cell", "quote the cell and double the quotation marks in it")
		}
		i++
	}
	d.pos = i
	return cell{text: d.str[start:i], at: start}, nil
}
