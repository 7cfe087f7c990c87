package git

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wirekit/wirekit/internal/base/smallfile"
)

// trusted checks that a repository belongs to the folder that names it. The folder may
// come from anywhere, and its .git, a file or a link, or what is in it, may lead to the
// repository of someone else, whose commits and files would then be shown as its own.
//
// The work tree must be the folder that has the .git. Its data must be there too, or name
// this work tree back, as git's own work trees and submodules do.
func (f *Repo) trusted(ctx context.Context, top, data, common string) error {
	owner := Top(f.dir)
	switch {
	case owner == "" || !same(owner, top):
		return failure("no_repository", ErrNone, "the repository's configuration puts its work tree elsewhere")
	case !same(common, data) && !same(filepath.Join(common, "worktrees"), filepath.Dir(data)):
		return failure("no_repository", ErrNone, "the repository keeps its objects in another one's folder")
	case holds(top, data) && holds(top, common):
	case !f.namedBack(ctx, top, data):
		return failure("no_repository", ErrNone, "the repository's data is outside of this folder and does not name it; if it is yours, set core.worktree there")
	}
	for _, dir := range []string{data, common} {
		if link := linkOut(dir); link != "" {
			return failure("no_repository", ErrNone, "%s of the repository's data is a link that leads out of it", link)
		}
	}
	return nil
}

// Top returns the folder with the .git that git finds, which is the given one or above it;
// "" if there is none.
func Top(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		below := dir
		if dir = filepath.Dir(dir); dir == below {
			return ""
		}
	}
}

// namedBack reports whether the data of a repository names the work tree: that of a work
// tree in its file gitdir, that of a submodule in its configuration.
func (f *Repo) namedBack(ctx context.Context, top, data string) bool {
	if text, err := smallfile.Read(filepath.Join(data, "gitdir"), smallfile.Settings); err == nil {
		named := absolute(data, strings.TrimSpace(string(text)))
		return filepath.Base(named) == ".git" && same(filepath.Dir(named), top)
	}
	out, err := f.run(ctx, "config", "--local", "--get", "core.worktree")
	return err == nil && same(absolute(data, strings.TrimRight(string(out), "\r\n")), top)
}

// absolute returns a path that is relative to a folder, or absolute.
func absolute(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// same reports whether two paths are of one folder, links followed.
func same(a, b string) bool { return holds(a, b) && holds(b, a) }

// linkOut returns what in a repository's data is a link out of it, of what says which
// commits there are.
func linkOut(data string) (found string) {
	for _, name := range []string{"HEAD", "objects", "packed-refs", "refs", "reftable"} {
		_ = filepath.WalkDir(filepath.Join(data, name), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil: // it is not there
			case d.Type()&fs.ModeSymlink != 0 && !holds(data, path):
				found = name
				return fs.SkipAll
			case name == "objects": // objects are found by their sums, which links do not change
				return fs.SkipDir
			}
			return nil
		})
	}
	return found
}
