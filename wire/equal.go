package wire

import (
	"slices"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/base/decimal"
)

// Equal reports whether a and b are the same value of the data model: numbers
// by exact mathematical value, whatever their spelling or size; members in any
// order; times by instant. Tags do not count.
func Equal(a, b Value) bool { return equal(a, b, nil) }

// EqualAsJSON reports whether a and b are [Equal] where bytes count as the text
// that JSON gives them, standard base64, and times as any RFC 3339 text of the
// instant: what JSON loses too is not a difference. It judges what comes back from a
// format, where a value that JSON carries as well as it can must not count as lost:
//
//	EqualAsJSON(Time(t), String("2026-01-02T03:04:05Z")) // if that is when t is
//	EqualAsJSON(Bytes([]byte("hi")), String("aGk="))
//
// DifferenceBeyond says what differs and where.
func (internal) EqualAsJSON(a, b Value) bool { return equal(a, b, sameText) }

// equal compares; otherKind judges two values of different kinds, which are not equal if it
// is nil.
func equal(a, b Value, otherKind func(a, b Value) bool) bool {
	a.live()
	b.live()
	if a.kind != b.kind {
		return otherKind != nil && otherKind(a, b)
	}
	switch a.kind {
	case KindNumber:
		return equalNumbers(a, b)
	case KindTime:
		return a.num == b.num && a.nsec == b.nsec
	case KindArray:
		return equalChildren(a, b, otherKind)
	case KindObject:
		return a.num == b.num && equalObjects(a, b, otherKind)
	}
	return sameScalar(a, b)
}

// sameText reports whether one value is a string and the other bytes or a time
// that it is the text of.
func sameText(a, b Value) bool {
	if a.kind == KindString {
		a, b = b, a
	}
	if b.kind != KindString || a.kind != KindBytes && a.kind != KindTime {
		return false
	}
	var buf [64]byte
	if string(a.appendText(buf[:0])) == b.str() {
		return true
	}
	if a.kind == KindBytes {
		return false
	}
	t, err := time.Parse(time.RFC3339Nano, b.str()) // in another zone
	return err == nil && t.Equal(a.Time())
}

// equalChildren compares values in their order.
func equalChildren(a, b Value, otherKind func(a, b Value) bool) bool {
	return slices.EqualFunc(a.children(), b.children(), func(a, b Value) bool { return equal(a, b, otherKind) })
}

// equalObjects compares objects with as many members.
func equalObjects(a, b Value, otherKind func(a, b Value) bool) bool {
	if a.sameKeys(b) {
		return equalChildren(a, b, otherKind)
	}
	// Keys are distinct, so equal counts and one inclusion are enough.
	other, names := b.children(), a.keys().names
	for i, e := range a.children() {
		j := b.keys().Index(names[i])
		if j < 0 || !equal(e, other[j], otherKind) {
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
	return decimal.Equal(a.Text(), b.Text())
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
	a.live()
	b.live()
	if a.kind != b.kind || a.tag != b.tag {
		return false
	}
	switch a.kind {
	case KindNumber:
		return a.Text() == b.Text()
	case KindTime:
		_, x := a.Time().Zone()
		_, y := b.Time().Zone()
		return a.num == b.num && a.nsec == b.nsec && x == y
	case KindArray, KindObject:
		return (a.kind == KindArray || a.sameKeys(b)) && slices.EqualFunc(a.children(), b.children(), Identical)
	}
	return sameScalar(a, b)
}

// Difference returns the losses that turn want into got, and the JSON pointer
// of the first difference. Two values are [Identical] if and only if the set
// is empty. LossContent is every difference that no other loss
// explains; LossPrecision is those only that rounding to float64 explains.
func Difference(want, got Value) (Loss, string) { return Internal.DifferenceBeyond(0, want, got) }

// DifferenceBeyond is [Difference] without the losses in ignored: the pointer
// leads to the first difference that is another loss.
func (internal) DifferenceBeyond(ignored Loss, want, got Value) (Loss, string) {
	d := differ{ignored: ignored}
	d.value(want, got)
	e := Error{path: d.path}
	return d.loss, e.Path()
}

// differ gathers losses. path is the way to the first, innermost first.
type differ struct {
	ignored Loss
	loss    Loss
	path    []string
}

// note adds a loss; the first one found starts the path.
func (d *differ) note(l Loss) { d.loss |= l &^ d.ignored }

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
		for i, e := range want.children()[:min(want.Len(), len(other))] {
			if d.isFirst(e, other[i]) {
				d.path = append(d.path, strconv.Itoa(i))
			}
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

// isFirst compares children and reports whether they have the first loss.
func (d *differ) isFirst(want, got Value) bool {
	before := d.loss
	d.value(want, got)
	return before == 0 && d.loss != 0
}

func (d *differ) otherKind(want, got Value) {
	switch {
	case got.kind != KindString || !sameText(want, got):
		d.note(LossContent)
	case want.kind == KindBytes:
		d.note(LossBytes)
	default:
		d.note(LossTime)
	}
}

func (d *differ) number(want, got Value) {
	var a, b [32]byte
	switch {
	case string(want.appendText(a[:0])) == string(got.appendText(b[:0])):
	case Equal(want, got):
		d.note(LossNumberText)
	default:
		f, finite := want.nearestFloat()
		g, _ := got.nearestFloat()
		if finite && f == g && decimal.IsFloat(got.Text(), f) {
			d.note(LossPrecision)
		} else {
			d.note(LossContent)
		}
	}
}

func (d *differ) object(want, got Value) {
	names, other := want.keys().names, got.children()
	common, last, ordered, same := 0, -1, true, want.sameKeys(got)
	for i, e := range want.children() {
		at := i
		if !same {
			at = got.keys().Index(names[i])
		}
		if at < 0 {
			d.absent(e)
			continue
		}
		common++
		ordered = ordered && at > last
		last = at
		if d.isFirst(e, other[at]) {
			d.path = append(d.path, names[i])
		}
	}
	if !ordered {
		d.note(LossOrder)
	}
	if common == len(other) {
		return
	}
	for key, e := range got.Members() {
		if want.keys().Index(key) < 0 {
			d.absent(e)
		}
	}
}

// absent notes a member that one of two objects has.
func (d *differ) absent(member Value) {
	if member.Kind() == KindNull {
		d.note(LossMissing)
	} else {
		d.note(LossContent)
	}
}
