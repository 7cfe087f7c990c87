package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

func newGCXEncode(c *console) *cobra.Command {
	var codec gcx.Codec
	cmd := newVerb(c, &cobra.Command{
		Use:   "encode [FILE|-]",
		Short: "Print JSON as GCX1",
		Long: `Print JSON as GCX1, without loss. --plain writes the bytes of the document's
generic fallback instead, and what that loses is named on standard error;
--interop refuses what the reference decoders would reject, lose or read
differently.`,
		Example: `  wirekit gcx encode --tool search_symbols --at /symbols result.json
  wirekit gcx encode --plain result.json`,
	}, wire.JSON{}, func(v content) error {
		return convertOptions{}.encodeTo(c, "", roomy(codec, v.size), v.Value)
	})
	cmd.Flags().StringVar(&codec.Tool, "tool", "", "the tool's name in the headers (default data)")
	cmd.Flags().BoolVar(&codec.Plain, "plain", false, "write the document's generic fallback and nothing else")
	cmd.Flags().BoolVar(&codec.Interop, "interop", false, "refuse what the reference decoders do not read alike")
	cmd.Flags().BoolVar(&codec.Single, "single", false, "write an object around lists as one row")
	cmd.Flags().BoolVar(&codec.Reorder, "reorder", false, "write a table of objects whatever the order of their members")
	cmd.MarkFlagsMutuallyExclusive("plain", "single")
	return cmd
}

func newGCXDecode(c *console) *cobra.Command {
	var codec gcx.Codec
	var out jsonOutput
	cmd := newVerb(c, &cobra.Command{
		Use:   "decode [FILE|-]",
		Short: "Print GCX1 as JSON",
		Long: `Print GCX1 as the JSON value that it is. --all-strings takes cells of columns
without a type for the strings that they are; --lenient reads payloads whose rows=
is wrong, whose last line is cut, or whose headers name a key twice.`,
		Example: `  wirekit gcx encode data.json | wirekit gcx decode --pretty`,
	}, &codec, func(v content) error {
		return c.print(out.codec(), v)
	})
	cmd.Flags().BoolVar(&codec.AllStrings, "all-strings", false, "take cells for strings")
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook counts that are wrong and lines that are cut")
	out.add(cmd)
	return cmd
}
