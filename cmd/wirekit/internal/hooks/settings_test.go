package hooks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/hooks"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// files are settings as people and programs write them; null is a file that is not there.
var files = []string{
	"null", "{}", "{}\n", "{ }", "{\n}\n", "  {}  \n",
	`{"model":"opus"}`,
	"{\n  \"model\": \"opus\",\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]}\n}\n",
	"{\r\n\t\"model\": \"opus\"\r\n}\r\n",
	"{\n  // which model\n  \"model\": \"opus\", /* the large one */\n}\n",
	"// head\n{ // first\n  \"a\": \"// no comment\", \"b\": \"/* nor here */\",\n}\n// tail",
	`{"hooks": {}}`,
	`{"hooks":{ }, "model": "opus"}`,
	"{\n  \"hooks\": {\n    \"PreToolUse\": []\n  },\n}\n",
	`{"hooks": {"PostToolUse": []}}`,
	`{"hooks": { "PostToolUse": [ ] }}`,
	"{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Edit\", \"hooks\": [{\"type\": \"command\", \"command\": \"gofmt -w .\"}]}\n    ]\n  }\n}\n",
	"{\"hooks\": {\"PostToolUse\": [ // ours\n {\"matcher\": \"\", \"hooks\": []}, ], }, }",
	"{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say \\\"hook run claude\\\"\"}]}]}}",
	"{\"a\": \"\\\\\", \"b\": [1, 2,\n], \"c\": \"{\\\"hooks\\\": {}}\"}",
	"{\"hooks\": {\n\n  /* none yet */\n}}",
	"{\"a\": \"\u00e9\u4e2d\", \"hooks\": { \"PostToolUse\": [ {} ] }}",
}

const command = "'/opt/my programs/wirekit' hook run claude --tool 'Bash=lines'"

// TestInstall: what install adds, uninstall takes away, byte for byte.
func TestInstall(t *testing.T) {
	require.GreaterOrEqual(t, len(files), 20)
	for _, text := range files {
		before := []byte(text)
		if text == "null" {
			before = nil
		}
		after, err := hooks.Install(before, command)
		require.NoError(t, err, text)
		runs, err := hooks.Installed(after)
		require.NoError(t, err)
		require.Equal(t, command, runs)
		again, err := hooks.Install(after, "another hook run claude")
		require.NoError(t, err)
		require.Equal(t, string(after), string(again), "installed once")
		back, err := hooks.Uninstall(after)
		require.NoError(t, err)
		require.Equal(t, before, back, "%s", after)
		same, err := hooks.Uninstall(before)
		if before != nil {
			require.NoError(t, err)
			require.Equal(t, text, string(same))
		}
	}
}

// TestUninstallRewritten: where another program has written the settings anew, or people
// have added to them, the hook goes and the rest stays.
func TestUninstallRewritten(t *testing.T) {
	entry := `{"matcher":"Bash|WebFetch|mcp__.*","hooks":[{"type":"command","command":"wirekit hook run claude","timeout":30}]}`
	other := `{"matcher":"Edit","hooks":[{"type":"command","command":"gofmt"}]}`
	for text, want := range map[string]string{
		`{"hooks":{"PostToolUse":[` + entry + `]}}`:                           `{}`,
		`{"model":"m","hooks":{"PostToolUse":[` + entry + `]}}`:               `{"model":"m"}`,
		`{"hooks":{"PostToolUse":[` + entry + `]},"model":"m"}`:               `{"model":"m"}`,
		`{"hooks":{"PostToolUse":[` + entry + `],"Stop":[]}}`:                 `{"hooks":{"Stop":[]}}`,
		`{"hooks":{"Stop":[],"PostToolUse":[` + entry + `]}}`:                 `{"hooks":{"Stop":[]}}`,
		`{"hooks":{"PostToolUse":[` + other + `,` + entry + `]}}`:             `{"hooks":{"PostToolUse":[` + other + `]}}`,
		`{"hooks":{"PostToolUse":[` + entry + `, // x` + "\n" + other + `]}}`: `{"hooks":{"PostToolUse":[ // x` + "\n" + other + `]}}`,
	} {
		have, err := hooks.Uninstall([]byte(text))
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(want, " ", ""), strings.ReplaceAll(string(have), " ", ""))
	}
	installed, err := hooks.Install([]byte(`{"hooks": {"PostToolUse": []}}`), command)
	require.NoError(t, err)
	grown := strings.Replace(string(installed), `[{"matcher": "Bash`, "[\n"+other+`, {"matcher": "Bash`, 1)
	back, err := hooks.Uninstall([]byte(grown))
	require.NoError(t, err)
	require.Equal(t, `{"hooks": {"PostToolUse": [`+"\n"+other+`]}}`, string(back))
}

// TestBadSettings: settings that cannot be read stay.
func TestBadSettings(t *testing.T) {
	for _, text := range []string{"", " ", "[]", "null", `"x"`, "{", "{} {}", `{"hooks": []}`, `{"hooks": {"PostToolUse": {}}}`, `{"hooks": {}, "hooks": {}}`, "{ /* open", "{'a': 1}", `{"a" 1}`, "\xff{}"} {
		_, err := hooks.Install([]byte(text), command)
		require.Error(t, err, text)
		if !strings.HasPrefix(text, `{"hooks": {"Post`) {
			_, err = hooks.Uninstall([]byte(text))
			require.Error(t, err, text)
		}
	}
}

// TestSettingsAreLinear: settings may be those of a repository of somebody else. What has
// no end in them is not looked for again and again.
func TestSettingsAreLinear(t *testing.T) {
	for _, part := range []string{`/*""`, "/*", "/", "//", "/**/", `"\\`, `"/*`, `"//`, ", ", ",\n//", `, ""`, "é/*\"\""} {
		growth.Linear(t, 250, func(n int) func() {
			text := []byte(strings.Repeat(part, n))
			return func() { _, _ = hooks.Installed(text) }
		})
	}
}

// TestOpenComments: a comment without an end is none.
func TestOpenComments(t *testing.T) {
	for _, text := range []string{"{} /*", "{} /*/", "{} /* a *", "{} /* \" // ", `{"a": 1 /* , "b": 2}`} {
		_, err := hooks.Installed([]byte(text))
		require.Error(t, err, text)
	}
}
