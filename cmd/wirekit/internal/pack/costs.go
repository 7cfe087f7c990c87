package pack

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/parallel"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
)

// A cost is what a file or folder costs, with what is in it.
type cost struct {
	name   string // with a slash at the end of a folder's
	tokens int
	below  []*cost
}

// costTree lists the tokens of folders and files as a tree, largest first.
func costTree(r *pack.Report, counts []int, tokenizer string) string {
	root := new(cost)
	for i, f := range r.Files { // in the order of the paths
		at := root
		at.tokens += counts[i]
		for name := range strings.SplitAfterSeq(f.Path, "/") {
			if n := len(at.below); n == 0 || at.below[n-1].name != name {
				at.below = append(at.below, &cost{name: name})
			}
			at = at.below[len(at.below)-1]
			at.tokens += counts[i]
		}
	}
	var out strings.Builder
	root.write(&out, 0)
	fmt.Fprintf(&out, "%10d  in all, %s\n", root.tokens, tokenizer)
	return out.String()
}

// packCosts are what "pack --tokens --json" prints.
type packCosts struct {
	Tokenizer string         `json:"tokenizer"`
	Tokens    int            `json:"tokens"`
	Files     []fileCost     `json:"files"`
	Skipped   []pack.Skipped `json:"skipped"`
	Masked    []pack.Secret  `json:"masked"`
}

type fileCost struct {
	Path     string `json:"path"`
	Bytes    int    `json:"bytes"`
	Tokens   int    `json:"tokens"`
	Priority string `json:"priority"`
	Why      string `json:"why"`
}

// costReport is costTree as JSON, in the order of the paths.
func costReport(r *pack.Report, counts []int, tokenizer string) (string, error) {
	report := packCosts{Tokenizer: tokenizer, Files: []fileCost{},
		Skipped: append([]pack.Skipped{}, r.Skipped...), Masked: append([]pack.Secret{}, r.Masked...)}
	for i, f := range r.Files {
		report.Tokens += counts[i]
		report.Files = append(report.Files, fileCost{f.Path, f.Bytes, counts[i], f.Priority.String(), f.Why()})
	}
	text, err := cli.Indented(report)
	return string(text), err
}

// countFiles counts the tokens of every file, by as many goroutines as the
// machine has processors.
func countFiles(payload *bcp.Payload, r *pack.Report, counter tokens.Counter) ([]int, error) {
	counts := make([]int, len(r.Files))
	err := parallel.Each(runtime.GOMAXPROCS(0), len(counts), func(_, i int) (err error) {
		counts[i], err = counter.Count(payload.Blocks[r.Files[i].Block].Body.(*bcp.Code).Content)
		return err
	})
	return counts, err
}

func (c *cost) write(out *strings.Builder, depth int) {
	slices.SortStableFunc(c.below, func(a, b *cost) int { return cmp.Compare(b.tokens, a.tokens) })
	for _, b := range c.below {
		fmt.Fprintf(out, "%10d  %s%s\n", b.tokens, strings.Repeat("  ", min(depth, 32)), cli.OneLine(b.name))
		b.write(out, depth+1)
	}
}

// explain prints what the rank of each file comes from and, if the pack was
// rendered, how much of it is shown.
func explain(c *cli.Console, r *pack.Report, shown *render.Result) {
	files := slices.Clone(r.Files)
	slices.SortStableFunc(files, func(a, b pack.File) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(b.Worth, a.Worth))
	})
	for _, f := range files {
		level, next := "", ""
		if shown != nil {
			level = fmt.Sprintf("%-12s", shown.Levels[f.Block])
			if shown.Next != nil && shown.Next[f.Block].To != "" {
				s := shown.Next[f.Block]
				next = fmt.Sprintf("; %s would take %d more, %d were left for it", s.To, s.Tokens, s.Left)
				if s.Tokens > math.MaxInt/8 { // it was not counted to its end
					next = fmt.Sprintf("; %s would take more than the budget, %d were left for it", s.To, s.Left)
				}
			}
		}
		fmt.Fprintf(c.Err, "%s%-11s worth %4d %s: %s%s\n", level, f.Priority, f.Worth, cli.OneLine(f.Path), f.Why(), next)
	}
}
