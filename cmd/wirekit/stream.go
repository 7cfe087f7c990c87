package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

func (o convertOptions) convertStream(c *console, file string) error {
	target, err := streamer(o.to)
	if err != nil {
		return err
	}
	in, err := c.open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	buffered := bufio.NewReaderSize(in, peeked)
	source, err := o.streamSource(file, buffered)
	if err != nil {
		return err
	}
	if info := target.Info(); info.Loss&^wire.LossBeyondJSON != 0 {
		c.note("%s may lose %s; leave out --stream to be told", info.FullName(), info.Loss&^wire.LossBeyondJSON)
	}
	var records atomic.Int64
	defer c.progress("converting "+title(file), func() string { return fmt.Sprintf("%d records", records.Load()) })()
	if w, ok := c.warned(source).(wire.Streamer); ok {
		source = w
	}
	name, err := o.output(file, target)
	if err != nil {
		return err
	}
	return c.writeWith(name, func(w io.Writer) error {
		return pump(source, target, buffered, w, &records)
	})
}

// peeked is how many bytes of a stream its format is detected by.
const peeked = 64 << 10

// streamSource returns the codec that --from names, that of the file's
// extension, or that of the stream's beginning.
func (o convertOptions) streamSource(file string, in *bufio.Reader) (wire.Streamer, error) {
	if o.input.from != "" {
		return streamer(o.input.from)
	}
	// Peek waits for that many bytes or the end, so a slow stream is looked at
	// as soon as it has said something.
	if _, err := in.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head, _ := in.Peek(in.Buffered())
	if named := extended(file, head); named != nil && named.Info().Name != "json" {
		return streamer(named.Info().FullName())
	}
	found, err := wirekit.Detect(head)
	if err != nil || found.Info().Name == "json" {
		// A first record alone, or one that is malformed: the reader says where.
		return streamer("jsonl")
	}
	return streamer(found.Info().FullName())
}

// pump copies records. The first one's keys are the output's columns.
func pump(source, target wire.Streamer, in io.Reader, out io.Writer, count *atomic.Int64) error {
	var w wire.RecordWriter
	for record, err := range source.Records(in) {
		if err == nil && w == nil {
			var keys *wire.Keys
			if record.Kind() == wire.KindObject {
				keys = record.Keys()
			}
			w, err = target.NewRecordWriter(out, keys)
		}
		if err == nil {
			err = w.Write(record)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", count.Load()+1, err)
		}
		count.Add(1)
	}
	if w == nil { // no record at all
		var err error
		if w, err = target.NewRecordWriter(out, nil); err != nil {
			return err
		}
	}
	return w.Close()
}

// streamer returns the codec called name if it is written and read row by row.
func streamer(name string) (wire.Streamer, error) {
	c, err := lookup(name)
	if err != nil {
		return nil, err
	}
	if s, ok := c.(wire.Streamer); ok {
		return s, nil
	}
	var names []string
	for _, c := range wirekit.Codecs() {
		if _, ok := c.(wire.Streamer); ok {
			names = append(names, c.Info().Name)
		}
	}
	return nil, usageError{fmt.Errorf("--stream needs a format with rows: %s, not %s", strings.Join(names, ", "), name)}
}
