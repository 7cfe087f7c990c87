package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/glyph"
)

func newPatch(c *console) *cobra.Command {
	var o patchOptions
	cmd := &cobra.Command{
		Use:   "patch [-f FROM] [-t TO] [-o OUT] BASE PATCH",
		Short: "Apply a patch to a document",
		Args:  pair("BASE", "PATCH"),
		RunE:  func(_ *cobra.Command, args []string) error { return o.run(c, args[0], args[1]) },
	}
	o.input.add(cmd)
	cmd.Flags().StringVarP(&o.to, "to", "t", "", "format of the output (default: that of BASE)")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file to write (default: standard output)")
	completeFormats(cmd, "to")
	return cmd
}

type patchOptions struct {
	input   inputOptions
	to, out string
}

func (o patchOptions) run(c *console, base, file string) error {
	doc, err := o.input.load(c, base)
	if err != nil {
		return about(base, err)
	}
	text, err := c.read(file)
	if err != nil {
		return err
	}
	patch, err := glyph.ParsePatch(string(text), nil)
	if err != nil {
		return about(file, err)
	}
	v, err := patch.Apply(doc.value)
	if err != nil {
		return fmt.Errorf("%s does not apply to %s: %w", title(file), title(base), err)
	}
	return convertOptions{to: cmp.Or(o.to, doc.codec.Info().FullName()), out: o.out}.encode(c, base, v, len(doc.src)+len(text))
}
