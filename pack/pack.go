package pack

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// Options say what goes into a pack. The zero Options take what is worth
// reading, each file at most 1 MiB. Options are not changed and may be shared
// by goroutines.
//
// Patterns are those of gitignore(5): without a slash inside they match names
// in every folder, else paths from the root; ** crosses folders; a folder that
// matches means all that it holds.
type Options struct {
	// Include are patterns of files to take; with any, others are left out.
	Include []string
	// Exclude are patterns of files and folders to leave out, also where they
	// are named one by one.
	Exclude []string
	// MaxFile is the largest file to take, in bytes; 0 means 1 MiB. It is
	// at most 15 MiB, since a block has a limit of its own.
	MaxFile int
	// MaxTotal bounds the bytes of all files together; 0 means 128 MiB.
	// Files that would exceed it are left out.
	MaxTotal int
	// Priorities rank files for a budget; the last rule that matches counts.
	// Without one a file has the priority of its [File.Class]; and what is imported
	// by many others or changes often is worth more than others of it.
	Priorities []PriorityRule
	// Summaries are what represents files in the place of an outline; the last
	// rule that matches counts, and an empty text is none.
	Summaries []SummaryRule
	// Data writes the first rows of a table or of an array of JSON, which are
	// the summary of their file; nil, or an empty text, means compact
	// JSON. It is called by several goroutines.
	Data func(rows wire.Value) string
	// About is a question: the files that have most of its words, in their paths, names
	// or text, are the core in the place of others, and of long ones the passages that
	// have them are a summary. Focus are patterns of files: those, and what is
	// near to them by imports and references, are the core.
	About string
	Focus []string
	// Changes are how often each path changed, for the rank of files.
	Changes map[string]int
	// Sections are further blocks, after the files: differences, the log, a
	// conversation.
	Sections []Section
	// Previous is an earlier pack that the reader has. What has not changed is
	// marked as known and not shown, and what has changed a little is shown as
	// a difference. The pack still holds all files; as references to a store
	// they take a hash each.
	Previous *bcp.Payload
	// StableFirst puts files that change seldom, by Changes, before those that
	// change often, and the tree after all, so that the texts of two packs
	// begin alike for as long as they can.
	StableFirst bool
	// Instruction is what the model is asked to do, a turn of the user after
	// the files with the priority critical; "" for none.
	Instruction string
	// KeepSecrets takes private keys and password files, and masks nothing: without it
	// such files are skipped, and tokens and passwords in others are masked.
	KeepSecrets bool
	// Progress is told how many of the files that may be taken have been read,
	// now and then; nil for no one. It is called by one goroutine at a time.
	Progress func(done, all int)
	// NoIgnore does not read .gitignore files, nor Ignore.
	NoIgnore bool
	// Ignore has rules as a .gitignore file has them, which all such files come after: those
	// of git's core.excludesFile. IgnoreCase is its core.ignoreCase.
	Ignore     string
	IgnoreCase bool
	// Above, if not nil, is a tree of which what is packed is the folder Within:
	// the .gitignore files on the way there count, too.
	Above  fs.FS
	Within string
	// NoSummaries leaves out the outlines of files.
	NoSummaries bool
}

// A PriorityRule gives the files of a pattern a priority.
type PriorityRule struct {
	Glob     string
	Priority bcp.Priority
}

// A SummaryRule gives the files of a pattern a summary.
type SummaryRule struct {
	Glob string
	Text string
}

// The defaults and bounds of [Options].
const (
	defaultMaxFile  = 1 << 20
	maxFileLimit    = 15 << 20
	defaultMaxTotal = 128 << 20
)

// A Report says what became of the files. It is in the order of the paths.
type Report struct {
	Files   []File
	Skipped []Skipped
	Masked  []Secret
	Unused  []string // patterns of Options.Priorities that no file matches
	Broken  []string // notebooks that are none, and were packed as the text that they are
}

// A File is one that was taken.
type File struct {
	Path  string
	Block int // the index of its block in the payload
	Bytes int // of the file, before secrets were masked

	// What its rank comes from. See [File.Why].
	// Class is named (one by one), readme, manifest, entry-point, source, example,
	// documentation, asset, test, vendored, output, configuration
	// or data.
	Class     string
	Priority  bcp.Priority
	Rule      string // the pattern that gave the priority, "" without one
	Importers int    // other files that import it, or its package
	Changes   int    // commits that touched it, of those that Options.Changes counts
	// References is how much other files refer to it, by imports and by the names that
	// it declares, and what refers to those in turn, as in a page rank; a hundred is
	// the average.
	References int
	Relevance  int  // to About and Focus, in percent of the most relevant one
	Readme     bool // a README names it, by its path or by what it declares
	Guide      bool // a text for readers that names several files names it by its path
	// Worth, from 1 to 1000, is what a budget goes by. From 100 on it is one of
	// those that a reader needs first.
	Worth int
}

// A Skipped is a file or, with a slash at the end of the path, a folder that
// was not taken.
type Skipped struct {
	Path   string `json:"path"` // with U+FFFD for what is not UTF-8
	Reason Reason `json:"reason"`
	Detail string `json:"detail,omitempty"` // more about it, such as an error; may be empty
}

// maskedTag marks blocks in which secrets were masked.
const maskedTag = "masked"

// Pack packs files of fsys: those called names, which are files, folders or
// patterns with * ? or [, all from the root; without names, all of them. It
// reads nothing but fsys, opens only what it has seen to be a regular file, and
// does not follow symbolic links where fsys reports them.
//
// What cannot be read is in the report, and the rest is packed. An error is one
// of the options, of the names, or that of ctx. Files are read by several
// goroutines; the memory is that of the files taken, at most MaxTotal, and some
// tens of files at a time beside them.
//
// The payload has the file tree first, with the priority critical, then a block
// of code for every file, then what the options add. Blocks whose priority is not
// normal are followed by their annotation, those with masked secrets by the tag
// "masked".
func (o Options) Pack(ctx context.Context, fsys fs.FS, names ...string) (*bcp.Payload, *Report, error) {
	w, err := o.walker(ctx, fsys)
	if err != nil {
		return nil, nil, err
	}
	if err := w.walk(names); err != nil {
		return nil, nil, err
	}
	return w.payload()
}

// payload makes the blocks of what was taken.
func (w *walker) payload() (*bcp.Payload, *Report, error) {
	slices.SortFunc(w.files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
	report := &Report{Skipped: slices.Collect(maps.Values(w.left)), Unused: w.unused()}
	before, err := newEarlier(w.Previous)
	if err != nil {
		return nil, nil, err
	}
	var p builder
	if !w.StableFirst {
		w.tree(&p)
	}
	if err := w.rate(); err != nil {
		return nil, nil, err
	}
	for _, g := range packages(w.files) {
		if w.question != nil || len(w.Focus) > 0 {
			if g.rank, g.worth = bcp.PriorityNormal, max(1, g.worth/16); !w.outlined(g.folder) {
				continue
			}
		}
		p.outline(g, before)
	}
	w.blocks(&p, report, before)
	if err := w.ctx.Err(); err != nil {
		return nil, nil, err
	}
	if w.StableFirst {
		w.tree(&p)
	}
	if w.Previous != nil {
		for i := range before.diffs {
			p.add(&before.diffs[i], bcp.PriorityHigh)
		}
		p.add(&bcp.Document{Title: "since", Content: []byte(before.report()), FormatHint: "plain"}, bcp.PriorityCritical)
	}
	if err := w.sections(&p, report); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(report.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return &p.Payload, report, nil
}

// tree adds the tree of the files, with the submodules that are not checked out.
func (w *walker) tree(p *builder) {
	files := counted(w.files)
	missing := ""
	for _, name := range slices.Sorted(maps.Keys(w.left)) {
		if w.left[name].Reason == reasonSubmodule {
			said := strings.TrimSuffix(name, "/") + " (" + reasonSubmodule.String() + ")"
			files = append(files, file{File: File{Path: said + "/"}})
			missing += "\n" + said
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
	block := p.add(&bcp.FileTree{Root: ".", Entries: tree(files)}, bcp.PriorityCritical)
	if !w.NoSummaries {
		p.summarize(block, folderCounts(w.files, maxDepth)+missing, folderCounts(w.files, 2)+missing, folderCounts(w.files, 1)+missing)
	}
}

// mostNamed is how many files of a suffix that is counted the tree names in a folder.
const mostNamed = 8

// counted returns files as the tree has them: of many in a folder that no one looks for by
// name, such as signatures, their number and size.
func counted(files []file) (all []file) {
	groups := make(map[string][]file)
	for _, f := range files {
		if ext := path.Ext(f.Path); is("counted", strings.ToLower(ext)) && f.Class != classNamed {
			group := path.Join(path.Dir(f.Path), "*"+ext)
			groups[group] = append(groups[group], f)
		} else {
			all = append(all, f)
		}
	}
	for name, group := range groups {
		if len(group) > mostNamed {
			sum := file{File: File{Path: fmt.Sprintf("%s (%d files)", name, len(group))}}
			for _, f := range group {
				sum.Bytes += f.Bytes
			}
			group = []file{sum}
		}
		all = append(all, group...)
	}
	return all
}

// blocks adds the files, in the order that the options ask for.
func (w *walker) blocks(p *builder, report *Report, before *earlier) {
	if w.StableFirst {
		slices.SortStableFunc(w.files, func(a, b file) int { return cmp.Compare(bits.Len(uint(a.Changes)), bits.Len(uint(b.Changes))) })
	}
	texts := make([][]string, len(w.files))
	each(w.ctx, len(w.files), func(i int) { texts[i] = w.summariesOf(w.files[i]) })
	for i := range w.files {
		f, entry := &w.files[i], w.files[i].File
		entry.Block = p.add(&bcp.Code{Lang: f.lang, Path: f.Path, Content: f.text}, f.Priority)
		p.summarize(entry.Block, texts[i]...)
		if f.secrets != nil {
			p.annotate(entry.Block, "tag", []byte(maskedTag))
		}
		if !w.NoSummaries {
			p.worth(entry.Block, entry.Worth)
		}
		if tag := before.tag(*f); tag != "" {
			p.annotate(entry.Block, "tag", []byte(tag))
		}
		if isNotebook(f.Path) && f.cells == "" {
			report.Broken = append(report.Broken, f.Path)
		}
		report.Files = append(report.Files, entry)
		report.Masked = append(report.Masked, f.secrets...)
	}
	slices.SortStableFunc(report.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// A builder collects blocks.
type builder struct{ bcp.Payload }

func (p *builder) add(body bcp.Body, rank bcp.Priority) int {
	block := len(p.Blocks)
	p.Blocks = append(p.Blocks, bcp.Block{Body: body})
	if rank != bcp.PriorityNormal {
		p.annotate(block, "priority", []byte{byte(rank)})
	}
	return block
}

func (p *builder) annotate(block int, kind string, value []byte) {
	p.Blocks = append(p.Blocks, bcp.Block{Body: &bcp.Annotation{Target: uint32(block), Kind: kind, Value: value}})
}

// summarize gives a block its summaries, the longest first; one that is empty is none.
func (p *builder) summarize(block int, texts ...string) {
	for i, text := range texts {
		switch {
		case text == "":
		case i == 0:
			p.Blocks[block].Summary = &text
		default:
			p.annotate(block, "summary", []byte(text))
		}
	}
}

// outline adds a package: its declarations with a sentence each, and as
// summaries their heads, their names, and the sentence about the package.
func (p *builder) outline(g goPackage, before *earlier) {
	block := p.add(&bcp.Document{Title: g.folder, Content: []byte(g.full), FormatHint: "plain"}, g.rank)
	p.worth(block, g.worth)
	p.summarize(block, g.outline, g.names, g.doc)
	p.annotate(block, "tag", []byte(outlineTag+g.folder))
	if before.outlines[g.folder] == g.full {
		p.annotate(block, "tag", []byte(unchangedTag))
	}
}

// worth adds the tag from which package render knows what a block is worth.
func (p *builder) worth(block, n int) {
	p.annotate(block, "tag", strconv.AppendInt([]byte(worthTag), int64(n), 10))
}

// outlineTag marks the outline of a folder's code.
const outlineTag = "outline:"

// folderCounts lists how many files each folder holds, those deeper than that with what
// is below them.
func folderCounts(files []file, depth int) string {
	counts := make(map[string]int)
	for _, f := range files {
		folder := path.Dir(f.Path)
		for strings.Count(folder, "/") >= depth {
			folder = path.Dir(folder)
		}
		counts[folder]++
	}
	var lines []string
	for _, folder := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, strings.TrimPrefix(folder+"/ "+count(counts[folder], "file"), "./ ")) // the heading has the root
	}
	return strings.Join(lines, "\n")
}

// tree makes the entries of files, which are sorted by path. A path that ends in a slash is
// that of a folder without files.
func tree(files []file) []bcp.FileEntry {
	var root bcp.FileEntry
	for _, f := range files {
		folders, name := path.Split(f.Path)
		at := &root
		for folder := range strings.SplitAfterSeq(folders, "/") {
			if folder = strings.TrimSuffix(folder, "/"); folder == "" {
				break
			}
			n := len(at.Children)
			if n == 0 || at.Children[n-1].Name != folder {
				at.Children = append(at.Children, bcp.FileEntry{Name: folder, Kind: "directory"})
			}
			at = &at.Children[len(at.Children)-1]
		}
		if name != "" {
			at.Children = append(at.Children, bcp.FileEntry{Name: name, Kind: "file", Size: uint64(f.Bytes)})
		}
	}
	return root.Children
}

// numbers are those below n.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// failure returns an error of this package.
func failure(code string, kind error, format string, args ...any) *wire.Error {
	return &wire.Error{Format: "bcp", Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}
