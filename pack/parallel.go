package pack

import (
	"cmp"
	"context"
	"runtime"

	"github.com/wirekit/wirekit/internal/base/parallel"
	"github.com/wirekit/wirekit/internal/repo/outline"
)

// each calls do for the numbers below n, by several goroutines, until ctx ends.
func each(ctx context.Context, n int, do func(int)) {
	_ = parallel.Each(min(runtime.GOMAXPROCS(0), mostWorkers), n, func(_, i int) error {
		do(i)
		return ctx.Err()
	})
}

// mostWorkers bounds the goroutines.
const mostWorkers = 16

// inFlight is how many files are read before the first of them is looked at
// again: more than there are workers, so that none waits for a large one.
const inFlight = 64

// take reads the candidates, several at once, and takes those that nothing
// speaks against.
func (w *walker) take() error {
	for from := 0; from < len(w.candidates) && w.ctx.Err() == nil; from += inFlight {
		part := w.candidates[from:min(from+inFlight, len(w.candidates))]
		each(w.ctx, len(part), func(i int) { w.readCandidate(&part[i]) })
		for i := range part {
			c := &part[i]
			if c.why == "" && w.total+c.Bytes > w.MaxTotal {
				c.why = reasonFull
			}
			if c.why != "" {
				w.leave(c.Path, c.why, c.more)
			} else {
				w.total += c.Bytes
				w.files = append(w.files, *c)
			}
			*c = file{}
		}
		if w.Progress != nil {
			w.Progress(min(from+inFlight, len(w.candidates)), len(w.candidates))
		}
	}
	return w.ctx.Err()
}

// readCandidate does all that needs no other file.
func (w *walker) readCandidate(c *file) {
	var text []byte
	text, c.why, c.more = w.read(c.Path)
	if decoded, ok := fromUTF16(text); ok {
		text = decoded
	}
	if isNotebook(c.Path) {
		c.cells, text = cellsOf(text)
		if len(text) > w.MaxFile {
			c.why = reasonLarge
		}
	}
	if c.why = cmp.Or(c.why, w.byContent(c, text)); c.why != "" {
		return
	}
	c.lang, c.text, c.Bytes = languageOf(c.Path+c.cells, text), text, len(text)
	w.rank(c)
	if !w.KeepSecrets {
		c.text, c.secrets = mask(c.Path, text)
	}
	switch {
	case w.NoSummaries:
	case c.lang == "go":
		c.parsed = goFileOf(c)
	default:
		heads := outline.Heads(c.suffix(), c.text)
		for _, h := range heads {
			if h.Name != "" && h.Depth < 2 && !h.Value {
				c.declared = append(c.declared, h.Name)
			}
		}
		c.heads = outline.Public(c.suffix(), c.text, heads)
		c.offers = offersOf(c)
	}
}
