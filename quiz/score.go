package quiz

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/wirekit/wirekit/wire"
)

// Scoring are the options of [Score].
type Scoring struct {
	Seed      uint64
	Resamples int // of the bootstrap; 0 means [DefaultResamples]
}

// DefaultResamples is how often documents are drawn again.
const DefaultResamples = 4000

// A Report is what the answers to a quiz show.
type Report struct {
	Questions int      `json:"questions"`
	Documents int      `json:"documents"`
	Unknown   int      `json:"unknown"` // answers to questions that the quiz does not have
	Doubled   int      `json:"doubled"` // answers given twice, of which the first counts
	Results   []Result `json:"results"`
}

// A Result is one arm of one model, for all kinds of questions or for one.
type Result struct {
	Model string `json:"model"`
	Kind  Kind   `json:"kind,omitempty"` // empty for all
	Arm   string `json:"arm"`
	Base  string `json:"base"`

	Answers int     `json:"answers"`
	Right   float64 `json:"right"` // part of the answers that are right

	// Pairs is how many questions were answered in this arm and in the base; of them,
	// Difference is the part answered rightly here less the part answered rightly in the
	// base, from Low to High in 95 % of the samples, by a bootstrap over documents.
	Pairs      int     `json:"pairs"`
	Clusters   int     `json:"documents"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	// P is the probability of a difference of that size or larger if there is none, with
	// Holm's correction for all arms of the model and kind.
	P float64 `json:"p"`
	// Sees is the smallest difference that a sample of this size finds in 80 of 100 cases,
	// without that correction.
	Sees float64 `json:"sees"`

	Input     int `json:"input_tokens"`
	Cached    int `json:"cached_tokens"`
	Output    int `json:"output_tokens"`
	Reasoning int `json:"reasoning_tokens"`
	Retries   int `json:"retries"`
	// PerRight is the tokens of input and output for each right answer; 0 if none is.
	PerRight float64 `json:"tokens_per_right"`
}

// A cell is the answers to one question in one arm, over all repeats.
type cell struct{ right, all float64 }

// A group is what is compared at once: the answers of a model, to one kind of questions
// or to all.
type group struct {
	model string
	kind  Kind
}

// An outcome is what one arm of a group has.
type outcome struct {
	cells map[string]cell // by question
	sum   Result
}

// Score judges the answers to a quiz. The result depends on its arguments only.
func Score(q *Quiz, answers []Answer, o Scoring) (Report, error) {
	o.Resamples = cmp.Or(o.Resamples, DefaultResamples)
	questions := map[string]Record{}
	report := Report{Questions: len(q.Questions)}
	named := map[string]bool{}
	for _, rec := range q.Questions {
		questions[rec.ID] = rec
		named[source(rec)] = true
	}
	report.Documents = len(named)

	groups := map[group]map[string]*outcome{} // by arm
	seen := map[Answer]bool{}                 // by what names them alone
	for _, a := range answers {
		rec, known := questions[a.ID]
		if !known {
			report.Unknown++
			continue
		}
		k := Answer{ID: a.ID, Arm: a.Arm, Model: a.Model, Repeat: a.Repeat}
		if seen[k] {
			report.Doubled++
			continue
		}
		seen[k] = true
		for _, g := range []group{{a.Model, ""}, {a.Model, rec.Kind}} {
			if groups[g] == nil {
				groups[g] = map[string]*outcome{}
			}
			if groups[g][a.Arm] == nil {
				groups[g][a.Arm] = &outcome{cells: map[string]cell{}}
			}
			groups[g][a.Arm].add(rec, a)
		}
	}
	if len(groups) == 0 {
		return report, errors.New("quiz: no answers to the questions of this quiz")
	}
	for _, g := range slices.SortedFunc(maps.Keys(groups), func(a, b group) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.kind, b.kind))
	}) {
		report.Results = append(report.Results, compare(g, groups[g], questions, o)...)
	}
	return report, nil
}

// source returns the document that a question is about, itself or a damaged copy of it.
func source(q Record) string {
	id, _, _ := strings.Cut(q.Document, ".")
	return id
}

func compare(g group, arms map[string]*outcome, questions map[string]Record, o Scoring) []Result {
	var results []Result
	var tested []int
	base := Base
	if arms[Base] == nil {
		base = BaseText
	}
	for _, name := range slices.Sorted(maps.Keys(arms)) {
		r := arms[name].sum
		r.Model, r.Kind, r.Arm, r.Base, r.P = g.model, g.kind, name, base, 1
		right := r.Right
		if r.Right /= float64(r.Answers); right > 0 {
			r.PerRight = float64(r.Input+r.Output) / right
		}
		if name != base && arms[base] != nil {
			clusters := paired(arms[name].cells, arms[base].cells, questions)
			if r.Clusters = len(clusters); r.Clusters > 0 {
				r.difference(clusters, o)
				tested = append(tested, len(results))
			}
		}
		results = append(results, r)
	}
	holm(results, tested)
	return results
}

// A cluster is the differences of the questions about one document.
type cluster struct{ sum, n float64 }

// paired returns the clusters in a fixed order.
func paired(arm, base map[string]cell, questions map[string]Record) []cluster {
	by := map[string]cluster{}
	for _, id := range slices.Sorted(maps.Keys(arm)) { // sums depend on the order
		c := arm[id]
		if b, ok := base[id]; ok {
			of := by[source(questions[id])]
			of.sum += c.right/c.all - b.right/b.all
			of.n++
			by[source(questions[id])] = of
		}
	}
	var clusters []cluster
	for _, name := range slices.Sorted(maps.Keys(by)) {
		clusters = append(clusters, by[name])
	}
	return clusters
}

// difference fills in what the pairs show.
func (r *Result) difference(clusters []cluster, o Scoring) {
	sum, n := 0.0, 0.0
	for _, c := range clusters {
		sum += c.sum
		n += c.n
	}
	r.Pairs, r.Difference = int(n), sum/n
	random := rand.New(rand.NewPCG(o.Seed, 0))
	means := make([]float64, o.Resamples)
	extreme, mean, square, signs := 0, 0.0, 0.0, uint64(0)
	for i := range means {
		drawn, of, flipped := 0.0, 0.0, 0.0
		for k, own := range clusters {
			c := clusters[random.IntN(len(clusters))]
			drawn += c.sum
			of += c.n
			if k%64 == 0 {
				signs = random.Uint64()
			}
			if signs>>(k%64)&1 == 0 {
				own.sum = -own.sum
			}
			flipped += own.sum
		}
		means[i] = drawn / of
		mean += means[i]
		square += means[i] * means[i]
		if math.Abs(flipped) >= math.Abs(sum)-1e-9 {
			extreme++
		}
	}
	slices.Sort(means)
	k := float64(o.Resamples)
	r.Low, r.High = means[int(k*0.025)], means[min(int(k*0.975), o.Resamples-1)]
	r.P = float64(extreme+1) / (k + 1)
	r.Sees = (zTwoSided + zPower) * math.Sqrt(max(0, square/k-mean/k*mean/k))
}

// holm corrects the probabilities of the results at these places for their number.
func holm(results []Result, tested []int) {
	slices.SortStableFunc(tested, func(a, b int) int { return cmp.Compare(results[a].P, results[b].P) })
	least := 0.0
	for i, at := range tested {
		least = max(least, min(1, results[at].P*float64(len(tested)-i)))
		results[at].P = least
	}
}

func (o *outcome) add(q Record, a Answer) {
	c := o.cells[q.ID]
	c.all++
	o.sum.Answers++
	if Grade(q, a) {
		c.right++
		o.sum.Right++
	}
	o.cells[q.ID] = c
	o.sum.Input += a.Input
	o.sum.Cached += a.Cached
	o.sum.Output += a.Output
	o.sum.Reasoning += a.Reasoning
	o.sum.Retries += max(0, a.Tries-1)
}

// Verdict says in words what the sample can and cannot tell.
func (r Result) Verdict() string {
	switch {
	case r.Arm == r.Base:
		return "what the others are compared with"
	case r.Pairs == 0:
		return "no question was answered in " + r.Base + " too"
	case r.Clusters == 1:
		return "1 document is too few to tell"
	case r.Clusters < 10:
		return fmt.Sprintf("%d documents are too few to tell", r.Clusters)
	case r.P < 0.05 && r.Difference < 0:
		return "read worse than " + r.Base
	case r.P < 0.05:
		return "read better than " + r.Base
	}
	return fmt.Sprintf("not told apart from %s; a difference below %.1f points would be missed more often than in one case of five", r.Base, 100*r.Sees)
}

// Grade reports whether an answer is right. It is taken without white space, one pair of
// quotation marks or backquotes, and a full stop around it; what is left must be the right
// answer, byte for byte. Sums and counts may be spelled otherwise, with a fraction of
// zeros, words in other case. Where a tool was asked for, only its argument counts.
func Grade(q Record, a Answer) bool {
	if q.Right == nil {
		return false
	}
	if q.Tool != "" {
		return a.Called && a.Call == *q.Right
	}
	given := strings.TrimSpace(a.Text)
	if given == *q.Right {
		return true
	}
	for _, marks := range []string{"\"", "`", "'"} {
		if inner, ok := strings.CutPrefix(given, marks); ok {
			given = strings.TrimSuffix(strings.TrimSuffix(inner, "."), marks)
			break
		}
	}
	given = strings.TrimSuffix(given, ".")
	switch q.Kind {
	case Count, Sum, Minimum:
		v, err := wire.Number(given)
		want, wantErr := wire.Number(*q.Right)
		return err == nil && wantErr == nil && wire.Equal(v, want)
	case Absent, Whole:
		return strings.EqualFold(given, *q.Right)
	}
	return given == *q.Right
}

// Discordant is the part of questions that Power takes to be answered rightly in one of
// two formats only.
const Discordant = 0.1

// Quantiles of the normal distribution: of an error of 5 % on two sides, and of a power
// of 80 %.
const (
	zTwoSided = 1.959963984540054
	zPower    = 0.8416212335729143
)

// Power returns how many questions it takes to see a difference between two formats, in
// points of 100, with a probability of 80 % and an error of 5 %, if Discordant of the
// questions are answered differently. Answers of one model to the same questions are
// compared, each question is about a document of its own, and the formats are two.
func Power(points float64) (int, error) {
	d := points / 100
	if !(d > 0 && d <= Discordant) {
		return 0, fmt.Errorf("quiz: a difference of %v points; it is above 0, and at most %v where so many answers differ", points, Discordant*100)
	}
	// The sizes at which a normal distribution would find it, and the counts do.
	root := zTwoSided*math.Sqrt(Discordant) + zPower*math.Sqrt(Discordant-d*d)
	n := root * root / (d * d)
	step := 1 + math.Sqrt(1+4/(n*d))
	return int(math.Ceil(n / 4 * step * step)), nil
}

// Clustered returns how many questions it takes if each document has some of them:
// answers about one document are alike, with a correlation of [Within].
func Clustered(questions, perDocument int) int {
	return int(math.Ceil(float64(questions) * (1 + float64(perDocument-1)*Within)))
}

// Within is the correlation of answers about one document that Clustered takes.
const Within = 0.05

var headings = []string{"model", "kind", "arm", "right", "difference", "95 %", "p (Holm)", "tokens/right", "retries", "what it shows"}

func (r Result) cells() []string {
	cells := []string{r.Model, cmp.Or(string(r.Kind), "all"), r.Arm, fmt.Sprintf("%.1f %% of %d", 100*r.Right, r.Answers), "", "", "",
		strconv.FormatFloat(r.PerRight, 'f', 0, 64), strconv.Itoa(r.Retries), r.Verdict()}
	if r.PerRight == 0 {
		cells[7] = "–"
	}
	if r.Pairs > 0 {
		cells[4], cells[5], cells[6] = fmt.Sprintf("%+.1f", 100*r.Difference), fmt.Sprintf("%+.1f to %+.1f", 100*r.Low, 100*r.High), fmt.Sprintf("%.3f", r.P)
	}
	return cells
}

func (r Report) summary() string {
	text := fmt.Sprintf("%d questions about %d documents.", r.Questions, r.Documents)
	if r.Doubled > 0 {
		text += fmt.Sprintf(" %d answers were there twice.", r.Doubled)
	}
	if r.Unknown > 0 {
		text += fmt.Sprintf(" %d answers are to other questions.", r.Unknown)
	}
	return text
}

// WriteTable writes the report as a table for people.
func (r Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(headings, "\t"))
	for _, result := range r.Results {
		fmt.Fprintln(t, strings.Join(result.cells(), "\t"))
	}
	fmt.Fprintln(t, r.summary())
	return t.Flush()
}

// WriteMarkdown writes the report as a table in Markdown.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| " + strings.Join(headings, " | ") + " |\n|" + strings.Repeat(" --- |", len(headings)) + "\n")
	for _, result := range r.Results {
		for _, cell := range result.cells() {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n" + r.summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}
