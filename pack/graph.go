package pack

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
)

// A graph holds which files depend on which: by imports, and by the names that one file
// declares and others mention.
type graph struct {
	files     []file
	importers []int // others that import it
	out       [][]edge
	readme    []bool // the README names it
}

// An edge leads to a file that is depended on.
type edge struct {
	to     int
	weight float64
}

const (
	// mostDeclaring is how many files may declare a name that is taken for a reference.
	mostDeclaring = 4
	// leastName is the length of the shortest name that is.
	leastName = 4
	// importWeight is what an import counts for, where a reference by name counts for 1.
	importWeight = 3
)

// newGraph finds what the files depend on.
func newGraph(ctx context.Context, files []file) *graph {
	g := &graph{files: files, importers: make([]int, len(files)), out: make([][]edge, len(files)), readme: make([]bool, len(files))}
	index := newImportIndex(files)
	declared := make(map[string][]int)
	for i := range files {
		f := &files[i]
		if f.class != classTest {
			for _, name := range f.declared {
				if at := declared[name]; len(name) >= leastName && len(at) <= mostDeclaring && (len(at) == 0 || at[len(at)-1] != i) {
					declared[name] = append(at, i)
				}
			}
		}
	}
	imports := make([][]int, len(files))
	each(ctx, len(files), func(i int) {
		weights := make(map[int]float64)
		for _, group := range index.imports(files[i]) {
			for _, target := range group {
				to := index.files[target]
				imports[i] = append(imports[i], to)
				weights[to] += importWeight / float64(len(group))
			}
		}
		g.mention(i, declared, weights)
		for to, w := range weights {
			g.out[i] = append(g.out[i], edge{to, w})
		}
		// What is summed must not depend on the order of a map.
		slices.SortFunc(g.out[i], func(a, b edge) int { return cmp.Compare(a.to, b.to) })
	})
	for i := range imports {
		for _, to := range imports[i] {
			g.importers[to]++
		}
		if files[i].class == classReadme {
			g.nameFiles(i)
		}
	}
	return g
}

// mention adds the references by name of a file. Those of a README name what is
// declared in one file only.
func (g *graph) mention(i int, declared map[string][]int, weights map[int]float64) {
	f := &g.files[i]
	readme := f.class == classReadme
	if f.declared == nil && !readme && f.lang != "go" {
		return
	}
	met := make(map[string]bool)
	text := f.text[:min(len(f.text), mostMentioned)]
	for at := 0; at < len(text); {
		if !identifierByte(text[at]) {
			at++
			continue
		}
		from := at
		for at < len(text) && identifierByte(text[at]) {
			at++
		}
		if at-from < leastName || text[from] <= '9' {
			continue
		}
		files := declared[string(text[from:at])]
		if len(files) == 0 || len(files) > mostDeclaring || met[string(text[from:at])] {
			continue
		}
		if readme && (len(files) > 1 || !codeName(text, from, at)) {
			continue
		}
		met[string(text[from:at])] = true
		for _, to := range files {
			if to != i {
				weights[to] += 1 / float64(len(files))
			}
		}
	}
}

// mostMentioned is how far into a file names are looked for, in bytes.
const mostMentioned = 256 << 10

func identifierByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b >= '0' && b <= '9'
}

// codeName reports whether a word in a text for readers is a name of the program: it has
// a capital or an underscore inside, or is written as in code.
func codeName(text []byte, from, to int) bool {
	return bytes.ContainsAny(text[from+1:to], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") || from > 0 && bytes.IndexByte([]byte(".`"), text[from-1]) >= 0 ||
		to < len(text) && bytes.IndexByte([]byte("(`."), text[to]) >= 0 && text[from] <= 'Z'
}

// nameFiles notes the files that a README names, by their paths or by what they declare.
func (g *graph) nameFiles(readme int) {
	for _, e := range g.out[readme] {
		g.readme[e.to] = true
	}
	text := string(g.files[readme].text)
	for i := range g.files {
		if f := &g.files[i]; strings.Contains(f.path, "/") && strings.Contains(text, f.path) {
			g.readme[i] = true
			g.out[readme] = append(g.out[readme], edge{i, importWeight})
		}
	}
}

// start is what a file has of the rank before others refer to it: those that people
// begin with have most.
func (f *file) start() float64 {
	switch f.class {
	case classReadme:
		return 10
	case classEntry, classNamed:
		return 3
	case classSource:
		return 1
	case classExample, classDocumentation:
		return 0.5
	case classTest:
		return 0.2
	}
	return 0.1
}

const (
	rankRounds = 15
	passedOn   = 0.85 // of a file's rank to those that it refers to
)

// references ranks files by what refers to them, as pages are ranked by links. A hundred
// is what a file has on average.
func (g *graph) references() []int {
	start := make([]float64, len(g.files))
	for i := range start {
		start[i] = g.files[i].start()
	}
	points := make([]int, len(start))
	for i, r := range g.spread(start) {
		points[i] = int(r*float64(len(start))*100 + 0.5)
	}
	return points
}

// spread ranks files by what refers to them, with what they have from the start. The ranks
// are 1 together.
func (g *graph) spread(start []float64) []float64 {
	n := len(start)
	rank, next := make([]float64, n), make([]float64, n)
	sum := 0.0
	for _, s := range start {
		sum += s
	}
	total := make([]float64, n)
	for i := range start {
		start[i] /= sum
		rank[i] = start[i]
		for _, e := range g.out[i] {
			total[i] += e.weight
		}
	}
	for range rankRounds {
		loose := 0.0 // of files that refer to none
		clear(next)
		for i, edges := range g.out {
			if len(edges) == 0 {
				loose += rank[i]
			}
			for _, e := range edges {
				next[e.to] += passedOn * rank[i] * e.weight / total[i]
			}
		}
		for i := range next {
			next[i] += start[i] * (1 - passedOn + passedOn*loose)
		}
		rank, next = next, rank
	}
	return rank
}
