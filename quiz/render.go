package quiz

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

var headings = []string{"model", "kind", "arm", "right", "difference", "95 %", "p (Holm)", "tokens/right", "retries", "what it shows"}

func (r Result) cells() []string {
	kind := string(r.Kind)
	if kind == "" {
		kind = "all"
	}
	cells := []string{r.Model, kind, r.Arm, fmt.Sprintf("%.1f %% of %d", 100*r.Right, r.Answers), "", "", "",
		strconv.FormatFloat(r.PerRight, 'f', 0, 64), strconv.Itoa(r.Retries), r.Verdict()}
	if r.PerRight == 0 {
		cells[7] = "–"
	}
	if r.Pairs > 0 {
		cells[4], cells[5], cells[6] = fmt.Sprintf("%+.1f", 100*r.Difference), fmt.Sprintf("%+.1f to %+.1f", 100*r.Low, 100*r.High), fmt.Sprintf("%.3f", r.P)
	}
	return cells
}

func (r Report) summary() string {
	text := fmt.Sprintf("%d questions about %d documents.", r.Questions, r.Documents)
	if r.Doubled > 0 {
		text += fmt.Sprintf(" %d answers were there twice.", r.Doubled)
	}
	if r.Unknown > 0 {
		text += fmt.Sprintf(" %d answers are to other questions.", r.Unknown)
	}
	return text
}

// WriteTable writes the report as a table for people.
func (r Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(headings, "\t"))
	for _, result := range r.Results {
		fmt.Fprintln(t, strings.Join(result.cells(), "\t"))
	}
	fmt.Fprintln(t, r.summary())
	return t.Flush()
}

// WriteMarkdown writes the report as a table in Markdown.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| " + strings.Join(headings, " | ") + " |\n|" + strings.Repeat(" --- |", len(headings)) + "\n")
	for _, result := range r.Results {
		for _, cell := range result.cells() {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n" + r.summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}
