package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func newGCFEncode(c *console) *cobra.Command {
	var omit bool
	cmd := newVerb(c, "gcf-encode", wire.JSON{}, func(d document) error {
		codec := gcf.GraphCodec{}
		if omit {
			codec.Omitted = func(err error) { fmt.Fprintf(c.err, "wirekit: left out: %v\n", err) }
		}
		return c.print(codec, d.value, d.src)
	})
	cmd.Flags().BoolVar(&omit, "skip-bad", false, "leave out what the profile cannot carry, and say so")
	return cmd
}

func newGCFEncodeGeneric(c *console) *cobra.Command {
	o := deltaInput{inputOptions: inputOptions{from: "json"}}
	cmd := newCommand("gcf-encode-generic", atMost(1), func(_ *cobra.Command, args []string) error {
		if o.key == "" {
			d, err := o.read(c, argument(args), wire.JSON{})
			if err != nil {
				return err
			}
			return c.print(gcf.Codec{}, d.value, d.src)
		}
		b, err := o.load(c, argument(args))
		if err != nil {
			return err
		}
		text, err := b.full()
		if err != nil {
			return err
		}
		return c.write("", lined(gcf.Codec{}, text))
	})
	o.selection.add(cmd)
	cmd.Flags().StringVarP(&o.key, "key", "k", "", "field that identifies a row of a list")
	return cmd
}

func newGCFStats(c *console) *cobra.Command {
	var counter tokenizer
	var s selection
	var asJSON bool
	cmd := newCommand("gcf-stats", atMost(1), func(_ *cobra.Command, args []string) error {
		doc, err := inputOptions{selection: s}.load(c, argument(args))
		if err != nil {
			return err
		}
		report, err := graphStats(doc.value, counter)
		if err != nil {
			return err
		}
		return c.show(asJSON, report)
	})
	s.add(cmd)
	addJSON(cmd, &asJSON)
	counter.add(cmd.Flags(), "token counter: ")
	return cmd
}

// graphReport compares a graph's forms, in the form that --json prints.
type graphReport struct {
	Tokenizer string    `json:"tokenizer"`
	JSON      graphForm `json:"json"`
	GCF       graphForm `json:"gcf"`
	Symbols   int       `json:"symbols"`
	Edges     int       `json:"edges"`
}

type graphForm struct {
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
}

func graphStats(v wire.Value, counter tokens.Counter) (*graphReport, error) {
	text, err := gcf.GraphCodec{}.AppendEncode(nil, v)
	if err != nil {
		return nil, err
	}
	symbols, _ := v.Get("symbols")
	edges, _ := v.Get("edges")
	r := &graphReport{Tokenizer: counter.Name(), Symbols: symbols.Len(), Edges: edges.Len()}
	if r.JSON, err = formOf(wire.AppendJSON(nil, v), counter); err != nil {
		return nil, err
	}
	r.GCF, err = formOf(text, counter)
	return r, err
}

func formOf(text []byte, counter tokens.Counter) (graphForm, error) {
	n, err := counter.Count(text)
	return graphForm{len(text), n}, err
}

func (r *graphReport) String() string {
	var out strings.Builder
	w := newTable(&out)
	w.row("JSON", fmt.Sprintf("%d bytes, %d tokens of %s", r.JSON.Bytes, r.JSON.Tokens, r.Tokenizer))
	w.row("GCF", fmt.Sprintf("%d bytes, %d tokens of %s", r.GCF.Bytes, r.GCF.Tokens, r.Tokenizer))
	w.row("symbols", fmt.Sprint(r.Symbols))
	w.row("edges", fmt.Sprint(r.Edges))
	w.flush()
	return out.String()
}
