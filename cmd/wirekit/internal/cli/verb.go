package cli

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/wire"
)

// Read reads what is selected of a document in the codec's format.
func (s Selection) Read(c *Console, file string, codec wire.Codec) (Document, error) {
	src, err := s.Source(c, file)
	if err != nil {
		return Document{}, err
	}
	v, err := c.decodeAs(Roomy(codec, len(src)), file, src)
	if err != nil {
		return Document{}, err
	}
	v, err = s.In(c, file, v)
	return Document{src, codec, v}, err
}

// Print prints v, which was read from src, in the codec's format, with a line end.
func (c *Console) Print(codec wire.Codec, v wire.Value, src []byte) error {
	out, err := Roomy(codec, len(src)).AppendEncode(nil, v)
	if err != nil {
		return err
	}
	return c.Write("", Lined(codec, out))
}

// JSONOutput is the JSON that a verb prints.
type JSONOutput struct{ pretty bool }

// Add adds the flag.
func (o *JSONOutput) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.pretty, "pretty", false, "indent the JSON")
}

// Codec returns what writes it.
func (o JSONOutput) Codec() wire.JSON {
	if o.pretty {
		return wire.JSON{Indent: "  "}
	}
	return wire.JSON{}
}

// Indented returns the JSON text of a report. [wire.Marshal] would ask the codec whether
// it has a way of its own, and so keep those of all formats in the program.
func Indented(report any) ([]byte, error) {
	text, err := wire.Marshal(wire.JSON{Indent: "  "}, report)
	return append(text, '\n'), err
}

// Lined ends a text with a line end.
func Lined(c wire.Codec, out []byte) []byte {
	if !c.Info().Binary && len(out) > 0 && out[len(out)-1] != '\n' {
		return append(out, '\n')
	}
	return out
}

// Documented are the commands below cmd that have pages: not cobra's own help.
func Documented(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() || sub.Name() == "help"
	})
}

// helpTexts have a file for each command: its usage, what it is in a line, and after an
// empty line what --help and the manual page say of it, with examples after "Examples:".
//
//go:embed help
var helpTexts embed.FS

// HelpText returns the file of a name.
func HelpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Command returns a command with the texts of a file.
func Command(name string) *cobra.Command {
	use, text, _ := strings.Cut(HelpText(name), "\n")
	short, text, _ := strings.Cut(text, "\n")
	long, examples, _ := strings.Cut(text, "\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long), Example: strings.TrimRight(examples, "\n")}
}

// NewCommand returns a command that takes these arguments and runs.
func NewCommand(name string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd := Command(name)
	cmd.Args, cmd.RunE = args, run
	return cmd
}

// NewGroup returns the command that has these verbs.
func NewGroup(name string, verbs ...*cobra.Command) *cobra.Command {
	group := NewCommand(name, AtMost(0), func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	group.AddCommand(verbs...)
	return group
}

// Find returns the command that words name.
func Find(root *cobra.Command, words []string) (*cobra.Command, error) {
	found, rest, err := root.Find(words)
	if err != nil || len(rest) > 0 {
		return nil, UnknownCommand(found, words[len(words)-max(1, len(rest))])
	}
	return found, nil
}

// UnknownCommand is the error for a command that cmd does not have. It names
// what was probably meant.
func UnknownCommand(cmd *cobra.Command, name string) error {
	var known, below []string
	for _, sub := range Documented(cmd) {
		known = append(known, sub.Name())
		for _, verb := range Documented(sub) {
			if verb.Name() == name {
				below = append(below, strconv.Quote(verb.CommandPath()))
			}
		}
	}
	for _, verb := range Documented(cmd.Root()) {
		if cmd.HasParent() && verb.Name() == name {
			return Usagef("unknown command %q; did you mean %q?", name, verb.CommandPath())
		}
	}
	help := fmt.Sprintf("; see \"%s --help\"", cmd.CommandPath())
	if below != nil {
		help = "; did you mean " + strings.Join(below, " or ") + "?"
	}
	return Usagef("unknown command %q%s", name, cmp.Or(didYouMean(name, known), help))
}

// Takes is a usage error that says what arguments a command takes, unless it has these.
func Takes(cmd *cobra.Command, has bool, what string) error {
	if has {
		return nil
	}
	return Usagef("%s takes %s; see \"%s --help\"", cmd.Name(), what, cmd.CommandPath())
}

// AtMost returns a check for the number of arguments.
func AtMost(n int) cobra.PositionalArgs {
	most := []string{"no arguments", "at most one argument"}[n]
	return func(cmd *cobra.Command, args []string) error {
		return Takes(cmd, len(args) <= n, fmt.Sprintf("%s, got %d", most, len(args)))
	}
}

// One returns a check for one argument.
func One(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error { return Takes(cmd, len(args) == 1, "one "+what) }
}

// Two returns a check for two arguments, of which one may be standard input.
func Two(first, second string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if slices.Equal(args, []string{"-", "-"}) {
			return Usagef("only one of %s and %s can be standard input", first, second)
		}
		return Takes(cmd, len(args) == 2, fmt.Sprintf("two arguments, %s and %s, and got %d", first, second, len(args)))
	}
}
