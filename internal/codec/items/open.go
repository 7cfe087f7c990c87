package items

import (
	"github.com/wirekit/wirekit/wire"
)

// part is how many elements of an array without a declared length wait on the
// stack: a longer one grows by parts, not by copies of itself.
const part = 4096

// OpenArray reads the elements of an array that begins at that position, up to the byte stop.
func (d *Decoder) OpenArray(at int, stop byte, r Reader) (wire.Value, error) {
	if err := d.enter(at, 0, 1); err != nil {
		return wire.Value{}, err
	}
	mark := d.Mark()
	var parts []wire.Value
	n := 0
	for ; ; n++ {
		more, err := d.more(stop)
		if err == nil && !more {
			break
		}
		if n > 0 && n%part == 0 && !d.MakesGo() {
			parts = append(parts, d.Builder.Array(mark))
		}
		var v wire.Value
		if err == nil {
			v, err = r.Item()
		}
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n)
		}
		d.Push(v)
	}
	d.leave()
	last := d.Builder.Array(mark)
	if parts == nil {
		return last, nil
	}
	return d.joined(append(parts, last), n), nil
}

// joined returns the array of n elements that parts have in all.
func (d *Decoder) joined(parts []wire.Value, n int) wire.Value {
	elements := d.Elements(n)
	rest := elements
	for _, p := range parts {
		for i := range p.Len() {
			rest[i] = p.Index(i)
		}
		rest = rest[p.Len():]
	}
	return d.ArrayOf(elements)
}

// OpenObject reads the members of an object that begins at that position, up to the byte stop.
func (d *Decoder) OpenObject(at int, stop byte, r Reader) (wire.Value, error) {
	if err := d.enter(at, 0, 2); err != nil {
		return wire.Value{}, err
	}
	o := d.Builder.Object()
	for n := 0; ; n++ {
		more, err := d.more(stop)
		if err != nil {
			return wire.Value{}, err
		}
		if !more {
			if n == 0 {
				return d.emptyObject(), nil
			}
			d.leave()
			return d.EndObject(&o), nil
		}
		v, err := d.member(&o, r)
		if err != nil {
			return wire.Value{}, err
		}
		d.Put(&o, v)
	}
}

// more reports whether there is another child before the byte stop, which it reads.
func (d *Decoder) more(stop byte) (bool, error) {
	if d.At == len(d.Src) {
		return false, d.Cut()
	}
	if d.Src[d.At] != stop {
		return true, nil
	}
	d.At++
	return false, nil
}
