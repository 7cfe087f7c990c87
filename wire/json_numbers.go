package wire

import (
	"bytes"
	"math/bits"

	"github.com/wirekit/wirekit/internal/scan"
)

// fewNumbers is the number of elements up to which an array of numbers is parsed
// without a look at how long it is.
const fewNumbers = 8

// numbers parses an array of numbers from its first element on, straight into
// its slots. It returns -1, and has used up nothing but slots, if the array is
// not certain to be one, within the limits: then array finds out.
func (p *jsonParser) numbers(i int) (Value, int) {
	slots, n, whole := []Value(nil), 0, cap(p.slab)-len(p.slab) < fewNumbers
	if whole {
		slots = p.restOfNumbers(i, 0)
	} else {
		slots = p.take(fewNumbers)
	}
	if slots == nil {
		return Value{}, -1
	}
	for {
		end := p.numberEnd(i)
		if end < 0 {
			p.untake(slots)
			return Value{}, -1
		}
		slots[n] = spanValue(KindNumber, formText, p.buf, i, end)
		n++
		if i = end; p.buf[i] <= ' ' {
			i = p.space(i)
		}
		if p.buf[i] != ',' {
			break
		}
		if i++; p.buf[i] <= ' ' {
			i = p.space(i)
		}
		if n < len(slots) {
			continue
		}
		few := slots
		p.untake(few)
		if whole {
			return Value{}, -1
		}
		if slots, whole = p.restOfNumbers(i, n), true; slots == nil {
			return Value{}, -1
		}
		copy(slots, few) // which may be the same memory
	}
	if p.buf[i] != ']' || n > p.values || whole && n != len(slots) {
		p.untake(slots)
		return Value{}, -1
	}
	if n < len(slots) {
		p.untake(slots[n:])
	}
	p.values -= n
	return childrenValue(KindArray, &slots[0], n), i + 1
}

// restOfNumbers returns the slots of an array that has n elements and those from i
// on, if it holds nothing but numbers. What it looks at in vain is bounded: one
// array after the other may only seem to be of numbers.
func (p *jsonParser) restOfNumbers(i, n int) []Value {
	rest := p.buf[i:p.end]
	if len(rest) > p.counting {
		rest = rest[:p.counting]
	}
	end := bytes.IndexByte(rest, ']')
	if end < 0 {
		p.counting = 0
		return nil
	}
	p.counting -= end
	if bytes.IndexByte(rest[:end], '"') >= 0 {
		return nil
	}
	if n += 1 + bytes.Count(rest[:end], []byte{','}); n > p.values {
		return nil
	}
	return p.take(n)
}

// numberEnd returns where the number at i ends, -1 if none in JSON's grammar
// begins there.
func (p *jsonParser) numberEnd(i int) int {
	buf := p.buf
	if buf[i] == '-' {
		i++
	}
	first := i
	for buf[i]-'0' <= 9 {
		i++
	}
	if i == first || buf[first] == '0' && i > first+1 {
		return -1
	}
	if buf[i] == '.' {
		from := i + 1
		if i = digitsEnd(buf, from); i == from {
			return -1
		}
	}
	if buf[i]|0x20 == 'e' {
		if i++; buf[i] == '+' || buf[i] == '-' {
			i++
		}
		from := i
		for buf[i]-'0' <= 9 {
			i++
		}
		if i == from {
			return -1
		}
	}
	return i
}

// digitsEnd returns the position of the first byte at or after i that is no
// digit. Behind the text are eight zero bytes.
func digitsEnd(buf []byte, i int) int {
	for {
		// A byte is a digit if it differs from '0' by 9 at most. Adding 0x76 sets the
		// highest bit above that; a carry only reaches bytes above one that has it.
		w := load(buf, i) ^ '0'*scan.Ones
		if other := (w | (w + 0x76*scan.Ones)) & scan.Highs; other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
		i += 8
	}
}
