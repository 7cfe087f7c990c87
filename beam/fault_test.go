package beam_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/beam"
	"github.com/wirekit/wirekit/internal/testkit/resident"
)

func init() {
	for _, scheme := range []string{"early", "once", "shrunk", "cut"} {
		filesystem.Register(scheme, func(ctx context.Context) filesystem.Interface { return ending{local.New(ctx), scheme + "://"} })
	}
}

// ending is the local file system, where files end early: each time, the first time, with
// an error first and an earlier end then, or because they were cut after being listed.
type ending struct {
	filesystem.Interface
	scheme string
}

// openings and sizes are how often a file was opened, and its size looked up.
var openings, sizes atomic.Int64

func (e ending) List(ctx context.Context, glob string) ([]string, error) {
	names, err := e.Interface.List(ctx, strings.TrimPrefix(glob, e.scheme))
	for i := range names {
		names[i] = e.scheme + names[i]
	}
	return names, err
}

func (e ending) Size(ctx context.Context, name string) (int64, error) {
	size, err := e.Interface.Size(ctx, strings.TrimPrefix(name, e.scheme))
	if e.scheme == "cut://" && sizes.Add(1) == 1 {
		size *= 3
	}
	return size, err
}

func (e ending) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	text, err := os.ReadFile(strings.TrimPrefix(name, e.scheme))
	half := bytes.LastIndexByte(text[:len(text)/2], '\n') + 1
	first := openings.Add(1) == 1
	switch {
	case e.scheme == "early://", e.scheme == "once://" && first:
		text = text[:half]
	case e.scheme == "shrunk://" && first:
		return io.NopCloser(io.MultiReader(bytes.NewReader(text[:half]), failing{})), err
	case e.scheme == "shrunk://":
		text = text[:half/2]
	}
	return io.NopCloser(bytes.NewReader(text)), err
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the connection was lost") }

// readAll runs Read alone.
func readAll(t *testing.T, pattern string, o beam.ReadOptions) error {
	t.Helper()
	openings.Store(0)
	sizes.Store(0)
	return run(t, func(s sdk.Scope) {
		documents, bad := beam.Read(s, pattern, o)
		sdk.ParDo0(s, &documentsFn{}, documents)
		sdk.ParDo0(s, &badFn{}, bad)
	})
}

// rows writes a file of a thousand records.
func rows(t *testing.T, name string) string {
	t.Helper()
	var text strings.Builder
	if strings.HasSuffix(name, ".csv") {
		text.WriteString("id,name\n")
	}
	for i := range 1000 {
		if strings.HasSuffix(name, ".csv") {
			fmt.Fprintf(&text, "%d,name %d\n", i, i)
		} else {
			fmt.Fprintf(&text, "{\"id\":%d,\"name\":\"name %d\"}\n", i, i)
		}
	}
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	return file
}

// TestEarlyEnd: a file that ends before its size is a fault, which is tried again and is
// an error in the end; no records are missing in silence.
func TestEarlyEnd(t *testing.T) {
	for _, name := range []string{"a.jsonl", "a.csv"} {
		file := rows(t, name)
		require.NoError(t, readAll(t, "once://"+file, beam.ReadOptions{}))
		require.Len(t, got.documents, 1000)
		require.Empty(t, got.bad)
		require.ErrorContains(t, readAll(t, "early://"+file, beam.ReadOptions{}), "unexpected EOF")
	}
	require.ErrorContains(t, readAll(t, "shrunk://"+rows(t, "a.csv"), beam.ReadOptions{}), "unexpected EOF")
}

// TestCutFile: a file that is shorter than when it was matched is read as far as it goes,
// and is bad, however it is split.
func TestCutFile(t *testing.T) {
	for _, name := range []string{"a.jsonl", "a.csv"} {
		file := rows(t, name)
		for _, o := range []beam.ReadOptions{{}, {SplitBytes: 7000}} {
			require.NoError(t, readAll(t, "cut://"+file, o), name)
			require.Len(t, got.documents, 1000)
			require.Len(t, got.bad, 1)
			require.Equal(t, "file_cut", got.bad[0].Code)
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Equal(t, info.Size(), got.bad[0].Offset)
		}
	}
}

// TestNothingRead: where there is nothing to read, the report says so, and the file of what
// was passed over is empty.
func TestNothingRead(t *testing.T) {
	dir := t.TempDir()
	report, bad := filepath.Join(dir, "report.md"), filepath.Join(dir, "bad.out")
	require.NoError(t, os.WriteFile(bad, []byte("of the run before\n"), 0o600))
	require.NoError(t, run(t, func(s sdk.Scope) {
		documents, unread := beam.Read(s, filepath.Join(dir, "*.jsonl"), beam.ReadOptions{})
		beam.WriteReport(s, report, beam.Measure(s, documents, beam.MeasureOptions{}, unread))
		beam.WriteRejected(s, bad, unread)
	}))
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "0 documents: 0 tokens of "), string(text))
	require.Contains(t, string(text), "Nothing was read")
	text, err = os.ReadFile(bad)
	require.NoError(t, err)
	require.Empty(t, text)
}

// TestWrongNames: a name that is none is found while the pipeline is built.
func TestWrongNames(t *testing.T) {
	_, s := sdk.NewPipelineWithRoot()
	documents := sdk.Create(s, beam.Document{})
	for what, build := range map[string]func(){
		"Read":      func() { beam.Read(s, "x", beam.ReadOptions{Format: "nope"}) },
		"Convert":   func() { beam.Convert(s, documents, "nope") },
		"Write":     func() { beam.Write(s, documents, beam.WriteOptions{Format: "nope"}) },
		"formats":   func() { beam.Measure(s, documents, beam.MeasureOptions{Formats: []string{"gcf", "nope"}}) },
		"tokenizer": func() { beam.Measure(s, documents, beam.MeasureOptions{Counter: "nope"}) },
	} {
		func() {
			defer func() { require.Contains(t, fmt.Sprint(recover()), "nope", what) }()
			build()
		}()
	}
}

// TestCompressed: a compressed file is named as one, and a file of no known format as that.
func TestCompressed(t *testing.T) {
	dir := t.TempDir()
	var text bytes.Buffer
	w := gzip.NewWriter(&text)
	_, err := w.Write([]byte("{\"a\":1}\n"))
	require.NoError(t, errors.Join(err, w.Close()))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl.gz"), text.Bytes(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.xyz"), []byte("hello there, nobody knows this"), 0o600))
	r := measured(t, filepath.Join(dir, "*"), beam.ReadOptions{})
	require.Equal(t, map[string]int64{"gzip/compressed": 1, "unknown_format": 1}, r.RejectedCodes)
	require.True(t, slices.ContainsFunc(r.RejectedSamples, func(b beam.Rejected) bool { return strings.Contains(b.Message, "compressed by gzip") }))
	require.Contains(t, r.String(), "compressed by gzip")
}

// TestMeasureMemory: measuring takes memory for what is read, and not for a report of each
// document in each format.
func TestMeasureMemory(t *testing.T) {
	resident.Check(t, resident.Case{
		Name: "5,000 records",
		Input: func() []byte {
			var text bytes.Buffer
			for i := range 5000 {
				fmt.Fprintf(&text, "{\"id\":%d,\"level\":\"info\",\"message\":\"request %d took some time\"}\n", i, i%7)
			}
			return text.Bytes()
		},
		Call: func(input []byte) {
			file := filepath.Join(t.TempDir(), "a.jsonl")
			require.NoError(t, os.WriteFile(file, input, 0o600))
			p, s := sdk.NewPipelineWithRoot()
			documents, bad := beam.Read(s, file, beam.ReadOptions{})
			sdk.ParDo0(s, &collectFn{}, beam.Measure(s, documents, beam.MeasureOptions{}, bad))
			_, err := prism.Execute(context.Background(), p)
			require.NoError(t, err)
		},
	})
}
