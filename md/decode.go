package md

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one document, or the records of a stream.
type decoder struct {
	columns.Source
	bars  bool // all rows so far have bars around them
	blank bool // there was a blank line after the last row

	cells  []cell // of the row read last
	barred bool   // that one began and ended with a bar
}

// A cell is what is written in one, without the spaces around it, and with bars for \|.
type cell struct {
	raw string
	at  int
}

func (c Codec) decoder() decoder {
	return decoder{Source: columns.Source{Format: format, Limits: c.Limits.Resolved()}}
}

func (d *decoder) document(src []byte) (wire.Value, error) {
	if err := d.Begin(src); err != nil {
		return wire.Value{}, err
	}
	if d.AtEnd() || !strings.HasPrefix(d.Str[d.Pos:], "## record") {
		return d.Document(d)
	}
	v, err := d.members("## record", 1)
	if err == nil && d.Pos < d.End {
		return wire.Value{}, d.Fail(d.Pos, "text_after_record", wire.ErrSyntax, "a line that is no member of the record", "members are lines of - key: value")
	}
	return v, err
}

// Records reads one row of a table after the other, or one record of md:kv.
// Limits.LineBytes bounds a line, and Limits.InputBytes a record of many lines.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		d := c.decoder()
		d.NewStream(r, &d).All(yield)
	}
}

// Whole implements [columns.Format]: a row is a line, the header of a table two, and a record
// of md:kv ends before the next heading.
func (d *decoder) Whole(text []byte, seen int) (int, error) {
	rest := bytes.TrimLeft(text[d.Mark:], " \t\r\n")
	from := bytes.LastIndexByte(text[:len(text)-len(rest)], '\n') + 1
	switch heading := bytes.HasPrefix(rest, []byte{'#'}); {
	case d.Keys != nil || !heading && bytes.Count(rest, []byte{'\n'}) > 1:
		return len(text), nil
	case from > 0 || !heading:
		return from, nil
	}
	// Records that end within so many bytes in all are none too long.
	within := text[:min(len(text), bound.Add(d.Limits.InputBytes, len("## ")))]
	from = max(0, min(seen, len(within))-len("\n##"))
	if i := bytes.LastIndex(within[from:], []byte("\n## ")); i >= 0 {
		return from + i + 1, nil
	}
	if len(text) > d.Limits.InputBytes {
		d.Src = text
		return 0, d.LongInput(d.Limits.InputBytes)
	}
	return 0, nil
}

// AtEnd implements [columns.Format].
func (d *decoder) AtEnd() bool {
	for d.Pos < d.End {
		i := d.afterSpace(d.Pos)
		if d.Str[i] == '\r' {
			i++
		}
		if d.Str[i] != '\n' {
			return false
		}
		d.Pos, d.blank = min(i+1, d.End), true
	}
	return true
}

// Header implements [columns.Format]. It finds out which form the records have, and reads
// the names of a table and its delimiter row.
func (d *decoder) Header() error {
	if strings.HasPrefix(d.Str[d.Pos:d.End], "## ") {
		d.Values++ // the list
		return nil
	}
	if err := d.split(); err != nil {
		return err
	}
	bars := d.barred
	first := slices.Clone(d.cells)
	names := make([]string, len(first))
	for i, c := range first {
		var err error
		if names[i], err = d.unquoted(c); err != nil {
			return err
		}
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
	d.bars, d.blank = bars && d.barred, false
	return d.SetKeys(names, func(i int) int { return first[i].at })
}

// Record implements [columns.Format].
func (d *decoder) Record(n int) (wire.Value, error) {
	switch {
	case d.Keys == nil:
		return d.members("## "+strconv.Itoa(n+1), 2)
	case d.blank:
		return wire.Value{}, d.Fail(d.Pos, "text_after_table", wire.ErrSyntax, "a blank line ends the table, and text follows", "cut the table out of the text")
	}
	start, width := d.Pos, d.Keys.Len()
	if err := d.take(1+width, start); err != nil {
		return wire.Value{}, err
	}
	if err := d.split(); err != nil {
		return wire.Value{}, err
	}
	if len(d.cells) != width || d.isCut(start) || d.endsTable(start) {
		return wire.Value{}, d.wrongRow(start)
	}
	d.bars = d.bars && d.barred
	slots := d.Build.Slots(width)
	d.Gaps = d.Gaps[:0]
	for column, c := range d.cells {
		if c.raw == "" {
			d.Gaps = append(d.Gaps, column)
			continue
		}
		var err error
		if slots[column], err = d.value(c); err != nil {
			return wire.Value{}, wire.AtKey(err, d.Keys.At(column))
		}
	}
	if len(d.Gaps) == width {
		return wire.Value{}, d.Fail(start, "empty_row", wire.ErrSyntax, "a row whose cells are all empty", `remove it; an empty text is written as ""`)
	}
	return d.Row(slots), nil
}

func (d *decoder) afterSpace(i int) int {
	for d.Str[i] == ' ' || d.Str[i] == '\t' {
		i++
	}
	return i
}

// take counts n values at a position.
func (d *decoder) take(n, at int) error {
	if d.Values += n; d.Values > d.Limits.Values {
		return d.TooMany(at)
	}
	return nil
}

// split reads the cells of the next line.
func (d *decoder) split() error {
	start := d.Pos
	line, err := d.line()
	if err != nil {
		return err
	}
	if i := start + strings.IndexByte(d.Str[start:d.Pos], '\r'); i >= start && d.Str[i+1] != '\n' {
		return d.Fail(i, "misplaced_character", wire.ErrSyntax, "a carriage return without a line feed", `write it as "\r" in quotation marks`)
	}
	at, end := line.at, line.at+len(line.raw)
	d.barred = at < end && d.Str[at] == '|'
	if d.barred {
		at++
	}
	from, escaped := at, false
	for d.cells = d.cells[:0]; ; {
		bar := end
		if n := strings.IndexByte(d.Str[from:end], '|'); n >= 0 {
			bar = from + n
		}
		if from = bar + 1; bar < end && bar > at && d.Str[bar-1] == '\\' {
			escaped = true
			continue
		}
		c := d.cellFrom(at, bar)
		if escaped {
			c.raw, escaped = d.Build.Text(bytes.ReplaceAll([]byte(c.raw), []byte(`\|`), []byte{'|'})), false
		}
		d.cells = append(d.cells, c)
		if at = from; at >= end {
			d.barred = d.barred && bar < end
			return nil
		}
		if len(d.cells) >= d.Limits.Values {
			return d.TooMany(c.at)
		}
	}
}

// isCut reports whether the row from start, which is the last line, lacks the last bar that
// all other rows have: the text is likely to end within a cell.
func (d *decoder) isCut(start int) bool {
	return d.bars && !d.barred && d.Pos == d.End && d.Str[d.End-1] != '\n' && d.Str[d.afterSpace(start)] == '|'
}

// endsTable reports whether the line from start begins another block of Markdown.
func (d *decoder) endsTable(start int) bool {
	return d.Str[d.afterSpace(start)] != '|' && blockStart.MatchString(d.Str[start:d.Pos])
}

// blockStart matches a line that ends a table: a quote, a heading, an item of a list, code,
// HTML, a line across.
var blockStart = regexp.MustCompile(`^ {0,3}(>|#{1,6}\s|[-*+]\s+\S|1[.)]\s+\S|~~~|` + "```" + `|<[a-zA-Z/!?]|([-_*=]\s*){3,}$)`)

// wrongRow returns what is wrong with the row from start, whose cells are not those of
// the table.
func (d *decoder) wrongRow(start int) error {
	line, width := strings.TrimRight(d.Str[start:d.Pos], "\r\n"), d.Keys.Len()
	at, kind, message := start+len(line), wire.ErrSyntax, fmt.Sprintf("a row of %d cells under a header of %d", len(d.cells), width)
	switch {
	case d.endsTable(start), !strings.Contains(line, "|"):
		return d.Fail(start, "no_row", wire.ErrSyntax, "a line that is not a row of the table", "cut the table out of the text")
	case len(d.cells) > width:
		at = d.cells[width].at
	case at == d.End:
		kind = wire.ErrTruncated
		if len(d.cells) == width {
			message = "the text ends within a row, before its last bar"
		}
	}
	return d.Fail(at, wire.CodeRowWidth, kind, message, `a row has a cell for each name, and \| for a bar in a cell`)
}

// value returns the value of a cell that is not empty.
func (d *decoder) value(c cell) (wire.Value, error) {
	if c.raw[0] == '"' {
		text, err := d.unquoted(c)
		return wire.String(text), err
	}
	return columns.Scalar(c.raw), nil
}

// unquoted returns the string that a text in quotation marks is in JSON. Any other is the text
// itself, but one that begins with a quotation mark and within which the document ends.
func (d *decoder) unquoted(c cell) (string, error) {
	if !strings.HasPrefix(c.raw, `"`) {
		return c.raw, nil
	}
	last, end := len(c.raw)-1, scan.StringEnd(c.raw, 1)
	if end == last && c.raw[end] == '"' {
		return c.raw[1:end], nil // in the text, by which errors find their place
	}
	if text, end := d.Build.Unescape(&scan.JSONEscapes, c.raw, 1, end); end == last && c.raw[end] == '"' {
		return text, nil
	}
	v, err := d.json(c, wire.Limits{})
	switch {
	case err == nil:
		return v.Text(), nil
	case errors.Is(err, wire.ErrTruncated):
		return "", err
	}
	return c.raw, nil
}

// json reads a text that is JSON.
func (d *decoder) json(c cell, limits wire.Limits) (wire.Value, error) {
	v, err := wire.JSON{Limits: limits}.Decode([]byte(c.raw))
	if fault, ok := err.(*wire.Error); ok {
		fault.Format = format
		if fault.Kind == wire.ErrTruncated && c.at+len(c.raw) < d.End {
			fault.Kind = wire.ErrSyntax // the cell ends, but not the text
		}
		return wire.Value{}, wire.ErrorAt(d.Src, c.at+fault.Offset, *fault)
	}
	return v, err
}
