package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// deltaInput is how the verbs of deltas read their documents.
type deltaInput struct {
	inputOptions
	key string
}

func (o *deltaInput) add(cmd *cobra.Command) {
	o.inputOptions.add(cmd)
	cmd.Flags().StringVarP(&o.key, "key", "k", "", "field that identifies a row, for lists of rows")
}

// A basis is what deltas lead from and to: a graph, or a set of rows with a
// key. One of them is nil.
type basis struct {
	graph *gcf.Graph
	set   *set.Set
	codec wire.Codec // of the document's format
	named bool       // the document itself is a set, and names its key
}

// load reads a graph, a set that names its key, or with --key rows in any
// format.
func (o deltaInput) load(c *console, file string) (basis, error) {
	doc, err := o.inputOptions.load(c, file)
	if err != nil {
		return basis{}, err
	}
	b := basis{codec: doc.codec}
	if o.all() && doc.codec.Info().Name == "gcf" {
		s, err := set.Decode(doc.src)
		var e *wire.Error
		switch {
		case err == nil && (o.key == "" || o.key == s.Key):
			b.set, b.named = s, true
			return b, nil
		case err == nil:
			return b, fmt.Errorf("the set's key is %q, not %q", s.Key, o.key)
		case !errors.As(err, &e) || e.Code != "not_a_set":
			return b, err
		}
	}
	if o.key != "" {
		b.set, err = setOf(doc.value, o.key)
		return b, err
	}
	if _, ok := doc.value.Get("symbols"); doc.value.Kind() != wire.KindObject || !ok {
		return b, errors.New("neither a graph, which is an object with symbols and edges, nor a set that names its key; for a list of rows say with --key which field identifies a row")
	}
	b.graph, err = graphOf(doc.value)
	return b, err
}

// graphOf reads the graph that a value describes.
func graphOf(v wire.Value) (*gcf.Graph, error) {
	text, err := gcf.GraphCodec{}.AppendEncode(nil, v)
	if err != nil {
		return nil, err
	}
	return gcf.Decode(text)
}

// setOf makes a set of a list of flat objects.
func setOf(v wire.Value, key string) (*set.Set, error) {
	if v.Kind() != wire.KindArray {
		return nil, fmt.Errorf("a set is a list of rows, and this is of kind %s; --at takes a part of a document", v.Kind())
	}
	s := &set.Set{Key: key}
	var fields union
	for row := range v.Elements() {
		fields.add(row)
		s.Rows = append(s.Rows, row)
	}
	s.Fields = fields.names
	return s, nil
}

func (b basis) root() (string, error) {
	if b.set != nil {
		return set.PackRoot(b.set)
	}
	return gcf.PackRoot(b.graph)
}

// full is the payload that a delta stands for.
func (b basis) full() ([]byte, error) {
	if b.set != nil {
		return set.Encode(b.set)
	}
	return gcf.Encode(b.graph)
}

// value is what other formats carry.
func (b basis) value() (wire.Value, error) {
	if b.set != nil {
		return wire.Array(b.set.Rows...), nil
	}
	text, err := b.full()
	if err != nil {
		return wire.Value{}, err
	}
	return gcf.GraphCodec{}.Decode(text)
}

// A delta is one of either kind, which knows what it saves.
type delta struct {
	graph *gcf.Delta
	set   *set.Delta
}

func newDelta(base, next basis, tool string) (d delta, err error) {
	switch {
	case base.set != nil && next.set != nil:
		if d.set, err = set.Diff(base.set, next.set); err == nil && tool != "" {
			d.set.Tool = tool
		}
	case base.graph != nil && next.graph != nil:
		if d.graph, err = gcf.DiffGraphs(base.graph, next.graph); err == nil && tool != "" {
			d.graph.Tool = tool
		}
	default:
		err = errors.New("one of the documents is a graph and the other a set of rows: there is no delta between them")
	}
	return d, err
}

func (d delta) encode() ([]byte, error) {
	if d.set != nil {
		return set.EncodeDelta(d.set)
	}
	return gcf.EncodeDelta(d.graph)
}

// measure counts the tokens of the delta and of the full payload for the
// header.
func (d delta) measure(full []byte) error {
	text, err := d.encode()
	if err != nil {
		return err
	}
	n, err := tokens.Default().Count(text)
	if err != nil {
		return err
	}
	m, err := tokens.Default().Count(full)
	if err != nil {
		return err
	}
	if d.set != nil {
		d.set.DeltaTokens, d.set.FullTokens = n, m
	} else {
		d.graph.DeltaTokens, d.graph.FullTokens = n, m
	}
	return nil
}

func newGCFDelta(c *console) *cobra.Command {
	var o deltaInput
	var out, tool string
	cmd := &cobra.Command{
		Use:   "delta [-f FROM] [-k KEY] [-o OUT] BASE NEXT",
		Short: "Print the delta between two graphs, or two sets of rows",
		Args:  pair("BASE", "NEXT"),
		RunE: func(_ *cobra.Command, args []string) error {
			base, next, err := o.both(c, args)
			if err != nil {
				return err
			}
			d, err := newDelta(base, next, tool)
			if err != nil {
				return err
			}
			full, err := next.full()
			if err != nil {
				return err
			}
			if err := d.measure(full); err != nil {
				return err
			}
			text, err := d.encode()
			if err != nil {
				return err
			}
			return c.write(out, lined(gcf.Codec{}, text))
		},
	}
	o.add(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().StringVar(&tool, "tool", "", "the tool's name in the header")
	return cmd
}

// both reads two documents.
func (o deltaInput) both(c *console, files []string) (base, next basis, err error) {
	if base, err = o.load(c, files[0]); err != nil {
		return base, next, about(files[0], err)
	}
	if next, err = o.load(c, files[1]); err != nil {
		return base, next, about(files[1], err)
	}
	return base, next, nil
}

func newGCFApply(c *console) *cobra.Command {
	var o deltaInput
	var output outputOptions
	cmd := &cobra.Command{
		Use:   "apply [-f FROM] [-k KEY] [-t TO] [-o OUT] BASE DELTA",
		Short: "Apply a delta to the graph or the set that it was made for",
		Args:  pair("BASE", "DELTA"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := c.read(args[1])
			if err != nil {
				return err
			}
			var d delta
			if d.graph, err = gcf.DecodeDelta(text); err != nil {
				d.graph = nil
				var again error
				if d.set, again = set.DecodeDelta(text); again != nil {
					return about(args[1], nearest(err, again))
				}
				o.key = cmp.Or(o.key, d.set.Key)
			}
			base, err := o.load(c, args[0])
			if err != nil {
				return about(args[0], err)
			}
			next, err := d.apply(base)
			if err != nil {
				return err
			}
			return next.write(c, output)
		},
	}
	o.add(cmd)
	output.add(cmd, "format of the output (default: that of BASE)")
	return cmd
}

// nearest is the error of the profile that the document is of.
func nearest(graph, set error) error {
	var e *wire.Error
	if errors.As(graph, &e) && e.Code == "not_a_delta" {
		return set
	}
	return graph
}

func (d delta) apply(base basis) (basis, error) {
	var err error
	next := basis{codec: base.codec, named: base.named}
	switch {
	case d.set != nil && base.set != nil:
		next.set, err = set.Apply(base.set, d.set)
	case d.graph != nil && base.graph != nil:
		next.graph, err = gcf.ApplyDelta(base.graph, d.graph)
	default:
		err = errors.New("the delta is not of the kind of the base: one is of a graph, the other of a set of rows")
	}
	return next, err
}

// write writes the base in the format that the flags name, or in its own.
func (b basis) write(c *console, o outputOptions) error {
	if o.to == "" && b.named {
		text, err := b.full()
		if err != nil {
			return err
		}
		return c.write(o.out, lined(gcf.Codec{}, text))
	}
	v, err := b.value()
	if err != nil {
		return err
	}
	target := b.codec
	if o.to != "" {
		if target, err = codec(o.to, 0); err != nil {
			return err
		}
	}
	text, err := target.AppendEncode(nil, v)
	if err != nil {
		return err
	}
	return o.write(c, target, lined(target, text), o.out)
}

func newGCFRoot(c *console) *cobra.Command {
	var o deltaInput
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "root [-f FROM] [-k KEY] [FILE…|-]",
		Short: "Print the pack roots of graphs, or of sets of rows",
		RunE: func(_ *cobra.Command, args []string) error {
			var roots []packRoot
			failed := eachFile(c, args, func(c *console, file string) error {
				b, err := o.load(c, file)
				if err != nil {
					return err
				}
				root, err := b.root()
				if err == nil {
					roots = append(roots, packRoot{title(file), root})
				}
				return err
			})
			return printEach(c, asJSON, roots, failed)
		},
	}
	o.add(cmd)
	addJSON(cmd, &asJSON)
	return cmd
}

// A packRoot is one document's, in the form that --json prints.
type packRoot struct {
	Document string `json:"document"`
	Root     string `json:"root"`
}

func (r packRoot) String() string { return fmt.Sprintf("%s  %s\n", r.Root, r.Document) }
