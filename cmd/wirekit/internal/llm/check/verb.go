package check

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
)

// New returns the verb check of llm.
func New(c *cli.Console) *cobra.Command {
	var asJSON bool
	var address, at string
	var headers []string
	o := Options{Wait: 5 * time.Second}
	cmd := cli.NewCommand("llm-check", cli.AtMost(0), func(*cobra.Command, []string) (err error) {
		if o.Header, err = rewriting.Headers(headers); err != nil {
			return err
		}
		proxy, err := rewriting.ParseAddress("--proxy", at)
		if err != nil {
			return err
		}
		l, _, err := rewriting.Listen(address, "none is needed") // who calls gets made-up answers
		if err != nil {
			return err
		}
		o.Proxy = proxy.String()
		found, err := Run(l, o)
		if err != nil {
			return err
		}
		if err := c.Show(asJSON, found); err != nil {
			return err
		}
		if slices.ContainsFunc(found, func(f Finding) bool { return len(f.Faults) > 0 }) {
			return cli.ExitStatus(cli.ExitInput)
		}
		return nil
	})
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:8788", "be the API on this address, which is the proxy's upstream")
	cmd.Flags().StringVar(&at, "proxy", "", "where the proxy is, such as http://127.0.0.1:8787")
	cmd.Flags().StringVar(&o.Model, "model", "gpt-5", "the model in requests, as the proxy knows it")
	cmd.Flags().StringArrayVar(&headers, "header", nil, "a header of requests; ${NAME} is taken from the environment")
	cli.AddJSON(cmd, &asJSON)
	return cmd
}

// String is what people read.
func (all Findings) String() string {
	var w cli.Table
	for _, f := range all {
		switch {
		case f.Skipped != "":
			w.Row(f.API, f.Check, "skipped: "+f.Skipped)
		case len(f.Faults) == 0:
			w.Row(f.API, f.Check, "holds")
		}
		for _, fault := range f.Faults {
			w.Row(f.API, f.Check, fault)
		}
	}
	return cli.Printable(w.String())
}
