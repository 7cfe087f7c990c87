package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCheck(c *console) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [-f FROM] [FILE…|-]",
		Short: "Check that documents are well-formed, and canonical in their format",
		RunE:  func(_ *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.input.add(cmd)
	addJSON(cmd, &o.json)
	cmd.Flags().BoolVar(&o.canonical, "canonical", false, "fail if a document is not canonical")
	return cmd
}

type checkOptions struct {
	input           inputOptions
	canonical, json bool
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

func (d checked) String() string {
	form := "canonical"
	if !d.Canonical {
		form = "well-formed, not canonical"
	}
	return fmt.Sprintf("%s: %s, %s, %d values, depth %d\n", d.Document, d.Format, form, d.Values, d.Depth)
}

func (o checkOptions) run(c *console, files []string) error {
	var list []checked
	failed := eachFile(c, files, func(c *console, file string) error {
		one, err := o.check(c, file)
		if err != nil {
			return err
		}
		list = append(list, one)
		if o.canonical && !one.Canonical {
			return fmt.Errorf("not canonical %s; --canonical asks for that", one.Format)
		}
		return nil
	})
	return printEach(c, o.json, list, failed)
}

func (o checkOptions) check(c *console, file string) (checked, error) {
	defer c.progress("checking "+title(file), noCount)()
	if err := o.input.check(); err != nil {
		return checked{}, err
	}
	whole := inputOptions{from: o.input.from}
	doc, err := whole.load(c, file)
	if err != nil {
		return checked{}, err
	}
	src := string(doc.src)
	out, err := doc.codec.AppendEncode(nil, doc.value)
	canonical := err == nil && (string(out) == src || string(out)+"\n" == src)
	part, err := o.input.in(c, file, doc.value)
	if err != nil {
		return checked{}, about(file, err)
	}
	var s shape
	s.add(part, 0)
	return checked{title(file), doc.codec.Info().FullName(), canonical, s.values, s.depth}, nil
}
