package gcf_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// recordsOf returns what Records gives for a document with that value, and whether that has
// records, as an object without members has, and a keyed map without entries has not.
func recordsOf(doc []byte, v wire.Value) (wire.Value, bool) {
	if v.Kind() == wire.KindObject && v.Len() == 0 {
		_, body, _ := bytes.Cut(doc, []byte{'\n'})
		return wire.Array(), !keyedMap.Match(body)
	}
	if v.Kind() == wire.KindObject && v.Len() == 1 {
		v = v.Index(0)
	}
	return v, v.Kind() == wire.KindArray
}

// keyedMap matches a line that declares one, which comments and the summary may look like.
var keyedMap = regexp.MustCompile(`(?m)^ *(## |[^# \n]).*:\]`)

// readers are ways in which a stream can arrive.
var readers = map[string]func(io.Reader) io.Reader{
	"whole":       func(r io.Reader) io.Reader { return r },
	"byte a read": iotest.OneByteReader,
	"data at EOF": iotest.DataErrReader,
	"halves":      iotest.HalfReader,
}

// requireStreamEqual checks that the stream decoder agrees with the buffered
// one about a document: on its records, or on the error.
func requireStreamEqual(t *testing.T, doc []byte) {
	t.Helper()
	whole, wantErr := gcf.DecodeGeneric(doc)
	want, hasRecords := recordsOf(doc, whole)
	for name, reader := range readers {
		if name == "byte a read" && len(doc) > 4096 {
			continue
		}
		records, err := codectest.Collect(t, gcf.Codec{}.Records(reader(bytes.NewReader(doc))))
		got := wire.Array(records...)
		if wantErr == nil && hasRecords {
			require.NoError(t, err, "%s: %q", name, doc)
			require.True(t, wire.Identical(want, got), "%s: %q\nwant %v\ngot  %v", name, doc, want, got)
			continue
		}
		if wantErr == nil {
			requireCode(t, err, "not_records")
			continue
		}
		require.Error(t, err, "%s: %q gives %v, not %v", name, doc, got, wantErr)
		var e, f *wire.Error
		require.ErrorAs(t, wantErr, &e)
		require.ErrorAs(t, err, &f, "%s: %q: %v", name, doc, err)
		if f.Code == "not_records" {
			continue // which is found first
		}
		if e.Code != f.Code {
			// The buffered decoder sees at once what a stream sees at its place.
			require.Contains(t, []string{"count_mismatch", "invalid_utf8", "duplicate_key"}, e.Code, "%s: %q: %v, but %v", name, doc, err, wantErr)
			continue
		}
		if e.Code != "count_mismatch" {
			require.Equal(t, e.Offset, f.Offset, "%s: %q: %v, but %v", name, doc, err, wantErr)
			require.Equal(t, e.Line, f.Line, "%s: %q", name, doc)
		}
	}
}

// streamDocuments are documents, right and wrong, that buffered and streamed
// reading must agree on.
var streamDocuments = []struct{ name, doc string }{
	{"object without members", "GCF profile=generic\n"},
	{"no line end", "GCF profile=generic"},
	{"scalar", "GCF profile=generic\n=5\n"},
	{"scalar and more", "GCF profile=generic\n=5\na=1\n"},
	{"scalar and a summary", "GCF profile=generic\n=5\n##! summary\n"},
	{"empty array", "GCF profile=generic\n## [0]\n"},
	{"list", "GCF profile=generic\n## [3]: a,b,c\n"},
	{"deferred list", "GCF profile=generic\n## [?]: a,b,c\n##! summary counts=3\n"},
	{"table", "GCF profile=generic\n## [2]{a,b}\n1|2\n3|~\n"},
	{"table with a byte order mark", "\ufeffGCF profile=generic\n## [2]{a,b}\n1|2\n3|~\n"},
	{"byte order mark in a later line", "GCF profile=generic\n## [2]{a,b}\n1|2\n\ufeff3|~\n"},
	{"CRLF", "GCF profile=generic\r\n## [2]{a,b}\r\n1|2\r\n\r\n3|~\r\n"},
	{"comments", "GCF profile=generic\n# c\n## [2]{a,b}\n# c\n1|2\n\n# c\n3|~\n# c\n"},
	{"a row too few", "GCF profile=generic\n## [2]{a,b}\n1|2\n"},
	{"a row too many", "GCF profile=generic\n## [1]{a,b}\n1|2\n3|4\n"},
	{"narrow row", "GCF profile=generic\n## [2]{a,b}\n1|2\n3\n"},
	{"deferred table", "GCF profile=generic\n## [?]{a,b}\n1|2\n3|~\n##! summary counts=2\n"},
	{"deferred table without a summary", "GCF profile=generic\n## [?]{a,b}\n1|2\n3|~\n"},
	{"deferred table with a wrong summary", "GCF profile=generic\n## [?]{a,b}\n1|2\n3|~\n##! summary counts=3\n"},
	{"summary with too many counts", "GCF profile=generic\n## [?]{a,b}\n1|2\n##! summary counts=1,1\n"},
	{"behind the summary", "GCF profile=generic\n## [?]{a,b}\n1|2\n##! summary counts=1\n1|2\n"},
	{"attachments", "GCF profile=generic\n## [2]{id,o,l}\n@0 1|^|^\n.o {}\n    x=1\n    y=2\n.l [2]{k}\n    1\n    2\n@1 2|^|-\n.o [?]: 1,2\n"},
	{"shared fields", "GCF profile=generic\n## [3]{id,l}\n@0 1|^\n.l [1]{k,m}\n    1|2\n@1 2|^\n.l [2]\n    1|2\n    3|4\n@2 3|^\n.l [1]\n    @0 =5\n"},
	{"shared fields without a column", "GCF profile=generic\n## [2]{c}\n@0 1\n.\"a>b\" [1]{k}\n    1\n@1 2\n.\"a>b\" [1]\n    2\n"},
	{"inline schema", "GCF profile=generic\n## [3]{id,o}\n@0 1|^{a,b,c}\n1|2|3\n@1 2|^\n4|5|6\n3|-\n"},
	{"two inline schemas and a table", "GCF profile=generic\n## [2]{x,o,p}\n@0 ^|^{a,b,d}|^{e,f,g}\n.x [1]: 1\n1|2|3\n4|5|6\n@1 7|^|-\n1|2|3\n"},
	{"missing attachment", "GCF profile=generic\n## [1]{o}\n@0 ^\n"},
	{"orphan attachment", "GCF profile=generic\n## [1]{o}\n@0 1\n.x {}\n"},
	{"orphan body", "GCF profile=generic\n## [2]{o,p}\n@0 ^{a,b,c}|1\n1|2|3\n4|5|6\n"},
	{"path columns", "GCF profile=generic\n## [2]{\"m>x\",\"m>y\"}\n1|2\n-|-\n"},
	{"field without a column", "GCF profile=generic\n## [2]{c}\n@0 2\n.\"a>b\" =1\n3\n"},
	{"expanded", "GCF profile=generic\n## [4]\n@0 =1\n@1 {}\n  a=1\n@2 [2]: 1,2\n@3 [1]\n  @0 =x\n"},
	{"expanded, deferred", "GCF profile=generic\n## [?]\n@0 =1\n@1 {}\n  a=1\n##! summary counts=2\n"},
	{"expanded, wrong id", "GCF profile=generic\n## [2]\n@0 =1\n@2 =1\n"},
	{"keyed map", "GCF profile=generic\n## [2:]{key,a}\nx|1\ny|2\n"},
	{"keyed map, deferred and empty", "GCF profile=generic\n## [?:]{key,a}\n##! summary counts=0\n"},
	{"keyed map with a key twice", "GCF profile=generic\n## [2:]{key,a}\nx|1\nx|2\n"},
	{"keyed map of none", "GCF profile=generic\n## [0:]{key,a}\n"},
	{"members", "GCF profile=generic\na=1\nb[2]: x,y\n## s\n  k=1\n  ## t [1]{a}\n  1\n## t [2]{a}\n1\n2\nc=3\n## u\n## m [2:]{key,a}\nx|1\ny|2\nd=-\n"},
	{"two deferred tables", "GCF profile=generic\n## a [?]{x}\n1\n2\n## b [?]{x}\n##! summary counts=2,0\n"},
	{"key after a deferred table", "GCF profile=generic\n## a [?]{x,y}\n1|2\nb=1\n"},
	{"key twice", "GCF profile=generic\na=1\n## a [1]{x}\n1\n"},
	{"key twice in a section", "GCF profile=generic\na=1\n## a\n"},
	{"stray line", "GCF profile=generic\na=1\nstray\n"},
	{"indented line", "GCF profile=generic\n  a=1\n"},
	{"indented behind a row", "GCF profile=generic\n## [1]{a}\n1\n  2\n"},
	{"tab", "GCF profile=generic\na=1\n\tb=1\n"},
	{"no header", "profile=generic\n"},
	{"later version", "GCF2 profile=generic\n"},
	{"delta", "GCF profile=generic delta=true base_root=a new_root=b key=id\n"},
	{"set", "GCF profile=generic pack_root=sha256:x key=id\n## rows [2]{@id,a}\n1|2\n2|3\n"},
	{"set with an identity twice", "GCF profile=generic pack_root=sha256:x key=id\n## rows [2]{@id,a}\n1|2\n1|3\n"},
	{"invalid UTF-8", "GCF profile=generic\na=1\nb=\xff\n"},
	{"attachment with a huge count", "GCF profile=generic\n## [1]{o}\n@0 ^\n.o [999999999]{x}\n    1\n"},
}

func TestStreamAgrees(t *testing.T) {
	for _, c := range streamDocuments {
		t.Run(c.name, func(t *testing.T) { requireStreamEqual(t, []byte(c.doc)) })
	}
}

// The vectors of the buffered codec, right and wrong, read as streams.
func TestStreamVectors(t *testing.T) {
	for _, tt := range encodeVectors {
		requireStreamEqual(t, []byte(header+tt.body))
	}
	for _, tt := range decodeVectors {
		requireStreamEqual(t, []byte(tt.doc))
	}
	for _, tt := range errorVectors {
		requireStreamEqual(t, []byte(tt.doc))
	}
}

// Every prefix of a document is refused, or read alike, by both decoders.
func TestStreamPrefixes(t *testing.T) {
	for _, c := range streamDocuments {
		if len(c.doc) > 200 {
			continue
		}
		for n := range len(c.doc) {
			requireStreamEqual(t, []byte(c.doc[:n]))
		}
	}
}

func TestStreamLong(t *testing.T) {
	var b strings.Builder
	const n = 20_000
	fmt.Fprintf(&b, "GCF profile=generic\n## rows [%d]{id,text,more}\n", n)
	for i := range n {
		switch {
		case i == 7777: // a row longer than a chunk, with what belongs to it
			fmt.Fprintf(&b, "@%d %d|x|^\n.more [9000]{k}\n", i, i)
			for j := range 9000 {
				fmt.Fprintf(&b, "    %d\n", j)
			}
		case i%3 == 0:
			fmt.Fprintf(&b, "@%d %d|text of row %d|^\n.more {}\n    k=%d\n", i, i, i, i)
		default:
			fmt.Fprintf(&b, "%d|text of row %d|-\n", i, i)
		}
	}
	b.WriteString("last=1\n")
	requireStreamEqual(t, []byte(b.String()))
}

func TestRecordTooLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("GCF profile=generic\n## [1]{more}\n@0 ^\n.more [200000]{k}\n")
	for j := range 200_000 {
		fmt.Fprintf(&b, "    %d\n", j)
	}
	records, err := codectest.Collect(t, gcf.Codec{Limits: wire.Limits{LineBytes: 1000}}.Records(strings.NewReader(b.String())))
	require.Empty(t, records)
	require.ErrorIs(t, err, wire.ErrLimit)
}

func TestStreamReaderError(t *testing.T) {
	r := io.MultiReader(strings.NewReader("GCF profile=generic\n## [?]{a}\n1\n2\n"), iotest.ErrReader(io.ErrClosedPipe))
	records, err := codectest.Collect(t, gcf.Codec{}.Records(r))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Len(t, records, 2, "nothing can go on in either")
}

// mustObject returns the object of a JSON text.
func mustParse(t testing.TB, text string) wire.Value {
	v := codectest.JSON(t, text)
	return v
}

func TestRecordWriter(t *testing.T) {
	keys := codectest.Keys(t, "id", "name", "tags", "o", "a,b")
	records := []string{
		`{"id":1,"name":"x|y","tags":null,"o":5,"a,b":true}`,
		`{"name":"second","id":2}`,
		`{"id":3,"tags":[1,2],"o":{"k":{"deep":[{"x":1},{"x":2}]}},"a,b":""}`,
		`{"id":4,"tags":[],"o":{},"name":"^"}`,
		`{"id":5,"tags":[[1],{"a":1}],"o":{"p":{"x":1},"q":{"x":2}}}`,
		`{"id":6,"o":[{"m":1},{"m":2}],"tags":[{"m":3}]}`,
		`{"id":7,"o":[{"m":1}],"tags":"7"}`,
		`{}`,
	}
	for name, c := range map[string]struct {
		keys *wire.Keys
		more []string
	}{
		"table":    {keys, nil},
		"expanded": {nil, []string{`5`, `"s"`, `null`, `[]`, `[1,"a"]`, `[{"a":1}]`, `{"other":1}`}},
	} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			w, err := gcf.Codec{}.NewRecordWriter(&buf, c.keys)
			require.NoError(t, err)
			var want []wire.Value
			for _, text := range append(records, c.more...) {
				v := mustParse(t, text)
				want = append(want, v)
				require.NoError(t, w.Write(v))
			}
			require.NoError(t, w.Close())
			require.NoError(t, w.Close())
			require.Error(t, w.Write(want[0]))
			doc := buf.Bytes()
			whole := codectest.Decoded(t, gcf.Codec{}, doc)
			require.True(t, wire.Equal(wire.Array(want...), whole), "%s\ngot %v", doc, whole)
			for name, reader := range readers {
				got := codectest.All(t, gcf.Codec{}.Records(reader(bytes.NewReader(doc))))
				require.True(t, wire.Identical(whole, wire.Array(got...)), name)
			}
			requireStreamEqual(t, doc)
		})
	}
}

func TestRecordWriterBytes(t *testing.T) {
	keys := codectest.Keys(t, "id", "tags")
	var buf bytes.Buffer
	w, err := gcf.Codec{}.NewRecordWriter(&buf, keys)
	require.NoError(t, err)
	for _, text := range []string{`{"id":1,"tags":["a","b"]}`, `{"id":"2"}`} {
		require.NoError(t, w.Write(mustParse(t, text)))
	}
	require.NoError(t, w.Close())
	require.Equal(t, "GCF profile=generic\n## [?]{id,tags}\n@0 1|^\n.tags [2]: a,b\n\"2\"|~\n##! summary counts=2\n", buf.String())
}

func TestRecordWriterEmpty(t *testing.T) {
	keys := codectest.Keys(t, "id")
	for _, keys := range []*wire.Keys{nil, keys} {
		var buf bytes.Buffer
		w, err := gcf.Codec{}.NewRecordWriter(&buf, keys)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		v := codectest.Decoded(t, gcf.Codec{}, buf.Bytes())
		require.True(t, wire.Identical(wire.Array(), v))
		for range (gcf.Codec{}).Records(&buf) {
			t.Fatal("an element of an empty array")
		}
	}
}

// TestRecordWriterPaths: keys with ">" are path columns, which a whole document has, too; a
// record that does not go into them leaves nothing.
func TestRecordWriterPaths(t *testing.T) {
	keys := codectest.Keys(t, "id", "user>id", "user>pos>x", "user>pos>y", "tags")
	records := mustParse(t, `[{"id":1,"user":{"id":"a|b","pos":{"x":1,"y":null}},"tags":null},{"id":2,"user":{"id":null,"pos":{"x":2.5,"y":3}},"tags":"t"},
		{"id":3},{"user":null,"id":4},{"user":{"id":5,"pos":{"x":6,"y":7}},"id":5,"tags":["v",[1]]}]`)
	bad := mustParse(t, `[{"id":1,"user":5},{"id":1,"user":[]},{"id":1,"user":{}},{"id":1,"user":{"id":1}},{"id":1,"user":{"pos":{"x":1,"y":2},"id":1}},{"id":1,"user":{"id":null,"pos":{"x":null,"y":null}}},
		{"id":1,"user":{"id":1,"pos":{"x":1,"y":[]}}},{"id":1,"user":{"id":{},"pos":{"x":1,"y":2}}},{"id":1,"user":{"id":1,"pos":2}}]`)
	var buf bytes.Buffer
	w, err := gcf.Codec{}.NewRecordWriter(&buf, keys)
	require.NoError(t, err)
	for record := range records.Elements() {
		require.NoError(t, w.Write(record))
		for misfit := range bad.Elements() {
			err := w.Write(misfit)
			requireCode(t, err, "path_mismatch")
			require.Equal(t, fmt.Sprintf("/%d/user", w.Written()), codectest.Error(t, err).Path())
		}
		requireCode(t, w.Write(mustParse(t, `{"user>id":1}`)), "unsupported_field")
	}
	require.NoError(t, w.Close())
	require.Equal(t, `GCF profile=generic
## [?]{id,"user>id","user>pos>x","user>pos>y",tags}
1|"a|b"|1|-|-
2|-|2.5|3|t
3|~|~|~|~
4|-|-|-|~
@4 5|5|6|7|^
.tags [2]
    @0 =v
    @1 [1]: 1
##! summary counts=5
`, buf.String())
	read, err := codectest.Collect(t, gcf.Codec{}.Records(&buf))
	require.NoError(t, err)
	require.True(t, wire.Equal(records, wire.Array(read...)))
	for _, workers := range []int{1, 3} {
		var out bytes.Buffer
		text := strings.Repeat(`{"id":2,"user":{"id":null,"pos":{"x":2.5,"y":3}},"tags":"t"}`+"\n", 3000)
		_, err := wire.Transcoder{From: jsonl.Codec{}, To: gcf.Codec{}, Keys: keys, Workers: workers}.Transcode(t.Context(), &out, strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, 3000, strings.Count(out.String(), "2|-|2.5|3|t\n"))
	}
}

func TestRecordWriterRefuses(t *testing.T) {
	for _, names := range [][]string{{">a"}, {"a>"}, {"a>b>"}, {"a>>b"}, {"a", "a>b"}, {"a>b", "c", "a>d"}, {"a>b", "a>b>c"}, {strings.Repeat("a>", 17) + "b"}} {
		_, err := gcf.Codec{}.NewRecordWriter(io.Discard, codectest.Keys(t, names...))
		requireCode(t, err, "unsupported_field")
	}
	_, err := gcf.Codec{NoFlatten: true}.NewRecordWriter(io.Discard, codectest.Keys(t, "a>b"))
	requireCode(t, err, "unsupported_field")
	keys := codectest.Keys(t, "a")
	for _, c := range []struct {
		name, record, code string
		limits             wire.Limits
	}{
		{name: "a scalar", record: `5`, code: "not_an_object"},
		{name: "a member of another name", record: `{"a":1,"b":2}`, code: "unknown_member"},
		{name: "a number outside the domain", record: `{"a":9223372036854775808}`, code: "out_of_range"},
		{name: "nesting", record: `{"a":[[[[1]]]]}`, code: "too_deep", limits: wire.Limits{Depth: 4}},
		{name: "length", record: `{"a":"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789"}`, code: "output_too_long", limits: wire.Limits{OutputBytes: 20}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var buf bytes.Buffer
			w, err := gcf.Codec{Limits: c.limits}.NewRecordWriter(&buf, keys)
			require.NoError(t, err)
			err = w.Write(mustParse(t, c.record))
			requireCode(t, err, c.code)
			require.NoError(t, w.Write(mustParse(t, `{"a":1}`)))
			require.NoError(t, w.Close())
			require.Equal(t, "GCF profile=generic\n## [?]{a}\n1\n##! summary counts=1\n", buf.String())
		})
	}
}

func TestRecordsRefuses(t *testing.T) {
	for _, doc := range []string{
		"GCF profile=generic\na=1\n",
		"GCF profile=generic\n=1\n",
		"GCF profile=generic\n## [2:]{key,a}\nx|1\ny|2\n",
		"GCF profile=generic\n## a [1]{x}\n1\n## b [1]{x}\n1\n",
	} {
		_, last := codectest.Collect(t, gcf.Codec{}.Records(strings.NewReader(doc)))
		requireCode(t, last, "not_records")
	}
}

func requireCode(t *testing.T, err error, code string) {
	t.Helper()
	e := codectest.Refused(t, err, code, nil)
	require.NotEmpty(t, e.Message)
	require.NotNil(t, e.Kind)
}

func TestGenericStreamEncoder(t *testing.T) {
	var buf bytes.Buffer
	e := gcf.Codec{}.NewStreamEncoder(&buf, "export")
	one := wire.Int(1)
	require.NoError(t, e.Member("version", one))
	require.NoError(t, e.Member("tags", mustParse(t, `["a","b"]`)))
	require.NoError(t, e.BeginTable("my rows", "id", "a,b", "note"))
	require.NoError(t, e.Row(one, wire.String("x|y"), wire.Null()))
	require.NoError(t, e.Record(mustParse(t, `{"note":"n","id":2}`)))
	require.NoError(t, e.EndTable())
	require.NoError(t, e.Member("nested", mustParse(t, `{"deep":1}`)))
	require.NoError(t, e.Member("last", one))
	require.NoError(t, e.Member("block", mustParse(t, `[{"a":1}]`)))
	require.NoError(t, e.BeginTable("empty", "x"))
	require.NoError(t, e.Close())
	require.NoError(t, e.Close())
	require.Equal(t, `GCF profile=generic tool=export
version=1
tags[2]: a,b
## "my rows" [?]{id,"a,b",note}
1|"x|y"|-
2|~|n
## nested
  deep=1
last=1
## block [1]{a}
1
## empty [?]{x}
##! summary counts=2,0
`, buf.String())
	got, err := gcf.DecodeGeneric(buf.Bytes())
	require.NoError(t, err)
	require.True(t, wire.Identical(mustParse(t, `{"version":1,"tags":["a","b"],"my rows":[{"id":1,"a,b":"x|y","note":null},{"id":2,"note":"n"}],
		"nested":{"deep":1},"last":1,"block":[{"a":1}],"empty":[]}`), got), got.String())
	requireStreamEqual(t, buf.Bytes())
}

func TestGenericStreamRefuses(t *testing.T) {
	one := wire.Int(1)
	type enc = *gcf.GenericStreamEncoder
	table := func(e enc) error { return e.BeginTable("t", "a", "b") }
	rows := func(e enc) error {
		if err := table(e); err != nil {
			return err
		}
		if err := e.Row(one, one); err != nil {
			return err
		}
		return e.EndTable()
	}
	for _, c := range []struct {
		name, code    string
		before, wrong func(enc) error
	}{
		{"a scalar behind a table", "member_after_rows", rows, func(e enc) error { return e.Member("k", one) }},
		{"a list behind a table", "member_after_rows", rows, func(e enc) error { return e.Member("k", wire.Array(one)) }},
		{"a name twice", "duplicate_key", rows, table},
		{"a member in a table", "table_open", table, func(e enc) error { return e.Member("k", one) }},
		{"a table in a table", "table_open", table, func(e enc) error { return e.BeginTable("u", "a") }},
		{"a narrow row", "row_width_mismatch", table, func(e enc) error { return e.Row(one) }},
		{"a nested value", "nested_value", table, func(e enc) error { return e.Row(one, wire.Array(one)) }},
		{"a nested value in a record", "nested_value", table, func(e enc) error { return e.Record(mustParse(t, `{"a":{}}`)) }},
		{"an unknown member", "unknown_member", table, func(e enc) error { return e.Record(mustParse(t, `{"c":1}`)) }},
		{"a row without a table", "no_table", rows, func(e enc) error { return e.Row(one, one) }},
		{"the end of no table", "no_table", rows, func(e enc) error { return e.EndTable() }},
		{"a path as a field", "unsupported_field", rows, func(e enc) error { return e.BeginTable("u", "a>b") }},
		{"a field twice", "duplicate_field_name", rows, func(e enc) error { return e.BeginTable("u", "a", "a") }},
		{"no fields", "missing_fields", rows, func(e enc) error { return e.BeginTable("u") }},
		{"invalid UTF-8", "invalid_utf8", table, func(e enc) error { return e.Row(one, wire.String("\xff")) }},
		{"a number outside the domain", "out_of_range", table, func(e enc) error { return e.Row(one, mustParse(t, `1e999`)) }},
		{"anything behind the end", "closed", func(e enc) error { return e.Close() }, func(e enc) error { return e.Member("k", one) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var buf bytes.Buffer
			e := gcf.Codec{}.NewStreamEncoder(&buf, "")
			require.NoError(t, c.before(e))
			before := buf.String()
			err := c.wrong(e)
			requireCode(t, err, c.code)
			require.Equal(t, before, buf.String())
			if c.code != "closed" {
				require.Equal(t, err, e.Close(), "an error stays")
				require.Equal(t, before, buf.String())
			}
		})
	}
	e := gcf.Codec{}.NewStreamEncoder(io.Discard, "two words")
	requireCode(t, e.Close(), "invalid_header_value")
}

// TestStreamErrorPaths: what is wrong with a row has the path in a stream that it has in
// the whole document, and what gets too long has that of its member.
func TestStreamErrorPaths(t *testing.T) {
	path := func(err error) string {
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		return e.Code + " " + e.Path()
	}
	for doc, want := range map[string]string{
		"GCF profile=generic key=id\n## [?]{@id,a}\n1|x\n1|y\n":    "duplicate_identity /1",
		"GCF profile=generic key=id\n## [2]{@id,a}\n@0 1|^\n1|2\n": "missing_attachment /0/a",
	} {
		_, err := gcf.Codec{}.Decode([]byte(doc))
		require.Equal(t, want, path(err))
		var last error
		for _, last = range (gcf.Codec{}).Records(strings.NewReader(doc)) {
		}
		require.Equal(t, want, path(last))
	}
	keys, err := wire.NewKeys("a", "b")
	require.NoError(t, err)
	w, err := gcf.Codec{Limits: wire.Limits{OutputBytes: 100}}.NewRecordWriter(io.Discard, keys)
	require.NoError(t, err)
	err = w.Write(wire.ObjectOf(keys, wire.Int(1), wire.String(strings.Repeat("x", 200))))
	require.Equal(t, wire.CodeOutputTooLong+" /0/b", path(err))
	require.NoError(t, w.Write(wire.ObjectOf(keys, wire.Int(1), wire.Array(wire.Int(2)))))
	require.NoError(t, w.Close())
}

// TestRefusedRecords: a stream that goes on after records that were refused holds nothing
// of them, with columns and without.
func TestRefusedRecords(t *testing.T) {
	names := make([]string, 500)
	for i := range names {
		names[i] = fmt.Sprint("k", i)
	}
	wide, err := wire.NewKeys(names...)
	require.NoError(t, err)
	last, err := wire.Number("1e999")
	require.NoError(t, err)
	members := make([]wire.Value, len(names))
	members[len(names)-1] = last
	one, err := wire.NewKeys("a")
	require.NoError(t, err)
	row := wire.ObjectOf(wide, members...)
	record := wire.ObjectOf(one, wire.Array(row, row))
	for _, keys := range []*wire.Keys{nil, one} {
		growth.Bytes(t, 1<<20, func() {
			w, err := gcf.Codec{}.NewRecordWriter(io.Discard, keys)
			require.NoError(t, err)
			for range 200 {
				requireCode(t, w.Write(record), "out_of_range")
			}
			require.NoError(t, w.Close())
		})
	}
}
