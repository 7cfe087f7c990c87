package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// A Report is what a verb says about a document, usually a pointer: as text, and as the
// JSON of the same value.
type Report interface {
	comparable
	fmt.Stringer
}

// NewReports makes cmd a verb that prints a report about each of several documents. What
// fails may have a report, too. doing is what goes on meanwhile.
func NewReports[R Report](c *Console, cmd *cobra.Command, doing string, about func(c *Console, file string) (R, error)) *cobra.Command {
	var asJSON bool
	AddJSON(cmd, &asJSON)
	cmd.RunE = func(_ *cobra.Command, files []string) error {
		list, failed := Reports(c, files, doing, about)
		return PrintEach(c, asJSON, list, failed)
	}
	return cmd
}

// Reports returns the reports about documents, and an error if one of these failed. What fails
// may have a report, too.
func Reports[R comparable](c *Console, files []string, doing string, about func(c *Console, file string) (R, error)) (list []R, failed error) {
	failed = EachFile(c, files, func(c *Console, file string) error {
		defer c.Progress(doing+" "+Title(file), NoCount)()
		var none R
		one, err := about(c, file)
		if one != none {
			list = append(list, one)
		}
		return err
	})
	return list, failed
}

// AddJSON adds the flag of verbs that report.
func AddJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// WriteJSON prints a report as indented JSON.
func (c *Console) WriteJSON(report any) error {
	text, err := Indented(report)
	if err != nil {
		return err
	}
	return c.Write("", text)
}

// Show prints a report, as JSON or as text.
func (c *Console) Show(asJSON bool, report fmt.Stringer) error {
	if asJSON {
		return c.WriteJSON(report)
	}
	return c.Write("", []byte(report.String()))
}

// PrintEach prints reports, as JSON or one text after the other, and returns the error of
// what failed as well.
func PrintEach[T fmt.Stringer](c *Console, asJSON bool, list []T, failed error) error {
	if asJSON && list != nil {
		return errors.Join(c.WriteJSON(list), failed)
	}
	var out strings.Builder
	for _, one := range list {
		out.WriteString(one.String())
	}
	return errors.Join(c.Write("", []byte(out.String())), failed)
}

// A Table is a report of rows of cells.
type Table struct{ rows strings.Builder }

// Row adds a row.
func (t *Table) Row(cells ...string) { t.rows.WriteString(strings.Join(cells, "\t") + "\n") }

// String returns the rows, aligned.
func (t *Table) String() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, t.rows.String())
	_ = w.Flush() // a strings.Builder takes everything
	return out.String()
}

// Percent writes a change in percent; none has no sign.
func Percent(x float64) string {
	text := fmt.Sprintf("%+.1f %%", x)
	if text[1:] == "0.0 %" {
		return text[1:]
	}
	return text
}

// SavedPercent is how much less n is than json, in percent.
func SavedPercent(n, json int) float64 {
	if json == 0 {
		return 0
	}
	return 100 * (1 - float64(n)/float64(json))
}
