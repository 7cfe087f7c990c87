package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

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

// checked is what is told of a well-formed document, in the form that --json
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
	var s shape
	s.add(part, 0)
	one := &checked{title(file), doc.codec.Info().FullName(), canonical, s.values, s.depth}
	if o.canonical && !canonical {
		return one, fmt.Errorf("not canonical %s; --canonical asks for that", one.Format)
	}
	return one, nil
}
