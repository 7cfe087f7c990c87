package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// A question ranks files by its words: by BM25 over their paths, the names that they
// declare and their text, with words split as in programs, at capitals and underscores. It
// has the numbers of its words, as wordStem gives them.
type question map[string]int

// The parameters of BM25, and how often a word counts in the name of a file and among what
// it declares.
const (
	saturation  = 1.2
	lengthShare = 0.6
	inPath      = 6
	inNames     = 3
)

// rankFactor is what relevance counts for by the rank of a file.
var rankFactor = [bcp.PriorityBackground + 1]float64{bcp.PriorityCritical: 1, bcp.PriorityHigh: 0.8, bcp.PriorityNormal: 1, bcp.PriorityLow: 0.4, bcp.PriorityBackground: 0.3}

// newQuestion takes the words of a question that are worth looking for.
func newQuestion(text string) (question, error) {
	q := make(question)
	eachWord([]byte(text), func(word []byte) {
		stem := string(wordStem(word))
		if _, met := q[stem]; !met && !is("stop-word", string(word)) && len(stem) > 1 {
			q[stem] = len(q)
		}
	})
	if len(q) == 0 {
		return nil, failure("empty_question", wire.ErrShape, "%.80q has no word to look for", text)
	}
	return q, nil
}

// eachWord calls use for the words of a text, in lower case: identifiers are split
// at underscores and before capitals. What use gets is valid until it returns.
func eachWord(text []byte, use func(word []byte)) {
	var word [maxWord]byte
	n := 0
	flush := func() {
		if n > 0 {
			use(word[:n])
		}
		n = 0
	}
	for i, b := range text {
		lower, upper := b >= 'a' && b <= 'z' || b >= 0x80, b >= 'A' && b <= 'Z'
		if !lower && !upper && (b < '0' || b > '9') {
			flush()
			continue
		}
		if upper {
			// HTTPServer is http and server, parseJSON parse and json.
			before := i > 0 && text[i-1] >= 'A' && text[i-1] <= 'Z'
			after := i+1 < len(text) && text[i+1] >= 'a' && text[i+1] <= 'z'
			if !before || after {
				flush()
			}
			b |= 0x20
		}
		if n < maxWord {
			word[n] = b
			n++
		}
	}
	flush()
}

// maxWord is how much of a word is compared, in bytes.
const maxWord = 32

// wordStem is a word without the endings of English.
func wordStem(word []byte) []byte {
	for _, end := range []string{"ing", "ies", "ed", "es", "s"} {
		if rest, ok := bytes.CutSuffix(word, []byte(end)); ok && len(rest) > 3 {
			return rest
		}
	}
	return bytes.TrimSuffix(word, []byte("e"))
}

// count adds to tf how often each word of the question occurs in a text, times
// weight, and returns the number of words.
func (q question) count(text []byte, weight float64, tf map[int]float64) (length int) {
	eachWord(text, func(word []byte) {
		if len(word) > 1 {
			length++
		}
		if i, ok := q[string(wordStem(word))]; ok {
			tf[i] += weight
		}
	})
	return length
}

// relevance ranks files by the question: 1 for the first.
func (q question) relevance(w *walker) []float64 {
	n := len(w.files)
	tf, lengths := make([]map[int]float64, n), make([]float64, n)
	each(w.ctx, n, func(i int) {
		f := &w.files[i]
		tf[i] = make(map[int]float64)
		lengths[i] = float64(q.count(f.text[:min(len(f.text), mostMentioned)], 1, tf[i]))
		if lengths[i] > 0 {
			q.count([]byte(f.Path), inPath, tf[i])
			q.count([]byte(strings.Join(f.declared, " ")), inNames, tf[i])
		}
	})
	score := q.bm25(tf, lengths)
	for i := range score {
		score[i] *= rankFactor[w.files[i].Priority]
	}
	return toOne(score)
}

// bm25 scores texts by how often each has the words of the question, and by its length.
func (q question) bm25(tf []map[int]float64, lengths []float64) []float64 {
	n := float64(len(tf))
	average := 1.0
	having := make([]float64, len(q)) // texts that have the word
	for i := range tf {
		average += lengths[i] / n
		for word := range tf[i] {
			having[word]++
		}
	}
	score := make([]float64, len(tf))
	for i := range tf {
		for _, word := range slices.Sorted(maps.Keys(tf[i])) {
			rarity := math.Log(1 + (n-having[word]+0.5)/(having[word]+0.5))
			f := tf[i][word]
			score[i] += rarity * f * (saturation + 1) / (f + saturation*(1-lengthShare+lengthShare*lengths[i]/average))
		}
	}
	return score
}

// toOne scales scores so that the highest is 1.
func toOne(score []float64) []float64 {
	most := slices.Max(append(score, 1e-9))
	for i := range score {
		score[i] /= most
	}
	return score
}

// near ranks files by how near they are to those that focus has 1 for, not 0, in the graph of what refers to
// what, whichever way.
func (g *graph) near(focus []float64) []float64 {
	both := &graph{files: g.files, out: make([][]edge, len(g.files))}
	for i, edges := range g.out {
		for _, e := range edges {
			both.out[i] = append(both.out[i], e)
			both.out[e.to] = append(both.out[e.to], edge{i, e.weight / 2})
		}
	}
	score := both.spread(slices.Clone(focus))
	for i := range score {
		score[i] *= 1 - focus[i]
	}
	for i, s := range toOne(score) {
		score[i] = max(0.8*s, focus[i])
	}
	return score
}

// asked is how many files a question can make the core.
const asked = 20

// ask gives the files that a question or a focus is about the worth of the core, and takes it
// from all others.
func (w *walker) ask(g *graph) error {
	files := w.files
	relevance := make([]float64, len(files))
	if w.About != "" {
		q, err := newQuestion(w.About)
		if err != nil {
			return err
		}
		relevance = q.relevance(w)
		w.question = q
	}
	if len(w.Focus) > 0 {
		focus := make([]float64, len(files))
		for i, r := range w.focus {
			met := false
			for j := range files {
				if r.covers(files[j].Path) {
					focus[j], met = 1, true
				}
			}
			if !met {
				return failure(wire.CodeInvalidOption, wire.ErrShape, "no file matches the focus %s", w.Focus[i])
			}
		}
		for i, r := range g.near(focus) {
			relevance[i] = max(relevance[i], r)
		}
	}
	order := numbers(len(files))
	slices.SortStableFunc(order, func(i, j int) int { return int(1e6*relevance[j]) - int(1e6*relevance[i]) })
	for at, i := range order {
		f := &files[i]
		f.Relevance = int(100*relevance[i] + 0.5)
		if r := relevance[i]; at < asked && r > 0.15 {
			f.Worth = coreWorth + int((mostWorth-coreWorth)*r*r)
			f.asked = true
		} else if f.Class != classNamed {
			f.Worth = max(1, f.Worth/16)
		}
	}
	return nil
}

const (
	mostExcerpt = 1600 // bytes
	passage     = 14   // lines
)

// excerpt is what a long file has about the question: the passages of it with most of its rare
// words, in their order, "" if the file is short or there is none.
func (q question) excerpt(text []byte) string {
	if q == nil || len(text) < mostExcerpt*3/2 {
		return ""
	}
	lines := slices.Collect(bytes.Lines(text))
	var tf []map[int]float64
	var lengths []float64
	for from := 0; from < len(lines); from += passage / 2 {
		words := make(map[int]float64)
		length := q.count(bytes.Join(lines[from:min(from+passage, len(lines))], nil), 1, words)
		tf, lengths = append(tf, words), append(lengths, float64(length))
	}
	score := q.bm25(tf, lengths)
	order := numbers(len(tf))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(score[j], score[i]) })
	shown := make([]bool, len(lines))
	size := 0
	for _, part := range order {
		from, more := part*(passage/2), 0
		to := min(from+passage, len(lines))
		for i := from; i < to; i++ {
			if !shown[i] {
				more += len(lines[i])
			}
		}
		if score[part] == 0 || size+more > mostExcerpt {
			break
		}
		for i := from; i < to; i++ {
			shown[i] = true
		}
		size += more
	}
	var out strings.Builder
	for i := 0; i < len(lines); i++ {
		from := i
		for i < len(lines) && shown[i] {
			i++
		}
		if i > from {
			fmt.Fprintf(&out, "… lines %d to %d:\n%s", from+1, i, bytes.Join(lines[from:i], nil))
		}
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// outlined reports whether the outline of a folder is to be there: where a question is about
// files of it, they speak for themselves.
func (w *walker) outlined(folder string) bool {
	return !slices.ContainsFunc(w.files, func(f file) bool { return f.asked && path.Dir(f.Path) == folder })
}
