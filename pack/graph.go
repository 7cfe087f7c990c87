package pack

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/wirekit/wirekit/internal/repo/outline"
)

// A graph holds which files depend on which: by imports, and by the names that one file
// declares and others mention.
type graph struct {
	files  []file
	out    [][]edge
	folder []string
}

// An edge leads to a file that is depended on.
type edge struct {
	to     int
	weight float64
}

const (
	// leastName is the length of the shortest name that is taken for a reference, leastType
	// that of a type's.
	leastName = 4
	leastType = 2
	// importWeight is what an import counts for, where a reference by name counts for 1.
	importWeight = 3
	// inside is the part of it that an import counts for of a file that declares nothing for
	// other modules.
	inside = 0.2
	// ofGroup is the part of it that is shared by those files that declare the same for
	// other platforms or in other parts.
	ofGroup = 0.3
)

// An offer is a name that a file declares for others.
type offer struct {
	name   string
	member bool // a function of a class
	isType bool
}

// offersOf are the names that a file declares for others.
func offersOf(f *file) (all []offer) {
	library := libraryOf(path.Ext(f.Path))
	list := outline.Offered(f.suffix(), f.heads)
	f.inner = len(f.declared) > 0 && len(list) == 0
	for _, h := range list {
		if o := (offer{h.Name, h.Depth > 0 && !h.Type, h.Type}); h.Depth < 2 && o.counts() && !library[h.Name] && !everyday()[h.Name] {
			all = append(all, o)
		}
	}
	return all
}

func (o offer) counts() bool { return len(o.name) >= leastName || o.isType && len(o.name) >= leastType }

func libraryOf(ext string) map[string]bool { return libraries()[strings.ToLower(ext)] }
func everyday() map[string]bool            { return libraries()["*"] }

// A target is what a name may mean: a declaration, with those of the same name in its folder
// and those in files of its name, which are for other platforms or are other parts of it.
type target struct {
	files  []int // the one to read first is first
	member bool  // everywhere
}

// targets are what the names mean that the files declare.
func (g *graph) targets() map[string][]target {
	all := make(map[string][]target)
	for i := range g.files {
		f := &g.files[i]
		if f.Class == classTest {
			continue
		}
		for _, o := range f.offers {
			list := all[o.name]
			at := slices.IndexFunc(list, func(t target) bool { return g.together(t.files[0], i) })
			if at < 0 {
				all[o.name] = append(list, target{[]int{i}, o.member})
				continue
			}
			t := &list[at]
			t.member = t.member && o.member
			if !slices.Contains(t.files, i) {
				t.files = append(t.files, i)
			}
		}
	}
	for _, list := range all {
		for _, t := range list {
			slices.SortStableFunc(t.files, func(i, j int) int { return cmp.Compare(g.aside(i), g.aside(j)) })
		}
	}
	return all
}

// together reports whether two files that declare one name declare one thing.
func (g *graph) together(i, j int) bool {
	a, b := g.files[i].Path, g.files[j].Path
	return g.folder[i] == g.folder[j] || strings.TrimSuffix(path.Base(a), path.Ext(a)) == strings.TrimSuffix(path.Base(b), path.Ext(b))
}

// aside says how far a file is from the one to read first of those that declare the same:
// what is common to platforms, a header, what has the shorter name.
func (g *graph) aside(i int) int {
	name := g.files[i].Path
	n := len(path.Base(name))
	if is("header", path.Ext(name)) {
		n -= 1000
	}
	if strings.Contains(strings.ToLower(name), "common") {
		n -= 1000
	}
	if class := g.files[i].Class; class != classSource && class != classEntry {
		n += 10_000
	}
	return n
}

// newGraph finds what the files depend on.
func newGraph(ctx context.Context, files []file) *graph {
	g := &graph{files: files, out: make([][]edge, len(files))}
	for i := range files {
		g.folder = append(g.folder, path.Dir(files[i].Path))
	}
	index := newImportIndex(files)
	declared := g.targets()
	imports := make([][]int, len(files))
	mentioned := make([][]string, len(files))
	each(ctx, len(files), func(i int) { mentioned[i] = g.mentions(i, declared) })
	spread := make(map[string]int) // how many files mention a name
	for _, list := range mentioned {
		for _, name := range list {
			spread[name]++
		}
	}
	each(ctx, len(files), func(i int) {
		weights := make(map[int]float64)
		for _, group := range index.imports(&files[i]) {
			for _, target := range group {
				to := index.files[target]
				imports[i] = append(imports[i], to)
				weight := importWeight / float64(len(group))
				if files[to].inner {
					weight *= inside
				}
				weights[to] += weight
			}
		}
		for _, name := range mentioned[i] {
			g.refer(i, declared[name], imports[i], g.rarity(spread[name]), weights)
		}
		for _, to := range slices.Sorted(maps.Keys(weights)) { // what is summed must not depend on the order of a map
			g.out[i] = append(g.out[i], edge{to, weights[to]})
		}
	})
	for i := range imports {
		for _, to := range imports[i] {
			if !files[to].inner {
				files[to].Importers++
			}
		}
		if files[i].Class == classReadme || files[i].Class == classDocumentation {
			g.nameFiles(i, index)
		}
	}
	return g
}

// rarity is what a name counts for that so many of the files mention: 1 for one that one
// mentions, little for one that nearly all do.
func (g *graph) rarity(files int) float64 {
	n := float64(len(g.files))
	return math.Log(1+n/float64(files)) / math.Log(1+n)
}

// refer adds the weights of a mention of a name with these targets. What the file imports, or
// what is in its folder, is what it means, if there is such a target.
func (g *graph) refer(i int, targets []target, imports []int, weight float64, weights map[int]float64) {
	isNear := func(to int) bool { return g.folder[to] == g.folder[i] || slices.Contains(imports, to) }
	far := func(t target) bool { return !slices.ContainsFunc(t.files, isNear) }
	if near := slices.DeleteFunc(slices.Clone(targets), far); len(near) > 0 {
		targets = near
	}
	weight /= float64(len(targets))
	for _, t := range targets {
		others := len(t.files) - 1
		for n, to := range t.files {
			share := weight
			if n > 0 {
				share = weight * ofGroup / float64(others)
			} else if others > 0 {
				share = weight * (1 - ofGroup)
			}
			if to != i {
				weights[to] += share
			}
		}
	}
}

// mentions are the names with targets that a file mentions, each once. Those of a README name
// what is declared in one place only.
func (g *graph) mentions(i int, declared map[string][]target) (all []string) {
	f := &g.files[i]
	readme := f.Class == classReadme
	if f.declared == nil && !readme && f.lang != "go" {
		return nil
	}
	ext := path.Ext(f.Path)
	library := libraryOf(ext)
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
		if at-from < leastType || text[from] <= '9' {
			continue
		}
		targets := declared[string(text[from:at])]
		if len(targets) == 0 || met[string(text[from:at])] || library[string(text[from:at])] {
			continue
		}
		if readme && (len(targets) > 1 || !codeName(text, from, at)) || ext == ".php" && !meantInPHP(text, from) ||
			!slices.ContainsFunc(targets, func(t target) bool { return !t.member }) && !called(text, from, at, ext) {
			continue
		}
		name := string(text[from:at])
		met[name] = true
		all = append(all, name)
	}
	return all
}

// called reports whether a word is that of a function which is called or selected.
func called(text []byte, from, to int, ext string) bool {
	selected := from > 0 && text[from-1] == '.'
	rest := bytes.TrimLeft(text[to:min(len(text), to+8)], " ")
	return to < len(text) && text[to] == '(' || selected && (ext == ".rb" || bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("<")))
}

// meantInPHP reports whether a word of PHP is neither a variable's name nor one of the global
// namespace.
func meantInPHP(text []byte, from int) bool {
	return from == 0 || text[from-1] != '$' && (text[from-1] != '\\' || from < 2 || identifierByte(text[from-2]))
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

// nameFiles notes the files that a text for readers names, by their paths or, a README, by what
// they declare. A text that names several paths is a guide, which people begin with.
func (g *graph) nameFiles(text int, index *importIndex) {
	f := &g.files[text]
	named := index.named(f)
	if f.Class != classReadme && len(named) < leastNamed {
		return
	}
	f.guide = true
	for _, i := range named {
		g.files[i].Guide = true
		g.out[text] = append(g.out[text], edge{i, importWeight})
	}
	if f.Class == classReadme {
		for _, e := range g.out[text] {
			g.files[e.to].Readme = true
		}
	}
}

// leastNamed is how many paths a guide names.
const leastNamed = 3

// nameFirst takes the README to name the folders of source that it has a word of, as it does
// parts of a framework, with and without the plural: of each word the one that most refers
// to, which counts less for deeper ones, and in it the file that most refers to. Of a
// package of Go there is an outline.
func (g *graph) nameFirst() {
	said := make(map[string]string) // the folder of each word
	for i := range g.files {
		if g.files[i].Class == classReadme {
			for word := range strings.FieldsFuncSeq(strings.ToLower(string(g.files[i].text)), func(r rune) bool { return !unicode.IsLetter(r) }) {
				said[strings.TrimSuffix(word, "s")] = ""
			}
		}
	}
	score := make(map[string]float64)
	first := make(map[string]*file)
	for i := range g.files {
		f := &g.files[i]
		if !f.candidate() {
			continue
		}
		folder := path.Dir(f.Path)
		score[folder] += f.score() / math.Pow(4, float64(strings.Count(folder, "/")))
		if best := first[folder]; f.lang != "go" && (best == nil || f.score() > best.score()) {
			first[folder] = f
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(score)) {
		base := strings.ToLower(path.Base(folder))
		word := strings.TrimSuffix(base, "s")
		if best, ok := said[word]; ok && len(base) >= leastName && !everyday()[base] && !is("sources", base) && score[folder] > score[best] {
			said[word] = folder
		}
	}
	for _, folder := range said {
		if f := first[folder]; f != nil {
			f.Readme = true
		}
	}
}

const (
	rankRounds = 15
	passedOn   = 0.85 // of a file's rank to those that it refers to
)

// references ranks files by what refers to them, as pages are ranked by links. A hundred
// is what a file has on average.
func (g *graph) references() {
	start := make([]float64, len(g.files))
	for i := range start {
		if start[i] = cmp.Or(startOf[g.files[i].Class], leastStart); g.files[i].guide {
			start[i] = 10 // people begin with it
		}
	}
	for i, r := range g.spread(start) {
		g.files[i].References = int(r*float64(len(start))*100 + 0.5)
	}
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
