package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

// newGoon returns the verbs of GOON.
func newGoon(c *console) *cobra.Command {
	return newGroup("goon", "GOON: graph query results from a server's JSON, and back",
		newGoonEncode(c), newGoonDecode(c))
}

func newGoonEncode(c *console) *cobra.Command {
	var codec goon.Codec
	cmd := &cobra.Command{
		Use:   "encode [FILE|-]",
		Short: "Print a graph query's JSON response as GOON",
		Args:  atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			src, err := c.read(argument(args))
			if err != nil {
				return err
			}
			response, err := goon.ParseJSON(src)
			if err != nil {
				return about(argument(args), err)
			}
			out, err := codec.AppendResponse(nil, response)
			if err != nil {
				return err
			}
			return c.write("", out)
		},
	}
	cmd.Flags().StringVar(&codec.Version, "goon-version", "", "version to write into the header (default "+goon.Codec{}.Info().Version+")")
	cmd.Flags().StringSliceVar(&codec.Expand, "expand", nil, "properties and columns whose texts are never cut")
	cmd.Flags().BoolVar(&codec.NoTruncate, "no-truncate", false, "write every text whole")
	return cmd
}

func newGoonDecode(c *console) *cobra.Command {
	var codec goon.Codec
	var out jsonOutput
	cmd := &cobra.Command{
		Use:   "decode [FILE|-]",
		Short: "Print GOON as the JSON of the response",
		Args:  atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			src, err := c.read(argument(args))
			if err != nil {
				return err
			}
			text, err := goon.ExtractResult(src)
			if err != nil {
				return about(argument(args), err)
			}
			codec.Warn = func(warning *wire.Error) { fmt.Fprintf(c.err, "wirekit: overlooked: %v\n", warning) }
			response, err := codec.DecodeResponse(text)
			if err != nil {
				return about(argument(args), err)
			}
			return c.print(out.codec(), content{response.Value(), len(src)})
		},
	}
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook what can be overlooked")
	cmd.Flags().BoolVar(&codec.Strict, "strict", false, "refuse what servers write against the document")
	cmd.MarkFlagsMutuallyExclusive("lenient", "strict")
	out.add(cmd)
	return cmd
}

// goonReport is a response's summary in the form that --json prints.
type goonReport struct {
	Query     string         `json:"query"`
	Nodes     map[string]int `json:"nodes,omitempty"` // by type
	Edges     map[string]int `json:"edges,omitempty"`
	Paths     int            `json:"paths,omitempty"`
	Rows      int            `json:"rows,omitempty"`
	Columns   int            `json:"columns,omitempty"`
	HasMore   bool           `json:"has_more,omitempty"`
	Truncated bool           `json:"truncated,omitempty"`
	Cut       []cutReport    `json:"cut,omitempty"`

	summary goonSummary
}

type cutReport struct {
	Type       string `json:"type,omitempty"`
	Key        string `json:"key"`
	Texts      int    `json:"texts"`
	Characters int64  `json:"characters"`
}

func goonReportOf(s goonSummary) *goonReport {
	r := &goonReport{Query: s.QueryType, Nodes: make(map[string]int), Edges: make(map[string]int),
		Paths: s.Paths, Rows: s.Rows, Columns: s.Columns, HasMore: s.HasMore, Truncated: s.Truncated, summary: s}
	for _, n := range s.Nodes {
		r.Nodes[n.Type] = n.Count
	}
	for _, e := range s.Edges {
		r.Edges[e.Type] = e.Count
	}
	for _, c := range s.Cut {
		r.Cut = append(r.Cut, cutReport(c))
	}
	return r
}

// describeGoon describes a response for the command inspect.
func describeGoon(s goonSummary, w *table) {
	w.row("query", s.QueryType)
	for _, n := range s.Nodes {
		w.row("nodes", fmt.Sprintf("%d %s", n.Count, n.Type))
	}
	for _, e := range s.Edges {
		w.row("edges", fmt.Sprintf("%d %s", e.Count, e.Type))
	}
	if s.Paths > 0 {
		w.row("paths", fmt.Sprint(s.Paths))
	}
	if s.Rows > 0 {
		w.row("rows", fmt.Sprintf("%d of %d columns", s.Rows, s.Columns))
	}
	if s.HasMore || s.Truncated {
		w.row("incomplete", fmt.Sprintf("more pages: %t, cut short by the server: %t", s.HasMore, s.Truncated))
	}
	for _, cut := range s.Cut {
		where := cut.Key
		if cut.Type != "" {
			where = cut.Type + "." + cut.Key
		}
		w.row("cut", fmt.Sprintf("%d texts of %s, %d characters left out", cut.Texts, where, cut.Characters))
	}
}
