package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// A Change is the difference of one file.
type Change struct {
	Diff    bcp.Diff
	Note    string // what lines do not show: "new file", "deleted", "binary" …; may be empty
	Added   int    // lines
	Removed int
	Places  []string // the functions or sections that git names for the hunks
}

// A Range is what to compare with the work tree's state, or what else.
type Range struct {
	// Revision is compared with the work tree: a commit, or two with .. or
	// ... between them, which are compared with each other. "" means HEAD.
	Revision string
	// Staged compares with the index in the place of the work tree.
	Staged bool
}

var diffOptions = []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--unified=3", "--submodule=short",
	"--src-prefix=a/", "--dst-prefix=b/", "--relative", "-O" + os.DevNull, "--diff-algorithm=default", "--ignore-submodules=all"}

// Diff returns the changes of the files below the folder, in the order of
// their paths. Files that git does not track have none. In a repository without commits all
// that it tracks is new.
func (f *Repo) Diff(ctx context.Context, w Range) ([]Change, error) {
	args := slices.Clone(diffOptions)
	if w.Staged {
		args = append(args, "--cached")
	}
	rev := w.Revision
	if rev == "" && !w.Staged {
		rev = "HEAD"
		if !f.hasCommits(ctx) { // all is compared with a tree that has nothing
			tree, err := f.run(ctx, "hash-object", "-t", "tree", os.DevNull)
			if err != nil {
				return nil, failure("git", err, "%v", err)
			}
			rev = strings.TrimSpace(string(tree))
		}
	}
	switch {
	case strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n"): // it could be taken for an option
		return nil, failure("invalid_revision", wire.ErrShape, "%q is no revision", rev)
	case rev != "":
		args = append(args, rev)
	}
	out, err := f.run(ctx, append(args, f.where()...)...)
	if err != nil {
		return nil, failure("git", err, "%v", err)
	}
	changes, err := ParseDiff(out)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Diff.Path, b.Diff.Path) })
	return changes, nil
}

// ParseDiff reads what git diff prints.
func ParseDiff(text []byte) ([]Change, error) {
	var p diffParser
	for line := range bytes.Lines(text) {
		if err := p.line(line); err != nil {
			return nil, err
		}
	}
	return p.changes, nil
}

// A diffParser reads line by line.
type diffParser struct {
	changes []Change
	change  *Change // the last one
	hunk    *bcp.DiffHunk
}

func (p *diffParser) line(line []byte) error {
	text := strings.TrimRight(string(line), "\r\n")
	rest, begins := strings.CutPrefix(text, "diff --git ")
	switch {
	case begins:
		p.changes = append(p.changes, Change{Diff: bcp.Diff{Path: sameName(rest)}})
		p.change, p.hunk = &p.changes[len(p.changes)-1], nil
	case p.change == nil:
		return failure("invalid_diff", wire.ErrSyntax, "a difference begins with %.40q", text)
	case strings.HasPrefix(text, "@@ "):
		return p.begin(text)
	case p.hunk != nil && strings.IndexByte("+- \n\\", line[0]) >= 0:
		p.hunk.Lines = append(p.hunk.Lines, line...)
		if line[0] == '+' {
			p.change.Added++
		} else if line[0] == '-' {
			p.change.Removed++
		}
	default:
		p.header(text)
	}
	return nil
}

// headerForm matches the lines between the names and the hunks that say something.
var headerForm = regexp.MustCompile(`^(\+\+\+ |--- |(?:rename|copy) (?:to|from) |new file|deleted|new mode |Binary)(.*)`)

// header reads a line between the names and the hunks.
func (p *diffParser) header(text string) {
	c := p.change
	m := headerForm.FindStringSubmatch(text)
	if m == nil {
		return
	}
	name := unquote(strings.TrimSuffix(m[2], "\t"))
	switch what := m[1]; {
	case name == "/dev/null":
	case what == "+++ ":
		c.Diff.Path = strings.TrimPrefix(name, "b/")
	case what == "--- ":
		c.Diff.Path = strings.TrimPrefix(name, "a/")
	case strings.HasSuffix(what, " to "):
		c.Diff.Path = name
	case strings.HasSuffix(what, " from "):
		c.note(what + name)
	case what == "new mode ":
		c.note("mode " + m[2])
	default: // new file, deleted, binary
		c.note(strings.ToLower(what))
	}
}

func (c *Change) note(text string) {
	if len(c.Note) <= mostNote {
		c.Note = strings.TrimPrefix(c.Note+", "+text, ", ")
	}
}

// mostNote is the length from which a note does not grow: git has three at most
// for a file.
const mostNote = 1 << 10

// hunkHead is the line before a hunk: where it was, where it is, and what git calls the
// place.
var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)`)

// begin reads the line in front of a hunk.
func (p *diffParser) begin(text string) error {
	m := hunkHead.FindStringSubmatch(text)
	if m == nil {
		m = make([]string, 4)
	}
	before, err1 := strconv.ParseUint(m[1], 10, 32)
	after, err2 := strconv.ParseUint(m[2], 10, 32)
	if err1 != nil || err2 != nil {
		return failure("invalid_diff", wire.ErrSyntax, "%.60q is no range", text)
	}
	p.change.Diff.Hunks = append(p.change.Diff.Hunks, bcp.DiffHunk{OldStart: uint32(before), NewStart: uint32(after)})
	p.hunk = &p.change.Diff.Hunks[len(p.change.Diff.Hunks)-1]
	if place := strings.TrimSpace(m[3]); place != "" && !slices.Contains(p.change.Places, place) && len(p.change.Places) < mostPlaces {
		p.change.Places = append(p.change.Places, place)
	}
	return nil
}

// mostPlaces is how many places of one file are told.
const mostPlaces = 12

// sameName returns the path in "a/PATH b/PATH", "" if they differ.
func sameName(text string) string {
	if strings.HasPrefix(text, `"`) {
		if i := strings.Index(text, `" "`); i > 0 {
			return strings.TrimPrefix(unquote(text[:i+1]), "a/")
		}
		return ""
	}
	half := len(text) / 2
	if len(text)%2 == 1 && len(text) > 4 && text[half] == ' ' && text[2:half] == text[half+3:] {
		return text[2:half]
	}
	return ""
}

// unquote returns a name as git means it: in quotes with the escapes of C, or
// as it is.
func unquote(name string) string {
	if s, err := strconv.Unquote(name); err == nil && name[0] == '"' {
		return s
	}
	return name
}

// Summary describes a change in one line, in UTF-8 whatever the file is in.
func (c *Change) Summary() string {
	text := strings.TrimPrefix(fmt.Sprintf("%s, +%d -%d", c.Note, c.Added, c.Removed), ", ")
	if len(c.Places) > 0 {
		text += ": " + strings.Join(c.Places, "; ")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
