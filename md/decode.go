package md

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/columns"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one document, or the records of a stream.
type decoder struct {
	columns.Source
	kv    bool
	bars  bool // the table has bars around its rows
	blank bool // there was a blank line after the last row

	cells  []cell // of the row read last
	barred bool   // that one began and ended with a bar
}

// A cell is what is written in one, without the spaces around it.
type cell struct {
	raw string
	at  int
}

func (d *decoder) document(src []byte) (wire.Value, error) {
	if err := d.Begin(src); err != nil {
		return wire.Value{}, err
	}
	d.skipBlank()
	if strings.HasPrefix(d.Str[d.Pos:d.End], "## record") {
		return d.lone()
	}
	if err := d.begin(); err != nil {
		return wire.Value{}, err
	}
	mark := d.Build.Mark()
	for n := 0; d.Pos < d.End; n++ {
		v, err := d.next(n)
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n)
		}
		d.Build.Push(v)
		d.skipBlank()
	}
	return d.Build.Array(mark), nil
}

// begin finds out which form the records have, and reads the header of a table.
func (d *decoder) begin() error {
	rest := d.Str[d.Pos:d.End]
	switch d.kv = strings.HasPrefix(rest, "## "); {
	case d.kv:
		d.Values++ // the list
		return nil
	case rest == "":
		return nil
	}
	err := d.header()
	d.blank = false
	d.skipBlank()
	return err
}

// next reads record n, at the start of a line that is not blank.
func (d *decoder) next(n int) (wire.Value, error) {
	switch {
	case d.kv:
		return d.members("## "+strconv.Itoa(n+1), 2)
	case d.blank:
		return wire.Value{}, d.Fail(d.Pos, "text_after_table", wire.ErrSyntax, "a blank line ends the table, and text follows", "cut the table out of the text")
	}
	return d.row()
}

// skipBlank passes over blank lines.
func (d *decoder) skipBlank() {
	for d.Pos < d.End {
		next, blank := d.lineEnd(d.afterSpace(d.Pos))
		if !blank {
			return
		}
		d.Pos, d.blank = next, true
	}
}

func (d *decoder) afterSpace(i int) int {
	for d.Str[i] == ' ' || d.Str[i] == '\t' {
		i++
	}
	return i
}

// lineEnd returns where the next line begins if one ends at i.
func (d *decoder) lineEnd(i int) (int, bool) {
	switch {
	case d.Str[i] == '\n':
		return min(i+1, d.End), true
	case d.Str[i] == '\r' && d.Str[i+1] == '\n':
		return min(i+2, d.End), true
	}
	return i, false
}

// take counts n values at a position.
func (d *decoder) take(n, at int) error {
	if d.Values += n; d.Values > d.Limits.Values {
		return d.TooMany(at)
	}
	return nil
}

// header reads the names and the delimiter row.
func (d *decoder) header() error {
	if err := d.split(); err != nil {
		return err
	}
	d.bars = d.barred
	first := slices.Clone(d.cells)
	names := make([]string, len(first))
	for i, c := range first {
		name, err := d.name(c)
		if err != nil {
			return err
		}
		names[i] = strings.Clone(name)
	}
	start := d.Pos
	if err := d.split(); err != nil {
		return err
	}
	at := start
	isDelimiter := len(d.cells) == len(first) && (d.barred || len(first) > 1 || strings.Contains(d.Str[start:d.Pos], "|"))
	for i := 0; isDelimiter && i < len(first); i++ {
		c := d.cells[i]
		dashes := strings.TrimSuffix(strings.TrimPrefix(c.raw, ":"), ":")
		at, isDelimiter = c.at, dashes != "" && strings.Trim(dashes, "-") == ""
	}
	if !isDelimiter {
		return d.Fail(at, "no_delimiter_row", wire.ErrSyntax, "the second line does not have a --- for each name of the first", "a table has a line | --- | --- | after its names")
	}
	return d.SetKeys(names, func(i int) int { return first[i].at })
}

// split reads the cells of the next line.
func (d *decoder) split() error {
	s, start, cells := d.Str, d.Pos, d.cells[:0]
	i := d.afterSpace(start)
	d.barred = s[i] == '|'
	if d.barred {
		i++
	}
	for {
		at := d.afterSpace(i)
		for i = at; ; i++ {
			stops := marks(scan.Load64(s, i))
			for stops == 0 {
				i += 8
				stops = marks(scan.Load64(s, i))
			}
			i += bits.TrailingZeros64(stops) / 8
			if b := s[i]; b == '\n' || b == '|' && (i == at || s[i-1] != '\\') {
				break
			} else if b == '\r' {
				if s[i+1] != '\n' {
					return d.Fail(i, "misplaced_character", wire.ErrSyntax, "a carriage return without a line feed", `write it as "\r" in quotation marks`)
				}
				break
			}
		}
		last := i
		for last > at && (s[last-1] == ' ' || s[last-1] == '\t') {
			last--
		}
		cells = append(cells, cell{s[at:last], at})
		bar := s[i] == '|'
		after := i
		if bar {
			i++
			after = d.afterSpace(i)
		}
		if next, ended := d.lineEnd(after); ended {
			d.cells, d.Pos, d.barred = cells, next, d.barred && bar
			if i-start > d.Limits.LineBytes {
				return d.TooLong(start, "line")
			}
			return nil
		}
		if len(cells) >= d.Limits.Values {
			return d.take(len(cells)+1, at)
		}
	}
}

// marks has the highest bit of the first byte of a word that is a bar or a control
// character, and perhaps of others after it.
func marks(w uint64) uint64 {
	other := w ^ '|'*scan.Ones
	return ((w - 0x20*scan.Ones) | (other - scan.Ones)) &^ w & scan.Highs
}

// row reads the next row.
func (d *decoder) row() (wire.Value, error) {
	start, width := d.Pos, d.Keys.Len()
	if err := d.take(1+width, start); err != nil {
		return wire.Value{}, err
	}
	if err := d.split(); err != nil {
		return wire.Value{}, err
	}
	if d.bars && !d.barred || len(d.cells) != width {
		return wire.Value{}, d.wrongRow(start)
	}
	o := d.Build.Object()
	mark := d.Build.Mark()
	full := true
	for _, c := range d.cells {
		full = full && c.raw != ""
	}
	for column, c := range d.cells {
		if c.raw == "" {
			continue
		}
		v, err := d.value(c)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, d.Keys.At(column))
		}
		if !full {
			d.Build.Key(&o, d.Keys.At(column))
		}
		d.Build.Push(v)
	}
	switch {
	case d.Build.Mark() == mark:
		return wire.Value{}, d.Fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", `remove it; an empty text is written as ""`)
	case full:
		return d.Build.Row(d.Keys, mark), nil
	}
	return d.Build.EndObject(&o), nil
}

// wrongRow returns what is wrong with the row from start, whose cells are not those of
// the table.
func (d *decoder) wrongRow(start int) error {
	at, kind, width := start+len(strings.TrimRight(d.Str[start:d.Pos], "\r\n")), wire.ErrSyntax, d.Keys.Len()
	switch {
	case d.bars && d.Str[d.afterSpace(start)] != '|':
		return d.Fail(start, "no_row", wire.ErrSyntax, "a line that is not a row of the table", "cut the table out of the text")
	case len(d.cells) > width:
		at = d.cells[width].at
	case at == d.End:
		kind = wire.ErrTruncated
	}
	return d.Fail(at, wire.CodeRowWidth, kind, fmt.Sprintf("a row of %d cells under a header of %d", len(d.cells), width), `rows have bars around them if the header has, and \| in cells`)
}

// name returns the name in a cell of the header.
func (d *decoder) name(c cell) (string, error) {
	switch {
	case c.raw == "":
		return "", d.Fail(c.at, "no_name", wire.ErrSyntax, "a column without a name", `write "" for an empty one`)
	case c.raw[0] != '"':
		return d.unescaped(c.raw), nil
	}
	v, err := d.value(c)
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
	return d.Build.Text(bytes.ReplaceAll([]byte(raw), []byte(`\|`), []byte{'|'}))
}

// quoted returns the string that a text in quotation marks is in JSON.
func (d *decoder) quoted(c cell) (wire.Value, error) {
	if n := len(c.raw); n > 1 && scan.StringEnd(c.raw, 1) == n-1 && c.raw[n-1] == '"' {
		return wire.String(c.raw[1 : n-1]), nil
	}
	return d.json(c, wire.Limits{})
}

// json reads a text that is JSON.
func (d *decoder) json(c cell, limits wire.Limits) (wire.Value, error) {
	v, err := wire.JSON{Limits: limits}.Decode([]byte(c.raw))
	var fault *wire.Error
	if errors.As(err, &fault) {
		fault.Format = format
		if fault.Kind == wire.ErrTruncated && c.at+len(c.raw) < d.End {
			fault.Kind = wire.ErrSyntax // the cell ends, but not the text
		}
		return wire.Value{}, wire.ErrorAt(d.Src, c.at+fault.Offset, *fault)
	}
	return v, err
}
