package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An operation is measured in several rounds, all operations in each round, so
// that what else the machine does meets them alike. The best round counts. A round
// has as many calls as bring about several collections: what is allocated is paid.
type operation struct {
	run    func()
	n      int // calls a round
	best   time.Duration
	allocs uint64
	bytes  uint64 // allocated by a call
}

// A race is operations that are measured together.
type race []*operation

func (r *race) add(run func()) { *r = append(*r, &operation{run: run}) }

// rounds is how often each operation is measured: a round is so short that some
// are without what else the machine does.
const rounds = 10

// collections is how many a round has, unless it lasted too long with so many.
const collections = 4

// measure measures them. What they keep between calls counts where steady: they are called
// before each round.
func (operations race) measure(each time.Duration, steady bool) {
	var before, after runtime.MemStats
	for _, o := range operations {
		o.best = math.MaxInt64
		o.run() // warm
		runtime.GC()
		runtime.ReadMemStats(&before)
		const calls = 3 // a collection may fall into one of them
		once := each
		for range calls {
			start := time.Now()
			o.run()
			once = min(once, max(time.Since(start), 1))
		}
		runtime.ReadMemStats(&after)
		free, used := after.NextGC-before.HeapAlloc, (after.TotalAlloc-before.TotalAlloc)/calls
		o.n = max(1, int(each/rounds/once), min(int(each/once), int(collections*free/max(used, 1))))
	}
	for range rounds {
		for _, o := range operations {
			runtime.GC()
			if steady {
				o.run()
				o.run()
			}
			runtime.ReadMemStats(&before)
			start := time.Now()
			for range o.n {
				o.run()
			}
			o.best = min(o.best, time.Since(start)/time.Duration(o.n))
			runtime.ReadMemStats(&after)
			o.allocs = (after.Mallocs - before.Mallocs) / uint64(o.n)
			o.bytes = (after.TotalAlloc - before.TotalAlloc) / uint64(o.n)
		}
	}
}

// A pair is a row of two tables: a way to write and to read.
type pair struct {
	name        string
	write, read func()
}

// pairTables are what is measured of pairs, each against the first.
type pairTables struct {
	write, read, allocs grid
	unit                string // of the first pair's figure
	figure              func(size int, o *operation) float64
}

// measure fills a column, of what takes size bytes of compact JSON.
func (t *pairTables) measure(column string, size int, pairs []pair, each time.Duration) {
	var r race
	for _, p := range pairs {
		r.add(p.write)
		r.add(p.read)
	}
	r.measure(each, false)
	t.write.add("bytes of compact JSON", column, float64(size))
	t.write.add(pairs[0].name+": "+t.unit, column, t.figure(size, r[0]))
	t.read.add(pairs[0].name+": "+t.unit, column, t.figure(size, r[1]))
	for i, p := range pairs {
		write, read := r[2*i], r[2*i+1]
		if i > 0 {
			t.write.add(p.name, column, ratio(r[0], write))
			t.read.add(p.name, column, ratio(r[1], read))
		}
		t.allocs.add(p.name, "encode", float64(write.allocs))
		t.allocs.add(p.name, "decode", float64(read.allocs))
	}
}

// speed is in megabytes a second.
func speed(bytes int, o *operation) float64 { return float64(bytes) / 1e6 / o.best.Seconds() }

func micros(_ int, o *operation) float64 { return float64(o.best) / 1e3 }

// ratio returns how many times faster o is than base.
func ratio(base, o *operation) float64 { return float64(base.best) / float64(o.best) }

// A grid is a table whose rows and columns come in the order in which they are added. A
// cell shows the least and the most of what was added to it.
type grid struct {
	rows, columns []string
	cells         map[[2]string][]float64 // by row and column
}

func (g *grid) add(row, column string, x float64) {
	if !slices.Contains(g.rows, row) {
		g.rows = append(g.rows, row)
	}
	if !slices.Contains(g.columns, column) {
		g.columns = append(g.columns, column)
	}
	if g.cells == nil {
		g.cells = make(map[[2]string][]float64)
	}
	at := [2]string{row, column}
	g.cells[at] = append(g.cells[at], x)
}

func (g *grid) print(w io.Writer, title, unit string) {
	fmt.Fprintf(w, "\n### %s\n\n| %s | %s |\n| --- |%s\n", title, unit, strings.Join(g.columns, " | "), strings.Repeat(" --: |", len(g.columns)))
	for _, row := range g.rows {
		fmt.Fprintf(w, "| %s |", row)
		for _, column := range g.columns {
			cell := g.cells[[2]string{row, column}]
			switch {
			case cell == nil:
				fmt.Fprint(w, " – |")
			case slices.Min(cell) == slices.Max(cell):
				fmt.Fprintf(w, " %s |", number(cell[0]))
			default:
				fmt.Fprintf(w, " %s–%s |", number(slices.Min(cell)), number(slices.Max(cell)))
			}
		}
		fmt.Fprintln(w)
	}
}

// number is whole from 100 on, else it has two decimals.
func number(x float64) string {
	if x >= 100 || x == float64(int(x)) {
		return fmt.Sprintf("%.0f", x)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}
