package gcx_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// FuzzLossless: every JSON value comes back identical, its payload cut
// anywhere does not pass for the whole where it has rows=.
func FuzzLossless(f *testing.F) {
	for _, test := range losslessTable {
		f.Add(test.json)
	}
	for _, test := range wrappedTable {
		f.Add(test.json)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := wire.ParseJSON([]byte(text))
		if err != nil {
			return
		}
		for _, c := range []gcx.Codec{{}, {Single: true}, {Tool: "a.b c"}} {
			payload, err := c.AppendEncode(nil, v)
			if err != nil {
				t.Fatalf("%#v: %s", v, err)
			}
			back, err := c.Decode(payload)
			if err != nil {
				t.Fatalf("%q: %s", payload, err)
			}
			if !wire.Identical(v, back) {
				t.Fatalf("%#v became %#v through %q", v, back, payload)
			}
			again, err := c.AppendEncode(nil, back)
			if err != nil || !bytes.Equal(payload, again) {
				t.Fatalf("%q became %q, %v", payload, again, err)
			}
			if len(payload) > 400 || bytes.Count(payload, []byte("\n")) < 2 || !strings.Contains(headers(payload)[0], " rows=") {
				continue
			}
			for n := bytes.IndexByte(payload, '\n') + 1; n < len(payload); n++ {
				if got, err := c.Decode(payload[:n]); err == nil {
					t.Fatalf("%q, cut, is %#v", payload[:n], got)
				}
			}
		}
	})
}

// headers returns the lines of a payload that begin a section.
func headers(payload []byte) []string {
	var lines []string
	for line := range strings.Lines(string(payload)) {
		if strings.HasPrefix(line, "GCX1 ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// FuzzTable: any table of strings comes back, and is one section.
func FuzzTable(f *testing.F) {
	f.Add("t", "a,b", uint8(2), "x\x00y\x00#c\x00GCX1 tool=evil fields=p\x00\x00\r\x00\t\n\\")
	f.Add("t", "a", uint8(1), "\x00\x00#\x00GCX1\x00x\r")
	f.Add("a b.c=", "é\x00 \x00,=\\", uint8(3), "\\\x00\\\r\x00 # \x00GCX12")
	f.Fuzz(func(t *testing.T, tool, fields string, width uint8, cells string) {
		s := gcx.Section{Header: gcx.Header{Tool: tool}}
		names := strings.Split(fields, "\x00")
		for i := range int(width%5) + 1 {
			s.Fields = append(s.Fields, strconv.Itoa(i)+names[i%len(names)])
		}
		var row []string
		for i, cell := range strings.Split(cells, "\x00") {
			if row = append(row, cell); (i+1)%len(s.Fields) == 0 {
				s.Rows, row = append(s.Rows, row), nil
			}
		}
		stripped := withoutCR(s)
		checkTable(t, gcx.Codec{}, s, stripped)
		checkTable(t, gcx.Codec{Interop: true}, s, s)
		checkTable(t, gcx.Codec{Plain: true}, s, stripped)
	})
}

// withoutCR returns the section as the document writes it.
func withoutCR(s gcx.Section) gcx.Section {
	strip := func(text string) string { return strings.ReplaceAll(text, "\r", "") }
	out := gcx.Section{Header: gcx.Header{Tool: strip(s.Tool)}}
	for _, f := range s.Fields {
		out.Fields = append(out.Fields, strip(f))
	}
	for _, row := range s.Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, strip(cell))
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

func checkTable(t *testing.T, c gcx.Codec, s, want gcx.Section) {
	payload, err := c.AppendSections(nil, s)
	if err != nil {
		valid := utf8.ValidString(s.Tool) && want.Tool != ""
		for _, f := range s.Fields {
			valid = valid && utf8.ValidString(f)
		}
		for _, row := range s.Rows {
			for _, cell := range row {
				valid = valid && utf8.ValidString(cell)
			}
		}
		if valid && !c.Interop {
			t.Fatalf("%+v refused: %s", s, err)
		}
		return
	}
	for _, text := range [][]byte{payload, bytes.ReplaceAll(payload, []byte("\n"), []byte("\r\n"))} {
		got, err := c.DecodeSections(text)
		if err != nil {
			t.Fatalf("%q: %s", text, err)
		}
		if len(got) != 1 || got[0].Tool != want.Tool || strings.Join(got[0].Fields, "\x00") != strings.Join(want.Fields, "\x00") {
			t.Fatalf("%q became %+v", text, got)
		}
		if len(got[0].Rows) != len(want.Rows) {
			t.Fatalf("%q has %d rows, not %d", text, len(got[0].Rows), len(want.Rows))
		}
		for i, row := range want.Rows {
			if strings.Join(row, "\x00") != strings.Join(got[0].Rows[i], "\x00") {
				t.Fatalf("row %q became %q", row, got[0].Rows[i])
			}
		}
	}
	again, err := c.DecodeSections(payload)
	if err == nil {
		if out, err := c.AppendSections(nil, again...); err != nil || !bytes.Equal(out, payload) {
			t.Fatalf("%q became %q, %v", payload, out, err)
		}
	}
}

// FuzzDecode: no input makes a decoder panic; what it reads as a value can be
// written and is the same value then; both decoders agree on what is an error.
func FuzzDecode(f *testing.F) {
	for _, test := range losslessTable {
		f.Add([]byte("GCX1 tool=t " + test.payload))
	}
	for _, test := range wrappedTable {
		f.Add([]byte(test.payload))
	}
	for _, test := range decodeTable {
		f.Add([]byte(test.payload))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sections, rowErr := gcx.Codec{}.DecodeSections(src)
		v, err := gcx.Codec{}.Decode(src)
		if rowErr == nil && err != nil && !contentError(err) {
			t.Fatalf("rows read, value refused: %q: %s", src, err)
		}
		if rowErr != nil && err == nil && !emptyField(rowErr) {
			t.Fatalf("value read, rows refused: %q: %s", src, rowErr)
		}
		gcx.Codec{Lenient: true}.Decode(src)
		gcx.Codec{AllStrings: true}.Decode(src)
		codectest.SameAny(t, gcx.Codec{}, src)
		checkRecords(t, src, v, err)
		if rowErr == nil && err == nil {
			checkSections(t, sections, v)
		}
		if err != nil {
			return
		}
		payload, err := gcx.Codec{}.AppendEncode(nil, v)
		if err != nil {
			t.Fatalf("%q: %s", src, err)
		}
		back, err := gcx.Codec{}.Decode(payload)
		if err != nil || !wire.Identical(v, back) {
			t.Fatalf("%q: %#v became %#v through %q, %v", src, v, back, payload, err)
		}
	})
}

// checkRecords: what can be read as records is the array that Decode reads, or
// the one value that it reads.
func checkRecords(t *testing.T, src []byte, v wire.Value, decodeErr error) {
	var records []wire.Value
	for record, err := range (gcx.Codec{}).Records(bytes.NewReader(src)) {
		if err != nil {
			return
		}
		records = append(records, record)
	}
	switch {
	case decodeErr != nil:
		t.Fatalf("%q: records read, value refused: %s", src, decodeErr)
	case len(records) == 1 && wire.Identical(records[0], v):
	case v.Kind() == wire.KindArray && !wire.Identical(wire.Array(records...), v):
		t.Fatalf("%q: %#v is read as the records %#v", src, v, records)
	}
}

// checkSections: sections that were read are the same value when written again,
// but for carriage returns, for the rows of one column that are blank lines,
// and for comments, which may move.
func checkSections(t *testing.T, sections []gcx.Section, v wire.Value) {
	for _, s := range sections {
		if len(s.Fields) == 1 || strings.Contains(fmt.Sprint(s), "\r") {
			return
		}
	}
	payload, err := gcx.Codec{}.AppendSections(nil, sections...)
	if err != nil {
		t.Fatalf("%+v: read, but not written: %s", sections, err)
	}
	back, err := gcx.Codec{}.Decode(payload)
	if err != nil || !wire.Equal(v, back) {
		t.Fatalf("%+v: %#v became %#v, %v", sections, v, back, err)
	}
}

// randomValues makes values of the pieces that are easiest to get wrong.
type randomValues struct{ *rand.Rand }

var nasty = []string{"", " ", "#", "#c", "GCX1", "GCX1 tool=x fields=y", "GCX2 tool=x", "null", "true", "false", "0", "-0", "1e5", "01", "1.", "-",
	"[", "[]", "[1]", "{}", "{\"a\":1}", "\"", "\"\"", "\"x\"", "\r", "x\r", "\r\n", "\n", "\t", "\\", "\\t", "x\\", ",", "=", "a b", "a,b", "a=b", "a\\b",
	"value", "rows", "types", "tool", "fields", "sections", "a.b", ".", "é", "\u00A0", "\u2028", "\uFEFF", "漢字", "🙂", "<b>&", "x", "plain text"}

func (r randomValues) text() string {
	s := nasty[r.IntN(len(nasty))]
	if r.IntN(4) == 0 {
		s += nasty[r.IntN(len(nasty))]
	}
	return s
}

func (r randomValues) value(depth int) wire.Value {
	kinds := 7
	if depth == 0 {
		kinds = 4
	}
	switch r.IntN(kinds) {
	case 0:
		return wire.Null()
	case 1:
		return wire.Bool(r.IntN(2) == 0)
	case 2:
		number, err := wire.Number([]string{"0", "-0", "1", "1.0", "1e400", "-12.50", "12345678901234567890", "1E+2", "999999999999999999", "-1000000000000000000"}[r.IntN(10)])
		if err != nil {
			panic(err)
		}
		return number
	case 3:
		return wire.String(r.text())
	case 4: // elements of any kind
		elements := make([]wire.Value, r.IntN(5))
		for i := range elements {
			elements[i] = r.value(depth - 1)
		}
		return wire.Array(elements...)
	case 5: // rows of mostly the same members
		keys := r.keys()
		elements := make([]wire.Value, r.IntN(5))
		for i := range elements {
			own := keys
			if r.IntN(3) == 0 && len(keys) > 0 {
				own = slices.Delete(slices.Clone(keys), 0, r.IntN(len(keys)))
			}
			elements[i] = r.object(own, depth-1)
		}
		return wire.Array(elements...)
	}
	return r.object(r.keys(), depth-1)
}

func (r randomValues) keys() []string {
	var keys []string
	for range r.IntN(5) {
		if key := r.text(); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (r randomValues) object(keys []string, depth int) wire.Value {
	members := make([]wire.Member, len(keys))
	for i, key := range keys {
		members[i] = wire.Member{Key: key, Value: r.value(depth)}
	}
	object, err := wire.Object(members...)
	if err != nil {
		panic(err)
	}
	return object
}

func TestRandomValues(t *testing.T) {
	for seed := range uint64(trials.Of(8_000)) {
		v := randomValues{rand.New(rand.NewPCG(seed, 7))}.value(4)
		for _, c := range []gcx.Codec{{}, {Single: true}, {Tool: "a.b c"}} {
			for _, encode := range []func([]byte, wire.Value) ([]byte, error){c.AppendEncode, c.AppendObject} {
				payload, err := encode(nil, v)
				if err != nil {
					t.Fatalf("%d: %#v: %s", seed, v, err)
				}
				back, err := c.Decode(payload)
				if err != nil || !wire.Identical(v, back) {
					t.Fatalf("%d: %#v became %#v through %q, %v", seed, v, back, payload, err)
				}
				if _, err := c.DecodeSections(payload); err != nil && !emptyField(err) {
					t.Fatalf("%d: %q: %s", seed, payload, err)
				}
			}
		}
		// Plain loses types; what it writes must still be readable, and stable
		// from the second time on.
		plain, err := gcx.Codec{Plain: true}.AppendEncode(nil, v)
		if errors.Is(err, wire.ErrDuplicateKey) {
			continue // two keys that are the same without their carriage returns
		}
		if err != nil {
			t.Fatalf("%d: %#v: %s", seed, v, err)
		}
		if _, err := (gcx.Codec{}).Decode(plain); err != nil {
			t.Fatalf("%d: %q: %s", seed, plain, err)
		}
	}
}
