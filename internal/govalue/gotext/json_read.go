package gotext

import (
	"encoding/json"
	"maps"
	"math"
	"math/bits"
	"sync"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A JSONReader reads JSON text into variables that are zero. Its methods take the
// position of the first byte that they look at and return the position after the
// last; -1 for what they leave to Values, whose results are the same, with its
// error perhaps.
type JSONReader struct {
	// Text ends with bytes that are in no value, one at least.
	Text string
	// Cells says that what is read is in a larger text: there is no white space
	// between tokens, and a string with an escape is left to Values.
	Cells bool
	Arrays

	depth   int
	scratch Scratch
	boxes   gotype.Boxes
	text    []byte // of a string with escapes
	// names and anys are the stacks of what objects and arrays of interfaces hold.
	names []string
	anys  []any
	// wide has a bit for the last object of each depth, 1 if it had many members.
	wide uint64
}

var jsonReaders = sync.Pool{New: func() any { return new(JSONReader) }}

// ReadJSON reads a document, which is UTF-8, into a variable that is zero. It reports
// false, and may have stored something, for what it leaves to Values.
func ReadJSON(src []byte, v Var) bool {
	r := jsonReaders.Get().(*JSONReader)
	r.Text = Padded(src, 0)
	r.Begin(v.Node)
	i := r.Value(v, r.space(0))
	ok := i >= 0 && r.space(i) == len(src)
	r.giveBack()
	return ok
}

// giveBack returns the reader to its pool, with nothing of the document.
func (r *JSONReader) giveBack() {
	if r.Reset() {
		jsonReaders.Put(r)
	}
}

// Reset makes the reader free for another text. It reports whether its memory is
// little enough to be kept.
func (r *JSONReader) Reset() bool {
	const kept = 1 << 10
	if max(cap(r.anys), cap(r.names), cap(r.text)) > kept {
		*r = JSONReader{}
		return false
	}
	clear(r.names[:cap(r.names)])
	clear(r.anys[:cap(r.anys)])
	r.names, r.anys, r.text = r.names[:0], r.anys[:0], r.text[:0]
	r.Text, r.depth, r.wide, r.Lengths = "", 0, 0, nil
	r.Memory.Clear()
	r.scratch.Clear()
	r.boxes.Clear()
	r.room = [len(r.room)]int32{}
	return true
}

// space skips white space.
func (r *JSONReader) space(i int) int {
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
func (r *JSONReader) next(i int) int {
	if r.Text[i] <= ' ' && !r.Cells {
		return r.space(i)
	}
	return i
}

func (r *JSONReader) at(i int, s string) bool {
	return i+len(s) <= len(r.Text) && r.Text[i:i+len(s)] == s
}

// null reports whether the text has null at i.
func (r *JSONReader) null(i int) bool { return r.Text[i] == 'n' && r.at(i, "null") }

// Value reads the value at i into a variable.
func (r *JSONReader) Value(v Var, i int) int {
	if v.Form != Any && r.null(i) {
		return i + len("null") // what is fresh stays as it is
	}
	switch v.Form {
	case Scalar:
		return r.scalar(v, i)
	case Any:
		x, i := r.any(i)
		if i >= 0 {
			v.SetHeld(x)
		}
		return i
	}
	if r.depth++; r.depth > maxDepth {
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
	r.depth--
	return i
}

// members reads an object into a struct.
func (r *JSONReader) members(v Var, i int) int {
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
				if i = r.skip(behind); i < 0 {
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
		if r.Text[i] != ',' {
			return -1
		}
	}
}

// inOrder reads the members of an object as long as they are written as JSONWriter
// writes them: in the order of the struct's and without blanks. It returns the number of
// the member that is expected next, which ones there were, and the position of the brace
// or the comma before it; or, if the object ended, the position after it.
func (r *JSONReader) inOrder(v Var, i int) (k int, seen uint64, next int, ended bool) {
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
		case ',':
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
func (r *JSONReader) expected(n *Node, k, i int) (int, int) {
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

// key reads a key and its colon, after the brace or the comma at i, and returns
// the member that it means, which may be k, -1 if there is none, and the position
// after it.
func (r *JSONReader) key(n *Node, k, i int) (member, behind int) {
	i = r.next(i + 1)
	if k < len(n.Members) {
		if label := n.Members[k].Label.Text[1:]; r.at(i, label) {
			return k, i + len(label)
		}
	}
	if r.Text[i] != '"' {
		return -1, -1
	}
	key, i := r.str(i)
	if i < 0 {
		return -1, -1
	}
	if i = r.next(i); r.Text[i] != ':' {
		return -1, -1
	}
	return n.Type.Fields().Find(key), i + 1
}

// member reads the value of a member of a struct.
func (r *JSONReader) member(m *Member, v Var, i int) int {
	i, v = r.next(i), m.Of(v)
	switch m.Op {
	case gotype.Other:
		return r.Value(v, i)
	case gotype.String:
		if r.Text[i] == '"' {
			end := scan.StringEnd(r.Text, i+1)
			if r.Text[end] == '"' {
				v.SetText(r.Text[i+1 : end])
				return end + 1
			}
		}
	}
	if r.null(i) {
		return i + len("null")
	}
	return r.scalar(v, i)
}

// str reads the string at i.
func (r *JSONReader) str(i int) (string, int) {
	end := scan.StringEnd(r.Text, i+1)
	switch r.Text[end] {
	case '"':
		return r.Text[i+1 : end], end + 1
	case '\\':
		if !r.Cells {
			return r.escaped(i+1, end)
		}
	}
	return "", -1
}

// escaped reads the rest of a string from its start, whose first escape is at i.
func (r *JSONReader) escaped(start, i int) (string, int) {
	b, i, _ := scan.JSONEscapes.Unescape(append(r.text[:0], r.Text[start:i]...), r.Text, i)
	if r.text = b; r.Text[i] != '"' {
		return "", -1
	}
	return string(b), i + 1
}

// scalar reads a scalar that is not null.
func (r *JSONReader) scalar(v Var, i int) int {
	switch v.Op {
	case gotype.String, gotype.Time:
		if r.Text[i] != '"' {
			return -1
		}
		s, end := r.str(i)
		if end < 0 {
			return -1
		}
		if v.Op == gotype.String {
			v.SetText(s)
		} else if !v.ParseTime(s) {
			return -1
		}
		return end
	case gotype.Float64:
		return v.ReadFloat(r.Text, i)
	case gotype.Bool:
		return v.ReadBool(r.Text, i)
	}
	return v.ReadWhole(r.Text, i)
}

// ScanInt returns the integer that begins at text[i] and where its digits end; -1
// if none does that is an int64, spelled as JSON spells it. The text does not end
// with a digit.
func ScanInt(text string, i int) (int64, int) {
	const most = 19 // digits of the largest
	negative := text[i] == '-'
	if negative {
		i++
	}
	from, n := i, uint64(0)
	for c := text[i] - '0'; c <= 9; c = text[i] - '0' {
		n = n*10 + uint64(c)
		i++
	}
	if digits := i - from; digits == 0 || digits >= most && (digits > most || n > math.MaxInt64) || digits > 1 && text[from] == '0' {
		return 0, -1
	}
	if negative {
		return -int64(n), i
	}
	return int64(n), i
}

// list reads the elements of an array into memory that grows with them.
func (r *JSONReader) list(v Var, i int) int {
	if r.Text[i] != '[' {
		return -1
	}
	if i = r.next(i + 1); r.Text[i] == ']' {
		v.SetEmpty()
		return i + 1
	}
	made, start := Items{Node: v.Node}, i
	for {
		if made.Full() {
			rest := 0
			if r.depth == 1 && !r.Cells {
				rest = len(r.Text) - i
			}
			r.Grow(&made, i-start, rest)
		}
		if e := made.Next(); e.Form == Scalar && !r.null(i) {
			i = r.scalar(e, i)
		} else {
			i = r.Value(e, i)
		}
		if i < 0 {
			return -1
		}
		if i = r.next(i); r.Text[i] != ',' {
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

// mapping reads an object into a map.
func (r *JSONReader) mapping(v Var, i int) int {
	if r.Text[i] != '{' {
		return -1
	}
	if i = r.next(i + 1); r.Text[i] == '}' {
		v.MakeMap(0)
		return i + 1
	}
	for {
		if r.Text[i] != '"' {
			return -1
		}
		key, next := r.str(i)
		if next < 0 {
			return -1
		}
		if i = r.next(next); r.Text[i] != ':' {
			return -1
		}
		i = r.next(i + 1)
		r.scratch.Clear()
		e := r.scratch.At(v.Elem)
		if i = r.Value(e, i); i < 0 || !v.Store(key, e) {
			return -1
		}
		if i = r.next(i); r.Text[i] != ',' {
			break
		}
		i = r.next(i + 1)
	}
	if r.Text[i] != '}' {
		return -1
	}
	return i + 1
}

// any reads the value at i as an empty interface holds it: a number as float64 if
// no digit is lost.
func (r *JSONReader) any(i int) (any, int) {
	switch c := r.Text[i]; c {
	case '"':
		s, end := r.str(i)
		return r.boxes.String(s), end
	case '{':
		return r.anyMap(i)
	case '[':
		return r.anyList(i)
	case 't':
		return true, r.word(i, "true")
	case 'f':
		return false, r.word(i, "false")
	case 'n':
		return nil, r.word(i, "null")
	}
	f, end := decimal.ScanFloat(r.Text, i)
	if end >= 0 && end-i <= 15 && (f != 0 || end == i+1) && math.Abs(f) < 1e290 && (f == 0 || math.Abs(f) > 1e-290) {
		return r.boxes.Float(f), end // so few digits always survive
	}
	if end = i + scan.Number(r.Text[i:]); end == i {
		return nil, -1
	}
	text := r.Text[i:end]
	f, ok := decimal.Float64(text)
	if !ok {
		return json.Number(text), end
	}
	return r.boxes.Float(f), end
}

func (r *JSONReader) word(i int, word string) int {
	if !r.at(i, word) {
		return -1
	}
	return i + len(word)
}

func (r *JSONReader) anyList(i int) (any, int) {
	if i = r.next(i + 1); r.Text[i] == ']' {
		return []any{}, i + 1
	}
	if r.depth++; r.depth > maxDepth {
		return nil, -1
	}
	mark := len(r.anys)
	for {
		e, next := r.any(i)
		if next < 0 {
			return nil, -1
		}
		r.anys = append(r.anys, e)
		if i = r.next(next); r.Text[i] != ',' {
			break
		}
		i = r.next(i + 1)
	}
	if r.Text[i] != ']' {
		return nil, -1
	}
	list := append(make([]any, 0, len(r.anys)-mark), r.anys[mark:]...)
	r.anys = r.anys[:mark]
	r.depth--
	return list, i + 1
}

// anyMap fills maps as it goes, whose memory has room for smallMap members at once. What
// wide ones hold waits until it is known how many members there are.
func (r *JSONReader) anyMap(i int) (any, int) {
	const smallMap = 8
	if i = r.next(i + 1); r.Text[i] == '}' {
		return map[string]any{}, i + 1
	}
	if r.depth++; r.depth > maxDepth {
		return nil, -1
	}
	var m map[string]any
	wide := uint64(1) << (r.depth % 64)
	if r.wide&wide == 0 {
		m = make(map[string]any)
	}
	mark, first := len(r.anys), len(r.names)
	for {
		if r.Text[i] != '"' {
			return nil, -1
		}
		key, next := r.str(i)
		if next < 0 {
			return nil, -1
		}
		if i = r.next(next); r.Text[i] != ':' {
			return nil, -1
		}
		e, next := r.any(r.next(i + 1))
		if next < 0 {
			return nil, -1
		}
		if m != nil && len(m) < smallMap {
			m[key] = e // of two with one key the last wins
		} else {
			r.names, r.anys = append(r.names, key), append(r.anys, e)
		}
		if i = r.next(next); r.Text[i] != ',' {
			break
		}
		i = r.next(i + 1)
	}
	if r.Text[i] != '}' {
		return nil, -1
	}
	if waiting := r.anys[mark:]; len(waiting) > 0 {
		few := m
		m = make(map[string]any, len(few)+len(waiting))
		maps.Copy(m, few)
		for k, e := range waiting {
			m[r.names[first+k]] = e
		}
		r.names, r.anys = r.names[:first], r.anys[:mark]
	}
	if r.wide &^= wide; len(m) > smallMap {
		r.wide |= wide
	}
	r.depth--
	return m, i + 1
}

// skip passes over the value of a member that no field takes.
func (r *JSONReader) skip(i int) int {
	i = r.next(i)
	switch c := r.Text[i]; c {
	case '"':
		_, i = r.str(i)
		return i
	case '{', '[':
		return r.skipContainer(i)
	case 't':
		return r.word(i, "true")
	case 'f':
		return r.word(i, "false")
	case 'n':
		return r.word(i, "null")
	}
	n := scan.Number(r.Text[i:])
	if n == 0 {
		return -1
	}
	return i + n
}

func (r *JSONReader) skipContainer(i int) int {
	if r.depth++; r.depth > maxDepth {
		return -1
	}
	object, closing := r.Text[i] == '{', r.Text[i]+2 // in ASCII
	if i = r.next(i + 1); r.Text[i] == closing {
		r.depth--
		return i + 1
	}
	for {
		if object {
			if r.Text[i] != '"' {
				return -1
			}
			if _, i = r.str(i); i < 0 {
				return -1
			}
			if i = r.next(i); r.Text[i] != ':' {
				return -1
			}
			i++
		}
		if i = r.skip(i); i < 0 {
			return -1
		}
		if i = r.next(i); r.Text[i] != ',' {
			break
		}
		i = r.next(i + 1)
	}
	if r.Text[i] != closing {
		return -1
	}
	r.depth--
	return i + 1
}
