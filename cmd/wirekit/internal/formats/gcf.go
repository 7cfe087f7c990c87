package formats

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// NewGCF returns the verbs of GCF.
func NewGCF(c *cli.Console) *cobra.Command {
	return cli.NewGroup("gcf", newGCFEncode(c), newGCFEncodeGeneric(c),
		newTranscode(c, "gcf-decode", gcf.GraphCodec{}, wire.JSON{Indent: "  "}),
		newTranscode(c, "gcf-decode-generic", gcf.Codec{}, wire.JSON{Indent: "  "}),
		newGCFStats(c), newGCFDelta(c), newGCFApply(c), newGCFRoot(c))
}

func newGCFEncode(c *cli.Console) *cobra.Command {
	var omit bool
	cmd := newVerb(c, "gcf-encode", wire.JSON{}, func(d cli.Document) error {
		codec := gcf.GraphCodec{}
		if omit {
			codec.Omitted = func(err error) { fmt.Fprintf(c.Err, "wirekit: left out: %v\n", err) }
		}
		return c.Print(codec, d.Value, d.Src)
	})
	cmd.Flags().BoolVar(&omit, "skip-bad", false, "leave out what the profile cannot carry, and say so")
	return cmd
}

func newGCFEncodeGeneric(c *cli.Console) *cobra.Command {
	o := deltaInput{InputOptions: cli.InputOptions{From: "json"}}
	cmd := cli.NewCommand("gcf-encode-generic", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		if o.key == "" {
			d, err := o.Read(c, cli.Argument(args), wire.JSON{})
			if err != nil {
				return err
			}
			return c.Print(gcf.Codec{}, d.Value, d.Src)
		}
		b, err := o.load(c, cli.Argument(args))
		if err != nil {
			return err
		}
		b.named = true
		return b.write(c, cli.OutputOptions{})
	})
	o.Selection.Add(cmd)
	cmd.Flags().StringVarP(&o.key, "key", "k", "", "field that identifies a row of a list")
	return cmd
}

func newGCFStats(c *cli.Console) *cobra.Command {
	var counter cli.Tokenizer
	var s cli.Selection
	var asJSON bool
	cmd := cli.NewCommand("gcf-stats", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		doc, err := cli.InputOptions{Selection: s}.Load(c, cli.Argument(args))
		if err != nil {
			return err
		}
		text, err := gcf.GraphCodec{}.AppendEncode(nil, doc.Value)
		if err != nil {
			return err
		}
		symbols, _ := doc.Value.Get("symbols")
		edges, _ := doc.Value.Get("edges")
		json, err := formOf(wire.AppendJSON(nil, doc.Value), counter)
		compact, failed := formOf(text, counter)
		if err := cmp.Or(err, failed); err != nil {
			return err
		}
		return c.Show(asJSON, &graphReport{counter.Name(), json, compact, symbols.Len(), edges.Len()})
	})
	s.Add(cmd)
	cli.AddJSON(cmd, &asJSON)
	counter.Add(cmd.Flags(), "token counter: ")
	return cmd
}

// graphReport compares a graph's forms, in the form that --json prints.
type graphReport struct {
	Tokenizer string    `json:"tokenizer"`
	JSON      graphForm `json:"json"`
	GCF       graphForm `json:"gcf"`
	Symbols   int       `json:"symbols"`
	Edges     int       `json:"edges"`
}

type graphForm struct {
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
}

func formOf(text []byte, counter tokens.Counter) (graphForm, error) {
	n, err := counter.Count(text)
	return graphForm{len(text), n}, err
}

func (r *graphReport) String() string {
	var w cli.Table
	w.Row("JSON", fmt.Sprintf("%d bytes, %d tokens of %s", r.JSON.Bytes, r.JSON.Tokens, r.Tokenizer))
	w.Row("GCF", fmt.Sprintf("%d bytes, %d tokens of %s", r.GCF.Bytes, r.GCF.Tokens, r.Tokenizer))
	w.Row("symbols", fmt.Sprint(r.Symbols))
	w.Row("edges", fmt.Sprint(r.Edges))
	return w.String()
}

// deltaInput is how the verbs of deltas read their documents.
type deltaInput struct {
	cli.InputOptions
	key string
}

func (o *deltaInput) add(cmd *cobra.Command) {
	o.InputOptions.Add(cmd)
	cmd.Flags().StringVarP(&o.key, "key", "k", "", "field that identifies a row, for lists of rows")
}

// A basis is what deltas lead from and to: a graph, or a set of rows with a key.
type basis interface {
	root() (string, error)
	full() ([]byte, error)      // the whole payload, which a delta takes the place of
	value() (wire.Value, error) // what other formats carry
	delta(next basis) (deltaText, error)
	apply(delta any) (basis, error)
}

// A based document is one that a basis was read from.
type based struct {
	basis
	codec wire.Codec // of the document's format
	size  int        // of the document
	named bool       // it is written as a set that names its key, as the document itself is
}

// load reads a graph, a set that names its key, or with --key rows in any
// format.
func (o deltaInput) load(c *cli.Console, file string) (based, error) {
	doc, err := o.InputOptions.Load(c, file)
	if err != nil {
		return based{}, err
	}
	b := based{codec: doc.Codec, size: len(doc.Src)}
	if o.All() && doc.Codec.Info().Name == "gcf" {
		s, err := set.Decode(doc.Src)
		switch {
		case err == nil && (o.key == "" || o.key == s.Key):
			b.basis, b.named = rowSet{s}, true
			return b, nil
		case err == nil:
			return b, fmt.Errorf("the set's key is %q, not %q", s.Key, o.key)
		case cli.Code(err) != "not_a_set":
			return b, err
		}
	}
	if o.key != "" {
		if doc.Value.Kind() != wire.KindArray {
			return b, fmt.Errorf("a set is a list of rows, and this is of kind %s; --at takes a part of a document", doc.Value.Kind())
		}
		s, err := set.New(o.key, doc.Value)
		b.basis = rowSet{s}
		return b, err
	}
	if _, ok := doc.Value.Get("symbols"); doc.Value.Kind() != wire.KindObject || !ok {
		return b, errors.New("neither a graph, which is an object with symbols and edges, nor a set that names its key; for a list of rows say with --key which field identifies a row")
	}
	text, err := gcf.GraphCodec{}.AppendEncode(nil, doc.Value)
	if err != nil {
		return b, err
	}
	g, err := gcf.Decode(text)
	b.basis = graph{g}
	return b, err
}

// Errors of documents that are not of one kind.
var (
	errMixed      = errors.New("one of the documents is a graph and the other a set of rows: there is no delta between them")
	errOtherDelta = errors.New("the delta is not of the kind of the base: one is of a graph, the other of a set of rows")
)

// A deltaText writes a delta with a tool's name, if there is one, and the tokens of the
// delta and of the full payload in its header.
type deltaText func(tool string, delta, full int) ([]byte, error)

// deltaOf returns the delta that leads from base to next.
func deltaOf(base, next basis, tool string) ([]byte, error) {
	encode, err := base.delta(next)
	if err != nil {
		return nil, err
	}
	full, err := next.full()
	text, failed := encode(tool, 1, 1) // numbers as they will be, more or less
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	n, err := tokens.Default().Count(text)
	m, failed := tokens.Default().Count(full)
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	return encode(tool, n, m)
}

type graph struct{ *gcf.Graph }

func (g graph) root() (string, error) { return gcf.PackRoot(g.Graph) }
func (g graph) full() ([]byte, error) { return gcf.Encode(g.Graph) }

func (g graph) value() (wire.Value, error) {
	text, err := g.full()
	if err != nil {
		return wire.Value{}, err
	}
	return gcf.GraphCodec{}.Decode(text)
}

func (g graph) delta(next basis) (deltaText, error) {
	to, ok := next.(graph)
	if !ok {
		return nil, errMixed
	}
	d, err := gcf.DiffGraphs(g.Graph, to.Graph)
	return func(tool string, delta, full int) ([]byte, error) {
		d.Tool, d.DeltaTokens, d.FullTokens = cmp.Or(tool, d.Tool), delta, full
		return gcf.EncodeDelta(d)
	}, err
}

func (g graph) apply(delta any) (basis, error) {
	d, ok := delta.(*gcf.Delta)
	if !ok {
		return nil, errOtherDelta
	}
	next, err := gcf.ApplyDelta(g.Graph, d)
	return graph{next}, err
}

type rowSet struct{ *set.Set }

func (s rowSet) root() (string, error)      { return set.PackRoot(s.Set) }
func (s rowSet) full() ([]byte, error)      { return set.Encode(s.Set) }
func (s rowSet) value() (wire.Value, error) { return wire.Array(s.Rows...), nil }

func (s rowSet) delta(next basis) (deltaText, error) {
	to, ok := next.(rowSet)
	if !ok {
		return nil, errMixed
	}
	d, err := set.Diff(s.Set, to.Set)
	return func(tool string, delta, full int) ([]byte, error) {
		d.Tool, d.DeltaTokens, d.FullTokens = cmp.Or(tool, d.Tool), delta, full
		return set.EncodeDelta(d)
	}, err
}

func (s rowSet) apply(delta any) (basis, error) {
	d, ok := delta.(*set.Delta)
	if !ok {
		return nil, errOtherDelta
	}
	next, err := set.Apply(s.Set, d)
	return rowSet{next}, err
}

func newGCFDelta(c *cli.Console) *cobra.Command {
	var o deltaInput
	var out, tool string
	cmd := cli.NewCommand("gcf-delta", cli.Two("BASE", "NEXT"), func(_ *cobra.Command, args []string) error {
		base, err := o.load(c, args[0])
		if err != nil {
			return cli.About(args[0], err)
		}
		next, err := o.load(c, args[1])
		if err != nil {
			return cli.About(args[1], err)
		}
		text, err := deltaOf(base.basis, next.basis, tool)
		if err != nil {
			return err
		}
		return c.Write(out, cli.Lined(gcf.Codec{}, text))
	})
	o.add(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().StringVar(&tool, "tool", "", "the tool's name in the header")
	return cmd
}

func newGCFApply(c *cli.Console) *cobra.Command {
	var o deltaInput
	var output cli.OutputOptions
	cmd := cli.NewCommand("gcf-apply", cli.Two("BASE", "DELTA"), func(_ *cobra.Command, args []string) error {
		text, err := c.Read(args[1])
		if err != nil {
			return err
		}
		var d any
		if d, err = gcf.DecodeDelta(text); err != nil {
			rows, again := set.DecodeDelta(text)
			if cli.Code(err) == "not_a_delta" {
				err = again // of the profile that the document is of
			}
			if again != nil {
				return cli.About(args[1], err)
			}
			d, o.key = rows, cmp.Or(o.key, rows.Key)
		}
		base, err := o.load(c, args[0])
		if err != nil {
			return cli.About(args[0], err)
		}
		if base.basis, err = base.apply(d); err != nil {
			return err
		}
		return base.write(c, output)
	})
	o.add(cmd)
	output.Add(cmd, "format of the output (default: that of BASE)")
	return cmd
}

// write writes the base in the format that the flags name, or in its own.
func (b based) write(c *cli.Console, o cli.OutputOptions) error {
	if o.To == "" && b.named {
		text, err := b.full()
		if err != nil {
			return err
		}
		return c.Write(o.Out, cli.Lined(gcf.Codec{}, text))
	}
	v, err := b.value()
	if err != nil {
		return err
	}
	return o.Encode(c, "", b.codec, v, b.size)
}

func newGCFRoot(c *cli.Console) *cobra.Command {
	var o deltaInput
	cmd := cli.Command("gcf-root")
	o.add(cmd)
	return cli.NewReports(c, cmd, "hashing", func(c *cli.Console, file string) (*packRoot, error) {
		b, err := o.load(c, file)
		if err != nil {
			return nil, err
		}
		root, err := b.root()
		if err != nil {
			return nil, err
		}
		return &packRoot{cli.Title(file), root}, nil
	})
}

// A packRoot is one document's, in the form that --json prints.
type packRoot struct {
	Document string `json:"document"`
	Root     string `json:"root"`
}

func (r *packRoot) String() string { return fmt.Sprintf("%s  %s\n", r.Root, r.Document) }
