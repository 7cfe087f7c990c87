package wire_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// fuzzTypes are the types that FuzzGo fills from JSON.
var fuzzTypes = []reflect.Type{
	reflect.TypeFor[any](),
	reflect.TypeFor[allKinds](),
	reflect.TypeFor[tags](),
	reflect.TypeFor[[]tableRow](),
	reflect.TypeFor[embedding](),
	reflect.TypeFor[tagWins](),
	reflect.TypeFor[named](),
	reflect.TypeFor[recursive](),
	reflect.TypeFor[caseFields](),
	reflect.TypeFor[loose](),
	reflect.TypeFor[textPointers](),
	reflect.TypeFor[quoting](),
	reflect.TypeFor[map[string][]map[int8]float32](),
	reflect.TypeFor[[]*jsonRecorder](),
	reflect.TypeFor[[]json.Number](),
	reflect.TypeFor[[][3]uint16](),
}

// v2Types are more of them where encoding/json is built on encoding/json/v2.
var v2Types []reflect.Type

// respelled matches what TestGoDifferences lists about numbers: integers that
// encoding/json refuses, and those inside strings that only it takes; and null inside
// a string, which it has ceased to take.
var respelled = regexp.MustCompile(`[0-9][.eE]|"[-+0][0-9]|-0|"null"`)

// FuzzGo compares ToGo and FromGo with encoding/json: text that json.Unmarshal
// stores without error gives the same Go value through ParseJSON and ToGo, and
// that value the same text through FromGo and AppendJSON.
func FuzzGo(f *testing.F) {
	for _, c := range decodeCases() {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := wire.ParseJSON([]byte(text))
		if err != nil {
			return // FuzzJSON compares the parsers
		}
		for _, typ := range slices.Concat(fuzzTypes, v2Types) {
			want, got := reflect.New(typ), reflect.New(typ)
			wantErr := json.Unmarshal([]byte(text), want.Interface())
			gotErr := wire.ToGo(value, got.Interface())
			if (wantErr == nil) != (gotErr == nil) {
				if respelled.MatchString(text) || duplicateKeys(text) {
					continue
				}
				if typ == reflect.TypeFor[any]() && wantErr != nil {
					continue // 1e400 and the like
				}
				t.Fatalf("%s from %q: encoding/json says %v, wire %v", typ, text, wantErr, gotErr)
			}
			if gotErr != nil {
				continue
			}
			again, err := wire.FromGo(got.Interface())
			require.NoError(t, err)
			wantText, err := marshalJSON(got.Interface())
			require.NoError(t, err)
			if strings.Contains(string(wantText), `\u202`) {
				wantText = []byte(strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(string(wantText)))
			}
			if !duplicateKeys(text) {
				require.Equal(t, string(wantText), string(wire.AppendJSON(nil, again)), "%s from %q", typ, text)
				if lossless(got.Elem()) {
					require.Equal(t, want.Interface(), got.Interface(), "%s from %q", typ, text)
				}
			}
		}
	})
}

// duplicateKeys reports whether an object of the text has a key twice: then
// encoding/json stores both members, one after the other.
func duplicateKeys(text string) bool {
	_, err := wire.JSON{RejectDuplicates: true}.Decode([]byte(text))
	return err != nil
}

// lossless reports whether an interface holds a json.Number, where
// encoding/json has a float64 that lost digits.
func lossless(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if _, ok := v.Interface().(json.Number); ok && v.Kind() == reflect.Interface {
			return false
		}
		return v.IsNil() || lossless(v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return true
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && !lossless(v.Field(i)) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !lossless(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			if !lossless(i.Value()) {
				return false
			}
		}
	}
	return true
}
