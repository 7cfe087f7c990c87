package gcf

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestOddScalars: a scalar in another form than Marshal's is read by the reader of
// Values, and nothing else of the document is.
func TestOddScalars(t *testing.T) {
	type row struct {
		S string            `json:"s"`
		I int64             `json:"i"`
		U uint8             `json:"u"`
		F float64           `json:"f"`
		B bool              `json:"b"`
		T time.Time         `json:"t"`
		P *string           `json:"p"`
		A any               `json:"a"`
		M map[string]string `json:"m"`
		E *struct {
			N int `json:"n"`
		} `json:"e"`
		L []string `json:"l"`
	}
	const header = "GCF profile=generic\n"
	const table = "## [3]{s,i,u,f,b,t,p,a,\"m>k\",\"e>n\",l}\n"
	const plain = "x|1|2|0.5|true|2025-01-31T00:00:00Z|p|-|v|3|-\n"
	columns := strings.Split(strings.TrimSuffix(plain, "\n"), "|")
	for column, cells := range [][]string{
		{`"say \"hi\""`, `"a" `, "x ", "007", "+5", "^x", ""},
		{"1e3", "1.0", " 7", "7\t", "-9223372036854775808", "-0"},
		{"2e2", " 255"},
		{"1e300", "0.0", "-0", "12345678901234567890.5", "0." + strings.Repeat("0", 40) + "1", " 1"},
		{" true", "false "},
		{" 2025-01-31T00:00:00Z", `"2025-01-31T00:00:00\u005a"`},
		{`"\n"`, " p ", ""},
		{"1", "1.5", "x", "true", `"\u00e9"`, " 9007199254740993"},
		{`"\t"`, " v"},
		{" 4", "4e0"},
	} {
		for _, cell := range cells {
			odd := append([]string(nil), columns...)
			odd[column] = cell
			same[[]row](t, header+table+plain+strings.Join(odd, "|")+"\n"+plain)
		}
	}
	same[[]row](t, header+table+plain+"@1 "+strings.Replace(plain, "-\n", "^\n", 1)+`.l [3]: a, "b\n",c `+"\n"+plain)
	same[row](t, header+"s= x|y\ni=1\r\nf=1E2\np=\"\\\\\"\na=[x]\n## m\n  k=\"\\n\"\n  l= 5 a\n## e\n  n= 5\n")
}

// same reads a document straight, and holds that this gives what Values give.
func same[T any](t *testing.T, doc string) {
	var straight, through T
	require.True(t, unmarshalGo([]byte(doc), &straight), doc)
	require.NoError(t, wire.Unmarshal(codectest.Values(Codec{}), []byte(doc), &through), doc)
	require.Equal(t, through, straight, doc)
}

// TestTypesInThemselves: arrays within arrays of the same type have columns of their own.
func TestTypesInThemselves(t *testing.T) {
	type tree struct {
		Name string  `json:"name"`
		Kids []*tree `json:"kids,omitempty"`
		Size int     `json:"size,omitempty"`
	}
	deep := func(levels int) []tree {
		root := tree{Name: "leaf", Size: 1}
		for range levels {
			inner := root
			root = tree{Name: "node", Kids: []*tree{{Name: "a"}, &inner, {Name: "b", Size: 2}}}
		}
		return []tree{root, {Name: "c"}, root}
	}
	doc, err := Marshal(deep(20))
	require.NoError(t, err)
	same[[]tree](t, string(doc))
	doc, err = Marshal(deep(90))
	require.NoError(t, err)
	var straight, through []tree
	require.Equal(t, wire.Unmarshal(codectest.Values(Codec{}), doc, &through), Unmarshal(doc, &straight))
	require.Equal(t, through, straight)
}

// TestGoGroups: path columns make as many objects straight as through Values, and no more.
func TestGoGroups(t *testing.T) {
	type row struct {
		A struct {
			B struct{ C struct{ D int } }
		}
	}
	const few, many = 30_000, 60_000
	for n, refused := range map[int]bool{few: false, many: true} {
		doc := "GCF profile=generic\n## [" + itoa(n) + "]{\"A>B>C>D\"}\n" + strings.Repeat("1\n", n)
		var straight, through []row
		err := Unmarshal([]byte(doc), &straight)
		require.Equal(t, wire.Unmarshal(codectest.Values(Codec{}), []byte(doc), &through), err)
		require.Equal(t, refused, err != nil, n)
		require.Equal(t, through, straight)
	}
}
