// Package inspect has the verbs that report about documents: inspect, check and
// fingerprint. It imports cli, not other verbs.
package inspect

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// New returns the verb inspect.
func New(c *cli.Console) *cobra.Command {
	var input cli.InputOptions
	cmd := cli.Command("inspect")
	input.Add(cmd)
	return cli.NewReports(c, cmd, "inspecting", func(c *cli.Console, file string) (*inspection, error) {
		doc, err := input.Load(c, file)
		if err != nil {
			return nil, err
		}
		info, src := doc.Codec.Info(), doc.Src
		r := &inspection{Document: cli.Title(file), Format: info.Name, Part: input.At, Kinds: make(map[string]int), title: info.Title + " " + info.Version}
		if !input.All() {
			info, src = wire.JSON{}.Info(), wire.AppendJSON(nil, doc.Value)
		}
		r.Bytes = len(src)
		if !info.Binary {
			n, err := tokens.Default().Count(src)
			if err != nil {
				return nil, err
			}
			r.Tokens, r.Tokenizer = &n, tokens.Default().Name()
		}
		r.add(doc.Value, 0)
		r.Folded = fold.IsFolded(doc.Value)
		if info.Name == "goon" {
			response, err := goon.Codec{}.DecodeResponse(src)
			if err != nil {
				return nil, err
			}
			r.Response = summarize(response)
		}
		return r, nil
	})
}

// inspection is what inspect reports about a document, in the form that --json
// prints.
type inspection struct {
	Document  string         `json:"document"`
	Format    string         `json:"format"`
	Part      string         `json:"part,omitempty"`
	Bytes     int            `json:"bytes"` // of the part as compact JSON, if there is one
	Tokens    *int           `json:"tokens,omitempty"`
	Tokenizer string         `json:"tokenizer,omitempty"`
	Values    int            `json:"values"`
	Kinds     map[string]int `json:"kinds,omitempty"`
	Depth     int            `json:"depth"`
	Folded    bool           `json:"folded,omitempty"`
	Tables    int            `json:"tables"`
	Rows      int            `json:"rows"`
	Lists     int            `json:"other_lists_of_objects"`
	Response  *goonReport    `json:"response,omitempty"`

	title string // of the format
}

func (r *inspection) String() string {
	var w cli.Table
	w.Row("document", r.Document)
	w.Row("format", fmt.Sprintf("%s (%s)", r.Format, r.title))
	if r.Part != "" {
		w.Row("part", r.Part+", as compact JSON")
	}
	w.Row("bytes", fmt.Sprint(r.Bytes))
	if r.Tokens != nil {
		w.Row("tokens", fmt.Sprintf("%d (%s)", *r.Tokens, r.Tokenizer))
	}
	if r.Response != nil {
		r.Response.describe(&w)
	} else {
		w.Row("values", fmt.Sprint(r.Values))
		for kind := wire.KindNull; kind <= wire.KindObject; kind++ {
			if n := r.Kinds[kind.String()]; n > 0 {
				w.Row("  "+kind.String(), fmt.Sprint(n))
			}
		}
		w.Row("depth", fmt.Sprint(r.Depth))
		if r.Folded {
			w.Row("folded", "yes; wirekit unfold gives it its full form")
		}
		w.Row("tables", fmt.Sprintf("%d uniform, %d rows; %d other lists of objects", r.Tables, r.Rows, r.Lists))
	}
	return w.String()
}

// add counts what a value holds.
func (r *inspection) add(v wire.Value, depth int) {
	r.Values++
	r.Kinds[v.Kind().String()]++
	if v.Kind() >= wire.KindArray {
		depth++
		r.Depth = max(r.Depth, depth)
	}
	if v.Kind() == wire.KindArray && v.Len() > 1 && v.Index(0).Kind() == wire.KindObject {
		r.addTable(v)
	}
	for e := range v.Elements() {
		r.add(e, depth)
	}
}

// addTable counts a list whose first element is an object.
func (r *inspection) addTable(v wire.Value) {
	uniform := true
	for e := range v.Elements() {
		if e.Kind() != wire.KindObject {
			return
		}
		uniform = uniform && wire.Internal.SameKeys(e, v.Index(0))
	}
	if uniform {
		r.Tables++
		r.Rows += v.Len()
	} else {
		r.Lists++
	}
}

// NewCheck returns the verb check.
func NewCheck(c *cli.Console) *cobra.Command {
	var input cli.InputOptions
	var onlyCanonical bool
	cmd := cli.Command("check")
	input.Add(cmd)
	cmd.Flags().BoolVar(&onlyCanonical, "canonical", false, "fail if a document is not canonical")
	return cli.NewReports(c, cmd, "checking", func(c *cli.Console, file string) (*checked, error) {
		if err := input.Check(); err != nil {
			return nil, err
		}
		doc, err := cli.InputOptions{From: input.From}.Load(c, file)
		if err != nil {
			return nil, err
		}
		src := string(doc.Src)
		out, err := doc.Codec.AppendEncode(nil, doc.Value)
		canonical := err == nil && (string(out) == src || string(out)+"\n" == src)
		part, err := input.In(c, file, doc.Value)
		if err != nil {
			return nil, cli.About(file, err)
		}
		counted := inspection{Kinds: make(map[string]int)}
		counted.add(part, 0)
		one := &checked{cli.Title(file), doc.Codec.Info().FullName(), canonical, counted.Values, counted.Depth}
		if onlyCanonical && !canonical {
			return one, fmt.Errorf("not canonical %s; --canonical asks for that", one.Format)
		}
		return one, nil
	})
}

// checked is what check reports about a well-formed document, in the form that --json
// prints.
type checked struct {
	Document  string `json:"document"`
	Format    string `json:"format"`
	Canonical bool   `json:"canonical"`
	Values    int    `json:"values"` // of the part, if there is one
	Depth     int    `json:"depth"`
}

func (d *checked) String() string {
	form := "canonical"
	if !d.Canonical {
		form = "well-formed, not canonical"
	}
	return fmt.Sprintf("%s: %s, %s, %d values, depth %d\n", d.Document, d.Format, form, d.Values, d.Depth)
}

// NewFingerprint returns the verb fingerprint.
func NewFingerprint(c *cli.Console) *cobra.Command {
	var input cli.InputOptions
	cmd := cli.Command("fingerprint")
	input.Add(cmd)
	return cli.NewReports(c, cmd, "hashing", func(c *cli.Console, file string) (*fingerprints, error) {
		doc, err := input.Load(c, file)
		if err != nil {
			return nil, err
		}
		// The one to cache by and that of the GLYPH document, by codecs that refuse what
		// has no such text.
		bounds := cli.LimitsFor(len(doc.Src))
		exact, err := glyph.Codec{Profile: glyph.ProfileExact, NoTabular: true, Limits: bounds}.Fingerprint(doc.Value)
		canonical, failed := glyph.Codec{Profile: glyph.ProfileCanonical, Limits: bounds}.Fingerprint(doc.Value)
		if err := cmp.Or(err, failed); err != nil {
			return nil, err
		}
		return &fingerprints{cli.Title(file), exact, canonical}, nil
	})
}

// fingerprints are one document's, in the form that --json prints.
type fingerprints struct {
	Document string `json:"document"`
	Exact    string `json:"exact"`
	Glyph    string `json:"glyph"`
}

func (f *fingerprints) String() string {
	return fmt.Sprintf("%s  exact  %s\n%s  glyph  %s\n", f.Exact, f.Document, f.Glyph, f.Document)
}
