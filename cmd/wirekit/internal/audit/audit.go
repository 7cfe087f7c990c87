package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/recent"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/tokens"
)

// Options say what is measured.
type Options struct {
	Counter tokens.Counter // nil means [tokens.Default]
	// Exact measures folding and package lines on every text, not on a sample where there
	// are more than ExactBelow bytes. Check and Rates do so as well.
	Exact bool
	Check bool   // decode what is rewritten, and look for what later messages use of it
	Lines bool   // find runs of lines that an earlier result has
	Rates *Rates // play the bill again

	Price  cli.Price  // of a million tokens; 0 for none
	Window cli.Amount // tokens of a context window; 0 for none
}

// ExactBelow is how many bytes of transcripts are measured whole.
const ExactBelow = 64 << 20

// maxLine is the longest line, or text of a file that is not lines, that is looked at.
const maxLine = 64 << 20

// What is noted, once for all files and with a count.
const (
	noteFile    = "cannot be read"
	noteShape   = "without a message of a known shape"
	noteLine    = "lines cut off or not JSON"
	noteLong    = "lines of more than 64 MB"
	noteResult  = "results of an unknown form"
	noteMeasure = "texts that could not be measured"
	noteRate    = "requests skipped: the rates lack the model"
)

// An Auditor reads transcripts. Its methods but Bytes are for one goroutine.
type Auditor struct {
	o        Options
	plan     rewrite.Plan // what is done by default
	further  rewrite.Plan // and what rules turn on: folding, and lines
	plain    rewrite.Plan // and lines without a legend
	report   Report
	sentence int // tokens of what takes the place of a repeat
	err      error
	below    int64 // ExactBelow
	bytes    cli.Count

	slots   chan struct{}
	pending sync.WaitGroup // texts that are being measured, at most as many as there are slots

	known    recent.Memory[key, *text]
	sessions map[string]*thread // that are in many files
	closed   []*thread          // whose records are not added up
	records  int                // of these

	needs   []*need            // of results that may not be measured yet
	charges map[Charge]*Charge // by what they are of

	mu     sync.Mutex
	cells  map[place]*cell
	notes  map[string]*Note
	checks map[[2]string]*CheckRow // by tool and mode
}

// A key is the beginning of the hash of a text.
type key [16]byte

// A place is what results are summed up by.
type place struct {
	tool string
	kind Kind
}

// New returns an Auditor.
func New(o Options) *Auditor {
	o.Exact = o.Exact || o.Check || o.Rates != nil
	a := &Auditor{o: o, below: ExactBelow, cells: make(map[place]*cell), notes: make(map[string]*Note), sessions: make(map[string]*thread), checks: make(map[[2]string]*CheckRow), charges: make(map[Charge]*Charge)}
	a.plan = rewrite.Plan{Counter: o.Counter, Ordered: true}.WithDefaults()
	a.further = a.plan
	a.further.Formats, a.further.Ordered, a.further.Lines = rewrite.Folded(a.plan.Formats), false, rewrite.LinesLegend
	if o.Lines {
		a.report.Runs = &Runs{}
	}
	if o.Check {
		a.report.Check = &Check{Hidden: []Hidden{}}
	}
	if o.Rates != nil {
		a.report.Bill = &Bill{Currency: o.Rates.Currency}
	}
	a.plain = a.plan
	a.plain.Lines = rewrite.LinesPlain
	a.sentence, a.err = a.plan.Count(repeated)
	a.slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	return a
}

// Bytes returns how much has been read, at any time.
func (a *Auditor) Bytes() int64 { return a.bytes.Load() }

// note counts what is strange, and keeps the first place of it.
func (a *Auditor) note(what, where string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	entry(a.notes, what, Note{What: what, First: where}).Count++
}

// entry returns what a map has for a key, which is fresh if it had nothing.
func entry[K comparable, V any](m map[K]*V, key K, fresh V) *V {
	if m[key] == nil {
		m[key] = &fresh
	}
	return m[key]
}

// sorted returns what a map has, in an order.
func sorted[K comparable, V any](m map[K]*V, compare func(x, y V) int) []V {
	list := make([]V, 0, len(m))
	for _, v := range m {
		list = append(list, *v)
	}
	slices.SortFunc(list, compare)
	return list
}

// A file is a file that is being read.
type file struct {
	a       *Auditor
	name    string
	known   bool // an object of a known shape was there
	thread  *thread
	threads map[string]*thread
	calls   map[string]string // tools by the ids of calls
	message string            // of OpenCode's, the last one of the model's
}

// File reads a transcript, up to where it can be read.
func (a *Auditor) File(name string, r io.Reader) {
	a.report.Files++
	f := &file{a: a, name: name, threads: make(map[string]*thread), calls: make(map[string]string)}
	in := bufio.NewReaderSize(io.TeeReader(r, &a.bytes), 64<<10)
	if err := f.read(in); err != nil {
		a.note(noteFile, name)
	}
	if !f.known {
		a.note(noteShape, name)
	}
	a.close(f.threads)
	if a.records > maxRecords {
		a.addUp()
	}
}

// maxRecords is from where on results are added up: texts of many small files are measured at once.
const maxRecords = 4096

// read reads lines, or one object or array that is indented.
func (f *file) read(in *bufio.Reader) error {
	head, _ := in.Peek(4 << 10) // an error comes again
	first, _, more := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	var failed error
	if _, ok := objectAt(first, splice.Whole(first)); !ok && more && (first[0] == '{' || first[0] == '[') {
		text, err := io.ReadAll(io.LimitReader(in, maxLine))
		if err == nil && f.line(text) {
			return nil
		}
		failed, in = err, bufio.NewReader(io.MultiReader(bytes.NewReader(text), in))
	}
	return errors.Join(failed, lineio.Each(in, maxLine, func(line []byte, tooLong bool) {
		if tooLong {
			f.a.note(noteLong, f.name)
		} else if !f.line(bytes.TrimPrefix(line, []byte("\ufeff"))) {
			f.a.note(noteLine, f.name)
		}
	}))
}

// add adds a text that a tool returned, and has it measured if it is new. whole says that
// it is all that the tool returned.
func (f *file) add(tool string, data []byte, failed, whole bool) {
	a := f.a
	sum := sha256.Sum256(data)
	k := key(sum[:])
	t, ok := a.known.Get(k)
	if !ok {
		t = &text{key: k, kind: KindLog}
		a.known.Put(k, t, 1, maxKnown)
	}
	r := record{tool: cmp.Or(tool, "unknown"), text: t, failed: failed, whole: whole, repeat: f.thread.seen[k]}
	switch {
	case a.o.Check && !r.repeat:
		f.thread.said.shown = append(f.thread.said.shown, &job{record: r, data: string(data)})
	case !a.o.Check && !ok:
		a.start(&job{record: r, data: string(data)})
	}
	isNew := f.thread.add(r)
	if records := f.thread.records; a.o.Lines && !failed && isNew {
		if out, references := f.thread.ledger.add(len(records)-f.thread.from, r.tool, data); references > 0 {
			found := &run{references: references}
			a.later(func() { found.tokens, _ = a.plan.Count(string(out)) }) // the counter has failed before
			records[len(records)-1].run = found
		}
	}
}

// start has a text measured, in the place of another one if it has been before.
func (a *Auditor) start(j *job) {
	if j.first = !j.text.queued; j.first {
		j.text.queued = true
	} else {
		j.text = &text{key: j.text.key}
	}
	a.later(func() { a.measure(j) })
}

// later measures something as soon as there is a slot for it. A text of which that fails has
// no tokens, or as many as are known of it.
func (a *Auditor) later(measure func()) {
	a.slots <- struct{}{}
	a.pending.Go(func() {
		defer func() {
			if recover() != nil {
				a.note(noteMeasure, "")
			}
			<-a.slots
		}()
		measure()
	})
}

// maxKnown is how many texts are remembered.
const maxKnown = 1 << 16

// close ends conversations, in an order, since sums of costs depend on that.
func (a *Auditor) close(threads map[string]*thread) {
	for _, name := range slices.Sorted(maps.Keys(threads)) {
		t := threads[name]
		a.settle(&t.said)
		t.recount()
		a.report.Requests += len(t.turns)
		a.report.Input += t.used
		a.closed = append(a.closed, t)
		a.records += len(t.records)
	}
}

// addUp adds the results of closed conversations up.
func (a *Auditor) addUp() {
	a.pending.Wait()
	a.sumNeeds()
	for _, t := range a.closed {
		if a.o.Rates != nil {
			a.bill(t)
		}
		for _, r := range t.records[1:] {
			if t.used == 0 {
				a.report.Uncounted += r.text.tokens * (1 + r.again)
			}
			entry(a.cells, place{r.tool, r.text.kind}, cell{}).add(r, a)
		}
	}
	a.closed, a.records = nil, 0
}

// Places returns the folders in which agents leave transcripts, as far as they are there.
func Places() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	var found []string
	for _, place := range []struct{ variable, otherwise, dir string }{
		{"CLAUDE_CONFIG_DIR", ".claude", "projects"},
		{"XDG_CONFIG_HOME", ".config", "claude/projects"},
		{"CODEX_HOME", ".codex", "sessions"},
		{"", ".gemini", "tmp/*/chats"},
		{"XDG_DATA_HOME", ".local/share", "opencode/storage/part"},
	} {
		base := cmp.Or(os.Getenv(place.variable), filepath.Join(home, place.otherwise))
		matches, _ := filepath.Glob(filepath.Join(base, place.dir)) // of a pattern that is well-formed, unless a folder's name is one
		found = append(found, slices.DeleteFunc(matches, func(dir string) bool { return slices.Contains(found, dir) })...)
	}
	return found
}

// extensions are those of transcripts.
var extensions = []string{".jsonl", ".ndjson", ".json"}

// Path reads a transcript, or those in a folder and the folders in it.
func (a *Auditor) Path(path string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && (entry.IsDir() || name != path && (!entry.Type().IsRegular() || !slices.Contains(extensions, strings.ToLower(filepath.Ext(name))))) {
			return nil
		}
		var in *os.File
		if err == nil {
			in, err = os.Open(name)
		}
		if err != nil {
			a.note(noteFile, name)
			return nil
		}
		defer in.Close()
		a.File(name, in)
		return nil
	})
}
