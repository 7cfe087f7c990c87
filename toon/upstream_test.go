//go:build upstream

package toon_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// A fixture is one case of a file of fixtures.
type fixture struct {
	Name        string          `json:"name"`
	Input       json.RawMessage `json:"input"`
	Expected    json.RawMessage `json:"expected"`
	ShouldError bool            `json:"shouldError"`
	MinVersion  string          `json:"minSpecVersion"`
	Options     struct {
		Delimiter string `json:"delimiter"`
		Indent    int    `json:"indentSize"`
		Strict    *bool  `json:"strict"`
	} `json:"options"`
}

// fiveRecoveries is why cases of 4.0 and 4.1 differ: a lenient decoder of 4.4
// recovers from five conditions and from nothing else.
const fiveRecoveries = "4.4, section 14.4: five recoveries only; this is an error in both modes"

// knownDifferences are the cases that version 4.4 contradicts, by what they
// decode, with strict=false. The fixtures of 4.0 have the first four.
var knownDifferences = map[string]string{
	"foo[1][bar]: 10":           fiveRecoveries,
	"key[]: 1,2":                fiveRecoveries,
	"foo[bar][1]: 20":           fiveRecoveries,
	"foo[2]extra: a,b":          fiveRecoveries,
	"a[2|]{x,y}: 1|2":           fiveRecoveries,
	"foo [2]: bar,baz":          fiveRecoveries,
	"u[2:]{x}:\n  a: 1\n  boom": fiveRecoveries,
}

// codecOf returns the codec with a case's options.
func (f fixture) codec() toon.Codec {
	c := toon.Codec{Indent: f.Options.Indent}
	switch f.Options.Delimiter {
	case "\t":
		c.Delimiter = '\t'
	case "|":
		c.Delimiter = '|'
	}
	c.Lenient = f.Options.Strict != nil && !*f.Options.Strict
	return c
}

// run returns what is wrong, "" if nothing is.
func (f fixture) run(t *testing.T, category string) string {
	if category == "encode" {
		v := codectest.JSON(t, f.Input)
		var want string
		require.NoError(t, json.Unmarshal(f.Expected, &want))
		got, err := f.codec().AppendEncode(nil, v)
		if err != nil || string(got) != want {
			return fmt.Sprintf("%v\nwant %q\ngot  %q", err, want, got)
		}
		return ""
	}
	var text string
	require.NoError(t, json.Unmarshal(f.Input, &text))
	got, err := f.codec().Decode([]byte(text))
	if f.ShouldError {
		if err == nil {
			return fmt.Sprintf("%q: an error is expected, got %v", text, got)
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("%q: %v", text, err)
	}
	want := codectest.JSON(t, f.Expected)
	if loss, at := wire.Difference(want, got); loss&^wire.LossNumberText != 0 {
		return fmt.Sprintf("%q: %v at %q\nwant %v\ngot  %v", text, loss, at, want, got)
	}
	return ""
}

// TestUpstreamFixtures runs the specification's fixtures. The cases that fail
// must be the known ones, and those must fail.
func TestUpstreamFixtures(t *testing.T) {
	dir := codectest.Upstream(t, "toon")
	passed, different := 0, 0
	for _, category := range []string{"decode", "encode"} {
		files, err := filepath.Glob(filepath.Join(dir, category, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, path := range files {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var file struct{ Tests []fixture }
			require.NoError(t, json.Unmarshal(text, &file))
			require.NotEmpty(t, file.Tests)
			for i, f := range file.Tests {
				if f.MinVersion > "4.4" {
					continue
				}
				failure := f.run(t, category)
				var text string
				_ = json.Unmarshal(f.Input, &text) // of what is decoded
				reason := ""
				if f.Options.Strict != nil && !*f.Options.Strict {
					reason = knownDifferences[strings.TrimRight(text, "\n")]
				}
				switch {
				case failure == "" && reason == "":
					passed++
				case failure == "":
					t.Errorf("%s/%s %d passes, but is listed as a difference", category, filepath.Base(path), i)
				case reason == "":
					t.Errorf("%s/%s %d, %s: %s", category, filepath.Base(path), i, f.Name, failure)
				default:
					different++
				}
			}
		}
	}
	t.Logf("%d fixtures pass, %d differ as listed", passed, different)
}
