package beam

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// A Report is what was measured over documents, and is the same however they were
// spread over workers.
type Report struct {
	// Documents were measured. JSONTokens are those of compact JSON over all of them,
	// BestTokens those of each one's best text that lost nothing, compact JSON included.
	Documents, JSONTokens, BestTokens int64
	// Counter is the name of the counter.
	Counter string
	Formats map[string]*FormatReport
	// Rejected is how many documents were passed over, and RejectedCodes why.
	Rejected      int64
	RejectedCodes map[string]int64
	// RejectedSamples are the first of them by file and offset.
	RejectedSamples []Rejected
}

// A FormatReport is a Report's part about one format or variant.
type FormatReport struct {
	// Carried documents were written and read back. Bytes, Gzip and Tokens are theirs,
	// as [github.com/wirekit/wirekit.Compare] measures each; Tokens is 0 for a binary
	// format.
	// JSONTokens are those of compact JSON, over the documents carried.
	Carried, Bytes, Gzip, Tokens, JSONTokens int64
	// Lossless of those carried lost nothing that JSON keeps. Refused documents could not
	// be carried.
	Lossless, Refused int64
	// Losses counts what those that are not lossless, and those that lost what JSON loses
	// too, differ in; Refusals counts the errors' codes.
	Losses, Refusals map[string]int64
	// Best and Worst are the documents with the largest and the smallest saving;
	// FirstLossy and FirstRefused the first, by file and offset, that lost something and
	// that were refused.
	Best, Worst, FirstLossy, FirstRefused []Example
}

// Saving returns the part of compact JSON's tokens that the format saves.
func (f *FormatReport) Saving() float64 {
	if f.JSONTokens == 0 || f.Tokens == 0 {
		return 0
	}
	return 1 - float64(f.Tokens)/float64(f.JSONTokens)
}

// An Example is a document that shows something.
type Example struct {
	// Reason says what was lost, or why it was refused.
	File, Reason   string
	Offset, Number int64
	// Tokens and JSONTokens are those of the format and of compact JSON.
	Tokens, JSONTokens int64
}

// kept is how many examples of a kind a Report keeps.
const kept = 3

// place orders examples by where they came from.
func (e Example) place(f Example) int {
	return cmp.Or(cmp.Compare(e.File, f.File), cmp.Compare(e.Offset, f.Offset), cmp.Compare(e.Number, f.Number))
}

// better orders examples by their saving, the largest first, in whole numbers.
func (e Example) better(f Example) int {
	return cmp.Or(cmp.Compare(e.Tokens*f.JSONTokens, f.Tokens*e.JSONTokens), e.place(f))
}

// worse orders examples by their saving, the smallest first.
func (e Example) worse(f Example) int {
	return cmp.Or(cmp.Compare(f.Tokens*e.JSONTokens, e.Tokens*f.JSONTokens), e.place(f))
}

// first returns the first of both, of a total order, so that it makes no difference in
// which order reports are added.
func first[T any](a, b []T, order func(T, T) int) []T {
	all := append(slices.Clone(a), b...)
	slices.SortFunc(all, order)
	return all[:min(len(all), kept)]
}

func addCounts(to *map[string]int64, from map[string]int64) {
	if *to == nil && len(from) > 0 {
		*to = make(map[string]int64, len(from))
	}
	for name, n := range from {
		(*to)[name] += n
	}
}

// add adds another report to r. It keeps nothing of it that could be changed.
func (r *Report) add(o *Report) {
	r.Documents += o.Documents
	r.Counter = cmp.Or(r.Counter, o.Counter)
	r.JSONTokens += o.JSONTokens
	r.BestTokens += o.BestTokens
	if r.Formats == nil {
		r.Formats = make(map[string]*FormatReport)
	}
	for name, f := range o.Formats {
		if r.Formats[name] == nil {
			r.Formats[name] = &FormatReport{}
		}
		r.Formats[name].add(f)
	}
	r.Rejected += o.Rejected
	addCounts(&r.RejectedCodes, o.RejectedCodes)
	r.RejectedSamples = first(r.RejectedSamples, o.RejectedSamples, byPlace)
}

func (f *FormatReport) add(o *FormatReport) {
	f.Carried += o.Carried
	f.Bytes += o.Bytes
	f.Gzip += o.Gzip
	f.Tokens += o.Tokens
	f.JSONTokens += o.JSONTokens
	f.Lossless += o.Lossless
	addCounts(&f.Losses, o.Losses)
	f.Refused += o.Refused
	addCounts(&f.Refusals, o.Refusals)
	f.Best = first(f.Best, o.Best, Example.better)
	f.Worst = first(f.Worst, o.Worst, Example.worse)
	f.FirstLossy = first(f.FirstLossy, o.FirstLossy, Example.place)
	f.FirstRefused = first(f.FirstRefused, o.FirstRefused, Example.place)
}

func init() {
	beam.RegisterDoFn(reflect.TypeFor[*writeReportFn]())
}

// WriteReport writes a report to a file, as [Report.String] has it.
func WriteReport(s beam.Scope, file string, report beam.PCollection) {
	beam.ParDo0(s.Scope("wirekit.WriteReport"), &writeReportFn{File: file}, report)
}

// writeReportFn writes a report.
type writeReportFn struct{ File string }

// ProcessElement writes the file.
func (fn *writeReportFn) ProcessElement(ctx context.Context, r Report) error {
	return writeFile(ctx, fn.File, []byte(r.String()))
}

// String returns the report as Markdown: the formats, the largest saving first, what
// they lose and refuse, the best and worst documents, and what was passed over.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents: %d tokens of %s as compact JSON, %d in the best format of each\n",
		r.Documents, r.JSONTokens, cmp.Or(r.Counter, "no tokenizer"), r.BestTokens)
	switch {
	case r.Rejected == 0 && r.Documents == 0:
		b.WriteString("\nNothing was read: the files that were named, if there are any, have no documents.\n")
	case r.Rejected == 0:
		b.WriteString("\nNone was passed over.\n")
	default:
		fmt.Fprintf(&b, "\n%d more were passed over: %s.\n\n", r.Rejected, counts(r.RejectedCodes))
		for _, s := range r.RejectedSamples {
			fmt.Fprintf(&b, "- %s at byte %d: %s\n", s.File, s.Offset, oneLine(s.Message))
		}
	}
	names := slices.Collect(maps.Keys(r.Formats))
	slices.SortFunc(names, func(x, y string) int {
		f, g := r.Formats[x], r.Formats[y]
		return cmp.Or(cmp.Compare(f.rank(), g.rank()), -cmp.Compare(f.Saving(), g.Saving()), cmp.Compare(x, y))
	})
	b.WriteString("\n| format | documents | lossless | refused | tokens | saving | bytes | gzip |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, name := range names {
		f := r.Formats[name]
		tokens, saving := "-", "-"
		if f.Tokens > 0 {
			tokens, saving = fmt.Sprint(f.Tokens), fmt.Sprintf("%.1f%%", 100*f.Saving())
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %s | %d | %d |\n", name, f.Carried, f.Lossless, f.Refused, tokens, saving, f.Bytes, f.Gzip)
	}
	for _, name := range names {
		r.Formats[name].details(&b, name)
	}
	return b.String()
}

// rank puts formats with tokens before binary ones, and those before the ones that
// carried nothing.
func (f *FormatReport) rank() int {
	switch {
	case f.Carried == 0:
		return 2
	case f.Tokens == 0:
		return 1
	}
	return 0
}

// details says what the table has no room for.
func (f *FormatReport) details(b *strings.Builder, name string) {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, "- "+fmt.Sprintf(format, args...)) }
	if f.Refused > 0 {
		say("refused %d: %s", f.Refused, counts(f.Refusals))
	}
	if f.Lossless < f.Carried {
		say("lost something of %d: %s", f.Carried-f.Lossless, counts(f.Losses))
	}
	for _, list := range []struct {
		what     string
		examples []Example
	}{{"refused", f.FirstRefused}, {"lost", f.FirstLossy}, {"best", f.Best}, {"worst", f.Worst}} {
		for _, e := range list.examples {
			if name == "json" && (list.what == "best" || list.what == "worst") {
				continue
			}
			text := cmp.Or(oneLine(e.Reason), fmt.Sprintf("%d tokens, %d as JSON", e.Tokens, e.JSONTokens))
			say("%s: %s: %s", list.what, e, text)
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n%s\n\n%s\n", name, strings.Join(lines, "\n"))
	}
}

// String returns the place of an example.
func (e Example) String() string {
	switch {
	case e.Number > 0:
		return fmt.Sprintf("%s, record %d", e.File, e.Number)
	case e.Offset > 0:
		return fmt.Sprintf("%s at byte %d", e.File, e.Offset)
	}
	return e.File
}

func counts(of map[string]int64) string {
	names := slices.SortedFunc(maps.Keys(of), func(x, y string) int { return cmp.Or(-cmp.Compare(of[x], of[y]), cmp.Compare(x, y)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, of[name])
	}
	return strings.Join(names, ", ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
