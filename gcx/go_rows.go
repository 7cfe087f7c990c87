package gcx

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/gotext"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
)

// The functions of this file read slices of structs, which are rows already. They
// handle what is simple, and report false for all else, errors included: then the way
// through Values gives the result.

// rowDecoder decodes the one section of a payload into structs.
type rowDecoder struct {
	payload
	cellReader
	gotext.JSONReader // of text
	types             []byte
	fields            []*goField // of each column; nil for a column that no field wants
	lengths           []int32    // those of the last lists, for all nodes of all fields
	n                 int
}

// maxGoText bounds the payloads that are read without Values: the values in
// their cells are not counted.
const maxGoText = 32 << 20

var rowDecoders = sync.Pool{New: func() any { return new(rowDecoder) }}

// unmarshalRows decodes a payload of one list into the slice of structs at slice. It
// reports false if the slice has room for elements, which would keep what a row does
// not have.
func (c *Codec) unmarshalRows(src []byte, t *goRow, slice *gotype.Slice) bool {
	if t == nil || slice.Cap > 0 || c.limited() || len(src) > maxGoText || len(src) == 0 || src[len(src)-1] != '\n' {
		return false
	}
	text := scan.TrimBOM(src)
	if !scan.IsUTF8(text) {
		return false
	}
	d := rowDecoders.Get().(*rowDecoder)
	d.c = *c
	d.limits = defaultLimits
	d.src, d.bom = src, len(src)-len(text)
	d.text = string(text)
	d.Text, d.Cells = d.text, true
	rows, ok := d.decode(t)
	d.giveBack()
	if ok {
		*slice = rows
	}
	return ok
}

// giveBack returns the decoder to its pool, with nothing of the payload.
func (d *rowDecoder) giveBack() {
	d.c.Tool, d.src, d.text = "", nil, "" // the next payload sets the rest
	d.types, d.fields, d.n = nil, nil, 0
	if d.scratch != nil { // else there was no escape
		d.b, d.scratch = builder.Builder{}, nil
	}
	d.lengths = d.lengths[:0]
	d.Reset()
	if cap(d.lengths) <= maxKeptCell {
		rowDecoders.Put(d)
	}
}

func (d *rowDecoder) decode(t *goRow) (rows gotype.Slice, ok bool) {
	known, i := d.header(t)
	if known == nil {
		return rows, false
	}
	h := &known.h
	d.types, d.fields = known.types, known.fields
	d.lengths = slices.Grow(d.lengths[:0], t.nodes)[:t.nodes]
	clear(d.lengths)
	width := len(known.types)
	if h.dotted || h.rows < 0 || len(h.Meta) > 2 ||
		len(h.Meta) == 2 && h.types == "" || h.sections() > 0 {
		return rows, false
	}
	n := min(h.rows, 1+strings.Count(d.text[i:], "\n"), 1+(len(d.text)-i)/width) // rows that omit cells are not read here
	if n > (d.limits.Values-1)/(width+1) || !gotext.Fits(n, t.typ.Size, len(d.text)-i) {
		return rows, false
	}
	rows = gotype.Slice{Data: d.Memory.Make(t.typ, n), Cap: n}
	var count lineCount
	for i < len(d.text) {
		switch d.kindOf(i) {
		case lineRow:
			if d.n == n {
				return rows, false
			}
			if i = d.row(gotype.Add(rows.Data, uintptr(d.n)*t.typ.Size), i); i < 0 {
				return rows, false
			}
			d.n++
		case lineHeader:
			return rows, false
		case lineComment:
			end := d.lineEnd(i)
			count.budget = count.budget || budgetCut(d.text[i:end])
			i = min(end+1, len(d.text))
		case lineBlank:
			i = min(d.lineEnd(i)+1, len(d.text))
		}
	}
	count.rows = d.n
	rows.Len = d.n
	return rows, d.endSection(h, &count, i) == nil
}

// header reads the first header and returns where its rows begin; nil if it needs
// Values. It is mostly the last one again, which the text as it was given tells: its
// copy is only just being written.
func (d *rowDecoder) header(t *goRow) (*goHeader, int) {
	known := t.known.Load()
	if known != nil && known.c != d.c {
		known = nil
	}
	if src := d.src[d.bom:]; known != nil && len(src) > len(known.line) && string(src[:len(known.line)]) == known.line {
		return known, len(known.line)
	}
	i, err := d.start()
	if err != nil {
		return nil, 0
	}
	line := d.text[i:min(d.lineEnd(i)+1, len(d.text))]
	if known == nil || known.line != line {
		if known = d.newHeader(t, strings.Clone(line)); known == nil {
			return nil, 0
		}
		t.known.Store(known)
	}
	return known, i + len(line)
}

// goHeader is the header of a section, for rows of one type.
type goHeader struct {
	c      Codec
	line   string // with its end
	h      sectionHeader
	types  []byte     // of each column
	fields []*goField // of each column; nil for a column that no field wants
}

// newHeader reads a header's line, which has an own memory; nil if it needs
// Values.
func (d *rowDecoder) newHeader(t *goRow, line string) *goHeader {
	p := payload{c: d.c, src: d.src, text: line, limits: d.limits}
	h, keys, _, err := p.header(0)
	if err != nil || keys.Len() < 2 {
		return nil
	}
	known := &goHeader{c: d.c, line: line, h: h, types: h.letters}
	var ok bool
	if known.fields, ok = t.columns(keys); !ok {
		return nil
	}
	return known
}

// row decodes the row at i into the struct at p and returns where the next line
// begins, or -1.
func (d *rowDecoder) row(p gotype.Ptr, i int) int {
	text := d.text
	for col := 0; ; col++ {
		if col == len(d.types) {
			return -1
		}
		f := d.fields[col]
		end := -1
		if f != nil && f.json == nil {
			end = d.plain(f.op, gotype.Add(p, f.offset), d.types[col], i)
		}
		if end >= 0 {
			// that was all
		} else if f != nil && f.json != nil && i < len(text) && (text[i] == '{' || text[i] == '[') && !verbatim(d.types[col]) {
			d.Lengths = d.lengths[f.nodes:][:f.json.Nodes]
			if end = d.Value(f.json, gotype.Add(p, f.offset), i); end < 0 || !endsCell(text, end) {
				return -1
			}
		} else {
			var s string
			if s, end = d.cellText(text, i); f == nil && !unwanted(d.types[col], s) || f != nil && !d.cell(f, gotype.Add(p, f.offset), d.types[col], s) {
				return -1
			}
		}
		if end < len(text) && text[end] == '\t' {
			i = end + 1
			continue
		}
		if col+1 < len(d.types) {
			return -1 // omitted cells
		}
		if end < len(text) && text[end] == '\r' {
			end++
		}
		return min(end+1, len(text))
	}
}

// plain reads a scalar as it is mostly written, which a TAB or a line feed ends: a
// string without escapes, which cannot be read as anything else, or a number. It
// returns where it ends, -1 for all else.
func (d *rowDecoder) plain(op gotype.Op, p gotype.Ptr, letter byte, i int) int {
	text := d.text
	switch op {
	case gotype.String:
		if i+8 >= len(text) || firstByte[text[i]] && !verbatim(letter) {
			return -1
		}
		end := i
		if stop := specials(scan.Load64(text, i)); stop != 0 {
			end += bits.TrailingZeros64(stop) / 8
		} else {
			end = special(text, i+8)
		}
		if end == i || end == len(text) || text[end] != '\t' && text[end] != '\n' {
			return -1
		}
		*gotype.At[string](p) = text[i:end]
		return end
	case gotype.Int64:
		if verbatim(letter) {
			return -1
		}
		n, end := gotext.ScanInt(text, i)
		if end < 0 || text[end] != '\t' && text[end] != '\n' {
			return -1
		}
		*gotype.At[int64](p) = n
		return end
	case gotype.Float64:
		if verbatim(letter) {
			return -1
		}
		x, end := decimal.ScanFloat(text, i)
		if end < 0 || text[end] != '\t' && text[end] != '\n' {
			return -1
		}
		*gotype.At[float64](p) = x
		return end
	}
	return -1
}

// verbatim reports whether the filled cells of a column are strings.
func verbatim(letter byte) bool { return letter == 's' || letter == 'M' || letter == 'N' }

// unwanted reports whether a cell that no field wants can be skipped; the
// nested ones might exceed a limit.
func unwanted(letter byte, s string) bool {
	return s == "" || verbatim(letter) || s[0] != '[' && s[0] != '{'
}

// cell stores a cell that its column's letter makes a value of the kind that the
// field at p has, and reports whether it is one.
func (d *rowDecoder) cell(f *goField, p gotype.Ptr, letter byte, s string) bool {
	if s == "" {
		// Missing or null leaves the field as it is; "" fits strings only.
		return letter != 'a' && letter != 's' || f.op == gotype.String
	}
	inferred := !verbatim(letter)
	if f.op == gotype.String {
		if inferred && !isString(letter, s) {
			return false
		}
		*gotype.At[string](p) = s
		return true
	}
	if !inferred || f.json != nil {
		return false
	}
	switch f.op {
	case gotype.Float64:
		x, end := decimal.ScanFloat(s, 0)
		if end == len(s) {
			*gotype.At[float64](p) = x
		}
		return end == len(s)
	case gotype.Bool:
		*gotype.At[bool](p) = s == "true"
		return s == "true" || s == "false"
	case gotype.Time:
		var t time.Time
		if !isString(letter, s) || t.UnmarshalText([]byte(s)) != nil {
			return false
		}
		*gotype.At[time.Time](p) = t
		return true
	}
	n, ok := integer(s)
	return ok && gotype.SetInt(f.op, p, n)
}

// isString reports whether an inferred cell certainly is the string s.
func isString(letter byte, s string) bool {
	set := letterA
	if letter != 'a' {
		set = letterM
	}
	return readableLetters(s)&set != 0
}
