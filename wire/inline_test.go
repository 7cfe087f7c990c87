package wire_test

import (
	"bytes"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIntendedInlining builds the package and internal/base/scan and reads what the compiler
// says of the functions that every loop over Values or bytes calls: some cost exactly
// what the compiler allows.
func TestIntendedInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it has the compiler explain the package")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("runs where the go command is")
	}
	intended := []string{
		"Value.Bool", "Value.Index", "Value.Keys", "Value.Kind", "Value.Len", "internal.Spelling", "internal.Tag", "Value.Text",
		"Bool", "String", "(*Keys).At", "(*Keys).Len", "internal.Same", "internal.AppendText", "(*Builder).mark", "(*Builder).push",
		"aliasString", "childrenValue", "keysValue", "load", "numberText", "spanValue", "stringValue",
		"Load32[go.shape.string]", "Load64[go.shape.string]", "Load64[go.shape.[]uint8]", "NonDigits", "StringStops", "EightDigits", "specials",
	}
	out, err := exec.Command("go", "build", "-gcflags=-m=2", ".", "../internal/base/scan").CombinedOutput()
	require.NoError(t, err, "%s", out[:min(len(out), 1000)])
	for _, name := range intended {
		quoted := regexp.QuoteMeta(name)
		if bytes.Contains(out, []byte(": can inline "+name+" with cost ")) {
			continue
		}
		t.Errorf("%s is not inlined: %s", name, regexp.MustCompile(`: cannot inline `+quoted+`: .*`).Find(out))
	}
}
