package outline

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct{ name, ext, src, want string }{
		{"a comment", ".ts", "/**\n * Opens a door. It creaks.\n * @param a which\n */\nexport function open(a: string) {}", "Opens a door."},
		{"marks", ".java", "/** Returns the {@link Door#hinge hinge}, <b>never</b> null, e.g. of steel.\n\n <p>More. */\npublic class A { }", "Returns the Door#hinge hinge, never null, e.g. of steel."},
		{"before an annotation", ".java", "/** Sells things */ @Deprecated\npublic final class A { }", "Sells things"},
		{"a member", ".ts", "export class A {\n  /** Runs. */\n  run() {}\n}", "|Runs."},
		{"another comment", ".ts", "// Copyright\n/* not for readers */\nexport function f() {}", ""},
		{"far away", ".ts", "/** Licence. */\n\nexport function f() {}", ""},
		{"of what is before", ".ts", "/** A. */\nexport function f() {}\nexport function g() {}", "A.|"},
		{"empty", ".ts", "/**/ export function f() {}\n/** */\nexport function g() {}", "|"},
		{"slashes", ".rs", "use a;\n/// Adds one\n/// to n. Fast.\npub fn add(n: u8) {}\n// no\nfn b() {}", "Adds one to n.|"},
		{"docstrings", ".py", "class A:\n    \"\"\"Holds: a\n    door.\n\n    More.\n    \"\"\"\n    def m(self):\n        r'Opens it'\n    def n(self): pass\n", "Holds: a door.|Opens it|"},
		{"not a docstring", ".py", "def f():\n    x = 'a'\n", ""},
		{"without an end", ".py", "def f():\n    '''Open. Never closed", "Open."},
		{"long", ".py", "def f():\n    '''" + strings.Repeat("word ", 100) + "'''", strings.Repeat("word ", 40) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, h := range Heads(c.ext, []byte(c.src)) {
				got = append(got, h.Sentence())
			}
			require.Equal(t, c.want, strings.Join(got, "|"))
		})
	}
	require.Equal(t, "All of it.", About(".py", []byte("#!/usr/bin/env python\n# x\n\n\"\"\"All of it.\n\nMore.\"\"\"\nimport a\n")))
	require.Empty(t, About(".py", []byte("import a\n\"\"\"No.\"\"\"\n")))
	require.Empty(t, About(".ts", []byte("'use strict'\n")))
}
