package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/wire"
)

func newUnfold(c *console) *cobra.Command {
	var o unfoldOptions
	cmd := newCommand("unfold", atMost(1), func(_ *cobra.Command, args []string) error {
		if err := o.check(); err != nil {
			return err
		}
		if o.legend != "" {
			return o.expand(c, argument(args))
		}
		return o.unfold(c, argument(args))
	})
	o.inputOptions.add(cmd)
	o.outputOptions.add(cmd, "format of the output (default: the input's)")
	cmd.Flags().StringVar(&o.legend, "legend", "", "folded document whose references the input holds")
	return cmd
}

type unfoldOptions struct {
	inputOptions
	outputOptions
	legend string
}

func (o unfoldOptions) unfold(c *console, file string) error {
	doc, err := inputOptions{from: o.from}.load(c, file) // references lead all over the document
	if err != nil {
		return err
	}
	v, err := fold.Unfold(doc.value, wire.Limits{})
	if err != nil {
		return err
	}
	if v, err = o.in(c, file, v); err != nil {
		return err
	}
	return o.outputOptions.encode(c, file, doc.codec, v, len(doc.src))
}

// expand resolves the references in running text.
func (o unfoldOptions) expand(c *console, file string) error {
	switch {
	case o.to != "":
		return usagef("--to does not go with --legend, whose input is text")
	case !o.all():
		return usagef("--at, --keep, --omit, --limit and --sample do not go with --legend, whose input is text")
	}
	doc, err := inputOptions{from: o.from}.load(c, o.legend)
	if err != nil {
		return err
	}
	legend, err := fold.ParseLegend(doc.value)
	if err != nil {
		return about(o.legend, err)
	}
	text, err := c.read(file)
	if err != nil {
		return err
	}
	return c.write(o.out, []byte(legend.ExpandText(string(text))))
}
