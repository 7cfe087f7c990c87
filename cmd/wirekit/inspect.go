package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func newInspect(c *console) *cobra.Command {
	var input inputOptions
	cmd := command("inspect")
	input.add(cmd)
	return newReports(c, cmd, "inspecting", func(c *console, file string) (*inspection, error) {
		doc, err := input.load(c, file)
		if err != nil {
			return nil, err
		}
		return inspectionOf(title(file), input.selection, doc)
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

func inspectionOf(name string, s selection, doc document) (*inspection, error) {
	info, src := doc.codec.Info(), doc.src
	r := &inspection{Document: name, Format: info.Name, Part: s.at, Kinds: make(map[string]int), title: info.Title + " " + info.Version}
	if !s.all() {
		info, src = wire.JSON{}.Info(), wire.AppendJSON(nil, doc.value)
	}
	r.Bytes = len(src)
	if !info.Binary {
		n, err := tokens.Default().Count(src)
		if err != nil {
			return nil, err
		}
		r.Tokens, r.Tokenizer = &n, tokens.Default().Name()
	}
	r.add(doc.value, 0)
	r.Folded = fold.IsFolded(doc.value)
	if info.Name == "goon" {
		response, err := goon.Codec{}.DecodeResponse(src)
		if err != nil {
			return nil, err
		}
		r.Response = summarize(response)
	}
	return r, nil
}

func (r *inspection) String() string {
	var out strings.Builder
	w := newTable(&out)
	w.row("document", r.Document)
	w.row("format", fmt.Sprintf("%s (%s)", r.Format, r.title))
	if r.Part != "" {
		w.row("part", r.Part+", as compact JSON")
	}
	w.row("bytes", fmt.Sprint(r.Bytes))
	if r.Tokens != nil {
		w.row("tokens", fmt.Sprintf("%d (%s)", *r.Tokens, r.Tokenizer))
	}
	if r.Response != nil {
		r.Response.describe(w)
	} else {
		w.row("values", fmt.Sprint(r.Values))
		for kind := wire.KindNull; kind <= wire.KindObject; kind++ {
			if n := r.Kinds[kind.String()]; n > 0 {
				w.row("  "+kind.String(), fmt.Sprint(n))
			}
		}
		w.row("depth", fmt.Sprint(r.Depth))
		if r.Folded {
			w.row("folded", "yes; wirekit unfold gives it its full form")
		}
		w.row("tables", fmt.Sprintf("%d uniform, %d rows; %d other lists of objects", r.Tables, r.Rows, r.Lists))
	}
	w.flush()
	return out.String()
}

// add counts what a value holds.
func (r *inspection) add(v wire.Value, depth int) {
	r.Values++
	r.Kinds[v.Kind().String()]++
	switch v.Kind() {
	case wire.KindArray, wire.KindObject:
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

func newCheck(c *console) *cobra.Command {
	var o checkOptions
	cmd := command("check")
	o.input.add(cmd)
	cmd.Flags().BoolVar(&o.canonical, "canonical", false, "fail if a document is not canonical")
	return newReports(c, cmd, "checking", o.check)
}

type checkOptions struct {
	input     inputOptions
	canonical bool
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

func (o *checkOptions) check(c *console, file string) (*checked, error) {
	if err := o.input.check(); err != nil {
		return nil, err
	}
	doc, err := inputOptions{from: o.input.from}.load(c, file)
	if err != nil {
		return nil, err
	}
	src := string(doc.src)
	out, err := doc.codec.AppendEncode(nil, doc.value)
	canonical := err == nil && (string(out) == src || string(out)+"\n" == src)
	part, err := o.input.in(c, file, doc.value)
	if err != nil {
		return nil, about(file, err)
	}
	counted := inspection{Kinds: make(map[string]int)}
	counted.add(part, 0)
	one := &checked{title(file), doc.codec.Info().FullName(), canonical, counted.Values, counted.Depth}
	if o.canonical && !canonical {
		return one, fmt.Errorf("not canonical %s; --canonical asks for that", one.Format)
	}
	return one, nil
}

func newFingerprint(c *console) *cobra.Command {
	var input inputOptions
	cmd := command("fingerprint")
	input.add(cmd)
	return newReports(c, cmd, "hashing", func(c *console, file string) (*fingerprints, error) {
		doc, err := input.load(c, file)
		if err != nil {
			return nil, err
		}
		// The one to cache by and that of the GLYPH document, by codecs that refuse what
		// has no such text.
		bounds := limits(len(doc.src))
		exact, err := glyph.Codec{Profile: glyph.ProfileExact, NoTabular: true, Limits: bounds}.Fingerprint(doc.value)
		canonical, failed := glyph.Codec{Profile: glyph.ProfileCanonical, Limits: bounds}.Fingerprint(doc.value)
		if err := cmp.Or(err, failed); err != nil {
			return nil, err
		}
		return &fingerprints{title(file), exact, canonical}, nil
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

// A goonReport is what a response holds and what of it is truncated, in the form that
// --json prints.
type goonReport struct {
	Query     string         `json:"query"`
	Nodes     map[string]int `json:"nodes,omitempty"` // by type; nodes in cells of rows included, each one once
	Edges     map[string]int `json:"edges,omitempty"` // by type
	Paths     int            `json:"paths,omitempty"`
	Rows      int            `json:"rows,omitempty"`
	Columns   int            `json:"columns,omitempty"` // group columns and metrics
	HasMore   bool           `json:"has_more,omitempty"`
	Truncated bool           `json:"truncated,omitempty"` // the server cut the result short
	Cut       []cutReport    `json:"cut,omitempty"`
}

// A cutReport is how many texts of one property are truncated.
type cutReport struct {
	Type       string `json:"type,omitempty"` // of the nodes; "" for cells of rows
	Key        string `json:"key"`
	Texts      int    `json:"texts"`
	Characters int64  `json:"characters"` // left out, all texts together; 0 for cells, whose length is not known
}

const ellipsis = "..." // ends a truncated text

// summarize counts. A cell of a row has no breadcrumb; it is counted as truncated if
// it is exactly as long as a truncated text and ends like one.
func summarize(r *goon.Response) *goonReport {
	s := &goonReport{Query: r.QueryType, Nodes: make(map[string]int), Edges: make(map[string]int),
		Rows: len(r.Rows), Columns: len(r.Columns) + len(r.GroupColumns)}
	if r.Pagination != nil {
		s.HasMore, s.Truncated = r.Pagination.HasMore, r.Pagination.Truncated
	}
	cuts := make(map[[2]string]cutReport) // by type and key
	cut := func(typ, key string, characters int64) {
		at := [2]string{typ, key}
		cuts[at] = cutReport{typ, key, cuts[at].Texts + 1, cuts[at].Characters + characters}
	}
	for _, n := range append(nodesInCells(r), r.Nodes...) {
		s.Nodes[n.Type]++
		for key, v := range n.Properties() {
			if length, truncated := n.FullLength(key); truncated {
				cut(n.Type, key, length-int64(utf8.RuneCountInString(v.Text())-len(ellipsis)))
			}
		}
	}
	paths := make(map[int64]bool)
	for i := range r.Edges {
		s.Edges[r.Edges[i].Type]++
		if p := r.Edges[i].PathID; p.Valid {
			paths[p.Value] = true
		}
	}
	s.Paths = len(paths)
	for _, row := range r.Rows {
		for key, v := range row.Members() {
			if cellLooksCut(key, v) {
				cut("", key, 0)
			}
		}
	}
	s.Cut = slices.SortedFunc(maps.Values(cuts), func(a, b cutReport) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Key, b.Key))
	})
	return s
}

// nodesInCells returns the nodes that the rows of an aggregation are grouped by, each
// one once.
func nodesInCells(r *goon.Response) []goon.Node {
	type identity struct {
		typ string
		id  int64
	}
	seen := make(map[identity]bool)
	var nodes []goon.Node
	for _, row := range r.Rows {
		for _, c := range r.GroupColumns {
			cell, _ := row.Get(c.Name)
			n, ok := goon.CellNode(cell)
			if at := (identity{n.Type, n.ID}); ok && c.Kind == "node" && r.QueryType == "aggregation" && !seen[at] {
				seen[at] = true
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

func cellLooksCut(key string, v wire.Value) bool {
	limit := 1000
	switch key {
	case "body", "description", "name", "note", "title":
		limit = 200
	}
	return v.Kind() == wire.KindString && strings.HasSuffix(v.Text(), ellipsis) && utf8.RuneCountInString(v.Text()) == limit
}

// describe adds rows for the command inspect.
func (s *goonReport) describe(w *table) {
	w.row("query", s.Query)
	for _, typ := range slices.Sorted(maps.Keys(s.Nodes)) {
		w.row("nodes", fmt.Sprintf("%d %s", s.Nodes[typ], typ))
	}
	for _, typ := range slices.Sorted(maps.Keys(s.Edges)) {
		w.row("edges", fmt.Sprintf("%d %s", s.Edges[typ], typ))
	}
	if s.Paths > 0 {
		w.row("paths", fmt.Sprint(s.Paths))
	}
	if s.Rows > 0 {
		w.row("rows", fmt.Sprintf("%d of %d columns", s.Rows, s.Columns))
	}
	if s.HasMore || s.Truncated {
		w.row("incomplete", fmt.Sprintf("more pages: %t, cut short by the server: %t", s.HasMore, s.Truncated))
	}
	for _, cut := range s.Cut {
		where := cut.Key
		if cut.Type != "" {
			where = cut.Type + "." + cut.Key
		}
		w.row("cut", fmt.Sprintf("%d texts of %s, %d characters left out", cut.Texts, where, cut.Characters))
	}
}
