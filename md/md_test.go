package md

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// vectors are documents in both directions: JSON, and the text that is written for it
// and read again.
var vectors = []struct {
	name  string
	codec Codec
	json  string
	text  string
}{
	{"nothing", Codec{}, `[]`, ""},
	{"scalars", Codec{}, `[{"a":1,"b":-0.50,"c":1e400,"d":true,"e":false,"f":null}]`, "| a | b | c | d | e | f |\n| --- | --- | --- | --- | --- | --- |\n| 1 | -0.50 | 1e400 | true | false | null |\n"},
	{"long numbers", Codec{}, `[{"a":12345678901234567890}]`, "| a |\n| --- |\n| 12345678901234567890 |\n"},
	{"strings like scalars", Codec{}, `[{"a":"1","b":"true","c":"null","d":"","e":"\"x"}]`, "| a | b | c | d | e |\n| --- | --- | --- | --- | --- |\n| \"1\" | \"true\" | \"null\" | \"\" | \"\\\"x\" |\n"},
	{"strings that are not", Codec{}, `[{"a":"007","b":"N/A","c":"1.","d":"-","e":"say \"hi\"","f":"---","g":"*b* <i>"}]`, "| a | b | c | d | e | f | g |\n| --- | --- | --- | --- | --- | --- | --- |\n| 007 | N/A | 1. | - | say \"hi\" | --- | *b* <i> |\n"},
	{"bars", Codec{}, `[{"a":"x|y","b":"|","c":"\\|","d":"\\","e":"\"|"}]`, "| a | b | c | d | e |\n| --- | --- | --- | --- | --- |\n| x\\|y | \\| | \"\\\\\\u007c\" | \\ | \"\\\"\\u007c\" |\n"},
	{"space and lines", Codec{}, `[{"a":" x","b":"x ","c":"two\nlines","d":"\r","e":"a\tb"}]`, "| a | b | c | d | e |\n| --- | --- | --- | --- | --- |\n| \" x\" | \"x \" | \"two\\nlines\" | \"\\r\" | \"a\\tb\" |\n"},
	{"absent members", Codec{}, `[{"a":1,"b":2},{"a":3},{"b":4},{"c":""}]`, "| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | |\n| 3 | | |\n| | 4 | |\n| | | \"\" |\n"},
	{"names", Codec{}, `[{"":1,"1":2,"a|b":3,"c\"d":4,"e\nf":5," g":6,"true":7,"---":8}]`, "| \"\" | 1 | a\\|b | c\"d | \"e\\nf\" | \" g\" | true | --- |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |\n"},
	{"Unicode", Codec{}, `[{"größe":"日本","x":"🙂"}]`, "| größe | x |\n| --- | --- |\n| 日本 | 🙂 |\n"},
	{"no records", Codec{KV: true}, `[]`, ""},
	{"records", Codec{KV: true}, `[{"id":1,"name":"x|y"},{},{"name":"007","id":"7"}]`, "## 1\n\n- id: 1\n- name: x|y\n\n## 2\n\n## 3\n\n- name: 007\n- id: \"7\"\n"},
	{"a record", Codec{KV: true}, `{"a":null,"tags":["x",1.10],"o":{"k":""}}`, "## record\n\n- a: null\n- tags: [\"x\",1.10]\n- o: {\"k\":\"\"}\n"},
	{"an empty record", Codec{KV: true}, `{}`, "## record\n"},
	{"texts in lines", Codec{KV: true}, `{"a":"[x","b":"{","c":"two\nlines","d":"x: y","e":"","f":"\"","g":"- z"}`, "## record\n\n- a: \"[x\"\n- b: \"{\"\n- c: \"two\\nlines\"\n- d: x: y\n- e: \"\"\n- f: \"\\\"\"\n- g: - z\n"},
	{"keys", Codec{KV: true}, `{"":1,"a: b":2,"a:b":3,"a:":4,"- x":5,"# y":6,"1. z":7,"20":8,"é é":9,"\"":10,"a\nb":11}`, "## record\n\n- \"\": 1\n- \"a: b\": 2\n- a:b: 3\n- \"a:\": 4\n- \"- x\": 5\n- \"# y\": 6\n- \"1. z\": 7\n- 20: 8\n- é é: 9\n- \"\\\"\": 10\n- \"a\\nb\": 11\n"},
}

func TestVectors(t *testing.T) {
	for _, c := range vectors {
		t.Run(c.name, func(t *testing.T) {
			v := codectest.JSON(t, c.json)
			text, err := c.codec.AppendEncode([]byte("x"), v)
			require.NoError(t, err)
			require.Equal(t, "x"+c.text, string(text))
			for _, text := range []string{c.text, "\ufeff" + c.text, strings.TrimSuffix(c.text, "\n"), strings.ReplaceAll(c.text, "\n", "\r\n")} {
				got := codectest.Decoded(t, Codec{}, text)
				require.True(t, wire.Identical(v, got), "%q: %v", text, got)
				require.NoError(t, wire.View(c.codec, []byte(text), func(got wire.Value) error {
					require.True(t, wire.Identical(v, got), "%q: %v", text, got)
					return nil
				}))
				codectest.SameAny(t, c.codec, []byte(text))
			}
		})
	}
}

// foreign are texts that the encoder does not write.
var foreign = []struct{ name, text, json string }{
	{"alignment and padding", "|  a |   b|\n|:---|:-: |\n|1   | x y |  \n", `[{"a":1,"b":"x y"}]`},
	{"no outer bars", "a | b\n--- | ---:\n1 | 2\n3 | x |\n", `[{"a":1,"b":2},{"a":3,"b":"x"}]`},
	{"one dash", "|a|b|\n|-|-|\n|1|2|", `[{"a":1,"b":2}]`},
	{"blank lines around", "\n \n| a |\n|---|\n| 1 |\n\n\n", `[{"a":1}]`},
	{"only a header", "| a |\n|---|\n", `[]`},
	{"a bar in quotation marks", "| a |\n|---|\n| \"x\\|y\" |\n", `[{"a":"x|y"}]`},
	{"rows without bars", "| name | n |\n| --- | --- |\nada | 1\nbob | 2", `[{"name":"ada","n":1},{"name":"bob","n":2}]`},
	{"rows without the last bar", "| a | b |\n|---|---|\n| 1 | 2\n| 3 | x \n| 4 | 5 |\n| 6 | 7", `[{"a":1,"b":2},{"a":3,"b":"x"},{"a":4,"b":5},{"a":6,"b":7}]`},
	{"rows without the first bar", "| a | b |\n|---|---|\n1 | 2 |\n", `[{"a":1,"b":2}]`},
	{"a header without bars", "a | b\n-|-\n| 1 | 2 |\n| 3 | \"x\" |", `[{"a":1,"b":2},{"a":3,"b":"x"}]`},
	{"names without the last bar", "| a | b\n|---|---\n| 1 | 2\n| | 3", `[{"a":1,"b":2},{"b":3}]`},
	{"one column without bars", "| a |\n|---|\nSo.\n| 1\n", `[{"a":"So."},{"a":1}]`},
	{"no name", "| | b |\n|---|---|\n| r | 2 |\n", `[{"":"r","b":2}]`},
	{"no last name", "|a||\n|-|-|\n|1|2|\n", `[{"a":1,"":2}]`},
	{"quotation marks", "| \"a\" b | \" | c\" |\n|-|-|-|\n| \"x\" and \"y\" | \"5 inch | \"\\q\" |\n| \"x\\|\" y | \"a\\\" | \"ok\" |\n| \"\t\" | \"\\ud800\" | \"\"\" |\n", `[{"\"a\" b":"\"x\" and \"y\"","\"":"\"5 inch","c\"":"\"\\q\""},{"\"a\" b":"\"x|\" y","\"":"\"a\\\"","c\"":"ok"},{"\"a\" b":"\"\t\"","\"":"\"\\ud800\"","c\"":"\"\"\""}]`},
	{"quotation marks in records", "## record\n- a: \"x\" and \"y\"\n- b: \"5 inch\n- c: \"ok\"\n", `{"a":"\"x\" and \"y\"","b":"\"5 inch","c":"ok"}`},
	{"records without blank lines", "## 1\n- a: 1\n-  b:   2 \n## 2\n- a: 3\n", `[{"a":1,"b":2},{"a":3}]`},
}

func TestForeign(t *testing.T) {
	for _, c := range foreign {
		t.Run(c.name, func(t *testing.T) {
			got := codectest.Decoded(t, Codec{}, c.text)
			require.Equal(t, c.json, string(wire.AppendJSON(nil, got)))
		})
	}
}

var malformed = []struct {
	name, text, code string
	kind             error
	line, column     int
	path             string
}{
	{"too few cells", "| a | b | c |\n|-|-|-|\n| 1 | 2 |\n| 1 | 2 | 3 |\n", "row_width_mismatch", wire.ErrSyntax, 3, 10, "/0"},
	{"too many cells", "| a | b |\n|-|-|\n| 1 | 2 | 3 |\n", "row_width_mismatch", wire.ErrSyntax, 3, 11, "/0"},
	{"cut in a cell", "| a | b |\n|-|-|\n| 1 | ab", "row_width_mismatch", wire.ErrTruncated, 3, 9, "/0"},
	{"cut between cells", "| a | b |\n|-|-|\n| 1 |", "row_width_mismatch", wire.ErrTruncated, 3, 6, "/0"},
	{"an empty row", "| a |\n|-|\n| |\n", "empty_row", wire.ErrSyntax, 3, 1, "/0"},
	{"a name twice", "| a | a |\n|-|-|\n| 1 | 2 |\n", "duplicate_field_name", wire.ErrDuplicateKey, 1, 7, ""},
	{"no names", "| | |\n|-|-|\n", "duplicate_field_name", wire.ErrDuplicateKey, 1, 5, ""},
	{"no delimiter row", "| a |\n| 1 |\n", "no_delimiter_row", wire.ErrSyntax, 2, 3, ""},
	{"a delimiter row too short", "| a | b |\n|-|\n", "no_delimiter_row", wire.ErrSyntax, 2, 1, ""},
	{"prose", "a word\n---\n", "no_delimiter_row", wire.ErrSyntax, 2, 1, ""},
	{"text after it", "| a |\n|-|\n| 1 |\n\nSo.\n", "text_after_table", wire.ErrSyntax, 5, 1, "/1"},
	{"text in it", "| a | b |\n|-|-|\n| 1 | 2 |\nSo.\n", "no_row", wire.ErrSyntax, 4, 1, "/1"},
	{"a heading in it", "| a |\n|-|\n| 1 |\n# So\n", "no_row", wire.ErrSyntax, 4, 1, "/1"},
	{"a list in it", "| a | b |\n|-|-|\n- x | y\n", "no_row", wire.ErrSyntax, 3, 1, "/0"},
	{"cut before the last bar", "| a | b |\n|-|-|\n| 1 | 2 |\n| 1 | 2", "row_width_mismatch", wire.ErrTruncated, 4, 8, "/1"},
	{"cut in a string", "a | b\n-|-\n1 | \"x", "unterminated_quote", wire.ErrTruncated, 3, 7, "/0/b"},
	{"cut in a string of a record", "## record\n- a: \"x", "unterminated_quote", wire.ErrTruncated, 2, 8, "/a"},
	{"a control character after a string", "## record\n- a: \"x\" \x01\n", "misplaced_character", wire.ErrSyntax, 2, 10, "/a"},
	{"a lone CR", "| a |\n|-|\n| x\ry |\n", "misplaced_character", wire.ErrSyntax, 3, 4, "/0"},
	{"invalid UTF-8", "| a |\n|-|\n| \xff |\n", "invalid_utf8", wire.ErrUTF8, 3, 3, ""},
	{"a record left out", "## 1\n\n- a: 1\n\n## 3\n\n- a: 1\n", "wrong_heading", wire.ErrSyntax, 5, 1, "/1"},
	{"no colon", "## 1\n\n- a\n", "no_key", wire.ErrSyntax, 3, 3, "/0"},
	{"no value", "## 1\n\n- a: \n", "no_key", wire.ErrSyntax, 3, 3, "/0"},
	{"a key twice", "## record\n- a: 1\n- a: 2\n", "duplicate_key", wire.ErrDuplicateKey, 3, 3, ""},
	{"no JSON", "## record\n- a: [1,]\n", "unexpected_character", wire.ErrSyntax, 2, 9, "/a/1"},
	{"text after a record", "## record\n- a: 1\nSo.\n", "text_after_record", wire.ErrSyntax, 3, 1, ""},
}

func TestMalformed(t *testing.T) {
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			v, err := Codec{}.Decode([]byte(c.text))
			require.True(t, v.Kind() == wire.KindNull)
			e := codectest.Refused(t, err, c.code, nil)
			require.ErrorIs(t, err, c.kind)
			require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, e)
			require.Equal(t, c.path, e.Path())
		})
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		codec Codec
		json  string
		code  string
		kind  error
		path  string
	}{
		{"an object", Codec{}, `{"a":1}`, "not_a_table", wire.ErrShape, ""},
		{"scalars", Codec{}, `[1]`, "not_a_row", wire.ErrShape, "/0"},
		{"an empty row", Codec{}, `[{"a":1},{}]`, "empty_row", wire.ErrShape, "/1"},
		{"nested", Codec{}, `[{"a":1},{"a":[]}]`, "nested_cell", wire.ErrShape, "/1/a"},
		{"a scalar", Codec{KV: true}, `1`, "not_a_record", wire.ErrShape, ""},
		{"a list of lists", Codec{KV: true}, `[{},[]]`, "not_a_record", wire.ErrShape, "/1"},
		{"too deep", Codec{KV: true, Limits: wire.Limits{Depth: 2}}, `[{"a":[]}]`, "too_deep", wire.ErrLimit, "/0/a"},
		{"too long", Codec{Limits: wire.Limits{OutputBytes: 20}}, `[{"a":"0123456789"}]`, "output_too_long", wire.ErrLimit, "/0/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := c.codec.AppendEncode([]byte("x"), codectest.JSON(t, c.json))
			require.Equal(t, "x", string(out))
			require.ErrorIs(t, err, c.kind)
			require.Equal(t, c.path, codectest.Refused(t, err, c.code, nil).Path())
		})
	}
}

func TestLimits(t *testing.T) {
	for _, text := range []string{"| a | b |\n|-|-|\n| 1 | 2 |\n| 3 | 4 |\n", "## 1\n\n- a: [1,2]\n- b: 3\n"} {
		for _, l := range []wire.Limits{{InputBytes: 5}, {Values: 5}, {LineBytes: 4}} {
			_, err := Codec{Limits: l}.Decode([]byte(text))
			require.ErrorIs(t, err, wire.ErrLimit, l)
			require.ErrorContains(t, err, "Limits.")
		}
		_, err := Codec{Limits: wire.Limits{Values: 6}}.Decode([]byte(text))
		require.NoError(t, err)
	}
}

// TestSniff: a table with text around it may be prose, and is not claimed.
func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"| a |\n|---|\n| 1 |\n":               true,
		"\ufeff\n| a | b |\r\n|---|:-:|\r\n":  true,
		"| a |\n|---|\n| 1 |\n\n":             true,
		"## 1\n\n- a: 1\n\n## 2\n":            true,
		"## record\n\n- a: 1\n":               true,
		"| a |\n|---|\n| 1 |\n\nSo.\n":        false,
		"See:\n\n| a |\n|---|\n":              false,
		"| a | b |\n|---|\n":                  false,
		"| a |\n":                             false,
		"a | b\n--- | ---\n":                  false,
		"## 1\n\nThe first.\n":                false,
		"## Heading\n\n- a: 1\n":              false,
		"- a: 1\n":                            false,
		"|a\n":                                false,
		"":                                    false,
		"@tab _ rows=1 cols=1 [a]\n|1|\n@end": false,
	} {
		require.Equal(t, want, Codec{}.Sniff([]byte(text)), "%q", text)
	}
}

func TestOtherParser(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range vectors {
		if v := codectest.JSON(t, c.json); v.Len() > 0 && !c.codec.KV {
			requireRendered(t, v)
		} else if v.Len() > 0 && v.Kind() == wire.KindObject {
			require.Equal(t, []int{v.Len()}, itemsOf(t, []byte(c.text)))
		}
	}
	tables, lists := 0, 0
	check := func(v wire.Value) {
		if _, err := (Codec{}).AppendEncode(nil, v); err == nil && v.Len() > 0 {
			tables++
			requireRendered(t, v)
		}
		if src, err := (Codec{KV: true}).AppendEncode(nil, v); err == nil && v.Kind() == wire.KindArray {
			lists++
			items := itemsOf(t, src)
			require.Len(t, items, v.Len())
			for i, n := range items {
				require.Equal(t, v.Index(i).Len(), n, "%s", src)
			}
		}
	}
	for _, corpus := range conformance.Corpora() {
		for _, v := range corpus.Cases {
			if v.Len() < 200 {
				check(v)
			}
		}
	}
	for _, p := range payload.All() {
		check(p.Value)
	}
	r := rand.New(rand.NewPCG(33, 1))
	pieces := []string{"", "a", "|", "\\", "\"", "`", " ", "-", ":", "\n", "\t", "1", "null", "#", "*", "<", "é", "&amp;", "[x](y)", "\x7f"}
	name := func() string {
		s := ""
		for range r.IntN(5) {
			s += pieces[r.IntN(len(pieces))]
		}
		return s
	}
	for range 2000 {
		var members []wire.Member
		for range 1 + r.IntN(4) {
			members = append(members, wire.Member{Key: name(), Value: wire.String(name())})
		}
		if row, err := wire.Object(members...); err == nil {
			check(wire.Array(row, row))
		}
	}
	require.Greater(t, tables, 1000)
	require.Greater(t, lists, 1000)
}

// cellsOf returns the cells of the only table of a document, as goldmark finds them
// between the bars.
func cellsOf(t testing.TB, src []byte) [][]string {
	t.Helper()
	document := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(src))
	var table ast.Node
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == tables.KindTable {
			require.Nil(t, table, "%s", src)
			table = n
		} else {
			require.Zero(t, n.Lines().Len(), "%s beside the table\n%s", n.Kind(), src)
		}
	}
	require.NotNil(t, table, "%s", src)
	var rows [][]string
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, string(c.Lines().Value(src)))
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestOtherProducers: tables as other programs and people write them have the cells that
// another parser finds.
func TestOtherProducers(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 9))
	pieces := []string{"a", "b c", "1", "-5", "007", "\"", "\\|", "\\", "\\n", "'", "`", "*x*", "<b>", "é", "日", ":", "--", "&amp;", "[x](y)", "true", "#", ">", "\\\\"}
	blank := func() string { return strings.Repeat(" ", r.IntN(3)) }
	text := func(least int) (s string) {
		for range least + r.IntN(4) {
			s += pieces[r.IntN(len(pieces))] + blank()
		}
		if strings.HasSuffix(s, "\\") {
			s += " " // or the next bar is a part of the cell
		}
		return s
	}
	// A row with bars around it as they are called for.
	line := func(cells []string, first, last bool) string {
		s := blank() + strings.Join(cells, blank()+"|"+blank())
		if first {
			s = blank() + "|" + s
		}
		if last || strings.HasSuffix(strings.TrimSpace(s), `\|`) { // which goldmark takes for the last bar
			s += blank() + "|" + blank()
		}
		return s + []string{"\n", "\r\n"}[r.IntN(2)]
	}
	read := 0
	for range trials.Of(5000) {
		width := 1 + r.IntN(4)
		bars := width == 1 || r.IntN(2) == 0
		names, dashes := make([]string, width), make([]string, width)
		for i := range names {
			names[i], dashes[i] = fmt.Sprint("n", i, text(0)), []string{"--", ":-", "---:", ":-:"}[r.IntN(4)]
		}
		src := line(names, bars, bars || r.IntN(2) == 0) + line(dashes, bars, bars || r.IntN(2) == 0)
		for range r.IntN(4) {
			cells := make([]string, width)
			for i := range cells {
				cells[i] = text(min(1, width-1-i) * r.IntN(2))
			}
			first := r.IntN(2) == 0
			cells[0] = []string{"x", "\"", "7"}[r.IntN(3)] + text(0)
			src += line(cells, first, r.IntN(2) == 0 || strings.TrimSpace(cells[width-1]) == "")
		}
		rows := cellsOf(t, []byte(src))
		var want []wire.Value
		var d decoder
		d.End = len(src) // after each cell is more
		for _, cells := range rows[1:] {
			var members []wire.Member
			for i, raw := range cells {
				if raw != "" {
					v, err := d.value(cell{raw: strings.ReplaceAll(raw, `\|`, "|")})
					require.NoError(t, err)
					members = append(members, wire.Member{Key: strings.ReplaceAll(rows[0][i], `\|`, "|"), Value: v})
				}
			}
			row, err := wire.Object(members...)
			require.NoError(t, err)
			want = append(want, row)
		}
		got, err := Codec{}.Decode([]byte(src))
		require.NoError(t, err, "%s", src)
		require.True(t, wire.Identical(wire.Array(want...), got), "%s\nis %v, not %v", src, got, want)
		read += len(want)
	}
	require.Greater(t, read, 100)
}

// requireRendered holds that another parser sees the table of v: a row for each element
// and a cell for each name, with the texts that the decoder takes for its values.
func requireRendered(t testing.TB, v wire.Value) {
	t.Helper()
	src := codectest.Encoded(t, Codec{}, v)
	rows := cellsOf(t, src)
	require.Len(t, rows, v.Len()+1, "%s", src)
	var d decoder
	var names []string
	for _, raw := range rows[0] {
		name, err := d.unquoted(cell{raw: strings.ReplaceAll(raw, `\|`, "|")})
		require.NoError(t, err)
		names = append(names, name)
	}
	for i, cells := range rows[1:] {
		require.Len(t, cells, len(names), "%s", src)
		for column, raw := range cells {
			want, there := v.Index(i).Get(names[column])
			require.Equal(t, there, raw != "", "%s", src)
			if there {
				got, err := d.value(cell{raw: strings.ReplaceAll(raw, `\|`, "|")})
				require.NoError(t, err)
				require.True(t, wire.Internal.EqualAsJSON(want, got), "%s\n%q is %v, not %v", src, raw, got, want)
			}
		}
	}
}

// itemsOf returns how many items the list after each heading has, as goldmark sees it.
func itemsOf(t testing.TB, src []byte) (items []int) {
	t.Helper()
	document := goldmark.DefaultParser().Parse(text.NewReader(src))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		switch n.Kind() {
		case ast.KindHeading:
			items = append(items, 0)
		case ast.KindList:
			items[len(items)-1] += n.ChildCount()
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				require.Equal(t, 1, item.ChildCount(), "%s", src)
				require.Equal(t, ast.KindTextBlock, item.FirstChild().Kind(), "%s", src)
			}
		default:
			require.Fail(t, "another block", "%s\n%s", n.Kind(), src)
		}
	}
	return items
}

func TestConformance(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range []Codec{{}, {KV: true}} {
		conformance.Suite{
			Codec:      c,
			WithLimits: func(l wire.Limits) wire.Codec { return wire.WithLimits(c, l) },
			Documents:  [][]byte{[]byte("a | b\n--- | ---:\n1 | 2\n"), []byte("\n|a|\n|-|\r\n|\"x\\|\"|\n\n"), []byte("## 1\n- a: [1,{\"b\":2}]\n- c: x\n")},
		}.Run(t)
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range vectors {
		f.Add([]byte(c.text))
	}
	for _, c := range foreign {
		f.Add([]byte(c.text))
	}
	for _, c := range malformed {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, c := range []Codec{{}, {KV: true}} {
			require.NoError(t, conformance.CheckBytes(c, src))
		}
		if v, err := (Codec{}).Decode(src); err == nil && v.Kind() == wire.KindArray && v.Len() > 0 {
			if _, err := (Codec{}).AppendEncode(nil, v); err == nil {
				requireRendered(t, v)
			}
		}
	})
}

func BenchmarkCodec(b *testing.B) {
	for name, doc := range map[string][]byte{"rows": sample.Rows(2000)} {
		v := codectest.JSON(b, doc)
		for _, c := range []wire.Codec{Codec{}, Codec{KV: true}, csv.Codec{}} {
			text := codectest.Encoded(b, c, v)
			var buf []byte
			full := c.Info().FullName() + "/" + name
			codectest.Measure(b, full+"/encode", len(doc), func() (err error) {
				buf, err = c.AppendEncode(buf[:0], v)
				return err
			})
			codectest.Measure(b, full+"/decode", len(doc), func() error { return codectest.Err(c.Decode(text)) })
		}
	}
}

// TestStream: records are read one by one as the whole document is, with the same errors,
// however few bytes the reader gives.
func TestStream(t *testing.T) {
	texts := []string{"\n\n", "## 1\n- a: 1\n\n## 2\n\n## 3\n\n- a: [1,\n", "\ufeff\r\n| a |\r\n|-|\r\n\r\n", "| a |\n|-|\n| 1 |\n\n\n| 2 |\n", "| a |\n", "#"}
	for _, c := range vectors {
		texts = append(texts, c.text)
	}
	for _, c := range foreign {
		texts = append(texts, c.text)
	}
	for _, c := range malformed {
		texts = append(texts, c.text)
	}
	for _, text := range texts {
		if strings.Contains(text, "## record") {
			_, err := codectest.Collect(t, Codec{}.Records(strings.NewReader(text)))
			codectest.Refused(t, err, "wrong_heading", wire.ErrSyntax)
			continue
		}
		want, wantErr := Codec{}.Decode([]byte(text))
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			records, err := codectest.Collect(t, Codec{}.Records(r))
			if wantErr == nil {
				require.NoError(t, err, "%q", text)
				require.True(t, wire.Identical(want, wire.Array(records...)), "%q: %v", text, records)
				continue
			}
			w, got := codectest.Error(t, wantErr), codectest.Error(t, err)
			require.Equal(t, [5]any{w.Code, w.Line, w.Column, w.Offset, w.Kind}, [5]any{got.Code, got.Line, got.Column, got.Offset, got.Kind}, "%q: %v", text, err)
			if w.Kind != wire.ErrUTF8 {
				require.Equal(t, w.Path(), got.Path(), "%q", text)
			}
		}
	}
}

func TestStreamLimits(t *testing.T) {
	for _, c := range []struct {
		text   string
		limits wire.Limits
	}{
		{"| a |\n|-|\n| 123456 |\n", wire.Limits{LineBytes: 8}},
		{"## 1\n- a: 123456\n", wire.Limits{LineBytes: 8}},
		{"## 1\n" + strings.Repeat("\n", 100<<10) + "- a: 1\n", wire.Limits{InputBytes: 66 << 10}},
		{"## 1\n- a: [1,2,3]\n", wire.Limits{Values: 4}},
		{"| a |\n|-|\n| 1 |\n", wire.Limits{Values: 1}},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			_, err := codectest.Collect(t, Codec{Limits: c.limits}.Records(r))
			require.ErrorIs(t, err, wire.ErrLimit, "%q", c.text)
		}
	}
	var text strings.Builder // limits are for one record
	for i := range 100 {
		fmt.Fprintf(&text, "## %d\n- a: 1\n", i+1)
	}
	for _, r := range []io.Reader{strings.NewReader(text.String()), iotest.OneByteReader(strings.NewReader(text.String()))} {
		require.Len(t, codectest.All(t, Codec{Limits: wire.Limits{InputBytes: 64, Values: 4}}.Records(r)), 100)
	}
}

// TestEncodeAllocates: encoding into a buffer that is long enough allocates nothing.
func TestEncodeAllocates(t *testing.T) { codectest.NoGarbage(t, Codec{}) }
