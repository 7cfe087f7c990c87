package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/audit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/bcp"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/compare"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/convert"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/diff"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/exec"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/formats"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/formats/scorecard"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/hooks"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/inspect"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/llm"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/manual"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcp"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/pack"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/playground"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/quiz"
	"github.com/wirekit/wirekit/tokens"
)

// groups are the verbs of the first page of help by what they are for; those that are in
// none come last.
var groups = []struct{ title, verbs string }{
	{"Every day:", "check compare convert diff inspect pack patch playground repair tokens unfold"},
	{"Agents and models:", "audit exec hook llm mcp quiz"},
	{"Formats:", "fingerprint formats"},
	{"Reference commands of formats:", "bcp gcf gcx glyph goon toon"},
}

func addGroups(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(strings.Fields(g.verbs), cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
}

// flagValues are the words that flags take, in every verb.
var flagValues = map[string]func() []string{
	"from":    cli.FullNames,
	"from-a":  cli.FullNames,
	"from-b":  cli.FullNames,
	"formats": func() []string { return cli.ForAnyValue(cli.FullNames()) },
	"to": func() []string {
		return slices.Concat(cli.ForAnyValue(cli.FullNames()), cli.LinesNames, []string{cli.Auto})
	},
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
	"kinds":     quiz.Kinds,
}

func words(list ...string) func() []string { return func() []string { return list } }

// addCompletions completes the values of flags of cmd and of the commands below it.
func addCompletions(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values := flagValues[f.Name]
		switch cmd.CommandPath() + " --" + f.Name {
		case "wirekit gcx scorecard --tokenizer":
			values = scorecard.Tokenizers
		case "wirekit pack --include": // patterns of files
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

func newRoot(c *cli.Console) *cobra.Command {
	root := cli.NewCommand("wirekit", cli.AtMost(0), func(cmd *cobra.Command, _ []string) error {
		if asked, _ := cmd.Flags().GetBool("version"); asked {
			return c.Write("", []byte(version().String()))
		}
		return cmd.Help()
	})
	root.SilenceErrors, root.SilenceUsage = true, true
	// Cobra's own flag would link text/template, and with it 3 MB.
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetFlagErrorFunc(cli.FlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return checkFlags(c, cmd) }
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		convert.New(c), compare.New(c), formats.New(c), inspect.NewCheck(c), inspect.New(c), convert.NewUnfold(c), convert.NewRepair(c), compare.NewTokens(c), pack.New(c),
		diff.New(c), diff.NewPatch(c), inspect.NewFingerprint(c), manual.New(c), newVersion(c), playground.New(c), exec.New(c), audit.NewCommand(c),
		formats.NewGCF(c), formats.NewGCX(c), formats.NewGLYPH(c), formats.NewGOON(c), formats.NewTOON(c), bcp.New(c),
		mcp.New(c, version().Version), llm.New(c), hooks.New(c), quiz.New(c),
	)
	addGroups(root)
	return root
}

// newHelp is cobra's command with an error for commands that are not there.
func newHelp() *cobra.Command {
	return cli.NewCommand("help", nil, func(cmd *cobra.Command, args []string) error {
		found, err := cli.Find(cmd.Root(), args)
		if err != nil {
			return err
		}
		found.InitDefaultHelpFlag()
		return found.Help()
	})
}

// withVerb returns a command line with its verb, which is compare where it begins with a
// file. It is an error if the words before flags are not a command's: cobra would look at the
// flags first.
func withVerb(c *cli.Console, root *cobra.Command, args []string) ([]string, error) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "__") {
		return args, nil
	}
	switch word := rest[0]; {
	case cmd == root && (word == "-" || isFile(word)):
		c.Bare = true
		return append([]string{"compare"}, args...), nil
	case !strings.HasPrefix(word, "-"):
		return args, cli.UnknownCommand(cmd, word)
	case cmd == root:
		return args, verbOf(root, args)
	}
	return args, nil
}

// isFile reports whether a word that is not a verb is a file's name: of one that is there, or
// that has an extension or a folder.
func isFile(word string) bool {
	_, err := os.Stat(word)
	return err == nil || strings.Contains(word, "://") || !strings.HasPrefix(word, "-") && strings.ContainsAny(word, `./\`)
}

// verbOf is an error that names the verb that has the first flag of a command line without
// one.
func verbOf(root *cobra.Command, args []string) error {
	name, _, _ := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	flag := func(cmd *cobra.Command) bool {
		cmd.InitDefaultHelpFlag()
		if strings.HasPrefix(args[0], "--") || name == "" {
			return cmd.Flags().Lookup(name) != nil
		}
		return cmd.Flags().ShorthandLookup(name[:1]) != nil
	}
	for _, verb := range []string{"convert", "compare"} {
		if cmd, _, err := root.Find([]string{verb}); err == nil && flag(cmd) && !flag(root) {
			return cli.Usagef("%s without a command; did you mean %q?", args[0], "wirekit "+verb+" "+cli.ShellWords(args))
		}
	}
	return nil
}

// checkFlags notes that the counter that a flag names only estimates. It is an error if the
// value of a flag is another flag, as that of --instruction in "--instruction --render xml",
// or if flags exclude each other: cobra's own check would not make it one of a wrong call.
func checkFlags(c *cli.Console, cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		name, isFlag := strings.CutPrefix(f.Value.String(), "--")
		if t, ok := f.Value.(*cli.Tokenizer); ok && !t.Exact() {
			c.Note("%s is an estimate: its tokens compare sizes, and are not what a provider counts", t.Name())
		} else if isFlag && f.Value.Type() == "string" && cmd.Flags().Lookup(name) != nil && err == nil {
			err = cli.Usagef("--%s takes a value, and --%s is a flag; write --%s=VALUE, or leave --%s out", f.Name, name, f.Name, f.Name)
		}
	})
	if excluded := cmd.ValidateFlagGroups(); excluded != nil && err == nil {
		err = cli.Usage(excluded)
	}
	return err
}
