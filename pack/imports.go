package pack

import (
	"path"
	"regexp"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/repo/outline"
)

// An importIndex finds what an import means.
type importIndex struct {
	files map[string]int      // their numbers
	ends  map[string][]string // paths by base name
	names map[string][]string // by what is not a path: packages of Go and JavaScript, crates of Rust, names of a namespace
}

// newImportIndex finds which files other files import. It follows what can be told
// from the files themselves: import paths of Go below
// the modules that are there, relative imports and those from the root of
// JavaScript, TypeScript, Python, Rust, C and C++, Ruby, and the names of Java
// and Kotlin classes.
func newImportIndex(files []file) *importIndex {
	x := &importIndex{files: make(map[string]int, len(files)), ends: make(map[string][]string), names: make(map[string][]string)}
	for i, f := range files {
		x.files[f.Path] = i
		x.ends[path.Base(f.Path)] = append(x.ends[path.Base(f.Path)], f.Path)
	}
	modules := make(map[string]string) // names by folders
	for _, f := range files {
		pattern := packageNames[path.Base(f.Path)]
		if pattern == nil {
			continue
		}
		folder, name := path.Dir(f.Path), firstGroup(pattern, string(f.text))
		begins := []string{"/src/index.ts", "/src/index.tsx", "/index.ts", "/src/index.js", "/src/index.mjs", "/index.js", "/index.mjs", "/lib/index.js"}
		switch path.Base(f.Path) {
		case "go.mod":
			modules[folder] = name
			continue
		case "Cargo.toml":
			name, begins = strings.ReplaceAll(name, "-", "_"), []string{"/src/lib.rs"}
		}
		if first := x.one(begins, folder); name != "" && first != nil {
			x.names[name] = first
		}
	}
	for i := range files {
		if name := nameIn(&files[i], modules); name != "" {
			x.names[name] = append(x.names[name], files[i].Path)
		}
	}
	return x
}

var packageNames = map[string]*regexp.Regexp{
	"go.mod":       regexp.MustCompile(`(?m)^module "?([^\s"]+)`),
	"package.json": regexp.MustCompile(`"name"\s*:\s*"([^"]+)"`),
	"Cargo.toml":   regexp.MustCompile(`(?m)^name\s*=\s*"([^"]+)"`),
}

// firstGroup is what the first group of a pattern is in a text, "" where it does not match.
func firstGroup(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

var namespace = regexp.MustCompile(`(?m)^\s*(?:namespace|package)\s+([\w.\\]+)`)

// nameIn is the name that imports have for a file: of Go its package, by the modules with
// their folders, elsewhere the namespace with the name of the file. It is "" without one.
func nameIn(f *file, modules map[string]string) string {
	dir, ext := path.Split(f.Path)
	if f.lang == "go" && !strings.HasSuffix(f.Path, "_test.go") {
		for at := path.Dir(f.Path); ; at = path.Dir(at) {
			if module := modules[at]; module != "" {
				return path.Join(module, strings.TrimPrefix(dir, at+"/"))
			} else if at == "." {
				return ""
			}
		}
	}
	if ext = path.Ext(ext); !is("namespaced", ext) {
		return ""
	}
	if name := firstGroup(namespace, string(f.text[:min(len(f.text), mostImports)])); name != "" {
		return strings.ReplaceAll(name, `\`, ".") + "." + strings.TrimSuffix(path.Base(f.Path), ext)
	}
	return ""
}

// imports returns the other files that a file imports, those of one package together.
func (x *importIndex) imports(f *file) (groups [][]string) {
	met := map[string]bool{f.Path: true}
	dir, ext := path.Dir(f.Path), path.Ext(f.Path)
	for line := range strings.Lines(string(f.text[:min(len(f.text), mostImports)])) {
		if len(line) > maxLine {
			continue
		}
		var group []string
		for _, target := range x.targets(f, dir, ext, strings.TrimSpace(line)) {
			if !met[target] {
				met[target] = true
				group = append(group, target)
			}
		}
		if group != nil {
			groups = append(groups, group)
		}
	}
	return groups
}

// mostImports is how far into a file imports are looked for, in bytes.
const mostImports = 64 << 10

// How many files of one base name are compared, of one package and of one name of a
// namespace, for several platforms, are followed.
const (
	mostOfName    = 32
	mostOfPackage = 64
	mostPlatforms = 8
)

// What imports from elsewhere are in a line.
var (
	goImport     = regexp.MustCompile(`^(?:import )?(?:[\w.]+ )?"([^"]+)"$`)
	scriptImport = regexp.MustCompile("^(?:.*from |import |.*?(?:require|import)\\()[^\"'`]*[\"'`]([^\"'`]+)")
	pythonImport = regexp.MustCompile(`^(?:from|import)\s+(\.*)([\w.]*)(?:\s+import\s+(\w+))?`)
	rustImport   = regexp.MustCompile(`^(?:pub )?(?:mod (\w+);|use (crate::)?([\w:{]+))`)
	rubyImport   = regexp.MustCompile(`^require_relative ["']([^"']+)`)
	nameImport   = regexp.MustCompile(`^(?:import static|import|use) \\?([^; ]+)`)
	included     = regexp.MustCompile(`^#\s*(?:include|import)\s*(?:"([^"]+)|<([^>]+/[^>]+))[">]`)
)

var (
	scriptEnds = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", "/index.ts", "/index.tsx", "/index.js"}
	pythonEnds = []string{".py", "/__init__.py"}
	rustEnds   = []string{".rs", "/mod.rs"}
)

// targets are the files that a line imports.
func (x *importIndex) targets(f *file, dir, ext, line string) []string {
	switch {
	case f.lang == "go":
		return atMost(mostOfPackage, x.names[firstGroup(goImport, line)])
	case is("script", ext):
		name := firstGroup(scriptImport, line)
		if !strings.HasPrefix(name, ".") {
			return x.names[name]
		}
		at := path.Join(dir, name)
		return x.one(scriptEnds, at, strings.TrimSuffix(strings.TrimSuffix(at, ".js"), ".mjs"))
	case ext == ".py" || f.cells == ".py":
		return x.python(dir, pythonImport.FindStringSubmatch(line))
	case ext == ".rs":
		return x.rust(f.Path, rustImport.FindStringSubmatch(line))
	case outline.IsC(ext):
		if found := included.FindStringSubmatch(line); found != nil {
			return x.near(dir, found[1]+found[2])
		}
	case ext == ".rb":
		return x.one([]string{".rb"}, path.Join(dir, firstGroup(rubyImport, line)))
	case is("namespaced", ext):
		if word, _, _ := strings.Cut(line, " "); word == "import" || word == "use" {
			return x.qualified(dir, ext, strings.ReplaceAll(firstGroup(nameImport, line), `\`, "."))
		}
	}
	return nil
}

func (x *importIndex) python(dir string, found []string) []string {
	if found == nil {
		return nil
	}
	base := ""
	if dots := len(found[1]); dots > 0 { // one for its folder, and one for each above
		base = path.Join(dir, strings.Repeat("../", dots-1))
	}
	at := path.Join(base, strings.ReplaceAll(found[2], ".", "/"))
	return x.one(pythonEnds, path.Join(at, found[3]), at, path.Join("src", at))
}

func (x *importIndex) rust(name string, found []string) []string {
	root := path.Dir(name)
	switch {
	case found == nil:
		return nil
	case found[1] != "":
		return x.one(rustEnds, path.Join(root, found[1]), path.Join(strings.TrimSuffix(name, ".rs"), found[1]))
	case found[2] == "":
		crate, _, _ := strings.Cut(found[3], "::")
		return x.names[crate]
	}
	for path.Base(root) != "src" && root != "." {
		root = path.Dir(root)
	}
	var all []string
	parts := strings.FieldsFunc(found[3], func(r rune) bool { return r == ':' || r == '{' })
	for n := min(len(parts), 3); n > 0; n-- {
		all = append(all, path.Join(root, path.Join(parts[:n]...)))
	}
	return x.one(rustEnds, all...)
}

// qualified finds the files that a name of a namespace means: more than one if they are for
// several platforms.
func (x *importIndex) qualified(dir, ext, name string) []string {
	found := x.names[name]
	if end := strings.LastIndexByte(name, '.'); found == nil && end >= 0 { // a member of a class
		found = x.names[name[:end]]
	}
	if found == nil && ext != ".php" {
		return x.near(dir, strings.ReplaceAll(name, ".", "/")+ext)
	}
	return atMost(mostPlatforms, found)
}

func atMost(n int, list []string) []string { return list[:min(n, len(list))] }

// named are the files whose paths a text has, from the root or from its own folder, as they
// are or in an address.
func (x *importIndex) named(f *file) (all []int) {
	met := make(map[int]bool)
	dir := path.Dir(f.Path)
	for _, word := range strings.FieldsFunc(string(f.text[:min(len(f.text), mostMentioned)]), outsideOfPath) {
		word = strings.TrimRight(word, ".-")
		for more := strings.Contains(word, "/") && x.ends[path.Base(word)] != nil; more; _, word, more = strings.Cut(word, "/") {
			i, ok := x.files[word]
			if !ok && dir != "." {
				i, ok = x.files[path.Join(dir, word)]
			}
			if ok && !met[i] {
				met[i] = true
				all = append(all, i)
			}
		}
	}
	return all
}

// outsideOfPath reports whether a character ends the path of a file in a text.
func outsideOfPath(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`()[]{}<>,:;|*?#=", r) }

// one is the first that is there of the paths with one of the endings.
func (x *importIndex) one(endings []string, paths ...string) []string {
	for _, p := range paths {
		for _, end := range endings {
			at := path.Clean(p + end)
			if _, ok := x.files[at]; ok {
				return []string{at}
			}
		}
	}
	return nil
}

// near finds a file beside the importing one, or the one whose path ends with the
// name that has most folders in common with it.
func (x *importIndex) near(dir, name string) []string {
	if found := x.one([]string{""}, path.Join(dir, name)); found != nil {
		return found
	}
	var best []string
	shared := 0
	for i, p := range x.ends[path.Base(name)] {
		switch n := strings.Count(p[:scan.CommonPrefix(p, dir)], "/"); {
		case i == mostOfName:
			return nil
		case p != name && !strings.HasSuffix(p, "/"+name):
		case best == nil || n > shared:
			best, shared = []string{p}, n
		case n == shared:
			best = append(best, p)
		}
	}
	if len(best) != 1 {
		return nil
	}
	return best
}
