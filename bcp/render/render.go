// Package render turns a BCP payload into the text that a language model
// reads: as XML elements, as Markdown, or with a minimum of markup, in full or
// within a budget of tokens.
//
// By default content cannot pass for structure: markup characters are escaped
// in XML, fences are longer than any in the content, lines that look like a
// header of another block are fenced or escaped. [Options.Plain] gives the text
// of the reference implementation instead, byte for byte.
package render

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// Mode is the form of the text.
type Mode uint8

// The modes.
const (
	XML Mode = iota
	Markdown
	Minimal
)

// String returns the mode's name.
func (m Mode) String() string {
	switch m {
	case XML:
		return "xml"
	case Markdown:
		return "markdown"
	case Minimal:
		return "minimal"
	}
	return fmt.Sprintf("mode(%d)", m)
}

// ParseMode returns the mode with a name: xml, markdown or md, minimal.
func ParseMode(name string) (Mode, error) {
	switch name {
	case "xml":
		return XML, nil
	case "markdown", "md":
		return Markdown, nil
	case "minimal":
		return Minimal, nil
	}
	return 0, failure("unknown_mode", wire.ErrShape, "mode %q is none of xml, markdown, minimal", name)
}

// Verbosity says whether blocks are shown in full or by their summaries.
type Verbosity uint8

const (
	// Adaptive shows blocks in full, or as the budget allows.
	Adaptive Verbosity = iota
	// Full shows no summaries.
	Full
	// Summary shows the summary of every block that has one.
	Summary
)

// ParseVerbosity returns the verbosity with a name: adaptive, full, summary.
func ParseVerbosity(name string) (Verbosity, error) {
	i := slices.Index([]string{"adaptive", "full", "summary"}, name)
	if i < 0 {
		return 0, failure("unknown_verbosity", wire.ErrShape, "verbosity %q is none of adaptive, full, summary", name)
	}
	return Verbosity(i), nil
}

// Policy says how a budget is spent.
type Policy uint8

const (
	// Fit never exceeds the budget, in tokens of the counter, markup included,
	// and shows what is worth most within it. See [Options.Budget].
	Fit Policy = iota
	// Reference decides as the reference implementation does: it estimates
	// tokens as a quarter or a third of the bytes of content, ignores the
	// markup, and shows critical and high blocks in any case. Its budget is a
	// wish.
	Reference
	// Steady never exceeds the budget either, and never shows less of any
	// block for more budget, at the price of leaving some of it unused.
	Steady
)

// Counter counts tokens. Those of package tokens are counters. The cost of two
// texts joined at the start of a line must not be more than the sum of their
// costs, which holds for tokenizers that split text at line breaks; and a token
// must not stand for more than a KiB. A method CountUpTo as that of
// [tokens.Bounded] is used.
//
// [tokens.Bounded]: https://pkg.go.dev/github.com/wirekit/wirekit/tokens#Bounded
type Counter interface {
	Count(text []byte) (int, error)
}

// Estimate is a counter without a vocabulary: a token for every four bytes or
// part of them.
type Estimate struct{}

// Count implements [Counter].
func (Estimate) Count(text []byte) (int, error) { return (len(text) + 3) / 4, nil }

// Level is how much of a block is shown.
type Level uint8

// The levels, in ascending order.
const (
	LevelOmitted Level = iota
	LevelPlaceholder
	LevelSummary
	LevelFull
)

// String returns the level's name.
func (l Level) String() string {
	return [...]string{"omitted", "placeholder", "summary", "full"}[l]
}

// Options say how a payload is rendered.
type Options struct {
	Mode      Mode
	Verbosity Verbosity
	// Budget is the number of tokens to stay within; nil means no limit.
	//
	// With the policy Fit everything is shown if it fits. Otherwise blocks are
	// worth 8, 4, 2 or 1 by their rank (high, normal, low, background; see
	// [bcp.Payload.Priorities]) in full, four tenths of it by their summary
	// and one tenth by a placeholder that names what is missing, and what is
	// worth most together is shown. So a large block gives way to several
	// small ones that are worth more. Critical blocks come before all others,
	// which get what they leave. Of what is worth the same, the choice uses
	// more of the budget. More budget never shows what is worth less, though
	// single blocks may change. At most 64 blocks have placeholders. It is an
	// error if nothing fits.
	Budget *int
	Policy Policy
	// Counter counts the tokens for Fit and for Result.Tokens; nil means
	// [Estimate].
	Counter Counter
	// Include lists the types of block to show; nil means all. Annotations are
	// never shown.
	Include []bcp.BlockType
	// Plain leaves out all protection against content that looks like
	// structure and gives the reference's text: nothing is escaped but
	// attributes, fences have three backticks, summaries exist for CODE only,
	// content that is not UTF-8 is an error.
	Plain bool
}

// A Result is a rendered payload.
type Result struct {
	Text []byte
	// Tokens is what the counter makes of Text.
	Tokens int
	// Levels tells for each block of the payload how much of it is shown.
	Levels []Level
}

// Text renders a payload with the options and returns the text alone.
func (o Options) Text(p *bcp.Payload) (string, error) {
	r, err := newRenderer(o, p)
	if err != nil {
		return "", err
	}
	text, err := r.render()
	return string(text), err
}

// Render renders a payload.
func (o Options) Render(p *bcp.Payload) (*Result, error) {
	r, err := newRenderer(o, p)
	if err != nil {
		return nil, err
	}
	text, err := r.render()
	if err != nil {
		return nil, err
	}
	n, err := r.count(text)
	if err != nil {
		return nil, err
	}
	levels := make([]Level, len(p.Blocks))
	for _, it := range r.items {
		levels[it.index] = it.level
	}
	return &Result{Text: text, Tokens: n, Levels: levels}, nil
}

// An item is a block that may be shown.
type item struct {
	index int // in the payload
	block *bcp.Block
	rank  bcp.Priority
	part  part
	level Level
}

type renderer struct {
	o       Options
	counter Counter
	items   []item
	tokens  []int // of each item's content, for its placeholder
	scratch []byte
}

func newRenderer(o Options, p *bcp.Payload) (*renderer, error) {
	if o.Mode > Minimal {
		return nil, failure("unknown_mode", wire.ErrShape, "%s", o.Mode)
	}
	r := &renderer{o: o, counter: o.Counter}
	if r.counter == nil {
		r.counter = Estimate{}
	}
	ranks := p.Priorities()
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Body == nil || b.Body.BlockType() == bcp.BlockAnnotation ||
			o.Include != nil && !slices.Contains(o.Include, b.Body.BlockType()) {
			continue
		}
		part, err := describe(b.Body, o.Plain)
		if err != nil {
			return nil, wire.AtKey(wire.AtIndex(err, i), "blocks")
		}
		r.items = append(r.items, item{index: i, block: b, rank: ranks[i], part: part})
	}
	if len(r.items) == 0 {
		return nil, failure("empty_input", wire.ErrShape, "no blocks to render")
	}
	return r, nil
}

func (r *renderer) render() ([]byte, error) {
	if err := r.decide(); err != nil {
		return nil, err
	}
	text, shown, err := r.assemble(nil)
	if err != nil {
		return nil, err
	}
	if shown == 0 {
		return nil, failure("empty_input", wire.ErrShape, "every block is omitted")
	}
	return text, nil
}

// decide sets the level of every item.
func (r *renderer) decide() error {
	for i := range r.items {
		it := &r.items[i]
		it.level = LevelFull
		if r.o.Verbosity == Summary && r.summary(it) != nil {
			it.level = LevelSummary
		}
	}
	switch {
	case r.o.Budget == nil:
		return nil
	case r.o.Policy == Fit:
		return r.fit(*r.o.Budget)
	case r.o.Policy == Steady:
		return r.steady(*r.o.Budget)
	case r.o.Verbosity == Adaptive:
		r.reference(*r.o.Budget)
	}
	return nil
}

// summary returns the summary that can stand for the item, nil if there is
// none. The budget of the reference sees the summaries of all blocks; its
// text has only those of CODE.
func (r *renderer) summary(it *item) *string { return it.block.Summary }

// Blocks are separated by one empty line.
const separator = "\n\n"

// What stands before and after all blocks.
func (r *renderer) wrapper() (before, after string) {
	if r.o.Mode == XML {
		return "<context>\n", "\n</context>"
	}
	return "", ""
}

// assemble appends the whole text and returns the number of blocks shown.
func (r *renderer) assemble(dst []byte) ([]byte, int, error) {
	before, after := r.wrapper()
	dst = append(dst, before...)
	shown := 0
	for i := range r.items {
		if r.items[i].level == LevelOmitted {
			continue
		}
		if shown > 0 {
			dst = append(dst, separator...)
		}
		dst = r.appendItem(dst, i, r.items[i].level)
		shown++
	}
	return append(dst, after...), shown, nil
}

func (r *renderer) appendItem(dst []byte, i int, level Level) []byte {
	it := &r.items[i]
	w := writer{mode: r.o.Mode, plain: r.o.Plain}
	summary := r.summary(it)
	switch {
	case level == LevelPlaceholder:
		tokens := 0
		if r.tokens != nil {
			tokens = r.tokens[i]
		}
		return w.placeholder(dst, &it.part, tokens)
	case level == LevelSummary && summary != nil && (!r.o.Plain || it.part.what == "code"):
		return w.summary(dst, &it.part, *summary)
	}
	return w.full(dst, &it.part)
}

func (r *renderer) count(text []byte) (int, error) {
	n, err := r.counter.Count(text)
	if err != nil {
		return 0, failure("counter", err, "%v", err)
	}
	return n, nil
}

func failure(code string, kind error, format string, args ...any) *wire.Error {
	return &wire.Error{Format: "bcp", Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// oneLine keeps a title, path or name on its line.
func oneLine(s string) string {
	if i := bytes.IndexFunc([]byte(s), isLineBreak); i < 0 {
		return s
	}
	return string(bytes.Map(func(r rune) rune {
		if isLineBreak(r) {
			return ' '
		}
		return r
	}, []byte(s)))
}

func isLineBreak(r rune) bool {
	return r < ' ' || r == 0x85 || r == 0x2028 || r == 0x2029
}
