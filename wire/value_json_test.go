package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/wire"
)

// TestValueInOtherPackages holds that encoding/json and log/slog write and read Values
// exactly: members in their order, numbers as they are spelled.
func TestValueInOtherPackages(t *testing.T) {
	const text = `{"b":12345678901234567890,"a":[1.10,-0,1e400,null,true,"é\u0000<"],"o":{}}`
	v, err := wire.ParseJSON([]byte(text))
	require.NoError(t, err)
	type holder struct {
		V wire.Value
		P *wire.Value
		M map[string]wire.Value
		L []wire.Value
	}
	in := holder{V: v, P: &v, M: map[string]wire.Value{"k": v}, L: []wire.Value{v, {}}}
	written, err := json.Marshal(in)
	require.NoError(t, err)
	var out holder
	require.NoError(t, json.Unmarshal(written, &out))
	for _, got := range []wire.Value{out.V, *out.P, out.M["k"], out.L[0]} {
		require.True(t, wire.Identical(v, got), "%#v", got)
	}
	require.True(t, out.L[1].Kind() == wire.KindNull)

	// wire's own codecs go on to write a Value as it is.
	own, err := wire.Marshal(wire.JSON{}, in)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf(`{"V":%[1]s,"P":%[1]s,"M":{"k":%[1]s},"L":[%[1]s,null]}`, v), string(own))
	var back holder
	require.NoError(t, wire.Unmarshal(wire.JSON{}, own, &back))
	require.True(t, wire.Identical(v, back.V) && wire.Identical(v, *back.P) && wire.Identical(v, back.M["k"]))

	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "v", wire.Int(7))
	require.Contains(t, log.String(), `"v":7`)

	_, err = json.Marshal(wire.String("\xff"))
	require.ErrorIs(t, err, wire.ErrUTF8)
	held := wire.Int(1)
	require.Error(t, held.UnmarshalJSON([]byte(`{"a":`)))
}

// TestGoString holds that %#v shows the text "1" and the number 1 apart, while %v of a
// string is its text.
func TestGoString(t *testing.T) {
	require.Equal(t, `wire.Value("1") wire.Value(1) 1 1`,
		fmt.Sprintf("%#v %#v %v %v", wire.String("1"), wire.Int(1), wire.String("1"), wire.Int(1)))
}

// TestIndentOption holds that an indentation that is not white space is refused.
func TestIndentOption(t *testing.T) {
	_, err := wire.JSON{Indent: "xx"}.AppendEncode(nil, wire.Array(wire.Int(1)))
	require.ErrorIs(t, err, wire.ErrRange)
	require.ErrorContains(t, err, "JSON.Indent")
}
