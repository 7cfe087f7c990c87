package gotext

import (
	"reflect"
	"sync"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// Documents is the [Grammar] of documents.
type Documents[P any] interface {
	Grammar
	// Document reads a document into the variable of its root, of which p is known.
	Document(p P, root Var) int
}

// A Format reads the documents of a format into variables of Go programs, and the records
// of its streams. P is what [Roots] know of a type, R the format's reader.
type Format[P any, R Documents[P]] struct {
	// Root returns what is known of a variable, see [Roots.Of].
	Root func(v any) (*Root[P], Var)
	// New returns a reader.
	New func() R
	// Longest is the length of documents up to which no limit of the codec can be exceeded
	// that the reader does not know.
	Longest int
	// Narrow says that all roots but structs and lists need Values.
	Narrow bool
	// End comes after the text of a document: it ends the last value.
	End byte

	readers sync.Pool
}

// Store reads a document into what v points to, if that is zero. It reports false, and has
// stored nothing, for all else.
func (f *Format[P, R]) Store(src []byte, v any) bool {
	root, at := f.Root(v)
	if len(src) > f.Longest || !root.Fresh(at) || f.Narrow && at.Form != Struct && at.Form != List || !scan.IsUTF8(src) {
		return false
	}
	src = LineFeeds(src)
	r, ok := f.readers.Get().(R)
	if !ok {
		r = f.New()
	}
	r.Begin(r, Padded(src, f.End), len(src), at.Node)
	ok = r.Document(root.Plan, at) == len(src)
	if r.Reset() {
		f.readers.Put(r)
	}
	if !ok {
		reflect.ValueOf(v).Elem().SetZero()
	}
	return ok
}

// A Target is the struct that a Decoder has the records of a stream stored in. It is zero
// before each.
type Target[P any, R Grammar] struct {
	*inplace.Record
	Var
	Plan   P // of that, see [Roots]
	Reader R
	r      *Reader // of that
}

// Target returns the Target that to is, nil for any other and for structs that need Values.
func (f *Format[P, R]) Target(to inplace.Target) *Target[P, R] {
	record, ok := to.(*inplace.Record)
	if !ok || record.V == nil {
		return nil
	}
	root, at := f.Root(record.V)
	if !root.Fresh(at) || at.Form != Struct {
		return nil
	}
	r := f.New()
	return &Target[P, R]{record, at, root.Plan, r, r.Begin(r, "", 0, at.Node)}
}

// Store has read store the next record, which is in a text of that size. It reports false,
// and has stored nothing, if the record needs Values or t is nil.
func (t *Target[P, R]) Store(text string, size int, read func(r R, v Var) bool) bool {
	return t != nil && t.Read(func() bool {
		t.r.Text, t.r.Size, t.r.Depth, t.r.claims = text, size, 0, Claims{}
		return read(t.Reader, t.Var)
	})
}
