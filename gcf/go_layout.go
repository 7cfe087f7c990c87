package gcf

import "slices"

// A goLayout is the columns of tables of a struct type with optional fields, all of
// which are scalars. It is made once for a type and an order of fields.
type goLayout struct {
	order  []int32 // the numbers of the fields
	fields []*goField
	header string // the declaration, with the line's end
	next   *goLayout
	count  int // of this and those behind it
}

// maxGoLayouts bounds the layouts that are kept for a type.
const maxGoLayouts = 16

// layout returns the layout of a table's rows, nil if they have none or there are
// too many of their type.
func (t *goTable) layout() *goLayout {
	if !t.scalar {
		return nil
	}
	var buf [32]int32
	order := t.order(buf[:0])
	known := t.layouts.Load()
	for l := known; l != nil; l = l.next {
		if slices.Equal(l.order, order) {
			return l
		}
	}
	if known != nil && known.count == maxGoLayouts {
		return nil
	}
	l := &goLayout{order: slices.Clone(order), next: known, count: 1}
	if known != nil {
		l.count += known.count
	}
	b := []byte("{")
	for _, j := range order {
		f := &t.fields[j]
		l.fields = append(l.fields, f)
		b = append(append(b, f.label...), ',')
	}
	b[len(b)-1] = '}' // instead of the last comma
	l.header = string(append(b, '\n'))
	if !t.layouts.CompareAndSwap(known, l) {
		return nil
	}
	return l
}

// layoutRows appends the rows of a table with that layout.
func (e *goEncoder) layoutRows(dst []byte, t *goTable, l *goLayout, indent int) (_ []byte, ok bool) {
	for i := range t.n {
		p := t.at(i)
		dst = appendSpaces(dst, indent)
		for _, f := range l.fields {
			if f.optional && f.absence.Of(p) {
				dst = append(dst, '~', '|')
				continue
			}
			if dst, ok = f.appendCell(dst, p); !ok {
				return dst, false
			}
		}
		dst[len(dst)-1] = '\n' // instead of the last separator
		if !e.fits(dst, len(t.fields)+1) {
			return dst, false
		}
	}
	return dst, true
}
