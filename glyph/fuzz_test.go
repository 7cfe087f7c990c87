package glyph_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func seedTexts(f *testing.F) {
	for _, c := range allVectors() {
		f.Add([]byte(newlines(c.text)))
		f.Add([]byte(c.json))
	}
	for _, c := range parseVectors {
		f.Add([]byte(c.text))
	}
	for _, c := range errorVectors {
		f.Add([]byte(c.text))
	}
}

// FuzzDecode holds that the parser never panics, that JSON is read as JSON is,
// and that what was read comes back.
func FuzzDecode(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := glyph.Codec{}.Decode(src)
		codectest.SameAny(t, glyph.Codec{}, src)
		if json, jsonErr := wire.ParseJSON(src); jsonErr == nil && (err != nil || !wire.Identical(json, v)) {
			t.Fatalf("JSON is not read as JSON: %v %v", v, err)
		}
		if err != nil {
			codectest.Placed(t, err, src)
			if v.Kind() != wire.KindNull {
				t.Fatal(v)
			}
			return
		}
		text, err := glyph.Codec{}.AppendEncode(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := glyph.Codec{}.Decode(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if loss, path := wire.Difference(v, back); loss != 0 {
			t.Fatalf("%v at %s\n%s", loss, path, text)
		}
		if text, err = exact.AppendEncode(nil, v); err != nil {
			t.Fatal(err)
		}
		if back, err = exact.Decode(text); err != nil || glyph.FingerprintExact(v) != glyph.FingerprintExact(back) {
			t.Fatalf("%v\n%v\n%v", err, v, back)
		}
		for _, c := range []glyph.Codec{canonical, corpus, upstream, exact, {MinRows: 1}} {
			codectest.Fixpoint(t, c, v, wire.ErrRange)
		}
	})
}

// FuzzChunks holds that reading row by row is reading the whole.
func FuzzChunks(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if !bytes.HasPrefix(bytes.TrimLeft(src, " \r\n\t"), []byte("@tab")) {
			return
		}
		rows := codectest.Records(t, glyph.Codec{}, src)
		// A lenient reader gives at least the rows before the fault.
		n := 0
		for _, e := range (glyph.Codec{Lenient: true}).TableRows(bytes.NewReader(src)) {
			if e == nil {
				n++
			}
		}
		if n < rows {
			t.Fatalf("lenient %d rows, strict %d", n, rows)
		}
	})
}

func FuzzPatch(f *testing.F) {
	f.Add(documentPatch, `{"score":1,"events":[]}`)
	for _, c := range patchVectors {
		f.Add("@patch @keys=wire\n"+c.ops+"\n@end", c.base)
	}
	f.Fuzz(func(t *testing.T, text, base string) {
		patch, err := glyph.ParsePatch(text, nil)
		if err != nil {
			return
		}
		printed, err := patch.AppendText(nil)
		if err != nil {
			if !errors.Is(err, wire.ErrRange) {
				t.Fatal(err)
			}
			return
		}
		again, err := glyph.ParsePatch(string(printed), nil)
		if err != nil || again.String() != string(printed) {
			t.Fatalf("%v\n%s\n%s", err, printed, again)
		}
		v, err := wire.ParseJSON([]byte(base))
		if err != nil {
			return
		}
		patch.Base, again.Base = "", ""
		one, oneErr := patch.Apply(v)
		two, twoErr := again.Apply(v)
		if (oneErr == nil) != (twoErr == nil) || !wire.Equal(one, two) {
			t.Fatalf("%v %v\n%v %v", one, oneErr, two, twoErr)
		}
	})
}

func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":null}]}`, `{"a":[2,{"b":1}],"c":"x"}`)
	f.Add(`[1,2,3]`, `[0,1,3]`)
	f.Fuzz(func(t *testing.T, a, b string) {
		from, err := wire.ParseJSON([]byte(a))
		if err != nil {
			return
		}
		to, err := wire.ParseJSON([]byte(b))
		if err != nil {
			return
		}
		if _, err := canonical.AppendEncode(nil, from); err != nil {
			return // no fingerprint
		}
		requireDiff(t, from, to)
	})
}

func FuzzSchema(f *testing.F) {
	f.Add("x", "y", `{"name":"x","port":1}`)
	f.Add("x", "a b", `{"x":{"y":{}}}`)
	f.Add("x", "#0", `{"x":{"a":{"#0":[1]}},"more":1}`)
	f.Fuzz(func(t *testing.T, first, second, value string) {
		s := glyph.NewSchemaBuilder().
			AddStruct("B", "", glyph.Field(second, glyph.ListType(glyph.PrimitiveType("int")))).
			AddOpenStruct("A", "v1", glyph.Field(first, glyph.MapType(glyph.PrimitiveType("str"), glyph.RefType("B"))).Optional()).
			Build()
		if v, err := wire.ParseJSON([]byte(value)); err == nil {
			strict, normal := glyph.ValidateStrict(v, s), glyph.ValidateWithSchema(v, s)
			if len(strict.Errors) != len(normal.Errors)+len(normal.Warnings) {
				t.Fatalf("%v\n%v", strict, normal)
			}
		}
	})
}

func FuzzPayload(f *testing.F) {
	f.Add("@schema#x @keys=[a b]\n{#0=1}", "{#1=[{#0=2}]}")
	f.Add("@schema#x @keys=[\"#0\" t]\n@tab _ [#0]\n|1|\n@end", "@schema#x {}")
	f.Fuzz(func(t *testing.T, first, second string) {
		registry := glyph.NewSchemaRegistry()
		for _, text := range []string{first, second} {
			v, ctx, err := glyph.ParseLoosePayload(text, registry)
			if err != nil || ctx == nil {
				continue
			}
			out, err := glyph.Codec{Schema: ctx}.AppendEncode(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			back, _, err := glyph.ParseLoosePayload(string(out), nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if loss, path := wire.Difference(v, back); loss != 0 {
				t.Fatalf("%v at %s\n%s", loss, path, out)
			}
		}
	})
}

func FuzzSniff(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		if !strings.Contains(string(src), "@schema") {
			codectest.NotJSON(t, glyph.Codec{}, src)
		}
	})
}
