package glyph

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// tableHead is what a table's header says. A count that it does not give is -1.
type tableHead struct {
	columns    *wire.Keys
	rows, cols int
}

// tableValue parses a table where a value is expected.
func (p *parser) tableValue(i int) (wire.Value, int) {
	switch {
	case p.cutOffIn("@tab", i):
		return wire.Value{}, p.expected(p.end, "a table")
	case !p.atTable(i):
		return wire.Value{}, p.expected(i, "a value")
	case p.cell:
		return p.tableInCell(i)
	case p.line:
		return wire.Value{}, p.fail(i, "table_in_line", wire.ErrSyntax, "a table where a value must end with its line")
	}
	return p.table(i)
}

// atTable reports whether "@tab" and no longer word begins at i.
func (p *parser) atTable(i int) bool {
	return strings.HasPrefix(p.s[i:], "@tab") && class[p.s[i+4]]&classPart == 0
}

// table parses a table from its "@".
func (p *parser) table(i int) (wire.Value, int) {
	if p.depth -= 2; p.depth < 0 {
		return wire.Value{}, p.tooDeep(i)
	}
	head, i := p.tableHead(i)
	if i < 0 {
		return wire.Value{}, i
	}
	mark := p.Mark()
	for {
		i = p.space(i)
		done, next := p.tableEnd(i)
		if done || next < 0 {
			i = next
			break
		}
		at := p.Mark()
		v, next := p.row(i, head.columns, at-mark)
		if next < 0 {
			if p.lenient && p.cutOff(i) {
				p.Array(at) // drops the row's cells
				p.err = nil
				i = p.end
				break
			}
			wire.AtIndex(p.err, at-mark)
			return wire.Value{}, next
		}
		p.Push(v)
		i = next
	}
	if i >= 0 && !p.lenient {
		i = p.checkRows(head, p.Mark()-mark, i)
	}
	p.depth += 2
	return p.Array(mark), i
}

// cutOff reports whether the row at i is the text's last line and has no end:
// what a stream that broke off leaves.
func (p *parser) cutOff(i int) bool { return strings.IndexByte(p.s[i:p.end], '\n') < 0 }

// checkRows compares the number of rows with the header's.
func (p *parser) checkRows(head tableHead, rows, i int) int {
	if head.rows >= 0 && head.rows != rows {
		return p.fail(i, wire.CodeCount, wire.ErrChecksum,
			fmt.Sprintf("the header announces %d rows, the table has %d", head.rows, rows))
	}
	return i
}

// tableEnd parses "@end". done is false if there is a row at i instead.
func (p *parser) tableEnd(i int) (done bool, next int) {
	switch {
	case p.s[i] == '|':
		return false, i
	case strings.HasPrefix(p.s[i:], "@end") && class[p.s[i+4]]&classPart == 0:
		return true, i + 4
	case p.lenient && strings.HasPrefix("@end", p.s[i:p.end]): // cut off
		return true, p.end
	case i >= p.end, p.cutOffIn("@end", i):
		return false, p.fail(p.end, "missing_end", wire.ErrTruncated, "the text ends inside a table; @end is missing")
	}
	return false, p.expected(i, "a row or @end")
}

// tableHead parses a table's header, to the end of its line.
func (p *parser) tableHead(start int) (tableHead, int) {
	head := tableHead{rows: -1, cols: -1}
	line := p.line
	p.line = true
	defer func() { p.line = line }()
	i := p.space(start + len("@tab"))
	j := p.partEnd(i)
	switch {
	case j == i:
		return head, p.expected(i, "_ after @tab")
	case p.s[i:j] != "_":
		return head, p.fail(i, "typed_table", wire.ErrVersion, "a table with a type; GLYPH-Loose has only @tab _")
	}
	for i = p.space(j); p.s[i] != '['; i = p.space(i) {
		if i = p.attribute(i, &head); i < 0 {
			return head, i
		}
	}
	names, next := p.names(i, p.columns[:0])
	if next < 0 {
		return head, next
	}
	p.columns = names
	o := p.Object()
	for _, name := range names {
		if !p.Key(&o, name) {
			return head, p.fail(i, wire.CodeDuplicateField, wire.ErrDuplicateKey, "two columns of one name")
		}
	}
	head.columns = p.KeysSoFar(&o) // the builder has one list for all tables of these columns
	switch {
	case len(names) == 0:
		return head, p.fail(i, "no_columns", wire.ErrSyntax, "a table without columns")
	case !p.lenient && head.cols >= 0 && head.cols != len(names):
		return head, p.fail(i, "column_count_mismatch", wire.ErrChecksum,
			fmt.Sprintf("the header announces %d columns and names %d", head.cols, len(names)))
	}
	return head, p.lineEnd(next)
}

// attribute parses name=value in a table's header. Only rows and cols mean
// something.
func (p *parser) attribute(i int, head *tableHead) int {
	j := p.partEnd(i)
	if j == i || p.s[j] != '=' {
		return p.expected(j, "name=value or the columns in brackets")
	}
	name := p.s[i:j]
	from := j + 1
	to := p.partEnd(from)
	if to == from {
		return p.expected(from, "a value after =")
	}
	if name != "rows" && name != "cols" {
		return to
	}
	n, err := strconv.ParseUint(p.s[from:to], 10, 31)
	if err != nil {
		return p.fail(from, "invalid_count", wire.ErrSyntax, name+"= needs a whole number below 2^31")
	}
	if name == "rows" {
		head.rows = int(n)
	} else {
		head.cols = int(n)
	}
	return to
}

// names parses a list of keys in brackets and appends them: a table's columns, a
// schema's keys.
func (p *parser) names(i int, names []string) ([]string, int) {
	i = p.space(i + 1)
	for p.s[i] != ']' {
		name, next := p.key(i)
		if next < 0 {
			return nil, next
		}
		names = append(names, name)
		if i = p.separator(next, ']'); i < 0 {
			return nil, i
		}
	}
	return names, i + 1
}

// lineEnd parses the end of a line, or of the text.
func (p *parser) lineEnd(i int) int {
	for p.s[i] == ' ' || p.s[i] == '\t' {
		i++
	}
	if p.s[i] == '\r' && p.s[i+1] == '\n' {
		i++
	}
	if p.s[i] != '\n' && i < p.end {
		return p.expected(i, "the end of the line")
	}
	return min(i+1, p.end)
}

// row parses a row from its first "|" to the end of its line. n is its number,
// from 0, for messages.
func (p *parser) row(start int, columns *wire.Keys, n int) (wire.Value, int) {
	if p.values--; p.values < 0 {
		return wire.Value{}, p.tooMany(start)
	}
	slots := p.Slots(columns.Len())
	p.gaps = p.gaps[:0]
	p.line, p.cell = true, true
	i := p.cells(start, columns, n, slots)
	p.line, p.cell = false, false
	if i < 0 {
		return wire.Value{}, i
	}
	if len(p.gaps) > 0 {
		return p.partial.Row(&p.Builder, columns, p.gaps, slots), i
	}
	return p.RowOf(columns, slots), i
}

// cells parses the cells of a row into slots.
func (p *parser) cells(start int, columns *wire.Keys, n int, slots []wire.Value) int {
	i := start + 1
	level := len(p.frames)
	for c := range slots {
		if p.s[i] <= ' ' {
			i = p.space(i)
		}
		if p.s[i] == '|' {
			p.gaps = append(p.gaps, c)
			slots[c] = wire.Value{}
			i++
			continue
		}
		if i >= p.end || p.s[i] == '\n' || p.s[i] == '\r' {
			return p.rowWidth(i, n, c, len(slots))
		}
		v, next := p.value(i)
		if len(p.frames) > level {
			next = p.leaveCell(next)
		}
		if next < 0 {
			wire.AtKey(p.err, columns.At(c))
			return next
		}
		slots[c] = v
		if i = next; p.s[i] <= ' ' {
			i = p.space(i)
		}
		if p.s[i] != '|' {
			return p.expected(i, "'|' after a cell")
		}
		i++
	}
	if p.s[i] == '\n' {
		return i + 1
	}
	if j := p.space(i); j < p.end && p.s[j] != '\n' && p.s[j] != '\r' {
		return p.rowWidth(j, n, -1, len(slots))
	}
	return p.lineEnd(i)
}

func (p *parser) rowWidth(i, n, cells, width int) int {
	has := "more cells"
	if cells >= 0 {
		has = strconv.Itoa(cells) + " cells"
	}
	kind := wire.ErrSyntax
	if i >= p.end {
		kind = wire.ErrTruncated
	}
	return p.fail(i, wire.CodeRowWidth, kind, fmt.Sprintf("row %d has %s, the header names %d columns", n+1, has, width))
}

// maxCopied bounds how much of the text is copied for tables in cells, in
// multiples of its length.
const maxCopied = 8

// A cellFrame is where the parser was before it entered the rest of a cell.
type cellFrame struct {
	s       string
	end     int
	start   int // of the rest
	stop    int // the "|" after the cell
	lenient bool
	gaps    []int
}

// tableInCell parses a table in a cell, alone or within a list or a map. This
// package writes none, but the reference implementation does: the text as it
// would be elsewhere, over several lines, with a backslash before every "|".
// Its own cells escape once more. From the first table on, the rest of the cell
// is unescaped as a whole, and the parser goes on in that; leaveCell returns.
func (p *parser) tableInCell(i int) (wire.Value, int) {
	n := cellLen(p.s[i:p.end])
	if n < 0 {
		return wire.Value{}, p.fail(i, "missing_end", wire.ErrTruncated, "the text ends inside a cell that holds a table")
	}
	if p.copies -= n; p.copies < 0 {
		return wire.Value{}, p.fail(i, wire.CodeTooDeep, wire.ErrLimit, "tables nest too deeply in cells")
	}
	p.frames = append(p.frames, cellFrame{s: p.s, end: p.end, start: i, stop: i + n, lenient: p.lenient, gaps: p.gaps})
	p.s = strings.ReplaceAll(p.s[i:i+n], `\|`, `|`) + padding
	p.end = len(p.s) - len(padding)
	p.line, p.cell, p.lenient, p.gaps = false, false, false, nil
	return p.table(0)
}

// cellLen returns the length of the cell's rest that s begins with: up to the
// first "|" without a backslash. It returns -1 if there is none.
func cellLen(s string) int {
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], '|')
		if n < 0 {
			return -1
		}
		if i += n; i == 0 || s[i-1] != '\\' {
			return i
		}
	}
}

// leaveCell goes back to the text that the cell is in, and to its end, if next,
// the position in the cell's unescaped text, is the end of that.
func (p *parser) leaveCell(next int) int {
	if next >= 0 {
		if next = p.space(next); next != p.end {
			next = p.expected(next, "the end of the cell")
		}
	}
	f := p.frames[len(p.frames)-1]
	p.frames = p.frames[:len(p.frames)-1]
	if next < 0 {
		// Every "|" up to there had a backslash.
		p.at = f.start + p.at + strings.Count(p.s[:p.at], "|")
	}
	p.s, p.end, p.lenient, p.gaps = f.s, f.end, f.lenient, f.gaps
	p.line, p.cell = true, true
	if next < 0 {
		return next
	}
	return f.stop
}
