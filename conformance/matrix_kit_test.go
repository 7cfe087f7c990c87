package conformance

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/wirekit/wirekit/wire"
)

// An Entry is a column of the matrix: a codec in one configuration.
type Entry struct {
	Label string // unique in a matrix; the codec's name, and what its options are
	Codec wire.Codec
}

// A Matrix says what every codec does with every corpus.
type Matrix struct {
	Corpora []Corpus
	Entries []Entry
	Cells   [][]Cell // by corpus, then by entry
}

// A Cell counts what a codec does with the values of a corpus. Every value is
// lossless, or loses something that is declared, or is refused with a clear
// error, or is a fault.
type Cell struct {
	Lossless int
	Lossy    int               // values that lose something
	Lost     map[wire.Loss]int // by single loss; one value may have several
	Refused  map[string]int    // by error code
	Faults   []Fault           // values that broke a rule
}

// A Fault is a value of a corpus that broke a rule.
type Fault struct {
	Case string // the value's name
	Err  error  // from Check
	rule string
}

// String returns the name and the error.
func (f Fault) String() string { return f.Case + ": " + f.Err.Error() }

// Refusals returns the number of values that were refused.
func (c Cell) Refusals() int {
	n := 0
	for _, m := range c.Refused {
		n += m
	}
	return n
}

// Values returns the number of values in the cell.
func (c Cell) Values() int { return c.Lossless + c.Lossy + c.Refusals() + len(c.Faults) }

// Add counts what d has, too.
func (c *Cell) Add(d Cell) {
	c.Lossless += d.Lossless
	c.Lossy += d.Lossy
	for l, n := range d.Lost {
		count(&c.Lost, l, n)
	}
	for code, n := range d.Refused {
		count(&c.Refused, code, n)
	}
	c.Faults = append(c.Faults, d.Faults...)
}

func count[K comparable](m *map[K]int, key K, n int) {
	if *m == nil {
		*m = map[K]int{}
	}
	(*m)[key] += n
}

// NewMatrix puts every corpus through every entry, with the rules of [Check],
// several corpora at a time.
func NewMatrix(entries []Entry, corpora []Corpus) *Matrix {
	m := &Matrix{Corpora: corpora, Entries: entries, Cells: make([][]Cell, len(corpora))}
	var group sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, corpus := range corpora {
		group.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			cells := make([]Cell, len(entries))
			for name, v := range corpus.Cases {
				for j, e := range entries {
					cells[j].check(e, name, v)
				}
			}
			m.Cells[i] = cells
		})
	}
	group.Wait()
	return m
}

func (c *Cell) check(e Entry, name string, v wire.Value) {
	o, err := Check(e.Codec, v)
	switch {
	case err != nil:
		c.Faults = append(c.Faults, Fault{name, err, ruleOf(err)})
	case o.Refused != nil:
		count(&c.Refused, o.Refused.Code, 1)
	case o.Loss == 0:
		c.Lossless++
	default:
		c.Lossy++
		for l := wire.Loss(1); l != 0 && l <= o.Loss; l <<= 1 {
			if o.Loss&l != 0 {
				count(&c.Lost, l, 1)
			}
		}
	}
}

// String describes the cell in words: "lossless" if all values are, otherwise
// how many lose what and how many are refused with which codes.
func (c Cell) String() string {
	var parts []string
	if c.Lossy > 0 {
		parts = append(parts, fmt.Sprintf("%d lose something (%s)", c.Lossy, strings.Join(c.losses(), ", ")))
	}
	if n := c.Refusals(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d refused (%s)", n, strings.Join(c.codes(), ", ")))
	}
	if n := len(c.Faults); n > 0 {
		parts = append(parts, fmt.Sprintf("%d FAULTS", n))
	}
	if parts == nil {
		return "lossless"
	}
	if c.Lossless > 0 {
		parts = append([]string{fmt.Sprintf("%d lossless", c.Lossless)}, parts...)
	}
	return strings.Join(parts, ", ")
}

// losses returns the losses with their numbers, and codes the errors' codes.
func (c Cell) losses() []string {
	var list []string
	for _, l := range slices.Sorted(maps.Keys(c.Lost)) {
		list = append(list, fmt.Sprintf("%v %d", l, c.Lost[l]))
	}
	return list
}

func (c Cell) codes() []string {
	var list []string
	for _, code := range slices.Sorted(maps.Keys(c.Refused)) {
		list = append(list, fmt.Sprintf("%s %d", code, c.Refused[code]))
	}
	return list
}

// short is the cell in a few characters; legend explains them.
func (c Cell) short() string {
	if c.Lossless == c.Values() {
		return "lossless"
	}
	var parts []string
	if c.Lossless > 0 {
		parts = append(parts, fmt.Sprint(c.Lossless))
	}
	if c.Lossy > 0 {
		parts = append(parts, fmt.Sprintf("~%d", c.Lossy))
	}
	if n := c.Refusals(); n > 0 {
		parts = append(parts, fmt.Sprintf("-%d", n))
	}
	if n := len(c.Faults); n > 0 {
		parts = append(parts, fmt.Sprintf("!%d", n))
	}
	return strings.Join(parts, " ")
}

const legend = `Every cell counts values: "lossless" if all of them come back identical;
otherwise n that do, ~n that lose only what the codec declares, -n that are
refused with a clear error, !n that break a rule.`

// Totals returns the sums by entry.
func (m *Matrix) Totals() []Cell {
	totals := make([]Cell, len(m.Entries))
	for _, row := range m.Cells {
		for j, c := range row {
			totals[j].Add(c)
		}
	}
	return totals
}

// Faults lists the broken rules with their corpus and entry: the first value
// that breaks each, and how many more do.
func (m *Matrix) Faults() []string {
	var list []string
	for i, row := range m.Cells {
		for j, c := range row {
			var rules []string
			first, more := map[string]string{}, map[string]int{}
			for _, f := range c.Faults {
				if _, ok := first[f.rule]; ok {
					more[f.rule]++
					continue
				}
				first[f.rule] = f.String()
				rules = append(rules, f.rule)
			}
			for _, rule := range rules {
				s := m.Corpora[i].Name + ", " + m.Entries[j].Label + ": " + first[rule]
				if n := more[rule]; n > 0 {
					s += fmt.Sprintf("\n(and %d more)", n)
				}
				list = append(list, s)
			}
		}
	}
	return list
}

// grid returns the matrix as rows of short cells, with the totals last.
func (m *Matrix) grid() [][]string {
	head := []string{"corpus", "values"}
	for _, e := range m.Entries {
		head = append(head, e.Label)
	}
	rows := [][]string{head}
	row := func(name string, cells []Cell) {
		line := []string{name, "0"}
		if len(cells) > 0 {
			line[1] = fmt.Sprint(cells[0].Values())
		}
		for _, c := range cells {
			line = append(line, c.short())
		}
		rows = append(rows, line)
	}
	for i, cells := range m.Cells {
		row(m.Corpora[i].Name, cells)
	}
	row("total", m.Totals())
	return rows
}

// WriteText writes the matrix as aligned text: the grid, then what each codec
// loses and refuses in all.
func (m *Matrix) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range m.grid() {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	fmt.Fprintf(tw, "\n%s\n\n", legend)
	for j, total := range m.Totals() {
		fmt.Fprintf(tw, "%s\t%s\n", m.Entries[j].Label, total)
	}
	return tw.Flush()
}

// WriteMarkdown writes the matrix as the body of a Markdown page: what the codecs
// declare, and the outcomes in all and by corpus. What is the same for several codecs is
// written once.
func (m *Matrix) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(pageLegend)
	declared := make(map[string][]string) // codecs by what they may lose
	var order []string
	for _, e := range m.Entries {
		row := e.Codec.Info().Loss.String()
		if declared[row] == nil {
			order = append(order, row)
		}
		declared[row] = append(declared[row], escaped(e.Label))
	}
	b.WriteString("| codecs | may lose |\n| --- | --- |\n")
	for _, row := range order {
		b.WriteString("| " + strings.Join(declared[row], ", ") + " | " + row + " |\n")
	}
	b.WriteString("\nAlike in every cell, and listed by the first name only:\n\n")
	columns := m.columns()
	for _, alike := range columns {
		if len(alike) > 1 {
			b.WriteString("- " + strings.Join(m.labels(alike), ", ") + "\n")
		}
	}
	m.writeOutcomes(&b, "All corpora", "", m.Totals(), columns, Cell.reasoned)
	for i, c := range m.Corpora {
		m.writeOutcomes(&b, c.Name, c.Description, m.Cells[i], columns, Cell.counts)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escaped is text in Markdown, also in the cell of a table.
func escaped(text string) string { return markdownEscapes.Replace(text) }

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "<", `\<`, "[", `\[`, "]", `\]`)

const pageLegend = `A number counts values that come back identical; ~n those that lose only what the codec
declares; -n those that are refused. For all corpora together this is by error code;
` + "`matrix.txt`" + ` has for each corpus the codes, and how many values lose what. A codec that is not
listed for a corpus is lossless there.

`

// columns returns the entries, those together that are equal in every cell.
func (m *Matrix) columns() [][]int {
	var list [][]int
	at := make(map[string]int)
	for j := range m.Entries {
		var column strings.Builder
		for _, row := range m.Cells {
			column.WriteString(row[j].String() + "\n")
		}
		i, ok := at[column.String()]
		if !ok {
			i = len(list)
			at[column.String()], list = i, append(list, nil)
		}
		list[i] = append(list[i], j)
	}
	return list
}

func (m *Matrix) labels(entries []int) []string {
	var names []string
	for _, j := range entries {
		names = append(names, escaped(m.Entries[j].Label))
	}
	return names
}

// writeOutcomes writes a corpus: every outcome but "lossless", with the first codec of
// each of the columns that has it.
func (m *Matrix) writeOutcomes(b *strings.Builder, name, description string, cells []Cell, columns [][]int, outcome func(Cell) string) {
	fmt.Fprintf(b, "\n**%s**, %d values", escaped(name), cells[0].Values())
	if description != "" {
		b.WriteString(": " + escaped(description))
	}
	b.WriteString("\n\n")
	with := make(map[string][]int)
	var order []string
	for _, alike := range columns {
		if c := cells[alike[0]]; c.Lossless < c.Values() {
			s := outcome(c)
			if with[s] == nil {
				order = append(order, s)
			}
			with[s] = append(with[s], alike[0])
		}
	}
	for _, s := range order {
		b.WriteString("- " + strings.Join(m.labels(with[s]), ", ") + ": " + s + "\n")
	}
}

// counts is the cell for the page, whose legend explains it, without reasons.
func (c Cell) counts() string {
	if c.Refusals() == c.Values() {
		return "refused"
	}
	return c.outcome("")
}

// reasoned is the same with codes of errors.
func (c Cell) reasoned() string { return c.outcome(reasons(c.Refusals(), c.codes())) }

func (c Cell) outcome(codes string) string {
	var parts []string
	if c.Lossless > 0 {
		parts = append(parts, fmt.Sprint(c.Lossless))
	}
	if c.Lossy > 0 {
		parts = append(parts, escaped(fmt.Sprintf("~%d", c.Lossy)))
	}
	if n := c.Refusals(); n > 0 {
		parts = append(parts, escaped(fmt.Sprintf("-%d%s", n, codes)))
	}
	return strings.Join(parts, " ")
}

// reasons are those of n values, in parentheses.
func reasons(n int, all []string) string {
	text := strings.Join(all, ", ")
	if len(all) == 1 {
		text = strings.TrimSuffix(text, fmt.Sprint(" ", n))
	}
	return " (" + text + ")"
}

// WriteExpectations writes the cells as data, one per line, for [Matrix.Compare].
func (m *Matrix) WriteExpectations(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# What every codec does with every corpus: corpus | codec | values | outcome.\n")
	for i, corpus := range m.Corpora {
		for j, e := range m.Entries {
			b.WriteString(m.expectation(i, j, corpus, e) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (m *Matrix) expectation(i, j int, corpus Corpus, e Entry) string {
	return fmt.Sprintf("%s | %s | %d | %s", corpus.Name, e.Label, m.Cells[i][j].Values(), m.Cells[i][j])
}

// Compare returns a line for every cell that is not as the expectations, which
// [Matrix.WriteExpectations] wrote, have it, and for every expectation that the
// matrix has no cell for.
func (m *Matrix) Compare(expectations []byte) []string {
	expected := map[string]string{} // by corpus and label
	for line := range strings.Lines(string(expectations)) {
		line = strings.TrimRight(line, "\r\n")
		parts := strings.SplitN(line, " | ", 3)
		if len(parts) == 3 && !strings.HasPrefix(line, "#") {
			expected[parts[0]+" | "+parts[1]] = line
		}
	}
	var surprises []string
	for i, corpus := range m.Corpora {
		for j, e := range m.Entries {
			key := corpus.Name + " | " + e.Label
			got := m.expectation(i, j, corpus, e)
			switch want, ok := expected[key]; {
			case !ok:
				surprises = append(surprises, "not expected: "+got)
			case want != got:
				surprises = append(surprises, "expected: "+want+"\n     got: "+got)
			}
			delete(expected, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(expected)) {
		surprises = append(surprises, "expected, but not in the matrix: "+expected[key])
	}
	return surprises
}
