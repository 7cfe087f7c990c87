package csv

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/wire"
)

// object reads the next row. It reports false if anything is wrong with it.
func (d *decoder) object() (wire.Value, bool) {
	s, i, width := d.Str, d.Pos, d.Keys.Len()
	if d.Values+1+width > d.Limits.Values {
		return wire.Value{}, false
	}
	slots := d.Build.Slots(width)
	d.Gaps = d.Gaps[:0]
	for column := range width {
		if column > 0 {
			if s[i] != d.comma {
				return wire.Value{}, false
			}
			i++
		}
		v, end := d.value(i)
		switch {
		case end < 0:
			return wire.Value{}, false
		case end > i:
		case d.text && width > 1:
			v = wire.String("")
		default: // the member is absent
			d.Gaps = append(d.Gaps, column)
			continue
		}
		i = end
		slots[column] = v
	}
	if len(d.Gaps) == width || i-d.Pos > d.Limits.LineBytes || !d.rowEnd(i) {
		return wire.Value{}, false
	}
	d.Values += 1 + width
	return d.Row(slots), true
}

// rowEnd reports whether a row ends at i, with its line or the text, and goes on after that.
func (d *decoder) rowEnd(i int) bool {
	switch d.Str[i] {
	case '\n':
		i++
	case '\r':
		if d.Str[i+1] != '\n' {
			return false
		}
		i += 2
	default:
		return false
	}
	d.Pos = min(i, d.End) // the padding begins like a line end
	return true
}

// value reads the cell at i and returns where it ends: -1 if something is wrong with
// it, i if it is bare and empty. What is after it is for the caller to look at.
func (d *decoder) value(i int) (wire.Value, int) {
	s := d.Str
	first := s[i]
	switch {
	case first == '"':
		text, end, ok := d.quoted(i)
		if !ok {
			return wire.Value{}, -1
		}
		return wire.String(text), end
	case !d.text && (first-'0' <= 9 || first == '-'):
		if _, end, _ := scan.Decimal(s, i); end > 0 && d.ends(s[end]) {
			return builder.NumberText(s[i:end]), end
		}
	}
	end := d.bareEnd(i)
	if end <= i {
		return wire.Value{}, end
	}
	text := s[i:end]
	if d.text {
		return wire.String(text), end
	}
	return columns.Scalar(text), end
}

// ends reports whether a bare cell ends before b.
func (d *decoder) ends(b byte) bool { return b == d.comma || b == '\n' || b == '\r' }

// bareEnd returns where the bare cell at i ends, -1 if it has a quotation mark in it and
// cells are not parted by tabs, see [lineio.Table].
func (d *decoder) bareEnd(i int) int {
	s, comma := d.Str, uint64(d.comma)*scan.Ones
	for {
		stops := marks(scan.Load64(s, i), comma)
		for stops == 0 {
			i += 8
			stops = marks(scan.Load64(s, i), comma)
		}
		i += bits.TrailingZeros64(stops) / 8
		switch b := s[i]; {
		case d.ends(b):
			return i
		case b == '"' && d.comma != '\t':
			return -1
		}
		i++ // another control character
	}
}

// marks has the highest bit of the first byte of a word that is a quotation mark, a
// control character or the comma, and perhaps of others after it.
func marks(w, comma uint64) uint64 {
	// As in [scan.StringStops].
	low, other := w^2*scan.Ones, w^comma
	return ((low - 0x21*scan.Ones) | (other - scan.Ones)) &^ w & scan.Highs
}

// quoted returns the text of the quoted cell at i and where it ends. It reports false
// if it does not.
func (d *decoder) quoted(i int) (text string, end int, ok bool) {
	from, parts := i+1, d.parts[:0]
	for {
		n := strings.IndexByte(d.Str[from:d.End], '"')
		if n < 0 {
			return "", 0, false
		}
		end = from + n + 1
		if end == d.End || d.Str[end] != '"' {
			break
		}
		parts = append(parts, d.Str[from:end]...)
		from = end + 1
	}
	text = d.Str[from : end-1]
	if len(parts) > 0 {
		d.parts = append(parts, text...)
		text = d.Build.Text(d.parts)
	}
	return text, end, true
}
