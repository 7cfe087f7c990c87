// Package rewriting is what the verbs share that rewrite what models read, mcp, llm, hook
// and exec: the flags of a rewriter and the files that set them, a tally of what was saved,
// the verbs that sum such tallies up, and serving over HTTP. It imports cli.
package rewriting

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/smallfile"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// A way to a model is a group of verbs that rewrite results, by the same flags.
type way struct {
	modes   string     // what --mode can be
	longest cli.Amount // the default of --max-bytes
	what    string     // is not longer
	each    string     // has a line of --stats
}

var ways = map[string]way{
	"mcp":  {"replace, text (keep structuredContent), dry-run (only count) or off", rewrite.DefaultMaxBytes, "results", "result"},
	"llm":  {"replace, dry-run (only count) or off", rewrite.DefaultMaxRequest, "requests", "request"},
	"hook": {"replace, dry-run (only count) or off", rewrite.DefaultMaxBytes, "results", "result"},
	"exec": {"replace, dry-run (only count) or off", rewrite.DefaultMaxBytes, "output", "result"},
}

// Flags are the flags that say how results are rewritten, in every way to a model.
type Flags struct {
	group                         string // of ways
	mode                          string
	formats, rules, only          []string
	tokenizer                     cli.Tokenizer
	minSaving                     cli.Percentage
	minTokens, maxBytes, maxSteps cli.Amount
	config, stats                 string
	prune                         bool
}

// Register adds the flags of a group of verbs.
func (f *Flags) Register(flags *pflag.FlagSet, group string) {
	w := ways[group]
	f.group = group
	flags.StringVar(&f.mode, "mode", "replace", w.modes)
	flags.StringSliceVar(&f.formats, "formats", nil, "formats to choose from (default "+strings.Join(rewrite.DefaultFormats(), ",")+")")
	f.minTokens, f.minSaving, f.maxBytes, f.maxSteps = rewrite.DefaultMinTokens, rewrite.DefaultMinSaving, w.longest, rewrite.DefaultMaxSteps
	flags.Var(&f.minTokens, "min-tokens", "leave results with fewer tokens alone")
	flags.Var(&f.minSaving, "min-saving", "leave results alone that would save less")
	flags.Var(&f.maxBytes, "max-bytes", "leave longer "+w.what+" alone, in bytes")
	flags.Var(&f.maxSteps, "max-steps", "leave results alone that take more work: a step for each byte and format, 48 for a folded one; what folding makes too much is not folded; 0 for no bound")
	flags.StringArrayVar(&f.rules, "tool", nil, "a rule for tools, such as 'read_*=off' or 'list=fold,omit:**/*_url'; the first that fits holds")
	f.tokenizer.Add(flags, "token counter: ")
	flags.StringVar(&f.config, "config", "", "take flags that are not given from this file instead of the user's wirekit.yaml")
	flags.StringVar(&f.stats, "stats", "", "append a line of JSON for every "+w.each+" to this file")
	flags.BoolVar(&f.prune, "prune", false, "take out of the tools' schemas what validators ignore and what only repeats")
}

// Rewriter returns the rewriter that the flags describe. What they say wrongly
// is a wrong call.
func (f *Flags) Rewriter() (*mcp.Rewriter, error) {
	mode, err := NamedMode(f.mode)
	r := &mcp.Rewriter{
		Mode: mode, Counter: f.tokenizer.Counter, MinTokens: orNone(int(f.minTokens)), MaxBytes: int(f.maxBytes), MaxSteps: orNone(int(f.maxSteps)),
		MinSaving: orNone(float64(f.minSaving)), Prune: f.prune,
	}
	if !slices.Equal(f.formats, []string{cli.Auto}) {
		r.Formats = f.formats
	}
	if f.only != nil {
		r.Formats = f.narrowed(rewrite.Plan{Formats: r.Formats}.WithDefaults().Formats)
	}
	if f.maxBytes < 1 {
		err = cmp.Or(err, fmt.Errorf("--max-bytes is a number of bytes from 1, not %d", f.maxBytes))
	}
	for _, text := range f.rules {
		rule, bad := mcp.ParseRule(text)
		err = cmp.Or(err, bad)
		rule.Formats = f.narrowed(rule.Formats)
		r.Rules = append(r.Rules, rule)
	}
	if err = cmp.Or(err, r.Validate()); err != nil {
		return nil, cli.Usage(err)
	}
	return r, nil
}

// Preload loads what the first result would have to wait for: the vocabulary.
func (f *Flags) Preload() error {
	_, err := f.tokenizer.Count([]byte("warm"))
	return err
}

// NamedMode returns the mode of a name, which is not the default one.
func NamedMode(name string) (mode mcp.Mode, err error) {
	if err = mode.UnmarshalText([]byte(name)); err != nil || mode == mcp.ModeDefault {
		return 0, fmt.Errorf("unknown mode %q; known are replace, text, dry-run, off", name)
	}
	return mode, nil
}

// orNone returns a number where 0 means none as a Rewriter has it.
func orNone[T int | float64](n T) T {
	if n == 0 {
		return -1
	}
	return n
}

// A tally sums results up, and writes an event for each to a file, if there is one. The
// first event of several in a row that cannot be written is reported.
type tally struct {
	console *cli.Console
	group   string // the command's
	mu      sync.Mutex
	file    *statsFile
	failing bool // the last event is not in the file
	counter string
	sum     saving
}

// NewTally makes one for the flags of a group of verbs.
func NewTally(c *cli.Console, r *Flags) (*tally, error) {
	t := &tally{console: c, group: r.group}
	if r.stats != "" {
		f, err := openStats(r.stats)
		if err != nil {
			return nil, cli.Usagef("--stats: %w", err)
		}
		t.file = f
	}
	return t, nil
}

func (t *tally) Add(e mcp.Event) {
	e.Time = e.Time.UTC().Truncate(time.Millisecond)
	t.write(e, e)
}

// Log writes an event without counting it.
func (t *tally) Log(e mcp.Event) {
	e.Time = e.Time.UTC().Truncate(time.Millisecond)
	t.write(e)
}

// write counts results, and appends a line about them to the file.
func (t *tally) write(event any, results ...mcp.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range results {
		t.counter = e.Counter
		t.sum.add(savingOf(e, 0))
	}
	if t.file == nil {
		return
	}
	line, err := wire.Marshal(wire.JSON{Limits: wire.Limits{OutputBytes: mostStatsLine}}, event)
	if err != nil {
		err = fmt.Errorf("a line is left out: %w", err)
	} else {
		err = t.file.add(line)
	}
	if err != nil && !t.failing {
		t.console.Note("--stats: %v", err)
	}
	t.failing = err != nil
}

// Close says what was saved.
func (t *tally) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		if err := t.file.close(); err != nil {
			t.console.Note("--stats: %v", err)
		}
	}
	if s := t.sum; s.Results > 0 {
		t.console.Note("%s: %d of %d results rewritten, %d tokens instead of %d (%s)", t.group, s.Rewritten, s.Results, s.TokensAfter, s.TokensBefore, t.counter)
	}
}

// configName is the file that has flags for every way to a model, by their long names. An
// object under the name of a group of verbs is for that group.
const configName = "wirekit.yaml"

// Configure sets the flags that are not given from --config, or else from the files that
// are there.
func (f *Flags) Configure(cmd *cobra.Command, _ []string) error {
	if f.config != "" {
		return fromConfig(cmd.Flags(), f.config, f.group)
	}
	for _, file := range f.ConfigFiles() {
		if err := file.Read(cmd.Flags()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// A configFile is one that is read where none is named.
type configFile struct {
	Name string
	Read func(flags *pflag.FlagSet) error
}

// ConfigFiles are the user's file, and then that of the working folder, which counts where
// it narrows what is rewritten.
func (f *Flags) ConfigFiles() (files []configFile) {
	if dir, err := os.UserConfigDir(); err == nil {
		name := filepath.Join(dir, "wirekit", configName)
		files = append(files, configFile{name, func(flags *pflag.FlagSet) error { return fromConfig(flags, name, f.group) }})
	}
	return append(files, configFile{configName, func(*pflag.FlagSet) error { return eachSetting(configName, f.group, f.narrow) }})
}

// fromConfig sets flags that are not given, from a file of the user's.
func fromConfig(flags *pflag.FlagSet, file, group string) error {
	given := make(map[string]bool)
	flags.Visit(func(flag *pflag.Flag) { given[flag.Name] = true })
	return eachSetting(file, group, func(name, text string, own bool) error {
		flag := flags.Lookup(name)
		switch {
		case name == "config" || flag == nil && own && name != "upstream": // which not every verb of llm has
			return fmt.Errorf("there is no setting %q", name)
		case flag == nil || given[name]: // it may be one of another group
			return nil
		}
		return settingError(name, text, flag.Value, flags.Set(name, text))
	})
}

// settingError is the error of a setting that its flag does not take.
func settingError(name, text string, value pflag.Value, err error) error {
	if takes := cli.Wants[value.Type()]; err != nil && takes != "" {
		return fmt.Errorf("%s is %s, not %q", name, takes, text)
	}
	return err
}

// eachSetting calls f for the settings of a file: those for all groups, and then those that
// the group has of its own. A list is a call for each of its elements.
func eachSetting(file, group string, f func(name, text string, own bool) error) error {
	src, err := smallfile.Read(file, smallfile.Settings)
	if err != nil {
		return err
	}
	top, err := yaml.Codec{}.Decode(src)
	if err == nil && top.Kind() != wire.KindObject {
		err = errors.New("it is not a list of names and settings")
	}
	own, _ := top.Get(group)
	for i, v := range []wire.Value{top, own} {
		for name, setting := range v.Members() {
			if _, isGroup := ways[name]; err != nil || i == 0 && isGroup {
				continue
			}
			list := []wire.Value{setting}
			if setting.Kind() == wire.KindArray {
				list = slices.Collect(setting.Elements())
			}
			for _, e := range list {
				text := string(wire.AppendJSON(nil, e))
				if e.Kind() == wire.KindString {
					text = e.Text()
				}
				if err == nil {
					err = f(name, text, i == 1)
				}
			}
		}
	}
	if err != nil {
		return cli.Usagef("%s: %w", file, err)
	}
	return nil
}

// narrow takes a setting of a folder's file if it makes less be rewritten. Whose folder it
// is is not known, so nothing else in it counts.
func (f *Flags) narrow(name, text string, _ bool) error {
	switch name {
	case "mode":
		if text == "off" {
			f.mode = text
		}
	case "min-tokens":
		var least cli.Amount
		err := least.Set(text)
		f.minTokens = max(f.minTokens, least)
		return settingError(name, text, &least, err)
	case "min-saving":
		var least cli.Percentage
		err := least.Set(text)
		f.minSaving = max(f.minSaving, least)
		return settingError(name, text, &least, err)
	case "formats":
		f.only = append(f.only, strings.Split(text, ",")...)
	case "tool":
		rule, err := mcp.ParseRule(text)
		if err != nil {
			return err
		}
		if rule.Mode == mcp.ModeOff {
			f.rules = slices.Insert(f.rules, 0, rule.Tool+"=off")
		}
	}
	return nil
}

// narrowed returns the candidates that the folder's file leaves.
func (f *Flags) narrowed(formats []string) []string {
	if f.only == nil {
		return formats
	}
	return slices.DeleteFunc(slices.Clone(formats), func(name string) bool { return !slices.Contains(f.only, strings.TrimSuffix(name, "+fold")) })
}
