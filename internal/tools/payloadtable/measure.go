package main

import (
	"context"
	"fmt"
	"slices"

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

// A measure is what one payload takes, in tokens of o200k_base.
type measure struct {
	payload.Payload
	tokens    map[string]int // by format; none where the value was lost
	best      answer         // of wirekit.Choose
	identical answer         // with Identical
	sampled   int            // with Sampled
	// always is the best folded text if folding is done wherever it saves a
	// token, usual with fold's thresholds; both are best's where they are not
	// smaller.
	always, usual answer
}

type answer struct {
	name   string
	tokens int
}

func (m measure) json() int { return m.tokens["json"] }

// measured measures one payload.
func measured(p payload.Payload) measure {
	m := measure{Payload: p, tokens: make(map[string]int)}
	for i, r := range must(wirekit.Compare(context.Background(), p.Value, formats...)) {
		if r.Err == nil && r.Lossless {
			m.tokens[formats[i]] = r.Tokens
		}
	}
	if m.tokens["json"] == 0 {
		panic(p.Kind + ": JSON was not measured")
	}
	m.best = chosen(wirekit.Chooser{}, p.Value)
	m.identical = chosen(wirekit.Chooser{Exact: true}, p.Value)
	m.sampled = chosen(wirekit.Chooser{Precision: wirekit.PrecisionSampled}, p.Value).tokens
	m.fold()
	return m
}

// chosen counts what a Chooser answers.
func chosen(c wirekit.Chooser, v wire.Value) answer {
	best := must(c.Choose(context.Background(), v))
	return answer{best.Name(), must(tokens.O200k{}.Count(best.Encoded))}
}

// fold measures the payload folded in each format.
func (m *measure) fold() {
	m.always, m.usual = m.best, m.best
	names := folded
	if !slices.Contains(names, m.best.name) {
		names = append(slices.Clone(names), m.best.name)
	}
	for _, name := range names {
		always := fold.Options{Counter: tokens.O200k{}, MinSaving: -1, MinTokens: -1}
		v, r, err := fold.Fold(must(wirekit.Lookup(name)), m.Value, always)
		if !wire.Equal(must(fold.Unfold(must(v, err), wire.Limits{})), m.Value) {
			panic(fmt.Sprintf("%s in %s does not come back", m.Kind, name))
		}
		if r.After < m.always.tokens {
			m.always = answer{name + "+fold", r.After}
		}
		saved := r.Before - r.After
		if r.Folded && saved >= 200 && float64(saved) >= 0.15*float64(r.Before) && r.After < m.usual.tokens {
			m.usual = answer{name + "+fold", r.After}
		}
	}
}

// all measures payloads.
func all(payloads []payload.Payload) []measure {
	measures := make([]measure, len(payloads))
	for i, p := range payloads {
		measures[i] = measured(p)
	}
	return measures
}

// saving is the part of whole that part saves.
func saving(part, whole int) float64 { return 1 - float64(part)/float64(whole) }

// median returns the middle of numbers.
func median(numbers []float64) float64 {
	numbers = slices.Sorted(slices.Values(numbers))
	n := len(numbers)
	return (numbers[(n-1)/2] + numbers[n/2]) / 2
}

// A sum is a figure of all measures: of the total, and the median.
type sum struct{ total, median float64 }

// savings compares two counts of each measure.
func savings(measures []measure, part, whole func(measure) int) sum {
	var each []float64
	parts, wholes := 0, 0
	for _, m := range measures {
		each = append(each, saving(part(m), whole(m)))
		parts += part(m)
		wholes += whole(m)
	}
	return sum{saving(parts, wholes), median(each)}
}

// The pages that are cut from payloads: how long, and how many of each.
const (
	pageBytes = 4 << 10
	pageCount = 4
)

// pagesFolded compares pages folded with the best format for each.
func pagesFolded(measures []measure) sum {
	var pages []measure
	for _, m := range measures {
		for i, page := range m.Pages(pageBytes, pageCount) {
			p := measure{Payload: payload.Payload{Kind: fmt.Sprintf("%s, page %d", m.Kind, i+1), Value: page}}
			p.best = chosen(wirekit.Chooser{}, page)
			p.fold()
			pages = append(pages, p)
		}
	}
	if pages == nil {
		return sum{}
	}
	return savings(pages, func(m measure) int { return m.always.tokens }, func(m measure) int { return m.best.tokens })
}
