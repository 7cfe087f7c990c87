package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/wire"
)

func newDiff(c *console) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff [-f FROM] [-o OUT] A B",
		Short: "Print the patch that makes one document of another",
		Args:  pair("A", "B"),
		RunE:  func(_ *cobra.Command, args []string) error { return o.run(c, args[0], args[1]) },
	}
	o.input.add(cmd)
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file to write the patch to (default: standard output)")
	cmd.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print no patch")
	return cmd
}

type diffOptions struct {
	input inputOptions
	out   string
	quiet bool
}

func (o diffOptions) run(c *console, from, to string) error {
	defer c.progress("comparing "+title(from)+" and "+title(to), noCount)()
	a, err := o.input.load(c, from)
	if err != nil {
		return about(from, err)
	}
	b, err := o.input.load(c, to)
	if err != nil {
		return about(to, err)
	}
	if wire.Equal(a.value, b.value) {
		return nil
	}
	if !o.quiet {
		patch, err := glyph.Diff(a.value, b.value)
		if err != nil {
			return err
		}
		text, err := patch.AppendText(nil)
		if err != nil {
			return err
		}
		text = append(text, '\n')
		if o.out == "" && isTerminal(c.out) {
			text = []byte(colouredPatch(string(text)))
		}
		if err := c.write(o.out, text); err != nil {
			return err
		}
	}
	return exitStatus(exitInput)
}

// actionColours are the colours of a patch's operations on a terminal: set, add to a
// number, append, delete.
var actionColours = map[byte]int{'=': 33, '~': 33, '+': 32, '-': 31}

// colouredPatch draws additions green, deletions red and changes yellow.
func colouredPatch(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		colour, ok := actionColours[line[0]]
		if !ok {
			colour = 2 // the header is faint
		}
		fmt.Fprintf(&out, "\x1b[%dm%s\x1b[0m\n", colour, printable(strings.TrimSuffix(line, "\n")))
	}
	return out.String()
}
