package streams

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// What the records of TestDecoderGoesOn go into, or do not.
type (
	strictRow struct {
		ID string `json:"id"`
		N  int8   `json:"n"`
		B  bool   `json:"b"`
	}
	deepTarget struct {
		ID string            `json:"id"`
		N  *int              `json:"n"`
		B  any               `json:"b"`
		In struct{ X []int } `json:"in"`
		M  map[string]int    `json:"m"`
	}
	methodRow struct {
		ID refusing `json:"id"`
	}
)

// refusing refuses some texts.
type refusing string

func (r *refusing) UnmarshalText(text []byte) error {
	if string(text) == "bad" {
		return fmt.Errorf("%q is refused", text)
	}
	*r = refusing(text)
	return nil
}

// TestDecoderGoesOn: a record that does not go into its Go variable has an error and nothing
// else, and the next one is what it would be without it, in all formats that have records.
func TestDecoderGoesOn(t *testing.T) {
	t.Parallel()
	flat := []string{`{"id":"a","n":1,"b":true}`, `{"id":"bad","n":2,"b":false}`, `{"id":"c","n":1000,"b":true}`, `{"id":"d","n":"x y","b":true}`,
		`{"id":"e","n":5,"b":7.5}`, `{"id":"f","n":-6,"b":true}`, `{"id":"","n":7,"b":null}`, `{"id":"h","n":null,"b":false}`}
	nested := append([]string{`{"id":"a","n":1,"b":[1,2],"in":{"X":[1,2]},"m":{"k":1}}`, `{"id":"b","n":2,"b":{"c":[]},"in":{"X":["y"]},"m":{"k":1}}`,
		`{"id":"c","n":[],"b":"x","in":{"X":[]},"m":{"k":1}}`, `{"id":"d","n":4,"b":1,"in":{"X":[3,4]},"m":{"k":"v w"}}`, `{"id":"e","n":5,"b":null,"in":[],"m":{}}`,
		`{"id":"f","n":6,"b":true,"in":{"X":[9,8]},"m":{"k":2,"l":3}}`}, flat...)
	r := rand.New(rand.NewPCG(16, 2))
	for _, c := range streamers(t) {
		for range trials.Of(6) {
			requireGoesOn[strictRow](t, r, c, flat)
			requireGoesOn[map[string]int](t, r, c, flat)
			requireGoesOn[*strictRow](t, r, c, flat)
			requireGoesOn[deepTarget](t, r, c, nested)
			requireGoesOn[methodRow](t, r, c, flat)
		}
	}
}

// requireGoesOn reads some of the records, which are JSON, each alone and all of them.
func requireGoesOn[T any](t *testing.T, r *rand.Rand, c wire.Streamer, texts []string) {
	t.Helper()
	var records []wire.Value
	for range 1 + r.IntN(40) {
		records = append(records, codectest.JSON(t, texts[r.IntN(len(texts))]))
	}
	keys := records[0].Keys()
	name := c.Info().FullName()
	for _, o := range []wire.Options{{}, {UseFloat64: true}, {RejectUnknownMembers: true}} {
		var stream bytes.Buffer
		w, err := c.NewRecordWriter(&stream, keys)
		require.NoError(t, err)
		var want []string
		for i := range records {
			if w.Write(records[i]) != nil { // the format does not carry it
				continue
			}
			alone := results[T](c, bytes.NewReader(encode(t, c, keys, records[i])), o)
			require.Len(t, alone, 1, "%s %s", name, wire.AppendJSON(nil, records[i]))
			want = append(want, alone[0])
		}
		require.NoError(t, w.Close())
		text := stream.Bytes()
		require.Equal(t, want, results[T](c, bytes.NewReader(text), o), "%s\n%s", name, text)
		require.Equal(t, want, results[T](c, iotest.OneByteReader(bytes.NewReader(text)), o), name)
		if o == (wire.Options{}) && !c.Info().Binary {
			var rows []string
			pieces := func(yield func(string, error) bool) { yield(strings.TrimSuffix(string(text), "\n")+"\n", nil) }
			for row, err := range partial.Rows[T](c, pieces).All() {
				line, _ := wire.Marshal(wire.JSON{}, row)
				rows = append(rows, result(len(rows), string(line), err))
			}
			require.Equal(t, want, rows, "%s\n%s", name, text)
		}
	}
}

func encode(t *testing.T, c wire.Streamer, keys *wire.Keys, record wire.Value) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := c.NewRecordWriter(&out, keys)
	require.NoError(t, err)
	require.NoError(t, w.Write(record))
	require.NoError(t, w.Close())
	return out.Bytes()
}

// results returns what becomes of each record: it, or the error without its place.
func results[T any](c wire.Streamer, in io.Reader, o wire.Options) (all []string) {
	dec := wire.NewDecoder[T](c, in)
	dec.Options = o
	for row, err := range dec.All() {
		text, _ := wire.Marshal(wire.JSON{}, row)
		all = append(all, result(len(all), string(text), err))
	}
	return all
}

func result(n int, text string, err error) string {
	e, ok := err.(*wire.Error)
	if !ok {
		return fmt.Sprintf("%s %v", text, err)
	}
	path := e.Path()
	if at := fmt.Sprint("/", n); len(path) < len(at) || path[:len(at)] != at {
		return fmt.Sprintf("record %d has the path %s: %v", n, path, err)
	}
	return fmt.Sprint(text, e.Code, e.Kind, e.Message, path[len(fmt.Sprint("/", n)):])
}
