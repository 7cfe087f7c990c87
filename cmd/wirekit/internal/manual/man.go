// Package manual has the verb man. It imports cli, not other verbs.
package manual

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// New returns the verb man.
func New(c *cli.Console) *cobra.Command {
	var dir string
	cmd := cli.NewCommand("man", nil, func(cmd *cobra.Command, args []string) error {
		root := cmd.Root()
		if dir != "" {
			if len(args) > 0 {
				return cli.Usagef("man --out-dir writes the pages of all commands, and takes no COMMAND")
			}
			return writeMan(c, root, dir)
		}
		found, err := cli.Find(root, args)
		if err != nil {
			return err
		}
		page := roff(manName(found), manPage(found))
		if cli.IsDevice(c.Out) {
			page = pageText(manPage(found))
		}
		if cli.IsDevice(c.Out) && !cli.IsTerminal(c.Out) {
			page = strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(page)
		}
		return c.Write("", []byte(page))
	})
	cmd.Flags().StringVar(&dir, "out-dir", "", "folder to write the pages of all commands into")
	return cmd
}

// writeMan writes the page of cmd and of those below it.
func writeMan(c *cli.Console, cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := c.Write(filepath.Join(dir, manName(cmd)+".1"), []byte(roff(manName(cmd), manPage(cmd)))); err != nil {
		return err
	}
	for _, sub := range cli.Documented(cmd) {
		if err := writeMan(c, sub, dir); err != nil {
			return err
		}
	}
	return nil
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
	for _, sub := range cli.Documented(cmd) {
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
