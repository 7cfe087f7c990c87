package scorecard

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/wirekit/wirekit/internal/base/scan"
)

var heads = []string{"case", "JSON bytes", "GCX bytes", "change", "JSON tokens", "GCX tokens", "change", "JSON gzip", "GCX gzip", "round trip"}

// cells returns the row of a result in the table of tokenizer i.
func (r *Result) cells(i int) []string {
	round := "identical"
	if !r.Lossless {
		round = "differs: " + r.Loss
	}
	count := r.Tokens[i]
	mark := ""
	if count.Estimated {
		mark = "~"
	}
	return []string{
		scan.Printable(r.Name),
		fmt.Sprint(r.Bytes.JSON), fmt.Sprint(r.Bytes.GCX), percent(r.Bytes.Change()),
		mark + fmt.Sprint(count.JSON), mark + fmt.Sprint(count.GCX), percent(count.Change()),
		fmt.Sprint(r.Gzip.JSON), fmt.Sprint(r.Gzip.GCX),
		round,
	}
}

func percent(p float64) string { return fmt.Sprintf("%+.1f%%", p) }

// note returns what must be known of the counts of tokenizer i, "" for nothing.
func (s *Scorecard) note(i int) string {
	c := s.Columns[i]
	if c.Tokenizer != TokenizerOpus47 {
		return ""
	}
	if c.Estimated == 0 {
		return "Exact counts, the frame of one user message included."
	}
	note := "~ estimated: 1.35 times the count of cl100k_base."
	if exact := len(s.Results) - c.Estimated; exact > 0 {
		note += fmt.Sprintf(" %d of %d cases have exact counts, the frame of one user message included.", exact, len(s.Results))
	}
	return note
}

// rows returns the table of tokenizer i, whose last row has the medians.
func (s *Scorecard) rows(i int) [][]string {
	rows := [][]string{heads}
	for k := range s.Results {
		rows = append(rows, s.Results[k].cells(i))
	}
	return append(rows, []string{"median", "", "", percent(s.MedianBytes), "", "", percent(s.Columns[i].Median), "",
		percent(s.MedianGzip), fmt.Sprintf("%d of %d identical", s.Lossless, len(s.Results))})
}

// tables returns a table for each tokenizer, below a head and above what must be known
// of it.
func (s *Scorecard) tables(head, foot string, table func(b *strings.Builder, rows [][]string)) string {
	var b strings.Builder
	for i, c := range s.Columns {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, head, tokenizers[c.Tokenizer].title)
		table(&b, s.rows(i))
		if note := s.note(i); note != "" {
			fmt.Fprintf(&b, foot, note)
		}
	}
	return b.String()
}

// String returns one table for each tokenizer.
func (s *Scorecard) String() string {
	return s.tables("%s\n", "%s\n", func(b *strings.Builder, rows [][]string) {
		t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range rows {
			fmt.Fprintln(t, strings.Join(row, "\t")+"\t")
		}
		t.Flush()
	})
}

// Markdown returns one table for each tokenizer.
func (s *Scorecard) Markdown() string {
	return s.tables("### %s\n\n", "\n%s\n", func(b *strings.Builder, rows [][]string) {
		for k, row := range rows {
			for _, cell := range row {
				b.WriteString("| " + strings.ReplaceAll(cell, "|", "\\|") + " ")
			}
			b.WriteString("|\n")
			if k == 0 {
				b.WriteString("|---" + strings.Repeat("|---:", len(heads)-2) + "|---|\n")
			}
		}
	})
}
