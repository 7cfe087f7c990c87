package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/glyph"
)

func newFingerprint(c *console) *cobra.Command {
	var o fingerprintOptions
	cmd := &cobra.Command{
		Use:   "fingerprint [-f FROM] [FILE…|-]",
		Short: "Print fingerprints of values, whatever their format",
		RunE:  func(_ *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.input.add(cmd)
	addJSON(cmd, &o.json)
	return cmd
}

type fingerprintOptions struct {
	input inputOptions
	json  bool
}

// fingerprints are one document's, in the form that --json prints.
type fingerprints struct {
	Document string `json:"document"`
	Exact    string `json:"exact"`
	Glyph    string `json:"glyph"`
}

func (f fingerprints) String() string {
	return fmt.Sprintf("%s  exact  %s\n%s  glyph  %s\n", f.Exact, f.Document, f.Glyph, f.Document)
}

func (o fingerprintOptions) run(c *console, files []string) error {
	var list []fingerprints
	failed := eachFile(c, files, func(c *console, file string) error {
		defer c.progress("hashing "+title(file), noCount)()
		doc, err := o.input.load(c, file)
		if err != nil {
			return err
		}
		one, err := fingerprintsOf(doc)
		if err != nil {
			return err
		}
		one.Document = title(file)
		list = append(list, one)
		return nil
	})
	return printEach(c, o.json, list, failed)
}

// fingerprintsOf takes both, the one to cache by and that of the GLYPH document,
// by codecs that refuse what has no such text.
func fingerprintsOf(doc document) (one fingerprints, err error) {
	bounds := limits(len(doc.src))
	exact := glyph.Codec{Profile: glyph.ProfileExact, NoTabular: true, Limits: bounds}
	if one.Exact, err = exact.Fingerprint(doc.value); err != nil {
		return fingerprints{}, err
	}
	one.Glyph, err = glyph.Codec{Profile: glyph.ProfileCanonical, Limits: bounds}.Fingerprint(doc.value)
	return one, err
}
