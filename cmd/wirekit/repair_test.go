package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
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
		require.Equal(t, c.text == `[1]` && c.flags == "", err.Len() == 0, "%q %s", c.text, c.flags)
	}
}
