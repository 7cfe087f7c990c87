package partial

import (
	"cmp"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// A Decoder is a [Parser] whose value is a T.
type Decoder[T any] struct {
	*Parser
	// Conversion says how the value becomes a T.
	Conversion wire.Options
}

// Into returns a Decoder of one text. T is mostly a struct: Complete says by JSON pointer which
// of its fields will not change any more.
//
//	d := partial.Into[Plan](partial.Options{})
//	for piece := range pieces {
//		if _, err := d.WriteString(piece); err != nil {
//			return err
//		}
//		plan, err := d.Value()
//		…
//	}
//	err := d.Close()
func Into[T any](o Options) *Decoder[T] { return &Decoder[T]{Parser: NewParser(o)} }

// Value returns the T of the value so far, as [wire.ToGo] stores it; the zero T if there is
// none. What is open is in it where it can grow: structs, maps, slices, strings and interfaces.
// Types that convert themselves, times and bytes among them, get what is complete. It takes as
// long as the value is large.
func (d *Decoder[T]) Value() (v T, err error) {
	doc, ok := d.Parser.Value()
	if n := d.growable(reflect.TypeFor[T]()); ok && !d.whole && n <= len(d.frames) {
		if n == 0 {
			return v, nil
		}
		if d.frames[n-1].slot >= 0 {
			doc, err = doc.Delete(d.pointer(n))
		}
	}
	if ok && err == nil {
		err = d.Conversion.ToGo(doc, &v)
	}
	return v, err
}

// growable returns how many open parts, from the root inwards, a variable can have.
func (p *Parser) growable(root reflect.Type) int {
	t := gowire.Types.Of(root)
	for i := 0; ; i++ {
		for t.Op == gotype.Pointer && t.Unmarshal == gotype.NoMethod {
			t = t.Elem()
		}
		switch {
		case t.Unmarshal != gotype.NoMethod && t.Op != gotype.Value: // it converts itself
			return i
		case i == len(p.frames) && t.Op != gotype.String && t.Op != gotype.Interface && t.Op != gotype.Value:
			return i
		case i == len(p.frames):
			return i + 1
		case t.Op == gotype.Map || t.Op == gotype.List || t.Op == gotype.Array:
			t = t.Elem()
			continue
		case t.Op != gotype.Struct:
			return len(p.frames) + 1
		}
		at := t.Fields().Find(p.frames[i].token())
		if at < 0 {
			return len(p.frames) + 1 // it is left out
		}
		t = t.Fields().List[at].Type
	}
}

// Elements returns the elements of the array at a JSON pointer, each as soon as it is complete.
// What is before and after the array is read as well. The last pair may have an error: what
// pieces yielded, what is wrong with the text, one that wraps [ErrCut] if the text ends too
// early, or what keeps an element from being a T.
func Elements[T any](pieces iter.Seq2[string, error], pointer string, o Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		p, n := NewParser(o), 0
		more := func(failed error) bool { // yields what has become complete, and then the error
			array, err := p.elements(pointer)
			last := array.Len() - 1
			for ; err == nil && (n < last || n == last && p.Complete(pointer+"/"+strconv.Itoa(n))); n++ {
				var v T
				if err = wire.ToGo(array.Index(n), &v); err == nil && !yield(v, nil) {
					return false
				}
			}
			if err = cmp.Or(err, failed); err != nil {
				var none T
				yield(none, err)
			}
			return err == nil
		}
		for piece, err := range pieces {
			if err == nil {
				_, err = p.WriteString(piece)
			}
			if !more(err) {
				return
			}
		}
		more(p.Close())
	}
}

// elements returns the array at a pointer.
func (p *Parser) elements(pointer string) (array wire.Value, err error) {
	for _, r := range p.repairs {
		if r.Kind == DuplicateKey && strings.HasPrefix(pointer+"/", r.Pointer+"/") {
			return array, &wire.Error{Format: "json", Code: wire.CodeDuplicateKey, Kind: wire.ErrDuplicateKey,
				Message: "the array at " + pointer + " occurs twice"}
		}
	}
	v, ok := p.Value()
	array, err = v.At(pointer)
	switch {
	case !ok, err != nil && !p.whole:
		return wire.Value{}, nil // it has not begun
	case err == nil && array.Kind() != wire.KindArray:
		err = &wire.Error{Format: "json", Code: wire.CodeTypeMismatch, Kind: wire.ErrType, Message: "the value at " + pointer + " is of kind " + array.Kind().String() + ", not an array"}
	}
	return array, err
}
