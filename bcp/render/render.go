// Package render turns a BCP payload into the text that a language model
// reads: as XML elements, as Markdown, or with a minimum of markup, in full or
// within a budget of tokens.
//
// By default content cannot pass for structure: markup characters are escaped
// in XML, fences are longer than any in the content, lines that look like a
// header of another block are fenced or escaped. [Options.Plain] gives the text
// of the reference implementation instead, byte for byte.
//
// # What a program calls
//
//   - [Options.Text] for the text, [Options.Render] for what became of each
//     block, too.
//   - Modes, policies and verbosities are flags: [Mode.UnmarshalText],
//     [Policy.UnmarshalText], [Verbosity.UnmarshalText].
package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Mode is the form of the text.
type Mode uint8

// The modes.
const (
	ModeXML Mode = iota
	ModeMarkdown
	ModeMinimal
)

var modes = enum.New[Mode]("render.Mode", "xml", "markdown", "minimal")

// String returns the mode's name: xml, markdown or minimal.
func (m Mode) String() string { return modes.String(m) }

// MarshalText returns the mode's name. A value without one is an error.
func (m Mode) MarshalText() ([]byte, error) { return modes.Marshal(m) }

// UnmarshalText reads a mode's name.
func (m *Mode) UnmarshalText(text []byte) error { return modes.Unmarshal(m, text) }

// Verbosity says whether blocks are shown in full or by their summaries.
type Verbosity uint8

const (
	// VerbosityAdaptive shows blocks in full, or as the budget allows.
	VerbosityAdaptive Verbosity = iota
	// VerbosityFull shows no summaries.
	VerbosityFull
	// VerbositySummary shows the summary of every block that has one.
	VerbositySummary
)

var verbosities = enum.New[Verbosity]("render.Verbosity", "adaptive", "full", "summary")

// String returns the verbosity's name: adaptive, full or summary.
func (v Verbosity) String() string { return verbosities.String(v) }

// MarshalText returns the verbosity's name. A value without one is an error.
func (v Verbosity) MarshalText() ([]byte, error) { return verbosities.Marshal(v) }

// UnmarshalText reads a verbosity's name.
func (v *Verbosity) UnmarshalText(text []byte) error { return verbosities.Unmarshal(v, text) }

// Policy says how a budget is spent.
type Policy uint8

const (
	// PolicyFit never exceeds the budget, in tokens of the counter, markup included,
	// and shows what is worth most within it. See [Options.Budget].
	PolicyFit Policy = iota
	// Reference decides as the reference implementation does: it estimates
	// tokens as a quarter or a third of the bytes of content, ignores the
	// markup, and shows critical and high blocks in any case. Its budget is a
	// wish.
	PolicyReference
	// PolicySteady never exceeds the budget either, and never shows less of any
	// block for more budget, at the price of leaving some of it unused.
	PolicySteady
)

var policies = enum.New[Policy]("render.Policy", "fit", "reference", "steady")

// String returns the policy's name: fit, reference or steady.
func (p Policy) String() string { return policies.String(p) }

// MarshalText returns the policy's name. A value without one is an error.
func (p Policy) MarshalText() ([]byte, error) { return policies.Marshal(p) }

// UnmarshalText reads a policy's name.
func (p *Policy) UnmarshalText(text []byte) error { return policies.Unmarshal(p, text) }

// An estimate counts a token for every four bytes or part of them.
type estimate struct{ tokens.Counter }

func (estimate) Count(text []byte) (int, error) { return (len(text) + 3) / 4, nil }

// amount is how much of a block is shown.
type amount uint8

// The amounts, in ascending order.
const (
	levelOmitted amount = iota
	levelPlaceholder
	levelLine    // by the shortest of three summaries
	levelBrief   // by the shorter summary
	levelSummary // by the block's own summary
	levelFull
)

var levelNames = [...]string{"omitted", "placeholder", "line", "brief", "summary", "full"}

// Options say how a payload is rendered.
type Options struct {
	Mode      Mode
	Verbosity Verbosity
	// Budget is the number of tokens to stay within; nil means no limit.
	//
	// With the policy PolicyFit everything is shown if it fits. Otherwise blocks are
	// worth 8, 4, 2 or 1 by their rank (high, normal, low, background; see
	// [bcp.Payload.Priorities]) in full, four, three and two tenths of it by
	// their summaries and one tenth by a placeholder that names what is
	// missing, and what is worth most together is shown. So a large block
	// gives way to several small ones that are worth more. Critical blocks
	// come before all others, which get what they leave. Of what is worth the
	// same, the choice uses more of the budget. More budget never shows what
	// is worth less, though single blocks may change. At most 64 blocks have
	// placeholders. It is an error if nothing fits.
	//
	// A block with a summary has one or two shorter ones if annotations of the
	// kind summary give them, in this order.
	//
	// If blocks have tags from worth:1 to worth:1000, as those of package pack
	// do, or high blocks several summaries, steps are taken in one order instead:
	// first the summaries of blocks worth 100 or more, which are the core, then
	// their texts and the summaries of others, then other texts, then what is
	// low and what is background, within each by worth for length. More budget
	// never shows less of the core. Trees take at most 15 % of the budget; while
	// others are missing, low blocks 10 % and background blocks 3 %.
	//
	// A block with a
	// tag that begins with since: is one that the reader has from an earlier
	// pack, and is not shown.
	Budget *int
	Policy Policy
	// Counter counts the tokens for PolicyFit and for Result.Tokens; nil means one
	// for every four bytes or part of them. The cost of two texts joined at the start
	// of a line must not be more than the sum of their costs, which holds for
	// tokenizers that split text at line breaks; and a token must not stand for more
	// than a KiB. It is called by several goroutines.
	Counter tokens.Counter
	// OutputBytes bounds the text and each tree in it; 0 means 256 MiB, a
	// negative number for no limit. With Plain, file trees also have a default
	// bound of their own, 4 MiB and 64 bytes for each entry in all, since the
	// reference indents every level. Exceeding it is an error that wraps
	// [wire.ErrLimit].
	OutputBytes int
	// Include lists the types of block to show; nil means all. Annotations are
	// never shown.
	Include []bcp.BlockType
	// Plain leaves out all protection against content that looks like
	// structure and gives the reference's text: nothing is escaped but
	// attributes, fences have three backticks, summaries exist for CODE only,
	// lines of code are not told, content that is not UTF-8 cannot be shown in
	// full.
	Plain bool
	// Compact lists file trees with one line for each folder, and names the
	// blocks of code that are not shown by one line with their number in the
	// place of placeholders. Not with Plain or the policy PolicyReference.
	Compact bool
	// LineNumbers puts its number before every line of code. Not with Plain.
	LineNumbers bool
	// Data gives another text for structured data, whole files of JSON text
	// too, and the name of its format; it returns "" for what is to stay. Nil
	// leaves all as they are. Not with Plain.
	Data func(*bcp.StructuredData) (text, format string)
}

// A Result is a rendered payload.
type Result struct {
	Text []byte
	// Tokens is what the counter makes of Text.
	Tokens int
	// Levels has for each block of the payload how much of it is shown, in ascending
	// order: "omitted", "placeholder", "line" and "brief" by the shorter summaries,
	// "summary" by the block's own one, "full".
	Levels []string
	// Next has for each block what would be its next step, and why it was not
	// taken; nil where blocks are not chosen by steps. See Options.Budget.
	Next []Step
}

// A Step is one to a higher level that a budget had no room for.
type Step struct {
	To     string // a level; "" if there is none
	Tokens int    // more than what is shown
	Left   int    // what it could have taken
}

// Text renders a payload with the options and returns the text alone.
func (o Options) Text(p *bcp.Payload) (string, error) {
	r, err := o.rendered(p)
	if err != nil {
		return "", err
	}
	return string(r.text), nil
}

// Render renders a payload.
func (o Options) Render(p *bcp.Payload) (*Result, error) {
	r, err := o.rendered(p)
	if err != nil {
		return nil, err
	}
	if r.textTokens == uncounted {
		if r.textTokens, err = r.count(r.text); err != nil {
			return nil, err
		}
	}
	result := &Result{Text: r.text, Tokens: r.textTokens, Levels: slices.Repeat([]string{levelNames[levelOmitted]}, len(p.Blocks))}
	for _, it := range r.items {
		result.Levels[it.index] = levelNames[it.level]
	}
	if r.missed != nil {
		result.Next = make([]Step, len(p.Blocks))
		for i, step := range r.missed {
			result.Next[r.items[i].index] = step
		}
	}
	return result, nil
}

// An item is a block that may be shown. It is described when its text is
// wanted, since there may be very many of them.
type item struct {
	index int // in the payload
	block *bcp.Block
	rank  bcp.Priority
	level amount
	extra *extra // what annotations say, nil if they say nothing
}

type renderer struct {
	o       Options
	counter tokens.Counter
	items   []item
	tokens  []int // of each item's content, for its placeholder
	limit   int   // of the text in bytes
	scratch []byte
	invalid *item  // one that was shown and that the reference refuses to show
	missed  []Step // of each item, in the order of steps; nil for none
	shared  int    // the item after which one line represents all code that is not shown, -1 for none

	data map[bcp.Body]converted // what Options.Data gave

	// The whole text, once it has been made, and its tokens, once they have
	// been counted.
	text       []byte
	textTokens int
}

const uncounted = -1

// defaultOutputBytes is the default of Options.OutputBytes.
const defaultOutputBytes = 256 << 20

func newRenderer(o Options, p *bcp.Payload) (*renderer, error) {
	if err := cmp.Or(modes.Check("Options.Mode", o.Mode), policies.Check("Options.Policy", o.Policy), verbosities.Check("Options.Verbosity", o.Verbosity)); err != nil {
		return nil, failure(wire.CodeInvalidOption, wire.ErrRange, "%v", err)
	}
	o.Compact = o.Compact && !o.Plain
	r := &renderer{o: o, counter: cmp.Or[tokens.Counter](o.Counter, estimate{}), textTokens: uncounted, shared: -1, data: make(map[bcp.Body]converted)}
	if r.limit = cmp.Or(o.OutputBytes, defaultOutputBytes); r.limit < 0 {
		r.limit = noLimit
	}
	if p == nil {
		return nil, failure("empty_input", wire.ErrShape, "no payload")
	}
	ranks := p.Priorities()
	r.items = make([]item, 0, len(p.Blocks))
	var indent indentation
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Type() == 0 || b.Type() == bcp.BlockAnnotation ||
			o.Include != nil && !slices.Contains(o.Include, b.Type()) {
			continue
		}
		if tree, ok := b.Body.(*bcp.FileTree); ok && o.Plain && o.OutputBytes == 0 && !indent.add(tree.Entries, 0) {
			err := r.tooLong("the indentation of file trees", indentFloor+indentPerEntry*indent.entries)
			return nil, wire.AtKey(wire.AtIndex(err, i), "blocks")
		}
		r.items = append(r.items, item{index: i, block: b, rank: ranks[i]})
	}
	if !o.Plain && o.Policy != PolicyReference {
		r.annotate(p)
	}
	if len(r.items) == 0 {
		return nil, failure("empty_input", wire.ErrShape, "no blocks to render")
	}
	return r, nil
}

const noLimit = int(^uint(0)>>1) / 2

func (r *renderer) tooLong(what string, limit int) error {
	e := failure(wire.CodeOutputTooLong, wire.ErrLimit, "%s gets longer than %d bytes", what, limit)
	e.Hint = "set a budget, leave blocks out, or raise Options.OutputBytes"
	return e
}

// rendered returns the renderer that has made the text.
func (o Options) rendered(p *bcp.Payload) (*renderer, error) {
	r, err := newRenderer(o, p)
	if err != nil {
		return nil, err
	}
	if err := r.decide(); err != nil || r.text != nil {
		return r, err
	}
	shown := 0
	if r.text, shown, err = r.assemble(nil); err == nil && shown == 0 {
		err = failure("empty_input", wire.ErrShape, "every block is omitted")
	}
	return r, err
}

// showsContent reports whether an item at a level is shown by its content.
func (r *renderer) showsContent(it *item, level amount) bool {
	return level == levelFull || level >= levelLine && !r.showsSummary(it)
}

func (r *renderer) describe(it *item) part { return describe(it.block.Body, r.o.Plain) }

// showsSummary reports whether an item has a summary that can be shown. The budget of the
// reference sees the summaries of all blocks; its text has only those of CODE.
func (r *renderer) showsSummary(it *item) bool {
	return it.block.Summary != nil && (!r.o.Plain || it.block.Type() == bcp.BlockCode)
}

// decide sets the level of every item.
func (r *renderer) decide() error {
	for i := range r.items {
		it := &r.items[i]
		it.level = levelFull
		if r.o.Verbosity == VerbositySummary && it.block.Summary != nil {
			it.level = levelSummary
		}
	}
	switch {
	case r.o.Budget == nil:
		r.dropOutlines()
		return nil
	case r.o.Policy == PolicyReference:
		if r.o.Verbosity == VerbosityAdaptive {
			r.reference(*r.o.Budget)
		}
		return nil
	}
	t, err := r.newCosts(*r.o.Budget)
	if err != nil {
		return err
	}
	done, err := r.fitAll(t, *r.o.Budget)
	switch {
	case done || err != nil:
		return err
	case r.o.Policy == PolicySteady:
		return r.steady(t, *r.o.Budget)
	case r.rated():
		return r.fitWorth(t, *r.o.Budget)
	}
	return r.fit(t, *r.o.Budget)
}

// Blocks are separated by one empty line.
const separator = "\n\n"

// What is before and after all blocks.
func (r *renderer) wrapper() (before, after string) {
	if r.o.Mode == ModeXML {
		return "<context>\n", "\n</context>"
	}
	return "", ""
}

// assemble appends the whole text and returns the number of blocks shown.
func (r *renderer) assemble(dst []byte) ([]byte, int, error) {
	before, after := r.wrapper()
	dst = append(slices.Grow(dst, r.expected()), before...)
	r.invalid = nil
	shown := 0
	files, tokens := 0, 0
	var core []*item // that is not shown
	for i := range r.items {
		switch it := &r.items[i]; {
		case it.level != levelOmitted:
			if shown > 0 {
				dst = append(dst, separator...)
			}
			dst = r.appendItem(dst, i, it.level)
			shown++
		case r.shared >= 0 && it.block.Type() == bcp.BlockCode: // the line for all code counts it
			files++
			tokens += r.tokens[i]
			core = appendCore(core, it)
		}
		if i == r.shared && files > 0 && shown > 0 {
			dst = append(dst, separator...)
			slices.SortStableFunc(core, func(a, b *item) int { return cmp.Compare(b.worth(), a.worth()) })
			dst = writer{mode: r.o.Mode}.omitted(dst, files, tokens, pathsOf(core))
		}
		if len(dst)+len(after) > r.limit {
			return nil, 0, r.tooLong("the text", r.limit)
		}
	}
	if r.invalid != nil {
		err := wire.AtKey(failure(wire.CodeInvalidUTF8, wire.ErrUTF8, "the content is not UTF-8"), "content")
		return nil, 0, wire.AtKey(wire.AtIndex(err, r.invalid.index), "blocks")
	}
	return append(dst, after...), shown, nil
}

// markup is about what a block takes beyond its content.
const markup = 40

// expected returns about how long the text gets, so that the memory for it is
// taken at once.
func (r *renderer) expected() int {
	n := markup
	for i := range r.items {
		if it := &r.items[i]; it.level != levelOmitted {
			n += r.lengthAt(it, it.level) + markup
		}
	}
	return min(n, r.limit)
}

func (r *renderer) appendItem(dst []byte, i int, level amount) []byte {
	it := &r.items[i]
	p := r.describe(it)
	w := writer{mode: r.o.Mode, plain: r.o.Plain, compact: r.o.Compact, most: r.limit}
	switch {
	case level == levelPlaceholder:
		return w.placeholder(dst, &p, r.tokens[i])
	case !r.showsContent(it, level):
		return w.summary(dst, p, r.summaryAt(it, level))
	}
	if p.invalid {
		r.invalid = it
	}
	if !r.o.Plain {
		r.refine(&p, it.block.Body)
	}
	return w.full(dst, &p)
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
