package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/scorecard"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// Verbs of a format read a document in one format, which --at may take a part
// of, and print it in another.

// noVerb refuses an unknown verb of a group.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

// newVerb returns a verb that hands the content of its document to use. from
// may point to a codec that flags configure.
func newVerb(c *console, name string, from wire.Codec, use func(document) error) *cobra.Command {
	var s selection
	cmd := newCommand(name, atMost(1), func(_ *cobra.Command, args []string) error {
		v, err := s.read(c, argument(args), from)
		if err != nil {
			return err
		}
		return use(v)
	})
	s.add(cmd)
	return cmd
}

// newTranscode returns a verb that prints a document in another format.
func newTranscode(c *console, name string, from, to wire.Codec) *cobra.Command {
	return newVerb(c, name, from, func(d document) error { return c.print(to, d.value, d.src) })
}

// read reads what is selected of a document in the codec's format.
func (s selection) read(c *console, file string, codec wire.Codec) (document, error) {
	if err := s.check(); err != nil {
		return document{}, err
	}
	src, err := c.read(file)
	if err != nil {
		return document{}, err
	}
	v, err := c.decodeAs(roomy(codec, len(src)), file, src)
	if err != nil {
		return document{}, err
	}
	v, err = s.in(c, file, v)
	return document{src, codec, v}, err
}

// print prints v, which was read from src, in the codec's format, with a line end.
func (c *console) print(codec wire.Codec, v wire.Value, src []byte) error {
	out, err := roomy(codec, len(src)).AppendEncode(nil, v)
	if err != nil {
		return err
	}
	return c.write("", lined(codec, out))
}

// newToJSON returns a verb that prints a document as JSON.
func newToJSON(c *console, name string, from wire.Codec) *cobra.Command {
	var out jsonOutput
	cmd := newVerb(c, name, from, func(d document) error { return c.print(out.codec(), d.value, d.src) })
	out.add(cmd)
	return cmd
}

// jsonOutput is the JSON that a verb prints.
type jsonOutput struct{ pretty bool }

func (o *jsonOutput) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.pretty, "pretty", false, "indent the JSON")
}

func (o jsonOutput) codec() wire.JSON {
	if o.pretty {
		return wire.JSON{Indent: "  "}
	}
	return wire.JSON{}
}

// indented returns the JSON text of a report. [wire.Marshal] would ask the codec whether
// it has a way of its own, and so keep those of all formats in the program.
func indented(report any) ([]byte, error) {
	text, err := gowire.Marshal(wire.JSON{Indent: "  "}, report)
	return append(text, '\n'), err
}

func newScorecard(c *console) *cobra.Command {
	var o scorecardOptions
	cmd := newCommand("gcx-scorecard", atMost(0), func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), c) })
	cmd.Flags().StringVar(&o.Tokenizer, "tokenizer", scorecard.TokenizerBoth, strings.Join(scorecard.Tokenizers(), ", "))
	cmd.Flags().BoolVar(&o.Published, "published", false, "measure the texts of the specification's benchmark, sorted JSON and plain sections")
	cmd.Flags().StringVar(&o.cases, "cases", "", "folder of cases (default: built in)")
	cmd.Flags().StringVar(&o.Counts, "counts", "", "file of exact counts of opus47")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&o.markdown, "markdown", false, "print Markdown")
	return cmd
}

type scorecardOptions struct {
	scorecard.Options
	cases          string
	json, markdown bool
}

func (o scorecardOptions) run(ctx context.Context, c *console) error {
	switch {
	case o.json && o.markdown:
		return usageError{errors.New("--json and --markdown exclude each other")}
	case !slices.Contains(scorecard.Tokenizers(), o.Tokenizer):
		return usageError{fmt.Errorf("unknown tokenizer %q; known are %s", o.Tokenizer, strings.Join(scorecard.Tokenizers(), ", "))}
	}
	load := scorecard.Builtin
	if o.cases != "" {
		if _, err := os.ReadDir(o.cases); err != nil {
			return err // by the folder's name, which fs.FS does not know
		}
		load = func() ([]scorecard.Case, error) { return scorecard.Load(os.DirFS(o.cases)) }
	}
	cases, err := load()
	if err != nil {
		return err
	}
	card, err := scorecard.Run(ctx, cases, o.Options)
	switch {
	case err != nil:
		return err
	case o.markdown:
		return c.write("", []byte(card.Markdown()))
	}
	return c.show(o.json, card)
}

func newGCXEncode(c *console) *cobra.Command {
	var codec gcx.Codec
	cmd := newVerb(c, "gcx-encode", wire.JSON{}, func(d document) error {
		return convertOptions{}.encode(c, "", codec, d.value, len(d.src))
	})
	cmd.Flags().StringVar(&codec.Tool, "tool", "", "the tool's name in the headers (default data)")
	cmd.Flags().BoolVar(&codec.Plain, "plain", false, "write the specification's generic fallback and nothing else")
	cmd.Flags().BoolVar(&codec.Interop, "interop", false, "refuse what the reference decoders do not read alike")
	cmd.Flags().BoolVar(&codec.Single, "single", false, "write an object around lists as one row")
	cmd.Flags().BoolVar(&codec.Reorder, "reorder", false, "write a table of objects whatever the order of their members")
	cmd.MarkFlagsMutuallyExclusive("plain", "single")
	cmd.MarkFlagsMutuallyExclusive("plain", "reorder")
	return cmd
}

func newGCXDecode(c *console) *cobra.Command {
	var codec gcx.Codec
	cmd := newToJSON(c, "gcx-decode", &codec)
	cmd.Flags().BoolVar(&codec.AllStrings, "all-strings", false, "take cells for strings")
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook counts that are wrong and lines that are cut")
	return cmd
}

func newFmtLoose(c *console) *cobra.Command {
	var noTabular, llm, compact bool
	cmd := newVerb(c, "glyph-fmt-loose", wire.JSON{}, func(d document) error {
		codec := glyph.Codec{Profile: glyph.ProfileCanonical, NoTabular: noTabular}
		if compact {
			codec.Schema = glyph.NewSchemaContext(glyph.KeyDict(d.value))
		}
		return c.print(codec, d.value, d.src)
	})
	cmd.Flags().BoolVar(&noTabular, "no-tabular", false, "write no tables")
	cmd.Flags().BoolVar(&llm, "llm", false, "write null as _ in ASCII, which is the default")
	cmd.Flags().BoolVar(&compact, "compact", false, "number the keys and put their list in a schema header")
	return cmd
}

func newGlyphToJSON(c *console) *cobra.Command {
	return newVerb(c, "glyph-to-json", glyph.Codec{}, func(d document) error {
		return c.print(wire.JSON{Indent: "  "}, sorted(d.value), d.src)
	})
}

// sorted returns v with the members of every object in the order of their
// keys.
func sorted(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		elements := make([]wire.Value, 0, v.Len())
		for e := range v.Elements() {
			elements = append(elements, sorted(e))
		}
		return wire.Array(elements...)
	case wire.KindObject:
		members := make([]wire.Member, 0, v.Len())
		for key, e := range v.Members() {
			members = append(members, wire.Member{Key: key, Value: sorted(e)})
		}
		slices.SortFunc(members, func(a, b wire.Member) int { return strings.Compare(a.Key, b.Key) })
		return object(members)
	}
	return v
}

func newGoonEncode(c *console) *cobra.Command {
	var codec goon.Codec
	cmd := newCommand("goon-encode", atMost(1), func(_ *cobra.Command, args []string) error {
		src, err := c.read(argument(args))
		if err != nil {
			return err
		}
		response, err := goon.ParseJSON(src)
		if err != nil {
			return about(argument(args), err)
		}
		out, err := codec.AppendResponse(nil, response)
		if err != nil {
			return err
		}
		return c.write("", out)
	})
	cmd.Flags().StringVar(&codec.Version, "goon-version", "", "version to write into the header (default "+goon.Codec{}.Info().Version+")")
	cmd.Flags().StringSliceVar(&codec.Expand, "expand", nil, "properties and columns whose texts are never cut")
	cmd.Flags().BoolVar(&codec.NoTruncate, "no-truncate", false, "write every text whole")
	return cmd
}

func newGoonDecode(c *console) *cobra.Command {
	var codec goon.Codec
	var out jsonOutput
	cmd := newCommand("goon-decode", atMost(1), func(_ *cobra.Command, args []string) error {
		src, err := c.read(argument(args))
		if err != nil {
			return err
		}
		text, err := goon.ExtractResult(src)
		if err != nil {
			return about(argument(args), err)
		}
		codec.Warn = func(warning *wire.Error) { fmt.Fprintf(c.err, "wirekit: overlooked: %v\n", warning) }
		response, err := codec.DecodeResponse(text)
		if err != nil {
			return about(argument(args), err)
		}
		return c.print(out.codec(), response.Value(), src)
	})
	cmd.Flags().BoolVar(&codec.Lenient, "lenient", false, "overlook what can be overlooked")
	cmd.Flags().BoolVar(&codec.Strict, "strict", false, "refuse what servers write against the document")
	cmd.MarkFlagsMutuallyExclusive("lenient", "strict")
	out.add(cmd)
	return cmd
}

// toonDelimiters are the values of --delimiter.
var toonDelimiters = map[string]byte{
	",": ',', "comma": ',', "\t": '\t', `\t`: '\t', "tab": '\t', "|": '|', "pipe": '|',
}

func newTOONEncode(c *console) *cobra.Command {
	var codec toon.Codec
	var delimiter string
	var stats bool
	cmd := newVerb(c, "toon-encode", wire.JSON{}, func(d document) error {
		out, err := roomy(codec, len(d.src)).AppendEncode(nil, d.value)
		if err != nil {
			return err
		}
		if stats {
			if err := c.saving(wire.AppendJSON(nil, d.value), out); err != nil {
				return err
			}
		}
		return c.write("", append(out, '\n'))
	})
	cmd.PreRunE = func(*cobra.Command, []string) error {
		var ok bool
		if codec.Delimiter, ok = toonDelimiters[delimiter]; !ok {
			return usageError{fmt.Errorf("--delimiter is comma, tab or pipe, not %q", delimiter)}
		}
		return checkIndent(codec.Indent)
	}
	cmd.Flags().StringVar(&delimiter, "delimiter", "comma", `comma, tab or pipe, or the character itself`)
	cmd.Flags().IntVar(&codec.Indent, "indent", 2, "spaces a level")
	cmd.Flags().BoolVar(&stats, "stats", false, "print the tokens of JSON and TOON on standard error")
	return cmd
}

// saving prints how many tokens TOON takes instead of compact JSON.
func (c *console) saving(json, text []byte) error {
	counter := tokens.Default()
	before, err := counter.Count(json)
	after, failed := counter.Count(text)
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.err, "%d tokens of compact JSON, %d of TOON: %+.1f %% (%s)\n",
		before, after, 100*(float64(after)/float64(before)-1), counter.Name())
	return err
}

// checkIndent refuses what the codec would take for the nearest it can.
func checkIndent(n int) error {
	if n < 1 || n > 64 {
		return usageError{fmt.Errorf("--indent is a number from 1 to 64, not %d", n)}
	}
	return nil
}

func newTOONDecode(c *console) *cobra.Command {
	var codec toon.Codec
	cmd := newToJSON(c, "toon-decode", &codec)
	cmd.PreRunE = func(*cobra.Command, []string) error { return checkIndent(codec.Indent) }
	cmd.Flags().BoolVar(&codec.Lenient, "no-strict", false, "overlook what the specification lets a decoder overlook")
	cmd.Flags().IntVar(&codec.Indent, "indent", 2, "spaces a level of the input")
	return cmd
}

// A report is what a verb says about a document, usually a pointer: as text, and as the
// JSON of the same value.
type report interface {
	comparable
	fmt.Stringer
}

// newReports makes cmd a verb that prints a report about each of several documents. What
// fails may have a report, too. doing is what goes on meanwhile.
func newReports[R report](c *console, cmd *cobra.Command, doing string, about func(c *console, file string) (R, error)) *cobra.Command {
	var asJSON bool
	addJSON(cmd, &asJSON)
	cmd.RunE = func(_ *cobra.Command, files []string) error {
		var list []R
		failed := eachFile(c, files, func(c *console, file string) error {
			defer c.progress(doing+" "+title(file), noCount)()
			var none R
			one, err := about(c, file)
			if one != none {
				list = append(list, one)
			}
			return err
		})
		return printEach(c, asJSON, list, failed)
	}
	return cmd
}

// addJSON adds the flag of verbs that report.
func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// writeJSON prints a report as indented JSON.
func (c *console) writeJSON(report any) error {
	text, err := indented(report)
	if err != nil {
		return err
	}
	return c.write("", text)
}

// show prints a report, as JSON or as text.
func (c *console) show(asJSON bool, report fmt.Stringer) error {
	if asJSON {
		return c.writeJSON(report)
	}
	return c.write("", []byte(report.String()))
}

// printEach prints reports, as JSON or one text after the other, and returns the error of
// what failed as well.
func printEach[T fmt.Stringer](c *console, asJSON bool, list []T, failed error) error {
	if asJSON && list != nil {
		return errors.Join(c.writeJSON(list), failed)
	}
	var out strings.Builder
	for _, one := range list {
		out.WriteString(one.String())
	}
	return errors.Join(c.write("", []byte(out.String())), failed)
}

// table is a report of rows of cells, aligned.
type table struct{ w *tabwriter.Writer }

func newTable(out *strings.Builder) *table {
	return &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
}

func (t *table) row(cells ...string) { fmt.Fprintln(t.w, strings.Join(cells, "\t")) }

func (t *table) flush() { _ = t.w.Flush() } // a strings.Builder takes everything
