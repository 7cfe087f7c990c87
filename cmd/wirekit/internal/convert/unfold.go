package convert

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/wire"
)

// NewUnfold returns the verb unfold.
func NewUnfold(c *cli.Console) *cobra.Command {
	var o unfoldOptions
	cmd := cli.NewCommand("unfold", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		if err := o.Check(); err != nil {
			return err
		}
		if o.legend != "" {
			return o.expand(c, cli.Argument(args))
		}
		return o.unfold(c, cli.Argument(args))
	})
	o.InputOptions.Add(cmd)
	o.OutputOptions.Add(cmd, "format of the output (default: the input's)")
	cmd.Flags().StringVar(&o.legend, "legend", "", "folded document whose references the input holds")
	return cmd
}

type unfoldOptions struct {
	cli.InputOptions
	cli.OutputOptions
	legend string
}

func (o unfoldOptions) unfold(c *cli.Console, file string) error {
	doc, err := cli.InputOptions{From: o.From}.Load(c, file) // references lead all over the document
	if err != nil {
		return err
	}
	v, err := fold.Unfold(doc.Value, wire.Limits{})
	if err != nil {
		return err
	}
	if v, err = o.In(c, file, v); err != nil {
		return err
	}
	return o.OutputOptions.Encode(c, file, doc.Codec, v, len(doc.Src))
}

// expand resolves the references in running text.
func (o unfoldOptions) expand(c *cli.Console, file string) error {
	switch {
	case o.To != "":
		return cli.Usagef("--to does not go with --legend, whose input is text")
	case !o.All():
		return cli.Usagef("--at, --keep, --omit, --limit and --sample do not go with --legend, whose input is text")
	}
	doc, err := cli.InputOptions{From: o.From}.Load(c, o.legend)
	if err != nil {
		return err
	}
	legend, err := fold.ParseLegend(doc.Value)
	if err != nil {
		return cli.About(o.legend, err)
	}
	text, err := c.Read(file)
	if err != nil {
		return err
	}
	return c.Write(o.Out, []byte(legend.ExpandText(string(text))))
}
