package main

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// lined ends a text with a line end.
func lined(c wire.Codec, out []byte) []byte {
	if !c.Info().Binary && len(out) > 0 && out[len(out)-1] != '\n' {
		return append(out, '\n')
	}
	return out
}

// documented are the commands below cmd that have pages: not cobra's own help.
func documented(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() || sub.Name() == "help"
	})
}

// helpTexts have a file for each command: its usage, what it is in a line, and after an
// empty line what --help and the manual page say of it, with examples after "Examples:".
//
//go:embed help
var helpTexts embed.FS

// helpText returns the file of a name.
func helpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// command returns a command with the texts of a file.
func command(name string) *cobra.Command {
	use, text, _ := strings.Cut(helpText(name), "\n")
	short, text, _ := strings.Cut(text, "\n")
	long, examples, _ := strings.Cut(text, "\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long), Example: strings.TrimRight(examples, "\n")}
}

// newCommand returns a command that takes these arguments and runs.
func newCommand(name string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd := command(name)
	cmd.Args, cmd.RunE = args, run
	return cmd
}

// newGroup returns the command that has these verbs.
func newGroup(name string, verbs ...*cobra.Command) *cobra.Command {
	group := newCommand(name, noVerb, func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	group.AddCommand(verbs...)
	return group
}

// find returns the command that words name.
func find(root *cobra.Command, words []string) (*cobra.Command, error) {
	found, rest, err := root.Find(words)
	if err != nil || len(rest) > 0 {
		return nil, unknownCommand(found, words[len(words)-max(1, len(rest))])
	}
	return found, nil
}

// unknownCommand is the error for a command that cmd does not have. It names
// what was probably meant.
func unknownCommand(cmd *cobra.Command, name string) error {
	var known, below []string
	for _, sub := range documented(cmd) {
		known = append(known, sub.Name())
		for _, verb := range documented(sub) {
			if verb.Name() == name {
				below = append(below, strconv.Quote(verb.CommandPath()))
			}
		}
	}
	for _, verb := range documented(cmd.Root()) {
		if cmd.HasParent() && verb.Name() == name {
			return usagef("unknown command %q; did you mean %q?", name, verb.CommandPath())
		}
	}
	help := fmt.Sprintf("; see \"%s --help\"", cmd.CommandPath())
	if below != nil {
		help = "; did you mean " + strings.Join(below, " or ") + "?"
	}
	return usagef("unknown command %q%s", name, cmp.Or(didYouMean(name, known), help))
}

// atMost returns a check for the number of arguments that is a usage error.
func atMost(n int) cobra.PositionalArgs {
	most := []string{"no arguments", "at most one argument"}[n]
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s takes %s, got %d; see \"%s --help\"", cmd.Name(), most, len(args), cmd.CommandPath())
		}
		return nil
	}
}

// one returns a check for one argument.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s takes one %s; see \"%s --help\"", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}

// pair returns a check for two arguments, of which one may be standard input.
func pair(first, second string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usagef("%s takes two arguments, %s and %s, and got %d; see \"%s --help\"", cmd.Name(), first, second, len(args), cmd.CommandPath())
		}
		if args[0] == "-" && args[1] == "-" {
			return usagef("only one of %s and %s can be standard input", first, second)
		}
		return nil
	}
}
