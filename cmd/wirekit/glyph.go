package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/wire"
)

// newGlyph returns the verbs that the GLYPH-Loose document names.
func newGlyph(c *console) *cobra.Command {
	group := &cobra.Command{
		Use:   "glyph",
		Short: "GLYPH-Loose: canonical text from JSON, and JSON from it",
		Args:  noVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	group.AddCommand(newFmtLoose(c), newGlyphToJSON(c), newGlyphFromJSON(c))
	return group
}

// noVerb refuses an unknown verb of a group.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

func newFmtLoose(c *console) *cobra.Command {
	var noTabular, llm, compact bool
	var at pointer
	cmd := &cobra.Command{
		Use:   "fmt-loose [FILE|-]",
		Short: "Print JSON as canonical GLYPH-Loose",
		Example: `  echo '{"b":1,"a":2}' | wirekit glyph fmt-loose
  wirekit glyph fmt-loose --no-tabular data.json`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := at.read(c, argument(args), wire.JSON{})
			if err != nil {
				return err
			}
			codec := glyph.Codec{Profile: glyph.ProfileCanonical, NoTabular: noTabular}
			if compact {
				codec.Schema = glyph.NewSchemaContext(glyph.BuildKeyDictFromValue(v.Value))
			}
			return c.print(codec, v)
		},
	}
	at.add(cmd)
	cmd.Flags().BoolVar(&noTabular, "no-tabular", false, "write no tables")
	cmd.Flags().BoolVar(&llm, "llm", false, "write null as _ in ASCII, which is the default")
	cmd.Flags().BoolVar(&compact, "compact", false, "number the keys and put their list in a schema header")
	return cmd
}

func newGlyphFromJSON(c *console) *cobra.Command {
	var at pointer
	cmd := &cobra.Command{
		Use:     "from-json [FILE|-]",
		Short:   "Print JSON as canonical GLYPH-Loose, without options",
		Example: `  echo '{"b":1,"a":2}' | wirekit glyph from-json`,
		Args:    atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := at.read(c, argument(args), wire.JSON{})
			if err != nil {
				return err
			}
			return c.print(glyph.Codec{Profile: glyph.ProfileCanonical}, v)
		},
	}
	at.add(cmd)
	return cmd
}

func newGlyphToJSON(c *console) *cobra.Command {
	var at pointer
	cmd := &cobra.Command{
		Use:     "to-json [FILE|-]",
		Short:   "Print GLYPH-Loose, or JSON, as indented JSON with sorted keys",
		Example: `  echo '{a=2 b=1}' | wirekit glyph to-json`,
		Args:    atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := at.read(c, argument(args), glyph.Codec{})
			if err != nil {
				return err
			}
			return c.print(wire.JSON{Indent: "  "}, content{sorted(v.Value), v.size})
		},
	}
	at.add(cmd)
	return cmd
}
