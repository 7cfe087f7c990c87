// Package compare has the verbs that measure documents: compare and tokens. It imports cli,
// not other verbs.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// New returns the verb compare.
func New(c *cli.Console) *cobra.Command {
	var o options
	cmd := cli.NewCommand("compare", nil, func(cmd *cobra.Command, args []string) error { return o.compare(cmd.Context(), c, args) })
	o.input.Add(cmd)
	o.tokenizer.Add(cmd.Flags(), "token counter: ")
	cmd.Flags().BoolVar(&o.all, "all", false, "measure the variants of the formats too")
	cmd.Flags().BoolVar(&o.fold, "fold", false, "measure the text formats folded too")
	cmd.Flags().BoolVar(&o.speed, "speed", false, "measure the speed of writing and reading")
	cmd.Flags().Var(&o.budget, "budget", "tokens that a document must fit into (default: no limit)")
	cli.AddPrice(cmd, &o.price, &o.window)
	cmd.Flags().BoolVar(&o.json, "json", false, "print the figures as JSON")
	cmd.Flags().BoolVar(&o.markdown, "markdown", false, "print the tables as Markdown")
	return cmd
}

type options struct {
	input                            cli.InputOptions
	tokenizer                        cli.Tokenizer
	all, fold, speed, json, markdown bool
	budget, window                   cli.Amount
	price                            cli.Price
	bound                            func(wire.Value) error // of what a document may cost, if there is one
	colour                           bool                   // the output is a terminal
}

// comparison is one document's report, in the form that --json prints.
type comparison struct {
	Document  string        `json:"document"`
	Format    string        `json:"format"`
	Bytes     int           `json:"bytes"`
	Tokenizer string        `json:"tokenizer"`
	Chosen    string        `json:"chosen,omitempty"` // what convert -t auto takes
	Formats   []measurement `json:"formats"`
}

type measurement struct {
	Format     string   `json:"format"`
	Refused    string   `json:"refused,omitempty"`
	misfit     bool     // refused because of the document's shape
	Bytes      int      `json:"bytes,omitempty"`
	Gzip       int      `json:"gzip,omitempty"`
	Tokens     *int     `json:"tokens,omitempty"`
	Saving     *float64 `json:"saving_percent,omitempty"`
	Cost       *float64 `json:"cost_of_1000,omitempty"`   // at --price
	Window     *float64 `json:"window_percent,omitempty"` // of --window
	Lossless   bool     `json:"lossless"`
	Loss       string   `json:"loss,omitempty"`
	LossAt     string   `json:"loss_at,omitempty"`
	EncodeMBps float64  `json:"encode_mb_per_s,omitempty"`
	DecodeMBps float64  `json:"decode_mb_per_s,omitempty"`
}

func (o options) compare(ctx context.Context, c *cli.Console, files []string) error {
	if o.json && o.markdown {
		return cli.Usagef("--json and --markdown exclude each other")
	}
	reports, failed := cli.Reports(c, files, "measuring", func(c *cli.Console, file string) (*comparison, error) {
		src, err := o.input.Source(c, file)
		if err != nil {
			return nil, err
		}
		report, err := o.compareBytes(ctx, c, file, src)
		if err != nil {
			return nil, err
		}
		return report, o.fits(report)
	})
	if len(reports) == 0 {
		return failed
	}
	if o.json {
		return cmp.Or(c.WriteJSON(reports), failed)
	}
	o.colour = cli.IsTerminal(c.Out)
	err := cmp.Or(c.Write("", o.tables(reports)), failed)
	if err == nil && c.Bare {
		o.noteNext(c, files, reports)
	}
	return err
}

// noteNext notes the command that writes what was found best.
func (o options) noteNext(c *cli.Console, files []string, reports []*comparison) {
	to := []string{"wirekit", "convert", "-t", cli.Auto, "--out-dir", "DIR"}
	if len(reports) == 1 {
		to = []string{"wirekit", "convert", "-t", reports[0].Chosen}
	}
	for _, r := range reports {
		if r.Chosen == "" || r.Chosen == cli.TextName || r.Format == cli.TextName && len(reports) > 1 {
			return
		}
	}
	if o.input.From != "" && o.input.From != cli.TextName {
		to = append(to, "--from", o.input.From)
	}
	c.Note("next: %s", cli.ShellWords(append(append(to, o.input.Flags()...), files...)))
}

func (o options) compareBytes(ctx context.Context, c *cli.Console, file string, src []byte) (*comparison, error) {
	if o.input.From == cli.TextName || o.input.From == "" && cli.IsText(file, src) {
		return o.compareText(file, src)
	}
	doc, err := o.input.Parse(c, file, src)
	if err != nil {
		return nil, err
	}
	if o.bound != nil {
		if err := o.bound(doc.Value); err != nil {
			return nil, err
		}
	}
	chooser := wirekit.Chooser{Counter: o.tokenizer.Counter, Fold: o.fold, Limits: cli.LimitsFor(len(doc.Src))}
	best, _ := chooser.Choose(ctx, doc.Value) // without one, each format says why it is not
	chooser.Formats = o.formats(best.Name())
	results, err := chooser.Compare(ctx, doc.Value)
	if err != nil {
		return nil, err
	}
	report := &comparison{
		Document: cli.Title(file), Format: doc.Codec.Info().FullName(), Bytes: len(doc.Src), Tokenizer: o.tokenizer.Name(), Chosen: best.Name(),
	}
	base := results[slices.IndexFunc(results, func(r wirekit.Measurement) bool { return r.Name() == "json" })]
	for _, r := range results {
		if o.speed {
			r.MeasureSpeed(doc.Value)
		}
		report.Formats = append(report.Formats, o.measured(r, base))
	}
	report.sort()
	return report, nil
}

// count puts tokens into a measurement: what they save of those of the base, what 1,000 of the
// document cost, and what part of a window one takes.
func (o options) count(m *measurement, tokens, base int) {
	m.Tokens = &tokens
	if saving := cli.SavedPercent(tokens, base); base > 0 {
		m.Saving = &saving
	}
	if cost := float64(tokens) * float64(o.price) / 1000; o.price > 0 {
		m.Cost = &cost
	}
	if part := 100 * float64(tokens) / float64(o.window); o.window > 0 {
		m.Window = &part
	}
}

// sort puts the formats with the fewest tokens first, of as many the one that is chosen,
// and JSON.
func (r *comparison) sort() {
	later := func(m measurement) int {
		switch {
		case m.Format == r.Chosen:
			return 0
		case m.isBase():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(r.Formats, func(a, b measurement) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(later(a), later(b)))
	})
}

// fits is an error if the format of a document with the fewest tokens is above the budget.
func (o options) fits(r *comparison) error {
	best, ok := r.fewest()
	if o.budget == 0 || ok && *best.Tokens <= int(o.budget) {
		return nil
	}
	if !ok {
		return errors.New("no text format carries it without loss")
	}
	return fmt.Errorf("no format fits into %d tokens without loss: the best, %s, takes %d", o.budget, best.Format, *best.Tokens)
}

// formats are those to measure, and the chosen one.
func (o options) formats(chosen string) (names []string) {
	known := wirekit.Registry().Codecs()
	if o.all {
		known = describe.All(wirekit.Registry())
	}
	for _, c := range known {
		info := c.Info()
		names = append(names, info.FullName())
		if o.fold && !info.Binary {
			names = append(names, info.FullName()+"+fold")
		}
	}
	if chosen != "" && !slices.Contains(names, chosen) {
		names = append(names, chosen)
	}
	return names
}

// rank orders measurements by tokens; binary formats come after those, and
// refusals last.
func (m measurement) rank() uint {
	switch {
	case m.Refused != "":
		return math.MaxUint
	case m.Tokens == nil:
		return math.MaxUint - 1
	}
	return uint(*m.Tokens)
}

// measured turns a result into a line; base is compact JSON's.
func (o options) measured(r, base wirekit.Measurement) measurement {
	m := measurement{Format: r.Name()}
	if r.Err != nil {
		m.Refused, m.misfit = r.Err.Error(), errors.Is(r.Err, wire.ErrShape)
		return m
	}
	m.Bytes, m.Gzip, m.Lossless = len(r.Encoded), r.Gzip, r.Lossless
	if r.Tokens >= 0 {
		o.count(&m, r.Tokens, base.Tokens)
	}
	if r.Loss != 0 {
		m.Loss, m.LossAt = r.Loss.String(), r.LossPath
	}
	m.EncodeMBps = speed(len(base.Encoded), r.EncodeTime)
	m.DecodeMBps = speed(len(base.Encoded), r.DecodeTime)
	return m
}

func speed(bytes int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(bytes) / 1e6 / d.Seconds()
}

// Markdown returns the table that compare prints about a document that was read from file,
// whose value may not cost more than bound allows.
func Markdown(ctx context.Context, c *cli.Console, input cli.InputOptions, bound func(wire.Value) error, file string, src []byte) (string, error) {
	o := options{input: input, tokenizer: cli.Tokenizer{Counter: tokens.Default()}, markdown: true, bound: bound}
	report, err := o.compareBytes(ctx, c, file, src)
	if err != nil {
		return "", err
	}
	return string(o.tables([]*comparison{report})), nil
}

// tables gives the reports as tables.
func (o options) tables(reports []*comparison) []byte {
	var out strings.Builder
	header, _ := o.cells(measurement{})
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
				_, cells := o.cells(m)
				rows = append(rows, cells)
			}
		}
		lines := r.refusals()
		if o.budget > 0 {
			lines = append(lines, r.within(int(o.budget)))
		}
		headline := fmt.Sprintf("%s: %s, %d bytes; tokens of %s", r.Document, r.Format, r.Bytes, r.Tokenizer)
		o.table(&out, headline, header, rows, winner, append(lines, r.verdict()))
	}
	if len(reports) > 1 {
		out.WriteByte('\n')
		o.total(&out, reports)
	}
	return []byte(out.String())
}

// table writes rows below a headline, aligned or as Markdown, and sentences below them.
// The row of the winner, if there is one, is coloured.
func (o options) table(out *strings.Builder, headline string, header []string, rows [][]string, winner string, lines []string) {
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
	var t cli.Table
	t.Row(header...)
	for _, cells := range rows {
		t.Row(cells...)
	}
	for i, line := range strings.Split(strings.TrimSuffix(t.String(), "\n"), "\n") {
		if i > 0 && rows[i-1][0] == winner {
			line = "\x1b[1;32m" + line + "\x1b[0m"
		}
		fmt.Fprintln(out, line)
	}
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// isBase reports whether savings are against m.
func (m measurement) isBase() bool { return m.Format == "json" || m.Format == cli.TextName }

// shown is a figure in a cell, a dash if there is none.
func shown[T any](figure *T, write func(T) string) string {
	if figure == nil {
		return "–"
	}
	return write(*figure)
}

// cells are a measurement's, with the names of their columns.
func (o options) cells(m measurement) (names, cells []string) {
	saving, lossless := shown(m.Saving, cli.Percent), "yes"
	if m.isBase() {
		saving = ""
	}
	switch {
	case !m.Lossless:
		lossless = "no: " + m.Loss
	case m.Loss != "":
		lossless = "yes, but for " + m.Loss
	}
	add := func(name, cell string) { names, cells = append(names, name), append(cells, cell) }
	add("format", m.Format)
	add("tokens", shown(m.Tokens, strconv.Itoa))
	add("saving", saving)
	if o.price > 0 {
		add("1,000 times", shown(m.Cost, func(x float64) string { return cli.Significant(x, 3) }))
	}
	if o.window > 0 {
		add("of the window", shown(m.Window, func(x float64) string { return cli.Significant(x, 2) + " %" }))
	}
	add("bytes", strconv.Itoa(m.Bytes))
	add("gzip", strconv.Itoa(m.Gzip))
	add("lossless", lossless)
	if o.speed {
		add("encode MB/s", fmt.Sprintf("%.0f", m.EncodeMBps))
		add("decode MB/s", fmt.Sprintf("%.0f", m.DecodeMBps))
	}
	return names, cells
}

// best is the format that is chosen; where none is, that with the fewest tokens.
func (r *comparison) best() (measurement, bool) {
	if r.Chosen == "" {
		return r.fewest()
	}
	return r.first(func(m measurement) bool { return m.Format == r.Chosen })
}

// fewest is the format with the fewest tokens that loses nothing.
func (r *comparison) fewest() (measurement, bool) {
	return r.first(func(m measurement) bool { return m.Lossless })
}

// first is the first text that is what a caller looks for.
func (r *comparison) first(is func(measurement) bool) (measurement, bool) {
	i := slices.IndexFunc(r.Formats, func(m measurement) bool { return m.Tokens != nil && is(m) })
	if i < 0 {
		return measurement{}, false
	}
	return r.Formats[i], true
}

// verdict names the format that is chosen and what it saves, and the one that takes fewer
// tokens still, if there is one.
func (r *comparison) verdict() string {
	best, ok := r.best()
	if !ok {
		return "No text format carries it without loss."
	}
	fewest, _ := r.fewest()
	text := best.Format
	if !best.isBase() {
		part := fmt.Sprintf("%.1f %%", *best.Saving)
		if *best.Saving < 0.05 {
			part = "less than 0.1 %"
		}
		text += ", " + part + " fewer than " + r.base()
	}
	if *fewest.Tokens == *best.Tokens {
		return "The fewest tokens without loss: " + text + "."
	}
	why := "-t auto does not take it"
	if name, _, _ := strings.Cut(fewest.Format, ":"); strings.TrimSuffix(name, "+fold") == "csv" {
		why = "only its name tells the format"
	}
	return fmt.Sprintf("The fewest tokens without loss, as -t auto takes it: %s. %s takes %d fewer, but %s: say -t %s.",
		text, fewest.Format, *best.Tokens-*fewest.Tokens, why, fewest.Format)
}

// base says what savings are against.
func (r *comparison) base() string {
	if r.Format == cli.TextName {
		return "the text"
	}
	return "compact JSON"
}

// within names the formats that fit a budget.
func (r *comparison) within(budget int) string {
	var names []string
	for _, m := range r.Formats {
		if m.Tokens != nil && *m.Tokens <= budget && m.Lossless {
			names = append(names, m.Format)
		}
	}
	return fmt.Sprintf("Within %d tokens: %s.", budget, cmp.Or(strings.Join(names, ", "), "none"))
}

// refusals are the formats that do not carry the document: those for another
// shape of data together, the others each with its reason.
func (r *comparison) refusals() []string {
	var misfits, lines []string
	for _, m := range r.Formats {
		switch {
		case m.misfit && cli.IsForGraphs(m.Format): // of graphs, which this is none
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

func (f *formatTotal) saved() float64 { return cli.SavedPercent(f.tokens, f.base) }

// total sums several documents up, by format, the largest saving first.
func (o options) total(out *strings.Builder, reports []*comparison) {
	all := formatTotal{name: reports[0].base()} // each document in its best format
	var formats []*formatTotal
	for _, r := range reports {
		if all.name != r.base() {
			all.name = "compact JSON or text"
		}
		base := 0
		if m, ok := r.first(measurement.isBase); ok {
			base = *m.Tokens
		}
		all.base += base
		if best, ok := r.best(); ok {
			all.tokens += *best.Tokens
		}
		for _, m := range r.Formats {
			if m.Tokens == nil {
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
		saving := cli.Percent(f.saved())
		if (measurement{Format: f.name}).isBase() {
			saving = ""
		}
		rows = append(rows, []string{f.name, strconv.Itoa(f.carried), strconv.Itoa(f.lossless), strconv.Itoa(f.tokens), saving})
	}
	headline := fmt.Sprintf("%d documents: %d tokens of %s as %s", len(reports), all.base, reports[0].Tokenizer, strings.TrimPrefix(all.name, "the "))
	verdict := fmt.Sprintf("Each document as it is chosen: %d tokens, %.1f %% fewer than %s.", all.tokens, all.saved(), all.name)
	o.table(out, headline, []string{"format", "documents", "lossless", "tokens", "saving"}, rows, "", []string{verdict})
}

// compareText measures a text as it is and as lines.
func (o options) compareText(file string, src []byte) (*comparison, error) {
	counter := o.tokenizer
	report := &comparison{Document: cli.Title(file), Format: cli.TextName, Bytes: len(src), Tokenizer: counter.Name()}
	before, err := counter.Count(src)
	if err != nil {
		return nil, err
	}
	report.Formats = []measurement{o.text(cli.TextName, src, before, 0)}
	for _, name := range []string{cli.LinesPlain, cli.LinesLegend} {
		start := time.Now()
		out, r := lines.Encode(src, cli.LinesOptions(name, counter))
		encoded := time.Now()
		m := measurement{Format: name, Refused: r.Why}
		if r.Encoded {
			if _, err := lines.Decode(out); err != nil {
				return nil, err
			}
			if m = o.text(name, out, r.After, before); o.speed {
				m.EncodeMBps, m.DecodeMBps = speed(len(src), encoded.Sub(start)), speed(len(src), time.Since(encoded))
			}
		}
		report.Formats = append(report.Formats, m)
	}
	report.sort()
	best, _ := report.fewest()
	report.Chosen = best.Format
	return report, nil
}

// text is the measurement of a text that is itself, or the same as lines.
func (o options) text(name string, text []byte, tokens, base int) measurement {
	m := measurement{Format: name, Bytes: len(text), Gzip: measure.Gzip(text), Lossless: true}
	o.count(&m, tokens, base)
	return m
}
