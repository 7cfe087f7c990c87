package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/partial"
)

// TestRepairExit: the exit code says whether every repair is sure.
func TestRepairExit(t *testing.T) {
	for _, c := range []struct {
		text   string
		flags  string
		code   int
		stdout string
	}{
		{`[1]`, "", 0, "[1]\n"},
		{`[1,]`, "--sure", 0, "[1]\n"},
		{`Here: [1]`, "", 3, "[1]\n"},
		{`Here: [1]`, "--sure", 3, ""},
		{`[1`, "", 3, "[]\n"},
		{`[1`, "--sure", 3, ""},
		{`"[1]"`, "", 0, "\"[1]\"\n"},
		{`"[1]"`, "--quoted --sure", 0, "[1]\n"},
		{`"a`, "", 1, ""},
		{``, "", 1, ""},
		{`no`, "", 1, ""},
		{`[1,,2]`, "", 1, ""},
		{`[1]`, "--unknown", 2, ""},
	} {
		var out, err bytes.Buffer
		args := append([]string{"repair"}, strings.Fields(c.flags)...)
		code := run(args, &cli.Console{In: strings.NewReader(c.text), Out: &out, Err: &err})
		require.Equal(t, c.code, code, "%q %s: %s", c.text, c.flags, err.String())
		require.Equal(t, c.stdout, out.String(), "%q %s", c.text, c.flags)
		require.Equal(t, c.code == 0 && c.flags == "", err.Len() == 0, "%q %s", c.text, c.flags)
	}
}

// TestRepairList: each repair is listed with its place, in two forms, what a cut text lacks too.
func TestRepairList(t *testing.T) {
	for _, c := range []struct{ text, lines, kinds string }{
		{"Here:\n[1,]", `line 1, column 1: prose_before: left out "Here:" (not sure)` + "\n" + `line 2, column 3: trailing_comma: left out ","` + "\n", "prose_before trailing_comma"},
		{"{\n \"é\":[1,23", "line 2, column 9: cut: took 23 for ]} (not sure)\n", "cut"},
		{`{"a":"b\u00`, `line 1, column 8: cut: took \u00 for "} (not sure)` + "\n", "cut"},
		{`{"a":1,"b"`, `line 1, column 8: cut: took "b" for } (not sure)` + "\n", "cut"},
		{`{"a":1,"b": `, `line 1, column 8: cut: took "b":  for } (not sure)` + "\n", "cut"},
		{`{"a":[1]`, "line 1, column 9: cut: added } (not sure)\n", "cut"},
	} {
		for _, flags := range []string{"", "--json"} {
			var out, err bytes.Buffer
			run(append([]string{"repair"}, strings.Fields(flags)...), &cli.Console{In: strings.NewReader(c.text), Out: &out, Err: &err})
			if flags == "" {
				require.Equal(t, c.lines, err.String(), c.text)
				continue
			}
			var list []partial.Repair
			require.NoError(t, json.Unmarshal(err.Bytes(), &list), "%s", err.String())
			kinds := make([]string, len(list))
			for i, r := range list {
				kinds[i] = r.Kind.String()
			}
			require.Equal(t, c.kinds, strings.Join(kinds, " "), c.text)
		}
	}
}
