package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

func newGCXEncode(c *console) *cobra.Command {
	var codec gcx.Codec
	cmd := newVerb(c, "gcx-encode", wire.JSON{}, func(d document) error {
		return convertOptions{}.encode(c, "", codec, d.value, len(d.src))
	})
	cmd.Flags().StringVar(&codec.Tool, "tool", "", "the tool's name in the headers (default data)")
	cmd.Flags().BoolVar(&codec.Plain, "plain", false, "write the specification's generic fallback and nothing else")
	cmd.Flags().BoolVar(&codec.Interop, "interop", false, "refuse what the reference decoders do not read alike")
	cmd.Flags().BoolVar(&codec.Single, "single", false, "write an object around lists as one row")
	cmd.Flags().BoolVar(&codec.Reorder, "reorder", false, "write a table of objects whatever the order of their members")
	cmd.MarkFlagsMutuallyExclusive("plain", "single")
	cmd.MarkFlagsMutuallyExclusive("plain", "reorder")
	return cmd
}

func newGCXDecode(c *console) *cobra.Command {
	var codec gcx.Codec
	cmd := newToJSON(c, "gcx-decode", &codec)
	cmd.Flags().BoolVar(&codec.AllStrings, "all-strings", false, "take cells for strings")
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook counts that are wrong and lines that are cut")
	return cmd
}
