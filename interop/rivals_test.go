//go:build interop

package interop

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A rival is an encoder, and what it made of each payload.
type rival struct {
	name, script, uses string
	texts              []string // "" where it refuses
	differs            []string // what its own reader makes of the text, "" for the same value
}

// vocabularies are those of the page.
var vocabularies = []tokens.Counter{tokens.O200k{}, tokens.Cl100k{}}

// TestInteropRivals holds that docs/rivals.md and rivals.tsv are what published encoders make
// of the payloads today. UPDATE_DOCS=1 writes them, as make rivals does.
func TestInteropRivals(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it counts every payload in every encoding")
	}
	rivals := []*rival{
		{name: "JSON"}, {name: "indented"}, {name: "TOON", script: "toon.mjs", uses: "@toon-format/toon"},
		{name: "GCF", script: "gcf.mjs", uses: "@blackwell-systems/gcf"}, {name: "TRON", script: "tron.mjs", uses: "@tron-format/tron"}, {name: "wirekit"},
	}
	var used []string
	for _, r := range rivals {
		if r.uses != "" {
			used = append(used, fmt.Sprintf("- %s: `%s` %s of npm", r.name, r.uses, r.exchange(t)))
			continue
		}
		for _, p := range payload.All() {
			text, back := own(t, r.name, p.Value)
			require.Empty(t, same(p.Value, back), p.Kind)
			r.texts, r.differs = append(r.texts, text), append(r.differs, "")
		}
	}
	page, rows := rivalsPage(t, rivals, used)
	for file, text := range map[string]string{"../docs/rivals.md": page, "../docs/rivals.tsv": rows} {
		if os.Getenv("UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(have), text, "make rivals brings it up to date")
	}
}

// own encodes a value here, and decodes it again.
func own(t *testing.T, name string, v wire.Value) (string, wire.Value) {
	var codec wire.Codec = wire.JSON{}
	text := wire.AppendJSON(nil, v)
	switch name {
	case "indented":
		var err error
		text, err = wire.JSON{Indent: "  "}.AppendEncode(nil, v)
		require.NoError(t, err)
	case "wirekit":
		choice, err := wirekit.Choose(context.Background(), v)
		require.NoError(t, err)
		text, codec = choice.Encoded, choice.Codec
	}
	back, err := codec.Decode(text)
	require.NoError(t, err)
	return string(text), back
}

// exchange has the published package encode every payload, and read what it wrote. It returns
// the package's version.
func (r *rival) exchange(t *testing.T) (version string) {
	var requests []wire.Value
	for _, p := range payload.All() {
		requests = append(requests, request(t, "encode", string(p.JSON)))
	}
	answers, version := exchanged(t, r.script, r.uses, requests)
	requests = nil
	for _, a := range answers {
		text, _ := a.Get("ok")
		r.texts = append(r.texts, text.Text())
		requests = append(requests, request(t, "decode", text.Text()))
	}
	answers = exchange(t, r.script, r.uses, requests)
	for i, p := range payload.All() {
		text, ok := answers[i].Get("ok")
		switch {
		case r.texts[i] == "":
			r.differs = append(r.differs, "refused")
		case !ok:
			r.differs = append(r.differs, "unread")
		default:
			r.differs = append(r.differs, same(p.Value, codectest.Decoded(t, wire.JSON{}, text.Text())))
		}
	}
	return version
}

// same returns what of a value is another one after reading. The order of members and the
// spelling of numbers are not: JavaScript has neither.
func same(want, got wire.Value) string {
	loss, _ := wire.Difference(want, got)
	if loss &^= wire.LossOrder | wire.LossNumberText; loss == 0 {
		return ""
	}
	return loss.String()
}

// rivalsPage is the page, and the file of rows that it names.
func rivalsPage(t *testing.T, rivals []*rival, used []string) (page, rows string) {
	var out, file strings.Builder
	fmt.Fprintf(&out, `# The same answers in other encoders

Tokens of the [%d answers](measurements.md#every-answer) that this project measures on, as
published encoders write them with their default options, and as %[2]swirekit.Choose%[2]s does:

%[3]s

Each text was read by its own reader and compared: the value is the same but for the order of
members and the spelling of numbers, unless it is counted below. (JavaScript's numbers are
doubles, which have no room for numbers of eighteen digits.) The choice was made with o200k_base
for both vocabularies. What a model makes of the texts was not measured;
[choosing.md](choosing.md#what-tokens-do-not-tell) has what is published.

Every answer in every encoder is in [rivals.tsv](rivals.tsv). %[2]smake rivals%[2]s makes it and this
page, with Node, npm and the network for the packages. [The answers are files with
hashes](measurements.md#every-answer), for any other encoder.
`, len(payload.All()), "`", strings.Join(used, "\n"))
	file.WriteString("vocabulary\tanswer" + cells(rivals, "\t%v", func(i int) any { return rivals[i].name }) + "\n")
	for _, counter := range vocabularies {
		fmt.Fprintf(&out, "\n## Tokens of %s\n\n| answers |%s\n| --- |%s\n", counter.Name(),
			cells(rivals, " %v |", func(i int) any { return rivals[i].name }), strings.Repeat(" ---: |", len(rivals)))
		counts := make([][]int, len(rivals))
		for i, r := range rivals {
			for _, text := range r.texts {
				n, err := counter.Count([]byte(text))
				require.NoError(t, err)
				counts[i] = append(counts[i], n)
			}
		}
		for row, p := range payload.All() {
			file.WriteString(counter.Name() + "\t" + p.Kind + cells(rivals, "\t%v", func(i int) any {
				return strings.TrimSpace(fmt.Sprint(counts[i][row], " ", rivals[i].differs[row]))
			}) + "\n")
		}
		rivalsSums(&out, rivals, counts)
	}
	return out.String(), file.String()
}

// cells writes what cell returns for each rival.
func cells(rivals []*rival, format string, cell func(i int) any) string {
	var out strings.Builder
	for i := range rivals {
		fmt.Fprintf(&out, format, cell(i))
	}
	return out.String()
}

// rivalsSums writes what all take, and the answers of which another encoder writes the same
// value in fewer tokens than this project's choice.
func rivalsSums(out *strings.Builder, rivals []*rival, counts [][]int) {
	last := len(rivals) - 1
	sums, larger, smaller, lost := make([]int, last+1), make([]int, last+1), make([]int, last+1), make([]int, last+1)
	var adverse []int
	for row := range payload.All() {
		least := counts[last][row]
		for i, r := range rivals {
			n := counts[i][row]
			sums[i] += n
			if n > counts[0][row] {
				larger[i]++
			}
			if n < counts[last][row] {
				smaller[i]++
			}
			if r.differs[row] != "" {
				lost[i]++
			} else {
				least = min(least, n)
			}
		}
		if least < counts[last][row] {
			adverse = append(adverse, row)
		}
	}
	line := func(name string, cell func(i int) any) {
		fmt.Fprintf(out, "| %s |%s\n", name, cells(rivals, " %v |", cell))
	}
	line("all", func(i int) any { return sums[i] })
	line("against JSON", func(i int) any {
		return fmt.Sprintf("%+.1f %%", 100*(float64(sums[i])/float64(sums[0])-1))
	})
	line("number of them larger than JSON", func(i int) any { return larger[i] })
	line("smaller than wirekit", func(i int) any { return smaller[i] })
	line("not the same value", func(i int) any { return lost[i] })
	for _, row := range adverse {
		line("*"+payload.All()[row].Kind+"*", func(i int) any { return counts[i][row] })
	}
}
