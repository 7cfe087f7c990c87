package formats

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/wire"
)

// Verbs of a format read a document in one format, which --at may take a part
// of, and print it in another.

// newVerb returns a verb that hands the content of its document to use. from
// may point to a codec that flags configure.
func newVerb(c *cli.Console, name string, from wire.Codec, use func(cli.Document) error) *cobra.Command {
	var s cli.Selection
	cmd := cli.NewCommand(name, cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		v, err := s.Read(c, cli.Argument(args), from)
		if err != nil {
			return err
		}
		return use(v)
	})
	s.Add(cmd)
	return cmd
}

// newTranscode returns a verb that prints a document in another format.
func newTranscode(c *cli.Console, name string, from, to wire.Codec) *cobra.Command {
	return newVerb(c, name, from, func(d cli.Document) error { return c.Print(to, d.Value, d.Src) })
}

// newToJSON returns a verb that prints a document as JSON.
func newToJSON(c *cli.Console, name string, from wire.Codec) *cobra.Command {
	var out cli.JSONOutput
	cmd := newVerb(c, name, from, func(d cli.Document) error { return c.Print(out.Codec(), d.Value, d.Src) })
	out.Add(cmd)
	return cmd
}
