package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// vectors are tables in both directions: JSON, and the text that is written
// for it and read again.
var vectors = []struct {
	name  string
	codec Codec
	json  string
	text  string
}{
	{"nothing", Codec{}, `[]`, ""},
	{"scalars", Codec{}, `[{"a":1,"b":-0.50,"c":1e400,"d":true,"e":false,"f":null}]`, "a,b,c,d,e,f\n1,-0.50,1e400,true,false,null\n"},
	{"long numbers", Codec{}, `[{"a":12345678901234567890,"b":0.1000000000000000000001}]`, "a,b\n12345678901234567890,0.1000000000000000000001\n"},
	{"strings like scalars", Codec{}, `[{"a":"1","b":"true","c":"null","d":"-0.5e1","e":"","f":"false"}]`, "a,b,c,d,e,f\n\"1\",\"true\",\"null\",\"-0.5e1\",\"\",\"false\"\n"},
	{"strings that are not", Codec{}, `[{"a":"007","b":"+49","c":"N/A","d":"12 kg","e":"True","f":" 1","g":"1.","h":"-","i":"NaN"}]`, "a,b,c,d,e,f,g,h,i\n007,+49,N/A,12 kg,True, 1,1.,-,NaN\n"},
	{"grammar", Codec{}, `[{"a":"x,y","b":"say \"hi\"","c":"two\nlines","d":"\r","e":"a\r\nb","f":"\""}]`, "a,b,c,d,e,f\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\",\"\r\",\"a\r\nb\",\"\"\"\"\n"},
	{"absent members", Codec{}, `[{"a":1,"b":2},{"a":3},{"b":4},{"c":""}]`, "a,b,c\n1,2,\n3,,\n,4,\n,,\"\"\n"},
	{"one column", Codec{}, `[{"a":""},{"a":"x"},{"a":null}]`, "a\n\"\"\nx\nnull\n"},
	{"names", Codec{}, `[{"":1,"1":2,"a,b":3,"c\"d":4,"e\nf":5," g":6,"true":7}]`, "\"\",1,\"a,b\",\"c\"\"d\",\"e\nf\", g,true\n1,2,3,4,5,6,7\n"},
	{"a name like a first line", Codec{}, `[{"sep=;":1},{"sep=;":"sep=,"}]`, "\"sep=;\"\n1\n\"sep=,\"\n"},
	{"names like a first line", Codec{Comma: ';'}, `[{"sep=":1,"":2}]`, "sep=;\"\"\n1;2\n"},
	{"a name longer than a first line", Codec{}, `[{"sep=;;":1},{"sep=;;":2}]`, "sep=;;\n1\n2\n"},
	{"quotation marks between tabs", Codec{Comma: '\t'}, `[{"a":"5\"","b":"\"x\"","c\"":"\""},{"a":"x\"\ty","b":"\"\n\"","c\"":1}]`, "a\tb\t\"c\"\"\"\n\"5\"\"\"\t\"\"\"x\"\"\"\t\"\"\"\"\n\"x\"\"\ty\"\t\"\"\"\n\"\"\"\t1\n"},
	{"byte order mark in a name", Codec{}, `[{"` + "\ufeff" + `a":1}]`, "\"\ufeffa\"\n1\n"},
	{"Unicode", Codec{}, `[{"größe":"日本","x":"🙂"}]`, "größe,x\n日本,🙂\n"},
	{"tabs", Codec{Comma: '\t'}, `[{"a":"x,y","b":"p\tq","c":1}]`, "a\tb\tc\nx,y\t\"p\tq\"\t1\n"},
	{"semicolons", Codec{Comma: ';'}, `[{"a":"1,5","b":"x;y"}]`, "a;b\n1,5;\"x;y\"\n"},
	{"texts", Codec{AllStrings: true}, `[{"a":"1","b":"","c":"null"},{"a":"","b":"true","c":"x,"}]`, "a,b,c\n1,,null\n,true,\"x,\"\n"},
}

func TestVectors(t *testing.T) {
	for _, c := range vectors {
		t.Run(c.name, func(t *testing.T) {
			v := codectest.JSON(t, c.json)
			text, err := c.codec.AppendEncode([]byte("x"), v)
			require.NoError(t, err)
			require.Equal(t, "x"+c.text, string(text))
			got := codectest.Decoded(t, c.codec, c.text)
			require.True(t, wire.Identical(v, got), "%v", got)
			got = codectest.Decoded(t, c.codec, "\ufeff"+strings.TrimSuffix(c.text, "\n"))
			if c.name != "one column" {
				require.True(t, wire.Identical(v, got), "%v", got)
			}
			requireRecords(t, c.codec, c.text, nil)
		})
	}
}

// foreign are texts that the encoder does not write.
var foreign = []struct {
	name  string
	codec Codec
	text  string
	json  string
}{
	{"Windows", Codec{}, "a,b\r\n1,\"x\r\ny\"\r\n", `[{"a":1,"b":"x\r\ny"}]`},
	{"no final line end", Codec{}, "a,b\n1,2", `[{"a":1,"b":2}]`},
	{"blank lines at the end", Codec{}, "a,b\n1,2\n\n\r\n\n", `[{"a":1,"b":2}]`},
	{"only a header", Codec{}, "a,b\n", `[]`},
	{"only blank lines", Codec{}, "\n\r\n", `[]`},
	{"needless quotes", Codec{}, "\"a\",\"b\"\n\"x\",y\n", `[{"a":"x","b":"y"}]`},
	{"a name that is missing", Codec{}, ",a\n0,x\n", `[{"":0,"a":"x"}]`},
	{"a last CR", Codec{}, "a,b\n1,2\r", `[{"a":1,"b":2}]`},
	{"an empty quoted cell", Codec{}, "a,b\n\"\",\n", `[{"a":""}]`},

	{"the separator first", Codec{}, "sep=,\na,b\n1,2\n", `[{"a":1,"b":2}]`},
	{"a semicolon first", Codec{Comma: ';'}, "sep=;\r\na;b\r\n1;2\r\n", `[{"a":1,"b":2}]`},
	{"a tab first", Codec{Comma: '\t'}, "sep=\t\na\tb\n1\t2\n", `[{"a":1,"b":2}]`},
	{"a bar first", Codec{Comma: '|', AllStrings: true}, "sep=|\na|b\n1|2\n", `[{"a":"1","b":"2"}]`},
	{"nothing after the separator", Codec{}, "sep=,", `[]`},
	{"blank lines after the separator", Codec{}, "sep=,\n\n\n", `[]`},
	{"the separator and a header", Codec{}, "sep=,\na,b\n", `[]`},
	{"the separator as a row", Codec{}, "a\nsep=\n\"sep=,\"\n", `[{"a":"sep="},{"a":"sep=,"}]`},
	{"names that go on after it", Codec{}, "sep=,b\n1,2\n", `[{"sep=":1,"b":2}]`},
	{"no separator", Codec{}, "sep=a\n1\n", `[{"sep=a":1}]`},

	{"rows of separators at the end", Codec{}, "a,b,c\r\n1,2,3\r\n,,\r\n,,\r\n", `[{"a":1,"b":2,"c":3}]`},
	{"a row of separators without its end", Codec{Comma: ';'}, "a;b\n1;\n;", `[{"a":1}]`},
	{"rows of separators and blank lines", Codec{Comma: '\t'}, "a\tb\n1\t2\n\n\t\n\n\t\r\n", `[{"a":1,"b":2}]`},
	{"only rows of separators", Codec{}, "a,b\n,\n,\n", `[]`},
	{"rows of separators are rows of texts", Codec{AllStrings: true}, "a,b\n,\n,\n", `[{"a":"","b":""},{"a":"","b":""}]`},

	{"quotation marks between tabs", Codec{Comma: '\t'}, "size\ta\"b\n5\"\t7\" x 9\"\n\"q\"\tx\"\n", `[{"size":"5\"","a\"b":"7\" x 9\""},{"size":"q","a\"b":"x\""}]`},
	{"a line end in a quoted cell after one", Codec{Comma: '\t'}, "a\tb\n5\"\t\"x\ny\"\"\"\n\"\"\"\tz\"\t1\n", `[{"a":"5\"","b":"x\ny\""},{"a":"\"\tz","b":1}]`},
}

func TestForeign(t *testing.T) {
	for _, c := range foreign {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range []string{c.text, "\ufeff" + c.text} {
				got := codectest.Decoded(t, c.codec, text)
				require.Equal(t, c.json, string(wire.AppendJSON(nil, got)))
				requireRecords(t, c.codec, text, nil)
			}
		})
	}
}

// TestSeparator: a table whose first line names another separator is an error that says how
// it is read, whole, as a stream and into Go values; it is read so.
func TestSeparator(t *testing.T) {
	for comma, hint := range map[byte]string{',': "csv", ';': "csv:semicolon", '\t': "csv:tsv", '|': "'|'", ':': "':'"} {
		text := []byte("\ufeffsep=" + string(comma) + "\r\na" + string(comma) + "b\n1" + string(comma) + "true\n")
		require.Equal(t, comma, Separator(text))
		type row struct {
			A int  `json:"a"`
			B bool `json:"b"`
		}
		for _, c := range []Codec{{}, {Comma: ';'}, {Comma: '\t'}, {Comma: '|'}, {AllStrings: true}} {
			var rows []row
			err := c.Unmarshal(text, &rows)
			if named, _ := c.comma(); named == comma {
				require.NoError(t, err)
				require.Equal(t, []row{{1, true}}, rows)
				for got, err := range wire.NewDecoder[row](c, bytes.NewReader(text)).All() {
					require.NoError(t, err)
					require.Equal(t, row{1, true}, got)
				}
				continue
			}
			e := codectest.Refused(t, err, "other_separator", wire.ErrSyntax)
			require.Contains(t, e.Hint, map[bool]string{false: hint, true: "set Comma to"}[c.AllStrings])
			require.Equal(t, []int{1, 2}, []int{e.Line, e.Column})
			require.Empty(t, rows)
			_, err = c.Decode(text)
			codectest.Refused(t, err, "other_separator", wire.ErrSyntax)
			requireRecords(t, c, string(text), e)
		}
	}
	for _, text := range []string{"", "sep=", "sep=;;\na", "sep=é\n", "sep=a\n", "\nsep=;\n", "\"sep=;\"\n", "SEP=;\n", " sep=;\n", "sep=\"\n", "sep=\x00\n"} {
		require.Zero(t, Separator([]byte(text)), "%q", text)
	}
}

var malformed = []struct {
	name, text, code string
	kind             error
	line, column     int
	path             string
}{
	{"too few cells", "a,b,c\n1,2,3\n4,5\n", "row_width_mismatch", wire.ErrSyntax, 3, 4, "/1"},
	{"too many cells", "a,b\n1,2,3\n", "row_width_mismatch", wire.ErrSyntax, 2, 5, "/0"},
	{"a blank line", "a,b\n\n1,2\n", "blank_line", wire.ErrSyntax, 2, 1, "/0"},
	{"a blank line of one column", "a\n1\n\n2\n", "blank_line", wire.ErrSyntax, 3, 1, "/1"},
	{"a blank line first", "\na,b\n1,2\n", "blank_line", wire.ErrSyntax, 1, 1, ""},
	{"an empty row", "a,b\n,\n1,2\n", "empty_row", wire.ErrSyntax, 2, 1, "/0"},
	{"empty rows and a blank line", "a,b\n1,2\n,\n\n,\n1,2\n", "empty_row", wire.ErrSyntax, 3, 1, "/1"},
	{"too few separators", "a,b,c\n1,2,3\n,\n", "row_width_mismatch", wire.ErrSyntax, 3, 2, "/1"},
	{"line ends of old Macs", "a,b\r1,2\r", "misplaced_character", wire.ErrSyntax, 1, 4, ""},
	{"a blank line after the separator", "sep=,\n\na,b\n", "blank_line", wire.ErrSyntax, 2, 1, ""},
	{"a name twice", "a,b,a\n1,2,3\n", "duplicate_field_name", wire.ErrDuplicateKey, 1, 5, ""},
	{"a bare quotation mark", "a,b\n1,5\" pipe\n", "bare_quote", wire.ErrSyntax, 2, 4, "/0"},
	{"text behind a quoted cell", "a,b\n\"x\"y,2\n", "misplaced_character", wire.ErrSyntax, 2, 4, "/0"},
	{"a lone CR", "a,b\n1\r2,3\n", "misplaced_character", wire.ErrSyntax, 2, 2, "/0"},
	{"cut in a quoted cell", "a,b\n1,\"x\ny", "unterminated_quote", wire.ErrTruncated, 3, 2, "/0"},
	{"invalid UTF-8", "a,b\n1,\xff\n", "invalid_utf8", wire.ErrUTF8, 2, 3, ""},
}

func TestMalformed(t *testing.T) {
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			v, err := Codec{}.Decode([]byte(c.text))
			require.True(t, v.Kind() == wire.KindNull)
			require.ErrorIs(t, err, c.kind)
			e := codectest.Refused(t, err, c.code, nil)
			require.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, e)
			require.Equal(t, c.path, e.Path())
			requireRecords(t, Codec{}, c.text, e)
		})
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		codec Codec
		json  string
		code  string
		kind  error
		path  string
	}{
		{"a scalar", Codec{}, `1`, "not_a_table", wire.ErrShape, ""},
		{"an object", Codec{}, `{"a":1}`, "not_a_table", wire.ErrShape, ""},
		{"scalars", Codec{}, `[1,2]`, "not_a_row", wire.ErrShape, "/0"},
		{"an empty row", Codec{}, `[{"a":1},{}]`, "empty_row", wire.ErrShape, "/1"},
		{"only empty rows", Codec{}, `[{}]`, "empty_row", wire.ErrShape, "/0"},
		{"nested", Codec{}, `[{"a":1},{"a":{"b":1}}]`, "nested_cell", wire.ErrShape, "/1/a"},
		{"an array", Codec{}, `[{"a":[]}]`, "nested_cell", wire.ErrShape, "/0/a"},
		{"a number among texts", Codec{AllStrings: true}, `[{"a":"x"},{"a":1}]`, "not_a_text", wire.ErrShape, "/1/a"},
		{"an absent text", Codec{AllStrings: true}, `[{"a":"x","b":"y"},{"a":"x"}]`, "absent_member", wire.ErrShape, "/1/b"},
		{"a digit as the comma", Codec{Comma: '1'}, `[{"a":1}]`, "invalid_option", wire.ErrRange, ""},
		{"too long", Codec{Limits: wire.Limits{OutputBytes: 10}}, `[{"a":"0123456789"}]`, "output_too_long", wire.ErrLimit, "/0/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := codectest.JSON(t, c.json)
			out, err := c.codec.AppendEncode([]byte("x"), v)
			require.Equal(t, "x", string(out))
			require.ErrorIs(t, err, c.kind)
			e := codectest.Refused(t, err, c.code, nil)
			require.Equal(t, c.path, e.Path())
		})
	}
	rows := make([]wire.Value, 3000)
	for i := range rows {
		rows[i], _ = wire.Object(wire.Member{Key: strings.Repeat("k", 1+i%3) + string(rune('a'+i%26)) + strings.Repeat("x", i/26), Value: wire.Int(1)})
	}
	_, err := Codec{}.AppendEncode(nil, wire.Array(rows...))
	require.ErrorIs(t, err, wire.ErrLimit)
	require.ErrorContains(t, err, "nearly_empty")
	_, err = Codec{}.AppendEncode(nil, wire.Array(object("a", wire.String("\xff"))))
	require.ErrorIs(t, err, wire.ErrUTF8)
}

func object(key string, v wire.Value) wire.Value {
	o, err := wire.Object(wire.Member{Key: key, Value: v})
	if err != nil {
		panic(err)
	}
	return o
}

func TestLimits(t *testing.T) {
	text := "a,b\n1,2\n3,4\n"
	for _, l := range []wire.Limits{{InputBytes: 5}, {Values: 4}, {LineBytes: 2}} {
		_, err := Codec{Limits: l}.Decode([]byte(text))
		require.ErrorIs(t, err, wire.ErrLimit, l)
		require.ErrorContains(t, err, "Limits.")
	}
	_, err := Codec{Limits: wire.Limits{LineBytes: 100}}.Decode([]byte("a\n\"" + strings.Repeat("x\n", 100) + "\"\n"))
	require.ErrorIs(t, err, wire.ErrLimit)
	for _, err := range (Codec{Limits: wire.Limits{LineBytes: 100}}).Records(strings.NewReader("a\n\"" + strings.Repeat("x\n", 1<<20))) {
		require.ErrorIs(t, err, wire.ErrLimit)
	}
}

// requireRecords holds that Records gives what Decode gives, however the text
// is read, and with want the same error.
func requireRecords(t testing.TB, c Codec, text string, want *wire.Error) {
	t.Helper()
	requireLent(t, c, text)
	whole, err := c.Decode([]byte(text))
	for name, r := range faulty.Readers([]byte(text)) {
		rows, failed := codectest.Collect(t, c.Records(r))
		if err == nil {
			require.NoError(t, failed, "%s: %q", name, text)
			require.True(t, wire.Identical(whole, wire.Array(rows...)), "%s: %q", name, text)
			continue
		}
		require.Error(t, failed, "%s: %q", name, text)
		if w, e := codectest.Error(t, err), codectest.Error(t, failed); !errors.Is(err, wire.ErrLimit) && w.Code == e.Code {
			require.Equal(t, []any{w.Line, w.Column, w.Offset, w.Path()}, []any{e.Line, e.Column, e.Offset, e.Path()}, "%s: %q", name, text)
		}
		if want != nil {
			e := codectest.Error(t, failed)
			require.Equal(t, []any{want.Code, want.Line, want.Column, want.Offset}, []any{e.Code, e.Line, e.Column, e.Offset}, name)
		}
	}
}

func TestRecordWriter(t *testing.T) {
	keys := codectest.Keys(t, "a", "b")
	var out bytes.Buffer
	w, err := Codec{}.NewRecordWriter(&out, keys)
	require.NoError(t, err)
	for _, row := range []string{`{"a":1,"b":"x"}`, `{"b":null}`, `{"b":2,"a":""}`} {
		v := codectest.JSON(t, row)
		require.NoError(t, w.Write(v))
	}
	require.NoError(t, w.Close())
	require.Equal(t, "a,b\n1,x\n,null\n\"\",2\n", out.String())

	for row, code := range map[string]string{`{"a":1,"c":2}`: "unknown_member", `{}`: "empty_row", `1`: "not_a_row", `{"a":[]}`: "nested_cell"} {
		w, err := Codec{}.NewRecordWriter(io.Discard, keys)
		require.NoError(t, err)
		v := codectest.JSON(t, row)
		err = w.Write(v)
		require.ErrorContains(t, err, code)
		require.NoError(t, w.Write(object("a", wire.Null())))
		require.NoError(t, w.Close())
	}
	_, err = Codec{}.NewRecordWriter(io.Discard, nil)
	require.ErrorIs(t, err, wire.ErrShape)
	_, err = Codec{Comma: 'x'}.NewRecordWriter(io.Discard, keys)
	require.ErrorIs(t, err, wire.ErrRange)
	w, err = Codec{}.NewRecordWriter(&faulty.Writer{Limit: 3, Silent: true}, keys)
	require.NoError(t, err)
	require.NoError(t, w.Write(object("a", wire.Null())))
	require.ErrorIs(t, w.Close(), io.ErrShortWrite)
}

// TestReaderErrors holds that the rows before a reader's error are handed out,
// as many whatever the reader's pieces are.
func TestReaderErrors(t *testing.T) {
	text := "a,b\n1,x\n2,\"y\nz\"\n3,w\n"
	broken := errors.New("disk full")
	for cut := range len(text) + 1 {
		counts := map[int]bool{}
		for _, r := range faulty.Failing([]byte(text[:cut]), broken) {
			rows, failed := codectest.Collect(t, Codec{}.Records(r))
			require.ErrorIs(t, failed, broken)
			for _, row := range rows {
				require.Equal(t, 2, row.Len())
			}
			counts[len(rows)] = true
		}
		require.Len(t, counts, 1, "cut at %d", cut)
	}
	_, failed := codectest.Collect(t, Codec{}.Records(faulty.Stuck(nil)))
	require.ErrorIs(t, failed, io.ErrNoProgress)
}

// TestStandardReader holds that encoding/csv reads the cells' texts, and that
// what it writes is read.
func TestStandardReader(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "1", "true", "null", ",", "\"", "\n", " ", "é", "0", "-", ".5", "\t", ";", "N/A"}
	for range trials.Of(3000) {
		names := []string{"a", "b\"", "c,d", "e"}[:2+r.IntN(3)]
		var rows []wire.Value
		var texts [][]string
		for range 1 + r.IntN(5) {
			var members []wire.Member
			var cells []string
			for _, name := range names {
				var b strings.Builder
				for range r.IntN(4) {
					b.WriteString(pieces[r.IntN(len(pieces))])
				}
				members = append(members, wire.Member{Key: name, Value: wire.String(b.String())})
				cells = append(cells, b.String())
			}
			row, err := wire.Object(members...)
			require.NoError(t, err)
			rows = append(rows, row)
			texts = append(texts, cells)
		}
		v := wire.Array(rows...)
		for _, c := range []Codec{{}, {AllStrings: true}, {Comma: '\t'}, {Comma: ';'}} {
			out := codectest.Encoded(t, c, v)
			back := codectest.Decoded(t, c, out)
			require.True(t, wire.Identical(v, back), "%q", out)
			requireRecords(t, c, string(out), nil)
			standard := stdcsv.NewReader(bytes.NewReader(out))
			if c.Comma != 0 {
				standard.Comma = rune(c.Comma)
			}
			all, err := standard.ReadAll()
			require.NoError(t, err, "%q", out)
			require.Equal(t, append([][]string{names}, texts...), all, "%q", out)
		}
		var out bytes.Buffer
		w := stdcsv.NewWriter(&out)
		require.NoError(t, w.WriteAll(append([][]string{names}, texts...)))
		back := codectest.Decoded(t, Codec{AllStrings: true}, out.Bytes())
		require.True(t, wire.Identical(v, back), "%q", out.String())
	}
}

func TestMarshal(t *testing.T) {
	type host struct {
		Name string `json:"name"`
		CPU  int    `json:"cpu"`
		Note string `json:"note,omitempty"`
	}
	hosts := []host{{"a", 4, ""}, {"b,c", 8, "x"}}
	text, err := Marshal(hosts)
	require.NoError(t, err)
	require.Equal(t, "name,cpu,note\na,4,\n\"b,c\",8,x\n", string(text))
	var back []host
	require.NoError(t, Unmarshal(text, &back))
	require.Equal(t, hosts, back)
}

func FuzzDecode(f *testing.F) {
	for _, c := range vectors {
		f.Add(c.text)
	}
	for _, c := range foreign {
		f.Add(c.text)
	}
	for _, c := range malformed {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []Codec{{}, {Comma: '\t'}, {AllStrings: true}} {
			requireRecords(t, c, text, nil)
			v, err := c.Decode([]byte(text))
			if err != nil {
				require.True(t, v.Kind() == wire.KindNull)
				e := codectest.Error(t, err)
				require.LessOrEqual(t, e.Offset, len(text))
				require.NotZero(t, e.Line)
				continue
			}
			out, err := c.AppendEncode(nil, v)
			if errors.Is(err, wire.ErrLimit) {
				continue
			}
			require.NoError(t, err)
			again := codectest.Decoded(t, c, out)
			require.True(t, wire.Equal(v, again), "%q", out)
			twice := codectest.Encoded(t, c, again)
			require.Equal(t, string(out), string(twice))
		}
	})
}

// TestDecodeExpectsRows: the list of the rows does not grow by doubling, which took half as
// much again.
func TestDecodeExpectsRows(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, under which slices.Grow allocates twice")
	}
	text := []byte("a\n" + strings.Repeat("1\n", 1<<19))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Codec{}.Decode(text)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(60<<20))
}

// TestRowEnds: a row with too few cells is reported where it ends, whatever its cells are.
func TestRowEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cells := []string{"", "1", "é", "x y", `""`, `"a"`, `"x""""y"`, `"""é"`, "\"two\nlines\"", `"a,b"`}
	for range 2000 {
		text := "a,b,c,d\n"
		for range r.IntN(3) {
			text += "1,2,3,4\n"
		}
		row := []string{"1"} // no blank line
		for range r.IntN(3) {
			row = append(row, cells[r.IntN(len(cells))])
		}
		text += strings.Join(row, ",")
		for _, ending := range []string{"", "\n", "\r\n", "\n1,2,3,4\n"} {
			_, err := Codec{}.Decode([]byte(text + ending))
			var e *wire.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, wire.CodeRowWidth, e.Code, "%q", text+ending)
			require.Equal(t, len(text), e.Offset, "%q", text+ending)
		}
	}
}
