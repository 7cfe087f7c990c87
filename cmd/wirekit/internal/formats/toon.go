package formats

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// NewTOON returns the verbs of TOON.
func NewTOON(c *cli.Console) *cobra.Command {
	return cli.NewGroup("toon", newTOONEncode(c), newTOONDecode(c))
}

// toonDelimiters are the values of --delimiter.
var toonDelimiters = map[string]byte{
	",": ',', "comma": ',', "\t": '\t', `\t`: '\t', "tab": '\t', "|": '|', "pipe": '|',
}

func newTOONEncode(c *cli.Console) *cobra.Command {
	var codec toon.Codec
	var delimiter string
	var stats bool
	cmd := newVerb(c, "toon-encode", wire.JSON{}, func(d cli.Document) error {
		out, err := cli.Roomy(codec, len(d.Src)).AppendEncode(nil, d.Value)
		if err != nil {
			return err
		}
		if stats {
			if err := noteSaving(c, wire.AppendJSON(nil, d.Value), out); err != nil {
				return err
			}
		}
		return c.Write("", append(out, '\n'))
	})
	cmd.PreRunE = func(*cobra.Command, []string) error {
		var ok bool
		if codec.Delimiter, ok = toonDelimiters[delimiter]; !ok {
			return cli.Usagef("--delimiter is comma, tab or pipe, not %q", delimiter)
		}
		return checkIndent(codec.Indent)
	}
	cmd.Flags().StringVar(&delimiter, "delimiter", "comma", `comma, tab or pipe, or the character itself`)
	cmd.Flags().IntVar(&codec.Indent, "indent", 2, "spaces a level")
	cmd.Flags().BoolVar(&stats, "stats", false, "print the tokens of JSON and TOON on standard error")
	return cmd
}

// noteSaving prints how many tokens TOON takes instead of compact JSON.
func noteSaving(c *cli.Console, json, text []byte) error {
	counter := tokens.Default()
	before, err := counter.Count(json)
	after, failed := counter.Count(text)
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Err, "%d tokens of compact JSON, %d of TOON: %+.1f %% (%s)\n",
		before, after, 100*(float64(after)/float64(before)-1), counter.Name())
	return err
}

// checkIndent refuses what the codec would take for the nearest it can.
func checkIndent(n int) error {
	if n < 1 || n > 64 {
		return cli.Usagef("--indent is a number from 1 to 64, not %d", n)
	}
	return nil
}

func newTOONDecode(c *cli.Console) *cobra.Command {
	var codec toon.Codec
	cmd := newToJSON(c, "toon-decode", &codec)
	cmd.PreRunE = func(*cobra.Command, []string) error { return checkIndent(codec.Indent) }
	cmd.Flags().BoolVar(&codec.Lenient, "no-strict", false, "overlook what the specification lets a decoder overlook")
	cmd.Flags().IntVar(&codec.Indent, "indent", 2, "spaces a level of the input")
	return cmd
}
