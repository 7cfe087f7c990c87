//go:build go1.27 && goexperiment.jsonv2

package gcx_test

import (
	"encoding/json"
	"encoding/json/jsontext"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
)

type hiding struct{ S string }

func (hiding) MarshalJSONTo(to *jsontext.Encoder) error { return to.WriteToken(jsontext.String("***")) }

// TestEmbedOption: the fields of a struct with the tag option embed are columns, as they are
// members of JSON, and a cell is what a type's method for encoding/json/v2 says.
func TestEmbedOption(t *testing.T) {
	type inner struct {
		A int    `json:"a"`
		B string `json:"b"`
	}
	type Deeper struct {
		N    int
		Rest map[string]int `json:",embed"`
	}
	type row struct {
		ID   int            `json:"id"`
		In   inner          `json:",embed"`
		Key  hiding         `json:"key"`
		More map[string]int `json:",embed"`
		Name inner          `json:"name,embed"`
	}
	rows := []row{{1, inner{2, "x"}, hiding{"hunter2"}, map[string]int{"m": 1}, inner{3, "y"}}}
	s, err := gcx.RowSection(gcx.Header{Tool: "t"}, rows)
	require.NoError(t, err)
	require.Equal(t, []string{"id", "a", "b", "key", "More", "name"}, s.Fields)
	require.Equal(t, [][]string{{"1", "2", "x", "***", `{"m":1}`, `{"a":3,"b":"y"}`}}, s.Rows)
	text, err := json.Marshal(rows[0])
	require.NoError(t, err)
	s, err = gcx.RowSection(gcx.Header{Tool: "t"}, []struct{ Deeper }{{Deeper{1, map[string]int{"a": 2}}}})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"1", `{"a":2}`}}, s.Rows)
	require.Equal(t, `{"id":1,"a":2,"b":"x","key":"***","name":{"a":3,"b":"y"},"m":1}`, string(text))
}
