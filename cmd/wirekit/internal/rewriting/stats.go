package rewriting

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// NewLLMStats returns the verb stats of llm.
func NewLLMStats(c *cli.Console) *cobra.Command {
	s := &stats{c: c, by: "model", read: readReport}
	cmd := s.command("llm-stats")
	cmd.Flags().StringVar(&s.calibrated, "calibrated", "", "say what is saved in the provider's tokens, as the file of llm proxy --calibrate has them")
	return cmd
}

// NewMCPStats returns the verb stats of mcp.
func NewMCPStats(c *cli.Console) *cobra.Command {
	return (&stats{c: c, by: "server", read: readEvent}).command("mcp-stats")
}

// readEvent reads a line that a tally has written.
func readEvent(line []byte) ([]mcp.Event, error) {
	var e mcp.Event
	if err := wire.Unmarshal(wire.JSON{}, line, &e); err != nil || e.Reason == "" {
		return nil, errors.New("not a result that the proxy has noted")
	}
	return []mcp.Event{e}, nil
}

// stats is the verb that sums up what a proxy's --stats has written.
type stats struct {
	c            *cli.Console
	by           string                                 // what the Server of an event is
	read         func(line []byte) ([]mcp.Event, error) // of results
	budget       cli.Amount
	json, follow bool
	calibrated   string
	blocks       int // that were printed
}

func (s *stats) command(name string) *cobra.Command {
	s.budget = 25000
	cmd := cli.NewCommand(name, cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		return s.run(cli.Argument(args), func() { time.Sleep(time.Second) })
	})
	cli.AddJSON(cmd, &s.json)
	cmd.Flags().BoolVar(&s.follow, "follow", false, "print again what there is whenever the file has grown, until interrupted")
	cmd.Flags().Var(&s.budget, "budget", "tokens that the client takes of one result")
	return cmd
}

// run prints what a file has, or with --follow each file that has the name in turn.
func (s *stats) run(name string, wait func()) error {
	for {
		in, err := s.c.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w; name the file that --stats names, of mcp proxy, llm proxy, hook or exec", err)
		}
		if err != nil {
			return err
		}
		err = s.file(in, name, wait)
		_ = in.Close() // which was only read
		if err != nil || !s.follow {
			return err
		}
	}
}

// file prints what a file has; with --follow, whenever it has grown, until it is cut or
// another has its name.
func (s *stats) file(in io.Reader, name string, wait func()) error {
	all := make(savings)
	var noted notedLines
	add := func(line []byte) error { return s.add(all, line) }
	shown := -1 // lines
	show := func() error {
		if shown == noted.all {
			return nil
		}
		shown = noted.all
		return s.show(all, &noted, name)
	}
	if !s.follow {
		if err := noted.read(in, add); err != nil {
			return err
		}
		return show()
	}
	file, _ := in.(*os.File)
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() { // standard input, or a pipe
		return cli.Usagef("--follow needs the name of the file that --stats writes")
	}
	return noted.read(&tail{File: file, show: show, wait: wait}, add)
}

// add adds what a line notes.
func (s *stats) add(all savings, line []byte) error {
	events, err := s.read(line)
	for _, e := range events {
		all.add(e, int(s.budget))
	}
	return err
}

// show prints what there is of a file.
func (s *stats) show(all savings, noted *notedLines, name string) error {
	if err := noted.check(s.c, cli.Title(name)); err != nil {
		return err
	}
	billed, err := readBilled(s.c, s.calibrated, all)
	if err != nil {
		return err
	}
	report := savingsReport{Budget: int(s.budget), Tools: all.sorted(), Models: billed, Skipped: noted.skipped, by: s.by}
	text := append([]byte(report.String()), billedText(billed)...)
	if s.json {
		if text, err = cli.Indented(report); err != nil {
			return err
		}
	}
	switch {
	case s.follow && cli.IsTerminal(s.c.Out):
		text = append([]byte("\x1b[H\x1b[2J"), text...)
	case s.blocks > 0:
		text = append([]byte("\n"), text...)
	}
	s.blocks++
	return s.c.Write("", text)
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
	Models []billed  `json:"models,omitempty"` // by the provider's count
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

// readReport reads a line that AddReport has written.
func readReport(line []byte) ([]mcp.Event, error) {
	var r llm.Report
	if err := wire.Unmarshal(wire.JSON{}, line, &r); err != nil || r.Profile == "" {
		return nil, errors.New("not a request that the proxy has noted")
	}
	return events(r), nil
}
