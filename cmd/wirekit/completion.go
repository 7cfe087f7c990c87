package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/scorecard"
	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/tokens"
)

// flagValues are the words that flags take, in every verb.
var flagValues = map[string]func() []string{
	"from":      fullNames,
	"formats":   fullNames,
	"to":        func() []string { return append(append(fullNames(), linesNames...), auto) },
	"tokenizer": tokens.Names,
	"precision": words("counted", "sampled", "bytes"),
	"normalize": words("escapes", "progress", "blanks"),
	"render":    words("xml", "markdown", "minimal"),
	"policy":    words("fit", "steady", "reference"),
	"verbosity": words("adaptive", "full", "summary"),
	"mode":      words("replace", "text", "dry-run", "off"),
	"magic":     words("lcp", "bcp"),
	"delimiter": words("comma", "tab", "pipe"),
	"include":   words("code", "conversation", "file_tree", "tool_result", "document", "structured_data", "diff", "annotation", "embedding_ref", "image", "extension"),
	"kinds": func() (names []string) {
		for _, kind := range quiz.Kinds() {
			names = append(names, string(kind))
		}
		return names
	},
}

func words(list ...string) func() []string { return func() []string { return list } }

// addCompletions completes the values of flags of cmd and of the commands below it.
func addCompletions(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values := flagValues[f.Name]
		switch cmd.CommandPath() + " --" + f.Name {
		case "wirekit gcx scorecard --tokenizer":
			values = scorecard.Tokenizers
		case "wirekit bcp pack --include": // patterns of files
			values = nil
		}
		if values != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(slices.Clone(values()), cobra.ShellCompDirectiveNoFileComp))
		}
	})
	for _, sub := range cmd.Commands() {
		addCompletions(sub)
	}
}
