package wire

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// What package tron calls. TRON is JSON after a header of classes and with one production
// more, the instance of a class: A(1,2) is the object of the members that the header gives A.

// A class is a list of members with a name.
type class struct {
	name  string
	at    int // of the name
	keys  *Keys
	sites []*shape // of the members' values
}

// classes are those of a document. Most have a name of one letter.
type classes struct {
	letters [128]*class
	others  map[string]*class
	copied  int // members of parents that may still be copied
	members int // that may still be declared
}

// freeCopies is how many members of parents may be copied beside one for each byte: a chain
// of classes would have many.
const freeCopies = 1 << 16

func (c *classes) find(name []byte) *class {
	if len(name) == 1 {
		return c.letters[name[0]&0x7f]
	}
	return c.others[string(name)]
}

// SniffClassed reports whether text begins with classes and a value that may have instances
// of them.
func (internal) SniffClassed(text []byte) (found bool) {
	p := borrowParser(inplace.Owned{}, "tron", &Limits{}, false)
	if p.load(text, text) == nil {
		i := p.header()
		if i >= 0 && p.classes.members < p.limits.Values && scan.IsUTF8(text[:i]) {
			found = p.buf[i] == '[' || p.buf[i] == '{' || p.classes.find(p.name(i)) != nil && p.calls(i)
		}
	}
	p.giveBack(nil)
	return found
}

// ViewClassed calls f with the value of a document. text is src or the end of it, or as long
// as that and what src means.
func (internal) ViewClassed(to inplace.Target, l *Limits, src, text []byte, f func(Value) error) (decoded bool, err error) {
	p := borrowParser(to, "tron", l, false)
	v, err := p.classed(src, text)
	if decoded = err == nil; decoded {
		err = f(v)
	}
	p.giveBack(err)
	return decoded, err
}

func (p *jsonParser) classed(src, text []byte) (Value, error) {
	if err := p.load(src, text); err != nil {
		return Value{}, err
	}
	return p.whole(src, text, p.header(), p.separators)
}

// ClassedRecords yields the elements of the array that a stream has after its header.
func (internal) ClassedRecords(to inplace.Target, l *Limits, r io.Reader, yield func(Value, error) bool) {
	s := JSON{Limits: *l}.stream(r, borrowParser(to, "tron", l, false), nil)
	header, _, err := s.cut(valueEnd{depth: 1, header: true}, "the header")
	if err == nil {
		err = s.p.arrayHeader(header)
	}
	if err == nil {
		s.Drop(len(header) - 1)
	}
	s.read(nil, err, yield)
}

// arrayHeader reads the header of an array.
func (p *jsonParser) arrayHeader(src []byte) error {
	text := scan.TrimBOM(src)
	if err := p.load(src, text); err != nil {
		return err
	}
	switch i := p.header(); {
	case i < 0:
	case i == p.end:
		p.expected(i, "an array")
	case p.buf[i] != '[':
		p.fail(i, "not_an_array", ErrShape, "the document is not an array, so it has no records")
		p.hint("decode it as a whole")
	}
	return p.check(src, text)
}

// header reads the classes and returns where the value begins.
func (p *jsonParser) header() int {
	p.classes = &classes{others: map[string]*class{}, copied: freeCopies + p.end, members: p.limits.Values}
	i := p.separators(0)
	for i >= 0 && string(p.name(i)) == "class" {
		if i = p.class(p.blanks(i + len("class"))); i >= 0 {
			i = p.separators(i)
		}
	}
	return i
}

// class reads a class from its name on.
func (p *jsonParser) class(i int) int {
	c, o := &class{name: string(p.name(i)), at: i}, p.Object()
	switch first := p.classes.find([]byte(c.name)); {
	case c.name == "" || c.name == "class" || isWord(c.name):
		p.expected(i, "the name of a class")
		return p.hint("it has letters, digits and _, is not a word of JSON, and is on the line of the word class")
	case first != nil:
		line := 1 + bytes.Count(p.buf[:first.at], []byte{'\n'})
		p.fail(i, "class_defined_twice", ErrDuplicateKey, fmt.Sprintf("class %.60s is defined twice, first on line %d", c.name, line))
		return p.hint("give it another name")
	}
	if i = p.blanks(i + len(c.name)); p.buf[i] == '(' {
		if i = p.parent(p.blanks(i+1), &o); i < 0 {
			return -1
		}
	}
	if p.buf[i] != ':' {
		return p.expected(i, "':' after the name of a class")
	}
	own := p.classes.members
	if i = p.members(i+1, c.name, &o); i < 0 {
		return -1
	}
	if p.classes.members == own {
		return p.fail(c.at, "no_members", ErrSyntax, fmt.Sprintf("class %.60s has no members of its own", c.name))
	}
	c.keys = p.keysOf(&o)
	c.sites = make([]*shape, len(c.keys.names))
	if len(c.name) == 1 {
		p.classes.letters[c.name[0]] = c
	} else {
		p.classes.others[c.name] = c
	}
	return i
}

// parent reads the name of a parent and the parenthesis after it.
func (p *jsonParser) parent(i int, o *ObjectBuilder) int {
	name := p.name(i)
	if len(name) == 0 {
		return p.expected(i, "the name of a class")
	}
	parent := p.classes.find(name)
	if parent == nil {
		p.fail(i, "undefined_class", ErrSyntax, fmt.Sprintf("no class %.60s is defined", name))
		return p.hint("define it before the class that extends it")
	}
	if p.classes.copied -= len(parent.keys.names); p.classes.copied < 0 {
		return p.limited(i, "too_many_members", "classes have more members of their parents than the text has bytes", "write the members of these classes out")
	}
	for _, key := range parent.keys.names {
		p.Key(o, key)
	}
	if i = p.blanks(i + len(name)); p.buf[i] != ')' {
		return p.expected(i, "')' after the name of a class")
	}
	return p.blanks(i + 1)
}

// members reads the members of a class up to what separates it from the rest.
func (p *jsonParser) members(i int, class string, o *ObjectBuilder) int {
	const hint = "put names of other than letters, digits and _ in quotation marks"
	for lined := false; ; { // lined says that the next member is not on the line of the last
		if i = p.blanks(i); p.buf[i] == '\n' {
			lined = true
			i = p.space(i)
		}
		if i == p.end || p.buf[i] == ';' || lined && p.endsMembers(i) {
			return i
		}
		at, key := i, aliasString(p.name(i))
		switch {
		case key == "class":
			p.fail(i, "reserved_name", ErrSyntax, "a member has the name class")
			return p.hint(`put it in quotation marks, "class", or end the class before it with ';'`)
		case key != "":
			i += len(key)
		case p.buf[i] != '"':
			p.expected(i, "the name of a member")
			return p.hint(hint)
		default:
			if key, i = p.text(i+1, i+1); i < 0 {
				return -1
			}
		}
		if !p.Key(o, key) {
			return p.fail(at, CodeDuplicateKey, ErrDuplicateKey, fmt.Sprintf("class %.60s has member %.60q twice", class, key))
		}
		if p.classes.members--; p.classes.members < 0 {
			return p.limited(at, CodeTooManyValues, "classes have more members than the limit of values", "raise Limits.Values")
		}
		lined = false
		switch i = p.blanks(i); p.buf[i] {
		case ',':
			i++
		case '\n', ';', 0:
		default:
			p.expected(i, "',', ';' or the end of the line after a member")
			return p.hint(hint)
		}
	}
}

// endsMembers reports whether what a line begins with is not a member of the class before it.
func (p *jsonParser) endsMembers(i int) bool {
	switch name := string(p.name(i)); {
	case name == "class" || isWord(name):
		return true
	case name != "":
		return p.calls(i)
	case p.buf[i] != '"':
		return true
	}
	return p.separators(i+scalarLen(p.buf[i:p.end])) == p.end
}

// calls reports whether a parenthesis follows the name at i.
func (p *jsonParser) calls(i int) bool { return p.buf[p.space(nameEnd(p.buf, i))] == '(' }

// separators skips white space and semicolons.
func (p *jsonParser) separators(i int) int {
	for i = p.space(i); p.buf[i] == ';'; {
		i = p.space(i + 1)
	}
	return i
}

// blanks skips white space within a line.
func (p *jsonParser) blanks(i int) int {
	for p.buf[i] == ' ' || p.buf[i] == '\t' || p.buf[i] == '\r' {
		i++
	}
	return i
}

// hint gives the error one and returns -1.
func (p *jsonParser) hint(hint string) int {
	p.err.Hint = hint
	return -1
}

// isWord reports whether JSON has the word.
func isWord(name string) bool { return name == "true" || name == "false" || name == "null" }

// name returns the name that begins at i, which is empty if there is none.
func (p *jsonParser) name(i int) []byte {
	if !isNameStart(p.buf[i]) {
		return nil
	}
	return p.buf[i:nameEnd(p.buf, i)]
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
		return Value{}, p.hint("define its members before the data, class A: x,y; text is in quotation marks")
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
		if p.values--; p.values < 0 {
			return Value{}, p.tooMany(i)
		}
		p.push(Value{})
		if i = p.stacked(i, at, &c.sites[k]); i < 0 {
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
			p.hint("name it too, y=2, or put it before them")
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
func (internal) AppendClassed(dst []byte, start int, v Value, l *Limits, depth int, labels func(*Keys) ([]string, bool)) (text []byte, stopped bool, err error) {
	w := jsonWriter{instance: labels}
	w.begin("tron", dst, "", l)
	w.maxLen = bound.Add(start, l.Resolved().OutputBytes)
	w.value(v, depth)
	if err := w.check(v, start); err != nil {
		return dst, err.(*Error).Code == codeStopped, err
	}
	return w.dst, false, nil
}
