package arrange

import (
	"slices"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// FilledFirst returns v with the members of rows in the order of how many rows
// have something there, so that cells without a text are together at the end of
// lines. Of those that all rows have, one whose texts do not begin with a short
// word, which is one token with a tab before it, comes first, and one whose texts
// end in punctuation, which is one token with the end of the line, last. Rows are
// the objects of an array that is v or a member of v.
func FilledFirst(b *builder.Builder, v wire.Value) wire.Value {
	if v.Kind() != wire.KindArray && (v.Kind() != wire.KindObject || v.Len() == 0) {
		return v
	}
	b.Borrow(nil)
	if v.Kind() == wire.KindArray {
		return filled(b, v)
	}
	values := b.Slots(v.Len())
	for i := range values {
		values[i] = v.Index(i)
		if values[i].Kind() == wire.KindArray {
			values[i] = filled(b, values[i])
		}
	}
	return b.RowOf(v.Keys(), values)
}

// A column is one member of the rows of an array.
type column struct {
	name   string
	filled int
	small  int // texts that begin with a short word
	closed int // texts that end in punctuation
}

// see notes a row's value.
func (c *column) see(v wire.Value) {
	switch v.Kind() {
	case wire.KindNull:
		return
	case wire.KindString, wire.KindBytes, wire.KindTime: // all come back as strings
		text := v.Text()
		if v.Kind() != wire.KindString {
			text = string(wire.Internal.AppendText(nil, v))
		}
		if text == "" {
			return
		}
		if isShortWord(text) {
			c.small++
		}
		if isPunctuation(text[len(text)-1]) {
			c.closed++
		}
	case wire.KindBool:
		c.small++
	case wire.KindArray, wire.KindObject:
		c.closed++
	}
	c.filled++
}

// isShortWord reports whether a text begins with a word that is
// short enough to be one token together with a tab.
func isShortWord(text string) bool {
	const longest = 7
	n := 0
	for n < len(text) && text[n]|0x20-'a' < 26 {
		n++
	}
	return n > 0 && n <= longest
}

func isPunctuation(c byte) bool { return c > ' ' && c < 0x7F && c-'0' > 9 && c|0x20-'a' > 25 }

// ends brings one column to the front and one to the back of those that all of n
// rows have.
func ends(columns []column, n int) {
	full := 0
	for full < len(columns) && columns[full].filled == n {
		full++
	}
	if full < 2 {
		return
	}
	if full == len(columns) {
		full--
		last := full
		for i := last; i >= 0; i-- {
			if columns[i].closed > 2*columns[last].closed {
				last = i
			}
		}
		move(columns, last, full)
	}
	first := 0
	for i, c := range columns[:full] {
		if 2*c.small < columns[first].small {
			first = i
		}
	}
	move(columns, first, 0)
}

// move brings a column to another place.
func move(columns []column, from, to int) {
	c := columns[from]
	_ = slices.Insert(slices.Delete(columns, from, from+1), to, c) // in the same memory
}

func filled(b *builder.Builder, rows wire.Value) wire.Value {
	var columns []column
	at := make(map[string]int)
	var keys *wire.Keys
	var places []int // of the members of the last row's keys
	for row := range rows.Elements() {
		if row.Kind() != wire.KindObject {
			return rows
		}
		if row.Keys() != keys {
			keys, places = row.Keys(), places[:0]
			for _, name := range keys.All() {
				if _, ok := at[name]; !ok {
					at[name] = len(columns)
					columns = append(columns, column{name: name})
				}
				places = append(places, at[name])
			}
		}
		for i, place := range places {
			columns[place].see(row.Index(i))
		}
	}
	slices.SortStableFunc(columns, func(a, b column) int { return b.filled - a.filled })
	ends(columns, rows.Len())
	changed := false
	for rank, c := range columns {
		changed = changed || at[c.name] != rank
		at[c.name] = rank
	}
	if !changed {
		return rows
	}
	return permuted(b, rows, at)
}

// permuted returns the rows with their members in the order of their ranks.
func permuted(b *builder.Builder, rows wire.Value, rank map[string]int) wire.Value {
	list := b.Elements(rows.Len())
	var keys, arranged *wire.Keys
	var places []int // of the members in the new order
	for i := range list {
		row := rows.Index(i)
		if row.Keys() != keys {
			keys = row.Keys()
			places = places[:0]
			for j := range keys.Len() {
				places = append(places, j)
			}
			slices.SortFunc(places, func(a, b int) int { return rank[keys.At(a)] - rank[keys.At(b)] })
			names := make([]string, len(places))
			for j, place := range places {
				names[j] = keys.At(place)
			}
			if next, err := wire.NewKeys(names...); err != nil {
				return rows // not of distinct keys
			} else if arranged == nil || !wire.Internal.Same(arranged, next) {
				arranged = next
			}
		}
		if len(places) == 0 {
			list[i] = row
			continue
		}
		values := b.Slots(len(places))
		for j, place := range places {
			values[j] = row.Index(place)
		}
		list[i] = b.RowOf(arranged, values)
	}
	return b.ArrayOf(list)
}
