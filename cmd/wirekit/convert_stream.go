package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/measure"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// streaming is one conversion record by record.
type streaming struct {
	c              *console
	o              convertOptions
	file           string
	source, target wire.Streamer
	keys           *wire.Keys   // the columns that the user named
	records        atomic.Int64 // copied so far
	twice          atomic.Int64 // records in which an object has a key twice
}

// readBytes counts the bytes that are read of a file.
type readBytes struct {
	io.Reader
	n    atomic.Int64
	size int64 // of the file, 0 if it is not known
}

func (r *readBytes) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n.Add(int64(n))
	return n, err
}

// left is the part that has been read, and how long the rest will take.
func (r *readBytes) left(passed time.Duration) string {
	n := r.n.Load()
	if n == 0 || r.size < n {
		return ""
	}
	rest := time.Duration(float64(passed) * float64(r.size-n) / float64(n))
	return fmt.Sprintf(", %d %%, %s left", 100*n/r.size, rest.Round(time.Second))
}

// sizeOf is a file's size, or 0.
func sizeOf(file string) int64 {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}

func (o convertOptions) convertStream(c *console, file string) error {
	start := time.Now()
	target, err := streamer(o.to)
	if err != nil {
		return err
	}
	if err := o.input.check(); err != nil {
		return err
	}
	s := &streaming{c: c, o: o, file: file, target: target}
	if s.keys, err = columnsOf(o.columns, target); err != nil {
		return err
	}
	in, err := c.open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	bytes := &readBytes{Reader: in, size: sizeOf(file)}
	inflated, _, err := inflater(bufio.NewReader(bytes))
	if err != nil {
		return about(file, err)
	}
	buffered := bufio.NewReaderSize(inflated, peeked)
	if s.source, err = o.streamSource(c, file, buffered); err != nil {
		return err
	}
	if err := s.checkSkip(); err != nil {
		return err
	}
	if info := target.Info(); info.Loss&^measure.BeyondJSON != 0 {
		c.note("%s may lose %s; leave out --stream to be told", info.FullName(), info.Loss&^measure.BeyondJSON)
	}
	defer c.progress("converting "+title(file), func() string { return fmt.Sprintf("%d records%s", s.count(), bytes.left(time.Since(start))) })()
	if w, ok := c.warned(s.source).(wire.Streamer); ok {
		s.source = w
	}
	if o.byShape {
		return s.byShape(buffered)
	}
	name, err := o.output(file, target)
	if err != nil {
		return err
	}
	skips := &skipped{c: c, file: file}
	defer func() {
		skips.total()
		if n := s.count(); n > 0 && n == int(o.input.limit) {
			c.note("%s: the first %d of the records; the rest was not read", title(file), n)
		}
		if n := s.twice.Load(); n > 0 {
			c.note("%s: %s with a key twice; the last one counts", title(file), plural(int(n), "record"))
		}
	}()
	err = c.writeWith(name, func(w io.Writer) error { return s.convert(buffered, w, regular(name), skips) })
	if s.count() == 0 {
		err = hinted(err, "jsonl", wire.CodeUnexpectedEnd, "a document of several lines is converted without --stream, records are on a line each")
	}
	return err
}

// checkSkip refuses --skip-bad for formats whose records do not stand for
// themselves: where a program has written a table and counted or closed it, a
// malformed row says that the document is damaged.
func (s *streaming) checkSkip() error {
	switch s.source.(type) {
	case wire.JSONLines, csv.Codec, yaml.Codec:
		return nil
	}
	if s.o.skipBad {
		return usageError{fmt.Errorf("--skip-bad goes with formats whose records stand for themselves, jsonl, csv and yaml, not with %s", s.source.Info().FullName())}
	}
	return nil
}

// convert copies the records of in. The columns of a format with a header are
// those that the user named, or the first record's. If a later record brings new
// members and the input is a file, it is read once more for the columns of all:
// before anything is written, or where the output can be written again, when it
// turns out to be necessary.
func (s *streaming) convert(in io.Reader, out io.Writer, again bool, skips *skipped) error {
	twice := s.keys == nil && closed(s.target)
	var keys *wire.Keys
	if readable := regular(s.file); twice && readable && !again {
		var err error
		if keys, err = s.columns(); err != nil {
			return err
		}
	}
	err := s.pump(in, out, keys, skips.record)
	var grown *newMember
	if !errors.As(err, &grown) || !twice || keys != nil || !regular(s.file) || !again {
		return err
	}
	if keys, err = s.columns(); err != nil {
		return err
	}
	if err := rewind(out); err != nil {
		return err
	}
	file, err := s.again()
	if err != nil {
		return err
	}
	defer file.Close()
	seen := skips.n
	skips.n = 0
	return s.pump(file, out, keys, func(err error) {
		skips.quiet = skips.n < seen // reported in the first pass
		skips.record(err)
	})
}

// again opens the input once more.
func (s *streaming) again() (io.ReadCloser, error) {
	file, err := s.c.open(s.file)
	if err != nil {
		return nil, err
	}
	in, _, err := inflater(bufio.NewReader(file))
	return struct {
		io.Reader
		io.Closer
	}{in, file}, err
}

// from returns the codec that reads the input. skip is told of the bad records
// that are passed over.
func (s *streaming) from(skip func(error)) wire.Streamer {
	if !s.o.skipBad {
		skip = nil
	}
	s.twice.Store(0)
	from := lineCodec(s.source, skip, &s.twice)
	if s.o.input.all() {
		return from
	}
	return projected{from, s.o.input.selection}
}

// pump copies records. Without keys, the first one's are the output's columns.
func (s *streaming) pump(in io.Reader, out io.Writer, keys *wire.Keys, skip func(error)) error {
	if s.keys != nil {
		keys = s.keys
	}
	check := s.fits
	if !closed(s.target) && s.keys == nil {
		check = nil
	}
	return s.copy(wire.Transcoder{From: s.from(skip), To: s.target, Keys: keys}, in, out, check)
}

// copy copies records, and counts them in s.
func (s *streaming) copy(c wire.Transcoder, in io.Reader, out io.Writer, check func(record, columns *wire.Keys) error) error {
	s.records.Store(0)
	err := wire.Internal.Transcode(context.Background(), c, out, in, &s.records, check)
	var grown *newMember
	if errors.As(err, &grown) {
		return grown
	}
	var bad *lineio.RecordError
	if errors.As(err, &bad) {
		return about(s.file, err)
	}
	return err
}

// count returns the number of records so far.
func (s *streaming) count() int { return int(s.records.Load()) }

// fits is an error if a record's keys are not among the columns.
func (s *streaming) fits(record, columns *wire.Keys) error {
	if columns == nil || wire.Internal.Same(record, columns) {
		return nil
	}
	for _, name := range record.All() {
		if columns.Index(name) < 0 {
			return &newMember{record: s.count() + 1, name: name, fixed: s.o.columns}
		}
	}
	return nil
}

// peeked is how many bytes of a stream its format is detected by.
const peeked = 64 << 10

// streamSource returns the codec that --from names, that of the file's
// extension, or that of the stream's beginning.
func (o convertOptions) streamSource(c *console, file string, in *bufio.Reader) (wire.Streamer, error) {
	if o.input.from != "" {
		return streamer(o.input.from)
	}
	// Peek waits for that many bytes or the end, so a slow stream is looked at
	// as soon as it has said something.
	if _, err := in.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head, _ := in.Peek(in.Buffered())
	if err := foreign(head); err != nil {
		return nil, about(file, err)
	}
	if named := c.parted(extended(file, head), file, head); named != nil && named.Info().Name != "json" {
		return streamer(named.Info().FullName())
	}
	found, err := beginning(head)
	if err != nil || found.Info().Name == "json" {
		// A first record alone, several on a line, or one that is malformed: the
		// reader says where.
		return streamer("jsonl")
	}
	return streamer(found.Info().FullName())
}

// beginning tells a stream's format by the codecs' own looks at what begins it:
// wirekit.Detect is for whole documents, and refuses a header alone.
func beginning(head []byte) (wire.Codec, error) {
	r, err := wire.NewRegistry(wirekit.Registry().Codecs()...)
	if err != nil {
		return nil, err
	}
	return r.Detect(head)
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
	for _, c := range wirekit.Registry().Codecs() {
		if _, ok := c.(wire.Streamer); ok {
			names = append(names, c.Info().Name)
		}
	}
	return nil, usageError{fmt.Errorf("--stream needs a format with rows: %s, not %s", strings.Join(names, ", "), name)}
}
