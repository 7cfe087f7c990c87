package items

import (
	"reflect"
	"strings"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// A HeadKind says what an initial byte begins.
type HeadKind uint8

const (
	Odd   HeadKind = iota // what only a Reader reads
	Whole                 // a number of 0 and more
	Text                  // of so many bytes
	Array                 // of so many elements
	Map                   // of so many members
	Null
)

// A Head is an initial byte: its argument is in that or follows it.
type Head struct {
	Kind HeadKind
	Mask byte // of the bits of the argument in the initial byte
	Size byte // of the argument after it; 0 for none
}

// storeGo stores what src says in what v points to, if that is zero. It reports false, and
// has stored nothing, for what it leaves to Values.
func (k *Kit) storeGo(src []byte, v any, o Options) bool {
	root, at := k.ways.plans.Root(&gowire.Types, v)
	if !root.Fresh(at) || isUntyped(at.Node) {
		return false
	}
	g := k.goReaders.Get().(*goReader)
	ok := g.begin(k, src, o) == nil && g.value(at) && g.At == len(src)
	if ok {
		g.tell()
	}
	*g.Decoder = Decoder{}
	*g = goReader{Decoder: g.Decoder, r: g.r, heads: g.heads}
	if k.goReaders.Put(g); !ok {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return ok
}

// isUntyped reports whether a variable is or leads to empty interfaces alone, which need
// Values.
func isUntyped(n *gotext.Node) bool {
	for range 4 { // a type may lead to itself
		if n.Form == gotext.Any {
			return true
		}
		if n.Elem == nil {
			return false
		}
		n = n.Elem
	}
	return false
}

// A goReader reads a document into variables that are zero. Its methods report false for
// what they leave to Values, errors included.
type goReader struct {
	*Decoder // of r
	r        Reader
	heads    *[256]Head
	memory   gotype.Slabs
	claims   gotext.Claims
	scratch  gotext.Scratch
	mapped   int // children of maps
}

// head reads an initial byte and its argument. It returns Odd where src ends before.
func (g *goReader) head() (HeadKind, uint64) {
	if g.At == len(g.Src) {
		return Odd, 0
	}
	b := g.Src[g.At]
	h := &g.heads[b]
	g.At++
	if h.Size == 0 {
		return h.Kind, uint64(b & h.Mask)
	}
	n, err := g.Uint(int(h.Size))
	if err != nil {
		return Odd, 0
	}
	return h.Kind, n
}

func (g *goReader) value(v gotext.Var) bool {
	at := g.At
	kind, n := g.head()
	ok := false
	switch {
	case g.Value(at) != nil:
		return false
	case kind == Null:
		return true // what is fresh stays as it is
	case kind == Text && v.Op == gotype.String:
		s, err := g.String(n)
		v.SetText(s)
		return err == nil
	case kind == Whole && v.Op.IsInt() && int64(n) >= 0:
		return v.SetInt(int64(n))
	case kind == Whole && v.Op.IsUint():
		return v.SetUint(n)
	case v.Form == gotext.Scalar:
		g.At = at
		return g.scalar(v)
	case v.Form == gotext.Pointer:
		g.At = at
		g.depth-- // as Values do
		ok = g.depth >= 0 && g.value(v.Point(&g.memory))
	case kind == Array && v.Form == gotext.List:
		ok = g.enter(at, n, 1) == nil && g.elements(v, int(n))
	case kind == Map && v.Form == gotext.Struct:
		ok = g.enter(at, n, 2) == nil && g.members(v, int(n))
	case kind == Map && v.Form == gotext.Map:
		ok = g.enter(at, n, 2) == nil && g.mapping(v, int(n))
	}
	g.depth++
	return ok
}

// scalar reads a scalar in any form through a Value.
func (g *goReader) scalar(v gotext.Var) bool {
	value, err := g.r.Item()
	switch n, whole := value.Int64(); {
	case whole && (v.Op.IsInt() || v.Op.IsUint()):
		return v.SetInt(n)
	case value.Kind() == wire.KindNumber && v.Op == gotype.Float64:
		f, _ := value.Float64()
		v.SetFloat(f)
		return f-f == 0
	case value.Kind() == wire.KindBool && v.Op == gotype.Bool:
		v.SetBool(value.Bool())
	case value.Kind() == wire.KindTime && v.Op == gotype.Time:
		v.SetTime(value.Time())
	default:
		return err == nil && wire.ToGo(value, v.Reflect().Addr().Interface()) == nil
	}
	return true
}

func (g *goReader) members(v gotext.Var, n int) bool {
	next := 0
	for range n {
		for next < len(v.Members) && !strings.HasPrefix(g.Text[g.At:], v.Members[next].Label.Text) {
			next++ // it may be absent
		}
		if next == len(v.Members) {
			return false
		}
		m := &v.Members[next]
		next++
		if g.At += len(m.Label.Text); !g.value(m.Of(v)) {
			return false
		}
	}
	return true
}

func (g *goReader) elements(v gotext.Var, n int) bool {
	claimed, ok := g.claims.Begin(n, v.Size, len(g.Src)-g.At, len(g.Src))
	if !ok {
		return false
	}
	made := gotext.NewItems(v.Node, n, &g.memory)
	for i := 0; ok && i < n; i++ {
		ok = g.value(made.At(i))
	}
	v.SetItems(made)
	g.claims.End(claimed)
	return ok
}

func (g *goReader) mapping(v gotext.Var, n int) bool {
	const most = 32 << 20 / 400 // of the bytes that Values may take for maps of any document
	if g.mapped += n + 1; g.mapped > most {
		return false
	}
	v.MakeMap(n)
	for range n {
		key, err := g.r.Key()
		g.scratch.Clear()
		elem := g.scratch.At(v.Elem)
		if err != nil || !g.value(elem) || !v.Store(key, elem) {
			return false
		}
	}
	return true
}
