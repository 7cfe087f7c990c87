package tokens

import (
	"errors"
	"fmt"
	"strings"
)

// A Counter tells how many tokens a language model makes of a text. The
// counters of this package are values without state and safe for concurrent
// use; a counter of your own must be safe for concurrent use as well.
type Counter interface {
	// Name identifies the counter. The name of a counter that is not exact
	// says so.
	Name() string

	// Exact reports whether the counts are those of the tokenizer itself
	// rather than an estimate.
	Exact() bool

	// Count returns the number of tokens of text, 0 for an empty one. It does
	// not modify or keep text. An error comes without a count.
	Count(text []byte) (int, error)
}

// CountUpTo returns the number of tokens of text if that is at most bound. Otherwise
// it returns a number above bound, having counted little more of text than it took to know
// that there are more. So do the counters of this package, and any other that has a
// method CountUpTo(text []byte, bound int) (int, error) of that meaning; the rest count
// to the end.
func CountUpTo(c Counter, text []byte, bound int) (int, error) {
	if e := encodingOf(c); e != nil {
		return e.count(text, bound)
	}
	switch c := c.(type) {
	case Estimate:
		return c.countUpTo(text, bound)
	case interface {
		CountUpTo(text []byte, bound int) (int, error)
	}:
		return c.CountUpTo(text, bound)
	}
	return c.Count(text)
}

// AppendEnds appends the end of each token of text, an index into text, so that
// the tokens can be drawn. A token may end within a character; the end of one
// that is part of a byte's replacement by U+FFFD is the end of that byte. The error
// wraps [errors.ErrUnsupported] for a counter that only estimates, or is not of this
// package.
func AppendEnds(dst []int, c Counter, text []byte) ([]int, error) {
	if e := encodingOf(c); e != nil {
		return e.appendEnds(dst, text)
	}
	return dst, fmt.Errorf("tokens: %w: %s does not tell where tokens end", errors.ErrUnsupported, c.Name())
}

// encodingOf returns the encoding of a counter of this package, nil for any other. It goes by
// the type: a counter that embeds one of these has a Count of its own.
func encodingOf(c Counter) *encoding {
	switch c := c.(type) {
	case O200k:
		return &o200kBase
	case Cl100k:
		return &cl100kBase
	case *Vocabulary:
		return &c.encoding
	}
	return nil
}

// O200k counts with the vocabulary o200k_base, which is the default.
type O200k struct{}

// Name returns "o200k_base".
func (O200k) Name() string { return "o200k_base" }

// Exact returns true.
func (O200k) Exact() bool { return true }

// Count implements [Counter]. Special tokens such as <|endoftext|> count as
// the ordinary text that they are in data; a byte that is not valid UTF-8
// counts as the replacement character U+FFFD. The only error is that a single
// word, or a single run of punctuation or white space, has 2 GiB or more.
func (O200k) Count(text []byte) (int, error) { return o200kBase.count(text, noBound) }

// Cl100k counts with the vocabulary cl100k_base.
type Cl100k struct{}

// Name returns "cl100k_base".
func (Cl100k) Name() string { return "cl100k_base" }

// Exact returns true.
func (Cl100k) Exact() bool { return true }

// Count implements [Counter] under the same rules as [O200k.Count].
func (Cl100k) Count(text []byte) (int, error) { return cl100kBase.count(text, noBound) }

// Default returns the counter to use when no one asked for a certain one:
// [O200k].
func Default() Counter { return O200k{} }

// ErrUnknownCounter is wrapped by the error of [Lookup].
var ErrUnknownCounter = errors.New("unknown token counter")

// counters lists what Lookup finds, the default first.
func counters() []Counter {
	return []Counter{O200k{}, Cl100k{}, claude, claude47, gemini}
}

// Names returns the names that [Lookup] knows, the default first.
func Names() []string {
	var names []string
	for _, c := range counters() {
		names = append(names, c.Name())
	}
	return names
}

// Lookup returns the counter of a name, which must be one of [Names]. The
// error for any other name lists them.
func Lookup(name string) (Counter, error) {
	for _, c := range counters() {
		if c.Name() == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("tokens: %w %q; known are %s", ErrUnknownCounter, name, strings.Join(Names(), ", "))
}
