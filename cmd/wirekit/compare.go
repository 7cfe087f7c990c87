package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func newCompare(c *console) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare [FILE…|-]",
		Short: "Measure a document in every format: bytes, tokens, losses, speed",
		Long: `Measure documents in every format.

For each format: the bytes, the bytes after gzip, the tokens and their saving
against compact JSON, what a round trip loses (found by decoding again and
comparing, not by belief), and the speed of encoding and decoding in megabytes
of compact JSON a second. A format that cannot carry the document says why.

Tokens are counted offline. Binary formats have none: no model reads them.`,
		Example: `  wirekit compare orders.json
  wirekit compare --markdown a.json b.json
  wirekit compare --tokenizer cl100k_base --json orders.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"-"}
			}
			return o.compare(c, args)
		},
	}
	addFrom(cmd, &o.from)
	cmd.Flags().StringVar(&o.tokenizer, "tokenizer", tokens.Default().Name(), "token counter: "+strings.Join(tokens.Names(), ", "))
	cmd.Flags().BoolVar(&o.json, "json", false, "print the figures as JSON")
	cmd.Flags().BoolVar(&o.markdown, "markdown", false, "print the table as Markdown")
	_ = cmd.RegisterFlagCompletionFunc("tokenizer", cobra.FixedCompletions(tokens.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

type compareOptions struct {
	from, tokenizer string
	json, markdown  bool
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

func (o compareOptions) compare(c *console, files []string) error {
	if o.json && o.markdown {
		return usageError{errors.New("--json and --markdown exclude each other")}
	}
	counter, err := tokens.Lookup(o.tokenizer)
	if err != nil {
		return usageError{err}
	}
	var reports []comparison
	for _, file := range files {
		report, err := o.one(c, file, counter)
		if err != nil {
			return fmt.Errorf("%s: %w", title(file), err)
		}
		reports = append(reports, report)
	}
	var out strings.Builder
	switch {
	case o.json:
		text, err := gojson.MarshalIndent(reports, "", "  ")
		if err != nil {
			return err
		}
		out.Write(append(text, '\n'))
	case o.markdown:
		for _, r := range reports {
			r.markdown(&out)
		}
	default:
		for i, r := range reports {
			if i > 0 {
				out.WriteByte('\n')
			}
			r.table(&out)
		}
	}
	return c.write("", []byte(out.String()))
}

func (o compareOptions) one(c *console, file string, counter tokens.Counter) (comparison, error) {
	src, err := c.read(file)
	if err != nil {
		return comparison{}, err
	}
	defer c.progress("measuring "+title(file), noCount)()
	format, v, err := decode(src, o.from)
	if err != nil {
		return comparison{}, err
	}
	var codecs []wire.Codec
	for _, codec := range wirekit.Codecs() {
		codecs = append(codecs, roomy(codec, len(src)))
	}
	results := wirekit.Comparer{Codecs: codecs, Counter: counter}.Compare(v)
	report := comparison{Document: title(file), Format: format.Info().Name, Bytes: len(src), Tokenizer: counter.Name()}
	var base wirekit.Result
	for _, r := range results {
		if r.Name() == "json" {
			base = r
		}
	}
	for _, r := range results {
		report.Formats = append(report.Formats, measured(r, base))
	}
	return report, nil
}

// measured turns a result into a line; base is compact JSON's.
func measured(r, base wirekit.Result) measurement {
	m := measurement{Format: r.Name()}
	if r.Err != nil {
		m.Refused = r.Err.Error()
		return m
	}
	m.Bytes, m.Gzip, m.Lossless = len(r.Encoded), r.Gzip, r.Lossless
	if r.Tokens >= 0 {
		m.Tokens = &r.Tokens
		if base.Tokens > 0 {
			saving := 100 * (1 - float64(r.Tokens)/float64(base.Tokens))
			m.Saving = &saving
		}
	}
	if r.Loss != 0 {
		m.Loss, m.LossAt = r.Loss.String(), r.LossPath
	}
	m.EncodeMBps = speed(len(base.Encoded), r.Encoding)
	m.DecodeMBps = speed(len(base.Encoded), r.Decoding)
	return m
}

func speed(bytes int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(bytes) / 1e6 / d.Seconds()
}

var compareHeader = []string{"format", "bytes", "gzip", "tokens", "saving", "lossless", "encode MB/s", "decode MB/s"}

// cells are a measurement's columns.
func (m measurement) cells() []string {
	if m.Refused != "" {
		return []string{m.Format, "refused", "", "", "", m.Refused, "", ""}
	}
	count, saving := "–", "–"
	if m.Tokens != nil {
		count = strconv.Itoa(*m.Tokens)
	}
	if m.Saving != nil {
		saving = fmt.Sprintf("%+.1f %%", *m.Saving)
		if m.Format == "json" {
			saving = ""
		}
	}
	lossless := "yes"
	switch {
	case !m.Lossless:
		lossless = "no: " + m.Loss
	case m.Loss != "":
		lossless = "yes, but for " + m.Loss
	}
	return []string{m.Format, strconv.Itoa(m.Bytes), strconv.Itoa(m.Gzip), count, saving, lossless,
		fmt.Sprintf("%.0f", m.EncodeMBps), fmt.Sprintf("%.0f", m.DecodeMBps)}
}

func (r comparison) headline() string {
	return fmt.Sprintf("%s: %s, %d bytes; tokens of %s", r.Document, r.Format, r.Bytes, r.Tokenizer)
}

func (r comparison) table(out io.Writer) {
	fmt.Fprintln(out, r.headline())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(compareHeader, "\t"))
	var refused []measurement
	for _, m := range r.Formats {
		if m.Refused != "" {
			refused = append(refused, m)
			continue
		}
		fmt.Fprintln(w, strings.Join(m.cells(), "\t"))
	}
	_ = w.Flush() // out is a strings.Builder
	for _, m := range refused {
		fmt.Fprintf(out, "%s refuses it: %s\n", m.Format, m.Refused)
	}
}

func (r comparison) markdown(out io.Writer) {
	fmt.Fprintf(out, "### %s\n\n| %s |\n|%s\n", r.headline(), strings.Join(compareHeader, " | "), strings.Repeat(" --- |", len(compareHeader)))
	for _, m := range r.Formats {
		cells := m.cells()
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", "\\|")
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
	}
	fmt.Fprintln(out)
}
