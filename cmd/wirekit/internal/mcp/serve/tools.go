package serve

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/compare"
	"github.com/wirekit/wirekit/internal/repo/git"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

const instructions = "pack shows the files of a project that matter most, or matter to a question, within a budget of tokens; outline what files declare; grep finds lines, read shows them; convert and compare are for structured data."

// toolList is the answer to tools/list.
//
//go:embed tools.json
var toolList string

// Bounds of tools.
const (
	usualBudget  = 8000
	mostDocument = 16 << 20 // bytes
	mostValues   = 1 << 20  // of a document
	mostTried    = 4 << 20  // bytes of one that is tried in several formats
	mostMeasured = 1 << 20  // bytes of JSON that are
	mostResult   = 1 << 20  // bytes
)

// large is taken by the call that reads a document of more than mostMeasured bytes: one at
// a time.
var large = make(chan struct{}, 1)

// turn waits until a document of size bytes may be read, of which there may be most.
func turn(ctx context.Context, size, most int) (done func(), err error) {
	switch {
	case size > most:
		return nil, fmt.Errorf("the document has more than %d bytes, too many to try formats: convert a part of it, with at and to", most)
	case size <= mostMeasured:
		return func() {}, nil
	}
	select {
	case large <- struct{}{}:
		return func() { <-large }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// measurable returns an error for a value that would take too long in several formats.
func measurable(v wire.Value) error {
	_, err := wire.WithLimits(wire.JSON{}, wire.Limits{OutputBytes: mostMeasured}).AppendEncode(nil, v)
	if cli.Code(err) == wire.CodeOutputTooLong {
		return fmt.Errorf("it has more than %d bytes as JSON, too many to try formats: name one in to, or take a part of the document with at", mostMeasured)
	}
	return nil
}

// A toolbox has the tools of a server, which read files below one folder.
type toolbox struct {
	root *os.Root
	dir  string
}

type tool func(context.Context, json.RawMessage) (string, error)

// find returns the tool of a name.
func (b toolbox) find(name string) (tool, bool) {
	t, ok := map[string]tool{"pack": withArguments(name, b.pack), "outline": withArguments(name, b.outline),
		"grep": withArguments(name, b.grep), "read": withArguments(name, b.read),
		"convert": withArguments(name, b.convert), "compare": withArguments(name, b.compare)}[name]
	return t, ok
}

// withArguments is a tool that gets its arguments as A.
func withArguments[A any](name string, run func(context.Context, A) (string, error)) tool {
	return func(ctx context.Context, text json.RawMessage) (string, error) {
		text, err := fitted(name, text)
		if err != nil {
			return "", err
		}
		var a A
		if err := json.Unmarshal(text, &a); err != nil {
			return "", err
		}
		return run(ctx, a)
	}
}

// below returns a path as it is below the folder of the server.
func (b toolbox) below(name string) (string, error) {
	if rest, err := filepath.Rel(b.dir, name); err == nil { // name is absolute, as the folder is
		name = rest
	}
	if name = filepath.Clean(name); !filepath.IsLocal(name) {
		return "", fmt.Errorf("%s is not below %s", name, b.dir)
	}
	return filepath.ToSlash(name), nil
}

// packed makes the pack of some paths, of all files if there are none.
func (b toolbox) packed(ctx context.Context, o pack.Options, paths ...string) (*bcp.Payload, error) {
	names := make([]string, 0, len(paths))
	for _, p := range paths {
		name, err := b.below(p)
		if err != nil {
			return nil, err
		}
		if name != "." {
			names = append(names, name)
		}
	}
	o.Data = cli.FirstRows
	o.Ignore, o.IgnoreCase = git.Ignores(ctx, b.dir)
	// A repository above the folder, or one whose data is elsewhere, would be read outside of it.
	if info, err := b.root.Lstat(".git"); err == nil && info.IsDir() {
		if repository, err := git.Open(ctx, b.dir); err == nil {
			o.Changes, _ = repository.Changes(ctx) // without it the ranks know less
		}
	}
	p, report, err := o.Pack(ctx, b.root.FS(), names...)
	if err != nil {
		return nil, err
	}
	for _, l := range report.Skipped {
		if l.Reason == "missing" {
			return nil, fmt.Errorf("%s: %s", l.Path, l.Reason)
		}
	}
	if len(report.Files) == 0 {
		return nil, errors.New("there is no file to show")
	}
	return p, nil
}

type packArguments struct {
	Paths  []string `json:"paths"`
	About  string   `json:"about"`
	Focus  []string `json:"focus"`
	Budget int      `json:"budget"`
	Format string   `json:"format"`
}

func (b toolbox) pack(ctx context.Context, a packArguments) (string, error) {
	budget := cmp.Or(a.Budget, usualBudget)
	var mode render.Mode
	if err := mode.UnmarshalText([]byte(cmp.Or(a.Format, "markdown"))); err != nil {
		return "", err
	}
	p, err := b.packed(ctx, pack.Options{About: a.About, Focus: a.Focus}, a.Paths...)
	if err != nil {
		return "", err
	}
	return render.Options{Mode: mode, Budget: &budget, Counter: tokens.Default(), Compact: true}.Text(p)
}

type outlineArguments struct {
	Path   string `json:"path"`
	Budget int    `json:"budget"`
}

// outline lists what files declare: Go by packages, other files by their longest summary.
func (b toolbox) outline(ctx context.Context, a outlineArguments) (string, error) {
	budget := cmp.Or(a.Budget, usualBudget)
	if a.Path == "" {
		return "", errors.New("outline wants a path; . is all")
	}
	p, err := b.packed(ctx, pack.Options{}, a.Path)
	if err != nil {
		return "", err
	}
	packages := make(map[string]bool)
	var out strings.Builder
	left := 0
	for i := range p.Blocks {
		name, text := "", ""
		switch body := p.Blocks[i].Body.(type) {
		case *bcp.Document:
			packages[body.Title] = true
			name, text = body.Title, string(body.Content)
		case *bcp.Code:
			if s := p.Blocks[i].Summary; s != nil && !(packages[path.Dir(body.Path)] && strings.HasSuffix(body.Path, ".go")) {
				name, text = body.Path, *s
			}
		}
		if text == "" {
			continue
		}
		part := "# " + name + "\n" + text + "\n\n"
		if n, err := tokens.Default().Count([]byte(out.String() + part)); err != nil || n > budget {
			left++
			continue
		}
		out.WriteString(part)
	}
	if left > 0 {
		fmt.Fprintf(&out, "… %d more that the budget has no room for\n", left)
	}
	if out.Len() == 0 {
		return "", fmt.Errorf("%s has no outline", a.Path)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

type documentArguments struct {
	Path     string  `json:"path"`
	Document *string `json:"document"`
	From     string  `json:"from"`
	At       string  `json:"at"`
}

// input returns the options that say the same.
func (a documentArguments) input() cli.InputOptions {
	return cli.InputOptions{From: a.From, Selection: cli.Selection{At: a.At}}
}

// source returns the document that a tool is given, and the name by which its format is found.
func (b toolbox) source(a documentArguments) (name string, src []byte, err error) {
	if (a.Path == "") == (a.Document == nil) {
		return "", nil, errors.New("give either a path or a document")
	}
	if err := a.input().Check(); err != nil {
		return "", nil, err
	}
	if a.Document != nil {
		return "-", []byte(*a.Document), nil
	}
	if name, err = b.below(a.Path); err != nil {
		return "", nil, err
	}
	if info, err := b.root.Stat(filepath.FromSlash(name)); err != nil {
		return "", nil, err
	} else if !info.Mode().IsRegular() { // opening a pipe would wait
		return "", nil, fmt.Errorf("%s is not a file", name)
	}
	file, err := b.root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	src, err = io.ReadAll(io.LimitReader(file, mostDocument+1))
	if err == nil && len(src) > mostDocument {
		err = fmt.Errorf("%s has more than %d bytes", name, mostDocument)
	}
	return name, src, err
}

type convertArguments struct {
	documentArguments
	To string `json:"to"`
}

func (b toolbox) convert(ctx context.Context, a convertArguments) (string, error) {
	name, src, err := b.source(a.documentArguments)
	if err != nil {
		return "", err
	}
	to, most := wire.Codec(nil), mostTried
	if a.To = cmp.Or(a.To, cli.Auto); a.To != cli.Auto {
		if to, err = wirekit.Lookup(a.To); err != nil {
			return "", err
		}
		if to.Info().Binary {
			return "", fmt.Errorf("%s is binary, which is not for a model to read", a.To)
		}
		most = math.MaxInt
	}
	done, err := turn(ctx, len(src), most)
	if err != nil {
		return "", err
	}
	defer done()
	doc, err := a.input().Parse(silent(), name, src)
	if err != nil {
		return "", err
	}
	var out []byte
	if to == nil {
		if err := measurable(doc.Value); err != nil {
			return "", err
		}
		choice, err := wirekit.Chooser{Limits: cli.LimitsFor(len(src))}.Choose(ctx, doc.Value)
		if err != nil {
			return "", err
		}
		out = choice.Encoded
	} else {
		out, err = wire.WithLimits(to, wire.Limits{OutputBytes: mostResult}).AppendEncode(nil, doc.Value)
	}
	if cli.Code(err) == wire.CodeOutputTooLong || len(out) > mostResult {
		return "", fmt.Errorf("the result has more than %d bytes: take a part of the document with at", mostResult)
	}
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(string(out), string(utf8.RuneError)), nil
}

func (b toolbox) compare(ctx context.Context, a documentArguments) (string, error) {
	name, src, err := b.source(a)
	if err != nil {
		return "", err
	}
	done, err := turn(ctx, len(src), mostTried)
	if err != nil {
		return "", err
	}
	defer done()
	if len(src) > mostMeasured && (a.From == cli.TextName || a.From == "" && cli.IsText(name, src)) {
		return "", fmt.Errorf("it is a text of more than %d bytes", mostMeasured)
	}
	return compare.Markdown(ctx, silent(), a.input(), measurable, name, src)
}

// silent is a console on which nothing is noted.
func silent() *cli.Console {
	return &cli.Console{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Values: mostValues}
}
