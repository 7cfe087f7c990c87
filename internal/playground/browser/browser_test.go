//go:build browser

package browser

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

const root = "../../.."

// builds is where TestMain has the page, the package and the command.
var builds string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "playground-")
	if err != nil {
		panic(err)
	}
	builds = dir
	for _, args := range [][]string{
		{"run", "./internal/playground/build", "-out", filepath.Join(dir, "site"), "-npm", filepath.Join(dir, "npm")},
		{"build", "-o", filepath.Join(dir, "wirekit"), "./cmd/wirekit"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = root, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// needs skips a test unless one of the programs is there, and returns which.
func needs(t *testing.T, programs ...string) string {
	t.Helper()
	for _, program := range programs {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
	}
	t.Skipf("runs where %s is installed: the playground was not tested in it", strings.Join(programs, " or "))
	return ""
}

// expected is what the page must agree with.
type expected struct {
	Reports   map[string]json.RawMessage `json:"reports"`
	Documents map[string]string          `json:"documents"`
	Errors    []expectedError            `json:"errors"`
	Table     string                     `json:"table"`
	Texts     []string                   `json:"texts"` // the formats that carry it
	All       json.RawMessage            `json:"all"`
	Cl100k    int                        `json:"cl100k"`
	Typing    string                     `json:"typing"`
	Longest   int                        `json:"longest"` // milliseconds of a task
}

type expectedError struct {
	Text    string `json:"text"`
	Message string `json:"message"`
	Column  int    `json:"column"`
	At      int    `json:"at"` // in UTF-16 code units
	Excerpt string `json:"excerpt"`
}

// wirekitSays runs the command and returns what it prints on both outputs.
func wirekitSays(t *testing.T, in string, args ...string) (out, errs string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(builds, "wirekit"), args...)
	cmd.Stdin = strings.NewReader(in)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run() // an error is what some calls are for
	return o.String(), e.String()
}

func report(t *testing.T, in string, args ...string) json.RawMessage {
	t.Helper()
	out, errs := wirekitSays(t, in, append([]string{"compare", "--json"}, args...)...)
	require.Empty(t, errs)
	var one json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(out), &one))
	if bytes.HasPrefix(one, []byte("[")) {
		var all []json.RawMessage
		require.NoError(t, json.Unmarshal(one, &all))
		one = all[0]
	}
	return one
}

func expectations(t *testing.T) expected {
	t.Helper()
	e := expected{Reports: map[string]json.RawMessage{}, Longest: 50}
	var about struct{ Presets map[string]string }
	text, err := os.ReadFile(filepath.Join(builds, "site", "about.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &about))
	e.Documents = about.Presets
	for name, preset := range about.Presets {
		e.Reports[name] = report(t, preset)
	}
	hosts := about.Presets["hosts"]
	var all struct {
		Formats json.RawMessage
	}
	require.NoError(t, json.Unmarshal(report(t, hosts, "--all", "--fold"), &all))
	e.All = all.Formats
	out, _ := wirekitSays(t, hosts, "convert", "-f", "json", "-t", "json")
	count, errs := wirekitSays(t, strings.TrimSuffix(out, "\n"), "tokens", "--json", "--tokenizer", "cl100k_base")
	require.Empty(t, errs)
	var counted struct{ Tokens int }
	require.NoError(t, json.Unmarshal([]byte(count), &counted))
	e.Cl100k = counted.Tokens
	for _, bad := range []string{`{"a": x}`, "{\n  \"😀é\": [1,, 2]}", `["😀😀" "b"]`, "{\"a\":1,\n\"b\":\ttru}"} {
		_, errs := wirekitSays(t, bad, "compare", "-f", "json")
		message, excerpt, _ := strings.Cut(strings.TrimSuffix(errs, "\n"), "\n")
		_, err := wirekit.Convert([]byte(bad), "json", "json")
		var at *wire.Error
		require.ErrorAs(t, err, &at)
		units := 0
		for _, r := range bad[:at.Offset] {
			units++
			if r > 0xffff {
				units++
			}
		}
		e.Errors = append(e.Errors, expectedError{bad, strings.TrimPrefix(message, "wirekit: "), at.Column, units, excerpt})
	}
	e.Table = `[{"id":1,"name":"ada"},{"id":2,"name":"😀 bo"}]`
	v, err := wire.ParseJSON([]byte(e.Table))
	require.NoError(t, err)
	measured, err := wirekit.Compare(t.Context(), v)
	require.NoError(t, err)
	for _, r := range measured {
		if info := r.Codec.Info(); r.Err == nil && !info.Binary && info.Variant == "" && r.Loss == 0 {
			e.Texts = append(e.Texts, r.Name())
		}
	}
	var rows []string
	for len(rows) < 50<<10/110 {
		rows = append(rows, `{"id":4100,"host":"cache-01","region":"eu-west","type":"c6.xlarge","cpu":63.3,"memory_mb":2048,"healthy":true}`)
	}
	e.Typing = "[" + strings.Join(rows, ",") + "]"
	return e
}

// TestPage runs page.mjs, whose checks become subtests.
func TestPage(t *testing.T) {
	chromium := needs(t, "chromium-headless-shell", "chromium", "chromium-browser")
	needs(t, "node")
	needs(t, "npm")
	dir := t.TempDir()
	for _, name := range []string{"page.mjs", "package.json"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
	install.Dir = dir
	out, err := install.CombinedOutput()
	require.NoError(t, err, "npm install: %s", out)
	writeExpectations(t, dir)
	args := []string{"page.mjs", filepath.Join(builds, "site"), "expected.json", chromium}
	if shots := os.Getenv("PLAYGROUND_SCREENSHOTS"); shots != "" {
		args = append(args, shots)
	}
	node := exec.Command("node", args...)
	node.Dir = dir
	out, err = node.CombinedOutput()
	checks := 0
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "ok "):
			checks++
			t.Log(line)
		case strings.HasPrefix(line, "not ok "):
			checks++
			t.Error(line)
		}
	}
	require.NoError(t, err, "%s", out)
	require.Positive(t, checks)
}

// TestPackage runs package.test.mjs on the package for Node.
func TestPackage(t *testing.T) {
	needs(t, "node")
	dir := t.TempDir()
	writeExpectations(t, dir)
	out, err := exec.Command("node", "package.test.mjs", filepath.Join(builds, "npm"), filepath.Join(dir, "expected.json")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// writeExpectations writes expected.json to dir.
func writeExpectations(t *testing.T, dir string) {
	t.Helper()
	known.Do(func() {
		var err error
		expectation, err = json.Marshal(expectations(t))
		require.NoError(t, err)
	})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "expected.json"), expectation, 0o600))
}

// The expectations are found once.
var (
	known       sync.Once
	expectation []byte
)
