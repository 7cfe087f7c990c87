// Package llm has the verbs of the proxies between a program and a model. It imports cli
// and rewriting.
package llm

import (
	"errors"
	"fmt"
	"log"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/llm/check"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/llm/proxy"
)

// New returns the verbs of the proxies of models.
func New(c *cli.Console) *cobra.Command {
	return cli.NewGroup("llm", newProxy(c), newServe(c), check.New(c), rewriting.NewLLMStats(c))
}

// proxyFlags are those of the proxy and of the server.
type proxyFlags struct {
	rewriting.Flags
	objects, users, documents, repeats bool
	listen, token                      string
	origins                            []string
}

func (f *proxyFlags) register(flags *pflag.FlagSet) {
	f.Flags.Register(flags, "llm")
	flags.BoolVar(&f.objects, "gemini", false, "rewrite the objects that Gemini has for results")
	flags.BoolVar(&f.users, "users", false, "rewrite JSON in the user's messages")
	flags.BoolVar(&f.documents, "documents", false, "rewrite JSON in documents that are plain text")
	flags.BoolVar(&f.repeats, "repeats", false, "name the earlier call instead of a result that it has had already")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8787", "serve on this address; on any but a loopback address --token is needed")
	flags.StringVar(&f.token, "token", "", "what clients must send as "+proxy.TokenHeader+" or in the path, /token/TOKEN/v1; ${NAME} is taken from the environment")
	flags.StringArrayVar(&f.origins, "allow-origin", nil, "an origin of web pages that may call, such as https://example.org")
}

func (f *proxyFlags) rewriter() (*llm.Rewriter, error) {
	r, err := f.Flags.Rewriter()
	if err != nil {
		return nil, err
	}
	return &llm.Rewriter{
		Mode: r.Mode, Formats: r.Formats, Rules: r.Rules, Counter: r.Counter, MinTokens: r.MinTokens, MinSaving: r.MinSaving, MaxBytes: r.MaxBytes,
		MaxSteps: r.MaxSteps, Prune: r.Prune, Objects: f.objects, Users: f.users, Documents: f.documents, Repeats: f.repeats,
	}, f.Preload()
}

func newProxy(c *cli.Console) *cobra.Command {
	var upstream, calibrate string
	cmd := newVerb(c, "llm-proxy", func() (*proxy.Handler, string, error) {
		at, err := rewriting.ParseAddress("--upstream", upstream)
		if err != nil {
			return nil, "", err
		}
		calibration, err := rewriting.NewCalibration(c, calibrate)
		if err != nil {
			return nil, "", err
		}
		return &proxy.Handler{Upstream: at, Calibration: calibration}, "forwards to " + serving.Address(at), nil
	})
	cmd.Flags().StringVar(&calibrate, "calibrate", "", "note in this file, of each answer, the model and two numbers: its provider's count of new tokens and ours")
	cmd.Flags().StringVar(&upstream, "upstream", "", "where the API is, such as https://api.openai.com")
	return cmd
}

func newServe(c *cli.Console) *cobra.Command {
	return newVerb(c, "llm-serve", func() (*proxy.Handler, string, error) {
		return &proxy.Handler{}, "answers /v1/compress", nil
	})
}

// memoryLimit is from where on the collector works harder: what waits for an answer is
// long texts, which cost it nothing to look at.
const memoryLimit = 512 << 20

// newVerb returns a verb that serves a handler until a signal comes. handler returns what is the
// verb's own, without what flags of both say, and what it does.
func newVerb(c *cli.Console, name string, handler func() (h *proxy.Handler, does string, err error)) *cobra.Command {
	var f proxyFlags
	cmd := cli.NewCommand(name, cli.AtMost(0), func(*cobra.Command, []string) error {
		h, does, err := handler()
		if err != nil {
			return err
		}
		r, err := f.rewriter()
		if err != nil {
			return err
		}
		listener, token, local, err := rewriting.Listen(f.listen, f.token)
		if err != nil {
			return err
		}
		t, err := rewriting.NewTally(c, &f.Flags)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer t.Close()
		h.Token, h.Local = token, local
		h.Rewriter, h.Origins, h.Metrics, h.ErrorLog = r, f.origins, &proxy.Metrics{}, log.New(c.Err, "wirekit: ", 0)
		r.Observe = func(report llm.Report) {
			h.Metrics.Observe(report)
			t.AddReport(report)
		}
		if h.Calibration != nil {
			h.Calibration.Counter = r.Counter
		}
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(memoryLimit)
		}
		return rewriting.ServeHTTP(c, listener, h, fmt.Sprintf("llm: http://%s/ %s, profile %s", listener.Addr(), does, r.Profile()))
	})
	cmd.PreRunE = f.Configure
	f.register(cmd.Flags())
	return cmd
}
