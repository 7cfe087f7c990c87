package pack

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// many makes n files of some kilobytes.
func many(n, size int) fstest.MapFS {
	files := make(fstest.MapFS, n)
	line := "func F%d(a int, b string) (string, error) { return b, nil } // and so on\n"
	for i := range n {
		name := fmt.Sprintf("d%d/e%d/f%d.go", i%7, i%31, i)
		unit := fmt.Sprintf(line, i)
		files[name] = &fstest.MapFile{Data: []byte("package e\n\n" + strings.Repeat(unit, max(1, size/len(unit))))}
	}
	return files
}

func TestProgress(t *testing.T) {
	files := many(300, 100)
	var seen []int
	p, report := packed(t, Options{Progress: func(done, all int) {
		require.Equal(t, 300, all)
		seen = append(seen, done)
	}}, files)
	require.Equal(t, []int{64, 128, 192, 256, 300}, seen)
	require.Len(t, report.Files, 300)
	again, _ := packed(t, Options{}, files)
	require.Equal(t, p, again)

	// The context ends the work wherever it is.
	for stop := range 4 {
		ctx, cancel := context.WithCancel(context.Background())
		_, _, err := Options{Progress: func(done, _ int) {
			if done > 64*stop {
				cancel()
			}
		}}.Pack(ctx, files)
		require.ErrorIs(t, err, context.Canceled)
		cancel()
	}
}

// Options are shared by goroutines.
func TestConcurrentPacks(t *testing.T) {
	files := many(100, 200)
	o := Options{Exclude: []string{"d1"}, Priorities: []PriorityRule{{"d2", bcp.PriorityHigh}}, Data: func(wire.Value) string { return "" }}
	want, _ := packed(t, o, files)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			got, _, err := o.Pack(context.Background(), files)
			if err != nil || len(got.Blocks) != len(want.Blocks) {
				panic("another pack")
			}
		})
	}
	all.Wait()
}

// failing is a file system in which some files cannot be read.
type failing struct{ fstest.MapFS }

func (f failing) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, "9.go") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

// What cannot be read costs nothing else, and the report is in order.
func TestUnreadableAmongMany(t *testing.T) {
	_, report := packed(t, Options{}, failing{many(200, 100)})
	require.Len(t, report.Files, 180)
	require.Len(t, report.Skipped, 20)
	for i, l := range report.Skipped {
		require.Equal(t, reasonUnreadable, l.Reason)
		require.True(t, i == 0 || report.Skipped[i-1].Path < l.Path)
	}
	// The bound on all files together takes them in order, whoever reads first.
	_, first := packed(t, Options{MaxTotal: 20_000}, many(200, 1000))
	for range 3 {
		_, again := packed(t, Options{MaxTotal: 20_000}, many(200, 1000))
		require.Equal(t, first, again)
	}
}

// Whatever a file holds, its pack takes little memory beside it.
func TestResidentMemory(t *testing.T) {
	var cases []resident.Case
	for name, unit := range map[string]string{
		"a.go": "type A int\n", "a.ts": "{", "b.ts": "class A {", "a.c": "int f(){}\n", "a.py": "def f(): pass\n", "a.json": "[1],", "a.jsonl": "{}\n",
		"a.csv": "a,b\n", "a.md": "# a\n", "a.log": "error\n", "a.txt": "ghp_" + strings.Repeat("a", 36) + "\n",
	} {
		cases = append(cases, resident.Case{Name: name, Input: func() []byte {
			text := strings.Repeat(unit, 1_000_000/len(unit))
			switch name {
			case "a.go":
				text = "package a\n" + text
			case "a.json":
				text = "[" + text + "1]"
			}
			return []byte(text)
		}, Call: func(input []byte) {
			p, _, err := Options{}.Pack(context.Background(), fstest.MapFS{name: {Data: input}})
			if err != nil {
				panic(err)
			}
			budget := 1000
			render.Options{Budget: &budget, Counter: tokens.O200k{}, Compact: true}.Render(p)
		}})
	}
	resident.Check(t, cases...)
}

// BenchmarkPack packs 10,000 files of 10 KB, 100 MB, and renders them within
// 8,000 tokens.
func BenchmarkPack(b *testing.B) {
	files := many(10_000, 10_000)
	b.SetBytes(100_000_000)
	for b.Loop() {
		p, _, err := Options{}.Pack(context.Background(), files)
		if err != nil {
			b.Fatal(err)
		}
		budget := 8000
		if _, err := (render.Options{Mode: render.ModeMinimal, Budget: &budget, Counter: tokens.O200k{}, Compact: true}).Render(p); err != nil {
			b.Fatal(err)
		}
	}
}
