package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

type (
	otherInt   int
	otherFloat float64
	otherBool  bool
	otherAny   any
	otherMap   map[string]string
	otherList  []int
	speaker    interface{ Speak() }
	chains     struct {
		N    int
		Next *chains
		List []chains
	}
)

// streamKinds are what the types of records are made of, by the names in directKinds.
var streamKinds = map[string]reflect.Type{
	"string": reflect.TypeFor[string](), "bool": reflect.TypeFor[bool](), "float64": reflect.TypeFor[float64](), "float32": reflect.TypeFor[float32](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"uintptr": reflect.TypeFor[uintptr](), "time": reflect.TypeFor[time.Time](), "bytes": reflect.TypeFor[[]byte](),
	"number": reflect.TypeFor[json.Number](), "raw": reflect.TypeFor[json.RawMessage](), "text": reflect.TypeFor[textInt](), "value": reflect.TypeFor[wire.Value](),
	"any": reflect.TypeFor[any](), "named any": reflect.TypeFor[otherAny](), "interface": reflect.TypeFor[speaker](),
	"named string": reflect.TypeFor[namedString](), "named int": reflect.TypeFor[otherInt](), "named float": reflect.TypeFor[otherFloat](), "named bool": reflect.TypeFor[otherBool](),
	"named map": reflect.TypeFor[otherMap](), "named list": reflect.TypeFor[otherList](),
	"list": reflect.TypeFor[[]string](), "array": reflect.TypeFor[[2]int](), "map": reflect.TypeFor[map[string]int](), "pointer": reflect.TypeFor[*string](),
	"list of any": reflect.TypeFor[[]any](), "map of any": reflect.TypeFor[map[string]any](), "keys": reflect.TypeFor[map[namedString]int](),
	"struct": reflect.TypeFor[struct{ A, B string }](), "list of structs": reflect.TypeFor[[]struct{ A int }](), "chain": reflect.TypeFor[chains](),
}

var kindNames = func() map[reflect.Type]string {
	names := make(map[reflect.Type]string)
	for name, t := range streamKinds {
		names[t] = name
	}
	return names
}()

// streamWriters names, for each format and variant that has streams, the kinds that it writes
// without Values, those that it writes by their Values only, and those that it mostly refuses.
var streamWriters = []struct{ codecs, direct, values, refused string }{
	{"bcp bcp:bcp gcx gcx:all-strings gcx:lenient gcx:reorder gcx:single jsonl jsonl:strict yaml yaml:multi-document",
		scalarKinds + treeKinds + "any, list of any, map of any, chain", oddKinds + "array, keys", ""},
	{"glyph", scalarKinds + treeKinds + "list of any, map of any, chain", oddKinds + "array, keys, any", ""},
	{"gcf toon", scalarKinds + treeKinds, oddKinds + "array, keys, any, list of any, map of any, chain", ""},
	{"csv csv:tsv csv:semicolon", scalarKinds + "any", oddKinds, treeKinds + "array, keys, list of any, map of any, chain"},
	{"csv:all-strings", "string, named string, pointer, time, any", "", scalarKinds + treeKinds + oddKinds + "array, keys, list of any, map of any, chain"},
	{"md", "", scalarKinds + oddKinds + "any", treeKinds + "array, keys, list of any, map of any, chain"},
	{"bcp:zstd bcp:bcp-zstd cbor gcf:3.1 gcf:no-flatten gcf:reorder gcf:reorder-nested gcf:dense gcf:no-trailer gcf:strict gcx:plain gcx:interop " +
		"glyph:canonical glyph:no-tabular glyph:corpus glyph:upstream glyph:exact glyph:commas glyph:keys glyph:reorder md:kv msgpack " +
		"toon:tab toon:pipe toon:exact toon:lenient toon:v3 tron json json:pretty json:strict",
		"", scalarKinds + treeKinds + oddKinds + "array, keys, any, list of any, map of any, chain", ""},
}

const (
	scalarKinds = "bool, float64, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, named bool, named float, named int, " +
		"named string, pointer, string, time, "
	treeKinds = "struct, list, list of structs, map, named list, named map, "
	oddKinds  = "bytes, float32, interface, named any, number, raw, text, value, "
)

// requireKinds holds that a codec has written the kinds as streamWriters says.
func requireKinds(t *testing.T, codec string, direct, through map[string]bool) {
	at := slices.IndexFunc(streamWriters, func(w struct{ codecs, direct, values, refused string }) bool {
		return slices.Contains(strings.Fields(w.codecs), codec)
	})
	require.GreaterOrEqual(t, at, 0, "streamWriters does not name %s", codec)
	w := streamWriters[at]
	list := func(kinds string) []string { return strings.Split(kinds, ", ") }
	for kind := range streamKinds {
		straight := slices.Contains(list(w.direct), kind)
		require.Equal(t, straight, direct[kind], "%s is written without a Value", kind)
		require.True(t, straight || through[kind] || slices.Contains(list(w.refused), kind), "%s is written", kind)
		require.True(t, straight || slices.Contains(list(w.values+", "+w.refused), kind), "streamWriters does not name %s for %s", kind, codec)
	}
}

// A stream is what a test of streams writes: variables of a type at random, and columns.
type stream struct {
	typ     reflect.Type
	records []reflect.Value // pointers to variables
	columns []string
}

// newStream returns the stream of that number, always the same.
func newStream(number uint64) (s stream) {
	r := streamTypes(number)
	if r.IntN(2) == 0 { // of what direct paths take, most of it
		r.Leaves, r.Keys = append(randgo.Scalars(), reflect.TypeFor[any]()), r.Keys[:1]
	}
	s = stream{typ: r.Record()}
	s.fill(r, 2+r.IntN(4))
	switch r.IntN(4) {
	case 0:
		s.columns = nil // the default ones
	case 1:
		r.Shuffle(len(s.columns), func(i, k int) { s.columns[i], s.columns[k] = s.columns[k], s.columns[i] })
	case 2:
		s.columns = s.columns[:len(s.columns)/2]
	}
	return s
}

// kindStreams returns streams of each kind, alone and beside a list, which some formats write
// in another form.
func kindStreams() (streams []stream) {
	r := streamTypes(0)
	for _, kind := range slices.Sorted(maps.Keys(streamKinds)) {
		fields := []reflect.StructField{{Name: "F", Type: streamKinds[kind]}, {Name: "L", Type: reflect.TypeFor[[]string]()}}
		for n := range fields {
			s := stream{typ: reflect.StructOf(fields[:n+1])}
			s.fill(r, 40)
			streams = append(streams, s)
		}
	}
	return streams
}

func streamTypes(seed uint64) randgo.Types {
	r := randgo.Types{Rand: rand.New(rand.NewPCG(seed, 48)), Keys: []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[namedString](), reflect.TypeFor[int8]()},
		Strings: []string{"", "a", "b", "plain text", "#x", "G", "@end", "a|b", "a,b", "tab\t", "line\n", `"q"`, `\`, "-", "~", "^", "null", "true", "_", "12", "1e3", " lead", "trail ", "é", "k: v"}}
	for _, kind := range slices.Sorted(maps.Keys(streamKinds)) {
		r.Leaves = append(r.Leaves, streamKinds[kind])
	}
	return r
}

// fill makes n records, and names their members as columns.
func (s *stream) fill(r randgo.Types, n int) {
	names := map[string]bool{}
	for range n {
		p := reflect.New(s.typ)
		for range 1 + r.IntN(3) { // a quarter of all variables stays as it is
			r.Fill(p.Elem(), 0)
		}
		s.records = append(s.records, p)
		if v, err := wire.FromGo(p.Interface()); err == nil && v.Kind() == wire.KindObject {
			for _, name := range v.Keys().All() {
				if !names[name] {
					names[name] = true
					s.columns = append(s.columns, name)
				}
			}
		}
	}
}

// write returns what an Encoder writes and the errors it gives. It tells saw of each record
// that is written whether that took no Value.
func (s stream) write(c wire.Streamer, saw func(record reflect.Value, direct bool)) (text []byte, errs string) {
	var out bytes.Buffer
	enc := wire.NewTypedEncoder(s.typ, c, &out, s.columns...)
	for _, p := range s.records {
		direct, err := enc.Encode(p)
		if err == nil {
			saw(p.Elem(), direct)
		}
		errs += fmt.Sprintln(err)
	}
	errs += fmt.Sprint(enc.Close())
	return out.Bytes(), errs
}

// writeValues is write by the Values of the records, which it returns.
func (s stream) writeValues(c wire.Streamer, keys *wire.Keys) (text []byte, errs string, written []wire.Value) {
	var out bytes.Buffer
	var w wire.RecordWriter
	add := func(p reflect.Value) error {
		v, err := wire.FromGo(p.Interface())
		if err != nil {
			return wire.AtIndex(err, len(written))
		}
		if w == nil && keys == nil && v.Kind() == wire.KindObject { // the columns are those of the first that can be written
			trial, err := c.NewRecordWriter(io.Discard, v.Keys())
			if err == nil {
				err = trial.Write(v)
			}
			if err != nil {
				return err
			}
			keys = v.Keys()
		}
		if w == nil {
			if w, err = c.NewRecordWriter(&out, keys); err != nil {
				w = nil
				return err
			}
		}
		if err := w.Write(v); err != nil {
			return err
		}
		written = append(written, v)
		return nil
	}
	for _, p := range s.records {
		errs += fmt.Sprintln(add(p))
	}
	var err error
	if w == nil {
		w, err = c.NewRecordWriter(&out, keys)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), errs + fmt.Sprint(err), written
}

// read returns the records that a Decoder gives, and the error.
func (s stream) read(c wire.Streamer, text []byte) (records []any, failed string) {
	at := reflect.New(s.typ)
	wire.DecodeTyped(c, bytes.NewReader(text), at, func(err error) bool {
		if err != nil {
			failed = randgo.Unplaced(err)
			return false
		}
		records = append(records, at.Elem().Interface())
		at.Elem().SetZero()
		return true
	})
	return records, failed
}

// readValues is read by the Values of the records.
func (s stream) readValues(c wire.Streamer, text []byte) (records []any, failed string) {
	for v, err := range c.Records(bytes.NewReader(text)) {
		at := reflect.New(s.typ)
		if err == nil {
			err = wire.AtIndex(wire.StoreTyped(c, v, at), len(records))
		}
		if err != nil {
			return records, randgo.Unplaced(err)
		}
		records = append(records, at.Elem().Interface())
	}
	return records, ""
}

// same reports whether records are: in memory, or as JSON if they have Values.
func (s stream) same(a, b []any) bool {
	if !strings.Contains(s.typ.String(), "wire.Value") {
		return reflect.DeepEqual(a, b)
	}
	first, err := wire.Marshal(wire.JSON{}, a)
	second, failed := wire.Marshal(wire.JSON{}, b)
	return err == nil && failed == nil && bytes.Equal(first, second)
}

// addKinds tells saw which kinds of variables are in another and hold something, but not in
// its interfaces.
func addKinds(v reflect.Value, saw func(kind string)) {
	add := func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			if v.IsNil() && v.Type() != reflect.TypeFor[speaker]() { // which never holds anything here
				return
			}
		}
		if kind, known := kindNames[v.Type()]; known {
			saw(kind)
		}
		addKinds(v, saw)
	}
	switch v.Kind() {
	case reflect.Pointer: // which is not nil
		add(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				add(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			add(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			add(v.MapIndex(key))
		}
	}
}

// TestRandomStreams holds that streams of Go types at random are what a RecordWriter makes of
// the records' Values, and are read as what their Values hold; that every record comes back
// but for what the codec declares to lose; and that each kind of variable is written without
// a Value where it should be.
func TestRandomStreams(t *testing.T) {
	t.Parallel()
	var streams []stream
	for number := range trials.Of(2000) {
		streams = append(streams, newStream(uint64(number)))
	}
	streams = append(streams, kindStreams()...)
	for _, c := range describe.All(wirekit.Registry()) {
		if c, ok := c.(wire.Streamer); ok {
			t.Run(c.Info().FullName(), func(t *testing.T) {
				t.Parallel()
				direct, through := map[string]bool{}, map[string]bool{}
				for number, s := range streams {
					requireStream(t, c, number, s, func(record reflect.Value, straight bool) {
						kinds := through
						if straight {
							kinds = direct
						}
						for record.Kind() == reflect.Pointer {
							record = record.Elem()
						}
						addKinds(record, func(kind string) { kinds[kind] = true })
					})
				}
				requireKinds(t, c.Info().FullName(), direct, through)
			})
		}
	}
}

func requireStream(t *testing.T, c wire.Streamer, number int, s stream, saw func(record reflect.Value, direct bool)) {
	keys := wire.NewTypedEncoder(s.typ, c, io.Discard, s.columns...).Keys()
	want, wantErrs, written := s.writeValues(c, keys)
	text, errs := s.write(c, saw)
	require.Equal(t, wantErrs, errs, "stream %d, %s, %q", number, s.typ, s.columns)
	require.Equal(t, string(want), string(text), "stream %d, %s, %q", number, s.typ, s.columns)
	r := rand.New(rand.NewPCG(uint64(number), 5))
	for range 2 {
		wantRecords, wantErr := s.readValues(c, text)
		records, err := s.read(c, text)
		require.Equal(t, wantErr, err, "stream %d, %s: %q", number, s.typ, text)
		require.True(t, s.same(wantRecords, records), "stream %d, %s: %q, want %v, got %v", number, s.typ, text, wantRecords, records)
		text = faulty.Damaged(r, text, text, []string{"\n", "|", "{", "}", "[", "]", "null", "-", "~", "^", ",", "1.5", `"`, " "})
	}
	if c.Info().Loss&wire.LossContent != 0 || !strings.HasSuffix(wantErrs, "<nil>") {
		return // records may be left out, or there is no stream
	}
	var back []wire.Value
	for v, err := range c.Records(bytes.NewReader(want)) {
		require.NoError(t, err, "stream %d, %s: %q", number, s.typ, want)
		back = append(back, v)
	}
	loss, at := wire.Difference(wire.Array(written...), wire.Array(back...))
	require.Zero(t, loss&^c.Info().Loss, "stream %d, %s at %s: %q", number, s.typ, at, want)
}
