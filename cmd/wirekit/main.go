// Command wirekit converts, compares and checks documents in the wire formats
// made for language models. "wirekit help" lists what it does.
//
// It exits with 0 when it did what was asked, 1 when the input is malformed or
// cannot be carried by the format asked for (the message says where and why,
// and nothing is written) or a diff found a difference, and 2 when it was
// called wrongly.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/inspect"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	c := &console{in: os.Stdin, out: os.Stdout, err: os.Stderr, globs: runtime.GOOS == "windows"}
	interrupted := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) { // as nohup and background jobs have it
			signal.Notify(interrupted, s)
		}
	}
	go func() {
		s := c.await(interrupted)
		c.abandon()
		code := exitInput
		if number, ok := s.(syscall.Signal); ok {
			code = 128 + int(number) // as a shell has it
		}
		os.Exit(code)
	}()
	os.Exit(run(os.Args[1:], c))
}

// Exit codes.
const (
	exitOK    = 0
	exitInput = 1
	exitUsage = 2
)

// run executes one command line and returns the exit code.
func run(args []string, c *console) int {
	root := newRoot(c)
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	args, err := c.withVerb(root, args)
	root.SetArgs(args)
	if err == nil {
		err = root.ExecuteContext(context.Background())
	}
	if err == nil {
		return exitOK
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	c.report(err)
	var usage usageError
	if errors.As(err, &usage) || errors.Is(err, wire.ErrUnknownFormat) {
		return exitUsage
	}
	return exitInput
}

// usageError is a wrong call, as opposed to wrong input.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// asUsage returns an error as one of a wrong call.
func asUsage(err error) error { return usageError{err} }

// usagef is fmt.Errorf for wrong calls.
func usagef(format string, args ...any) error { return asUsage(fmt.Errorf(format, args...)) }

func newRoot(c *console) *cobra.Command {
	root := newCommand("wirekit", noVerb, func(cmd *cobra.Command, _ []string) error {
		if asked, _ := cmd.Flags().GetBool("version"); asked {
			return c.write("", []byte(version().String()))
		}
		return cmd.Help()
	})
	root.SilenceErrors, root.SilenceUsage = true, true
	// Cobra's own flag would link text/template, and with it 3 MB.
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		noteEstimate(c, cmd)
		return swallowed(cmd, args)
	}
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		newConvert(c), newCompare(c), newFormats(c), newCheck(c), newInspect(c), newUnfold(c), newRepair(c), newTokens(c), newPack(c),
		newDiff(c), newPatch(c), newFingerprint(c), newMan(c), newVersion(c), newPlayground(c), newExec(c), newAudit(c),
		newGroup("gcf", newGCFEncode(c), newGCFEncodeGeneric(c),
			newTranscode(c, "gcf-decode", gcf.GraphCodec{}, wire.JSON{Indent: "  "}),
			newTranscode(c, "gcf-decode-generic", gcf.Codec{}, wire.JSON{Indent: "  "}),
			newGCFStats(c), newGCFDelta(c), newGCFApply(c), newGCFRoot(c)),
		newGroup("gcx", newGCXEncode(c), newGCXDecode(c), newScorecard(c)),
		newGroup("glyph", newFmtLoose(c), newGlyphToJSON(c),
			newTranscode(c, "glyph-from-json", wire.JSON{}, glyph.Codec{Profile: glyph.ProfileCanonical})),
		newGroup("goon", newGoonEncode(c), newGoonDecode(c)),
		newGroup("toon", newTOONEncode(c), newTOONDecode(c)),
		newGroup("bcp", newBCPEncode(c), newBCPDecode(c), newBCPInspect(c), newBCPStats(c),
			withPayload(c, command("bcp-validate"), inspect.Validate), newBCPStore(c), newBCPUnpack(c)),
		newGroup("mcp", newMCPProxy(c), newMCPServe(c), newMCPStats(c), newMCPWrap(c)),
		newGroup("llm", newLLMProxy(c), newLLMServe(c), newStats(c, "llm", "model", readReport)),
		newGroup("hook", newHookRun(c), newHookInstall(c), newHookUninstall(c), newHookStatus(c)),
		newGroup("quiz", newQuizMake(c), newQuizRun(c), newQuizScore(c)),
	)
	addCompletions(root)
	addGroups(root)
	return root
}

// newHelp is cobra's command with an error for commands that are not there.
func newHelp() *cobra.Command {
	return newCommand("help", nil, func(cmd *cobra.Command, args []string) error {
		found, err := find(cmd.Root(), args)
		if err != nil {
			return err
		}
		found.InitDefaultHelpFlag()
		return found.Help()
	})
}

// find returns the command that words name.
func find(root *cobra.Command, words []string) (*cobra.Command, error) {
	found, rest, err := root.Find(words)
	if err != nil || len(rest) > 0 {
		return nil, unknownCommand(found, words[len(words)-max(1, len(rest))])
	}
	return found, nil
}

// withVerb returns a command line with its verb, which is compare where it begins with a
// file. It is an error if the words before flags are not a command's: cobra would look at the
// flags first.
func (c *console) withVerb(root *cobra.Command, args []string) ([]string, error) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "__") {
		return args, nil
	}
	switch word := rest[0]; {
	case cmd == root && (word == "-" || isFile(word)):
		c.bare = true
		return append([]string{"compare"}, args...), nil
	case !strings.HasPrefix(word, "-"):
		return args, unknownCommand(cmd, word)
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
			return usagef("%s without a command; did you mean %q?", args[0], "wirekit "+verb+" "+shellWords(args))
		}
	}
	return nil
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

// flagNames are what the hints of the packages name, as a user of the command has it.
// There is no flag for limits.
var flagNames = strings.NewReplacer(
	"raise Limits.", "a Go program can raise Limits.",
	"UnpackOptions.Force", "--force",
	"EncodeOptions.Lenient", "--lenient",
	"Codec.Lenient", "--lenient",
	"FromList makes one of a list of objects", `"wirekit convert -t gcf" writes other data`,
	"use gcf for values of any shape", `use "wirekit gcf encode-generic" or "wirekit convert -t gcf" for values of any shape`,
	"yaml:multi-document reads them as an array, a stream as records", "--from yaml:multi-document reads them as a list",
)

// goPrefixes are what errors of Go packages begin with.
var goPrefixes = regexp.MustCompile(`^(?:(?:wire: unknown_format|wire|wirekit|tokens|mcp|llm|quiz|render|exec|http): )+`)

// unknownName matches the errors for a name that is not among the known ones.
var unknownName = regexp.MustCompile(`unknown ([a-z ]+) "([^"]*)"(?:: no variant "[^"]*")?; known are ([^;()]+)|([a-z]+ )"([^"]*)" is none of ([^;()]+)`)

// plain is the text of an error in the words of the command.
func plain(err error) string {
	text := goPrefixes.ReplaceAllString(flagNames.Replace(err.Error()), "")
	m := unknownName.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	what, name, list := m[1], m[2], m[3]
	if what == "" {
		what, name, list = strings.TrimSpace(m[4]), m[5], m[6]
	}
	known := strings.Split(list, ", ")
	hint := ""
	if what == "format" {
		hint, known = likeFormat(name)
		if list = strings.Join(known, ", "); !strings.Contains(list, ":") {
			known = append(fullNames(), auto)
		}
	}
	hint = cmp.Or(hint, didYouMean(name, known), "; known are "+list)
	return strings.Replace(text, m[0], fmt.Sprintf("unknown %s %q%s", what, name, hint), 1)
}

// likeFormat returns a question for the format whose files end in a name, as those of
// csv:tsv in tsv, and what there is instead: a format's variants, or all formats.
func likeFormat(name string) (question string, known []string) {
	if codec, err := wirekit.Registry().LookupFile("x." + strings.TrimPrefix(name, ".")); err == nil {
		question = fmt.Sprintf("; did you mean %q?", codec.Info().FullName())
	}
	if format, _, ok := strings.Cut(name, ":"); ok {
		known = slices.DeleteFunc(fullNames(), func(full string) bool { return !strings.HasPrefix(full, format+":") })
	}
	if len(known) == 0 {
		known = wire.Internal.Names(wirekit.Registry())
	}
	return question, known
}

// report prints an error, with the source line where it has one.
func (c *console) report(err error) {
	fmt.Fprintf(c.err, "wirekit: %s\n", printable(plain(err)))
	var e *wire.Error
	if errors.As(err, &e) {
		if excerpt := e.Excerpt(); excerpt != "" {
			fmt.Fprintln(c.err, coloured(c.err, excerpt))
		}
	}
}

// note prints a line about what was done.
func (c *console) note(format string, args ...any) {
	fmt.Fprintf(c.err, "wirekit: %s\n", printable(fmt.Sprintf(format, args...)))
}

// released is the version of a release: internal/tools/release has the linker set it.
var released string

// versionInfo identifies the program, in the form that --json prints.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionOf reads what the build recorded. What the go command was not told,
// such as the commit of a module that came from a proxy, is missing.
func versionOf(info *debug.BuildInfo) versionInfo {
	info = cmp.Or(info, &debug.BuildInfo{})
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return versionInfo{Version: cmp.Or(released, info.Main.Version, "(devel)"), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Commit: settings["vcs.revision"], Date: settings["vcs.time"], Modified: settings["vcs.modified"] == "true"}
}

func (v versionInfo) String() string {
	facts := []string{v.Go + " " + v.Platform}
	if v.Commit != "" {
		commit := v.Commit
		if v.Modified {
			commit += " with changes"
		}
		facts = append([]string{"commit " + commit, v.Date}, facts...)
	}
	return fmt.Sprintf("wirekit %s (%s)\n", v.Version, strings.Join(facts, ", "))
}

func version() versionInfo {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func newVersion(c *console) *cobra.Command {
	var asJSON bool
	cmd := newCommand("version", atMost(0), func(*cobra.Command, []string) error { return c.show(asJSON, version()) })
	addJSON(cmd, &asJSON)
	return cmd
}
