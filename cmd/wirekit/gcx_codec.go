package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

func newGCXEncode(c *console) *cobra.Command {
	var codec gcx.Codec
	var at pointer
	cmd := &cobra.Command{
		Use:   "encode [FILE|-]",
		Short: "Print JSON as GCX1",
		Long: `Print JSON as GCX1, without loss. --plain writes the bytes of the document's
generic fallback instead, and what that loses is named on standard error;
--interop refuses what the reference decoders would reject, lose or read
differently.`,
		Example: `  wirekit gcx encode --tool search_symbols --at /symbols result.json
  wirekit gcx encode --plain result.json`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := at.read(c, argument(args), wire.JSON{})
			if err != nil {
				return err
			}
			to := roomy(codec, v.size)
			out, err := to.AppendEncode(nil, v.Value)
			if err != nil {
				return err
			}
			if err := (convertOptions{}).reportLoss(c, to, out, v.Value); err != nil {
				return err
			}
			return c.write("", lined(to, out))
		},
	}
	at.add(cmd)
	cmd.Flags().StringVar(&codec.Tool, "tool", "", "the tool's name in the headers (default "+gcx.DefaultTool+")")
	cmd.Flags().BoolVar(&codec.Plain, "plain", false, "write the document's generic fallback and nothing else")
	cmd.Flags().BoolVar(&codec.Interop, "interop", false, "refuse what the reference decoders do not read alike")
	cmd.Flags().BoolVar(&codec.Single, "single", false, "write an object around lists as one row")
	cmd.Flags().BoolVar(&codec.Reorder, "reorder", false, "write a table of objects whatever the order of their members")
	cmd.MarkFlagsMutuallyExclusive("plain", "single")
	return cmd
}

func newGCXDecode(c *console) *cobra.Command {
	var codec gcx.Codec
	var at pointer
	var out jsonOutput
	cmd := &cobra.Command{
		Use:   "decode [FILE|-]",
		Short: "Print GCX1 as JSON",
		Long: `Print GCX1 as the JSON value that it stands for. --text takes cells of columns
without a type for the strings that they are; --lenient reads payloads whose rows=
is wrong, whose last line is cut, or whose headers name a key twice.`,
		Example: `  wirekit gcx encode data.json | wirekit gcx decode --pretty`,
		Args:    atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := at.read(c, argument(args), codec)
			if err != nil {
				return err
			}
			return c.print(out.codec(), v)
		},
	}
	at.add(cmd)
	cmd.Flags().BoolVar(&codec.Text, "text", false, "take cells for strings")
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook counts that are wrong and lines that are cut")
	out.add(cmd)
	return cmd
}
