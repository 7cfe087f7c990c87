//go:build go1.27 && goexperiment.jsonv2

package govalues

import (
	"bytes"
	"encoding/json"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// Types that convert themselves by methods that only encoding/json on encoding/json/v2
// calls. What they hold is the text hidden, which no document may have, but where
// encoding/json writes it.
const hiddenText = "hunter2"

type (
	toStruct   struct{ S string }
	toSealed   struct{ s string }
	toString   string
	toInt      int
	toList     []string
	toMap      map[string]string
	toArray    [1]string
	toPointer  struct{ S string }
	toMany     struct{ S string }
	toRow      struct{ S string }
	toPromoted struct {
		toStruct
		Other string
	}
	toEither     struct{ S string }
	toRefusing   struct{ S string }
	toDeclining  struct{ S []string }
	toWire       struct{ S string }
	appending    struct{ S string }
	appendingAt  struct{ S string }
	appendString string
	appendInt    int
	appendText   struct{ S string }
	keyText      string
	money        struct {
		Units int64
		Cents int32
	}
	moneyText string
	twoHidden struct {
		toHidden  `json:"one"`
		toHidden2 `json:"two"`
		N         int
	}
	toHidden  struct{ S string }
	toHidden2 struct{ S string }
)

func stars(to *jsontext.Encoder) error { return to.WriteToken(jsontext.String("***")) }

func (toStruct) MarshalJSONTo(to *jsontext.Encoder) error   { return stars(to) }
func (toSealed) MarshalJSONTo(to *jsontext.Encoder) error   { return stars(to) }
func (toString) MarshalJSONTo(to *jsontext.Encoder) error   { return stars(to) }
func (toInt) MarshalJSONTo(to *jsontext.Encoder) error      { return stars(to) }
func (toList) MarshalJSONTo(to *jsontext.Encoder) error     { return stars(to) }
func (toMap) MarshalJSONTo(to *jsontext.Encoder) error      { return stars(to) }
func (toArray) MarshalJSONTo(to *jsontext.Encoder) error    { return stars(to) }
func (*toPointer) MarshalJSONTo(to *jsontext.Encoder) error { return stars(to) }
func (toHidden) MarshalJSONTo(to *jsontext.Encoder) error   { return stars(to) }
func (toHidden2) MarshalJSON() ([]byte, error)              { return []byte(`"***"`), nil }
func (toMany) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteValue(jsontext.Value(`{"n":1.50,"list":[1,"<é>",{"a":123}]}`))
}
func (toRow) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteValue(jsontext.Value(`{"id":1,"name":"***"}`))
}
func (toEither) MarshalJSONTo(to *jsontext.Encoder) error { return stars(to) }
func (toEither) MarshalJSON() ([]byte, error)             { return []byte(`"by MarshalJSON"`), nil }
func (toEither) MarshalText() ([]byte, error)             { return []byte("by MarshalText"), nil }
func (toRefusing) MarshalJSONTo(*jsontext.Encoder) error  { return errors.New("refused") }
func (toDeclining) MarshalJSONTo(*jsontext.Encoder) error { return errors.ErrUnsupported }
func (toWire) MarshalJSONTo(to *jsontext.Encoder) error   { return stars(to) }
func (toWire) MarshalWire() (wire.Value, error)           { return wire.String("***"), nil }

func (appending) AppendText(dst []byte) ([]byte, error)    { return append(dst, "***"...), nil }
func (*appendingAt) AppendText(dst []byte) ([]byte, error) { return append(dst, "***"...), nil }
func (appendString) AppendText(dst []byte) ([]byte, error) { return append(dst, "***"...), nil }
func (appendInt) AppendText(dst []byte) ([]byte, error)    { return append(dst, "***"...), nil }
func (appendText) AppendText(dst []byte) ([]byte, error)   { return append(dst, "***"...), nil }
func (appendText) MarshalText() ([]byte, error)            { return []byte("by MarshalText"), nil }
func (keyText) MarshalText() ([]byte, error)               { return []byte("***"), nil }

func (m money) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteToken(jsontext.String(fmt.Sprintf("%d.%02d", m.Units, m.Cents)))
}

func (m *money) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	token, err := from.ReadToken()
	if err != nil || token.Kind() == 'n' {
		return err
	}
	_, err = fmt.Sscanf(token.String(), "%d.%02d", &m.Units, &m.Cents)
	return err
}

func (m *moneyText) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	text, err := from.ReadValue()
	*m = moneyText("read " + string(text))
	return err
}

// places are values that have v in every place that a type can have.
func places[T any](v T) []any {
	type member struct {
		ID int `json:"id"`
		V  T   `json:"v"`
	}
	type optional struct {
		ID int `json:"id"`
		V  *T  `json:"v,omitempty"`
		Z  T   `json:"z,omitzero"`
		E  any `json:"e,omitempty"`
	}
	type Base struct{ V T }
	type inner struct {
		Base
		Next *Base
	}
	p, m, o := &v, member{1, v}, optional{2, &v, v, v}
	return []any{
		v, &v, m, &m, o, &o, inner{Base{v}, &Base{v}}, &inner{},
		[]T{v, v}, []*T{&v, nil}, [2]T{v, v}, [][]T{{v}, nil}, []any{v, &v, "text"},
		[]member{m, m}, []*member{&m, &m}, []optional{o, {}}, &[]member{m},
		map[string]T{"a": v, "b": v}, map[string]*T{"a": &v}, map[string]any{"v": v, "list": []any{v}}, map[int]T{1: v},
		map[string][]member{"rows": {m, m}}, struct{ Rows []member }{[]member{m, m}},
		map[string]map[string]T{"a": {"b": v}}, struct{ V any }{&v}, struct{ V **T }{&p},
	}
}

// keyed are values that have k where a key of a map is.
func keyed[K comparable](k K) []any {
	type row struct{ M map[K]int }
	return []any{map[K]int{k: 1}, map[K]any{k: k}, row{map[K]int{k: 1}}, []row{{map[K]int{k: 1}}}, []map[K]string{{k: "x"}}}
}

func convertingValues() (all []any) {
	lists := [][]any{
		places(toStruct{hiddenText}), places(toSealed{hiddenText}), places(toString(hiddenText)), places(toInt(7)), places(toList{hiddenText}),
		places(toMap{"k": hiddenText}), places(toArray{hiddenText}), places(toPointer{"here"}), places(toMany{hiddenText}), places(toRow{hiddenText}),
		places(toPromoted{toStruct{hiddenText}, hiddenText}), places(toEither{hiddenText}), places(toRefusing{hiddenText}), places(toDeclining{[]string{"here"}}),
		places(toWire{hiddenText}), places(appending{hiddenText}), places(appendingAt{"here"}), places(appendString(hiddenText)), places(appendInt(7)),
		places(appendText{hiddenText}), places(money{12, 34}), places(moneyText("m")), places(wire.Array(wire.Int(1))), places(twoHidden{N: 1}),
		places(twoHidden{toHidden: toHidden{hiddenText}, toHidden2: toHidden2{hiddenText}}),
		places(struct {
			S toStruct `json:",string"`
			I toInt    `json:",string"`
		}{toStruct{hiddenText}, 1}),
		keyed(appending{hiddenText}), keyed(appendingAt{"here"}), keyed(appendString(hiddenText)), keyed(appendInt(7)), keyed(appendText{hiddenText}),
		keyed(keyText(hiddenText)), keyed(toString("here")), keyed(toStruct{"here"}),
	}
	for _, list := range lists {
		all = append(all, list...)
	}
	key := appendString(hiddenText)
	all = append(all, map[*appendString]int{&key: 1}, []map[*appendString]int{{&key: 1}})
	return append(all, embeddingValues()...)
}

// TestJSONv2 marshals values whose types convert themselves as encoding/json on
// encoding/json/v2 asks them to, in every format and place, and reads them again: they are
// what encoding/json makes of them.
func TestJSONv2(t *testing.T) {
	written, read := 0, 0
	for _, v := range convertingValues() {
		text, wantErr := json.Marshal(v)
		if wantErr == nil && duplicates(text) {
			wantErr = errors.New("a member twice")
		}
		for _, c := range describe.All(wirekit.Registry()) {
			name := fmt.Sprintf("%s of %T", c.Info().FullName(), v)
			docs := marshalEach(c, v)
			if wantErr != nil {
				for _, d := range docs {
					require.Error(t, d.err, "%s: encoding/json says %v", name, wantErr)
				}
				continue
			}
			value := codectest.JSON(t, string(text))
			want, err := c.AppendEncode(nil, value)
			for _, d := range docs {
				if err != nil {
					require.Error(t, d.err, name)
					continue
				}
				require.NoError(t, d.err, name)
				require.Equal(t, string(want), string(d.text), name)
			}
			if err != nil {
				continue
			}
			written++
			if !bytes.Contains(text, []byte(hiddenText)) {
				require.NotContains(t, string(want), hiddenText, name)
			}
			if readEach(t, c, want, reflect.TypeOf(v), name) {
				read++
			}
		}
	}
	require.Greater(t, written, 5000)
	require.Greater(t, read, 3000)
}

type marshalled struct {
	text []byte
	err  error
}

func marshalEach(c wire.Codec, v any) []marshalled {
	var all []marshalled
	add := func(text []byte, err error) { all = append(all, marshalled{text, err}) }
	add(wire.Marshal(c, v))
	add(wire.Marshal(codectest.Values(c), v))
	if own, ok := c.(interface{ Marshal(any) ([]byte, error) }); ok {
		add(own.Marshal(v))
	}
	return all
}

// readEach reports whether encoding/json stores what the document says in a variable of
// the type; then the format does as well.
func readEach(t *testing.T, c wire.Codec, doc []byte, typ reflect.Type, name string) bool {
	value, err := c.Decode(doc)
	if err != nil {
		return false
	}
	if strings.Contains(typ.String(), "map[*") {
		return false // ToGo has no keys of such types
	}
	want, got := reflect.New(typ), reflect.New(typ)
	wantErr := json.Unmarshal(wire.AppendJSON(nil, value), want.Interface())
	err = wire.Unmarshal(c, doc, got.Interface())
	if _, untyped := codectest.Values(c).(interface{ Internal() any }); untyped {
		return wantErr == nil && err == nil // strings take numbers there
	}
	require.Equal(t, wantErr == nil, err == nil, "%s from %s: encoding/json says %v, wire %v", name, doc, wantErr, err)
	if wantErr != nil {
		return false
	}
	first, err := json.Marshal(want.Interface())
	require.NoError(t, err)
	second, err := json.Marshal(got.Interface())
	require.NoError(t, err)
	require.Equal(t, string(first), string(second), "%s from %s", name, doc)
	return true
}

func duplicates(text []byte) bool {
	_, err := wire.JSON{RejectDuplicates: true}.Decode(text)
	return errors.Is(err, wire.ErrDuplicateKey)
}

// TestJSONv2Streams is TestJSONv2 for streams of records.
func TestJSONv2Streams(t *testing.T) {
	type row struct {
		ID    int       `json:"id"`
		Key   toStruct  `json:"key"`
		At    toPointer `json:"at"`
		Price money     `json:"price"`
		Name  appending `json:"name"`
		Any   any       `json:"any"`
		Opt   *toString `json:"opt,omitempty"`
	}
	opt := toString(hiddenText)
	rows := []row{{1, toStruct{hiddenText}, toPointer{hiddenText}, money{1, 2}, appending{hiddenText}, toString(hiddenText), nil},
		{2, toStruct{hiddenText}, toPointer{hiddenText}, money{3, 4}, appending{hiddenText}, toString(hiddenText), &opt}}
	read := 0
	for _, c := range describe.All(wirekit.Registry()) {
		s, ok := c.(wire.Streamer)
		if !ok {
			continue
		}
		var out bytes.Buffer
		e := wire.NewEncoder[row](s, &out)
		var err error
		for i := range rows {
			err = errors.Join(err, e.Encode(rows[i]))
		}
		err = errors.Join(err, e.Close())
		require.NotContains(t, out.String(), hiddenText, c.Info().FullName())
		if err != nil {
			continue
		}
		type back struct {
			ID    int    `json:"id"`
			Key   string `json:"key"`
			At    string `json:"at"`
			Price money  `json:"price"`
			Name  string `json:"name"`
		}
		for r, err := range wire.NewDecoder[back](s, strings.NewReader(out.String())).All() {
			require.NoError(t, err, c.Info().FullName())
			want := rows[r.ID-1].Price
			require.Equal(t, back{r.ID, "***", "***", want, "***"}, r, c.Info().FullName())
			read++
		}
	}
	require.Greater(t, read, 20)
}
