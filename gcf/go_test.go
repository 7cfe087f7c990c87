package gcf_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
)

func goWays() randgo.Ways {
	return randgo.Ways{
		Marshal:   gcf.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, gcf.Codec{}, v) },
		Unmarshal: gcf.Unmarshal,
		Codec:     gcf.Codec{},
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, cells) },
		Pieces:    append([]string{"|", "\n", "-", "~", "^", " ", "  ", "\"", ",", "0", "1", "-1", "1e5", "true", "@0 ", "[2]", "{", "}", ".", "=", "## ", "#", "\r", "a", "[0]\n", "~|", "-|", "^|"}, cells...),
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses
// what that refuses; Unmarshal reads what that reads.
func TestGoRandom(t *testing.T) { goWays().Compare(t, 4000) }

// TestGoMutated: whatever a document has become, Unmarshal does what the way
// through Values does, errors included.
func TestGoMutated(t *testing.T) { goWays().CompareMutated(t, 2000) }

// A level is much longer in memory than in a text.
type level[T any] struct {
	A                                  int    `json:"a"`
	K                                  []T    `json:"k"`
	B, C, D, E, F, G, H, I, J, L, M, N string `json:",omitempty"`
}

// TestGoClaims: arrays in arrays that declare more rows than there are take no more
// memory together than one of them may.
func TestGoClaims(t *testing.T) {
	type levels = []level[level[level[level[level[level[int]]]]]]
	const length, declared = 100_000, 20_000
	doc := "GCF profile=generic\n## "
	for depth := range 6 {
		doc += fmt.Sprintf("[%d]{a,k}\n%[2]s@0 1|^\n%[2]s.k ", declared, strings.Repeat("    ", depth))
	}
	doc += "[1]: 1\n" + strings.Repeat("x", length) + "\n"
	growth.Bytes(t, 80*uint64(len(doc)), func() {
		require.Error(t, gcf.Unmarshal([]byte(doc), new(levels)))
	})
}

// TestGoIDs: the ids of rows are held to the same straight and through Values.
func TestGoIDs(t *testing.T) {
	type row struct {
		A int   `json:"a"`
		L []int `json:"l"`
	}
	for id, sound := range map[string]bool{"@0": true, "@00": false, "@1": false, "@": false, "@-0": false, "@0x": false, "@9999999999": false, "": false} {
		doc := []byte("GCF profile=generic\n## [1]{a,l}\n" + strings.TrimPrefix(id+" ", " ") + "1|^\n.l [2]: 1,2\n")
		var straight, through []row
		err := gcf.Unmarshal(doc, &straight)
		want := wire.Unmarshal(codectest.Values(gcf.Codec{}), doc, &through)
		require.Equal(t, want, err, id)
		require.Equal(t, through, straight, id)
		require.Equal(t, sound, err == nil, id)
	}
}

// TestGoSparse: a table whose cells are mostly absent is refused as on the general path,
// which has its limit in proportion to the value.
func TestGoSparse(t *testing.T) {
	const fields, rows = 2000, 2400
	columns := make([]reflect.StructField, fields)
	for i := range columns {
		columns[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[int8](), Tag: `json:",omitempty"`}
	}
	columns[0].Tag = `json:"id"` // so that no row is empty
	list := reflect.MakeSlice(reflect.SliceOf(reflect.StructOf(columns)), rows, rows)
	for i := range rows {
		list.Index(i).Field(i % fields).SetInt(1)
	}
	_, want := wire.Marshal(codectest.Values(gcf.Codec{}), list.Interface())
	codectest.Refused(t, want, wire.CodeOutputTooLong, wire.ErrLimit)
	_, err := gcf.Marshal(list.Interface())
	require.Equal(t, want, err)
}
