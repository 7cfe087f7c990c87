package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// Objects outside tables repeat their keys, too. Their decoder compares a line
// with the key that stood at its place in an earlier object, which is cheaper
// than to find the key's end and then its place among the known keys. While
// that holds, values go straight to the slots of an object with those keys.
//
// Only key lists that were read without quotation marks are kept. A line that
// begins with one of their keys and then "=", "[", a blank or its end therefore
// begins with that bare key: no byte of a bare key is one of these.

// predictions are the key lists of earlier objects, by how their first key
// begins, the last used first.
type predictions [32]alike

// alike are key lists of objects that probably begin with one key.
type alike [4]*wire.Keys

// predictions returns the key lists of earlier objects whose first key may be
// the one at i.
func (d *decoder) predictions(i int) *alike {
	// The byte after a short key is one of few.
	hash := uint(d.Doc[i]) * 31
	if i+1 < d.End {
		hash += uint(d.Doc[i+1])
	}
	return &d.known[hash%uint(len(d.known))]
}

// use moves list n to the front.
func (a *alike) use(n int) {
	keys := a[n]
	copy(a[1:n+1], a[:n])
	a[0] = keys
}

// members are the members of an object while they are read.
type members struct {
	n     int        // how many there are so far
	alike *alike     // objects that may be like it
	keys  *wire.Keys // what the object's keys seem to be
	tries int        // how often keys was searched
	bare  bool       // no key was quoted

	slots []wire.Value       // the object's, while its keys are the first of keys
	o     wire.ObjectBuilder // the object, if slots is nil
}

const (
	// maxSearches bounds the searches for an object that is like none before.
	maxSearches = 4
	// maxPredicted is the length of the longest lists that are kept, which a
	// stream's decoder does for long.
	maxPredicted = 256
)

// spareSlots is how many slots may be taken while text is decoded before the
// predictions prove right: an object that only seems to be like a long one
// wastes its slots, and so may all that are open at a time.
func spareSlots(text string) int { return len(text)/4 + 1<<12 }

func (d *decoder) beginMembers() members { return members{bare: true, o: d.Object()} }

// memberKey is key for the key of the object's next member, which is at i:
// at the beginning of a line, or of what follows the marks of a section.
func (d *decoder) memberKey(m *members, i int, section bool) (key string, next int, err error) {
	switch {
	case m.slots != nil:
		if key, next = d.keyOf(m.keys, m.n, i, section); next > i {
			return key, next, nil
		}
		if key, next = d.search(m, i, section); next > i {
			return key, next, nil
		}
		d.unlike(m)
	case m.n == 0:
		m.alike = d.predictions(i)
		if key, next = d.search(m, i, section); next > i {
			return key, next, nil
		}
	}
	m.bare = m.bare && d.Doc[i] != '"'
	return d.Scalars.ReadKey(i, d.End)
}

// search looks for an earlier object with the same keys so far and the key at i
// after them. It returns that key and the position after it, or i.
func (d *decoder) search(m *members, i int, section bool) (key string, next int) {
	if m.tries == maxSearches {
		return "", i
	}
	m.tries++
	for n, keys := range m.alike {
		if keys == nil {
			break
		}
		if key, next = d.keyOf(keys, m.n, i, section); next == i || !samePrefix(m.keys, keys, m.n) {
			continue
		}
		if width := keys.Len(); len(m.slots) < width {
			if width > d.spare {
				continue
			}
			d.spare -= width
			slots := d.Slots(width)
			copy(slots, m.slots[:m.n])
			m.slots = slots
		}
		m.alike.use(n)
		m.keys = keys
		return key, next
	}
	return "", i
}

func samePrefix(a, b *wire.Keys, n int) bool {
	for i := range n {
		if a.At(i) != b.At(i) {
			return false
		}
	}
	return true
}

// unlike goes on with an object that is like none before without its slots.
func (d *decoder) unlike(m *members) {
	m.o = d.Object()
	for i, v := range m.slots[:m.n] {
		d.Key(&m.o, m.keys.At(i))
		d.Put(&m.o, v)
	}
	d.RowOf(noKeys, m.slots) // frees them
	m.slots = nil
}

// keyOf returns key n of a list and the position after it if the member at i
// begins with that key, else i.
func (d *decoder) keyOf(keys *wire.Keys, n, i int, section bool) (key string, next int) {
	if n >= keys.Len() {
		return "", i
	}
	key = keys.At(n)
	next = i + len(key)
	switch {
	case next > d.End || d.Doc[i:next] != key:
		return "", i
	case section:
		if next < d.End && !lex.IsBlank(d.Doc[next]) {
			return "", i
		}
	case next == d.End || d.Doc[next] != '=' && d.Doc[next] != '[':
		return "", i
	}
	return key, next
}

// predicted reads the lines of members as far as they are the expected ones, and
// makes the line after them current.
func (d *decoder) predicted(m *members, indent int) error {
	for m.slots != nil && m.n < m.keys.Len() {
		key := m.keys.At(m.n)
		i := d.After(indent, key)
		if i < 0 {
			break
		}
		v, end := d.PlainValue(i)
		if end >= 0 && end-d.Pos <= d.MaxBytes && d.values > 0 {
			d.values--
			d.Pos = end + 1
		} else {
			err := d.NextFrom(indent, i)
			if err != nil {
				return err
			}
			if v, err = d.value(i, d.End); err != nil {
				return wire.AtKey(err, strings.Clone(key))
			}
		}
		m.slots[m.n] = v
		m.n++
	}
	return d.Next()
}

// beginMember is Key for what memberKey returned.
func (d *decoder) beginMember(m *members, key string) (fresh bool) {
	return m.slots != nil || d.Key(&m.o, key)
}

// endMember is Put for the member that beginMember began.
func (d *decoder) endMember(m *members, v wire.Value) {
	if m.slots != nil {
		m.slots[m.n] = v
	} else {
		d.Put(&m.o, v)
	}
	m.n++
}

// endMembers returns the object.
func (d *decoder) endMembers(m *members) wire.Value {
	if m.slots != nil {
		d.spare += m.n
		if m.n == m.keys.Len() {
			return d.RowOf(m.keys, m.slots)
		}
		for n, keys := range m.alike {
			if keys != nil && keys.Len() == m.n && samePrefix(m.keys, keys, m.n) {
				m.alike.use(n)
				return d.RowOf(keys, m.slots)
			}
		}
		d.unlike(m)
	}
	v := d.EndObject(&m.o)
	if m.bare && m.n > 0 && m.n <= maxPredicted {
		m.alike[len(m.alike)-1] = d.KeysOf(v)
		m.alike.use(len(m.alike) - 1)
	}
	return v
}
