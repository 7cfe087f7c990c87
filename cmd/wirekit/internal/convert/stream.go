package convert

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// streaming is one conversion record by record.
type streaming struct {
	c              *cli.Console
	o              convertOptions
	file           string
	source, target wire.Streamer
	keys           *wire.Keys   // the columns that the user named
	records        atomic.Int64 // copied so far
	twice          atomic.Int64 // records in which an object has a key twice
}

// left is the part of a file's size that has been read, and how long the rest will take. The
// size is 0 if it is not known.
func left(read, size int64, passed time.Duration) string {
	if read == 0 || size < read {
		return ""
	}
	rest := time.Duration(float64(passed) * float64(size-read) / float64(read))
	return fmt.Sprintf(", %d %%, %s left", 100*read/size, rest.Round(time.Second))
}

func (o convertOptions) convertStream(c *cli.Console, file string) error {
	start := time.Now()
	target, err := streamer(o.To)
	if err = cmp.Or(err, o.input.Check()); err != nil {
		return err
	}
	s := &streaming{c: c, o: o, file: file, target: target}
	if s.keys, err = columnsOf(o.columns, target); err != nil {
		return err
	}
	in, err := c.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	var read cli.Count
	inflated, _, err := cli.Inflater(bufio.NewReader(io.TeeReader(in, &read)))
	if err != nil {
		return cli.About(file, err)
	}
	buffered := bufio.NewReaderSize(inflated, peeked)
	if s.source, err = o.streamSource(c, file, buffered); err != nil {
		return err
	}
	if o.skipBad && describe.Of(s.source).Cut == nil {
		// Where a program has written a table and counted or closed it, a malformed row says
		// that the document is damaged.
		return cli.Usagef("--skip-bad goes with formats whose records are independent, jsonl, csv and yaml, not with %s", s.source.Info().FullName())
	}
	if info := target.Info(); info.Loss&^measure.BeyondJSON != 0 {
		c.Note("%s may lose %s; leave out --stream to be told", info.FullName(), info.Loss&^measure.BeyondJSON)
	}
	var size int64
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	defer c.Progress("converting "+cli.Title(file), func() string {
		return fmt.Sprintf("%d records%s", s.count(), left(read.Load(), size, time.Since(start)))
	})()
	if w, ok := c.Warned(s.source).(wire.Streamer); ok {
		s.source = w
	}
	if o.byShape {
		return s.byShape(buffered)
	}
	name, err := o.FileFor(file, target)
	if err != nil {
		return err
	}
	skips := &skipped{c: c, file: file}
	defer func() {
		skips.total()
		if n := s.count(); n > 0 && n == int(o.input.Limit) {
			c.Note("%s: the first %d of the records; the rest was not read", cli.Title(file), n)
		}
		if n := s.twice.Load(); n > 0 {
			c.Note("%s: %s with a key twice; the last one counts", cli.Title(file), cli.Plural(int(n), "record"))
		}
	}()
	err = c.WriteWith(name, func(w io.Writer) error {
		err := s.convert(buffered, w, cli.Regular(name), skips)
		if _, ok := target.(wire.JSON); ok && err == nil {
			_, err = w.Write([]byte{'\n'}) // as a document has it
		}
		return err
	})
	if s.count() == 0 {
		err = hinted(err, "jsonl", wire.CodeUnexpectedEnd, "a document of several lines is converted without --stream, records are on a line each")
	}
	return err
}

// convert copies the records of in. The columns of a format with a header are
// those that the user named, or the first record's. If a later record brings new
// members and the input is a file, it is read once more for the columns of all:
// before anything is written, or where the output can be written again, when it
// turns out to be necessary.
func (s *streaming) convert(in io.Reader, out io.Writer, again bool, skips *skipped) error {
	twice := s.keys == nil && closed(s.target) && cli.Regular(s.file)
	var keys *wire.Keys
	var err error
	if twice && !again {
		if keys, err = s.columns(); err != nil {
			return err
		}
	}
	err = s.pump(in, out, keys, skips.record)
	var grown *newMember
	if !errors.As(err, &grown) || !twice || !again {
		return err
	}
	keys, err = s.columns()
	written := out.(*os.File) // as it is under the name of a regular file
	_, failed := written.Seek(0, io.SeekStart)
	if err = cmp.Or(err, failed, written.Truncate(0)); err != nil {
		return err
	}
	whole, file, err := s.again()
	if err != nil {
		return err
	}
	defer file.Close()
	seen := skips.n
	skips.n = 0
	return s.pump(whole, out, keys, func(err error) {
		skips.quiet = skips.n < seen // reported in the first pass
		skips.record(err)
	})
}

// again opens the input once more, and returns what it holds.
func (s *streaming) again() (in io.Reader, file io.Closer, err error) {
	opened, err := s.c.Open(s.file)
	if err != nil {
		return nil, nil, err
	}
	if in, _, err = cli.Inflater(bufio.NewReader(opened)); err != nil {
		opened.Close()
	}
	return in, opened, err
}

// from returns the codec that reads the input. skip is told of the bad records
// that are passed over.
func (s *streaming) from(skip func(error)) wire.Streamer {
	if !s.o.skipBad {
		skip = nil
	}
	s.twice.Store(0)
	from := lineCodec(s.source, skip, &s.twice)
	if s.o.input.All() {
		return from
	}
	return cli.Projected{Streamer: from, Selection: s.o.input.Selection}
}

// pump copies records. Without keys, the first one's are the output's columns.
func (s *streaming) pump(in io.Reader, out io.Writer, keys *wire.Keys, skip func(error)) error {
	check := s.fits
	if !closed(s.target) && s.keys == nil {
		check = nil
	}
	s.records.Store(0)
	c := wire.Transcoder{From: s.from(skip), To: s.target, Keys: cmp.Or(s.keys, keys)}
	err := wire.Internal.Transcode(context.Background(), c, out, in, &s.records, check)
	var grown *newMember
	if errors.As(err, &grown) {
		return grown
	}
	var bad *lineio.RecordError // which names the input
	if errors.As(err, &bad) {
		return cli.About(s.file, err)
	}
	return err
}

// each has take look at each record, which is valid until it returns.
func (s *streaming) each(in io.Reader, skip func(error), take func(record wire.Value) error) error {
	s.records.Store(0)
	for record, err := range wire.ViewRecords(s.from(skip), in) {
		if err == nil {
			err = take(record)
		}
		if err != nil {
			return cli.About(s.file, &lineio.RecordError{Record: s.count() + 1, Err: err})
		}
		s.records.Add(1)
	}
	return nil
}

// count returns the number of records so far.
func (s *streaming) count() int { return int(s.records.Load()) }

// fits is an error if a record's keys are not among the columns.
func (s *streaming) fits(record, columns *wire.Keys) error {
	if columns == nil || wire.Internal.Same(record, columns) {
		return nil
	}
	for _, name := range record.All() {
		if columns.Index(name) < 0 && !s.hasPaths(columns, name) {
			return &newMember{record: s.count() + 1, name: name, fixed: s.o.columns}
		}
	}
	return nil
}

// hasPaths reports whether columns are paths into the members of that name, as GCF has them.
func (s *streaming) hasPaths(columns *wire.Keys, name string) bool {
	for _, column := range columns.All() {
		if strings.HasPrefix(column, name+">") {
			return s.target.Info().Name == "gcf"
		}
	}
	return false
}

// peeked is how many bytes of a stream its format is detected by.
const peeked = 64 << 10

// streamSource returns the codec that --from names, that of the file's
// extension, or that of the stream's beginning.
func (o convertOptions) streamSource(c *cli.Console, file string, in *bufio.Reader) (wire.Streamer, error) {
	source, err := o.sourceOf(c, file, in)
	if err != nil || o.input.At == "" {
		return source, err
	}
	document, ok := source.(wire.JSON)
	if list, _ := strings.CutSuffix(o.input.At, "/*"); ok && !strings.Contains(list, "*") {
		document.RecordsAt = list
		return document, nil
	}
	return nil, cli.Usagef("with --stream, --at names a list in a document of JSON, as in /items or /items/*")
}

// sourceOf is streamSource for the records of a whole document.
func (o convertOptions) sourceOf(c *cli.Console, file string, in *bufio.Reader) (wire.Streamer, error) {
	if o.input.From != "" {
		return streamer(o.input.From)
	}
	// Peek waits for that many bytes or the end, so a slow stream is looked at
	// as soon as it has said something.
	if _, err := in.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head, _ := in.Peek(in.Buffered())
	if err := cli.Foreign(head); err != nil {
		return nil, cli.About(file, err)
	}
	if named := c.Separated(cli.ByExtension(file, head), file, head); named != nil && named.Info().Name != "json" {
		return rowByRow(named)
	}
	// wirekit.Detect is for whole documents, and refuses a header alone.
	found, err := wirekit.Registry().Detect(head)
	if r, n := utf8.DecodeRune(head); err != nil && r == utf8.RuneError && n == 1 {
		return nil, cli.About(file, cli.ErrBinary)
	}
	if err != nil || found.Info().Name == "json" {
		text := bytes.TrimLeft(scan.TrimBOM(head), " \t\r\n")
		if o.input.At != "" || bytes.HasPrefix(text, []byte{'['}) {
			return wire.JSON{}, nil // of a list the elements
		}
		// A first record alone, several on a line, or one that is malformed: the
		// reader says where.
		return streamer("jsonl")
	}
	return rowByRow(found)
}

// streamer returns the codec called name if it is written and read row by row.
func streamer(name string) (wire.Streamer, error) {
	c, err := wirekit.Lookup(name)
	if err != nil {
		return nil, err
	}
	return rowByRow(c)
}

// rowByRow is streamer for a codec.
func rowByRow(c wire.Codec) (wire.Streamer, error) {
	if s, ok := c.(wire.Streamer); ok {
		return s, nil
	}
	var names []string
	for _, c := range wirekit.Registry().Codecs() {
		if _, ok := c.(wire.Streamer); ok {
			names = append(names, c.Info().Name)
		}
	}
	return nil, cli.Usagef("--stream needs a format with rows: %s, not %s", strings.Join(names, ", "), c.Info().FullName())
}

// newMember is the error of a record that has a member which is not a column.
type newMember struct {
	record int
	name   string
	fixed  []string // the columns of --columns, if these are meant
}

func (e *newMember) Error() string {
	hint := "name all columns with --columns, or give a file, which is read twice"
	if e.fixed != nil {
		hint = fmt.Sprintf("name it there, leave it out with --keep %s, or leave --columns out for a file, which is then read twice", strings.Join(e.fixed, ","))
	}
	return fmt.Sprintf("record %d has the member %q, which is not among the columns; %s", e.record, e.name, hint)
}

// columnsOf returns the columns that --columns names.
func columnsOf(names []string, target wire.Streamer) (*wire.Keys, error) {
	if len(names) == 0 {
		return nil, nil
	}
	keys, err := wire.NewKeys(names...)
	if err != nil {
		return nil, cli.Usagef("--columns %s: a column is named twice", strings.Join(names, ","))
	}
	if describe.Of(target).Columns == inplace.NoColumns {
		return nil, cli.Usagef("--columns goes with a format that has a header, not with %s", target.Info().FullName())
	}
	return keys, nil
}

// closed reports whether the target's columns are what its first record has: a
// record with another member is refused.
func closed(target wire.Streamer) bool { return describe.Of(target).Columns == inplace.FixedColumns }

// columns reads the stream once for the keys of all of its records, or of those before
// one with an error, which the copy will meet again.
func (s *streaming) columns() (*wire.Keys, error) {
	in, file, err := s.again()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var names []string
	known := make(map[string]bool)
	var last *wire.Keys
	_ = s.each(in, (&skipped{quiet: true}).record, func(record wire.Value) error {
		if record.Kind() != wire.KindObject || record.Keys() == last {
			return nil
		}
		last = record.Keys()
		for _, name := range last.All() {
			if !known[name] {
				names = append(names, strings.Clone(name))
				known[names[len(names)-1]] = true
			}
		}
		return nil
	})
	if names == nil {
		return nil, nil
	}
	return wire.NewKeys(names...)
}
