package bcp

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// Value returns the payload as a value: an object with magic, version, flags
// and blocks, each block an object with its type and its fields in the words of
// the manifests (see [FromManifest]), which turns it into the same payload
// again. Content that is not UTF-8 has a key that ends in _base64; a block without
// a body has the type null, which a manifest refuses.
func (p *Payload) Value() wire.Value {
	var v viewer
	o := v.b.Object()
	v.text(&o, "magic", cmp.Or(p.Header.Magic, magicLCP))
	major, minor := p.Header.version()
	v.text(&o, "version", fmt.Sprintf("%d.%d", major, minor))
	v.number(&o, "flags", uint64(p.Header.Flags))
	if p.needsLenient() {
		v.put(&o, "lenient", wire.Bool(true))
	}
	v.list(&o, "blocks", len(p.Blocks), func(i int) wire.Value { return v.block(&p.Blocks[i]) })
	if len(p.Trailing) > 0 && p.Header.Flags.HasIndex() {
		v.base64(&o, "index", p.Trailing)
	}
	return v.b.EndObject(&o)
}

// needsLenient reports whether only EncodeOptions.Lenient can write the payload.
func (p *Payload) needsLenient() bool {
	c := checker{treeDepth: bound.MostDepth}
	var at places
	for i := range p.Blocks {
		if p.Blocks[i].hasBody() {
			c.block(&p.Blocks[i], &at)
		}
	}
	return errors.Is(c.err, wire.ErrUTF8) || errors.Is(c.err, wire.ErrRange)
}

// A viewer makes values of blocks. All text is copied.
type viewer struct{ b builder.Builder }

func (v *viewer) put(o *wire.ObjectBuilder, key string, value wire.Value) {
	v.b.Key(o, key)
	v.b.Put(o, value)
}

func (v *viewer) number(o *wire.ObjectBuilder, key string, n uint64) { v.put(o, key, wire.Uint(n)) }

func (v *viewer) text(o *wire.ObjectBuilder, key, s string) { v.content(o, key, []byte(s)) }

func (v *viewer) optional(o *wire.ObjectBuilder, key string, s *string) {
	if s != nil {
		v.text(o, key, *s)
	}
}

func (v *viewer) base64(o *wire.ObjectBuilder, key string, b []byte) {
	v.put(o, key+"_base64", wire.String(base64.StdEncoding.EncodeToString(b)))
}

func (v *viewer) content(o *wire.ObjectBuilder, key string, b []byte) {
	if !scan.IsUTF8(b) {
		v.base64(o, key, b)
		return
	}
	v.put(o, key, wire.String(v.b.Text(b)))
}

func (v *viewer) extra(o *wire.ObjectBuilder, extra []byte) {
	if len(extra) > 0 {
		v.base64(o, "extra_fields", extra)
	}
}

func (v *viewer) block(b *Block) wire.Value {
	o := v.b.Object()
	if b.hasBody() {
		v.body(&o, b.Body)
		v.extra(&o, b.Extra)
	} else {
		v.put(&o, "type", wire.Null())
	}
	v.optional(&o, "summary", b.Summary)
	if b.Flags.isCompressed() {
		v.put(&o, "compress", wire.Bool(true))
	}
	rest := b.Flags & flagsReserved
	if _, ok := b.Body.(*Reference); ok {
		rest |= b.Flags & FlagHasSummary // which speaks of content elsewhere
	} else if b.Flags.isReference() {
		v.put(&o, "reference", wire.Bool(true))
	}
	if rest != 0 {
		v.number(&o, "block_flags", uint64(rest))
	}
	return v.b.EndObject(&o)
}

func (v *viewer) body(o *wire.ObjectBuilder, body Body) {
	switch b := body.(type) {
	case *UnknownBody:
		v.text(o, "type", "unknown")
		v.number(o, "type_id", uint64(b.Type))
		v.content(o, "body", b.Data)
		return
	case *Reference:
		v.text(o, "type", "reference")
		v.number(o, "type_id", uint64(b.Type))
		v.text(o, "hash", b.Hash.String())
		return
	}
	v.text(o, "type", strings.ToLower(kinds[body.blockType()].name))
	var at places
	list := fieldsToWrite(body, &at)
	switch b := body.(type) {
	case *FileTree:
		v.text(o, "root", b.Root)
		v.fields(o, list[1:], at[1:])
	case *Annotation:
		v.fields(o, list[:2], at[:])
		v.annotated(o, b)
	case *EmbeddingRef:
		v.content(o, "vector_id", b.VectorID)
		v.text(o, "source_hash", hex.EncodeToString(b.SourceHash))
		v.text(o, "model", b.Model)
	default:
		v.fields(o, list, at[:])
	}
}

func (v *viewer) fields(o *wire.ObjectBuilder, list []field, at []any) {
	var inner places // of the records among them; inside of the loop it would escape
	for i := range list {
		f := &list[i]
		switch at := at[i].(type) {
		case *string:
			switch f.words {
			case nil:
				v.text(o, f.name, *at)
			case &langs:
				v.text(o, f.name, cmp.Or(*at, "unknown"))
			default:
				v.text(o, f.name, cmp.Or(*at, f.words.zero))
			}
		case **string:
			v.optional(o, f.name, *at)
		case *[]byte:
			v.content(o, f.name, *at)
		case *uint32:
			v.number(o, f.name, uint64(*at))
		case **uint32:
			if *at != nil {
				v.number(o, f.name, uint64(**at))
			}
		case *uint64:
			v.number(o, f.name, *at)
		case *[]FileEntry:
			if *at != nil || f.name != "children" {
				v.records(o, f.name, at, &inner)
			}
		case *[]DiffHunk:
			v.records(o, f.name, at, &inner)
		}
	}
}

func (v *viewer) records(o *wire.ObjectBuilder, name string, list any, at *places) {
	v.list(o, name, length(list), func(i int) wire.Value {
		fields, extra := element(list, i, at)
		r := v.b.Object()
		v.fields(&r, fields, at[:])
		v.extra(&r, *extra)
		return v.b.EndObject(&r)
	})
}

// list adds an array of n elements.
func (v *viewer) list(o *wire.ObjectBuilder, key string, n int, element func(i int) wire.Value) {
	v.b.Key(o, key)
	mark := v.b.Mark()
	for i := range n {
		v.b.Push(element(i))
	}
	v.b.Put(o, v.b.Array(mark))
}

// annotated shows the value of a priority by its name. Every other value of
// that kind is shown as base64, so that a name always means the one byte.
func (v *viewer) annotated(o *wire.ObjectBuilder, a *Annotation) {
	switch {
	case a.Kind != "priority":
		v.content(o, "value", a.Value)
	case len(a.Value) == 1 && priorities.has(a.Value[0]):
		v.text(o, "value", Priority(a.Value[0]).String())
	default:
		v.base64(o, "value", a.Value)
	}
}
