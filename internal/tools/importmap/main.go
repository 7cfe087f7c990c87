// Command importmap draws which package of the module imports which, as the
// flowchart that docs/architecture.md shows:
//
//	go run ./internal/tools/importmap -write
//
// puts it there. An arrow that others imply is left out, and so are internal
// packages, tests and examples.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/tools/page"
)

func main() {
	log.SetFlags(0)
	write := flag.Bool("write", false, "write the drawing into the page")
	file := flag.String("page", "docs/architecture.md", "the page, seen from the module's root")
	flag.Parse()
	chart, err := draw(".")
	if err == nil && *write {
		err = page.Rewrite(*file, name, chart)
	}
	if err != nil {
		log.Fatal(err)
	}
	if !*write {
		fmt.Print(chart)
	}
}

// name is that of the drawing in the page.
const name = "importmap"

// draw returns the drawing of the module in dir.
func draw(dir string) (string, error) {
	imports, err := list(dir)
	if err != nil {
		return "", err
	}
	levels := rank(imports)
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for level := slices.Max(slices.Collect(maps.Values(levels))); level >= 0; level-- {
		var row []string
		for _, name := range slices.Sorted(maps.Keys(levels)) {
			if levels[name] == level {
				row = append(row, fmt.Sprintf("%s[%q]", id(name), name))
			}
		}
		fmt.Fprintf(&b, "    %s\n", strings.Join(row, " ~~~ "))
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if direct := reduce(imports, name); len(direct) > 0 {
			for i := range direct {
				direct[i] = id(direct[i])
			}
			fmt.Fprintf(&b, "    %s --> %s\n", id(name), strings.Join(direct, " & "))
		}
	}
	b.WriteString("```\n")
	return b.String(), nil
}

func id(name string) string { return strings.ReplaceAll(name, "/", "_") }

// list returns the packages that the drawing shows, each with those of them
// that it imports, itself or by way of internal packages.
func list(dir string) (map[string][]string, error) {
	cmd := exec.Command("go", "list", "-f", `{{.Module.Path}} {{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, &stderr)
	}
	all := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		module, name := words[0], local(words[1], words[0])
		all[name] = nil
		for _, imported := range words[2:] {
			if imported == module || strings.HasPrefix(imported, module+"/") {
				all[name] = append(all[name], local(imported, module))
			}
		}
	}
	shown := make(map[string][]string)
	for name := range all {
		if !hidden(name) {
			shown[name] = visible(all, name)
		}
	}
	return shown, nil
}

// local returns a package's path within the module.
func local(imported, module string) string {
	if imported == module {
		return path.Base(module)
	}
	return strings.TrimPrefix(imported, module+"/")
}

func hidden(name string) bool {
	return strings.HasPrefix(name, "internal/") || strings.Contains(name, "/internal/") || name == "examples" || strings.HasPrefix(name, "examples/") || name == "interop"
}

// visible returns what a package imports, where internal packages count as what
// they import themselves.
func visible(all map[string][]string, name string) []string {
	found := make(map[string]bool)
	var look func(string)
	look = func(name string) {
		for _, imported := range all[name] {
			if hidden(imported) {
				look(imported)
			} else {
				found[imported] = true
			}
		}
	}
	look(name)
	return slices.Sorted(maps.Keys(found))
}

// rank returns on which row from below each package is: above all that it
// imports.
func rank(imports map[string][]string) map[string]int {
	levels := make(map[string]int)
	var of func(string) int
	of = func(name string) int {
		if level, ok := levels[name]; ok {
			return level
		}
		level := 0
		for _, imported := range imports[name] {
			level = max(level, of(imported)+1)
		}
		levels[name] = level
		return level
	}
	for name := range imports {
		of(name)
	}
	return levels
}

// reduce returns those imports of a package that no other of them implies.
func reduce(imports map[string][]string, name string) []string {
	var direct []string
	for _, imported := range imports[name] {
		implied := slices.ContainsFunc(imports[name], func(other string) bool { return reaches(imports, other, imported) })
		if !implied {
			direct = append(direct, imported)
		}
	}
	return direct
}

// reaches reports whether a package other than to imports to.
func reaches(imports map[string][]string, from, to string) bool {
	return slices.ContainsFunc(imports[from], func(next string) bool { return next == to || reaches(imports, next, to) })
}
