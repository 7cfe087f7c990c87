package md

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one document.
type decoder struct {
	limits wire.Limits
	src    []byte
	str    string // its private copy, which values point into, with padding
	end    int    // of the copy
	pos    int
	build  builder.Builder
	values int
	level  int // of the records of md:kv

	bars  bool // the table has bars around its rows
	keys  *wire.Keys
	cells []cell // of the header
}

// padding ends the last line, and lets a word be loaded near the end.
const padding = "\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// A cell is what is written in one, without the spaces around it.
type cell struct {
	raw string
	at  int
}

// fail returns an error at a position of src.
func (d *decoder) fail(at int, code string, kind error, message, hint string) error {
	return wire.ErrorAt(d.src, min(at, len(d.src)), wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint})
}

func (d *decoder) document() (wire.Value, error) {
	if len(d.src) > d.limits.InputBytes {
		return wire.Value{}, d.fail(d.limits.InputBytes, wire.CodeInputTooLong, wire.ErrLimit,
			fmt.Sprintf("the text is longer than %d bytes", d.limits.InputBytes), "raise Limits.InputBytes")
	}
	if i := scan.ValidUTF8(d.src); i < len(d.src) {
		return wire.Value{}, d.fail(i, wire.CodeInvalidUTF8, wire.ErrUTF8, "the text is not UTF-8", "")
	}
	d.str, d.end = d.build.Copy(d.src, padding), len(d.src)
	d.pos = d.end - len(scan.TrimBOM(d.src))
	d.skipBlank()
	switch {
	case d.pos == d.end:
		return wire.Array(), nil
	case strings.HasPrefix(d.str[d.pos:d.end], "## "):
		return d.records()
	}
	return d.table()
}

// skipBlank passes over blank lines.
func (d *decoder) skipBlank() {
	for i := d.pos; i < d.end; {
		i = d.afterSpace(i)
		if next, ok := d.lineEnd(i); ok {
			d.pos, i = next, next
		} else {
			return
		}
	}
}

func (d *decoder) afterSpace(i int) int {
	for d.str[i] == ' ' || d.str[i] == '\t' {
		i++
	}
	return i
}

// lineEnd returns where the next line begins if one ends at i.
func (d *decoder) lineEnd(i int) (int, bool) {
	switch {
	case d.str[i] == '\n':
		return min(i+1, d.end), true
	case d.str[i] == '\r' && d.str[i+1] == '\n':
		return min(i+2, d.end), true
	}
	return i, false
}

// take counts n values at a position.
func (d *decoder) take(n, at int) error {
	if d.values += n; d.values > d.limits.Values {
		return d.fail(at, wire.CodeTooManyValues, wire.ErrLimit, fmt.Sprintf("more than %d values", d.limits.Values), "raise Limits.Values")
	}
	return nil
}

// checkLine bounds the length of the line from start to end.
func (d *decoder) checkLine(start, end int) error {
	if end-start > d.limits.LineBytes {
		return d.fail(start, wire.CodeLineTooLong, wire.ErrLimit, fmt.Sprintf("a line longer than %d bytes", d.limits.LineBytes), "raise Limits.LineBytes")
	}
	return nil
}

func (d *decoder) table() (wire.Value, error) {
	if err := d.header(); err != nil {
		return wire.Value{}, err
	}
	mark := d.build.Mark()
	for rows := 0; d.pos < d.end; rows++ {
		if _, blank := d.lineEnd(d.afterSpace(d.pos)); blank {
			d.skipBlank()
			if d.pos < d.end {
				return wire.Value{}, wire.AtIndex(d.fail(d.pos, "text_after_table", wire.ErrSyntax, "a blank line ends the table, and text follows", "cut the table out of the text"), rows)
			}
			break
		}
		row, err := d.row()
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, rows)
		}
		d.build.Push(row)
	}
	return d.build.Array(mark), nil
}

// header reads the names and the delimiter row.
func (d *decoder) header() error {
	start := d.pos
	line := d.line()
	d.bars = strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|")
	if err := d.split(start); err != nil {
		return err
	}
	names := make([]string, len(d.cells))
	for i, c := range d.cells {
		name, err := d.name(c)
		if err != nil {
			return err
		}
		names[i] = strings.Clone(name)
	}
	first := slices.Clone(d.cells)
	start = d.pos
	notTable := func(at int) error {
		return d.fail(at, "no_delimiter_row", wire.ErrSyntax, "the second line does not have a --- for each name of the first", "a table has a line | --- | --- | after its names")
	}
	if start == d.end {
		return notTable(start)
	}
	if err := d.split(start); err != nil {
		return err
	}
	for _, c := range d.cells {
		dashes := strings.TrimSuffix(strings.TrimPrefix(c.raw, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return notTable(c.at)
		}
	}
	if len(d.cells) != len(first) || !d.bars && len(first) == 1 && !strings.Contains(d.str[start:d.pos], "|") {
		return notTable(start)
	}
	var err error
	if d.keys, err = d.build.NewKeys(names...); err != nil {
		seen := map[string]bool{}
		for i, name := range names {
			if seen[name] {
				return d.fail(first[i].at, wire.CodeDuplicateField, wire.ErrDuplicateKey, fmt.Sprintf("two columns are named %.40q", name), "rename one of them")
			}
			seen[name] = true
		}
	}
	return err
}

// line returns the line at hand without the space around it.
func (d *decoder) line() string {
	begin, end := d.afterSpace(d.pos), d.pos+strings.IndexByte(d.str[d.pos:], '\n')
	for end > begin && (d.str[end-1] == ' ' || d.str[end-1] == '\t' || d.str[end-1] == '\r') {
		end--
	}
	return d.str[begin:max(begin, end)]
}

// split reads the cells of the line at start, and goes to the next.
func (d *decoder) split(start int) error {
	d.cells = d.cells[:0]
	i := d.afterSpace(start)
	if d.str[i] == '|' {
		i++
	}
	for {
		raw, at, end, err := d.cell(i)
		if err != nil {
			return err
		}
		d.cells = append(d.cells, cell{raw, at})
		if err := d.checkLine(start, end); err != nil {
			return err
		}
		if len(d.cells) > d.limits.Values {
			return d.take(len(d.cells), at)
		}
		if d.str[end] == '|' {
			end = d.afterSpace(end + 1)
		}
		if next, ok := d.lineEnd(end); ok {
			d.pos = next
			return nil
		}
		i = end
	}
}

// cell returns what is written in the cell at i, where, and the position of the bar or
// line end after it.
func (d *decoder) cell(i int) (raw string, at, end int, err error) {
	s := d.str
	at = d.afterSpace(i)
	for end = at; ; end++ {
		stops := marks(scan.Load64(s, end))
		for stops == 0 {
			end += 8
			stops = marks(scan.Load64(s, end))
		}
		end += bits.TrailingZeros64(stops) / 8
		if b := s[end]; b == '\n' || b == '|' && (end == at || s[end-1] != '\\') {
			break
		} else if b == '\r' {
			if s[end+1] != '\n' {
				return "", at, end, d.fail(end, "misplaced_character", wire.ErrSyntax, "a carriage return without a line feed", `write it as "\r" in quotation marks`)
			}
			break
		}
	}
	last := end
	for last > at && (s[last-1] == ' ' || s[last-1] == '\t') {
		last--
	}
	return s[at:last], at, end, nil
}

// marks has the highest bit of the first byte of a word that is a bar or a control
// character, and perhaps of others after it.
func marks(w uint64) uint64 {
	other := w ^ '|'*scan.Ones
	return ((w - 0x20*scan.Ones) | (other - scan.Ones)) &^ w & scan.Highs
}

// row reads the next row.
func (d *decoder) row() (wire.Value, error) {
	start, s, width := d.pos, d.str, d.keys.Len()
	if err := d.take(1+width, start); err != nil {
		return wire.Value{}, err
	}
	i := d.afterSpace(start)
	if s[i] == '|' {
		i++
	} else if d.bars {
		return wire.Value{}, d.fail(i, "no_row", wire.ErrSyntax, "a line that is no row of the table", "cut the table out of the text")
	}
	o := d.build.Object()
	mark := d.build.Mark()
	full, ended := true, false
	for column := range width {
		if ended {
			return wire.Value{}, d.narrow(start, i, column)
		}
		if v, after := d.number(i); full && after > 0 && column < width-1 {
			d.build.Push(v)
			i = after
			continue
		}
		raw, at, end, err := d.cell(i)
		if err != nil {
			return wire.Value{}, err
		}
		switch _, ended = d.lineEnd(end); {
		case !ended:
			i = end + 1
			after := d.afterSpace(i)
			if _, ended = d.lineEnd(after); ended {
				i = after
			}
		case d.bars:
			return wire.Value{}, d.narrow(start, end, column)
		default:
			i = end
		}
		if raw == "" {
			if full {
				for k := range column {
					d.build.Key(&o, d.keys.At(k))
				}
				full = false
			}
			continue
		}
		v, err := d.value(cell{raw, at})
		if err != nil {
			return wire.Value{}, wire.AtKey(err, d.keys.At(column))
		}
		if !full {
			d.build.Key(&o, d.keys.At(column))
		}
		d.build.Push(v)
	}
	if err := d.checkLine(start, i); err != nil {
		return wire.Value{}, err
	}
	if !ended {
		return wire.Value{}, d.fail(i, wire.CodeRowWidth, wire.ErrSyntax, fmt.Sprintf("a row of more than %d cells", width), `write a bar in a cell as \|`)
	}
	if d.build.Mark() == mark {
		return wire.Value{}, d.fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", `remove it; an empty text is written as ""`)
	}
	d.pos, _ = d.lineEnd(i)
	if full {
		return d.build.Row(d.keys, mark), nil
	}
	return d.build.EndObject(&o), nil
}

// number returns the number without an exponent in the cell at i, written as the encoder
// does, and the position after the bar that follows; 0 if there is none.
func (d *decoder) number(i int) (wire.Value, int) {
	s := d.str
	if s[i] != ' ' || s[i+1]-'0' > 9 && s[i+1] != '-' {
		return wire.Value{}, 0
	}
	_, end, _ := scan.Decimal(s, i+1)
	if end < 0 || s[end] != ' ' || s[end+1] != '|' || s[end+2] != ' ' {
		return wire.Value{}, 0
	}
	return builder.NumberText(s[i+1 : end]), end + 2
}

// narrow returns the error of a row that ends too early, at a position in the column.
func (d *decoder) narrow(start, at, column int) error {
	if err := d.checkLine(start, at); err != nil {
		return err
	}
	if at >= d.end {
		return d.fail(at, wire.CodeRowWidth, wire.ErrTruncated, "the text ends within a row", "")
	}
	return d.fail(at, wire.CodeRowWidth, wire.ErrSyntax, fmt.Sprintf("a row that ends in cell %d of %d", column+1, d.keys.Len()), "end every row with a bar")
}

// name returns the name in a cell of the header.
func (d *decoder) name(c cell) (string, error) {
	if c.raw == "" {
		return "", d.fail(c.at, "no_name", wire.ErrSyntax, "a column without a name", `write "" for an empty one`)
	}
	if c.raw[0] != '"' {
		return d.unescaped(c.raw), nil
	}
	v, err := d.quoted(cell{d.unescaped(c.raw), c.at})
	return v.Text(), err
}

// value returns the value of a cell that is not empty.
func (d *decoder) value(c cell) (wire.Value, error) {
	if c.raw = d.unescaped(c.raw); c.raw[0] == '"' {
		return d.quoted(c)
	}
	return columns.Scalar(c.raw), nil
}

// unescaped returns a cell's text with bars for \|.
func (d *decoder) unescaped(raw string) string {
	if strings.IndexByte(raw, '|') < 0 {
		return raw
	}
	return d.build.Text(bytes.ReplaceAll([]byte(raw), []byte(`\|`), []byte{'|'}))
}

// quoted returns the string that a text in quotation marks is in JSON.
func (d *decoder) quoted(c cell) (wire.Value, error) {
	if n := len(c.raw); n > 1 && scan.StringEnd(c.raw, 1) == n-1 && c.raw[n-1] == '"' {
		return wire.String(c.raw[1 : n-1]), nil
	}
	return d.json(c, wire.JSON{})
}

// json reads a text that is JSON.
func (d *decoder) json(c cell, codec wire.JSON) (wire.Value, error) {
	v, err := codec.Decode([]byte(c.raw))
	var fault *wire.Error
	if errors.As(err, &fault) {
		at := min(c.at+fault.Offset, d.end)
		fault.Format = format
		if fault.Kind == wire.ErrTruncated && c.at+len(c.raw) < d.end {
			fault.Kind = wire.ErrSyntax // the cell ends, but not the text
		}
		return wire.Value{}, wire.ErrorAt(d.src, at, *fault)
	}
	return v, err
}
