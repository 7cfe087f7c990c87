package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A grid is a table whose rows and columns come in the order in which their cells are set.
type grid struct {
	rows, columns []string
	cells         map[[2]string]string // by row and column
	spans         map[[2]string][2]float64
}

func (g *grid) set(row, column, cell string) {
	if !slices.Contains(g.rows, row) {
		g.rows = append(g.rows, row)
	}
	if !slices.Contains(g.columns, column) {
		g.columns = append(g.columns, column)
	}
	if g.cells == nil {
		g.cells, g.spans = make(map[[2]string]string), make(map[[2]string][2]float64)
	}
	g.cells[[2]string{row, column}] = cell
}

// widen puts n into the span, least and most, that a cell shows.
func (g *grid) widen(row, column string, n float64) {
	at := [2]string{row, column}
	span, ok := g.spans[at]
	if !ok {
		span = [2]float64{n, n}
	}
	span = [2]float64{min(span[0], n), max(span[1], n)}
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	cell := number(span[0])
	if span[0] < span[1] {
		cell += "–" + number(span[1])
	}
	g.set(row, column, cell)
	g.spans[at] = span
}

// print writes the grid with a dash where it has no cell.
func (g *grid) print(title, unit string) {
	fmt.Fprintf(out, "\n### %s\n\n| %s | %s |\n| --- |%s\n", title, unit, strings.Join(g.columns, " | "), strings.Repeat(" --: |", len(g.columns)))
	for _, row := range g.rows {
		fmt.Fprintf(out, "| %s |", row)
		for _, column := range g.columns {
			fmt.Fprintf(out, " %s |", cmp.Or(g.cells[[2]string{row, column}], "–"))
		}
		fmt.Fprintln(out)
	}
}
