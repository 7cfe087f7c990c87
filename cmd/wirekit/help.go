package main

import (
	"cmp"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/scorecard"
	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/tokens"
)

func newMan(c *console) *cobra.Command {
	var dir string
	cmd := newCommand("man", nil, func(cmd *cobra.Command, args []string) error {
		root := cmd.Root()
		if dir != "" {
			if len(args) > 0 {
				return usagef("man --out-dir writes the pages of all commands, and takes no COMMAND")
			}
			return writeMan(c, root, dir)
		}
		found, err := find(root, args)
		if err != nil {
			return err
		}
		page := roff(manName(found), manPage(found))
		if isDevice(c.out) {
			page = pageText(manPage(found))
		}
		if isDevice(c.out) && !isTerminal(c.out) {
			page = strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(page)
		}
		return c.write("", []byte(page))
	})
	cmd.Flags().StringVar(&dir, "out-dir", "", "folder to write the pages of all commands into")
	return cmd
}

// writeMan writes the page of cmd and of those below it.
func writeMan(c *console, cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := c.write(filepath.Join(dir, manName(cmd)+".1"), []byte(roff(manName(cmd), manPage(cmd)))); err != nil {
		return err
	}
	for _, sub := range documented(cmd) {
		if err := writeMan(c, sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// documented are the commands below cmd that have pages: not cobra's own help.
func documented(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() || sub.Name() == "help"
	})
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// A section is a part of a manual page.
type section struct {
	name     string
	bold     string // what the text begins with
	text     string // paragraphs; lines that are indented stay lines of their own
	items    []item
	examples string
	pages    []string // other pages
}

// An item is a paragraph about a tag, which is on the line above it.
type item struct{ tag, text string }

// manPage returns the manual page of a command. It has no date, so that the same
// program always gives the same page.
func manPage(cmd *cobra.Command) []section {
	_, arguments, _ := strings.Cut(cmd.Use, " ")
	var commands, options []item
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent()))
	}
	for _, sub := range documented(cmd) {
		arguments = "COMMAND [flags]"
		commands = append(commands, item{sub.Name(), sub.Short})
		pages = append(pages, manName(sub))
	}
	cmd.InitDefaultHelpFlag()
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		flag := "--" + f.Name
		if f.Shorthand != "" {
			flag = "-" + f.Shorthand + ", " + flag
		}
		if name != "" {
			flag += " " + strings.ToUpper(name)
		}
		options = append(options, item{flag, usage})
	})
	page := []section{
		{name: "NAME", text: manName(cmd) + " - " + cmd.Short},
		{name: "SYNOPSIS", bold: cmd.CommandPath(), text: arguments},
		{name: "DESCRIPTION", text: strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short+"."))},
		{name: "COMMANDS", items: commands},
		{name: "OPTIONS", items: options},
		{name: "EXAMPLES", examples: strings.ReplaceAll("\n"+cmd.Example, "\n  ", "\n")[1:]},
		{name: "SEE ALSO", pages: pages},
	}
	return slices.DeleteFunc(page, func(s section) bool {
		return s.bold+s.text+s.examples == "" && s.items == nil && s.pages == nil
	})
}

// roffText keeps hyphens and backslashes what they are.
var roffText = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// roffLine escapes a line, so that it is not a request of the formatter's.
func roffLine(line string) string {
	line = roffText.Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// roff returns a page for the formatter of manual pages.
func roff(name string, page []section) string {
	var r strings.Builder
	write := func(request, text string) { r.WriteString(request + roffLine(text) + "\n") }
	fmt.Fprintf(&r, ".TH %s 1 \"\" \"wirekit\" \"wirekit manual\"\n", strings.ToUpper(roffLine(name)))
	for _, s := range page {
		r.WriteString(".SH " + s.name + "\n")
		if s.bold != "" {
			write(".B ", s.bold)
		}
		filled := true
		for line := range strings.Lines(s.text) {
			line = strings.TrimSuffix(line, "\n")
			if indented := strings.HasPrefix(line, "  "); indented == filled {
				filled = !indented
				r.WriteString(map[bool]string{true: ".fi\n", false: ".nf\n"}[filled])
			}
			if line == "" {
				r.WriteString(".PP\n")
			} else {
				write("", line)
			}
		}
		if !filled {
			r.WriteString(".fi\n")
		}
		for _, item := range s.items {
			write(".TP\n.B ", item.tag)
			write("", item.text)
		}
		if s.examples != "" {
			r.WriteString(".nf\n")
			for line := range strings.SplitSeq(s.examples, "\n") {
				write("", line)
			}
			r.WriteString(".fi\n")
		}
		for i, page := range s.pages {
			comma := ","
			if i == len(s.pages)-1 {
				comma = ""
			}
			fmt.Fprintf(&r, ".BR %s (1)%s\n", roffLine(page), comma)
		}
	}
	return r.String()
}

// The columns of a page on a terminal.
const (
	pageWidth  = 78
	pageIndent = 7
)

// pageText returns a page as text, for terminals, with bold headings.
func pageText(page []section) string {
	var p strings.Builder
	for _, s := range page {
		fmt.Fprintf(&p, "\n\x1b[1m%s\x1b[0m\n", s.name)
		words := strings.Fields(s.bold)
		for line := range strings.Lines(s.text) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case line == "":
				words = fill(&p, words, pageIndent)
				p.WriteByte('\n')
			case strings.HasPrefix(line, "  "):
				words = fill(&p, words, pageIndent)
				fmt.Fprintf(&p, "%*s%s\n", pageIndent, "", line)
			default:
				words = append(words, strings.Fields(line)...)
			}
		}
		if s.pages != nil {
			words = strings.Fields(strings.Join(s.pages, "(1), ") + "(1)")
		}
		fill(&p, words, pageIndent)
		for _, item := range s.items {
			fmt.Fprintf(&p, "%*s\x1b[1m%s\x1b[0m\n", pageIndent, "", item.tag)
			fill(&p, strings.Fields(item.text), 2*pageIndent)
		}
		for line := range strings.Lines(s.examples) {
			fmt.Fprintf(&p, "%*s%s\n", pageIndent, "", strings.TrimSuffix(line, "\n"))
		}
	}
	return p.String()
}

// fill writes words in lines of the page's width, and returns none.
func fill(p *strings.Builder, words []string, indent int) []string {
	column := 0
	for _, word := range words {
		switch width := utf8.RuneCountInString(word); {
		case column == 0:
			column = indent + width
			fmt.Fprintf(p, "%*s%s", indent, "", word)
		case column+1+width > pageWidth:
			column = indent + width
			fmt.Fprintf(p, "\n%*s%s", indent, "", word)
		default:
			column += 1 + width
			p.WriteString(" " + word)
		}
	}
	if column > 0 {
		p.WriteByte('\n')
	}
	return nil
}

// helpTexts have a file for each command: its usage, what it is in a line, and after an
// empty line what --help and the manual page say of it, with examples after "Examples:".
//
//go:embed help
var helpTexts embed.FS

// command returns a command with the texts of a file.
func command(name string) *cobra.Command {
	file, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	use, text, _ := strings.Cut(string(file), "\n")
	short, text, _ := strings.Cut(text, "\n")
	long, examples, _ := strings.Cut(text, "\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long), Example: strings.TrimRight(examples, "\n")}
}

// newCommand returns a command that takes these arguments and runs.
func newCommand(name string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd := command(name)
	cmd.Args, cmd.RunE = args, run
	return cmd
}

// newGroup returns the command that has these verbs.
func newGroup(name string, verbs ...*cobra.Command) *cobra.Command {
	group := newCommand(name, noVerb, func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	group.AddCommand(verbs...)
	return group
}

// groups are the verbs of the first page of help by what they are for; those that are in
// none come last.
var groups = []struct{ title, verbs string }{
	{"Every day:", "check compare convert diff inspect pack patch playground repair tokens unfold"},
	{"Agents and models:", "audit exec hook llm mcp quiz"},
	{"Formats:", "bcp fingerprint formats gcf gcx glyph goon toon"},
}

func addGroups(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(strings.Fields(g.verbs), cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
}

// flagValues are the words that flags take, in every verb.
var flagValues = map[string]func() []string{
	"from":      fullNames,
	"from-a":    fullNames,
	"from-b":    fullNames,
	"formats":   fullNames,
	"to":        func() []string { return append(append(fullNames(), linesNames...), auto) },
	"tokenizer": tokens.Names,
	"precision": words("counted", "sampled", "bytes"),
	"normalize": words("escapes", "progress", "blanks"),
	"render":    words("xml", "markdown", "minimal"),
	"policy":    words("fit", "steady", "reference"),
	"verbosity": words("adaptive", "full", "summary"),
	"mode":      words("replace", "text", "dry-run", "off"),
	"magic":     words("lcp", "bcp"),
	"delimiter": words("comma", "tab", "pipe"),
	"include":   words("code", "conversation", "file_tree", "tool_result", "document", "structured_data", "diff", "annotation", "embedding_ref", "image", "extension"),
	"kinds": func() (names []string) {
		for _, kind := range quiz.Kinds() {
			names = append(names, string(kind))
		}
		return names
	},
}

func words(list ...string) func() []string { return func() []string { return list } }

// addCompletions completes the values of flags of cmd and of the commands below it.
func addCompletions(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values := flagValues[f.Name]
		switch cmd.CommandPath() + " --" + f.Name {
		case "wirekit gcx scorecard --tokenizer":
			values = scorecard.Tokenizers
		case "wirekit pack --include": // patterns of files
			values = nil
		}
		if values != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(slices.Clone(values()), cobra.ShellCompDirectiveNoFileComp))
		}
	})
	for _, sub := range cmd.Commands() {
		addCompletions(sub)
	}
}
