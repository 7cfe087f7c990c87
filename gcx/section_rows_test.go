package gcx_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

// typedRow has a field of every sort.
type typedRow struct {
	Name    string            `json:"name"`
	N       *int64            `wire:"n" json:"other"`
	F       float64           `json:"f"`
	B       bool              `json:"b,omitempty"`
	List    []string          `json:"list"`
	Map     map[string]int    `json:"map"`
	At      time.Time         `json:"at"`
	Raw     wire.Value        `json:"raw"`
	Skipped string            `json:"-"`
	More    map[string]string `gcx:"unknown"`
}

func TestTypedRows(t *testing.T) {
	seven := int64(7)
	rows := []typedRow{
		{Name: "x\ty", N: &seven, F: 1e6, B: true, List: []string{"a", "<"}, Map: map[string]int{"k": 1}, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Raw: wire.String("s")},
		{Name: "#1", List: []string{}},
	}
	s, err := gcx.RowSection(gcx.Header{Tool: "t"}, rows)
	require.NoError(t, err)
	require.Equal(t, []string{"name", "n", "f", "b", "list", "map", "at", "raw"}, s.Fields)
	text, err := gcx.Codec{}.AppendSections(nil, s)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=t fields=name,n,f,b,list,map,at,raw\nx\\ty\t7\t1000000\ttrue\t[\"a\",\"<\"]\t{\"k\":1}\t2026-01-02T03:04:05Z\ts\n\\#1\t\t0\t\t[]\t\t0001-01-01T00:00:00Z\t\n", string(text))
	sections, err := gcx.Codec{}.DecodeSections(text)
	require.NoError(t, err)
	var back []typedRow
	require.NoError(t, sections[0].Scan(&back))
	require.Len(t, back, 2)
	require.Equal(t, rows[0].List, back[0].List)
	require.Equal(t, rows[0].Map, back[0].Map)
	require.True(t, rows[0].At.Equal(back[0].At))
	require.Equal(t, seven, *back[0].N)
	require.Equal(t, "s", back[0].Raw.Text())
	require.Nil(t, back[1].N)

	sections, err = gcx.Codec{}.DecodeSections([]byte("GCX1 tool=t fields=new,name,newer\n1\tx\t2\n"))
	require.NoError(t, err)
	require.NoError(t, sections[0].Scan(&back))
	require.Equal(t, []typedRow{{Name: "x", More: map[string]string{"new": "1", "newer": "2"}}}, back)
	again, err := gcx.RowSection(sections[0].Header, []*typedRow{&back[0]})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"1", "x", "2"}}, again.Rows)

	_, err = gcx.RowSection(gcx.Header{Tool: "t", Fields: []string{"nope"}}, []struct{ A string }{{}})
	requireError(t, err, "unknown_field", wire.ErrShape)
	_, err = gcx.RowSection(gcx.Header{Tool: "t"}, []int{1})
	requireError(t, err, "not_a_struct", wire.ErrShape)
	_, err = gcx.RowSection(gcx.Header{Tool: "t"}, 1)
	requireError(t, err, "not_a_slice", wire.ErrShape)
	_, err = gcx.RowSection(gcx.Header{Tool: "t"}, []*typedRow{nil})
	requireError(t, err, "nil_row", wire.ErrShape)
	requireError(t, sections[0].Scan(back), "not_a_slice", wire.ErrShape)
}

type (
	shownBase struct {
		ID   int `json:"id"`
		Note string
	}
	otherBase struct {
		Note  string
		Extra string `json:"extra"`
	}
	shadowingRow struct {
		shownBase
		otherBase
		ID string `json:"id"`
	}
)

// TestEmbeddedRows: of the fields of embedded structs those are columns that JSON has as members.
func TestEmbeddedRows(t *testing.T) {
	rows := []shadowingRow{{shownBase{7, "hidden"}, otherBase{"hidden too", "e"}, "x"}}
	s, err := gcx.RowSection(gcx.Header{Tool: "t"}, rows)
	require.NoError(t, err)
	require.Equal(t, []string{"extra", "id"}, s.Fields)
	require.Equal(t, [][]string{{"e", "x"}}, s.Rows)
	text, err := json.Marshal(rows[0])
	require.NoError(t, err)
	require.Equal(t, `{"extra":"e","id":"x"}`, string(text))
	var back []shadowingRow
	require.NoError(t, s.Scan(&back))
	require.Equal(t, []shadowingRow{{otherBase: otherBase{Extra: "e"}, ID: "x"}}, back)
}
