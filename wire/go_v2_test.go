//go:build go1.27 && goexperiment.jsonv2

package wire_test

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func init() {
	v2Types = []reflect.Type{
		reflect.TypeFor[streamed](), reflect.TypeFor[*streamedAt](), reflect.TypeFor[appended](), reflect.TypeFor[embeds](), reflect.TypeFor[embedsMap](),
		reflect.TypeFor[[]embedsMap](), reflect.TypeFor[map[appended]streamed](),
	}
}

// streamed and streamedAt convert themselves by the methods of encoding/json/v2.
type streamed int

func (s streamed) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteToken(jsontext.String("n" + strconv.Itoa(int(s))))
}

func (s *streamed) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	text, err := from.ReadValue()
	*s = streamed(len(text))
	return err
}

type streamedAt struct{ N int }

func (s *streamedAt) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteToken(jsontext.Int(int64(s.N)))
}

func (s *streamedAt) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	token, err := from.ReadToken()
	if err == nil && token.Kind() == '0' {
		n, _ := token.Int()
		s.N = int(n)
		return nil
	}
	if err == nil && token.Kind() != 'n' {
		err = strconv.ErrSyntax
	}
	return err
}

// appended has the method AppendText beside another one.
type appended struct{ N int8 }

func (a appended) AppendText(dst []byte) ([]byte, error) {
	return strconv.AppendInt(append(dst, "appended "...), int64(a.N), 10), nil
}
func (a appended) MarshalText() ([]byte, error) { return []byte("not asked"), nil }
func (a *appended) UnmarshalText(text []byte) error {
	a.N = int8(len(text))
	return nil
}

type embeds struct {
	ID   int
	Base *base `json:",embed"`
	Text string
}

type embedsMap struct {
	ID   int
	More map[string]*int `json:",embed"`
	Text string          `json:",omitempty"`
}

// TestGoValueV2: encoding/json/v2 writes and reads Values exactly.
func TestGoValueV2(t *testing.T) {
	const text = `{"b":12345678901234567890,"a":[1.10,-0,1e400,null,true,"é\u0000<"],"o":{}}`
	v := codectest.JSON(t, text)
	type holder struct {
		V wire.Value
		P *wire.Value
		L []wire.Value
	}
	written, err := json.Marshal(holder{v, &v, []wire.Value{v, {}}})
	require.NoError(t, err)
	require.Equal(t, `{"V":`+text+`,"P":`+text+`,"L":[`+text+`,null]}`, string(written))
	var back holder
	require.NoError(t, json.Unmarshal(written, &back))
	for _, got := range []wire.Value{back.V, *back.P, back.L[0]} {
		require.True(t, wire.Identical(v, got))
	}
	require.Equal(t, wire.KindNull, back.L[1].Kind())
	_, err = json.Marshal(wire.String("\xff"))
	require.ErrorIs(t, err, wire.ErrUTF8)
	require.Error(t, json.Unmarshal([]byte(`{"V":[1,}`), &back))
}
