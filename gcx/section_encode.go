package gcx

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// A Section is one table of a payload with all its rows as text.
type Section struct {
	Header
	Rows [][]string
	// Comments are the comments of the section. The encoder writes them after
	// the header; where the decoder met them is not kept.
	Comments []string
}

// referenceLine is the length of a line, without its LF, from which on the
// reference decoder gives up.
const referenceLine = 4 << 20

// AppendSections appends sections to dst. A section of one column with an
// empty cell gets rows=, for without it a blank line is not a row. Carriage
// returns are stripped, as the document says.
func (c Codec) AppendSections(dst []byte, sections ...Section) ([]byte, error) {
	limit := bound.Add(len(dst), c.Limits.Resolved().OutputBytes)
	out := dst
	if len(sections) > 0 {
		if bad := sectionCount(sections[0].sections(), len(sections)); bad != nil {
			return dst, bad
		}
	}
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
	h, err := withRows(c.written(s.Header), s)
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

// withRows returns the section's header, with rows= where a blank line needs it,
// and refuses a rows= that is not the number of rows. It may be more than that
// where a comment says that a budget cut them.
func withRows(h Header, s *Section) (Header, error) {
	rows := s.Rows
	declared, has := h.Get(metaRows)
	if n, ok := count(declared); has && ok {
		if n < len(rows) || n > len(rows) && !slices.ContainsFunc(s.Comments, budgetCut[string]) {
			return h, rowsOver(declared, len(rows))
		}
		return h, nil
	}
	if len(h.Fields) != 1 || h.blankRows() || !slices.ContainsFunc(rows, blank) {
		return h, nil
	}
	if has {
		return h, emptyRow()
	}
	h.Meta = append(slices.Clip(h.Meta), Meta{metaRows, strconv.Itoa(len(rows))})
	return h, nil
}

// rowsOver is the error for a count of rows that is not theirs.
func rowsOver(declared string, rows int) error {
	return miscount(wire.CodeCount, false, "rows="+declared+" over "+strconv.Itoa(rows)+" rows")
}

// blank reports whether a row of a single column is a blank line.
func blank(row []string) bool { return len(row) == 0 || strings.Trim(row[0], "\r") == "" }

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

// emptyRow is the error for a row that readers would skip.
func emptyRow() *wire.Error {
	return shape("empty_row", "an empty cell in a single column needs the number of rows in rows=, or types= and rows=*")
}

// appendRow appends one row. counted says that the header makes blank lines rows.
func (c Codec) appendRow(dst []byte, cells []string, fields int, counted bool) ([]byte, error) {
	if len(cells) > fields {
		return dst, shape(wire.CodeRowWidth,
			"a row of "+strconv.Itoa(len(cells))+" cells under "+strconv.Itoa(fields)+" fields")
	}
	if fields == 1 && blank(cells) {
		if !counted {
			return dst, emptyRow()
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
		if c.Interop && !c.Plain && strings.IndexByte(cell, '\r') >= 0 {
			return dst, foreign("a carriage return")
		}
		dst = appendCell(dst, cell)
	}
	for range fields - max(len(cells), 1) { // as the reference does, missing cells are written as empty
		dst = append(dst, '\t')
	}
	return guardRow(append(dst, '\n'), start), nil
}

// appendComment appends a comment on one line, whatever line ends it has.
func appendComment(dst []byte, text string) []byte {
	return append(append(append(dst, "# "...), lineEnds.Replace(text)...), '\n')
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ")
