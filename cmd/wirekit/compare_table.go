package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// tables gives the reports as tables.
func (o compareOptions) tables(reports []comparison) []byte {
	var out strings.Builder
	columns := len(compareHeader)
	if !o.speed {
		columns -= 2
	}
	for i, r := range reports {
		if i > 0 {
			out.WriteByte('\n')
		}
		winner := ""
		if best, ok := r.best(); ok && o.colour {
			winner = best.Format
		}
		var rows [][]string
		for _, m := range r.Formats {
			if m.Refused == "" {
				rows = append(rows, m.cells()[:columns])
			}
		}
		lines := []string{r.verdict()}
		if o.budget > 0 {
			lines = append(lines, r.within(int(o.budget)))
		}
		headline := fmt.Sprintf("%s: %s, %d bytes; tokens of %s", r.Document, r.Format, r.Bytes, r.Tokenizer)
		o.table(&out, headline, compareHeader[:columns], rows, winner, append(lines, r.refusals()...))
	}
	if len(reports) > 1 {
		out.WriteByte('\n')
		o.total(&out, reports)
	}
	return []byte(out.String())
}

// table writes rows below a headline, aligned or as Markdown, and sentences below them.
// The row of the winner, if there is one, is coloured.
func (o compareOptions) table(out *strings.Builder, headline string, header []string, rows [][]string, winner string, lines []string) {
	if o.markdown {
		fmt.Fprintf(out, "### %s\n\n| %s |\n|%s\n", headline, strings.Join(header, " | "), strings.Repeat(" --- |", len(header)))
		for _, cells := range rows {
			for i, cell := range cells {
				cells[i] = strings.ReplaceAll(cell, "|", "\\|")
			}
			fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		}
		for _, line := range lines {
			fmt.Fprintf(out, "\n%s\n", line)
		}
		return
	}
	fmt.Fprintln(out, headline)
	var aligned strings.Builder
	t := newTable(&aligned)
	t.row(header...)
	for _, cells := range rows {
		t.row(cells...)
	}
	t.flush()
	for i, line := range strings.Split(strings.TrimSuffix(aligned.String(), "\n"), "\n") {
		if i > 0 && rows[i-1][0] == winner {
			line = "\x1b[1;32m" + line + "\x1b[0m"
		}
		fmt.Fprintln(out, line)
	}
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// compareHeader has the speeds last, which are not always shown.
var compareHeader = []string{"format", "tokens", "saving", "bytes", "gzip", "lossless", "encode MB/s", "decode MB/s"}

// isBase reports whether savings are against m.
func (m measurement) isBase() bool { return m.Format == "json" || m.Format == textName }

// cells are a measurement's columns.
func (m measurement) cells() []string {
	count, saving := "–", "–"
	if m.Tokens != nil {
		count = strconv.Itoa(*m.Tokens)
	}
	if m.Saving != nil {
		saving = percent(*m.Saving)
	}
	if m.isBase() {
		saving = ""
	}
	lossless := "yes"
	switch {
	case !m.Lossless:
		lossless = "no: " + m.Loss
	case m.Loss != "":
		lossless = "yes, but for " + m.Loss
	}
	return []string{m.Format, count, saving, strconv.Itoa(m.Bytes), strconv.Itoa(m.Gzip), lossless,
		fmt.Sprintf("%.0f", m.EncodeMBps), fmt.Sprintf("%.0f", m.DecodeMBps)}
}

func percent(x float64) string { return fmt.Sprintf("%+.1f %%", x) }

// best is the format with the fewest tokens that loses nothing; JSON where
// nothing takes fewer.
func (r comparison) best() (best measurement, ok bool) {
	for _, m := range r.Formats {
		if m.Refused != "" || m.Tokens == nil || !m.Lossless {
			continue
		}
		if !ok || *m.Tokens == *best.Tokens && m.Format == "json" {
			best, ok = m, true
		}
	}
	return best, ok
}

func (r comparison) verdict() string {
	best, ok := r.best()
	switch {
	case !ok:
		return "No text format carries it without loss."
	case best.isBase():
		return "The fewest tokens without loss: " + best.Format + "."
	}
	return fmt.Sprintf("The fewest tokens without loss: %s, %.1f %% fewer than %s.", best.Format, *best.Saving, r.base())
}

// base says what savings are against.
func (r comparison) base() string {
	if r.Format == textName {
		return "the text"
	}
	return "compact JSON"
}

// within names the formats that fit a budget.
func (r comparison) within(budget int) string {
	var names []string
	for _, m := range r.Formats {
		if m.Refused == "" && m.Tokens != nil && *m.Tokens <= budget && m.Lossless {
			names = append(names, m.Format)
		}
	}
	if names == nil {
		return fmt.Sprintf("Within %d tokens: none.", budget)
	}
	return fmt.Sprintf("Within %d tokens: %s.", budget, strings.Join(names, ", "))
}

// refusals are the formats that do not carry the document: those for another
// shape of data together, the others each with its reason.
func (r comparison) refusals() []string {
	var misfits, lines []string
	for _, m := range r.Formats {
		switch {
		case m.misfit:
			misfits = append(misfits, m.Format)
		case m.Refused != "":
			lines = append(lines, fmt.Sprintf("%s refuses it: %s", m.Format, m.Refused))
		}
	}
	if misfits != nil {
		lines = append(lines, "Made for data of another shape: "+strings.Join(misfits, ", ")+".")
	}
	return lines
}

// A formatTotal sums what a format made of several documents.
type formatTotal struct {
	name                            string
	carried, lossless, tokens, base int // base: of compact JSON or text, for the documents carried
}

func (f *formatTotal) saved() float64 { return savedPercent(f.tokens, f.base) }

// total sums several documents up, by format, the largest saving first.
func (o compareOptions) total(out *strings.Builder, reports []comparison) {
	all := formatTotal{name: reports[0].base()} // each document in its best format
	var formats []*formatTotal
	for _, r := range reports {
		if all.name != r.base() {
			all.name = "compact JSON or text"
		}
		base := 0
		if i := slices.IndexFunc(r.Formats, measurement.isBase); i >= 0 && r.Formats[i].Tokens != nil {
			base = *r.Formats[i].Tokens
		}
		all.base += base
		if best, ok := r.best(); ok {
			all.tokens += *best.Tokens
		}
		for _, m := range r.Formats {
			if m.Refused != "" || m.Tokens == nil {
				continue
			}
			i := slices.IndexFunc(formats, func(f *formatTotal) bool { return f.name == m.Format })
			if i < 0 {
				i, formats = len(formats), append(formats, &formatTotal{name: m.Format})
			}
			f := formats[i]
			f.carried++
			if m.Lossless {
				f.lossless++
			}
			f.tokens += *m.Tokens
			f.base += base
		}
	}
	slices.SortStableFunc(formats, func(a, b *formatTotal) int { return -cmp.Compare(a.saved(), b.saved()) })
	var rows [][]string
	for _, f := range formats {
		saving := percent(f.saved())
		if (measurement{Format: f.name}).isBase() {
			saving = ""
		}
		rows = append(rows, []string{f.name, strconv.Itoa(f.carried), strconv.Itoa(f.lossless), strconv.Itoa(f.tokens), saving})
	}
	headline := fmt.Sprintf("%d documents: %d tokens of %s as %s", len(reports), all.base, reports[0].Tokenizer, strings.TrimPrefix(all.name, "the "))
	verdict := fmt.Sprintf("Each document in its best format: %d tokens, %.1f %% fewer than %s.", all.tokens, all.saved(), all.name)
	o.table(out, headline, []string{"format", "documents", "lossless", "tokens", "saving"}, rows, "", []string{verdict})
}

func savedPercent(n, json int) float64 {
	if json == 0 {
		return 0
	}
	return 100 * (1 - float64(n)/float64(json))
}
