package goon_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// A vector is a response in JSON and its GOON text.
type vector struct {
	name string
	json string
	goon string
}

// lines joins lines as the format does: each one ends with a line feed.
func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// documents are whole responses, for every query type.
var documents = []vector{
	{
		"T1 search", `{"format_version":"2.0.0","query_type":"traversal","nodes":[{"type":"MergeRequest","id":"482821625","iid":247,"state":"opened",
			"title":"Add per-activity reduction policy overrides","created_at":"2026-05-08 14:47:05.123456"}],"edges":[]}`,
		lines("@header", "query_type:traversal", "goon_version:1.0.0", "nodes:1", "edges:0", "@nodes", "MergeRequest(1):",
			`482821625 iid=247 state=opened created_at=2026-05-08T14:47:05.123456 title="Add per-activity reduction policy overrides"`, "@edges"),
	},
	{
		"T2 traversal", `{"format_version":"2.0.0","query_type":"traversal","nodes":[
			{"type":"User","id":"5252563","username":"jordan_ng","name":"Jordan NG"},
			{"type":"MergeRequest","id":"482927048","iid":18,"state":"merged","title":"chore: move skill to project scope"},
			{"type":"Project","id":"80212187","name":"webapp-scaffold","full_path":"gitlab-com/cx-engineering/webapp-scaffold"}],"edges":[
			{"from":"User","from_id":"5252563","to":"MergeRequest","to_id":"482927048","type":"AUTHORED"},
			{"from":"MergeRequest","from_id":"482927048","to":"Project","to_id":"80212187","type":"IN_PROJECT"}]}`,
		lines("@header", "query_type:traversal", "goon_version:1.0.0", "nodes:3", "edges:2", "@nodes",
			"MergeRequest(1):", `482927048 iid=18 state=merged title="chore: move skill to project scope"`,
			"Project(1):", "80212187 full_path=gitlab-com/cx-engineering/webapp-scaffold name=webapp-scaffold",
			"User(1):", `5252563 name="Jordan NG" username=jordan_ng`,
			"@edges", "AUTHORED(1):", "User:5252563 --> MergeRequest:482927048", "IN_PROJECT(1):", "MergeRequest:482927048 --> Project:80212187"),
	},
	{
		"T3 rows by node", `{"format_version":"2.0.0","query_type":"aggregation","nodes":[],"edges":[],
			"columns":[{"name":"merged_count","function":"count","target":"u"}],
			"group_columns":[{"name":"u","kind":"node","node":"u","entity":"User"}],
			"rows":[{"u":{"type":"User","id":"1243277","properties":{"username":"ghost1"}},"merged_count":65555},
			{"u":{"type":"User","id":"35702613","properties":{"username":"bot_a"}},"merged_count":21277},
			{"u":{"type":"User","id":"26832240","properties":{"username":"bot_b"}},"merged_count":20289}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:3", "edges:0", "rows:3", "group_by:u(node:User)",
			"aggregations:merged_count(count:u)", "@nodes", "User(3):", "1243277 username=ghost1", "35702613 username=bot_a",
			"26832240 username=bot_b", "@edges", "@rows", "u=User:1243277 merged_count=65555", "u=User:35702613 merged_count=21277",
			"u=User:26832240 merged_count=20289"),
	},
	{
		"T4 rows by property", `{"format_version":"2.0.0","query_type":"aggregation","nodes":[],"edges":[],
			"columns":[{"name":"vulnerability_count","function":"count","target":"v"}],
			"group_columns":[{"name":"severity","kind":"property","node":"v","property":"severity"}],
			"rows":[{"severity":"medium","vulnerability_count":8421},{"severity":"high","vulnerability_count":2350},
			{"severity":"low","vulnerability_count":1542},{"severity":"critical","vulnerability_count":120},{"severity":"info","vulnerability_count":42}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:0", "edges:0", "rows:5", "group_by:severity(property)",
			"aggregations:vulnerability_count(count:v)", "@nodes", "@edges", "@rows", "severity=medium vulnerability_count=8421",
			"severity=high vulnerability_count=2350", "severity=low vulnerability_count=1542", "severity=critical vulnerability_count=120",
			"severity=info vulnerability_count=42"),
	},
	{
		"T5 one row, with a target", `{"format_version":"2.0.0","query_type":"aggregation","nodes":[],"edges":[],
			"columns":[{"name":"total","function":"count","target":"mr"}],"group_columns":[],"rows":[{"total":2347}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:0", "edges:0", "rows:1", "aggregations:total(count:mr)",
			"@nodes", "@edges", "@rows", "total=2347"),
	},
	{
		"T5 one row, without a target", `{"query_type":"aggregation","nodes":[],"edges":[],
			"columns":[{"name":"total","function":"count"}],"group_columns":[],"rows":[{"total":2347}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:0", "edges:0", "rows:1", "aggregations:total(count)",
			"@nodes", "@edges", "@rows", "total=2347"),
	},
	{
		"T6 path", `{"format_version":"2.0.0","query_type":"path_finding","nodes":[{"type":"User","id":"64248","username":"stanhu"},
			{"type":"MergeRequest","id":"482927048","iid":18,"state":"merged"},{"type":"Project","id":"278964","name":"GitLab"}],"edges":[
			{"from":"User","from_id":"64248","to":"MergeRequest","to_id":"482927048","type":"AUTHORED","path_id":0,"step":0},
			{"from":"MergeRequest","from_id":"482927048","to":"Project","to_id":"278964","type":"IN_PROJECT","path_id":0,"step":1}]}`,
		lines("@header", "query_type:path_finding", "goon_version:1.0.0", "nodes:3", "edges:2", "@nodes", "MergeRequest(1):",
			"482927048 iid=18 state=merged", "Project(1):", "278964 name=GitLab", "User(1):", "64248 username=stanhu", "@paths",
			"path=0: User:64248 --AUTHORED--> MergeRequest:482927048 --IN_PROJECT--> Project:278964"),
	},
	{
		"T7 page, the document's dialect", `{"query_type":"traversal","nodes":[{"type":"MR","id":"1","iid":42}],"edges":[],"pagination":{"has_more":true,"total_rows":100}}`,
		lines("@header", "query_type:traversal", "goon_version:1.0.0", "nodes:1", "edges:0", "has_more:true", "total_rows:100", "@nodes", "MR(1):", "1 iid=42", "@edges"),
	},
	{
		"T7 page, the later dialect", `{"query_type":"traversal","nodes":[{"type":"MR","id":"1","iid":42}],"edges":[],
			"pagination":{"has_more":true,"truncated":true,"next_cursor":"eyJoIjoiYWQyMTczMWM5MTZm"}}`,
		lines("@header", "query_type:traversal", "goon_version:1.0.0", "nodes:1", "edges:0", "has_more:true", "truncated:true",
			"next_cursor:eyJoIjoiYWQyMTczMWM5MTZm", "@nodes", "MR(1):", "1 iid=42", "@edges"),
	},
	{"T8 empty traversal", `{"query_type":"traversal","nodes":[],"edges":[]}`,
		"@header\nquery_type:traversal\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\n"},
	{"T9 empty search", `{"query_type":"search","nodes":[],"edges":[]}`,
		"@header\nquery_type:search\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\n"},
	{"T9 empty neighbors", `{"query_type":"neighbors","nodes":[],"edges":[]}`,
		"@header\nquery_type:neighbors\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\n"},
	{"T10 aggregation without a row", `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"n","function":"count","target":"u"}],"rows":[]}`,
		"@header\nquery_type:aggregation\ngoon_version:1.0.0\nnodes:0\nedges:0\nrows:0\naggregations:n(count:u)\n@nodes\n@edges\n@rows\n"},
	{"T11 no path", `{"query_type":"path_finding","nodes":[{"type":"User","id":"1"}],"edges":[]}`,
		"@header\nquery_type:path_finding\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\nUser(1):\n1\n@paths\n"},
	{"T12 aggregation without rows", `{"query_type":"aggregation","nodes":[],"edges":[]}`,
		"@header\nquery_type:aggregation\ngoon_version:1.0.0\nnodes:0\nedges:0\nrows:0\n@nodes\n@edges\n@rows\n"},
	{"T13 traversal with rows", `{"query_type":"traversal","nodes":[],"edges":[],"columns":[{"name":"n","function":"count","target":"u"}],"rows":[{"n":3},{"n":null}]}`,
		"@header\nquery_type:traversal\ngoon_version:1.0.0\nnodes:0\nedges:0\n@nodes\n@edges\n@rows\nn=3\nn=null\n"},
	{
		"T14 shuffled", `{"query_type":"traversal","edges":[],"nodes":[
			{"type":"User","id":"3","username":"carol","name":"Carol Davis","state":"blocked"},
			{"type":"MergeRequest","id":"43","iid":102,"state":"merged","title":"Add caching layer"},
			{"type":"User","id":"1","username":"alice","name":"Alice Smith","state":"active"},
			{"type":"MergeRequest","id":"42","title":"Fix auth bug","iid":101,"state":"merged"},
			{"type":"User","id":"2","username":"bob","name":"Bob Chen","state":"active"}]}`,
		lines("@header", "query_type:traversal", "goon_version:1.0.0", "nodes:5", "edges:0", "@nodes", "MergeRequest(2):",
			`42 iid=101 state=merged title="Fix auth bug"`, `43 iid=102 state=merged title="Add caching layer"`, "User(3):",
			`1 name="Alice Smith" username=alice state=active`, `2 name="Bob Chen" username=bob state=active`,
			`3 name="Carol Davis" username=carol state=blocked`, "@edges"),
	},
	{
		"T16 page of an aggregation", `{"query_type":"aggregation","nodes":[],"edges":[],"pagination":{"has_more":true,"total_rows":50},
			"columns":[{"name":"n","function":"count","target":"v"}],"group_columns":[{"name":"severity","kind":"property","node":"v","property":"severity"}],
			"rows":[{"severity":"low","n":1}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:0", "edges:0", "has_more:true", "total_rows:50", "rows:1",
			"group_by:severity(property)", "aggregations:n(count:v)", "@nodes", "@edges", "@rows", "severity=low n=1"),
	},
	{
		"T25 equal edges", `{"query_type":"traversal","nodes":[],"edges":[
			{"from":"User","from_id":"1","to":"MR","to_id":"2","type":"AUTHORED"},{"from":"User","from_id":"1","to":"MR","to_id":"2","type":"AUTHORED"},
			{"from":"User","from_id":1,"to":"MR","to_id":2,"type":"AUTHORED"}]}`,
		lines("@header", "query_type:traversal", "goon_version:1.0.0", "nodes:0", "edges:1", "@nodes", "@edges", "AUTHORED(1):", "User:1 --> MR:2"),
	},
	{
		"T55 two paths", `{"query_type":"path_finding","nodes":[],"edges":[
			{"from":"MR","from_id":"20","to":"User","to_id":"1","type":"REVIEWER","path_id":1,"step":1},
			{"from":"MR","from_id":"10","to":"Project","to_id":"100","type":"IN_PROJECT","path_id":0,"step":1},
			{"from":"User","from_id":"9","to":"MR","to_id":"20","type":"AUTHORED","path_id":1,"step":0},
			{"from":"User","from_id":"9","to":"MR","to_id":"10","type":"AUTHORED","path_id":0,"step":0}]}`,
		lines("@header", "query_type:path_finding", "goon_version:1.0.0", "nodes:0", "edges:4", "@nodes", "@paths",
			"path=0: User:9 --AUTHORED--> MR:10 --IN_PROJECT--> Project:100", "path=1: User:9 --AUTHORED--> MR:20 --REVIEWER--> User:1"),
	},
	{
		"T62 node and property group", `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"count","function":"count","target":"v"}],
			"group_columns":[{"name":"project","kind":"node","node":"p","entity":"Project"},{"name":"severity","kind":"property","node":"v","property":"severity"}],
			"rows":[{"project":{"type":"Project","id":"278964","properties":{"name":"GitLab"}},"severity":"critical","count":12},
			{"project":{"type":"Project","id":"278964","properties":{"name":"Another"}},"severity":"high","count":30}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:1", "edges:0", "rows:2", "group_by:project(node:Project),severity(property)",
			"aggregations:count(count:v)", "@nodes", "Project(1):", "278964 name=GitLab", "@edges", "@rows",
			"project=Project:278964 severity=critical count=12", "project=Project:278964 severity=high count=30"),
	},
	{
		"T63 two node groups", `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"n","function":"count","target":"m"}],
			"group_columns":[{"name":"u","kind":"node","node":"u","entity":"User"},{"name":"p","kind":"node","node":"p","entity":"Project"}],
			"rows":[{"u":{"type":"User","id":"2","properties":{}},"p":{"type":"Project","id":"10","properties":{}},"n":5},
			{"u":{"type":"User","id":"1","properties":{}},"p":{"type":"Project","id":"11","properties":{}},"n":4}]}`,
		lines("@header", "query_type:aggregation", "goon_version:1.0.0", "nodes:4", "edges:0", "rows:2", "group_by:u(node:User),p(node:Project)",
			"aggregations:n(count:m)", "@nodes", "User(1):", "2", "Project(1):", "10", "User(1):", "1", "Project(1):", "11", "@edges", "@rows",
			"u=User:2 p=Project:10 n=5", "u=User:1 p=Project:11 n=4"),
	},
}

func encode(t testing.TB, c goon.Codec, json string) string {
	t.Helper()
	v := codectest.JSON(t, json)
	out := codectest.Encoded(t, c, v)
	return string(out)
}

func TestEncodeDocuments(t *testing.T) {
	for _, c := range documents {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.goon, encode(t, goon.Codec{}, c.json))
		})
	}
}

// T15: the shape of every line is safe whatever the document.
func TestEveryTextHasWholeLines(t *testing.T) {
	for _, c := range documents {
		text := encode(t, goon.Codec{}, c.json)
		require.True(t, strings.HasPrefix(text, "@header\n"), c.name)
		require.True(t, strings.HasSuffix(text, "\n"), c.name)
		require.NotContains(t, text, "\n\n", c.name)
		require.NotContains(t, text, "\r", c.name)
		require.NotContains(t, text, "\t", c.name)
	}
}

// headerOf returns the header's lines between edges and @nodes.
func headerOf(text string) []string {
	head, _, _ := strings.Cut(text, "\n@nodes\n")
	return strings.Split(head, "\n")[5:]
}

func TestEncodeHeader(t *testing.T) {
	page := func(p string) string {
		return `{"query_type":"traversal","nodes":[],"edges":[],"pagination":` + p + `}`
	}
	columns := func(groups, metrics string) string {
		return `{"query_type":"aggregation","nodes":[],"edges":[],"rows":[],"group_columns":[` + groups + `],"columns":[` + metrics + `]}`
	}
	for _, c := range []struct {
		name, json string
		want       []string
	}{
		{"T17 no more rows", page(`{"has_more":false,"total_rows":0}`), []string{"total_rows:0"}},
		{"T18 later dialect", page(`{"has_more":true,"truncated":true,"next_cursor":"abc"}`), []string{"has_more:true", "truncated:true", "next_cursor:abc"}},
		{"T18 empty cursor", page(`{"has_more":true,"truncated":false,"next_cursor":""}`), []string{"has_more:true", "next_cursor:"}},
		{"T19 nothing to say", page(`{"has_more":false,"truncated":false}`), []string{}},
		{"T20 all four", page(`{"has_more":true,"truncated":true,"total_rows":7,"next_cursor":"abc"}`),
			[]string{"has_more:true", "truncated:true", "total_rows:7", "next_cursor:abc"}},
		{"T21 function", columns(``, `{"name":"n","function":"count"}`), []string{"rows:0", "aggregations:n(count)"}},
		{"T21 target", columns(``, `{"name":"n","function":"count","target":"u"}`), []string{"rows:0", "aggregations:n(count:u)"}},
		{"T21 property", columns(``, `{"name":"latest_update","function":"max","target":"v","property":"updated_at"}`),
			[]string{"rows:0", "aggregations:latest_update(max:v.updated_at)"}},
		{"T21 property without target", columns(``, `{"name":"n","function":"max","property":"x"}`), []string{"rows:0", "aggregations:n(max)"}},
		{"T22 property", columns(`{"name":"severity","kind":"property","node":"v","property":"severity"}`, ``), []string{"rows:0", "group_by:severity(property)"}},
		{"T22 alias", columns(`{"name":"severity_bucket","kind":"property","node":"v","property":"severity"}`, ``),
			[]string{"rows:0", "group_by:severity_bucket(property:severity)"}},
		{"T22 property absent", columns(`{"name":"severity","kind":"property","node":"v"}`, ``), []string{"rows:0", "group_by:severity(property)"}},
		{"T22 node", columns(`{"name":"p","kind":"node","node":"p","entity":"Project"}`, ``), []string{"rows:0", "group_by:p(node:Project)"}},
		{"T22 node without entity", columns(`{"name":"p","kind":"node","node":"p"}`, ``), []string{"rows:0", "group_by:p(node)"}},
		{"T22 unknown kind", columns(`{"name":"x","kind":"foo","node":"p","entity":"Project","property":"y"}`, ``), []string{"rows:0", "group_by:x(foo)"}},
		{"T22 two", columns(`{"name":"p","kind":"node","entity":"Project"},{"name":"s","kind":"property","property":"severity"}`, `{"name":"n","function":"count"},{"name":"m","function":"sum","target":"v","property":"w"}`),
			[]string{"rows:0", "group_by:p(node:Project),s(property:severity)", "aggregations:n(count),m(sum:v.w)"}},
		{"names with separators", columns(`{"name":"a,b","kind":"no:de","entity":"E"},{"name":"","kind":"property","property":"p)"}`, `{"name":"n(","function":"","target":"a.b","property":"c.d"}`),
			[]string{"rows:0", `group_by:"a,b"("no:de"),""(property:"p)")`, `aggregations:"n("(:"a.b".c.d)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, headerOf(encode(t, goon.Codec{}, c.json)))
		})
	}
}

func TestHeaderLeavesOutWhatIsNotSurfaced(t *testing.T) { // T23
	text := encode(t, goon.Codec{}, `{"format_version":"7.8.9","query_type":"aggregation","nodes":[],"edges":[],
		"group_columns":[{"name":"u","kind":"node","node":"compiler_alias","entity":"User"}],"rows":[]}`)
	require.NotContains(t, text, "7.8.9")
	require.NotContains(t, text, "format_version")
	require.NotContains(t, text, "compiler_alias")
}

func TestVersion(t *testing.T) { // T24
	const empty = `{"query_type":"traversal","nodes":[],"edges":[]}`
	require.Contains(t, encode(t, goon.Codec{Version: "4.0.1"}, empty), "\ngoon_version:4.0.1\n")
	r, err := goon.Codec{}.DecodeResponse([]byte(encode(t, goon.Codec{Version: "4.0.1"}, empty)))
	require.NoError(t, err)
	require.Equal(t, "4.0.1", r.Version)
	again, err := goon.Codec{}.AppendResponse(nil, r)
	require.NoError(t, err)
	require.Contains(t, string(again), "\ngoon_version:4.0.1\n")
}

// nodeLine encodes one node of type N and id 1 and returns its line without
// the id.
func nodeLine(t testing.TB, c goon.Codec, properties string) string {
	t.Helper()
	if properties != "" {
		properties = "," + properties
	}
	text := encode(t, c, `{"query_type":"traversal","edges":[],"nodes":[{"type":"N","id":"1"`+properties+`}]}`)
	_, rest, found := strings.Cut(text, "\n@nodes\nN(1):\n1")
	require.True(t, found, text)
	line, rest, _ := strings.Cut(rest, "\n")
	require.Equal(t, "@edges\n", rest)
	return strings.TrimPrefix(line, " ")
}

// properties are members of a node in JSON and their line. Strings that hold
// control characters come from JSON escapes.
var properties = []vector{
	{"T26 order", `"zeta":1,"note":1,"closed_at":1,"uuid":1,"visibility_level":1,"title":1,"merged_at":1,"alpha":1,"path":1,"status":1,"name":1,
		"updated_at":1,"description":1,"username":1,"state":1,"created_at":1,"iid":1,"body":1,"full_path":1`,
		"full_path=1 iid=1 name=1 path=1 username=1 uuid=1 state=1 status=1 visibility_level=1 alpha=1 zeta=1 " +
			"closed_at=1 created_at=1 merged_at=1 updated_at=1 body=1 description=1 note=1 title=1"},
	{"T28 omitted", `"a":null,"b":"","c":0,"d":false`, "c=0 d=false"},
	{"T29 none", ``, ""},
	{"T30 words", `"a":"true","b":"false","c":"null","d":true,"e":false,"f":"True","g":"NULL"`, `a="true" b="false" c="null" d=true e=false f=True g=NULL`},
	{"T31 bare", `"a":"stanhu","b":"gitlab-org/gitlab","c":"a@b.c","d":"+1","e":"v1.2.3","f":"2026-05-08","g":"123e4567-e89b-12d3-a456-426614174000"`,
		"a=stanhu b=gitlab-org/gitlab c=a@b.c d=+1 e=v1.2.3 f=2026-05-08 g=123e4567-e89b-12d3-a456-426614174000"},
	{"T31 bare digits", `"a":"18","b":"007","c":"1e5","d":"1.0"`, "a=18 b=007 c=1e5 d=1.0"},
	{"T32 quoted", `"a":"Fix auth bug","b":"a,b","c":"a=b","d":"#428BCA","e":"^4.17.21","f":"ü","g":"日本","h":"🙂","i":" "`,
		`a="Fix auth bug" b="a,b" c="a=b" d="#428BCA" e="^4.17.21" f="ü" g="日本" h="🙂" i=" "`},
	{"T33 escapes", `"a":"a \"q\" b","b":"a\\b","c":"\n","d":"\r","e":"\t","f":"a\\nb"`, `a="a \"q\" b" b="a\\b" c="\n" d="\r" e="\t" f="a\\nb"`},
	{"T34 controls", `"a":"a\u0001b","b":"a\u007fb"`, `a="ab" b="ab"`},
	{"T34 line breaks beyond ASCII", `"a":"x\u0085y","b":"x\u2028y\u2029","c":"«\u2028» – \u00a0 “\u0085”"`,
		`a="x\u0085y" b="x\u2028y\u2029" c="«\u2028» – ` + "\u00a0" + ` “\u0085”"`},
	{"T34 controls beyond ASCII", `"a":"a\u0081b","b":"\u0080\u009fab"`, `a="ab" b="ab"`},
	{"T35 only controls", `"a":"\u0001\u007f\u0080","b":1`, `a="" b=1`},
	{"T36 integers", `"a":9223372036854775807,"b":-9223372036854775808,"c":18446744073709551615,"d":18446744073709551616,"e":-9223372036854775809`,
		"a=9223372036854775807 b=-9223372036854775808 c=18446744073709551615 d=18446744073709552000 e=-9223372036854776000"},
	{"T37 floats", `"a":941.131772070606,"b":1.0,"c":1e21,"d":1e-7,"e":-0.0,"f":0.30000000000000004,"g":1e2,"h":-0,"i":100.0,"j":0.1`,
		"a=941.131772070606 b=1 c=1000000000000000000000 d=0.0000001 e=-0 f=0.30000000000000004 g=100 h=-0 i=100 j=0.1"},
	{"T39 arrays and objects", `"a":[1,"a b"],"b":[],"c":{"x":1},"d":{}`, `a="[1,\"a b\"]" b="[]" c="{\"x\":1}" d="{}"`},
	{"T40 datetime", `"a":"2026-05-08 22:55:58","b":"2026-05-08 22:55:58.467450","c":"2026-05-08 22:55:58.1234567890123","d":"2016-12-31 23:59:60","e":"2024-02-29 00:00:00"`,
		"a=2026-05-08T22:55:58 b=2026-05-08T22:55:58.467450 c=2026-05-08T22:55:58.1234567890123 d=2016-12-31T23:59:60 e=2024-02-29T00:00:00"},
	{"T41 already ISO", `"a":"2026-05-08T22:55:58Z","b":"2026-05-08T22:55:58+02:00","c":"2026-05-08t22:55:58z"`,
		"a=2026-05-08T22:55:58Z b=2026-05-08T22:55:58+02:00 c=2026-05-08t22:55:58z"},
	{"T42 not a datetime", `"a":"2026-02-30 10:00:00","b":"2026-05-08 24:00:00","c":"2026-05-08 23:13","d":"2026-05-08 23:13:59.","e":"2026-05-08 23:13:59 UTC","f":"2026-05-08 23:13:59 "`,
		`a="2026-02-30 10:00:00" b="2026-05-08 24:00:00" c="2026-05-08 23:13" d="2026-05-08 23:13:59." e="2026-05-08 23:13:59 UTC" f="2026-05-08 23:13:59 "`},
	{"T42 calendar", `"a":"2026-13-01 10:00:00","b":"2026-00-01 10:00:00","c":"2026-04-31 10:00:00","d":"2025-02-29 10:00:00","e":"1900-02-29 10:00:00","f":"2026-01-01 10:60:00","g":"2026-01-01 10:00:61"`,
		`a="2026-13-01 10:00:00" b="2026-00-01 10:00:00" c="2026-04-31 10:00:00" d="2025-02-29 10:00:00" e="1900-02-29 10:00:00" f="2026-01-01 10:60:00" g="2026-01-01 10:00:61"`},
	{"T43 zone behind a space form", `"a":"2026-05-08 22:55:58Z","b":"2026-05-08 22:55:58+02:00"`, `a="2026-05-08 22:55:58Z" b="2026-05-08 22:55:58+02:00"`},
	{"T44 no injection", `"a":"2026-05-08\n23:13:59","b":"2026-05-08  23:13:59","c":"2026-5-8 1:2:3","d":" 2026-05-08 23:13:59","e":"2026-05-08\u300023:13:59","f":"2026- 05-08 23:13:59"`,
		`a="2026-05-08\n23:13:59" b="2026-05-08  23:13:59" c="2026-5-8 1:2:3" d=" 2026-05-08 23:13:59" e="2026-05-08　23:13:59" f="2026- 05-08 23:13:59"`},
	{"T45 prose at the limit", `"title":"` + strings.Repeat("x", 200) + `"`, "title=" + strings.Repeat("x", 200)},
	{"T45 title", `"title":"` + strings.Repeat("x", 201) + `"`, "title=" + strings.Repeat("x", 197) + "... title_len=201"},
	{"T45 body", `"body":"` + strings.Repeat("x", 500) + `"`, "body=" + strings.Repeat("x", 197) + "... body_len=500"},
	{"T45 description", `"description":"` + strings.Repeat("x", 201) + `"`, "description=" + strings.Repeat("x", 197) + "... description_len=201"},
	{"T45 name", `"name":"` + strings.Repeat("x", 201) + `"`, "name=" + strings.Repeat("x", 197) + "... name_len=201"},
	{"T45 note", `"note":"` + strings.Repeat("x", 201) + `"`, "note=" + strings.Repeat("x", 197) + "... note_len=201"},
	{"T46 other text at the limit", `"ref_name":"` + strings.Repeat("y", 1000) + `"`, "ref_name=" + strings.Repeat("y", 1000)},
	{"T46 other text", `"ref_name":"` + strings.Repeat("y", 1001) + `"`, "ref_name=" + strings.Repeat("y", 997) + "... ref_name_len=1001"},
	{"T47 characters, not bytes", `"title":"` + strings.Repeat("🙂", 201) + `"`, `title="` + strings.Repeat("🙂", 197) + `..." title_len=201`},
	{"T47 fewer characters than bytes", `"title":"` + strings.Repeat("🙂", 200) + `"`, `title="` + strings.Repeat("🙂", 200) + `"`},
	{"T47 combining marks", `"title":"` + strings.Repeat("漢\u0301", 101) + `"`, `title="` + strings.Repeat("漢\u0301", 98) + `漢..." title_len=202`},
	{"T48 breadcrumb behind its text", `"note":"n","description":"` + strings.Repeat("word ", 50) + `"`,
		`description="` + strings.Repeat("word ", 50)[:197] + `..." description_len=250 note=n`},
	{"T50 cut before escaping", `"title":"` + strings.Repeat(`\n`, 250) + `"`, `title="` + strings.Repeat(`\n`, 197) + `..." title_len=250`},
	{"T51 array without breadcrumb", `"a":["` + strings.Repeat("z", 1200) + `"]`, `a="[\"` + strings.Repeat("z", 995) + `..."`},
	{"T52 breadcrumb beside a property", `"title":"` + strings.Repeat("x", 201) + `","title_len":9`, "title_len=9 title=" + strings.Repeat("x", 197) + "... title_len=201"},
	{"a text cut before", `"title":"` + strings.Repeat("x", 197) + `...","title_len":201,"web_url":"u"`, "web_url=u title=" + strings.Repeat("x", 197) + "... title_len=201"},
	{"a length that is none", `"title":"short...","title_len":8`, "title_len=8 title=short..."},
	{"a length that stands elsewhere", `"title":"short...","x":1,"title_len":201`, "title_len=201 x=1 title=short..."},
	{"keys", `"a b":1,"c=d":2,"":3,"@rows":4,"\"q\"":5,"l\nf":6,"größe":7,"x.y":8,"c\u0001":9`,
		`""=3 "\"q\""=5 "@rows"=4 "a b"=1 "c\u0001"=9 "c=d"=2 größe=7 "l\nf"=6 x.y=8`},
}

func TestEncodeProperties(t *testing.T) {
	for _, c := range properties {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.goon, nodeLine(t, goon.Codec{}, c.json))
		})
	}
}

func TestNodeOrder(t *testing.T) { // T27
	text := encode(t, goon.Codec{}, `{"query_type":"traversal","edges":[],"nodes":[{"type":"a","id":"1"},{"type":"A","id":"9007199254740993"},
		{"type":"B","id":"5"},{"type":"A","id":"10"},{"type":"A","id":"-1"},{"type":"A","id":"9"}]}`)
	require.Contains(t, text, lines("@nodes", "A(4):", "-1", "9", "10", "9007199254740993", "B(1):", "5", "a(1):", "1", "@edges"))
}

func TestNonFinite(t *testing.T) { // T38, T66
	n, err := goon.NewNode("N", 1, wire.Member{Key: "a", Value: goon.FloatOrNull(math.NaN())}, wire.Member{Key: "b", Value: goon.FloatOrNull(math.Inf(1))},
		wire.Member{Key: "c", Value: goon.FloatOrNull(math.Inf(-1))}, wire.Member{Key: "d", Value: goon.FloatOrNull(1.5)})
	require.NoError(t, err)
	text, err := goon.Codec{}.AppendResponse(nil, &goon.Response{QueryType: "search", Nodes: []goon.Node{n}})
	require.NoError(t, err)
	require.Contains(t, string(text), "\n1 d=1.5\n")

	row, err := wire.Object(wire.Member{Key: "m", Value: goon.FloatOrNull(math.NaN())})
	require.NoError(t, err)
	text, err = goon.Codec{}.AppendResponse(nil, &goon.Response{QueryType: "aggregation",
		Columns: []goon.Column{{Name: "m", Function: "avg"}}, Rows: []wire.Value{row}})
	require.NoError(t, err)
	require.Contains(t, string(text), "@rows\nm=null\n")
}

func TestNumberBeyondFloat64(t *testing.T) {
	v := codectest.JSON(t, `{"query_type":"traversal","edges":[],"nodes":[{"type":"N","id":"1","x":1e400}]}`)
	_, err := goon.Codec{}.AppendEncode(nil, v)
	require.ErrorIs(t, err, wire.ErrRange)
	require.Equal(t, "/nodes/0/x", err.(*wire.Error).Path())
}

func TestNoTruncate(t *testing.T) {
	long := strings.Repeat("x", 1500)
	members := `"body":"` + long + `","other":"` + long + `"`
	require.Equal(t, "other="+long+" body="+long, nodeLine(t, goon.Codec{NoTruncate: true}, members))
	require.Equal(t, "other="+strings.Repeat("x", 997)+"... other_len=1500 body="+long, nodeLine(t, goon.Codec{Expand: []string{"body"}}, members))
}

func edgesOf(t *testing.T, queryType, edges string) string {
	text := encode(t, goon.Codec{}, `{"query_type":"`+queryType+`","nodes":[],"edges":[`+edges+`]}`)
	_, rest, found := strings.Cut(text, "\n@nodes\n")
	require.True(t, found)
	return rest
}

func TestEncodeEdges(t *testing.T) {
	for _, c := range []struct{ name, query, edges, want string }{
		{"T53 order", "traversal", `{"from":"MR","from_id":"10","to":"Project","to_id":"100","type":"IN_PROJECT"},
			{"from":"User","from_id":"1","to":"MR","to_id":"10","type":"AUTHORED"},{"from":"User","from_id":"-1","to":"MR","to_id":"-5","type":"AUTHORED"},
			{"from":"MR","from_id":"9","to":"Project","to_id":"100","type":"IN_PROJECT"},{"from":"User","from_id":"1","to":"MR","to_id":"9","type":"AUTHORED"}`,
			lines("@edges", "AUTHORED(3):", "User:-1 --> MR:-5", "User:1 --> MR:9", "User:1 --> MR:10", "IN_PROJECT(2):", "MR:9 --> Project:100", "MR:10 --> Project:100")},
		{"T54 depth", "traversal", `{"from":"User","from_id":"1","to":"Group","to_id":"100","type":"MEMBER_OF","depth":2},
			{"from":"User","from_id":"1","to":"Group","to_id":"100","type":"MEMBER_OF","depth":1},{"from":"User","from_id":"1","to":"Group","to_id":"100","type":"MEMBER_OF"}`,
			lines("@edges", "MEMBER_OF(3):", "User:1 --> Group:100", "User:1 --> Group:100 depth=1", "User:1 --> Group:100 depth=2")},
		{"T56 one hop in two paths", "path_finding", `{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":0,"step":0},
			{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":1,"step":0}`,
			lines("@paths", "path=0: A:1 --X--> B:2", "path=1: A:1 --X--> B:2")},
		{"T57 tie", "path_finding", `{"from":"User","from_id":"1","to":"MR","to_id":"20","type":"REVIEWER","path_id":0,"step":0},
			{"from":"User","from_id":"1","to":"MR","to_id":"10","type":"AUTHORED","path_id":0,"step":0}`,
			lines("@paths", "path=0: User:1 --AUTHORED--> MR:10", "path=0: User:1 --REVIEWER--> MR:20")},
		{"broken path", "path_finding", `{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":3,"step":0},
			{"from":"B","from_id":"2","to":"C","to_id":"3","type":"Y","path_id":3,"step":1},{"from":"C","from_id":"4","to":"D","to_id":"5","type":"Z","path_id":3,"step":2},
			{"from":"B","from_id":"5","to":"E","to_id":"6","type":"Z","path_id":3,"step":3},{"from":"E","from_id":"6","to":"A","to_id":"1","type":"X","path_id":4,"step":0}`,
			lines("@paths", "path=3: A:1 --X--> B:2 --Y--> C:3", "path=3: C:4 --Z--> D:5", "path=3: B:5 --Z--> E:6", "path=4: E:6 --X--> A:1")},
		{"path with a step missing", "path_finding", `{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":0,"step":0},
			{"from":"B","from_id":"2","to":"C","to_id":"3","type":"Y","path_id":0,"step":2}`, lines("@paths", "path=0: A:1 --X--> B:2 --Y--> C:3")},
		{"places in paths are not shown elsewhere", "traversal", `{"from":"A","from_id":"1","to":"B","to_id":"2","type":"Y","path_id":0,"step":0},
			{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","path_id":1,"step":0},{"from":"A","from_id":"1","to":"B","to_id":"2","type":"Y"}`,
			lines("@edges", "X(1):", "A:1 --> B:2", "Y(1):", "A:1 --> B:2")},
		{"names", "traversal", `{"from":"Work Item","from_id":"1","to":"@edges","to_id":"2","type":"A --> B:1\n@rows"}`,
			lines("@edges", `"A --> B:1\n@rows"(1):`, `"Work Item":1 --> "@edges":2`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, edgesOf(t, c.query, c.edges))
		})
	}
}

// TestEdgeWithoutPath: an edge is never left out in silence.
func TestEdgeWithoutPath(t *testing.T) { // T58
	v := codectest.JSON(t, `{"query_type":"path_finding","nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X"}]}`)
	_, err := goon.Codec{}.AppendEncode(nil, v)
	require.ErrorIs(t, err, wire.ErrShape)
	require.Contains(t, err.Error(), "edge_without_path")
	require.Contains(t, err.Error(), "/edges/0")
}

// TestPathsComeBack: the edges that are read are the edges that were written,
// whether or not their path is whole.
func TestPathsComeBack(t *testing.T) {
	for _, edges := range []string{
		`{"from":"U","from_id":"1","to":"M","to_id":"10","type":"A","path_id":0,"step":0},{"from":"U","from_id":"1","to":"M","to_id":"20","type":"R","path_id":0,"step":0}`,
		`{"from":"U","from_id":"1","to":"M","to_id":"10","type":"A","path_id":0,"step":0},{"from":"M","from_id":"11","to":"P","to_id":"3","type":"I","path_id":0,"step":1},{"from":"P","from_id":"3","to":"G","to_id":"4","type":"I","path_id":0,"step":2}`,
	} {
		v := codectest.JSON(t, `{"query_type":"path_finding","nodes":[],"edges":[`+edges+`]}`)
		want, err := goon.FromValue(v)
		require.NoError(t, err)
		text := codectest.Encoded(t, goon.Codec{}, v)
		for _, c := range []goon.Codec{{}, {Strict: true}, {Lenient: true}} {
			doc, err := decodeNoted(c, text)
			require.NoError(t, err)
			require.Empty(t, doc.Warnings)
			require.Len(t, doc.Edges, len(want.Edges))
			for i, e := range doc.Edges {
				require.Equal(t, want.Edges[i].String(), e.String())
				require.Equal(t, want.Edges[i].PathID, e.PathID)
			}
			again, err := c.AppendResponse(nil, doc.Response)
			require.NoError(t, err)
			require.Equal(t, string(text), string(again))
		}
	}
}

// rowsOf encodes an aggregation and returns what follows @rows.
func rowsOf(t *testing.T, groups, metrics, rows string) string {
	text := encode(t, goon.Codec{}, `{"query_type":"aggregation","nodes":[],"edges":[],"group_columns":[`+groups+`],"columns":[`+metrics+`],"rows":[`+rows+`]}`)
	_, rest, found := strings.Cut(text, "\n@rows\n")
	require.True(t, found)
	return rest
}

func TestEncodeRows(t *testing.T) {
	const (
		severity = `{"name":"severity","kind":"property","node":"v","property":"severity"}`
		user     = `{"name":"u","kind":"node","node":"u","entity":"User"}`
		count    = `{"name":"count","function":"count","target":"v"}`
		first    = `{"name":"first_seen","function":"min","target":"v","property":"seen"}`
		title    = `{"name":"title","kind":"property","property":"title"}`
		t1       = `{"name":"t","kind":"property","property":"title"}`
	)
	long := strings.Repeat("x", 1200)
	for _, c := range []struct{ name, groups, metrics, rows, want string }{
		{"T59 null group", severity, count, `{"severity":null,"count":5}`, "severity=null count=5\n"},
		{"T59 null metric", severity, first, `{"severity":"never_run","first_seen":null}`, "severity=never_run first_seen=null\n"},
		{"T59 the word null", severity, count, `{"severity":"null","count":1}`, "severity=\"null\" count=1\n"},
		{"T60 empty text", severity, count, `{"severity":"","count":1}`, "count=1\n"},
		{"T60 nothing left", severity, count, `{"severity":""},{"count":2}`, "\ncount=2\n"},
		{"T61 declared order", severity, count + "," + first, `{"first_seen":"a","other":9,"count":1,"severity":"low"},{"count":2}`, "severity=low count=1 first_seen=a\ncount=2\n"},
		{"T64 id that is no number", user, count, `{"u":{"type":"User","id":"abc","properties":{}},"count":1}`, "u=User:abc count=1\n"},
		{"T64 id as a JSON number", user, count, `{"u":{"type":"User","id":5},"count":1}`, "u=\"{\\\"type\\\":\\\"User\\\",\\\"id\\\":5}\" count=1\n"},
		{"T64 null node", user, count, `{"u":null,"count":1}`, "u=null count=1\n"},
		{"reference under a metric", severity, count, `{"severity":{"type":"User","id":"5","properties":{}},"count":{"type":"A","id":"7"}}`, "severity=User:5 count=A:7\n"},
		{"T65 datetime", severity, first, `{"severity":"low","first_seen":"2026-05-08 22:55:58"}`, "severity=low first_seen=2026-05-08T22:55:58\n"},
		{"T65 title", title, ``, `{"title":"` + long + `"}`, "title=" + long[:197] + "...\n"},
		{"T65 alias", t1, ``, `{"t":"` + long + `"}`, "t=" + long[:997] + "...\n"},
		{"T67 type with a space", user, count, `{"u":{"type":"Work Item","id":"5","properties":{}},"count":1}`, "u=\"Work Item:5\" count=1\n"},
		{"T17 id with leading zeros", user, count, `{"u":{"type":"User","id":"007","properties":{}},"count":1}`, "u=User:7 count=1\n"},
		{"bool and float", severity, count, `{"severity":true,"count":1.50}`, "severity=true count=1.5\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, rowsOf(t, c.groups, c.metrics, c.rows))
		})
	}
}

func TestUnlistedNodesAreNotLifted(t *testing.T) { // T64
	text := encode(t, goon.Codec{}, `{"query_type":"aggregation","nodes":[],"edges":[],"group_columns":[{"name":"u","kind":"node"}],
		"rows":[{"u":{"type":"User","id":"abc","properties":{}}},{"u":{"type":"User","id":9}},{"u":{"type":"User","id":"99999999999999999999"}}]}`)
	require.Contains(t, text, "\nnodes:0\n")
}

func TestEncodeRefusesOtherShapes(t *testing.T) {
	for _, c := range []struct {
		name, json, path, want string
		kind                   error
	}{
		{"array", `[1,2]`, "", "a response is an object, not an array; only graph query responses are written as GOON; FromList makes one of a list of objects", wire.ErrShape},
		{"scalar", `7`, "", "a response is an object, not a number; only graph query responses", wire.ErrShape},
		{"other object", `{"a":1}`, "", "query_type; only graph query responses are written as GOON; FromList", wire.ErrShape},
		{"no nodes", `{"query_type":"search","edges":[]}`, "", "nodes", wire.ErrShape},
		{"no edges", `{"query_type":"search","nodes":[]}`, "", "edges", wire.ErrShape},
		{"nodes no array", `{"query_type":"search","nodes":{},"edges":[]}`, "/nodes", "an array, not an object", wire.ErrShape},
		{"query type no string", `{"query_type":5,"nodes":[],"edges":[]}`, "/query_type", "not a number", wire.ErrShape},
		{"node no object", `{"query_type":"search","nodes":[1],"edges":[]}`, "/nodes/0", "not a number", wire.ErrShape},
		{"node without type", `{"query_type":"search","nodes":[{"id":"1"}],"edges":[]}`, "/nodes/0", "type", wire.ErrShape},
		{"node without id", `{"query_type":"search","nodes":[{"type":"User"}],"edges":[]}`, "/nodes/0", "User", wire.ErrShape},
		{"I2 id no number", `{"query_type":"search","nodes":[{"type":"A","id":"1"},{"type":"A","id":"x1"}],"edges":[]}`, "/nodes/1/id", "x1", wire.ErrShape},
		{"I2 id with a fraction", `{"query_type":"search","nodes":[{"type":"A","id":1.5}],"edges":[]}`, "/nodes/0/id", "1.5", wire.ErrRange},
		{"I2 id too large", `{"query_type":"search","nodes":[{"type":"A","id":"9223372036854775808"}],"edges":[]}`, "/nodes/0/id", "9223372036854775808", wire.ErrRange},
		{"edge without to", `{"query_type":"search","nodes":[],"edges":[{"from":"A","from_id":"1","to_id":"2","type":"X"}]}`, "/edges/0", "to", wire.ErrShape},
		{"edge with a bad id", `{"query_type":"search","nodes":[],"edges":[{"from":"A","from_id":true,"to":"B","to_id":"2","type":"X"}]}`, "/edges/0/from_id", "bool", wire.ErrShape},
		{"edge with a bad depth", `{"query_type":"search","nodes":[],"edges":[{"from":"A","from_id":"1","to":"B","to_id":"2","type":"X","depth":-1}]}`, "/edges/0/depth", "-1", wire.ErrShape},
		{"column", `{"query_type":"aggregation","nodes":[],"edges":[],"columns":[{"name":"n"}]}`, "/columns/0", "function", wire.ErrShape},
		{"group column", `{"query_type":"aggregation","nodes":[],"edges":[],"group_columns":[{"name":"n","kind":3}]}`, "/group_columns/0/kind", "number", wire.ErrShape},
		{"row", `{"query_type":"aggregation","nodes":[],"edges":[],"rows":[[1]]}`, "/rows/0", "array", wire.ErrShape},
		{"pagination", `{"query_type":"search","nodes":[],"edges":[],"pagination":{"total_rows":-1}}`, "/pagination/total_rows", "-1", wire.ErrShape},
		{"envelope", `{"result":{"query_type":"search","nodes":[],"edges":[]}}`, "", "envelope", wire.ErrShape},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := codectest.JSON(t, c.json)
			dst, err := goon.Codec{}.AppendEncode([]byte("kept"), v)
			require.Equal(t, "kept", string(dst))
			require.ErrorIs(t, err, c.kind)
			require.Equal(t, c.path, err.(*wire.Error).Path())
			require.Contains(t, err.Error(), c.want)
		})
	}
}

func TestEncodeLimits(t *testing.T) {
	v := codectest.JSON(t, documents[1].json)
	out := codectest.Encoded(t, goon.Codec{}, v)
	_, err := goon.Codec{Limits: wire.Limits{OutputBytes: len(out)}}.AppendEncode([]byte("before"), v)
	require.NoError(t, err)
	_, err = goon.Codec{Limits: wire.Limits{OutputBytes: len(out) - 1}}.AppendEncode([]byte("before"), v)
	require.ErrorIs(t, err, wire.ErrLimit)

	deep := codectest.JSON(t, `{"query_type":"search","edges":[],"nodes":[{"type":"N","id":"1","x":[[[[1]]]]}]}`)
	_, err = goon.Codec{Limits: wire.Limits{Depth: 4}}.AppendEncode(nil, deep)
	require.NoError(t, err)
	_, err = goon.Codec{Limits: wire.Limits{Depth: 3}}.AppendEncode(nil, deep)
	require.ErrorIs(t, err, wire.ErrLimit)
}

func TestEncodeInvalidUTF8(t *testing.T) { // I5: an error, as in every format of this module
	long := strings.Repeat("x", 300)
	for name, s := range map[string]string{"short": "a\xffb", "kept": "\xff" + long, "prefix": "ab\xc3",
		"cut control": "\xc2plain", "cut separator": "a\nbcdefgh\xe2\x80", "control before ASCII": "a\nbcdefghij\xc2plain \"x\"",
		"character around a control": "\xc3\x01\xa9", "line end around controls": "\xc2\xc2\x80\x7f\x85"} {
		t.Run(name, func(t *testing.T) {
			n, err := goon.NewNode("N", 1, wire.Member{Key: "title", Value: wire.String(s)})
			require.NoError(t, err)
			_, err = goon.Codec{}.AppendResponse(nil, &goon.Response{QueryType: "search", Nodes: []goon.Node{n}})
			require.ErrorIs(t, err, wire.ErrUTF8)
			require.Equal(t, "/nodes/0/title", err.(*wire.Error).Path())
		})
	}
	_, err := goon.Codec{}.AppendResponse(nil, &goon.Response{QueryType: "\xff"})
	require.ErrorIs(t, err, wire.ErrUTF8)
}

// TestEdgeOrder: the order of a response's edges does not show, and the text has
// them in that of their types and ids, however many there are and far apart.
func TestEdgeOrder(t *testing.T) {
	for _, span := range []int64{3, 1000, 1 << 50, math.MaxInt64} {
		r := rand.New(rand.NewPCG(uint64(span), 1))
		id := func() int64 { return r.Int64N(span) - span/2 }
		response := goon.Response{FormatVersion: "2.0.0", QueryType: "traversal"}
		for range 400 {
			response.Edges = append(response.Edges, goon.Edge{
				Type: []string{"OWNS", "IN", "CALLS"}[r.IntN(3)], From: []string{"A", "B"}[r.IntN(2)], To: []string{"A", "C", "D"}[r.IntN(3)], FromID: id(), ToID: id(),
			})
		}
		want, err := goon.Marshal(&response)
		require.NoError(t, err)
		r.Shuffle(len(response.Edges), func(i, j int) {
			response.Edges[i], response.Edges[j] = response.Edges[j], response.Edges[i]
		})
		got, err := goon.Marshal(&response)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		decoded, err := goon.Codec{}.DecodeResponse(got)
		require.NoError(t, err)
		require.True(t, slices.IsSortedFunc(decoded.Edges, func(a, b goon.Edge) int {
			return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.From, b.From), cmp.Compare(a.FromID, b.FromID),
				cmp.Compare(a.To, b.To), cmp.Compare(a.ToID, b.ToID))
		}))
	}
}

// TestLineBreaksAnywhere: what ends a line is escaped wherever it is in a text,
// control characters are dropped, and all else stays.
func TestLineBreaksAnywhere(t *testing.T) {
	for text, want := range map[string]string{
		"\u0085": `\u0085`, "\u2028": `\u2028`, "\u2029": `\u2029`, "\u0080": "", "\u009f": "", "\u00a0": "\u00a0", "\u00bf": "\u00bf", "\u2027": "\u2027", "\u202a": "\u202a",
		"\u2013": "\u2013", "\u2068": "\u2068", "\u20a8": "\u20a8", "\u2928": "\u2928", "é": "é", "漢": "漢", "😀": "😀", "–\u2028–": `–\u2028–`, "\u0085\u0085": `\u0085\u0085`, "\"–": `\"–`,
	} {
		for before := range 20 {
			for after := range 18 {
				a, b := strings.Repeat("x ", 10)[:before], strings.Repeat("y ", 9)[:after]
				n := oneNode(t, `"t":"`+strings.ReplaceAll(a+text+b, `"`, `\"`)+`"`)
				require.Contains(t, n, `"`+a+want+b+`"`, "%q", a+text+b)
			}
		}
	}
}

// oneNode returns the text of a response of one node with these properties.
func oneNode(t *testing.T, properties string) string {
	v := codectest.JSON(t, `{"query_type":"search","edges":[],"nodes":[{"type":"T","id":1,"s":"a b",`+properties+`}]}`)
	out := codectest.Encoded(t, goon.Codec{}, v)
	return string(out)
}
