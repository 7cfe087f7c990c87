package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// readStreamed returns what a stream has, as an array, and the error that ends it.
func readStreamed(c wire.JSON, r io.Reader) (string, error) {
	var all []wire.Value
	for v, err := range c.Records(r) {
		if err != nil {
			return string(wire.AppendJSON(nil, wire.Array(all...))), err
		}
		all = append(all, v)
	}
	return string(wire.AppendJSON(nil, wire.Array(all...))), nil
}

// TestJSONRecords: the elements of an array, wherever RecordsAt has it, and the faults of the
// whole document, where they are.
func TestJSONRecords(t *testing.T) {
	for _, c := range []struct{ text, at, want, fault string }{
		{`[]`, "", `[]`, ""},
		{" \n[ 1 , \"a\\\"]\" ,{\"b\":[{}]}, [] ,null ] \r\n", "", `[1,"a\"]",{"b":[{}]},[],null]`, ""},
		{"\ufeff[1]", "", `[1]`, ""},
		{`{"a":{"b":[9]},"x/y":[{"~":[1,2]}, 3]}`, "/x~1y/0/~0", `[1,2]`, ""},
		{`{"items":[1],"items":[2]}`, "/items", `[1]`, ""},
		{`{"items":[1,2],"next":"é\n{"}`, "/items", `[1,2]`, ""},
		{"", "", `[]`, "unexpected_end at 0, 1:1 ()"},
		{"[", "", `[]`, "unexpected_end at 1, 1:2 (/0)"},
		{`[1`, "", `[]`, "unexpected_end at 2, 1:3 ()"},
		{`[{"a":1}`, "", `[{"a":1}]`, "unexpected_end at 8, 1:9 ()"},
		{"[1,\n {\"é\":[tru", "", `[1]`, "unexpected_end at 15, 2:11 (/1/é/0)"},
		{"[1,]", "", `[1]`, "unexpected_character at 3, 1:4 (/1)"},
		{"[1 2]", "", `[1]`, "unexpected_character at 3, 1:4 ()"},
		{"[1]\n x", "", `[1]`, "trailing_data at 5, 2:2 ()"},
		{"[1]\xff", "", `[1]`, "invalid_utf8 at 3, 1:4 ()"},
		{`{"a":1}`, "", `[]`, "not_an_array at 0, 1:1 ()"},
		{`12 `, "", `[]`, "not_an_array at 2, 1:3 ()"},
		{`{"items":{"a":1}}`, "/items", `[]`, "not_an_array at 9, 1:10 ()"},
		{`{"a":[1]}`, "/items", `[]`, "no_such_part at 9, 1:10 ()"},
		{`[[1]]`, "/1", `[]`, "no_such_part at 5, 1:6 ()"},
		{`{"a":[1,{"b":nul}],"items":[1]}`, "/items", `[]`, "unexpected_character at 16, 1:17 ()"},
		{`{"items":[1,2],"next":tru}`, "/items", `[1,2]`, "unexpected_character at 25, 1:26 ()"},
		{`{"items":[1,2]`, "/items", `[1,2]`, "unexpected_end at 14, 1:15 ()"},
		{`[1]`, "items", `[]`, "invalid_pointer at 0, 0:0 ()"},
	} {
		for name, r := range faulty.Readers([]byte(c.text)) {
			got, err := readStreamed(wire.JSON{RecordsAt: c.at}, r)
			require.Equal(t, c.want, got, "%s %s", c.text, name)
			if c.fault == "" {
				require.NoError(t, err, c.text)
				continue
			}
			e := codectest.Error(t, err)
			require.Equal(t, c.fault, fmt.Sprintf("%s at %d, %d:%d (%s)", e.Code, e.Offset, e.Line, e.Column, e.Path()), "%s: %v", c.text, err)
		}
	}
}

// TestJSONRecordsDamaged holds streams of damaged texts to what Decode says of them.
func TestJSONRecordsDamaged(t *testing.T) {
	pieces := []string{"[", "]", "{", "}", ",", ":", `"`, `\`, " ", "\n", "1", "-", "e", "null", "tru", `"a":`, "é", "\xff", "\ufeff", `\u12`, "[[", "]]"}
	r := rand.New(rand.NewPCG(15, 4))
	texts := []string{`[{"id":1,"name":"ada\n","tags":["x","y"]},{"id":2,"name":"é","tags":[]}]`, "[\n  1,\n  [2.50, -3e9],\n  \"\",\n  {\"a\": {\"b\": [null, true]}}\n]", `["a","b"]`}
	for range trials.Of(4000) {
		src := []byte(texts[r.IntN(len(texts))])
		for range 1 + r.IntN(2) {
			src = faulty.Damaged(r, src, src, pieces)
		}
		v, whole := wire.JSON{}.Decode(src)
		got, err := readStreamed(wire.JSON{}, bytes.NewReader(src))
		again, same := readStreamed(wire.JSON{}, iotest.OneByteReader(bytes.NewReader(src)))
		require.Equal(t, []any{got, same}, []any{again, err}, "%q", src)
		switch {
		case whole == nil && v.Kind() == wire.KindArray:
			require.NoError(t, err, "%q", src)
			require.Equal(t, string(wire.AppendJSON(nil, v)), got)
		case whole == nil:
			require.ErrorIs(t, err, wire.ErrShape, "%q", src)
		default:
			require.Error(t, err, "%q", src)
			e, w := codectest.Error(t, err), codectest.Error(t, whole)
			if !errors.Is(err, wire.ErrShape) && (w.Code != wire.CodeInvalidUTF8 || e.Offset >= w.Offset) {
				require.Equal(t, fmt.Sprint(w.Code, w.Offset, w.Line, w.Column), fmt.Sprint(e.Code, e.Offset, e.Line, e.Column), "%q\n%v\n%v", src, whole, err)
			}
		}
	}
}

// TestJSONRecordWriter: a closed stream is what the whole array is.
func TestJSONRecordWriter(t *testing.T) {
	all := codectest.JSON(t, `[{"a":[1,{"b":[]}]},"x",null,[],{}]`)
	for _, c := range []wire.JSON{{}, {Indent: "  "}, {Indent: "\t", RejectDuplicates: true}} {
		for n := range all.Len() + 1 {
			var out strings.Builder
			w, err := c.NewRecordWriter(&out, nil)
			require.NoError(t, err)
			for i := range n {
				require.ErrorIs(t, w.Write(wire.String("\xff")), wire.ErrUTF8)
				require.NoError(t, w.Write(all.Index(i)))
				require.NoError(t, w.Flush())
			}
			require.NoError(t, w.Close())
			require.NoError(t, w.Close())
			require.Error(t, w.Write(all))
			require.Equal(t, string(codectest.Encoded(t, c, wire.Array(slices.Collect(all.Elements())[:n]...))), out.String())
		}
	}
	_, err := wire.JSON{Indent: "x"}.NewRecordWriter(io.Discard, nil)
	require.ErrorIs(t, err, wire.ErrRange)
}

// TestJSONRecordsLimits: limits are for one record.
func TestJSONRecordsLimits(t *testing.T) {
	text := "[" + strings.Repeat(`{"a":[1,2]},`+"\n", 1000) + `{"a":"` + strings.Repeat("x", 100) + `"}]`
	n := 0
	for _, err := range (wire.JSON{Limits: wire.Limits{LineBytes: 50, InputBytes: 50, Values: 5, Depth: 3}}).Records(strings.NewReader(text)) {
		if n++; n <= 1000 {
			require.NoError(t, err)
			continue
		}
		e := codectest.Refused(t, err, wire.CodeLineTooLong, wire.ErrLimit)
		require.Equal(t, []any{1001, 51, "/1000"}, []any{e.Line, e.Column, e.Path()})
	}
	require.Equal(t, 1001, n)
	_, err := readStreamed(wire.JSON{Limits: wire.Limits{Depth: 2}}, strings.NewReader(`[[[1]]]`))
	codectest.Refused(t, err, wire.CodeTooDeep, wire.ErrLimit)
	deep := strings.Repeat(`{"a":[`, 6000)
	_, err = readStreamed(wire.JSON{RecordsAt: "/x"}, strings.NewReader(deep))
	codectest.Refused(t, err, wire.CodeTooDeep, wire.ErrLimit)
}

// TestJSONRecordsGo: a record that does not go into its Go variable is found in the document.
func TestJSONRecordsGo(t *testing.T) {
	type row struct{ ID int }
	text := "{\"rows\": [{\"ID\":1},\n  {\"ID\":2}, {\"ID\":\"x\"},\n{\"ID\":4}]}"
	var got []string
	for r, err := range wire.NewDecoder[row](wire.JSON{RecordsAt: "/rows"}, strings.NewReader(text)).All() {
		got = append(got, fmt.Sprint(r.ID, err == nil))
		if err != nil {
			e := codectest.Error(t, err)
			require.Equal(t, []any{"/2/ID", 2, 19}, []any{e.Path(), e.Line, e.Column})
		}
	}
	require.Equal(t, []string{"1 true", "2 true", "0 false", "4 true"}, got)
}
