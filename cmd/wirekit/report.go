package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// A report is what a verb says about a document, usually a pointer: as text, and as the
// JSON of the same value.
type report interface {
	comparable
	fmt.Stringer
}

// newReports makes cmd a verb that prints a report about each of several documents. What
// fails may have a report, too. doing is what goes on meanwhile.
func newReports[R report](c *console, cmd *cobra.Command, doing string, about func(c *console, file string) (R, error)) *cobra.Command {
	var asJSON bool
	addJSON(cmd, &asJSON)
	cmd.RunE = func(_ *cobra.Command, files []string) error {
		var list []R
		failed := eachFile(c, files, func(c *console, file string) error {
			defer c.progress(doing+" "+title(file), noCount)()
			var none R
			one, err := about(c, file)
			if one != none {
				list = append(list, one)
			}
			return err
		})
		return printEach(c, asJSON, list, failed)
	}
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

// show prints a report, as JSON or as text.
func (c *console) show(asJSON bool, report fmt.Stringer) error {
	if asJSON {
		return c.writeJSON(report)
	}
	return c.write("", []byte(report.String()))
}

// printEach prints reports, as JSON or one text after the other, and returns the error of
// what failed as well.
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

func percent(x float64) string {
	text := fmt.Sprintf("%+.1f %%", x)
	if text[1:] == "0.0 %" {
		return text[1:]
	}
	return text
}

func savedPercent(n, json int) float64 {
	if json == 0 {
		return 0
	}
	return 100 * (1 - float64(n)/float64(json))
}
