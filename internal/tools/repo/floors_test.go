package repo

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A floor is a row of the table in docs/architecture.md: rooms that import rooms of rows
// above it, but not each other.
type floor struct {
	rooms      []string
	onlyStdlib bool
	usedBy     []string // nil: by every floor below it
}

var (
	floorRow = regexp.MustCompile(`(?m)^\| \d+ \| (.*) \|(.*)\|$`)
	quoted   = regexp.MustCompile("`([^`]+)`")
)

// floors reads the table.
func floors(t *testing.T) (all []floor) {
	_, table, ok := strings.Cut(read(t, "docs/architecture.md"), "<!-- floors -->")
	require.True(t, ok)
	table, _, ok = strings.Cut(table, "<!-- end of floors -->")
	require.True(t, ok)
	for _, row := range floorRow.FindAllStringSubmatch(table, -1) {
		f := floor{onlyStdlib: strings.Contains(row[2], "the standard library only")}
		for _, m := range quoted.FindAllStringSubmatch(row[1], -1) {
			f.rooms = append(f.rooms, m[1])
		}
		if users, ok := strings.CutPrefix(row[2], " imported by tests and by "); ok {
			for _, m := range quoted.FindAllStringSubmatch(users, -1) {
				f.usedBy = append(f.usedBy, m[1])
			}
		}
		all = append(all, f)
	}
	require.NotEmpty(t, all)
	return all
}

// TestFloors holds that every folder with Go files is in a room of the table, and that
// what its programs import, tests apart, is in the same room or on a floor above it in the
// table. Other modules of the repository are held to it as well.
func TestFloors(t *testing.T) {
	table := floors(t)
	find := func(dir string) (room string, at int) {
		at = -1
		for i, f := range table {
			for _, name := range f.rooms {
				if within(dir, name) && len(name) > len(room) {
					room, at = name, i
				}
			}
		}
		require.GreaterOrEqual(t, at, 0, "the table of floors has no room for %s", dir)
		return room, at
	}
	seen := map[string]bool{}
	require.NoError(t, filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch name := path.Base(file); {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "node_modules", "bin", "dist"}, name)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(file))
		room, at := find(dir)
		seen[room] = true
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			inside, ours := strings.CutPrefix(imported+"/", module+"/")
			if !ours {
				require.False(t, table[at].onlyStdlib && strings.Contains(strings.Split(imported, "/")[0], "."), "%s imports %s", file, imported)
				continue
			}
			to, below := find(cmp.Or(strings.TrimSuffix(inside, "/"), "."))
			require.True(t, to == room || below < at, "%s, on floor %d, imports %s of floor %d", file, at+1, imported, below+1)
			users := table[below].usedBy
			require.True(t, users == nil || to == room || slices.Contains(users, room), "%s imports %s, which is for tests", file, imported)
		}
		return nil
	}))
	for _, f := range table {
		for _, room := range f.rooms {
			require.True(t, seen[room], "the table of floors has %s, where no Go file is", room)
		}
	}
}

// within reports whether a folder is a room, or inside it. The root is a room of its own
// files only.
func within(dir, room string) bool {
	return dir == room || room != "." && strings.HasPrefix(dir, room+"/")
}
