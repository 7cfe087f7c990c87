package git

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
)

// A Commit is one of the log.
type Commit struct {
	Hash    string // the first digits
	Subject string
	Files   []string // with a letter for what became of them, as git prints it: "M wire/value.go"
}

// Log returns the last commits that touched files below the folder, the newest
// first, at most n.
func (f *Repo) Log(ctx context.Context, n int) ([]Commit, error) {
	out, err := f.log(ctx, n, "--format=%x01%h%x00%s%x00", "--name-status")
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for part := range bytes.SplitSeq(out, []byte("\x01")) {
		fields := strings.SplitN(strings.ToValidUTF8(string(part), "\uFFFD"), "\x00", 3)
		if len(fields) < 3 {
			continue
		}
		c := Commit{Hash: fields[0], Subject: fields[1]}
		files := strings.Split(strings.TrimLeft(fields[2], "\x00\n"), "\x00")
		for i := 0; i+1 < len(files) && files[i] != ""; i += 2 {
			c.Files = append(c.Files, files[i]+" "+files[i+1])
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// log returns what git prints of the last n commits.
func (f *Repo) log(ctx context.Context, n int, form ...string) ([]byte, error) {
	out, err := f.run(ctx, slices.Concat([]string{"log", "-n", strconv.Itoa(n), "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes",
		"--no-mailmap", "--ignore-submodules=all", "--no-renames", "-z", "--relative"}, form, f.where())...)
	if err != nil {
		if !f.hasCommits(ctx) {
			return nil, nil
		}
		return nil, failure("git", err, "%v", err)
	}
	return out, nil
}

// hasCommits reports whether HEAD is a commit, as it is not in a new repository.
func (f *Repo) hasCommits(ctx context.Context) bool {
	_, err := f.run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return err == nil
}

// mostCommits is how far [Repo.Changes] looks back.
const mostCommits = 1000

// Changes returns how many of the last thousand commits touched each file below
// the folder. It is empty for a clone without its history, where the numbers
// would say nothing.
func (f *Repo) Changes(ctx context.Context) (map[string]int, error) {
	shallow, err := f.run(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil || strings.TrimSpace(string(shallow)) == "true" {
		return nil, nil
	}
	out, err := f.log(ctx, mostCommits, "--format=", "--name-only")
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int)
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name = strings.TrimPrefix(name, "\n"); name != "" {
			counts[name]++
		}
	}
	return counts, nil
}
