package jsonl_test

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, text, compact, code string }{
		{"nothing", "", "[]", ""},
		{"blank lines", "\n \r\n\t\n", "[]", ""},
		{"records", "{\"a\":1}\r\n\n{\"a\":2}", `[{"a":1},{"a":2}]`, ""},
		{"escaped line ends", "\"a\\nb\"\n[\"\\n\"]\n", `["a\nb",["\n"]]`, ""},
		{"scalars", "1\n\"x\"\nnull\n", `[1,"x",null]`, ""},
		{"byte order mark", "\ufeff{\"a\":1}\n", `[{"a":1}]`, ""},
		{"white space around values", " [ 1 , 2 ] \n", `[[1,2]]`, ""},
		{"two values on a line", "1 2\n", "", "trailing_data"},
		{"value over two lines", "{\"a\":\n1}\n", "", "line_end_in_value"},
		{"cut", "{\"a\":1}\n{\"a\"", "", "unexpected_end"},
		{"byte order marks of files put together", "1\n\ufeff2\n\r\n\ufeff \n\ufeff{\"a\":\"\ufeff\"}\r\n\ufeff\n\ufeff-3 \n\ufeff", `[1,2,{"a":"` + "\ufeff" + `"},-3]`, ""},
		{"two byte order marks", "1\n\ufeff\ufeff2\n", "", "unexpected_character"},
		{"a byte order mark in a line", "1\n \ufeff2\n", "", "unexpected_character"},
		{"a byte order mark after a value", "1\n2\ufeff\n", "", "trailing_data"},
		{"invalid UTF-8", "1\n\"\xff\"\n", "", "invalid_utf8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := jsonl.Codec{}.Decode([]byte(c.text))
			var e *wire.Error
			if c.code != "" {
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.code, e.Code)
				require.Equal(t, "jsonl", e.Format)
			} else {
				require.NoError(t, err)
				require.Equal(t, c.compact, string(wire.AppendJSON(nil, v)))
				text := codectest.Encoded(t, jsonl.Codec{}, v)
				again := codectest.Decoded(t, jsonl.Codec{}, text)
				require.True(t, wire.Identical(v, again))
			}

			records, failed := codectest.Collect(t, jsonl.Codec{}.Records(iotest.OneByteReader(strings.NewReader(c.text))))
			require.Equal(t, c.code != "", failed != nil, "a stream is as strict: %v", failed)
			if failed == nil {
				require.True(t, wire.Identical(v, wire.Array(records...)))
			} else if c.code == "unexpected_end" || c.code == "unexpected_character" {
				require.ErrorAs(t, failed, &e)
				require.Equal(t, 2, e.Line)
			}
		})
	}
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w, err := jsonl.Codec{}.NewRecordWriter(&out, nil)
	require.NoError(t, err)
	v := codectest.JSON(t, `[{"a":1},{"b":[1,2]},"x\ny"]`)
	for r := range v.Elements() {
		require.NoError(t, w.Write(r))
	}
	require.NoError(t, w.Close())
	whole := codectest.Encoded(t, jsonl.Codec{}, v)
	require.Equal(t, string(whole), out.String())

	out.Reset()
	w, err = jsonl.Codec{}.NewRecordWriter(&out, nil)
	require.NoError(t, err)
	require.ErrorIs(t, w.Write(wire.String("\xff")), wire.ErrUTF8)
	require.NoError(t, w.Write(wire.Int(1)))
	require.NoError(t, w.Close())
	require.Equal(t, "1\n", out.String())
	require.Error(t, w.Write(wire.Int(2)), "after Close")
}

func TestRefusesOtherKinds(t *testing.T) {
	for _, v := range []wire.Value{wire.Null(), wire.Int(1), codectest.JSON(t, "{}")} {
		out, err := jsonl.Codec{}.AppendEncode([]byte("x"), v)
		require.ErrorIs(t, err, wire.ErrShape)
		require.Equal(t, "x", string(out))
	}
}

func TestLineLimit(t *testing.T) {
	text := "{\"a\":1}\n\"" + strings.Repeat("x", 1000) + "\"\n"
	n := 0
	for _, err := range (jsonl.Codec{Limits: wire.Limits{LineBytes: 100}}).Records(strings.NewReader(text)) {
		if n++; n == 2 {
			require.ErrorIs(t, err, wire.ErrLimit)
			e := codectest.Error(t, err)
			require.Equal(t, 2, e.Line)
			require.Equal(t, 8, e.Offset)
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, 2, n)
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"{\"a\":1}\n{\"a\":2}": true, "[1]\n[2]\n": true,
		"1\n2\n": true, "\"a\"\n\nnull": true, "{\"a\":1}\n3\n": true, "3\n[4]\n": true,
		"{\"a\":1}\n": false, "{\n{": false, "[\n[1]]": false, "": false, "1\n": false, "1\nid: 2": false, "id\n1\n": false, "1\n2\nx": false, "\"a\"\n{": false,
	} {
		require.Equal(t, want, jsonl.Codec{}.Sniff([]byte(text)), text)
	}
}

// TestFaults: records before a fault are read, whatever the reader,
// and no fault of a reader or writer is lost.
func TestFaults(t *testing.T) {
	const text = "{\"a\":1}\r\n\n{\"a\":2}\n{\"a\":3}"
	read := func(r io.Reader) (records int, last error) {
		for v, err := range (jsonl.Codec{}).Records(r) {
			require.NoError(t, last, "an error is the last pair")
			if last = err; err == nil {
				records++
				a, _ := v.Get("a")
				require.Equal(t, strconv.Itoa(records), a.String())
			}
		}
		return records, last
	}
	for name, r := range faulty.Readers([]byte(text)) {
		n, err := read(r)
		require.NoError(t, err, name)
		require.Equal(t, 3, n, name)
	}
	broken := errors.New("broken")
	for cut := range faulty.Cuts([]byte(text), len(text)) {
		whole, _ := read(bytes.NewReader(cut))
		first := -1
		for name, r := range faulty.Failing(cut, broken) {
			n, err := read(r)
			require.ErrorIs(t, err, broken, "%s, %q", name, cut)
			if first < 0 {
				first = n
			}
			require.Equal(t, first, n, "%s, %q", name, cut)
			require.LessOrEqual(t, n, whole)
			require.Equal(t, bytes.Count(cut, []byte("}\r\n"))+bytes.Count(cut, []byte("}\n")), n, "%s, %q", name, cut)
		}
	}
	n, err := read(faulty.Stuck([]byte("{\"a\":1}\n{")))
	require.ErrorIs(t, err, io.ErrNoProgress)
	require.Equal(t, 1, n)

	write := func(w io.Writer) error {
		out, err := jsonl.Codec{}.NewRecordWriter(w, nil)
		require.NoError(t, err)
		for range 3 {
			if err := out.Write(wire.String("record")); err != nil {
				require.ErrorIs(t, out.Write(wire.Null()), err, "an error stays")
				require.ErrorIs(t, out.Close(), err)
				return err
			}
		}
		return out.Close()
	}
	for limit := range 3 * len("\"record\"\n") {
		require.ErrorIs(t, write(&faulty.Writer{Limit: limit}), faulty.ErrFull)
		require.ErrorIs(t, write(&faulty.Writer{Limit: limit, Silent: true}), io.ErrShortWrite)
	}
	require.NoError(t, write(&faulty.Writer{Limit: 3 * len("\"record\"\n")}))
}

// TestFilesPutTogether: a byte order mark at the beginning of a later line is passed over by
// every reader, and errors keep their places.
func TestFilesPutTogether(t *testing.T) {
	type record struct {
		A int `json:"a"`
	}
	one, two := "\ufeff{\"a\":1}\n{\"a\":2}\n", "\ufeff{\"a\":3}\r\n\n\ufeff{\"a\":4}"
	want := []record{{1}, {2}, {3}, {4}}
	src := []byte(one + two)
	require.True(t, jsonl.Codec{}.Sniff(src))
	var rows []record
	require.NoError(t, jsonl.Unmarshal(src, &rows))
	require.Equal(t, want, rows)
	rows = nil
	for r, err := range wire.NewDecoder[record](jsonl.Codec{}, bytes.NewReader(src)).All() {
		require.NoError(t, err)
		rows = append(rows, r)
	}
	require.Equal(t, want, rows)
	var out bytes.Buffer
	_, err := wire.Transcoder{From: jsonl.Codec{}, To: jsonl.Codec{}, Workers: 2}.Transcode(t.Context(), &out, bytes.NewReader(src))
	require.NoError(t, err)
	require.Equal(t, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n", out.String())

	bad := []byte(one + strings.Replace(two, "4", `"x"`, 1))
	for _, err := range wire.NewDecoder[record](jsonl.Codec{}, bytes.NewReader(bad)).All() {
		if err != nil {
			require.Equal(t, bytes.IndexByte(bad, 'x')-1, codectest.Error(t, err).Offset)
		}
	}
	e := codectest.Error(t, jsonl.Unmarshal(bad, &rows))
	require.Equal(t, []int{5, bytes.IndexByte(bad, 'x') - 1}, []int{e.Line, e.Offset})
}
