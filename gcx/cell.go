package gcx

import (
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// cellParser parses the JSON text of one cell with the payload's builder, so
// the objects in the cells of a column share their keys. Its functions take an
// index and return the one behind what they parsed, or -1 if the text is not
// JSON; then unfinished arrays and objects may have left values on the
// builder's stack.
type cellParser struct {
	b       *wire.Builder
	s       string
	values  int // left of the limit
	scratch []byte
	failed  *wire.Error // a limit; nil if the text is just no JSON
}

func (p *cellParser) space(i int) int {
	for i < len(p.s) && (p.s[i] == ' ' || p.s[i] == '\t' || p.s[i] == '\n' || p.s[i] == '\r') {
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
	n := scan.Number(p.s[i:])
	if n == 0 {
		return wire.Value{}, -1
	}
	return number(p.s[i : i+n]), i + n
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
		if v, i = p.value(p.space(i), depth); i < 0 {
			return v, -1
		}
		p.b.Push(v)
		i = p.space(i)
		switch p.at(i) {
		case ',':
			i++
		case ']':
			return p.b.Array(mark), i + 1
		default:
			return v, -1
		}
	}
}

func (p *cellParser) object(i, depth int) (v wire.Value, next int) {
	o := p.b.Object()
	if i = p.space(i); p.at(i) == '}' {
		return p.b.EndObject(&o), i + 1
	}
	for {
		if i = p.key(&o, p.space(i)); i < 0 {
			return v, -1
		}
		if i = p.space(i); p.at(i) != ':' {
			return v, -1
		}
		if v, i = p.value(p.space(i+1), depth); i < 0 {
			return v, -1
		}
		p.b.Put(&o, v)
		i = p.space(i)
		switch p.at(i) {
		case ',':
			i++
		case '}':
			return p.b.EndObject(&o), i + 1
		default:
			return v, -1
		}
	}
}

// key parses a key, mostly the one that followed in the last object of the
// same shape.
func (p *cellParser) key(o *wire.ObjectBuilder, i int) int {
	if p.at(i) != '"' {
		return -1
	}
	i++
	if next, ok := p.b.Predict(o); ok {
		if end := i + len(next); end < len(p.s) && p.s[end] == '"' && p.s[i:end] == next && scan.StringEnd(next, 0) == len(next) {
			p.b.Key(o, next)
			return end + 1
		}
	}
	s, i := p.str(i)
	if i >= 0 {
		p.b.Key(o, s)
	}
	return i
}

// str parses a string from behind its opening quotation mark.
func (p *cellParser) str(start int) (string, int) {
	i := scan.StringEnd(p.s, start)
	if p.at(i) == '"' {
		return p.s[start:i], i + 1
	}
	p.scratch = append(p.scratch[:0], p.s[start:i]...)
	for {
		switch p.at(i) {
		case '"':
			return p.b.Text(p.scratch), i + 1
		case '\\':
			if i = p.unescape(i + 1); i < 0 {
				return "", -1
			}
		default:
			return "", -1
		}
		end := scan.StringEnd(p.s, i)
		p.scratch = append(p.scratch, p.s[i:end]...)
		i = end
	}
}

var unescapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape decodes the escape whose letter is at i.
func (p *cellParser) unescape(i int) int {
	c := p.at(i)
	if plain := unescapes[c]; plain != 0 {
		p.scratch = append(p.scratch, plain)
		return i + 1
	}
	if c != 'u' {
		return -1
	}
	r, ok := p.hex(i + 1)
	if !ok {
		return -1
	}
	i += 5
	if r >= 0xD800 && r < 0xE000 {
		low := rune(-1)
		if r < 0xDC00 && p.at(i) == '\\' && p.at(i+1) == 'u' {
			low, _ = p.hex(i + 2)
		}
		if low < 0xDC00 || low > 0xDFFF {
			return -1 // half of a surrogate pair is not text
		}
		r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
		i += 6
	}
	p.scratch = utf8.AppendRune(p.scratch, r)
	return i
}

func (p *cellParser) hex(i int) (rune, bool) {
	if i+4 > len(p.s) {
		return 0, false
	}
	var digits [4]byte
	copy(digits[:], p.s[i:i+4])
	return scan.Hex4(digits[:])
}
