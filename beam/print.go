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
			text := oneLine(e.Reason)
			if text == "" {
				text = fmt.Sprintf("%d tokens, %d as JSON", e.Tokens, e.JSONTokens)
			}
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
