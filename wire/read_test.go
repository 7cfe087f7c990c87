package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/wire"
)

func TestDecodeAs(t *testing.T) {
	got, err := wire.DecodeAs[map[string]int](wire.JSON{}, []byte(`{"a":1}`))
	require.NoError(t, err)
	require.Equal(t, map[string]int{"a": 1}, got)
	list, err := wire.DecodeAs[[]int](wire.JSON{}, []byte(`[1,"x"]`))
	require.ErrorIs(t, err, wire.ErrType)
	require.Nil(t, list, "nothing comes with an error")
}

func TestMarshalWrite(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, wire.MarshalWrite(&out, wire.JSON{}, []int{1, 2}))
	require.Equal(t, "[1,2]", out.String())
	out.Reset()
	require.ErrorIs(t, wire.MarshalWrite(&out, wire.JSON{}, []any{1, func() {}}), wire.ErrShape)
	require.Zero(t, out.Len())
	require.Error(t, wire.MarshalWrite(&faulty.Writer{}, wire.JSON{}, 1))
}

func TestUnmarshalRead(t *testing.T) {
	var got []int
	require.NoError(t, wire.UnmarshalRead(wire.JSON{}, iotest.OneByteReader(strings.NewReader(" [1,2] ")), &got))
	require.Equal(t, []int{1, 2}, got)
	require.ErrorIs(t, wire.UnmarshalRead(wire.JSON{}, iotest.TimeoutReader(iotest.HalfReader(strings.NewReader("[1,2]"))), &got), iotest.ErrTimeout)

	for _, c := range []wire.Codec{wire.JSON{Limits: wire.Limits{InputBytes: 10}}, wrapped{Inner: wire.JSON{Limits: wire.Limits{InputBytes: 10}}}} {
		endless := &counted{r: repeat('[')}
		err := wire.UnmarshalRead(c, endless, &got)
		require.ErrorIs(t, err, wire.ErrLimit)
		require.Equal(t, 11, endless.n)
	}
}

// wrapped is a codec around another one.
type wrapped struct{ Inner wire.Codec }

func (w wrapped) Info() wire.Info                       { return w.Inner.Info() }
func (w wrapped) Decode(src []byte) (wire.Value, error) { return w.Inner.Decode(src) }
func (w wrapped) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	return w.Inner.AppendEncode(dst, v)
}

// repeat reads as one byte without end.
type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

func TestNumbers(t *testing.T) {
	const text = `{"id":9007199254740993,"small":9007199254740992,"sum":1.10,"pi":3.141592653589793238,"list":[1]}`
	exact := map[string]any{"id": json.Number("9007199254740993"), "small": 9007199254740992.0, "sum": 1.1, "pi": json.Number("3.141592653589793238"), "list": []any{1.0}}
	floats := map[string]any{"id": 9007199254740992.0, "small": 9007199254740992.0, "sum": 1.1, "pi": 3.141592653589793, "list": []any{1.0}}
	texts := map[string]any{"id": json.Number("9007199254740993"), "small": json.Number("9007199254740992"), "sum": json.Number("1.10"), "pi": json.Number("3.141592653589793238"), "list": []any{json.Number("1")}}
	for o, want := range map[wire.Options]map[string]any{{}: exact, {UseFloat64: true}: floats, {UseNumber: true}: texts} {
		var direct any
		require.NoError(t, o.Unmarshal(wire.JSON{}, []byte(text), &direct))
		require.Equal(t, any(want), direct, "%+v", o)
		var inStruct struct{ V any }
		require.NoError(t, o.Unmarshal(wire.JSON{}, []byte(`{"V":`+text+`}`), &inStruct))
		require.Equal(t, any(want), inStruct.V, "%+v", o)
		v, err := wire.ParseJSON([]byte(text))
		require.NoError(t, err)
		var values map[string]any
		require.NoError(t, o.ToGo(v, &values))
		require.Equal(t, want, values, "%+v", o)
	}

	var std any
	require.NoError(t, json.Unmarshal([]byte(text), &std))
	require.Equal(t, std, any(floats), "UseFloat64 is what encoding/json does")

	var v any
	err := wire.Options{UseFloat64: true}.Unmarshal(wire.JSON{}, []byte(`[1e999]`), &v)
	require.ErrorIs(t, err, wire.ErrRange)
	err = wire.Options{UseNumber: true, UseFloat64: true}.Unmarshal(wire.JSON{}, []byte(`1`), &v)
	var e *wire.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, wire.CodeInvalidOption, e.Code)
	require.Contains(t, e.Message, "UseNumber")
}
