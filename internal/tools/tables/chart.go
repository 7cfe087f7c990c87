package main

import (
	"fmt"
	"math"
	"strings"
)

// A palette is what the chart is drawn in.
type palette struct {
	name                                string
	text, faint, grid, line, bar, inner string
	marks                               [4]string // of charted formats
}

var palettes = []palette{
	{"light", "#1f2328", "#59636e", "#d8dee4", "#b3261e", "#c9d7ea", "#7b9cc9", [4]string{"#1b6e4b", "#7a4ea3", "#b35900", "#0b6e99"}},
	{"dark", "#e6edf3", "#9198a1", "#333a44", "#ff8a80", "#2c3f5c", "#5b83b8", [4]string{"#56c596", "#c79bf2", "#ffb066", "#5fc9f0"}},
}

// charted are the formats that have a mark of their own.
var charted = [4]string{"gcf", "gcx", "glyph", "toon"}

// The layout, in pixels. The axis goes from 0 to most percent of JSON.
const (
	chartWidth = 860
	labelWidth = 224
	plotWidth  = 600
	top        = 92
	rowHeight  = 30
)

// chart draws the tokens of each field as parts of compact JSON's: a bar for
// what Choose takes, a darker one in it for what is left when that is folded
// where it pays, a mark for each format, and JSON as the baseline.
func chart(p palette, measures []measure) string {
	groups := grouped(measures)
	most := 110
	for _, g := range groups {
		for _, f := range charted {
			most = max(most, 10*int(math.Ceil(g.share(f)/10)))
		}
	}
	c := canvas{palette: p, most: most}
	bottom := top + rowHeight*len(groups)
	height := bottom + 46
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13" role="img" aria-labelledby="title desc">`, chartWidth, height, chartWidth, height)
	c.printf(`<title id="title">Tokens of real answers by format</title>`)
	c.printf(`<desc id="desc">Tokens of %d kinds of answers in each format, as percent of compact JSON. The table in docs/choosing.md has the same figures.</desc>`, len(measures))
	c.text(8, 18, "start", p.text, 16, fmt.Sprintf("Tokens of %d kinds of answers, in percent of compact JSON", len(measures)))
	c.key(46)
	for percent := 0; percent <= most; percent += 20 {
		x := c.x(float64(percent))
		c.printf(`<line x1="%s" y1="%d" x2="%s" y2="%d" stroke="%s"/>`, x, top-8, x, bottom, p.grid)
		c.text(labelWidth+percent*plotWidth/most, bottom+18, "middle", p.faint, 12, fmt.Sprintf("%d %%", percent))
	}
	for i, g := range groups {
		c.row(top+rowHeight*i, g)
	}
	x := c.x(100)
	c.printf(`<line x1="%s" y1="%d" x2="%s" y2="%d" stroke="%s" stroke-width="2"/>`, x, top-14, x, bottom, p.line)
	c.text(labelWidth+100*plotWidth/most, top-18, "middle", p.line, 12, "compact JSON")
	c.text(8, height-6, "start", p.faint, 12, "Fewer is better. Counted with o200k_base; every text was read back and compared. Measured by internal/tools/tables.")
	c.printf("</svg>")
	return c.b.String()
}

type canvas struct {
	palette
	most int
	b    strings.Builder
}

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.b, format+"\n", args...) }

// x is where a percentage of JSON's tokens lies.
func (c *canvas) x(percent float64) string {
	return fmt.Sprintf("%.1f", labelWidth+percent*plotWidth/float64(c.most))
}

func (c *canvas) text(x, y int, anchor, colour string, size int, text string) {
	c.printf(`<text x="%d" y="%d" text-anchor="%s" fill="%s" font-size="%d">%s</text>`, x, y, anchor, colour, size, text)
}

func (c *canvas) row(y int, g group) {
	middle := y + rowHeight/2 - 4
	weight := ""
	if g.name == "all" {
		weight = ` font-weight="600"`
	}
	c.printf(`<text x="%d" y="%d" text-anchor="end" fill="%s"%s>%s</text>`, labelWidth-10, middle+4, c.palette.text, weight, g.name)
	c.bar(y, 22, c.palette.bar, g.share(best))
	c.bar(y+6, 10, c.inner, g.share(usual))
	for i, f := range charted {
		c.mark(i, c.x(g.share(f)), middle)
	}
}

func (c *canvas) bar(y, height int, colour string, percent float64) {
	c.printf(`<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`, labelWidth, y, percent*plotWidth/float64(c.most), height, colour)
}

// mark draws the mark of charted[i], each with a shape of its own.
func (c *canvas) mark(i int, x string, y int) {
	shapes := [4]string{
		`<circle r="5"/>`,
		`<rect x="-4.5" y="-4.5" width="9" height="9"/>`,
		`<path d="M0-6.5 6.5 0 0 6.5-6.5 0z"/>`,
		`<path d="M0-6 6 5H-6z"/>`,
	}
	c.printf(`<g transform="translate(%s %d)" fill="%s" fill-opacity=".9">%s</g>`, x, y, c.marks[i], shapes[i])
}

// key says what bars and marks mean.
func (c *canvas) key(y int) {
	x := 8
	swatch := func(colour, label string, width int) {
		c.printf(`<rect x="%d" y="%d" width="16" height="12" fill="%s"/>`, x, y-10, colour)
		c.text(x+22, y, "start", c.palette.text, 13, label)
		x += width
	}
	swatch(c.palette.bar, "the program's choice", 190)
	swatch(c.inner, "the same, folded where that pays", 286)
	for i, f := range charted {
		c.mark(i, fmt.Sprint(x+6), y-4)
		c.text(x+18, y, "start", c.palette.text, 13, f)
		x += 72
	}
}
