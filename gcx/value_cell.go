package gcx

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// cellParser parses JSON text with the payload's builder, so the objects in the
// cells of a column share their keys. Its functions take an index and return
// the one after what they parsed, or -1 if the text is not JSON; then
// unfinished arrays and objects may have left values on the builder's stack.
type cellParser struct {
	b *builder.Builder
	s string
	// escaped says that s is the payload itself, where every backslash of the
	// JSON text is two and a cell ends with its line. What the document lets a
	// cell write in another way is -1 then, for it is rare.
	escaped bool
	values  int         // left of the limit
	failed  *wire.Error // a limit; nil if the text is just no JSON
}

func (p *cellParser) space(i int) int {
	for p.at(i) == ' ' || !p.escaped && (p.at(i) == '\t' || p.at(i) == '\n' || p.at(i) == '\r') {
		i++
	}
	return i
}

// at returns the byte at i, 0 at the end.
func (p *cellParser) at(i int) byte {
	if i < len(p.s) {
		return p.s[i]
	}
	return 0
}

func (p *cellParser) limit(e wire.Error) (wire.Value, int) {
	p.failed = &e
	return wire.Value{}, -1
}

func (p *cellParser) value(i, depth int) (wire.Value, int) {
	if p.values--; p.values < 0 {
		return p.limit(tooManyValues())
	}
	switch c := p.at(i); c {
	case '"':
		s, i := p.str(i + 1)
		return wire.String(s), i
	case '{':
		if depth <= 0 {
			return p.limit(*tooDeep())
		}
		return p.object(i+1, depth-1)
	case '[':
		if depth <= 0 {
			return p.limit(*tooDeep())
		}
		return p.array(i+1, depth-1)
	case 't':
		return wire.Bool(true), p.word(i, "true")
	case 'f':
		return wire.Bool(false), p.word(i, "false")
	case 'n':
		return wire.Value{}, p.word(i, "null")
	}
	return numberAt(p.s, i)
}

func (p *cellParser) word(i int, word string) int {
	end := i + len(word)
	if end > len(p.s) || p.s[i:end] != word {
		return -1
	}
	return end
}

func (p *cellParser) array(i, depth int) (v wire.Value, next int) {
	if i = p.space(i); p.at(i) == ']' {
		return wire.Array(), i + 1
	}
	mark := p.b.Mark()
	for {
		if c := p.at(i); (c-'0' <= 9 || c == '-') && p.values > 0 {
			p.values--
			v, i = numberAt(p.s, i)
		} else if c == '"' && p.values > 0 {
			p.values--
			var s string
			s, i = p.str(i + 1)
			v = wire.String(s)
		} else {
			v, i = p.value(i, depth)
		}
		if i < 0 {
			return v, -1
		}
		p.b.Push(v)
		if p.at(i) <= ' ' {
			i = p.space(i)
		}
		switch p.at(i) {
		case ',':
			if i++; p.at(i) <= ' ' {
				i = p.space(i)
			}
		case ']':
			return p.b.Array(mark), i + 1
		default:
			return v, -1
		}
	}
}

// fewMembers is the number of members up to which an object's values wait in an array
// of the function that parses it, which writes there without a barrier.
const fewMembers = 8

func (p *cellParser) object(i, depth int) (v wire.Value, next int) {
	o := p.b.Object()
	if i = p.space(i); p.at(i) == '}' {
		return p.b.EndObject(&o), i + 1
	}
	var few [fewMembers]wire.Value // the values, until they are on the stack
	n := 0                         // of few; then -1
	for {
		fresh := true
		if colon := p.b.QuotedKeyIn(&o, p.s, i); colon >= 0 {
			i = colon + 1
		} else if i, fresh = p.key(&o, i); i < 0 {
			return v, -1
		}
		if !fresh || n == len(few) {
			for k := range n {
				p.b.Push(few[k])
			}
			n = -1
		}
		if p.at(i) <= ' ' {
			i = p.space(i)
		}
		if v, i = p.value(i, depth); i < 0 {
			return v, -1
		}
		switch {
		case n >= 0:
			few[n] = v
			n++
		case fresh:
			p.b.Push(v) // what Put does
		default:
			p.b.Put(&o, v)
		}
		if p.at(i) <= ' ' {
			i = p.space(i)
		}
		switch p.at(i) {
		case ',':
			if i++; p.at(i) <= ' ' {
				i = p.space(i)
			}
		case '}':
			if n >= 0 {
				return p.b.RowFrom(p.b.KeysSoFar(&o), few[:n]), i + 1
			}
			return p.b.EndObject(&o), i + 1
		default:
			return v, -1
		}
	}
}

// key parses a key and its colon, and reports whether the object has it not yet.
func (p *cellParser) key(o *wire.ObjectBuilder, i int) (next int, fresh bool) {
	if p.at(i) != '"' {
		return -1, false
	}
	key, i := p.str(i + 1)
	if i < 0 {
		return -1, false
	}
	fresh = p.b.Key(o, key)
	if p.at(i) <= ' ' {
		i = p.space(i)
	}
	if p.at(i) != ':' {
		return -1, false
	}
	return i + 1, fresh
}

// str parses a string from after its opening quotation mark.
func (p *cellParser) str(start int) (string, int) {
	i := scan.StringEnd(p.s, start)
	if p.at(i) == '"' {
		return p.s[start:i], i + 1
	}
	escapes := &scan.JSONEscapes
	if p.escaped {
		escapes = &doubledEscapes
	}
	text, i := p.b.Unescape(escapes, p.s, start, i)
	if p.at(i) != '"' {
		return "", -1
	}
	return text, i + 1
}

// doubledEscapes are those of JSON text in a cell.
var doubledEscapes = scan.Escapes{Doubled: true, Pairs: true}

// numberAt returns the number in JSON's grammar that is at i, the longest
// one, and where it ends; -1 if there is none.
func numberAt(s string, start int) (wire.Value, int) {
	if start < len(s) {
		if v, end := builder.Decimal(s, start); end == len(s) || end >= 0 && s[end]|0x20 != 'e' {
			return v, end
		}
	}
	n := scan.Number(s[start:])
	if n == 0 {
		return wire.Value{}, -1
	}
	return builder.NumberText(s[start : start+n]), start + n
}

// plainCell returns the value of a cell as most are written: a number, or a string
// without escapes that cannot be read as anything else, which a TAB or a line feed
// ends. It returns where it ends, or -1 for all others.
func plainCell(text string, i int, letter byte) (wire.Value, int) {
	if i >= len(text) {
		return wire.Value{}, -1
	}
	switch c := text[i]; {
	case !firstByte[c] || verbatim(letter):
		if c == '\t' || c == '\n' {
			return emptyCell(letter), i
		}
		end := i
		if i+8 > len(text) {
			end = special(text, i)
		} else if stop := specials(scan.Load64(text, i)); stop != 0 {
			end += bits.TrailingZeros64(stop) / 8
		} else {
			end = special(text, i+8)
		}
		if !separates(text, end) {
			return wire.Value{}, -1
		}
		return wire.String(text[i:end]), end
	case c-'0' <= 9 || c == '-':
		if v, end := builder.Decimal(text, i); end >= 0 && separates(text, end) {
			return v, end
		}
	case c == 't' && strings.HasPrefix(text[i:], "true") && separates(text, i+len("true")):
		return wire.Bool(true), i + len("true")
	case c == 'f' && strings.HasPrefix(text[i:], "false") && separates(text, i+len("false")):
		return wire.Bool(false), i + len("false")
	}
	return wire.Value{}, -1
}

// separates reports whether a TAB or a line feed is at i.
func separates(text string, i int) bool {
	return i < len(text) && (text[i] == '\t' || text[i] == '\n')
}
