package conformance

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/wire"
)

// thoroughStep is how many streams there are to each one that is put through
// everything.
const thoroughStep = 32

// fewRows is how many rows a stream has at most that is cut everywhere.
const fewRows = 60

// records writes the rows of every array of objects with the same keys one by
// one, and reads them back from readers that give few bytes at a time. Some of
// the streams are also cut, read from readers that fail and written to writers
// that take only a part.
func (s Suite) records(t *testing.T, c wire.Streamer) {
	r := report(t)
	n, step := 0, thoroughStep
	if testing.Short() {
		step *= shortStep
	}
	for _, corpus := range s.Corpora {
		for name, v := range corpus.Cases {
			keys := sharedKeys(v)
			if keys == nil || v.Len() > 500 {
				continue
			}
			if n++; testing.Short() && n%shortStep != 1 {
				continue
			}
			everything := n%step == 1 && v.Len() <= fewRows
			if err := checkRecords(c, keys, v, everything); err != nil {
				r.document(corpus.Name+", "+name, err)
			}
		}
	}
}

// sharedKeys returns the keys that all elements of an array have, nil if v is
// another value.
func sharedKeys(v wire.Value) *wire.Keys {
	if v.Kind() != wire.KindArray || v.Len() == 0 || v.Index(0).Len() == 0 {
		return nil
	}
	for e := range v.Elements() {
		if !wire.Internal.SameKeys(e, v.Index(0)) {
			return nil
		}
	}
	return v.Index(0).Keys()
}

func checkRecords(c wire.Streamer, keys *wire.Keys, rows wire.Value, everything bool) (err error) {
	defer caught(&err)
	defer noPanic("record writers and readers must not panic", "rows: %s\n", text(rows))
	k := streamChecker{checker: checker{codec: c, info: c.Info()}, streamer: c, keys: keys, rows: rows}
	var out bytes.Buffer
	if refused := k.write(&out); refused != nil {
		// Streams may take less than AppendEncode, but must say so as clearly.
		k.form(refused, "")
		return nil
	}
	k.stream = out.Bytes()
	k.whole()
	if everything {
		k.passOver()
		k.cut()
		k.failing()
		k.stuck()
		k.full()
	}
	return nil
}

// A streamChecker applies the rules to the stream of one array's rows.
type streamChecker struct {
	checker
	streamer wire.Streamer
	keys     *wire.Keys
	rows     wire.Value
	stream   []byte
	// loose says that the format takes a last line without its end for whole,
	// so that it is not known whether the last record is.
	loose bool
	// doubtful says that the last record read was not the one that was written.
	doubtful bool
}

var errTaken = errors.New("it is a record")

// write writes the rows, each after other values, which are to be refused.
func (k *streamChecker) write(out io.Writer, others ...wire.Value) error {
	w, err := k.streamer.NewRecordWriter(out, k.keys)
	if err != nil {
		return err
	}
	for e := range k.rows.Elements() {
		for _, other := range others {
			if w.Write(other) == nil {
				return errTaken
			}
		}
		if err := w.Write(e); err != nil {
			return err
		}
	}
	return w.Close()
}

// passOver writes the rows with others between them that the format may refuse: what it
// refuses leaves nothing.
func (k *streamChecker) passOver() {
	one := func(key string, v wire.Value) wire.Value { return builder.Object(wire.Member{Key: key, Value: v}) }
	deep := wire.String("x")
	for range 2000 {
		deep = wire.Array(deep)
	}
	for _, bad := range []wire.Value{wire.String("\xff"), wire.Array(deep), one("other", wire.Int(1)), one(k.keys.At(0), deep), one(k.keys.At(0), wire.String("\xff"))} {
		var out bytes.Buffer
		err := k.write(&out, bad)
		hold(err == errTaken || err == nil && bytes.Equal(out.Bytes(), k.stream), "a record that cannot be written leaves nothing", "%v\nwritten: %s\nwithout it: %s", err, quoted(out.Bytes()), quoted(k.stream))
	}
}

// told holds that a beginning of the stream that is read without an error or a warning is
// what a writer writes of the n records in it, but for the end of its last line, or that
// Decode forgives it, too.
func (k *streamChecker) told(beginning []byte, n int, end error) {
	ends := func(text []byte) bool { return bytes.HasSuffix(text, []byte{'\n'}) }
	open := k.loose && ends(k.stream) && !ends(beginning)
	if end != nil || n == 0 || n == k.rows.Len() || k.doubtful || open || k.lossy() {
		return
	}
	if _, refused := k.decode(beginning); refused == nil {
		return
	}
	warned := false
	if c, ok := wire.Internal.WithWarnings(k.streamer, func(*wire.Error) { warned = true }).(wire.Streamer); ok {
		for range c.Records(bytes.NewReader(beginning)) {
			continue // it is for the warnings
		}
	}
	part := streamChecker{streamer: k.streamer, keys: k.keys, rows: wire.Array(slices.Collect(k.rows.Elements())[:n]...)}
	var out bytes.Buffer
	err := part.write(&out)
	same := err == nil && bytes.Equal(bytes.TrimRight(out.Bytes(), "\r\n"), bytes.TrimRight(beginning, "\r\n"))
	hold(warned || same, "a cut stream is told", "%d of %d records of %s\nwhat they are when written: %s, %v", n, k.rows.Len(), quoted(beginning), quoted(out.Bytes()), err)
}

// read reads records and holds each to be the row that was written. It returns
// their number and the error that came last.
func (k *streamChecker) read(r io.Reader) (n int, last error) {
	n, last, fault := k.try(r)
	if fault != nil {
		panic(fault)
	}
	return n, last
}

// try is read for what may be at fault.
func (k *streamChecker) try(r io.Reader) (n int, last, fault error) {
	var doubtful error // of the record before, which may be a cut one
	defer func() { k.doubtful = doubtful != nil }()
	for got, err := range k.streamer.Records(r) {
		switch {
		case doubtful != nil && err == nil:
			return n, last, doubtful
		case last != nil:
			return n, last, broken("an error must be the last pair of Records", "after it came another pair\nstream: %s", quoted(k.stream))
		case err != nil:
			last = err
			continue
		case k.lossy():
			continue // records may be left out
		}
		if doubtful = k.difference(n, got); doubtful == nil {
			n++
		} else if !k.loose {
			return n, nil, doubtful
		}
	}
	return n, last, nil
}

// difference returns what is wrong with the record that was read after n others.
func (k *streamChecker) difference(n int, got wire.Value) error {
	if n >= k.rows.Len() {
		return broken("a codec must read the records it wrote", "more than %d records\nstream: %s", n, quoted(k.stream))
	}
	want := k.rows.Index(n)
	if loss, at := wire.Difference(want, got); loss&^k.info.Loss != 0 {
		return broken("a codec loses only what it declares", "record %d lost %v (at %q)\nrecord: %s\nread:   %s\nstream: %s", n, loss&^k.info.Loss, at, text(want), text(got), quoted(k.stream))
	}
	return nil
}

// whole reads the stream in pieces of all kinds.
func (k *streamChecker) whole() {
	for name, r := range faulty.Readers(k.stream) {
		n, err := k.read(r)
		const rule = "a codec must read the records it wrote"
		hold(err == nil, rule, "reader %q: %v\nstream: %s", name, err, quoted(k.stream))
		hold(n == k.rows.Len() || k.lossy(), rule, "reader %q: %d of %d records\nstream: %s", name, n, k.rows.Len(), quoted(k.stream))
	}
}

// fewCuts is at how many bytes a stream is cut, and then about as many again.
const fewCuts = 150

// cut reads beginnings of the stream: no record of them may be another than the
// one that was written.
func (k *streamChecker) cut() {
	k.loose = true
	for _, err := range k.streamer.Records(bytes.NewReader(bytes.TrimRight(k.stream, "\r\n"))) {
		k.loose = k.loose && err == nil
	}
	defer func() { k.loose = false }()
	for beginning := range faulty.Cuts(k.stream, fewCuts) {
		whole, end, fault := k.try(bytes.NewReader(beginning))
		hold(fault == nil, "a cut stream gives true records only", "%v\ncut after %d bytes: %s", fault, len(beginning), quoted(beginning))
		k.told(beginning, whole, end)
		pieces, _, _ := k.try(iotest.OneByteReader(bytes.NewReader(beginning)))
		hold(whole == pieces, "the number of records must not depend on the reader", "%d at once, %d byte by byte\nstream: %s", whole, pieces, quoted(beginning))
	}
}

var errReader = errors.New("the reader failed")

// failing reads from readers that fail: their error comes last, after all
// records that were read whole.
func (k *streamChecker) failing() {
	for _, n := range []int{0, len(k.stream) / 3, len(k.stream) / 2, len(k.stream) - 1} {
		beginning, first := k.stream[:n], -1
		for name, r := range faulty.Failing(beginning, errReader) {
			got, err := k.read(r)
			hold(errors.Is(err, errReader), "Records must give the reader's error", "reader %q, which fails after %d bytes: it gave %v\nstream: %s", name, n, err, quoted(k.stream))
			if first < 0 {
				first = got
			}
			hold(got == first, "the number of records before a reader's error must not depend on the reader", "%d records from reader %q, %d from another\nit fails after %d bytes: %s", got, name, first, n, quoted(beginning))
		}
	}
}

// stuck reads from a reader that gives nothing any more, without an error.
func (k *streamChecker) stuck() {
	_, err := k.read(faulty.Stuck(k.stream[:len(k.stream)/2]))
	hold(errors.Is(err, io.ErrNoProgress), "Records must give up a reader that gives nothing", "want io.ErrNoProgress, got %v\nstream: %s", err, quoted(k.stream))
}

// full writes to writers that take only a part.
func (k *streamChecker) full() {
	for _, n := range []int{0, len(k.stream) / 2, len(k.stream) - 1} {
		err := k.write(&faulty.Writer{Limit: n})
		hold(errors.Is(err, faulty.ErrFull), "a RecordWriter must give the writer's error", "a writer that fails after %d of %d bytes: got %v", n, len(k.stream), err)
		err = k.write(&faulty.Writer{Limit: n, Silent: true})
		hold(errors.Is(err, io.ErrShortWrite), "a RecordWriter must notice short writes", "a writer that takes %d of %d bytes: want io.ErrShortWrite, got %v", n, len(k.stream), err)
	}
}
