package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

// helpTexts have a file for each command: its usage, what it is in a line, and after an
// empty line what --help and the manual page say of it, with examples after "Examples:".
//
//go:embed help
var helpTexts embed.FS

// command returns a command with the texts of a file.
func command(name string) *cobra.Command {
	file, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	use, text, _ := strings.Cut(string(file), "\n")
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
