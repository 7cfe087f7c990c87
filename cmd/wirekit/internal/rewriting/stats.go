package rewriting

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// NewLLMStats returns the verb stats of llm.
func NewLLMStats(c *cli.Console) *cobra.Command { return newStats(c, "llm", "model", readReport) }

// NewMCPStats returns the verb stats of mcp.
func NewMCPStats(c *cli.Console) *cobra.Command {
	return newStats(c, "mcp", "server", readEvent)
}

// readEvent reads a line that a tally has written.
func readEvent(line []byte) ([]mcp.Event, error) {
	var e mcp.Event
	if err := gowire.Unmarshal(wire.JSON{}, line, &e); err != nil || e.Reason == "" {
		return nil, errors.New("not a result that the proxy has noted")
	}
	return []mcp.Event{e}, nil
}

// newStats returns the verb that sums up what a proxy's --stats has written: a line of
// the file is some events of results, and by is what their Server is.
func newStats(c *cli.Console, group, by string, read func(line []byte) ([]mcp.Event, error)) *cobra.Command {
	budget := cli.Amount(25000)
	var asJSON bool
	cmd := cli.NewCommand(group+"-stats", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		in, err := c.Open(cli.Argument(args))
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w; name the file that --stats names, of mcp proxy, llm proxy, hook or exec", err)
		}
		if err != nil {
			return err
		}
		defer in.Close()
		all, skipped, err := readSavings(in, int(budget), read)
		if err != nil {
			return fmt.Errorf("%s: %w", cli.Title(cli.Argument(args)), err)
		}
		if skipped.lines > 0 {
			c.Note("%s: %d lines are left out; the first, line %d, is %v", cli.Title(cli.Argument(args)), skipped.lines, skipped.first, skipped.why)
		}
		return c.Show(asJSON, &savingsReport{Budget: int(budget), Tools: all.sorted(), Skipped: skipped.lines, by: by})
	})
	cli.AddJSON(cmd, &asJSON)
	cmd.Flags().Var(&budget, "budget", "tokens that the client takes of one result")
	return cmd
}

// savings are those of each server's tools.
type savings map[[2]string]*saving

// A saving sums results up.
type saving struct {
	Server       string `json:"server"`
	Tool         string `json:"tool"`
	Results      int    `json:"results"`
	Rewritten    int    `json:"rewritten"`
	TokensBefore int    `json:"tokens_before"`
	TokensAfter  int    `json:"tokens_after"`
	NowBelow     int    `json:"now_below_budget"`
	// Rule is the one that would save most, and RuleTokens about how many.
	Rule       string `json:"rule,omitempty"`
	RuleTokens int    `json:"rule_tokens,omitempty"`

	members map[string]float64 // tokens, by patterns of rules
}

// savingOf is that of one result.
func savingOf(e mcp.Event, limit int) saving {
	s := saving{Results: 1, TokensBefore: e.TokensIn, TokensAfter: e.TokensOut}
	if e.Reason == mcp.ReasonConverted {
		s.Rewritten = 1
	}
	if e.TokensIn > limit && e.TokensOut <= limit {
		s.NowBelow = 1
	}
	return s
}

// add adds another's sums.
func (s *saving) add(o saving) {
	s.Results += o.Results
	s.Rewritten += o.Rewritten
	s.TokensBefore += o.TokensBefore
	s.TokensAfter += o.TokensAfter
	s.NowBelow += o.NowBelow
}

// A skipping counts lines that are not what was noted, as a full disk leaves them.
type skipping struct {
	lines, first int
	why          error
}

func (s *skipping) add(number int, why error) {
	if s.lines++; s.lines == 1 {
		s.first, s.why = number, why
	}
}

// readSavings reads a file of events, one a line. A file in which no line is one is an error.
func readSavings(r io.Reader, limit int, read func(line []byte) ([]mcp.Event, error)) (all savings, skipped skipping, err error) {
	all = make(savings)
	in := bufio.NewReader(r)
	good := 0
	for number := 1; err == nil; number++ {
		var line []byte
		line, err = lineio.Append(nil, in, mostStatsLine)
		if errors.Is(err, lineio.ErrTooLong) {
			err = lineio.Skip(line, in)
			skipped.add(number, fmt.Errorf("longer than %d bytes", mostStatsLine))
			continue
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		events, bad := read(line)
		if bad != nil {
			skipped.add(number, bad)
			continue
		}
		good++
		for _, e := range events {
			all.add(e, limit)
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		return nil, skipped, err
	case good == 0 && skipped.lines > 0:
		return nil, skipped, fmt.Errorf("line %d is %w", skipped.first, skipped.why)
	}
	return all, skipped, nil
}

func (all savings) add(e mcp.Event, limit int) {
	key := [2]string{e.Server, e.Tool}
	if all[key] == nil {
		all[key] = &saving{Server: e.Server, Tool: e.Tool, members: make(map[string]float64)}
	}
	all[key].add(savingOf(e, limit))
	if e.Largest != "" {
		all[key].members[e.Largest] += e.LargestPart * float64(e.TokensIn)
	}
}

// minRule is the part of a tool's tokens from which on a rule is named.
const minRule = 0.05

// findRule finds the rule that would save most.
func (s *saving) findRule() {
	best := minRule * float64(s.TokensBefore)
	for _, pattern := range slices.Sorted(maps.Keys(s.members)) {
		if n := s.members[pattern]; n > best {
			s.Rule, s.RuleTokens, best = "omit:"+pattern, int(n), n
		}
	}
}

// sorted returns the sums of the servers' tools, those that saved most first.
func (all savings) sorted() []*saving {
	for _, s := range all {
		s.findRule()
	}
	list := slices.AppendSeq([]*saving{}, maps.Values(all))
	slices.SortFunc(list, func(x, y *saving) int {
		return cmp.Or(cmp.Compare(y.TokensBefore-y.TokensAfter, x.TokensBefore-x.TokensAfter), cmp.Compare(x.Server, y.Server), cmp.Compare(x.Tool, y.Tool))
	})
	return list
}

// savingsReport is what --json prints.
type savingsReport struct {
	Budget int       `json:"budget"`
	Tools  []*saving `json:"tools"`
	// Skipped is the number of lines that were not what is noted.
	Skipped int `json:"skipped_lines,omitempty"`

	by string // what a Server is
}

// String has a line for each tool, and the sum.
func (r *savingsReport) String() string {
	var w, rules cli.Table
	w.Row(r.by, "tool", "results", "rewritten", "tokens before", "after", "saving", fmt.Sprintf("now below %d", r.Budget))
	sum := saving{Server: "all"}
	for _, s := range r.Tools {
		s.row(&w)
		sum.add(*s)
	}
	sum.row(&w)
	for _, s := range r.Tools {
		if s.Rule != "" {
			rules.Row(cli.OneLine(s.Tool)+"="+s.Rule, fmt.Sprintf("about %d of %d tokens; the members are lost", s.RuleTokens, s.TokensBefore))
		}
	}
	return cli.Printable(w.String() + rules.String())
}

func (s *saving) row(w *cli.Table) {
	saved := "–"
	if s.TokensBefore > 0 {
		saved = cli.Percent(cli.SavedPercent(s.TokensAfter, s.TokensBefore))
	}
	w.Row(cmp.Or(cli.OneLine(s.Server), "–"), cli.OneLine(s.Tool), strconv.Itoa(s.Results), strconv.Itoa(s.Rewritten),
		strconv.Itoa(s.TokensBefore), strconv.Itoa(s.TokensAfter), saved, strconv.Itoa(s.NowBelow))
}

// AddReport counts the blocks of a request, and writes a line for it.
func (t *tally) AddReport(r llm.Report) {
	r.Time = r.Time.UTC().Truncate(time.Millisecond)
	t.write(r, events(r)...)
}

// events returns an event for each block of a request. One that was refused has saved
// nothing.
func events(r llm.Report) []mcp.Event {
	var list []mcp.Event
	for _, b := range r.Blocks {
		e := mcp.Event{Server: cmp.Or(r.Model, r.Shape.String()), Tool: cmp.Or(b.Tool, b.Kind), Reason: b.Reason,
			TokensIn: b.TokensIn, TokensOut: b.TokensOut, Counter: r.Counter}
		if r.Refused {
			e.Reason, e.TokensOut = string(rewrite.Off), e.TokensIn
		}
		list = append(list, e)
	}
	return list
}

// readReport reads a line that addReport has written.
func readReport(line []byte) ([]mcp.Event, error) {
	var r llm.Report
	if err := gowire.Unmarshal(wire.JSON{}, line, &r); err != nil || r.Profile == "" {
		return nil, errors.New("not a request that the proxy has noted")
	}
	return events(r), nil
}
