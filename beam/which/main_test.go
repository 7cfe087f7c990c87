package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	flag.Parse()
	sdk.Init()
	os.Exit(m.Run())
}

// TestCheck: what the flags name has to be there.
func TestCheck(t *testing.T) {
	defer func() { *input, *format, *tokenizer = "", "", "" }()
	require.ErrorContains(t, check(), "--input")
	*input = "x"
	require.NoError(t, check())
	*format = "nope"
	require.ErrorContains(t, check(), "nope")
	*format, *tokenizer = "csv", "none such"
	require.ErrorContains(t, check(), "none such")
}

// TestPipeline runs the example on the embedded runner.
func TestPipeline(t *testing.T) {
	dir := t.TempDir()
	in := strings.Repeat("{\"id\":1,\"level\":\"info\",\"message\":\"done\"}\n", 40) + "{bad\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(in), 0o600))
	*input, *report = filepath.Join(dir, "*.jsonl"), filepath.Join(dir, "report.md")
	*bad, *output, *shards = filepath.Join(dir, "bad.out"), filepath.Join(dir, "packed"), 2
	require.NoError(t, beamx.Run(t.Context(), pipeline()))
	text, err := os.ReadFile(*report)
	require.NoError(t, err)
	require.Contains(t, string(text), "40 documents:")
	require.Contains(t, string(text), "1 more were passed over")
	text, err = os.ReadFile(*bad)
	require.NoError(t, err)
	require.Contains(t, string(text), `{bad`)
	packed, err := filepath.Glob(*output + "-*")
	require.NoError(t, err)
	require.Len(t, packed, 2)
}
