package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func newInspect(c *console) *cobra.Command {
	var input inputOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect [-f FROM] [FILE…|-]",
		Short: "Show what a document holds: kinds, depth, tables, tokens",
		RunE: func(_ *cobra.Command, files []string) error {
			var list []inspection
			failed := eachFile(c, files, func(c *console, file string) error {
				defer c.progress("inspecting "+title(file), noCount)()
				doc, err := input.load(c, file)
				if err != nil {
					return err
				}
				one, err := inspectionOf(title(file), input.selection, doc)
				if err == nil {
					list = append(list, one)
				}
				return err
			})
			return printEach(c, asJSON, list, failed)
		},
	}
	input.add(cmd)
	addJSON(cmd, &asJSON)
	return cmd
}

// addJSON adds the flag of verbs that report.
func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// writeJSON prints a report as indented JSON.
func (c *console) writeJSON(report any) error {
	text, err := indented(report)
	if err != nil {
		return err
	}
	return c.write("", text)
}

// printEach prints what was made of each document, as JSON or one text after the
// other, and returns the error of those that failed as well.
func printEach[T fmt.Stringer](c *console, asJSON bool, list []T, failed error) error {
	if asJSON && list != nil {
		return errors.Join(c.writeJSON(list), failed)
	}
	var out strings.Builder
	for _, one := range list {
		out.WriteString(one.String())
	}
	return errors.Join(c.write("", []byte(out.String())), failed)
}

// table is a report of rows of cells, aligned.
type table struct{ w *tabwriter.Writer }

func newTable(out *strings.Builder) *table {
	return &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
}

func (t *table) row(cells ...string) { fmt.Fprintln(t.w, strings.Join(cells, "\t")) }

func (t *table) flush() { _ = t.w.Flush() } // a strings.Builder takes everything

// inspection is what inspect tells of a document, in the form that --json
// prints.
type inspection struct {
	Document  string         `json:"document"`
	Format    string         `json:"format"`
	Part      string         `json:"part,omitempty"`
	Bytes     int            `json:"bytes"` // of the part as compact JSON, if there is one
	Tokens    *int           `json:"tokens,omitempty"`
	Tokenizer string         `json:"tokenizer,omitempty"`
	Values    int            `json:"values"`
	Kinds     map[string]int `json:"kinds,omitempty"`
	Depth     int            `json:"depth"`
	Folded    bool           `json:"folded,omitempty"`
	Tables    int            `json:"tables"`
	Rows      int            `json:"rows"`
	Lists     int            `json:"other_lists_of_objects"`
	Response  *goonReport    `json:"response,omitempty"`

	title string // of the format
}

func inspectionOf(name string, s selection, doc document) (inspection, error) {
	info, src := doc.codec.Info(), doc.src
	r := inspection{Document: name, Format: info.Name, Part: s.at, title: info.Title + " " + info.Version}
	if !s.all() {
		info, src = wire.JSON{}.Info(), wire.AppendJSON(nil, doc.value)
	}
	r.Bytes = len(src)
	if !info.Binary {
		n, err := tokens.Default().Count(src)
		if err != nil {
			return r, err
		}
		r.Tokens, r.Tokenizer = &n, tokens.Default().Name()
	}
	var counted shape
	counted.add(doc.value, 0)
	r.Values, r.Depth, r.Tables, r.Rows, r.Lists = counted.values, counted.depth, counted.tables, counted.rows, counted.ragged
	r.Kinds = make(map[string]int)
	for kind, n := range counted.kinds {
		if n > 0 {
			r.Kinds[wire.Kind(kind).String()] = n
		}
	}
	r.Folded = fold.IsFolded(doc.value)
	if info.Name == "goon" {
		response, err := goon.Codec{}.DecodeResponse(src)
		if err != nil {
			return r, err
		}
		r.Response = goonReportOf(summarize(response))
	}
	return r, nil
}

func (r inspection) String() string {
	var out strings.Builder
	w := newTable(&out)
	w.row("document", r.Document)
	w.row("format", fmt.Sprintf("%s (%s)", r.Format, r.title))
	if r.Part != "" {
		w.row("part", r.Part+", as compact JSON")
	}
	w.row("bytes", fmt.Sprint(r.Bytes))
	if r.Tokens != nil {
		w.row("tokens", fmt.Sprintf("%d (%s)", *r.Tokens, r.Tokenizer))
	}
	if r.Response != nil {
		describeGoon(r.Response.summary, w)
	} else {
		w.row("values", fmt.Sprint(r.Values))
		for kind := wire.KindNull; kind <= wire.KindObject; kind++ {
			if n := r.Kinds[kind.String()]; n > 0 {
				w.row("  "+kind.String(), fmt.Sprint(n))
			}
		}
		w.row("depth", fmt.Sprint(r.Depth))
		if r.Folded {
			w.row("folded", "yes; wirekit unfold gives it its full form")
		}
		w.row("tables", fmt.Sprintf("%d uniform, %d rows; %d other lists of objects", r.Tables, r.Rows, r.Lists))
	}
	w.flush()
	return out.String()
}
