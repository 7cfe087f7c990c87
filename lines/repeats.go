package lines

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/phrases"
)

const (
	// blockCost and repeatCost are about what the lines of a block's beginning and
	// of its repetition take.
	blockCost, repeatCost = 6, 3
	// maxSources is how many earlier places are compared with the lines at hand,
	// maxBlock how many lines of each, and maxBlocks how many blocks begin at one.
	maxSources, maxBlock, maxBlocks = 8, 256, 8
)

// A repeater finds lines and blocks of lines that repeat.
type repeater struct {
	lines  []line
	ids    []int32 // equal lines have equal ones
	costs  []int32 // tokens of lines, by id
	out    []item
	copied []bool // whether a line of the text is repeated instead of written
	last   map[[2]int32]int32
	before []int32 // the place before with the same two lines
	blocks map[int32][]block
	count  int32
}

// An item is a line of the text, by its number, or lines again.
type item struct{ line, block, times int32 }

// A block is lines that are repeated, by the line that it begins with.
type block struct{ number, lines int32 }

// repeats says repeated lines once.
func repeats(b body) body {
	r := repeater{lines: b.lines, last: make(map[[2]int32]int32), blocks: make(map[int32][]block)}
	r.number()
	r.copied = make([]bool, len(b.lines))
	r.before = make([]int32, len(b.lines))
	for i := 0; i < len(r.lines); {
		n := 1
		for r.equal(i, i+n, 1) {
			n++
		}
		if (n-1)*int(r.costs[r.ids[i]]) >= phrases.MinEntry+repeatCost {
			r.write(i)
			r.copied[i] = true // no block has it
			i++
			r.repeat(i, n-1, item{times: int32(n - 1)})
			i += n - 1
			continue
		}
		source, length := r.find(i)
		if length == 0 {
			r.write(i)
			i++
			continue
		}
		times := 1
		for r.equal(int(source), i+times*length, length) {
			times++
		}
		r.repeat(i, times*length, item{block: r.name(source, int32(length)), times: int32(times)})
		i += times * length
	}
	return r.body(b)
}

// repeat writes an item for n lines from i on.
func (r *repeater) repeat(i, n int, it item) {
	it.line = -1
	r.out = append(r.out, it)
	for k := range n {
		r.copied[i+k] = true
	}
}

// number gives equal lines equal numbers.
func (r *repeater) number() {
	r.ids = make([]int32, len(r.lines))
	index := make(map[string]int32)
	for i, l := range r.lines {
		id, ok := index[string(l.text)]
		if !ok {
			id = int32(len(r.costs))
			index[string(l.text)] = id
			r.costs = append(r.costs, int32(max(phrases.Estimate(l.text), 1)))
		}
		r.ids[i] = id
	}
}

// write writes line i out, where later ones find it.
func (r *repeater) write(i int) {
	r.out = append(r.out, item{line: int32(i)})
	if i+1 < len(r.ids) {
		key := [2]int32{r.ids[i], r.ids[i+1]}
		r.before[i] = r.last[key] - 1 // places are counted from 1 in the map
		r.last[key] = int32(i) + 1
	}
}

func (r *repeater) equal(a, b, length int) bool {
	return b+length <= len(r.ids) && slices.Equal(r.ids[a:a+length], r.ids[b:b+length])
}

// find returns the earlier lines that save most when those from i on repeat them;
// length is 0 if none does.
func (r *repeater) find(i int) (source int32, length int) {
	if i+1 >= len(r.ids) {
		return 0, 0
	}
	most := phrases.MinEntry - 1
	better := func(gain int, at int32, k int) {
		if gain > most {
			most, source, length = gain, at, k
		}
	}
	at := r.last[[2]int32{r.ids[i], r.ids[i+1]}] - 1
	for n := 0; at >= 0 && n < maxSources; n++ {
		saved, k, known := -repeatCost, 0, r.blocks[at]
		for j := int(at); j < i && i+k < len(r.ids) && k < maxBlock && !r.copied[j] && r.ids[j] == r.ids[i+k]; j++ {
			saved += int(r.costs[r.ids[j]])
			k++
			if len(known) > 0 && int(known[0].lines) == k {
				better(saved, at, k)
				known = known[1:]
			}
		}
		if len(r.blocks[at]) < maxBlocks {
			better(saved-blockCost, at, k)
		}
		at = r.before[at]
	}
	return source, length
}

// name returns the number of a block, which is made if need be.
func (r *repeater) name(source, length int32) int32 {
	known := r.blocks[source]
	if i := slices.IndexFunc(known, func(b block) bool { return b.lines == length }); i >= 0 {
		return known[i].number
	}
	r.count++
	known = append(known, block{r.count, length})
	slices.SortFunc(known, func(a, b block) int { return int(a.lines - b.lines) })
	r.blocks[source] = known
	return r.count
}

// body returns the lines with the beginnings of blocks in their places, and the
// blocks numbered in the order in which they begin.
func (r *repeater) body(b body) body {
	if len(r.out) == len(r.lines) {
		return b
	}
	b.repeats = len(r.lines)
	b.lines = make([]line, 0, len(r.out)+int(r.count))
	numbers := make([]int32, r.count+1)
	count := int32(0)
	for _, it := range r.out {
		if it.line < 0 {
			b.lines = append(b.lines, line{kind: repeat, block: numbers[it.block], times: it.times})
			continue
		}
		b.repeats--
		for _, begin := range r.blocks[it.line] {
			count++
			numbers[begin.number] = count
			b.lines = append(b.lines, line{kind: repeat, block: count, lines: begin.lines})
		}
		b.lines = append(b.lines, r.lines[it.line])
	}
	return b
}
