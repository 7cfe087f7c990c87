package gcx_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/wire"
)

// countedPayloads are payloads of one section that says how many rows it has.
func countedPayloads(t *testing.T) map[string][]byte {
	t.Helper()
	payloads := map[string][]byte{
		"nested cells":   []byte("GCX1 tool=data fields=id,l,s rows=2 types=m\n1\t[{\"z\":123}]\tabc\n2\t[]\t\"x\"\n"),
		"blank rows":     []byte("GCX1 tool=t fields=a rows=4\n\n1\n\n2\n"),
		"a last comment": []byte("GCX1 tool=t fields=a,b rows=1\n1\t2\n# the end\n"),
	}
	for name, text := range map[string]string{
		"table": `[{"id":1,"total":123,"who":"Ada"},{"id":2,"total":456789,"who":"Bo"}]`, "any values": `[1,"1",null,"",{"a":1},[12,345]]`,
		"wrapped": `{"symbols":[{"id":1,"line":22},{"id":2,"line":33}],"total":2}`,
	} {
		payload := codectest.Encoded(t, gcx.Codec{}, parse(t, text))
		payloads[name] = payload
	}
	list := parse(t, `[{"a":12,"b":"xyz"},{"a":34},{"a":5,"b":[67]}]`)
	stream, err := writeRecords(t, gcx.Codec{}, list.Index(0).Keys(), list)
	require.NoError(t, err)
	payloads["stream"] = stream
	list = parse(t, `[{},{"a":12},{},{}]`)
	stream, err = writeRecords(t, gcx.Codec{}, list.Index(1).Keys(), list)
	require.NoError(t, err)
	payloads["stream of one column"] = stream
	return payloads
}

func recordsOf(records iter.Seq2[wire.Value, error]) (wire.Value, error) {
	var all []wire.Value
	for v, err := range records {
		if err != nil {
			return wire.Array(all...), err
		}
		all = append(all, v)
	}
	return wire.Array(all...), nil
}

// cutInHeader reports whether a payload ends in its first line before the number
// of rows: what is left may be a whole header without rows.
func cutInHeader(payload []byte) bool { return !strings.Contains(string(payload), " rows=") }

// TestCuts cuts payloads at every byte. No reader takes the rest for a whole
// payload, and none gives a record that the payload does not have.
func TestCuts(t *testing.T) {
	for name, payload := range countedPayloads(t) {
		t.Run(name, func(t *testing.T) {
			whole, err := recordsOf(gcx.Codec{}.Records(strings.NewReader(string(payload))))
			require.NoError(t, err)
			for cut := range faulty.Cuts(payload, len(payload)) {
				if cutInHeader(cut) {
					continue
				}
				lineEnd := cut[len(cut)-1] == '\n'
				open := strings.Contains(string(payload), "rows=*") && lineEnd // any number of rows, all of them whole
				lastComment := string(cut) == strings.TrimSuffix(string(payload), "# the end\n")
				_, err := gcx.Codec{}.Decode(cut)
				require.Equal(t, open || lastComment, err == nil, "%q: %v", cut, err)
				_, err = gcx.Codec{}.DecodeSections(cut)
				require.Equal(t, open || lastComment, err == nil, "%q: %v", cut, err)
				n := -1
				for reader, r := range faulty.Readers(cut) {
					got, err := recordsOf(gcx.Codec{}.Records(r))
					require.Equal(t, open || lastComment, err == nil, "%q: %v", cut, err)
					for i := range got.Len() {
						require.True(t, wire.Identical(whole.Index(i), got.Index(i)), "%q gives %s", cut, got)
					}
					require.True(t, n < 0 || n == got.Len(), "%q %s", cut, reader)
					n = got.Len()
				}
			}
		})
	}
}

// TestCutBetweenSections: what sections= promises is checked by every reader.
func TestCutBetweenSections(t *testing.T) {
	payload := codectest.Encoded(t, gcx.Codec{}, parse(t, `{"total":2,"symbols":[{"id":"a","line":1},{"id":"b","line":2}],"task":"find it"}`))
	require.Contains(t, string(payload), "sections=2")
	for cut := range faulty.Cuts(payload, len(payload)) {
		if cutInHeader(cut) || !strings.Contains(string(cut), " sections=") {
			continue
		}
		_, err := gcx.Codec{}.Decode(cut)
		require.Error(t, err, "%q", cut)
		_, sectionsErr := gcx.Codec{}.DecodeSections(cut)
		require.Error(t, sectionsErr, "%q", cut)
		if !emptyField(sectionsErr) {
			require.Equal(t, codeOf(err), codeOf(sectionsErr), "%q", cut)
		}
		_, err = recordsOf(gcx.Codec{}.Records(strings.NewReader(string(cut))))
		require.Error(t, err, "%q", cut)
		require.Error(t, drain(gcx.Codec{}.NewDecoder(strings.NewReader(string(cut)))), "%q", cut)
	}
	one := payload[:strings.Index(string(payload), "GCX1 tool=data.task")]
	for _, err := range []error{
		second(gcx.Codec{}.Decode(one)), second(gcx.Codec{}.DecodeSections(one)),
		second(recordsOf(gcx.Codec{}.Records(strings.NewReader(string(one))))),
		drain(gcx.Codec{}.NewDecoder(strings.NewReader(string(one)))),
	} {
		requireError(t, err, "section_count_mismatch", wire.ErrTruncated)
	}
	more := append(append([]byte(nil), payload...), "GCX1 tool=data.x fields=a rows=1\n1\n"...)
	for _, err := range []error{second(gcx.Codec{}.Decode(more)), second(gcx.Codec{}.DecodeSections(more))} {
		requireError(t, err, "section_count_mismatch", wire.ErrChecksum)
	}
	_, err := gcx.Codec{Lenient: true}.DecodeSections(one)
	require.NoError(t, err)

	e := gcx.Codec{}.NewEncoder(io.Discard)
	require.NoError(t, e.Section(gcx.Header{Tool: "t", Fields: []string{"a"}, Meta: []gcx.Meta{{Key: "sections", Value: "2"}}}))
	requireError(t, e.Close(), "section_count_mismatch", wire.ErrTruncated)
	require.NoError(t, e.Close())
}

func second[T any](_ T, err error) error { return err }

func codeOf(err error) string {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// drain reads all rows of all sections.
func drain(d *gcx.Decoder) error {
	for {
		if _, err := d.NextSection(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for _, err := range d.Rows() {
			if err != nil {
				return err
			}
		}
	}
}

// TestFaultyReaders: the records before a reader's error are yielded, as many
// as there are whole lines, however the reader cuts what it gives.
func TestFaultyReaders(t *testing.T) {
	broken := errors.New("broken")
	for name, payload := range countedPayloads(t) {
		t.Run(name, func(t *testing.T) {
			whole, err := recordsOf(gcx.Codec{}.Records(strings.NewReader(string(payload))))
			require.NoError(t, err)
			for cut := range faulty.Cuts(payload, len(payload)) {
				for reader, r := range faulty.Failing(cut, broken) {
					got, err := recordsOf(gcx.Codec{}.Records(r))
					require.ErrorIs(t, err, broken, "%q %s", cut, reader)
					if name == "blank rows" {
						require.LessOrEqual(t, got.Len(), whole.Len()) // whether they are rows is known at the end
						continue
					}
					lines := max(0, strings.Count(string(cut), "\n")-1)
					require.Equal(t, min(lines, whole.Len()), got.Len(), "%q %s", cut, reader)
					for i := range got.Len() {
						require.True(t, wire.Identical(whole.Index(i), got.Index(i)))
					}
				}
			}
			_, err = recordsOf(gcx.Codec{}.Records(faulty.Stuck(payload)))
			require.ErrorIs(t, err, io.ErrNoProgress)
			require.ErrorIs(t, drain(gcx.Codec{}.NewDecoder(faulty.Stuck(payload))), io.ErrNoProgress)
		})
	}
	// The records before bytes that are not UTF-8, and their error.
	bad := []byte("GCX1 tool=t fields=a rows=*\n1\n2\n\x86\n3\n")
	for reader, r := range faulty.Readers(bad) {
		got, err := recordsOf(gcx.Codec{}.Records(r))
		requireError(t, err, "invalid_utf8", wire.ErrUTF8)
		require.Equal(t, 2, got.Len(), reader)
	}
}

// TestFaultyWriters: a writer that takes less than it is given is an error,
// whether it says so or not.
func TestFaultyWriters(t *testing.T) {
	list := parse(t, `[{"a":12,"b":"xyz"},{"a":34,"b":""}]`)
	want, err := writeRecords(t, gcx.Codec{}, list.Index(0).Keys(), list)
	require.NoError(t, err)
	for limit := range want {
		for _, silent := range []bool{false, true} {
			expected := faulty.ErrFull
			if silent {
				expected = io.ErrShortWrite
			}
			w := &faulty.Writer{Limit: limit, Silent: silent}
			records, err := gcx.Codec{}.NewRecordWriter(w, list.Index(0).Keys())
			require.NoError(t, err)
			for v := range list.Elements() {
				require.NoError(t, records.Write(v), "nothing is written before there is much")
			}
			require.ErrorIs(t, records.Close(), expected, limit)
			require.ErrorIs(t, records.Write(list.Index(0)), expected, "sticky")

			w = &faulty.Writer{Limit: limit, Silent: silent}
			e := gcx.Codec{}.NewEncoder(w)
			err = e.Section(gcx.Header{Tool: "data", Fields: []string{"a", "b"}, Meta: []gcx.Meta{{Key: "rows", Value: "*"}, {Key: "types", Value: "m"}}})
			if err == nil {
				err = e.Row("12", "xyz")
			}
			if err == nil {
				err = e.Row("34", `""`)
			}
			require.ErrorIs(t, err, expected, limit)
			require.ErrorIs(t, e.Close(), expected)
		}
	}
}

// TestRecordsAgreeWithDecode has payloads that are one object where the rows of
// another would be a list.
func TestRecordsAgreeWithDecode(t *testing.T) {
	for payload, want := range map[string]string{
		"GCX1 tool=x.y fields=a,b types=mn\n1\t\n\"":     "count_mismatch",
		"GCX1 tool=x.y fields=a,b types=mn\n1\t\n2\t\n":  "count_mismatch",
		"GCX1 tool=x.y fields=a,b types=mn\n":            "count_mismatch",
		"GCX1 tool=x.y fields=a,b types=mn\n1\t\n":       "",
		"GCX1 tool=t fields=a k=v types=m\n1\n2\n":       "count_mismatch",
		"GCX1 tool=t fields=a\n\n":                       "",
		"GCX1 tool=t fields=a rows=*\n\n":                "",
		"GCX1 tool=t fields=a,b rows=2\n1\t2\n3\t4":      "line_cut",
		"GCX1 tool=t fields=a,b rows=2\n1\t2\n3\t4\t5\n": "row_width_mismatch",
	} {
		_, decodeErr := gcx.Codec{}.Decode([]byte(payload))
		got, err := recordsOf(gcx.Codec{}.Records(strings.NewReader(payload)))
		require.Equal(t, want, codeOf(err), "%q", payload)
		require.Equal(t, want, codeOf(decodeErr), "%q", payload)
		require.LessOrEqual(t, got.Len(), 1, "%q", payload)
	}
}

// TestOneReader: values, sections and records end with the same error at the same place,
// and what is wrong with a section comes before what is wrong with the next header.
func TestOneReader(t *testing.T) {
	for payload, want := range map[string]string{
		"\ufeffGCX1 tool=t fields\n": "malformed_header 1:14",
		"\ufeff\xff":                 "invalid_utf8 1:2",
		"# no section":               "unexpected_end 1:13",
		"GCX1 tool=t fields=a,b rows=1\n1\t2\n3\t4\nGCX1 tool=u\n":      "count_mismatch 4:1",
		"GCX1 tool=t fields=a,b rows=2\n1\t2\n3\t4\t5":                  "line_cut 3:6",
		"GCX1 tool=t fields=a rows=3\n1\n\n2\n\n":                       "count_mismatch 6:1",
		"GCX1 tool=t.x fields=a,b rows=1 sections=2\n1\t2\n# the end\n": "section_count_mismatch 4:1",
	} {
		for name, read := range map[string]func() error{
			"value":    func() error { _, err := gcx.Codec{}.Decode([]byte(payload)); return err },
			"sections": func() error { _, err := gcx.Codec{}.DecodeSections([]byte(payload)); return err },
			"records":  func() error { _, err := recordsOf(gcx.Codec{}.Records(strings.NewReader(payload))); return err },
		} {
			var e *wire.Error
			require.ErrorAs(t, read(), &e, "%s: %q", name, payload)
			require.Equal(t, want, fmt.Sprintf("%s %d:%d", e.Code, e.Line, e.Column), "%s: %q", name, payload)
		}
	}
}
