package wirekit

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/wirekit/wirekit/tokens"
)

// A long text is measured by windows at even distances, so that the windows of
// two texts of one value say about the same things and can be compared in
// pairs.
const (
	windows      = 16
	windowBytes  = 512
	sampledBytes = windows * windowBytes
)

// A size is a text's measure. whole is that of the whole text, once it is
// known; windows are what each window's count comes to for the whole text.
type size struct {
	whole   float64
	windows []float64
}

func (s size) total() float64 {
	if s.whole > 0 || len(s.windows) == 0 {
		return s.whole
	}
	return mean(s.windows)
}

// scaled returns the size of a text that is as many times as long.
func (s size) scaled(by float64) size {
	scaled := size{whole: s.whole * by, windows: make([]float64, len(s.windows))}
	for i, w := range s.windows {
		scaled.windows[i] = w * by
	}
	return scaled
}

// clearlyAbove reports whether s is larger than t by more than a part of t and
// by more than some standard errors of what the windows tell. Two whole
// measures are told apart by the part alone.
func (s size) clearlyAbove(t size, part, errors float64) bool {
	difference := s.total() - t.total()
	if difference <= part*t.total() {
		return false
	}
	if len(s.windows) == 0 || len(t.windows) == 0 {
		// One text is short and counted, the other long.
		return s.whole > 0 && t.whole > 0 || difference > 2*part*t.total()
	}
	pairs := make([]float64, windows)
	for i := range pairs {
		pairs[i] = s.windows[i] - t.windows[i]
	}
	return difference > errors*standardError(pairs)
}

// sample counts the windows of a text that is longer than they are.
func sample(c tokens.Counter, text []byte) (size, error) {
	s := size{windows: make([]float64, windows)}
	for i := range windows {
		from := i * (len(text) - windowBytes) / (windows - 1)
		window := text[runeStart(text, from):runeStart(text, from+windowBytes)]
		n, err := countTokens(c, window)
		if err != nil {
			return size{}, err
		}
		s.windows[i] = float64(n) / float64(max(1, len(window))) * float64(len(text))
	}
	return s, nil
}

// runeStart returns the next index at which a character begins, or i where no
// character is that long.
func runeStart(text []byte, i int) int {
	for j := i; j < len(text) && j < i+utf8.UTFMax; j++ {
		if utf8.RuneStart(text[j]) {
			return j
		}
	}
	return min(i, len(text))
}

func countTokens(c tokens.Counter, text []byte) (int, error) {
	n, err := c.Count(text)
	if err != nil {
		return 0, fmt.Errorf("wirekit: counting tokens of %s: %w", c.Name(), err)
	}
	return n, nil
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// standardError returns the standard error of the mean.
func standardError(list []float64) float64 {
	m := mean(list)
	squares := 0.0
	for _, x := range list {
		squares += (x - m) * (x - m)
	}
	n := float64(len(list))
	return math.Sqrt(squares / (n - 1) / n)
}
