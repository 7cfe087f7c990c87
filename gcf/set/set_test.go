package set_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// setOf returns a set of JSON rows.
func setOf(t testing.TB, fields string, rows ...string) *set.Set {
	s := &set.Set{Key: "id", Fields: strings.Split(fields, " ")}
	for _, text := range rows {
		s.Rows = append(s.Rows, codectest.JSON(t, text))
	}
	return s
}

// vectors are sets and the tables of their full payloads.
var vectors = []struct {
	name string
	set  func(t testing.TB) *set.Set
	body string
}{
	{"rows", func(t testing.TB) *set.Set {
		return setOf(t, "id total note", `{"id":1,"total":59.90,"note":"a|b"}`, `{"note":null,"id":"1"}`, `{"id":true,"total":-0,"note":"- "}`)
	},
		"## rows [3]{@id,total,note}\n1|59.9|\"a|b\"\n\"1\"|-|-\ntrue|0|\"- \"\n"},
	{"a key in the middle", func(t testing.TB) *set.Set {
		s := setOf(t, "a b,c my-key", `{"my-key":"k","a":1,"b,c":2}`)
		s.Key, s.Name = "my-key", "two words"
		return s
	}, "## \"two words\" [1]{a,\"b,c\",@\"my-key\"}\n1|2|k\n"},
	{"no rows", func(t testing.TB) *set.Set { return setOf(t, "id") }, "## rows [0]{@id}\n"},
	{"a keyed map", func(t testing.TB) *set.Set {
		s := setOf(t, "id cpu", `{"id":"web","cpu":1}`, `{"id":"5","cpu":null}`)
		s.Keyed = true
		return s
	}, "## [2:]{@id,cpu}\nweb|1\n\"5\"|-\n"},
}

func TestVectors(t *testing.T) {
	for _, c := range vectors {
		t.Run(c.name, func(t *testing.T) {
			s := c.set(t)
			s.Tool = "t"
			root, err := set.PackRoot(s)
			require.NoError(t, err)
			doc, err := set.Encode(s)
			require.NoError(t, err)
			require.Equal(t, "GCF profile=generic tool=t pack_root="+root+" key="+s.Key+"\n"+c.body, string(doc))
			back, err := set.Decode(doc)
			require.NoError(t, err)
			require.Equal(t, s.Fields, back.Fields)
			require.Equal(t, s.Keyed, back.Keyed)
			again, err := set.Encode(back)
			require.NoError(t, err)
			require.Equal(t, string(doc), string(again))
			_, err = gcf.DecodeGeneric(doc)
			require.NoError(t, err, "any decoder of the generic profile reads it")
			slices.Reverse(s.Rows)
			other, err := set.PackRoot(s)
			require.NoError(t, err)
			require.Equal(t, root, other, "the order of rows means nothing")
		})
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		name, code string
		set        *set.Set
	}{
		{"no key", "invalid_header_value", &set.Set{Fields: []string{"a"}}},
		{"a key that no header can hold", "invalid_header_value", &set.Set{Key: "a b", Fields: []string{"a b"}}},
		{"a key that is no field", "missing_key", &set.Set{Key: "id", Fields: []string{"a"}}},
		{"a field twice", "duplicate_field_name", setOf(t, "id a a")},
		{"a path", "unsupported_field", setOf(t, "id a>b")},
		{"a field with a tab", "unsupported_field", setOf(t, "id a\tb")},
		{"a row that is none", "invalid_row", setOf(t, "id", `1`)},
		{"a nested value", "nested_value", setOf(t, "id a", `{"id":1,"a":[]}`)},
		{"a nested identity", "nested_value", setOf(t, "id a", `{"id":{}}`)},
		{"an unknown member", "unknown_member", setOf(t, "id", `{"id":1,"b":1}`)},
		{"no identity", "missing_identity", setOf(t, "id a", `{"a":1}`)},
		{"an identity that is null", "missing_identity", setOf(t, "id", `{"id":null}`)},
		{"an identity twice", "duplicate_identity", setOf(t, "id", `{"id":1}`, `{"id":1.0}`)},
		{"a number outside the domain", "out_of_range", setOf(t, "id a", `{"id":1,"a":9223372036854775808}`)},
		{"an identity outside the domain", "out_of_range", setOf(t, "id", `{"id":1e999}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := set.PackRoot(c.set)
			requireCode(t, err, c.code)
			_, err = set.Encode(c.set)
			requireCode(t, err, c.code)
			_, err = new(set.Session).Next(c.set)
			requireCode(t, err, c.code)
		})
	}
	keyed := setOf(t, "id a", `{"id":1,"a":1}`)
	keyed.Keyed = true
	_, err := set.Encode(keyed)
	requireCode(t, err, "invalid_identity")
	keyed = setOf(t, "id", `{"id":"a"}`)
	keyed.Keyed = true
	_, err = set.Encode(keyed)
	requireCode(t, err, "unsupported_shape")
	bad := setOf(t, "id a")
	bad.Rows = []wire.Value{wire.Array()}
	bad.Name = "a\xffb"
	bad.Rows = nil
	_, err = set.Encode(bad)
	requireCode(t, err, "invalid_utf8")
}

func TestDocuments(t *testing.T) {
	const start = "GCF profile=generic pack_root=x key=id\n"
	for _, c := range []struct{ name, doc, code string }{
		{"no marked field", start + "## rows [1]{id,a}\n1|2\n", "identity_mismatch"},
		{"another field marked", start + "## rows [1]{id,@a}\n1|2\n", "identity_mismatch"},
		{"two fields marked", start + "## rows [1]{@id,@id}\n1|2\n", "duplicate_field_name"},
		{"an open declaration", start + "## rows [1]{@id,a\n1|2\n", "invalid_field_declaration"},
		{"a missing field", start + "## rows [1]{@id,}\n1|2\n", "invalid_field_declaration"},
		{"no declaration", start + "## rows [1]\n1|2\n", "invalid_field_declaration"},
		{"more behind the declaration", start + "## rows [1]{@id} x\n1\n", "trailing_characters"},
		{"a deferred count", start + "## rows [?]{@id}\n1\n", "invalid_count"},
		{"no count", start + "## rows\n1\n", "invalid_count"},
		{"a row too few", start + "## rows [2]{@id}\n1\n", "count_mismatch"},
		{"a row too many", start + "## rows [1]{@id}\n1\n2\n", "count_mismatch"},
		{"a narrow row", start + "## rows [1]{@id,a}\n1\n", "row_width_mismatch"},
		{"an attachment", start + "## rows [1]{@id,a}\n1|^\n", "invalid_attachment_marker"},
		{"a row with an id", start + "## rows [1]{@id,a}\n@0 1|2\n", "invalid_attachment_marker"},
		{"an indented row", start + "## rows [1]{@id}\n  1\n", "invalid_indent"},
		{"an identity twice", start + "## rows [2]{@id}\n1\n1\n", "duplicate_identity"},
		{"no identity", start + "## rows [1]{@id}\n~\n", "missing_identity"},
		{"two tables", start + "## rows [1]{@id}\n1\n## more [1]{@id}\n1\n", "trailing_content"},
		{"a member", start + "a=1\n", "invalid_line"},
		{"a keyed map of none", start + "## [0:]{@id,a}\n", "invalid_count"},
		{"a wrong root", "GCF profile=generic pack_root=sha256:" + strings.Repeat("0", 64) + " key=id\n## rows [1]{@id}\n1\n", "root_mismatch"},
		{"no root", "GCF profile=generic key=id\n## rows [1]{@id}\n1\n", "not_a_set"},
		{"a graph", "GCF profile=graph\n", "unknown_profile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := set.Decode([]byte(c.doc))
			require.Nil(t, s)
			requireCode(t, err, c.code)
		})
	}
}

// pairs are sets before and after, and the sections of the delta between.
var pairs = []struct {
	name       string
	base, next func(t testing.TB) *set.Set
	body       string
}{
	{"all three",
		func(t testing.TB) *set.Set {
			return setOf(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`, `{"id":3,"a":3}`, `{"id":"x","a":null}`)
		},
		func(t testing.TB) *set.Set {
			return setOf(t, "id a", `{"id":"a","a":0}`, `{"id":10}`, `{"id":9,"a":"9"}`, `{"id":3,"a":3.0}`, `{"id":2,"a":"2"}`, `{"id":"x"}`)
		},
		"## added [3]{@id,a}\na|0\n10|-\n9|\"9\"\n## changed [1]{@id,a}\n2|\"2\"\n## removed [1]{@id}\n1\n"},
	{"nothing",
		func(t testing.TB) *set.Set { return setOf(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`) },
		func(t testing.TB) *set.Set { return setOf(t, "a id", `{"id":2,"a":2.0}`, `{"id":1,"a":1}`) }, ""},
	{"to none",
		func(t testing.TB) *set.Set { return setOf(t, "id", `{"id":"b|c"}`, `{"id":"a"}`) },
		func(t testing.TB) *set.Set { return setOf(t, "id") }, "## removed [2]{@id}\na\n\"b|c\"\n"},
}

func TestDelta(t *testing.T) {
	for _, c := range pairs {
		t.Run(c.name, func(t *testing.T) {
			base, next := c.base(t), c.next(t)
			d, err := set.Diff(base, next)
			require.NoError(t, err)
			doc, err := set.EncodeDelta(d)
			require.NoError(t, err)
			require.Equal(t, "GCF profile=generic delta=true base_root="+d.BaseRoot+" new_root="+d.NewRoot+" key=id\n"+c.body, string(doc))
			read, err := set.DecodeDelta(doc)
			require.NoError(t, err)
			got, err := set.Apply(base, read)
			require.NoError(t, err)
			root, err := set.PackRoot(got)
			require.NoError(t, err)
			want, err := set.PackRoot(next)
			require.NoError(t, err)
			require.Equal(t, want, root)
			require.Equal(t, len(next.Rows), len(got.Rows))
			require.True(t, wire.Identical(wire.Array(c.base(t).Rows...), wire.Array(base.Rows...)), "the base is not changed")
		})
	}
	_, err := set.Diff(setOf(t, "id a"), setOf(t, "id b"))
	requireCode(t, err, "schema_mismatch")
}

func TestDeltaContradictions(t *testing.T) {
	base := setOf(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`)
	root, err := set.PackRoot(base)
	require.NoError(t, err)
	row := func(text string) []wire.Value { return []wire.Value{codectest.JSON(t, text)} }
	fields := []string{"id", "a"}
	for _, c := range []struct {
		name, code string
		delta      set.Delta
	}{
		{"another base", "base_mismatch", set.Delta{BaseRoot: "sha256:" + strings.Repeat("0", 64)}},
		{"a root of another algorithm", "unknown_root", set.Delta{BaseRoot: "x"}},
		{"a wrong result", "root_mismatch", set.Delta{}},
		{"another key", "schema_mismatch", set.Delta{Key: "a"}},
		{"other fields", "schema_mismatch", set.Delta{Fields: []string{"id", "b"}, Added: row(`{"id":3}`)}},
		{"an added row that is there", "malformed_delta", set.Delta{Added: row(`{"id":1}`)}},
		{"a changed row that is not there", "malformed_delta", set.Delta{Changed: row(`{"id":3}`)}},
		{"a removed row that is not there", "malformed_delta", set.Delta{Removed: row(`3`)}},
		{"a row changed and removed", "malformed_delta", set.Delta{Changed: row(`{"id":1}`), Removed: row(`1.0`)}},
		{"a row added and changed", "malformed_delta", set.Delta{Added: row(`{"id":3}`), Changed: row(`{"id":3}`)}},
		{"a row removed twice", "malformed_delta", set.Delta{Removed: append(row(`1`), row(`1`)...)}},
		{"a row added twice", "duplicate_identity", set.Delta{Added: append(row(`{"id":3}`), row(`{"id":3}`)...)}},
		{"a nested row", "nested_value", set.Delta{Added: row(`{"id":3,"a":{}}`)}},
		{"no identity", "missing_identity", set.Delta{Removed: row(`null`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.delta
			if d.Key == "" {
				d.Key = "id"
			}
			if d.Fields == nil {
				d.Fields = fields
			}
			if d.BaseRoot == "" {
				d.BaseRoot = root
			}
			d.NewRoot = "sha256:" + strings.Repeat("1", 64)
			got, err := set.Apply(base, &d)
			require.Nil(t, got)
			requireCode(t, err, c.code)
			require.Len(t, base.Rows, 2)
		})
	}
}

// deltaDocuments are deltas that are refused.
var deltaDocuments = []struct{ name, doc, code string }{
	{"an unknown section", "## others [1]{@id}\n1\n", "malformed_delta"},
	{"a section twice", "## removed [1]{@id}\n1\n## removed [1]{@id}\n2\n", "malformed_delta"},
	{"a keyed map", "## added [1:]{@id,a}\n1|2\n", "malformed_delta"},
	{"removed rows", "## removed [1]{@id,a}\n1|2\n", "malformed_delta"},
	{"different fields", "## added [1]{@id,a}\n1|2\n## changed [1]{@id,b}\n2|2\n", "malformed_delta"},
	{"a row in two sections", "## added [1]{@id,a}\n1|2\n## removed [1]{@id}\n1\n", "malformed_delta"},
	{"rows too many", "## added [1]{@id,a}\n1|2\n3|4\n## removed [1]{@id}\n5\n", "count_mismatch"},
	{"a line before the sections", "a=1\n", "malformed_delta"},
	{"an identity that is null", "## removed [1]{@id}\n-\n", "missing_identity"},
}

func TestDeltaDocuments(t *testing.T) {
	const start = "GCF profile=generic delta=true base_root=a new_root=b key=id\n"
	for _, c := range deltaDocuments {
		t.Run(c.name, func(t *testing.T) {
			d, err := set.DecodeDelta([]byte(start + c.doc))
			require.Nil(t, d)
			requireCode(t, err, c.code)
			require.NotZero(t, err.(*wire.Error).Line)
		})
	}
	_, err := set.DecodeDelta([]byte("GCF profile=generic delta=true base_root=a key=id\n"))
	requireCode(t, err, "malformed_delta")
	_, err = set.DecodeDelta([]byte("GCF profile=generic key=id\n"))
	requireCode(t, err, "not_a_delta")
}

func TestSession(t *testing.T) {
	s0 := setOf(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`)
	s1 := setOf(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":3}`)
	session := &set.Session{}
	first, err := session.Next(s0)
	require.NoError(t, err)
	require.Equal(t, "full", first.Outcome)
	var receiver set.Receiver
	_, err = receiver.Receive([]byte("GCF profile=generic unchanged=true pack_root=" + first.Root + " count=2\n"))
	requireCode(t, err, "base_mismatch")
	require.Empty(t, receiver.Root())
	for i, step := range []struct {
		set     *set.Set
		root    string // what the consumer says it has; "" means whatever it has
		outcome string
	}{
		{s0, "", "unchanged"},
		{s1, "", "delta"},
		{s1, "", "unchanged"},
		{s0, "", "delta"},
		{s0, "sha256:unknown", "full"},
		{setOf(t, "id b", `{"id":1}`), "", "full"},
		{s1, "", "full"},
	} {
		if i == 0 {
			_, err := receiver.Receive(first.Encoded)
			require.NoError(t, err)
		}
		root := step.root
		if root == "" {
			root = receiver.Root()
		}
		p, err := session.Respond(root, step.set)
		require.NoError(t, err)
		require.Equal(t, step.outcome, p.Outcome, "step %d", i)
		got, err := receiver.Receive(p.Encoded)
		require.NoError(t, err)
		require.Equal(t, p.Root, receiver.Root())
		want, err := set.PackRoot(step.set)
		require.NoError(t, err)
		is, err := set.PackRoot(got)
		require.NoError(t, err)
		require.Equal(t, want, is)
	}
	// A set with an error changes nothing.
	_, err = session.Next(setOf(t, "id a", `{"a":1}`))
	requireCode(t, err, "missing_identity")
	p, err := session.Next(s1)
	require.NoError(t, err)
	require.Equal(t, "unchanged", p.Outcome)
	_, err = receiver.Receive([]byte("GCF profile=generic delta=true base_root=sha256:" + strings.Repeat("0", 64) + " new_root=b key=id\n"))
	requireCode(t, err, "base_mismatch")
	require.Equal(t, p.Root, receiver.Root())
}

func TestFull(t *testing.T) {
	rows := func(n int) *set.Set {
		return setOf(t, "id a", fmt.Sprintf(`{"id":1,"a":%d}`, n), `{"id":2,"a":"a longer text, so that a delta is shorter than all rows together"}`,
			`{"id":3,"a":"a longer text, so that a delta is shorter than all rows together"}`, `{"id":4,"a":"and more"}`)
	}
	fulls := func(s *set.Session, steps int) (at []int) {
		_, err := s.Next(rows(0))
		require.NoError(t, err)
		for i := 1; i <= steps; i++ {
			p, err := s.Next(rows(i))
			require.NoError(t, err)
			if p.Outcome == "full" {
				at = append(at, i)
			}
		}
		return at
	}
	require.Equal(t, []int{15, 30}, fulls(&set.Session{}, 35))
	require.Equal(t, []int{3, 6, 9}, fulls(&set.Session{FullEvery: 3}, 11))
	require.Equal(t, []int{1, 2, 3}, fulls(&set.Session{FullEvery: 1}, 3))
	require.Empty(t, fulls(&set.Session{FullEvery: -1}, 40))
	require.Equal(t, []int{2, 4, 6}, fulls(&set.Session{FullBySize: true}, 7))
	require.Equal(t, []int{2, 3, 5, 6}, fulls(&set.Session{FullBySize: true, FullEvery: 3}, 7))
}

func TestSessionConcurrent(t *testing.T) {
	s := &set.Session{}
	_, err := s.Next(setOf(t, "id a", `{"id":1,"a":0}`))
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 20 {
				if _, err := s.Next(setOf(t, "id a", fmt.Sprintf(`{"id":1,"a":%d}`, i*j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestRootsOfForms: a row's root goes by the form of its numbers, as its text
// does.
func TestRootsOfForms(t *testing.T) {
	root := func(x wire.Value) string {
		row, err := wire.Object(wire.Member{Key: "id", Value: wire.Int(1)}, wire.Member{Key: "x", Value: x})
		require.NoError(t, err)
		root, err := set.PackRoot(&set.Set{Key: "id", Fields: []string{"id", "x"}, Rows: []wire.Value{row}})
		require.NoError(t, err)
		return root
	}
	require.Equal(t, root(codectest.JSON(t, "1e16")), root(wire.Float(1e16)))
	require.NotEqual(t, root(wire.Int(1e16)), root(wire.Float(1e16)))
	require.Equal(t, root(wire.Int(5)), root(wire.Float(5)))
}

// longDecimals is a set with a number of more digits than a double has.
func longDecimals(t *testing.T, x string) *set.Set {
	return &set.Set{Key: "id", Fields: []string{"id", "x"}, Rows: []wire.Value{codectest.JSON(t, `{"id":1,"x":`+x+`}`), codectest.JSON(t, `{"id":2,"x":9007199254740993}`)}}
}

// TestSetsOverDoubles: the root of a set over doubles is that of readers with
// doubles, in every step of a conversation.
func TestOverDoubles(t *testing.T) {
	const digits, double = "0.1000000000000000055511151231257827", "0.1"
	exact, rounded := longDecimals(t, digits), longDecimals(t, double)
	over := longDecimals(t, digits)
	over.Doubles = true
	rootOf := func(s *set.Set) string {
		root, err := set.PackRoot(s)
		require.NoError(t, err)
		return root
	}
	require.NotEqual(t, rootOf(exact), rootOf(rounded))
	require.Equal(t, rootOf(over), rootOf(rounded))

	doc, err := set.Encode(over)
	require.NoError(t, err)
	require.Contains(t, string(doc), digits, "the text keeps the digits")
	back, err := set.Decode(doc)
	require.NoError(t, err)
	require.True(t, back.Doubles)
	require.Equal(t, rootOf(over), rootOf(back))

	doc, err = set.Encode(exact)
	require.NoError(t, err)
	back, err = set.Decode(doc)
	require.NoError(t, err)
	require.False(t, back.Doubles)

	// A delta of a producer with doubles, applied to a set with all digits.
	next := longDecimals(t, "0.25")
	next.Doubles = true
	d, err := set.Diff(exact, next)
	require.NoError(t, err)
	require.Equal(t, rootOf(over), d.BaseRoot)
	got, err := set.Apply(exact, d)
	require.NoError(t, err)
	require.Equal(t, d.NewRoot, rootOf(got))
	require.True(t, got.Doubles)
	require.False(t, exact.Doubles)
	d.BaseRoot = rootOf(next)
	_, err = set.Apply(exact, d)
	require.ErrorIs(t, err, wire.ErrChecksum)

	session := &set.Session{}
	first, err := session.Next(over)
	require.NoError(t, err)
	var receiver set.Receiver
	_, err = receiver.Receive(first.Encoded)
	require.NoError(t, err)
	require.Equal(t, first.Root, receiver.Root())
	for _, s := range []*set.Set{next, over, exact} {
		p, err := session.Respond(receiver.Root(), s)
		require.NoError(t, err)
		if s == exact {
			require.Equal(t, "full", p.Outcome, "roots of the other form")
		}
		_, err = receiver.Receive(p.Encoded)
		require.NoError(t, err)
		require.Equal(t, rootOf(s), receiver.Root())
	}
}

// TestMistypedRoot: a malformed root of the known algorithm checks nothing, so it
// is refused; one of another algorithm is let through.
func TestMistypedRoot(t *testing.T) {
	doc, err := set.Encode(setOf(t, "id v", `{"id":"a","v":1}`))
	require.NoError(t, err)
	at := strings.Index(string(doc), "sha256:") + len("sha256:")
	text, digits, rest := string(doc[:at]), string(doc[at:at+64]), string(doc[at+64:])
	altered := strings.Replace(rest, "a|1", "a|2", 1)
	for _, other := range []string{digits, "0" + digits, digits[1:], strings.ToUpper(digits)} {
		_, err := set.Decode([]byte(text + other + altered))
		requireCode(t, err, "root_mismatch")
		require.Equal(t, 1, err.(*wire.Error).Line)
		require.NotContains(t, err.Error(), "delta")
		_, err = new(set.Receiver).Receive([]byte(text + other + altered))
		requireCode(t, err, "root_mismatch")
	}
	_, err = set.Decode([]byte(strings.Replace(text, "sha256:", "other:", 1) + digits + altered))
	require.NoError(t, err)
}

// TestSessionForms: what a delta cannot carry of a set's form is sent in full.
func TestSessionForms(t *testing.T) {
	plain := func(rows ...string) *set.Set { return setOf(t, "id v", rows...) }
	with := func(s *set.Set, keyed bool, name string) *set.Set { s.Keyed, s.Name = keyed, name; return s }
	a, b, c := `{"id":"a","v":1}`, `{"id":"b","v":1}`, `{"id":2,"v":1}`
	session := &set.Session{}
	first, err := session.Next(with(plain(a), true, ""))
	require.NoError(t, err)
	var receiver set.Receiver
	_, err = receiver.Receive(first.Encoded)
	require.NoError(t, err)
	for i, step := range []struct {
		set     *set.Set
		outcome string
	}{
		{with(plain(a, b), true, ""), "delta"},
		{with(plain(a, b, c), false, ""), "full"},
		{with(plain(a, b), false, ""), "delta"},
		{with(plain(a, b), true, ""), "full"},
		{with(plain(a, b), true, "hosts"), "full"},
		{with(plain(b), true, "hosts"), "delta"},
		{with(plain(b), true, "hosts"), "unchanged"},
	} {
		p, err := session.Next(step.set)
		require.NoError(t, err)
		require.Equal(t, step.outcome, p.Outcome, "step %d", i)
		got, err := receiver.Receive(p.Encoded)
		require.NoError(t, err, "step %d", i)
		require.Equal(t, step.set.Keyed, got.Keyed)
		require.Equal(t, step.set.Name, strings.TrimPrefix(got.Name, "rows"))
		require.ElementsMatch(t, texts(step.set.Rows), texts(got.Rows))
	}
	_, err = set.Diff(with(plain(a), true, ""), plain(a, c))
	requireCode(t, err, "schema_mismatch")
}

func texts(rows []wire.Value) (list []string) {
	for _, row := range rows {
		list = append(list, row.String())
	}
	return list
}

// TestDeltaFromDoubles: a delta of either kind of root applies to a set that was read
// with the other.
func TestDeltaFromDoubles(t *testing.T) {
	base, next := longDecimals(t, "0.1000000000000000055511151231257827"), longDecimals(t, "0.2")
	base.Doubles = true
	d, err := set.Diff(base, next)
	require.NoError(t, err)
	got, err := set.Apply(base, d)
	require.NoError(t, err)
	require.False(t, got.Doubles)
	require.True(t, base.Doubles)
	require.Equal(t, texts(next.Rows), texts(got.Rows))
}

func requireCode(t *testing.T, err error, code string) {
	t.Helper()
	e := codectest.Refused(t, err, code, nil)
	require.NotEmpty(t, e.Message)
	require.NotNil(t, e.Kind)
}

// TestNilArguments: a nil pointer is an error, not a panic.
func TestNilArguments(t *testing.T) {
	for name, call := range map[string]func() error{
		"Encode":          func() error { _, err := set.Encode(nil); return err },
		"PackRoot":        func() error { _, err := set.PackRoot(nil); return err },
		"Diff":            func() error { _, err := set.Diff(nil, longDecimals(t, "1")); return err },
		"Diff to nil":     func() error { _, err := set.Diff(longDecimals(t, "1"), nil); return err },
		"Apply":           func() error { _, err := set.Apply(nil, &set.Delta{}); return err },
		"no delta":        func() error { _, err := set.Apply(longDecimals(t, "1"), nil); return err },
		"EncodeDelta":     func() error { _, err := set.EncodeDelta(nil); return err },
		"EncodeUnchanged": func() error { _, err := set.EncodeUnchanged(nil, "a"); return err },
		"Session":         func() error { _, err := new(set.Session).Next(nil); return err },
	} {
		t.Run(name, func(t *testing.T) { requireCode(t, call(), "no_value") })
	}
}

func TestUnchanged(t *testing.T) {
	held := longDecimals(t, "1")
	root, err := set.PackRoot(held)
	require.NoError(t, err)
	doc, err := set.EncodeUnchanged(held, root)
	require.NoError(t, err)
	require.Equal(t, "GCF profile=generic unchanged=true pack_root="+root+" count=2\n", string(doc))
	full, err := set.Encode(held)
	require.NoError(t, err)
	var r set.Receiver
	_, err = r.Receive(doc)
	requireCode(t, err, "base_mismatch")
	_, err = r.Receive(full)
	require.NoError(t, err)
	back, err := r.Receive(doc)
	require.NoError(t, err)
	require.Len(t, back.Rows, 2)
	_, err = set.EncodeUnchanged(held, "")
	requireCode(t, err, "invalid_header_value")
	for text, code := range map[string]string{
		"GCF profile=graph unchanged=true pack_root=a symbols=1\n":  "unknown_profile",
		"GCF profile=generic unchanged=true pack_root=a\nmore\n":    "trailing_content",
		"GCF profile=generic unchanged=true pack_root=a count=-1\n": "malformed_header_field",
	} {
		_, err := r.Receive([]byte(text))
		requireCode(t, err, code)
	}
	_, err = gcf.DecodeUnchanged(doc)
	requireCode(t, err, "not_unchanged")
}

// TestSetIsNoStruct: a set is not written as the Go struct that it is.
func TestSetIsNoStruct(t *testing.T) {
	s := &set.Set{Key: "id", Fields: []string{"id"}}
	for _, c := range []wire.Codec{gcf.Codec{}, wire.JSON{}} {
		_, err := wire.Marshal(c, s)
		require.ErrorIs(t, err, wire.ErrShape)
		require.ErrorContains(t, err, "set.Encode")
	}
}

func TestNew(t *testing.T) {
	type order struct {
		ID   int    `json:"id"`
		Note string `json:"note,omitempty"`
	}
	s, err := set.New("id", []order{{1, ""}, {2, "paid"}})
	require.NoError(t, err)
	require.Equal(t, []string{"id", "note"}, s.Fields)
	doc, err := set.Encode(s)
	require.NoError(t, err)
	back, err := set.Decode(doc)
	require.NoError(t, err)
	want, err := set.PackRoot(s)
	require.NoError(t, err)
	got, err := set.PackRoot(back)
	require.NoError(t, err)
	require.Equal(t, want, got)
	none, err := set.New("id", []order{})
	require.NoError(t, err)
	d, err := set.Diff(none, none)
	require.NoError(t, err)
	require.Empty(t, d.Added)
	for _, c := range []struct {
		key  string
		rows any
		code string
		path string
	}{
		{"id", order{1, ""}, "invalid_row", ""},
		{"id", []int{1}, "invalid_row", "/0"},
		{"nr", []order{{1, ""}}, "missing_key", ""},
		{"id", []map[string]int{{}}, "missing_key", ""},
		{"id", func() {}, "unsupported_type", ""},
	} {
		_, err := set.New(c.key, c.rows)
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, c.code, e.Code)
		require.Equal(t, c.path, e.Path())
	}
}
