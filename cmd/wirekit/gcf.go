package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// newGCF returns the verbs of the reference commands of GCF, with their
// arguments: a file or "-".
func newGCF(c *console) *cobra.Command {
	return newGroup("gcf", "GCF: both profiles from JSON and back, and deltas",
		newGCFEncode(c),
		newTranscode(c, "decode", "Print a graph in GCF as JSON", "wirekit gcf encode graph.json | wirekit gcf decode", gcf.GraphCodec{}, wire.JSON{Indent: "  "}),
		newGCFEncodeGeneric(c),
		newTranscode(c, "decode-generic", "Print GCF of the generic profile as JSON", "wirekit gcf decode-generic --at /orders/0 orders.gcf", gcf.Codec{}, wire.JSON{Indent: "  "}),
		newGCFStats(c),
		newGCFDelta(c),
		newGCFApply(c),
		newGCFRoot(c),
	)
}

func newGCFEncode(c *console) *cobra.Command {
	var omit bool
	cmd := newVerb(c, &cobra.Command{
		Use:   "encode [FILE|-]",
		Short: "Print a graph of JSON as GCF, in the graph profile",
	}, wire.JSON{}, func(v content) error {
		codec := gcf.GraphCodec{}
		if omit {
			codec.Omitted = func(err error) { fmt.Fprintf(c.err, "wirekit: left out: %v\n", err) }
		}
		return c.print(codec, v)
	})
	cmd.Flags().BoolVar(&omit, "omit", false, "leave out what the profile cannot carry, and say so")
	return cmd
}

func newGCFEncodeGeneric(c *console) *cobra.Command {
	var key string
	cmd := newTranscode(c, "encode-generic", "Print any JSON as GCF, in the generic profile",
		"wirekit gcf encode-generic orders.json\n  wirekit gcf encode-generic --key id --at /orders orders.json", wire.JSON{}, gcf.Codec{})
	cmd.Long = `Print any JSON as GCF, in the generic profile. With --key a list of flat rows becomes
the full payload of a set, which names its key and its root, and to which deltas apply.`
	plain := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if key == "" {
			return plain(cmd, args)
		}
		at, _ := cmd.Flags().GetString("at")
		b, err := deltaInput{inputOptions{from: "json", at: pointer(at)}, key}.load(c, argument(args))
		if err != nil {
			return err
		}
		text, err := b.full()
		if err != nil {
			return err
		}
		return c.write("", lined(gcf.Codec{}, text))
	}
	cmd.Flags().StringVarP(&key, "key", "k", "", "field that identifies a row of a list")
	return cmd
}

func newGCFStats(c *console) *cobra.Command {
	var tokenizer string
	var at pointer
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats [FILE|-]",
		Short: "Compare a graph's size as JSON and as GCF",
		Args:  atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			counter, err := tokens.Lookup(tokenizer)
			if err != nil {
				return usageError{err}
			}
			doc, err := inputOptions{at: at}.load(c, argument(args))
			if err != nil {
				return err
			}
			v := doc.value
			text, err := gcf.GraphCodec{}.AppendEncode(nil, v)
			if err != nil {
				return err
			}
			report, err := graphStats(v, text, counter)
			if err != nil {
				return err
			}
			if asJSON {
				return c.writeJSON(report)
			}
			return c.write("", []byte(report.String()))
		},
	}
	at.add(cmd)
	addJSON(cmd, &asJSON)
	cmd.Flags().StringVar(&tokenizer, "tokenizer", tokens.Default().Name(), "token counter: "+strings.Join(tokens.Names(), ", "))
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

func graphStats(v wire.Value, text []byte, counter tokens.Counter) (graphReport, error) {
	json := wire.AppendJSON(nil, v)
	r := graphReport{Tokenizer: counter.Name(), JSON: graphForm{Bytes: len(json)}, GCF: graphForm{Bytes: len(text)}}
	var err error
	if r.JSON.Tokens, err = counter.Count(json); err != nil {
		return r, err
	}
	if r.GCF.Tokens, err = counter.Count(text); err != nil {
		return r, err
	}
	symbols, _ := v.Get("symbols")
	edges, _ := v.Get("edges")
	r.Symbols, r.Edges = symbols.Len(), edges.Len()
	return r, nil
}

func (r graphReport) String() string {
	var out strings.Builder
	w := newTable(&out)
	w.row("JSON", fmt.Sprintf("%d bytes, %d tokens of %s", r.JSON.Bytes, r.JSON.Tokens, r.Tokenizer))
	w.row("GCF", fmt.Sprintf("%d bytes, %d tokens of %s", r.GCF.Bytes, r.GCF.Tokens, r.Tokenizer))
	w.row("symbols", fmt.Sprint(r.Symbols))
	w.row("edges", fmt.Sprint(r.Edges))
	w.flush()
	return out.String()
}
