package audit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

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

// maxHidden is how many hidden literals are printed; --json has more.
const maxHidden = 10

// writeCheck says what rewritten results have kept.
func writeCheck(out *strings.Builder, c *Check) {
	if c == nil {
		return
	}
	texts, decoded := 0, 0
	for _, r := range c.Rows {
		if r.Tool != "" {
			continue
		}
		texts, decoded = texts+r.Texts, decoded+r.Decoded
		if hidden := r.Literals - r.Verbatim; hidden > 0 {
			fmt.Fprintf(out, "%s would have hidden %s that a later message uses.\n", r.Mode, cli.Plural(hidden, "literal"))
		}
	}
	fmt.Fprintf(out, "Decoded to what they were: %d of %d rewritten texts.\n", decoded, texts)
	var w cli.Table
	w.Row("mode", "tool", "texts", "decoded equal", "still there verbatim", "after a reference")
	for _, r := range c.Rows {
		w.Row(r.Mode, cli.OneLine(cmp.Or(r.Tool, "all")), strconv.Itoa(r.Texts), strconv.Itoa(r.Decoded), fmt.Sprintf("%d of %d", r.Verbatim, r.Literals), strconv.Itoa(r.Referred))
	}
	out.WriteString(w.String())
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
