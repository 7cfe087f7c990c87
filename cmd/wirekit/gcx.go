package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/scorecard"
)

// newGCX returns the verbs of GCX1.
func newGCX(c *console) *cobra.Command {
	return newGroup("gcx", "GCX1: from JSON and back, and the document's scorecard",
		newGCXEncode(c), newGCXDecode(c), newScorecard(c))
}

func newScorecard(c *console) *cobra.Command {
	var o scorecardOptions
	cmd := &cobra.Command{
		Use:   "scorecard",
		Short: "Measure GCX1 against JSON on results of tools",
		Long: `Measure GCX1 against compact JSON on results of tools: bytes, gzip, tokens, and a
round trip that compares values. The cases are this project's own, or those of a
folder: JSON files, or YAML files with tool, description and input.

The tokens of opus47 are estimated as 1.35 times those of cl100k_base and marked
so. --use-api asks the provider's counting service instead, with the key in
` + scorecard.APIKeyVariable + `: it is sent the cases. Without that flag nothing leaves
the machine.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), c) },
	}
	cmd.Flags().StringVar(&o.tokenizer, "tokenizer", scorecard.TokenizerBoth, strings.Join(scorecard.Tokenizers(), ", "))
	cmd.Flags().BoolVar(&o.published, "published", false, "measure the texts of the document's benchmark, sorted JSON and plain sections")
	cmd.Flags().StringVar(&o.cases, "cases", "", "folder of cases (default: built in)")
	cmd.Flags().BoolVar(&o.useAPI, "use-api", false, "count opus47 exactly through the provider's service")
	cmd.Flags().StringVar(&o.cache, "cache", "", "file of exact counts, read and added to")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&o.markdown, "markdown", false, "print Markdown")
	return cmd
}

type scorecardOptions struct {
	tokenizer, cases, cache string
	useAPI, json, markdown  bool
	published               bool
}

func (o scorecardOptions) run(ctx context.Context, c *console) error {
	switch {
	case o.json && o.markdown:
		return usageError{errors.New("--json and --markdown exclude each other")}
	case !slices.Contains(scorecard.Tokenizers(), o.tokenizer):
		return usageError{fmt.Errorf("unknown tokenizer %q; known are %s", o.tokenizer, strings.Join(scorecard.Tokenizers(), ", "))}
	}
	load := scorecard.Builtin
	if o.cases != "" {
		if _, err := os.ReadDir(o.cases); err != nil {
			return err // by the folder's name, which fs.FS does not know
		}
		load = func() ([]scorecard.Case, error) { return scorecard.Load(os.DirFS(o.cases)) }
	}
	cases, err := load()
	if err != nil {
		return err
	}
	run := scorecard.Options{
		Tokenizer: o.tokenizer,
		Published: o.published,
		Cache:     o.cache,
		Warn:      func(message string) { fmt.Fprintf(c.err, "wirekit: %s\n", message) },
	}
	if o.useAPI {
		api, err := scorecard.NewAPI()
		if err != nil {
			return usageError{err}
		}
		run.API = api
	}
	card, err := scorecard.Run(ctx, cases, run)
	if err != nil {
		return err
	}
	print := card.WriteText
	switch {
	case o.json:
		print = card.WriteJSON
	case o.markdown:
		print = card.WriteMarkdown
	}
	var out strings.Builder
	if err := print(&out); err != nil {
		return err
	}
	_, err = io.WriteString(c.out, out.String())
	return err
}
