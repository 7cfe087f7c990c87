// Package exec has the verb exec, which rewrites what a command prints. It imports cli and
// rewriting; what holds output back is package held below it.
package exec

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/exec/held"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// options are the flags of exec.
type options struct {
	rewriting.Flags
	pipe, lines, yaml bool
}

// commandLine checks that there is one to run.
func commandLine(cmd *cobra.Command, args []string) error {
	return cli.Takes(cmd, len(args) > 0, "a command")
}

// New returns the verb exec.
func New(c *cli.Console) *cobra.Command {
	var o options
	cmd := cli.NewCommand("exec", commandLine, func(_ *cobra.Command, args []string) error {
		r, err := o.Rewriter()
		if err != nil {
			return err
		}
		t, err := rewriting.NewTally(c, &o.Flags)
		if err != nil {
			return err
		}
		defer t.Close()
		r.Observe = t.Log
		return o.run(c, r, args)
	})
	cmd.PreRunE = o.Configure
	cmd.Flags().SetInterspersed(false) // flags after the command are its own
	o.Register(cmd.Flags(), "exec")
	cmd.Flags().BoolVar(&o.pipe, "pipe", false, "give the command a pipe instead of a terminal, to rewrite what it prints there too")
	cmd.Flags().BoolVar(&o.lines, "lines", false, "hold JSON Lines, and rewrite them as one list")
	cmd.Flags().BoolVar(&o.yaml, "yaml", false, "hold YAML, whatever the arguments of the command are")
	return cmd
}

// run runs a command. The error is its exit code or nil.
func (o options) run(c *cli.Console, r *mcp.Rewriter, args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	if errors.Is(cmd.Err, exec.ErrDot) {
		cmd.Err = nil // a shell would run it too
	}
	if cmd.Err != nil {
		return notStarted(c, cmd.Err)
	}
	call := mcp.Call{Tool: filepath.Base(args[0])}
	rule := r.RuleFor(call)
	if !o.pipe && isCharDevice(c.Out) || rule.Mode == mcp.ModeOff {
		cmd.Stdout = c.Out
		return start(c, cmd, func() error { return nil })
	}
	copier := held.Copier{
		Most: cmp.Or(r.MaxBytes, rewrite.DefaultMaxBytes), Least: cmp.Or(r.MinTokens, rewrite.DefaultMinTokens),
		Lines: o.lines, YAML: o.yaml || slices.ContainsFunc(args[1:], asksYAML),
		Rewrite: func(text []byte, codec wire.Codec) []byte {
			out, _ := r.RewriteText(call, string(text), codec)
			return []byte(out)
		},
	}
	if rule.Lines != "" {
		copier.Text = lines.DefaultMaxBytes
	}
	read, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if isSameFile(c.Out, c.Err) { // so that the order stays of what goes to both
		cmd.Stderr = cmd.Stdout
	}
	return start(c, cmd, func() error {
		err := copier.Copy(c.Out, read)
		read.Close() // the command notices that its output has no reader
		return err
	})
}

// asksYAML reports whether an argument asks a command for YAML.
func asksYAML(arg string) bool {
	return arg == "yaml" || strings.HasSuffix(arg, "=yaml") || arg == "-oyaml"
}

// start runs a command and calls work, which has its output, while it runs.
func start(c *cli.Console, cmd *exec.Cmd, work func() error) error {
	cmd.Stdin = c.In
	cmd.Stderr = cmp.Or(cmd.Stderr, c.Err)
	c.TakeSignals() // for good: one that comes late must not decide the exit code
	signals := make(chan os.Signal, 16)
	for _, s := range passedSignals {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	if err := cmd.Start(); err != nil {
		return notStarted(c, err)
	}
	go func() {
		for s := range signals {
			pass(cmd.Process, s)
		}
	}()
	failed := work()
	err := cmd.Wait()
	if cmd.ProcessState == nil {
		return err
	}
	switch code := mcpproxy.ExitCode(cmd.ProcessState); {
	case code != cli.ExitOK:
		return cli.ExitStatus(code)
	case failed != nil && isBrokenPipe(failed):
		return cli.ExitStatus(exitBrokenPipe)
	default:
		return failed
	}
}

// Exit codes of shells.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
	exitBrokenPipe    = 128 + 13
)

// notStarted reports why a command cannot be run, with the exit code of a shell.
func notStarted(c *cli.Console, err error) error {
	c.Report(err)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return cli.ExitStatus(exitNotFound)
	}
	return cli.ExitStatus(exitNotExecutable)
}

// isCharDevice reports whether w is a terminal or another device, or closed.
func isCharDevice(w io.Writer) bool {
	f, ok := w.(*os.File)
	info, err := f.Stat() // an error where w is not a file
	return ok && (err != nil || info.Mode()&os.ModeCharDevice != 0)
}

func isSameFile(a, b io.Writer) bool {
	f, _ := a.(*os.File)
	g, _ := b.(*os.File)
	first, err := f.Stat() // an error where a is not a file
	second, failed := g.Stat()
	return err == nil && failed == nil && os.SameFile(first, second)
}
