package formats

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/formats/scorecard"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

// NewGCX returns the verbs of GCX.
func NewGCX(c *cli.Console) *cobra.Command {
	return cli.NewGroup("gcx", newGCXEncode(c), newGCXDecode(c), newScorecard(c))
}

func newScorecard(c *cli.Console) *cobra.Command {
	var o scorecard.Options
	var folder string
	var asJSON, markdown bool
	cmd := cli.NewCommand("gcx-scorecard", cli.AtMost(0), func(*cobra.Command, []string) error {
		switch {
		case asJSON && markdown:
			return cli.Usagef("--json and --markdown exclude each other")
		case !slices.Contains(scorecard.Tokenizers(), o.Tokenizer):
			return cli.Usagef("unknown tokenizer %q; known are %s", o.Tokenizer, strings.Join(scorecard.Tokenizers(), ", "))
		}
		load := scorecard.Builtin
		if folder != "" {
			if _, err := os.ReadDir(folder); err != nil {
				return err // by the folder's name, which fs.FS does not know
			}
			load = func() ([]scorecard.Case, error) { return scorecard.Load(os.DirFS(folder)) }
		}
		cases, err := load()
		if err != nil {
			return err
		}
		card, err := scorecard.Run(cases, o)
		switch {
		case err != nil:
			return err
		case markdown:
			return c.Write("", []byte(card.Markdown()))
		}
		return c.Show(asJSON, card)
	})
	cmd.Flags().StringVar(&o.Tokenizer, "tokenizer", scorecard.TokenizerBoth, strings.Join(scorecard.Tokenizers(), ", "))
	cmd.Flags().BoolVar(&o.Published, "published", false, "measure the texts of the specification's benchmark, sorted JSON and plain sections")
	cmd.Flags().StringVar(&folder, "cases", "", "folder of cases (default: built in)")
	cmd.Flags().StringVar(&o.Counts, "counts", "", "file of exact counts of opus47")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	cli.AddJSON(cmd, &asJSON)
	return cmd
}

func newGCXEncode(c *cli.Console) *cobra.Command {
	var codec gcx.Codec
	cmd := newVerb(c, "gcx-encode", wire.JSON{}, func(d cli.Document) error {
		return cli.OutputOptions{}.Encode(c, "", codec, d.Value, len(d.Src))
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

func newGCXDecode(c *cli.Console) *cobra.Command {
	var codec gcx.Codec
	cmd := newToJSON(c, "gcx-decode", &codec)
	cmd.Flags().BoolVar(&codec.AllStrings, "all-strings", false, "take cells for strings")
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook counts that are wrong and lines that are cut")
	return cmd
}
