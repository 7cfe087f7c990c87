package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/wire"
)

func newCheck(c *console) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [-f FROM] [FILE…|-]",
		Short: "Check that documents are well-formed, and canonical in their format",
		Long: `Check that documents are well-formed in their format, which is detected unless
--from names it. Each is also encoded again: a document is canonical if that
gives the same bytes.

Every document is looked at. The exit code is 1 if one of them is malformed or,
with --canonical, not canonical.`,
		Example: `  wirekit check orders.json orders.gcf
  wirekit check --canonical orders.gcf && echo canonical`,
		RunE: func(_ *cobra.Command, args []string) error { return eachFile(c, args, o.check) },
	}
	addFrom(cmd, &o.from)
	cmd.Flags().BoolVar(&o.canonical, "canonical", false, "fail if a document is not canonical")
	return cmd
}

type checkOptions struct {
	from      string
	canonical bool
}

func (o checkOptions) check(c *console, file string) error {
	src, err := c.read(file)
	if err != nil {
		return err
	}
	defer c.progress("checking "+title(file), noCount)()
	codec, v, err := c.decode(file, src, o.from)
	if err != nil {
		return err
	}
	form := "canonical"
	out, err := codec.AppendEncode(nil, v)
	canonical := err == nil && (string(out) == string(src) || string(out)+"\n" == string(src))
	if !canonical {
		form = "well-formed, not canonical"
	}
	line := fmt.Sprintf("%s: %s, %s, %s\n", title(file), codec.Info().FullName(), form, size(v))
	if err := c.write("", []byte(line)); err != nil {
		return err
	}
	if o.canonical && !canonical {
		return fmt.Errorf("not canonical %s; --canonical asks for that", codec.Info().FullName())
	}
	return nil
}

// size says how much a value holds, in a few words.
func size(v wire.Value) string {
	var s shape
	s.add(v, 0)
	return fmt.Sprintf("%d values, depth %d", s.values, s.depth)
}
