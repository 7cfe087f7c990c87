package csv_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// spelled are cells, which texts other than JSON's may be, and what a Go field makes of each:
// nil is an error.
var spelled = []struct {
	text        string
	whole, bits any // of an int and a bool
	real        any // of a float64
}{
	{"5", 5, nil, 5.0}, {"1", 1, true, 1.0}, {"0", 0, false, 0.0}, {"-0", 0, nil, 0.0}, {"+5", 5, nil, 5.0}, {"007", 7, nil, 7.0}, {"-007", -7, nil, -7.0}, {"+0012", 12, nil, 12.0}, {"00", 0, nil, 0.0},
	{" 12 ", 12, nil, 12.0}, {"\t12", 12, nil, 12.0}, {" true ", nil, true, nil},
	{"1.50", nil, nil, 1.5}, {"2.0", 2, nil, 2.0}, {"1e3", 1000, nil, 1000.0}, {"+1E+3", 1000, nil, 1000.0}, {".5", nil, nil, 0.5}, {"-.5", nil, nil, -0.5}, {"5.", 5, nil, 5.0}, {"007.50", nil, nil, 7.5},
	{"true", nil, true, nil}, {"false", nil, false, nil}, {"TRUE", nil, true, nil}, {"FALSE", nil, false, nil}, {"True", nil, true, nil}, {"False", nil, false, nil}, {"t", nil, true, nil}, {"F", nil, false, nil},
	{"x", nil, nil, nil}, {"tRuE", nil, nil, nil}, {"yes", nil, nil, nil}, {"1,5", nil, nil, nil}, {"1 000", nil, nil, nil}, {"1_000", nil, nil, nil}, {"0x10", nil, nil, nil}, {"0b1", nil, nil, nil}, {"--5", nil, nil, nil}, {"+-5", nil, nil, nil},
	{"- 5", nil, nil, nil}, {"+", nil, nil, nil}, {"-", nil, nil, nil}, {".", nil, nil, nil}, {"e5", nil, nil, nil}, {"1e", nil, nil, nil}, {"5%", nil, nil, nil}, {"5\u00a0", nil, nil, nil}, {"٥", nil, nil, nil},
	{"NaN", nil, nil, nil}, {"Inf", nil, nil, nil}, {"infinity", nil, nil, nil}, {"1\n", nil, nil, nil}, {" ", nil, nil, nil}, {`"5"`, nil, nil, nil}, {"[1]", nil, nil, nil},
	{"18446744073709551616", nil, nil, 18446744073709551616.0}, {"1e400", nil, nil, nil},
}

// TestSpelled: what cells spell goes into the numbers and booleans of Go, quoted or bare, by
// every way, and what spells none is an error by every way.
func TestSpelled(t *testing.T) {
	targets := map[reflect.Type]func(i int) any{}
	for _, of := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[int16](), reflect.TypeFor[*int64](), reflect.TypeFor[**int32]()} {
		targets[of] = func(i int) any { return spelled[i].whole }
	}
	for _, of := range []reflect.Type{reflect.TypeFor[float64](), reflect.TypeFor[*float64](), reflect.TypeFor[float32]()} {
		targets[of] = func(i int) any { return spelled[i].real }
	}
	for _, of := range []reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[*bool]()} {
		targets[of] = func(i int) any { return spelled[i].bits }
	}
	for i, c := range spelled {
		for of, want := range targets {
			for _, codec := range []csv.Codec{{}, {Comma: '\t'}, {Comma: ';'}, {AllStrings: true}} {
				quoted := `"` + strings.ReplaceAll(c.text, `"`, `""`) + `"`
				sameWays(t, codec, quoted, of, want(i))
				if !strings.ContainsAny(c.text, ",\"\n\t") {
					sameWays(t, codec, c.text, of, want(i))
				}
			}
		}
	}
}

// sameWays holds that a cell becomes a Go value by every way.
func sameWays(t *testing.T, c csv.Codec, cell string, of reflect.Type, want any) {
	t.Helper()
	comma := string(cmp.Or(c.Comma, ','))
	text, alone := []byte("a"+comma+"b\n"+cell+comma+"x\n"), []byte("a\n"+cell+"\n")
	row := reflect.StructOf([]reflect.StructField{{Name: "B", Type: reflect.TypeFor[string]()}, {Name: "A", Type: of}})
	quoting := reflect.StructOf([]reflect.StructField{{Name: "A", Type: of, Tag: `json:",string"`}})
	for way, unmarshal := range map[string]func(src []byte, to any) error{
		"own":     c.Unmarshal,
		"options": func(src []byte, to any) error { return wire.Options{UseNumber: true}.Unmarshal(c, src, to) },
		"values":  func(src []byte, to any) error { return wire.Unmarshal(codectest.Values(c), src, to) },
	} {
		for _, row := range []reflect.Type{row, reflect.PointerTo(row), quoting, reflect.MapOf(reflect.TypeFor[string](), of)} {
			src, rows := text, reflect.New(reflect.SliceOf(row))
			if row.Kind() == reflect.Map {
				src = alone
			}
			err := unmarshal(src, rows.Interface())
			if want == nil && row == quoting {
				continue // which may have it in quotation marks of its own
			} else if want == nil {
				require.Error(t, err, "%s: %s into %v", way, src, row)
				continue
			}
			require.NoError(t, err, "%s: %s into %v", way, src, row)
			var got reflect.Value
			if got = rows.Elem().Index(0); row.Kind() == reflect.Map {
				got = got.MapIndex(reflect.ValueOf("a"))
			} else {
				got = reflect.Indirect(got).FieldByName("A")
			}
			for got.Kind() == reflect.Pointer {
				got = got.Elem()
			}
			require.EqualValues(t, want, got.Convert(reflect.TypeOf(want)).Interface(), "%s: %s into %v", way, src, row)
		}
	}
}

// TestSpelledStreams: a Decoder gives what Unmarshal gives, for the cells of a whole export.
func TestSpelledStreams(t *testing.T) {
	type row struct {
		ID    int         `json:"id"`
		OK    bool        `json:"ok"`
		Price float64     `json:"price"`
		Zip   string      `json:"zip"`
		N     json.Number `json:"n"`
		Quota *uint8      `json:"quota"`
		Any   any         `json:"any"`
	}
	quota := uint8(7)
	want := []row{{1, true, 1.5, "01067", "12", &quota, "1"}, {2, false, 0.5, "x", "0.50", nil, "TRUE"}}
	quoted := "\"id\",\"ok\",\"price\",\"zip\",\"n\",\"quota\",\"any\"\n\"1\",\"TRUE\",\"+1.50\",\"01067\",\"012\",\"07\",\"1\"\n\"2\",\"0\",\".5\",\"x\",\"00.50\",\"\",\"TRUE\"\n"
	for _, c := range []csv.Codec{{}, {AllStrings: true}} {
		for _, text := range []string{quoted, strings.ReplaceAll(quoted, ",\"+1.50\",\"01067\",\"012\",\"07\",", ",+1.50,01067,012,07,")} {
			var rows []row
			require.NoError(t, c.Unmarshal([]byte(text), &rows))
			require.Equal(t, want, rows)
			rows = nil
			for got, err := range wire.NewDecoder[row](c, strings.NewReader(text)).All() {
				require.NoError(t, err)
				rows = append(rows, got)
			}
			require.Equal(t, want, rows)
		}
	}
	// A number that there is none of, one out of its range, and texts with types.
	for text, kind := range map[string]error{"ID\n\"\"\n": wire.ErrType, "quota\n\"256\"\n": wire.ErrRange, "quota\n\"-1\"\n": wire.ErrRange, "id\n\"1.5\"\n": wire.ErrRange, "ok\n2\n": wire.ErrType} {
		for _, c := range []csv.Codec{{}, {AllStrings: true}} {
			var rows []row
			err := c.Unmarshal([]byte(text), &rows)
			require.ErrorIs(t, err, kind, text)
			require.Equal(t, 2, codectest.Error(t, err).Line)
		}
	}
	require.ErrorIs(t, wire.Unmarshal(wire.JSON{}, []byte(`[{"id":"1"}]`), new([]row)), wire.ErrType)
}
