package goon_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/goon/response"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// D1: every document comes back, typed and as a value.
func TestDecodeDocuments(t *testing.T) {
	for _, c := range documents {
		t.Run(c.name, func(t *testing.T) {
			r, err := goon.Codec{}.DecodeResponse([]byte(c.goon))
			require.NoError(t, err)
			again, err := goon.Codec{}.AppendResponse(nil, r)
			require.NoError(t, err)
			require.Equal(t, c.goon, string(again))

			v := codectest.Decoded(t, goon.Codec{}, c.goon)
			again = codectest.Encoded(t, goon.Codec{}, v)
			require.Equal(t, c.goon, string(again))

			parsed := codectest.JSON(t, wire.AppendJSON(nil, v))
			again = codectest.Encoded(t, goon.Codec{}, parsed)
			require.Equal(t, c.goon, string(again))
		})
	}
}

func document(nodes string) string {
	n := strings.Count(nodes, "\n")
	return lines("@header", "query_type:search", "goon_version:1.0.0", "nodes:"+string(rune('0'+n)), "edges:0", "@nodes", "N("+string(rune('0'+n))+"):") + nodes + "@edges\n"
}

// D2 and the rest of the properties: bytes are kept.
func TestDecodeProperties(t *testing.T) {
	all := append([]vector{
		{name: "D2 numbers and what looks like them", goon: "a=007 b=1.0 c=1e5 d=+5 e=-0 f=123456789012345678901234567890 g=18446744073709551615 h=0.1 i=-5 j=1.10 k=00.5 l=-"},
		{name: "D3 cut text", goon: `title="` + strings.Repeat("long ", 39) + `lo..." title_len=2308`},
		{name: "cut text without a name", goon: `""=x... _len=1500 Group=1`},
		{name: "cut text beside a property", goon: "foo=x... foo_len=1500 foo_len=7"},
		{name: "cut text beside a large property", goon: "foo=x... foo_len=1500 foo_len=5000"},
		{name: "escapes in a line that is read twice", goon: `a="x\ny\"z" b="\\\\" foo="\t..." foo_len=1500 foo_len=7`},
		{name: "cut text with a property between", goon: "foo=x... foo_len=1500 foo_a=1 foo_len=7"},
	}, properties...)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			text := document(strings.TrimSuffix("1 "+c.goon, " ") + "\n")
			r, err := goon.Codec{}.DecodeResponse([]byte(text))
			require.NoError(t, err)
			again, err := goon.Codec{}.AppendResponse(nil, r)
			require.NoError(t, err)
			// What the encoder quoted for a control character that it dropped
			// is bare the second time.
			want := strings.ReplaceAll(strings.ReplaceAll(text, `="ab"`, "=ab"), ` a=""`, "")
			require.Equal(t, want, string(again))
		})
	}
}

func TestDecodeKinds(t *testing.T) {
	v := codectest.Decoded(t, goon.Codec{}, document("42 a=true b=false c=null d=7 e=-9223372036854775808 f=0.5 g=007 h=\"7\" i=\"x \\\"y\\\"\\n\\\\\" j=\"true\"\n"))
	require.Equal(t, `{"query_type":"search","nodes":[{"type":"N","id":"42","a":true,"b":false,"c":null,"d":7,"e":-9223372036854775808,"f":0.5,"g":"007","h":"7","i":"x \"y\"\n\\","j":"true"}],"edges":[]}`, v.String())
}

// Texts lose their escapes in place, eight bytes at a time, whatever is where.
func TestDecodeEscapesAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{"\"", "\\", "\n", "\u2028", "a", "é", "–", "bcdefgh", "0123456789"}
	var b response.Builder
	var texts []string
	for id := range 2000 {
		var members []wire.Member
		for _, name := range []string{"a", "b", "c"} {
			var text strings.Builder
			for range rng.IntN(30) {
				text.WriteString(parts[rng.IntN(len(parts))])
			}
			texts = append(texts, text.String())
			members = append(members, wire.Member{Key: name, Value: wire.String(text.String())})
		}
		b.Node("N", int64(id), members...)
	}
	r, err := b.Build()
	require.NoError(t, err)
	encoded, err := goon.Codec{}.AppendResponse(nil, r)
	require.NoError(t, err)
	again, err := goon.Codec{}.DecodeResponse(encoded)
	require.NoError(t, err)
	for i, want := range texts {
		got, _ := again.Nodes[i/3].Get([]string{"a", "b", "c"}[i%3])
		require.Equal(t, want, got.Text())
	}
}

func TestDecodeCut(t *testing.T) { // D3
	text := document("1 username=bob title=\"abc...\" title_len=2308\n2 title=abc... title_len=199\n3 title_len=5 title=abc... title_len=500\n")
	r, err := goon.Codec{}.DecodeResponse([]byte(text))
	require.NoError(t, err)
	n, cut := r.Nodes[0].FullLength("title")
	require.True(t, cut)
	require.EqualValues(t, 2308, n)
	_, cut = r.Nodes[0].FullLength("username")
	require.False(t, cut)
	_, cut = r.Nodes[1].FullLength("title") // a length below the limit is a property
	require.False(t, cut)
	n, cut = r.Nodes[2].FullLength("title")
	require.True(t, cut)
	require.EqualValues(t, 500, n)
	own, ok := r.Nodes[2].Get("title_len")
	require.True(t, ok)
	require.Equal(t, "5", own.Text())
	_, cut = goon.Node{}.FullLength("title")
	require.False(t, cut)
}

func TestDecodeUnknownHeaderField(t *testing.T) { // D4
	text := lines("@header", "query_type:search", "goon_version:1.0.0", "nodes:0", "edges:0", "took_ms:12 or so", "@nodes", "@edges")
	r, err := goon.Codec{}.DecodeResponse([]byte(text))
	require.NoError(t, err)
	require.Equal(t, []goon.Field{{Name: "took_ms", Value: "12 or so"}}, r.Header)
	again, err := goon.Codec{}.AppendResponse(nil, r)
	require.NoError(t, err)
	require.Equal(t, text, string(again))
}

func TestDecodeReference(t *testing.T) { // D5
	r, err := goon.Codec{}.DecodeResponse([]byte(documents[2].goon))
	require.NoError(t, err)
	require.Empty(t, r.Nodes)
	cell, ok := r.Rows[1].Get("u")
	require.True(t, ok)
	n, ok := goon.CellNode(cell)
	require.True(t, ok)
	require.Equal(t, "User", n.Type)
	require.EqualValues(t, 35702613, n.ID)
	username, ok := n.Get("username")
	require.True(t, ok)
	require.Equal(t, "bot_a", username.Text())
}

// A node that is listed for itself stays listed; what only looks like a
// reference stays a text. In every case the bytes come back.
func TestDecodeReferencesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		name, groups, nodes, rows string
		listed                    int
	}{
		{"listed and lifted", `{"name":"u","kind":"node"}`, `{"type":"User","id":"5","a":1}`, `{"u":{"type":"User","id":"5","properties":{"a":2}}}`, 1},
		{"text like a reference", `{"name":"u","kind":"node"}`, `{"type":"User","id":"5"},{"type":"User","id":"6"}`, `{"u":"User:5"}`, 2},
		{"text like a lifted node", `{"name":"u","kind":"node"}`, ``, `{"u":"User:5"},{"u":{"type":"User","id":"5","properties":{}}}`, 0},
		{"no such node", `{"name":"u","kind":"node"}`, ``, `{"u":"User:5"}`, 0},
		{"quoted reference", `{"name":"u","kind":"node"}`, ``, `{"u":{"type":"Work Item","id":"5","properties":{"x":1}}}`, 0},
		{"type with a control character", `{"name":"u","kind":"node"}`, ``, `{"u":{"type":"a\u0001b","id":"5","properties":{}}},{"u":{"type":"B","id":"1","properties":{}}}`, 0},
		{"lifted with a breadcrumb apart", `{"name":"u","kind":"node"}`, ``, `{"u":{"type":"User","id":"5","properties":{"title_len":3,"title":"` + strings.Repeat("x", 300) + `"}}}`, 1},
		{"type like a date", `{"name":"u","kind":"node"}`, ``, `{"u":{"type":"2026-05-08 10:00","id":"11","properties":{}}}`, 0},
		{"column declared twice", `{"name":"u","kind":"node"},{"name":"x","kind":"property"},{"name":"u","kind":"property"}`, ``, `{"u":{"type":"User","id":"5","properties":{}},"x":1}`, 0},
		{"empty row", `{"name":"u","kind":"node"}`, ``, `{},{"u":null},{}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := encode(t, goon.Codec{}, `{"query_type":"aggregation","edges":[],"group_columns":[`+c.groups+`],"nodes":[`+c.nodes+`],"rows":[`+c.rows+`]}`)
			r, err := goon.Codec{}.DecodeResponse([]byte(text))
			require.NoError(t, err)
			require.Len(t, r.Nodes, c.listed)
			again, err := goon.Codec{}.AppendResponse(nil, r)
			require.NoError(t, err)
			require.Equal(t, text, string(again))
		})
	}
}

func TestDecodeLooseColumns(t *testing.T) { // T13: rows of other query types have no declared columns
	text := lines("@header", "query_type:neighbors", "goon_version:1.0.0", "nodes:0", "edges:0", "@nodes", "@edges", "@rows", "a=1 c=2", "b=3 c=4", "b=1 a=2", "")
	r, err := goon.Codec{}.DecodeResponse([]byte(text))
	require.NoError(t, err)
	require.Len(t, r.Rows, 4)
	again, err := goon.Codec{}.AppendResponse(nil, r)
	require.NoError(t, err)
	require.Equal(t, text, string(again))
}

// D6: errors are typed and have a position.
func TestDecodeErrors(t *testing.T) {
	const head = "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n"
	node := func(line string) string { return head + "@nodes\nN(1):\n" + line + "\n@edges\n" }
	edge := func(line string) string {
		return "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:0\nedges:1\n@nodes\n@edges\nX(1):\n" + line + "\n"
	}
	path := func(line string) string {
		return "@header\nquery_type:path_finding\ngoon_version:1.0.0\nnodes:0\nedges:1\n@nodes\n@paths\n" + line + "\n"
	}
	rows := func(header, line string) string {
		return "@header\nquery_type:aggregation\ngoon_version:1.0.0\nnodes:0\nedges:0\nrows:1\n" + header + "@nodes\n@edges\n@rows\n" + line + "\n"
	}
	for _, c := range []struct {
		name, text, code string
		kind             error
		line, column     int
	}{
		{"empty", "", "unexpected_end", wire.ErrTruncated, 1, 1},
		{"text before the header", "Here you are:\n@header\n", "missing_header", wire.ErrSyntax, 1, 1},
		{"JSON", `{"a":1}` + "\n", "missing_header", wire.ErrSyntax, 1, 1},
		{"header alone", "@header\n", "missing_field", wire.ErrSyntax, 2, 1},
		{"sections missing", head, "missing_section", wire.ErrTruncated, 6, 1},
		{"no last line feed", strings.TrimSuffix(node("1"), "\n"), "missing_line_feed", wire.ErrTruncated, 9, 7},
		{"header line without colon", "@header\nquery_type\n", "invalid_field", wire.ErrSyntax, 2, 1},
		{"field twice", head + "nodes:1\n", "duplicate_field", wire.ErrDuplicateKey, 6, 1},
		{"count no number", "@header\nnodes:many\n", "invalid_field", wire.ErrSyntax, 2, 7},
		{"count with a zero", "@header\nnodes:01\n", "invalid_field", wire.ErrSyntax, 2, 7},
		{"has_more", "@header\nhas_more:maybe\n", "invalid_field", wire.ErrSyntax, 2, 10},
		{"version missing", "@header\nquery_type:search\nnodes:0\nedges:0\n@nodes\n@edges\n", "missing_field", wire.ErrSyntax, 5, 1},
		{"unknown section", head + "@hints\n", "unknown_section", wire.ErrSyntax, 6, 1},
		{"section order", head + "@edges\n", "section_order", wire.ErrSyntax, 6, 1},
		{"section twice", head + "@nodes\n@nodes\n", "section_order", wire.ErrSyntax, 7, 1},
		{"paths of a search", head + "@nodes\nN(1):\n1\n@paths\n", "section_order", wire.ErrSyntax, 9, 1},
		{"edges of a path", "@header\nquery_type:path_finding\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\n", "section_order", wire.ErrSyntax, 7, 1},
		{"node count", head + "@nodes\n@edges\n", "count_mismatch", wire.ErrChecksum, 4, 1},
		{"group count", head + "@nodes\nN(2):\n1\n@edges\n", "group_count_mismatch", wire.ErrChecksum, 7, 1},
		{"node outside a group", head + "@nodes\n1 a=1\n", "invalid_group", wire.ErrSyntax, 7, 1},
		{"group without count", head + "@nodes\nN():\n", "invalid_group", wire.ErrSyntax, 7, 3},
		{"group with a raw space", head + "@nodes\nWork Item(1):\n", "invalid_name", wire.ErrSyntax, 7, 1},
		{"id", node("1x a=1"), "invalid_id", wire.ErrSyntax, 8, 1},
		{"id too large", node("9223372036854775808"), "invalid_id", wire.ErrSyntax, 8, 1},
		{"pair without =", node("1 a=1 b"), "invalid_pair", wire.ErrSyntax, 8, 7},
		{"two spaces", node("1  a=1"), "invalid_name", wire.ErrSyntax, 8, 3},
		{"bare value", node("1 a=x,y"), "invalid_value", wire.ErrSyntax, 8, 6},
		{"empty value", node("1 a= b=1"), "invalid_value", wire.ErrSyntax, 8, 5},
		{"key twice", node("1 a=1 a=2"), "duplicate_key", wire.ErrDuplicateKey, 8, 7},
		{"reserved key", node("1 a=1 type=X"), "duplicate_key", wire.ErrDuplicateKey, 8, 7},
		{"unterminated", node(`1 a="x`), "unterminated_quote", wire.ErrSyntax, 8, 7},
		{"unterminated by its escape", node(`1 a="x\"`), "unterminated_quote", wire.ErrSyntax, 8, 9},
		{"escape", node(`1 a="x\y"`), "invalid_escape", wire.ErrSyntax, 8, 7},
		{"escape of a name", node(`1 "a\u12"=1`), "invalid_escape", wire.ErrSyntax, 8, 5},
		{"escape of half a pair", node(`1 "a\ud800"=1`), "invalid_escape", wire.ErrSyntax, 8, 5},
		{"name without an end", node(`1 "a=1`), "unterminated_quote", wire.ErrSyntax, 8, 7},
		{"control character in a name", node("1 \"a\tb\"=1"), "control_character", wire.ErrSyntax, 8, 5},
		{"control character in the header", "@header\nquery_type:a\tb\n", "control_character", wire.ErrSyntax, 2, 13},
		{"text behind a quoted field", "@header\nquery_type:\"a\"b\n", "invalid_field", wire.ErrSyntax, 2, 15},
		{"detail of an unknown kind", rows("group_by:a(b:c)\n", ""), "invalid_descriptor", wire.ErrSyntax, 7, 10},
		{"text behind a quoted type", head + "@nodes\n\"N\"x(1):\n", "invalid_group", wire.ErrSyntax, 7, 4},
		{"text behind quotes", node(`1 a="x"y`), "invalid_pair", wire.ErrSyntax, 8, 8},
		{"control character", node("1 a=\"x\ty\""), "control_character", wire.ErrSyntax, 8, 7},
		{"key with a parenthesis", node("1 a(b=1"), "invalid_name", wire.ErrSyntax, 8, 3},
		{"edge", edge("User:1 -> B:2"), "invalid_name", wire.ErrSyntax, 9, 1},
		{"edge ref", edge("User --> B:2"), "invalid_reference", wire.ErrSyntax, 9, 1},
		{"edge depth", edge("User:1 --> B:2 depth=x"), "invalid_edge", wire.ErrSyntax, 9, 15},
		{"edge count", "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\nX(1):\nA:1 --> B:2\n", "count_mismatch", wire.ErrChecksum, 5, 1},
		{"path", path("A:1 --X--> B:2"), "invalid_path", wire.ErrSyntax, 8, 1},
		{"path number", path("path=x: A:1 --X--> B:2"), "invalid_path", wire.ErrSyntax, 8, 6},
		{"path without a step", path("path=0: A:1"), "invalid_path", wire.ErrSyntax, 8, 1},
		{"path step", path("path=0: A:1 --X-> B:2"), "invalid_path", wire.ErrSyntax, 8, 15},
		{"path order", path("path=1: A:1 --X--> B:2\npath=0: A:1 --X--> B:2"), "path_order", wire.ErrSyntax, 9, 1},
		{"undeclared column", rows("", "n=1"), "undeclared_column", wire.ErrSyntax, 10, 1},
		{"cell order", rows("aggregations:a(count),b(count)\n", "b=1 a=2"), "cell_order", wire.ErrSyntax, 11, 5},
		{"row count", rows("aggregations:a(count)\n", "a=1\na=2"), "count_mismatch", wire.ErrChecksum, 6, 1},
		{"space at a row's end", rows("aggregations:a(count)\n", "a=1 "), "invalid_pair", wire.ErrSyntax, 11, 4},
		{"descriptor", rows("aggregations:a\n", ""), "invalid_descriptor", wire.ErrSyntax, 7, 14},
		{"descriptor's end", rows("group_by:a(node:B),\n", ""), "invalid_descriptor", wire.ErrSyntax, 7, 10},
		{"contradicting rows", "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\n@rows\na=1 b=1\nb=1 a=1\n", "cell_order", wire.ErrSyntax, 11, 1},
		{"not UTF-8", "@header\nquery_type:\xff\n", "invalid_utf8", wire.ErrUTF8, 2, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := goon.Codec{}.Decode([]byte(c.text))
			require.True(t, v.Kind() == wire.KindNull)
			e, ok := err.(*wire.Error)
			require.True(t, ok, "%v", err)
			require.Equal(t, c.code, e.Code, "%v", err)
			require.ErrorIs(t, err, c.kind)
			require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, "%v", err)
			withMark, err := goon.Codec{}.Decode([]byte("\ufeff" + c.text))
			require.True(t, withMark.Kind() == wire.KindNull)
			require.Equal(t, e.Line, err.(*wire.Error).Line)
		})
	}
}

// D7, CRLF and a byte order mark are read in strict mode too.
func TestDecodeOtherLineStyles(t *testing.T) {
	for _, c := range documents {
		if strings.Contains(c.goon, "@rows\n") {
			continue
		}
		want := codectest.Decoded(t, goon.Codec{}, c.goon)
		for name, text := range map[string]string{
			"crlf":  strings.ReplaceAll(c.goon, "\n", "\r\n"),
			"bom":   "\ufeff" + c.goon,
			"blank": strings.ReplaceAll(c.goon, "\n", "\n\n"),
		} {
			got := codectest.Decoded(t, goon.Codec{}, text)
			require.True(t, wire.Identical(want, got), "%s %s", c.name, name)
		}
	}
}

func TestDecodePagination(t *testing.T) { // D8
	head := []string{"@header", "query_type:search", "goon_version:1.0.0", "nodes:0", "edges:0"}
	tail := []string{"@nodes", "@edges"}
	with := func(fields ...string) *goon.Pagination {
		text := lines(append(append(append([]string(nil), head...), fields...), tail...)...)
		r, err := goon.Codec{}.DecodeResponse([]byte(text))
		require.NoError(t, err)
		return r.Pagination
	}
	require.Nil(t, with())
	p := with("has_more:true", "total_rows:18446744073709551615")
	require.True(t, p.HasMore)
	require.Equal(t, goon.Optional[uint64]{Value: 18446744073709551615, Valid: true}, p.TotalRows)
	require.False(t, p.NextCursor.Valid)
	p = with("has_more:true", "truncated:true", "next_cursor:abc==")
	require.True(t, p.Truncated)
	require.False(t, p.TotalRows.Valid)
	require.Equal(t, "abc==", p.NextCursor.Value)
	p = with("has_more:false", "truncated:false")
	require.Equal(t, goon.Pagination{}, *p)
}

// D9 and what else lenient decoding overlooks. Each fault is an error in
// strict decoding.
func TestDecodeLenient(t *testing.T) {
	const head = "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n"
	for _, c := range []struct {
		name, text, want string
		warnings         []string
	}{
		{"D9 header without counts and version", "@header\nquery_type:search\n@nodes\nN(1):\n1 a=1\n@edges\n",
			`{"query_type":"search","nodes":[{"type":"N","id":"1","a":1}],"edges":[]}`, []string{"missing_field", "missing_field", "missing_field"}},
		{"counts", "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:7\nedges:3\n@nodes\nN(9):\n1\n@edges\n",
			`{"query_type":"search","nodes":[{"type":"N","id":"1"}],"edges":[]}`, []string{"group_count_mismatch", "count_mismatch", "count_mismatch"}},
		{"no @paths", "@header\nquery_type:path_finding\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n",
			`{"query_type":"path_finding","nodes":[],"edges":[]}`, []string{"missing_section"}},
		{"unknown section", head + "@nodes\nN(1):\n1\n@hints\nUser -> x\n@edges\n", `{"query_type":"search","nodes":[{"type":"N","id":"1"}],"edges":[]}`, []string{"unknown_section"}},
		{"cut text", head + "@nodes\nN(1):\n1 a=x", `{"query_type":"search","nodes":[{"type":"N","id":"1","a":"x"}],"edges":[]}`, []string{"missing_line_feed", "missing_section"}},
		{"space and indentation", "  \n" + strings.ReplaceAll(head, "\n", " \n") + "@nodes\t\n  N(1):\n    1 a=x\n @edges\n", `{"query_type":"search","nodes":[{"type":"N","id":"1","a":"x"}],"edges":[]}`,
			append([]string{"outer_blank", "blank_line"}, slices.Repeat([]string{"outer_blank"}, 9)...)},
		{"control characters in the header", strings.Replace(head, "search", "sea\x00ch\x7f", 1) + "@nodes\n@edges\n", `{"query_type":"sea\u0000ch` + "\x7f" + `","nodes":[],"edges":[]}`,
			[]string{"control_character", "control_character", "count_mismatch"}},
		{"many blanks leave room", head + "@nodes\nN(1):\n" + strings.Repeat(" \n", 100) + "1\n@edges\n@edges\n", `{"query_type":"search","nodes":[{"type":"N","id":"1"}],"edges":[]}`,
			append(slices.Repeat([]string{"outer_blank"}, 32), "section_order")},
		{"raw space in a type", head + "@nodes\nWork Item(1):\n1\n@edges\n", `{"query_type":"search","nodes":[{"type":"Work Item","id":"1"}],"edges":[]}`, []string{"invalid_name"}},
		{"names that must be quoted", head + "@nodes\n~ser(1):\n1 @k=1\n@edges\n", `{"query_type":"search","nodes":[{"type":"~ser","id":"1","@k":1}],"edges":[]}`, []string{"invalid_name", "invalid_name"}},
		{"control characters", head + "@nodes\nN(1):\n1 \"a\x01\"=\"x\\n\x7f\"\n@edges\n", `{"query_type":"search","nodes":[{"type":"N","id":"1","a\u0001":"x\n` + "\x7f" + `"}],"edges":[]}`, []string{"control_character", "control_character"}},
		{"bare value with spaces", head + "@nodes\nN(1):\n1 at=2026-05-08 22:55:58Z b=x,y\n@edges\n",
			`{"query_type":"search","nodes":[{"type":"N","id":"1","at":"2026-05-08 22:55:58Z","b":"x,y"}],"edges":[]}`, []string{"invalid_value", "invalid_value"}},
		{"key twice", head + "@nodes\nN(1):\n1 a=1 a=2\n@edges\n", `{"query_type":"search","nodes":[{"type":"N","id":"1","a":2}],"edges":[]}`, []string{"duplicate_key"}},
		{"escapes in a line that is read twice", "\ufeff" + head + "@nodes\nN(1):\n  1 a=\"x\\n\\\"y\" b=\"\\u0041\\\"\" b=1\n@edges\n",
			`{"query_type":"search","nodes":[{"type":"N","id":"1","a":"x\n\"y","b":1}],"edges":[]}`, []string{"outer_blank", "duplicate_key"}},
		{"escape", head + "@nodes\nN(1):\n1 a=\"x\\y\"\n@edges\n", `{"query_type":"search","nodes":[{"type":"N","id":"1","a":"x\\y"}],"edges":[]}`, []string{"invalid_escape"}},
		{"rows and blank lines", "@header\nquery_type:aggregation\ngoon_version:1.0.0\nnodes:0\nedges:0\nrows:1\n@nodes\n@edges\n@rows\nn=1\n\n\n",
			`{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"n","function":""}],"rows":[{"n":1}]}`, []string{"undeclared_column", "blank_line"}},
		{"edges of a path", "@header\nquery_type:path_finding\ngoon_version:1.0.0\nnodes:0\nedges:1\n@nodes\n@edges\nX(1):\nA:1 --> B:2\n",
			`{"query_type":"path_finding","nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X"}]}`, []string{"section_order"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := goon.Codec{}.Decode([]byte(c.text))
			if c.name != "no @paths" { // a quirk of servers
				require.Error(t, err)
			}
			_, err = goon.Codec{Strict: true, Lenient: true}.Decode([]byte(c.text))
			codectest.Refused(t, err, wire.CodeInvalidOption, wire.ErrRange)
			doc, err := decodeNoted(goon.Codec{Lenient: true}, []byte(c.text))
			require.NoError(t, err)
			var codes []string
			for _, w := range doc.Warnings {
				codes = append(codes, w.Code)
			}
			require.Equal(t, c.warnings, codes)
			v := codectest.Decoded(t, goon.Codec{Lenient: true}, c.text)
			require.Equal(t, c.want, v.String())
		})
	}
}

// What servers are known to write is read, and each deviation is a warning. Only
// strict decoding refuses it.
func TestDecodeServers(t *testing.T) {
	const head = "@header\nquery_type:%s\ngoon_version:4.0.1\nnodes:%d\nedges:%d\n"
	for _, c := range []struct{ name, text, want, warning string }{
		{"no path, no @paths", fmt.Sprintf(head, "path_finding", 1, 0) + "@nodes\nUser(1):\n1 name=a\n",
			`{"goon_version":"4.0.1","query_type":"path_finding","nodes":[{"type":"User","id":"1","name":"a"}],"edges":[]}`, "missing_section"},
		{"repeated edges counted", fmt.Sprintf(head, "neighbors", 0, 3) + "@nodes\n@edges\nX(1):\nA:1 --> B:2\n",
			`{"goon_version":"4.0.1","query_type":"neighbors","nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X"}]}`, "count_mismatch"},
		{"repeated steps counted", fmt.Sprintf(head, "path_finding", 0, 2) + "@nodes\n@paths\npath=0: A:1 --X--> B:2\n",
			`{"goon_version":"4.0.1","query_type":"path_finding","nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":0,"step":0}]}`, "count_mismatch"},
		{"aggregation without rows", fmt.Sprintf(head, "aggregation", 0, 0) + "aggregations:n(count:u)\n@nodes\n@edges\n",
			`{"goon_version":"4.0.1","query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"n","function":"count","target":"u"}]}`, "missing_section"},
		{"blank in a date", fmt.Sprintf(head, "search", 1, 0) + "@nodes\nN(1):\n1 at=2026-05-08 22:55:58Z closed_at=2026-5-8  1:2:3 body=x\n@edges\n",
			`{"goon_version":"4.0.1","query_type":"search","nodes":[{"type":"N","id":"1","at":"2026-05-08 22:55:58Z","closed_at":"2026-5-8  1:2:3","body":"x"}],"edges":[]}`, "invalid_value"},
		{"blank in a date at the end", fmt.Sprintf(head, "search", 1, 0) + "@nodes\nN(1):\n1 at=2026-05-08 22:55:58+02:00\n@edges\n",
			`{"goon_version":"4.0.1","query_type":"search","nodes":[{"type":"N","id":"1","at":"2026-05-08 22:55:58+02:00"}],"edges":[]}`, "invalid_value"},
		{"empty text", fmt.Sprintf(head, "search", 1, 0) + "@nodes\nN(1):\n1 a=\"\"\n@edges\n",
			`{"goon_version":"4.0.1","query_type":"search","nodes":[{"type":"N","id":"1","a":""}],"edges":[]}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, codec := range []goon.Codec{{}, {Lenient: true}} {
				doc, err := decodeNoted(codec, []byte(c.text))
				require.NoError(t, err)
				require.Equal(t, c.want, string(wire.AppendJSON(nil, doc.Value())))
				if c.warning == "" {
					require.Empty(t, doc.Warnings)
					continue
				}
				require.NotEmpty(t, doc.Warnings)
				var told []*wire.Error
				_, err = wire.Internal.WithWarnings(codec, func(e *wire.Error) { told = append(told, e) }).Decode([]byte(c.text))
				require.NoError(t, err)
				require.Equal(t, doc.Warnings, told)
				for _, w := range doc.Warnings {
					require.Equal(t, c.warning, w.Code)
				}
			}
			_, err := goon.Codec{Strict: true}.Decode([]byte(c.text))
			if c.warning == "" {
				require.NoError(t, err)
				return
			}
			e, ok := err.(*wire.Error)
			require.True(t, ok, "%v", err)
			require.Equal(t, c.warning, e.Code)
			require.Contains(t, e.Hint, "Strict")
		})
	}
	for name, text := range map[string]string{ // the same deviations where something is lost
		"paths counted, no @paths":     fmt.Sprintf(head, "path_finding", 0, 2) + "@nodes\n",
		"fewer edges counted":          fmt.Sprintf(head, "search", 0, 0) + "@nodes\n@edges\nX(1):\nA:1 --> B:2\n",
		"edges of a group missing":     fmt.Sprintf(head, "search", 0, 3) + "@nodes\n@edges\nX(2):\nA:1 --> B:2\n",
		"rows counted, no @rows":       fmt.Sprintf(head, "aggregation", 0, 0) + "rows:0\n@nodes\n@edges\n",
		"rows not counted, but listed": fmt.Sprintf(head, "aggregation", 0, 0) + "aggregations:n(count)\n@nodes\n@edges\n@rows\nn=1\n",
		"a blank in another value":     fmt.Sprintf(head, "search", 1, 0) + "@nodes\nN(1):\n1 a=10-20 x:y\n@edges\n",
	} {
		_, err := goon.Codec{}.Decode([]byte(text))
		require.Error(t, err, name)
		if name != "a blank in another value" {
			require.Contains(t, hint(err), "Lenient", name)
		}
	}
}

// A notedResponse is a response with what its decoder overlooked.
type notedResponse struct {
	*goon.Response
	Warnings []*wire.Error
}

func decodeNoted(c goon.Codec, src []byte) (r notedResponse, err error) {
	c.Warn = func(w *wire.Error) { r.Warnings = append(r.Warnings, w) }
	r.Response, err = c.DecodeResponse(src)
	return r, err
}

func hint(err error) string {
	if e, ok := err.(*wire.Error); ok {
		return e.Hint
	}
	return ""
}

// Whatever is cut off a document is noticed: a strict decoder refuses what is
// left, the default one refuses it or warns of it. (Rows of a response that is
// no aggregation are not counted anywhere: T13.)
func TestDecodePrefixes(t *testing.T) {
	for _, c := range documents {
		if strings.HasPrefix(c.name, "T13") {
			continue
		}
		for n := range len(c.goon) {
			_, err := goon.Codec{Strict: true}.Decode([]byte(c.goon[:n]))
			require.Error(t, err, "%s: %d of %d bytes", c.name, n, len(c.goon))
			doc, err := decodeNoted(goon.Codec{}, []byte(c.goon[:n]))
			require.True(t, err != nil || len(doc.Warnings) > 0, "%s: %d of %d bytes", c.name, n, len(c.goon))
			_, _ = goon.Codec{Lenient: true}.Decode([]byte(c.goon[:n])) // must not panic
		}
	}
}

func TestDecodeLimits(t *testing.T) {
	text := []byte(documents[1].goon)
	for name, limits := range map[string]wire.Limits{
		"input":  {InputBytes: len(text) - 1},
		"line":   {LineBytes: 40},
		"values": {Values: 20},
	} {
		_, err := goon.Codec{Limits: limits}.Decode(text)
		require.ErrorIs(t, err, wire.ErrLimit, name)
		_, err = goon.Codec{Limits: limits, Lenient: true}.Decode(text)
		require.ErrorIs(t, err, wire.ErrLimit, name)
	}
	_, err := goon.Codec{Limits: wire.Limits{InputBytes: len(text), LineBytes: 82, Values: 64}}.Decode(text)
	require.NoError(t, err)
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"@header\nquery_type:x\n": true, "@header\r\n": true, "@header": true, "\ufeff@header\n": true,
		"@headers\n": false, "": false, "{}": false, "@tab _ [a]": false, " @header\n": false,
	} {
		require.Equal(t, want, goon.Codec{}.Sniff([]byte(text)), text)
		require.Equal(t, want, goon.Codec{}.Sniff([]byte(text)), text)
	}
}

func TestDecodeKeepsNoInput(t *testing.T) {
	src := []byte(documents[1].goon)
	v := codectest.Decoded(t, goon.Codec{}, src)
	before := v.String()
	clear(src)
	require.Equal(t, before, v.String())
}
