package items

import (
	"github.com/wirekit/wirekit/wire"
)

// OpenArray reads the elements of an array that begins at that position, up to the byte stop.
func (d *Decoder) OpenArray(at int, stop byte, r Reader) (wire.Value, error) {
	if err := d.enter(at, 0, 1); err != nil {
		return wire.Value{}, err
	}
	mark := d.Mark()
	for n := 0; ; n++ {
		more, err := d.more(stop)
		if err == nil && !more {
			d.leave()
			return d.Builder.Array(mark), nil
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
