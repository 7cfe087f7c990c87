package conformance_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/wire"
)

var (
	update   = flag.Bool("update", false, "write the matrix as the expected one")
	markdown = flag.String("markdown", "", "write the matrix as a Markdown page to this file")
)

var expectations = filepath.Join("testdata", "matrix.txt")

// TestMatrix prints the matrix and fails on every cell that is not as
// testdata/matrix.txt has it:
//
//	go test ./conformance -run 'TestMatrix$' -v -count=1
//	go test ./conformance -run 'TestMatrix$' -update     after a change that is meant
//	go test ./conformance -run 'TestMatrix$' -markdown ../docs/conformance.md
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: the matrix is of all values")
	}
	start := time.Now()
	m := conformance.NewMatrix(entries(), conformance.Corpora())
	var out bytes.Buffer
	require.NoError(t, m.WriteText(&out))
	if testing.Verbose() {
		os.Stdout.Write(out.Bytes())
	}
	t.Logf("computed in %v", time.Since(start).Round(time.Millisecond))
	faults := m.Faults()
	for i, f := range faults {
		if i == 60 {
			t.Errorf("and %d further faults", len(faults)-i)
			break
		}
		t.Error(f)
	}
	if *update && len(faults) == 0 {
		out.Reset()
		require.NoError(t, m.WriteExpectations(&out))
		require.NoError(t, os.WriteFile(expectations, out.Bytes(), 0o644))
	}
	expected, err := os.ReadFile(expectations)
	require.NoError(t, err)
	for _, s := range m.Compare(expected) {
		t.Error(s)
	}
	if *markdown != "" && !t.Failed() {
		out.Reset()
		fmt.Fprintf(&out, page, len(m.Corpora))
		require.NoError(t, m.WriteMarkdown(&out))
		require.NoError(t, os.WriteFile(*markdown, out.Bytes(), 0o644))
	}
}

const page = `# Conformance

What every codec does with %d corpora of values (` + "`conformance.Corpora`" + `). The build fails if an outcome is not as
` + "`conformance/testdata/matrix.txt`" + ` has it; ` + "`make conformance`" + ` writes this page.

`

// smallCorpus has one value of each sort of outcome.
func smallCorpus(yield func(string, wire.Value) bool) {
	for _, c := range []struct {
		name  string
		value wire.Value
	}{{"kept", wire.Int(1)}, {"kept too", wire.Null()}, {"lost", wire.Array(wire.Bytes([]byte("a")), wire.Internal.TaggedString("x", 9))}, {"refused", wire.String("\xff")}} {
		if !yield(c.name, c.value) {
			return
		}
	}
}

func TestMatrixCells(t *testing.T) {
	corpora := []conformance.Corpus{{Name: "small", Description: "a few", Cases: smallCorpus}}
	broken := faulty{decode: func(src []byte) (wire.Value, error) { return wire.Null(), nil }}
	m := conformance.NewMatrix([]conformance.Entry{{Label: "span", Codec: Span{}}, {Label: "broken", Codec: broken}}, corpora)

	good := m.Cells[0][0]
	require.Equal(t, 4, good.Values())
	require.Equal(t, "2 lossless, 1 lose something (bytes as text 1, scalar tags 1), 1 refused (invalid_utf8 1)", good.String())
	bad := m.Cells[0][1]
	require.Equal(t, 4, bad.Values())
	require.Len(t, bad.Faults, 2)
	require.Len(t, m.Faults(), 1)
	require.True(t, strings.HasSuffix(m.Faults()[0], "\n(and 1 more)"), m.Faults()[0])
	require.True(t, strings.HasPrefix(m.Faults()[0], "small, broken: kept: a codec loses only what it declares: "), m.Faults()[0])

	var text, page, data bytes.Buffer
	require.NoError(t, m.WriteText(&text))
	require.Contains(t, text.String(), "corpus  values  span     broken\nsmall   4       2 ~1 -1  1 -1 !2\ntotal   4       2 ~1 -1  1 -1 !2\n")
	require.NoError(t, m.WriteMarkdown(&page))
	require.Contains(t, page.String(), "\n**small**, 4 values: a few\n\n- span: 2 \\~1 -1\n")
	require.Contains(t, page.String(), "\n- span: 2 \\~1 -1 (invalid\\_utf8)\n")
	page.Reset()
	require.NoError(t, conformance.NewMatrix([]conformance.Entry{{Label: "span", Codec: Span{}}, {Label: "again", Codec: Span{}}}, corpora).WriteMarkdown(&page))
	require.Contains(t, page.String(), "first name only:\n\n- span, again\n")
	require.NotContains(t, page.String(), "again:")

	page.Reset()
	corpora[0].Name, corpora[0].Description = "a_b", "<x> *y*"
	require.NoError(t, conformance.NewMatrix([]conformance.Entry{{Label: "s|_", Codec: Span{}}}, corpora).WriteMarkdown(&page))
	require.Contains(t, page.String(), "| s\\|\\_ | ")
	require.Contains(t, page.String(), "\n**a\\_b**, 4 values: \\<x> \\*y\\*\n\n- s\\|\\_: 2")
	corpora[0].Name = "small"

	require.NoError(t, m.WriteExpectations(&data))
	require.Empty(t, m.Compare(data.Bytes()))
	require.Equal(t, []string{
		"expected: small | span | 4 | lossless\n     got: small | span | 4 | " + good.String(),
		"not expected: small | broken | 4 | " + bad.String(),
		"expected, but not in the matrix: gone | span | 1 | lossless",
	}, m.Compare([]byte("# comment\nsmall | span | 4 | lossless\r\ngone | span | 1 | lossless\n")))
}
