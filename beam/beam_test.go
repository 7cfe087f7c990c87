package beam_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/beam"
)

func TestMain(m *testing.M) {
	filesystem.Register("flaky", func(ctx context.Context) filesystem.Interface { return flaky{local.New(ctx)} })
	sdk.RegisterDoFn(reflect.TypeFor[*collectFn]())
	sdk.RegisterDoFn(reflect.TypeFor[*shardsFn]())
	sdk.RegisterDoFn(reflect.TypeFor[*documentsFn]())
	sdk.RegisterDoFn(reflect.TypeFor[*badFn]())
	sdk.RegisterDoFn(reflect.TypeFor[*convertedFn]())
	sdk.RegisterDoFn(reflect.TypeFor[*dyingFn]())
	sdk.Init()
	os.Exit(m.Run())
}

// What a pipeline in this process came to.
var got struct {
	sync.Mutex
	reports   []beam.Report
	shards    []beam.Shard
	documents []beam.Document
	bad       []beam.Rejected
	converted []beam.Converted
}

func collect[T any](to *[]T, v T) {
	got.Lock()
	*to = append(*to, v)
	got.Unlock()
}

type (
	collectFn   struct{}
	shardsFn    struct{}
	documentsFn struct{}
	badFn       struct{}
	convertedFn struct{}
)

func (*collectFn) ProcessElement(r beam.Report)      { collect(&got.reports, r) }
func (*shardsFn) ProcessElement(s beam.Shard)        { collect(&got.shards, s) }
func (*documentsFn) ProcessElement(d beam.Document)  { collect(&got.documents, d) }
func (*badFn) ProcessElement(b beam.Rejected)        { collect(&got.bad, b) }
func (*convertedFn) ProcessElement(c beam.Converted) { collect(&got.converted, c) }

// run runs a pipeline on the embedded runner.
func run(t *testing.T, build func(sdk.Scope)) error {
	t.Helper()
	got.reports, got.shards, got.documents, got.bad, got.converted = nil, nil, nil, nil, nil
	p, s := sdk.NewPipelineWithRoot()
	build(s)
	_, err := prism.Execute(t.Context(), p)
	return err
}

// measured runs Read and Measure.
func measured(t *testing.T, pattern string, o beam.ReadOptions) beam.Report {
	t.Helper()
	require.NoError(t, run(t, func(s sdk.Scope) {
		documents, bad := beam.Read(s, pattern, o)
		sdk.ParDo0(s, &collectFn{}, beam.Measure(s, documents, beam.MeasureOptions{}, bad))
	}))
	require.Len(t, got.reports, 1)
	return got.reports[0]
}

// flaky is the local file system on bad days: each fifth opening fails, and another
// fifth of the files fail in their middle.
type flaky struct{ filesystem.Interface }

var opened, failures atomic.Int64

func unflaky(name string) string { return strings.TrimPrefix(name, "flaky://") }

func (f flaky) List(ctx context.Context, glob string) ([]string, error) {
	names, err := f.Interface.List(ctx, unflaky(glob))
	for i := range names {
		names[i] = "flaky://" + names[i]
	}
	return names, err
}

func (f flaky) Size(ctx context.Context, name string) (int64, error) {
	return f.Interface.Size(ctx, unflaky(name))
}

func (f flaky) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	n := opened.Add(1)
	if n%5 == 0 {
		failures.Add(1)
		return nil, errors.New("the file system is tired")
	}
	in, err := f.Interface.OpenRead(ctx, unflaky(name))
	if err == nil && n%5 == 1 {
		return &breaking{in, 50}, nil
	}
	return in, err
}

func (f flaky) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	if opened.Add(1)%5 == 0 {
		failures.Add(1)
		return nil, errors.New("the file system is full, for a moment")
	}
	return f.Interface.OpenWrite(ctx, unflaky(name))
}

// breaking reads so many bytes and fails.
type breaking struct {
	io.ReadCloser
	left int
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.left == 0 {
		failures.Add(1)
		return 0, errors.New("the connection was lost")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// generated returns documents of many kinds as compact JSON, the same ones each time.
func generated(n int) []string {
	random := rand.New(rand.NewPCG(21, 7))
	words := []string{"error", "ok", "a|b", "line\nend", "Ünïcode", "0012", "true", "", "x,y", "2026-01-02"}
	word := func() string { return words[random.IntN(len(words))] }
	var value func(depth int) any
	value = func(depth int) any {
		switch k := random.IntN(9); {
		case k < 3 || depth > 2:
			return word()
		case k == 3:
			return random.IntN(100_000)
		case k == 4:
			return random.Float64()
		case k == 5:
			return nil
		case k == 6:
			return []any{random.IntN(9), word(), true}
		default:
			return map[string]any{word() + "k": value(depth + 1), "id": random.IntN(99)}
		}
	}
	all := make([]string, n)
	for i := range all {
		var v any
		switch i % 4 {
		case 0: // rows
			rows := make([]any, 2+random.IntN(5))
			for j := range rows {
				rows[j] = map[string]any{"id": j, "level": word(), "ms": random.IntN(1000)}
			}
			v = rows
		case 1:
			v = map[string]any{"time": i, "level": word(), "message": value(0), "tags": []any{word(), word()}}
		default:
			v = value(0)
		}
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		all[i] = string(text)
	}
	return all
}

// total is what wirekit compare says of a format, summed up.
type total struct {
	carried, refused, lossless, bytes, gzip, tokens int64
	losses                                          map[string]int64
}

// compared runs the command over files and sums up what it prints.
func compared(t *testing.T, dir string) map[string]*total {
	t.Helper()
	command := filepath.Join(t.TempDir(), "wirekit")
	build := exec.Command("go", "build", "-o", command, "./cmd/wirekit")
	build.Dir, build.Env = "..", append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	cmd := exec.Command(command, append([]string{"compare", "--json"}, names...)...)
	var text, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	var reports []struct {
		Formats []struct {
			Format, Refused, Loss string
			Bytes, Gzip           int64
			Tokens                *int64
			Lossless              bool
		}
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &reports))
	require.Len(t, reports, len(names))
	sums := map[string]*total{}
	for _, r := range reports {
		for _, f := range r.Formats {
			s := sums[f.Format]
			if s == nil {
				s = &total{losses: map[string]int64{}}
				sums[f.Format] = s
			}
			if f.Refused != "" {
				s.refused++
				continue
			}
			s.carried++
			s.bytes += f.Bytes
			s.gzip += f.Gzip
			if f.Tokens != nil {
				s.tokens += *f.Tokens
			}
			if f.Lossless {
				s.lossless++
			}
			if f.Loss != "" {
				s.losses[f.Loss]++
			}
		}
	}
	return sums
}

// same holds that a report has those totals.
func same(t *testing.T, want map[string]*total, r beam.Report) {
	t.Helper()
	require.Len(t, r.Formats, len(want))
	for name, f := range r.Formats {
		losses := f.Losses
		if losses == nil {
			losses = map[string]int64{}
		}
		require.Equal(t, want[name], &total{f.Carried, f.Refused, f.Lossless, f.Bytes, f.Gzip, f.Tokens, losses}, name)
	}
}

// withoutPlaces leaves out of a report what depends on how documents lie in files.
func withoutPlaces(r beam.Report) beam.Report {
	for _, f := range r.Formats {
		f.Best, f.Worst, f.FirstLossy, f.FirstRefused = nil, nil, nil, nil
	}
	return r
}

// writeDocuments writes documents as a file each, and as lines of three files.
func writeDocuments(t *testing.T, texts []string) (dir, lines string) {
	dir, lines = t.TempDir(), t.TempDir()
	for i, text := range texts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.json", i)), []byte(text), 0o600))
	}
	n := len(texts)
	for i := range 3 {
		end := "\n"[:i%2] // two of the three end without a line end
		part := strings.Join(texts[i*n/3:(i+1)*n/3], "\n") + end
		require.NoError(t, os.WriteFile(filepath.Join(lines, fmt.Sprintf("%d.jsonl", i)), []byte(part), 0o600))
	}
	return dir, filepath.Join(lines, "*.jsonl")
}

// TestTotals: the totals over 1,000 files are those of wirekit compare; also when the
// documents are lines of files that are read in small parts.
func TestTotals(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	dir, pattern := writeDocuments(t, generated(n))
	want := compared(t, dir)
	files := measured(t, filepath.Join(dir, "*.json"), beam.ReadOptions{Whole: true})
	require.EqualValues(t, n, files.Documents)
	require.Zero(t, files.Rejected)
	same(t, want, files)
	require.Less(t, files.BestTokens, files.JSONTokens)
	split := measured(t, pattern, beam.ReadOptions{SplitBytes: 777})
	same(t, want, split)
	require.Equal(t, withoutPlaces(files), withoutPlaces(split))
}

// TestFailures: the totals, examples included, are the same when the file system fails
// in openings and in the middle of files, and when a worker dies and the job is run
// again.
func TestFailures(t *testing.T) {
	dir, pattern := writeDocuments(t, generated(120))
	want := compared(t, dir)
	whole := measured(t, pattern, beam.ReadOptions{})
	same(t, want, whole)
	require.Equal(t, whole, measured(t, pattern, beam.ReadOptions{SplitBytes: 100}))

	before := failures.Load()
	same(t, want, measured(t, "flaky://"+pattern, beam.ReadOptions{SplitBytes: 300}))
	same(t, want, measured(t, "flaky://"+filepath.Join(dir, "*.json"), beam.ReadOptions{Whole: true}))
	require.Greater(t, failures.Load(), before+20)

	dying := func(s sdk.Scope) {
		documents, bad := beam.Read(s, pattern, beam.ReadOptions{SplitBytes: 3000})
		documents = sdk.ParDo(s, &dyingFn{}, documents)
		sdk.ParDo0(s, &collectFn{}, beam.Measure(s, documents, beam.MeasureOptions{}, bad))
	}
	died.Store(0)
	require.Error(t, run(t, dying))
	require.Empty(t, got.reports, "half a report")
	require.NoError(t, run(t, dying))
	require.Len(t, got.reports, 1)
	require.Equal(t, whole, got.reports[0])
}

var died atomic.Int64

// dyingFn fails once, at its fiftieth document.
type dyingFn struct{}

func (*dyingFn) ProcessElement(d beam.Document) (beam.Document, error) {
	if died.Add(1) == 50 {
		return d, errors.New("the worker died")
	}
	return d, nil
}

// TestSplits: however a file is cut, each line is read once, with its offset.
func TestSplits(t *testing.T) {
	text := "\ufeff{\"a\":1}\n\n  \r\n[2]\r\n\"three\"\n{bad\n4\n" + `"` + strings.Repeat("long ", 60) + `"` + "\nnull"
	file := filepath.Join(t.TempDir(), "x.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	var first []beam.Document
	for size := int64(1); size <= int64(len(text))+1; size = size*3/2 + 1 {
		require.NoError(t, run(t, func(s sdk.Scope) {
			documents, bad := beam.Read(s, file, beam.ReadOptions{SplitBytes: size})
			sdk.ParDo0(s, &documentsFn{}, documents)
			sdk.ParDo0(s, &badFn{}, bad)
		}))
		slices.SortFunc(got.documents, func(a, b beam.Document) int { return int(a.Offset - b.Offset) })
		if first == nil {
			first = got.documents
			require.Len(t, first, 6)
			require.JSONEq(t, `{"a":1}`, string(first[0].JSON))
		}
		require.Equal(t, first, got.documents, "parts of %d bytes", size)
		require.Len(t, got.bad, 1)
		b := got.bad[0]
		require.Equal(t, "{bad", text[b.Offset:b.Offset+4])
		require.Equal(t, "{bad", b.Sample)
		require.Equal(t, file, b.File)
	}
}

// TestBad: what cannot be read is counted, sampled and written, and the rest measured.
func TestBad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var text strings.Builder
	for i := range 100 {
		if i%10 == 3 {
			text.WriteString("{\"cut\": [1,\n")
		} else {
			fmt.Fprintf(&text, "{\"id\":%d}\n", i)
		}
	}
	write("a.jsonl", text.String())
	write("b.csv", "id,name\n1,x\n2\n")
	write("c.jsonl", "")
	write("d.json", "\xff")
	write("e.bin", "\x00\x01\x02")
	write("f.json", "")
	out := filepath.Join(t.TempDir(), "bad.jsonl")
	report := filepath.Join(t.TempDir(), "report.md")
	require.NoError(t, run(t, func(s sdk.Scope) {
		documents, bad := beam.Read(s, filepath.Join(dir, "*"), beam.ReadOptions{SplitBytes: 64})
		measured := beam.Measure(s, documents, beam.MeasureOptions{Formats: []string{"gcf", "csv"}}, bad)
		sdk.ParDo0(s, &collectFn{}, measured)
		beam.WriteReport(s, report, measured)
		beam.WriteRejected(s, out, bad)
	}))
	r := got.reports[0]
	require.EqualValues(t, 91, r.Documents, "one row of the table was whole")
	require.EqualValues(t, 14, r.Rejected)
	require.Len(t, r.RejectedSamples, 3)
	require.Len(t, r.Formats, 3)
	written, err := os.ReadFile(out)
	require.NoError(t, err)
	all := strings.Split(strings.TrimSpace(string(written)), "\n")
	require.Len(t, all, 14)
	var one beam.Rejected
	require.NoError(t, json.Unmarshal([]byte(all[0]), &one))
	require.Equal(t, filepath.Join(dir, "a.jsonl"), one.File)
	require.Equal(t, "{\"cut\": [1,", one.Sample)
	require.True(t, strings.HasPrefix(text.String()[one.Offset:], one.Sample))
	markdown, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Contains(t, string(markdown), "91 documents:")
	require.Contains(t, string(markdown), "14 more were passed over")
	require.Contains(t, string(markdown), "| gcf | 91 | 91 | 0 |")
}

// TestWrite: the same records come to the same files, whatever the parts and failures;
// the format is chosen for each shard; what is written is read again.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "{\"id\":%d,\"level\":\"info\",\"message\":\"request %d done\"}\n", i, i%7)
	}
	file := filepath.Join(dir, "in.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	contents := func(prefix, scheme, format string, split int64) map[string]string {
		require.NoError(t, run(t, func(s sdk.Scope) {
			documents, bad := beam.Read(s, scheme+file, beam.ReadOptions{SplitBytes: split})
			shards, refused := beam.Write(s, documents, beam.WriteOptions{Prefix: prefix, Format: format, Shards: 4})
			sdk.ParDo0(s, &shardsFn{}, shards)
			sdk.ParDo0(s, &badFn{}, sdk.Flatten(s, bad, refused))
		}))
		require.Empty(t, got.bad)
		require.Len(t, got.shards, 4)
		files := map[string]string{}
		n := int64(0)
		for _, s := range got.shards {
			body, err := os.ReadFile(unflaky(s.File))
			require.NoError(t, err)
			require.EqualValues(t, len(body), s.Bytes)
			files[filepath.Base(s.File)] = string(body)
			n += s.Records
		}
		require.EqualValues(t, 400, n)
		return files
	}
	want := contents(filepath.Join(t.TempDir(), "out"), "", "auto", 0)
	for name := range want {
		require.NotEqual(t, ".json", filepath.Ext(name))
	}
	require.Equal(t, want, contents(filepath.Join(t.TempDir(), "out"), "", "auto", 500))

	out := t.TempDir()
	contents(filepath.Join(out, "out"), "", "gcf", 0)
	again := measured(t, filepath.Join(out, "*.gcf"), beam.ReadOptions{})
	require.EqualValues(t, 400, again.Documents)
	require.Equal(t, again.JSONTokens, measured(t, file, beam.ReadOptions{}).JSONTokens)

	tired := "flaky://" + filepath.Join(t.TempDir(), "out")
	require.Equal(t, want, contents(tired, "", "auto", 900))
}

// TestRefused: what a format cannot carry is bad, and the rest goes on.
func TestRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.jsonl")
	require.NoError(t, os.WriteFile(file, []byte("{\"id\":1}\n7\n[{\"id\":2}]\n"), 0o600))
	require.NoError(t, run(t, func(s sdk.Scope) {
		documents, _ := beam.Read(s, file, beam.ReadOptions{})
		converted, bad := beam.Convert(s, documents, "csv")
		sdk.ParDo0(s, &convertedFn{}, converted)
		sdk.ParDo0(s, &badFn{}, bad)
	}))
	require.Equal(t, 3, len(got.bad)+len(got.converted))
	require.NotEmpty(t, got.bad)
	require.Equal(t, "csv", got.bad[0].Format)
	for _, c := range got.converted {
		v, err := wirekit.Convert(c.Text, "csv", "json")
		require.NoError(t, err)
		require.NotEmpty(t, v)
	}

	prefix := filepath.Join(t.TempDir(), "out")
	require.NoError(t, run(t, func(s sdk.Scope) {
		documents, _ := beam.Read(s, file, beam.ReadOptions{})
		_, bad := beam.Write(s, documents, beam.WriteOptions{Prefix: prefix, Format: "csv"})
		sdk.ParDo0(s, &badFn{}, bad)
		sdk.ParDo0(s, &collectFn{}, beam.Measure(s, documents, beam.MeasureOptions{}, bad))
	}))
	require.Len(t, got.bad, 1)
	require.EqualValues(t, 3, got.bad[0].Records)
	require.EqualValues(t, 3, got.reports[0].Rejected)
	written, err := filepath.Glob(prefix + "*")
	require.NoError(t, err)
	require.Empty(t, written)
}

// TestTypes: what passes between workers comes through Beam's coders as it was.
func TestTypes(t *testing.T) {
	for _, v := range []any{
		beam.Document{File: "f", Offset: 1 << 40, Number: 3, JSON: []byte(`{"a":"\u0000"}`)},
		beam.Rejected{File: "f", Offset: 5, Records: 2, Format: "gcf", Code: "c", Message: "m", Sample: "s\x00"},
		beam.Shard{File: "f", Format: "gcf", Records: 1, Bytes: 2, Tokens: 3},
		beam.Converted{File: "f", Offset: 1, Number: 2, Text: []byte("\xff\x00")},
		beam.Report{Documents: 1, Counter: "o", Formats: map[string]*beam.FormatReport{"gcf": {Carried: 1, Tokens: 2}}, RejectedCodes: map[string]int64{"x": 1}},
	} {
		var b bytes.Buffer
		require.NoError(t, sdk.NewElementEncoder(reflect.TypeOf(v)).Encode(v, &b))
		back, err := sdk.NewElementDecoder(reflect.TypeOf(v)).Decode(&b)
		require.NoError(t, err)
		require.Equal(t, v, back)
	}
}
