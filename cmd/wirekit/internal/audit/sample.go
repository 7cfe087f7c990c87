package audit

import (
	"bytes"
	"runtime"
	"slices"
	"sync"

	"github.com/wirekit/wirekit/internal/parallel"
)

// sampled is how many bytes of texts the sample of each tool and kind has at most, and
// one text.
const sampled = 96 << 10

// A sample has the texts whose hashes are the smallest, whatever their order was: as many
// as there is room for.
type sample struct {
	mu    sync.Mutex
	texts []sampleText // by their keys
	size  int
	bound *key // the smallest key that found no room
}

type sampleText struct {
	*text
	data []byte
}

func (s *sample) add(t *text, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, has := slices.BinarySearchFunc(s.texts, t.key, func(have sampleText, k key) int { return bytes.Compare(have.key[:], k[:]) })
	if has || s.bound != nil && bytes.Compare(t.key[:], s.bound[:]) >= 0 {
		return
	}
	s.texts = slices.Insert(s.texts, i, sampleText{t, data})
	s.size += len(data)
	for last := len(s.texts) - 1; last > 0 && s.size > sampled; last-- {
		s.size -= len(s.texts[last].data)
		s.bound = &s.texts[last].key
		s.texts = slices.Delete(s.texts, last, last+1)
	}
}

// A share is what folding or lines made of the texts of a sample.
type share struct {
	texts, size   int
	before, after int // tokens
	same, changed int // of the texts that no format changed: tokens, and those of texts that became smaller
}

func (s *share) add(o share) {
	s.texts += o.texts
	s.size += o.size
	s.before += o.before
	s.after += o.after
	s.same += o.same
	s.changed += o.changed
}

// saved is the part of the tokens that was saved.
func (s share) saved() float64 { return part(s.before-s.after, s.before) }

// touched is the part of the tokens in texts that became smaller.
func (s share) touched() float64 { return part(s.changed, s.same) }

func part(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// measureSamples measures what is in the samples, on all processors.
func (a *Auditor) measureSamples() {
	var all []sampleText
	for _, c := range a.cells {
		all = append(all, c.sample.texts...)
	}
	_ = parallel.Each(runtime.GOMAXPROCS(0), len(all), func(_, i int) error {
		all[i].more = a.measureFurther(all[i].text, all[i].data)
		return nil
	})
	for _, c := range a.cells {
		for _, t := range c.sample.texts {
			s := share{texts: 1, size: len(t.data), before: t.format, after: t.more}
			if t.format == t.tokens {
				s.same = t.tokens
				if t.more < t.tokens {
					s.changed = t.tokens
				}
			}
			c.share.add(s)
		}
	}
}
