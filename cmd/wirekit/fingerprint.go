package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/glyph"
)

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
		if err != nil {
			return nil, err
		}
		canonical, err := glyph.Codec{Profile: glyph.ProfileCanonical, Limits: bounds}.Fingerprint(doc.value)
		if err != nil {
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
