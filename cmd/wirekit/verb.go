package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/wire"
)

// Verbs of a format read a document in one format, which --at may take a part
// of, and print it in another.

// noVerb refuses an unknown verb of a group.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

// newVerb returns a verb that hands the content of its document to use. from
// may point to a codec that flags configure.
func newVerb(c *console, name string, from wire.Codec, use func(document) error) *cobra.Command {
	var s selection
	cmd := newCommand(name, atMost(1), func(_ *cobra.Command, args []string) error {
		v, err := s.read(c, argument(args), from)
		if err != nil {
			return err
		}
		return use(v)
	})
	s.add(cmd)
	return cmd
}

// newTranscode returns a verb that prints a document in another format.
func newTranscode(c *console, name string, from, to wire.Codec) *cobra.Command {
	return newVerb(c, name, from, func(d document) error { return c.print(to, d.value, d.src) })
}

// read reads what is selected of a document in the codec's format.
func (s selection) read(c *console, file string, codec wire.Codec) (document, error) {
	if err := s.check(); err != nil {
		return document{}, err
	}
	src, err := c.read(file)
	if err != nil {
		return document{}, err
	}
	v, err := c.decodeAs(roomy(codec, len(src)), file, src)
	if err != nil {
		return document{}, err
	}
	v, err = s.in(c, file, v)
	return document{src, codec, v}, err
}

// print prints v, which was read from src, in the codec's format, with a line end.
func (c *console) print(codec wire.Codec, v wire.Value, src []byte) error {
	out, err := roomy(codec, len(src)).AppendEncode(nil, v)
	if err != nil {
		return err
	}
	return c.write("", lined(codec, out))
}

// newToJSON returns a verb that prints a document as JSON.
func newToJSON(c *console, name string, from wire.Codec) *cobra.Command {
	var out jsonOutput
	cmd := newVerb(c, name, from, func(d document) error { return c.print(out.codec(), d.value, d.src) })
	out.add(cmd)
	return cmd
}

// jsonOutput is the JSON that a verb prints.
type jsonOutput struct{ pretty bool }

func (o *jsonOutput) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.pretty, "pretty", false, "indent the JSON")
}

func (o jsonOutput) codec() wire.JSON {
	if o.pretty {
		return wire.JSON{Indent: "  "}
	}
	return wire.JSON{}
}

// indented returns the JSON text of a report. [wire.Marshal] would ask the codec whether
// it has a way of its own, and so keep those of all formats in the program.
func indented(report any) ([]byte, error) {
	text, err := gowire.Marshal(wire.JSON{Indent: "  "}, report)
	return append(text, '\n'), err
}
