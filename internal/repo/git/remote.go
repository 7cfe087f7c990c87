package git

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wirekit/wirekit/wire"
)

// A Remote is a repository that is elsewhere, of which one commit is fetched.
type Remote struct {
	URL string // https, ssh or file
	Ref string // a branch, a tag or the whole name of a commit; "" for the default branch
	// MaxBytes bounds what is fetched, and the files in it; 0 is DefaultMaxBytes.
	MaxBytes int64

	scheme string
}

// DefaultMaxBytes is half a gigabyte.
const DefaultMaxBytes = 512 << 20

const (
	mostFiles  = 200_000
	staleAfter = 24 * time.Hour // what the cache has of other commits is removed
	looksEvery = 100 * time.Millisecond
)

var (
	helper    = regexp.MustCompile(`^[\w+.-]+::`)                 // ext::sh -c …
	shortSSH  = regexp.MustCompile(`^([\w.-]+@[\w.-]+):([^:]+)$`) // git@host:owner/name
	wholeName = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
)

// ParseRemote reads github.com/OWNER/NAME, a URL, or USER@HOST:PATH, with @REF at the end
// or without. It reports false for what is none of them, such as a path.
func ParseRemote(text string) (Remote, bool, error) {
	full := text
	switch ssh := shortSSH.FindStringSubmatch(text); {
	case strings.HasPrefix(text, "github.com/"), strings.HasPrefix(text, "github:"):
		full = "https://" + text
		if path, _, _ := strings.Cut(text, "@"); text[len("github")] == ':' || strings.Count(strings.TrimSuffix(path, "/"), "/") != 2 {
			return Remote{}, true, failure("invalid_remote", wire.ErrShape, "%s: write github.com/OWNER/NAME or github.com/OWNER/NAME@REF", text)
		}
	case helper.MatchString(text), strings.Contains(text, "://"):
	case ssh != nil:
		full = "ssh://" + ssh[1] + "/" + strings.TrimPrefix(ssh[2], "/")
	default:
		return Remote{}, false, nil
	}
	r, err := parseURL(full)
	if err != nil {
		return Remote{}, true, failure("invalid_remote", wire.ErrShape, "%s: %v", withoutPassword(text), err)
	}
	return r, true, nil
}

func parseURL(text string) (Remote, error) {
	r := Remote{URL: text}
	u, err := url.Parse(text)
	switch scheme, _, _ := strings.Cut(text, ":"); {
	case !slices.Contains([]string{"https", "ssh", "file"}, scheme):
		return r, fmt.Errorf("repositories are fetched by https, ssh and file only, not by %s", scheme)
	case strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }):
		return r, errors.New("a blank, a control character or a backslash is in it")
	case err != nil:
		return r, errors.New("it is not a URL")
	case u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return r, errors.New("a question mark or a # is in it")
	case (u.Host == "") != (u.Scheme == "file"):
		return r, errors.New("a host is for https and ssh")
	}
	if _, has := u.User.Password(); has {
		return r, errors.New("a password is in it, which other programs could see: use ssh")
	}
	r.scheme = u.Scheme
	// The reference is after the last @ of the path, unless a name begins with that.
	if at := strings.LastIndexByte(text, '@'); at > len(text)-len(u.EscapedPath()) && text[at-1] != '/' {
		if r.URL, r.Ref = text[:at], text[at+1:]; r.Ref == "" {
			return r, errors.New("no reference follows the @")
		}
	}
	parts := append(strings.Split(u.Path, "/"), u.Host, u.User.Username(), r.Ref)
	switch {
	case slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, "-") }):
		return r, errors.New("a part of it begins with -")
	case strings.Trim(u.Path, "/") == "":
		return r, errors.New("it has no path")
	case strings.ContainsAny(r.Ref, "~^:?*[") || strings.Contains(r.Ref, "..") || strings.Contains(r.Ref, "@{"):
		return r, fmt.Errorf("%s is not the name of a branch, a tag or a commit", r.Ref)
	}
	return r, nil
}

// withoutPassword is a URL as an error shows it.
func withoutPassword(text string) string {
	if u, err := url.Parse(text); err == nil {
		if _, has := u.User.Password(); has {
			return u.Redacted()
		}
	}
	return text
}

// String is the remote as a user writes it.
func (r Remote) String() string {
	if r.Ref == "" {
		return r.URL
	}
	return r.URL + "@" + r.Ref
}

// Fetch returns a folder in cache with the files of the commit. It is named like the commit
// and is there as a whole or not at all; one that is there already is not fetched again.
//
// One commit is fetched, without submodules and without what Git LFS keeps elsewhere, and
// nothing of the repository is executed: hooks and filters are off. git asks
// nothing and uses no stored passwords; ssh takes the keys of its agent and hosts that it knows.
func (r Remote) Fetch(ctx context.Context, cache string) (string, error) {
	cache = filepath.Join(cache, fmt.Sprintf("%.60s-%.16x", strings.TrimSuffix(path.Base(r.URL), ".git"), sha256.Sum256([]byte(r.URL))))
	if folder := filepath.Join(cache, r.Ref); wholeName.MatchString(r.Ref) && isFolder(folder) {
		return folder, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", failure("io", err, "%v", err)
	}
	made, err := os.MkdirTemp(cache, ".unfinished-")
	if err != nil {
		return "", failure("io", err, "%v", err)
	}
	defer os.RemoveAll(made)
	commit, err := r.fetch(ctx, cache, made)
	if err != nil {
		switch ctx.Err() {
		case context.DeadlineExceeded:
			err = errors.New("it takes too long")
		case context.Canceled:
			err = errors.New("it was interrupted")
		}
		return "", failure("remote", err, "%s: %v", r, err)
	}
	folder := filepath.Join(cache, commit)
	if err := os.Rename(made, folder); err != nil && !isFolder(folder) { // another process may have been first
		return "", failure("io", err, "%v", err)
	}
	_ = os.Chtimes(folder, time.Time{}, time.Now())
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != commit && time.Since(info.ModTime()) > staleAfter {
			_ = os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
	return folder, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// fetch fills a folder with the commit and returns its name. It does not if the
// cache has it.
func (r Remote) fetch(ctx context.Context, cache, dir string) (string, error) {
	f := &Repo{dir: dir, protocol: r.scheme}
	if _, err := f.run(ctx, "init", "--quiet", "--template="); err != nil {
		return "", err
	}
	if err := f.dropFilters(ctx); err != nil {
		return "", err
	}
	ref := r.Ref
	if !wholeName.MatchString(ref) {
		name, commit, err := r.find(ctx, f)
		if err != nil || isFolder(filepath.Join(cache, commit)) {
			return commit, err
		}
		ref = name
	}
	if err := r.download(ctx, f, ref); err != nil {
		return "", err
	}
	out, err := f.run(ctx, "rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}")
	commit := strings.TrimSpace(string(out))
	if err != nil || !wholeName.MatchString(commit) {
		return "", fmt.Errorf("%s is not a commit", ref)
	}
	if err := f.stream(ctx, &tree{most: r.most()}, "ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit); err != nil {
		return "", err
	}
	_, err = f.run(ctx, "checkout", "--quiet", "--force", "--no-recurse-submodules", "--detach", commit)
	return commit, err
}

// find returns the full name of the reference and what it leads to.
func (r Remote) find(ctx context.Context, f *Repo) (ref, commit string, err error) {
	candidates := []string{"HEAD"}
	if r.Ref != "" {
		candidates = []string{"refs/tags/" + r.Ref + "^{}", "refs/tags/" + r.Ref, "refs/heads/" + r.Ref}
	}
	out, err := f.run(ctx, append([]string{"ls-remote", "--quiet", "--", r.URL}, candidates...)...)
	if err != nil {
		return "", "", err
	}
	for _, name := range candidates {
		for line := range strings.Lines(string(out)) {
			if commit, ok := strings.CutSuffix(strings.TrimSpace(line), "\t"+name); ok {
				return strings.TrimSuffix(name, "^{}"), commit, nil
			}
		}
	}
	if r.Ref == "" {
		return "", "", errors.New("it has no commits")
	}
	return "", "", fmt.Errorf("it has neither a branch nor a tag %s", r.Ref)
}

func (r Remote) most() int64 { return cmp.Or(r.MaxBytes, DefaultMaxBytes) }

// download fetches one commit, and stops when it is larger than it may be.
func (r Remote) download(ctx context.Context, f *Repo, ref string) error {
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(looksEvery):
				if sizeOf(f.dir) > r.most() {
					cancel()
				}
			}
		}
	})
	_, err := f.run(ctx, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--", r.URL, ref)
	cancel()
	watch.Wait()
	if sizeOf(f.dir) > r.most() {
		return fmt.Errorf("it is larger than %d MB", r.most()>>20)
	}
	return err
}

// sizeOf adds up the files of a folder.
func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil // files come and go
	})
	return n
}

// A tree adds up what is written to it, the entries of git ls-tree, to check what the files of a
// commit take before they are written: a small download can hold much.
type tree struct {
	most           int64 // bytes
	size           int64
	files, folders int
	entry          []byte // the beginning of the entry that is being written: its path may have any length
}

// Write fails at the first entry that is too much: ten objects can make 10^10 of them.
func (t *tree) Write(p []byte) (int, error) {
	for part := range bytes.SplitAfterSeq(p, []byte{0}) {
		t.entry = append(t.entry, part[:min(len(part), mostOfEntry-len(t.entry))]...)
		if len(part) > 0 && part[len(part)-1] == 0 {
			if err := t.add(string(t.entry)); err != nil {
				return 0, err
			}
			t.entry = t.entry[:0]
		}
	}
	return len(p), nil
}

// mostOfEntry is more than an entry has before its path.
const mostOfEntry = 200

// add adds an entry: mode, type, name of the object, size, and after a tab its path.
func (t *tree) add(entry string) error {
	head, _, _ := strings.Cut(entry, "\t")
	if strings.Contains(head, " tree ") {
		t.folders++
	} else {
		t.files++
	}
	n, _ := strconv.ParseInt(head[strings.LastIndexByte(head, ' ')+1:], 10, 64) // folders and submodules have none
	switch t.size += n; {
	case t.size < 0 || t.size > t.most:
		return fmt.Errorf("its files are larger than %d MB", t.most>>20)
	case t.files > mostFiles:
		return fmt.Errorf("it has more than %d files", mostFiles)
	case t.folders > mostFiles:
		return fmt.Errorf("it has more than %d folders", mostFiles)
	}
	return nil
}
