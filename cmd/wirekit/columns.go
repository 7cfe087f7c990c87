package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/wirekit/wirekit/internal/lineio"
	"github.com/wirekit/wirekit/internal/split"
	"github.com/wirekit/wirekit/wire"
)

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
		return nil, usageError{fmt.Errorf("--columns %s: a column is named twice", strings.Join(names, ","))}
	}
	narrow, _ := wire.NewKeys("a")
	wide, _ := wire.NewKeys("a", "b")
	record, _ := wire.Object(wire.Member{Key: "a", Value: wire.Int(1)})
	if a, b := sampleStream(target, narrow, record), sampleStream(target, wide, record); bytes.Equal(a, b) {
		return nil, usageError{fmt.Errorf("--columns goes with a format that has a header, not with %s", target.Info().FullName())}
	}
	return keys, nil
}

// closed reports whether the target's columns are what its first record has: a
// record with another member is refused.
func closed(target wire.Streamer) bool {
	keys, _ := wire.NewKeys("a")
	a, _ := wire.Object(wire.Member{Key: "a", Value: wire.Int(1)})
	b, _ := wire.Object(wire.Member{Key: "a", Value: wire.Int(1)}, wire.Member{Key: "b", Value: wire.Int(1)})
	return sampleStream(target, keys, a) != nil && sampleStream(target, keys, a, b) == nil
}

// sampleStream returns what the target makes of a few records, nil if it
// refuses them.
func sampleStream(target wire.Streamer, keys *wire.Keys, records ...wire.Value) []byte {
	var out bytes.Buffer
	w, err := target.NewRecordWriter(&out, keys)
	if err != nil {
		return nil
	}
	for _, record := range records {
		if w.Write(record) != nil {
			return nil
		}
	}
	if w.Close() != nil {
		return nil
	}
	return out.Bytes()
}

// A sink is the target of records that are not written to the output.
type sink struct {
	wire.JSONLines // whose place it takes
	wire.RecordWriter
}

func (s sink) NewRecordWriter(io.Writer, *wire.Keys) (wire.RecordWriter, error) {
	return s.RecordWriter, nil
}

// unwritten is a RecordWriter's output where there is none.
type unwritten struct{}

func (unwritten) Flush() error { return nil }
func (unwritten) Written() int { return 0 }
func (unwritten) Close() error { return nil }

// union collects the keys of records, in the order in which they appear. A fork's
// text are those that are new to it, each after its length.
type union struct {
	unwritten
	names []string
	known map[string]bool
	last  *wire.Keys
}

func (u *union) Write(record wire.Value) error {
	u.add(record)
	return nil
}

func (u *union) Fork() split.Appender { return &union{} }

func (u *union) AppendRecord(dst []byte, record wire.Value, _ int) ([]byte, bool, error) {
	known := len(u.names)
	u.add(record)
	for _, name := range u.names[known:] {
		dst = append(binary.AppendUvarint(dst, uint64(len(name))), name...)
	}
	return dst, true, nil
}

func (u *union) Join(text []byte, _ []int) error {
	for len(text) > 0 {
		n, at := binary.Uvarint(text)
		end := at + int(n)
		u.learn(string(text[at:end]))
		text = text[end:]
	}
	return nil
}

func (u *union) add(record wire.Value) {
	if record.Kind() != wire.KindObject || record.Keys() == u.last {
		return
	}
	u.last = record.Keys()
	for _, name := range u.last.All() {
		u.learn(name)
	}
}

func (u *union) learn(name string) {
	if u.known[name] {
		return
	}
	if u.known == nil {
		u.known = make(map[string]bool)
	}
	u.known[name] = true
	u.names = append(u.names, name)
}

// columns reads the stream once for the keys of all of its records, or of those before
// one with an error, which the copy will meet again.
func (s *streaming) columns() (*wire.Keys, error) {
	in, err := s.again()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var u union
	c := wire.Transcoder{From: s.from((&skipped{quiet: true}).record), To: sink{RecordWriter: &u}}
	var bad *lineio.RecordError
	if err := s.copy(c, in, io.Discard, nil); err != nil && !errors.As(err, &bad) {
		return nil, err
	}
	if u.names == nil {
		return nil, nil
	}
	return wire.NewKeys(u.names...)
}

// rewind empties what has been written, if that is a file of ours.
func rewind(w io.Writer) error {
	f, ok := w.(*os.File)
	if !ok {
		return errors.New("the output cannot be written again")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return f.Truncate(0)
}

// regular reports whether a name is that of a regular file, or of none yet.
func regular(name string) bool {
	if name == "" || name == "-" {
		return false
	}
	info, err := os.Stat(name)
	return os.IsNotExist(err) || err == nil && info.Mode().IsRegular()
}
