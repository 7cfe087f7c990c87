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
// A file that no README names, but a guide, has guide for readme. The tokens are those of the whole and of each summary, the longest first.

// TestYardstick: what a maintainer would name first is shown first, in each repository and
// in all together, and most of what a large budget shows are programs.
func TestYardstick(t *testing.T) {
	records, err := filepath.Glob("testdata/yardstick/*.tsv")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(records), 8)
	sums, named := make([]measure, len(goals)), make([]measure, len(goals))
	for _, name := range records {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		p, files := recorded(t, string(text))
		core := coreNamed(t, name)
		for i, goal := range goals {
			m := measureOf(t, p, files, core, goal.budget, quarter{})
			t.Logf("%-24s %s", filepath.Base(name), m)
			if core != nil {
				named[i].core += m.core
				named[i].shown += m.shown
				require.GreaterOrEqual(t, m.shown*100, goal.each*m.core, "%s: %s", name, m)
				if goal.budget == 16_000 && m.waiting {
					require.LessOrEqual(t, m.aside*100, 5*m.tokens, "%s: %s", name, m)
				}
				continue
			}
			require.GreaterOrEqual(t, m.high*100, goal.high*min(m.tokens, m.allHigh), "%s: %s", name, m)
			require.GreaterOrEqual(t, m.shown*100, goal.core*m.core, "%s: %s", name, m)
			sums[i].core += m.core
			sums[i].shown += m.shown
		}
	}
	for i, goal := range goals {
		t.Logf("named %6d: core %d of %d", goal.budget, named[i].shown, named[i].core)
		require.GreaterOrEqual(t, named[i].shown*100, goal.named*named[i].core, "budget %d: %d of %d", goal.budget, named[i].shown, named[i].core)
		t.Logf("all %6d: core %d of %d", goal.budget, sums[i].shown, sums[i].core)
		require.GreaterOrEqual(t, sums[i].shown*100, goal.core*sums[i].core, "budget %d: %d of %d", goal.budget, sums[i].shown, sums[i].core)
	}
}

// What is to be reached, in percent: of the core in each repository and in all, and by what is
// of high and normal rank, as far as there is as much, of the tokens; and of the cores that
// are named, in all and in each.
var goals = []struct{ budget, core, high, named, each int }{{4000, 60, 0, 60, 45}, {16_000, 85, 0, 85, 75}, {64_000, 95, 80, 95, 90}}

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
		core := coreNamed(t, e.Name())
		for _, n := range core {
			document, err := os.ReadFile(filepath.Join(folder, n.document))
			require.NoError(t, err)
			require.Contains(t, strings.Split(string(document), "\n")[n.line-1], n.words, "%s:%d", n.document, n.line)
		}
		for _, goal := range goals {
			fmt.Printf("%-18s %s\n", e.Name(), measureOf(t, p, report.Files, core, goal.budget, tokens.O200k{}))
		}
		if os.Getenv("UPDATE_YARDSTICK") != "" {
			require.NoError(t, os.WriteFile("testdata/yardstick/"+e.Name()+".tsv", []byte(recordOf(t, p, report)), 0o644))
		}
	}
}

// A measure is how much of the core a budget shows.
type measure struct {
	budget, tokens int
	core, shown    int  // files, and those with heads or more
	high, allHigh  int  // tokens of what is high or normal, shown and in all
	aside          int  // tokens of tests, examples, vendored and generated code
	waiting        bool // a program is not shown by its heads
	missed         []string
}

func (m measure) String() string {
	return fmt.Sprintf("%6d: %6d tokens, core %2d of %2d, high and normal %3d %%, aside %2d %% %s",
		m.budget, m.tokens, m.shown, m.core, m.high*100/max(1, m.tokens), m.aside*100/max(1, m.tokens), strings.Join(m.missed, " "))
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

func measureOf(t *testing.T, p *bcp.Payload, files []File, named map[string]naming, budget int, counter tokens.Counter) measure {
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
		m.high += count(shownOf(text, summaries[i], levelOf(r, i)))
	}
	core := firstNamed(files)
	if named != nil {
		core = nil
	}
	for _, f := range files {
		level, byHeads := levelOf(r, f.Block), len(summaries[f.Block]) > 0
		outline, ok := outlines[path.Dir(f.Path)]
		heads := levelSummary
		if len(summaries[f.Block]) == 3 { // the longest has sentences, too
			heads = levelBrief
		}
		shown := level >= heads && !ok || level == levelFull || ok && outline >= levelSummary
		switch f.Class {
		case classSource, classEntry:
			m.waiting = m.waiting || byHeads && !shown
		case classTest, classExample, classVendored, classOutput:
			m.aside += count(shownOf(string(p.Blocks[f.Block].Body.(*bcp.Code).Content), summaries[f.Block], level))
		}
		if _, ok := named[f.Path]; !core[f.Path] && !ok {
			continue
		}
		m.core++
		if shown {
			m.shown++
		} else {
			m.missed = append(m.missed, f.Path)
		}
	}
	require.GreaterOrEqual(t, m.core, len(named), "files of the core are not in the pack")
	return m
}

// shownOf is what a level shows of a block with this text and these summaries.
func shownOf(text string, summaries []string, level int) string {
	switch {
	case level == levelFull:
		return text
	case level >= levelLine:
		return summaries[levelSummary-level]
	}
	return ""
}

// A naming is where a repository's own README or guide names a file.
type naming struct {
	document string
	line     int
	words    string
}

// coreNamed is the core of a repository by its own README and guide, nil if none is recorded.
// Its record has the repository with its commit, and a line for each file of the core: its
// path, and the document, the line and the words there that name it.
func coreNamed(t *testing.T, name string) map[string]naming {
	text, err := os.ReadFile("testdata/cores/" + strings.TrimSuffix(filepath.Base(name), ".tsv") + ".tsv")
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	core := make(map[string]naming)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); fields[0] == "core" {
			at, err := strconv.Atoi(fields[3])
			require.NoError(t, err)
			core[fields[1]] = naming{fields[2], at, fields[4]}
		}
	}
	require.GreaterOrEqual(t, len(core), 8, name)
	return core
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
			readme := strconv.FormatBool(f.Readme)
			if f.Guide && !f.Readme {
				readme = "guide"
			}
			fmt.Fprintf(&out, "file\t%s\t%s\t%d\t%d\t%d\t%s\t%d", f.Path, f.Class, f.Importers, f.References, f.Changes, readme, f.Bytes)
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
	var rated []file
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
	var bodies [][]string
	for line := range strings.Lines(record) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch fields[0] {
		case "tree":
			block := p.add(&bcp.FileTree{Root: ".", Entries: []bcp.FileEntry{{Name: strings.Repeat("abc ", len(texts(fields[1:2])[0])/4)}}}, bcp.PriorityCritical)
			p.summarize(block, texts(fields[2:])...)
		case "outline":
			packages = append(packages, goPackage{folder: fields[1], name: fields[2]})
			sizes = append(sizes, fields[3:])
		case "file":
			f := File{Path: fields[1], Class: fields[2], Readme: fields[6] == "true", Guide: fields[6] == "guide"}
			for i, to := range []*int{&f.Importers, &f.References, &f.Changes} {
				var err error
				*to, err = strconv.Atoi(fields[3+i])
				require.NoError(t, err)
			}
			f.Priority = cmp.Or(priorityOf[f.Class], bcp.PriorityLow)
			rated = append(rated, file{File: f})
			bodies = append(bodies, fields[8:])
		}
	}
	setWorth(rated)
	files := make([]File, len(rated))
	for i := range files {
		files[i] = rated[i].File
		folder := path.Dir(files[i].Path)
		at := slices.IndexFunc(packages, func(g goPackage) bool { return g.folder == folder })
		if at >= 0 && strings.HasSuffix(files[i].Path, ".go") && !strings.HasSuffix(files[i].Path, "_test.go") {
			if packages[at].score += files[i].score(); files[i].named() {
				packages[at].named++
			}
		}
	}
	ratePackages(packages)
	for i, g := range packages {
		list := texts(sizes[i])
		block := p.add(&bcp.Document{Title: g.folder, Content: []byte(list[0]), FormatHint: "plain"}, g.rank)
		p.summarize(block, list[1:]...)
		p.worth(block, g.worth)
		p.annotate(block, "tag", []byte(outlineTag+g.folder))
	}
	for i := range files {
		list := texts(bodies[i])
		files[i].Block = p.add(&bcp.Code{Lang: bcp.LangOfPath(files[i].Path), Path: files[i].Path, Content: []byte(list[0])}, files[i].Priority)
		p.summarize(files[i].Block, list[1:]...)
		p.worth(files[i].Block, files[i].Worth)
	}
	return &p.Payload, files
}
