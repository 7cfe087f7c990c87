package main

import (
	"cmp"
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

// helpTexts are what --help and the manual pages say of each command, and its examples
// after a line "Examples:".
//
//go:embed help
var helpTexts embed.FS

// addHelp gives cmd and those below it their texts.
func addHelp(cmd *cobra.Command) {
	_, name, _ := strings.Cut(manName(cmd), "-")
	if name == "" {
		name = manName(cmd)
	}
	if text, err := helpTexts.ReadFile("help/" + name + ".txt"); err == nil {
		long, examples, _ := strings.Cut("\n"+string(text), "\nExamples:\n")
		cmd.Long = cmp.Or(strings.TrimSpace(long), cmd.Long)
		cmd.Example = strings.TrimRight(examples, "\n")
	}
	for _, sub := range cmd.Commands() {
		addHelp(sub)
	}
}
