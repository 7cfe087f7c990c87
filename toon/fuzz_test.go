package toon_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

func seedTexts(f *testing.F) {
	for _, c := range readVectors {
		f.Add([]byte(c.text))
	}
	for _, c := range errorVectors {
		f.Add([]byte(c.text))
	}
	for _, c := range writeVectors {
		f.Add([]byte(c.text))
	}
}

// fuzzed are the configurations that write differently.
var fuzzed = []toon.Codec{
	{}, {Delimiter: '\t'}, {Delimiter: '|', Indent: 1}, {KeepOrder: true, KeepNumbers: true},
}

// FuzzDecode holds that decoding never panics, that a lenient decoder reads what
// a strict one reads, and that what was read comes back.
func FuzzDecode(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := toon.Codec{}.Decode(src)
		lenient, lenientErr := toon.Codec{Lenient: true}.Decode(src)
		codectest.Placed(t, err, src)
		codectest.Placed(t, lenientErr, src)
		codectest.SameAny(t, toon.Codec{}, src)
		codectest.SameAny(t, toon.Codec{Lenient: true}, src)
		if err != nil {
			if v.Kind() != wire.KindNull {
				t.Fatal(v)
			}
			if lenientErr != nil {
				return
			}
			v = lenient
		} else if lenientErr != nil || !wire.Identical(v, lenient) {
			t.Fatalf("%v\nlenient %v %v", v, lenient, lenientErr)
		}
		for _, c := range fuzzed {
			fixpoint(t, c, v)
		}
	})
}

// FuzzPlain holds that lines that are parsed in one pass are read as those that
// are taken apart: before a carriage return nothing is plain.
func FuzzPlain(f *testing.F) {
	seedTexts(f)
	for _, text := range []string{
		"[3]{a,b}:\n  1,x\n  2, y\n  -0,\"z\"\n", "[2]{a,b}:\n  x:1,2\n  1,x:2\n", "[2]{a}:\n  a:1\n", "[2]{a,b}:\n  1,\n  ,2\n",
		"[2:]{a,b{c}}:\n  x: 1,2\n  \"y: z\": 01,\"4\\n\"\n", "[1:]{a}:\n  x:\n", "[2:]{a}:\n  x: 1\n  x: 2\n", "[2|]{a|b{c|d}}:\n  1|2|3\n  x|y|\"z\"\n",
		"a: []\nb: []x\nc: \nd: 1 \n\"e\": \"\\\"\"\nf : true\ng\"h: 1\na: 2\n", "a[3]: 1.50,-,1e5\nb[2]:\n  - c: null\n    d: nul\n  # e\n  - f: x\n",
		"[1|]{a|b{c|c}}:\n  1|2|3\n",
		"[70]{a}:" + strings.Repeat("\n  7", 70), "[70]{a}:" + strings.Repeat("\n  7", 69), "[70]{a}:" + strings.Repeat("\n  7", 71),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if bytes.IndexByte(src, '\r') >= 0 {
			return
		}
		slow := append(bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")), '\r')
		for _, c := range []toon.Codec{{}, {Lenient: true}, {V3: true, Indent: 1}, {Limits: wire.Limits{Depth: 3, Values: 20}}} {
			v, err := c.Decode(src)
			want, wantErr := c.Decode(slow)
			if (err != nil) != (wantErr != nil) || err == nil && !wire.Identical(v, want) {
				t.Fatalf("%v %v\ntaken apart %v %v", v, err, want, wantErr)
			}
			var e, wantE *wire.Error
			if errors.As(err, &e) && errors.As(wantErr, &wantE) &&
				(e.Code != wantE.Code || e.Line != wantE.Line || e.Column != wantE.Column || e.Path() != wantE.Path()) {
				t.Fatalf("%v\ntaken apart %v", err, wantErr)
			}
		}
	})
}

// FuzzEncode is FuzzDecode for values that come from JSON.
func FuzzEncode(f *testing.F) {
	for _, c := range readVectors {
		f.Add([]byte(c.json))
	}
	for _, c := range writeVectors {
		f.Add([]byte(c.json))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := wire.ParseJSON(src)
		if err != nil {
			return
		}
		for _, c := range fuzzed {
			fixpoint(t, c, v)
		}
	})
}

// fixpoint holds that v comes back, and that its text has no line that no encoder
// writes.
func fixpoint(t *testing.T, c toon.Codec, v wire.Value) {
	t.Helper()
	text := codectest.Fixpoint(t, c, v, wire.ErrLimit)
	for _, line := range strings.Split(string(text), "\n") {
		if line != strings.TrimRight(line, " ") || line == "" && len(text) > 0 || strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
			t.Fatalf("a line that no encoder writes: %q", text)
		}
	}
}

// FuzzChunks holds that reading element by element is reading the whole.
func FuzzChunks(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, c := range []toon.Codec{{}, {Lenient: true}, {V3: true}} {
			codectest.Records(t, c, src)
		}
	})
}

// FuzzWriter holds that writing element by element writes what the whole would
// be, but for the order of members in rows that were gathered before the form
// was known.
func FuzzWriter(f *testing.F) {
	for _, c := range writeVectors {
		f.Add([]byte(c.json))
	}
	f.Add([]byte(`[{"a":1,"b":2},{"b":1.50,"a":2},{"a":[]}]`))
	f.Add([]byte(`[1,"x",{"a":1}]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := wire.ParseJSON(src)
		if err != nil || v.Kind() != wire.KindArray {
			return
		}
		for _, c := range fuzzed {
			var out bytes.Buffer
			w, err := c.NewRecordWriter(&out, nil)
			if err != nil {
				t.Fatal(err)
			}
			for e := range v.Elements() {
				if err := w.Write(e); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			back, err := c.Decode(out.Bytes())
			if err != nil || !wire.Equal(v, back) {
				t.Fatalf("%v\n%v\n%s", err, v, out.Bytes())
			}
			want, err := c.AppendEncode(nil, v)
			if err != nil || c.KeepOrder && string(want) != out.String() || len(want) != out.Len() {
				t.Fatalf("%v\n%s\n%s", err, want, out.Bytes())
			}
		}
	})
}

// FuzzTruncated holds that a table or list that is cut between its lines is
// noticed.
func FuzzTruncated(f *testing.F) {
	for _, c := range writeVectors {
		f.Add([]byte(c.json), 3)
	}
	f.Fuzz(func(t *testing.T, src []byte, at int) {
		v, err := wire.ParseJSON(src)
		if err != nil || v.Kind() != wire.KindArray || v.Len() < 2 {
			return
		}
		text, err := toon.Codec{}.AppendEncode(nil, v)
		lines := bytes.SplitAfter(text, []byte("\n"))
		if err != nil || len(lines) < 2 {
			return
		}
		cut := bytes.Join(lines[:1+int(uint(at)%uint(len(lines)-1))], nil)
		if _, err := (toon.Codec{}).Decode(cut); err == nil && len(lines) == v.Len()+1 {
			t.Fatalf("%q of %q is read", cut, text)
		}
	})
}

func FuzzSniff(f *testing.F) {
	seedTexts(f)
	f.Add([]byte(`[[1],{"a":2}]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		codectest.NotJSON(t, toon.Codec{}, src)
	})
}
