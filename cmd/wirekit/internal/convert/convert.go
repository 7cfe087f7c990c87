// Package convert has the verbs that make another document of one: convert, with its
// streams of records, unfold and repair. It imports cli, not other verbs.
package convert

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/wire"
)

// New returns the verb convert.
func New(c *cli.Console) *cobra.Command {
	var o convertOptions
	cmd := cli.NewCommand("convert", o.arguments, func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		if o.OutDir != "" {
			return o.convertFiles(cmd.Context(), c, args)
		}
		return o.convertFile(cmd.Context(), c, cli.Argument(args))
	})
	o.input.Add(cmd)
	o.OutputOptions.Add(cmd, "format of the output, or auto (default: by the extension of OUT)")
	cmd.Flags().StringVar(&o.OutDir, "out-dir", "", "folder to write a file for each FILE into")
	cmd.Flags().BoolVar(&o.pretty, "pretty", false, "indent JSON output")
	cmd.Flags().BoolVar(&o.byShape, "by-shape", false, "make a table for each shape of the records")
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "fail if anything is lost")
	cmd.Flags().BoolVar(&o.stream, "stream", false, "convert record by record in constant memory")
	cmd.Flags().StringSliceVar(&o.columns, "columns", nil, "with --stream: the output's columns (default: the records' members)")
	cmd.Flags().BoolVar(&o.skipBad, "skip-bad", false, "with --stream: count bad records of line formats and pass them over")
	cmd.Flags().StringSliceVar(&o.normalize, "normalize", nil, "with --to lines: take out escapes, progress, blanks at the ends of lines; they do not come back")
	o.choice.add(cmd)
	return cmd
}

type convertOptions struct {
	input cli.InputOptions
	cli.OutputOptions
	pretty, stream     bool
	byShape, skipBad   bool
	columns, normalize []string
	normalization      lines.Normalization // that normalize names
	choice             choiceOptions
}

// check completes the options and finds those that do not go together.
func (o *convertOptions) check(cmd *cobra.Command) error {
	if err := o.checkText(); err != nil || o.ofText() {
		return err
	}
	if o.To == "" && cli.UncompressedName(o.Out) == o.Out {
		if o.Out == "" || o.Out == "-" {
			return cli.Usagef("convert needs --to FORMAT, one of %s, %s", cli.Auto, strings.Join(cli.ForAnyValue(describe.Names(wirekit.Registry())), ", "))
		}
		c, err := wirekit.Registry().LookupFile(o.Out)
		if err != nil {
			return cli.Usagef("%w; name the output's format with --to", err)
		}
		o.To = c.Info().FullName()
	}
	if i := slices.IndexFunc(choiceFlags, cmd.Flags().Changed); i >= 0 && o.To != cli.Auto {
		return cli.Usagef("--%s goes with --to auto", choiceFlags[i])
	}
	for _, wrong := range []struct {
		is  bool
		why string
	}{
		{cli.UncompressedName(o.Out) != o.Out, fmt.Sprintf("--out %s: nothing is written compressed; leave --out out and write | gzip >%s", o.Out, o.Out)},
		{o.Out != "" && o.OutDir != "", "--out and --out-dir exclude each other"},
		{o.stream && o.byShape && o.OutDir == "", "--stream --by-shape writes a file for each shape: name a folder with --out-dir, or leave --stream out for one document"},
		{o.byShape && len(o.columns) > 0, "--by-shape does not go with --columns: each shape has columns of its own"},
		{!o.stream && (len(o.columns) > 0 || o.skipBad), "--columns and --skip-bad go with --stream"},
		{o.stream && o.pretty, "--pretty does not go with --stream"},
		{o.stream && o.input.Sample > 0, "--sample does not go with --stream, which does not know how many records come; use --limit"},
		{o.stream && o.To == cli.Auto, "--stream does not go with --to auto: the choice wants the whole document"},
		{o.stream && o.Strict, "--stream does not go with --strict: what was lost shows in the whole document"},
	} {
		if wrong.is {
			return cli.Usage(errors.New(wrong.why))
		}
	}
	return nil
}

// target returns the codec of the output.
func (o convertOptions) target() (wire.Codec, error) {
	to, err := wirekit.Lookup(o.To)
	j, ok := to.(wire.JSON)
	switch {
	case err != nil || !o.pretty:
		return to, err
	case !ok:
		return nil, cli.Usagef("--pretty goes with --to json, not with --to %s", o.To)
	}
	j.Indent = "  "
	return j, nil
}

// arguments checks the number of arguments.
func (o *convertOptions) arguments(cmd *cobra.Command, args []string) error {
	if len(args) > 1 && o.OutDir == "" {
		for _, arg := range args {
			if _, err := os.Stat(arg); err != nil && slices.Contains(cli.FullNames(), arg) {
				return cli.Usagef("convert takes one FILE; did you mean \"--to %s\"?", arg)
			}
		}
		return cli.Usagef("convert takes several files with --out-dir DIR only, and got %d; see \"%s --help\"", len(args), cmd.CommandPath())
	}
	return nil
}

// convertFile converts one input in the way that the flags ask for.
func (o convertOptions) convertFile(ctx context.Context, c *cli.Console, file string) error {
	switch {
	case o.ofText():
		return o.convertText(c, file)
	case o.stream:
		return o.convertStream(c, file)
	case o.To == cli.Auto:
		return o.convertAuto(ctx, c, file)
	}
	return o.convert(c, file)
}

func (o convertOptions) convert(c *cli.Console, file string) error {
	defer c.Progress("converting "+cli.Title(file), cli.NoCount)()
	to, err := o.target()
	if err != nil {
		return err // before a long input is read
	}
	doc, err := o.load(c, file)
	if err != nil {
		inner := err
		if named, ok := err.(*cli.FileError); ok {
			inner = named.Unwrap()
		}
		if _, alone := inner.(*wire.Error); alone { // nothing says yet what to do
			err = hinted(err, "json", wire.CodeTrailingData, "--stream reads values one after the other as records")
		}
		return err
	}
	return o.EncodePart(c, file, o.input.Selection, to, doc.Value, len(doc.Src))
}

// load reads the document, or what the flags make of it.
func (o convertOptions) load(c *cli.Console, file string) (cli.Document, error) {
	doc, err := o.input.Load(c, file)
	if err == nil && o.byShape {
		doc.Value, err = byShape(doc.Value)
		err = cli.About(file, err)
	}
	return doc, err
}

// hinted adds to an error of that format and code what to do about it.
func hinted(err error, format, code, hint string) error {
	if e := cli.Fault(err); e != nil && e.Format == format && e.Code == code {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// convertFiles converts each of several files into one of the folder --out-dir.
// What goes wrong with one does not keep it from the others.
func (o convertOptions) convertFiles(ctx context.Context, c *cli.Console, files []string) error {
	if len(files) == 0 {
		return cli.Usagef("--out-dir names the outputs after FILE arguments, and there are none")
	}
	files, err := c.Globbed(files)
	if err != nil {
		return err
	}
	taken := make(map[string]string)
	for _, file := range files {
		if file == "-" {
			return cli.Usagef("--out-dir names the outputs after the inputs, and standard input has no name; use --out")
		}
		name := cli.Stem(file)
		if other, ok := taken[name]; ok {
			return cli.Usagef("%s and %s would be one file of %s; convert them into different folders", other, file, o.OutDir)
		}
		taken[name] = file
	}
	return cli.EachFile(c, files, func(c *cli.Console, file string) error { return o.convertFile(ctx, c, file) })
}

// choiceOptions are the flags of convert --to auto.
type choiceOptions struct {
	wirekit.Chooser
	tokenizer cli.Tokenizer
	precision string
	minSaving cli.Percentage
	explain   bool
}

// choiceFlags go with --to auto alone.
var choiceFlags = []string{"formats", "tokenizer", "precision", "min-saving", "identical", "explain", "fold"}

func (o *choiceOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&o.Formats, "formats", nil, "with --to auto: formats to choose from (default: all that lose nothing)")
	o.tokenizer.Add(f, "with --to auto: token counter: ")
	f.StringVar(&o.precision, "precision", wirekit.PrecisionCounted.String(), "with --to auto: counted, sampled or bytes")
	f.Var(&o.minSaving, "min-saving", "with --to auto: the part of the tokens below which it is JSON")
	f.BoolVar(&o.Exact, "identical", false, "with --to auto: member order and number spelling count as losses")
	f.BoolVar(&o.explain, "explain", false, "with --to auto: print how the candidates fared")
	f.BoolVar(&o.Fold, "fold", false, "with --to auto: also try the formats folded, for readers that know the notation")
}

// chooser returns what the flags ask for.
func (o *choiceOptions) chooser() (wirekit.Chooser, error) {
	chooser := o.Chooser
	chooser.Counter, chooser.MinSaving = o.tokenizer.Counter, float64(o.minSaving)
	if err := chooser.Precision.UnmarshalText([]byte(o.precision)); err != nil {
		return chooser, cli.Usage(err)
	}
	for _, name := range o.Formats {
		if c, err := wirekit.Lookup(name); err != nil {
			return chooser, err
		} else if c.Info().Binary {
			return chooser, cli.Usagef("--formats %s: it is binary, and no model reads it", name)
		}
	}
	return chooser, nil
}

func (o convertOptions) convertAuto(ctx context.Context, c *cli.Console, file string) error {
	defer c.Progress("measuring "+cli.Title(file), cli.NoCount)()
	if o.pretty {
		return cli.Usagef("--pretty goes with --to json, not with --to %s", cli.Auto)
	}
	chooser, err := o.choice.chooser()
	if err != nil {
		return err // before a long input is read
	}
	doc, err := o.load(c, file)
	if err != nil {
		return err
	}
	chooser.Limits = cli.LimitsFor(len(doc.Src))
	best, err := chooser.Choose(ctx, doc.Value)
	if err != nil {
		return err
	}
	name, err := o.FileFor(file, best.Codec)
	if err != nil {
		return err
	}
	if saving := best.Report.Saving(); !o.choice.explain && name == "" && !cli.IsDevice(c.Out) {
		// A pipe's reader sees the text.
	} else if saving > 0 {
		c.Note("%s: %s saves %.1f %% against compact JSON", cli.Title(file), best.Name(), 100*saving)
	} else {
		c.Note("%s: %s, since nothing saves enough against compact JSON", cli.Title(file), best.Name())
	}
	if o.choice.explain {
		for _, candidate := range best.Report.Candidates {
			c.Note("%s", candidate)
		}
	}
	return o.Write(c, best.Codec, cli.Lined(best.Codec, best.Encoded), name)
}
