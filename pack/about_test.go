package pack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/tokens"
)

func TestWords(t *testing.T) {
	var got []string
	eachWord([]byte("HTTPServer.parseJSON_body2 timeOut\nA é tokens"), func(w []byte) { got = append(got, string(w)) })
	require.Equal(t, []string{"http", "server", "parse", "json", "body2", "time", "out", "a", "é", "tokens"}, got)
	_, err := newQuestion("What is the one that can do it?")
	require.NoError(t, err)
	_, err = newQuestion("how do I do this with it?")
	require.ErrorContains(t, err, "no word to look for")
	require.Equal(t, "pars", string(wordStem([]byte("parsing"))))
	require.Equal(t, string(wordStem([]byte("parse"))), string(wordStem([]byte("parsed"))))
}

func askedFiles() map[string]string {
	long := "package a\n" + strings.Repeat("\nfunc Filler() {\n\tprintln(\"nothing to see\")\n}\n", 150)
	return map[string]string{"go.mod": "module m\n", "a/a.go": long + "\n// Login times out after a while.\nfunc Login() error { return timeout() }\n" + long[10:],
		"b/b.go": "package b\n\nimport _ \"m/a\"\n\nfunc B() {}\n", "c/c.go": "package c\n\nimport _ \"m/b\"\n\nfunc C() {}\n", "d/d.go": "package d\n\nfunc D() {}\n",
		"x_test.go": "package m\n\nfunc TestLoginTimeout() {}\n", "README.md": "# M\n\nA module.\n"}
}

// TestAbout: a question makes the files that it is about the core, by their passages if they are long.
func TestAbout(t *testing.T) {
	var list []string
	for name, content := range askedFiles() {
		list = append(list, name, content)
	}
	p, report := packed(t, Options{About: "Why does the login time out?"}, text(list...))
	worth := make(map[string]int)
	for _, f := range report.Files {
		worth[f.Path] = f.Worth
		if f.Path == "a/a.go" {
			require.Equal(t, 100, f.Relevance)
			require.Contains(t, f.Why(), "100 % relevant")
			require.Contains(t, *p.Blocks[f.Block].Summary, "// Login times out after a while.\nfunc Login() error")
			require.Regexp(t, `^… lines \d+ to \d+:\n`, *p.Blocks[f.Block].Summary)
			require.Less(t, len(*p.Blocks[f.Block].Summary), mostExcerpt+100)
		}
	}
	require.Equal(t, mostWorth, worth["a/a.go"])
	for _, name := range []string{"b/b.go", "d/d.go", "README.md"} {
		require.Less(t, worth[name], coreWorth, name)
	}
	_, report = packed(t, Options{Focus: []string{"b/b.go"}}, text(list...))
	for _, f := range report.Files {
		worth[f.Path] = f.Worth
	}
	require.Equal(t, mostWorth, worth["b/b.go"])
	require.Greater(t, worth["a/a.go"], worth["d/d.go"])
	require.Greater(t, worth["c/c.go"], worth["d/d.go"])
	for _, o := range []Options{{About: "how do I do this?"}, {Focus: []string{"nowhere.go"}}, {Focus: []string{"["}}, {About: "login", NoSummaries: true}} {
		_, _, err := o.Pack(context.Background(), text(list...))
		require.Error(t, err)
	}
}

// TestQuestions: of what changes were about, the files that they changed are shown with text
// within 8,000 tokens. The questions are the subjects of the newest commits of four public
// repositories whose messages say which issue they fix, without that, that changed at most
// three files that are not tests; what releases of two of them repaired; and subjects of
// commits of this repository, every third of them, with WIREKIT_QUESTIONS=all each.
func TestQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it packs whole repositories many times")
	}
	all := 0
	for name, module := range map[string]string{"wirekit": "github.com/wirekit/wirekit", "goldmark": "github.com/yuin/goldmark", "cobra": "github.com/spf13/cobra",
		"testify": "github.com/stretchr/testify", "compress": "github.com/klauspost/compress"} {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		require.NoError(t, err)
		dir := strings.TrimSpace(string(out))
		if dir == "" {
			t.Skipf("runs where the module %s is downloaded", module)
		}
		data, err := os.ReadFile("testdata/questions/" + name + ".tsv")
		require.NoError(t, err)
		questions, answers, shown := 0, 0, 0
		w, err := Options{About: "any"}.walker(context.Background(), os.DirFS(dir))
		require.NoError(t, err)
		require.NoError(t, w.walk(nil)) // once for all
		for line := range strings.Lines(string(data)) {
			question, list, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if questions++; name == "wirekit" && questions%3 != 1 && os.Getenv("WIREKIT_QUESTIONS") == "" {
				continue
			}
			met, missed := ask(t, w, question, strings.Fields(list))
			shown, answers = shown+met, answers+met+len(missed)
			if name != "wirekit" { // whose files move
				require.Len(t, strings.Fields(list), met+len(missed), question)
			}
			t.Logf("%.60s: missed %v", question, missed)
		}
		t.Logf("%s: %d of %d files for %d questions", name, shown, answers, questions)
		require.GreaterOrEqual(t, shown*100, 60*answers, name)
		all += questions
	}
	require.GreaterOrEqual(t, all, 30)
}

// ask packs what a walker has read about a question and returns how many of its answers are
// shown with text, and which are not.
func ask(t *testing.T, w *walker, question string, answers []string) (shown int, missed []string) {
	w.About = question
	for i := range w.files {
		w.files[i].asked = false
	}
	p, report, err := w.payload()
	require.NoError(t, err)
	budget := 8000
	r, err := render.Options{Mode: render.ModeMarkdown, Budget: &budget, Counter: tokens.O200k{}, Compact: true}.Render(p)
	require.NoError(t, err)
	for _, f := range report.Files {
		if !slices.Contains(answers, f.Path) {
			continue
		}
		level := r.Levels[f.Block]
		if s := p.Blocks[f.Block].Summary; level == "full" || level == "summary" && s != nil && strings.HasPrefix(*s, "… lines ") {
			shown++
		} else {
			missed = append(missed, f.Path)
		}
	}
	return shown, missed
}

func TestAboutGrowth(t *testing.T) {
	q, err := newQuestion("login timeout of the session")
	require.NoError(t, err)
	growth.Linear(t, 2000, func(n int) func() {
		text := []byte(strings.Repeat("if session.loginTimeout > 0 { return errors.New(\"x\") }\n", n))
		files := []file{{File: File{Path: "a.go", Priority: bcp.PriorityNormal}, lang: "go", text: text}}
		return func() {
			q.relevance(&walker{ctx: t.Context(), files: files})
			q.excerpt(text)
		}
	})
}

// TestAboutMemory: a long question about a file of short lines.
func TestAboutMemory(t *testing.T) {
	var about strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&about, "word%d ", i)
	}
	q, err := newQuestion(about.String())
	require.NoError(t, err)
	resident.Check(t, resident.Case{
		Name:  "excerpt",
		Input: func() []byte { return bytes.Repeat([]byte("word7 word8\n\n\n\n"), 1<<16) },
		Call:  func(input []byte) { q.excerpt(input) },
	})
}
