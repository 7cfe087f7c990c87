package gcx_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// blankTable has sections of few columns with blank lines, and what they are.
var blankTable = []struct{ name, header, rows, want, code string }{
	{"a stream of one column", "fields=a rows=* types=m", "1\n\n\n2\n\n", `[{"a":1},{},{},{"a":2},{}]`, ""},
	{"nothing but blank lines", "fields=a rows=* types=m", "\n\n", `[{},{}]`, ""},
	{"one blank line", "fields=a rows=* types=m", "\n", `[{}]`, ""},
	{"CR LF", "fields=a rows=* types=m", "\r\n1\r\n\r\n", `[{},{"a":1},{}]`, ""},
	{"between comments", "fields=a rows=* types=m", "# c\n\n# c\n\n# c\n", `[{},{}]`, ""},
	{"strings", "fields=a rows=* types=M", "1\n\n", `[{"a":"1"},{}]`, ""},
	{"nulls", "fields=a rows=* types=n", "1\n\n", `[{"a":1},{"a":null}]`, ""},
	{"texts", "fields=a rows=* types=s", "1\n\n", `[{"a":"1"},{"a":""}]`, ""},
	{"cut", "fields=a rows=* types=m", "1\n\r", "", "line_cut"},
	{"counted", "fields=a rows=3 types=m", "\n1\n\n", `[{},{"a":1},{}]`, ""},
	{"counted, cut", "fields=a rows=1 types=m", "\r", "", "line_cut"},

	// Blank lines that are not rows.
	{"no types", "fields=a rows=*", "1\n\n2\n\n", `[{"a":1},{"a":2}]`, ""},
	{"values", "fields=value rows=* types=m", "1\n\n2\n\n", `[1,2]`, ""},
	{"two columns", "fields=a,b rows=* types=m", "1\t\n\n\t\n\n", `[{"a":1},{}]`, ""},
	{"counted without them", "fields=a rows=2 types=m", "1\n\n2\n\n", `[{"a":1},{"a":2}]`, ""},
	{"no number of rows", "fields=a types=m", "1\n\n2\n\n", `[{"a":1},{"a":2}]`, ""},
}

// TestBlankRows: every reader takes the same blank lines for rows.
func TestBlankRows(t *testing.T) {
	for _, test := range blankTable {
		t.Run(test.name, func(t *testing.T) {
			text := []byte("GCX1 tool=t " + test.header + "\n" + test.rows)
			whole, decodeErr := gcx.Codec{}.Decode(text)
			sections, sectionsErr := gcx.Codec{}.DecodeSections(text)
			var values any
			anyErr := gcx.Codec{}.Unmarshal(text, &values)
			var rows []map[string]any
			var numbers []any
			list := any(&rows)
			if test.name == "values" {
				list = &numbers
			}
			rowsErr := gcx.Codec{}.Unmarshal(text, list)
			if test.code != "" {
				for _, err := range []error{decodeErr, sectionsErr, anyErr, rowsErr} {
					requireError(t, err, test.code, wire.ErrTruncated)
				}
				for name, r := range faulty.Readers(text) {
					records, err := recordsOf(gcx.Codec{}.Records(r))
					requireError(t, err, test.code, wire.ErrTruncated)
					require.Equal(t, strings.Count(test.rows, "\n"), records.Len(), name)
				}
				return
			}
			for _, err := range []error{decodeErr, sectionsErr, anyErr, rowsErr} {
				require.NoError(t, err)
			}
			require.Equal(t, test.want, whole.String())
			got, err := json.Marshal(values)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
			got, err = json.Marshal(list)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
			require.Len(t, sections[0].Rows, whole.Len())
			for name, r := range faulty.Readers(text) {
				records, err := recordsOf(gcx.Codec{}.Records(r))
				require.NoError(t, err, name)
				require.Equal(t, test.want, records.String(), name)
			}
			codectest.SameAny(t, gcx.Codec{}, text)
			codectest.SameLent(t, gcx.Codec{}, text)
		})
	}
}

// TestBlankRowsInParts: a Copier finds the same records with one worker and with
// several, wherever a part ends.
func TestBlankRowsInParts(t *testing.T) {
	for _, test := range blankTable {
		t.Run(test.name, func(t *testing.T) {
			times := 1
			if strings.Contains(test.header, "rows=*") {
				times = 100_000 // several parts
			}
			text := "GCX1 tool=t " + test.header + "\n" + strings.Repeat(test.rows, times)
			var want, got bytes.Buffer
			one := wire.Transcoder{From: gcx.Codec{}, To: jsonl.Codec{}, Workers: 1}
			n, oneErr := one.Transcode(t.Context(), &want, strings.NewReader(text))
			many := wire.Transcoder{From: gcx.Codec{}, To: jsonl.Codec{}, Workers: 3}
			ofMany, manyErr := many.Transcode(t.Context(), &got, strings.NewReader(text))
			require.Equal(t, oneErr, manyErr)
			require.Equal(t, n, ofMany)
			require.True(t, bytes.Equal(want.Bytes(), got.Bytes()))
			if test.code == "" {
				require.NoError(t, oneErr)
				require.Equal(t, times*codectest.JSON(t, test.want).Len(), n)
			}
		})
	}
}

// TestStreamsOfEmptyRecords: a record without members is a blank line in a stream of
// one column, whoever writes it, and comes back.
func TestStreamsOfEmptyRecords(t *testing.T) {
	type record struct {
		A int `json:"a,omitempty"`
	}
	const want = "GCX1 tool=data fields=a rows=* types=m\n1\n\n2\n\n"
	records := []record{{1}, {}, {2}, {}}
	var out bytes.Buffer
	e := wire.NewEncoder[record](gcx.Codec{}, &out)
	for _, r := range records {
		require.NoError(t, e.Encode(r))
	}
	require.NoError(t, e.Close())
	require.Equal(t, want, out.String())
	back := codectest.All(t, wire.NewDecoder[record](gcx.Codec{}, &out).All())
	require.Equal(t, records, back)
	var list []record
	require.NoError(t, gcx.Unmarshal([]byte(want), &list))
	require.Equal(t, records, list)

	lines := strings.Repeat("{\"a\":1}\n{}\n{}\n", 40_000)
	for _, workers := range []int{1, 3} {
		var text, again bytes.Buffer
		to := wire.Transcoder{From: jsonl.Codec{}, To: gcx.Codec{}, Workers: workers}
		_, err := to.Transcode(t.Context(), &text, strings.NewReader(lines))
		require.NoError(t, err)
		require.Equal(t, len("GCX1 tool=data fields=a rows=* types=m\n")+40_000*len("1\n\n\n"), text.Len())
		from := wire.Transcoder{From: gcx.Codec{}, To: jsonl.Codec{}, Workers: workers}
		_, err = from.Transcode(t.Context(), &again, &text)
		require.NoError(t, err)
		require.True(t, again.String() == lines)
	}

	header := gcx.Header{Tool: "data", Fields: []string{"a"}, Meta: []gcx.Meta{{Key: "rows", Value: "*"}, {Key: "types", Value: "m"}}}
	out.Reset()
	rows := gcx.Codec{}.NewEncoder(&out)
	require.NoError(t, rows.Section(header))
	for _, cell := range []string{"1", "", "2", ""} {
		require.NoError(t, rows.Row(cell))
	}
	require.NoError(t, rows.Close())
	require.Equal(t, want, out.String())
	section := gcx.Section{Header: header, Rows: [][]string{{"1"}, {""}, {"2"}, {}}}
	text, err := gcx.Codec{}.AppendSections(nil, section)
	require.NoError(t, err)
	require.Equal(t, want, string(text))
}

// TestBlankRowsRefused: no row is written that would not be read.
func TestBlankRowsRefused(t *testing.T) {
	one := codectest.Keys(t, "a")
	for _, test := range []struct {
		name, list, code string
		keys             *wire.Keys
		c                gcx.Codec
	}{
		{"the reference skips blank lines", `[{"a":1},{}]`, "not_interoperable", one, gcx.Codec{Interop: true}},
		{"no types", `[{"a":1},{}]`, "empty_row", one, gcx.Codec{Plain: true}},
		{"null, and no types", `[{"a":1},{"a":null}]`, "empty_row", one, gcx.Codec{Plain: true}},
		{"a text that is stripped", `["x","\r"]`, "empty_row", nil, gcx.Codec{Plain: true}},
	} {
		_, err := writeRecords(t, test.c, test.keys, parse(t, test.list))
		requireError(t, err, test.code, wire.ErrShape)
	}
	e := gcx.Codec{Interop: true}.NewEncoder(&bytes.Buffer{})
	require.NoError(t, e.Section(gcx.Header{Tool: "t", Fields: []string{"a"}, Meta: []gcx.Meta{{Key: "rows", Value: "*"}, {Key: "types", Value: "m"}}}))
	requireError(t, e.Row(""), "not_interoperable", wire.ErrShape)
	e = gcx.Codec{}.NewEncoder(&bytes.Buffer{})
	require.NoError(t, e.Section(gcx.Header{Tool: "t", Fields: []string{"a"}, Meta: []gcx.Meta{{Key: "rows", Value: "*"}}}))
	requireError(t, e.Row(""), "empty_row", wire.ErrShape)
}
