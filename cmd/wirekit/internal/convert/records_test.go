package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/jsonl"
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
	for v, err := range lineCodec(codec, skip, nil).Records(in) {
		require.NoError(t, err)
		records = append(records, v.String())
	}
	return records, bad
}

// TestLineRecordsAcrossBatches: records, positions and what is passed over do
// not depend on how the input comes, nor on where a batch ends.
func TestLineRecordsAcrossBatches(t *testing.T) {
	const n = 20_000 // several batches
	var lines, table strings.Builder
	table.WriteString("id,text\n")
	var want []string
	var badJSON, badCSV []int
	lineCSV := 1
	for i := range n {
		switch {
		case i%997 == 5:
			lines.WriteString("{\"id\":oops}\n")
			table.WriteString("1,2,3\n")
			badJSON, badCSV = append(badJSON, i+1), append(badCSV, lineCSV+1)
			lineCSV++
		default:
			record := fmt.Sprintf(`{"id":%d,"text":"a line\nand %020d"}`, i, i)
			want = append(want, record)
			lines.WriteString(record + "\n")
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
			records, bad := readLines(t, jsonl.Codec{}, reader(strings.NewReader(lines.String())))
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
		records, bad := readLines(t, jsonl.Codec{}, iotest.OneByteReader(strings.NewReader("1\n{\n2 3 ?\n4")))
		require.Equal(t, []string{"1", "2", "3", "4"}, records)
		require.Equal(t, []int{2, 3}, bad)
	})
}

// TestLineRecordsFail: what the reader says, and a line that is too long, end
// the records also where bad ones are passed over.
func TestLineRecordsFail(t *testing.T) {
	broken := errors.New("broken")
	last := func(codec wire.Streamer, in io.Reader) (n int, last error) {
		for _, err := range lineCodec(codec, func(error) {}, nil).Records(in) {
			if last = err; err == nil {
				n++
			}
		}
		return n, last
	}
	n, err := last(jsonl.Codec{}, io.MultiReader(strings.NewReader("1\n2\n3"), iotest.ErrReader(broken)))
	require.Equal(t, 2, n)
	require.Equal(t, broken, err)
	short := wire.Limits{LineBytes: 10}
	n, err = last(jsonl.Codec{Limits: short}, strings.NewReader("1\n"+strings.Repeat(" ", 20)+"2\n3\n"))
	require.Equal(t, 1, n)
	require.ErrorIs(t, err, wire.ErrLimit)
	n, err = last(csv.Codec{Limits: short}, strings.NewReader("a,b\n1,\""+strings.Repeat("x", 20)+"\n2,3\n"))
	require.Zero(t, n)
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestBadValuePosition: a bad value after others on its line has its byte and its column,
// which differ where a character is more than a byte.
func TestBadValuePosition(t *testing.T) {
	const text = "1\n\"ä€\" {\"a\":?}\n"
	var bad *wire.Error
	for range lineCodec(jsonl.Codec{}, func(err error) { require.ErrorAs(t, err, &bad) }, nil).Records(strings.NewReader(text)) {
	}
	require.Equal(t, []int{strings.IndexByte(text, '?'), 2, 11}, []int{bad.Offset, bad.Line, bad.Column})
}

// TestMemoryOfBadRecords: of bad records that are passed over nothing is kept that is not
// reported, however many batches wait for their turn.
func TestMemoryOfBadRecords(t *testing.T) {
	resident.Check(t, resident.Case{
		Name:  "lines",
		Input: func() []byte { return []byte("?\n") },
		Call: func(line []byte) {
			b := lineCodec(jsonl.Codec{}, func(error) {}, nil).(lineSource).batches(bytes.NewReader(bytes.Repeat(line, 300_000)))
			for part, err := b.Next(nil); err == nil && part.Rest == nil; part, err = b.Next(nil) {
				for range b.Records(part, 0) {
				}
			}
		},
	})
}

// TestFirstEnd: values that are one after the other on a line are told apart, without
// memory of their own.
func TestFirstEnd(t *testing.T) {
	for text, end := range map[string]int{
		`1 2`: 1, `{"a":"}"}{}`: 9, `"a]\""1`: 6, `[1]x`: 3, `true[`: 4, `1x`: 2, `truex`: 5, `[1`: 2, `nul`: 3, `-0.5e3"a"`: 6, `?1`: 2,
	} {
		require.Equal(t, 2+end, firstEnd([]byte("  "+text), 2), text)
	}
	text := []byte(`{"id":1,"name":"a name","list":[1,2,{"a":[]}]} 2`)
	growth.Allocs(t, 0, func() { firstEnd(text, 0) })
}

// TestLineSourceWorkers: what is read, passed over and refused does not depend on
// how many goroutines read.
func TestLineSourceWorkers(t *testing.T) {
	pieces := map[string][]string{
		"jsonl": {"{\"a\":1,\"b\":\"x\"}\n", "{\"a\":2,\"b\":null}\n", "{\"a\":3}\n", "{\"a\":4} {\"a\":5}\n", "{\"a\":[{}]}{\"b\":4}\n", "\n", " \r\n", "{\"a\":?}\n", "{\"a\":6} oops\n", "]\n"},
		"csv":   {"1,x\n", "2,\"y\nz\"\n", "3,\n", "4,\"say \"\"so\"\"\"\r\n", "1,2,3\n", "5,\"\n", "6,a\"b\n", "\n"},
		"yaml":  {"---\na: 1\n", "---\n- 2\n- x\n", "--- 3\n", "...\n", "---\nb: [\n", "---\nc: *x\n", "# nothing\n", "...\n%YAML 1.2\n---\nd: 4\n"},
	}
	head := map[string]string{"csv": "a,b\n"}
	for i := range trials.Of(200) {
		rnd := rand.New(rand.NewPCG(5, uint64(i)))
		for _, source := range []wire.Streamer{jsonl.Codec{}, csv.Codec{}, yaml.Codec{}} {
			name := source.Info().Name
			text := []byte(head[name])
			good := 1 + rnd.IntN(len(pieces[name]))
			for range rnd.IntN(60) {
				text = append(text, pieces[name][rnd.IntN(good)]...)
			}
			for _, skipBad := range []bool{false, true} {
				most, target := 1+rnd.IntN(200), wire.Streamer(jsonl.Codec{})
				if i%3 == 0 {
					target = gcf.Codec{}
				}
				copied := func(workers int) (outcome, skipped string, records int) {
					var out bytes.Buffer
					var skip func(error)
					if skipBad {
						skip = func(err error) { skipped += fmt.Sprintln(err) }
					}
					in := faulty.Crumbs(rand.New(rand.NewPCG(6, uint64(i))), text, most, io.EOF)
					c := wire.Transcoder{From: lineCodec(source, skip, nil), To: target, Workers: workers}
					n, err := c.Transcode(t.Context(), &out, in)
					if err != nil {
						return err.Error(), skipped, n
					}
					return out.String(), skipped, n
				}
				one, skipped1, n1 := copied(1)
				many, skipped3, n3 := copied(3)
				what := fmt.Sprintf("%s, round %d, skip %t: %q", name, i, skipBad, text)
				require.Equal(t, one, many, what)
				require.Equal(t, skipped1, skipped3, what)
				require.Equal(t, n1, n3, what)
			}
		}
	}
}
