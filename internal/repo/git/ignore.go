package git

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/wirekit/wirekit/internal/base/smallfile"
)

// maxIgnore bounds a file of rules, in bytes.
const maxIgnore = 1 << 20

// Ignores returns the rules for a folder that git reads from files other than .gitignore:
// those of the user, core.excludesFile, and those of a repository whose data is not in the
// folder .git. foldCase is core.ignoreCase. Without git they are those of the default
// location.
func Ignores(ctx context.Context, dir string) (rules string, foldCase bool) {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	top := cmp.Or(Top(dir), dir)
	f := &Repo{dir: dir}
	name, err := f.run(ctx, "config", "-z", "--type=path", "--get", "core.excludesFile")
	file := strings.TrimSuffix(string(name), "\x00")
	if err != nil { // it is not set, or there is no git
		home, _ := os.UserHomeDir()
		file = filepath.Join(cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "ignore")
	}
	if file != "" {
		rules = rulesOf(absolute(top, file))
	}
	fold, _ := f.run(ctx, "config", "--type=bool", "--get", "core.ignoreCase")
	if info, err := os.Lstat(filepath.Join(top, ".git")); err == nil && !info.IsDir() {
		if _, err := Open(ctx, dir); err == nil {
			name, _ = f.run(ctx, "rev-parse", "--git-path", "info/exclude")
			rules += "\n" + rulesOf(absolute(dir, strings.TrimRight(string(name), "\r\n")))
		}
	}
	return rules, strings.TrimSpace(string(fold)) == "true"
}

// rulesOf is the text of a file of rules, "" if it cannot be read.
func rulesOf(name string) string {
	text, _ := smallfile.Read(name, maxIgnore)
	return strings.TrimPrefix(string(text), "\uFEFF")
}
