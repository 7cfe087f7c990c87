// Package mcp has the verbs of the Model Context Protocol: the proxy, the statistics, and
// wrap, which puts the proxy into the settings of clients. It imports cli, rewriting and
// mcpproxy; the server of tools is package serve below it.
package mcp

import (
	"fmt"
	"log"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcp/serve"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/mcp"
)

// New returns the verbs of MCP. version is that of the program.
func New(c *cli.Console, version string) *cobra.Command {
	return cli.NewGroup("mcp", newProxy(c), serve.New(c, version), rewriting.NewMCPStats(c), newWrap(c))
}

// proxyFlags are those of a rewriter, and what only MCP has.
type proxyFlags struct {
	rewriting.Flags
	clients      []string
	instructions bool
	server       string
	maxLine      cli.Amount
}

func (f *proxyFlags) register(flags *pflag.FlagSet) {
	f.Flags.Register(flags, "mcp")
	flags.StringArrayVar(&f.clients, "client", nil, "a mode for clients of a name or pattern, such as 'codex*=text'; the first that fits holds")
	flags.BoolVar(&f.instructions, "instructions", false, "tell the model about the formats in the server's instructions")
	f.maxLine = mcpproxy.DefaultMaxLine
	flags.Var(&f.maxLine, "max-line", "forward longer messages without a look, in bytes")
	flags.StringVar(&f.server, "name", "", "the server's name in statistics (default: what it calls itself)")
}

// modelInstructions is what --instructions adds to those of the server: how each of the
// formats is read.
func modelInstructions(formats []string) string {
	var b strings.Builder
	b.WriteString("Some tool results are not JSON but another notation of the same data.")
	for _, name := range formats {
		if c, err := wirekit.Lookup(name); err == nil {
			b.WriteString(" " + c.Info().Prompt)
		}
	}
	return b.String()
}

func (f *proxyFlags) rewriter() (*mcp.Rewriter, error) {
	r, err := f.Flags.Rewriter()
	if err != nil {
		return nil, err
	}
	if f.maxLine < 1 {
		return nil, cli.Usagef("--max-line is a number of bytes from 1, not %d", f.maxLine)
	}
	r.Server = f.server
	if r.Clients, err = clientModes(f.clients); err != nil {
		return nil, cli.Usage(err)
	}
	if f.instructions {
		r.Instructions = modelInstructions(rewrite.Plan{Formats: r.Formats}.WithDefaults().Formats)
	}
	return r, f.Preload()
}

// clientModes returns what --client says: a name or pattern, "=" and a mode each, of
// which the first that fits holds.
func clientModes(texts []string) (func(string) mcp.Mode, error) {
	if texts == nil {
		return nil, nil
	}
	var rules []mcp.Rule
	for _, text := range texts {
		name, word, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("client %q is not NAME=MODE, such as \"codex=text\"", text)
		}
		mode, err := rewriting.NamedMode(word)
		if err != nil {
			return nil, err
		}
		rules = append(rules, mcp.Rule{Tool: name, Mode: mode})
	}
	return func(name string) mcp.Mode {
		for _, rule := range rules {
			if rewrite.Matches(rule.Tool, name) {
				return rule.Mode
			}
		}
		return mcp.ModeDefault
	}, nil
}

func newProxy(c *cli.Console) *cobra.Command {
	var f proxyFlags
	var h servingFlags
	cmd := cli.NewCommand("mcp-proxy", nil, func(cmd *cobra.Command, args []string) error {
		if err := h.check(cmd, args); err != nil {
			return err
		}
		r, err := f.rewriter()
		if err != nil {
			return err
		}
		t, err := rewriting.NewTally(c, &f.Flags)
		if err != nil {
			return err
		}
		defer t.Close()
		r.Observe = t.Add
		if h.listen != "" {
			return serveOn(c, &h, r, args, int(f.maxLine))
		}
		return run(c, &h, r, args, int(f.maxLine))
	})
	cmd.PreRunE = f.Configure
	f.register(cmd.Flags())
	h.register(cmd.Flags())
	return cmd
}

// run is the proxy over standard input and output, for the server at --upstream or a command,
// whose exit code the error may be.
func run(c *cli.Console, h *servingFlags, r *mcp.Rewriter, args []string, maxLine int) error {
	signals, done := c.TakeSignals()
	defer done()
	if h.at != nil {
		return mcpproxy.Remote{Upstream: h.at, Header: h.header, Rewriter: r, Stdin: c.In, Stdout: c.Out, Signals: signals,
			MaxLine: maxLine, ErrorLog: log.New(c.Err, "wirekit: ", 0)}.Run()
	}
	code, err := mcpproxy.Command{
		Args: args, Rewriter: r, Stdin: c.In, Stdout: c.Out, Stderr: c.Err, Signals: signals, MaxLine: maxLine,
	}.Run()
	if err != nil {
		return cli.Usage(err)
	}
	if code != cli.ExitOK {
		return cli.ExitStatus(code)
	}
	return nil
}
