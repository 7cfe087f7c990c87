package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/llmcheck"
)

func newLLMCheck(c *console) *cobra.Command {
	var asJSON bool
	var address, at string
	var h servingFlags
	o := llmcheck.Options{Wait: 5 * time.Second}
	cmd := newCommand("llm-check", atMost(0), func(*cobra.Command, []string) error {
		if err := h.readHeaders(); err != nil {
			return usageError{err}
		}
		proxy, err := parseAddress("--proxy", at)
		if err != nil {
			return err
		}
		l, _, err := listen(address, "none is needed") // who calls gets made-up answers
		if err != nil {
			return err
		}
		o.Proxy, o.Header = proxy.String(), h.header
		found, err := llmcheck.Run(l, o)
		if err != nil {
			return err
		}
		if err := c.show(asJSON, checkedProxy(found)); err != nil {
			return err
		}
		for _, f := range found {
			if len(f.Faults) > 0 {
				return exitStatus(exitInput)
			}
		}
		return nil
	})
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:8788", "be the API on this address, which is the proxy's upstream")
	cmd.Flags().StringVar(&at, "proxy", "", "where the proxy is, such as http://127.0.0.1:8787")
	cmd.Flags().StringVar(&o.Model, "model", "gpt-5", "the model in requests, as the proxy knows it")
	cmd.Flags().StringArrayVar(&h.headers, "header", nil, "a header of requests; ${NAME} is taken from the environment")
	addJSON(cmd, &asJSON)
	return cmd
}

// checkedProxy are findings as people read them.
type checkedProxy []llmcheck.Finding

func (all checkedProxy) String() string {
	var out strings.Builder
	w := newTable(&out)
	for _, f := range all {
		switch {
		case f.Skipped != "":
			w.row(f.API, f.Check, "skipped: "+f.Skipped)
		case len(f.Faults) == 0:
			w.row(f.API, f.Check, "holds")
		}
		for _, fault := range f.Faults {
			w.row(f.API, f.Check, fault)
		}
	}
	w.flush()
	return printable(out.String())
}
