package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A grid is a table whose rows and columns come in the order in which they are added. A
// cell has the least and the most of what was added to it.
type grid struct {
	rows, columns []string
	cells         map[[2]string][2]float64 // by row and column
}

func (g *grid) add(row, column string, x float64) {
	if !slices.Contains(g.rows, row) {
		g.rows = append(g.rows, row)
	}
	if !slices.Contains(g.columns, column) {
		g.columns = append(g.columns, column)
	}
	if g.cells == nil {
		g.cells = make(map[[2]string][2]float64)
	}
	at := [2]string{row, column}
	if span, ok := g.cells[at]; ok {
		g.cells[at] = [2]float64{min(span[0], x), max(span[1], x)}
	} else {
		g.cells[at] = [2]float64{x, x}
	}
}

func (g *grid) print(title, unit string) {
	fmt.Fprintf(out, "\n### %s\n\n| %s | %s |\n| --- |%s\n", title, unit, strings.Join(g.columns, " | "), strings.Repeat(" --: |", len(g.columns)))
	for _, row := range g.rows {
		fmt.Fprintf(out, "| %s |", row)
		for _, column := range g.columns {
			span, ok := g.cells[[2]string{row, column}]
			switch {
			case !ok:
				fmt.Fprint(out, " – |")
			case span[0] == span[1]:
				fmt.Fprintf(out, " %s |", number(span[0]))
			default:
				fmt.Fprintf(out, " %s–%s |", number(span[0]), number(span[1]))
			}
		}
		fmt.Fprintln(out)
	}
}

// number is whole from 100 on, else it has two decimals.
func number(x float64) string {
	if x >= 100 || x == float64(int(x)) {
		return fmt.Sprintf("%.0f", x)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}
