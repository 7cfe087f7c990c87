package main

import (
	"bytes"
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
	"github.com/wirekit/wirekit/bcp/pack"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/tokens"
)

// packing are the flags of bcp pack.
type packing struct {
	options    pack.Options
	folder     string
	out        string
	render     string
	budget     int
	budgeted   bool
	tokenizer  string
	tokens     bool
	summary    bool
	verbose    bool
	priorities []string
}

func newBCPPack(c *console) *cobra.Command {
	var p packing
	cmd := &cobra.Command{
		Use:   "pack [PATH|GLOB|-]...",
		Short: "Make a context pack of files and folders",
		Long: `Make a context pack of files, folders and patterns such as 'src/**/*.go'; without
any, of the current folder. - reads a list of paths from standard input, one a line
or ended by NUL bytes.

-o writes the pack. --render prints it as the text that a model reads, within
--budget tokens if that is given. --tokens prints what each file costs.

Left out are version control and dependency folders, what .gitignore names, lock
files, minified and generated files, files of keys and passwords, binary files, and
files above --max-file; symbolic links are not followed. Lock files, ignored, minified
and generated files are packed if they are named one by one. Tokens of well-known
shapes are masked. What was left out or masked is told on standard error.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.budgeted = cmd.Flags().Changed("budget")
			return c.pack(cmd.Context(), p, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&p.folder, "directory", "C", "", "folder that paths are relative to and that holds them all")
	flags.StringVarP(&p.out, "out", "o", "", "file to write the pack to")
	flags.StringVar(&p.render, "render", "", "print the text for a model: xml, markdown or minimal")
	flags.IntVar(&p.budget, "budget", 0, "tokens that the text may take (default: no limit)")
	flags.StringVar(&p.tokenizer, "tokenizer", tokens.Default().Name(), "token counter: "+strings.Join(tokens.Names(), ", "))
	flags.BoolVar(&p.tokens, "tokens", false, "print the tokens of each file, largest first")
	flags.StringArrayVar(&p.options.Include, "include", nil, "pattern of files to take, as in .gitignore; may be repeated")
	flags.StringArrayVar(&p.options.Exclude, "exclude", nil, "pattern of files and folders to leave out; may be repeated")
	flags.IntVar(&p.options.MaxFile, "max-file", pack.DefaultMaxFile, "largest file to take, in bytes")
	flags.StringArrayVar(&p.priorities, "priority", nil, "PATTERN=critical, high, normal, low or background; may be repeated, the last that matches counts")
	flags.StringVar(&p.options.Instruction, "instruction", "", "what the model is to do, behind the files")
	flags.BoolVar(&p.options.Secrets, "include-secrets", false, "take files of keys and passwords, and mask nothing")
	flags.BoolVar(&p.options.NoIgnore, "no-ignore", false, "do not read .gitignore files")
	flags.BoolVar(&p.summary, "summary", true, "give files an outline that a budget can show instead")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "name what is left out by rule, too: ignored, excluded, dependencies")
	return cmd
}

// pack does what bcp pack was asked for.
func (c *console) pack(ctx context.Context, p packing, args []string) error {
	print, err := p.printer()
	if err != nil {
		return err
	}
	if p.out == "" && print == nil && onTerminal(c.out) {
		return usageError{errors.New("a pack is binary: name a file for it with -o, or print its text with --render")}
	}
	o, err := p.resolved()
	if err != nil {
		return err
	}
	args, listed, err := c.listed(args)
	if err != nil {
		return err
	}
	folder, names, err := within(p.folder, append(args, listed...))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	payload, report, err := o.Pack(ctx, root.FS(), names...)
	if err != nil {
		return err
	}
	for _, l := range report.LeftOut {
		if i := slices.Index(names, l.Path); l.Reason == pack.ReasonMissing && i >= 0 && i < len(args) {
			return fmt.Errorf("%s: %s", args[i], l.Reason)
		}
	}
	c.tell(report, p.verbose)
	if len(report.Files) == 0 {
		return errors.New("there is no file to pack")
	}
	if print == nil || p.out != "" {
		data, err := bcp.EncodeOptions{}.AppendEncode(nil, payload)
		if err != nil {
			return err
		}
		if err := c.write(p.out, data); err != nil || print == nil {
			return err
		}
	}
	text, err := print(payload, report)
	if err != nil {
		return err
	}
	if onTerminal(c.out) {
		text = withoutControls(text)
	}
	return c.write("", []byte(text))
}

// resolved are the options of the pack.
func (p *packing) resolved() (pack.Options, error) {
	o := p.options
	o.NoSummaries = !p.summary
	if o.MaxFile < 1 || o.MaxFile > pack.MostMaxFile {
		return o, usageError{fmt.Errorf("--max-file is from 1 to %d, not %d", pack.MostMaxFile, o.MaxFile)}
	}
	for _, text := range p.priorities {
		i := strings.LastIndexByte(text, '=')
		if i < 0 {
			return o, usageError{fmt.Errorf("--priority %s: write PATTERN=high", text)}
		}
		rank, err := bcp.ParsePriority(text[i+1:])
		if err != nil {
			return o, usageError{err}
		}
		o.Priorities = append(o.Priorities, pack.PriorityRule{Glob: text[:i], Priority: rank})
	}
	return o, nil
}

// printer returns what makes the text for standard output, nil for none.
func (p *packing) printer() (func(*bcp.Payload, *pack.Report) (string, error), error) {
	counter, err := tokens.Lookup(p.tokenizer)
	switch {
	case err != nil:
		return nil, usageError{err}
	case p.budgeted && p.render == "":
		return nil, usageError{errors.New("--budget is for the text that --render prints")}
	case p.budget < 0:
		return nil, usageError{errors.New("--budget cannot be negative")}
	case p.tokens && p.render != "":
		return nil, usageError{errors.New("--tokens and --render exclude each other")}
	case p.tokens:
		return func(payload *bcp.Payload, r *pack.Report) (string, error) { return costs(payload, r, counter) }, nil
	case p.render == "":
		return nil, nil
	}
	o := render.Options{Counter: counter, Compact: true}
	if o.Mode, err = render.ParseMode(p.render); err != nil {
		return nil, usageError{err}
	}
	if p.budgeted {
		o.Budget = &p.budget
	}
	return func(payload *bcp.Payload, _ *pack.Report) (string, error) {
		text, err := o.Text(payload)
		if err == nil && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text, err
	}, nil
}

// costs lists the tokens of the files, largest first.
func costs(payload *bcp.Payload, r *pack.Report, counter tokens.Counter) (string, error) {
	type cost struct {
		path   string
		tokens int
	}
	var all []cost
	total := 0
	for _, f := range r.Files {
		n, err := counter.Count(payload.Blocks[f.Block].Body.(*bcp.Code).Content)
		if err != nil {
			return "", err
		}
		all = append(all, cost{f.Path, n})
		total += n
	}
	slices.SortStableFunc(all, func(a, b cost) int { return cmp.Compare(b.tokens, a.tokens) })
	var out strings.Builder
	for _, f := range all {
		fmt.Fprintf(&out, "%10d  %s\n", f.tokens, oneLine(f.path))
	}
	fmt.Fprintf(&out, "%10d  in all, %s\n", total, counter.Name())
	return out.String(), nil
}

// tell reports on standard error what was packed.
func (c *console) tell(r *pack.Report, verbose bool) {
	size, unnamed := 0, 0
	for _, f := range r.Files {
		size += f.Bytes
	}
	for _, l := range r.LeftOut {
		if l.Reason.Routine() && !verbose {
			unnamed++
			continue
		}
		more := ""
		if l.Detail != "" {
			more = " (" + l.Detail + ")"
		}
		c.note("left out %s: %s%s", oneLine(l.Path), l.Reason, more)
	}
	for _, s := range r.Masked {
		at := "the instruction"
		if s.Path != "" {
			at = oneLine(s.Path)
		}
		c.note("masked %s in %s, line %d", s.Rule, at, s.Line)
	}
	hidden := ""
	switch {
	case unnamed > 0 && unnamed < len(r.LeftOut):
		hidden = fmt.Sprintf(" (--verbose names %d more)", unnamed)
	case unnamed > 0:
		hidden = " (--verbose names them)"
	}
	c.note("packed %d files, %d bytes; left out %d%s", len(r.Files), size, len(r.LeftOut), hidden)
}

// listed takes - out of the arguments and returns the paths that standard input
// lists instead.
func (c *console) listed(args []string) (rest, list []string, err error) {
	for _, arg := range args {
		if arg != "-" {
			rest = append(rest, arg)
		}
	}
	if len(rest) == len(args) {
		return rest, nil, nil
	}
	text, err := io.ReadAll(c.in)
	if err != nil {
		return nil, nil, err
	}
	end := "\n"
	if bytes.IndexByte(text, 0) >= 0 {
		end = "\x00"
	}
	for name := range strings.SplitSeq(string(text), end) {
		if end == "\n" {
			name = strings.TrimSuffix(name, "\r")
		}
		if name != "" {
			list = append(list, name)
		}
	}
	if len(list)+len(rest) == 0 {
		return nil, nil, errors.New("standard input lists no paths")
	}
	return rest, list, nil
}

// within returns the folder that holds all paths and the paths from there, with
// slashes. That is dir, if it is given; else the current folder; if that does
// not hold them, the deepest one that does.
func within(dir string, args []string) (string, []string, error) {
	names := make([]string, len(args))
	local := true
	for i, arg := range args {
		names[i] = filepath.Clean(arg)
		if !filepath.IsLocal(names[i]) {
			local = false
		}
	}
	switch {
	case local || len(args) == 0:
		return cmp.Or(dir, "."), slashes(names), nil
	case dir != "":
		i := slices.IndexFunc(names, func(name string) bool { return !filepath.IsLocal(name) })
		return "", nil, usageError{fmt.Errorf("%s is not in the folder of -C; give it relative to that", args[i])}
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
		if i == 0 {
			top = holder
		}
		for !inside(top, holder) {
			above := filepath.Dir(top)
			if above == top {
				return "", nil, usageError{fmt.Errorf("no folder holds both %s and %s", args[0], args[i])}
			}
			top = above
		}
	}
	for i, name := range names {
		rest, err := filepath.Rel(top, name)
		if err != nil {
			return "", nil, err
		}
		names[i] = rest
	}
	return top, slashes(names), nil
}

// inside reports whether a folder is another one or in it.
func inside(folder, name string) bool {
	rest, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(rest)
}

func slashes(names []string) []string {
	for i, name := range names {
		names[i] = filepath.ToSlash(name)
	}
	return names
}

func newBCPUnpack(c *console) *cobra.Command {
	var r reading
	var o pack.UnpackOptions
	var folder string
	cmd := &cobra.Command{
		Use:   "unpack [-C DIR] [FILE|-]",
		Short: "Write the files of a context pack to a folder",
		Long: `Write the files of a context pack, its blocks of code, to a folder, which is made if
it is not there. Nothing is written unless everything can be: paths that lead out of
the folder or into version control, names that not every system has, names that differ
in case only, symbolic links on the way, and files that exist are refused by name.`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			payload, err := c.payload(argument(args), r)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			root, err := os.OpenRoot(folder)
			if err != nil {
				return err
			}
			defer root.Close()
			done, err := o.Unpack(payload, root)
			if done != nil {
				for _, name := range done.Masked {
					c.note("secrets in %s were masked when it was packed", oneLine(name))
				}
				c.note("wrote %d files", len(done.Files))
			}
			return err
		},
	}
	r.add(cmd)
	cmd.Flags().StringVarP(&folder, "directory", "C", ".", "folder to write to")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace files that exist")
	return cmd
}
