package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func newInspect(c *console) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "inspect [-f FROM] [FILE|-]",
		Short: "Show what a document holds: kinds, depth, tables, tokens",
		Args:  atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := argument(args)
			src, err := c.read(file)
			if err != nil {
				return err
			}
			defer c.progress("inspecting "+title(file), noCount)()
			codec, v, err := decode(src, from)
			if err != nil {
				return err
			}
			var out strings.Builder
			if err := inspect(&out, file, src, codec, v); err != nil {
				return err
			}
			return c.write("", []byte(out.String()))
		},
	}
	addFrom(cmd, &from)
	return cmd
}

func inspect(out *strings.Builder, file string, src []byte, codec wire.Codec, v wire.Value) error {
	info := codec.Info()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "document\t%s\n", title(file))
	fmt.Fprintf(w, "format\t%s (%s %s)\n", info.Name, info.Title, info.Version)
	fmt.Fprintf(w, "bytes\t%d\n", len(src))
	if !info.Binary {
		n, err := tokens.Default().Count(src)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "tokens\t%d (%s)\n", n, tokens.Default().Name())
	}
	var s shape
	s.add(v, 0)
	fmt.Fprintf(w, "values\t%d\n", s.values)
	for kind, n := range s.kinds {
		if n > 0 {
			fmt.Fprintf(w, "  %s\t%d\n", wire.Kind(kind), n)
		}
	}
	fmt.Fprintf(w, "depth\t%d\n", s.depth)
	fmt.Fprintf(w, "tables\t%d uniform, %d rows; %d other lists of objects\n", s.tables, s.rows, s.ragged)
	return w.Flush()
}

// shape counts what a value holds.
type shape struct {
	values, depth        int
	kinds                [wire.KindObject + 1]int
	tables, rows, ragged int
}

func (s *shape) add(v wire.Value, depth int) {
	s.values++
	s.kinds[v.Kind()]++
	switch v.Kind() {
	case wire.KindArray, wire.KindObject:
		depth++
		s.depth = max(s.depth, depth)
	}
	if v.Kind() == wire.KindArray && v.Len() > 1 && v.Index(0).Kind() == wire.KindObject {
		s.addTable(v)
	}
	for e := range v.Elements() {
		s.add(e, depth)
	}
}

// addTable counts a list whose first element is an object.
func (s *shape) addTable(v wire.Value) {
	uniform := true
	for e := range v.Elements() {
		if e.Kind() != wire.KindObject {
			return
		}
		uniform = uniform && e.SameKeys(v.Index(0))
	}
	if uniform {
		s.tables++
		s.rows += v.Len()
	} else {
		s.ragged++
	}
}
