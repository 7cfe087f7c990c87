package git

import (
	"bytes"
	"cmp"
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
	if rev != "" {
		if err := revision(rev); err != nil {
			return nil, err
		}
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
	p.end()
	return p.changes, nil
}

// A diffParser reads line by line.
type diffParser struct {
	changes []Change
	change  *Change
	hunk    *bcp.DiffHunk
	// What the hunk still has of lines before and after.
	before, after int64
}

func (p *diffParser) line(line []byte) error {
	if p.hunk != nil && (p.before > 0 || p.after > 0 || line[0] == '\\') {
		return p.content(line)
	}
	text := strings.TrimRight(string(line), "\r\n")
	if rest, ok := strings.CutPrefix(text, "diff --git "); ok {
		p.end()
		p.change = &Change{}
		p.change.Diff.Path = sameName(rest)
		return nil
	}
	if p.change == nil {
		return failure("invalid_diff", wire.ErrSyntax, "a difference begins with %.40q", text)
	}
	if bytes.HasPrefix(line, []byte("@@ ")) {
		return p.begin(text)
	}
	p.header(text)
	return nil
}

// headers are the lines between the names and the hunks that say something, with what notes
// have of them.
var headers = []struct{ begin, note string }{
	{"+++ ", ""}, {"--- ", ""}, {"rename to ", ""}, {"copy to ", ""},
	{"rename from ", "rename from "}, {"copy from ", "copy from "},
	{"new file mode", "new file"}, {"deleted file mode", "deleted"}, {"new mode ", "mode "}, {"Binary files ", "binary"},
}

// header reads a line between the names and the hunks.
func (p *diffParser) header(text string) {
	c := p.change
	for _, h := range headers {
		rest, ok := strings.CutPrefix(text, h.begin)
		if !ok {
			continue
		}
		name := unquote(strings.TrimSuffix(rest, "\t"))
		switch {
		case name == "/dev/null":
		case h.begin == "+++ ":
			c.Diff.Path = strings.TrimPrefix(name, "b/")
		case h.begin == "--- ":
			c.Diff.Path = strings.TrimPrefix(name, "a/")
		case strings.HasSuffix(h.begin, " to "):
			c.Diff.Path = name
		case strings.HasSuffix(h.begin, " from "):
			c.note(h.note + name)
		case strings.HasSuffix(h.note, " "):
			c.note(h.note + rest)
		default:
			c.note(h.note)
		}
	}
}

func (c *Change) note(text string) {
	if len(c.Note) > mostNote {
		return
	}
	if c.Note != "" {
		text = c.Note + ", " + text
	}
	c.Note = text
}

// mostNote is the length from which a note does not grow: git has three at most
// for a file.
const mostNote = 1 << 10

// hunkHead is the line before a hunk: where it was, where it is, and what git calls the
// place.
var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)`)

// begin reads the line in front of a hunk.
func (p *diffParser) begin(text string) error {
	m := hunkHead.FindStringSubmatch(text)
	valid := m != nil
	var n [4]uint64
	for i := 0; valid && i < len(n); i++ {
		var err error
		n[i], err = strconv.ParseUint(cmp.Or(m[1+i], "1"), 10, 32)
		valid = err == nil
	}
	if !valid {
		return failure("invalid_diff", wire.ErrSyntax, "%.60q is no range", text)
	}
	p.change.Diff.Hunks = append(p.change.Diff.Hunks, bcp.DiffHunk{OldStart: uint32(n[0]), NewStart: uint32(n[2])})
	p.hunk = &p.change.Diff.Hunks[len(p.change.Diff.Hunks)-1]
	p.before, p.after = int64(n[1]), int64(n[3])
	if place := strings.TrimSpace(m[5]); place != "" && !slices.Contains(p.change.Places, place) && len(p.change.Places) < mostPlaces {
		p.change.Places = append(p.change.Places, place)
	}
	return nil
}

// mostPlaces is how many places of one file are told.
const mostPlaces = 12

func (p *diffParser) content(line []byte) error {
	switch line[0] {
	case '+':
		p.after--
		p.change.Added++
	case '-':
		p.before--
		p.change.Removed++
	case ' ', '\n':
		p.before--
		p.after--
	case '\\':
	default:
		return failure("invalid_diff", wire.ErrSyntax, "a line of a hunk begins with %q", line[0])
	}
	p.hunk.Lines = append(p.hunk.Lines, line...)
	return nil
}

func (p *diffParser) end() {
	if p.change != nil {
		p.changes = append(p.changes, *p.change)
	}
	p.change, p.hunk, p.before, p.after = nil, nil, 0, 0
}

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
	text := fmt.Sprintf("+%d -%d", c.Added, c.Removed)
	if c.Note != "" {
		text = c.Note + ", " + text
	}
	if len(c.Places) > 0 {
		text += ": " + strings.Join(c.Places, "; ")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
