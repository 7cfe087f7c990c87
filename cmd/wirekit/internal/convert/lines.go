package convert

import (
	"slices"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// ofText reports whether texts are converted, not values.
func (o convertOptions) ofText() bool { return isLines(o.To) || isLines(o.input.From) }

// checkText reads what is to be normalized, and finds options that do not go with texts.
func (o *convertOptions) checkText() error {
	switch {
	case !isLines(o.To) && len(o.normalize) > 0:
		return cli.Usagef("--normalize goes with --to lines")
	case !o.ofText():
		return nil
	case isLines(o.To) && o.input.From != "" && o.input.From != cli.TextName:
		return cli.Usagef("--to %s takes the input as text; leave --from %s out", o.To, o.input.From)
	case isLines(o.input.From) && o.To != "" && o.To != cli.TextName:
		return cli.Usagef("--from %s gives the text back; leave --to %s out", o.input.From, o.To)
	case o.pretty || o.Strict || o.stream || o.byShape || o.OutDir != "" || !o.input.All():
		return cli.Usagef("--pretty, --strict, --stream, --by-shape, --out-dir, --at, --keep, --omit, --limit and --sample do not go with lines, which are text")
	}
	n := &o.normalization
	fields := map[string]*bool{"escapes": &n.Escapes, "progress": &n.Progress, "blanks": &n.TrailingBlanks}
	for _, word := range o.normalize {
		if fields[word] == nil {
			return cli.Usagef("--normalize knows escapes, progress and blanks, not %q", word)
		}
		*fields[word] = true
	}
	return nil
}

// convertText encodes a text that a tool has printed, or gives it back.
func (o convertOptions) convertText(c *cli.Console, file string) error {
	src, err := c.Read(file)
	if err != nil {
		return err
	}
	if !isLines(o.To) {
		if !lines.Sniff(src) {
			c.Note("%s has no head of lines: it is written as it is", cli.Title(file))
			return c.Write(o.Out, src)
		}
		text, err := lines.DecodeWithin(src, wire.Limits{InputBytes: -1})
		if err != nil {
			return cli.About(file, err)
		}
		return c.Write(o.Out, text)
	}
	options := cli.LinesOptions(o.To, tokens.Default())
	options.Normalize = o.normalization
	out, report := lines.Encode(src, options)
	if r := report.Removed; r != (lines.Removed{}) {
		c.Note("removed: %d escape sequences, %d states of progress, blanks at the ends of %d lines", r.Escapes, r.Progress, r.TrailingBlanks)
	}
	if !report.Encoded {
		c.Note("%s is written as it is: %s", cli.Title(file), report.Why)
	}
	return c.Write(o.Out, out)
}

// isLines reports whether a name is one of package lines.
func isLines(name string) bool { return slices.Contains(cli.LinesNames, name) }
