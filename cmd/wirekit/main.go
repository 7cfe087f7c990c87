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
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	c := &cli.Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Globs: runtime.GOOS == "windows"}
	interrupted := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) { // as nohup and background jobs have it
			signal.Notify(interrupted, s)
		}
	}
	go func() {
		s := c.Await(interrupted)
		c.Abandon()
		code := cli.ExitInput
		if number, ok := s.(syscall.Signal); ok {
			code = 128 + int(number) // as a shell has it
		}
		os.Exit(code)
	}()
	os.Exit(run(os.Args[1:], c))
}

// run executes one command line and returns the exit code.
func run(args []string, c *cli.Console) int {
	root := newRoot(c)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		addCompletions(root)
	}
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	args, err := withVerb(c, root, args)
	root.SetArgs(args)
	if err == nil {
		err = root.ExecuteContext(context.Background())
	}
	if err == nil {
		return cli.ExitOK
	}
	var status cli.ExitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	c.Report(err)
	var usage cli.UsageError
	if errors.As(err, &usage) || errors.Is(err, wire.ErrUnknownFormat) {
		return cli.ExitUsage
	}
	return cli.ExitInput
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

func newVersion(c *cli.Console) *cobra.Command {
	var asJSON bool
	cmd := cli.NewCommand("version", cli.AtMost(0), func(*cobra.Command, []string) error { return c.Show(asJSON, version()) })
	cli.AddJSON(cmd, &asJSON)
	return cmd
}
