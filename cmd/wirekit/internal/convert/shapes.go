package convert

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/wire"
)

// maxShapes is how many shapes of records --by-shape tells apart. A table each
// for more would be no tables any more, and each is an open file.
const maxShapes = 100

// shapeKeys finds the shape of a record: its members, in whatever order, or that
// it is not an object. Shapes are numbered from 0 as they appear.
type shapeKeys struct {
	last   *wire.Keys
	lastAt int
	known  map[string]int
}

func (s *shapeKeys) of(record wire.Value) (int, error) {
	name := "" // of what is not an object
	var keys *wire.Keys
	if record.Kind() == wire.KindObject {
		if keys = record.Keys(); keys == s.last && len(s.known) > 0 {
			return s.lastAt, nil
		}
		var names []string
		for _, key := range keys.All() {
			names = append(names, strconv.Quote(key))
		}
		slices.Sort(names)
		name = "{" + strings.Join(names, ",")
	}
	at, ok := s.known[name]
	if !ok {
		if at = len(s.known); at == maxShapes {
			return 0, fmt.Errorf("the records have more than %d shapes; leave --by-shape out: absent members take little in a table", maxShapes)
		}
		s.known[name] = at
	}
	if keys != nil {
		s.last, s.lastAt = keys, at
	}
	return at, nil
}

// byShape returns an object with a table for each shape of the records in v,
// table1 being that of the first record. Records that are not objects are one
// list of these.
func byShape(v wire.Value) (wire.Value, error) {
	if v.Kind() != wire.KindArray {
		return v, fmt.Errorf("--by-shape sorts the records of a list, and this is of kind %s; --at takes a part of a document", v.Kind())
	}
	shapes := shapeKeys{known: make(map[string]int)}
	var tables [][]wire.Value
	for record := range v.Elements() {
		at, err := shapes.of(record)
		if err != nil {
			return v, err
		}
		if at == len(tables) {
			tables = append(tables, nil)
		}
		tables[at] = append(tables[at], record)
	}
	members := make([]wire.Member, len(tables))
	for i, records := range tables {
		members[i] = wire.Member{Key: "table" + strconv.Itoa(i+1), Value: wire.Array(records...)}
	}
	return wire.Object(members...)
}

// shapeTables are the outputs of a stream by shape, a file each.
type shapeTables struct {
	*streaming
	shapes shapeKeys
	files  []*cli.Pending
	tables []wire.RecordWriter
}

// Write writes a record into its table.
func (t *shapeTables) Write(record wire.Value) error {
	at, err := t.shapes.of(record)
	if err != nil {
		return err
	}
	if at == len(t.tables) {
		if err := t.open(record); err != nil {
			return err
		}
	}
	return t.tables[at].Write(record)
}

// open begins the table of a shape that was not there before.
func (t *shapeTables) open(record wire.Value) error {
	name, err := t.o.FileFor(t.file, t.target)
	if err != nil {
		return err
	}
	extension := t.target.Info().Extensions[0]
	name = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, extension), len(t.tables)+1, extension)
	if cli.SameFile(t.file, name) {
		return errors.New("the output would replace the input; name another folder with --out-dir")
	}
	file, err := t.c.Create(name)
	if err != nil {
		return err
	}
	t.files = append(t.files, file)
	var columns *wire.Keys
	if record.Kind() == wire.KindObject {
		columns = record.Keys()
	}
	w, err := t.target.NewRecordWriter(file, columns)
	if err != nil {
		return err
	}
	t.tables = append(t.tables, w)
	return nil
}

// byShape copies the records of in to a file for each shape: NAME.1.gcf,
// NAME.2.gcf. They appear when all records are written.
func (s *streaming) byShape(in io.Reader) error {
	t := &shapeTables{streaming: s, shapes: shapeKeys{known: make(map[string]int)}}
	defer func() {
		for _, f := range t.files {
			f.Discard()
		}
	}()
	skips := &skipped{c: s.c, file: s.file}
	defer skips.total()
	if err := s.each(in, skips.record, t.Write); err != nil {
		return err
	}
	for _, w := range t.tables {
		if err := w.Close(); err != nil {
			return err
		}
	}
	for _, f := range t.files {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}
