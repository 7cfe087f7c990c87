package wire

import (
	"strconv"

	"github.com/wirekit/wirekit/internal/decimal"
)

// Equal reports whether a and b are the same value of the data model: numbers
// by exact mathematical value, whatever their spelling or size; members in any
// order; times by instant. Tags do not count.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindNumber:
		return equalNumbers(a, b)
	case KindTime:
		return a.num == b.num && a.nsec == b.nsec
	case KindArray:
		if a.num != b.num {
			return false
		}
		other := b.children()
		for i, e := range a.children() {
			if !Equal(e, other[i]) {
				return false
			}
		}
		return true
	case KindObject:
		return equalObjects(a, b)
	default:
		return sameScalar(a, b)
	}
}

func equalObjects(a, b Value) bool {
	if a.num != b.num {
		return false
	}
	other := b.children()
	if a.SameKeys(b) {
		for i, e := range a.children() {
			if !Equal(e, other[i]) {
				return false
			}
		}
		return true
	}
	// Keys are distinct, so equal counts and one inclusion are enough.
	names := a.keys().names
	for i, e := range a.children() {
		j := b.keys().Index(names[i])
		if j < 0 || !Equal(e, other[j]) {
			return false
		}
	}
	return true
}

func equalNumbers(a, b Value) bool {
	if a.form == b.form && a.form != formText {
		// The bits of 0 and -0 differ.
		return a.num == b.num || a.form == formFloat && a.num<<1 == 0 && b.num<<1 == 0
	}
	return decimal.Equal(a.NumberText(), b.NumberText())
}

// sameScalar compares null, bool, string and bytes.
func sameScalar(a, b Value) bool {
	switch a.kind {
	case KindBool:
		return a.num == b.num
	case KindString, KindBytes:
		return a.str() == b.str()
	}
	return true
}

// Identical reports whether a and b are [Equal] and also agree in the order of
// members, the spelling of numbers, the offset of times and the tags of
// strings.
func Identical(a, b Value) bool {
	if a.kind != b.kind || a.tag != b.tag {
		return false
	}
	switch a.kind {
	case KindNumber:
		return a.NumberText() == b.NumberText()
	case KindTime:
		_, x := a.Time().Zone()
		_, y := b.Time().Zone()
		return a.num == b.num && a.nsec == b.nsec && x == y
	case KindArray, KindObject:
		if a.num != b.num || a.kind == KindObject && !a.SameKeys(b) {
			return false
		}
		other := b.children()
		for i, e := range a.children() {
			if !Identical(e, other[i]) {
				return false
			}
		}
		return true
	default:
		return sameScalar(a, b)
	}
}

// Difference returns the losses that turn want into got, and the JSON pointer
// of the first difference. Two values are [Identical] if and only if the set
// is empty. LossContent stands for every difference that no other loss
// explains.
func Difference(want, got Value) (Loss, string) {
	var d differ
	d.value(want, got)
	e := Error{path: d.path}
	return d.loss, e.Path()
}

// differ gathers losses. path is the way to the first, innermost first.
type differ struct {
	loss  Loss
	found bool
	path  []string
}

// note adds a loss; the first one found starts the path.
func (d *differ) note(l Loss) {
	d.loss |= l
	d.found = true
}

func (d *differ) value(want, got Value) {
	if want.kind != got.kind {
		d.otherKind(want, got)
		return
	}
	switch want.kind {
	case KindNumber:
		d.number(want, got)
	case KindArray:
		other := got.children()
		for i, e := range want.children() {
			if i == len(other) {
				break
			}
			d.child(strconv.Itoa(i), e, other[i])
		}
		if want.num != got.num {
			d.note(LossContent)
		}
	case KindObject:
		d.object(want, got)
	case KindTime:
		if !Equal(want, got) {
			d.note(LossContent)
		} else if !Identical(want, got) {
			d.note(LossTime)
		}
	default:
		if !sameScalar(want, got) {
			d.note(LossContent)
		} else if want.tag != got.tag {
			d.note(LossTag)
		}
	}
}

func (d *differ) child(token string, want, got Value) {
	before := d.found
	d.value(want, got)
	if !before && d.found {
		d.path = append(d.path, token)
	}
}

func (d *differ) otherKind(want, got Value) {
	if got.kind == KindString && got.str() == string(want.AppendText(nil)) {
		switch want.kind {
		case KindBytes:
			d.note(LossBytes)
			return
		case KindTime:
			d.note(LossTime)
			return
		}
	}
	d.note(LossContent)
}

func (d *differ) number(want, got Value) {
	switch {
	case Identical(want, got):
	case Equal(want, got):
		d.note(LossNumberText)
	default:
		x, _ := want.Float64()
		y, _ := got.Float64()
		if x == y {
			d.note(LossPrecision)
		} else {
			d.note(LossContent)
		}
	}
}

func (d *differ) object(want, got Value) {
	if want.SameKeys(got) {
		other := got.children()
		names := want.keys().names
		for i, e := range want.children() {
			d.child(names[i], e, other[i])
		}
		return
	}
	common, last, ordered := 0, -1, true
	for key, e := range want.Members() {
		j := got.keys().Index(key)
		if j < 0 {
			if e.IsNull() {
				d.note(LossMissing)
			} else {
				d.note(LossContent)
			}
			continue
		}
		common++
		ordered = ordered && j > last
		last = j
		d.child(key, e, got.children()[j])
	}
	if !ordered {
		d.note(LossOrder)
	}
	if common == got.Len() {
		return
	}
	for key, e := range got.Members() {
		if want.keys().Index(key) >= 0 {
			continue
		}
		if e.IsNull() {
			d.note(LossMissing)
		} else {
			d.note(LossContent)
		}
	}
}
