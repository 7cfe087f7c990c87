package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

func newCompare(c *console) *cobra.Command {
	var o compareOptions
	cmd := newCommand("compare", nil, func(cmd *cobra.Command, args []string) error { return o.compare(cmd.Context(), c, args) })
	o.input.add(cmd)
	o.tokenizer.add(cmd.Flags(), "token counter: ")
	cmd.Flags().BoolVar(&o.all, "all", false, "measure the variants of the formats too")
	cmd.Flags().BoolVar(&o.fold, "fold", false, "measure the text formats folded too")
	cmd.Flags().BoolVar(&o.speed, "speed", false, "measure the speed of writing and reading")
	cmd.Flags().Var(&o.budget, "budget", "tokens that a document must fit into (default: no limit)")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the figures as JSON")
	cmd.Flags().BoolVar(&o.markdown, "markdown", false, "print the tables as Markdown")
	return cmd
}

type compareOptions struct {
	input                            inputOptions
	tokenizer                        tokenizer
	all, fold, speed, json, markdown bool
	budget                           amount
	colour                           bool // the output is a terminal
}

// comparison is one document's report, in the form that --json prints.
type comparison struct {
	Document  string        `json:"document"`
	Format    string        `json:"format"`
	Bytes     int           `json:"bytes"`
	Tokenizer string        `json:"tokenizer"`
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
	Lossless   bool     `json:"lossless"`
	Loss       string   `json:"loss,omitempty"`
	LossAt     string   `json:"loss_at,omitempty"`
	EncodeMBps float64  `json:"encode_mb_per_s,omitempty"`
	DecodeMBps float64  `json:"decode_mb_per_s,omitempty"`
}

func (o compareOptions) compare(ctx context.Context, c *console, files []string) error {
	if o.json && o.markdown {
		return usageError{errors.New("--json and --markdown exclude each other")}
	}
	var reports []comparison
	failed := eachFile(c, files, func(c *console, file string) error {
		report, err := o.one(ctx, c, file)
		if err != nil {
			return err
		}
		reports = append(reports, report)
		return o.fits(report)
	})
	if len(reports) == 0 {
		return failed
	}
	if o.json {
		return cmp.Or(c.writeJSON(reports), failed)
	}
	o.colour = isTerminal(c.out)
	return cmp.Or(c.write("", o.tables(reports)), failed)
}

func (o compareOptions) one(ctx context.Context, c *console, file string) (comparison, error) {
	defer c.progress("measuring "+title(file), noCount)()
	if err := o.input.check(); err != nil {
		return comparison{}, err
	}
	src, err := c.read(file)
	if err != nil {
		return comparison{}, err
	}
	return o.compareBytes(ctx, c, file, src)
}

func (o compareOptions) compareBytes(ctx context.Context, c *console, file string, src []byte) (comparison, error) {
	if o.input.from == textName || o.input.from == "" && isText(file, src) {
		return o.compareText(file, src)
	}
	doc, err := o.input.parse(c, file, src)
	if err != nil {
		return comparison{}, err
	}
	results, err := wirekit.Chooser{Formats: o.formats(), Counter: o.tokenizer.Counter, Limits: limits(len(doc.src))}.Compare(ctx, doc.value)
	if err != nil {
		return comparison{}, err
	}
	report := comparison{Document: title(file), Format: doc.codec.Info().FullName(), Bytes: len(doc.src), Tokenizer: o.tokenizer.Name()}
	var base wirekit.Measurement
	for _, r := range results {
		if r.Name() == "json" {
			base = r
		}
	}
	for _, r := range results {
		if o.speed {
			r.MeasureSpeed(doc.value)
		}
		report.Formats = append(report.Formats, measured(r, base))
	}
	report.sort()
	return report, nil
}

// sort puts the formats with the fewest tokens first.
func (r comparison) sort() {
	slices.SortStableFunc(r.Formats, func(a, b measurement) int { return cmp.Compare(a.rank(), b.rank()) })
}

// fits is an error if the best format of a document is above the budget.
func (o compareOptions) fits(r comparison) error {
	best, ok := r.best()
	if o.budget == 0 || ok && *best.Tokens <= int(o.budget) {
		return nil
	}
	if !ok {
		return errors.New("no text format carries it without loss")
	}
	return fmt.Errorf("no format fits into %d tokens without loss: the best, %s, takes %d", o.budget, best.Format, *best.Tokens)
}

// formats are those to measure.
func (o compareOptions) formats() (names []string) {
	known := wirekit.Registry().Codecs()
	if o.all {
		known = wirekit.Registry().All()
	}
	for _, c := range known {
		info := c.Info()
		names = append(names, info.FullName())
		if o.fold && !info.Binary {
			names = append(names, info.FullName()+"+fold")
		}
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
func measured(r, base wirekit.Measurement) measurement {
	m := measurement{Format: r.Name()}
	if r.Err != nil {
		m.Refused, m.misfit = r.Err.Error(), errors.Is(r.Err, wire.ErrShape)
		return m
	}
	m.Bytes, m.Gzip, m.Lossless = len(r.Encoded), r.Gzip, r.Lossless
	if r.Tokens >= 0 {
		m.Tokens = &r.Tokens
		if base.Tokens > 0 {
			saving := savedPercent(r.Tokens, base.Tokens)
			m.Saving = &saving
		}
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
