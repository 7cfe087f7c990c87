package lines

const (
	// window is how many lines a heading can have.
	window = 400
	// headingCost is about what the line of a heading takes beside its text, and
	// closingCost what the one takes that ends it.
	headingCost, closingCost = 2, 2
)

// A section is lines that begin alike, from one plain line to before another, and
// what a heading says of them; nothing for a line without one.
type section struct{ from, to, cut int }

// headings says once what lines that follow each other begin with.
func headings(b body) body {
	var plains []int32 // the lines that headings can be for; empty lines have none
	for i, l := range b.lines {
		if l.kind == plain && len(l.text) > 0 {
			plains = append(plains, int32(i))
		}
	}
	sections := divide(b.lines, plains)
	if len(sections) == 0 {
		return b
	}
	out := make([]line, 0, len(b.lines)+2*len(sections))
	next, open := 0, false // of plains; whether there is a heading above
	for i, l := range b.lines {
		if next == len(plains) || int(plains[next]) != i {
			out = append(out, l)
			continue
		}
		for len(sections) > 0 && sections[0].to <= next {
			sections = sections[1:]
		}
		inside := len(sections) > 0 && sections[0].from <= next
		switch {
		case inside && sections[0].from == next:
			out = append(out, line{kind: heading, text: l.text[:sections[0].cut]})
			b.headings++
			open = true
		case !inside && open:
			out = append(out, line{kind: heading})
			open = false
		}
		if inside {
			l.text = l.text[sections[0].cut:]
		}
		out = append(out, l)
		next++
	}
	b.lines = out
	return b
}

// divide returns the sections that save most, by dynamic programming over the places
// between lines.
func divide(lines []line, plains []int32) []section {
	n := len(plains)
	const none = -1 << 30
	// What the lines before each place save at most, with no heading above the place
	// and with one.
	bare, under := make([]int32, n+1), make([]int32, n+1)
	from, cut := make([]int32, n+1), make([]int32, n+1) // of the section that ends here, for under
	alike := make([]int32, n+1)                         // bytes that line i-1 and line i begin with alike
	for i := range n {
		under[i+1] = none
		if i > 0 {
			a, b := lines[plains[i-1]].text, lines[plains[i]].text
			// A line that is all heading would be empty below it.
			alike[i] = int32(min(commonPrefix(a, b), len(a)-1, len(b)-1))
		}
	}
	under[0] = none
	var cuts cutter
	for i := range n {
		bare[i+1] = max(bare[i+1], bare[i], under[i]-closingCost)
		if i+1 == n || alike[i+1] < 2 {
			continue
		}
		cuts.scan(lines[plains[i]].text[:alike[i+1]])
		common := alike[i+1]
		for j := i + 2; j <= min(n, i+window); j++ {
			common = min(common, alike[j-1])
			place, tokens := cuts.at(int(common))
			if tokens < 2 {
				break
			}
			gain := int32((j-i-1)*tokens - headingCost)
			if gain < minEntry {
				continue
			}
			if gain += max(bare[i], under[i]); gain > under[j] {
				under[j], from[j], cut[j] = gain, int32(i), int32(place)
			}
		}
	}
	var sections []section
	for j, open := n, under[n] > bare[n]; j > 0; {
		if open {
			sections = append(sections, section{int(from[j]), j, int(cut[j])})
			j = int(from[j])
			open = under[j] >= bare[j]
			continue
		}
		open = bare[j] != bare[j-1] && bare[j] == under[j-1]-closingCost
		j--
	}
	for a, b := 0, len(sections)-1; a < b; a, b = a+1, b-1 {
		sections[a], sections[b] = sections[b], sections[a]
	}
	return sections
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
		if !isLetter(text[i-1]) && !isDigit(text[i-1]) {
			tokens += estimate(text[place:i])
			place = i
		}
		c.places = append(c.places, int32(place))
		c.tokens = append(c.tokens, int32(tokens))
	}
}

// at returns the last place up to a length, and the tokens before it.
func (c *cutter) at(length int) (place, tokens int) {
	place = int(c.places[length])
	return place, int(c.tokens[place])
}
