// Package formats has the verb formats, and the verbs that single formats have beside those
// for all: gcf, gcx, glyph, goon and toon, a file each. It imports cli, not other verbs; the
// scorecard of GCX is in a folder of its own.
package formats

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// New returns the verb formats.
func New(c *cli.Console) *cobra.Command {
	var all, prompts, asJSON bool
	cmd := cli.NewCommand("formats", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		list := formatList()
		if asJSON {
			return c.WriteJSON(list)
		}
		if len(args) > 0 {
			one, err := wirekit.Lookup(args[0])
			if err != nil {
				return err
			}
			return c.Write("", []byte(describeFormat(list, one.Info().Name)))
		}
		var out strings.Builder
		var t cli.Table
		if !prompts {
			t.Row("name", "file", "what it is")
		}
		for _, f := range list {
			switch what := cmp.Or(f.Variant, f.Title); {
			case prompts && f.Prompt != "":
				fmt.Fprintf(&out, "%s\t%s\n", f.Name, f.Prompt)
			case !prompts && (all || f.Variant == ""):
				t.Row(f.Name, strings.Join(f.Extensions, " "), what)
			}
		}
		out.WriteString(t.String())
		if !all && !prompts {
			out.WriteString("\n\"wirekit formats NAME\" says what a format accepts and may lose; --all lists the variants.\n")
		}
		return c.Write("", []byte(out.String()))
	})
	cmd.Flags().BoolVar(&all, "all", false, "list the variants too, with what each does")
	cmd.Flags().BoolVar(&prompts, "prompts", false, "print the sentence that tells a model how to read each")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole list as JSON")
	cmd.ValidArgs = describe.Names(wirekit.Registry())
	return cmd
}

// describeFormat says what a format is, and what its variants do.
func describeFormat(list []format, name string) string {
	var t cli.Table
	for _, f := range list {
		base, _, _ := strings.Cut(f.Name, ":")
		switch {
		case f.Name == name:
			t.Row(f.Name, f.Title+" "+f.Version)
			t.Row("files", strings.Join(f.Extensions, " "))
			t.Row("accepts", f.Accepts)
			t.Row("may lose", f.Loss+", of JSON's values")
		case base == name:
			t.Row(f.Name, f.Variant)
		}
	}
	return t.String()
}

// format is a codec's description, in the form that --json prints.
type format struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Variant    string   `json:"variant,omitempty"` // what the variant does
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
	sentences := variantSentences()
	for _, codec := range describe.All(wirekit.Registry()) {
		info := codec.Info()
		_, stream := codec.(wire.Streamer)
		list = append(list, format{
			Name: info.FullName(), Title: info.Title, Variant: sentences[info.FullName()], Prompt: info.Prompt, MediaType: info.MediaType,
			Extensions: info.Extensions, Document: info.Document, Version: info.Version, Binary: info.Binary, Stream: stream,
			Accepts: cmp.Or(info.Accepts, "any value"), Loss: (info.Loss &^ variants.LossKinds).String(),
		})
	}
	return list
}

// variantSentences say what each variant does.
func variantSentences() map[string]string {
	sentences := make(map[string]string)
	for line := range strings.Lines(cli.HelpText("variants")) {
		name, sentence, _ := strings.Cut(line, " ")
		sentences[name] = strings.TrimSpace(sentence)
	}
	return sentences
}
