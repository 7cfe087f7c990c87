package gcf

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/wire"
)

// TestEncodersKeepNothing: what an idle encoder has of the document before is memory.
func TestEncodersKeepNothing(t *testing.T) {
	wide := ""
	for i := range 40 {
		wide += `"column` + strings.Repeat("x", i) + `":` + strings.Repeat("1", i%9+1) + ","
	}
	shapes := "{}"
	for i := range 40 {
		shapes += fmt.Sprintf(`,{"a":1,"b%d":{"c":2}}`, i)
	}
	for name, text := range map[string]string{
		"a wide table":         `[{` + wide + `"z":[{"p":1},{"p":2}]},{"z":[{"q":1},{"q":2}],"y":{"m":1,"n":[{"o":1}]}}]`,
		"an object":            `{"a":{"b":1},"c":[1,2]}`,
		"a table that fails":   `[{"a":1,"b":[{"c":1},{"c":1e999}]},{"a":1,"b":[]}]`,
		"many shapes":          "[" + shapes + "]",
		"a keyed table":        `{"a":{"x":1},"b":{"x":[{"y":1}]}}`,
		"tables in succession": `{"a":[{"x":1,"y":2,"z":3}],"b":[{"u":1}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			v, err := wire.ParseJSON([]byte(text))
			require.NoError(t, err)
			e := new(encoder)
			e.depth = bound.Depth
			e.limit(&wire.Limits{}, 0, v)
			require.Equal(t, strings.Contains(name, "fails"), e.root(v) != nil)
			e.giveBack()
			require.Zero(t, e.dst)
			require.Zero(t, e.measure)
			onlyZeros(t, e.columns)
			onlyZeros(t, e.shapes)
			onlyZeros(t, e.indexes)
		})
	}
}

func onlyZeros[T any](t *testing.T, stack []T) {
	t.Helper()
	require.Empty(t, stack)
	for _, element := range stack[:cap(stack)] {
		require.True(t, reflect.ValueOf(element).IsZero(), "%+v", element)
	}
}

// TestGoEncodersKeepNothing is the same of the encoder of Go values.
func TestGoEncodersKeepNothing(t *testing.T) {
	type row struct {
		A    string            `json:"a"`
		B    int               `json:"b,omitempty"`
		Tags map[string]string `json:"tags"`
		Rows []struct {
			C string `json:"c"`
		} `json:"rows"`
	}
	rows := make([]row, 3)
	rows[1].B = 1
	for i := range rows {
		rows[i].Tags = map[string]string{"one": "x", "two": "y"}
		rows[i].Rows = append(rows[i].Rows, struct {
			C string `json:"c"`
		}{"c"})
	}
	e := new(goEncoder)
	for _, v := range []any{&rows, &rows[0]} {
		_, ok := e.document(nil, v)
		require.True(t, ok)
	}
	require.NotZero(t, cap(e.ops))
	require.NotZero(t, cap(e.names))
	e.giveBack()
	onlyZeros(t, e.ops)
	onlyZeros(t, e.names)
}
