package beam

import (
	"context"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Document]())
	beam.RegisterType(reflect.TypeFor[Rejected]())
	beam.RegisterType(reflect.TypeFor[Converted]())
	beam.RegisterType(reflect.TypeFor[Shard]())
	beam.RegisterDoFn(reflect.TypeFor[*convertFn]())
	beam.RegisterDoFn(reflect.TypeFor[*shardFn]())
	beam.RegisterDoFn(reflect.TypeFor[*writeBadFn]())
	beam.RegisterDoFn(reflect.TypeFor[*keyFn]())
	register.Emitter1[Converted]()
	register.Emitter1[Shard]()
	register.Iter1[Document]()
	register.Iter1[Rejected]()
}

// A Converted is a document in another format.
type Converted struct {
	File           string
	Offset, Number int64
	Text           []byte
}

// mustFormat panics if there is no format of that name: while the pipeline is built,
// rather than on its workers.
func mustFormat(s beam.Scope, name string) {
	if _, err := wirekit.Lookup(name); err != nil {
		panic(fmt.Errorf("%s: %w", s, err))
	}
}

// Convert writes each document in a format, on its own. What the format refuses is bad.
// Convert panics, as transforms do, if there is no format of that name.
func Convert(s beam.Scope, documents beam.PCollection, format string) (converted, bad beam.PCollection) {
	s = s.Scope("wirekit.Convert")
	mustFormat(s, format)
	return beam.ParDo2(s, &convertFn{Format: format}, documents)
}

// convertFn converts documents.
type convertFn struct {
	Format string
	codec  wire.Codec
}

// Setup finds the format.
func (fn *convertFn) Setup() (err error) {
	fn.codec, err = wirekit.Lookup(fn.Format)
	return err
}

// ProcessElement converts a document.
func (fn *convertFn) ProcessElement(d Document, emit func(Converted), bad func(Rejected)) {
	v, err := wire.JSON{}.Decode(d.JSON)
	var text []byte
	if err == nil {
		text, err = fn.codec.AppendEncode(nil, v)
	}
	if err != nil {
		bad(badOf(err, d.File, d.Offset, fn.Format, d.JSON))
		return
	}
	emit(Converted{File: d.File, Offset: d.Offset, Number: d.Number, Text: text})
}

// WriteOptions say how documents are written.
type WriteOptions struct {
	// Prefix begins the files' names: PREFIX-00003-of-00016.gcf.
	Prefix string
	// Format is a name with its variant, or "auto": the one that takes the fewest
	// tokens and loses nothing, for each shard.
	Format string
	// Shards is how many files are written; 0 means 1. A shard is held in memory.
	Shards int
}

// A Shard is a file that was written.
type Shard struct {
	File, Format string
	// Tokens are 0 unless the format was chosen.
	Records, Bytes, Tokens int64
}

// auto as a format chooses one for each shard.
const auto = "auto"

// Write writes documents as lists, each in a file. A document's shard follows from its
// place, and in it documents are in the order of their places, so that the same input
// gives the same files. A shard that the format refuses is not written and is bad.
// Write panics, as transforms do, if there is no format of that name.
func Write(s beam.Scope, documents beam.PCollection, o WriteOptions) (shards, bad beam.PCollection) {
	s = s.Scope("wirekit.Write")
	if o.Format != auto {
		mustFormat(s, o.Format)
	}
	o.Shards = max(o.Shards, 1)
	keyed := beam.ParDo(s, &keyFn{Shards: o.Shards}, documents)
	return beam.ParDo2(s, &shardFn{WriteOptions: o}, beam.GroupByKey(s, keyed))
}

// keyFn finds a document's shard.
type keyFn struct{ Shards int }

// ProcessElement returns the shard and the document.
func (fn *keyFn) ProcessElement(d Document) (int, Document) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d\x00%d", d.File, d.Offset, d.Number)
	return int(h.Sum64() % uint64(fn.Shards)), d
}

// shardFn writes shards.
type shardFn struct {
	WriteOptions
	codec wire.Codec
}

// Setup finds the format.
func (fn *shardFn) Setup() (err error) {
	if fn.Format != auto {
		fn.codec, err = wirekit.Lookup(fn.Format)
	}
	return err
}

// ProcessElement writes a shard.
func (fn *shardFn) ProcessElement(ctx context.Context, n int, next func(*Document) bool, emit func(Shard), bad func(Rejected)) error {
	var all []Document
	for d := (Document{}); next(&d); d = (Document{}) {
		all = append(all, d)
	}
	slices.SortFunc(all, Document.place)
	stem := fmt.Sprintf("%s-%05d-of-%05d", fn.Prefix, n, fn.Shards)
	shard, text, err := fn.encode(ctx, all)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b := badOf(err, stem, 0, fn.Format, nil)
		b.Records = int64(len(all))
		bad(b)
		return nil
	}
	shard.File = stem + shard.File
	if err := writeFile(ctx, shard.File, text); err != nil {
		return err
	}
	emit(shard)
	return nil
}

// encode writes a list of documents; the shard's File is the extension.
func (fn *shardFn) encode(ctx context.Context, all []Document) (shard Shard, text []byte, err error) {
	values := make([]wire.Value, len(all))
	for i, d := range all {
		if values[i], err = (wire.JSON{}).Decode(d.JSON); err != nil {
			return shard, nil, err
		}
	}
	list, codec := wire.Array(values...), fn.codec
	if codec != nil {
		text, err = codec.AppendEncode(nil, list)
	} else if choice, failed := (wirekit.Chooser{Precision: wirekit.PrecisionSampled}).Choose(ctx, list); failed == nil {
		codec, text, shard.Tokens = choice.Codec, choice.Encoded, int64(choice.Tokens())
	} else {
		err = failed
	}
	if err != nil {
		return shard, nil, err
	}
	shard.Records = int64(len(all))
	info := codec.Info()
	shard.Format, shard.File, shard.Bytes = info.FullName(), info.Extensions[0], int64(len(text))
	return shard, text, nil
}

// WriteRejected writes what was passed over to a file of JSON Lines, in the order of files
// and offsets; an empty file if nothing was. It is held in memory.
func WriteRejected(s beam.Scope, file string, bad ...beam.PCollection) {
	s = s.Scope("wirekit.WriteRejected")
	beam.ParDo0(s, &writeBadFn{File: file}, beam.Impulse(s), beam.SideInput{Input: beam.Flatten(s, bad...)})
}

// writeBadFn writes what was passed over.
type writeBadFn struct{ File string }

// ProcessElement writes the file.
func (fn *writeBadFn) ProcessElement(ctx context.Context, _ []byte, next func(*Rejected) bool) error {
	var all []Rejected
	for b := (Rejected{}); next(&b); b = (Rejected{}) {
		all = append(all, b)
	}
	slices.SortFunc(all, byPlace)
	var text []byte
	for _, b := range all {
		v, err := wire.FromGo(b)
		if err != nil {
			return err
		}
		text = append(wire.AppendJSON(text, v), '\n')
	}
	return writeFile(ctx, fn.File, text)
}
