package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
)

// auto is the name that stands for the best format of the document at hand.
const auto = "auto"

// choiceOptions are the flags of convert --to auto.
type choiceOptions struct {
	formats                  []string
	tokenizer                tokenizer
	precision                string
	minSaving                percentage
	identical, explain, fold bool
}

var choiceFlags = []string{"formats", "tokenizer", "precision", "min-saving", "identical", "explain", "fold"}

func (o *choiceOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&o.formats, "formats", nil, "with --to auto: formats to choose from (default: all that lose nothing)")
	o.tokenizer.add(f, "with --to auto: token counter: ")
	f.StringVar(&o.precision, "precision", wirekit.PrecisionCounted.String(), "with --to auto: counted, sampled or bytes")
	f.Var(&o.minSaving, "min-saving", "with --to auto: the part of the tokens below which it is JSON")
	f.BoolVar(&o.identical, "identical", false, "with --to auto: member order and number spelling count as losses")
	f.BoolVar(&o.explain, "explain", false, "with --to auto: print how the candidates fared")
	f.BoolVar(&o.fold, "fold", false, "with --to auto: also try the formats folded, for readers that know the notation")
}

// unused refuses the flags where nothing is chosen.
func (o *choiceOptions) unused(cmd *cobra.Command) error {
	if i := slices.IndexFunc(choiceFlags, cmd.Flags().Changed); i >= 0 {
		return usageError{fmt.Errorf("--%s goes with --to auto", choiceFlags[i])}
	}
	return nil
}

// chooser returns what the flags ask for.
func (o *choiceOptions) chooser() (wirekit.Chooser, error) {
	var precision wirekit.Precision
	if err := precision.UnmarshalText([]byte(o.precision)); err != nil {
		return wirekit.Chooser{}, usageError{err}
	}
	for _, name := range o.formats {
		if c, err := lookup(name); err != nil {
			return wirekit.Chooser{}, err
		} else if c.Info().Binary {
			return wirekit.Chooser{}, usageError{fmt.Errorf("--formats %s: it is binary, and no model reads it", name)}
		}
	}
	return wirekit.Chooser{
		Formats: o.formats, Fold: o.fold, Counter: o.tokenizer.Counter, MinSaving: float64(o.minSaving),
		Exact: o.identical, Precision: precision,
	}, nil
}

func (o convertOptions) convertAuto(ctx context.Context, c *console, file string) error {
	defer c.progress("measuring "+title(file), noCount)()
	if o.pretty {
		return usageError{fmt.Errorf("--pretty goes with --to json, not with --to %s", auto)}
	}
	chooser, err := o.choice.chooser()
	if err != nil {
		return err // before a long input is read
	}
	doc, err := o.load(c, file)
	if err != nil {
		return err
	}
	chooser.Limits = limits(len(doc.src))
	best, err := chooser.Choose(ctx, doc.value)
	if err != nil {
		return err
	}
	name, err := o.output(file, best.Codec)
	if err != nil {
		return err
	}
	if saving := best.Report.Saving(); !o.choice.explain && name == "" && !isDevice(c.out) {
		// A pipe's reader sees the text.
	} else if saving > 0 {
		c.note("%s: %s saves %.1f %% against compact JSON", title(file), best.Name(), 100*saving)
	} else {
		c.note("%s: %s, since nothing saves enough against compact JSON", title(file), best.Name())
	}
	if o.choice.explain {
		for _, candidate := range best.Report.Candidates {
			c.note("%s", candidate)
		}
	}
	return o.write(c, best.Codec, lined(best.Codec, best.Encoded), name)
}
