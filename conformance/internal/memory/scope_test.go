// Package memory holds who owns the memory of values and texts in every format, and how much
// of it a conversion takes.
package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// TestConvertLent converts documents of several sizes in turn between all
// formats, so that memory that one had is used for another, and compares with
// what comes of values that no one lends.
func TestConvertLent(t *testing.T) {
	t.Parallel()
	texts := [][]byte{
		[]byte(`[]`), []byte(`{}`), []byte(`"x"`), []byte(`[{"a":1,"b":"\n"},{"b":null}]`), []byte(`[{"a":{"b":[1,2]},"c":"x|y"}]`),
		[]byte(`{"rows":[` + strings.Repeat(`{"id":1,"name":"some name","score":0.5,"tags":["x","y"]},`, 60) + `{"id":2}]}`),
	}
	for _, d := range append(sample.Documents(), sample.Numbers()...) {
		if len(d.JSON) < 1<<15 {
			texts = append(texts, d.JSON)
		}
	}
	var group sync.WaitGroup
	for g := range 2 {
		group.Go(func() {
			for i := range texts {
				text := texts[(i*(1+g)+g)%len(texts)]
				v, err := wire.ParseJSON(text)
				if err != nil {
					t.Error(err)
				}
				for _, c := range describe.All(wirekit.Registry()) {
					name := c.Info().FullName()
					want, wantErr := c.AppendEncode(nil, v)
					got, err := wirekit.Convert(text, "json", name)
					if (err == nil) != (wantErr == nil) || wantErr == nil && !bytes.Equal(want, got) {
						t.Errorf("json to %s: %v, not %v\n%.300s\n%.300s", name, err, wantErr, got, want)
					}
					if wantErr != nil {
						continue
					}
					back, wantErr := c.Decode(want)
					err = wire.View(c, want, func(v wire.Value) error {
						if !wire.Identical(back, v) {
							t.Errorf("%s lends another value\n%.300s\n%.300s", name, back, v)
						}
						return nil
					})
					if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
						t.Errorf("%s lends with the error %v, not %v", name, err, wantErr)
					}
					again, err := wirekit.Registry().Convert(want, name, "json")
					if wantErr == nil && (err != nil || string(again) != string(wire.AppendJSON(nil, back))) {
						t.Errorf("%s to json: %v\n%.300s\n%.300s", name, err, again, back)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestLentErrors holds that errors are whole once the memory of what they speak
// of is reused.
func TestLentErrors(t *testing.T) {
	t.Parallel()
	valid := []byte(`{"users":[{"name":"Ada","tags":["x","y"]},{"name":"Jun","tags":[]}],"count":2,"text":"a\nb"}`)
	for _, c := range describe.All(wirekit.Registry()) {
		text, err := wirekit.Convert(valid, "json", c.Info().FullName())
		if err != nil {
			continue
		}
		for i := range text {
			bad := append(bytes.Clone(text[:i]), text[min(i+1, len(text)):]...)
			_, want := c.Decode(bad)
			err := wire.View(c, bad, func(wire.Value) error { return nil })
			require.NoError(t, wire.View(c, text, func(wire.Value) error { return nil }))
			require.Equal(t, want, err, "%s without byte %d", c.Info().FullName(), i)
		}
	}
}

// TestViewRecords copies a stream of lent records into each format and back.
func TestViewRecords(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	for i := range 300 {
		in.WriteString(`{"id":` + strconv.Itoa(i) + `,"name":"` + strings.Repeat("x\\n|", i%20) + `","list":[1,2,` + strconv.Itoa(i*i) + `],"sub":{"a":null}}` + "\n")
	}
	copied := func(from, to wire.Streamer, text string, records func(wire.Streamer, io.Reader) iter.Seq2[wire.Value, error]) (string, error) {
		var out bytes.Buffer
		var w wire.RecordWriter
		for v, err := range records(from, strings.NewReader(text)) {
			if err != nil {
				return "", err
			}
			if w == nil {
				if w, err = to.NewRecordWriter(&out, v.Keys()); err != nil {
					return "", err
				}
			}
			if err := w.Write(v); err != nil {
				return "", err
			}
		}
		err := w.Close()
		return out.String(), err
	}
	for _, c := range describe.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		if !ok {
			continue
		}
		name := c.Info().FullName()
		want, wantErr := copied(jsonl.Codec{}, s, in.String(), wire.Streamer.Records)
		got, err := copied(jsonl.Codec{}, s, in.String(), wire.ViewRecords)
		require.Equal(t, wantErr == nil, err == nil, "%s: %v", name, err)
		require.Equal(t, want, got, name)
		if wantErr != nil {
			continue
		}
		want, wantErr = copied(s, jsonl.Codec{}, got, wire.Streamer.Records)
		back, err := copied(s, jsonl.Codec{}, got, wire.ViewRecords)
		require.Equal(t, wantErr == nil, err == nil, "%s: %v", name, err)
		require.Equal(t, want, back, name)
	}
}

// TestUnmarshalledTextsStay holds that what is unmarshalled into an empty interface has
// nothing in memory that is reused.
func TestUnmarshalledTextsStay(t *testing.T) {
	trials.OneGoroutine(t)
	t.Parallel()
	var docs []wire.Value
	g := conformance.NewGenerator(7)
	for range 60 {
		docs = append(docs, g.Value())
	}
	rows, err := wire.ParseJSON(sample.Rows(10_000)) // more than is kept
	require.NoError(t, err)
	docs = append(docs, rows)
	for _, c := range describe.All(wirekit.Registry()) {
		type kept struct{ want, got any }
		var all []kept
		for _, v := range docs {
			text, err := c.AppendEncode(nil, v)
			if err != nil || len(text) > 1<<18 && c.Info().Name != "json" && c.Info().FullName() != "glyph" {
				continue
			}
			for _, other := range []any{new(any), new(map[string]any), new([]any)} {
				k := kept{want: reflect.New(reflect.TypeOf(other).Elem()).Interface(), got: other}
				decoded, wantErr := c.Decode(text)
				if wantErr == nil {
					wantErr = wire.ToGo(decoded, k.want)
				}
				require.Equal(t, randgo.Unplaced(wantErr), randgo.Unplaced(wire.Unmarshal(c, text, k.got)), c.Info().FullName())
				require.NoError(t, wire.View(c, text, func(wire.Value) error { return nil }))
				if wantErr == nil && len(all) < 100 {
					all = append(all, k)
				}
			}
		}
		for _, k := range all {
			require.True(t, reflect.DeepEqual(k.want, k.got), "%s\n%.300v\n%.300v", c.Info().FullName(), k.want, k.got)
		}
	}
}

// TestAnyWithoutValues holds that what an empty interface gets is made without Values
// of the whole document.
func TestAnyWithoutValues(t *testing.T) {
	rows, err := wire.ParseJSON(sample.Rows(2000))
	require.NoError(t, err)
	var maps any
	own := growth.Allocated(func() { require.NoError(t, wire.ToGo(rows, &maps)) })
	for _, c := range []wire.Codec{gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}, cbor.Codec{}, msgpack.Codec{}} {
		text, err := c.AppendEncode(nil, rows)
		require.NoError(t, err)
		growth.Bytes(t, own+own/8+uint64(len(text)), func() { require.NoError(t, wire.Unmarshal(c, text, new(any))) })
		codectest.SameAny(t, c, text)
	}
}

// A shouting codec writes the texts of what it decodes in capitals.
type shouting struct{ gcf.Codec }

func (s shouting) Decode(src []byte) (wire.Value, error) {
	v, err := s.Codec.Decode(src)
	return shout(v), err
}

func shout(v wire.Value) wire.Value {
	list := slices.Collect(v.Elements())
	for i, e := range list {
		list[i] = wire.String(strings.ToUpper(e.Text()))
	}
	return wire.Array(list...)
}

// TestAnyOfAnotherCodec holds that a codec around one of this module's meets Values.
func TestAnyOfAnotherCodec(t *testing.T) {
	var c wire.Codec = shouting{}
	text, err := c.AppendEncode(nil, wire.Array(wire.String("a"), wire.String("b")))
	require.NoError(t, err)
	var got any
	require.NoError(t, wire.Unmarshal(c, text, &got))
	require.Equal(t, []any{"A", "B"}, got)
}

// TestCodecsRememberNothing holds that an encoder writes a value the same whether it is
// new or was used for others before, and that a decoder reads it so.
func TestCodecsRememberNothing(t *testing.T) {
	trials.OneGoroutine(t)
	emptyPools := func() {
		runtime.GC()
		runtime.GC()
	}
	var values []wire.Value
	for _, kinds := range []bool{false, true} {
		g := conformance.NewGenerator(11)
		g.Kinds = kinds
		for range trials.Of(15) {
			values = append(values, g.Value())
		}
	}
	for _, d := range sample.Documents() {
		values = append(values, codectest.JSON(t, d.JSON))
	}
	rounds := make(map[int][]wire.Codec) // configurations of one format share pools: each is in a round of its own
	formats := make(map[string]int)
	for _, c := range describe.All(wirekit.Registry()) {
		n := formats[c.Info().Name]
		rounds[n] = append(rounds[n], c)
		formats[c.Info().Name]++
	}
	texts := make(map[string][]string) // by the name of the configuration
	for _, codecs := range rounds {
		for _, v := range values {
			emptyPools()
			for _, c := range codecs {
				name := c.Info().FullName()
				fresh, freshErr := c.AppendEncode(nil, v)
				used, err := c.AppendEncode(nil, v)
				require.Equal(t, fmt.Sprint(freshErr), fmt.Sprint(err), name)
				require.Equal(t, string(fresh), string(used), name)
				texts[name] = append(texts[name], string(fresh))
				if err != nil {
					continue
				}
				was, wasErr := c.Decode(fresh)
				is, err := c.Decode(fresh)
				require.Equal(t, fmt.Sprint(wasErr), fmt.Sprint(err), name)
				require.True(t, wire.Identical(was, is), name)
			}
		}
	}
	for _, c := range describe.All(wirekit.Registry()) {
		for i, v := range slices.Backward(values) { // used for others
			text, _ := c.AppendEncode(nil, v)
			require.Equal(t, texts[c.Info().FullName()][i], string(text), c.Info().FullName())
		}
	}
}

// ownItem keeps the Value that it is given.
type ownItem struct{ V wire.Value }

func (o *ownItem) UnmarshalWire(v wire.Value) error { o.V = v; return nil }
func (o ownItem) MarshalWire() (wire.Value, error)  { return o.V, nil }

// TestUnmarshalOwnsItsResult reads documents one after the other, in the memory that the
// ones before had, and looks at what became of the first ones at the end.
func TestUnmarshalOwnsItsResult(t *testing.T) {
	type record struct {
		ID    string                `json:"id"`
		Text  string                `json:"text"`
		Price json.Number           `json:"price"`
		Data  wire.Value            `json:"data"`
		List  []wire.Value          `json:"list"`
		Own   map[string]ownItem    `json:"own"`
		Any   any                   `json:"any"`
		Bytes []byte                `json:"bytes"`
		Point map[string]wire.Value `json:"point"`
	}
	document := func(n int) []record {
		list := make([]record, n)
		for i := range list {
			s := fmt.Sprintf("row %d of %d", i, n)
			data := codectest.JSON(t, fmt.Sprintf(`{"a":[%d,%q,{}],"b":{"c":"\n%s"}}`, i, s, s))
			list[i] = record{s, "line\n\"" + s + "\"\tend\\", "1.50", data, []wire.Value{data, wire.String(s)},
				map[string]ownItem{"o": {data}}, map[string]any{"k": []any{s, true}}, []byte(s), map[string]wire.Value{"x": data}}
		}
		return list
	}
	codecs := describe.All(wirekit.Registry())
	if testing.Short() {
		codecs = wirekit.Registry().Codecs()
	}
	for _, c := range codecs {
		type read struct {
			got  []record
			want string
		}
		var all []read
		for _, n := range []int{1, 3, 60, 2, 1} {
			v, err := wire.FromGo(document(n))
			require.NoError(t, err)
			text, err := c.AppendEncode(nil, v)
			if err != nil {
				break // the format holds flat rows only
			}
			decoded, err := c.Decode(text)
			require.NoError(t, err)
			var r read
			var want []record
			if err := wire.ToGo(decoded, &want); err != nil {
				require.NotEmpty(t, c.Info().Variant, "%s: %v", c.Info().Name, err)
				break // the variant writes other kinds of scalars
			}
			r.want = fmt.Sprintf("%+v", want)
			require.NoError(t, wire.Unmarshal(c, text, &r.got), c.Info().FullName())
			all = append(all, r)
			var other []record
			_ = wire.Unmarshal(c, text[:len(text)-1], &other)
		}
		for _, r := range all {
			require.True(t, r.want == fmt.Sprintf("%+v", r.got), "%s: %d rows are others now", c.Info().FullName(), len(r.got))
		}
	}
}

// TestDecoderOwnsItsRecords reads all records before it looks at the first one.
func TestDecoderOwnsItsRecords(t *testing.T) {
	for _, row := range []string{`{"id":"row %d\n\"x\"","n":%d}`, `{"id":"row %d\n\"x\"","n":%d,"data":{"a":["\n",{}],"b":[]},"any":{"k":["v\t"]}}`} {
		var rows []wire.Value
		for i := range 300 {
			rows = append(rows, codectest.JSON(t, fmt.Sprintf(row, i, i)))
		}
		for _, c := range wirekit.Registry().Codecs() {
			s, ok := c.(wire.Streamer)
			if !ok {
				continue
			}
			var out bytes.Buffer
			w, err := s.NewRecordWriter(&out, rows[0].Keys())
			require.NoError(t, err)
			for _, r := range rows {
				if err = w.Write(r); err != nil {
					break // the format has no nested members
				}
			}
			if err != nil {
				continue
			}
			require.NoError(t, w.Close())
			type record struct {
				ID   string                `json:"id"`
				N    json.Number           `json:"n"`
				Data wire.Value            `json:"data"`
				Any  map[string]wire.Value `json:"any"`
			}
			var records []record
			for r, err := range wire.NewDecoder[record](s, bytes.NewReader(out.Bytes())).All() {
				require.NoError(t, err, c.Info().Name)
				records = append(records, r)
			}
			require.Len(t, records, len(rows), c.Info().Name)
			for i, r := range records {
				data, _ := rows[i].Get("data")
				require.Equal(t, fmt.Sprintf("row %d\n\"x\"", i), r.ID, c.Info().Name)
				require.Equal(t, strconv.Itoa(i), string(r.N), c.Info().Name)
				require.True(t, wire.Equal(data, r.Data), "%s: %v", c.Info().Name, r.Data)
				require.True(t, len(r.Any) == 0 || r.Any["k"].String() == `["v\t"]`, "%s: %v", c.Info().Name, r.Any)
			}
			var values []wire.Value
			for v, err := range wire.NewDecoder[wire.Value](s, &out).All() {
				require.NoError(t, err, c.Info().Name)
				values = append(values, v)
			}
			for i, v := range values {
				id, _ := v.Get("id")
				require.Equal(t, fmt.Sprintf("row %d\n\"x\"", i), id.Text(), c.Info().Name)
			}
		}
	}
}
