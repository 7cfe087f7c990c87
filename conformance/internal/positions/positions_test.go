package positions

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// TestTypeErrorPositions: a value that its Go variable does not take has a line, a column
// and an excerpt in every text format. The caret is where want begins.
func TestTypeErrorPositions(t *testing.T) {
	type row struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		OK   bool   `json:"ok"`
		E    bool   `json:"e"`
		List []int  `json:"list"`
	}
	type config struct {
		Host string `json:"host"`
		Port int    `json:"port"`
		Row  row    `json:"row"`
	}
	strict := wire.Options{RejectUnknownMembers: true}
	for _, test := range []struct {
		format, text string
		v            any
		want         string // of the line, from the column on
		line         int
	}{
		{"yaml", "host: a\nport: abc\n", new(config), "abc", 2},
		{"yaml", "# port: 1\nhost: é\nrow: {id: 1, list: [1, \"2\"]}\n", new(config), `"2"]`, 3},
		{"yaml", "row: &r {id: x}\n", new(config), "x}", 1},
		{"yaml", "port: 1\nprot: 2\n", new(config), "prot", 2},
		{"yaml:multi-document", "id: 1\n---\nid: x\n", new([]row), "x", 3},
		{"json", "{\"host\":\"port\",\n \"port\": \"abc\"}", new(config), `"abc"`, 2},
		{"json", "\ufeff{\"row\":{\"id\":1,\"list\":[1,{\"a\":[2]},true]}}", new(config), `{"a"`, 1},
		{"json", `{"p\u006frt":null,"port":[]}`, new(config), "[]", 1},
		{"json", `{"host":"a", "prot":{}}`, new(config), `"prot"`, 1},
		{"json", `[{"id":1},{"id":1.5}]`, new([]row), "1.5", 1},
		{"json", `"x"`, new(int), `"x"`, 1},
		{"jsonl", "{\"id\":1}\n\n{\"id\":\"x\"}\n", new([]row), `"x"`, 3},
		{"csv", "id,name\n1,a\n2,b\nx,c\n", new([]row), "x,c", 4},
		{"csv", "id,ok\n1,true\n2,\"no\"\n", new([]row), `"no"`, 3},
		{"csv", "ok,id\nfalse,1\ntrue,true\n", new([]row), "true", 3},
		{"csv", "name,ok,id\n,true,1\n,false,true\n", new([]row), "true", 3},
		{"csv", "ok,id\ntrue,true\n", new([]row), "true", 2},
		{"md", "| id |\n|-|\n| 1 |\n| \"x\" |\n", new([]row), `"x"`, 4},
		{"gcf", "GCF profile=generic\n## [2]{id,name}\n1|a\nx|b\n", new([]row), "x|b", 4},
		{"gcf", "GCF profile=generic\nhost=a\nport=abc\n", new(config), "abc", 3},
		{"gcf", "GCF profile=generic\nhost=a\nport=true\n", new(config), "true", 3},
		{"gcx", "GCX1 tool=t fields=id,name rows=2\n1\ta\nx\tb\n", new([]row), "x\tb", 3},
		{"gcx", "GCX1 tool=t fields=ok,id rows=2\ntrue\ttrue\nfalse\t1\n", new([]row), "true", 2},
		{"gcx", "GCX1 tool=t fields=name,e,id rows=2\n\tfalse\t1\n\tfalse\tfalse\n", new([]row), "false", 3},
		{"gcx", "GCX1 tool=t fields=host,row rows=1\n\t{\"ok\":true,\"id\":true}\n", new([]config), "true}", 2},
		{"gcx", "GCX1 tool=t fields=row,host rows=1\n{\"\\\\u0062\":2}\ta\n", new([]config), "2}", 2},
		{"gcf", "GCF profile=generic\n## [2]{e,id}\ntrue|1\ntrue|true\n", new([]row), "true", 4},
		{"glyph", "{host=a port=\"abc\"}", new(config), "\"abc\"", 1},
		{"glyph", "{host=a port=t}", new(config), "t}", 1},
		{"toon", "host: a\nport: abc\n", new(config), "abc", 2},
		{"toon", "[2]{id,name}:\n  1,a\n  x,b\n", new([]row), "x,b", 3},
		{"toon", "host: a\nport: true\n", new(config), "true", 2},
		{"toon", "host: a\nprot: 1\n", new(config), "prot", 2},
		{"toon", "[2]:\n  - list[1]: 144\n  - name: \"\\u0000\"\n    id: \"W\\\"q\"\n", new([]row), `"W`, 4},
		{"gcf", "GCF profile=generic\n## [2]: 369,\"W\\\"q\"\n", new([]int), `"W`, 2},
		{"gcf", "GCF profile=generic\n## port\n  W=1\n", new(config), "1", 3},
		{"csv", "id,name\n1,a\n2,b\n\"W\"\"q\",c\n", new([]row), `"W`, 4},
		{"glyph", "@tab _ [id name ok]\n|1|a|t|\n|2|\"\\t\"|f|\n|{W=1}|b|t|\n@end", new([]row), "1}", 4},
		{"gcx", "GCX1 tool=data.row fields=id types=a host=a port=WRONG\n1\n", new(config), "WRONG", 1},
		{"md:kv", "## 1\n\n- list: [120,98765.4321]\n", new([]row), "98765", 3},
	} {
		c, err := wirekit.Lookup(test.format)
		require.NoError(t, err)
		var e *wire.Error
		if err := strict.Unmarshal(c, []byte(test.text), test.v); !errors.As(err, &e) {
			t.Errorf("%s %q: no error but %v", test.format, test.text, err)
			continue
		}
		line := ""
		if e.Line > 0 {
			line = strings.Split(strings.TrimPrefix(test.text, "\ufeff"), "\n")[e.Line-1]
		}
		column := e.Column - 1
		if strings.HasPrefix(test.text, "\ufeff") {
			column--
		}
		if e.Line != test.line || !strings.HasPrefix(string([]rune(line)[max(0, column):]), test.want) {
			t.Errorf("%s %q: line %d, column %d: %v\n%s", test.format, test.text, e.Line, e.Column, e, e.Excerpt())
		}
		require.Contains(t, e.Excerpt(), "^")
	}
}

// TestTypeErrorPositionsOfBooleans: also among cells that leave nothing in the decoder's copy
// of the text, and keys that look like values.
func TestTypeErrorPositionsOfBooleans(t *testing.T) {
	type row struct {
		A, E, True, Inner any
		Num, Last         int
	}
	r := rand.New(rand.NewPCG(1, 2))
	scalar := func() any {
		return []any{true, false, true, false, nil, "", r.IntN(100), []any{}, "true", "num", "x y"}[r.IntN(11)]
	}
	placed := make(map[string]int)
	for range trials.Of(1000) {
		rows := make([]map[string]any, 1+r.IntN(3))
		for i := range rows {
			rows[i] = map[string]any{"a": scalar(), "e": scalar(), "num": r.IntN(50), "true": scalar(), "inner": scalar(), "last": 7}
			if r.IntN(3) == 0 {
				rows[i]["inner"] = map[string]any{"ok": scalar(), "v": scalar()}
			}
		}
		wrong, key, value := rows[r.IntN(len(rows))], []string{"num", "last"}[r.IntN(2)], r.IntN(2) == 0
		for _, format := range []string{"json", "yaml", "csv", "gcf", "gcx", "glyph", "toon", "md"} {
			c, err := wirekit.Lookup(format)
			require.NoError(t, err)
			wrong[key] = value
			text, err := wire.Marshal(c, rows)
			if err != nil {
				continue // CSV and Markdown have no lists in cells
			}
			// Both booleans have the same text before them, and after them what ends with it.
			wrong[key] = !value
			other, err := wire.Marshal(c, rows)
			require.NoError(t, err)
			want := 0
			for text[want] == other[want] {
				want++
			}
			var e *wire.Error
			require.ErrorAs(t, wire.Unmarshal(c, text, new([]row)), &e)
			require.Equal(t, wire.CodeTypeMismatch, e.Code)
			if e.Line == 0 || e.Offset != want {
				t.Fatalf("%s: %d is wanted: %v\n%s\n%q", format, want, e, e.Excerpt(), text)
			}
			placed[format]++
		}
	}
	require.Len(t, placed, 8)
}

// TestStreamTypeErrorPosition: the same in a stream, with the record.
func TestStreamTypeErrorPosition(t *testing.T) {
	text := "{\"id\":1}\n\n{\"id\":2,\"name\":\"é\",\"at\":[1,\"x\"]}\n"
	type row struct {
		ID int   `json:"id"`
		At []int `json:"at"`
	}
	var e *wire.Error
	for _, err := range wire.NewDecoder[row](jsonl.Codec{}, strings.NewReader(text)).All() {
		if err != nil {
			require.ErrorAs(t, err, &e)
		}
	}
	require.NotNil(t, e)
	require.Equal(t, "/1/at/1", e.Path())
	require.Equal(t, []int{3, 28, strings.Index(text, `"x"`)}, []int{e.Line, e.Column, e.Offset})
	require.Contains(t, e.Excerpt(), `"x"`)
}

// TestPositionOfTypeErrorsAtAnyPlace: also of the last of many rows.
func TestPositionOfTypeErrorsAtAnyPlace(t *testing.T) {
	const n = 2000
	for _, format := range []string{"json", "yaml", "csv", "gcf", "gcx", "glyph", "toon", "md", "jsonl"} {
		c, err := wirekit.Lookup(format)
		require.NoError(t, err)
		rows := make([]map[string]any, n)
		for i := range rows {
			rows[i] = map[string]any{"id": i, "name": fmt.Sprint("n", i)}
		}
		rows[n-1]["id"] = "wrong"
		text, err := wire.Marshal(c, rows)
		require.NoError(t, err)
		_, err = wire.DecodeAs[[]struct{ ID int }](c, text)
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, fmt.Sprintf("/%d/id", n-1), e.Path(), format)
		require.Contains(t, string(text[e.Offset:min(len(text), e.Offset+7)]), "wrong", format)
	}
}

// TestUntypedTexts: the texts of CSV, YAML and GCX do not tell a string from a number, so
// a string takes both by their spelling, by every way.
func TestUntypedTexts(t *testing.T) {
	type row struct {
		Zip     string
		Version string
		OK      string
		At      time.Time
		P       *string
		M       map[string]string
		L       []string
	}
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	ten := "10"
	want := row{Zip: "10115", Version: "1.10", OK: "true", At: day, P: &ten}
	for format, text := range map[string]string{
		"csv":  "zip,version,ok,at,p\n10115,1.10,true,2026-01-02,10\n",
		"yaml": "- zip: 10115\n  version: 1.10\n  ok: true\n  at: 2026-01-02\n  p: 10\n",
		"gcx":  "GCX1 tool=t fields=zip,version,ok,at,p rows=1\n10115\t1.10\ttrue\t2026-01-02\t10\n",
	} {
		c, err := wirekit.Lookup(format)
		require.NoError(t, err)
		var direct []row
		require.NoError(t, wire.Unmarshal(c, []byte(text), &direct), format)
		require.Equal(t, []row{want}, direct, format)
		filled := []row{{Zip: "x"}} // not by the direct path
		require.NoError(t, wire.Unmarshal(c, []byte(text), &filled), format)
		require.Equal(t, []row{want}, filled, format)
		if own, ok := c.(interface {
			Unmarshal([]byte, any) error
		}); ok {
			var rows []row
			require.NoError(t, own.Unmarshal([]byte(text), &rows), format)
			require.Equal(t, []row{want}, rows, format)
		}
		texts, err := wire.DecodeAs[[]map[string]string](c, []byte(text))
		require.NoError(t, err, format)
		require.Equal(t, "10115", texts[0]["zip"], format)
		if s, ok := c.(wire.Streamer); ok && format != "yaml" {
			for got, err := range wire.NewDecoder[row](s, strings.NewReader(text)).All() {
				require.NoError(t, err, format)
				require.Equal(t, want, got, format)
			}
		}
	}
	// What JSON spells in another way is not the text's spelling, and types that the text
	// has are not given up.
	for format, text := range map[string]string{
		"yaml": "zip: 0x1F\n", "json": `{"zip":10115}`, "toon": "zip: 10115", "gcf": "GCF profile=generic\nzip=10115\n",
	} {
		c, err := wirekit.Lookup(format)
		require.NoError(t, err)
		_, err = wire.DecodeAs[row](c, []byte(text))
		require.ErrorIs(t, err, wire.ErrType, format)
	}
	for _, text := range []string{"zip: True", "zip: +1", "zip: .5", "zip: 0o17"} {
		c, _ := wirekit.Lookup("yaml")
		_, err := wire.DecodeAs[row](c, []byte(text))
		require.ErrorIs(t, err, wire.ErrType, text)
	}
	_, err := wire.DecodeAs[row](wire.JSON{}, []byte(`{"at":"2026-01-02"}`))
	require.ErrorIs(t, err, wire.ErrType, "a date is a time only where the text has no types")
}
