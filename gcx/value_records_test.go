package gcx_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

var _ wire.Streamer = gcx.Codec{}

func writeRecords(t *testing.T, c gcx.Codec, keys *wire.Keys, list wire.Value) ([]byte, error) {
	t.Helper()
	var out bytes.Buffer
	w, err := c.NewRecordWriter(&out, keys)
	require.NoError(t, err)
	for v := range list.Elements() {
		if err := w.Write(v); err != nil {
			require.NoError(t, w.Close(), "it is the record's error")
			return nil, err
		}
	}
	require.NoError(t, w.Close())
	require.Error(t, w.Write(wire.Null()), "closed")
	return out.Bytes(), nil
}

func readRecords(t *testing.T, payload []byte) wire.Value {
	t.Helper()
	got := codectest.All(t, gcx.Codec{}.Records(iotest.HalfReader(bytes.NewReader(payload))))
	return wire.Array(got...)
}

func TestRecords(t *testing.T) {
	for _, test := range []struct{ name, keys, list, want string }{
		{"rows", "a,b", `[{"a":1,"b":"x"},{"a":null,"b":""},{"b":"1"},{},{"a":"null","b":[1,"\r"]}]`,
			"GCX1 tool=data fields=a,b rows=* types=m\n1\tx\nnull\t\"\"\n\t\"1\"\n\t\n\"null\"\t[1,\"\\\\r\"]\n"},
		{"one column", "a", `[{"a":""},{"a":null},{"a":"#"}]`, "GCX1 tool=data fields=a rows=* types=m\n\"\"\nnull\n\\#\n"},
		{"one column that lacks members", "a", `[{},{"a":1},{},{}]`, "GCX1 tool=data fields=a rows=* types=m\n\n1\n\n\n"},
		{"any values", "", `[1,"1",null,"",{"a":1},[]]`, "GCX1 tool=data fields=value rows=* types=m\n1\n\"1\"\nnull\n\"\"\n{\"a\":1}\n[]\n"},
		{"the key value", "value", `[{"value":1}]`, "GCX1 tool=data fields=value rows=* types=m\n{\"value\":1}\n"},
		{"one record", "a,b", `[{"a":1,"b":2}]`, "GCX1 tool=data fields=a,b rows=* types=m\n1\t2\n"},
		{"no record", "a,b", `[]`, "GCX1 tool=data fields=a,b rows=* types=m\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var keys *wire.Keys
			if test.keys != "" {
				keys = codectest.Keys(t, strings.Split(test.keys, ",")...)
			}
			list := parse(t, test.list)
			got, err := writeRecords(t, gcx.Codec{}, keys, list)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
			require.True(t, wire.Identical(list, readRecords(t, got)))
			whole := codectest.Decoded(t, gcx.Codec{}, got)
			require.True(t, wire.Identical(list, whole), "%s", whole)
		})
	}
}

// TestRecordsAsStructs: a Decoder reads payloads of other writers as it does through Values,
// which it makes with an option.
func TestRecordsAsStructs(t *testing.T) {
	type row struct {
		A int     `json:"a"`
		B *string `json:"b"`
		C []int   `json:"c,omitempty"`
	}
	decoded := func(payload string, o wire.Options) (rows []row, last error) {
		d := wire.NewDecoder[row](gcx.Codec{}, strings.NewReader(payload))
		d.Options = o
		for r, err := range d.All() {
			if err != nil {
				return rows, err
			}
			rows = append(rows, r)
		}
		return rows, nil
	}
	read := 0
	for _, head := range []string{"fields=a,b", "fields=b,a", "fields=a", "fields=b", "fields=a,b,c types=m", "fields=a,x,b rows=2", "fields=c,a rows=* types=m", "fields=a,b types=ms sections=1"} {
		for _, lines := range []string{"", "\n", "\n\n", "1\n", "1\tx\n", "1\tx\n2\ty", "1\tx\n2\t", "1\tx\r\n2\ty\r\n", "1\n2", "x\t1\n\t2\n", "\t\n\t", "1\tx\t[1]\n2\ty\t[2", "1\t2\t3\n# c\n\n4\tx\ty\n", "[1]\t2\n[2,3]\t4", "1\tx\nGCX1 tool=u fields=a\n"} {
			payload := "GCX1 tool=t " + head + "\n" + lines
			want, wrong := decoded(payload, wire.Options{UseFloat64: true})
			rows, err := decoded(payload, wire.Options{})
			require.Equal(t, want, rows, "%q", payload)
			require.Equal(t, wrong, err, "%q", payload)
			read += len(rows)
		}
	}
	require.Greater(t, read, 40)
}

func TestRecordsOfEveryRow(t *testing.T) {
	rows := parse(t, string(sample.Rows(3_000)))
	got, err := writeRecords(t, gcx.Codec{}, rows.Index(0).Keys(), rows)
	require.NoError(t, err)
	require.True(t, wire.Identical(rows, readRecords(t, got)))
	whole := codectest.Encoded(t, gcx.Codec{}, rows)
	require.True(t, wire.Identical(rows, readRecords(t, whole)), "Records reads what AppendEncode writes")
}

// TestRecordLineEnds: of the carriage returns in front of a line feed the last
// belongs to the line's end, for every reader.
func TestRecordLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"GCX1 tool=t fields=a\n\r\r\n0\n":            `[{"a":"\r"},{"a":0}]`,
		"GCX1 tool=t fields=a,b\nx\ty\r\r\nz\tw\r\n": `[{"a":"x","b":"y\r"},{"a":"z","b":"w"}]`,
		"GCX1 tool=t fields=a,b\nx\r\ty\r\n\r\t\r\r": `[{"a":"x\r","b":"y"},{"a":"\r","b":"\r"}]`,
		"GCX1 tool=t fields=a\nx\ny\r\r":             `[{"a":"x"},{"a":"y\r"}]`,
	} {
		whole := codectest.Decoded(t, gcx.Codec{}, text)
		require.Equal(t, want, whole.String(), "%q", text)
		require.Equal(t, want, readRecords(t, []byte(text)).String(), "%q", text)
	}
}

// TestPlainRecords: names are written without carriage returns, as everywhere.
func TestPlainRecords(t *testing.T) {
	list := parse(t, `[{"a\r":"x\r","b":1}]`)
	got, err := writeRecords(t, gcx.Codec{Plain: true, Tool: "t\r"}, list.Index(0).Keys(), list)
	require.NoError(t, err)
	require.Equal(t, "GCX1 tool=t fields=a,b rows=*\nx\t1\n", string(got))
	keys := codectest.Keys(t, "a", "a\r")
	_, err = gcx.Codec{Plain: true}.NewRecordWriter(&bytes.Buffer{}, keys)
	requireError(t, err, "duplicate_field_name", wire.ErrDuplicateKey)
}

func TestRecordErrors(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	for _, test := range []struct {
		name, list, code string
		kind             error
	}{
		{"not an object", `[1]`, "not_a_record", wire.ErrShape},
		{"unknown member", `[{"a":1,"c":2}]`, "unknown_member", wire.ErrUnknownMember},
		{"other order", `[{"b":1,"a":2}]`, "member_order", wire.ErrShape},
	} {
		_, err := writeRecords(t, gcx.Codec{}, keys, parse(t, test.list))
		requireError(t, err, test.code, test.kind)
	}
	for _, test := range []struct {
		name, payload, code string
		kind                error
		records, line       int
	}{
		{"second section", h + "1\nGCX1 tool=u fields=b\n2\n", "several_sections", wire.ErrShape, 1, 3},
		{"too many cells", h + "1\n2\t3\n", "row_width_mismatch", wire.ErrSyntax, 1, 3},
		{"cut", "GCX1 tool=t fields=a rows=2\n1\n", "count_mismatch", wire.ErrTruncated, 1, 3},
		{"types", "GCX1 tool=t fields=a types=q\n1\n", "invalid_types", wire.ErrSyntax, 0, 1},
		{"nothing", "", "unexpected_end", wire.ErrTruncated, 0, 1},
	} {
		n := 0
		var last error
		for _, err := range (gcx.Codec{}).Records(strings.NewReader(test.payload)) {
			require.NoError(t, last, "an error is the last pair")
			if last = err; err == nil {
				n++
			}
		}
		requireError(t, last, test.code, test.kind)
		require.Equal(t, test.records, n, test.name)
		e := codectest.Error(t, last)
		require.Equal(t, test.line, e.Line, test.name)
	}
}
