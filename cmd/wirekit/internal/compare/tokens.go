package compare

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/tokens"
)

// NewTokens returns the verb tokens.
func NewTokens(c *cli.Console) *cobra.Command {
	var o tokensOptions
	cmd := cli.NewCommand("tokens", nil, func(_ *cobra.Command, args []string) error { return o.run(c, args) })
	o.tokenizer.Add(cmd.Flags(), "token counter: ")
	cmd.Flags().BoolVar(&o.pieces, "pieces", false, "draw the tokens")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the figures as JSON")
	return cmd
}

type tokensOptions struct {
	tokenizer    cli.Tokenizer
	pieces, json bool
}

// tokenReport is what --json prints.
type tokenReport struct {
	Tokenizer string        `json:"tokenizer"`
	Exact     bool          `json:"exact"`
	Documents []*tokenCount `json:"documents"`
	Tokens    int           `json:"tokens"`
	Bytes     int           `json:"bytes"`

	pieces, colour bool // to draw
}

type tokenCount struct {
	Document string `json:"document"`
	Tokens   int    `json:"tokens"`
	Bytes    int    `json:"bytes"`
	Ends     []int  `json:"ends,omitempty"`
	text     []byte
}

func (o tokensOptions) run(c *cli.Console, files []string) error {
	counter := o.tokenizer.Counter
	if _, err := tokens.AppendEnds(nil, counter, nil); o.pieces && errors.Is(err, errors.ErrUnsupported) {
		return cli.Usagef("--pieces needs a tokenizer with a vocabulary: %s estimates how many tokens there are, not which", counter.Name())
	}
	report := tokenReport{Tokenizer: counter.Name(), Exact: counter.Exact(), pieces: o.pieces, colour: cli.IsTerminal(c.Out)}
	var failed error
	report.Documents, failed = cli.Reports(c, files, "counting", o.count)
	if len(report.Documents) == 0 {
		return failed
	}
	for _, one := range report.Documents {
		report.Tokens += one.Tokens
		report.Bytes += one.Bytes
	}
	return errors.Join(c.Show(o.json, report), failed)
}

func (o tokensOptions) count(c *cli.Console, file string) (*tokenCount, error) {
	text, err := c.Read(file)
	if err != nil {
		return nil, err
	}
	one := &tokenCount{Document: cli.Title(file), Bytes: len(text)}
	if o.pieces {
		one.text = text
		one.Ends, err = tokens.AppendEnds(nil, o.tokenizer.Counter, text)
		one.Tokens = len(one.Ends)
	} else {
		one.Tokens, err = o.tokenizer.Count(text)
	}
	if err != nil {
		return nil, err
	}
	return one, nil
}

// String is what people read.
func (r tokenReport) String() string {
	n := len(r.Documents)
	if r.pieces {
		var out strings.Builder
		for _, one := range r.Documents {
			fmt.Fprintf(&out, "%s: %d tokens of %s\n", one.Document, one.Tokens, r.Tokenizer)
			one.draw(&out, r.colour)
		}
		if n > 1 {
			fmt.Fprintf(&out, "%d documents: %d tokens of %s\n", n, r.Tokens, r.Tokenizer)
		}
		return out.String()
	}
	var t cli.Table
	t.Row("document", "bytes", "tokens of "+r.Tokenizer)
	for _, one := range r.Documents {
		t.Row(one.Document, strconv.Itoa(one.Bytes), strconv.Itoa(one.Tokens))
	}
	if n > 1 {
		t.Row(fmt.Sprintf("%d documents", n), strconv.Itoa(r.Bytes), strconv.Itoa(r.Tokens))
	}
	return t.String()
}

// draw writes the text with its tokens apart, and a line end after each that
// ends a line.
func (t *tokenCount) draw(out *strings.Builder, colour bool) {
	from, fresh := 0, true
	for i, end := range t.Ends {
		piece := string(t.text[from:end])
		switch {
		case colour: // blue and magenta
			fmt.Fprintf(out, "\x1b[%dm%s\x1b[0m", 44+i%2, drawn(piece))
		case fresh:
			out.WriteString(drawn(piece))
		default:
			out.WriteString("│" + drawn(piece))
		}
		if fresh = strings.HasSuffix(piece, "\n"); fresh {
			out.WriteByte('\n')
		}
		from = end
	}
	if !fresh {
		out.WriteByte('\n')
	}
}

// whole takes the quotation marks and backslashes of a text as they are after strconv.Quote.
var whole = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// drawn returns a token so that all of it is seen.
func drawn(piece string) string {
	quoted := strconv.Quote(piece)
	return whole.Replace(quoted[1 : len(quoted)-1])
}
