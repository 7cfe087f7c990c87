package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
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
		return usagef("give the server's command after --, or its address with --upstream; see \"%s --help\"", cmd.CommandPath())
	case h.upstream != "" && len(args) > 0:
		return usagef("--upstream is instead of a command")
	case h.listen == "" && (len(h.origins) > 0 || h.metrics || h.token != ""):
		return usagef("--allow-origin, --metrics and --token belong to --listen")
	case len(h.headers) > 0 && (h.upstream == "" || h.listen != ""):
		return usagef("--header belongs to --upstream without --listen; over HTTP the client sends its own")
	}
	if err := h.readHeaders(); err != nil {
		return asUsage(err)
	}
	if h.upstream == "" {
		return nil
	}
	var err error
	h.at, err = parseUpstream(h.upstream)
	return err
}

func parseUpstream(text string) (*url.URL, error) {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		shown, _, _ := strings.Cut(strings.ReplaceAll(text, "#", "?"), "?") // what else there is may be a secret
		shown = shown[strings.LastIndexByte(shown, '@')+1:]
		return nil, usagef("--upstream is an address that begins with http:// or https://, not %q", shown)
	}
	return at, nil
}

// readHeaders reads "Name: value". What a value takes from the environment has to
// be there.
func (h *servingFlags) readHeaders() error {
	h.header = make(http.Header)
	for _, text := range h.headers {
		name, value, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return errors.New("--header is \"Name: value\"")
		}
		value, err := fromEnvironment(value)
		if err != nil {
			return fmt.Errorf("--header: %w", err)
		}
		h.header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return nil
}

// fromEnvironment puts variables in the place of their names, which have to be there.
func fromEnvironment(value string) (string, error) {
	var missing error
	value = variable.ReplaceAllStringFunc(value, func(word string) string {
		name := word[2 : len(word)-1]
		found, has := os.LookupEnv(name)
		if !has {
			missing = fmt.Errorf("the environment has no %s", name)
		}
		return found
	})
	return value, missing
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// reach is the proxy over standard input and output for a server at --upstream.
func (c *console) reach(h *servingFlags, r *mcp.Rewriter, maxLine int) error {
	signals, done := c.takeSignals()
	defer done()
	return mcpproxy.Remote{Upstream: h.at, Header: h.header, Rewriter: r, Stdin: c.in, Stdout: c.out, Signals: signals,
		MaxLine: maxLine, ErrorLog: log.New(c.err, "wirekit: ", 0)}.Run()
}

// serve is the proxy over HTTP, for the server at --upstream or a command.
func (c *console) serve(h *servingFlags, r *mcp.Rewriter, args []string, maxLine int) error {
	if h.at == nil {
		if _, err := exec.LookPath(args[0]); err != nil {
			return usagef("the server cannot be started: %w", err)
		}
	}
	token, err := fromEnvironment(h.token)
	if err != nil {
		return usagef("--token: %w", err)
	}
	listener, local, err := listen(h.listen, token)
	if err != nil {
		return err
	}
	var metrics *mcpproxy.Metrics
	if h.metrics {
		metrics = &mcpproxy.Metrics{}
		observe := r.Observe
		r.Observe = func(e mcp.Event) {
			observe(e)
			metrics.Observe(e)
		}
	}
	what, notes := fmt.Sprintf("mcp: http://%s/ forwards to ", listener.Addr()), log.New(c.err, "wirekit: ", 0)
	if h.at != nil {
		front := &mcpproxy.Handler{Upstream: h.at, Rewriter: r, Origins: h.origins, Local: local, Metrics: metrics, ErrorLog: notes}
		return c.serveHTTP(listener, mcpproxy.WithToken(token, front), what+serving.Address(h.at))
	}
	s := &mcpproxy.Spawner{Args: args, Rewriter: r, Stderr: c.err, Origins: h.origins, Local: local,
		Metrics: metrics, MaxLine: maxLine, ErrorLog: notes}
	return errors.Join(c.serveHTTP(listener, mcpproxy.WithToken(token, s), what+args[0]), s.Close())
}

// listen returns what listens on an address, and whether only this machine can reach it. Where
// others can, there must be a token.
func listen(address, token string) (l net.Listener, local bool, err error) {
	if l, err = net.Listen("tcp", address); err != nil {
		var system *os.SyscallError // the address is right then
		if !errors.As(err, &system) {
			err = fmt.Errorf("%w; write HOST:PORT, such as 127.0.0.1:9090", err)
		}
		return nil, false, usagef("--listen: %w", err)
	}
	at, ok := l.Addr().(*net.TCPAddr)
	if local = ok && at.IP.IsLoopback(); !local && token == "" {
		err = usagef("--listen: on %s others can call, so --token is needed", l.Addr())
		return nil, false, errors.Join(err, l.Close())
	}
	return l, local, nil
}

// serveHTTP says what is served, and serves it until a signal comes. Requests on their way
// then have five seconds to end.
func (c *console) serveHTTP(listener net.Listener, handler http.Handler, what string) error {
	signals, done := c.takeSignals()
	defer done()
	c.note("%s", what)
	server := http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, ErrorLog: log.New(c.err, "wirekit: ", 0)}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-signals:
	}
	within, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if server.Shutdown(within) != nil {
		return server.Close() // streams that a client keeps open
	}
	return nil
}
