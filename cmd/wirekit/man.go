package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(c *console) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [--out-dir DIR] [COMMAND…]",
		Short: "Print the manual page of a command, or write all of them",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if dir != "" {
				if len(args) > 0 {
					return usageError{fmt.Errorf("man --out-dir writes the pages of all commands, and takes no COMMAND")}
				}
				return writeMan(c, root, dir)
			}
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(found, args[len(args)-max(1, len(rest))])
			}
			page := manPage(found)
			if isDevice(c.out) {
				page = pageText(page)
				if !isTerminal(c.out) {
					page = strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(page)
				}
			}
			return c.write("", []byte(page))
		},
	}
	cmd.Flags().StringVar(&dir, "out-dir", "", "folder to write the pages of all commands into")
	return cmd
}

// writeMan writes the page of cmd and of those below it.
func writeMan(c *console, cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := c.write(filepath.Join(dir, manName(cmd)+".1"), []byte(manPage(cmd))); err != nil {
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
	var subs []*cobra.Command
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			subs = append(subs, sub)
		}
	}
	return subs
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// A roff is a manual page being written.
type roff struct{ strings.Builder }

func (r *roff) section(name string) { fmt.Fprintf(r, ".SH %s\n", name) }

// text writes paragraphs. Lines that are indented stay lines of their own.
func (r *roff) text(s string) {
	literal := false
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != literal {
			literal = indented
			r.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[literal])
		}
		if line == "" {
			r.WriteString(".PP\n")
		} else {
			r.WriteString(roffLine(line) + "\n")
		}
	}
	if literal {
		r.WriteString(".fi\n")
	}
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

// manPage returns the manual page of a command. It has no date, so that the same
// program always gives the same page.
func manPage(cmd *cobra.Command) string {
	var r roff
	fmt.Fprintf(&r, ".TH %s 1 \"\" %s %s\n", strings.ToUpper(roffLine(manName(cmd))), `"wirekit"`, `"wirekit manual"`)
	r.section("NAME")
	fmt.Fprintf(&r, "%s \\- %s\n", roffLine(manName(cmd)), roffLine(cmd.Short))
	r.section("SYNOPSIS")
	fmt.Fprintf(&r, ".B %s\n", roffLine(cmd.CommandPath()))
	if subs := documented(cmd); len(subs) > 0 {
		r.WriteString(roffLine("COMMAND [flags]") + "\n")
	} else if _, args, ok := strings.Cut(cmd.Use, " "); ok {
		r.WriteString(roffLine(args) + "\n")
	}
	r.section("DESCRIPTION")
	if cmd.Long != "" {
		r.text(cmd.Long)
	} else {
		r.text(cmd.Short + ".")
	}
	if subs := documented(cmd); len(subs) > 0 {
		r.section("COMMANDS")
		for _, sub := range subs {
			fmt.Fprintf(&r, ".TP\n.B %s\n%s\n", roffLine(sub.Name()), roffLine(sub.Short))
		}
	}
	r.options(cmd)
	if cmd.Example != "" {
		r.section("EXAMPLES")
		r.WriteString(".nf\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			r.WriteString(roffLine(strings.TrimPrefix(line, "  ")) + "\n")
		}
		r.WriteString(".fi\n")
	}
	if cmd.HasParent() || len(documented(cmd)) > 0 {
		r.seeAlso(cmd)
	}
	return r.String()
}

func (r *roff) options(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	r.section("OPTIONS")
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
		fmt.Fprintf(r, ".TP\n.B %s\n%s\n", roffLine(flag), roffLine(usage))
	})
}

func (r *roff) seeAlso(cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent()))
	}
	for _, sub := range documented(cmd) {
		pages = append(pages, manName(sub))
	}
	r.section("SEE ALSO")
	for i, page := range pages {
		comma := ","
		if i == len(pages)-1 {
			comma = ""
		}
		fmt.Fprintf(r, ".BR %s (1)%s\n", roffLine(page), comma)
	}
}

// A pager lays a manual page out as text, for terminals: the requests that manPage writes
// and no others.
type pager struct {
	strings.Builder
	para    []string // words that wait to be filled into lines
	indent  int
	literal bool
	tag     bool // the next line is what a paragraph is about
}

// The columns of a page.
const (
	pageWidth  = 78
	pageIndent = 7
)

// pageText returns the text of a page, with bold headings.
func pageText(page string) string {
	p := &pager{indent: pageIndent}
	for line := range strings.Lines(page) {
		p.line(strings.TrimSuffix(line, "\n"))
	}
	p.fill()
	return p.String()
}

func (p *pager) line(line string) {
	request, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(line, ".") {
		request, rest = "", line
	}
	rest = strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "").Replace(rest)
	switch request {
	case ".TH":
	case ".SH":
		p.fill()
		p.indent = pageIndent
		fmt.Fprintf(p, "\n\x1b[1m%s\x1b[0m\n", rest)
	case ".PP":
		p.fill()
		p.WriteByte('\n')
	case ".nf", ".fi":
		p.fill()
		p.literal = request == ".nf"
	case ".TP":
		p.fill()
		p.indent, p.tag = pageIndent, true
	case ".B":
		if !p.tag {
			p.para = append(p.para, rest)
			return
		}
		fmt.Fprintf(p, "%*s\x1b[1m%s\x1b[0m\n", pageIndent, "", rest)
		p.indent, p.tag = 2*pageIndent, false
	case ".BR":
		p.para = append(p.para, strings.ReplaceAll(rest, " (", "("))
	default:
		if p.literal {
			fmt.Fprintf(p, "%*s%s\n", p.indent, "", rest)
			return
		}
		p.para = append(p.para, strings.Fields(rest)...)
	}
}

// fill writes the words that wait.
func (p *pager) fill() {
	column := 0
	for _, word := range p.para {
		switch width := utf8.RuneCountInString(word); {
		case column == 0:
			column = p.indent + width
			fmt.Fprintf(p, "%*s%s", p.indent, "", word)
		case column+1+width > pageWidth:
			column = p.indent + width
			fmt.Fprintf(p, "\n%*s%s", p.indent, "", word)
		default:
			column += 1 + width
			p.WriteString(" " + word)
		}
	}
	if column > 0 {
		p.WriteByte('\n')
	}
	p.para = p.para[:0]
}
