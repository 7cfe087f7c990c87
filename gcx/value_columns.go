package gcx

import "slices"

// columnLetters is what is known of the columns of a section while its rows are
// written.
type columnLetters struct {
	sets  []letterSet   // of each column, the letters that hold for all its cells
	flags []columnFlags // of each column

	conflict bool // some column is left without a letter
	passes   int  // over the rows that did not count
}

// columnFlags say what a column has or needs besides letters.
type columnFlags uint8

const (
	sawNull    columnFlags = 1 << iota // a cell is empty for it is null
	sawMissing                         // a cell is empty for the member is missing
	isQuoted                           // cells are quoted where that is needed
)

// reset forgets what is known of the last section's columns.
func (t *columnLetters) reset(width int) {
	if min(cap(t.sets), cap(t.flags)) < width {
		t.sets, t.flags = make([]letterSet, width), make([]columnFlags, width)
	}
	t.sets = t.sets[:width]
	t.flags = t.flags[:width]
	clear(t.flags)
	t.conflict, t.passes = false, 0
}

// quoted reports whether cells of column i are quoted where that is needed.
func (t *columnLetters) quoted(i int) bool { return t.flags[i]&isQuoted != 0 }

// allow notes the letters under which a cell of column i can be written.
func (t *columnLetters) allow(i int, set letterSet) {
	if t.sets[i] &= set; t.sets[i] == 0 {
		t.conflict = true
	}
}

// null appends the cell of a null in column i.
func (t *columnLetters) null(dst []byte, i int) []byte {
	if !t.quoted(i) {
		t.flags[i] |= sawNull
		t.allow(i, nullLetters)
	} else if t.sets[i] != letterN || len(t.sets) == 1 {
		dst = append(dst, "null"...)
	}
	return dst
}

// text appends a string's cell in column i.
func (t *columnLetters) text(dst []byte, i int, s string) []byte {
	if t.quoted(i) {
		return appendQuotedText(dst, s)
	}
	dst, set := appendString(dst, s)
	t.allow(i, set)
	return dst
}

// stop reports whether to begin again at once because a column has turned out
// to need quotation marks. A few times that pays; after that the rows are
// written to the end, and once more for all columns that need it.
func (t *columnLetters) stop() bool { return t.conflict && t.passes < maxEarlyStops }

const maxEarlyStops = 4

// beginPass allows what the cells of a column can be, before the rows are written: some
// of these letters, or any if they are nil.
func (t *columnLetters) beginPass(letters []letterSet) {
	t.conflict = false
	for i, flags := range t.flags {
		t.sets[i] = flags.letters()
		if letters != nil {
			t.sets[i] &= letters[i]
		}
	}
}

// letters returns those that a column may have which has these flags.
func (f columnFlags) letters() letterSet {
	switch {
	case f&isQuoted == 0:
		return anyLetter
	case f&sawNull != 0 && f&sawMissing == 0:
		return letterN
	}
	return letterM
}

// endPass reports whether the rows have to be written again: it has the columns quoted
// that were left without a letter.
func (t *columnLetters) endPass() bool {
	if !t.conflict {
		return false
	}
	for i, set := range t.sets {
		if set == 0 {
			t.flags[i] |= isQuoted
		}
	}
	t.passes++
	return true
}

// withTypes puts types= into the header in dst of columns that are not inferred; at
// is its place, where markedTypes is if the header is marked.
func (t *columnLetters) withTypes(dst []byte, at int, marked bool) []byte {
	var room [64]byte
	types := appendTypes(append(room[:0], markedTypes[:len(markedTypes)-1]...), t.sets)
	end := at
	if marked {
		end += len(markedTypes)
	}
	return slices.Replace(dst, at, end, types...)
}
