package positions

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// A fault has the same code and kind in every format that can have it.
type fault struct {
	what  string
	code  string
	kind  error
	texts map[string]string // by format, with the fault
	// except has what differs because the format's specification, or its convention, says so.
	except []exception
}

type exception struct {
	format, text string
	code         string // "": the text is accepted
	kind         error
	reason       string
}

var kindNames = map[error]string{
	wire.ErrSyntax: "ErrSyntax", wire.ErrTruncated: "ErrTruncated", wire.ErrLimit: "ErrLimit", wire.ErrRange: "ErrRange",
	wire.ErrShape: "ErrShape", wire.ErrType: "ErrType", wire.ErrUnknownMember: "ErrUnknownMember", wire.ErrDuplicateKey: "ErrDuplicateKey",
	wire.ErrUTF8: "ErrUTF8", wire.ErrVersion: "ErrVersion", wire.ErrChecksum: "ErrChecksum", wire.ErrUnknownFormat: "ErrUnknownFormat",
}

const generic = "GCF profile=generic\n"

var faults = []fault{
	{"the text is empty", wire.CodeUnexpectedEnd, wire.ErrTruncated,
		map[string]string{"json": "", "gcx": "", "glyph": "", "goon": "", "cbor": "", "msgpack": "", "bcp": ""},
		[]exception{
			{"gcf", "", "missing_header", wire.ErrTruncated, "the code of GCF's own suite"},
			{"toon", "", "", nil, "an empty text is `{}`"},
			{"yaml", "", "", nil, "an empty document is null"},
			{"csv", "", "", nil, "a table without rows"},
			{"md", "", "", nil, "a table without rows"},
			{"jsonl", "", "", nil, "no lines are no records"},
		}},
	{"the text ends in an array", wire.CodeUnexpectedEnd, wire.ErrTruncated,
		map[string]string{"json": "[1, 2", "jsonl": "[1, 2", "yaml": "[1, 2", "glyph": "[1 2", "cbor": "\x82\x01", "msgpack": "\x92\x01"}, nil},
	{"the text ends in a string", wire.CodeUnterminated, wire.ErrTruncated,
		map[string]string{"json": `{"a":"x`, "jsonl": `{"a":"x`, "gcf": generic + `a="x`, "glyph": `{a="x`, "toon": `a: "x`,
			"csv": "a\n\"x", "yaml": `a: "x`}, nil},
	{"a line ends in a string, and others follow", wire.CodeUnterminated, wire.ErrSyntax,
		map[string]string{"gcf": generic + "a=\"x\nb=1\n", "toon": "a: \"x\nb: 1"}, nil},
	{"an unknown escape", wire.CodeInvalidEscape, wire.ErrSyntax,
		map[string]string{"json": `{"a":"\q"}`, "jsonl": `{"a":"\q"}`, "gcf": generic + "a=\"\\q\"\n", "glyph": `{a="\q"}`, "toon": `a: "\q"`, "yaml": `a: "\q"`}, nil},
	{"a key twice in an object", wire.CodeDuplicateKey, wire.ErrDuplicateKey,
		map[string]string{"json:strict": `{"a":1,"a":2}`, "jsonl:strict": `{"a":1,"a":2}`, "gcf": generic + "a=1\na=2\n", "toon": "a: 1\na: 2",
			"yaml": "a: 1\na: 2\n", "cbor": "\xa2aa\x01aa\x02", "msgpack": "\x82\xa1a\x01\xa1a\x02"},
		[]exception{
			{"json", `{"a":1,"a":2}`, "", nil, "the last one counts, as in encoding/json"},
			{"glyph", `{a=1 a=2}`, "", nil, "the last one counts, as GLYPH has it"},
		}},
	{"a column twice in a header", wire.CodeDuplicateField, wire.ErrDuplicateKey,
		map[string]string{"gcf": generic + "## [1]{a,a}\n1|2\n", "gcx": "GCX1 tool=t fields=a,a rows=1\n1\t2\n", "toon": "[1]{a,a}:\n  1,2",
			"glyph": "@tab _ [a a]\n|1|2|\n@end", "csv": "a,a\n1,2\n", "md": "| a | a |\n|-|-|\n| 1 | 2 |\n"}, nil},
	{"a row has a cell too many", wire.CodeRowWidth, wire.ErrSyntax,
		map[string]string{"gcf": generic + "## [1]{a,b}\n1|2|3\n", "gcx": "GCX1 tool=t fields=a,b rows=1\n1\t2\t3\n", "toon": "[1]{a,b}:\n  1,2,3",
			"glyph": "@tab _ [a b]\n|1|2|3|\n@end", "csv": "a,b\n1,2,3\n", "md": "| a | b |\n|-|-|\n| 1 | 2 | 3 |\n"}, nil},
	{"a row lacks a cell", wire.CodeRowWidth, wire.ErrSyntax,
		map[string]string{"gcf": generic + "## [2]{a,b}\n1\n1|2\n", "toon": "[2]{a,b}:\n  1\n  1,2", "glyph": "@tab _ [a b]\n|1|\n@end", "csv": "a,b\n1\n",
			"md": "| a | b |\n|-|-|\n| 1 |\n| 1 | 2 |\n"},
		[]exception{{"gcx", "GCX1 tool=t fields=a,b rows=1\n1\n", "", nil, "empty cells at the end of a row may be omitted"}}},
	{"the text ends in a row", wire.CodeRowWidth, wire.ErrTruncated,
		map[string]string{"gcf": generic + "## [1]{a,b}\n1", "toon": "[1]{a,b}:\n  1", "glyph": "@tab _ [a b]\n|1|", "csv": "a,b\n1",
			"md": "| a | b |\n|-|-|\n| 1 |"},
		[]exception{{"gcx", "GCX1 tool=t fields=a,b rows=1\n1", "line_cut", wire.ErrTruncated, "cells may be omitted, the line's end may not"}}},
	{"the text ends before the last declared row", wire.CodeCount, wire.ErrTruncated,
		map[string]string{"gcf": generic + "## [2]{a,b}\n1|2\n", "gcx": "GCX1 tool=t fields=a,b rows=2\n1\t2\n", "toon": "[2]{a,b}:\n  1,2"},
		[]exception{{"glyph", "@tab _ rows=2 cols=2 [a b]\n|1|2|\n", "missing_end", wire.ErrTruncated, "a table ends with @end"}}},
	{"fewer rows than declared, and more text", wire.CodeCount, wire.ErrChecksum,
		map[string]string{"gcf": generic + "## x [2]{a,b}\n1|2\n## y [1]{a,b}\n3|4\n", "toon": "x[2]{a,b}:\n  1,2\ny: 1\n",
			"glyph": "@tab _ rows=2 cols=2 [a b]\n|1|2|\n@end", "gcx": "GCX1 tool=t.x fields=a rows=2\n1\nGCX1 tool=t.y fields=a rows=1\n1\n"}, nil},
	{"more rows than declared", wire.CodeCount, wire.ErrChecksum,
		map[string]string{"gcf": generic + "## [1]{a,b}\n1|2\n3|4\n", "gcx": "GCX1 tool=t fields=a,b rows=1\n1\t2\n3\t4\n", "toon": "[1]{a,b}:\n  1,2\n  3,4",
			"glyph": "@tab _ rows=1 cols=2 [a b]\n|1|2|\n|3|4|\n@end"}, nil},
	{"something follows the value", wire.CodeTrailingData, wire.ErrSyntax,
		map[string]string{"json": "1 2", "jsonl": "1 2\n", "cbor": "\x01\x02", "msgpack": "\x01\x02", "glyph": "1 2"}, nil},
	{"bytes that are not UTF-8", wire.CodeInvalidUTF8, wire.ErrUTF8,
		map[string]string{"json": "\"\xff\"", "jsonl": "\"\xff\"", "gcf": generic + "a=\xff\n", "gcx": "GCX1 tool=t fields=a\n\xff\n", "glyph": "\"\xff\"",
			"toon": "a: \xff", "csv": "a\n\xff\n", "md": "| a |\n|-|\n| \xff |\n", "yaml": "a: \xff", "goon": "@header\n\xff\n", "cbor": "\x61\xff", "msgpack": "\xa1\xff"}, nil},
}

// faultLimits are for the faults of passed limits.
var faultLimits = []struct {
	what, code string
	limits     wire.Limits
}{
	{"`Limits.Depth` is passed", wire.CodeTooDeep, wire.Limits{Depth: 2}},
	{"`Limits.Values` is passed", wire.CodeTooManyValues, wire.Limits{Values: 3}},
	{"`Limits.InputBytes` is passed", wire.CodeInputTooLong, wire.Limits{InputBytes: 4}},
	{"`Limits.OutputBytes` is passed", wire.CodeOutputTooLong, wire.Limits{OutputBytes: 4}},
}

func decodeFault(t *testing.T, format, text string) *wire.Error {
	t.Helper()
	c, err := wirekit.Lookup(format)
	require.NoError(t, err)
	if _, err = c.Decode([]byte(text)); err == nil {
		return nil
	}
	e, ok := err.(*wire.Error)
	require.True(t, ok, "%T", err)
	require.Equal(t, c.Info().Name, e.Format)
	return e
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.what, func(t *testing.T) {
			for format, text := range f.texts {
				e := decodeFault(t, format, text)
				if e == nil {
					t.Errorf("%s accepts %q", format, text)
				} else if e.Code != f.code || e.Kind != f.kind {
					t.Errorf("%s: %s, %v; the others have %s, %v: %v", format, e.Code, e.Kind, f.code, f.kind, e)
				}
			}
			for _, x := range f.except {
				e := decodeFault(t, x.format, x.text)
				switch {
				case e == nil && x.code != "":
					t.Errorf("%s accepts %q", x.format, x.text)
				case e != nil && (e.Code != x.code || e.Kind != x.kind):
					t.Errorf("%s: %s, %v: %v", x.format, e.Code, e.Kind, e)
				}
			}
		})
	}
}

// TestRecordFaults holds the writers of records to one code, kind and path: that of the
// record's index and of the member.
func TestRecordFaults(t *testing.T) {
	good, err := wire.ParseJSON([]byte(`{"a":1}`))
	require.NoError(t, err)
	unknown, err := wire.ParseJSON([]byte(`{"a":1,"zzz":2}`))
	require.NoError(t, err)
	for _, f := range []struct {
		record     wire.Value
		code, path string
		kind       error
		formats    string
	}{
		{unknown, wire.CodeUnknownMember, "/2/zzz", wire.ErrUnknownMember, "csv gcf gcx glyph"},
		{wire.ObjectOf(good.Keys(), wire.String("\xff")), wire.CodeInvalidUTF8, "/2/a", wire.ErrUTF8, "bcp csv gcf gcx glyph jsonl toon yaml"},
	} {
		for format := range strings.FieldsSeq(f.formats) {
			c, err := wirekit.Lookup(format)
			require.NoError(t, err)
			w, err := c.(wire.Streamer).NewRecordWriter(io.Discard, good.Keys())
			require.NoError(t, err)
			require.NoError(t, w.Write(good))
			require.NoError(t, w.Flush())
			require.NoError(t, w.Write(good))
			e, ok := w.Write(f.record).(*wire.Error)
			require.True(t, ok, format)
			if e.Code != f.code || e.Kind != f.kind || e.Path() != f.path {
				t.Errorf("%s: %s, %v, at %s: %v", format, e.Code, e.Kind, e.Path(), e)
			}
		}
	}
}

// TestFaultLimits holds every codec that takes the values to one code for each limit.
func TestFaultLimits(t *testing.T) {
	rows, err := wire.ParseJSON([]byte(`[{"a":"x","b":1},{"a":"y","b":2}]`))
	require.NoError(t, err)
	deep, err := wire.ParseJSON([]byte(`{"a":{"b":{"c":1}}}`))
	require.NoError(t, err)
	for _, f := range faultLimits {
		for _, c := range wirekit.Registry().Codecs() {
			name, v := c.Info().Name, rows
			if f.limits.Depth > 0 {
				v = deep
			}
			limited := wire.WithLimits(c, f.limits)
			text, err := c.AppendEncode(nil, v)
			if err != nil {
				continue // a format of other shapes
			}
			if f.limits.OutputBytes > 0 {
				_, err = limited.AppendEncode(nil, v)
			} else {
				_, err = limited.Decode(text)
			}
			var e *wire.Error
			if !errors.As(err, &e) {
				t.Errorf("%s: no error where %s", name, f.what)
			} else if e.Code != f.code || e.Kind != wire.ErrLimit {
				t.Errorf("%s: %s, %v where %s: %v", name, e.Code, e.Kind, f.what, e)
			}
		}
	}
}

// TestFaultTable holds docs/errors.md to the tables above; UPDATE_DOCS=1 writes it.
func TestFaultTable(t *testing.T) {
	var table bytes.Buffer
	table.WriteString("| fault | code | kind | in | elsewhere |\n| --- | --- | --- | --- | --- |\n")
	for _, f := range faults {
		var formats, others []string
		for format := range f.texts {
			formats = append(formats, format)
		}
		slices.Sort(formats)
		for _, x := range f.except {
			what := "accepted"
			if x.code != "" {
				what = fmt.Sprintf("`%s`, %s", x.code, kindNames[x.kind])
			}
			others = append(others, fmt.Sprintf("%s: %s: %s", x.format, what, x.reason))
		}
		fmt.Fprintf(&table, "| %s | `%s` | %s | %s | %s |\n", f.what, f.code, kindNames[f.kind], strings.Join(formats, ", "), strings.Join(others, "; "))
	}
	for _, f := range faultLimits {
		fmt.Fprintf(&table, "| %s | `%s` | ErrLimit | all | |\n", f.what, f.code)
	}
	const begin, end = "<!-- faults -->\n", "<!-- /faults -->\n"
	page, err := os.ReadFile("docs/errors.md")
	require.NoError(t, err)
	head, rest, _ := strings.Cut(string(page), begin)
	_, tail, ok := strings.Cut(rest, end)
	require.True(t, ok, "the page has no place for the table")
	want := head + begin + table.String() + end + tail
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile("docs/errors.md", []byte(want), 0o644))
	} else if want != string(page) {
		t.Error("docs/errors.md is not up to date; UPDATE_DOCS=1 go test -run FaultTable ./conformance/internal/positions writes it")
	}
}
