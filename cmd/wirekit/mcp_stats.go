package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

func newMCPStats(c *console) *cobra.Command {
	return newStats(c, "mcp", "server", func(line []byte) ([]mcp.Event, error) {
		var e mcp.Event
		if err := gowire.Unmarshal(wire.JSON{}, line, &e); err != nil || e.Reason == "" {
			return nil, errors.New("not a result that the proxy has noted")
		}
		return []mcp.Event{e}, nil
	})
}

// newStats returns the verb that sums up what a proxy's --stats has written: a line of
// the file is some events of results, and by is what their Server is.
func newStats(c *console, group, by string, read func(line []byte) ([]mcp.Event, error)) *cobra.Command {
	budget := amount(25000)
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats [FILE|-]",
		Short: "Print what the proxy has saved, by " + by + " and tool",
		Long: `Print what the proxy has saved, by ` + by + ` and tool, from the file that its --stats
has written. Of a dry run it is what would have been saved. The last column has
the results that were above --budget and are not any more. Below it are the members
that take most, and about what a rule that omits them would save before formats.`,
		Example: "  wirekit " + group + " stats saved.jsonl",
		Args:    atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			in, err := c.open(argument(args))
			if err != nil {
				return err
			}
			defer in.Close()
			all, err := readSavings(in, int(budget), read)
			if err != nil {
				return fmt.Errorf("%s: %w", title(argument(args)), err)
			}
			if asJSON {
				return c.writeJSON(all.report(int(budget)))
			}
			return c.write("", all.table(by, int(budget)))
		},
	}
	addJSON(cmd, &asJSON)
	cmd.Flags().Var(&budget, "budget", "tokens that the client takes of one result")
	return cmd
}

// savings are those of each server's tools.
type savings map[[2]string]*saving

// A saving sums results up.
type saving struct {
	results, converted int
	before, after      int // tokens
	fits               int
	members            map[string]float64 // tokens, by patterns of rules
}

// add adds another's sums.
func (s *saving) add(o *saving) {
	s.results += o.results
	s.converted += o.converted
	s.before += o.before
	s.after += o.after
	s.fits += o.fits
}

// readSavings reads a file of events, one a line.
func readSavings(r io.Reader, limit int, read func(line []byte) ([]mcp.Event, error)) (savings, error) {
	all := make(savings)
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(strings.TrimSpace(string(line))) > 0 {
			events, bad := read(line)
			if bad != nil {
				return nil, fmt.Errorf("line %d is %w", number, bad)
			}
			for _, e := range events {
				all.add(e, limit)
			}
		}
		if err != nil {
			return all, nil
		}
	}
}

func (all savings) add(e mcp.Event, limit int) {
	key := [2]string{e.Server, e.Tool}
	if all[key] == nil {
		all[key] = &saving{members: make(map[string]float64)}
	}
	one := saving{results: 1, before: e.TokensIn, after: e.TokensOut}
	if e.Reason == mcp.ReasonConverted {
		one.converted = 1
	}
	if e.TokensIn > limit && e.TokensOut <= limit {
		one.fits = 1
	}
	all[key].add(&one)
	if e.Largest != "" {
		all[key].members[e.Largest] += e.LargestPart * float64(e.TokensIn)
	}
}

// minRule is the part of a tool's tokens from which on a rule is named.
const minRule = 0.05

// rule returns the rule that would save most, and about how many tokens.
func (s *saving) rule() (rule string, tokens int) {
	best := minRule * float64(s.before)
	for _, pattern := range slices.Sorted(maps.Keys(s.members)) {
		if n := s.members[pattern]; n > best {
			rule, tokens, best = "omit:"+pattern, int(n), n
		}
	}
	return rule, tokens
}

// keys are the servers and tools, those that saved most first.
func (all savings) keys() [][2]string {
	return slices.SortedFunc(maps.Keys(all), func(a, b [2]string) int {
		x, y := all[a], all[b]
		return cmp.Or(cmp.Compare(y.before-y.after, x.before-x.after), cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
}

// savingsReport is what --json prints.
type savingsReport struct {
	Budget int           `json:"budget"`
	Tools  []toolSavings `json:"tools"`
}

type toolSavings struct {
	Server       string `json:"server"`
	Tool         string `json:"tool"`
	Results      int    `json:"results"`
	Rewritten    int    `json:"rewritten"`
	TokensBefore int    `json:"tokens_before"`
	TokensAfter  int    `json:"tokens_after"`
	NowBelow     int    `json:"now_below_budget"`
	Rule         string `json:"rule,omitempty"`
	RuleTokens   int    `json:"rule_tokens,omitempty"`
}

func (all savings) report(limit int) savingsReport {
	r := savingsReport{Budget: limit, Tools: []toolSavings{}}
	for _, key := range all.keys() {
		s := all[key]
		rule, tokens := s.rule()
		r.Tools = append(r.Tools, toolSavings{key[0], key[1], s.results, s.converted, s.before, s.after, s.fits, rule, tokens})
	}
	return r
}

// table has a line for each tool, and the sum.
func (all savings) table(by string, limit int) []byte {
	var out strings.Builder
	w := newTable(&out)
	w.row(by, "tool", "results", "rewritten", "tokens before", "after", "saving", fmt.Sprintf("now below %d", limit))
	var sum saving
	for _, key := range all.keys() {
		all[key].row(w, key[0], key[1])
		sum.add(all[key])
	}
	sum.row(w, "all", "")
	w.flush()
	rules := newTable(&out)
	for _, key := range all.keys() {
		if rule, tokens := all[key].rule(); rule != "" {
			rules.row(oneLine(key[1])+"="+rule, fmt.Sprintf("about %d of %d tokens; the members are lost", tokens, all[key].before))
		}
	}
	rules.flush()
	return []byte(printable(out.String()))
}

func (s *saving) row(w *table, server, tool string) {
	saved := "–"
	if s.before > 0 {
		saved = percent(100 * (1 - float64(s.after)/float64(s.before)))
	}
	w.row(cmp.Or(oneLine(server), "–"), oneLine(tool), strconv.Itoa(s.results), strconv.Itoa(s.converted),
		strconv.Itoa(s.before), strconv.Itoa(s.after), saved, strconv.Itoa(s.fits))
}
