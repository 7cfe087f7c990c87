package pack

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
	"github.com/wirekit/wirekit/wire"
)

// maxDepth bounds the nesting of folders, so that the tree of a pack can be
// read with the default limits.
const maxDepth = 500

// maxIgnore bounds a .gitignore file, in bytes.
const maxIgnore = 1 << 20

// A file is one that was taken.
type file struct {
	File
	alone    bool // named as an argument, not found in a folder
	lang     string
	text     []byte
	secrets  []Secret
	parsed   *goFile // of Go, if there are to be summaries
	heads    []outline.Head
	asked    bool     // a question or a focus is about it
	declared []string // names
	offers   []offer  // those for other files
	inner    bool     // what it declares is for its module or file only
	guide    bool     // people begin with it
	cells    string   // of a notebook, the suffix of files in its language; "" if it only has the name of one
	marks    *rules
	why      Reason // it is left out
	more     string // about that
}

// A walker collects files.
type walker struct {
	Options
	ctx              context.Context
	fsys             fs.FS
	prefix           string // what paths have before them in the rules of .gitignore files
	include, exclude []rule
	ranks            []rule
	summaries        []rule
	rules            map[string]*rules // by folder
	candidates       []file            // nothing speaks against them by their names
	files            []file
	total            int
	taken            map[string]bool
	left             map[string]Skipped
	met              bool // something matches the pattern
	focus            []rule
	question         question
	inHeaders        map[string]bool // functions of C that headers declare
}

func (o Options) walker(ctx context.Context, fsys fs.FS) (*walker, error) {
	o.MaxFile = cmp.Or(o.MaxFile, defaultMaxFile)
	o.MaxTotal = cmp.Or(o.MaxTotal, defaultMaxTotal)
	if o.Above == nil {
		o.Above, o.Within = fsys, "."
	}
	switch {
	case o.MaxFile < 0 || o.MaxFile > maxFileLimit || o.MaxTotal < 0:
		return nil, failure(wire.CodeInvalidOption, wire.ErrRange, "MaxFile %d is not from 0 to %d, or MaxTotal %d is negative", o.MaxFile, maxFileLimit, o.MaxTotal)
	case !utf8.ValidString(o.Instruction):
		return nil, failure(wire.CodeInvalidUTF8, wire.ErrUTF8, "the instruction is not UTF-8")
	case !fs.ValidPath(o.Within):
		return nil, failure(wire.CodeInvalidOption, wire.ErrShape, "%q is not the path of a folder", o.Within)
	case (o.About != "" || len(o.Focus) > 0) && o.NoSummaries:
		return nil, failure(wire.CodeInvalidOption, wire.ErrShape, "a question needs summaries, which NoSummaries leaves out")
	}
	w := &walker{Options: o, ctx: ctx, fsys: fsys, prefix: strings.TrimPrefix(o.Within+"/", "./"),
		rules: make(map[string]*rules), taken: make(map[string]bool), left: make(map[string]Skipped)}
	var ranked, summarized []string
	for _, p := range o.Priorities {
		ranked = append(ranked, p.Glob)
		if p.Priority < bcp.PriorityCritical || p.Priority > bcp.PriorityBackground {
			return nil, failure(wire.CodeInvalidOption, wire.ErrRange, "the priority of %q has the value %d", p.Glob, p.Priority)
		}
	}
	for _, s := range o.Summaries {
		summarized = append(summarized, s.Glob)
		if !utf8.ValidString(s.Text) {
			return nil, failure(wire.CodeInvalidUTF8, wire.ErrUTF8, "the summary of %q is not UTF-8", s.Glob)
		}
	}
	for _, patterns := range []struct {
		option string
		texts  []string
		rules  *[]rule
	}{{"Include", o.Include, &w.include}, {"Exclude", o.Exclude, &w.exclude}, {"Focus", o.Focus, &w.focus}, {"Priorities", ranked, &w.ranks}, {"Summaries", summarized, &w.summaries}} {
		var err error
		if *patterns.rules, err = globs(patterns.option, patterns.texts); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// walk takes the files called names. Files that are named come first: a folder
// that is named, too, does not leave them out.
func (w *walker) walk(names []string) error {
	if len(names) == 0 {
		names = []string{"."}
	}
	var folders, patterns []string
	for _, name := range names {
		if !utf8.ValidString(name) {
			w.leave(name, reasonEncoding, itsName)
			continue
		}
		if name = strings.TrimSuffix(name, "/"); !fs.ValidPath(name) {
			return failure("invalid_path", wire.ErrShape, "%q is no path from the root, with slashes and without . and ..", name)
		}
		info, err := look(w.fsys, name)
		switch {
		case inVersionControl(name):
			w.leave(name, reasonVersionControl, "")
		case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, "*?["):
			patterns = append(patterns, name)
		case err != nil:
			w.leave(name, reasonOf(err), detail(err))
		case info.IsDir():
			folders = append(folders, name)
		default:
			w.file(name, info.Mode(), nil)
		}
	}
	for _, name := range folders {
		w.folder(name, nil)
	}
	for _, name := range patterns {
		glob := rule{pattern: compile(name)}
		if glob.broken {
			return failure("invalid_glob", wire.ErrSyntax, "%q is no pattern", name)
		}
		w.met = false
		start := path.Dir(name[:glob.prefix] + "x")
		if info, err := look(w.fsys, start); err == nil && info.IsDir() {
			w.folder(start, &glob)
		}
		if !w.met {
			w.leave(name, reasonMissing, "nothing matches the pattern")
		}
	}
	w.submodules(folders)
	return w.take()
}

// submodules notes those below the folders that are not checked out.
func (w *walker) submodules(folders []string) {
	for line := range strings.Lines(w.ruleText(w.Above, ".gitmodules")) {
		key, name, _ := strings.Cut(line, "=")
		name, inside := strings.CutPrefix(path.Clean(strings.Trim(strings.TrimSpace(name), `"`)), w.prefix)
		if strings.TrimSpace(key) != "path" || !inside || !fs.ValidPath(name) || coveredByAny(w.exclude, name) ||
			!slices.ContainsFunc(folders, func(f string) bool { return f == "." || strings.HasPrefix(name+"/", f+"/") }) {
			continue
		}
		if _, err := look(w.fsys, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if entries, _ := fs.ReadDir(w.fsys, name); len(entries) == 0 {
			w.leave(name+"/", reasonSubmodule, "")
		}
	}
}

// errLink is met in the place of a folder.
var errLink = errors.New("a symbolic link is not followed")

// look describes what is called name, which no symbolic link may lead to.
func look(fsys fs.FS, name string) (fs.FileInfo, error) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if info, err := fs.Lstat(fsys, name[:i]); err != nil {
			return nil, err
		} else if info.Mode()&fs.ModeSymlink != 0 {
			return nil, &fs.PathError{Op: "open", Path: name[:i], Err: errLink}
		}
	}
	return fs.Lstat(fsys, name)
}

// itsName is the detail where it is the path that is not UTF-8.
const itsName = "its name"

func reasonOf(err error) Reason {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return reasonMissing
	case errors.Is(err, errLink):
		return reasonLink
	}
	return reasonUnreadable
}

// detail is the text of an error without paths, which may be those of the host.
func detail(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	return err.Error()
}

func (w *walker) leave(name string, why Reason, detail string) {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if !w.KeepSecrets {
		masked, _ := mask("", []byte(name))
		name = string(masked)
	}
	w.left[name] = Skipped{name, why, strings.ToValidUTF8(detail, "\uFFFD")}
}

// folder takes what is in a folder, or what of it a pattern covers, until the context ends.
func (w *walker) folder(name string, only *rule) {
	if name != "." && strings.Count(name, "/")+1 >= maxDepth {
		w.leave(name+"/", reasonDeep, "")
		return
	}
	entries, err := fs.ReadDir(w.fsys, name)
	if err != nil { // what was read of it is taken
		w.leave(strings.TrimPrefix(name+"/", "./"), reasonUnreadable, detail(err))
	}
	if isGitData(entries) {
		w.leave(name+"/", reasonVersionControl, "")
		return
	}
	rules := w.rulesIn(path.Join(w.Within, name))
	for _, d := range entries {
		below := path.Join(name, d.Name())
		if !utf8.ValidString(d.Name()) {
			w.leave(below, reasonEncoding, itsName)
			continue
		}
		covered := only == nil || only.covers(below)
		w.met = w.met || covered
		if !d.IsDir() {
			if covered {
				w.file(below, d.Type(), rules)
			}
		} else if why := w.folderReason(below, entries, rules); why != "" {
			w.leave(below+"/", why, "")
		} else if w.ctx.Err() == nil {
			w.folder(below, only)
		}
	}
}

// ignored reports whether rules say that a file or folder is.
func (w *walker) ignored(rules *rules, name string, folder bool) bool {
	set, _ := rules.says(markIgnored, w.prefix+name, folder)
	return set
}

func coveredByAny(rules []rule, name string) bool {
	return slices.ContainsFunc(rules, func(r rule) bool { return r.covers(name) })
}

// file takes a file unless something speaks against it. Those that were found in a folder
// have rules, not those that were named.
func (w *walker) file(name string, mode fs.FileMode, found *rules) {
	if _, left := w.left[name]; left && found != nil || w.taken[name] {
		return
	}
	if why := w.byName(name, mode, found); why != "" {
		more := ""
		if why == reasonLink {
			if target, err := fs.ReadLink(w.fsys, name); err == nil {
				more = "to " + target
			}
		}
		w.leave(name, why, more)
		return
	}
	w.taken[name] = true
	w.candidates = append(w.candidates, file{File: File{Path: name}, alone: found == nil, marks: w.rulesIn(path.Join(w.Within, path.Dir(name)))})
}

// byName returns what speaks against a file before it is opened.
func (w *walker) byName(name string, mode fs.FileMode, found *rules) Reason {
	base := strings.ToLower(path.Base(name))
	switch {
	case !utf8.ValidString(name):
		return reasonEncoding
	case w.ignored(found, name, false):
		return reasonIgnored
	case coveredByAny(w.exclude, name), len(w.include) > 0 && !coveredByAny(w.include, name):
		return reasonExcluded
	case inVersionControl(name):
		return reasonVersionControl
	case mode&fs.ModeSymlink != 0:
		return reasonLink
	case !mode.IsRegular():
		return reasonIrregular
	case strings.Count(name, "/") >= maxDepth:
		return reasonDeep
	case !w.KeepSecrets && secretName(name):
		return reasonSecret
	case found == nil:
		return ""
	case isFile("lock", base):
		return reasonLock
	case isFile("minified", base):
		return reasonMinified
	}
	return ""
}

// byContent returns what speaks against a file that was read.
func (w *walker) byContent(f *file, text []byte) Reason {
	size := firstGroup(lfsForm, string(text[:min(len(text), 1024)]))
	switch {
	case bytes.IndexByte(text, 0) >= 0:
		return reasonBinary
	case !utf8.Valid(text):
		return reasonEncoding
	case size != "":
		f.more = size + " bytes"
		return reasonLFS
	case !w.KeepSecrets && keyFile(text):
		return reasonSecret
	case f.alone:
		return ""
	}
	lang := languageOf(f.Path, text)
	switch set, unset := f.marks.says(markGenerated, w.prefix+f.Path, false); {
	case set || !unset && generated(lang, text):
		return reasonGenerated
	case (lang == "javascript" || lang == "typescript" || lang == "css") && minified(text):
		return reasonMinified
	}
	return ""
}

// read returns the content of a file that stayed the same while it was read,
// or why there is none.
func (w *walker) read(name string) (text []byte, why Reason, more string) {
	most := w.MaxFile
	if isNotebook(name) { // what is left of it without its outputs may be small
		most = maxFileLimit
	}
	text, changed, err := readWhole(w.fsys, name, most)
	if changed {
		text, changed, err = readWhole(w.fsys, name, most)
	}
	switch {
	case errors.Is(err, errIrregular):
		return nil, reasonIrregular, ""
	case err != nil:
		return nil, reasonOf(err), detail(err)
	case changed:
		return nil, reasonChanged, ""
	case len(text) > most:
		return nil, reasonLarge, ""
	}
	return text, "", ""
}

var errIrregular = errors.New("not a regular file")

// readWhole reads a file, of one larger than most that much and a byte.
func readWhole(fsys fs.FS, name string, most int) (text []byte, changed bool, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if !before.Mode().IsRegular() {
		return nil, false, errIrregular
	}
	var b bytes.Buffer
	if size := before.Size(); size <= int64(most) {
		b.Grow(int(size) + bytes.MinRead)
	}
	_, fault := b.ReadFrom(io.LimitReader(f, int64(most)+1))
	after, err := f.Stat()
	if err = cmp.Or(fault, err); err != nil {
		return nil, false, err
	}
	return b.Bytes(), before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime()), nil
}

// rank sets the class and the priority of a file, and how often it changed.
func (w *walker) rank(f *file) {
	f.Changes = w.Changes[f.Path]
	f.Class = f.marks.class(w.prefix+f.Path, classOf(f.Path, f.Bytes))
	if f.alone {
		f.Class = classNamed
	}
	if f.Class == classConfiguration && path.Ext(f.Path) == "" && f.suffix() != "" {
		f.Class = classSource // a program without a suffix
	}
	f.Priority = cmp.Or(priorityOf[f.Class], bcp.PriorityLow)
	for i := len(w.ranks) - 1; i >= 0; i-- {
		if w.ranks[i].covers(f.Path) {
			f.Priority, f.Rule = w.Priorities[i].Priority, w.Priorities[i].Glob
			return
		}
	}
}

// unused returns the patterns of priorities that match none of the files.
func (w *walker) unused() (patterns []string) {
	for i, r := range w.ranks {
		if !slices.ContainsFunc(w.files, func(f file) bool { return r.covers(f.Path) }) {
			patterns = append(patterns, w.Priorities[i].Glob)
		}
	}
	return patterns
}

// rulesIn returns the rules for the entries of a folder, whose path is from the top of Above.
func (w *walker) rulesIn(name string) *rules {
	if r, ok := w.rules[name]; ok {
		return r
	}
	var above *rules
	switch {
	case name != ".":
		above = w.rulesIn(path.Dir(name))
	case !w.NoIgnore:
		above = &rules{list: append(w.ignores("", w.Ignore), w.ignores("", w.ruleText(w.Above, ".git/info/exclude"))...)}
	}
	base := strings.TrimPrefix(name+"/", "./")
	fsys, folder := w.Above, base
	if below, ok := strings.CutPrefix(base, w.prefix); ok {
		fsys, folder = w.fsys, below
	}
	r := &rules{above, parseAttributes(base, w.ruleText(fsys, folder+".gitattributes"))}
	if !w.NoIgnore {
		r.list = append(r.list, w.ignores(base, w.ruleText(fsys, folder+".gitignore"))...)
	}
	w.rules[name] = r
	return r
}

// ruleText is the text of a file of rules if it is there and regular.
func (w *walker) ruleText(fsys fs.FS, name string) string {
	info, err := look(fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _, err := readWhole(fsys, name, maxIgnore)
	switch {
	case err != nil:
		w.leave(name, reasonUnreadable, detail(err)+"; its rules do not hold")
	case len(text) > maxIgnore:
		w.leave(name, reasonLarge, "its rules do not hold")
	default:
		return string(text)
	}
	return ""
}
