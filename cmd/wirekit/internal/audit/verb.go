package audit

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// flags are the flags of audit.
type flags struct {
	Options
	json                 bool
	html, rates, repeats string
	tokenizer            cli.Tokenizer
}

// NewCommand returns the verb audit.
func NewCommand(c *cli.Console) *cobra.Command {
	var o flags
	cmd := cli.NewCommand("audit", nil, func(_ *cobra.Command, paths []string) error { return o.run(c, paths) })
	cli.AddJSON(cmd, &o.json)
	cmd.Flags().BoolVar(&o.Exact, "exact", false, "measure folding and lines on everything where there are more than 64 MB")
	cmd.Flags().BoolVar(&o.Check, "check", false, "decode what is rewritten, and look for what later messages use of it")
	cmd.Flags().StringVar(&o.rates, "rates", "", "play the bill again with the prices of this file, YAML or JSON")
	cmd.Flags().StringVar(&o.repeats, "repeats", "", "\"lines\": measure runs of lines that an earlier result has")
	cli.AddPrice(cmd, &o.Price, &o.Window)
	cmd.Flags().StringVar(&o.html, "html", "", "write the report to this file, as a page with a chart")
	o.tokenizer.Add(cmd.Flags(), "token counter: ")
	return cmd
}

// complete sets the options that other flags name.
func (o *flags) complete(c *cli.Console) error {
	o.Counter, o.Lines = o.tokenizer.Counter, o.repeats != ""
	if o.Lines && o.repeats != "lines" {
		return cli.Usagef("--repeats takes \"lines\", not %q; whole results are always measured", o.repeats)
	}
	if o.rates != "" {
		text, err := c.Read(o.rates)
		if err == nil {
			o.Rates, err = ReadRates(text)
		}
		if err != nil {
			return fmt.Errorf("--rates %s: %w", o.rates, err)
		}
	}
	return nil
}

func (o *flags) run(c *cli.Console, paths []string) error {
	if err := o.complete(c); err != nil {
		return err
	}
	paths, err := c.Globbed(paths)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		if paths = Places(); len(paths) == 0 {
			return errors.New("there are no transcripts of Claude Code, Codex, Gemini CLI or OpenCode in their usual places; name a file or a folder")
		}
	}
	a := New(o.Options)
	done := c.Progress("reading transcripts", func() string { return fmt.Sprintf("%d MB", a.Bytes()>>20) })
	for _, path := range paths {
		if path == "-" {
			a.File(cli.Title(path), c.In)
		} else {
			a.Path(path)
		}
	}
	r, err := a.Report()
	done()
	if err != nil {
		return err
	}
	for _, n := range r.Notes {
		where := ""
		if n.First != "" {
			where = ", the first in " + cli.OneLine(n.First)
		}
		c.Note("%s: %d%s", n.What, n.Count, where)
	}
	if r.Files == 0 {
		return errors.New("no transcript was read")
	}
	if o.html != "" {
		if err := c.Write(o.html, r.HTML()); err != nil {
			return err
		}
	}
	return c.Show(o.json, r)
}

// How many tools, rules and hidden literals are printed; --json has more.
const maxTools, maxRules, maxHidden = 20, 10, 10

// String is the report as people read it. What rewriting cannot help comes first.
func (r Report) String() string {
	var out strings.Builder
	all := r.Total
	if all.Tokens == 0 {
		return fmt.Sprintf("No tokens of results in %s. It is not worth installing anything.\n", cli.Plural(r.Files, "file"))
	}
	about := ""
	if r.Sample != nil {
		about = "about "
	}
	part := func(n int) string { return percentOf(n, all.Tokens, "0 %") }
	sent := all.Tokens + all.Again
	if rest := r.Input + r.Uncounted - sent; rest > 0 {
		fmt.Fprintf(&out, "%s of the %d tokens that were sent, by the providers' counts, were not results of tools: nothing here helps them.\n", percentOf(rest, rest+sent, ""), rest+sent)
	}
	fmt.Fprintf(&out, "%s%s of the %d tokens that tools returned stay as they are: no exact rewriting makes those results smaller.\n",
		about, part(all.Unchanged), all.Tokens)
	fmt.Fprintf(&out, "%s%s would have been saved: formats %s, then repeats %s, folding %s, lines %s.\n", about, part(all.Saved.Sum()),
		part(all.Saved.Formats), part(all.Saved.Repeats), part(all.Saved.Folding), part(all.Saved.Lines))
	fmt.Fprintf(&out, "%s carried them: %d tokens were new and %d sent again, of which %s%d and %d would have been saved.\n",
		cli.Plural(r.Requests, "request"), all.Tokens, all.Again, about, all.Saved.Sum(), all.SavedAgain)
	verdict := "It is not worth installing anything"
	if r.Worth {
		verdict = "It may be worth it"
	}
	fmt.Fprintf(&out, "%s: %.1f %% of all that was sent would have been saved.\n", verdict, 100*r.Share)
	writeAsked(&out, r)
	out.WriteByte('\n')

	writeTable(&out, "tool", r.Tools, maxTools, r)
	writeTable(&out, "kind", append(r.Kinds[:len(r.Kinds):len(r.Kinds)], all), len(r.Kinds)+1, r)
	writeCheck(&out, r.Check)
	writeBill(&out, r)
	writeRules(&out, r.Rules)
	if s := r.Sample; s != nil {
		fmt.Fprintf(&out, "Folding and lines are estimates: measured on %d texts with %d of %d tokens; all savings are between %s and %s in 95 of 100 samples. --exact measures all.\n",
			s.Texts, s.Tokens, s.Of, part(s.Low), part(s.High))
	}
	fmt.Fprintf(&out, "Tokens are those of %s. Savings follow each other: each is what the ones to its left leave.\n", r.Tokenizer)
	if all.Images > 0 {
		fmt.Fprintf(&out, "%d images are not counted.\n", all.Images)
	}
	return cli.Printable(out.String())
}

func writeTable(out *strings.Builder, what string, rows []Row, most int, report Report) {
	var w cli.Table
	header, _ := cellsOf(Row{}, what, report)
	w.Row(header...)
	for _, r := range rows[:min(len(rows), most)] {
		_, cells := cellsOf(r, what, report)
		w.Row(cells...)
	}
	if len(rows) > most {
		w.Row(fmt.Sprintf("%d more", len(rows)-most))
	}
	out.WriteString(w.String() + "\n")
}

// cellsOf are the cells of a row, which is about what, with the names of their columns.
func cellsOf(r Row, what string, report Report) (names, cells []string) {
	add := func(name, cell string) { names, cells = append(names, name), append(cells, cell) }
	part := func(name string, n int) { add(name, percentOf(n, r.Tokens, "–")) }
	add(what, cli.OneLine(cmp.Or(r.Name, "–")))
	add("results", strconv.Itoa(r.Results))
	add("tokens", strconv.Itoa(r.Tokens))
	add("sent again", strconv.Itoa(r.Again))
	part("in repeats", r.RepeatTokens)
	part("formats", r.Saved.Formats)
	part("repeats", r.Saved.Repeats)
	part("folding", r.Saved.Folding)
	part("lines", r.Saved.Lines)
	part("unchanged", r.Unchanged)
	if report.Runs != nil {
		part("runs", r.Runs)
	}
	if report.Cost != nil {
		add("cost", cli.Significant(float64(r.Tokens+r.Again)*report.Cost.Price/1e6, 3))
	}
	if report.Window != nil {
		add("a result of the window", cli.Significant(100*float64(r.Tokens)/float64(max(r.Results, 1)*report.Window.Tokens), 2)+" %")
	}
	return names, cells
}

func writeRules(out *strings.Builder, rules []Rule) {
	if len(rules) == 0 {
		return
	}
	out.WriteString("What a rule would save beyond formats. The members are lost: leave out only what no task needs.\n")
	var w cli.Table
	for _, r := range rules[:min(len(rules), maxRules)] {
		w.Row(cli.OneLine(r.Tool)+"="+r.Rule, fmt.Sprintf("%d tokens", r.Tokens), fmt.Sprintf("%.0f %% of its JSON", 100*r.Part))
	}
	out.WriteString(w.String() + "\n")
}

// percentOf returns n as a percentage of a total, or none if either is 0.
func percentOf(n, of int, none string) string {
	if of == 0 || n == 0 {
		return none
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// writeAsked has the sentences about what flags ask for.
func writeAsked(out *strings.Builder, r Report) {
	if x := r.Runs; x != nil {
		fmt.Fprintf(out, "Runs of lines that an earlier result of the conversation has: a line in the place of each would save %d tokens and %d sent again, by %s in %s. That overlaps the other savings; nothing does it yet.\n",
			x.Saved, x.SavedAgain, cli.Plural(x.References, "reference"), cli.Plural(x.Results, "result"))
	}
	if x := r.Cost; x != nil {
		fmt.Fprintf(out, "At %g for a million tokens, and without a cache, results cost %s, of which %s would have been saved.\n",
			x.Price, cli.Significant(x.Sent, 3), cli.Significant(x.Saved, 3))
	}
	if x := r.Window; x != nil {
		fmt.Fprintf(out, "The results that a request carries take %s %% of a window of %d tokens in the mean, and would take %s %%.\n",
			cli.Significant(100*x.Before, 2), x.Tokens, cli.Significant(100*x.After, 2))
	}
}

// writeCheck says what rewritten results have kept.
func writeCheck(out *strings.Builder, c *Check) {
	if c == nil {
		return
	}
	texts, decoded := 0, 0
	var w cli.Table
	w.Row("mode", "tool", "texts", "decoded equal", "still there verbatim", "after a reference")
	for _, r := range c.Rows {
		if r.Tool == "" {
			texts, decoded = texts+r.Texts, decoded+r.Decoded
			if hidden := r.Literals - r.Verbatim; hidden > 0 {
				fmt.Fprintf(out, "%s would have hidden %s that a later message uses.\n", r.Mode, cli.Plural(hidden, "literal"))
			}
		}
		w.Row(r.Mode, cli.OneLine(cmp.Or(r.Tool, "all")), strconv.Itoa(r.Texts), strconv.Itoa(r.Decoded), fmt.Sprintf("%d of %d", r.Verbatim, r.Literals), strconv.Itoa(r.Referred))
	}
	fmt.Fprintf(out, "Decoded to what they were: %d of %d rewritten texts.\n%s", decoded, texts, w.String())
	for _, h := range c.Hidden[:min(len(c.Hidden), maxHidden)] {
		fmt.Fprintf(out, "hidden by %s, of %s: %s\n", h.Mode, cli.OneLine(h.Tool), cli.OneLine(h.Literal))
	}
	out.WriteByte('\n')
}

// writeBill says what requests cost.
func writeBill(out *strings.Builder, r Report) {
	b := r.Bill
	if b == nil {
		return
	}
	fmt.Fprintf(out, "The bill played again, an estimate: %s, of which %d have no rate and are left out. ", cli.Plural(b.Requests, "request"), b.Skipped)
	fmt.Fprintf(out, "%d have no count of the provider's, so ours is taken, and %d no time, so their prefixes count as kept. What is saved is in tokens of %s.\n", b.Estimated, b.Untimed, r.Tokenizer)
	var w cli.Table
	w.Row("model", "requests", "cache", "rewriting", "read", "written", "neither", "cost")
	for _, c := range b.Charges {
		w.Row(cli.OneLine(cmp.Or(c.Model, "–")), strconv.Itoa(c.Requests), c.Cache, c.Rewriting, strconv.Itoa(c.Read), strconv.Itoa(c.Written), strconv.Itoa(c.Input),
			strings.TrimSpace(cli.Significant(c.Cost, 4)+" "+b.Currency))
	}
	out.WriteString(w.String() + "\n")
}
