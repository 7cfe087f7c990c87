package wire

import (
	"bytes"
	"math/bits"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// fewNumbers is the number of elements up to which an array of numbers is parsed
// without a look at how long it is, where all memory is new.
const fewNumbers = 8

// numbers parses an array of numbers from its first element on, straight into its
// slots. It returns -1, and has used up nothing but slots, if the array is not
// certain to be one, within the limits: then array finds out.
//
// It begins with slots that are free, and takes them at the end: most arrays are short. A
// longer one is counted first, and as many slots are taken.
func (p *jsonParser) numbers(i int) (Value, int) {
	slots, n, counted := p.free(), 0, false
	if p.mem == nil {
		slots = slots[:min(len(slots), fewNumbers)]
	}
	buf, blanks := p.buf, gap{} // blanks are those after the last comma
	for {
		if n >= len(slots) {
			if counted {
				break // it was not as it seemed
			}
			few := slots
			if slots, counted = p.slotsOfNumbers(i, n), true; slots == nil {
				return Value{}, -1
			}
			copy(slots, few) // which may be the same memory
		}
		end := numberEnd(buf, i)
		if end < 0 {
			break
		}
		slots[n] = spanValue(KindNumber, formText, buf, i, end)
		n++
		if buf[end] <= ' ' {
			end = p.space(end)
		}
		if buf[end] == ']' && n <= p.values && (!counted || n == len(slots)) {
			if !counted {
				p.take(n)
			}
			p.values -= n
			return ours{&p.Builder}.ArrayOf(slots[:n]), end + 1
		}
		if buf[end] != ',' {
			break
		}
		if i = end + 1; buf[i] > ' ' {
			continue
		}
		if i++; buf[i] <= ' ' || buf[i-1] != ' ' { // more than one blank
			if i = end + 1 + len(blanks.text); !blanks.is(buf, end+1, i) || buf[i] <= ' ' {
				i = p.space(end + 1)
				blanks.text = buf[end+1 : i]
			}
		}
	}
	if counted {
		p.untake(slots)
	}
	return Value{}, -1
}

// slotsOfNumbers returns the slots of an array that has n elements and those from i on, if
// it holds nothing but numbers. What it looks at to no avail is bounded: one array after the
// other may only seem to be of numbers.
func (p *jsonParser) slotsOfNumbers(i, n int) []Value {
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
func numberEnd(buf []byte, i int) int {
	// others marks what is not a digit among the eight bytes at i; marks are looked for
	// and dropped from the front. A sign's mark is taken out by arithmetic, since no branch
	// can foresee signs.
	w := load(buf, i)
	minus := int((w&0xFF ^ '-' - 1) >> 63) // 1 or 0
	others := scan.NonDigits(w) ^ uint64(minus)<<7
	first, marked := i+minus, i+8 // buf[marked:] has no marks
	end := i + bits.TrailingZeros64(others)/8
	if others == 0 {
		end = digitsEnd(buf, marked)
		marked = end + 1
	}
	if end == first || buf[first] == '0' && end > first+1 {
		return -1
	}
	if buf[end] == '.' {
		fraction := end + 1
		if others &= others - 1; others != 0 {
			end = i + bits.TrailingZeros64(others)/8
		} else {
			end = digitsEnd(buf, marked)
		}
		if end == fraction {
			return -1
		}
	}
	if buf[end]|0x20 == 'e' {
		return exponentEnd(buf, end+1)
	}
	return end
}

// exponentEnd is numberEnd from after the letter on.
func exponentEnd(buf []byte, i int) int {
	if buf[i] == '+' || buf[i] == '-' {
		i++
	}
	from := i
	for buf[i]-'0' <= 9 {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

// digitsEnd returns the position of the first byte at or after i that is no
// digit. After the text are eight zero bytes.
func digitsEnd(buf []byte, i int) int {
	for {
		if other := scan.NonDigits(load(buf, i)); other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
		i += 8
	}
}
