package formats

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

// NewGOON returns the verbs of GOON.
func NewGOON(c *cli.Console) *cobra.Command {
	return cli.NewGroup("goon", newGoonEncode(c), newGoonDecode(c))
}

func newGoonEncode(c *cli.Console) *cobra.Command {
	var codec goon.Codec
	cmd := cli.NewCommand("goon-encode", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		src, err := c.Read(cli.Argument(args))
		if err != nil {
			return err
		}
		response, err := goon.ParseJSON(src)
		if err != nil {
			return cli.About(cli.Argument(args), err)
		}
		out, err := codec.AppendResponse(nil, response)
		if err != nil {
			return err
		}
		return c.Write("", out)
	})
	cmd.Flags().StringVar(&codec.Version, "goon-version", "", "version to write into the header (default "+goon.Codec{}.Info().Version+")")
	cmd.Flags().StringSliceVar(&codec.Expand, "expand", nil, "properties and columns whose texts are never cut")
	cmd.Flags().BoolVar(&codec.NoTruncate, "no-truncate", false, "write every text whole")
	return cmd
}

func newGoonDecode(c *cli.Console) *cobra.Command {
	var codec goon.Codec
	var out cli.JSONOutput
	cmd := cli.NewCommand("goon-decode", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		src, err := c.Read(cli.Argument(args))
		if err != nil {
			return err
		}
		text, err := goon.ExtractResult(src)
		if err != nil {
			return cli.About(cli.Argument(args), err)
		}
		codec.Warn = func(warning *wire.Error) { fmt.Fprintf(c.Err, "wirekit: overlooked: %v\n", warning) }
		response, err := codec.DecodeResponse(text)
		if err != nil {
			return cli.About(cli.Argument(args), err)
		}
		return c.Print(out.Codec(), response.Value(), src)
	})
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook what can be overlooked")
	cmd.Flags().BoolVar(&codec.Strict, "strict", false, "refuse what servers write against the document")
	cmd.MarkFlagsMutuallyExclusive("lenient", "strict")
	out.Add(cmd)
	return cmd
}
