// Package git reads what a Git repository says about a folder, for packs:
// differences, the log, and how often files changed. It runs the program git,
// and sees to it that git runs nothing else: a repository that came from
// somewhere may name programs in its configuration.
//
// Hooks, the file system monitor, external diffs, text conversion, clean and
// process filters, signature checks, pagers and fetching of missing objects are
// off in every call, the environment's own GIT_ variables are not passed on,
// and a repository whose configuration puts the work tree elsewhere is refused, as is one
// whose .git, or a link in it, leads out of the folder to data that does not name this
// work tree, as that of git's work trees and of submodules does.
//
// # What a program calls
//
//   - [Open] finds the repository of a folder; [Repo.Paths] narrows it to
//     paths.
//   - [Repo.Diff] for differences, [Repo.Log] for commits, [Repo.Changes]
//     for how often files changed.
//   - Differences that are there as text: [ParseDiff]. Where a repository begins: [Top].
//   - One commit of a repository that is elsewhere: [ParseRemote] and [Remote.Fetch].
package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wirekit/wirekit/wire"
)

// A Repo is a folder in the work tree of a repository: its top or below. Paths
// are relative to it, with slashes. It may be used by several goroutines.
type Repo struct {
	dir     string
	filters []string // settings that switch filters off
	paths   []string // that are asked for, nil for all

	protocol string // by which git may fetch, none if it is empty
}

// mostPaths is how many paths a call of git is given.
const mostPaths = 500

// Paths returns f limited to some paths: files, folders, or patterns with * ? or [. If there
// are very many, it is not limited.
func (f *Repo) Paths(paths ...string) *Repo {
	g := *f
	g.paths = nil
	if len(paths) > mostPaths {
		return &g
	}
	for _, p := range paths {
		kind := ":(literal)"
		if strings.ContainsAny(p, "*?[") {
			kind = ":(glob)"
		}
		g.paths = append(g.paths, kind+p)
	}
	return &g
}

// where are the arguments that limit a call to the folder, or to the paths.
func (f *Repo) where() []string {
	if len(f.paths) == 0 {
		return []string{"--", "."}
	}
	return append([]string{"--"}, f.paths...)
}

// ErrNone is wrapped by the error of [Open] where there is no repository, or
// no git.
var ErrNone = errors.New("no git repository")

// Bounds of what a call of git may print, in bytes.
const (
	mostOutput   = 256 << 20
	mostMessages = 1 << 20  // on standard error, where a server may have its own printed
	keptMessages = 64 << 10 // of those
	mostMessage  = 1000     // of the one that an error has
)

// Open finds the repository that a folder belongs to.
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failure("io", err, "%v", err)
	}
	f := &Repo{dir: dir}
	out, err := f.run(ctx, "rev-parse", "--show-toplevel", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return nil, failure("no_repository", fmt.Errorf("%w: %w", ErrNone, err), "%v", err)
	}
	lines := strings.Split(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n")
	if len(lines) != 5 || lines[1] != "true" || !holds(lines[0], dir) {
		return nil, failure("no_repository", ErrNone, "the repository's work tree is not around this folder")
	}
	if err := f.trusted(ctx, lines[0], filepath.FromSlash(lines[2]), absolute(dir, lines[3])); err != nil {
		return nil, err
	}
	if err := f.dropFilters(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// holds reports whether a folder is another one or around it, links followed.
func holds(top, dir string) bool {
	top, err1 := filepath.EvalSymlinks(filepath.FromSlash(top))
	dir, err2 := filepath.EvalSymlinks(dir)
	if err1 != nil || err2 != nil {
		return false
	}
	rest, err := filepath.Rel(top, dir)
	return err == nil && filepath.IsLocal(rest)
}

// dropFilters makes all later calls empty the filters that the configuration has. A name
// with = cannot be given as an option, and no filter needs one.
func (f *Repo) dropFilters(ctx context.Context) error {
	names, err := f.run(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil && len(names) > 0 {
		return failure("git", err, "%v", err)
	}
	seen := make(map[string]bool)
	for key := range strings.SplitSeq(string(names), "\x00") {
		i := strings.LastIndexByte(key, '.')
		if i < len("filter.") {
			continue
		}
		if strings.Contains(key, "=") {
			return failure("no_repository", ErrNone, "the repository's configuration has a filter with = in its name")
		}
		if filter := key[:i]; !seen[filter] {
			seen[filter] = true
			f.filters = append(f.filters, filter+".clean=", filter+".smudge=", filter+".process=", filter+".required=false")
		}
	}
	return nil
}

// hardened are settings that hold in every call.
var hardened = []string{
	"core.fsmonitor=", // a word would be a program's name before git 2.36
	"core.hooksPath=" + os.DevNull,
	"core.pager=cat",
	"core.quotePath=false",
	"core.untrackedCache=false",
	"core.sshCommand=false",
	"core.askPass=",
	"credential.helper=",
	"diff.external=",
	"diff.ignoreSubmodules=all",
	"diff.submodule=short",
	"diff.orderFile=" + os.DevNull,
	"diff.mnemonicPrefix=false",
	"diff.noprefix=false",
	"log.showSignature=false",
	"submodule.recurse=false",
	"protocol.allow=never",
	"gc.auto=0",
	"maintenance.auto=false",
}

// environment is that of git: the caller's without its GIT_ variables.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "GIT_") || name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_NOSYSTEM" || name == "GIT_CONFIG_SYSTEM" {
			env = append(env, v)
		}
	}
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_PAGER=cat", "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1")
}

// run returns what git prints.
func (f *Repo) run(ctx context.Context, args ...string) ([]byte, error) {
	out := bounded{keep: mostOutput, most: mostOutput}
	err := f.stream(ctx, &out, args...)
	if out.most < 0 {
		return nil, fmt.Errorf("git %s prints more than %d bytes", args[0], mostOutput)
	}
	return out.kept, err
}

// stream gives out what git prints. An error of out ends git and is returned.
func (f *Repo) stream(ctx context.Context, out io.Writer, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := []string{"--no-pager", "-C", f.dir}
	settings := slices.Concat(hardened, f.filters)
	env := environment()
	if f.protocol != "" {
		settings = append(settings, "core.autocrlf=false", "core.sshCommand=ssh -oBatchMode=yes -oStrictHostKeyChecking=yes")
		env = append(env, "GIT_ALLOW_PROTOCOL="+f.protocol, "GIT_LFS_SKIP_SMUDGE=1")
	}
	for _, s := range settings {
		all = append(all, "-c", s)
	}
	cmd := exec.CommandContext(ctx, "git", append(all, args...)...)
	cmd.Env = env
	cmd.Cancel = func() error { // so that git ends what it has started, where it can be asked to
		if cmd.Process.Signal(os.Interrupt) != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = 2 * time.Second
	messages := bounded{keep: keptMessages, most: mostMessages}
	printed, said := ending{to: out, end: cancel}, ending{to: &messages, end: cancel}
	cmd.Stdout, cmd.Stderr = &printed, &said
	err := cmd.Run()
	switch {
	case printed.err != nil:
		return printed.err
	case said.err != nil:
		return fmt.Errorf("git %s prints more than %d bytes of messages: %s", args[0], mostMessages, firstError(string(messages.kept)))
	case err != nil && len(messages.kept) > 0:
		return fmt.Errorf("git %s: %s", args[0], firstError(string(messages.kept)))
	case err != nil:
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return nil
}

// firstError is the line of git's messages that says most, or the beginning of it.
func firstError(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if _, after, ok := strings.Cut("\n"+text, "\nfatal: "); ok && strings.HasPrefix(line, "warning: ") {
		line, _, _ = strings.Cut(after, "\n")
	}
	if len(line) > mostMessage {
		line = line[:mostMessage] + "…"
	}
	return strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD")
}

// ending is a writer whose first error ends the program that writes.
type ending struct {
	to  io.Writer
	end func()
	err error
}

func (e *ending) Write(p []byte) (int, error) {
	if e.err == nil {
		if _, e.err = e.to.Write(p); e.err != nil {
			e.end()
		}
	}
	return len(p), e.err
}

var errFull = errors.New("too many bytes")

// bounded keeps the first bytes that are written, and fails when there are too many.
type bounded struct {
	kept       []byte
	keep, most int
}

func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(b.keep-len(b.kept), len(p))]...)
	if b.most -= len(p); b.most < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// failure returns an error of this package.
func failure(code string, kind error, format string, args ...any) *wire.Error {
	return &wire.Error{Format: "bcp", Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}
