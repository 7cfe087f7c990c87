package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/mcp/proxy"
)

// serving are the flags of the proxy over HTTP.
type serving struct {
	listen, upstream string
	origins          []string
	at               *url.URL
}

func (h *serving) register(flags *pflag.FlagSet) {
	flags.StringVar(&h.listen, "listen", "", "serve over HTTP on this address, such as 127.0.0.1:9090")
	flags.StringVar(&h.upstream, "upstream", "", "with --listen: the URL of the server")
	flags.StringArrayVar(&h.origins, "allow-origin", nil, "with --listen: an origin of web pages that may call, such as https://example.org")
}

// wanted reports whether the proxy is to serve over HTTP.
func (h *serving) wanted() bool { return h.listen != "" || h.upstream != "" || len(h.origins) > 0 }

// check refuses flags that do not fit together.
func (h *serving) check(args []string) error {
	if h.listen == "" || h.upstream == "" || len(args) > 0 {
		return usageError{errors.New("--listen and --upstream belong together, without a command")}
	}
	at, err := url.Parse(h.upstream)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return usageError{fmt.Errorf("--upstream is an address that begins with http:// or https://, not %q", h.upstream)}
	}
	h.at = at
	return nil
}

// serve serves until a signal comes. Requests on their way then have five
// seconds to end.
func (c *console) serve(h *serving, r *mcp.Rewriter) error {
	listener, err := net.Listen("tcp", h.listen)
	if err != nil {
		return usageError{fmt.Errorf("--listen: %w", err)}
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	signals, done := c.takeSignals()
	defer done()
	server := http.Server{
		Handler: &proxy.Handler{Upstream: h.at, Rewriter: r, Origins: h.origins,
			Local: ok && address.IP.IsLoopback(), ErrorLog: log.New(c.err, "wirekit: ", 0)},
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(c.err, "wirekit: ", 0),
	}
	c.note("mcp: http://%s/ forwards to %s", listener.Addr(), h.at.Redacted())
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
