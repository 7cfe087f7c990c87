//go:build upstream

package yaml

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
	"go.yaml.in/yaml/v4"
)

// lenient are the texts of the YAML test suite that are wrong and read here, see
// docs/yaml.md.
var lenient = []string{"9C9N-0", "DK95-1", "QB6E-0", "S98Z-0", "Y79Y-3"}

// TestUpstreamSuite runs the YAML test suite, whose folder src WIREKIT_YAML_SUITE names:
// what has JSON, or is to be refused. Tags without a meaning are refused, and !!binary is
// bytes.
func TestUpstreamSuite(t *testing.T) {
	folder := os.Getenv("WIREKIT_YAML_SUITE")
	if folder == "" {
		t.Skip("runs where WIREKIT_YAML_SUITE names the folder src of a checkout of the YAML test suite")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	right := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		var cases []suiteCase
		require.NoError(t, yaml.Unmarshal(src, &cases), file)
		text := ""
		for i, c := range cases {
			if c.YAML != "" {
				text = suiteText.Replace(c.YAML)
			}
			if c.JSON == nil && !c.Fail {
				continue
			}
			name := strings.TrimSuffix(filepath.Base(file), ".yaml") + "-" + string(rune('0'+i))
			t.Run(name, func(t *testing.T) {
				if c.holds(t, name, text) {
					right++
				}
			})
		}
	}
	require.GreaterOrEqual(t, right, 346)
	t.Logf("%d right", right)
}

type suiteCase struct {
	YAML string  `yaml:"yaml"`
	JSON *string `yaml:"json"`
	Fail bool    `yaml:"fail"`
}

// suiteText writes the characters that the suite has for what cannot be seen.
var suiteText = strings.NewReplacer("␣", " ", "————»", "\t", "———»", "\t", "——»", "\t", "—»", "\t", "»", "\t", "↵", "", "←", "\r", "⇔", "\ufeff", "∎\n", "")

// holds reports whether a text is read as the suite has it, and fails where no reason is
// known for another result.
func (c suiteCase) holds(t *testing.T, name, text string) bool {
	v, err := Codec{MultiDocument: true}.Decode([]byte(text))
	var records []wire.Value
	var failed error
	for record, err := range (Codec{}).Records(strings.NewReader(text)) {
		records, failed = append(records, record), err
	}
	require.Equal(t, err == nil, failed == nil, "whole %v, as a stream %v", err, failed)
	if err != nil {
		require.True(t, c.Fail || strings.Contains(err.Error(), "unknown_tag"), err)
		return c.Fail
	}
	require.True(t, wire.Identical(v, wire.Array(records...)))
	if c.Fail {
		require.Contains(t, lenient, name)
		return false
	}
	want, got := []any{}, []any{}
	for d := json.NewDecoder(strings.NewReader(*c.JSON)); d.More(); {
		var one any
		require.NoError(t, d.Decode(&one))
		want = append(want, one)
	}
	require.NoError(t, json.Unmarshal(wire.AppendJSON(nil, v), &got))
	same := reflect.DeepEqual(want, got)
	require.True(t, same || name == "565N-0", "%q is %v, not %v", text, got, want)
	return same
}
