package quiz

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A Kind is a kind of question.
type Kind string

// Kinds of questions about values.
const (
	Lookup   Kind = "lookup"   // a member of the element with a key
	Position Kind = "position" // a member of the n-th element, or a line
	Reverse  Kind = "reverse"  // the key of the element with a member
	Count    Kind = "count"    // the elements with a member
	Sum      Kind = "sum"      // of a member of the first elements
	Minimum  Kind = "minimum"  // of a member of all elements
	Join     Kind = "join"     // a member of the element that another list's element names
	Absent   Kind = "absent"   // absent, null, empty or a value
	Order    Kind = "order"    // which of two elements comes first
	Copy     Kind = "copy"     // a value that is easily miscopied, character by character
	Whole    Kind = "whole"    // has the document been cut, or rows taken out of it?
	Task     Kind = "task"     // a value as the argument of a tool
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{Lookup, Position, Reverse, Count, Sum, Minimum, Join, Absent, Order, Copy, Whole, Task}
}

// A list is an array of objects in a document.
type list struct {
	path    string // a JSON pointer, empty for the document itself
	value   wire.Value
	columns []column
	keys    []int // the columns that tell all elements apart
}

// A column is a member that elements of a list have.
type column struct {
	name    string
	values  []wire.Value // null where an element does not have it
	present []bool
	times   map[string]int // how often a scalar occurs, by its spelling
	scalar  bool           // no element has an array or object
	numbers bool           // all elements have a number
	unmixed bool           // values are of one kind, and equal numbers spelled alike: else 1 and "1", or 1 and 1.0, would be two answers
	least   string         // the smallest number, empty if not all are numbers without exponents
}

// A survey is what a document has to ask about.
type survey struct {
	lists   []list
	scalars []leaf // with an awkward spelling first
}

// A leaf is a scalar outside of lists, at a JSON pointer.
type leaf struct {
	path  string
	value wire.Value
}

const (
	maxLists  = 64
	maxLeaves = 4096
	maxShown  = 200 // bytes of a value in a question or answer
)

func (s *survey) visit(v wire.Value, path string) {
	switch v.Kind() {
	case wire.KindObject:
		for key, member := range v.Members() {
			s.visit(member, path+"/"+scan.PointerEscapes.Replace(key))
		}
	case wire.KindArray:
		if l, ok := listOf(v, path); ok && len(s.lists) < maxLists {
			s.lists = append(s.lists, l)
		}
		for i := range v.Len() {
			if len(s.scalars) < maxLeaves {
				s.visit(v.Index(i), path+"/"+strconv.Itoa(i))
			}
		}
	default:
		if _, ok := spelling(v); ok && len(s.scalars) < maxLeaves {
			s.scalars = append(s.scalars, leaf{path, v})
		}
	}
}

// listOf returns the columns of an array of at least two objects, one of which has a member.
func listOf(v wire.Value, path string) (list, bool) {
	l := list{path: path, value: v}
	if v.Len() < 2 {
		return l, false
	}
	index := map[string]int{}
	for i := range v.Len() {
		row := v.Index(i)
		if row.Kind() != wire.KindObject {
			return l, false
		}
		for name, member := range row.Members() {
			k, known := index[name]
			if !known {
				if len(l.columns) == 100 {
					return l, false
				}
				k = len(l.columns)
				index[name] = k
				l.columns = append(l.columns, column{name: name, values: make([]wire.Value, v.Len()), present: make([]bool, v.Len()),
					times: map[string]int{}, scalar: true, numbers: true})
			}
			c := &l.columns[k]
			c.values[i], c.present[i] = member, true
			c.scalar = c.scalar && member.Kind() < wire.KindArray
		}
	}
	for k := range l.columns {
		c := &l.columns[k]
		for _, member := range c.values {
			c.numbers = c.numbers && member.Kind() == wire.KindNumber
			if text, ok := spelling(member); ok {
				c.times[text]++
			}
		}
		c.unmixed = unmixed(c)
		if c.numbers {
			c.least = least(c.values)
		}
		if c.scalar && len(c.times) == v.Len() {
			l.keys = append(l.keys, k)
		}
	}
	return l, len(l.columns) > 0
}

// spelling returns the text of a string, number or boolean that can be shown in a
// question, and asked for.
func spelling(v wire.Value) (string, bool) {
	switch v.Kind() {
	case wire.KindNumber:
		text := v.Text()
		return text, len(text) <= maxShown
	case wire.KindBool:
		return strconv.FormatBool(v.Bool()), true
	case wire.KindString:
		s := v.Text()
		return s, s != "" && len(s) <= maxShown && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\n\r\t\"`") && strings.Trim(s, "'.") == s
	}
	return "", false
}

// An asked question.
type asked struct {
	question, right string
	tool            string
}

// ask returns a question of that kind, if the document has one.
func (s *survey) ask(kind Kind, r *rand.Rand) (asked, bool) {
	for range 20 {
		if q, ok := s.try(kind, r); ok {
			return q, true
		}
	}
	return asked{}, false
}

func (s *survey) try(kind Kind, r *rand.Rand) (q asked, ok bool) {
	if len(s.lists) == 0 {
		return s.tryLeaf(kind, r)
	}
	l := &s.lists[r.IntN(len(s.lists))]
	row := r.IntN(l.value.Len())
	c := &l.columns[r.IntN(len(l.columns))]
	answer, shown := spelling(c.values[row])
	switch kind {
	case Position:
		return asked{question: fmt.Sprintf("In %s, take element number %d, counting from 1. What is its %q?", l.title(), row+1, c.name), right: answer}, shown
	case Count:
		return asked{question: fmt.Sprintf("In %s, how many elements have %s?", l.title(), where(c, row)), right: strconv.Itoa(c.times[answer])},
			shown && c.scalar && c.unmixed
	case Sum, Minimum:
		if !c.numbers {
			return q, false
		}
		if kind == Minimum {
			return asked{question: fmt.Sprintf("In %s, what is the smallest %q?", l.title(), c.name), right: c.least}, c.least != ""
		}
		n := min(len(c.values), 2+r.IntN(9))
		total, ok := sum(c.values[:n])
		return asked{question: fmt.Sprintf("In %s, what is the sum of %q over the first %d elements?", l.title(), c.name, n), right: total}, ok
	}
	if len(l.keys) == 0 {
		return q, false
	}
	key := &l.columns[l.keys[r.IntN(len(l.keys))]]
	id, _ := spelling(key.values[row])
	element := fmt.Sprintf("In %s, take the element with %s.", l.title(), where(key, row))
	switch kind {
	case Lookup:
		return asked{question: fmt.Sprintf("%s What is its %q?", element, c.name), right: answer}, shown && c != key
	case Copy:
		return asked{question: fmt.Sprintf("%s Copy its %q exactly, character by character.", element, c.name), right: answer}, shown && c != key && awkward(c.values[row], answer)
	case Task:
		return asked{question: fmt.Sprintf("%s Call the tool %s with its %q as the argument value.", element, toolName, c.name), right: answer, tool: toolName}, shown && c != key
	case Reverse:
		return asked{question: fmt.Sprintf("In %s, take the only element with %s. What is its %q?", l.title(), where(c, row), key.name), right: id},
			shown && c != key && c.scalar && c.times[answer] == 1 && c.unmixed
	case Absent:
		state, ok := stateOf(c, row)
		if r.IntN(3) > 0 && state == "value" {
			return q, false // most elements have a value
		}
		return asked{question: fmt.Sprintf("%s Is its %q absent, null, an empty text, or another value? Answer with one word: absent, null, empty or value.", element, c.name), right: state}, ok && c != key
	case Order:
		other := r.IntN(l.value.Len())
		second, _ := spelling(key.values[other])
		right := id
		if other < row {
			right = second
		}
		return asked{question: fmt.Sprintf("In %s, which of two elements comes first, the one with %s or the one with %s? Answer with its %q.", l.title(), where(key, row), where(key, other), key.name), right: right}, other != row
	case Join:
		return s.join(l, c, element, answer, row, r)
	}
	return q, false
}

// toolName is the tool of a [Task].
const toolName = "record"

// tryLeaf asks about a document without lists.
func (s *survey) tryLeaf(kind Kind, r *rand.Rand) (q asked, ok bool) {
	if len(s.scalars) == 0 {
		return q, false
	}
	l := s.scalars[r.IntN(len(s.scalars))]
	text, _ := spelling(l.value)
	switch kind {
	case Lookup:
		return asked{question: fmt.Sprintf("What is the value at the JSON pointer %q?", l.path), right: text}, true
	case Copy:
		return asked{question: fmt.Sprintf("Copy the value at the JSON pointer %q exactly, character by character.", l.path), right: text}, awkward(l.value, text)
	case Task:
		return asked{question: fmt.Sprintf("Call the tool %s with the value at the JSON pointer %q as the argument value.", toolName, l.path), right: text, tool: toolName}, true
	}
	return q, false
}

func (l *list) title() string {
	if l.path == "" {
		return "the list"
	}
	return fmt.Sprintf("the list at the JSON pointer %q", l.path)
}

// where names a column's value: texts in quotation marks, others without.
func where(c *column, row int) string {
	text, _ := spelling(c.values[row])
	if c.values[row].Kind() == wire.KindString {
		text = quoted(text)
	}
	return fmt.Sprintf("%q = %s", c.name, text)
}

func quoted(text string) string { return string(wire.AppendJSON(nil, wire.String(text))) }

func unmixed(c *column) bool {
	kind, spelled := wire.KindNull, map[string]string{}
	for _, v := range c.values {
		switch {
		case v.Kind() == wire.KindNull:
			continue
		case kind == wire.KindNull:
			kind = v.Kind()
		case v.Kind() != kind:
			return false
		}
		if kind == wire.KindNumber {
			text := v.Text()
			number := fmt.Sprint(decimal.Split(text)) // the same for equal ones
			if other, known := spelled[number]; known && other != text || strings.ContainsAny(text, "eE") {
				return false
			}
			spelled[number] = text
		}
	}
	return true
}

// awkward reports whether a value is easily miscopied: a long number or one that ends in
// 0 after the point, a long text, or one of digits.
func awkward(v wire.Value, text string) bool {
	if v.Kind() == wire.KindNumber {
		return len(text) > 9 || strings.Contains(text, ".") && strings.HasSuffix(text, "0")
	}
	return v.Kind() == wire.KindString && (len(text) > 20 || len(text) > 5 && strings.ContainsAny(text, "0123456789/"))
}

// stateOf returns the answer to a question of kind [Absent].
func stateOf(c *column, row int) (string, bool) {
	switch v := c.values[row]; {
	case !c.present[row]:
		return "absent", true
	case v.Kind() == wire.KindNull:
		return "null", true
	case v.Kind() == wire.KindString && v.Text() == "":
		return "empty", true
	default:
		return "value", v.Kind() < wire.KindArray
	}
}

// join asks for a member of the element in another list that a member names.
func (s *survey) join(from *list, c *column, element, answer string, row int, r *rand.Rand) (asked, bool) {
	if answer == "" {
		return asked{}, false
	}
	for offset := range s.lists {
		to := &s.lists[(offset+r.IntN(len(s.lists)))%len(s.lists)]
		if to == from {
			continue
		}
		for _, k := range to.keys {
			key := &to.columns[k]
			for i, v := range key.values {
				if v.Kind() != c.values[row].Kind() || !wire.Identical(v, c.values[row]) || !key.unmixed {
					continue
				}
				other := &to.columns[r.IntN(len(to.columns))]
				right, shown := spelling(other.values[i])
				if other == key || !shown {
					return asked{}, false
				}
				return asked{question: fmt.Sprintf("%s Then, in %s, take the element whose %q is the %q of the first. What is its %q?", element, to.title(), key.name, c.name, other.name), right: right}, true
			}
		}
	}
	return asked{}, false
}

// maxExponent bounds numbers that are added up or compared.
const maxExponent = 40

func rational(v wire.Value) (*big.Rat, bool) {
	text := v.Text()
	if len(text) > maxExponent || strings.ContainsAny(text, "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// sum returns the exact sum of numbers without exponents.
func sum(values []wire.Value) (string, bool) {
	total, digits := new(big.Rat), 0
	for _, v := range values {
		n, ok := rational(v)
		if !ok {
			return "", false
		}
		total.Add(total, n)
		if _, fraction, found := strings.Cut(v.Text(), "."); found {
			digits = max(digits, len(fraction))
		}
	}
	return total.FloatString(digits), true
}

// least returns the smallest of numbers, empty if one has an exponent.
func least(values []wire.Value) (text string) {
	var smallest *big.Rat
	for _, v := range values {
		n, ok := rational(v)
		if !ok {
			return ""
		}
		if smallest == nil || n.Cmp(smallest) < 0 {
			text, smallest = v.Text(), n
		}
	}
	return text
}
