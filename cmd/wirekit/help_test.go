package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
)

// verbs returns the commands that do something, with cobra's own.
func verbs(t *testing.T) (root *cobra.Command, all []*cobra.Command) {
	root = newRoot(&cli.Console{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	root.InitDefaultCompletionCmd()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cli.Documented(cmd) {
			if len(cli.Documented(sub)) == 0 {
				all = append(all, sub)
			}
			walk(sub)
		}
	}
	walk(root)
	require.Greater(t, len(all), 40)
	return root, all
}

// exampleFiles are what the examples of the verbs read: files made by a line
// of the shell each.
var exampleFiles = []string{
	`printf '{"orders":[{"id":1,"name":"ada","total":9.5},{"id":2,"name":"eve","total":1}]}' >orders.json`,
	`cp orders.json a.json && cp orders.json hosts.json && cp orders.json data.json && mkdir data && cp orders.json data/one.json && cp orders.json data/two.json`,
	`printf '[{"a":1,"b":2},{"a":2,"b":3}]' >b.json`,
	`printf '{"data":{"items":[{"a":1},{"a":2}]}}' >response.json`,
	`printf '{"symbols":[{"name":"f","line":1},{"name":"g","line":2}]}' >result.json`,
	`printf '[{"id":1,"name":"ada"},{"id":2,"name":"eve"}]' >old.json`,
	`printf '[{"id":1,"name":"ada"},{"id":3,"name":"joe"}]' >new.json`,
	`printf '{"a":1,"t":"x"}\n{"a":2,"t":"y"}\n' >log.jsonl`,
	`printf 'You are a helpful assistant.\n' >prompt.txt`,
	`cp "$DATA/graph.json" graph.json && sed s/auth.Login/auth.SignIn/ graph.json >graph2.json`,
	`cp "$DATA/query.json" query.json && cp "$DATA/pulls.json" issues.json`,
	`wirekit convert -t gcf -o orders.gcf orders.json && wirekit convert -t yaml -o new.yaml new.json`,
	`wirekit convert -t csv -o a.csv old.json && wirekit convert -t gcf -o b.gcf old.json`,
	`wirekit diff -o changes.patch old.json new.json || true`,
	`wirekit gcf delta -o changes.gcf graph.json graph2.json`,
	`wirekit convert -t gcf+fold -o issues.gcf issues.json && printf 'See &1.\n' >answer.txt`,
	`printf '{"blocks":[{"type":"code","path":"a.go","content":"package a"},{"type":"conversation","role":"user","content":"why?"}]}' >manifest.json`,
	`wirekit bcp encode --dedup --store kept -o pack.bcp manifest.json`,
	`printf '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":""}}' >event.json`,
	`printf '#!/bin/sh\ncat new.json\n' >curl && chmod +x curl`,
	`printf '#!/bin/sh\ncat a.csv\n' >sqlite3 && printf '#!/bin/sh\ncat reply.txt\n' >pbpaste && chmod +x sqlite3 pbpaste`,
	`printf '{"a":1,"b":[2,],}' >reply.txt`,
	`printf 'models:\n  "*": {api: anthropic, input: 3, output: 15, read: 0.3, write: 3.75}\n' >rates.yaml`,
	`mkdir -p sessions .claude/projects && printf '{"role":"tool","name":"get","content":"a b"}\n' >sessions/one.jsonl && cp -r sessions .claude/projects`,
}

// TestExamplesOfVerbs: every verb has examples, and they work as written.
func TestExamplesOfVerbs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: with the race detector it takes long")
	}
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix: examples are lines of its shell")
	}
	data, err := filepath.Abs("../../examples/data")
	require.NoError(t, err)
	sh := func(dir, line string) (int, string) {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "DATA="+data, "HOME="+dir, "CLAUDE_CONFIG_DIR=", "NO_COLOR=1", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	files := t.TempDir()
	for _, line := range exampleFiles {
		code, out := sh(files, line)
		require.Zero(t, code, "%s\n%s", line, out)
	}
	root, all := verbs(t)
	for _, verb := range all {
		path := verb.CommandPath()
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if verb.Parent().Name() == "completion" {
				return // cobra's own help
			}
			require.NotEmpty(t, verb.Example)
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(files)))
			for line := range strings.SplitSeq(verb.Example, "\n") {
				line = strings.TrimSpace(line)
				require.Contains(t, line, path)
				group := verb.Parent().Name()
				if group == "mcp" || group == "llm" || verb.Name() == "playground" || path == "wirekit quiz run" || path == "wirekit quiz score" || strings.Contains(line, "--git-") || strings.Contains(line, "github.com/") { // these have servers, ports, answers and histories of the user's
					words := strings.Fields(strings.NewReplacer("'", "").Replace(line))
					found, rest, err := root.Find(words[1:])
					require.NoError(t, err, line)
					require.NoError(t, found.ParseFlags(rest), line)
					continue
				}
				code, out := sh(dir, line)
				differs := strings.HasPrefix(line, "wirekit diff ") && code == cli.ExitInput
				require.True(t, code == cli.ExitOK || differs, "%s\n%s", line, out)
			}
		})
	}
}

// TestManPages: every command has a page, in which nothing of the text is a
// request to the formatter.
func TestManPages(t *testing.T) {
	_, all := verbs(t)
	dir := t.TempDir()
	require.Zero(t, run([]string{"man", "--out-dir", dir}, &cli.Console{Err: io.Discard}))
	requests := map[string]bool{".TH": true, ".SH": true, ".B": true, ".BR": true, ".TP": true, ".PP": true, ".nf": true, ".fi": true}
	for _, verb := range all {
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(verb.CommandPath(), " ", "-")+".1"))
		require.NoError(t, err)
		for line := range bytes.Lines(page) {
			if line[0] == '.' {
				request, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
				require.True(t, requests[string(request)], "%s: %s", verb.CommandPath(), line)
			}
			require.NotEqual(t, byte('\''), line[0], "%s: %s", verb.CommandPath(), line)
		}
		require.Contains(t, string(page), "\n.SH NAME\n")
		require.Equal(t, verb.Example != "", strings.Contains(string(page), "\n.SH EXAMPLES\n"))
	}
}

// TestCompletions: there is a script for every shell, and what it asks for is
// answered.
func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out strings.Builder
		require.Zero(t, run([]string{"completion", shell}, &cli.Console{Out: &out, Err: io.Discard}))
		require.Contains(t, out.String(), "wirekit")
	}
	for words, want := range map[string]string{
		"convert -t gc": "gcf\n", "convert --at": "--at\t", "comp": "compare\t", "gcf d": "delta\t",
		"compare --tokenizer c": "cl100k_base\n", "patch -t toon:": "toon:tab\n", "unfold -f ya": "yaml\n",
		"pack --render x": "xml\n", "bcp decode --policy s": "steady\n", "mcp proxy --mode dry": "dry-run\n", "mcp proxy --formats gl": "glyph\n",
		"convert --precision b": "bytes\n", "convert -t auto --formats to": "toon\n", "quiz make --kinds look": "lookup\n", "toon encode --delimiter p": "pipe\n",
		"audit --tokenizer cl": "cl100k_base\n", "gcx scorecard --tokenizer op": "opus47\n", "formats gc": "gcf\n", "bcp encode --magic l": "lcp\n",
	} {
		var out strings.Builder
		require.Zero(t, run(append([]string{"__complete"}, strings.Fields(words)...), &cli.Console{Out: &out, Err: io.Discard}))
		require.Contains(t, out.String(), want, words)
	}
}

// TestTokenizerOfModel holds that every verb with --tokenizer takes the name of a model.
func TestTokenizerOfModel(t *testing.T) {
	_, all := verbs(t)
	tried := 0
	for _, cmd := range all {
		f := cmd.Flags().Lookup("tokenizer")
		if f == nil || cmd.Name() == "scorecard" {
			continue
		}
		tried++
		for name, want := range map[string]string{"gpt-4o": "o200k_base", "gpt-4": "cl100k_base", "claude-opus-4-7": "claude-4.7-estimate", "gemini-estimate": "gemini-estimate"} {
			require.NoError(t, f.Value.Set(name), cmd.CommandPath())
			require.Equal(t, want, f.Value.String(), cmd.CommandPath())
		}
		require.ErrorContains(t, f.Value.Set("llama-3"), "the nearest is cl100k_base")
	}
	require.GreaterOrEqual(t, tried, 9)
}
