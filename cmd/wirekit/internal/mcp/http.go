package mcp

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os/exec"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/mcp"
)

// servingFlags are those of the proxy over HTTP.
type servingFlags struct {
	listen, upstream string
	token            string
	origins, headers []string
	metrics          bool
	at               *url.URL
	header           http.Header
}

func (h *servingFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&h.listen, "listen", "", "serve over HTTP on this address, such as 127.0.0.1:9090; on any but a loopback address --token is needed")
	flags.StringVar(&h.upstream, "upstream", "", "the URL of the server, instead of a command")
	flags.StringArrayVar(&h.origins, "allow-origin", nil, "with --listen: an origin of web pages that may call, such as https://example.org")
	flags.BoolVar(&h.metrics, "metrics", false, "with --listen: serve counts of results at /metrics, for Prometheus")
	flags.StringVar(&h.token, "token", "", "with --listen: what clients must send as "+serving.TokenHeader+" or in the path, /token/TOKEN/; ${NAME} is taken from the environment")
	flags.StringArrayVar(&h.headers, "header", nil, "with --upstream alone: a header for the server; ${NAME} is taken from the environment")
}

// check refuses flags that do not fit together.
func (h *servingFlags) check(cmd *cobra.Command, args []string) error {
	switch dash := cmd.ArgsLenAtDash(); {
	case h.upstream == "" && (dash != 0 || len(args) == 0):
		return cli.Usagef("give the server's command after --, or its address with --upstream; see \"%s --help\"", cmd.CommandPath())
	case h.upstream != "" && len(args) > 0:
		return cli.Usagef("--upstream is instead of a command")
	case h.listen == "" && (len(h.origins) > 0 || h.metrics || h.token != ""):
		return cli.Usagef("--allow-origin, --metrics and --token belong to --listen")
	case len(h.headers) > 0 && (h.upstream == "" || h.listen != ""):
		return cli.Usagef("--header belongs to --upstream without --listen; over HTTP the client sends its own")
	}
	var err error
	if h.header, err = rewriting.Headers(h.headers); err != nil || h.upstream == "" {
		return err
	}
	h.at, err = rewriting.ParseAddress("--upstream", h.upstream)
	return err
}

// serveOn is the proxy over HTTP, for the server at --upstream or a command.
func serveOn(c *cli.Console, h *servingFlags, r *mcp.Rewriter, args []string, maxLine int) error {
	if h.at == nil {
		if _, err := exec.LookPath(args[0]); err != nil {
			return cli.Usagef("the server cannot be started: %w", err)
		}
	}
	listener, token, local, err := rewriting.Listen(h.listen, h.token)
	if err != nil {
		return err
	}
	guard := mcpproxy.Guard{Token: token, Origins: h.origins, Local: local}
	if h.metrics {
		guard.Metrics = &mcpproxy.Metrics{}
		observe := r.Observe
		r.Observe = func(e mcp.Event) {
			observe(e)
			guard.Metrics.Observe(e)
		}
	}
	what, notes := fmt.Sprintf("mcp: http://%s/ forwards to ", listener.Addr()), log.New(c.Err, "wirekit: ", 0)
	if h.at != nil {
		guard.Handler = &mcpproxy.Handler{Upstream: h.at, Rewriter: r, ErrorLog: notes}
		return rewriting.ServeHTTP(c, listener, guard, what+serving.Address(h.at))
	}
	s := &mcpproxy.Spawner{Args: args, Rewriter: r, Stderr: c.Err, MaxLine: maxLine, ErrorLog: notes}
	guard.Handler = s
	return errors.Join(rewriting.ServeHTTP(c, listener, guard, what+args[0]), s.Close())
}
