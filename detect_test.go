package wirekit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// own are answers that several formats write alike, or nearly.
var own = []string{
	`{"jsonrpc":"2.0","id":1,"result":{}}`,
	`{"status":"ok","error":null,"data":{},"meta":{"page":{}}}`,
	`{"number":12,"title":"Fix bug #12","state":"open"}`,
	`{"title":"a: b","note":"- c","path":"[x]","tag":"!go","at":"@x","star":"*"}`,
	`{"version":3,"services":{"web":{"image":"nginx","ports":["80:80"]}},"volumes":{"data":null}}`,
	`{"on":["push","pull_request"],"jobs":{"test":{"runs-on":"ubuntu-latest"}}}`,
	`{"a[2]":"x,y","b{c}":1,"[1]":2,"d:e":3,"- f":4}`,
	`{"type":"Program","start":0,"end":1.50,"body":{"kind":"it's","raw":"%d"}}`,
	`{"/tmp/x.js":{"path":"/tmp/x.js","s":{}},"/tmp/y.js":{"path":"` + "`y`" + `","s":{}}}`,
	`{"status":"success","data":{"items":["a","b"]}}`,
	`{"$schema":"https://example.com/s.json","bomFormat":"X","parts":[true,null]}`,
	`{"k":{"path":"a b","n":1},"l":{"path":"c","n":2}}`,
	`{"a b":{"c d":1,"e f":[1,2]},"g":"h"}`,
	`{"t":true,"f":false,"_":null}`, `{"-v":1,"<a>":2}`,
	`["a"]`, `["t","f"]`, `[true]`, `[null,null]`, `["- a","- b"]`, `["@header","GCF profile=generic"]`,
	`[1,2,3]`, `[1,"a",null,{"b":2}]`, `[{"a":1},2]`, `[[1,2],[3,4]]`, `[["a"],["b"]]`, `[[],[]]`, `[{},{}]`, `[{"a":{}},{"a":{}}]`,
	`[{"id":1}]`, `[{"id":1,"name":"Ada"},{"id":2,"name":"a,b"}]`, `[[[1]],[["x y"]]]`, `["a: b","c: d"]`, `["---","..."]`,
	`[1,2,3,4,5,6,7,8,"nine"]`, `[1.0,1e400,12345678901234567890]`, `[{"a":"x #y","b":"# z"},{"a":"'q'","b":"\"r\""}]`,
}

func answers(t *testing.T) map[string]wire.Value {
	all := make(map[string]wire.Value)
	for _, p := range payload.All() {
		all[p.Kind] = p.Value
	}
	for _, text := range own {
		v, err := wire.ParseJSON([]byte(text))
		require.NoError(t, err, text)
		all[text] = v
	}
	return all
}

// written returns the codecs whose texts Detect should know. What JSON Lines and CSV
// write of some values is a text of another format as well.
func written() []wire.Codec {
	var all []wire.Codec
	for _, c := range describe.All(wirekit.Registry()) {
		switch info := c.Info(); {
		case info.Binary && info.Name != "bcp", info.Name == "csv", info.Name == "goon", info.Name == "gcf-graph":
		default:
			all = append(all, c)
		}
	}
	return all
}

// alike reports whether the text of v in c's format is, byte for byte, one of
// another format too: one record of JSON Lines is JSON, nothing is any empty list.
func alike(c wire.Codec, v wire.Value) bool {
	info := c.Info()
	return v.Len() < 2 && (info.Name == "jsonl" || v.Kind() == wire.KindObject) || v.Len() == 0 && info.FullName() == "yaml:multi-document"
}

// TestDetectOwn: what this module wrote is read again without the name of its
// format, from the library's bytes and from the command's, which end with a line break.
func TestDetectOwn(t *testing.T) {
	trials.OneGoroutine(t)
	all := answers(t)
	require.Greater(t, len(all), 100)
	read := 0
	for _, c := range written() {
		for name, v := range all {
			text, err := c.AppendEncode(nil, v)
			if err != nil || alike(c, v) {
				continue
			}
			for _, src := range [][]byte{text, append(bytes.TrimSuffix(text, []byte("\n")), '\n')} {
				if c.Info().Binary {
					src = text
				}
				read++
				found, err := wirekit.Detect(src)
				if err != nil {
					t.Errorf("%s of %s: %v\n%.200q", c.Info().FullName(), name, err, src)
					continue
				}
				v2, err := found.Decode(src)
				if err != nil {
					t.Errorf("%s of %s is detected as %s: %v\n%.200q", c.Info().FullName(), name, found.Info().FullName(), err, src)
				} else if loss, at := wire.Difference(v, v2); loss&^c.Info().Loss != 0 {
					t.Errorf("%s of %s is read as %s: %v at %q\n%.200q", c.Info().FullName(), name, found.Info().FullName(), loss, at, src)
				}
			}
		}
	}
	t.Logf("%d texts", read)
}

// TestDetectNoOther: whatever a codec wrote, scalars and awkward values too, no other
// value is read from it.
func TestDetectNoOther(t *testing.T) {
	trials.OneGoroutine(t)
	values := []wire.Value{wire.Null(), wire.Bool(true), wire.Int(7)}
	for _, s := range []string{
		"", "t", "f", "_", "x", "∅", "true", "null", "^user:42", `b64"AAEC"`, "2026-01-09", "- a", "a: b", "{a:b}", "[a]",
		"@header", "@tab _ [a]", "@schema.clear", "@schema#x", "GCF profile=generic", "GCF profile=graph tool=x", "GCX1 tool=x fields=y",
		"a b", "---", "...", "# c", "1,2", "a\nb", "GCF profile=generic\na=1",
	} {
		values = append(values, wire.String(s))
	}
	g := conformance.NewGenerator(27)
	for range 400 {
		values = append(values, g.Value())
	}
	for _, c := range written() {
		info := c.Info()
		for _, v := range values {
			text, err := c.AppendEncode(nil, v)
			if err != nil || v.Kind() == wire.KindArray && v.Len() < 2 && (info.Name == "jsonl" || info.FullName() == "yaml:multi-document") {
				continue
			}
			if own, err := c.Decode(text); err == nil { // up to what c loses
				v = own
			}
			for _, src := range [][]byte{text, append(bytes.TrimSuffix(text, []byte("\n")), '\n')} {
				if info.Binary {
					src = text
				}
				found, err := wirekit.Detect(src)
				if err != nil {
					continue
				}
				got, err := found.Decode(src)
				if loss, at := wire.Difference(v, got); err == nil && loss&^(wire.LossOrder|wire.LossNumberText|info.Loss) != 0 {
					t.Errorf("%s: detected as %s, which reads another value: %v at %q\n%.200q", info.FullName(), found.Info().FullName(), loss, at, src)
				}
			}
		}
	}
}

// TestDetectTexts: texts that people and other programs write.
func TestDetectTexts(t *testing.T) {
	for text, want := range map[string]string{
		"services:\n  web:\n    image: nginx\n    ports: [\"80:80\"]\n":                        "yaml",
		"services:\n  web:\n    image: nginx\n    ports:\n      - 80:80\nvolumes:\n  data:\n":  "yaml",
		"on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n":               "yaml",
		"on:\n  push:\njobs:\n  test:\n    steps:\n      - uses: x@v4\n        with: {a: b}\n": "yaml",
		"---\nkind: A\n":               "yaml",
		"---\nkind: A\n---\nkind: B\n": "yaml:multi-document",
		"a: 1\n...\n---\nb: 2\n":       "yaml:multi-document",
		"# c\n---\na: 1\n":             "yaml",
		"a: |\n  ---\n  x\n":           "yaml",
		"a: 1\nb: x\n":                 "yaml",
		"a:\n  - 1\n":                  "yaml",
		"- 1\n- 2\n":                   "yaml",
		"- a":                          "yaml",
		"a: 1\n---\n---\nb: 2\n":       "yaml:multi-document",
		"---\na: 1\n---\n":             "yaml:multi-document",
		"a: 1\n...\nb: 2\n":            "yaml:multi-document",
		"---\n{a: [b]}\n":              "yaml",
		" - a\n - b\n":                 "yaml",
		"# \u2028a: 1\nb:\n  - 2\n":    "yaml",
		"list[0]: a\nlist[1]: b\n":     "yaml",
		"a[2]: 1,2\n":                  "toon",
		"name: col\nrows[3]: 1,2,3":    "toon",
		"a: x\nitems[1]:\n  - id: 1\n    tags[2]: a,b\n": "toon",
		"rows[1]{a,b}:\n  1,2\n":                         "toon",
		"a: 1\nv:\n":                                     "toon",
		"type: it's\nstart: @x":                          "toon",
		`{status:success data={a=1}}`:                    "glyph",
		`{a: 1, b: 2}`:                                   "glyph",
		`{"k":"v" w=1}`:                                  "glyph",
		`[1,2 t]`:                                        "glyph",
		"[a]":                                            "glyph",
		`{"a": NaN}`:                                     "json", `{"a":NaN,"b":1}`: "json", `[1,2,]`: "json", `{"a":1 "b":2}`: "json",
		`[1,2`: "json", `{"a":1,"b":}`: "json", `{"a":{"b":1}}}`: "json",
		"1\n2\n3\n":            "jsonl",
		"\"a\"\n{\"b\":1}\n":   "jsonl",
		"{\"a\":1}\n{\"a\":\n": "jsonl",
		"hello":                "", "t": "", "_": "", "f\n": "", "hello world\nand more": "",
		"GCF profile=generic\n": "", "GCX1 tool=x fields=y": "", "@header": "",
		"GCX1 tool=x fields=y rows=0\n": "gcx", "GCF profile=generic\na=1\n": "gcf",
		"name: 'CI'\non: push\n": "", "image: nginx # the server\n": "", "a: &x 1\nb: *x\n": "", "debug: True\nname: x\n": "", "a: ~\n": "", "a: 0x1F\nb:\n  c: y\n": "", "title: Fix bug #12\nbody:\n": "toon",
		"a,b\n1,2\n": "",
	} {
		c, err := wirekit.Detect([]byte(text))
		if want == "" {
			require.ErrorIs(t, err, wire.ErrUnknownFormat, "%q: %v", text, c)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, c.Info().FullName(), "%q", text)
		out, err := wirekit.Convert([]byte(text), "", "json")
		_, again := c.Decode([]byte(text))
		require.Equal(t, again, err, "%q", text)
		require.Equal(t, err == nil, len(out) > 0, "%q", text)
	}
	for text, name := range map[string]string{"a,b\n1,2\n": "csv", "a;b\n1;2": "csv:semicolon", "a\tb\n1\t2\n": "csv:tsv"} {
		_, err := wirekit.Detect([]byte(text))
		require.ErrorContains(t, err, "if it is a table, name "+name+":")
	}
	for text, want := range map[string]string{
		"secret: !secret x\nport: 1\n": "TOON, or YAML, which refuses it: yaml: line 1, column 9: unknown_tag",
		"a: !Ref foo\nb:\n  c: 1\n":    "TOON, or YAML, which refuses it: yaml: line 1, column 4: unknown_tag",
		"name: q\nport: .inf\n":        "TOON, or YAML, which refuses it: yaml: line 2, column 7: not_finite",
		"a: &x v\nb: *y\n":             "TOON, or YAML, which refuses it: yaml: line 2, column 4: unknown_anchor",
		"a: 1\na: 2\n":                 "begins like YAML, which refuses it: yaml: line 2, column 1: duplicate_key",
		"k: \"a\\qb\"\nl: 1\n":         "begins like YAML, which refuses it: yaml: line 1, column 6: invalid_escape",
		"a: {x: 1\nb:\n  - 2\n":        "begins like YAML, which refuses it: yaml: line 1, column 4: syntax_error",
		"a: &x 1\n---\nb: *x\n":        "begins like YAML, which refuses it: yaml: line 3, column 4: unknown_anchor",
		"- !Ref a\n- b\n":              "begins like YAML, which refuses it: yaml: line 1, column 3: unknown_tag",
	} {
		_, err := wirekit.Detect([]byte(text))
		require.ErrorIs(t, err, wire.ErrUnknownFormat, "%q", text)
		require.ErrorContains(t, err, want, "%q", text)
	}
	_, err := wirekit.Detect([]byte("spec:\n  name: 'x'\n"))
	require.ErrorContains(t, err, `YAML or TOON, which read different values at "/spec/name"`)
}

// TestDetectCost: whatever a text looks like, it takes linear time to detect.
func TestDetectCost(t *testing.T) {
	trials.OneGoroutine(t)
	lines := func(line string) func(int) string {
		return func(n int) string { return strings.Repeat(line, n/len(line)+1) }
	}
	for name, text := range map[string]func(n int) string{
		"brackets":  lines("["),
		"braces":    lines(`{"a":`),
		"words":     lines("[a,"),
		"numbers":   func(n int) string { return "[" + lines("1,")(n) + "t]" },
		"lines":     lines("a: b\n"),
		"keys":      func(n int) string { return unique(n, "k%d: v%d\n") },
		"empty":     func(n int) string { return unique(n, "k%d:\n") },
		"counted":   func(n int) string { return "a[1]: x\n" + unique(n, "k%d: [%d\n") },
		"marks":     lines("---\n"),
		"rules":     lines("------\n"),
		"documents": lines("---\na: 1\n"),
		"scalars":   lines("1\n"),
		"cells":     lines("a,b\n"),
		"blank":     lines("\n"),
		"comments":  lines("# c\n"),
		"quotes":    lines(`"`),
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 32<<10, func(n int) func() {
				src := []byte(text(n))
				return func() { _, _ = wirekit.Detect(src) }
			})
		})
	}
}

// unique returns lines that have their numbers in them, n bytes or so.
func unique(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, strings.ReplaceAll(format, "%d", "%[1]d"), i)
	}
	return b.String()
}

// TestDetectBinary: arrays and objects in CBOR and MessagePack are found by their bytes, or
// both are named where both read them; never is one taken for the other, nor a document
// that was cut off for anything.
func TestDetectBinary(t *testing.T) {
	trials.OneGoroutine(t)
	found, named := 0, 0
	check := func(v wire.Value, cuts int) {
		for _, name := range []string{"cbor", "msgpack"} {
			c, err := wirekit.Lookup(name)
			require.NoError(t, err)
			src, err := c.AppendEncode(nil, v)
			if err != nil {
				continue // a number that the format does not have
			}
			d, err := wirekit.Detect(src)
			if err != nil {
				named++
				require.ErrorIs(t, err, wire.ErrUnknownFormat)
				require.ErrorContains(t, err, "if it is CBOR or MessagePack, name cbor or msgpack")
			} else {
				found++
				require.Equal(t, name, d.Info().Name, "%x", src)
			}
			tagged := append([]byte("\xd9\xd9\xf7"), src...)
			if d, err = wirekit.Detect(tagged); name == "cbor" {
				require.NoError(t, err)
				require.Equal(t, "cbor", d.Info().Name)
				got, err := d.Decode(tagged)
				require.NoError(t, err)
				require.True(t, wire.Internal.EqualAsJSON(v, got))
			} else {
				require.Equal(t, "cbor", d.Info().Name)
			}
			for n := 1; n < min(len(src), cuts); n++ {
				if d, err := wirekit.Detect(src[:n]); err == nil && d.Info().Binary {
					_, err := d.Decode(src[:n])
					require.NoError(t, err, "%x as %s", src[:n], d.Info().Name)
				}
			}
		}
	}
	for _, v := range answers(t) {
		check(v, 40)
	}
	for _, corpus := range conformance.Corpora() {
		n := 0
		for _, v := range corpus.Cases {
			if v.Kind() >= wire.KindArray && v.Len() < 200 && n < 400 {
				n++
				check(v, 3)
			}
		}
	}
	require.Greater(t, found, 1000)
	require.Less(t, named, found/20)
	t.Logf("%d found, %d that both read", found, named)
	for _, text := range []string{"\x80", "\xa0", "\xff", "caf\xe9", "\x00\xff\xfe", "\xd9\x28abc", "\xc4\x01a"} {
		_, err := wirekit.Detect([]byte(text))
		require.ErrorContains(t, err, "CBOR or MessagePack", "%x", text)
	}
}
