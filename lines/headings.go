package lines

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/base/scan"
)

const (
	// window is how many lines a heading can have.
	window = 400
	// headingCost is about what the line of a heading takes beside its text, and
	// closingCost what the one takes that ends it.
	headingCost, closingCost = 2, 2
)

// headings says once what lines that follow each other begin with.
func headings(b body) body {
	plains := make([]int32, 0, len(b.lines)) // the lines that headings can be for; empty lines have none
	for i, l := range b.lines {
		if l.kind == plain && len(l.text) > 0 {
			plains = append(plains, int32(i))
		}
	}
	cuts, begins := divide(b.lines, plains)
	if !slices.Contains(begins, true) {
		return b
	}
	out := make([]line, 0, len(b.lines))
	next, above := 0, int32(0) // of plains; how much the heading above says
	for _, l := range b.lines {
		if l.kind == plain && len(l.text) > 0 {
			cut := cuts[next]
			if begins[next] || cut == 0 && above > 0 {
				out = append(out, line{kind: heading, text: l.text[:cut]})
				b.headings += min(int(cut), 1)
			}
			l.text, above = l.text[cut:], cut
			next++
		}
		out = append(out, l)
	}
	b.lines = out
	return b
}

// divide returns how many bytes of each line a heading says, and where headings begin, so
// that they save most: by dynamic programming over the places between lines.
func divide(lines []line, plains []int32) (cuts []int32, begins []bool) {
	n := len(plains)
	cuts, begins = make([]int32, n), make([]bool, n)
	const none = -1 << 30
	// What the lines before each place save at most, with no heading above the place
	// and with one.
	bare, under := make([]int32, n+1), slices.Repeat([]int32{none}, n+1)
	from, cut := make([]int32, n+1), make([]int32, n+1) // of the section that ends here, for under
	alike := make([]int32, n+1)                         // bytes that line i-1 and line i begin with alike
	for i := 1; i < n; i++ {
		a, b := lines[plains[i-1]].text, lines[plains[i]].text
		// A line that is all heading would be empty below it.
		alike[i] = int32(min(scan.CommonPrefix(a, b), len(a)-1, len(b)-1))
	}
	var words cutter
	for i := range n {
		bare[i+1] = max(bare[i+1], bare[i], under[i]-closingCost)
		if i+1 == n || alike[i+1] < 2 {
			continue
		}
		words.scan(lines[plains[i]].text[:alike[i+1]])
		common := alike[i+1]
		for j := i + 2; j <= min(n, i+window); j++ {
			common = min(common, alike[j-1])
			place := words.places[common]
			tokens := int(words.tokens[place])
			if tokens < 2 {
				break
			}
			gain := int32((j-i-1)*tokens - headingCost)
			if gain < phrases.MinEntry {
				continue
			}
			if gain += max(bare[i], under[i]); gain > under[j] {
				under[j], from[j], cut[j] = gain, int32(i), place
			}
		}
	}
	for j, open := n, under[n] > bare[n]; j > 0; {
		if open {
			size, i := cut[j], int(from[j])
			for begins[i] = true; j > i; j-- {
				cuts[j-1] = size
			}
			open = under[j] >= bare[j]
			continue
		}
		open = bare[j] != bare[j-1] && bare[j] == under[j-1]-closingCost
		j--
	}
	return cuts, begins
}

// A cutter finds where the beginning of a line may end: between words.
type cutter struct {
	places []int32 // by length, the last place up to it
	tokens []int32 // by place, of what is before it
}

// scan takes text up.
func (c *cutter) scan(text []byte) {
	c.places, c.tokens = append(c.places[:0], 0), append(c.tokens[:0], 0)
	place, tokens := 0, 0
	for i := 1; i <= len(text); i++ {
		if !scan.IsLetter(text[i-1]) && !scan.IsDigit(text[i-1]) {
			tokens += phrases.Estimate(text[place:i])
			place = i
		}
		c.places = append(c.places, int32(place))
		c.tokens = append(c.tokens, int32(tokens))
	}
}
