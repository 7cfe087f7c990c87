// Package wirekit knows every codec of the toolkit by name: it looks codecs
// up, detects a document's format, converts any format to any other, compares
// formats by size and tokens, and chooses the text with the fewest tokens that
// loses nothing of the value at hand.
//
//	text, report, err := wirekit.Text(result)          // of a tool, for a model
//	best, err := wirekit.Choose(ctx, rows, "gcf", "glyph")
//	out, err := wirekit.Convert(src, "json", "gcf")
//
// A program that needs one format imports that format's package and links
// nothing else; this package links all of them. The value model and the
// contract that every codec keeps are in package wire.
//
// # What a program calls
//
//   - To give a model data: [Text], [TextJSON], [Choose], with options [Chooser]; what a
//     tool printed: [TextString].
//   - To convert: [Convert]; [View] has the value that a document holds, in memory that is
//     reused.
//   - To compare: [Compare], with options [Chooser.Compare].
//   - Codecs: [Lookup], [Detect], and [Registry], which has all of them, finds them by
//     media type and by file name, and can be extended.
package wirekit

import (
	"cmp"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/md"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/tron"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// Registry returns the registry of every format of the toolkit, and of their folded
// forms: "gcf+fold". With codecs of one's own it is [wire.Registry.Extend]:
//
//	formats, err := wirekit.Registry().Extend(ini.Codec{}) // "ini", "ini+fold"
func Registry() *wire.Registry { return registry }

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
		tron.Codec{}, // before YAML, which takes a class for a key and its value
		md.Codec{},   // before TOON and YAML, which take a list under a heading for theirs
		toon.Codec{}, // before JSON, which takes [2]: for an array
		jsonl.Codec{},
		wire.JSON{},
		yaml.Codec{},
		glyph.Codec{},
		csv.Codec{}, // never detected, nor are these
		cbor.Codec{},
		msgpack.Codec{},
		fold.Codec{Options: fold.Options{Counter: tokens.O200k{}}},
	)
	if err != nil {
		panic(err) // two codecs of one name
	}
	return r
}()

// Lookup returns the codec of that name, "glyph", or of one of its variants,
// "glyph:canonical"; with the suffix +fold, "gcf+fold", it is the codec inside
// of [fold.Codec]. The error for any other name wraps [wire.ErrUnknownFormat]
// and lists the known ones.
func Lookup(name string) (wire.Codec, error) { return registry.Lookup(name) }

// Convert decodes src from one format and encodes it in another, both by name.
// An empty from means the format that [Detect] finds. What the codecs may lose
// on the way is in their Info; an error leaves nothing half done.
func Convert(src []byte, from, to string) ([]byte, error) {
	from, err := format(src, from)
	if err != nil {
		return nil, err
	}
	return registry.Convert(src, from, to)
}

// View calls f with the value of src in the format from; if that is empty, in the
// one that [Detect] finds. The value and everything in it are valid until f
// returns, because their memory is reused; what f wants to keep it clones.
// [wire.View] does the same with a codec, and says more about it.
func View(src []byte, from string, f func(wire.Value) error) error {
	from, err := format(src, from)
	c, unknown := registry.Lookup(from)
	if err = cmp.Or(err, unknown); err != nil {
		return err
	}
	return wire.View(c, src, f)
}

// format returns the name of the format that src is in.
func format(src []byte, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	c, err := Detect(src)
	if err != nil {
		return "", err
	}
	return c.Info().FullName(), nil
}
