// Package pack has the verb pack. It imports cli, not other verbs; the counts that it keeps
// are in a folder of their own.
package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/pack/counts"
	"github.com/wirekit/wirekit/internal/repo/git"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
)

// packing are the flags of pack.
type packing struct {
	options                        pack.Options
	folder, out, store, render     string
	diff, conversation, since      string
	budget, maxFile                cli.Amount
	tokenizer                      cli.Tokenizer
	log                            int
	priorities, summaries          []string
	dedup, tokens, explain, json   bool
	numbers, best, staged, verbose bool
	budgeted, diffed               bool // the flags are given
	remote                         bool // what is packed was fetched
}

// New returns the verb pack.
func New(c *cli.Console) *cobra.Command {
	var p packing
	cmd := cli.NewCommand("pack", nil, func(cmd *cobra.Command, args []string) error {
		p.budgeted = cmd.Flags().Changed("budget")
		p.diffed = cmd.Flags().Changed("git-diff")
		return p.run(cmd.Context(), c, args)
	})
	p.addFlags(cmd)
	return cmd
}

func (p *packing) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&p.folder, "directory", "C", "", "folder that paths are relative to and that holds them all")
	flags.StringVarP(&p.out, "out", "o", "", "file to write the pack to")
	flags.StringVar(&p.store, "store", "", "folder that keeps counts of tokens and, with --dedup, the content of files, so that packs share it")
	flags.BoolVar(&p.dedup, "dedup", false, "write blocks that repeat as their hashes, with --store all files")
	flags.StringVar(&p.render, "render", "", "print the text for a model: xml, markdown or minimal")
	flags.Var(&p.budget, "budget", "tokens that the text may take (default: no limit)")
	p.tokenizer.Add(flags, "token counter: ")
	flags.BoolVar(&p.numbers, "line-numbers", false, "with --render: number the lines of files")
	flags.BoolVar(&p.best, "best-data", false, "with --render: write structured data in the format with the fewest tokens")
	flags.BoolVar(&p.tokens, "tokens", false, "print the tokens of each folder and file as a tree, largest first; with --render on standard error")
	flags.BoolVar(&p.json, "json", false, "with --tokens and without --render, print JSON: each file with its tokens and rank, what was left out and what was masked")
	flags.BoolVar(&p.explain, "explain", false, "tell on standard error what the rank of each file comes from, and how much of it is shown")
	flags.StringArrayVar(&p.options.Include, "include", nil, "pattern of files to take, as in .gitignore; may be repeated")
	flags.StringArrayVar(&p.options.Exclude, "exclude", nil, "pattern of files and folders to leave out; may be repeated")
	p.maxFile = 1 << 20
	flags.Var(&p.maxFile, "max-file", "largest file to take, in bytes")
	flags.StringArrayVar(&p.priorities, "priority", nil, "PATTERN=critical, high, normal, low or background; may be repeated, the last that matches counts")
	flags.StringArrayVar(&p.summaries, "summary", nil, "PATTERN=TEXT that a budget can show in the place of files, without TEXT nothing; may be repeated")
	flags.StringVar(&p.options.About, "about", "", "question that the pack is to answer: files with its words come first, of long ones the passages that have them")
	flags.StringArrayVar(&p.options.Focus, "focus", nil, "pattern of files to show first, with what is near to them by imports and references; may be repeated")
	flags.BoolVar(&p.options.NoSummaries, "no-summaries", false, "no outlines that a budget can show")
	flags.StringVar(&p.diff, "git-diff", "", "add the differences of the work tree from a revision, by default HEAD, or between two: A..B")
	flags.Lookup("git-diff").NoOptDefVal = "HEAD"
	flags.BoolVar(&p.staged, "staged", false, "add the differences of the index from HEAD, or from --git-diff")
	flags.IntVar(&p.log, "git-log", 0, "add the last N commits: hash, subject, files")
	flags.StringVar(&p.conversation, "conversation", "", "add a conversation from a JSON file, in the shape of one of the usual interfaces")
	flags.StringVar(&p.options.Instruction, "instruction", "", "what the model is to do, after the files")
	flags.StringVar(&p.since, "since", "", "earlier pack that the reader has: show what has changed since")
	flags.BoolVar(&p.options.StableFirst, "stable-first", false, "files that seldom change before others, so that texts begin alike for longer")
	flags.BoolVar(&p.options.KeepSecrets, "include-secrets", false, "take files of keys and passwords, and mask nothing")
	flags.BoolVar(&p.options.NoIgnore, "no-ignore", false, "do not read .gitignore files")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "name every file that is left out or masked, by rule too: ignored, excluded, dependencies")
}

// run does what pack was asked for.
func (p packing) run(ctx context.Context, c *cli.Console, args []string) error {
	print, err := p.printer(c)
	if err != nil {
		return err
	}
	if p.out == "" && print == nil && cli.IsDevice(c.Out) {
		return cli.Usagef("a pack is binary: name a file for it with -o, or print its text with --render")
	}
	if err := p.resolve(); err != nil {
		return err
	}
	args, listed, err := listed(c, args)
	if err != nil {
		return err
	}
	if args, err = p.fetched(ctx, c, args); err != nil {
		return err
	}
	folder, names, err := within(p.folder, append(args, listed...))
	if err != nil {
		return err
	}
	if err := p.sources(ctx, folder, names); err != nil {
		return err
	}
	payload, report, err := p.packed(ctx, folder, names, args)
	if err != nil {
		return err
	}
	tell(c, report, p.verbose)
	if len(report.Files) == 0 && len(p.options.Sections) == 0 {
		return errors.New("there is no file to pack")
	}
	if print == nil || p.out != "" {
		if err := writePack(c, payload, &p); err != nil || print == nil {
			if p.explain && err == nil {
				explain(c, report, nil)
			}
			return err
		}
	}
	text, err := print(payload, report)
	if err != nil {
		return err
	}
	if cli.IsDevice(c.Out) {
		text = cli.WithoutControls(text)
	}
	return c.Write("", []byte(text))
}

// packed makes the pack of files of a folder. The first of the names are those that args give.
func (p *packing) packed(ctx context.Context, folder string, names, args []string) (*bcp.Payload, *pack.Report, error) {
	if !p.options.NoIgnore && !p.remote {
		p.options.Ignore, p.options.IgnoreCase = git.Ignores(ctx, folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if top, below := repositoryTop(folder); top != "" {
		above, err := os.OpenRoot(top)
		if err != nil {
			return nil, nil, err
		}
		defer above.Close()
		p.options.Above, p.options.Within = above.FS(), below
	}
	payload, report, err := p.options.Pack(ctx, root.FS(), names...)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range report.Skipped {
		if i := slices.Index(names, l.Path); l.Reason == "missing" && i >= 0 && i < len(args) {
			return nil, nil, fmt.Errorf("%s: %s%s", args[i], l.Reason, p.meant(args[i]))
		}
	}
	if len(report.Unused) > 0 {
		return nil, nil, cli.Usagef("--priority: no file matches %s", strings.Join(report.Unused, ", "))
	}
	return payload, report, nil
}

// meant returns how a word is written that was taken for a path and may be the value of a
// flag before it.
func (p *packing) meant(word string) string {
	switch {
	case p.staged:
		return fmt.Sprintf("; for the differences of the index from it write --staged --git-diff=%s", word)
	case p.diffed && p.diff == "HEAD":
		return fmt.Sprintf("; for the differences from it write --git-diff=%s", word)
	}
	return ""
}

// repositoryTop returns the folder above another one that has its repository, and the path
// from there, with slashes; "" if there is none, or none above.
func repositoryTop(folder string) (top, below string) {
	dir, err := filepath.Abs(folder)
	if top = git.Top(dir); err != nil || top == "" || top == dir {
		return "", ""
	}
	return top, filepath.ToSlash(strings.TrimPrefix(dir[len(top):], string(filepath.Separator)))
}

// writePack writes the pack. With a store and --dedup the store holds the files,
// and the pack their hashes: packs share what is the same in them.
func writePack(c *cli.Console, payload *bcp.Payload, p *packing) error {
	o := bcp.EncodeOptions{Dedup: p.dedup}
	if p.store != "" && p.dedup {
		o.Store = store.Dir{Path: p.store}
		for i := range payload.Blocks {
			if payload.Blocks[i].Type() == bcp.BlockCode {
				payload.Blocks[i].Flags |= bcp.FlagIsReference
			}
		}
	}
	data, err := o.AppendEncode(context.Background(), nil, payload)
	if err != nil {
		return err
	}
	return c.Write(p.out, data)
}

// resolve reads the flags that are rules.
func (p *packing) resolve() error {
	o := &p.options
	o.Data = cli.FirstRows
	if (o.About != "" || len(o.Focus) > 0) && (!p.ranked() || o.NoSummaries) {
		return cli.Usagef("--about and --focus rank what --budget shows: give a --budget, or write the pack with -o")
	}
	o.NoSummaries = o.NoSummaries || !p.ranked()
	if o.MaxFile = int(p.maxFile); o.MaxFile < 1 || o.MaxFile > maxFile {
		return cli.Usagef("--max-file is from 1 to %d, not %d", maxFile, o.MaxFile)
	}
	if p.log < 0 {
		return cli.Usagef("--git-log is a number of commits, not %d", p.log)
	}
	for _, text := range p.priorities {
		i := strings.LastIndexByte(text, '=')
		if i < 0 {
			return cli.Usagef("--priority %s: write PATTERN=high", text)
		}
		var rank bcp.Priority
		if err := rank.UnmarshalText([]byte(text[i+1:])); err != nil {
			return cli.Usage(err)
		}
		o.Priorities = append(o.Priorities, pack.PriorityRule{Glob: text[:i], Priority: rank})
	}
	for _, text := range p.summaries {
		glob, summary, ok := strings.Cut(text, "=")
		if !ok {
			return cli.Usagef("--summary %s: write PATTERN=TEXT", text)
		}
		o.Summaries = append(o.Summaries, pack.SummaryRule{Glob: glob, Text: summary})
	}
	return nil
}

// printer returns what makes the text for standard output, nil for none.
func (p *packing) printer(c *cli.Console) (func(*bcp.Payload, *pack.Report) (string, error), error) {
	counter := p.tokenizer.Counter
	save := func() error { return nil }
	if p.store != "" {
		counted := counts.Open(p.store, counter)
		counter, save = counted, counted.Save
	}
	switch {
	case p.budgeted && p.render == "":
		return nil, cli.Usagef("--budget is for the text that --render prints; add --render markdown")
	case (p.numbers || p.best) && p.render == "":
		return nil, cli.Usagef("--line-numbers and --best-data are for the text that --render prints")
	case p.dedup && p.out == "" && p.render != "":
		return nil, cli.Usagef("--dedup is for the pack that -o writes")
	case p.json && (!p.tokens || p.render != ""):
		return nil, cli.Usagef("--json is the form of what --tokens prints without --render")
	case p.tokens && p.render == "":
		return func(payload *bcp.Payload, r *pack.Report) (string, error) {
			counts, err := countFiles(payload, r, counter)
			if err = cmp.Or(err, save()); err != nil {
				return "", err
			}
			if p.json {
				return costReport(r, counts, counter.Name())
			}
			if p.explain {
				explain(c, r, nil)
			}
			return costTree(r, counts, counter.Name()), nil
		}, nil
	case p.render == "":
		return nil, nil
	}
	o := render.Options{Counter: counter, Compact: true, LineNumbers: p.numbers}
	if p.best {
		o.Data = bestData
	}
	if err := o.Mode.UnmarshalText([]byte(p.render)); err != nil {
		return nil, cli.Usage(err)
	}
	if p.budgeted {
		o.Budget = (*int)(&p.budget)
	}
	return func(payload *bcp.Payload, report *pack.Report) (string, error) {
		r, err := o.Render(payload)
		if err != nil {
			return "", err
		}
		if p.explain {
			explain(c, report, r)
		}
		text := string(r.Text)
		if p.tokens {
			counts, err := countFiles(payload, report, counter)
			if err != nil {
				return "", err
			}
			fmt.Fprint(c.Err, costTree(report, counts, counter.Name()))
		}
		if !strings.HasSuffix(text, "\n") && (o.Budget == nil || fitsWithBreak(text, counter, *o.Budget)) {
			text += "\n"
		}
		return text, save()
	}, nil
}

// ranked reports whether anybody asks for ranks and summaries: a budget does,
// and a pack that is written may get one.
func (p *packing) ranked() bool {
	return p.budgeted || p.explain || p.out != "" || p.render == "" && !p.tokens || p.options.StableFirst
}

// fitsWithBreak reports whether a text is within the budget with a line break
// at its end, which it then gets.
func fitsWithBreak(text string, counter tokens.Counter, budget int) bool {
	n, err := counter.Count([]byte(text + "\n"))
	return err == nil && n <= budget
}

// A remark is a line for standard error about a file that was left out, or masked.
type remark struct{ did, reason, name, line string }

// remarks writes what is remarked: of several for one reason their number and the first,
// unless all are wanted.
func remarks(c *cli.Console, list []remark, all bool) {
	count := make(map[string]int)
	for _, r := range list {
		count[r.did+r.reason]++
	}
	for _, r := range list {
		switch n := count[r.did+r.reason]; {
		case all || n == 1:
			c.Note("%s", r.line)
		case n > 1:
			c.Note("%s %d: %s (%s and others; --verbose names all)", r.did, n, r.reason, r.name)
			count[r.did+r.reason] = 0
		}
	}
}

// maxFile is the most that [pack.Options.MaxFile] takes.
const maxFile = 15 << 20

// routine are the reasons that most folders have.
var routine = []pack.Reason{"version-control", "dependencies", "ignored", "excluded"}

// tell reports on standard error what was packed.
func tell(c *cli.Console, r *pack.Report, verbose bool) {
	size, unnamed := 0, 0
	for _, f := range r.Files {
		size += f.Bytes
	}
	var list []remark
	for _, l := range r.Skipped {
		if !verbose && slices.Contains(routine, l.Reason) {
			unnamed++
			continue
		}
		more := ""
		if l.Detail != "" {
			more = " (" + l.Detail + ")"
		}
		list = append(list, remark{"left out", l.Reason.String(), cli.OneLine(l.Path), fmt.Sprintf("left out %s: %s%s", cli.OneLine(l.Path), l.Reason, more)})
	}
	for _, s := range r.Masked {
		at := cli.OneLine(cmp.Or(s.Path, "the instruction"))
		list = append(list, remark{"masked", s.Rule, at, fmt.Sprintf("masked %s in %s, line %d", s.Rule, at, s.Line)})
	}
	for _, name := range r.Broken {
		list = append(list, remark{"packed as plain text", "not a notebook", cli.OneLine(name), fmt.Sprintf("packed %s as plain text: not a notebook", cli.OneLine(name))})
	}
	remarks(c, list, verbose)
	hidden := ""
	switch {
	case unnamed > 0 && unnamed < len(r.Skipped):
		hidden = fmt.Sprintf(" (--verbose names %d more)", unnamed)
	case unnamed > 0:
		hidden = " (--verbose names them)"
	}
	c.Note("packed %d files, %d bytes; left out %d%s", len(r.Files), size, len(r.Skipped), hidden)
}

// listed takes - out of the arguments and returns the paths that standard input
// lists instead.
func listed(c *cli.Console, args []string) (rest, list []string, err error) {
	rest = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "-" })
	if len(rest) == len(args) {
		return rest, nil, nil
	}
	src, err := io.ReadAll(c.In)
	if err != nil {
		return nil, nil, err
	}
	text, end := string(src), '\x00'
	if !strings.ContainsRune(text, end) {
		text, end = strings.ReplaceAll(text+"\n", "\r\n", "\n"), '\n'
	}
	list = strings.FieldsFunc(text, func(r rune) bool { return r == end })
	if len(list)+len(rest) == 0 {
		return nil, nil, errors.New("standard input lists no paths")
	}
	return rest, list, nil
}

// within returns the folder that holds all paths and the paths from there, with
// slashes. That is dir, if it is given; else the only path, if that is a folder; else the
// current folder; if that does not hold them, the deepest one that does.
func within(dir string, args []string) (string, []string, error) {
	if dir == "" && len(args) == 1 {
		if info, err := os.Lstat(args[0]); err == nil && info.IsDir() {
			return args[0], nil, nil
		}
	}
	names := make([]string, len(args))
	for i, arg := range args {
		names[i] = filepath.ToSlash(filepath.Clean(arg))
	}
	outside := slices.IndexFunc(names, func(name string) bool { return !filepath.IsLocal(name) })
	switch {
	case outside < 0:
		return cmp.Or(dir, "."), names, nil
	case dir != "":
		return "", nil, cli.Usagef("%s is not in the folder of -C; give it relative to that", args[outside])
	}
	top := ""
	for i, name := range names {
		name, err := filepath.Abs(name)
		if err != nil {
			return "", nil, err
		}
		names[i] = name
		holder := name
		if n := strings.IndexAny(name, "*?["); n >= 0 {
			if _, err := os.Lstat(name); err != nil {
				holder = name[:n] + "x" // the pattern begins here
			}
		}
		if info, err := os.Lstat(holder); err != nil || !info.IsDir() {
			holder = filepath.Dir(holder)
		}
		for top = cmp.Or(top, holder); !inside(top, holder); top = filepath.Dir(top) {
			if filepath.Dir(top) == top {
				return "", nil, cli.Usagef("no folder holds both %s and %s", args[0], args[i])
			}
		}
	}
	for i, name := range names {
		rest, err := filepath.Rel(top, name)
		if err != nil {
			return "", nil, err
		}
		names[i] = filepath.ToSlash(rest)
	}
	return top, names, nil
}

// inside reports whether a folder is another one or in it.
func inside(folder, name string) bool {
	rest, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(rest)
}
