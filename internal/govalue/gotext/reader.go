package gotext

import (
	"math/bits"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A Reader reads text into variables that are zero. It has what the readers of all formats
// share, and is embedded in each: scalars, objects in braces, lists in brackets or of a
// declared length, and the cells of rows.
//
// Its methods take the position of the first byte that they look at and return the position
// after the last; -1 for what they leave to Values, whose results are the same, with its
// error perhaps.
type Reader struct {
	Marks
	Text  string // ends with bytes that are in no value, one at least
	Size  int    // of the document, without what pads it
	Depth int    // of the variable that is being read
	// Blanks says that there may be white space between tokens.
	Blanks bool
	Arrays

	g       Grammar
	claims  Claims
	scratch Scratch
	text    []byte // of a string with escapes
}

// Marks are the bytes of a syntax.
type Marks struct {
	Null        byte // the first one of null
	Between     byte // what separates members, elements and the names of columns
	Assign      byte // what is between a key and its value
	Cell        byte // what ends a cell
	True, False string
}

// A Grammar is the reader of a format, which embeds a [Reader] and has methods of its own
// in the place of some.
type Grammar interface {
	// Str reads a string, or the text of a time: op says which.
	Str(i int, op gotype.Op) (s string, end int)
	// Key reads a key, or the name of a column.
	Key(i int) (key string, end int)
	// IsNull returns the position after null, -1 if there is something else.
	IsNull(i int) int
	// Other reads a list that begins with no bracket, or into an empty interface.
	Other(v Var, i int) int
	// Skip passes over the value of a member that no field takes.
	Skip(i int) int
	// Odd reads the cell of a column of row that is not a number or a string in its usual
	// form, and returns the position of what ends it.
	Odd(c *Column, row Var, i int) int
	// Reset forgets the document. It reports whether what is left is little enough to be
	// kept.
	Reset() bool

	// Begin prepares g, in which the reader is embedded, for a text of values with that root.
	// The size is that of the document in it.
	Begin(g Grammar, text string, size int, root *Node) *Reader
}

// Key implements [Grammar].
func (r *Reader) Key(int) (string, int) { return "", -1 }

// IsNull implements [Grammar].
func (r *Reader) IsNull(int) int { return -1 }

// Other implements [Grammar].
func (r *Reader) Other(Var, int) int { return -1 }

// Skip implements [Grammar].
func (r *Reader) Skip(int) int { return -1 }

// Odd implements [Grammar].
func (r *Reader) Odd(*Column, Var, int) int { return -1 }

// Reset implements [Grammar].
func (r *Reader) Reset() bool {
	const kept = 1 << 10
	r.Text, r.Size, r.Depth, r.claims, r.text = "", 0, 0, Claims{}, r.text[:0]
	r.Memory.Clear()
	r.scratch.Clear()
	return cap(r.text) <= kept
}

// Begin implements [Grammar].
func (r *Reader) Begin(g Grammar, text string, size int, root *Node) *Reader {
	r.g, r.Text, r.Size = g, text, size
	r.Arrays.begin(root)
	return r
}

// At reports whether the text has s at i.
func (r *Reader) At(i int, s string) bool {
	return i+len(s) <= len(r.Text) && r.Text[i:i+len(s)] == s
}

// Through makes what the pointers of a variable lead to.
func (r *Reader) Through(v Var) Var {
	for v.Form == Pointer {
		v = v.Point(&r.Memory)
	}
	return v
}

// space skips white space.
func (r *Reader) space(i int) int {
	const blanks = 0x2020202020202020
	for {
		switch r.Text[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
		for i+8 <= len(r.Text) && scan.Load64(r.Text, i) == blanks {
			i += 8
		}
	}
}

// next returns the position of the token at or after i.
func (r *Reader) next(i int) int {
	if r.Text[i] <= ' ' && r.Blanks {
		return r.space(i)
	}
	return i
}

// Value reads the value at i into a variable.
func (r *Reader) Value(v Var, i int) int {
	if r.Text[i] == r.Null && v.Form != Any {
		if end := r.g.IsNull(i); end >= 0 {
			return end // what is fresh stays as it is
		}
	}
	switch v.Form {
	case Scalar:
		return r.Scalar(v, i)
	case Any:
		return r.g.Other(v, i)
	}
	if r.Depth++; r.Depth > maxDepth {
		return -1
	}
	switch v.Form {
	case Struct:
		i = r.members(v, i)
	case Pointer:
		i = r.Value(v.Point(&r.Memory), i)
	case List:
		i = r.list(v, i)
	case Map:
		i = r.mapping(v, i)
	}
	r.Depth--
	return i
}

// Scalar reads a scalar that is not null.
func (r *Reader) Scalar(v Var, i int) int {
	switch v.Op {
	case gotype.String:
		s, end := r.g.Str(i, gotype.String)
		if end >= 0 {
			v.SetText(s)
		}
		return end
	case gotype.Float64:
		return v.ReadFloat(r.Text, i)
	case gotype.Bool:
		switch {
		case r.At(i, r.True):
			v.SetBool(true)
			return i + len(r.True)
		case r.At(i, r.False):
			v.SetBool(false)
			return i + len(r.False)
		}
		return -1
	case gotype.Time:
		s, end := r.g.Str(i, gotype.Time)
		if end < 0 || !v.ParseTime(s) {
			return -1
		}
		return end
	}
	return v.ReadWhole(r.Text, i)
}

// Unescaped reads the rest of a string from its start on, whose first escape is at i, and
// the quotation mark after it.
func (r *Reader) Unescaped(escapes *scan.Escapes, start, i int) (string, int) {
	b, i, _ := escapes.Unescape(append(r.text[:0], r.Text[start:i]...), r.Text, i)
	if r.text = b; r.Text[i] != '"' {
		return "", -1
	}
	return string(b), i + 1
}

// members reads an object into a struct.
func (r *Reader) members(v Var, i int) int {
	if r.Text[i] != '{' {
		return -1
	}
	if r.Text[i+1] == '}' {
		return i + 2
	}
	k, seen, i, ended := r.inOrder(v, i)
	if ended || i < 0 {
		return i
	}
	most := k // no member from here on has been read
	for {
		// The comma before a key is part of its label.
		m, behind := r.expected(v.Node, k, i)
		if m < 0 {
			if m, behind = r.key(v.Node, k, i); behind < 0 {
				return -1
			}
			if m < 0 {
				if i = r.g.Skip(behind); i < 0 {
					return -1
				}
			}
		}
		if m >= 0 {
			if m >= 64 && m < most || m < 64 && seen>>m&1 != 0 {
				return -1 // a key that occurs twice, perhaps
			}
			k = m + 1
			most = max(most, k)
			seen |= 1 << m
			if i = r.member(&v.Members[m], v, behind); i < 0 {
				return -1
			}
		}
		if i = r.next(i); r.Text[i] == '}' {
			return i + 1
		}
		if r.Text[i] != r.Between {
			return -1
		}
	}
}

// inOrder reads the members of an object as long as they are written as Writer writes
// them: in the order of the struct's and without blanks. It returns the number of the
// member that is expected next, which ones there were, and the position of the brace or
// the comma before it; or, if the object ended, the position after it.
func (r *Reader) inOrder(v Var, i int) (k int, seen uint64, next int, ended bool) {
	text := r.Text
	for k < len(v.Members) {
		m := &v.Members[k]
		if l := &m.Label; len(l.Text) > labelRoom || i+labelRoom > len(text) {
			if !l.At(text, i) {
				break
			}
		} else if w := text[i : i+labelRoom]; (load64(w)^l.words[0])&(l.masks[0]&^0xFF)|(load64(w[8:])^l.words[1])&l.masks[1] != 0 {
			break // this is Label.At, which is too long to be inlined
		}
		seen |= 1 << k
		k++
		i += len(m.Label.Text)
		switch {
		case m.Op == gotype.String && text[i] == '"' && i+9 < len(text):
			end := i + 1
			if stop := scan.StringStops(scan.Load64(text, end)); stop != 0 {
				end += bits.TrailingZeros64(stop) / 8
			} else {
				end = scan.StringEnd(text, end+8)
			}
			if text[end] == '"' {
				m.Of(v).SetText(text[i+1 : end])
				i = end + 1
			} else {
				i = r.member(m, v, i)
			}
		case m.Op == gotype.Int64 && text[i]-'0' <= 9:
			if x, end := ScanInt(text, i); end >= 0 && text[end] != '.' && text[end]|0x20 != 'e' {
				m.Of(v).SetInt64(x)
				i = end
			} else {
				i = r.member(m, v, i)
			}
		default:
			i = r.member(m, v, i)
		}
		if i < 0 {
			return k, seen, -1, false
		}
		if text[i] <= ' ' {
			i = r.next(i)
		}
		switch text[i] {
		case r.Between:
		case '}':
			return k, seen, i + 1, true
		default:
			return k, seen, -1, false
		}
	}
	return k, seen, i, false
}

// expected returns the next member that the text has at i, from k on, and the
// position after its label; -1 if it is none of the first few, as those that may
// be absent could be very many.
func (r *Reader) expected(n *Node, k, i int) (int, int) {
	const few = 8
	for end := min(k+few, len(n.Members)); k < end; k++ {
		m := &n.Members[k]
		if m.Label.At(r.Text, i) {
			return k, i + len(m.Label.Text)
		}
		if !m.Optional {
			break
		}
	}
	return -1, i
}

// key reads a key and what assigns its value, after the brace or the comma at i, and
// returns the member that it means, which may be k, -1 if there is none, and the position
// after it.
func (r *Reader) key(n *Node, k, i int) (member, behind int) {
	i = r.next(i + 1)
	if k < len(n.Members) {
		if label := n.Members[k].Label.Text[1:]; r.At(i, label) {
			return k, i + len(label)
		}
	}
	key, i := r.assigned(i)
	if i < 0 {
		return -1, -1
	}
	return n.Type.Fields().Find(key), i
}

// assigned reads a key and what assigns its value.
func (r *Reader) assigned(i int) (string, int) {
	key, i := r.g.Key(i)
	if i < 0 {
		return "", -1
	}
	if i = r.next(i); r.Text[i] != r.Assign {
		return "", -1
	}
	return key, i + 1
}

// member reads the value of a member of a struct.
func (r *Reader) member(m *Member, v Var, i int) int {
	i, v = r.next(i), m.Of(v)
	if m.Op == gotype.String && r.Text[i] == '"' {
		end := scan.StringEnd(r.Text, i+1)
		if r.Text[end] == '"' {
			v.SetText(r.Text[i+1 : end])
			return end + 1
		}
	}
	return r.Value(v, i)
}

// list reads the elements of a list in brackets into memory that grows with them.
func (r *Reader) list(v Var, i int) int {
	if r.Text[i] != '[' {
		return r.g.Other(v, i)
	}
	if i = r.next(i + 1); r.Text[i] == ']' {
		v.SetEmpty()
		return i + 1
	}
	made, start := Items{Node: v.Node}, i
	for {
		if i = r.Value(r.Add(&made, start, i), i); i < 0 {
			return -1
		}
		if i = r.next(i); r.Text[i] != r.Between {
			break
		}
		i = r.next(i + 1)
	}
	if r.Text[i] != ']' {
		return -1
	}
	r.End(v, made)
	return i + 1
}

// Add adds an element to a list whose elements begin at start, and returns it; i is where
// the text of that one begins.
func (r *Reader) Add(list *Items, start, i int) Var {
	if list.Len == list.cap {
		rest := 0
		if r.Depth == 1 {
			rest = len(r.Text) - i
		}
		r.grow(list, i-start, rest)
	}
	list.Len++
	return list.At(list.Len - 1)
}

// Counted reads the elements of a list whose length n is declared before i: each one by a
// function that is given its number.
func (r *Reader) Counted(v Var, n, i int, each func(e Var, k, i int) int) int {
	claimed, ok := r.claims.Begin(n, v.Size, r.Size-i, r.Size)
	if !ok {
		return -1
	}
	made := NewItems(v.Node, n, &r.Memory)
	for k := range n {
		if i = each(made.At(k), k, i); i < 0 {
			return -1
		}
	}
	r.claims.End(claimed)
	v.SetItems(made)
	return i
}

// Entry returns a variable for an element of a map, until the next one.
func (r *Reader) Entry(v Var) Var {
	r.scratch.Clear()
	return r.scratch.At(v.Elem)
}

// mapping reads an object into a map.
func (r *Reader) mapping(v Var, i int) int {
	if r.Text[i] != '{' {
		return -1
	}
	if i = r.next(i + 1); r.Text[i] == '}' {
		v.MakeMap(0)
		return i + 1
	}
	for {
		key, next := r.assigned(i)
		if next < 0 {
			return -1
		}
		e := r.Entry(v)
		if i = r.Value(e, r.next(next)); i < 0 || !v.Store(key, e) {
			return -1
		}
		if i = r.next(i); r.Text[i] != r.Between {
			break
		}
		i = r.next(i + 1)
	}
	if r.Text[i] != '}' {
		return -1
	}
	return i + 1
}

// Row reads the cells of a row, each with what ends it, into a struct.
func (r *Reader) Row(columns []Column, v Var, i int) int {
	text := r.Text
	for k := range columns {
		c := &columns[k]
		switch c.Op {
		case gotype.Int64:
			if n, end := ScanInt(text, i); end >= 0 && text[end] == c.End {
				c.Of(v).SetInt64(n)
				i = end + 1
				continue
			}
		case gotype.Float64:
			if x, end := decimal.ScanFloat(text, i); end >= 0 && text[end] == c.End {
				c.Of(v).SetFloat(x)
				i = end + 1
				continue
			}
		case gotype.String:
			if s, end := r.g.Str(i, gotype.String); end >= 0 && text[end] == c.End {
				c.Of(v).SetText(s)
				i = end + 1
				continue
			}
		}
		if i = r.g.Odd(c, v, i); i < 0 || text[i] != c.End {
			return -1
		}
		i++
	}
	return i
}

// Table returns the columns that are declared at i for structs, nil if they need Values.
// If they are not remembered, declare adds those at i to a new table.
func (r *Reader) Table(row *Node, i int, declare func(row *Node, t *Table, i int) int) *Table {
	t := row.Table(r.Text[i:])
	if t == nil {
		t = new(Table)
		end := declare(row, t, i)
		if end < 0 {
			return nil
		}
		row.Remember(t, r.Text[i:end])
	}
	return t
}

// Columns reads the names of the columns of structs in brackets or braces, which may be
// nested, for a table.
func (r *Reader) Columns(n *Node, t *Table, i int) ([]Column, int) {
	var columns []Column
	closing := r.Text[i] + 2 // in ASCII
	for {
		name, next := r.g.Key(i + 1)
		if i = next; i < 0 {
			return nil, -1
		}
		m := n.Member(name)
		if m == nil || Has(columns, m) {
			return nil, -1
		}
		c := m.Column(r.Cell)
		if r.Text[i] == '{' && closing == '}' {
			inner := c.Node
			if inner.Form == Pointer {
				inner = inner.Elem
			}
			if inner.Form != Struct {
				return nil, -1
			}
			t.Groups++
			if c.Group, i = r.Columns(inner, t, i); i < 0 {
				return nil, -1
			}
		}
		columns = append(columns, c)
		if r.Text[i] != r.Between {
			break
		}
	}
	if r.Text[i] != closing {
		return nil, -1
	}
	return columns, i + 1
}
