package gcf

import (
	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// list reads the values of an inline array, from its colon on (section 7.5),
// and leaves the line current.
func (d *decoder) list(c count) (wire.Value, error) {
	if err := d.enter(); err != nil {
		return wire.Value{}, err
	}
	if at := c.next + 1; at < d.End && !lex.IsBlank(d.Doc[at]) {
		return wire.Value{}, d.Syntax(at, "invalid_line", "a blank is missing between the colon and the first value")
	}
	n, i := 0, d.SkipBlanks(c.next+1, d.End)
	if i == d.End {
		i++ // no value at all
	}
	// A value takes two bytes at least, with its comma or line end.
	mark, known := d.Mark(), c.n > 0 && c.n <= (d.End+1-i)/2
	var values []wire.Value
	if known {
		values = d.Elements(c.n)
		n, i = d.numbers(values, i)
	}
	for ; i <= d.End; n++ {
		if n == c.n {
			return wire.Value{}, d.check(c, n+1, i)
		}
		v, next, err := d.Token(i, d.End, ',')
		if err == nil && wire.Internal.Tag(v) != 0 {
			err = d.noValue(i, wire.Internal.Tag(v))
		}
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n)
		}
		if known {
			values[n] = v
		} else {
			d.Push(v)
		}
		i = next + 1
	}
	if err := d.check(c, n, c.at); err != nil {
		return wire.Value{}, err
	}
	if err := d.spend(n); err != nil {
		return wire.Value{}, err
	}
	d.leave()
	if known {
		return d.ArrayOf(values), nil
	}
	return d.Array(mark), nil
}

// numbers reads plain numbers from i on, with a comma after each or the line's
// end after the last, as long as there is room for them. It returns how many these
// are and the position after.
func (d *decoder) numbers(values []wire.Value, i int) (n, next int) {
	for text := d.Doc; n < len(values) && i < len(text); n++ {
		number, end, whole := scan.Decimal(text, i)
		if end < 0 || end == len(text) || end-i >= lex.MaxPlainNumber || text[end] != ',' && text[end] != '\n' {
			break
		}
		if whole {
			values[n] = wire.Int(number)
		} else {
			values[n] = builder.NumberText(text[i:end])
		}
		i = end + 1
		if text[end] == '\n' {
			return n + 1, i
		}
	}
	return n, i
}

// expanded reads the items of an array (section 7.6).
func (d *decoder) expanded(c count, indent int) (wire.Value, error) {
	if err := d.enter(); err != nil {
		return wire.Value{}, err
	}
	mark, n := d.Mark(), 0
	for n != c.n && d.At(indent) && d.Doc[d.here()] == '@' {
		lists, err := d.numberLists(n, c.n, indent)
		if n += lists; lists > 0 {
			if err != nil { // in the line after the last of them
				return wire.Value{}, wire.AtIndex(err, n-1)
			}
			continue
		}
		v, err := d.item(n, indent)
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n)
		}
		d.Push(v)
		n++
	}
	if err := d.leaveItems(c, n, indent); err != nil {
		return wire.Value{}, err
	}
	return d.Array(mark), nil
}

// leaveItems ends an expanded array after n items.
func (d *decoder) leaveItems(c count, n, indent int) error {
	if n != c.n && !d.Done && d.Indent > indent {
		d.lastIndent = -1
		return d.unexpected(indent)
	}
	if err := d.check(c, n, d.here()); err != nil {
		return err
	}
	d.lastIndent, d.lastInline = indent, false
	d.leave()
	return nil
}

// numberLists reads the items of an expanded array, from the current line and the
// item of number from on, that are short lists of plain numbers, and pushes them.
// It returns how many these are.
func (d *decoder) numberLists(from, to, indent int) (n int, err error) {
	pos := d.Start - indent
	for from+n != to {
		v, end := d.numberList(from+n, pos, indent)
		if end < 0 {
			break
		}
		d.Push(v)
		n++
		pos = end + 1
	}
	if n == 0 {
		return 0, nil
	}
	d.Pos, d.lastIndent, d.lastInline = pos, indent+2, false
	return n, d.Next()
}

// maxShortList is the number of elements up to which a list is short.
const maxShortList = 64

// numberList reads the line at pos if it is the item with that number and a short
// list of plain numbers, "@2 [3]: 1,2.5,-3". It returns the line's end; -1 for all
// else, limits included.
func (d *decoder) numberList(number, pos, indent int) (wire.Value, int) {
	text := d.Doc
	i := pos + indent
	if i+len("@0 [1]: 1") > len(text) || text[i] != '@' || indent > 0 && lex.SpacesEnd(text, pos) != i {
		return wire.Value{}, -1
	}
	id, i, whole := scan.Decimal(text, i+1)
	if !whole || id != int64(number) || i+len(" [1]: 1") > len(text) || text[i] != ' ' || text[i+1] != '[' {
		return wire.Value{}, -1
	}
	length, i, whole := scan.Decimal(text, i+2)
	if !whole || length < 1 || length > maxShortList || i+len("]: 1") > len(text) || text[i:i+3] != "]: " {
		return wire.Value{}, -1
	}
	n := int(length)
	if n >= d.values || d.depth == 0 {
		return wire.Value{}, -1
	}
	elements := d.Elements(n)
	read, i := d.numbers(elements, i+3)
	if read < n || text[i-1] != '\n' || i-1-pos > d.MaxBytes {
		d.Untake(elements)
		return wire.Value{}, -1
	}
	d.values -= n + 1
	return d.ArrayOf(elements), i - 1
}
