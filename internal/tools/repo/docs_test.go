package repo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Conventions of README.md and docs, which UPDATE_DOCS=1 brings up to date:
//
//   - In a fence of sh, or of nothing, lines that call wirekit are run in a copy
//     of the examples; "sh exit=1" expects that exit code.
//   - A fence of text directly after one of sh is what the commands print. A
//     line … stands for any lines.
//   - A fence of go is an excerpt of the file that the comment
//     <!-- from FILE --> before it names. A line … stands for lines left out.
//   - Between <!-- compare FILE --> and <!-- end --> is the table of that document.

// pages returns the documentation's files.
func pages(t *testing.T) []string {
	recorded()
	files, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	return append([]string{"README.md"}, files...)
}

// A fence is a fenced block of a page.
type fence struct {
	info        string
	lines       []string
	first, last int    // the page's lines that hold its content: [first, last)
	before      string // the last line before it that is not blank
}

func fences(text string) []fence {
	var all []fence
	var open bool
	var before string
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```") && !open:
			all = append(all, fence{info: line[3:], first: i + 1, before: before})
			open = true
		case line == "```":
			all[len(all)-1].last, open = i, false
		case open:
			all[len(all)-1].lines = append(all[len(all)-1].lines, line)
		}
		if line != "" {
			before = line
		}
	}
	return all
}

func read(t *testing.T, file string) string {
	recorded()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// settle compares a page with what it should be, or writes it.
func settle(t *testing.T, page, have, want string) {
	if os.Getenv("UPDATE_DOCS") != "" && have != want {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	is, should := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range min(len(is), len(should)) {
		require.Equal(t, should[i], is[i], "%s:%d is out of date: UPDATE_DOCS=1 go test -run TestDocs .", page, i+1)
	}
	require.Len(t, is, len(should), "%s is out of date: UPDATE_DOCS=1 go test -run TestDocs .", page)
}

var callsWirekit = regexp.MustCompile(`(^|\| )((bin/)?wirekit|go run \./cmd/wirekit) `)

// TestDocsCommands runs the commands of every page, in their order.
func TestDocsCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it builds the command")
	}
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", bin+"/wirekit", "./cmd/wirekit").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) {
			root := t.TempDir()
			require.NoError(t, os.CopyFS(filepath.Join(root, "examples", "data"), os.DirFS("examples/data")))
			require.NoError(t, os.CopyFS(filepath.Join(root, "bin"), os.DirFS(bin)))
			// docs/command.md speaks of a log of the reader's own.
			require.NoError(t, os.WriteFile(filepath.Join(root, "log.jsonl"), []byte(read(t, "examples/data/log.jsonl")), 0o644))
			text := read(t, page)
			lines := strings.Split(text, "\n")
			var printed *string
			for _, f := range slices.Backward(run(t, root, fences(text), &printed)) {
				lines = slices.Replace(lines, f.first, f.last, f.lines...)
			}
			settle(t, page, text, strings.Join(lines, "\n"))
		})
	}
}

// run runs the commands of fences and returns those that show output, with
// what was printed.
func run(t *testing.T, root string, all []fence, printed **string) []fence {
	var shown []fence
	for i, f := range all {
		if kind, _, _ := strings.Cut(f.info, " "); kind == "sh" || kind == "" {
			*printed = nil
			var exit int
			_, _ = fmt.Sscanf(f.info, "sh exit=%d", &exit)
			script := strings.ReplaceAll(strings.Join(f.lines, "\n"), "\\\n", " ")
			for _, line := range strings.Split(script, "\n") {
				if !callsWirekit.MatchString(line) {
					continue
				}
				got := shell(t, root, line, exit)
				if *printed != nil {
					got = **printed + got
				}
				*printed = &got
			}
			continue
		}
		if f.info == "text" && *printed != nil && all[i-1].last+2 >= f.first-1 {
			got := strings.Split(strings.TrimRight(**printed, "\n"), "\n")
			if !matches(f.lines, got) {
				f.lines = got
			}
			shown = append(shown, f)
		}
		*printed = nil
	}
	return shown
}

func shell(t *testing.T, root, line string, exit int) string {
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, "go run ./cmd/wirekit", "wirekit"))
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "PATH="+filepath.Join(root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	require.Equal(t, exit, cmd.ProcessState.ExitCode(), "%s\n%s", line, out)
	return string(out)
}

// matches reports whether lines are what a pattern shows: a line … stands for
// any lines.
func matches(pattern, lines []string) bool {
	if len(pattern) == 0 {
		return len(lines) == 0
	}
	if strings.TrimSpace(pattern[0]) == "…" {
		return matches(pattern[1:], lines) || len(lines) > 0 && matches(pattern, lines[1:])
	}
	return len(lines) > 0 && pattern[0] == lines[0] && matches(pattern[1:], lines[1:])
}

// TestDocsSnippets holds that Go code in docs is part of a file that is
// compiled.
func TestDocsSnippets(t *testing.T) {
	trimmed := func(lines []string) []string {
		var out []string
		for _, line := range lines {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				out = append(out, line)
			}
		}
		return out
	}
	for _, page := range pages(t) {
		for _, f := range fences(read(t, page)) {
			if f.info != "go" {
				continue
			}
			file, ok := strings.CutPrefix(f.before, "<!-- from ")
			require.True(t, ok, "%s:%d: no comment says where the code is from", page, f.first)
			source := trimmed(strings.Split(read(t, strings.TrimSuffix(file, " -->")), "\n"))
			pattern := slices.Concat([]string{"…"}, trimmed(f.lines), []string{"…"})
			require.True(t, matches(pattern, source), "%s:%d is not part of %s", page, f.first, file)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]+)?[^)]*\)`)
	code    = regexp.MustCompile("(?s)```.*?```") // where a type parameter looks like a link
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	unslug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestDocsLinks holds that links within the repository lead to a file, and to a heading
// of a page.
func TestDocsLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(code.ReplaceAllString(read(t, page), ""), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("a link in %s: %v", page, err)
			} else if m[2] != "" && !slices.Contains(anchors(t, target), m[2]) {
				t.Errorf("a link in %s: %s has no heading for %s", page, target, m[2])
			}
		}
	}
}

// anchors are those of a page's headings.
func anchors(t *testing.T, page string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(code.ReplaceAllString(read(t, page), ""), -1) {
		all = append(all, "#"+strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return all
}

var (
	errorRow   = regexp.MustCompile("(?m)^\\| `Err.*$")
	errorCode  = regexp.MustCompile("`([a-z0-9_]+)`")
	sharedCode = regexp.MustCompile(`(Code\w+) += ("\w+")`)
	testName   = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
)

// TestDocsNames holds that each format has its page and a line in README.md, and that
// the error codes of the page and the tests that pages of differences name are there.
func TestDocsNames(t *testing.T) {
	readme := read(t, "README.md")
	for _, codec := range wirekit.Registry().Codecs() {
		require.True(t, strings.Contains(readme, "`"+codec.Info().Name+"`"), "README.md has no line for the format %s", codec.Info().Name)
		format := strings.TrimPrefix(reflect.TypeOf(codec).PkgPath(), module+"/")
		if format == "wire" || format == "jsonl" { // JSON needs no page
			continue
		}
		require.True(t, strings.Contains(readme, "(docs/"+format+".md)"), "README.md has no link to docs/%s.md", format)
		code, _ := sources(t, format)
		for _, dir := range []string{"internal/codec/items", "internal/codec/records", "internal/codec/variants", "internal/codec/columns", "internal/repo/git", "pack"} {
			if strings.Contains(code, "/"+dir+"\"") || format == "bcp" { // its page is that of the command's packs, too
				shared, _ := sources(t, dir)
				code += shared
			}
		}
		for _, m := range sharedCode.FindAllStringSubmatch(read(t, "wire/codes.go"), -1) {
			if strings.Contains(code, "wire."+m[1]) {
				code += m[2]
			}
		}
		for _, row := range errorRow.FindAllString(read(t, "docs/"+format+".md"), -1) {
			for _, m := range errorCode.FindAllStringSubmatch(row, -1) {
				require.True(t, strings.Contains(code, strconv.Quote(m[1])), "%s has no error code %s", format, m[1])
			}
		}
	}
	_, tests := sources(t, ".")
	differences, err := filepath.Glob("docs/differences*.md")
	require.NoError(t, err)
	for _, page := range differences {
		for _, m := range testName.FindAllStringSubmatch(read(t, page), -1) {
			require.Contains(t, tests, "\nfunc "+m[1]+"(", page)
		}
	}
}

// sources returns the text of a folder's Go files, and that of its tests.
func sources(t *testing.T, dir string) (code, tests string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, "_test.go"):
			tests += read(t, path)
		case strings.HasSuffix(path, ".go"):
			code += read(t, path)
		}
		return nil
	}))
	return code, tests
}

// TestDocsWhy holds that the savings named elsewhere are those of choosing.md.
func TestDocsWhy(t *testing.T) {
	all := regexp.MustCompile(`(?m)^\| \*\*all\*\* \| 76 .*$`).FindString(read(t, "docs/choosing.md"))
	shares := regexp.MustCompile(`[0-9.]+ %\*? (\||more|\*more|fewer)`)
	number := regexp.MustCompile(`^[0-9.]+`)
	for page, least := range map[string]int{"docs/why.md": 7, "docs/faq.md": 2} {
		found := shares.FindAllString(read(t, page), -1)
		require.GreaterOrEqual(t, len(found), least, page)
		for _, share := range found {
			require.Contains(t, strings.ReplaceAll(all, "*", ""), number.FindString(share)+" |", "%s: %s", page, share)
		}
	}
}

// TestDocsCorpora holds that pages have the number of corpora that there are.
func TestDocsCorpora(t *testing.T) {
	of := regexp.MustCompile(`(\d+)\s+corpora`)
	named := 0
	for _, page := range pages(t) {
		for _, m := range of.FindAllStringSubmatch(read(t, page), -1) {
			named++
			require.Equal(t, strconv.Itoa(len(conformance.Corpora())), m[1], page)
		}
	}
	require.GreaterOrEqual(t, named, 3)
}

var table = regexp.MustCompile(`(?s)<!-- compare (\S+) -->\n.*?<!-- end -->`)

// TestDocsTables measures the documents of every page anew.
func TestDocsTables(t *testing.T) {
	for _, page := range pages(t) {
		text := read(t, page)
		settle(t, page, text, table.ReplaceAllStringFunc(text, func(old string) string {
			v, err := wire.ParseJSON([]byte(read(t, table.FindStringSubmatch(old)[1])))
			require.NoError(t, err)
			results, err := wirekit.Compare(t.Context(), v)
			require.NoError(t, err)
			best, err := wirekit.Choose(t.Context(), v)
			require.NoError(t, err)
			head, _, _ := strings.Cut(old, "\n")
			return head + "\n" + comparison(results, best.Name()) + "<!-- end -->"
		}))
	}
}

// comparison is the table of one document, by tokens: that of the formats of text.
func comparison(results []wirekit.Measurement, smallest string) string {
	var out bytes.Buffer
	out.WriteString("\n| format | tokens | saved, % | changed |\n| --- | ---: | ---: | --- |\n")
	base, place := find(results, "json").Tokens, map[string]int{smallest: -2, "json": -1}
	results = slices.SortedStableFunc(slices.Values(results), func(a, b wirekit.Measurement) int {
		return cmp.Or(cmp.Compare(a.Tokens, b.Tokens), cmp.Compare(place[a.Name()], place[b.Name()]))
	})
	for _, r := range results {
		if r.Err != nil || r.Tokens < 0 { // refused, or binary
			continue
		}
		name, changed := r.Name(), r.Loss.String()
		if name == smallest {
			name = "**" + name + "**"
		}
		switch {
		case r.Loss == 0:
			changed = ""
		case !r.Lossless:
			changed = "lost: " + changed
		}
		fmt.Fprintf(&out, "| %s | %d | %.1f | %s |\n", name, r.Tokens, 100*(1-float64(r.Tokens)/float64(base)), changed)
	}
	return out.String() + "\n"
}

func find(results []wirekit.Measurement, name string) wirekit.Measurement {
	i := slices.IndexFunc(results, func(r wirekit.Measurement) bool { return r.Name() == name })
	return results[i]
}

var goFile = regexp.MustCompile("`([\\w./*-]+\\.go)`|the files? ([\\w./]+\\.go)")

// TestDocsFiles holds that the Go files which pages, decisions and package comments
// name are there: by their path, or by their name alone.
func TestDocsFiles(t *testing.T) {
	var files, texts []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch path = filepath.ToSlash(path); {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".":
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			files = append(files, path)
		}
		if strings.HasSuffix(path, ".md") || strings.HasSuffix(path, "/doc.go") {
			texts = append(texts, path)
		}
		return nil
	}))
	for _, text := range texts {
		for _, m := range goFile.FindAllStringSubmatch(read(t, text), -1) {
			name := strings.ReplaceAll(m[1]+m[2], "NAME", "*")
			if !slices.ContainsFunc(files, func(file string) bool {
				whole, _ := path.Match(name, file)
				base, _ := path.Match(name, path.Base(file))
				return whole || base
			}) {
				t.Errorf("%s names %s, which is not there", text, name)
			}
		}
	}
}

var (
	apiPackage = regexp.MustCompile(`^package (\w+)`)
	apiMethod  = regexp.MustCompile(`^\tfunc \((?:\w+ )?\*?(\w+)(?:\[\w+\])?\) (\w+)`)
	apiName    = regexp.MustCompile(`^\t(?:func|type|const|var) (\w+)`)
	apiField   = regexp.MustCompile(`^\t\t(\w+)`)
	inline     = regexp.MustCompile("`[^`\n]+`")
	qualified  = regexp.MustCompile(`\b([a-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*)|\{(\w+):)?`)
	fieldTable = regexp.MustCompile("(?s)[Ff]ields of `([a-z]\\w*\\.[A-Z]\\w*)`.{0,200}?\n\n(\\|.*?)\n\n")
	firstCell  = regexp.MustCompile("(?m)^\\| (`.*?) \\|")
)

// TestDocsIdentifiers holds that what docs name of the public surface, in the text, in
// cells of tables and as fields of a type, is there.
func TestDocsIdentifiers(t *testing.T) {
	known, packages := map[string]bool{}, map[string]bool{}
	var pkg, typ string
	for _, line := range strings.Split(read(t, "docs/api.txt"), "\n") {
		if m := apiPackage.FindStringSubmatch(line); m != nil {
			pkg = m[1]
			packages[pkg] = true
		} else if m := apiMethod.FindStringSubmatch(line); m != nil {
			known[pkg+"."+m[1]+"."+m[2]] = true
		} else if m := apiName.FindStringSubmatch(line); m != nil {
			typ = pkg + "." + m[1]
			known[typ] = true
		} else if line == "\tconst (" || line == "\tvar (" {
			typ = pkg
		} else if m := apiField.FindStringSubmatch(line); m != nil {
			known[typ+"."+m[1]] = true
		}
	}
	checked := 0
	check := func(page, name string) {
		checked++
		if !known[name] {
			t.Errorf("%s names %s, which is not there", page, name)
		}
	}
	for _, page := range pages(t) {
		text := code.ReplaceAllString(read(t, page), "")
		for _, span := range inline.FindAllString(text, -1) {
			for _, m := range qualified.FindAllStringSubmatch(span, -1) {
				if !packages[m[1]] {
					continue
				}
				check(page, m[1]+"."+m[2])
				if member := m[3] + m[4]; member != "" {
					check(page, m[1]+"."+m[2]+"."+member)
				}
			}
		}
		for _, m := range fieldTable.FindAllStringSubmatch(text, -1) {
			for _, cell := range firstCell.FindAllStringSubmatch(m[2], -1) {
				for _, name := range inline.FindAllString(cell[1], -1) {
					check(page, m[1]+"."+strings.Trim(name, "`"))
				}
			}
		}
	}
	require.Greater(t, checked, 100)
}

// banished are words that CONTRIBUTING.md has others for.
var (
	banished = regexp.MustCompile(`(?i)\bbehind\b|\bstands?( [^f]|[.,;:])|\bnobody\b|\bwho (needs|wants|reads|writes)\b|\bspoil(s|ed)?\b|\bline to beat\b|\bin vain\b`)
	remains  = regexp.MustCompile(`(?i)\b(left|leaves?|leaving|lags?|keeps?)\b.*\bbehind\b`)
	comment  = regexp.MustCompile(`(?:^\s*|\s)// .*`)
)

// TestWords holds that documentation and comments avoid them.
func TestWords(t *testing.T) {
	trials.OneGoroutine(t)
	check := func(file, sentence string) {
		if word := banished.FindString(remains.ReplaceAllString(inline.ReplaceAllString(sentence, ""), "")); word != "" {
			t.Errorf("%s: %q in %q", file, word, sentence)
		}
	}
	recorded()
	files, err := filepath.Glob("docs/decisions/*.md")
	require.NoError(t, err)
	for _, page := range append(files, pages(t)...) {
		for _, sentence := range strings.Split(code.ReplaceAllString(read(t, page), ""), "\n") {
			if !strings.HasPrefix(sentence, "|") {
				check(page, sentence)
			}
		}
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(name, ".") && name != "." || name == "node_modules" || name == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go"):
			for _, line := range strings.Split(read(t, path), "\n") {
				check(path, comment.FindString(line))
			}
		}
		return nil
	}))
}

// TestDocsPrompts: the page has the tokens of each format's sentence.
// UPDATE_DOCS=1 writes it anew.
func TestDocsPrompts(t *testing.T) {
	const page, begin, end = "docs/choosing.md", "<!-- prompts -->\n", "<!-- end of prompts -->"
	text := read(t, page)
	head, rest, ok := strings.Cut(text, begin)
	require.True(t, ok)
	_, tail, ok := strings.Cut(rest, end)
	require.True(t, ok)
	var prompts []string
	for _, c := range wirekit.Registry().Codecs() {
		if info := c.Info(); !info.Binary {
			n, err := tokens.O200k{}.Count([]byte(info.Prompt))
			require.NoError(t, err)
			prompts = append(prompts, fmt.Sprintf("`%s` %d", info.Name, n))
		}
	}
	settle(t, page, text, head+begin+strings.Join(prompts, ", ")+".\n"+end+tail)
}

// TestSpellingOfNumbers holds the formats that README.md names to keeping the spelling of
// numbers, all others to the value, or to declaring that they lose it, and Exact to both.
func TestSpellingOfNumbers(t *testing.T) {
	sentence := regexp.MustCompile(`(?s)The spelling of numbers \(([^)]+)\) is kept by(.*?), wherever`).FindStringSubmatch(read(t, "README.md"))
	require.NotNil(t, sentence)
	numbers := append(strings.Split(sentence[1], ", "), "0.1000", "1E-7", "-0.0", "100e-2", "12345678901234567.890")
	shapes := []string{`[{"a":%s,"b":1},{"a":2,"b":%[1]s}]`, `{"a":%s}`, `{"a":[{"b":{"c":%s}},{"b":{"c":2}}]}`, `[%s,2]`, `%s`}
	var kept []string
	for _, c := range wirekit.Registry().Codecs() {
		var lost wire.Loss
		carried := 0
		for _, number := range numbers {
			for _, shape := range shapes {
				v, err := wire.ParseJSON(fmt.Appendf(nil, shape, number))
				require.NoError(t, err)
				text, err := c.AppendEncode(nil, v)
				if err != nil {
					continue // the format does not carry it
				}
				back, err := c.Decode(text)
				require.NoError(t, err)
				loss, where := wire.Difference(v, back)
				require.Zero(t, loss&^c.Info().Loss, "%s: %v at %s", text, loss, where)
				lost |= loss
				carried++
				if c.Info().Binary {
					continue // is not for models
				}
				best, err := wirekit.Chooser{Exact: true, Formats: []string{c.Info().Name}}.Choose(t.Context(), v)
				require.NoError(t, err)
				back, err = best.Codec.Decode(best.Encoded)
				require.NoError(t, err)
				require.True(t, wire.Identical(v, back), "%s", best.Encoded)
			}
		}
		if carried > 0 && lost == 0 {
			kept = append(kept, "`"+c.Info().Name+"`")
		}
	}
	require.ElementsMatch(t, inline.FindAllString(sentence[2], -1), kept)
}
