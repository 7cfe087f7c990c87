// Package manual has the verb man. It imports cli, not other verbs.
package manual

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
		if cli.IsDevice(c.Out) {
			found.InitDefaultHelpFlag()
			return found.Help()
		}
		return c.Write("", []byte(manPage(found)))
	})
	cmd.Flags().StringVar(&dir, "out-dir", "", "folder to write the pages of all commands into")
	return cmd
}

// writeMan writes the page of cmd and of those below it.
func writeMan(c *cli.Console, cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := c.Write(filepath.Join(dir, manName(cmd)+".1"), []byte(manPage(cmd))); err != nil {
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

// manPage returns the manual page of a command for the formatter of such pages. It has no
// date, so that the same program always gives the same page.
func manPage(cmd *cobra.Command) string {
	var page strings.Builder
	write := func(request, text string) { page.WriteString(request + roffLine(text) + "\n") }
	fmt.Fprintf(&page, ".TH %s 1 \"\" \"wirekit\" \"wirekit manual\"\n", strings.ToUpper(roffLine(manName(cmd))))
	write(".SH NAME\n", manName(cmd)+" - "+cmd.Short)
	commands := cli.Documented(cmd)
	_, arguments, _ := strings.Cut(cmd.Use, " ")
	if commands != nil {
		arguments = "COMMAND [flags]"
	}
	write(".SH SYNOPSIS\n.B ", cmd.CommandPath())
	if arguments != "" {
		write("", arguments)
	}
	page.WriteString(".SH DESCRIPTION\n")
	writeText(&page, strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short+".")))
	if commands != nil {
		page.WriteString(".SH COMMANDS\n")
	}
	for _, sub := range commands {
		write(".TP\n.B ", sub.Name())
		write("", sub.Short)
	}
	page.WriteString(".SH OPTIONS\n")
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
		write(".TP\n.B ", flag)
		write("", usage)
	})
	if cmd.Example != "" {
		page.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			write("", strings.TrimPrefix(line, "  "))
		}
		page.WriteString(".fi\n")
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, manName(cmd.Parent()))
	}
	for _, sub := range commands {
		others = append(others, manName(sub))
	}
	write(".SH SEE ALSO\n.BR ", strings.Join(others, " (1),\n.BR ")+" (1)")
	return page.String()
}

// writeText writes paragraphs. Lines that are indented stay lines of their own.
func writeText(page *strings.Builder, text string) {
	filled := true
	for line := range strings.SplitSeq(text, "\n") {
		if indented := strings.HasPrefix(line, "  "); indented == filled {
			filled = !indented
			page.WriteString(map[bool]string{true: ".fi\n", false: ".nf\n"}[filled])
		}
		page.WriteString(cmp.Or(roffLine(line), ".PP") + "\n")
	}
	if !filled {
		page.WriteString(".fi\n")
	}
}
