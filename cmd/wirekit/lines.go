package main

import (
	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// addNormalize adds the flag for what is taken out of a text.
func addNormalize(cmd *cobra.Command, words *[]string) {
	cmd.Flags().StringSliceVar(words, "normalize", nil, "with --to lines: take out escapes, progress, blanks at the ends of lines; they do not come back")
}

func normalization(words []string) (n lines.Normalization, err error) {
	fields := map[string]*bool{"escapes": &n.Escapes, "progress": &n.Progress, "blanks": &n.TrailingBlanks}
	for _, word := range words {
		if fields[word] == nil {
			return n, usagef("--normalize knows escapes, progress and blanks, not %q", word)
		}
		*fields[word] = true
	}
	return n, nil
}

// ofText reports whether texts are converted, not values.
func (o convertOptions) ofText() bool { return isLines(o.to) || isLines(o.input.from) }

// checkText finds options that do not go with texts.
func (o convertOptions) checkText() error {
	switch {
	case !isLines(o.to) && len(o.normalize) > 0:
		return usagef("--normalize goes with --to lines")
	case !o.ofText():
		return nil
	case isLines(o.to) && o.input.from != "" && o.input.from != textName:
		return usagef("--to %s takes the input as text; leave --from %s out", o.to, o.input.from)
	case isLines(o.input.from) && o.to != "" && o.to != textName:
		return usagef("--from %s gives the text back; leave --to %s out", o.input.from, o.to)
	case o.pretty || o.strict || o.stream || o.byShape || o.outDir != "" || !o.input.all():
		return usagef("--pretty, --strict, --stream, --by-shape, --out-dir, --at, --keep, --omit, --limit and --sample do not go with lines, which are text")
	}
	_, err := normalization(o.normalize)
	return err
}

// convertText encodes a text that a tool has printed, or gives it back.
func (o convertOptions) convertText(c *console, file string) error {
	src, err := c.read(file)
	if err != nil {
		return err
	}
	if !isLines(o.to) {
		if !lines.Sniff(src) {
			c.note("%s has no head of lines: it is written as it is", title(file))
			return c.write(o.out, src)
		}
		text, err := lines.DecodeWithin(src, wire.Limits{InputBytes: -1})
		if err != nil {
			return about(file, err)
		}
		return c.write(o.out, text)
	}
	options := linesOptions(o.to, tokens.Default())
	if options.Normalize, err = normalization(o.normalize); err != nil {
		return err
	}
	out, report := lines.Encode(src, options)
	if r := report.Removed; r != (lines.Removed{}) {
		c.note("removed: %d escape sequences, %d states of progress, blanks at the ends of %d lines", r.Escapes, r.Progress, r.TrailingBlanks)
	}
	if !report.Encoded {
		c.note("%s is written as it is: %s", title(file), report.Why)
	}
	return c.write(o.out, out)
}
