package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// formats are those of the tables: compact JSON first.
var formats = []string{"json", "gcf", "gcx", "glyph", "toon", "tron", "yaml"}

// folded are the formats that folding is measured in, beside the one that is
// best without it.
var folded = []string{"json", "gcf", "gcx", "glyph", "toon"}

// What a payload becomes beside a text in each format: what the choice makes of it; that
// folded if folding is done wherever it saves a token, and with fold's thresholds, both the
// choice where they are not smaller.
const (
	best      = "best"
	identical = "identical" // with Exact
	sampled   = "sampled"   // with PrecisionSampled
	always    = "always"
	usual     = "usual"
)

// A measure is what one payload takes, in tokens of o200k_base: by format, but where the
// value was lost, and by what else it becomes.
type measure struct {
	payload.Payload
	tokens map[string]int
	names  map[string]string // of the formats of what else it becomes
}

func (m measure) set(what, name string, tokens int) { m.names[what], m.tokens[what] = name, tokens }

// measured measures one payload.
func measured(p payload.Payload) measure {
	m := measure{Payload: p, tokens: make(map[string]int), names: make(map[string]string)}
	for i, r := range must(wirekit.Compare(context.Background(), p.Value, formats...)) {
		if r.Err == nil && r.Lossless {
			m.tokens[formats[i]] = r.Tokens
		}
	}
	if m.tokens["json"] == 0 {
		panic(p.Kind + ": JSON was not measured")
	}
	m.choose(best, wirekit.Chooser{})
	m.choose(identical, wirekit.Chooser{Exact: true})
	m.choose(sampled, wirekit.Chooser{Precision: wirekit.PrecisionSampled})
	m.fold()
	return m
}

// choose measures what a Chooser answers.
func (m measure) choose(what string, c wirekit.Chooser) {
	chosen := must(c.Choose(context.Background(), m.Value))
	m.set(what, chosen.Name(), must(tokens.O200k{}.Count(chosen.Encoded)))
}

// fold measures the payload folded in each format.
func (m measure) fold() {
	m.set(always, m.names[best], m.tokens[best])
	m.set(usual, m.names[best], m.tokens[best])
	names := folded
	if !slices.Contains(names, m.names[best]) {
		names = append(slices.Clone(names), m.names[best])
	}
	for _, name := range names {
		wherever := fold.Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1}
		v, r, err := fold.Fold(must(wirekit.Lookup(name)), m.Value, wherever)
		if !wire.Equal(must(fold.Unfold(must(v, err), wire.Limits{})), m.Value) {
			panic(fmt.Sprintf("%s in %s does not come back", m.Kind, name))
		}
		if r.After < m.tokens[always] {
			m.set(always, name+"+fold", r.After)
		}
		saved := r.Before - r.After
		if r.Folded && saved >= 200 && float64(saved) >= 0.15*float64(r.Before) && r.After < m.tokens[usual] {
			m.set(usual, name+"+fold", r.After)
		}
	}
}

// measurePayloads measures every payload.
var measurePayloads = sync.OnceValue(func() []measure {
	var measures []measure
	for _, p := range payload.All() {
		measures = append(measures, measured(p))
	}
	return measures
})

// saving is the part of whole that part saves.
func saving(part, whole int) float64 { return 1 - float64(part)/float64(whole) }

// saved is what one text of the payload saves against another.
func (m measure) saved(part, whole string) float64 { return saving(m.tokens[part], m.tokens[whole]) }

// total is what one text of each measure takes together.
func total(measures []measure, what string) (n int) {
	for _, m := range measures {
		n += m.tokens[what]
	}
	return n
}

// A sum is a figure of all measures: of the total, and the median.
type sum struct{ total, median float64 }

// savings compares two texts of each measure.
func savings(measures []measure, part, whole string) sum {
	var each []float64
	for _, m := range measures {
		each = append(each, m.saved(part, whole))
	}
	slices.Sort(each)
	n := len(each)
	return sum{saving(total(measures, part), total(measures, whole)), (each[(n-1)/2] + each[n/2]) / 2}
}

// pagesFolded compares pages that are cut from payloads, folded, with the best format for
// each.
func pagesFolded(measures []measure) sum {
	var pages []measure
	for _, m := range measures {
		for i, page := range m.Pages(4<<10, 4) {
			p := measure{payload.Payload{Kind: fmt.Sprintf("%s, page %d", m.Kind, i+1), Value: page}, make(map[string]int), make(map[string]string)}
			p.choose(best, wirekit.Chooser{})
			p.fold()
			pages = append(pages, p)
		}
	}
	return savings(pages, always, best)
}
