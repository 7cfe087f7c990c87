// Package counts remembers, in the folder of a store, how many tokens texts have.
package counts

import (
	"bytes"
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/tokens"
)

// Counts is a [tokens.Counter] that remembers, in a file, what another one made of texts,
// by their hashes. It is safe for concurrent use.
type Counts struct {
	tokens.Counter
	dir string

	mu     sync.Mutex
	known  map[bcp.Hash]int
	recent []byte // lines that are not in the file
}

const (
	// leastCounted is the length from which a text is worth its hash.
	leastCounted = 512
	// mostCounts bounds what is remembered; a file with more begins anew.
	mostCounts = 1 << 20
	countsFile = "counts-"
	// lineEnd tells a whole line from one that a crash cut off.
	lineEnd = ".\n"
)

// Open returns a counter that remembers in the folder dir what counter counts. A
// file that is not there, or is damaged, costs counting again: lines that are
// none are passed over.
func Open(dir string, counter tokens.Counter) *Counts {
	c := &Counts{Counter: counter, dir: dir, known: make(map[bcp.Hash]int)}
	text, err := os.ReadFile(c.file())
	if err != nil || bytes.Count(text, []byte("\n")) > mostCounts {
		return c
	}
	for line := range strings.Lines(string(text)) {
		line, whole := strings.CutSuffix(line, lineEnd)
		name, number, ok := strings.Cut(line, " ")
		h, err := bcp.ParseHash(name)
		n, err2 := strconv.Atoi(number)
		if whole && ok && err == nil && err2 == nil && n >= 0 {
			c.known[h] = n
		}
	}
	return c
}

func (c *Counts) file() string { return filepath.Join(c.dir, countsFile+c.Name()) }

// Count counts a text, or remembers what it is.
func (c *Counts) Count(text []byte) (int, error) { return c.CountUpTo(text, math.MaxInt) }

// CountUpTo counts as the other counter does, and does not remember what may not have
// been counted to the end.
func (c *Counts) CountUpTo(text []byte, bound int) (int, error) {
	if len(text) < leastCounted {
		return tokens.CountUpTo(c.Counter, text, bound)
	}
	h := bcp.HashOf(text)
	c.mu.Lock()
	n, ok := c.known[h]
	c.mu.Unlock()
	if ok {
		return n, nil
	}
	n, err := tokens.CountUpTo(c.Counter, text, bound)
	if err != nil || n > bound {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[h]; !ok {
		c.known[h] = n
		c.recent = append(strconv.AppendInt(append(append(c.recent, h.String()...), ' '), int64(n), 10), lineEnd...)
	}
	return n, nil
}

// Save adds what was counted to the file.
func (c *Counts) Save() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.recent) == 0 {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return err
	}
	mode := os.O_APPEND | os.O_CREATE | os.O_WRONLY
	if len(c.known) > mostCounts {
		mode |= os.O_TRUNC
	}
	f, err := os.OpenFile(c.file(), mode, 0o644)
	if err != nil {
		return err
	}
	// A line that a crash left without its end does not damage the next one.
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		c.recent = slices.Insert(c.recent, 0, '\n')
	}
	_, err = f.Write(c.recent)
	c.recent = nil
	return cmp.Or(err, f.Close())
}
