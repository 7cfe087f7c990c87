package gcf

import "github.com/wirekit/wirekit/wire"

// Objects outside tables repeat their keys, too. Their decoder compares a line
// with the key that stood at its place in an earlier object, which is cheaper
// than to find the key's end and then its place among the known keys. While
// that holds, values go straight to the slots of an object with those keys.
//
// Only key lists that were read without quotation marks are kept. A line that
// begins with one of their keys and then "=", "[", a blank or its end therefore
// begins with that bare key: no byte of a bare key is one of these.

// predictions are the key lists of some earlier objects.
type predictions struct {
	lists [8]*wire.Keys
	next  int // where the next one goes
}

// members are the members of an object while they are read.
type members struct {
	n     int        // how many there are so far
	bare  bool       // none of their keys was quoted
	keys  *wire.Keys // what their keys seem to be; nil if nothing fits
	skip  int        // how many of keys they lack so far
	tries int        // how often keys was searched

	slots []wire.Value       // the object's, while its keys are the first of keys
	o     wire.ObjectBuilder // the object, if slots is nil
}

const (
	// minPredicted is the smallest object worth a place among the predictions.
	minPredicted = 3
	// maxSearches bounds the searches for an object that is like none before.
	maxSearches = 3
)

func (d *decoder) beginMembers() members { return members{bare: true, o: d.Object()} }

// memberKey is key for the key of the object's next member, which stands at i:
// at the beginning of a line, or of what follows the marks of a section.
func (d *decoder) memberKey(m *members, i int, section bool) (key string, next int, err error) {
	if m.slots != nil {
		if key, next = d.keyOf(m.keys, m.n, i, section); next > i {
			return key, next, nil
		}
		if d.search(m, i, section) {
			key, next = d.keyOf(m.keys, m.n, i, section)
			return key, next, nil
		}
		d.unlike(m)
	}
	if m.keys != nil {
		// A member may be missing.
		for range 2 {
			if key, next = d.keyOf(m.keys, m.n+m.skip, i, section); next > i {
				return key, next, nil
			}
			m.skip++
		}
		m.keys = nil
	}
	if d.search(m, i, section) {
		key, next = d.keyOf(m.keys, m.n, i, section)
		return key, next, nil
	}
	m.bare = m.bare && d.text[i] != '"'
	return d.scalars.key(i, d.end)
}

// search looks for earlier objects with the key at i where the next member is,
// and with the keys before it while the object has slots.
func (d *decoder) search(m *members, i int, section bool) bool {
	if m.tries == maxSearches {
		return false
	}
	m.tries++
	m.skip = 0
	for _, keys := range d.known.lists {
		if keys == nil {
			break
		}
		if _, next := d.keyOf(keys, m.n, i, section); next > i && (m.slots == nil || samePrefix(m.keys, keys, m.n)) {
			d.seems(m, keys)
			return true
		}
	}
	return false
}

// seems notes what the object's keys seem to be.
func (d *decoder) seems(m *members, keys *wire.Keys) {
	m.keys = keys
	if n := keys.Len(); m.n == 0 || len(m.slots) > 0 && len(m.slots) < n {
		slots := d.Slots(n)
		copy(slots, m.slots[:m.n])
		m.slots = slots
	}
}

func samePrefix(a, b *wire.Keys, n int) bool {
	for i := range n {
		if a.At(i) != b.At(i) {
			return false
		}
	}
	return true
}

// unlike goes on with an object that is not like others without its slots.
func (d *decoder) unlike(m *members) {
	m.o = d.Object()
	for i, v := range m.slots[:m.n] {
		d.Key(&m.o, m.keys.At(i))
		d.Put(&m.o, v)
	}
	d.RowOf(noKeys, m.slots) // frees them
	m.slots = nil
}

// keyOf returns key n of a list and the position behind it if the member at i
// begins with that key, else i.
func (d *decoder) keyOf(keys *wire.Keys, n, i int, section bool) (key string, next int) {
	if n >= keys.Len() {
		return "", i
	}
	key = keys.At(n)
	next = i + len(key)
	switch {
	case next > d.end || d.text[i:next] != key:
		return "", i
	case section:
		if next < d.end && !isBlank(d.text[next]) {
			return "", i
		}
	case next == d.end || d.text[next] != '=' && d.text[next] != '[':
		return "", i
	}
	return key, next
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
		if m.n == m.keys.Len() {
			return d.RowOf(m.keys, m.slots)
		}
		for _, keys := range d.known.lists {
			if keys != nil && keys.Len() == m.n && samePrefix(m.keys, keys, m.n) {
				return d.RowOf(keys, m.slots)
			}
		}
		d.unlike(m)
	}
	v := d.EndObject(&m.o)
	if m.bare && m.n >= minPredicted {
		d.remember(v.Keys())
	}
	return v
}

// remember keeps the keys of an object for the prediction of others.
func (d *decoder) remember(keys *wire.Keys) {
	for _, known := range d.known.lists {
		if known == keys {
			return
		}
	}
	d.known.lists[d.known.next] = keys
	d.known.next = (d.known.next + 1) % len(d.known.lists)
}
