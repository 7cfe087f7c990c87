package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// tables gives the reports as tables.
func (o compareOptions) tables(reports []comparison) []byte {
	var out strings.Builder
	for i, r := range reports {
		if i > 0 {
			out.WriteByte('\n')
		}
		winner := ""
		if best, ok := r.best(); ok && o.colour {
			winner = best.Format
		}
		o.table(&out, r.headline(), compareHeader(o.speed), r.rows(o.speed), winner)
		o.line(&out, r.verdict())
		if o.budget > 0 {
			o.line(&out, r.within(int(o.budget)))
		}
		for _, line := range r.refusals() {
			o.line(&out, line)
		}
	}
	if len(reports) > 1 {
		out.WriteByte('\n')
		t := totalOf(reports)
		o.table(&out, t.headline(), totalHeader, t.rows(), "")
		o.line(&out, t.verdict())
	}
	return []byte(out.String())
}

// line writes a sentence below a table.
func (o compareOptions) line(out io.Writer, text string) {
	if o.markdown {
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, text)
}

// table writes rows below a headline, aligned or as Markdown. The row of the
// winner, if there is one, is coloured.
func (o compareOptions) table(out io.Writer, headline string, header []string, rows [][]string, winner string) {
	if o.markdown {
		fmt.Fprintf(out, "### %s\n\n| %s |\n|%s\n", headline, strings.Join(header, " | "), strings.Repeat(" --- |", len(header)))
		for _, cells := range rows {
			for i, cell := range cells {
				cells[i] = strings.ReplaceAll(cell, "|", "\\|")
			}
			fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
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
	lines := strings.SplitAfter(aligned.String(), "\n")
	for i, line := range lines {
		if i > 0 && i <= len(rows) && rows[i-1][0] == winner {
			line = "\x1b[1;32m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		}
		_, _ = io.WriteString(out, line)
	}
}

func compareHeader(speed bool) []string {
	header := []string{"format", "tokens", "saving", "bytes", "gzip", "lossless"}
	if speed {
		header = append(header, "encode MB/s", "decode MB/s")
	}
	return header
}

func (r comparison) headline() string {
	return fmt.Sprintf("%s: %s, %d bytes; tokens of %s", r.Document, r.Format, r.Bytes, r.Tokenizer)
}

// rows are those of the formats that carry the document.
func (r comparison) rows(speed bool) [][]string {
	var rows [][]string
	for _, m := range r.Formats {
		if m.Refused == "" {
			rows = append(rows, m.cells(speed))
		}
	}
	return rows
}

// cells are a measurement's columns.
func (m measurement) cells(speed bool) []string {
	count, saving := "–", "–"
	if m.Tokens != nil {
		count = strconv.Itoa(*m.Tokens)
	}
	if m.Saving != nil {
		saving = percent(*m.Saving)
	}
	if m.Format == "json" || m.Format == textName {
		saving = ""
	}
	lossless := "yes"
	switch {
	case !m.Lossless:
		lossless = "no: " + m.Loss
	case m.Loss != "":
		lossless = "yes, but for " + m.Loss
	}
	cells := []string{m.Format, count, saving, strconv.Itoa(m.Bytes), strconv.Itoa(m.Gzip), lossless}
	if speed {
		cells = append(cells, fmt.Sprintf("%.0f", m.EncodeMBps), fmt.Sprintf("%.0f", m.DecodeMBps))
	}
	return cells
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
	case best.Format == "json", best.Format == textName:
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

// A total sums several documents up, by format, the largest saving first.
type total struct {
	documents, json, best int // tokens of compact JSON or text, and of the best of each
	tokenizer, base       string
	formats               []*formatTotal
}

type formatTotal struct {
	name                      string
	carried, lossless, tokens int
	json                      int // compact JSON's tokens of the documents carried
}

func totalOf(reports []comparison) total {
	t := total{documents: len(reports), tokenizer: reports[0].Tokenizer, base: reports[0].base()}
	byName := make(map[string]*formatTotal)
	for _, r := range reports {
		json := r.baseTokens()
		if t.base != r.base() {
			t.base = "compact JSON or text"
		}
		t.json += json
		if best, ok := r.best(); ok {
			t.best += *best.Tokens
		}
		for _, m := range r.Formats {
			if m.Refused != "" || m.Tokens == nil {
				continue
			}
			f, ok := byName[m.Format]
			if !ok {
				f = &formatTotal{name: m.Format}
				byName[m.Format] = f
				t.formats = append(t.formats, f)
			}
			f.carried++
			if m.Lossless {
				f.lossless++
			}
			f.tokens += *m.Tokens
			f.json += json
		}
	}
	slices.SortStableFunc(t.formats, func(a, b *formatTotal) int {
		return -cmp.Compare(savedPercent(a.tokens, a.json), savedPercent(b.tokens, b.json))
	})
	return t
}

func (r comparison) baseTokens() int {
	for _, m := range r.Formats {
		if (m.Format == "json" || m.Format == textName) && m.Tokens != nil {
			return *m.Tokens
		}
	}
	return 0
}

var totalHeader = []string{"format", "documents", "lossless", "tokens", "saving"}

func (t total) headline() string {
	return fmt.Sprintf("%d documents: %d tokens of %s as %s", t.documents, t.json, t.tokenizer, strings.TrimPrefix(t.base, "the "))
}

func (t total) rows() [][]string {
	var rows [][]string
	for _, f := range t.formats {
		saving := ""
		if f.name != "json" && f.name != textName {
			saving = percent(savedPercent(f.tokens, f.json))
		}
		rows = append(rows, []string{f.name, strconv.Itoa(f.carried), strconv.Itoa(f.lossless), strconv.Itoa(f.tokens), saving})
	}
	return rows
}

func (t total) verdict() string {
	return fmt.Sprintf("Each document in its best format: %d tokens, %.1f %% fewer than %s.", t.best, savedPercent(t.best, t.json), t.base)
}

func savedPercent(n, json int) float64 {
	if json == 0 {
		return 0
	}
	return 100 * (1 - float64(n)/float64(json))
}
