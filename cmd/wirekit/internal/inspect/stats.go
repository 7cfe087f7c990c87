package inspect

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/tokens"
)

// Stats are the numbers of one payload.
type Stats struct {
	Bytes  int
	Header bcp.Header
	Types  []TypeStats // in the order of their first block
	// Tokens are the costs of the whole payload in the modes XML, Markdown and
	// Minimal.
	Tokens [3]int
	// Counter names what counted them.
	Counter string
	// Estimated: Tokens are estimates.
	Estimated bool
}

// TypeStats count the blocks of one type.
type TypeStats struct {
	Type   bcp.BlockType
	Blocks int
	Bytes  int // of their content
}

// heuristic is the reference's estimate, a quarter of the bytes.
type heuristic struct{}

func (heuristic) Name() string { return "heuristic estimate" }
func (heuristic) Exact() bool  { return false }
func (heuristic) Count(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	return max(1, len(text)/4), nil
}

// StatsOptions say how a payload is counted.
type StatsOptions struct {
	// Counter counts tokens; nil means a quarter of the bytes, as the
	// reference estimates. CounterName is what the output calls it.
	Counter     tokens.Counter
	CounterName string
	// Render is how the text is made that is counted; its mode, budget and
	// counter are not looked at.
	Render render.Options
	Decode bcp.DecodeOptions
}

// Stats counts a payload. References that cannot be resolved count as such.
func (o StatsOptions) Stats(src []byte) (*Stats, error) {
	o.Decode.KeepReferences = true
	p, err := o.Decode.Decode(context.Background(), src)
	if err != nil {
		return nil, err
	}
	s := &Stats{Bytes: len(src), Header: p.Header, Counter: o.CounterName}
	for _, b := range p.Blocks {
		s.add(b.Body)
	}
	r := o.Render
	r.Budget, r.Counter = nil, o.Counter
	if r.Counter == nil {
		r.Counter, s.Counter = heuristic{}, "heuristic estimate"
	}
	s.Estimated = !r.Counter.Exact()
	if !shows(p) {
		return s, nil
	}
	for mode := range s.Tokens {
		r.Mode = render.Mode(mode)
		result, err := r.Render(p)
		if err != nil {
			return nil, err
		}
		s.Tokens[mode] = result.Tokens
	}
	return s, nil
}

// shows reports whether the payload has anything to render.
func shows(p *bcp.Payload) bool {
	return slices.ContainsFunc(p.Blocks, func(b bcp.Block) bool { return b.Type() != bcp.BlockAnnotation })
}

func (s *Stats) add(body bcp.Body) {
	_, content := describe(body)
	t := (&bcp.Block{Body: body}).Type()
	i := slices.IndexFunc(s.Types, func(s TypeStats) bool { return s.Type == t })
	if i < 0 {
		i, s.Types = len(s.Types), append(s.Types, TypeStats{Type: t})
	}
	s.Types[i].Blocks++
	s.Types[i].Bytes += len(content)
}

// Blocks returns the number of blocks.
func (s *Stats) Blocks() int {
	n := 0
	for _, t := range s.Types {
		n += t.Blocks
	}
	return n
}

// Write prints the numbers; name is that of the file.
func (s *Stats) Write(w io.Writer, name string) error {
	var out strings.Builder
	form := "uncompressed"
	if s.Header.Flags.IsCompressed() {
		form = "payload zstd-compressed"
	}
	fmt.Fprintf(&out, "File:    %s  (%d bytes)\n", name, s.Bytes)
	fmt.Fprintf(&out, "Header:  %s, flags=0x%02X (%s)\n", version(s.Header), uint8(s.Header.Flags), form)
	fmt.Fprintf(&out, "Blocks:  %d total\n\n", s.Blocks())
	rule := strings.Repeat("─", 36)
	fmt.Fprintf(&out, "%-20s%6s%10s\n%s\n", "Type", "Count", "Bytes", rule)
	total := 0
	for _, t := range s.Types {
		fmt.Fprintf(&out, "%-20s%6d%10d\n", t.Type, t.Blocks, t.Bytes)
		total += t.Bytes
	}
	fmt.Fprintf(&out, "%s\n%-20s%6d%10d\n\n", rule, "Total", s.Blocks(), total)
	fmt.Fprintf(&out, "Tokens (%s):\n", s.Counter)
	about := ""
	if s.Estimated {
		about = "~"
	}
	for mode, n := range s.Tokens {
		fmt.Fprintf(&out, "  %-13s %s%d tokens\n", render.Mode(mode).String()+" mode", about, n)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
