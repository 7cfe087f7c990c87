// Package wirekit knows every codec of the toolkit by name: it looks codecs
// up, detects a document's format, converts any format to any other, compares
// formats by size and tokens, and picks the smallest that loses nothing of the
// value at hand.
//
//	out, err := wirekit.Convert(src, "json", "gcf")
//	best, err := wirekit.Smallest(value)
//
// A program that needs one format imports that format's package and links
// nothing else; this package links all of them. The value model and the
// contract that every codec keeps are in package wire.
package wirekit

import (
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

// registry holds every codec in its default configuration. The order is that
// of detection: formats with a signature first, JSON before GLYPH, whose text
// may begin with anything.
var registry = func() *wire.Registry {
	r, err := wire.NewRegistry(
		bcp.Codec{},
		gcf.GraphCodec{}, // before gcf, which reads graphs too
		gcf.Codec{},
		gcx.Codec{},
		goon.Codec{},
		wire.JSONLines{},
		wire.JSON{},
		glyph.Codec{},
	)
	if err != nil {
		panic(err) // two codecs of one name
	}
	return r
}()

// Codecs returns every codec in its default configuration. They are safe for
// concurrent use.
func Codecs() []wire.Codec { return registry.Codecs() }

// Names returns the names that [Lookup] knows.
func Names() []string { return registry.Names() }

// Lookup returns the codec of that name. The error for any other name wraps
// [wire.ErrUnknownFormat] and lists the known ones.
func Lookup(name string) (wire.Codec, error) { return registry.Lookup(name) }

// Detect tells the format of a document from its first bytes. The error wraps
// [wire.ErrUnknownFormat].
func Detect(src []byte) (wire.Codec, error) { return registry.Detect(src) }

// Convert decodes src from one format and encodes it in another, both by name.
// An empty from means the format that [Detect] finds. What the codecs may lose
// on the way is in their Info; an error leaves nothing half done.
func Convert(src []byte, from, to string) ([]byte, error) {
	target, err := Lookup(to)
	if err != nil {
		return nil, err
	}
	var source wire.Codec
	if from == "" {
		source, err = Detect(src)
	} else {
		source, err = Lookup(from)
	}
	if err != nil {
		return nil, err
	}
	v, err := source.Decode(src)
	if err != nil {
		return nil, err
	}
	return target.AppendEncode(nil, v)
}
