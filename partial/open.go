package partial

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/wire"
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

// leaf returns the scalar or key that is open.
func (p *Parser) leaf() (Part, bool) {
	n := len(p.frames)
	state := p.state
	if state == inComment {
		state = p.last.back
	}
	switch state {
	case inString, inConfirm, inEscape:
		part := Part{Pointer: p.pointer(n), Inside: String, Text: p.soFar()}
		if p.text.key {
			part.Pointer, part.Inside = p.pointer(n-1), Key
		}
		if p.state == inEscape {
			part.Rest = string(p.buf[p.pos:p.valid])
		}
		return part, true
	case inBareKey:
		return Part{Pointer: p.pointer(n - 1), Inside: Key, Text: string(p.buf[p.token:p.pos])}, true
	case inColon:
		return Part{Pointer: p.pointer(n), Inside: BeforeColon}, true
	case inValue:
		return Part{Pointer: p.pointer(n), Inside: BeforeValue}, n > 0 && !p.frames[n-1].many
	case inNumber:
		return Part{Pointer: p.pointer(n), Inside: Number, Text: string(p.buf[p.token:p.pos])}, true
	case inWord, inBareEnd:
		return Part{Pointer: p.pointer(n), Inside: Unquoted, Text: strings.TrimSpace(string(p.buf[p.token:p.pos]))}, true
	}
	return Part{}, false
}

// Complete reports whether the part of the value at a JSON pointer is there and will not
// change; "" is the whole value. Once it is, it stays so, unless a key on the way occurs again.
func (p *Parser) Complete(pointer string) bool {
	_, ok := p.completed(pointer)
	return ok
}

// completed returns the part at a pointer if it is complete.
func (p *Parser) completed(pointer string) (wire.Value, bool) {
	if p.whole {
		v, err := p.root.At(pointer)
		return v, err == nil
	}
	f, at, rest := p.reach(pointer)
	if f == nil || at < 0 {
		return wire.Value{}, false
	}
	v, err := f.vals[at].At(rest)
	return v, err == nil
}

// reach follows a pointer through what is open. It returns the array or object that it leads
// to or whose complete child at a position it leads into, with the rest of the pointer; the
// position is -1 if there is no such child.
func (p *Parser) reach(pointer string) (f *frame, at int, rest string) {
	rest = pointer
	for i := range p.frames {
		f = &p.frames[i]
		if rest == "" {
			return f, -1, ""
		}
		var token string
		if token, rest = cutToken(rest); f.object {
			at = p.keysOf(f).Index(token)
		} else if at, _ = strconv.Atoi(token); strconv.Itoa(at) != token || at >= len(f.vals) {
			at = -1
		}
		if at < 0 {
			return nil, -1, ""
		}
		if at != f.slot {
			return f, at, rest
		}
	}
	return nil, -1, ""
}

var pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")

// cutToken returns the first reference token of a pointer, and the rest.
func cutToken(pointer string) (token, rest string) {
	token, rest, found := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if found {
		rest = "/" + rest
	}
	return pointerUnescapes.Replace(token), rest
}
