package gcf_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// streamForms are streams of every form.
func streamForms(t testing.TB) map[string][]byte {
	t.Helper()
	forms := make(map[string][]byte)
	records := func(name string, records wire.Value, keys *wire.Keys) {
		var buf bytes.Buffer
		w, err := gcf.Codec{}.NewRecordWriter(&buf, keys)
		require.NoError(t, err)
		for r := range records.Elements() {
			require.NoError(t, w.Write(r))
		}
		require.NoError(t, w.Close())
		forms[name] = buf.Bytes()
	}
	flat := parse(t, string(sample.Rows(12)))
	nested := parse(t, `[{"id":1,"l":[{"z":123},{"z":4}],"o":{"a":"x"}},{"id":22,"l":[10,20],"o":{"a":"y","b":"z"}},{"id":3,"l":[],"o":{}}]`)
	records("flat rows", flat, flat.Index(0).Keys())
	records("nested rows", nested, nested.Index(0).Keys())
	records("items", parse(t, `[{"a":1},[12,34],"text",{"b":{"c":"dd"}},55]`), nil)
	records("no rows", wire.Array(), flat.Index(0).Keys())

	var buf bytes.Buffer
	e := gcf.Codec{}.NewStreamEncoder(&buf, "export")
	require.NoError(t, e.Member("when", wire.String("today")))
	require.NoError(t, e.BeginTable("rows", "id", "total"))
	require.NoError(t, e.Row(wire.Int(1), wire.Int(123)))
	require.NoError(t, e.Row(wire.Int(2), wire.Int(456789)))
	require.NoError(t, e.EndTable())
	require.NoError(t, e.BeginTable("hosts", "name", "cpu"))
	require.NoError(t, e.Row(wire.String("web-1"), wire.Int(23)))
	require.NoError(t, e.Row(wire.String("db-1"), wire.Int(41)))
	require.NoError(t, e.Close())
	forms["members and tables"] = buf.Bytes()

	for _, labeled := range []bool{false, true} {
		var buf bytes.Buffer
		e := gcf.GraphCodec{LabeledCounts: labeled}.NewStreamEncoder(&buf, gcf.Graph{Tool: "t"})
		for i, name := range []string{"a.Login", "b.User", "c.Open"} {
			require.NoError(t, e.Symbol(&gcf.Symbol{QualifiedName: name, Kind: "function", Score: 0.5, Provenance: "lsp_resolved", Distance: i / 2}))
		}
		require.NoError(t, e.Edge(&gcf.Edge{Source: "a.Login", Target: "b.User", Type: "calls"}))
		require.NoError(t, e.Edge(&gcf.Edge{Source: "b.User", Target: "c.Open", Type: "references", Status: "added"}))
		require.NoError(t, e.Close())
		name := "graph"
		if labeled {
			name += " with labelled counts"
		}
		forms[name] = buf.Bytes()
	}
	return forms
}

// readStreamed reads a document of either profile to its end and tells whether it
// is complete.
func readStreamed(r io.Reader, graph bool) (parts int, complete bool, err error) {
	complete = true
	warn := func(*wire.Error) { complete = false }
	if graph {
		for _, err = range (gcf.GraphCodec{Warn: warn}).Items(r) {
			parts++
		}
	} else {
		for _, err = range (gcf.Codec{Warn: warn}).Records(r) {
			parts++
		}
	}
	return parts, complete, err
}

// TestCuts cuts streams of every form at every byte. No cut is taken for a whole
// document: it is an error, or a warning, which strict readers make an error.
func TestCuts(t *testing.T) {
	for name, doc := range streamForms(t) {
		t.Run(name, func(t *testing.T) {
			graph := strings.HasPrefix(name, "graph")
			hasRecords := name != "members and tables"
			if _, complete, err := readStreamed(bytes.NewReader(doc), graph); hasRecords {
				require.NoError(t, err)
				require.True(t, complete)
			}
			warned := 0
			codec := gcf.Codec{Warn: func(e *wire.Error) {
				require.Equal(t, "missing_summary", e.Code)
				require.ErrorIs(t, e, wire.ErrTruncated)
				require.Positive(t, e.Line)
				warned++
			}}
			v := codectest.Decoded(t, codec, doc)
			require.Zero(t, warned)
			beginning := bytes.IndexByte(doc, '\n') // of a generic document, which has no members then
			for cut := range faulty.Cuts(doc, len(doc)) {
				warned = 0
				got, err := codec.Decode(cut)
				_, strictErr := gcf.Codec{Strict: true}.Decode(cut)
				complete := warned == 0
				if hasRecords {
					var streamErr error
					_, complete, streamErr = readStreamed(bytes.NewReader(cut), graph)
					require.Equal(t, err == nil, streamErr == nil, "%q: %v, but %v", cut, err, streamErr)
				}
				switch {
				case len(cut) == len(doc)-1:
					// Only the trailer's line feed is missing.
					require.NoError(t, err)
					require.True(t, wire.Identical(v, got))
					require.True(t, complete)
				case !graph && len(cut) >= beginning && len(cut) <= beginning+1 && err == nil:
					require.Zero(t, got.Len())
				case err == nil && !complete:
					require.Equal(t, 1, warned, "%q", cut)
					require.ErrorIs(t, strictErr, wire.ErrTruncated, "%q", cut)
				case graph && bytes.Contains(cut, []byte(" symbols=3 edges=2")):
					// What the trailer tells after that is not looked at.
					if err == nil {
						require.True(t, wire.Identical(v, got))
						require.True(t, complete)
					}
				case !hasRecords && err == nil:
					// Before the first table nothing is deferred.
					require.NotContains(t, string(cut), "[?")
				default:
					require.Error(t, err, "%q gives %v", cut, got)
					require.Error(t, strictErr)
					require.Zero(t, warned)
				}
				if err == nil && len(cut) > beginning+1 && !bytes.HasSuffix(cut, []byte("\n")) {
					require.False(t, bytes.Contains(cut, []byte("[?")) && !complete, "%q", cut)
				}
			}
		})
	}
}

// TestCutLines are the cuts that gave other data.
func TestCutLines(t *testing.T) {
	for _, doc := range []string{
		header + "## [?]{id,total}\n1|123\n2|",
		header + "## [?]{id,l}\n@0 1|^\n.l [1]{z}\n    12",
		header + "## [?]{id}\n1\n  ",
		header + "## [?]{id}\n1\n# comm",
		header + "## [?]{id}",
		header + "a[?]: 1,2",
		"GCF profile=graph\n## targets\n@0 fn a 0.50 x\n@1 fn b 0.50 x\n## edges [?]\n@1<@0 cal",
		"GCF profile=graph\n## targets\n@0 fn a 0.50 lsp",
		"GCF profile=graph symbols=1\n## targets\n@0 fn a 0.50 x\n## edges [?]\n@0<@0 cal",
	} {
		_, err := gcf.Codec{}.Decode([]byte(doc))
		e := codectest.Refused(t, err, "line_cut", wire.ErrTruncated)
		_, _, err = readStreamed(strings.NewReader(doc), strings.Contains(doc, "graph"))
		require.ErrorAs(t, err, &e)
		require.Equal(t, "line_cut", e.Code)
	}
}

// TestSummaries are ends of documents with deferred counts.
func TestSummaries(t *testing.T) {
	for _, tt := range []struct{ end, code string }{
		{"##! summary counts=2\n", ""},
		{"##! summary counts=2", ""},
		{"##! summary sections=rows:2\n", ""},
		{"##! summary sections=rows:2", "line_cut"},
		{"##! summary\n", "count_mismatch"},
		{"##! summary counts=\n", "count_mismatch"},
		{"##! summary counts=1\n", "count_mismatch"},
		{"##! summary counts=2,1\n", "count_mismatch"},
		{"##! summary counts=2true\n", "invalid_summary"},
		{"##! summary counts=2:1\n", "invalid_summary"},
		{"##! summary counts=02\n", "invalid_summary"},
		{"##! summary counts=a:2\n", "invalid_summary"},
	} {
		doc := header + "## rows [?]{a}\n1\n2\n" + tt.end
		_, err := gcf.Codec{Strict: true}.Decode([]byte(doc))
		_, complete, streamErr := readStreamed(strings.NewReader(doc), false)
		if tt.code == "" {
			require.NoError(t, err, tt.end)
			require.NoError(t, streamErr)
			require.True(t, complete)
			continue
		}
		for _, err := range []error{err, streamErr} {
			codectest.Refused(t, err, tt.code, nil)
		}
	}
}

// TestStrict: documents whose counts are declared are complete without a summary,
// and a missing one is noticed by every reader.
func TestStrict(t *testing.T) {
	for _, doc := range []string{
		header, header + "a[1]: 1", header + "## a [1]{x}\n1\n",
		"GCF profile=graph symbols=1\n## targets\n@0 fn a 0.50 x\n",
		"GCF profile=graph symbols=1 edges=1\n## targets\n@0 fn a 0.50 x\n## edges [1]\n@0<@0 calls",
	} {
		codectest.Decoded(t, gcf.Codec{Strict: true}, doc)
		_, complete, err := readStreamed(strings.NewReader(doc), strings.Contains(doc, "graph"))
		require.NoError(t, err)
		require.True(t, complete, "%q", doc)
	}

	rows := header + "## [?]{a}\n1\n2\n"
	var warnings []*wire.Error
	note := func(e *wire.Error) { warnings = append(warnings, e) }
	n := 0
	for v, err := range (gcf.Codec{Warn: note}).Records(strings.NewReader(rows)) {
		require.NoError(t, err)
		require.Empty(t, warnings, "before the end")
		require.Equal(t, 1, v.Len())
		n++
	}
	require.Equal(t, 2, n)
	require.Len(t, warnings, 1)
	require.Equal(t, 5, warnings[0].Line)
	_, last := codectest.Collect(t, gcf.Codec{Strict: true}.Records(strings.NewReader(rows)))
	require.ErrorIs(t, last, wire.ErrTruncated)

	graph := []byte("GCF profile=graph\n## targets\n@0 fn a 0.50 x\n")
	_, err := gcf.GraphCodec{Strict: true}.Decode(graph)
	e := codectest.Refused(t, err, "missing_summary", nil)
	require.Equal(t, "gcf-graph", e.Format)
	warnings = nil
	codectest.Decoded(t, gcf.GraphCodec{Warn: note}, graph)
	_, err = gcf.GraphCodec{Warn: note}.DecodeGraph(graph)
	require.NoError(t, err)
	session := gcf.SessionDecoder{Warn: note}
	_, err = session.Decode(graph)
	require.NoError(t, err)
	require.Len(t, warnings, 3)
	require.Equal(t, "gcf-graph", warnings[0].Format)
	session = gcf.SessionDecoder{Strict: true}
	_, err = session.Decode(graph)
	require.ErrorIs(t, err, wire.ErrTruncated)

	warnings = nil
	for _, c := range []gcf.GraphCodec{{Warn: note}, {Strict: true}} {
		next, stop := iter.Pull2(c.Items(bytes.NewReader(graph)))
		defer stop()
		for range 2 { // the header and a symbol
			_, err, _ = next()
			require.NoError(t, err)
		}
		require.Empty(t, warnings, "before the end")
		_, err, more := next()
		require.Equal(t, c.Strict, more)
		if more {
			require.ErrorIs(t, err, wire.ErrTruncated)
			continue
		}
		require.Len(t, warnings, 1)
		require.Equal(t, 4, warnings[0].Line)
		warnings = nil
	}
}

// TestNoTrailer: streams without a trailer are read, and noticed.
func TestNoTrailer(t *testing.T) {
	var buf bytes.Buffer
	record := parse(t, `{"a":[{"x":5}]}`)
	w, err := gcf.Codec{NoTrailer: true}.NewRecordWriter(&buf, record.Keys())
	require.NoError(t, err)
	require.NoError(t, w.Write(record))
	require.NoError(t, w.Close())
	require.Equal(t, header+"## [?]{a}\n@0 ^\n.a [1]{x}\n    5\n", buf.String())
	_, complete, err := readStreamed(&buf, false)
	require.NoError(t, err)
	require.False(t, complete)

	e := gcf.Codec{NoTrailer: true}.NewStreamEncoder(&buf, "")
	require.NoError(t, e.BeginTable("t", "a"))
	require.NoError(t, e.Row(wire.Int(1)))
	require.NoError(t, e.Close())
	require.Equal(t, header+"## t [?]{a}\n1\n", buf.String())

	buf.Reset()
	g := gcf.GraphCodec{NoTrailer: true}.NewStreamEncoder(&buf, gcf.Graph{})
	require.NoError(t, g.Symbol(&gcf.Symbol{QualifiedName: "a", Kind: "fn", Provenance: "x"}))
	require.NoError(t, g.Close())
	require.Equal(t, "GCF profile=graph\n## targets\n@0 fn a 0.00 x\n", buf.String())
}

// countRecords reads records and returns their number and the error.
func countRecords(r io.Reader) (n int, last error) {
	for _, err := range (gcf.Codec{}).Records(r) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// TestRecordsBeforeAFault: what was read before the reader fails is yielded, and
// how much does not depend on how it was read.
func TestRecordsBeforeAFault(t *testing.T) {
	gone := errors.New("disk full")
	forms := streamForms(t)
	for _, name := range []string{"flat rows", "nested rows", "items"} {
		t.Run(name, func(t *testing.T) {
			doc := forms[name]
			for cut := range faulty.Cuts(doc, len(doc)) {
				want := -1
				for how, r := range faulty.Failing(cut, gone) {
					n, err := countRecords(r)
					require.ErrorIs(t, err, gone, "%s: %q", how, cut)
					if want < 0 {
						want = n
					}
					require.Equal(t, want, n, "%s: %q", how, cut)
				}
			}
			_, err := countRecords(faulty.Stuck(doc))
			require.ErrorIs(t, err, io.ErrNoProgress)
			_, _, err = readStreamed(faulty.Stuck(doc[:len(doc)/2]), false)
			require.ErrorIs(t, err, io.ErrNoProgress)
		})
	}
	rows := forms["flat rows"]
	for _, r := range faulty.Failing(rows[:len(rows)/2], gone) {
		n, err := countRecords(r)
		require.ErrorIs(t, err, gone)
		require.GreaterOrEqual(t, n, 4)
	}
	_, _, err := readStreamed(faulty.Stuck(forms["graph"]), true)
	require.ErrorIs(t, err, io.ErrNoProgress)
}

// TestChunksDoNotMatter: what a stream's decoder gives, parts, errors and their
// positions, does not depend on how its reader portions the bytes.
func TestChunksDoNotMatter(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	docs := map[string]string{
		"not UTF-8 behind rows":      header + "## [?]{a}\n" + strings.Repeat("1\n", 9) + "\x86\n2\n",
		"not UTF-8 behind nothing":   "\n\x86\n",
		"not UTF-8 in the header":    "GCF profile=gen\xffric\n",
		"not UTF-8 at the end":       header + "## [?]{a}\n1\n2\n\xe2\x82",
		"not UTF-8 below a row":      header + "## [?]{a}\n@0 ^\n.a [2]{b}\n    1\n    \xff\n",
		"a wrong row behind others":  header + "## [?]{a}\n" + strings.Repeat("1\n", 9) + "1|2\n2\n",
		"wrong row, then not UTF-8":  header + "## [?]{a}\n1\n1|2\n\xff\n",
		"long lines":                 header + "## [?]{a,b}\n" + strings.Repeat(long+"|"+long+"\n", 3) + "1\n",
		"a long part":                header + "## [?]{a}\n@0 ^\n.a [2000]{b}\n" + strings.Repeat("    1\n", 2000) + "@1 1|2\n",
		"too many in a part":         header + "## [?]{a}\n@0 1\n@1 ^\n.a [1]{b}\n    1\n    2\n@2 3\n",
		"graph":                      "GCF profile=graph\n## targets\n@0 fn a 0.50 x\n@1 fn b 0.50 x\n@1 fn c 0.50 x\n",
		"graph, not UTF-8":           "GCF profile=graph\n## targets\n@0 fn a 0.50 x\n@1 fn \xff 0.50 x\n",
		"graph with a cut last line": "GCF profile=graph\n## targets\n@0 fn a 0.50 x\n@1 fn b 0.50 x",
	}
	for _, d := range streamDocuments {
		docs["stream: "+d.name] = d.doc
	}
	for name, form := range streamForms(t) {
		docs["form: "+name] = string(form)
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			type result struct {
				parts    int
				complete bool
				err      string
			}
			var want *result
			for how, r := range faulty.Readers([]byte(doc)) {
				parts, complete, err := readStreamed(r, strings.HasPrefix(doc, "GCF profile=graph"))
				got := result{parts, complete, ""}
				if err != nil {
					got.err = err.Error()
				}
				if want == nil {
					want = &got
				}
				require.Equal(t, *want, got, how)
			}
		})
	}
}

// TestPositionsInLongStreams: an error far into a stream has the position that a
// whole reading gives.
func TestPositionsInLongStreams(t *testing.T) {
	rows := header + "## [?]{a}\n" + strings.Repeat("1234567\n", 50_000)
	for _, end := range []string{"\xff\n", "1|2\n", strings.Repeat("x", 17<<20) + "\n"} {
		_, want := gcf.Codec{}.Decode([]byte(rows + end))
		_, _, got := readStreamed(strings.NewReader(rows+end), false)
		var e, f *wire.Error
		require.ErrorAs(t, want, &e)
		require.ErrorAs(t, got, &f)
		require.Equal(t, []any{e.Code, e.Line, e.Offset}, []any{f.Code, f.Line, f.Offset})
	}
}

// TestShortWrites: a writer that takes less than it is given, with an error or
// against its contract without one, is noticed by every stream's encoder.
func TestShortWrites(t *testing.T) {
	symbol := &gcf.Symbol{QualifiedName: "a.Login", Kind: "fn", Provenance: "x"}
	write := map[string]func(io.Writer) error{
		"records": func(w io.Writer) error {
			record := parse(t, `{"a":"some text","b":[1,2]}`)
			out, err := gcf.Codec{}.NewRecordWriter(w, record.Keys())
			require.NoError(t, err)
			for range 3 {
				if err := out.Write(record); err != nil {
					return err
				}
			}
			return out.Close()
		},
		"generic": func(w io.Writer) error {
			e := gcf.Codec{}.NewStreamEncoder(w, "t")
			return errors.Join(e.BeginTable("rows", "a"), e.Row(wire.Int(1)), e.Row(wire.Int(2)), e.EndTable(), e.Member("o", wire.Array()), e.Close())
		},
		"graph": func(w io.Writer) error {
			e := gcf.GraphCodec{}.NewStreamEncoder(w, gcf.Graph{})
			return errors.Join(e.Symbol(symbol), e.Edge(&gcf.Edge{Source: "a.Login", Target: "a.Login", Type: "calls"}), e.Close())
		},
	}
	for name, write := range write {
		t.Run(name, func(t *testing.T) {
			var whole bytes.Buffer
			require.NoError(t, write(&whole))
			for limit := range whole.Len() {
				for _, silent := range []bool{false, true} {
					w := &faulty.Writer{Limit: limit, Silent: silent}
					err := write(w)
					if silent {
						require.ErrorIs(t, err, io.ErrShortWrite, "%d bytes", limit)
					} else {
						require.ErrorIs(t, err, faulty.ErrFull, "%d bytes", limit)
					}
					require.Equal(t, whole.String()[:limit], w.String())
				}
			}
		})
	}
}
