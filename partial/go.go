package partial

import (
	"iter"
	"reflect"
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
	doc, ok := d.Parser.root, d.Parser.whole
	if !ok {
		doc, ok = d.view(d.growable(reflect.TypeFor[T]()))
	}
	if ok {
		err = d.Conversion.ToGo(doc, &v)
	}
	return v, err
}

// growable returns how many open parts, from the root inwards, a variable can have.
func (p *Parser) growable(root reflect.Type) int {
	t := gowire.Types.Of(root)
	for i := range p.frames {
		f := &p.frames[i]
		switch t = grown(t); {
		case t == nil:
			return i
		case t.Op == gotype.Struct:
			at := t.Fields().Find(f.token())
			if at < 0 {
				return len(p.frames) + 1 // it is left out
			}
			t = t.Fields().List[at].Type
		case t.Op == gotype.Map || t.Op == gotype.List || t.Op == gotype.Array:
			t = t.Elem()
		default:
			return len(p.frames) + 1
		}
	}
	if t = grown(t); t != nil && (t.Op == gotype.String || t.Op == gotype.Interface || t.Op == gotype.Value) {
		return len(p.frames) + 1
	}
	return len(p.frames)
}

// grown returns the type of what a variable holds; nil if that converts itself.
func grown(t *gotype.Type) *gotype.Type {
	for t.Unmarshal == gotype.NoMethod || t.Op == gotype.Value {
		if t.Op != gotype.Pointer {
			return t
		}
		t = t.Elem()
	}
	return nil
}

// Elements returns the elements of the array at a JSON pointer, each as soon as it is complete.
// What is before and after the array is read as well. The last pair may have an error: what
// pieces yielded, what is wrong with the text, one that wraps [ErrCut] if the text ends too
// early, or what keeps an element from being a T.
func Elements[T any](pieces iter.Seq2[string, error], pointer string, o Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		p, n := NewParser(o), 0
		var none T
		more := func() (ok bool) {
			elements, err := p.elements(pointer)
			for ; err == nil && n < len(elements); n++ {
				var v T
				if err = wire.ToGo(elements[n], &v); err == nil && !yield(v, nil) {
					return false
				}
			}
			if err != nil {
				yield(none, err)
			}
			return err == nil
		}
		for piece, err := range pieces {
			if err == nil {
				_, err = p.WriteString(piece)
			}
			if !more() {
				return
			}
			if err != nil {
				yield(none, err)
				return
			}
		}
		err := p.Close()
		if !more() {
			return
		}
		if err == nil {
			_, err = p.root.At(pointer)
		}
		if err != nil {
			yield(none, err)
		}
	}
}

// elements returns the complete elements of the array at a pointer; none if it has not begun.
func (p *Parser) elements(pointer string) ([]wire.Value, error) {
	for _, r := range p.repairs {
		if r.Kind == DuplicateKey && (r.Pointer == pointer || strings.HasPrefix(pointer, r.Pointer+"/")) {
			return nil, &wire.Error{Format: "json", Code: wire.CodeDuplicateKey, Kind: wire.ErrDuplicateKey,
				Message: "the array at " + pointer + " occurs twice"}
		}
	}
	f, at, rest := (*frame)(nil), -1, ""
	if !p.whole {
		f, at, rest = p.reach(pointer)
	}
	v, err := p.root, error(nil)
	switch {
	case p.whole:
		v, err = v.At(pointer)
	case f == nil:
		return nil, nil
	case at >= 0:
		v, err = f.vals[at].At(rest)
	case !f.object:
		n := len(f.vals)
		if f.slot >= 0 {
			n--
		}
		return f.vals[:n], nil
	default:
		v, _ = wire.Object()
	}
	if err == nil && v.Kind() != wire.KindArray {
		err = &wire.Error{Format: "json", Code: wire.CodeTypeMismatch, Kind: wire.ErrType, Message: "the value at " + pointer + " is of kind " + v.Kind().String() + ", not an array"}
	}
	if err != nil {
		return nil, err
	}
	elements := make([]wire.Value, 0, v.Len())
	for e := range v.Elements() {
		elements = append(elements, e)
	}
	return elements, nil
}
