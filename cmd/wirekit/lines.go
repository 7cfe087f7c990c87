package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// The names of package lines among the formats. They are formats of text, not of
// values, so no codec has them.
const (
	linesName   = "lines"
	linesPlain  = "lines:plain"
	linesLegend = "lines:legend"
	textName    = "text"
)

var linesNames = []string{linesName, linesPlain, linesLegend}

func isLines(name string) bool { return slices.Contains(linesNames, name) }

// maxText is the longest text that is encoded: its tokens are more than any model
// reads.
const maxText = 4 << 20

// linesOptions returns the options that a name is for: what is asked for by name is
// done where it saves anything.
func linesOptions(name string, counter lines.Counter) lines.Options {
	return lines.Options{Counter: counter, NoLegend: name == linesPlain, MinSaving: -1, MaxBytes: maxText}
}

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

// errNoFormat is the error of an input that is in no format.
var errNoFormat = errors.New("the input is in none of the formats")

// isText reports whether a file without --from is text: by its extension, or because
// it is in no format.
func isText(file string, src []byte) bool {
	switch strings.ToLower(filepath.Ext(uncompressedName(file))) {
	case ".txt", ".log":
		return utf8.Valid(src)
	}
	if extended(file, src) != nil || foreign(src) != nil || !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		return false
	}
	_, err := source(src, "")
	return errors.Is(err, errNoFormat)
}

// compareText measures a text as it is and as lines.
func (o compareOptions) compareText(file string, src []byte) (comparison, error) {
	counter := o.tokenizer
	report := comparison{Document: title(file), Format: textName, Bytes: len(src), Tokenizer: counter.Name()}
	before, err := counter.Count(src)
	if err != nil {
		return comparison{}, err
	}
	report.Formats = []measurement{{Format: textName, Tokens: &before, Bytes: len(src), Gzip: measure.Gzip(src), Lossless: true}}
	for _, name := range []string{linesPlain, linesLegend} {
		start := time.Now()
		out, r := lines.Encode(src, linesOptions(name, counter))
		encoded := time.Now()
		m := measurement{Format: name, Refused: r.Why}
		if r.Encoded {
			if _, err := lines.Decode(out); err != nil {
				return comparison{}, err
			}
			saving := savedPercent(r.After, before)
			m = measurement{Format: name, Tokens: &r.After, Saving: &saving, Bytes: len(out), Gzip: measure.Gzip(out), Lossless: true}
			if o.speed {
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
