package gcx

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/wire"
)

// A Section is one table of a payload with all its rows as text.
type Section struct {
	Header
	Rows [][]string
	// Comments are the comments of the section. The encoder writes them behind
	// the header; where the decoder met them is not kept.
	Comments []string
}

// referenceLine is the length of a line, without its LF, from which on the
// reference decoder gives up.
const referenceLine = 4 << 20

// AppendSections appends sections to dst. A section of one column with an
// empty cell gets rows=, for without it a blank line is no row.
func (c Codec) AppendSections(dst []byte, sections ...Section) ([]byte, error) {
	limit := bound.Add(len(dst), c.Limits.Resolved().OutputBytes)
	out := dst
	for i := range sections {
		var err error
		if out, err = c.appendSection(out, &sections[i], limit); err != nil {
			return dst, err
		}
	}
	if err := checkText(out[len(dst):]); err != nil {
		return dst, err
	}
	return out, nil
}

func (c Codec) appendSection(dst []byte, s *Section, limit int) ([]byte, error) {
	h, err := c.withRows(s)
	if err != nil {
		return dst, err
	}
	if err := h.check(c.Interop); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = h.append(dst)
	for _, text := range s.Comments {
		dst = appendComment(dst, text)
	}
	if err := c.checkLine(dst[start:]); err != nil {
		return dst, err
	}
	for i, row := range s.Rows {
		start := len(dst)
		if dst, err = c.appendRow(dst, row, len(h.Fields), true); err != nil {
			return dst, wire.AtIndex(err, i)
		}
		if err := c.checkLine(dst[start:]); err != nil {
			return dst, err
		}
		if len(dst) > limit {
			return dst, outputTooLong()
		}
	}
	return dst, nil
}

// withRows returns the section's header, with rows= where a blank line needs
// it, and refuses a rows= that is not the number of rows.
func (c Codec) withRows(s *Section) (Header, error) {
	if declared, ok := s.Get(metaRows); ok {
		if n, ok := count(declared); ok && n != len(s.Rows) {
			return s.Header, &wire.Error{Format: name, Code: "row_count_mismatch", Kind: wire.ErrChecksum,
				Message: "rows=" + declared + " over " + strconv.Itoa(len(s.Rows)) + " rows"}
		} else if ok {
			return s.Header, nil
		}
	}
	if len(s.Fields) != 1 {
		return s.Header, nil
	}
	for _, row := range s.Rows {
		if !c.blank(row) {
			continue
		}
		if _, ok := s.Get(metaRows); ok {
			return s.Header, shape("empty_row", "an empty cell in a single column needs the number of rows in rows=")
		}
		h := s.Header
		h.Meta = append(append(make([]Meta, 0, len(h.Meta)+1), h.Meta...), Meta{metaRows, strconv.Itoa(len(s.Rows))})
		return h, nil
	}
	return s.Header, nil
}

// blank reports whether a row of a single column is a blank line.
func (c Codec) blank(row []string) bool {
	return len(row) == 0 || row[0] == "" || c.Plain && strings.Trim(row[0], "\r") == ""
}

// checkLine refuses what Interop promises not to write.
func (c Codec) checkLine(text []byte) error {
	if !c.Interop {
		return nil
	}
	if bytes.IndexByte(text, '\r') >= 0 {
		return foreign("a carriage return")
	}
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n')
		if n >= referenceLine {
			return foreign("a line of " + strconv.Itoa(n) + " bytes")
		}
		text = text[n+1:]
	}
	return nil
}

// appendRow appends one row. counted says that the header has rows=.
func (c Codec) appendRow(dst []byte, cells []string, fields int, counted bool) ([]byte, error) {
	if len(cells) > fields {
		return dst, shape("row_width_mismatch",
			"a row of "+strconv.Itoa(len(cells))+" cells under "+strconv.Itoa(fields)+" fields")
	}
	if fields == 1 && c.blank(cells) {
		if !counted {
			return dst, shape("empty_row", "an empty cell in a single column needs the number of rows in rows=")
		}
		if c.Interop {
			return dst, foreign("a row that is a blank line")
		}
	}
	start := len(dst)
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, '\t')
		}
		dst = appendCell(dst, cell, c.cr())
	}
	dst = guard(dst, start)
	return endRow(dst, fields-max(len(cells), 1)), nil
}

// guard puts a backslash before a row that would be read as something else.
func guard(dst []byte, start int) []byte {
	if !needsGuard(dst[start:]) {
		return dst
	}
	dst = append(dst, 0)
	copy(dst[start+1:], dst[start:])
	dst[start] = '\\'
	return dst
}

// endRow ends a row that lacks that many cells: as the reference does, the
// missing ones are written as empty.
func endRow(dst []byte, lacking int) []byte {
	for range lacking {
		dst = append(dst, '\t')
	}
	return append(dst, '\n')
}

// appendComment appends a comment on one line, whatever line ends it has.
func appendComment(dst []byte, text string) []byte {
	dst = append(dst, '#', ' ')
	for i := range len(text) {
		switch c := text[i]; c {
		case '\n':
			dst = append(dst, ' ')
		case '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				dst = append(dst, ' ')
			}
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\n')
}
