package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
)

// Stats are the numbers of one payload.
type Stats struct {
	Document string      `json:"document"`
	Bytes    int         `json:"bytes"`
	Blocks   int         `json:"blocks"`
	Types    []TypeStats `json:"types"` // in the order of their first block
	// Tokens are the costs of the whole payload by mode of rendering.
	Tokens map[string]int `json:"tokens"`
	// Tokenizer names what counted them.
	Tokenizer string `json:"tokenizer"`
	// Estimated: Tokens are estimates.
	Estimated bool `json:"estimated,omitempty"`

	header bcp.Header
}

// TypeStats count the blocks of one type.
type TypeStats struct {
	Type   string `json:"type"`
	Blocks int    `json:"blocks"`
	Bytes  int    `json:"bytes"` // of their content
}

// modes are those that tokens are counted in.
var modes = []render.Mode{render.ModeXML, render.ModeMarkdown, render.ModeMinimal}

// Count counts a payload; document is what it is called. References that cannot be
// resolved count as such. Tokens are those of the text that o makes, in each mode, by
// its counter.
func Count(document string, src []byte, decode bcp.DecodeOptions, o render.Options) (*Stats, error) {
	decode.KeepReferences = true
	p, err := decode.Decode(context.Background(), src)
	if err != nil {
		return nil, err
	}
	s := &Stats{Document: document, Bytes: len(src), Blocks: len(p.Blocks), Types: []TypeStats{}, Tokens: make(map[string]int),
		Tokenizer: o.Counter.Name(), Estimated: !o.Counter.Exact(), header: p.Header}
	shows := false // whether there is anything to render
	for _, b := range p.Blocks {
		s.add(b.Body)
		shows = shows || b.Type() != bcp.BlockAnnotation
	}
	for _, mode := range modes {
		result := &render.Result{}
		if o.Mode = mode; shows {
			if result, err = o.Render(p); err != nil {
				return nil, err
			}
		}
		s.Tokens[mode.String()] = result.Tokens
	}
	return s, nil
}

func (s *Stats) add(body bcp.Body) {
	_, content := describe(body)
	t := (&bcp.Block{Body: body}).Type().String()
	i := slices.IndexFunc(s.Types, func(s TypeStats) bool { return s.Type == t })
	if i < 0 {
		i, s.Types = len(s.Types), append(s.Types, TypeStats{Type: t})
	}
	s.Types[i].Blocks++
	s.Types[i].Bytes += len(content)
}

// String returns the numbers as tables.
func (s *Stats) String() string {
	var out strings.Builder
	form := "uncompressed"
	if s.header.Flags.IsCompressed() {
		form = "payload zstd-compressed"
	}
	fmt.Fprintf(&out, "File:    %s  (%d bytes)\n", s.Document, s.Bytes)
	fmt.Fprintf(&out, "Header:  %s, flags=0x%02X (%s)\n", version(s.header), uint8(s.header.Flags), form)
	fmt.Fprintf(&out, "Blocks:  %d total\n\n", s.Blocks)
	rule := strings.Repeat("─", 36)
	fmt.Fprintf(&out, "%-20s%6s%10s\n%s\n", "Type", "Count", "Bytes", rule)
	total := 0
	for _, t := range s.Types {
		fmt.Fprintf(&out, "%-20s%6d%10d\n", t.Type, t.Blocks, t.Bytes)
		total += t.Bytes
	}
	fmt.Fprintf(&out, "%s\n%-20s%6d%10d\n\n", rule, "Total", s.Blocks, total)
	fmt.Fprintf(&out, "Tokens (%s):\n", s.Tokenizer)
	about := ""
	if s.Estimated {
		about = "~"
	}
	for _, mode := range modes {
		fmt.Fprintf(&out, "  %-13s %s%d tokens\n", mode.String()+" mode", about, s.Tokens[mode.String()])
	}
	return out.String()
}
