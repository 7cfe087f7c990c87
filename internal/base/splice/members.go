package splice

import (
	"bytes"
	"iter"
)

// Members are those of an object in a text, found by their names.
type Members struct {
	Text
	list []Member
}

// MembersAt finds the members of the object at s. ok is false for what is not one; there are
// the members in front of the fault then.
func (t Text) MembersAt(s Span) (m Members, ok bool) {
	m.Text = t
	ok = t.walk(s, '{', func(one Member) { m.list = append(m.list, one) })
	return m, ok
}

// Len returns how many members there are.
func (m Members) Len() int { return len(m.list) }

// At returns the value of a member, of two of one name the first, an empty span if there is
// none.
func (m Members) At(name string) Span {
	for _, one := range m.list {
		key := one.Key.Of(m.Bytes)
		if string(key[1:len(key)-1]) == name || bytes.IndexByte(key, '\\') >= 0 && nameAt(key, []string{name}) == 0 {
			return one.Value
		}
	}
	return Span{}
}

// Has reports whether there is a member of that name.
func (m Members) Has(name string) bool { return m.At(name) != Span{} }

// Raw returns the value of a member as it is written, nothing if there is none.
func (m Members) Raw(name string) []byte { return m.At(name).Of(m.Bytes) }

// Begins reports whether a member begins with a byte: it is a string, an object or an array.
func (m Members) Begins(name string, c byte) bool { return bytes.HasPrefix(m.Raw(name), []byte{c}) }

// Word returns the first of the members that is a string, "" if none is.
func (m Members) Word(names ...string) string {
	for _, name := range names {
		if m.Begins(name, '"') {
			word, _ := Unquote(m.Raw(name))
			return word
		}
	}
	return ""
}

// Object returns the members of a member that is an object, none if it is not.
func (m Members) Object(name string) Members {
	in, _ := m.MembersAt(m.At(name))
	return in
}

// Objects returns the objects in a member that is an array.
func (m Members) Objects(name string) iter.Seq[Members] {
	return func(yield func(Members) bool) {
		all, _ := m.FindElements(m.At(name))
		for _, s := range all {
			if o, ok := m.MembersAt(s); ok && !yield(o) {
				return
			}
		}
	}
}
