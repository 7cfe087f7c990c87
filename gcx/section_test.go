package gcx_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// contentError reports whether a value decoder refuses a payload whose rows
// are sound: because of a type, a nested value or a count of sections.
func contentError(err error) bool {
	var e *wire.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "invalid_types", "line_cut", "section_count_mismatch", "count_mismatch", "too_deep":
		return true
	}
	return false
}

// emptyField reports whether a section is refused for its one field without a
// name, which only values may have.
func emptyField(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Code == "missing_fields"
}

const h = "GCX1 tool=t fields=a\n"

// decodeTable has payloads and what the row decoder makes of them: per section
// its fields and rows, or the code and kind of the error.
var decodeTable = []struct {
	name, payload string
	want          string // sections as "field,field: cell|cell ; cell|cell", one per line
	code          string
	kind          error
	line          int
}{
	{name: "comments and blank lines", payload: h + "# c\n\n1\n\n2\n", want: "a: 1 ; 2"},
	{name: "missing trailing cells", payload: "GCX1 tool=t fields=a,b,c\nx\n", want: "a,b,c: x||"},
	{name: "too many cells", payload: "GCX1 tool=t fields=a,b\n1\t2\t3\n", code: "row_width_mismatch", kind: wire.ErrSyntax, line: 2},
	{name: "one empty cell too many", payload: "GCX1 tool=t fields=a,b\n1\t2\t\n", code: "row_width_mismatch", kind: wire.ErrSyntax, line: 2},
	{name: "unknown escapes", payload: h + "\\q\\r\\0\n", want: "a: qr0"},
	{name: "backslash at the end", payload: h + "x\\\n", want: "a: x\\"},
	{name: "backslash at the end of a cell", payload: "GCX1 tool=t fields=a,b\nend\\\tz\n", want: "a,b: end\\|z"},
	{name: "no final line feed", payload: h + "1", want: "a: 1"},
	{name: "no final line feed behind a header", payload: "GCX1 tool=t fields=a", want: "a:"},
	{name: "meta before fields before tool", payload: "GCX1 x=1 fields=a tool=t\n1\n", want: "a: 1"},
	{name: "extra spaces", payload: "GCX1   tool=t   fields=a  \n1\n", want: "a: 1"},
	{name: "missing tool", payload: "GCX1 fields=a\n", code: "missing_tool", kind: wire.ErrSyntax, line: 1},
	{name: "missing fields", payload: "GCX1 tool=t\n", code: "missing_fields", kind: wire.ErrSyntax, line: 1},
	{name: "no field", payload: "GCX1 tool=t fields=\n", code: "missing_fields", kind: wire.ErrSyntax, line: 1},
	{name: "part without equals sign", payload: "GCX1 tool=t fields=a junk\n", code: "malformed_header", kind: wire.ErrSyntax, line: 1},
	{name: "empty meta key", payload: "GCX1 tool=t fields=a =v\n", code: "malformed_header", kind: wire.ErrSyntax, line: 1},
	{name: "no space behind the tag", payload: "GCX1tool=t fields=a\n", code: "malformed_header", kind: wire.ErrSyntax, line: 1},
	{name: "other version", payload: "GCX2 tool=x fields=a\n", code: "unsupported_version", kind: wire.ErrVersion, line: 1},
	{name: "longer version", payload: "GCX12 tool=x fields=a\n", code: "unsupported_version", kind: wire.ErrVersion, line: 1},
	{name: "other version later", payload: h + "1\nGCX2 tool=u fields=b\n2\n", code: "unsupported_version", kind: wire.ErrVersion, line: 3},
	{name: "no payload", payload: "hello\n", code: "not_gcx", kind: wire.ErrSyntax, line: 1},
	{name: "empty cells", payload: "GCX1 tool=t fields=a,b\n\t\n", want: "a,b: |"},
	{name: "two sections", payload: h + "1\nGCX1 tool=u fields=b\n2\n3\n", want: "a: 1\nb: 2 ; 3"},
	{name: "section without rows", payload: h + "GCX1 tool=u fields=b\n2\n", want: "a:\nb: 2"},
	{name: "guarded first cells", payload: h + "\\#x\n\\GCX1 tool=y fields=z\n", want: "a: #x ; GCX1 tool=y fields=z"},
	{name: "leading spaces", payload: h + "   \n #c\n", want: "a:     ;  #c"},
	{name: "rows that begin like a header", payload: "GCX1 tool=t fields=a,b\nGCX12 x\t1\nGCX1\t2\nGCX\t3\n", want: "a,b: GCX12 x|1 ; GCX1|2 ; GCX|3"},
	{name: "CR LF", payload: "GCX1 tool=t fields=a\r\n1\r\n\r\n# c\r\n2\r\n", want: "a: 1 ; 2"},
	{name: "escaped CR at a line end", payload: "GCX1 tool=t fields=a\n1\\\r\n2\\\r\r\n", want: "a: 1\r ; 2\r"},
	{name: "CR inside", payload: h + "1\r2\n", want: "a: 1\r2"},
	{name: "byte order mark", payload: "\uFEFF" + h + "1\n", want: "a: 1"},
	{name: "blank lines and comments before", payload: "\n# c\n\n" + h + "1\n", want: "a: 1"},
	{name: "empty input", payload: "", code: "unexpected_end", kind: wire.ErrTruncated, line: 1},
	{name: "only comments", payload: "# c\n", code: "unexpected_end", kind: wire.ErrTruncated, line: 2},
	{name: "duplicate field", payload: "GCX1 tool=t fields=a,a\n", code: "duplicate_field_name", kind: wire.ErrDuplicateKey, line: 1},
	{name: "duplicate meta", payload: "GCX1 tool=t fields=a x=1 x=2\n", code: "duplicate_meta", kind: wire.ErrDuplicateKey, line: 1},
	{name: "duplicate tool", payload: "GCX1 tool=t tool=u fields=a\n", code: "duplicate_meta", kind: wire.ErrDuplicateKey, line: 1},
	{name: "escaped field names", payload: "GCX1 tool=t fields=a\\\\b,c\\,d,e\\ f,g\\th\n1\t2\t3\t4\n", want: "a\\b,c,d,e f,g\th: 1|2|3|4"},
	{name: "fewer rows than declared", payload: "GCX1 tool=t fields=a rows=3\n1\n2\n", code: "count_mismatch", kind: wire.ErrTruncated, line: 4},
	{name: "more rows than declared", payload: "GCX1 tool=t fields=a rows=1\n1\n2\n", code: "count_mismatch", kind: wire.ErrChecksum, line: 4},
	{name: "rows cut by a budget", payload: "GCX1 tool=t fields=a rows=3\n1\n# truncated_by_budget=true original_rows=3 kept_rows=1\n", want: "a: 1"},
	{name: "last declared row cut", payload: "GCX1 tool=t fields=a rows=2\n1\n2", code: "line_cut", kind: wire.ErrTruncated, line: 3},
	{name: "rows without a number", payload: "GCX1 tool=t fields=a rows=x\n", code: "malformed_header", kind: wire.ErrSyntax, line: 1},
	{name: "blank lines are rows", payload: "GCX1 tool=t fields=a rows=3\n\n1\n\n", want: "a:  ; 1 ; "},
	{name: "blank lines are no rows", payload: "GCX1 tool=t fields=a rows=1\n\n1\n\n", want: "a: 1"},
	{name: "blank lines are rows before a section", payload: "GCX1 tool=t fields=a rows=2\n\n# c\n\nGCX1 tool=u fields=b\n1\n", want: "a:  ; \nb: 1"},
	{name: "blank lines are rows of any number", payload: "GCX1 tool=t fields=a rows=* types=m\n\n# c\n\r\n1\n\n", want: "a:  ;  ; 1 ; "},
	{name: "blank lines without types are no rows", payload: "GCX1 tool=t fields=a rows=*\n\n1\n\n", want: "a: 1"},
	{name: "rows of any number, cut in a blank line", payload: "GCX1 tool=t fields=a rows=* types=m\n1\n\r", code: "line_cut", kind: wire.ErrTruncated, line: 3},
	{name: "rows of any number", payload: "GCX1 tool=t fields=a rows=*\n1\n", want: "a: 1"},
	{name: "rows of any number, cut", payload: "GCX1 tool=t fields=a rows=*\n1", code: "line_cut", kind: wire.ErrTruncated, line: 2},
	{name: "non-breaking space at the end", payload: "GCX1 tool=t fields=a x=1\u00A0\n", want: "a:"},
	{name: "not UTF-8", payload: h + "a\xFF\n", code: "invalid_utf8", kind: wire.ErrUTF8, line: 2},
}

func render(sections []gcx.Section) string {
	var lines []string
	for _, s := range sections {
		var rows []string
		for _, row := range s.Rows {
			rows = append(rows, strings.Join(row, "|"))
		}
		line := strings.Join(s.Fields, ",") + ":"
		if len(rows) > 0 {
			line += " " + strings.Join(rows, " ; ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestDecodeSections(t *testing.T) {
	for _, test := range decodeTable {
		t.Run(test.name, func(t *testing.T) {
			sections, err := gcx.Codec{}.DecodeSections([]byte(test.payload))
			_, valueErr := gcx.Codec{}.Decode([]byte(test.payload))
			if test.code != "" {
				requireError(t, err, test.code, test.kind)
				require.Nil(t, sections)
				e := codectest.Error(t, err)
				require.Equal(t, test.line, e.Line, err)
				if test.name != "no field" {
					requireError(t, valueErr, test.code, test.kind)
					require.ErrorAs(t, valueErr, &e)
					require.Equal(t, test.line, e.Line, valueErr)
				}
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, render(sections))
			require.NoError(t, valueErr)
		})
	}
}

func requireError(t *testing.T, err error, code string, kind error) {
	t.Helper()
	e := codectest.Error(t, err)
	require.Equal(t, "gcx", e.Format)
	require.Equal(t, code, e.Code, err)
	require.ErrorIs(t, err, kind)
}

func TestChunkedReading(t *testing.T) {
	for _, test := range decodeTable {
		want, wantErr := gcx.Codec{}.DecodeSections([]byte(test.payload))
		for name, r := range map[string]io.Reader{
			"byte by byte": iotest.OneByteReader(strings.NewReader(test.payload)),
			"data and EOF": iotest.DataErrReader(strings.NewReader(test.payload)),
		} {
			var got []gcx.Section
			d := gcx.Codec{}.NewDecoder(r)
			var err error
			for err == nil {
				var header gcx.Header
				if header, err = d.NextSection(); err != nil {
					break
				}
				s := gcx.Section{Header: header}
				for row, rowErr := range d.Rows() {
					if err = rowErr; err != nil {
						break
					}
					s.Rows = append(s.Rows, append([]string(nil), row...))
				}
				got = append(got, s)
			}
			if wantErr != nil {
				require.Equal(t, wantErr.Error(), err.Error(), "%s, %s", test.name, name)
				continue
			}
			require.Equal(t, io.EOF, err, "%s, %s", test.name, name)
			require.Equal(t, render(want), render(got), "%s, %s", test.name, name)
		}
	}
}

func TestDecoderState(t *testing.T) {
	d := gcx.Codec{}.NewDecoder(strings.NewReader("# before\nGCX1 tool=t fields=a m=x=y e=\n# 2 matches\n1\n4\nGCX1 tool=u fields=b\n5\n"))
	var comments []string
	d.Comment = func(text string) { comments = append(comments, text) }
	_, err := d.NextRow()
	require.Equal(t, io.EOF, err, "before the first section")
	header, err := d.NextSection()
	require.NoError(t, err)
	require.Equal(t, gcx.Header{Tool: "t", Fields: []string{"a"}, Meta: []gcx.Meta{{Key: "m", Value: "x=y"}, {Key: "e"}}}, header)
	row, err := d.NextRow()
	require.NoError(t, err)
	require.Equal(t, []string{"1"}, row)
	row, err = d.NextRow()
	require.NoError(t, err)
	require.Equal(t, []string{"4"}, row)
	for range 3 {
		_, err = d.NextRow()
		require.Equal(t, io.EOF, err, "the end of a section stays the end")
	}
	header, err = d.NextSection()
	require.NoError(t, err)
	require.Equal(t, "u", header.Tool)
	_, err = d.NextSection()
	require.Equal(t, io.EOF, err, "unread rows are skipped")
	require.Equal(t, []string{"before", "2 matches"}, comments)
}

// TestRowsEnd: an error is the last pair of Rows, and the decoder stays with it.
func TestRowsEnd(t *testing.T) {
	for name, payload := range map[string]string{
		"too many cells": "GCX1 tool=t fields=a\n1\n2\t3\n4\nGCX1 tool=u fields=b\n5\n",
		"cut off":        "GCX1 tool=t fields=a rows=3\n1\n2",
		"too few rows":   "GCX1 tool=t fields=a rows=3\n1\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := gcx.Codec{}.NewDecoder(strings.NewReader(payload))
			_, err := d.NextSection()
			require.NoError(t, err)
			var rows []string
			for row, rowErr := range d.Rows() {
				require.NoError(t, err, "a pair after the error")
				if err = rowErr; err == nil {
					rows = append(rows, row[0])
				}
			}
			require.Error(t, err)
			require.Equal(t, "1", rows[0])
			for _, again := range d.Rows() {
				require.Equal(t, err, again)
			}
			_, again := d.NextSection()
			require.Equal(t, err, again)
		})
	}
}

func TestLenient(t *testing.T) {
	c := gcx.Codec{Lenient: true}
	for payload, want := range map[string]string{
		"GCX1 tool=t tool=u fields=z fields=a k=1 k=2\n1\n":                          "a: 1",
		"GCX1 tool=t fields=a rows=3\n1\n2":                                          "a: 1 ; 2",
		"GCX1 tool=t fields=a rows=1\n1\n2\n":                                        "a: 1 ; 2",
		"GCX1 tool=t fields=a rows=many\n1\n":                                        "a: 1",
		"GCX1 tool=t fields=a a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 a=2 i=2 j=1 j=2\n": "a:",
	} {
		sections, err := c.DecodeSections([]byte(payload))
		require.NoError(t, err, payload)
		require.Equal(t, want, render(sections))
		codectest.Decoded(t, c, payload)
		_, err = gcx.Codec{}.DecodeSections([]byte(payload))
		require.Error(t, err, payload)
		seen := map[string]bool{}
		for _, m := range sections[0].Meta {
			require.False(t, seen[m.Key], m.Key)
			seen[m.Key] = true
			if m.Key == "k" || m.Key == "i" || m.Key == "j" {
				require.Equal(t, "2", m.Value, "the last one wins")
			}
		}
	}
}

func TestLineLimit(t *testing.T) {
	cell := strings.Repeat("x", 5<<20)
	payload := h + cell + "\n"
	sections, err := gcx.Codec{}.DecodeSections([]byte(payload))
	require.NoError(t, err)
	require.Equal(t, cell, sections[0].Rows[0][0])
	d := gcx.Codec{}.NewDecoder(strings.NewReader(payload))
	_, err = d.NextSection()
	require.NoError(t, err)
	row, err := d.NextRow()
	require.NoError(t, err)
	require.Len(t, row[0], 5<<20)
	d = gcx.Codec{Limits: wire.Limits{LineBytes: 1 << 20}}.NewDecoder(strings.NewReader(payload))
	_, err = d.NextSection()
	require.NoError(t, err)
	_, err = d.NextRow()
	requireError(t, err, "line_too_long", wire.ErrLimit)
	_, again := d.NextSection()
	require.Equal(t, err, again, "sticky")
	_, err = gcx.Codec{Interop: true}.AppendSections(nil, gcx.Section{Header: gcx.Header{Tool: "t", Fields: []string{"a"}}, Rows: [][]string{{cell}}})
	requireError(t, err, "not_interoperable", wire.ErrShape)
}

// encodeTable has sections and the bytes the document and the reference give
// them, or the code of the error.
var encodeTable = []struct {
	name    string
	section gcx.Section
	codec   gcx.Codec
	want    string
	code    string
}{
	{name: "meta sorted by bytes", section: section("x", "a", "m", "mid", "z", "last", "B", "1", "a", "first", "é", "2"),
		want: "GCX1 tool=x fields=a B=1 a=first m=mid z=last é=2\n"},
	{name: "escapes", section: with(section("x", "a"), cells{"x\ty\nz\\w\r\nq"}), want: "GCX1 tool=x fields=a\nx\\ty\\nz\\\\w\\nq\n"},
	{name: "carriage return stripped", section: with(section("x", "a,b"), cells{"\r", "x\ry"}), codec: gcx.Codec{Plain: true}, want: "GCX1 tool=x fields=a,b\n\txy\n"},
	{name: "carriage return stripped by the zero codec", section: with(section("x", "a,b"), cells{"\r", "x\ry\r"}), want: "GCX1 tool=x fields=a,b\n\txy\n"},
	{name: "carriage return alone in a column", section: with(section("x", "a"), cells{"\r"}), want: "GCX1 tool=x fields=a rows=1\n\n"},
	{name: "carriage returns in a header", section: section("x\r", "a\r,b", "k\r", "\rv"), want: "GCX1 tool=x fields=a,b k=v\n"},
	{name: "fields that differ in a carriage return", section: section("x", "a,a\r"), code: "duplicate_field_name"},
	{name: "a field of a carriage return", section: section("x", "\r"), code: "missing_fields"},
	{name: "one field without a name", section: with(section("t", ""), cells{"x"}), code: "missing_fields"},
	{name: "a field without a name", section: with(section("t", ",b"), cells{"x"}), want: "GCX1 tool=t fields=,b\nx\t\n"},
	{name: "rows without a number", section: with(section("t", "a", "rows", "many"), cells{"x"}), code: "invalid_rows"},
	{name: "rows of any number", section: with(section("t", "a", "rows", "*"), cells{"x"}), want: "GCX1 tool=t fields=a rows=*\nx\n"},
	{name: "wrong sections", section: section("t", "a", "sections", "2"), code: "section_count_mismatch"},
	{name: "another's sections", section: section("t", "a", "sections", "some"), want: "GCX1 tool=t fields=a sections=some\n"},
	{name: "rows cut by a budget", section: noting(with(section("x", "a", "rows", "3"), cells{"1"}), "truncated_by_budget=true"), want: "GCX1 tool=x fields=a rows=3\n# truncated_by_budget=true\n1\n"},
	{name: "short row", section: with(section("x", "a,b,c"), cells{"x"}), want: "GCX1 tool=x fields=a,b,c\nx\t\t\n"},
	{name: "no cell", section: with(section("x", "a,b,c"), cells{}), want: "GCX1 tool=x fields=a,b,c\n\t\t\n"},
	{name: "comment", section: noting(section("x", "a"), "2 matches"), want: "GCX1 tool=x fields=a\n# 2 matches\n"},
	{name: "comment of several lines", section: noting(section("x", "a"), "2\r\n\rmatches\n"), want: "GCX1 tool=x fields=a\n# 2  matches \n"},
	{name: "empty comment", section: noting(section("x", "a"), ""), want: "GCX1 tool=x fields=a\n# \n"},
	{name: "comment sign in the first cell", section: with(section("x", "a,b"), cells{"#x", "#y"}), want: "GCX1 tool=x fields=a,b\n\\#x\t#y\n"},
	{name: "headers in the first cell", section: with(section("x", "a"), cells{"GCX1"}, cells{"GCX2 tool=y fields=z"}, cells{"GCX"}), want: "GCX1 tool=x fields=a\n\\GCX1\n\\GCX2 tool=y fields=z\nGCX\n"},
	{name: "empty cells in one column", section: with(section("x", "a"), cells{""}, cells{""}), want: "GCX1 tool=x fields=a rows=2\n\n\n"},
	{name: "spaces in headers", section: section("x y", "a b", "c d", "e f"), want: "GCX1 tool=x\\ y fields=a\\ b c\\ d=e\\ f\n"},
	{name: "equals signs in headers", section: section("x", "a=b", "c=d", "e=f"), want: "GCX1 tool=x fields=a=b c\\=d=e=f\n"},
	{name: "too many cells", section: with(section("x", "a"), cells{"1", "2"}), code: "row_width_mismatch"},
	{name: "no tool", section: section("", "a"), code: "missing_tool"},
	{name: "no fields", section: gcx.Section{Header: gcx.Header{Tool: "x"}}, code: "missing_fields"},
	{name: "field twice", section: section("x", "a,a"), code: "duplicate_field_name"},
	{name: "meta key tool", section: section("x", "a", "tool", "evil"), code: "reserved_meta"},
	{name: "meta key fields", section: section("x", "a", "fields", "p,q"), code: "reserved_meta"},
	{name: "empty meta key", section: section("x", "a", "", "v"), code: "reserved_meta"},
	{name: "meta key twice", section: section("x", "a", "k", "1", "k", "2"), code: "duplicate_meta"},
	{name: "wrong rows", section: with(section("x", "a", "rows", "2"), cells{"1"}), code: "count_mismatch"},
	{name: "not UTF-8", section: with(section("x", "a"), cells{"\xFF"}), code: "invalid_utf8"},
	{name: "interop: space", section: section("x y", "a"), codec: gcx.Codec{Interop: true}, code: "not_interoperable"},
	{name: "interop: backslash in a field", section: section("x", "a\\b"), codec: gcx.Codec{Interop: true}, code: "not_interoperable"},
	{name: "interop: non-breaking space in meta", section: section("x", "a", "k", "v\u00A0"), codec: gcx.Codec{Interop: true}, code: "not_interoperable"},
	{name: "interop: blank row", section: with(section("x", "a"), cells{""}), codec: gcx.Codec{Interop: true}, code: "not_interoperable"},
	{name: "interop: carriage return", section: with(section("x", "a"), cells{"\r\n"}), codec: gcx.Codec{Interop: true}, code: "not_interoperable"},
	{name: "interop: guarded cells", section: with(section("x", "a"), cells{"#x"}, cells{"GCX1"}), codec: gcx.Codec{Interop: true}, want: "GCX1 tool=x fields=a\n\\#x\n\\GCX1\n"},
}

// section makes a section of a tool, fields between commas, and meta pairs.
func section(tool, fields string, meta ...string) gcx.Section {
	s := gcx.Section{Header: gcx.Header{Tool: tool, Fields: strings.Split(fields, ",")}}
	for i := 0; i < len(meta); i += 2 {
		s.Meta = append(s.Meta, gcx.Meta{Key: meta[i], Value: meta[i+1]})
	}
	return s
}

func with(s gcx.Section, rows ...[]string) gcx.Section {
	s.Rows = rows
	return s
}

func noting(s gcx.Section, comment string) gcx.Section {
	s.Comments = []string{comment}
	return s
}

type cells = []string

func TestAppendSections(t *testing.T) {
	for _, test := range encodeTable {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.codec.AppendSections([]byte("before"), test.section)
			if test.code != "" {
				codectest.Refused(t, err, test.code, nil)
				require.Equal(t, "before", string(got))
				return
			}
			require.NoError(t, err)
			require.Equal(t, "before"+test.want, string(got))
			back, err := test.codec.DecodeSections(got[len("before"):])
			require.NoError(t, err, "what is written is read")
			again, err := test.codec.AppendSections(nil, back...)
			require.NoError(t, err)
			require.Equal(t, test.want, string(again))
			if len(test.section.Comments) > 0 {
				require.Len(t, back[0].Comments, 1)
			}
		})
	}
}

func TestEncoder(t *testing.T) {
	var out bytes.Buffer
	e := gcx.Codec{}.NewEncoder(&out)
	requireError(t, e.Row("x"), "no_section", wire.ErrShape)
	require.NoError(t, e.Section(gcx.Header{Tool: "t.nodes", Fields: []string{"id", "n"}}))
	require.NoError(t, e.Comment("2 nodes"))
	require.NoError(t, e.Row("a", "1"))
	requireError(t, e.Row("a", "b", "c"), "row_width_mismatch", wire.ErrShape)
	require.NoError(t, e.Row("b"), "a refused row does not poison the next")
	var none *int
	seven := 7
	require.NoError(t, e.Section(gcx.Header{Tool: "t.typed", Fields: strings.Split("nil,none,p,f,g,h,b,s,l,m", ",")}))
	require.NoError(t, e.Values(nil, none, &seven, 1e6, 1e-7, 1.0, true, "x\ty", []string{"a", "<"}, map[string]any{"k": "\u2028"}))
	require.NoError(t, e.Section(gcx.Header{Tool: "t.one", Fields: []string{"a"}}))
	requireError(t, e.Row(""), "empty_row", wire.ErrShape)
	require.NoError(t, e.Section(gcx.Header{Tool: "t.counted", Fields: []string{"a"}, Meta: []gcx.Meta{{Key: "rows", Value: "2"}}}))
	require.NoError(t, e.Row(""))
	requireError(t, e.Close(), "count_mismatch", wire.ErrChecksum)
	require.NoError(t, e.Close())
	require.Error(t, e.Row("x"), "closed")
	require.Equal(t, "GCX1 tool=t.nodes fields=id,n\n# 2 nodes\na\t1\nb\t\n"+
		"GCX1 tool=t.typed fields=nil,none,p,f,g,h,b,s,l,m\n\t\t7\t1000000\t1e-7\t1\ttrue\tx\\ty\t[\"a\",\"<\"]\t{\"k\":\"\u2028\"}\n"+
		"GCX1 tool=t.one fields=a\nGCX1 tool=t.counted fields=a rows=2\n\n", out.String())
}

// brokenWriter fails or is short at the n-th write.
type brokenWriter struct {
	writes int
	short  bool
}

var errBroken = errors.New("broken")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.writes--; w.writes > 0 {
		return len(p), nil
	}
	if w.short {
		return len(p) - 1, nil
	}
	return 0, errBroken
}

func TestBrokenWriter(t *testing.T) {
	for _, test := range []struct {
		short bool
		want  error
	}{{false, errBroken}, {true, io.ErrShortWrite}} {
		w := &brokenWriter{writes: 2, short: test.short}
		e := gcx.Codec{}.NewEncoder(w)
		require.NoError(t, e.Section(gcx.Header{Tool: "t", Fields: []string{"a"}}))
		require.Equal(t, test.want, e.Row("1"))
		w.writes = 9
		require.Equal(t, test.want, e.Row("2"), "sticky")
		require.Equal(t, test.want, e.Close())
	}
}
