package formats

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// NewGLYPH returns the verbs of GLYPH.
func NewGLYPH(c *cli.Console) *cobra.Command {
	return cli.NewGroup("glyph", newFmtLoose(c),
		newVerb(c, "glyph-to-json", glyph.Codec{}, func(d cli.Document) error {
			return c.Print(wire.JSON{Indent: "  "}, sorted(d.Value), d.Src)
		}),
		newTranscode(c, "glyph-from-json", wire.JSON{}, glyph.Codec{Profile: glyph.ProfileCanonical}))
}

func newFmtLoose(c *cli.Console) *cobra.Command {
	var noTabular, llm, compact bool
	cmd := newVerb(c, "glyph-fmt-loose", wire.JSON{}, func(d cli.Document) error {
		codec := glyph.Codec{Profile: glyph.ProfileCanonical, NoTabular: noTabular}
		if compact {
			codec.Schema = glyph.NewSchemaContext(glyph.KeyDict(d.Value))
		}
		return c.Print(codec, d.Value, d.Src)
	})
	cmd.Flags().BoolVar(&noTabular, "no-tabular", false, "write no tables")
	cmd.Flags().BoolVar(&llm, "llm", false, "write null as _ in ASCII, which is the default")
	cmd.Flags().BoolVar(&compact, "compact", false, "number the keys and put their list in a schema header")
	return cmd
}

// sorted returns v with the members of every object in the order of their
// keys.
func sorted(v wire.Value) wire.Value {
	if v.Kind() < wire.KindArray {
		return v
	}
	children := builder.Children(v)
	for i, c := range children {
		children[i].Value = sorted(c.Value)
	}
	slices.SortStableFunc(children, func(a, b wire.Member) int { return strings.Compare(a.Key, b.Key) }) // elements have no key
	return builder.With(v, children)
}
