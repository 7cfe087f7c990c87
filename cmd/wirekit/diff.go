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
	cmd := newCommand("diff", pair("A", "B"), func(_ *cobra.Command, args []string) error { return o.run(c, args[0], args[1]) })
	o.input.add(cmd)
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file to write the patch to (default: standard output)")
	cmd.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print no patch")
	cmd.Flags().BoolVar(&o.text, "text", false, "print old and new values, as on a terminal")
	cmd.Flags().BoolVar(&o.jsonPatch, "json-patch", false, "print a JSON Patch (RFC 6902)")
	cmd.Flags().BoolVar(&o.mergePatch, "merge-patch", false, "print a JSON Merge Patch (RFC 7396)")
	cmd.MarkFlagsMutuallyExclusive("quiet", "text", "json-patch", "merge-patch")
	return cmd
}

type diffOptions struct {
	input                              inputOptions
	out                                string
	quiet, text, jsonPatch, mergePatch bool
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
		text, err := o.difference(c, from, to, a.value, b.value)
		if err != nil {
			return err
		}
		if err := c.write(o.out, text); err != nil {
			return err
		}
	}
	return exitStatus(exitInput)
}

// difference is what makes b of a, in the form that the flags ask for.
func (o diffOptions) difference(c *console, from, to string, a, b wire.Value) ([]byte, error) {
	switch {
	case o.jsonPatch:
		return append(wire.AppendJSON(nil, jsonPatch(changes(nil, "", a, b))), '\n'), nil
	case o.mergePatch:
		patch, err := mergePatch(a, b)
		return append(wire.AppendJSON(nil, patch), '\n'), err
	case o.text || o.out == "" && isDevice(c.out):
		var lines strings.Builder
		write := func(colour int, line string) {
			if o.out == "" && isTerminal(c.out) {
				line = fmt.Sprintf("\x1b[%dm%s\x1b[0m", colour, line)
			}
			lines.WriteString(line + "\n")
		}
		const bold = 1
		write(bold, "--- "+title(from))
		write(bold, "+++ "+title(to))
		for _, change := range changes(nil, "", a, b) {
			sign, line := change.text()
			write(signColours[sign], string(sign)+" "+oneLine(line))
		}
		return []byte(lines.String()), nil
	}
	patch, err := glyph.Diff(a, b)
	if err != nil {
		return nil, err
	}
	text, err := patch.AppendText(nil)
	return append(text, '\n'), err
}

// signColours are the colours of changed, added and removed values on a terminal.
var signColours = map[byte]int{'~': 33, '+': 32, '-': 31}
