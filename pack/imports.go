package pack

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/wirekit/wirekit/internal/repo/outline"
)

// newImportIndex finds which files other files import. It follows what can be told
// from the files themselves: import paths of Go below
// the modules that are there, relative imports and those from the root of
// JavaScript, TypeScript, Python, Rust, C and C++, Ruby, and the names of Java
// and Kotlin classes.
func newImportIndex(files []file) *importIndex {
	x := &importIndex{files: make(map[string]int, len(files)), ends: make(map[string][]string), folders: make(map[string][]string), names: make(map[string][]string), inside: make(map[string]string)}
	for i, f := range files {
		x.files[f.path] = i
		end := path.Base(f.path)
		if name := qualifiedName(&f); name != "" {
			x.names[name] = append(x.names[name], f.path)
		}
		x.ends[end] = append(x.ends[end], f.path)
		if f.lang == "go" && !strings.HasSuffix(f.path, "_test.go") {
			x.folders[path.Dir(f.path)] = append(x.folders[path.Dir(f.path)], f.path)
		}
		if end == "go.mod" {
			x.modules = append(x.modules, module{moduleName(f.text), path.Dir(f.path)})
		}
	}
	for _, f := range files {
		if name, begins := importedAs(&f); name != "" {
			for _, at := range x.one(begins...) {
				x.inside[name] = at
			}
		}
	}
	return x
}

var packageNames = map[string]*regexp.Regexp{
	"package.json": regexp.MustCompile(`"name"\s*:\s*"([^"]+)"`),
	"Cargo.toml":   regexp.MustCompile(`(?m)^name\s*=\s*"([^"]+)"`),
}

// importedAs is the name that a manifest gives to a package, as imports write it, and the
// files that it may begin with.
func importedAs(f *file) (name string, begins []string) {
	pattern := packageNames[path.Base(f.path)]
	if pattern == nil {
		return "", nil
	}
	found := pattern.FindSubmatch(f.text)
	if found == nil {
		return "", nil
	}
	for _, at := range []string{"src/index.ts", "src/index.tsx", "index.ts", "src/index.js", "src/index.mjs", "index.js", "index.mjs", "lib/index.js", "src/lib.rs"} {
		begins = append(begins, path.Join(path.Dir(f.path), at))
	}
	if name = string(found[1]); path.Base(f.path) == "Cargo.toml" {
		name = strings.ReplaceAll(name, "-", "_")
	}
	return name, begins
}

// imports returns the other files that a file imports, those of one package together.
func (x *importIndex) imports(f file) (groups [][]string) {
	met := map[string]bool{f.path: true}
	for line := range bytes.Lines(f.text[:min(len(f.text), mostImports)]) {
		if len(line) > maxLine {
			continue
		}
		var group []string
		for _, target := range x.targets(f, strings.TrimSpace(string(line))) {
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

// mostOfName is how many files of one base name are compared.
const mostOfName = 32

type module struct{ name, folder string }

func moduleName(text []byte) string {
	for line := range bytes.Lines(text) {
		if rest, ok := strings.CutPrefix(string(line), "module "); ok {
			name, _, _ := strings.Cut(rest, "//")
			return strings.Trim(strings.TrimSpace(name), `"`)
		}
	}
	return ""
}

// An importIndex finds what an import means.
type importIndex struct {
	files   map[string]int      // their numbers
	ends    map[string][]string // paths by base name
	folders map[string][]string // of Go packages
	names   map[string][]string // by qualified name, see qualifiedName
	inside  map[string]string   // where packages of JavaScript and crates of Rust begin, by their names
	modules []module
}

// targets are the files that a line imports.
func (x *importIndex) targets(f file, line string) []string {
	dir := path.Dir(f.path)
	ext := path.Ext(f.path)
	switch {
	case f.lang == "go":
		return x.goPackage(line)
	case ext == ".js", ext == ".jsx", ext == ".ts", ext == ".tsx", ext == ".mjs", ext == ".cjs", ext == ".mts", ext == ".vue", ext == ".svelte":
		return x.script(dir, line)
	case ext == ".py" || f.cells == ".py":
		return x.python(dir, line)
	case ext == ".rs":
		return x.rust(f.path, line)
	case outline.IsC(ext):
		if found := included.FindStringSubmatch(line); found != nil && (found[1] == `"` || strings.Contains(found[2], "/")) {
			return x.near(dir, found[2])
		}
	case ext == ".rb":
		if rest, ok := strings.CutPrefix(line, "require_relative "); ok {
			return x.one(path.Join(dir, inQuotes(rest)) + ".rb")
		}
	case inNamespace[ext]:
		for _, word := range []string{"import static ", "import ", "use "} {
			if rest, ok := strings.CutPrefix(line, word); ok {
				name, _, _ := strings.Cut(strings.TrimRight(strings.TrimLeft(rest, `\`), "; "), " ")
				if found := x.qualified(name); found != nil || ext == ".php" {
					return found
				}
				return x.near(dir, strings.ReplaceAll(name, ".", "/")+ext)
			}
		}
	}
	return nil
}

// inNamespace are the suffixes of languages that import names of a namespace which files
// say that they are in.
var inNamespace = words(".java .kt .scala .php")

var namespace = regexp.MustCompile(`(?m)^\s*(?:namespace|package)\s+([\w.\\]+)`)

// qualifiedName is the name of a namespace with that of a file in it, "" of other languages.
func qualifiedName(f *file) string {
	if !inNamespace[path.Ext(f.path)] {
		return ""
	}
	at := namespace.FindSubmatch(f.text[:min(len(f.text), mostImports)])
	if at == nil {
		return ""
	}
	return strings.ReplaceAll(string(at[1]), `\`, ".") + "." + strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
}

// qualified finds the files that a name of a namespace means: more than one if they are for
// several platforms.
func (x *importIndex) qualified(name string) []string {
	name = strings.ReplaceAll(name, `\`, ".")
	found := x.names[name]
	if found == nil && strings.Contains(name, ".") { // a member of a class
		found = x.names[name[:strings.LastIndexByte(name, '.')]]
	}
	return found[:min(len(found), mostPlatforms)]
}

// mostPlatforms is how many files of one qualified name are followed.
const mostPlatforms = 8

var included = regexp.MustCompile(`^#\s*(?:include|import)\s*(["<])([^">]+)[">]`)

// named are the files whose paths a text has, from the root or from its own folder, as they
// are or in an address.
func (x *importIndex) named(f *file) (all []int) {
	met := make(map[int]bool)
	dir := path.Dir(f.path)
	for _, word := range strings.FieldsFunc(string(f.text[:min(len(f.text), mostMentioned)]), outsideOfPath) {
		for word, more := strings.TrimRight(word, ".-"), strings.Contains(word, "/"); more; _, word, more = strings.Cut(word, "/") {
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

// one is the first of the paths that is there.
func (x *importIndex) one(paths ...string) []string {
	for _, p := range paths {
		if _, ok := x.files[p]; ok {
			return []string{p}
		}
	}
	return nil
}

// near finds a file beside the importing one, or the one whose path ends with the
// name that has most folders in common with it.
func (x *importIndex) near(dir, name string) []string {
	if found := x.one(path.Join(dir, name)); found != nil {
		return found
	}
	best, shared, several := "", -1, false
	for i, p := range x.ends[path.Base(name)] {
		if i == mostOfName {
			return nil
		}
		if p != name && !strings.HasSuffix(p, "/"+name) {
			continue
		}
		switch n := commonFolders(p, dir); {
		case n > shared:
			best, shared, several = p, n, false
		case n == shared:
			several = true
		}
	}
	if best == "" || several {
		return nil
	}
	return []string{best}
}

// commonFolders is how many folders two paths have in common from the root on.
func commonFolders(a, b string) (n int) {
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// goPackage finds the files of the package that a line imports: the first 64.
func (x *importIndex) goPackage(line string) []string {
	if !strings.HasSuffix(line, `"`) || strings.Count(line, `"`) != 2 || strings.ContainsAny(line, "(={;,") {
		return nil
	}
	name := inQuotes(line)
	for _, m := range x.modules {
		rest, ok := strings.CutPrefix(name, m.name)
		if ok && m.name != "" && (rest == "" || rest[0] == '/') {
			if files := x.folders[path.Join(m.folder, "."+rest)]; files != nil {
				return files[:min(len(files), 2*mostOfName)]
			}
		}
	}
	return nil
}

// inQuotes is what is between the first quotes of a line and the next.
func inQuotes(line string) string {
	i := strings.IndexAny(line, "\"'`")
	if i < 0 {
		return ""
	}
	name, _, _ := strings.Cut(line[i+1:], line[i:i+1])
	return name
}

// What a line of a script imports from a path of its folder.
var scriptImport = regexp.MustCompile("^(?:.*from |import |.*?(?:require|import)\\()[^\"'`]*[\"'`]([^\"'`]+)")

func (x *importIndex) script(dir, line string) []string {
	found := scriptImport.FindStringSubmatch(line)
	if found == nil {
		return nil
	}
	if found[1][0] != '.' {
		return x.one(x.inside[found[1]])
	}
	at := path.Join(dir, found[1])
	plain := strings.TrimSuffix(strings.TrimSuffix(at, ".js"), ".mjs")
	var all []string
	for _, stem := range []string{at, plain} {
		for _, end := range []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", "/index.ts", "/index.tsx", "/index.js"} {
			all = append(all, stem+end)
		}
	}
	return x.one(all...)
}

func (x *importIndex) python(dir, line string) []string {
	from := strings.HasPrefix(line, "from ")
	fields := strings.Fields(strings.ReplaceAll(line, ",", " "))
	if len(fields) < 2 || !from && !strings.HasPrefix(line, "import ") {
		return nil
	}
	name := fields[1]
	base := ""
	if dots := len(name) - len(strings.TrimLeft(name, ".")); dots > 0 {
		for base = dir; dots > 1; dots-- {
			base = path.Dir(base)
		}
		name = strings.TrimLeft(name, ".")
	}
	at := path.Join(base, strings.ReplaceAll(name, ".", "/"))
	var all []string
	if from && len(fields) > 3 {
		all = append(all, path.Join(at, fields[3])+".py")
	}
	all = append(all, at+".py", at+"/__init__.py", "src/"+at+".py", "src/"+at+"/__init__.py")
	return x.one(all...)
}

func (x *importIndex) rust(name, line string) []string {
	line = strings.TrimPrefix(line, "pub ")
	dir := path.Dir(name)
	if rest, ok := strings.CutPrefix(line, "mod "); ok && strings.HasSuffix(rest, ";") {
		rest = strings.TrimSuffix(rest, ";")
		own := strings.TrimSuffix(name, ".rs")
		return x.one(path.Join(dir, rest)+".rs", path.Join(dir, rest, "mod.rs"), path.Join(own, rest)+".rs")
	}
	rest, ok := strings.CutPrefix(line, "use crate::")
	if crate, of := strings.CutPrefix(line, "use "); of && !ok {
		crate, _, _ = strings.Cut(strings.TrimSuffix(crate, ";"), "::")
		return x.one(x.inside[crate])
	}
	if !ok {
		return nil
	}
	root := dir
	for path.Base(root) != "src" && root != "." {
		root = path.Dir(root)
	}
	parts := strings.FieldsFunc(rest, func(r rune) bool { return r == ':' || r == ';' || r == '{' || r == ' ' })
	for n := min(len(parts), 3); n > 0; n-- {
		at := path.Join(root, path.Join(parts[:n]...))
		if found := x.one(at+".rs", at+"/mod.rs"); found != nil {
			return found
		}
	}
	return nil
}
