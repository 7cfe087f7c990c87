package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// readLines reads a line format with --skip-bad and returns the records and the
// lines of the bad ones.
func readLines(t *testing.T, codec wire.Streamer, in io.Reader) (records []string, bad []int) {
	t.Helper()
	skip := func(err error) {
		var e *wire.Error
		require.ErrorAs(t, err, &e)
		bad = append(bad, e.Line)
	}
	for v, err := range lineCodec(codec, skip).Records(in) {
		require.NoError(t, err)
		records = append(records, v.String())
	}
	return records, bad
}

// TestLineRecordsAcrossBatches: records, positions and what is passed over do
// not depend on how the input comes, nor on where a batch ends.
func TestLineRecordsAcrossBatches(t *testing.T) {
	const n = 20_000 // several batches
	var jsonl, table strings.Builder
	table.WriteString("id,text\n")
	var want []string
	var badJSON, badCSV []int
	lineCSV := 1
	for i := range n {
		switch {
		case i%997 == 5:
			jsonl.WriteString("{\"id\":oops}\n")
			table.WriteString("1,2,3\n")
			badJSON, badCSV = append(badJSON, i+1), append(badCSV, lineCSV+1)
			lineCSV++
		default:
			record := fmt.Sprintf(`{"id":%d,"text":"a line\nand %020d"}`, i, i)
			want = append(want, record)
			jsonl.WriteString(record + "\n")
			fmt.Fprintf(&table, "%d,\"a line\nand %020d\"\n", i, i)
			lineCSV += 2
		}
	}
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r },
		"half":  iotest.HalfReader,
		"late":  iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			records, bad := readLines(t, wire.JSONLines{}, reader(strings.NewReader(jsonl.String())))
			require.Equal(t, n-len(badJSON), len(records))
			require.Equal(t, badJSON, bad)
			first, err := wire.ParseJSON([]byte(want[0]))
			require.NoError(t, err)
			require.Equal(t, first.String(), records[0])
			rows, bad := readLines(t, csv.Codec{}, reader(strings.NewReader(table.String())))
			require.Equal(t, records, rows)
			require.Equal(t, badCSV, bad)
		})
	}
	t.Run("byte by byte", func(t *testing.T) {
		documents, badAt := readLines(t, yaml.Codec{}, iotest.OneByteReader(strings.NewReader("a: 1\n---\nb: [\n---\n- 3\n...\n%YAML 1.2\n# x\n---\nc: *x\n--- 4")))
		require.Equal(t, []string{`{"a":1}`, "[3]", "4"}, documents)
		require.Len(t, badAt, 2)
		records, bad := readLines(t, wire.JSONLines{}, iotest.OneByteReader(strings.NewReader("1\n{\n2 3 ?\n4")))
		require.Equal(t, []string{"1", "2", "3", "4"}, records)
		require.Equal(t, []int{2, 3}, bad)
	})
}

// TestLineRecordsFail: what the reader says, and a line that is too long, end
// the records also where bad ones are passed over.
func TestLineRecordsFail(t *testing.T) {
	broken := errors.New("broken")
	last := func(codec wire.Streamer, in io.Reader) (n int, last error) {
		for _, err := range lineCodec(codec, func(error) {}).Records(in) {
			if last = err; err == nil {
				n++
			}
		}
		return n, last
	}
	n, err := last(wire.JSONLines{}, io.MultiReader(strings.NewReader("1\n2\n3"), iotest.ErrReader(broken)))
	require.Equal(t, 2, n)
	require.Equal(t, broken, err)
	short := wire.Limits{LineBytes: 10}
	n, err = last(wire.JSONLines{Limits: short}, strings.NewReader("1\n"+strings.Repeat(" ", 20)+"2\n3\n"))
	require.Equal(t, 1, n)
	require.ErrorIs(t, err, wire.ErrLimit)
	n, err = last(csv.Codec{Limits: short}, strings.NewReader("a,b\n1,\""+strings.Repeat("x", 20)+"\n2,3\n"))
	require.Zero(t, n)
	require.ErrorIs(t, err, wire.ErrLimit)
}
