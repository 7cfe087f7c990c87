package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

// newGoon returns the verbs of GOON.
func newGoon(c *console) *cobra.Command {
	return newGroup("goon", newGoonEncode(c), newGoonDecode(c))
}

func newGoonEncode(c *console) *cobra.Command {
	var codec goon.Codec
	cmd := newCommand("goon-encode", atMost(1), func(_ *cobra.Command, args []string) error {
		src, err := c.read(argument(args))
		if err != nil {
			return err
		}
		response, err := goon.ParseJSON(src)
		if err != nil {
			return about(argument(args), err)
		}
		out, err := codec.AppendResponse(nil, response)
		if err != nil {
			return err
		}
		return c.write("", out)
	})
	cmd.Flags().StringVar(&codec.Version, "goon-version", "", "version to write into the header (default "+goon.Codec{}.Info().Version+")")
	cmd.Flags().StringSliceVar(&codec.Expand, "expand", nil, "properties and columns whose texts are never cut")
	cmd.Flags().BoolVar(&codec.NoTruncate, "no-truncate", false, "write every text whole")
	return cmd
}

func newGoonDecode(c *console) *cobra.Command {
	var codec goon.Codec
	var out jsonOutput
	cmd := newCommand("goon-decode", atMost(1), func(_ *cobra.Command, args []string) error {
		src, err := c.read(argument(args))
		if err != nil {
			return err
		}
		text, err := goon.ExtractResult(src)
		if err != nil {
			return about(argument(args), err)
		}
		codec.Warn = func(warning *wire.Error) { fmt.Fprintf(c.err, "wirekit: overlooked: %v\n", warning) }
		response, err := codec.DecodeResponse(text)
		if err != nil {
			return about(argument(args), err)
		}
		return c.print(out.codec(), response.Value(), src)
	})
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook what can be overlooked")
	cmd.Flags().BoolVar(&codec.Strict, "strict", false, "refuse what servers write against the document")
	cmd.MarkFlagsMutuallyExclusive("lenient", "strict")
	out.add(cmd)
	return cmd
}
