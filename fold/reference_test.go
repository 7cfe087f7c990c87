package fold

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func legendOf(sigil, name string, texts ...string) Legend {
	return Legend{notation: notation{sigil, name}, texts: texts}
}

// TestStrings writes and reads strings of data.
func TestStrings(t *testing.T) {
	for _, c := range []struct {
		name    string // of the notation
		written string
		number  int
		rest    string
		ok      bool
	}{
		{"", "$1", 1, "", true},
		{"", "$12abc", 12, "abc", true},
		{"", "$12~9", 12, "9", true},
		{"", "$12~~9", 12, "~9", true},
		{"", "$12~", 12, "", true},
		{"", "$$1", 0, "$1", true},
		{"", "$$$1x", 0, "$$1x", true},
		{"", "$", 0, "$", false},
		{"", "$$", 0, "$$", false},
		{"", "$a1", 0, "$a1", false},
		{"", "$$a", 0, "$$a", false},
		{"", "a$1", 0, "a$1", false},
		{"", "", 0, "", false},
		{"", "$01", -1, "", true},
		{"", "$0", -1, "", true},
		{"", "$1234567x", -1, "x", true},
		{"q", "$q1", 1, "", true},
		{"q", "$1", 0, "$1", false},
		{"q", "$$q1", 0, "$q1", true},
		{"q", "$$1", 0, "$$1", false},
		{"q", "$q", 0, "$q", false},
	} {
		n := notation{"$", c.name}
		number, rest, ok := n.parse(c.written)
		require.Equal(t, []any{c.number, c.rest, c.ok}, []any{number, rest, ok}, c.written)
	}
}

func FuzzStrings(f *testing.F) {
	for _, s := range []string{"", "$1", "$$1", "_1", "$1~", "~1", "9", "~", "$$$"} {
		f.Add(s, "$", "", 7)
		f.Add(s, "_", "ab", 12345)
	}
	f.Fuzz(func(t *testing.T, s, sigil, name string, number int) {
		if len(sigil) != 1 || !validSigil(sigil[0]) || !validName(name) || number < 1 || number > maxEntries {
			return
		}
		n := notation{sigil, name}
		escaped := s
		if n.looksLike(s) {
			escaped = n.sigil + s
		}
		_, text, _ := n.parse(escaped)
		require.Equal(t, s, text, "escaped")
		gotNumber, rest, ok := n.parse(n.joined(number, s))
		require.True(t, ok)
		require.Equal(t, number, gotNumber)
		require.Equal(t, s, rest, "joined")
		legend := Legend{n, []string{"entry"}}
		require.Equal(t, "entry", legend.ExpandText(n.reference(1)))
	})
}

func TestExpandText(t *testing.T) {
	l := legendOf("$", "", "https://api.github.com/repos/", "/usr/share")
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"nothing here", "nothing here"},
		{"$1", "https://api.github.com/repos/"},
		{"see $1golang/go and $2.", "see https://api.github.com/repos/golang/go and /usr/share."},
		{"$1~2", "https://api.github.com/repos/2"},
		{`{"url":"$1a","n":"$2"}`, `{"url":"https://api.github.com/repos/a","n":"/usr/share"}`},
		{"costs US$1, or $ 1, or $", "costs US$1, or $ 1, or $"},
		{"$3 is unknown, $0 too", "$3 is unknown, $0 too"},
		{"$$1 is escaped", "$1 is escaped"},
		{"$1$2", "https://api.github.com/repos//usr/share"},
	} {
		require.Equal(t, c.want, l.ExpandText(c.text), c.text)
	}
	require.Equal(t, "$1", Legend{}.ExpandText("$1"))
	require.Equal(t, "a_1 X", legendOf("_", "", "X").ExpandText("a_1 _1"))
	require.Equal(t, "see X, $$3 $ab X7$$", legendOf("$$", "", "X", "ab").ExpandText("see $$1, $$3 $$$2 $$1~7$$"))
	// One pass: what an entry holds is not expanded.
	require.Equal(t, "$2", legendOf("$", "", "$2", "x").ExpandText("$1"))
}

func TestExpand(t *testing.T) {
	l := legendOf("$", "", "https://example.com/")
	v := codectest.JSON(t, `{"url":"$1a","list":["$1",7,"$$1","plain"]}`)
	got, err := l.Expand(v)
	require.NoError(t, err)
	require.Equal(t, `{"url":"https://example.com/a","list":["https://example.com/",7,"$1","plain"]}`, string(wire.AppendJSON(nil, got)))
	v = codectest.JSON(t, `{"a":[0,"$2"]}`)
	_, err = l.Expand(v)
	require.ErrorIs(t, err, wire.ErrSyntax)
	require.ErrorContains(t, err, "/a/1")
	// Without a legend every string is itself.
	got, err = Legend{}.Expand(v)
	require.NoError(t, err)
	require.True(t, wire.Identical(v, got))
}

func TestPaths(t *testing.T) {
	for text, steps := range map[string][]step{
		"":                   nil,
		"[]":                 {{each: true}},
		"[][]":               {{each: true}, {each: true}},
		"a":                  {{key: "a"}},
		"items[].user":       {{key: "items"}, {each: true}, {key: "user"}},
		`"a.b"."".c[]`:       {{key: "a.b"}, {key: ""}, {key: "c"}, {each: true}},
		`[]."[]"`:            {{each: true}, {key: "[]"}},
		`"q\"uo\\te".x-y/:z`: {{key: `q"uo\te`}, {key: "x-y/:z"}},
		"größe.$ref.@id":     {{key: "größe"}, {key: "$ref"}, {key: "@id"}},
	} {
		got, ok := parsePath(text)
		require.True(t, ok, text)
		require.Equal(t, steps, got, text)
		var path []byte
		for _, s := range steps {
			path = appendStep(path, s)
		}
		require.Equal(t, text, string(path))
	}
	for _, text := range []string{".", "a.", ".a", "a..b", "[", "]", "a[0]", "[]a", `"a`, `"a\`, `"a"b`, "a b", `a"b"`, `"\x"`} {
		_, ok := parsePath(text)
		require.False(t, ok, text)
	}
}

func TestTemplates(t *testing.T) {
	for text, want := range map[string]template{
		"<id>":                           {source: "id"},
		"=id":                            {source: "id", copies: true},
		"https://x/<login>":              {source: "login", prefix: "https://x/"},
		"a<<b<x>c<<":                     {source: "x", prefix: "a<b", suffix: "c<"},
		"==<x>":                          {source: "x", prefix: "="},
		"=<<<x>" + "=":                   {source: "<<<x>=", copies: true}, // refused below
		"x<a<b><c d>>y":                  {source: "a", prefix: "x", suffix: "y", inner: []string{"b", "c d"}},
		"<a<b><=>>":                      {source: "a", inner: []string{"b"}, again: true},
		"<a<=>>>":                        {source: "a", again: true, suffix: ">"},
		"<a b>" + strings.Repeat(">", 2): {source: "a b", suffix: ">>"},
	} {
		got, ok := parseTemplate(text)
		if strings.HasPrefix(text, "=<") {
			require.False(t, ok, text)
			continue
		}
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
		require.Equal(t, text, got.String())
	}
	for _, text := range []string{"", "no source", "<a", "<a<b>", "<a><b>", "<>", "<=a>", "=", "=a<b", "<<",
		"<a<b>", "<a<>>", "<a<b", "<a<b>x>", "<a<=><=>>", "<a<=b>>", "<a<b><c><d><e><f>>"} {
		_, ok := parseTemplate(text)
		require.False(t, ok, text)
	}
}
