package wire

import (
	"io"
	"iter"
)

// A Splitter is a Streamer whose streams can be cut between records without being
// decoded, so that several goroutines can read one: see [Copier].
type Splitter interface {
	Streamer
	// Split returns the parts of r.
	Split(r io.Reader) Parts
}

// Parts are the parts of one stream. Put together they give the records, errors
// and positions of [Streamer.Records].
type Parts interface {
	// Next returns the next part, in the memory of buf if there is room in it. A
	// part with a Rest is the last. An error is about what is before all records.
	Next(buf []byte) (Part, error)
	// Records reads the records of a part, which are valid until the loop goes on,
	// as those of [LentRecords] are. before is the number of records in the stream
	// before them; only errors and warnings depend on it. It is safe for concurrent
	// use.
	Records(p Part, before int) iter.Seq2[Value, error]
}

// A Part is a run of whole records of a stream, or all that is left of it.
type Part struct {
	Text    []byte
	Offset  int       // of Text in the stream
	Lines   int       // line feeds before Text
	Records int       // how many records Text holds if none is bad, as far as can be told without decoding; -1 if it cannot
	Rest    io.Reader // of the last part: what follows Text and was not read yet
}

// A ForkingWriter is a RecordWriter that can be helped: the text of its records
// can be made by several goroutines, run by run.
type ForkingWriter interface {
	RecordWriter
	// Fork returns an appender of records as they are in this writer's stream.
	Fork() RecordAppender
	// Join writes text, which a fork made of the next records. They end at ends in it.
	Join(text []byte, ends []int) error
}

// A RecordAppender makes the text of records. It is for one goroutine.
type RecordAppender interface {
	// AppendRecord appends what [RecordWriter.Write] writes for a record, before
	// which there are so many in the stream; -1 if that is not known. Where the text
	// depends on it, false is returned then. On error it returns dst as it was.
	AppendRecord(dst []byte, record Value, before int) ([]byte, bool, error)
}
