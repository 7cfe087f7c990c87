package hooks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
	"github.com/wirekit/wirekit/internal/base/smallfile"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/mcp"
)

// New returns the verbs of the hooks of agents.
func New(c *cli.Console) *cobra.Command {
	return cli.NewGroup("hook", newRun(c), newInstall(c), newUninstall(c), newStatus(c))
}

// agents are those that have hooks which may change what a tool returned.
var agents = map[string]func([]byte, Rewrite) []byte{"claude": Claude, "opencode": OpenCode}

// agentOf checks the name of an agent.
func agentOf(cmd *cobra.Command, args []string) error {
	return cli.Takes(cmd, len(args) == 1 && agents[args[0]] != nil, "an agent, claude or opencode")
}

func newRun(c *cli.Console) *cobra.Command {
	var f rewriting.Flags
	cmd := cli.NewCommand("hook-run", nil, func(cmd *cobra.Command, args []string) error {
		if slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "--help" }) {
			return cmd.Help()
		}
		if cmd.Flags().Parse(args) != nil {
			return nil
		}
		if err := agentOf(cmd, cmd.Flags().Args()); err != nil {
			_, _ = io.Copy(io.Discard, c.In)
			c.Note("%v", err)
			return nil
		}
		if f.Configure(cmd, nil) == nil {
			runHook(c, &f, cmd.Flags().Arg(0))
		}
		return nil
	})
	cmd.DisableFlagParsing = true // an exit code of 2 would be an order to the agent
	f.Register(cmd.Flags(), "hook")
	return cmd
}

// maxEvent is the longest event that is read.
const maxEvent = 64 << 20

// bytesPerToken is about what a token of JSON has. What is shorter than as many tokens as
// are worth it is not counted: loading the vocabulary takes longer than all the rest.
const bytesPerToken = 4

// runHook answers an event, and says nothing in any doubt.
func runHook(c *cli.Console, f *rewriting.Flags, agent string) {
	defer func() { _ = recover() }()
	event, err := io.ReadAll(io.LimitReader(c.In, maxEvent+1))
	_, _ = io.Copy(io.Discard, c.In)
	r, bad := f.Rewriter()
	if err != nil || bad != nil || len(event) > maxEvent {
		return
	}
	quiet := &cli.Console{Err: io.Discard}
	if t, err := rewriting.NewTally(quiet, f); err == nil {
		defer t.Close()
		r.Observe = t.Log
	}
	out := agents[agent](event, func(tool, text string) string {
		if len(text) < bytesPerToken*cmp.Or(r.MinTokens, rewrite.DefaultMinTokens) {
			return text
		}
		out, _ := r.RewriteText(mcp.Call{Tool: tool}, text, nil)
		return out
	})
	_, _ = c.Out.Write(out)
}

// A scope says whose settings are meant, and whether they are only printed.
type scope struct{ user, project, dry bool }

func (s *scope) register(flags *pflag.FlagSet) {
	flags.BoolVar(&s.user, "user", false, "the settings of the user, which is the default")
	flags.BoolVar(&s.project, "project", false, "the settings of the project in the working folder")
	flags.BoolVar(&s.dry, "dry-run", false, "print what would be written, and write nothing")
}

// file returns where an agent has its settings, or its plugins.
func (s scope) file(agent string) (string, error) {
	if s.user && s.project {
		return "", cli.Usagef("--user and --project do not go together")
	}
	home, err := os.UserHomeDir()
	if err != nil && !s.project {
		return "", err
	}
	switch {
	case agent == "claude" && s.project:
		return filepath.Join(".claude", "settings.json"), nil
	case agent == "claude":
		return filepath.Join(cmp.Or(os.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude")), "settings.json"), nil
	case s.project:
		return filepath.Join(".opencode", "plugin", "wirekit.js"), nil
	}
	return filepath.Join(cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "opencode", "plugin", "wirekit.js"), nil
}

// readIfThere returns nil for a file that is not there. Its errors do not name the file.
func readIfThere(file string) ([]byte, error) {
	text, err := smallfile.Read(file, smallfile.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return append([]byte{}, text...), err
}

func newInstall(c *cli.Console) *cobra.Command {
	var s scope
	cmd := cli.NewCommand("hook-install", nil, func(cmd *cobra.Command, args []string) error {
		var flags []string // of the hook
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			args, flags = args[:dash], args[dash:]
		}
		if err := agentOf(cmd, args); err != nil {
			return err
		}
		var f rewriting.Flags
		set := pflag.NewFlagSet("run", pflag.ContinueOnError)
		f.Register(set, "hook")
		err := set.Parse(flags)
		if err == nil {
			_, err = f.Rewriter()
		}
		if err != nil || set.NArg() > 0 {
			return cli.Usagef("flags of run: %w", cmp.Or(err, fmt.Errorf("%q is not a flag", set.Arg(0))))
		}
		program, err := os.Executable()
		if err != nil {
			return err
		}
		return s.change(c, args[0], "installed; restart the agent", func(have []byte) ([]byte, error) {
			if args[0] != "claude" {
				return Plugin(program, flags), nil
			}
			return Install(have, cli.ShellWords(append([]string{program, "hook", "run", "claude"}, flags...)))
		})
	})
	s.register(cmd.Flags())
	return cmd
}

// change gives an agent's settings another text, or removes them if that is nil, and notes
// it. Of a file that is not there edit gets nil.
func (s scope) change(c *cli.Console, agent, done string, edit func(have []byte) ([]byte, error)) error {
	file, err := s.file(agent)
	if err != nil {
		return err
	}
	have, err := readIfThere(file)
	if err == nil && agent != "claude" && have != nil && !IsPlugin(have) {
		err = errors.New("it is not a plugin of wirekit; nothing was changed")
	}
	var want []byte
	if err == nil {
		want, err = edit(have)
	}
	info, missing := os.Stat(file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case s.dry:
		return c.Write("", want)
	case bytes.Equal(have, want) && (have == nil) == (want == nil):
		c.Note("%s: nothing to change", file)
		return nil
	case missing == nil && info.Mode().Perm()&0o200 == 0:
		return fmt.Errorf("%s: the file is read-only; nothing was changed", file)
	}
	target, err := cli.Followed(file)
	err = cmp.Or(err, os.MkdirAll(filepath.Dir(file), 0o755))
	if err == nil && want == nil {
		err = os.Remove(target)
	} else if err == nil {
		err = c.Write(file, want)
	}
	if err == nil {
		c.Note("%s: %s", file, done)
	}
	return err
}

func newUninstall(c *cli.Console) *cobra.Command {
	var s scope
	cmd := cli.NewCommand("hook-uninstall", agentOf, func(_ *cobra.Command, args []string) error {
		return s.change(c, args[0], "uninstalled; restart the agent", func(have []byte) ([]byte, error) {
			if args[0] != "claude" || have == nil {
				return nil, nil
			}
			return Uninstall(have)
		})
	})
	s.register(cmd.Flags())
	return cmd
}

func newStatus(c *cli.Console) *cobra.Command {
	return cli.NewCommand("hook-status", agentOf, func(_ *cobra.Command, args []string) error {
		var out strings.Builder
		for _, s := range []scope{{user: true}, {project: true}} {
			file, err := s.file(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, "%s: %s\n", cli.Printable(file), cli.Printable(hookAt(args[0], file)))
		}
		var f rewriting.Flags
		flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
		f.Register(flags, "hook")
		for _, file := range f.ConfigFiles() {
			err := file.Read(flags)
			if err == nil {
				_, err = f.Rewriter()
			}
			fmt.Fprintf(&out, "%s: %s\n", cli.Printable(file.Name), cli.Printable(configState(file.Name, err)))
		}
		return c.Write("", []byte(out.String()))
	})
}

// configState says in words what reading a file of settings gave.
func configState(name string, err error) string {
	switch {
	case err == nil:
		return "its settings count"
	case errors.Is(err, fs.ErrNotExist):
		return "not there"
	}
	return "nothing is rewritten: " + strings.TrimPrefix(cli.OneLine(err.Error()), name+": ")
}

// hookAt says in words what a file has of the hook.
func hookAt(agent, file string) string {
	text, err := readIfThere(file)
	command := ""
	if err == nil && text != nil && agent == "claude" {
		command, err = Installed(text)
	}
	switch {
	case err != nil:
		return err.Error()
	case command != "":
		return "runs " + command
	case IsPlugin(text):
		return "installed"
	}
	return "not installed"
}
