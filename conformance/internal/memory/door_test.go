package memory

import (
	"go/ast"
	"io"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// inferred returns a token and an opened door as a program outside can have them: type
// inference finds types that the program cannot name.
func inferred[Token, Door any](func(Token, *wire.Builder) Door) (zero Token, none Door) {
	return zero, none
}

// TestInternalTokens holds that nothing in wire.Internal that fills memory of Values does so
// for a zero token, or in what it opens without one, and that no codec passes another one on.
func TestInternalTokens(t *testing.T) {
	zero, none := inferred(wire.Internal.Fill)
	var b wire.Builder
	require.Panics(t, func() { wire.Internal.Fill(zero, &b) })
	require.Panics(t, func() { none.Slots(2) })

	token, guarded := reflect.TypeOf(zero), 0
	door := reflect.ValueOf(wire.Internal)
	for i := range door.NumMethod() {
		in := []reflect.Value{}
		of := door.Method(i).Type()
		for k := range of.NumIn() {
			in = append(in, reflect.Zero(of.In(k)))
		}
		if of.NumIn() == 0 || of.In(0) != token {
			for k := range of.NumOut() {
				if out := of.Out(k); out.Kind() == reflect.Pointer {
					require.True(t, ast.IsExported(out.Elem().Name()), "%s returns a %v, with methods that need no token", door.Type().Method(i).Name, out)
				}
			}
			require.Contains(t, []string{"All", "AppendClassed", "AppendLines", "AppendMarshal", "AppendNumber", "AppendText", "ClassedRecords", "DecodeClassed", "DecodeLines", "DifferenceBeyond", "EachObject", "EqualAsJSON", "Array", "Hash", "InvalidUTF8", "IsFloat", "KeyIn", "LineRecords", "LinesOffset", "Mark", "Marshal", "Names", "Push", "Reserve", "Row", "Same", "SameKeys", "Shift", "ShiftColumns", "SniffClassed", "Spelling", "Tag", "TaggedString", "Text", "Transcode", "Unmarshal", "ViewClassed", "ViewGo", "ViewJSON", "ViewLineRecords", "ViewLines", "WithArticle", "WithWarnings"}, door.Type().Method(i).Name, "harmless without a token")
			continue
		}
		guarded++
		require.PanicsWithValue(t, "wire: Internal is for the packages of wirekit", func() { door.Method(i).Call(in) })
	}
	keys, err := wire.NewKeys()
	require.NoError(t, err)
	opened := reflect.ValueOf(none)
	for i := range opened.NumMethod() {
		in := []reflect.Value{}
		of := opened.Method(i).Type()
		for k := range of.NumIn() {
			switch arg := of.In(k); arg {
			case reflect.TypeOf(keys):
				in = append(in, reflect.ValueOf(keys))
			case reflect.TypeFor[*wire.ObjectBuilder]():
				in = append(in, reflect.ValueOf(new(wire.ObjectBuilder)))
			default:
				in = append(in, reflect.Zero(arg))
			}
		}
		name := opened.Type().Method(i).Name
		if name == "KeysOf" || name == "KeysSoFar" {
			continue // which write nothing
		}
		guarded++
		require.Panics(t, func() { opened.Method(i).Call(in) }, name)
	}
	require.Greater(t, guarded, 20)

	for _, c := range describe.All(wirekit.Registry()) {
		of := reflect.TypeOf(c)
		for i := range of.NumMethod() {
			requireWithout(t, token, of.Method(i).Type)
		}
		if own, ok := c.(interface{ Internal() any }); ok {
			sealed := own.Internal().(*inplace.Sealed[wire.Codec, wire.Value, wire.Limits])
			require.Panics(t, func() { sealed.Of(zero, c) }, "others could change what it says")
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[describe.Codec]()) {
		if f.Type.Kind() == reflect.Func {
			requireWithout(t, token, f.Type)
		}
	}
}

func requireWithout(t *testing.T, token, function reflect.Type) {
	t.Helper()
	for i := range function.NumIn() {
		require.NotEqual(t, token, function.In(i))
	}
	for i := range function.NumOut() {
		require.NotEqual(t, token, function.Out(i))
	}
}

// An impostor is a codec of another module that says it is gcf's, which it embeds.
type impostor struct{ gcf.Codec }

func (c impostor) Internal() any { return c.Codec.Internal() }

func (c impostor) Decode(src []byte) (wire.Value, error) {
	v, err := c.Codec.Decode(src)
	return wire.Array(v, wire.String("decoded")), err
}

func (c impostor) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) { yield(wire.Int(7), nil) }
}

// TestInternalsOfOthers holds that package wire asks the descriptions of this module's
// codecs only, and them only for codecs of their own type.
func TestInternalsOfOthers(t *testing.T) {
	text, err := gcf.Marshal([]int{1})
	require.NoError(t, err)
	for _, c := range []wire.Codec{impostor{}, struct{ impostor }{}} {
		var x any
		require.NoError(t, wire.Unmarshal(c, text, &x))
		require.Equal(t, []any{[]any{1.0}, "decoded"}, x)
		require.NoError(t, wire.View(c, text, func(v wire.Value) error {
			require.Equal(t, `[[1],"decoded"]`, v.String())
			return nil
		}))
		s := c.(wire.Streamer)
		for v, err := range wire.ViewRecords(s, strings.NewReader(string(text))) {
			require.NoError(t, err)
			require.Equal(t, "7", v.String())
		}
		require.Zero(t, *describe.Of(c))
	}
}
