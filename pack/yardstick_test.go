package pack

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/internal/repo/git"
	"github.com/wirekit/wirekit/tokens"
)

// The yardstick holds what is known of the files of public repositories: figures, no
// text. The selection runs on it as on a pack. Each line of a record is a block: what it
// is, its path, and numbers.
//
//	file  path class importers references commits readme bytes tokens…
//	outline  folder name tokens…
//	tree  tokens…
//
// The tokens are those of the whole and of each summary, the longest first.

// TestYardstick: what a maintainer would name first is shown first, in each repository and
// in all together, and most of what a large budget shows are programs.
func TestYardstick(t *testing.T) {
	records, err := filepath.Glob("testdata/yardstick/*.tsv")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(records), 8)
	sums := make([]measure, len(goals))
	for _, name := range records {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		p, files := recorded(t, string(text))
		for i, goal := range goals {
			m := measureOf(t, p, files, goal.budget, quarter{})
			t.Logf("%-24s %s", filepath.Base(name), m)
			require.GreaterOrEqual(t, m.high*100, goal.high*min(m.tokens, m.allHigh), "%s: %s", name, m)
			require.GreaterOrEqual(t, m.shown*100, goal.core*m.core, "%s: %s", name, m)
			sums[i].core += m.core
			sums[i].shown += m.shown
		}
	}
	for i, goal := range goals {
		t.Logf("all %6d: core %d of %d", goal.budget, sums[i].shown, sums[i].core)
		require.GreaterOrEqual(t, sums[i].shown*100, goal.core*sums[i].core, "budget %d: %d of %d", goal.budget, sums[i].shown, sums[i].core)
	}
}

// What is to be reached, in percent: of the core, and by what is of high and normal rank, as far
// as there is as much, of the tokens.
var goals = []struct{ budget, core, high int }{{4000, 60, 0}, {16_000, 85, 0}, {64_000, 95, 80}}

// TestPacks measures packs of the repositories in a folder, and records them.
func TestPacks(t *testing.T) {
	dir := os.Getenv("WIREKIT_REPOS")
	if dir == "" {
		t.Skip("runs over the repositories in the folder WIREKIT_REPOS: make packs REPOS=dir")
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		folder := filepath.Join(dir, e.Name())
		o := Options{}
		if repository, err := git.Open(context.Background(), folder); err == nil {
			o.Changes, err = repository.Changes(context.Background())
			require.NoError(t, err)
		}
		p, report, err := o.Pack(context.Background(), os.DirFS(folder))
		require.NoError(t, err)
		for _, goal := range goals {
			fmt.Printf("%-18s %s\n", e.Name(), measureOf(t, p, report.Files, goal.budget, tokens.O200k{}))
		}
		if os.Getenv("UPDATE_YARDSTICK") != "" {
			require.NoError(t, os.WriteFile("testdata/yardstick/"+e.Name()+".tsv", []byte(recordOf(t, p, report)), 0o644))
		}
	}
}

// A measure is how much of the core a budget shows.
type measure struct {
	budget, tokens int
	core, shown    int // files, and those with heads or more
	high, allHigh  int // tokens of what is high or normal, shown and in all
	missed         []string
}

func (m measure) String() string {
	return fmt.Sprintf("%6d: %6d tokens, core %2d of %2d, high and normal %3d %% %s", m.budget, m.tokens, m.shown, m.core, m.high*100/max(1, m.tokens), strings.Join(m.missed, " "))
}

// firstNamed are the files that a maintainer would name first: those that the README names, the
// entry points that are not deep, the ten that most others import.
func firstNamed(files []File) map[string]bool {
	core := make(map[string]bool)
	var entries, imported []File
	for _, f := range files {
		switch {
		case f.Class != classSource && f.Class != classEntry:
			continue
		case f.Readme:
			core[f.Path] = true
		}
		if f.Class == classEntry {
			entries = append(entries, f)
		}
		if f.Importers > 1 {
			imported = append(imported, f)
		}
	}
	slices.SortStableFunc(entries, func(a, b File) int {
		return cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/"))
	})
	slices.SortStableFunc(imported, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Importers, a.Importers), cmp.Compare(b.References, a.References))
	})
	for _, f := range slices.Concat(entries[:min(5, len(entries))], imported[:min(10, len(imported))]) {
		core[f.Path] = true
	}
	return core
}

// quarter counts a token for every four bytes or part of them.
type quarter struct{}

func (quarter) Name() string                   { return "bytes/4" }
func (quarter) Exact() bool                    { return false }
func (quarter) Count(text []byte) (int, error) { return (len(text) + 3) / 4, nil }

// The levels that a block is shown at, as numbers.
const (
	levelLine = 2 + iota
	levelBrief
	levelSummary
	levelFull
)

func levelOf(r *render.Result, block int) int {
	return slices.Index([]string{"omitted", "placeholder", "line", "brief", "summary", "full"}, r.Levels[block])
}

func measureOf(t *testing.T, p *bcp.Payload, files []File, budget int, counter tokens.Counter) measure {
	r, err := render.Options{Mode: render.ModeMarkdown, Budget: &budget, Counter: counter, Compact: true}.Render(p)
	require.NoError(t, err)
	require.LessOrEqual(t, r.Tokens, budget)
	m := measure{budget: budget, tokens: r.Tokens}
	outlines := make(map[string]int)
	ranks, summaries := p.Priorities(), summariesOf(p)
	count := func(text string) int {
		n, err := counter.Count([]byte(text))
		require.NoError(t, err)
		return n
	}
	for i, b := range p.Blocks {
		text := ""
		switch body := b.Body.(type) {
		case *bcp.Document:
			outlines[body.Title] = levelOf(r, i)
			text = string(body.Content)
		case *bcp.Code:
			text = string(body.Content)
		}
		if ranks[i] != bcp.PriorityHigh && ranks[i] != bcp.PriorityNormal {
			continue
		}
		if _, ok := b.Body.(*bcp.Code); ok {
			m.allHigh += count(text)
		}
		switch level := levelOf(r, i); {
		case level == levelFull:
			m.high += count(text)
		case level >= levelLine:
			m.high += count(summaries[i][levelSummary-level])
		}
	}
	core := firstNamed(files)
	for _, f := range files {
		if !core[f.Path] {
			continue
		}
		m.core++
		outline, ok := outlines[path.Dir(f.Path)]
		heads := levelSummary
		if len(summaries[f.Block]) == 3 { // the longest has sentences, too
			heads = levelBrief
		}
		if levelOf(r, f.Block) >= heads && !ok || levelOf(r, f.Block) == levelFull || ok && outline >= levelSummary {
			m.shown++
		} else {
			m.missed = append(m.missed, f.Path)
		}
	}
	return m
}

// summariesOf are the summaries of each block, the longest first.
func summariesOf(p *bcp.Payload) map[int][]string {
	all := make(map[int][]string)
	for i, b := range p.Blocks {
		if b.Summary != nil {
			all[i] = append(all[i], *b.Summary)
		}
		if a, ok := b.Body.(*bcp.Annotation); ok && a.Kind == "summary" {
			all[int(a.Target)] = append(all[int(a.Target)], string(a.Value))
		}
	}
	return all
}

// recordOf is what the yardstick keeps of a pack.
func recordOf(t *testing.T, p *bcp.Payload, report *Report) string {
	var out strings.Builder
	byBlock := make(map[int]File)
	for _, f := range report.Files {
		byBlock[f.Block] = f
	}
	summaries := summariesOf(p)
	for i, b := range p.Blocks {
		text := ""
		switch body := b.Body.(type) {
		case *bcp.FileTree:
			full, _ := render.Options{Mode: render.ModeMinimal, Compact: true}.Text(&bcp.Payload{Blocks: []bcp.Block{b}})
			out.WriteString("tree")
			text = full
		case *bcp.Document:
			words := strings.Fields(string(body.Content))
			require.Greater(t, len(words), 1, body.Title)
			fmt.Fprintf(&out, "outline\t%s\t%s", body.Title, words[1])
			text = string(body.Content)
		case *bcp.Code:
			f := byBlock[i]
			fmt.Fprintf(&out, "file\t%s\t%s\t%d\t%d\t%d\t%t\t%d", f.Path, f.Class, f.Importers, f.References, f.Changes, f.Readme, f.Bytes)
			text = string(body.Content)
		default:
			continue
		}
		for _, text := range append([]string{text}, summaries[i]...) {
			n, _ := tokens.O200k{}.Count([]byte(text))
			fmt.Fprintf(&out, "\t%d", n)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// recorded is the pack of a record, with texts of as many tokens at four bytes each.
func recorded(t *testing.T, record string) (*bcp.Payload, []File) {
	var p builder
	var files []File
	var packages []goPackage
	var sizes [][]string // of packages
	texts := func(numbers []string) (list []string) {
		for _, n := range numbers {
			size, err := strconv.Atoi(n)
			require.NoError(t, err)
			list = append(list, strings.Repeat("abc\n", size))
		}
		return list
	}
	summarize := func(block int, list []string) {
		for i, text := range list {
			if i == 0 {
				p.Blocks[block].Summary = &text
			} else {
				p.annotate(block, "summary", []byte(text))
			}
		}
	}
	var bodies [][]string
	for line := range strings.Lines(record) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch fields[0] {
		case "tree":
			block := p.add(&bcp.FileTree{Root: ".", Entries: []bcp.FileEntry{{Name: strings.Repeat("abc ", len(texts(fields[1:2])[0])/4)}}}, bcp.PriorityCritical)
			summarize(block, texts(fields[2:]))
		case "outline":
			packages = append(packages, goPackage{folder: fields[1], name: fields[2]})
			sizes = append(sizes, fields[3:])
		case "file":
			f := File{Path: fields[1], Class: fields[2], Readme: fields[6] == "true"}
			for i, to := range []*int{&f.Importers, &f.References, &f.Changes} {
				var err error
				*to, err = strconv.Atoi(fields[3+i])
				require.NoError(t, err)
			}
			f.Priority = priorityOf(f.Class)
			files = append(files, f)
			bodies = append(bodies, fields[8:])
		}
	}
	setWorth(files)
	score := make(map[string]float64)
	for i := range files {
		if strings.HasSuffix(files[i].Path, ".go") {
			score[path.Dir(files[i].Path)] += files[i].score()
		}
	}
	ratePackages(packages, score)
	for i, g := range packages {
		list := texts(sizes[i])
		block := p.add(&bcp.Document{Title: g.folder, Content: []byte(list[0]), FormatHint: "plain"}, g.rank)
		summarize(block, list[1:])
		p.worth(block, g.worth)
		p.annotate(block, "tag", []byte(outlineTag+g.folder))
	}
	for i := range files {
		list := texts(bodies[i])
		files[i].Block = p.add(&bcp.Code{Lang: bcp.LangOfPath(files[i].Path), Path: files[i].Path, Content: []byte(list[0])}, files[i].Priority)
		summarize(files[i].Block, list[1:])
		p.worth(files[i].Block, files[i].Worth)
	}
	return &p.Payload, files
}
