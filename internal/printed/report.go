package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
)

// A tally is texts, what they take and what they take encoded, in tokens.
type tally struct {
	texts, tokens, plain, legend int
	savings                      []float64 // of each text with a legend
}

func (t *tally) add(before, plain, legend int) {
	t.texts++
	t.tokens += before
	t.plain += plain
	t.legend += legend
	t.savings = append(t.savings, saved(before, legend))
}

// saved is a share in percent.
func saved(before, after int) float64 { return 100 - 100*float64(after)/float64(before) }

func (t *tally) median() float64 {
	slices.Sort(t.savings)
	return t.savings[len(t.savings)/2]
}

func (t *tally) row(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d | %d | %.1f %% | %.1f %% |", name, t.texts, t.tokens, saved(t.tokens, t.plain), saved(t.tokens, t.legend))
}

const (
	heading = "| %s | texts | tokens | plain | legend |"
	rule    = "\n| --- | ---: | ---: | ---: | ---: |"
)

// pages are lengths of the beginnings of texts, in bytes; 0 is the whole text.
var pages = []int{0, 16 << 10, 8 << 10, 4 << 10, 2 << 10}

// report writes the tables.
func report(w io.Writer, dir string) error {
	kinds := make(map[string]*tally)
	var order []string
	totals := make([]tally, len(pages))
	for i, s := range samples {
		text, err := os.ReadFile(file(dir, i))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		k, ok := kinds[s.kind]
		if !ok {
			k = new(tally)
			kinds[s.kind] = k
			order = append(order, s.kind)
		}
		for p, most := range pages {
			page := text
			if most > 0 {
				page = text[:min(most, len(text))]
			}
			before, plain, legend := measure(page)
			if most == 0 {
				k.add(before, plain, legend)
			}
			if s.kind != sourceCode && s.kind != prose {
				totals[p].add(before, plain, legend)
			}
		}
	}
	fmt.Fprintf(w, heading+" median |"+rule+" ---: |\n", "beginnings of texts")
	for p := range totals {
		name := "whole"
		if pages[p] > 0 {
			name = fmt.Sprintf("%d KB", pages[p]>>10)
		}
		totals[p].row(w, name)
		fmt.Fprintf(w, " %.1f %% |\n", totals[p].median())
	}
	fmt.Fprintf(w, "\n"+heading+rule+"\n", "program")
	slices.SortStableFunc(order, func(a, b string) int {
		return kinds[a].legend*kinds[b].tokens - kinds[b].legend*kinds[a].tokens
	})
	for _, name := range order {
		kinds[name].row(w, name)
		fmt.Fprintln(w)
	}
	return nil
}

// measure returns the tokens of a text, and of what Encode makes of it without a
// legend and with one.
func measure(text []byte) (before, plain, legend int) {
	counter := tokens.O200k{}
	_, p := lines.Encode(text, lines.Options{Counter: counter, NoLegend: true})
	_, l := lines.Encode(text, lines.Options{Counter: counter})
	return p.Before, p.After, l.After
}
