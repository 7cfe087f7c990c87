package audit

import (
	"fmt"
	"html"
	"strings"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// The parts of a bar, from the left.
var parts = []struct {
	name, colour string
	of           func(Row) int
}{
	{"unchanged, or left of it", "#9aa5b1", func(r Row) int { return r.Tokens - r.Saved.Sum() }},
	{"formats", "#2f7ed8", func(r Row) int { return r.Saved.Formats }},
	{"repeats", "#8bbc21", func(r Row) int { return r.Saved.Repeats }},
	{"folding", "#f28f43", func(r Row) int { return r.Saved.Folding }},
	{"lines", "#a6509b", func(r Row) int { return r.Saved.Lines }},
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>wirekit audit</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
pre{overflow:auto;background:#f4f5f7;padding:1rem}svg{width:100%;height:auto}text{font:13px system-ui,sans-serif;fill:#222}</style>
</head><body><h1>What tools returned</h1>
`

// HTML returns the report as a page that needs nothing else: a chart, and the report as a
// text.
func (r Report) HTML() []byte {
	var out strings.Builder
	out.WriteString(page)
	chart(&out, "Tools, by tokens", r.Tools)
	chart(&out, "Kinds", r.Kinds)
	fmt.Fprintf(&out, "<h2>The report</h2>\n<pre>%s</pre>\n</body></html>\n", html.EscapeString(r.String()))
	return []byte(out.String())
}

// chart draws a bar for each of the first rows.
func chart(out *strings.Builder, title string, rows []Row) {
	const left, width, high = 190, 640, 26
	rows = rows[:min(len(rows), maxTools)]
	longest := 1
	for _, r := range rows {
		longest = max(longest, r.Tokens)
	}
	fmt.Fprintf(out, "<h2>%s</h2>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%[1]s\">\n", title, left+width+90, high*(len(rows)+1))
	x := left
	for _, p := range parts {
		fmt.Fprintf(out, "<rect x=\"%d\" y=\"4\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"15\">%s</text>\n", x, p.colour, x+16, p.name)
		x += 40 + 8*len(p.name)
	}
	for i, r := range rows {
		y := high * (i + 1)
		name := []rune(cli.OneLine(r.Name))
		if len(name) > 24 {
			name = append(name[:23], '…')
		}
		fmt.Fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left-8, y+15, html.EscapeString(string(name)))
		x := float64(left)
		for _, p := range parts {
			w := float64(max(p.of(r), 0)) / float64(longest) * width
			fmt.Fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"><title>%s: %d tokens</title></rect>\n", x, y+2, w, p.colour, p.name, p.of(r))
			x += w
		}
		fmt.Fprintf(out, "<text x=\"%.1f\" y=\"%d\">%d</text>\n", x+6, y+15, r.Tokens)
	}
	out.WriteString("</svg>\n")
}
