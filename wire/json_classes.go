package wire

import (
	"fmt"
	"iter"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// What package tron calls. TRON is JSON with one production more, the instance of a class:
// A(1,2) is the object of the members that the document's header gives A.

// A class is a list of members with a name.
type class struct {
	name  string
	keys  *Keys
	sites []*shape // of the keys, as many as are in the shape tree
}

// classes are those of a document. Most have a name of one letter.
type classes struct {
	letters [128]*class
	others  map[string]*class
}

func (c *classes) find(name []byte) *class {
	if len(name) == 1 {
		return c.letters[name[0]&0x7f]
	}
	return c.others[string(name)]
}

// define makes the classes, whose names and whose members are distinct, those of the document.
func (p *jsonParser) define(all iter.Seq2[string, []string]) {
	p.classes = &classes{others: map[string]*class{}}
	for name, members := range all {
		c, o := &class{name: name}, p.Object()
		for _, m := range members {
			if p.Key(&o, m); o.at != nil {
				c.sites = append(c.sites, o.at)
			}
		}
		if c.keys = p.keysOf(&o); len(name) == 1 {
			p.classes.letters[name[0]&0x7f] = c
		} else {
			p.classes.others[name] = c
		}
	}
}

// ViewClassed calls f with the value that begins after the header, which is text[:from]. text
// is src or the end of it, or as long as that and what src means.
func (internal) ViewClassed(to inplace.Target, l *Limits, all iter.Seq2[string, []string], src, text []byte, from int, f func(Value) error) (decoded bool, err error) {
	p := borrowParser(to, "tron", l, false)
	v, err := p.classed(all, src, text, from)
	if decoded = err == nil; decoded {
		err = f(v)
	}
	p.giveBack(err)
	return decoded, err
}

func (p *jsonParser) classed(all iter.Seq2[string, []string], src, text []byte, from int) (root Value, err error) {
	if err := p.load(src, text); err != nil {
		return Value{}, err
	}
	p.define(all)
	if i := p.value(p.space(from), &root, &p.top().inside); i >= 0 {
		for i = p.space(i); p.buf[i] == ';'; {
			i = p.space(i + 1)
		}
		if i != p.end {
			p.trailing(i)
		}
	}
	if err := p.check(src, text); err != nil {
		return Value{}, err
	}
	return root, nil
}

// ClassedRecords yields the values of a stream's texts. next returns the next text, and what puts an error in it where it is in the
// stream; with a text, its error is that of one that has none itself.
func (internal) ClassedRecords(to inplace.Target, l *Limits, all iter.Seq2[string, []string],
	next func() (text []byte, place func(*Error) error, err error), yield func(Value, error) bool) {
	p := borrowParser(to, "tron", l, false)
	p.define(all)
	p.depth-- // the array of the records
	for {
		text, place, err := next()
		if text == nil {
			if err != nil {
				yield(Value{}, err)
			}
			break
		}
		v, fault := p.parse(text, text)
		p.endRecord()
		if e, ok := fault.(*Error); ok {
			e.detach()
			err = place(e)
		}
		if err != nil {
			yield(Value{}, err)
			break
		}
		if !yield(v, nil) {
			break
		}
	}
	p.giveBack(nil)
}

// nameEnd returns where the name at i ends.
func nameEnd(buf []byte, i int) int {
	for isNameByte(buf[i]) {
		i++
	}
	return i
}

// isNameByte reports whether a name may have c, and isNameStart whether one may begin with it.
func isNameByte(c byte) bool { return isNameStart(c) || c-'0' <= 9 }

func isNameStart(c byte) bool { return c|0x20-'a' <= 'z'-'a' || c == '_' }

// named parses what begins with a name at i: an instance.
func (p *jsonParser) named(i int) (Value, int) {
	end := nameEnd(p.buf, i)
	c := p.classes.find(p.buf[i:end])
	if c == nil {
		p.fail(i, "undefined_class", ErrSyntax, fmt.Sprintf("no class %.60s is defined", p.buf[i:end]))
		p.err.Hint = "define its members before the data, class A: x,y; text is in quotation marks"
		return Value{}, -1
	}
	if i = p.space(end); p.buf[i] != '(' {
		return Value{}, p.expected(i, "'(' after the name of a class")
	}
	return p.instance(i, c)
}

// instance parses the values of a class's members, from the parenthesis on. Like those of an
// array, they wait on the stack.
func (p *jsonParser) instance(i int, c *class) (Value, int) {
	if p.depth--; p.depth < 0 {
		return Value{}, p.tooDeep(i)
	}
	mark, n := p.mark(), c.keys.Len()
	for k := 0; ; k++ {
		if i++; p.buf[i] <= ' ' {
			i = p.space(i)
		}
		if isNameStart(p.buf[i]) {
			if key, value := p.assigned(i); value >= 0 {
				return p.assign(i, value, key, c, mark)
			}
		}
		from, at := i, len(p.stack)
		if k >= n || p.buf[i] == ')' {
			return Value{}, p.miscounted(i, c, k)
		}
		site := &p.wideSite
		if k < len(c.sites) {
			site = &c.sites[k].inside
		}
		if p.values--; p.values < 0 {
			return Value{}, p.tooMany(i)
		}
		p.push(Value{})
		if i = p.stacked(i, at, site); i < 0 {
			return Value{}, p.within(c.keys.names[k])
		}
		if p.buf[i] <= ' ' {
			i = p.space(i)
		}
		switch {
		case p.buf[i] == ',':
		case p.buf[i] == ')' && k == n-1:
			p.depth++
			return p.rowAbove(c.keys, mark), i + 1
		case p.buf[i] == ')':
			return Value{}, p.miscounted(i, c, k+1)
		case p.buf[i] == '=' && p.buf[from] == '"':
			key := strings.Clone(p.stack[at].str())
			p.pop(at)
			return p.assign(from, p.space(i+1), key, c, mark)
		default:
			return Value{}, p.expected(i, "',' or ')' after the value of a member")
		}
	}
}

// miscounted fails where the value of member k is missing, or a class has no member k.
func (p *jsonParser) miscounted(i int, c *class, k int) int {
	members := "1 member"
	if n := len(c.keys.names); n > 1 {
		members = fmt.Sprint(n, " members")
	}
	if k < len(c.keys.names) {
		return p.fail(i, "missing_value", ErrSyntax, fmt.Sprintf("class %.60s has %s, and %.60q has no value", c.name, members, c.keys.names[k]))
	}
	return p.fail(i, "too_many_values", ErrSyntax, fmt.Sprintf("class %.60s has %s, and here is value %d", c.name, members, k+1))
}

// assign parses the rest of an instance from its first member with a name on, key at keyAt,
// whose value is at i. The values before that are on the stack, in order.
func (p *jsonParser) assign(keyAt, i int, key string, c *class, mark int) (Value, int) {
	ordered := p.mark()
	given := map[int]int{} // how many values are before that of a member
	for {
		member := c.keys.Index(key)
		if member < 0 {
			return Value{}, p.fail(keyAt, "unknown_member", ErrUnknownMember, fmt.Sprintf("class %.60s has no member %.60q", c.name, key))
		}
		if _, twice := given[member]; twice || member < ordered-mark {
			return Value{}, p.fail(keyAt, CodeDuplicateKey, ErrDuplicateKey, fmt.Sprintf("member %.60q has a value already", key))
		}
		if p.values--; p.values < 0 {
			return Value{}, p.tooMany(i)
		}
		at := p.mark()
		given[member] = at - ordered
		p.push(Value{})
		if i = p.stacked(i, at, &p.wideSite); i < 0 {
			return Value{}, p.within(c.keys.names[member])
		}
		if i = p.space(i); p.buf[i] == ')' {
			return p.arrange(i, c, mark, ordered, given)
		}
		if p.buf[i] != ',' {
			return Value{}, p.expected(i, "',' or ')' after the value of a member")
		}
		keyAt = p.space(i + 1)
		if key, i = p.assigned(keyAt); i < 0 && p.err == nil {
			p.fail(keyAt, "positional_value", ErrSyntax, "a value without a name follows one with a name")
			p.err.Hint = "name it too, y=2, or put it before them"
		}
		if i < 0 {
			return Value{}, -1
		}
	}
}

// assigned returns the name of a member at i that an equals sign follows, and where its value
// begins; -1 if there is none.
func (p *jsonParser) assigned(i int) (key string, value int) {
	end := nameEnd(p.buf, i)
	if p.buf[i] == '"' {
		if key, end = p.text(i+1, i+1); end < 0 {
			return "", -1
		}
	}
	if value = p.space(end); end == i || p.buf[value] != '=' {
		return "", -1
	}
	if p.buf[i] != '"' {
		key = aliasString(p.buf[i:end])
	}
	return strings.Clone(key), p.space(value + 1)
}

// arrange ends an instance whose values from ordered on are in the order of given.
func (p *jsonParser) arrange(i int, c *class, mark, ordered int, given map[int]int) (Value, int) {
	values := make([]Value, 0, len(given))
	for member := ordered - mark; member < len(c.keys.names); member++ {
		at, ok := given[member]
		if !ok {
			return Value{}, p.miscounted(i, c, member)
		}
		values = append(values, p.stack[ordered+at])
	}
	copy(p.stack[ordered:], values)
	p.depth++
	return p.rowAbove(c.keys, mark), i + 1
}

// AppendClassed appends v to dst, which has what precedes it in a text from start on, as JSON
// in which objects are instances whose keys have labels: what is written before each of their
// values. v is depth levels deep in the text. If labels stops it, it reports that and appends
// nothing.
func (in internal) AppendClassed(dst []byte, start int, v Value, l *Limits, depth int, labels func(*Keys) ([]string, bool)) (text []byte, stopped bool, err error) {
	w := jsonWriter{instance: labels}
	w.begin(dst, "", l)
	w.maxLen = bound.Add(start, l.Resolved().OutputBytes)
	w.value(v, depth)
	w.fits()
	if e, ok := w.err.(*Error); ok {
		e.Format = "tron"
		return dst, e.Code == codeStopped, e
	}
	if !scan.IsUTF8(w.dst[start:]) {
		return dst, false, in.InvalidUTF8(v, "tron")
	}
	return w.dst, false, nil
}
