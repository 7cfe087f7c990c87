package csv

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one table: from a whole text, or record by record.
type decoder struct {
	comma  byte
	text   bool
	limits wire.Limits

	src    []byte // the text, or the record at hand
	str    string // its private copy, which values point into
	pos    int
	cells  []cell
	keys   *wire.Keys
	build  wire.Builder
	values int
}

// A cell is one cell of the record at hand.
type cell struct {
	text   string
	at     int
	quoted bool
}

// fail returns an error at a position of src.
func (d *decoder) fail(at int, code string, kind error, message, hint string) error {
	return wire.ErrorAt(d.src, at, wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint})
}

func (d *decoder) table(src []byte) (wire.Value, error) {
	d.src = src
	if len(src) > d.limits.InputBytes {
		return wire.Value{}, d.fail(d.limits.InputBytes, "input_too_long", wire.ErrLimit,
			fmt.Sprintf("the text is longer than %d bytes", d.limits.InputBytes), "raise Limits.InputBytes")
	}
	if i := scan.ValidUTF8(src); i < len(src) {
		return wire.Value{}, d.fail(i, "invalid_utf8", wire.ErrUTF8, "the text is not UTF-8", "")
	}
	d.str = string(src)
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
	names := make([]string, len(d.cells))
	seen := make(map[string]bool, len(names))
	for i, c := range d.cells {
		if seen[c.text] {
			return d.fail(c.at, "duplicate_name", wire.ErrDuplicateKey, fmt.Sprintf("two columns are named %.40q", c.text), "rename one of them")
		}
		seen[c.text] = true
		names[i] = strings.Clone(c.text)
	}
	var err error
	d.keys, err = wire.NewKeys(names...)
	return err
}

// row reads the next row.
func (d *decoder) row() (wire.Value, error) {
	start := d.pos
	if err := d.record(); err != nil {
		return wire.Value{}, err
	}
	if len(d.cells) == 1 && d.cells[0].text == "" && !d.cells[0].quoted {
		return wire.Value{}, d.fail(start, "blank_line", wire.ErrSyntax, "a blank line between rows", "remove it; an empty text is written as \"\"")
	}
	if len(d.cells) != d.keys.Len() {
		return wire.Value{}, d.fail(d.wrongWidth(), "row_width_mismatch", wire.ErrSyntax,
			fmt.Sprintf("a row of %d cells under a header of %d", len(d.cells), d.keys.Len()), "quote cells that hold the character between cells")
	}
	if d.values += 1 + len(d.cells); d.values > d.limits.Values {
		return wire.Value{}, d.fail(start, "too_many_values", wire.ErrLimit,
			fmt.Sprintf("more than %d values", d.limits.Values), "raise Limits.Values")
	}
	return d.object(start)
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
	return min(end, len(d.src))
}

// object makes the row of its cells.
func (d *decoder) object(start int) (wire.Value, error) {
	o := d.build.Object()
	n := 0
	for i, c := range d.cells {
		if c.text == "" && !c.quoted && !d.text {
			continue
		}
		d.build.Key(&o, d.keys.At(i))
		d.build.Put(&o, d.value(c))
		n++
	}
	row := d.build.EndObject(&o)
	if n == 0 {
		return wire.Value{}, d.fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", "remove it; an empty text is written as \"\"")
	}
	return row, nil
}

func (d *decoder) value(c cell) wire.Value {
	if c.quoted || d.text {
		return wire.String(c.text)
	}
	switch c.text {
	case "null":
		return wire.Null()
	case "true":
		return wire.Bool(true)
	case "false":
		return wire.Bool(false)
	}
	if b := c.text[0]; b <= '9' {
		if v, err := wire.Number(c.text); err == nil {
			return v
		}
	}
	return wire.String(c.text)
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
			return d.fail(c.at, "too_many_values", wire.ErrLimit, fmt.Sprintf("more than %d values", d.limits.Values), "raise Limits.Values")
		}
		if d.pos-start > d.limits.LineBytes {
			return d.fail(start, "line_too_long", wire.ErrLimit, fmt.Sprintf("a row longer than %d bytes", d.limits.LineBytes), "raise Limits.LineBytes")
		}
		if d.pos < len(d.src) && d.src[d.pos] == d.comma {
			d.pos++
			continue
		}
		return d.lineEnd()
	}
}

// lineEnd reads the end of a line, or of the text.
func (d *decoder) lineEnd() error {
	switch rest := d.str[d.pos:]; {
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
	found, _ := utf8.DecodeRuneInString(d.str[d.pos:])
	return d.fail(d.pos, "misplaced_character", wire.ErrSyntax,
		fmt.Sprintf("expected the end of the cell, found %q", found), "quote the cell and double the quotation marks in it")
}

// cell reads one cell and leaves d.pos behind it.
func (d *decoder) cell() (cell, error) {
	start := d.pos
	if start < len(d.str) && d.str[start] == '"' {
		return d.quoted()
	}
	i := start
	for i < len(d.str) {
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

func (d *decoder) quoted() (cell, error) {
	start := d.pos
	from := start + 1
	var text []byte
	for {
		i := strings.IndexByte(d.str[from:], '"')
		if i < 0 {
			return cell{}, d.fail(len(d.src), "unterminated_cell", wire.ErrTruncated,
				fmt.Sprintf("the text ends inside of the quoted cell that begins at byte %d", start), "")
		}
		i += from
		if i+1 < len(d.str) && d.str[i+1] == '"' {
			text = append(text, d.str[from:i+1]...)
			from = i + 2
			continue
		}
		d.pos = i + 1
		if text == nil {
			return cell{text: d.str[from:i], at: start, quoted: true}, nil
		}
		return cell{text: d.build.Text(append(text, d.str[from:i]...)), at: start, quoted: true}, nil
	}
}
