package tron_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/tron"
	"github.com/wirekit/wirekit/wire"
)

func TestConformance(t *testing.T) {
	conformance.Suite{Codec: tron.Codec{}, WithLimits: func(l wire.Limits) wire.Codec { return tron.Codec{Limits: l} }}.Run(t)
}

func TestVectors(t *testing.T) {
	for _, c := range writeVectors {
		v := codectest.JSON(t, c.json)
		require.Equal(t, text(c), string(codectest.Encoded(t, tron.Codec{}, v)), c.json)
	}
	for _, c := range append(writeVectors, readVectors...) {
		for _, src := range []string{text(c), strings.ReplaceAll(text(c), "\n", "\r\n"), "\ufeff# c\n" + strings.TrimPrefix(text(c), "\ufeff") + " # end"} {
			require.True(t, wire.Identical(codectest.JSON(t, c.json), codectest.Decoded(t, tron.Codec{}, src)), "%q", src)
			codectest.Records(t, tron.Codec{}, []byte(src))
			codectest.SameAny(t, tron.Codec{}, []byte(src))
			codectest.SameLent(t, tron.Codec{}, []byte(src))
		}
	}
}

func text(c vector) string {
	if c.text == "" {
		return c.json
	}
	return c.text
}

func TestFaults(t *testing.T) {
	for _, c := range faults {
		for _, bom := range []string{"", "\ufeff"} {
			v, err := tron.Codec{}.Decode([]byte(bom + c.text))
			e := codectest.Refused(t, err, c.code, c.kind)
			require.Equal(t, wire.KindNull, v.Kind())
			require.Equal(t, "tron", e.Format)
			column := c.column
			if c.line == 1 && bom != "" {
				column++
			}
			require.Equal(t, []any{c.line, column, c.path}, []any{e.Line, e.Column, e.Path()}, "%q: %v", c.text, err)
		}
		codectest.Records(t, tron.Codec{}, []byte(c.text))
	}
}

// TestFaultsInRecords: faults in an element are where they are in the document, in whatever
// pieces that comes.
func TestFaultsInRecords(t *testing.T) {
	trials.OneGoroutine(t)
	for _, element := range []string{"B(1)", "A(1)", "A(1,2,3)", "[1,,2]", "{\"é\":[A(1,x)]}", "A(\n1,\n  -)", "A(1,#é\n{\"k\":01},)", "A(b=1,1)", "\"\\x\"", "A(1 2)", "", "1 2", "A(1,2))", "}"} {
		whole := 0 // elements before the fault
		if element == "A(1,2))" {
			whole = 1
		}
		for before, n := range map[string]int{"": 0, "A(1,2),": 1, "\"é\",\n [1],": 2, "# é,\n1,": 1, "\"" + strings.Repeat("long ", 10_000) + "\",\"é\",\n2,": 3} {
			for _, end := range []string{",1]", "]", "", "\n,1"} {
				src := "class A: a,b\n\n[" + before + element + end
				if element == "" && !strings.HasPrefix(end, ",") {
					continue
				}
				_, err := tron.Codec{}.Decode([]byte(src))
				want := codectest.Error(t, err)
				for _, r := range faulty.Readers([]byte(src)) {
					records, err := codectest.Collect(t, tron.Codec{}.Records(r))
					got := codectest.Error(t, err)
					require.Len(t, records, n+whole, src)
					require.Equal(t, []int{want.Line, want.Column, want.Offset}, []int{got.Line, got.Column, got.Offset}, "%v\n%v", want, got)
				}
			}
		}
	}
}

// TestLineBytes: a record is as long as LineBytes at most, in whatever pieces it comes.
func TestLineBytes(t *testing.T) {
	src := []byte(`["aaaa","bbbbbb","cc"]`)
	for most, n := range map[int]int{5: 0, 6: 1, 7: 1, 8: 3} {
		for _, r := range faulty.Readers(src) {
			c := tron.Codec{Limits: wire.Limits{LineBytes: most}}
			records, err := codectest.Collect(t, c.Records(r))
			require.Len(t, records, n)
			if n < 3 {
				e := codectest.Refused(t, err, wire.CodeLineTooLong, wire.ErrLimit)
				require.Equal(t, []int{1, []int{2, 9}[n] + most}, []int{e.Line, e.Column})
			}
		}
	}
}

// TestAnywhere: comments, and commas at the ends of lists, change nothing, between any two
// tokens of the value.
func TestAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range writeVectors {
		src := text(c)
		head := strings.Index(src, "\n\n") + 1
		for range 20 {
			out, inString := []byte(src[:head]), false
			for i := head; i < len(src); i++ {
				b := src[i]
				if !inString && strings.IndexByte("]})", b) >= 0 && strings.IndexByte("[{(", src[i-1]) < 0 && r.IntN(2) == 0 {
					out = append(out, []string{",", " , ", ",# ,\"]\n"}[r.IntN(3)]...)
				}
				if !inString && strings.IndexByte("[]{}(),:", b) >= 0 && r.IntN(2) == 0 {
					out = append(out, []string{" ", "# [,\"\n", "\t#\r\n\n"}[r.IntN(3)]...)
				}
				if b == '"' && (i == 0 || src[i-1] != '\\') {
					inString = !inString
				}
				out = append(out, b)
			}
			require.True(t, wire.Identical(codectest.JSON(t, c.json), codectest.Decoded(t, tron.Codec{}, out)), "%s", out)
			codectest.Records(t, tron.Codec{}, out)
			codectest.SameAny(t, tron.Codec{}, out)
		}
	}
}

// TestPayloads: on answers of programs, texts take as few tokens as they did, and nothing is
// larger than compact JSON.
func TestPayloads(t *testing.T) {
	sum := 0
	for _, p := range payload.All() {
		text := codectest.Encoded(t, tron.Codec{}, p.Value)
		require.True(t, wire.Identical(p.Value, codectest.Decoded(t, tron.Codec{}, text)), p.Kind)
		require.LessOrEqual(t, len(text), len(p.JSON), p.Kind)
		n := count(t, text)
		require.LessOrEqual(t, n, count(t, p.JSON), p.Kind)
		sum += n
	}
	require.LessOrEqual(t, sum, 412_000)
}

func count(t *testing.T, text []byte) int {
	n, err := tokens.O200k{}.Count(text)
	require.NoError(t, err)
	return n
}

// TestPieces: nor are parts of these answers, lists and the first and last of their elements.
func TestPieces(t *testing.T) {
	pieces := 0
	check := func(v wire.Value) {
		json := wire.AppendJSON(nil, v)
		text := codectest.Encoded(t, tron.Codec{}, v)
		require.LessOrEqual(t, len(text), len(json))
		if bytes.Equal(text, json) || len(json) < 40 || len(json) > 3000 {
			return
		}
		if pieces++; !testing.Short() || pieces%5 == 0 {
			require.LessOrEqual(t, count(t, text), count(t, json), "%s", text)
		}
	}
	var visit func(v wire.Value)
	visit = func(v wire.Value) {
		if v.Kind() == wire.KindArray {
			elements := make([]wire.Value, v.Len())
			for i := range elements {
				elements[i] = v.Index(i)
			}
			check(v)
			for n := 2; n <= 16 && n < len(elements); n++ {
				check(wire.Array(elements[:n]...))
				check(wire.Array(elements[len(elements)-n:]...))
			}
		}
		for i := 0; v.Kind() >= wire.KindArray && i < v.Len(); i++ {
			visit(v.Index(i))
		}
	}
	for _, p := range payload.All() {
		visit(p.Value)
	}
	require.Greater(t, pieces, 1614)
	t.Log(pieces, "pieces with classes")
}

// TestKeys: objects have one class only if their keys are the same, one by one, and in that
// order, and any keys come back.
func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	key := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString([]string{",", "\"", " ", "\n", "a", "b", "é", "class", "true", "1", "_", "(", "\\", ":", "#", "\u2028"}[r.IntN(16)])
		}
		return b.String()
	}
	for range 400 {
		var shapes [][]wire.Member
		for range 1 + r.IntN(4) {
			var members []wire.Member
			for range 1 + r.IntN(4) {
				if k := key(); !has(members, k) {
					members = append(members, wire.Member{Key: k, Value: wire.Int(int64(r.IntN(9)))})
				}
			}
			shapes = append(shapes, members)
		}
		var rows []wire.Value
		for range r.IntN(30) {
			o, err := wire.Object(shapes[r.IntN(len(shapes))]...) // each with keys of its own
			require.NoError(t, err)
			rows = append(rows, o)
		}
		v := wire.Array(rows...)
		text := codectest.Fixpoint(t, tron.Codec{}, v)
		require.True(t, wire.Identical(v, codectest.Decoded(t, tron.Codec{}, text)))
		require.LessOrEqual(t, len(text), len(wire.AppendJSON(nil, v)))
		require.Equal(t, string(text), string(codectest.Encoded(t, tron.Codec{}, v.Clone())), "keys that are shared make no difference")
	}
}

func has(members []wire.Member, key string) bool {
	for _, m := range members {
		if m.Key == key {
			return true
		}
	}
	return false
}

// TestManyClasses: names go on after Z, and all come back.
func TestManyClasses(t *testing.T) {
	var src strings.Builder
	for i := range 60 * 4 {
		fmt.Fprintf(&src, `,{"id%[1]d":1,"name%[1]d":2}`, i%60)
	}
	v := codectest.JSON(t, "["+src.String()[1:]+"]")
	text := string(codectest.Fixpoint(t, tron.Codec{}, v))
	for _, line := range []string{"class A: id0,name0\n", "\nclass Z: id25,name25\n", "\nclass A1: id26,name26\n", "\nclass Z1: id51,name51\n", "\nclass A2: id52,name52\n"} {
		require.Contains(t, text, line)
	}
}

// TestStream writes what it says: classes of the columns and of the first record.
func TestStream(t *testing.T) {
	for _, c := range []struct {
		columns []string
		records []string
		text    string
	}{
		{nil, nil, "[]"}, {[]string{"a"}, nil, "[]"},
		{nil, []string{`{"a":1}`, `{"a":2}`, `{"b":3}`, `7`}, "class A: a\n\n[A(1),A(2),{\"b\":3},7]"},
		{nil, []string{`[1]`, `{"a":2}`}, "[[1],{\"a\":2}]"},
		{[]string{"a", "b"}, []string{`{"a":1}`, `{"a":1,"b":{"c":1}}`, `{"b":1,"a":1}`}, "class A: a,b\n\n[{\"a\":1},A(1,{\"c\":1}),{\"b\":1,\"a\":1}]"},
		{nil, []string{`{"a":{"x":1,"y":[{"x":2,"y":{"z":0}}]}}`, `{"a":{"y":1,"x":1}}`}, "class A: a\nclass B: x,y\n\n[A(B(1,[B(2,{\"z\":0})])),A({\"y\":1,\"x\":1})]"},
	} {
		var keys *wire.Keys
		if c.columns != nil {
			keys = codectest.Keys(t, c.columns...)
		}
		var out bytes.Buffer
		w, err := tron.Codec{}.NewRecordWriter(&out, keys)
		require.NoError(t, err)
		require.ErrorIs(t, w.Write(wire.String("\xff")), wire.ErrUTF8, "of which nothing is written")
		for _, r := range c.records {
			require.NoError(t, w.Write(codectest.JSON(t, r)))
		}
		require.NoError(t, w.Close())
		require.Equal(t, c.text, out.String())
		require.True(t, wire.Identical(codectest.JSON(t, "["+strings.Join(c.records, ",")+"]"), codectest.Decoded(t, tron.Codec{}, out.String())))
		require.Len(t, codectest.All(t, tron.Codec{}.Records(iotest.OneByteReader(&out))), len(c.records))
		require.Error(t, w.Write(wire.Null()), "after Close")
	}
	_, err := tron.Codec{}.NewRecordWriter(nil, codectest.Keys(t, "a\xff"))
	require.ErrorIs(t, err, wire.ErrUTF8)
}

// TestFlushed: records that were flushed are read before the error of what is missing.
func TestFlushed(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
	}{{"class A: a\n[A(1),A(2)", 2}, {"[{}, [1] # c\n", 2}, {"[\"a\"", 1}, {"[1,23", 1}, {"[1,{\"a\"", 1}, {"[", 0}, {"[null", 0}, {"[[],", 1}} {
		for _, r := range faulty.Readers([]byte(c.text)) {
			records, err := codectest.Collect(t, tron.Codec{}.Records(r))
			require.Len(t, records, c.n, c.text)
			require.ErrorIs(t, err, wire.ErrTruncated)
		}
	}
}

func TestSniff(t *testing.T) {
	for src, want := range map[string]bool{
		"class A: a\n\n[A(1)]": true, "\ufeff # c\n;class A:\n a\n b # c\n\n{\"x\":A(1,2)}": true, "class A: a;A (1)": true, "class A: a\n[A(1": true,
		"": false, "[1]": false, "class A: a": false, "class A: a\nb: c": false, "class A: a\nB(1)": false, "class A: a\n\"x\"": false, "class A: a\n5": false, "class: a\n[1]": false, "# c\n[1]": false,
	} {
		require.Equal(t, want, tron.Codec{}.Sniff([]byte(src)), src)
	}
	for _, c := range append(writeVectors, readVectors...) {
		codectest.NotJSON(t, tron.Codec{}, []byte(text(c)))
	}
}

type place struct {
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Note string `json:"note,omitempty"`
}

type route struct {
	Name string  `json:"name"`
	From place   `json:"from"`
	Via  []place `json:"via"`
	Any  any     `json:"any"`
}

// TestGoValues: what is marshalled is the text of the Value, and comes back, whole and as
// records.
func TestGoValues(t *testing.T) {
	routes := []route{
		{"a", place{1, 2, ""}, []place{{3, 4, ""}, {5, 6, "x"}}, map[string]any{"k": []any{"v"}}},
		{"b", place{1, 2, "y"}, nil, nil}, {"c", place{7, 8, ""}, []place{}, true}, {"d", place{7, 8, ""}, []place{}, "é\n"},
	}
	text, err := tron.Marshal(routes)
	require.NoError(t, err)
	v, err := wire.FromGo(routes)
	require.NoError(t, err)
	require.Equal(t, string(codectest.Encoded(t, tron.Codec{}, v)), string(text))
	require.True(t, strings.HasPrefix(string(text), "class A: name,from,via,any\nclass B: x,y\n\n[A(\"a\",B(1,2),[B(3,4),{\"x\":5"), string(text))
	var back []route
	require.NoError(t, tron.Unmarshal(text, &back))
	require.Equal(t, routes, back)
	var loose any
	require.NoError(t, tron.Unmarshal(append([]byte("# c\n"), text...), &loose))
	require.Equal(t, "b", loose.([]any)[1].(map[string]any)["name"])
	err = tron.Unmarshal([]byte("class A: name,from\n\n[A(\"a\",7)]"), &back)
	require.ErrorIs(t, err, wire.ErrType)
	e := codectest.Error(t, err)
	require.Equal(t, []any{"/0/from", 3, 8}, []any{e.Path(), e.Line, e.Column})

	var out bytes.Buffer
	enc := wire.NewEncoder[route](tron.Codec{}, &out)
	for _, r := range routes {
		require.NoError(t, enc.Encode(r))
	}
	require.NoError(t, enc.Close())
	require.True(t, strings.HasPrefix(out.String(), "class A: name,from,via,any\nclass B: x,y\n"), out.String())
	require.Equal(t, routes, codectest.All(t, wire.NewDecoder[route](tron.Codec{}, &out).All()))
}
