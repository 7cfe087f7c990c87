package pack

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
)

// The classes of files, by path and size, with the priority that their files have.
const (
	classNamed         = "named"         // named one by one: high
	classReadme        = "readme"        // for readers, at the root: high
	classManifest      = "manifest"      // of a build or package: normal
	classEntry         = "entry-point"   // where a program begins: normal
	classSource        = "source"        // normal
	classExample       = "example"       // low
	classDocumentation = "documentation" // low
	classAsset         = "asset"         // styles, templates and other files that are not programs: low
	classVendored      = "vendored"      // of others, copied into the repository: low
	classOutput        = "output"        // of builds and generators: low
	classTest          = "test"          // low
	classConfiguration = "configuration" // and licences, change logs: background
	classData          = "data"          // background
)

// classOf returns the class of a file that was found in a folder.
func classOf(name string, size int) string {
	base := strings.ToLower(path.Base(name))
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	folders := strings.Split(path.Dir(name), "/")
	in := func(names ...string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(names, f) })
	}
	folder := folderClass(name)
	switch {
	case path.Dir(name) == "." && (stem == "readme" || base == "agents.md" || base == "claude.md"):
		return classReadme
	case in("testdata", "fixtures", "__snapshots__") && in("fuzz", "fixtures", "__snapshots__", "corpus"):
		return classData
	case stem == "license", stem == "licence", stem == "copying", stem == "changelog", strings.HasPrefix(name, "."):
		return classConfiguration
	case ext == ".csv", ext == ".tsv", ext == ".jsonl", ext == ".json" && size > 32<<10:
		return classData
	case folder == classVendored:
		return folder
	case isTestFile(path.Base(name), ext):
		return classTest
	case folder != "":
		return folder
	case named("file-examples", stem):
		return classExample
	case is("manifest", base):
		return classManifest
	case is("entry-point", base) && !in("internal", "tools", "_tools", "tool", "scripts", "hack"):
		return classEntry
	case outline.Known(ext), isFile("program", base):
		return classSource
	case ext == ".md", ext == ".rst", ext == ".adoc", ext == ".txt":
		return classDocumentation
	case ext == "", isFile("configuration", base):
		return classConfiguration
	}
	return classAsset
}

// priorityOf is the priority of files of a class without a rule: of most classes low.
var priorityOf = map[string]bcp.Priority{classNamed: bcp.PriorityHigh, classReadme: bcp.PriorityHigh,
	classManifest: bcp.PriorityNormal, classEntry: bcp.PriorityNormal, classSource: bcp.PriorityNormal,
	classConfiguration: bcp.PriorityBackground, classData: bcp.PriorityBackground}

// startOf is what files of a class have of the rank before others refer to them: of most
// classes leastStart.
var startOf = map[string]float64{classNamed: 3, classEntry: 3, classSource: 1, classExample: 0.5, classDocumentation: 0.5, classTest: 0.2}

const leastStart = 0.1

// muchReferred is from which on a rank by references is worth telling: half more than the
// average.
const muchReferred = 150

// Why describes in words what a file's rank comes from.
func (f *File) Why() string {
	text := strings.ReplaceAll(f.Class, "-", " ")
	for _, part := range []struct {
		is   bool
		text string
	}{
		{f.Rule != "", f.Priority.String() + " by " + strconv.Quote(f.Rule)},
		{f.Relevance > 0, fmt.Sprintf("%d %% relevant", f.Relevance)},
		{f.Readme, "named by the readme"},
		{f.Guide && !f.Readme, "named by a guide"},
		{f.Importers > 0, "imported by " + count(f.Importers, "file")},
		{f.Changes > 0, count(f.Changes, "commit")},
		{f.References >= muchReferred, fmt.Sprintf("referred to %d.%d times the average", f.References/100, f.References/10%10)},
	} {
		if part.is {
			text += ", " + part.text
		}
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
