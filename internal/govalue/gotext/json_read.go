package gotext

import (
	"encoding/json"
	"maps"
	"math"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
)

// A JSONReader reads JSON text. Without Blanks the text is part of a larger one: there is no
// white space between tokens, and a string with an escape is left to Values.
type JSONReader struct {
	Reader
	boxes gotype.Boxes
	// names and anys are the stacks of what objects and arrays of interfaces hold.
	names []string
	anys  []any
	// wide has a bit for the last object of each depth, 1 if it had many members.
	wide uint64
}

// NewJSONReader returns a reader of documents.
func NewJSONReader() *JSONReader {
	return &JSONReader{Reader: Reader{Marks: Marks{Null: 'n', Between: ',', Assign: ':', True: "true", False: "false"}, Blanks: true}}
}

// Document implements [Documents].
func (r *JSONReader) Document(_ *Node, root Var) int {
	i := r.Value(root, r.space(0))
	if i < 0 {
		return -1
	}
	return r.space(i)
}

// Reset implements [Grammar].
func (r *JSONReader) Reset() bool {
	const kept = 1 << 10
	if max(cap(r.anys), cap(r.names)) > kept {
		return false
	}
	clear(r.names[:cap(r.names)])
	clear(r.anys[:cap(r.anys)])
	r.names, r.anys, r.wide = r.names[:0], r.anys[:0], 0
	r.boxes.Clear()
	return r.Reader.Reset()
}

// IsNull implements [Grammar].
func (r *JSONReader) IsNull(i int) int { return r.word(i, "null") }

// Other implements [Grammar].
func (r *JSONReader) Other(v Var, i int) int {
	if v.Form != Any {
		return -1
	}
	x, i := r.any(i)
	if i >= 0 {
		v.SetHeld(x)
	}
	return i
}

// Key implements [Grammar].
func (r *JSONReader) Key(i int) (string, int) { return r.Str(i, gotype.String) }

// Str implements [Grammar].
func (r *JSONReader) Str(i int, _ gotype.Op) (string, int) {
	if r.Text[i] != '"' {
		return "", -1
	}
	return r.str(i)
}

// str reads the string at i.
func (r *JSONReader) str(i int) (string, int) {
	end := scan.StringEnd(r.Text, i+1)
	switch r.Text[end] {
	case '"':
		return r.Text[i+1 : end], end + 1
	case '\\':
		if r.Blanks {
			return r.Unescaped(&scan.JSONEscapes, i+1, end)
		}
	}
	return "", -1
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
	if !r.At(i, word) {
		return -1
	}
	return i + len(word)
}

func (r *JSONReader) anyList(i int) (any, int) {
	if i = r.next(i + 1); r.Text[i] == ']' {
		return []any{}, i + 1
	}
	if r.Depth++; r.Depth > maxDepth {
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
	r.Depth--
	return list, i + 1
}

// anyMap fills maps as it goes, whose memory has room for smallMap members at once. What
// wide ones hold waits until it is known how many members there are.
func (r *JSONReader) anyMap(i int) (any, int) {
	const smallMap = 8
	if i = r.next(i + 1); r.Text[i] == '}' {
		return map[string]any{}, i + 1
	}
	if r.Depth++; r.Depth > maxDepth {
		return nil, -1
	}
	var m map[string]any
	wide := uint64(1) << (r.Depth % 64)
	if r.wide&wide == 0 {
		m = make(map[string]any)
	}
	mark, first := len(r.anys), len(r.names)
	for {
		key, next := r.assigned(i)
		if next < 0 {
			return nil, -1
		}
		e, next := r.any(r.next(next))
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
	r.Depth--
	return m, i + 1
}

// Skip implements [Grammar].
func (r *JSONReader) Skip(i int) int {
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
	if r.Depth++; r.Depth > maxDepth {
		return -1
	}
	object, closing := r.Text[i] == '{', r.Text[i]+2 // in ASCII
	if i = r.next(i + 1); r.Text[i] == closing {
		r.Depth--
		return i + 1
	}
	for {
		if object {
			if _, i = r.assigned(i); i < 0 {
				return -1
			}
		}
		if i = r.Skip(i); i < 0 {
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
	r.Depth--
	return i + 1
}
