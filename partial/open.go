package partial

import (
	"strings"

	"github.com/wirekit/wirekit/internal/base/enum"
)

// Inside says what a [Part] is.
type Inside uint8

// What a text can end in.
const (
	Array Inside = iota
	Object
	Key         // within a key
	BeforeColon // after a key
	BeforeValue // after a colon
	String      // within a string
	Number      // within a number, or after it
	Unquoted    // within a word
)

var insides = enum.New[Inside]("partial.Inside", "array", "object", "key", "before_colon", "before_value", "string", "number", "unquoted")

// String returns the name of what is open.
func (i Inside) String() string { return insides.String(i) }

// A Part is an array, an object or a scalar that is not complete.
type Part struct {
	Pointer string // JSON pointer of the value; of a key that of its object
	Inside  Inside
	Text    string // of a key, string, number or word: what it has so far
	Rest    string // what does not count yet: the beginning of an escape or of a character
}

// Open returns what is open, from the root inwards; nothing once the value is complete.
func (p *Parser) Open() []Part {
	if p.whole {
		return nil
	}
	var parts []Part
	for i := range p.frames {
		part := Part{Pointer: p.pointer(i), Inside: Array}
		if p.frames[i].object {
			part.Inside = Object
		}
		parts = append(parts, part)
	}
	if leaf, ok := p.leaf(); ok {
		leaf.Rest += string(p.buf[p.valid:])
		parts = append(parts, leaf)
	}
	return parts
}

// leaf returns the scalar or key that is open. If none is, it has the pointer of the innermost
// array or object.
func (p *Parser) leaf() (leaf Part, ok bool) {
	n := len(p.frames)
	ok = true
	key := p.state == inBareKey
	switch p.state {
	case inString:
		leaf.Inside, leaf.Text, key = String, p.soFar(), p.text.key
		if p.pos < p.valid && p.buf[p.pos] == '\\' {
			leaf.Rest = string(p.buf[p.pos:min(p.valid, p.pos+len(`\u0000\u0000`))])
		}
	case inNumber, inWord, inBareKey:
		leaf.Inside, leaf.Text = Unquoted, string(p.buf[p.token:p.pos])
		if p.state == inNumber {
			leaf.Inside = Number
		}
	case inColon:
		leaf.Inside = BeforeColon
	case inValue:
		leaf.Inside, ok = BeforeValue, n > 0
	default:
		n, ok = max(0, n-1), false
	}
	if key {
		n, leaf.Inside = n-1, Key
	}
	leaf.Pointer = p.pointer(n)
	return leaf, ok
}

// Missing returns how the end of a text that is cut off was repaired in Value: what it has that
// is left out, and what closes the rest.
func (p *Parser) Missing() Repair {
	r := Repair{Kind: Cut, Offset: len(p.buf)}
	for _, part := range p.Open() {
		r.Pointer = part.Pointer
		r.Took = map[Inside]string{Array: "]", Object: "}", String: `"`}[part.Inside] + r.Took
		switch part.Inside {
		case String:
			r.Offset = p.pos
		case Number, Unquoted:
			r.Offset = p.token
		case Key, BeforeColon, BeforeValue:
			r.Offset = p.frames[len(p.frames)-1].keyAt
		}
	}
	r.Read = string(p.buf[r.Offset:])
	return r
}

// Complete reports whether the part of the value at a JSON pointer is there and will not
// change; "" is the whole value. Once it is, it stays so, unless a key on the way occurs again.
func (p *Parser) Complete(pointer string) bool {
	v, ok := p.Value()
	if _, err := v.At(pointer); err != nil || !ok {
		return false
	}
	n := len(p.frames)
	rest, leads := strings.CutPrefix(p.pointer(n), pointer) // to what is open
	if rest == "" {
		return p.whole || !leads || n > 0 && p.frames[n-1].slot < 0
	}
	return !leads || rest[0] != '/'
}
