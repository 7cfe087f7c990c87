package rewriting

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// ParseAddress reads the address that a flag has.
func ParseAddress(flag, text string) (*url.URL, error) {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		shown, _, _ := strings.Cut(strings.ReplaceAll(text, "#", "?"), "?") // what else there is may be a secret
		shown = shown[strings.LastIndexByte(shown, '@')+1:]
		return nil, cli.Usagef("%s is an address that begins with http:// or https://, not %q", flag, shown)
	}
	return at, nil
}

// Headers reads the values of --header, "Name: value". What a value takes from the environment
// has to be there.
func Headers(flags []string) (http.Header, error) {
	header := make(http.Header)
	for _, text := range flags {
		name, value, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, cli.Usagef("--header is \"Name: value\"")
		}
		value, err := FromEnvironment(value)
		if err != nil {
			return nil, cli.Usagef("--header: %w", err)
		}
		header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return header, nil
}

// FromEnvironment puts variables in the place of their names, which have to be there.
func FromEnvironment(value string) (string, error) {
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

// Listen returns what listens on an address, the token that clients must send, with variables
// of the environment in it, and whether only this machine can reach it. Where others can, there
// must be a token.
func Listen(address, flag string) (l net.Listener, token string, local bool, err error) {
	if token, err = FromEnvironment(flag); err != nil {
		return nil, "", false, cli.Usagef("--token: %w", err)
	}
	if l, err = net.Listen("tcp", address); err != nil {
		var system *os.SyscallError // the address is right then
		if !errors.As(err, &system) {
			err = fmt.Errorf("%w; write HOST:PORT, such as 127.0.0.1:9090", err)
		}
		return nil, "", false, cli.Usagef("--listen: %w", err)
	}
	at, ok := l.Addr().(*net.TCPAddr)
	if local = ok && at.IP.IsLoopback(); !local && token == "" {
		err = cli.Usagef("--listen: on %s others can call, so --token is needed", l.Addr())
		return nil, "", false, errors.Join(err, l.Close())
	}
	return l, token, local, nil
}

// ServeHTTP says what is served, and serves it until a signal comes. Requests on their way
// then have five seconds to end.
func ServeHTTP(c *cli.Console, listener net.Listener, handler http.Handler, what string) error {
	signals, done := c.TakeSignals()
	defer done()
	c.Note("%s", what)
	server := http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, ErrorLog: log.New(c.Err, "wirekit: ", 0)}
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
