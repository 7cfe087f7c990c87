package gcf_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// set returns a set of JSON rows.
func set(t testing.TB, fields string, rows ...string) *gcf.Set {
	s := &gcf.Set{Key: "id", Fields: strings.Split(fields, " ")}
	for _, text := range rows {
		s.Rows = append(s.Rows, mustParse(t, text))
	}
	return s
}

// setVectors are sets and the tables of their full payloads.
var setVectors = []struct {
	name string
	set  func(t testing.TB) *gcf.Set
	body string
}{
	{"rows", func(t testing.TB) *gcf.Set {
		return set(t, "id total note", `{"id":1,"total":59.90,"note":"a|b"}`, `{"note":null,"id":"1"}`, `{"id":true,"total":-0,"note":"- "}`)
	},
		"## rows [3]{@id,total,note}\n1|59.9|\"a|b\"\n\"1\"|-|-\ntrue|0|\"- \"\n"},
	{"a key in the middle", func(t testing.TB) *gcf.Set {
		s := set(t, "a b,c my-key", `{"my-key":"k","a":1,"b,c":2}`)
		s.Key, s.Name = "my-key", "two words"
		return s
	}, "## \"two words\" [1]{a,\"b,c\",@\"my-key\"}\n1|2|k\n"},
	{"no rows", func(t testing.TB) *gcf.Set { return set(t, "id") }, "## rows [0]{@id}\n"},
	{"a keyed map", func(t testing.TB) *gcf.Set {
		s := set(t, "id cpu", `{"id":"web","cpu":1}`, `{"id":"5","cpu":null}`)
		s.Keyed = true
		return s
	}, "## [2:]{@id,cpu}\nweb|1\n\"5\"|-\n"},
}

func TestSetVectors(t *testing.T) {
	for _, c := range setVectors {
		t.Run(c.name, func(t *testing.T) {
			s := c.set(t)
			s.Tool = "t"
			root, err := gcf.SetPackRoot(s)
			require.NoError(t, err)
			doc, err := gcf.EncodeSet(s)
			require.NoError(t, err)
			require.Equal(t, "GCF profile=generic tool=t pack_root="+root+" key="+s.Key+"\n"+c.body, string(doc))
			back, err := gcf.DecodeSet(doc)
			require.NoError(t, err)
			require.Equal(t, s.Fields, back.Fields)
			require.Equal(t, s.Keyed, back.Keyed)
			again, err := gcf.EncodeSet(back)
			require.NoError(t, err)
			require.Equal(t, string(doc), string(again))
			_, err = gcf.DecodeGeneric(doc)
			require.NoError(t, err, "any decoder of the generic profile reads it")
			slices.Reverse(s.Rows)
			other, err := gcf.SetPackRoot(s)
			require.NoError(t, err)
			require.Equal(t, root, other, "the order of rows means nothing")
		})
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct {
		name, code string
		set        *gcf.Set
	}{
		{"no key", "invalid_header_value", &gcf.Set{Fields: []string{"a"}}},
		{"a key that no header can hold", "invalid_header_value", &gcf.Set{Key: "a b", Fields: []string{"a b"}}},
		{"a key that is no field", "missing_key", &gcf.Set{Key: "id", Fields: []string{"a"}}},
		{"a field twice", "duplicate_field_name", set(t, "id a a")},
		{"a path", "unsupported_field", set(t, "id a>b")},
		{"a field with a tab", "unsupported_field", set(t, "id a\tb")},
		{"a row that is none", "invalid_row", set(t, "id", `1`)},
		{"a nested value", "nested_value", set(t, "id a", `{"id":1,"a":[]}`)},
		{"a nested identity", "nested_value", set(t, "id a", `{"id":{}}`)},
		{"an unknown member", "unknown_member", set(t, "id", `{"id":1,"b":1}`)},
		{"no identity", "missing_identity", set(t, "id a", `{"a":1}`)},
		{"an identity that is null", "missing_identity", set(t, "id", `{"id":null}`)},
		{"an identity twice", "duplicate_identity", set(t, "id", `{"id":1}`, `{"id":1.0}`)},
		{"a number outside the domain", "out_of_range", set(t, "id a", `{"id":1,"a":9223372036854775808}`)},
		{"an identity outside the domain", "out_of_range", set(t, "id", `{"id":1e999}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := gcf.SetPackRoot(c.set)
			requireCode(t, err, c.code)
			_, err = gcf.EncodeSet(c.set)
			requireCode(t, err, c.code)
			_, _, err = gcf.NewSetSession(c.set, gcf.ReAnchor{})
			requireCode(t, err, c.code)
		})
	}
	keyed := set(t, "id a", `{"id":1,"a":1}`)
	keyed.Keyed = true
	_, err := gcf.EncodeSet(keyed)
	requireCode(t, err, "invalid_identity")
	keyed = set(t, "id", `{"id":"a"}`)
	keyed.Keyed = true
	_, err = gcf.EncodeSet(keyed)
	requireCode(t, err, "unsupported_shape")
	bad := set(t, "id a")
	bad.Rows = []wire.Value{wire.Array()}
	bad.Name = "a\xffb"
	bad.Rows = nil
	_, err = gcf.EncodeSet(bad)
	requireCode(t, err, "invalid_utf8")
}

func TestSetDocuments(t *testing.T) {
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
		{"a graph", graphHeader + "\n", "unknown_profile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := gcf.DecodeSet([]byte(c.doc))
			require.Nil(t, s)
			requireCode(t, err, c.code)
		})
	}
}

// setPairs are sets before and after, and the sections of the delta between.
var setPairs = []struct {
	name       string
	base, next func(t testing.TB) *gcf.Set
	body       string
}{
	{"all three",
		func(t testing.TB) *gcf.Set {
			return set(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`, `{"id":3,"a":3}`, `{"id":"x","a":null}`)
		},
		func(t testing.TB) *gcf.Set {
			return set(t, "id a", `{"id":"a","a":0}`, `{"id":10}`, `{"id":9,"a":"9"}`, `{"id":3,"a":3.0}`, `{"id":2,"a":"2"}`, `{"id":"x"}`)
		},
		"## added [3]{@id,a}\na|0\n10|-\n9|\"9\"\n## changed [1]{@id,a}\n2|\"2\"\n## removed [1]{@id}\n1\n"},
	{"nothing",
		func(t testing.TB) *gcf.Set { return set(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`) },
		func(t testing.TB) *gcf.Set { return set(t, "a id", `{"id":2,"a":2.0}`, `{"id":1,"a":1}`) }, ""},
	{"to none",
		func(t testing.TB) *gcf.Set { return set(t, "id", `{"id":"b|c"}`, `{"id":"a"}`) },
		func(t testing.TB) *gcf.Set { return set(t, "id") }, "## removed [2]{@id}\na\n\"b|c\"\n"},
}

func TestSetDelta(t *testing.T) {
	for _, c := range setPairs {
		t.Run(c.name, func(t *testing.T) {
			base, next := c.base(t), c.next(t)
			d, err := gcf.DiffSets(base, next)
			require.NoError(t, err)
			doc, err := gcf.EncodeSetDelta(d)
			require.NoError(t, err)
			require.Equal(t, "GCF profile=generic delta=true base_root="+d.BaseRoot+" new_root="+d.NewRoot+" key=id\n"+c.body, string(doc))
			read, err := gcf.DecodeSetDelta(doc)
			require.NoError(t, err)
			got, err := gcf.ApplySetDelta(base, read)
			require.NoError(t, err)
			root, err := gcf.SetPackRoot(got)
			require.NoError(t, err)
			want, err := gcf.SetPackRoot(next)
			require.NoError(t, err)
			require.Equal(t, want, root)
			require.Equal(t, len(next.Rows), len(got.Rows))
			require.True(t, wire.Identical(wire.Array(c.base(t).Rows...), wire.Array(base.Rows...)), "the base is not changed")
		})
	}
	_, err := gcf.DiffSets(set(t, "id a"), set(t, "id b"))
	requireCode(t, err, "schema_mismatch")
}

func TestSetDeltaContradictions(t *testing.T) {
	base := set(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`)
	root, err := gcf.SetPackRoot(base)
	require.NoError(t, err)
	row := func(text string) []wire.Value { return []wire.Value{mustParse(t, text)} }
	fields := []string{"id", "a"}
	for _, c := range []struct {
		name, code string
		delta      gcf.SetDelta
	}{
		{"another base", "base_mismatch", gcf.SetDelta{BaseRoot: "sha256:" + strings.Repeat("0", 64)}},
		{"a root of another algorithm", "unknown_root", gcf.SetDelta{BaseRoot: "x"}},
		{"a wrong result", "root_mismatch", gcf.SetDelta{}},
		{"another key", "schema_mismatch", gcf.SetDelta{Key: "a"}},
		{"other fields", "schema_mismatch", gcf.SetDelta{Fields: []string{"id", "b"}, Added: row(`{"id":3}`)}},
		{"an added row that is there", "malformed_delta", gcf.SetDelta{Added: row(`{"id":1}`)}},
		{"a changed row that is not there", "malformed_delta", gcf.SetDelta{Changed: row(`{"id":3}`)}},
		{"a removed row that is not there", "malformed_delta", gcf.SetDelta{Removed: row(`3`)}},
		{"a row changed and removed", "malformed_delta", gcf.SetDelta{Changed: row(`{"id":1}`), Removed: row(`1.0`)}},
		{"a row added and changed", "malformed_delta", gcf.SetDelta{Added: row(`{"id":3}`), Changed: row(`{"id":3}`)}},
		{"a row removed twice", "malformed_delta", gcf.SetDelta{Removed: append(row(`1`), row(`1`)...)}},
		{"a row added twice", "duplicate_identity", gcf.SetDelta{Added: append(row(`{"id":3}`), row(`{"id":3}`)...)}},
		{"a nested row", "nested_value", gcf.SetDelta{Added: row(`{"id":3,"a":{}}`)}},
		{"no identity", "missing_identity", gcf.SetDelta{Removed: row(`null`)}},
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
			got, err := gcf.ApplySetDelta(base, &d)
			require.Nil(t, got)
			requireCode(t, err, c.code)
			require.Len(t, base.Rows, 2)
		})
	}
}

// genericDeltaDocuments are deltas that are refused.
var genericDeltaDocuments = []struct{ name, doc, code string }{
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

func TestSetDeltaDocuments(t *testing.T) {
	const start = "GCF profile=generic delta=true base_root=a new_root=b key=id\n"
	for _, c := range genericDeltaDocuments {
		t.Run(c.name, func(t *testing.T) {
			d, err := gcf.DecodeSetDelta([]byte(start + c.doc))
			require.Nil(t, d)
			requireCode(t, err, c.code)
			require.NotZero(t, err.(*wire.Error).Line)
		})
	}
	_, err := gcf.DecodeSetDelta([]byte("GCF profile=generic delta=true base_root=a key=id\n"))
	requireCode(t, err, "malformed_delta")
	_, err = gcf.DecodeSetDelta([]byte("GCF profile=generic key=id\n"))
	requireCode(t, err, "not_a_delta")
}

func TestSetSession(t *testing.T) {
	s0 := set(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":2}`)
	s1 := set(t, "id a", `{"id":1,"a":1}`, `{"id":2,"a":3}`)
	session, first, err := gcf.NewSetSession(s0, gcf.ReAnchor{})
	require.NoError(t, err)
	require.Equal(t, gcf.OutcomeFull, first.Outcome)
	var receiver gcf.SetReceiver
	_, err = receiver.Receive([]byte("GCF profile=generic unchanged=true pack_root=" + first.Root + " count=2\n"))
	requireCode(t, err, "base_mismatch")
	require.Empty(t, receiver.Root())
	for i, step := range []struct {
		set     *gcf.Set
		root    string // what the consumer says it has; "" means whatever it has
		outcome gcf.Outcome
	}{
		{s0, "", gcf.OutcomeUnchanged},
		{s1, "", gcf.OutcomeDelta},
		{s1, "", gcf.OutcomeUnchanged},
		{s0, "", gcf.OutcomeDelta},
		{s0, "sha256:unknown", gcf.OutcomeFull},
		{set(t, "id b", `{"id":1}`), "", gcf.OutcomeFull},
		{s1, "", gcf.OutcomeFull},
	} {
		if i == 0 {
			_, err := receiver.Receive(first.Wire)
			require.NoError(t, err)
		}
		root := step.root
		if root == "" {
			root = receiver.Root()
		}
		p, err := session.Respond(root, step.set)
		require.NoError(t, err)
		require.Equal(t, step.outcome.String(), p.Outcome.String(), "step %d", i)
		got, err := receiver.Receive(p.Wire)
		require.NoError(t, err)
		require.Equal(t, p.Root, receiver.Root())
		want, err := gcf.SetPackRoot(step.set)
		require.NoError(t, err)
		is, err := gcf.SetPackRoot(got)
		require.NoError(t, err)
		require.Equal(t, want, is)
	}
	// A set with an error changes nothing.
	_, err = session.Next(set(t, "id a", `{"a":1}`))
	requireCode(t, err, "missing_identity")
	p, err := session.Next(s1)
	require.NoError(t, err)
	require.Equal(t, gcf.OutcomeUnchanged, p.Outcome)
	_, err = receiver.Receive([]byte("GCF profile=generic delta=true base_root=sha256:" + strings.Repeat("0", 64) + " new_root=b key=id\n"))
	requireCode(t, err, "base_mismatch")
	require.Equal(t, p.Root, receiver.Root())
}

func TestReAnchor(t *testing.T) {
	rows := func(n int) *gcf.Set {
		return set(t, "id a", fmt.Sprintf(`{"id":1,"a":%d}`, n), `{"id":2,"a":"a longer text, so that a delta is shorter than all rows together"}`,
			`{"id":3,"a":"a longer text, so that a delta is shorter than all rows together"}`, `{"id":4,"a":"and more"}`)
	}
	fulls := func(policy gcf.ReAnchor, steps int) (at []int) {
		s, _, err := gcf.NewSetSession(rows(0), policy)
		require.NoError(t, err)
		for i := 1; i <= steps; i++ {
			p, err := s.Next(rows(i))
			require.NoError(t, err)
			if p.Outcome == gcf.OutcomeFull {
				at = append(at, i)
			}
		}
		return at
	}
	require.Equal(t, []int{15, 30}, fulls(gcf.ReAnchor{}, 35))
	require.Equal(t, []int{3, 6, 9}, fulls(gcf.ReAnchor{Turns: 3}, 11))
	require.Equal(t, []int{1, 2, 3}, fulls(gcf.ReAnchor{Turns: 1}, 3))
	require.Empty(t, fulls(gcf.ReAnchor{Turns: -1}, 40))
	require.Equal(t, []int{2, 4, 6}, fulls(gcf.ReAnchor{Size: true}, 7))
	require.Equal(t, []int{2, 3, 5, 6}, fulls(gcf.ReAnchor{Size: true, Turns: 3}, 7))
}

func TestSetSessionConcurrent(t *testing.T) {
	s, _, err := gcf.NewSetSession(set(t, "id a", `{"id":1,"a":0}`), gcf.ReAnchor{})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 20 {
				if _, err := s.Next(set(t, "id a", fmt.Sprintf(`{"id":1,"a":%d}`, i*j))); err != nil {
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
		root, err := gcf.SetPackRoot(&gcf.Set{Key: "id", Fields: []string{"id", "x"}, Rows: []wire.Value{row}})
		require.NoError(t, err)
		return root
	}
	require.Equal(t, root(parse(t, "1e16")), root(wire.Float(1e16)))
	require.NotEqual(t, root(wire.Int(1e16)), root(wire.Float(1e16)))
	require.Equal(t, root(wire.Int(5)), root(wire.Float(5)))
}

// longDecimals is a set with a number of more digits than a double has.
func longDecimals(t *testing.T, x string) *gcf.Set {
	return &gcf.Set{Key: "id", Fields: []string{"id", "x"}, Rows: []wire.Value{parse(t, `{"id":1,"x":`+x+`}`), parse(t, `{"id":2,"x":9007199254740993}`)}}
}

// TestSetsOverDoubles: the root of a set over doubles is that of readers with
// doubles, in every step of a conversation.
func TestSetsOverDoubles(t *testing.T) {
	const digits, double = "0.1000000000000000055511151231257827", "0.1"
	exact, rounded := longDecimals(t, digits), longDecimals(t, double)
	over := longDecimals(t, digits)
	over.Doubles = true
	rootOf := func(s *gcf.Set) string {
		root, err := gcf.SetPackRoot(s)
		require.NoError(t, err)
		return root
	}
	require.NotEqual(t, rootOf(exact), rootOf(rounded))
	require.Equal(t, rootOf(over), rootOf(rounded))

	doc, err := gcf.EncodeSet(over)
	require.NoError(t, err)
	require.Contains(t, string(doc), digits, "the text keeps the digits")
	back, err := gcf.DecodeSet(doc)
	require.NoError(t, err)
	require.True(t, back.Doubles)
	require.Equal(t, rootOf(over), rootOf(back))

	doc, err = gcf.EncodeSet(exact)
	require.NoError(t, err)
	back, err = gcf.DecodeSet(doc)
	require.NoError(t, err)
	require.False(t, back.Doubles)

	// A delta of a producer with doubles, applied to a set with all digits.
	next := longDecimals(t, "0.25")
	next.Doubles = true
	d, err := gcf.DiffSets(exact, next)
	require.NoError(t, err)
	require.Equal(t, rootOf(over), d.BaseRoot)
	got, err := gcf.ApplySetDelta(exact, d)
	require.NoError(t, err)
	require.Equal(t, d.NewRoot, rootOf(got))
	require.True(t, got.Doubles)
	require.False(t, exact.Doubles)
	d.BaseRoot = rootOf(next)
	_, err = gcf.ApplySetDelta(exact, d)
	require.ErrorIs(t, err, wire.ErrChecksum)

	session, first, err := gcf.NewSetSession(over, gcf.ReAnchor{})
	require.NoError(t, err)
	var receiver gcf.SetReceiver
	_, err = receiver.Receive(first.Wire)
	require.NoError(t, err)
	require.Equal(t, first.Root, receiver.Root())
	for _, set := range []*gcf.Set{next, over, exact} {
		p, err := session.Respond(receiver.Root(), set)
		require.NoError(t, err)
		if set == exact {
			require.Equal(t, gcf.OutcomeFull, p.Outcome, "roots of the other form")
		}
		_, err = receiver.Receive(p.Wire)
		require.NoError(t, err)
		require.Equal(t, rootOf(set), receiver.Root())
	}
}
