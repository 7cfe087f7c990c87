package git

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A folder that names another's repository shows none of it.
func TestRepositoryOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs where symbolic links need no permission")
	}
	private := repository(t, map[string]string{"secret.c": "private line\n"})
	around := filepath.Dir(private)
	data := filepath.Join(private, ".git")
	for name, make := range map[string]func(dir string){
		"a file": func(dir string) {
			write(t, dir, map[string]string{".git": "gitdir: ../" + filepath.Base(private) + "/.git\n"})
		},
		"a link": func(dir string) { require.NoError(t, os.Symlink(data, filepath.Join(dir, ".git"))) },
		"a common folder": func(dir string) {
			write(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": data + "\n"})
		},
		"a common folder, and a work tree around both": func(dir string) {
			write(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": data + "\n",
				".git/config.worktree": "[core]\n\tworktree = " + around + "\n"})
		},
		"linked objects and references": func(dir string) {
			git(t, dir, "init", "-q", "-b", "main")
			for _, part := range []string{"objects", "refs"} {
				require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git", part)))
				require.NoError(t, os.Symlink(filepath.Join(data, part), filepath.Join(dir, ".git", part)))
			}
		},
		"a linked reference": func(dir string) {
			git(t, dir, "init", "-q", "-b", "main")
			write(t, dir, map[string]string{".git/objects/info/alternates": filepath.Join(data, "objects") + "\n"})
			require.NoError(t, os.Symlink(filepath.Join(data, "refs/heads/main"), filepath.Join(dir, ".git/refs/heads/main")))
		},
		"the work tree of another repository": func(dir string) {
			git(t, private, "worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "other"))
			write(t, dir, map[string]string{".git": "gitdir: " + filepath.Join(data, "worktrees", "other") + "\n"})
		},
		"a work tree's own folder with another's common folder": func(dir string) {
			write(t, dir, map[string]string{"store/HEAD": "ref: refs/heads/main\n", "store/commondir": data + "\n",
				"store/gitdir": filepath.Join(dir, "sub/.git") + "\n", "sub/.git": "gitdir: ../store\n"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := os.MkdirTemp(around, "public")
			require.NoError(t, err)
			make(dir)
			at := dir
			if name == "a work tree's own folder with another's common folder" {
				at = filepath.Join(dir, "sub")
			}
			_, err = Open(context.Background(), at)
			require.ErrorIs(t, err, ErrNone)
		})
	}
}

// Work trees and submodules have their repository elsewhere, and it names them.
func TestRepositoriesThatNameTheFolder(t *testing.T) {
	dir := repository(t, map[string]string{"a/b.txt": "1\n"})
	tree := filepath.Join(t.TempDir(), "tree")
	git(t, dir, "worktree", "add", "-q", "--detach", tree)
	other := repository(t, map[string]string{"x": "1\n"})
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "deps/other")
	inSubmodule := filepath.Join(t.TempDir(), "tree of a submodule")
	git(t, filepath.Join(dir, "deps/other"), "worktree", "add", "-q", "--detach", inSubmodule)
	apart := filepath.Join(t.TempDir(), "data")
	separate := t.TempDir()
	git(t, separate, "init", "-q", "--separate-git-dir="+apart)
	git(t, separate, "config", "core.worktree", separate)
	write(t, separate, map[string]string{"y": "1\n"})
	commit(t, separate, "first")
	for _, at := range []string{dir, filepath.Join(dir, "a"), tree, filepath.Join(tree, "a"), filepath.Join(dir, "deps/other"), inSubmodule, separate} {
		log, err := open(t, at).Log(context.Background(), 1)
		require.NoError(t, err)
		require.Equal(t, "first", log[0].Subject, at)
	}
}
