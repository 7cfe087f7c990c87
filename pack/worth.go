package pack

import (
	"cmp"
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
)

// coreWorth is the least worth of the files that a reader needs first: those that
// the README names, where programs begin, those that most others import or refer to.
const coreWorth = 100

// mostWorth is what the README is worth, and files that were named one by one.
const mostWorth = 1000

// namedShare is the part of its worth that a file of the core has because a README names it.
const namedShare = 0.5

// worthTag is what package render reads.
const worthTag = "worth:"

// How many files each reason makes part of the core: by others more in large repositories.
const (
	coreOfReadme   = 12
	coreOfOthers   = 10
	mostOfOthers   = 20
	coreOfPackages = 20
)

// rate finds what the worth of each file comes from, and the worth.
func (w *walker) rate() error {
	if w.NoSummaries {
		setWorth(w.files)
		return nil
	}
	w.inHeaders = make(map[string]bool)
	for i := range w.files {
		if f := &w.files[i]; is("header", path.Ext(f.Path)) && outline.IsC(path.Ext(f.Path)) {
			for _, o := range f.offers {
				w.inHeaders[o.name] = w.inHeaders[o.name] || !o.member && !o.isType
			}
		}
	}
	g := newGraph(w.ctx, w.files)
	g.references()
	g.nameFirst()
	setWorth(w.files)
	if w.About == "" && len(w.Focus) == 0 {
		return nil
	}
	return w.ask(g)
}

// score is what files are compared by: how much refers to one, more if it changes often.
func (f *File) score() float64 {
	return float64(f.References+1) * (1 + float64(bits.Len(uint(f.Changes)))/4)
}

// named reports whether a README or a guide names a file.
func (f *File) named() bool { return f.Readme || f.Guide }

// candidate reports whether a file may belong to the core without a rule.
func (f *File) candidate() bool {
	return f.Rule == "" && (f.Class == classSource || f.Class == classEntry)
}

// setWorth sets what files are worth: from coreWorth to mostWorth those of the core, from
// 10 on others of their priority, 5 what is low, 1 the rest.
func setWorth(files []file) {
	core := coreOf(files)
	scores, names := make([]float64, len(files)), make([]float64, len(files))
	mostOther := 1.0
	for i := range files {
		f := &files[i]
		switch {
		case core[i]:
			if scores[i] = f.score(); f.named() {
				names[i] = 1
			}
		case f.candidate():
			mostOther = max(mostOther, f.score())
		}
	}
	for i, part := range parts(scores, names) {
		f := &files[i]
		switch {
		case f.Priority <= bcp.PriorityHigh && f.Rule == "":
			f.Worth = mostWorth
		case core[i]:
			f.Worth = coreWorth + int((mostWorth-coreWorth)*part)
		case f.Priority <= bcp.PriorityHigh:
			f.Worth = mostWorth / 2
		case f.Priority == bcp.PriorityNormal && f.Rule == "" && !f.candidate(): // a manifest
			f.Worth = 10
		case f.Priority == bcp.PriorityNormal:
			f.Worth = 10 + int((coreWorth-20)*min(1, math.Sqrt(f.score()/mostOther)))
		case f.Priority == bcp.PriorityLow:
			f.Worth = 5
		default:
			f.Worth = 1
		}
	}
}

// parts are the shares of the worth of the core, from 0 to 1, by scores and, if there are any,
// by the numbers of names in a README or a guide.
func parts(scores, names []float64) []float64 {
	most, mostNames := slices.Max(append(scores, 1)), slices.Max(append(names, 0))
	all := make([]float64, len(scores))
	for i, s := range scores {
		if all[i] = s / most; mostNames > 0 {
			all[i] = (1-namedShare)*all[i] + namedShare*names[i]/mostNames
		}
	}
	return all
}

// coreOf returns which files belong to the core.
func coreOf(files []file) map[int]bool {
	all := slices.DeleteFunc(numbers(len(files)), func(i int) bool { return !files[i].candidate() })
	core := make(map[int]bool)
	others := coreOfOthers + min(len(all)/400, mostOfOthers-coreOfOthers)
	first := func(n int, by func(*File) float64) {
		slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(by(&files[j].File), by(&files[i].File)) })
		for _, i := range all[:min(n, len(all))] {
			core[i] = core[i] || by(&files[i].File) > 0
		}
	}
	only := func(is bool, f *File) float64 {
		if is {
			return f.score()
		}
		return 0
	}
	first(others, (*File).score)
	first(others, func(f *File) float64 { return float64(f.Importers) })
	first(others/2, func(f *File) float64 { return only(f.Class == classEntry, f) })
	first(others/2, func(f *File) float64 {
		return only(f.Class == classEntry, f) / math.Pow(100, float64(strings.Count(f.Path, "/"))) // those that are not deep
	})
	begins := packageEntry(files)
	first(coreOfPackages, func(f *File) float64 { return only(begins(f), f) })
	first(coreOfReadme, func(f *File) float64 { return only(f.named(), f) })
	return core
}

// packageEntry returns a test of the entry points of packages in folders that have manifests
// of their own, as crates and the packages of a workspace do.
func packageEntry(files []file) func(*File) bool {
	manifests := make(map[string]bool)
	for i := range files {
		if files[i].Class == classManifest {
			manifests[path.Dir(files[i].Path)] = true
		}
	}
	return func(f *File) bool {
		folder := path.Dir(f.Path)
		if base := path.Base(folder); base == "src" || base == "lib" {
			folder = path.Dir(folder)
		}
		return f.Class == classEntry && manifests[folder]
	}
}

// ratePackages sets what the outlines of packages are worth. Those that others can
// import are the core; if there are none, as in a program, those that most refers to.
func ratePackages(all []goPackage) {
	public := slices.ContainsFunc(all, func(g goPackage) bool { return g.public() })
	scores, names := make([]float64, len(all)), make([]float64, len(all))
	for i, g := range all {
		scores[i], names[i] = g.score, g.named
	}
	part := parts(scores, names)
	order := numbers(len(all))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(part[j], part[i]) })
	for at, i := range order {
		g := &all[i]
		switch {
		case g.public() || !public && at < coreOfOthers:
			g.rank, g.worth = bcp.PriorityHigh, coreWorth+int((mostWorth-coreWorth)*part[i])
			if g.folder == "." {
				g.worth = mostWorth // what a module is imported by
			}
		case g.example():
			g.rank, g.worth = bcp.PriorityLow, 5
		default:
			g.rank, g.worth = bcp.PriorityNormal, 10+int((coreWorth-20)*part[i])
		}
	}
}

// public reports whether other modules can import a package, and have something of it.
func (g *goPackage) public() bool {
	return !g.empty && g.name != "main" && !g.example() && !slices.Contains(strings.Split(g.folder, "/"), "internal")
}

// example reports whether a package is an example or for tests.
func (g *goPackage) example() bool {
	class := classOf(path.Join(g.folder, "x.go"), 0)
	return class == classExample || class == classTest
}
