package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

func newFormats(c *console) *cobra.Command {
	var asJSON, prompts bool
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats with what they accept and lose",
		Args:  atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return c.writeJSON(formatList())
			}
			var out strings.Builder
			if prompts {
				for _, f := range formatList() {
					if f.Prompt != "" {
						fmt.Fprintf(&out, "%s\t%s\n", f.Name, f.Prompt)
					}
				}
				return c.write("", []byte(out.String()))
			}
			t := newTable(&out)
			t.row("name", "format", "file", "accepts", "may lose (of JSON's values)")
			for _, f := range formatList() {
				t.row(f.Name, f.Title, strings.Join(f.Extensions, " "), f.Accepts, f.Loss)
			}
			t.flush()
			return c.write("", []byte(out.String()))
		},
	}
	cmd.Flags().BoolVar(&prompts, "prompts", false, "print the sentence that tells a model how to read each")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

// format is a codec's description, in the form that --json prints.
type format struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Prompt     string   `json:"prompt,omitempty"`
	MediaType  string   `json:"media_type"`
	Extensions []string `json:"extensions"`
	Document   string   `json:"document"`
	Version    string   `json:"version"`
	Binary     bool     `json:"binary"`
	Stream     bool     `json:"stream"`
	Accepts    string   `json:"accepts"`
	Loss       string   `json:"loss"`
}

func formatList() []format {
	var list []format
	for _, codec := range wirekit.Registry().All() {
		info := codec.Info()
		_, stream := codec.(wire.Streamer)
		list = append(list, format{
			Name: info.FullName(), Title: info.Title, Prompt: info.Prompt, MediaType: info.MediaType, Extensions: info.Extensions,
			Document: info.Document, Version: info.Version, Binary: info.Binary, Stream: stream,
			Accepts: cmp.Or(info.Accepts, "any value"), Loss: (info.Loss &^ wire.LossKinds).String(),
		})
	}
	return list
}
