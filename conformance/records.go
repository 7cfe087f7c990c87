package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/wirekit/wirekit/wire"
)

// records writes the rows of every array of objects with the same keys one by
// one, and reads them back from readers that give few bytes at a time or fail.
func (s Suite) records(t *testing.T, c wire.Streamer) {
	r := report(t)
	n := 0
	for _, corpus := range s.Corpora {
		for name, v := range corpus.Cases {
			keys := sharedKeys(v)
			if keys == nil || v.Len() > 500 {
				continue
			}
			if n++; testing.Short() && n%shortStep != 1 {
				continue
			}
			if err := checkRecords(c, keys, v); err != nil {
				r.document(corpus.Name+", "+name, err)
			}
		}
	}
}

// sharedKeys returns the keys that all elements of an array have, nil if v is
// another value.
func sharedKeys(v wire.Value) *wire.Keys {
	if v.Kind() != wire.KindArray || v.Len() == 0 {
		return nil
	}
	for e := range v.Elements() {
		if !e.SameKeys(v.Index(0)) {
			return nil
		}
	}
	if v.Index(0).Len() == 0 {
		return nil
	}
	return v.Index(0).Keys()
}

func checkRecords(c wire.Streamer, keys *wire.Keys, rows wire.Value) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = broken("record writers and readers must not panic", "%v\nrows: %s\n%s", p, text(rows), stack())
		}
	}()
	k := checker{codec: c, info: c.Info()}
	var out bytes.Buffer
	refused := writeRecords(c, &out, keys, rows)
	if refused != nil {
		// Streams may take less than AppendEncode, but must say so as clearly.
		_, err := k.form(refused)
		return err
	}
	for _, size := range []int{1, 7, out.Len() + 1} {
		i := 0
		for got, err := range c.Records(&slowReader{src: out.Bytes(), size: size}) {
			if err != nil {
				return broken("a codec must read the records it wrote", "%v\nstream: %s", err, quoted(out.Bytes()))
			}
			if i >= rows.Len() && !k.lossy() {
				return broken("a codec must read the records it wrote", "more than %d records\nstream: %s", rows.Len(), quoted(out.Bytes()))
			}
			if k.lossy() {
				continue // records may be left out
			}
			if loss, at := wire.Difference(rows.Index(i), got); loss&^k.info.Loss != 0 {
				return broken("a codec loses only what it declares", "record %d lost %v (at %q)\nrecord: %s\nread:   %s\nstream: %s", i, loss&^k.info.Loss, at, text(rows.Index(i)), text(got), quoted(out.Bytes()))
			}
			i++
		}
		if i < rows.Len() && !k.lossy() {
			return broken("a codec must read the records it wrote", "%d of %d records\nstream: %s", i, rows.Len(), quoted(out.Bytes()))
		}
	}
	return failingReader(c, out.Bytes())
}

func writeRecords(c wire.Streamer, out io.Writer, keys *wire.Keys, rows wire.Value) error {
	w, err := c.NewRecordWriter(out, keys)
	if err != nil {
		return err
	}
	for e := range rows.Elements() {
		if err := w.Write(e); err != nil {
			return err
		}
	}
	return w.Close()
}

var errReader = errors.New("the reader failed")

// failingReader checks that the error of a reader comes out of Records, last.
func failingReader(c wire.Streamer, stream []byte) error {
	var last error
	for _, err := range c.Records(&slowReader{src: stream[:len(stream)/2], size: 16, err: errReader}) {
		if last != nil {
			return broken("an error must be the last pair of Records", "after it came another pair\nstream: %s", quoted(stream))
		}
		last = err
	}
	if last == nil {
		return broken("Records must give the reader's error", "it gave none\nstream: %s", quoted(stream))
	}
	if !errors.Is(last, errReader) {
		return broken("Records must give the reader's error", "it gave %v\nstream: %s", last, quoted(stream))
	}
	return nil
}

// A slowReader gives at most size bytes at a time, then err or io.EOF.
type slowReader struct {
	src  []byte
	size int
	err  error
}

func (r *slowReader) Read(p []byte) (int, error) {
	if len(r.src) == 0 {
		if r.err != nil {
			return 0, fmt.Errorf("slowReader: %w", r.err)
		}
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.size)], r.src)
	r.src = r.src[n:]
	return n, nil
}
