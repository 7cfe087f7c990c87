// Package beam brings wirekit's formats into pipelines of Apache Beam, which run on
// one machine, on Flink, on Spark or on Dataflow: reading and writing records by file
// pattern, converting them, choosing a format for each shard, and measuring what each
// format takes over any number of documents.
//
// What passes between transforms is a [Document]: a value as compact JSON, with the
// place it came from. Kinds that JSON does not know, bytes and times, have become the
// text that JSON gives them.
//
// No transform fails because of what a document holds. What cannot be read, carried or
// written is a [Rejected] in a second output, counted in [Report] and written by [WriteRejected];
// an error of a file system is tried again, and then fails the bundle, which the runner
// tries again in its own way. Results do not depend on how often: transforms keep
// nothing from one bundle to the next, and files are written under names that follow
// from their content's place.
//
// A module of its own, because of what Beam imports. The program imports its runners and
// file systems, most simply with beamx.
package beam

import (
	"cmp"
	"errors"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A Document is a value and where it came from.
type Document struct {
	File string
	// Offset is the byte at which the record begins, in a file whose records are found
	// by lines; 0 otherwise.
	Offset int64
	// Number counts the records of a file from 1, where Offset is 0 for all of them.
	Number int64
	// JSON is the value as compact JSON.
	JSON []byte
}

// A Rejected is a document that was passed over.
type Rejected struct {
	// Format could not be read or written, for the reason that Code names. Sample is the
	// record's beginning, up to 200 bytes; empty if there was none to read.
	File, Format, Code, Message, Sample string
	// Offset is where the record begins, or, in a file that is read as a whole, where
	// the error is.
	Offset int64
	// Records is how many documents it is; more than 1 for a shard.
	Records int64
}

// sampled is how much of a bad record is kept.
const sampled = 200

// badOf makes of an error what the second output gets.
func badOf(err error, file string, offset int64, format string, text []byte) Rejected {
	b := Rejected{File: file, Offset: offset, Records: 1, Format: format, Code: "unknown", Message: err.Error(),
		Sample: strings.ToValidUTF8(string(text[:min(len(text), sampled)]), "\ufffd")}
	var e *wire.Error
	if errors.As(err, &e) {
		b.Code, b.Format = e.Code, cmp.Or(e.Format, b.Format)
	}
	return b
}

// place orders documents by where they came from.
func (d Document) place(e Document) int {
	return cmp.Or(cmp.Compare(d.File, e.File), cmp.Compare(d.Offset, e.Offset), cmp.Compare(d.Number, e.Number))
}

// byPlace orders what was passed over by where it came from.
func byPlace(a, b Rejected) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Message, b.Message))
}
