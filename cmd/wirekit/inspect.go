package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func newInspect(c *console) *cobra.Command {
	var input inputOptions
	cmd := &cobra.Command{
		Use:   "inspect [-f FROM] [FILE|-]",
		Short: "Show what a document holds: kinds, depth, tables, tokens",
		Example: `  wirekit inspect orders.json
  wirekit inspect --at /data/items response.json`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := argument(args)
			defer c.progress("inspecting "+title(file), noCount)()
			doc, err := input.load(c, file)
			if err != nil {
				return err
			}
			var out strings.Builder
			w := newTable(&out)
			if err := describe(w, title(file), input.at, doc); err != nil {
				return err
			}
			w.flush()
			return c.write("", []byte(out.String()))
		},
	}
	input.add(cmd)
	return cmd
}

// table is a report of names and values, aligned.
type table struct{ w *tabwriter.Writer }

func newTable(out *strings.Builder) *table {
	return &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
}

func (t *table) row(name, value string) { fmt.Fprintf(t.w, "%s\t%s\n", name, value) }

func (t *table) flush() { _ = t.w.Flush() } // a strings.Builder takes everything

func describe(w *table, name string, at pointer, doc document) error {
	info, src := doc.codec.Info(), doc.src
	w.row("document", name)
	w.row("format", fmt.Sprintf("%s (%s %s)", info.Name, info.Title, info.Version))
	if at != "" {
		w.row("part", fmt.Sprintf("%s, as compact JSON", at))
		info, src = wire.JSON{}.Info(), wire.AppendJSON(nil, doc.value)
	}
	w.row("bytes", fmt.Sprint(len(src)))
	if !info.Binary {
		n, err := tokens.Default().Count(src)
		if err != nil {
			return err
		}
		w.row("tokens", fmt.Sprintf("%d (%s)", n, tokens.Default().Name()))
	}
	if info.Name == "goon" {
		return inspectGoon(src, w)
	}
	var s shape
	s.add(doc.value, 0)
	w.row("values", fmt.Sprint(s.values))
	for kind, n := range s.kinds {
		if n > 0 {
			w.row("  "+wire.Kind(kind).String(), fmt.Sprint(n))
		}
	}
	w.row("depth", fmt.Sprint(s.depth))
	if fold.IsFolded(doc.value) {
		w.row("folded", "yes; wirekit unfold gives it its full form")
	}
	w.row("tables", fmt.Sprintf("%d uniform, %d rows; %d other lists of objects", s.tables, s.rows, s.ragged))
	return nil
}
