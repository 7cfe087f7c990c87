package pack

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// run is a run of n characters that tokens are made of.
func run(n int) string { return strings.Repeat("Ab3dE6", n/6+1)[:n] }

// The samples are put together here, so that no tool that looks for secrets
// finds one in this file.
var pem = "-----BEGIN " + "RSA PRIVATE KEY-----\n" + run(64) + "\n" + run(30) + "==\n-----END " + "RSA PRIVATE KEY-----"

func TestMask(t *testing.T) {
	for rule, token := range map[string]string{
		"aws-access-key-id": "AKIA" + "ABCDEFGH23456789",
		"github-token":      "ghp_" + run(36),
		"gitlab-token":      "glpat-" + run(20),
		"slack-token":       "xoxb-" + run(24),
		"anthropic-key":     "sk-ant-" + "api03-" + run(40),
		"openai-key":        "sk-proj-" + run(60),
		"google-key":        "AIza" + run(35),
		"stripe-key":        "sk_live_" + run(24),
		"sendgrid-key":      "SG." + run(22) + "." + run(43),
		"npm-token":         "npm_" + run(36),
		"pypi-token":        "pypi-" + run(60),
		"huggingface-token": "hf_" + run(34),
		"jwt":               "eyJ" + run(20) + ".eyJ" + run(20) + "." + run(30),
		"private-key":       pem,

		"google-client-secret": "GOCSPX-" + run(28),
		"digitalocean-token":   "dop_v1_" + strings.Repeat("0af3", 16),
		"shopify-token":        "shpat_" + strings.Repeat("0af3", 8),
		"age-key":              "AGE-SECRET-KEY-1" + strings.Repeat("QPZRY9", 9) + "X8GF",
		"vault-token":          "hvs." + run(24),
		"terraform-token":      run(14) + ".atlasv1." + run(67),
		"telegram-token":       "123456789:AA" + run(33),
		"twilio-key":           "SK" + strings.Repeat("0af3", 8),
		"mailgun-key":          "key-" + strings.Repeat("0af3", 8),
	} {
		have, found := mask("f", []byte("one\ntwo = \""+token+"\"\nthree\n"))
		require.Equal(t, "one\ntwo = \"[secret: "+rule+"]\"\nthree\n", string(have))
		require.Equal(t, []Secret{{"f", 2, rule}}, found)
	}
	for text, want := range map[string]string{
		"aws_secret_access_key = " + run(40) + "\n":                           "aws_secret_access_key = [secret: aws-secret-key]\n",
		"\"SecretAccessKey\": \"" + run(40) + "\"":                            "\"SecretAccessKey\": \"[secret: aws-secret-key]\"",
		"Endpoint=x;AccountKey=" + run(86) + "==;":                            "Endpoint=x;AccountKey=[secret: azure-key];",
		"postgres://me:" + "hunter22@db/x":                                    "postgres://me:[secret: url-password]@db/x",
		pem + "\n" + pem + "\nghp_" + run(36):                                 "[secret: private-key]\n[secret: private-key]\n[secret: github-token]",
		"https://hooks.slack.com/services/T0/B0/" + run(24):                   "https://hooks.slack.com/services/[secret: slack-webhook]",
		"bot = discord(\"M" + run(23) + ".aBc-_9." + run(27) + "\")":          "bot = discord(\"[secret: discord-token]\")",
		"?sv=2020-08-04&sig=" + run(43) + "%3D&sp=r":                          "?sv=2020-08-04&sig=[secret: azure-signature]&sp=r",
		"{\"auth\": \"" + "dXNlcjpTM2NyZXRQYXNzdzByZCF4" + "\"}":              "{\"auth\": \"[secret: docker-auth]\"}",
		"curl -sS -u admin:" + "hunter22 https://x":                           "curl -sS -u admin:[secret: basic-password] https://x",
		"machine h login bob\n  password " + "hunter22":                       "machine h login bob\n  password [secret: netrc-password]",
		"x\ndb.local:5432:*:bob:" + "hunter22\n":                              "x\ndb.local:5432:*:bob:[secret: pgpass-password]\n",
		"-H 'Authorization: Bearer " + run(32) + "'":                          "-H 'Authorization: Bearer [secret: authorization]'",
		"authorization: \"Basic " + "YWRtaW46U3VwM3JTM2NyZXRQdw==" + "\"":     "authorization: \"Basic [secret: authorization]\"",
		"Private-Lines: 2\n" + run(64) + "\n" + run(20) + "\nPrivate-MAC: 0a": "Private-Lines: 2\n[secret: private-key]\nPrivate-MAC: 0a",
		"-----BEGIN " + "PRIVATE KEY-----\\n" + run(64) + "\\n\", more(":      "[secret: private-key]more(",
	} {
		have, _ := mask("f", []byte(text))
		if strings.HasSuffix(want, "more(") {
			require.True(t, strings.HasPrefix(string(have), "[secret: private-key]"), string(have))
			continue
		}
		require.Equal(t, want, string(have))
	}
	for _, text := range []string{
		"", "nothing here", "ghp_short", "AKIA", "https://user:password@host", "https://u:${PASS}@host", "http://host:80/x@y",
		"AKIAIOSFODNN7" + "EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "curl -u user:password x", "curl -u $U:$P x",
		"Authorization: Bearer <your-token-goes-here>", "Authorization: Bearer your-access-token-goes-here", "Authorization: Basic authentication-is-used", "{\"auth\": \"requiredForAllOf\"}",
		"SKIP_" + strings.Repeat("0af3", 8), "primary key-" + run(32), "1:2:AA", "password := os.Getenv(\"DB_PASSWORD\")",
		"strings.Contains(s, \"-----BEGIN " + "PRIVATE KEY-----\")", "task-" + run(60), "-----BEGIN CERTIFICATE-----\n" + run(64),
	} {
		have, found := mask("f", []byte(text))
		require.Equal(t, text, string(have))
		require.Empty(t, found)
	}
}

// TestMaskedFiles: the pack, its summaries and the report hold no secret.
func TestMaskedFiles(t *testing.T) {
	token := "ghp_" + run(36)
	files := text("a.go", "// Package a has "+token+".\npackage a\n\n// A does it all, and then some more of what it did before.\nfunc A() { _ = \""+token+"\" }\n",
		token, "x", "tls.key", pem, "notes.txt", "The key:\n"+pem+"\n")
	o := Options{Instruction: "Use " + token}
	p, report := packed(t, o, files)
	pack, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	require.NotContains(t, string(pack), token)
	require.NotContains(t, string(pack), run(64))
	require.Equal(t, []Secret{{"a.go", 1, "github-token"}, {"a.go", 5, "github-token"}, {"notes.txt", 2, "private-key"}, {"", 1, "github-token"}}, report.Masked)
	require.Equal(t, map[string]Reason{"[secret: github-token]": reasonSecret, "tls.key": reasonSecret}, reasons(report))

	o.KeepSecrets = true
	p, report = packed(t, o, files)
	require.Empty(t, report.Masked)
	require.Empty(t, report.Skipped)
	pack, err = bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	// In the tree, the path, twice in a.go, in the outline of its package and
	// the three summaries of that, in the instruction.
	require.Equal(t, 9, strings.Count(string(pack), token))
}

// TestKeysAfterMarks: a key is masked whatever its lines begin with, and what is around it
// stays.
func TestKeysAfterMarks(t *testing.T) {
	head := "-----BEGIN " + "RSA PRIVATE KEY-----"
	tail := "-----END " + "RSA PRIVATE KEY-----"
	body := []string{run(64), run(64), run(30) + "=="}
	enciphered := append([]string{"Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC," + run(32), ""}, body...)
	versioned := append([]string{"Version: GnuPG v2.0.22 (GNU/Linux)", "Comment: (me) <a@example.org> #1", ""}, body...)
	mark := func(format string) func(i int) string {
		return func(i int) string { return strings.ReplaceAll(format, "%d", strconv.Itoa(i+8)) }
	}
	marks := map[string]func(i int) string{}
	for _, m := range []string{
		"", "  ", "\t", "# ", "#", "## ", "    # ", "> ", ">", "> > ", ">>> ", "// ", "//", "/// ", "//! ", "-- ", "* ", " * ", "*", "; ", ";; ", "% ", "%% ", "+ ", "+", "- ", "-", "| ", "|| ", "rem ", "REM ", "dnl ", "C ", "! ", "' ", "\" ", "` ",
		"%d. ", "%d) ", "(%d) ", "[%d] ", "%d: ", "%d| ", "%d\t", "     %d→", "%d │ ", "• ", "» ", "~ ", "@ ", "& ", "$ ", "\\ ", "{ ", "<!-- ", "+# ", "-# ", " # ", "+> # ", "# > ", "> // ", "[info] ", "a> ",
	} {
		marks[m] = mark(m)
	}
	for name, mark := range marks {
		for _, lines := range [][]string{body, enciphered, versioned} {
			for _, end := range []string{"\n", "\r\n", `\n`, `\r\n`} {
				for _, ended := range []bool{true, false} {
					all := append([]string{head}, lines...)
					if ended {
						all = append(all, tail)
					}
					text := "one: two (three)" + end
					for i, line := range all {
						text += mark(i) + line + end
					}
					text += "func f() (int, error) {}" + end
					have, found := mask("f", []byte(text))
					where := name + ": " + text + "\n" + string(have)
					require.Len(t, found, 1, where)
					require.NotContains(t, string(have), run(30), where)
					require.True(t, strings.HasPrefix(string(have), "one: two (three)"+end+mark(0)+"[secret: private-key]"), where)
					if ended {
						require.NotContains(t, string(have), "PRIVATE KEY", where)
						require.Contains(t, string(have), "func f() (int, error) {}", where)
					}
					require.Contains(t, string(have), "() (int, error) {}", where)
				}
			}
		}
	}
	for _, m := range []string{"# ", "> ", "// ", "-- ", "; ", "* ", "%% ", "| "} {
		have, _ := mask("f", []byte(m+"Private-Lines: 2\n"+m+run(64)+"\n"+m+run(20)+"\n"+m+"Private-MAC: 0a\n"+m+"db.local:5432:*:bob:"+"hunter22\n"+m+"machine h\n"+m+" login bob\n"+m+" password "+"hunter23\n"))
		require.NotRegexp(t, "hunter|Ab3dE6", string(have))
	}
	for _, text := range []string{
		"# " + head + "\n# is what the file of a key begins with, as a rule,\n# and more (of it)",
		"if has(s, \"" + head + "\") { // a key\n\treturn errors.New(\"that is a key, which no reader should see\")\n}",
		"> " + head + "\n> (the key is left out here, since no reader should have it)\n",
		"* " + head + "\n* " + tail + "\n",
	} {
		have, found := mask("f", []byte(text))
		require.Empty(t, found)
		require.Equal(t, text, string(have))
	}
}

// TestKeysGrow: looking for keys takes time in proportion to the text.
func TestKeysGrow(t *testing.T) {
	head := "-----BEGIN " + "RSA PRIVATE KEY-----"
	for _, part := range []string{head + "\n", "# " + run(64) + "\n", "#", head + "#", "# " + head + "\n# ", "[#", "Private-Lines: 2\n# " + run(8) + "\n",
		"eyJ" + run(12) + "-", ".eyJ-", "machine x login ", "machine ", "curl -", "authorization: bearer ", "sk-", "key-", "AccountKey="} {
		growth.Linear(t, 2000, func(n int) func() {
			text := []byte(head + "\n" + strings.Repeat(part, n))
			return func() { mask("f", text) }
		})
	}
}
