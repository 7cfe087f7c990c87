//go:build upstream

package gcf_test

import (
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// knownDifferences are the fixtures that this package fails on purpose, each
// with its reason.
var knownDifferences = map[string]string{}

// A fixture is one file of the specification's conformance suite. Its input and
// expectation are parsed from the file's own text: the order of keys and the
// spelling of numbers matter.
type fixture struct {
	wire.Value
}

func (f fixture) text(key string) string {
	v, _ := f.Get(key)
	return v.Text()
}

func (f fixture) value(t *testing.T, key string) wire.Value {
	v, ok := f.Get(key)
	require.True(t, ok, "the fixture has no %s", key)
	return v
}

// fixtureRunners run a fixture by its operation.
var fixtureRunners = map[string]func(t *testing.T, f fixture){
	"encode":         runEncode,
	"roundtrip":      runEncode,
	"roundtrip-wire": runRoundTripWire,
	"decode":         runDecode,
	"error":          runError,
	"encode-error":   runEncodeError,
}

func TestUpstream(t *testing.T) {
	root := codectest.Upstream(t, "gcf")
	ran := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			v := codectest.JSON(t, text)
			f := fixture{v}
			run := fixtureRunners[f.text("operation")]
			if f.isGraph() {
				run = graphRunners[f.text("operation")]
			}
			require.NotNil(t, run, "operation %s", f.text("operation"))
			if reason, ok := knownDifferences[filepath.ToSlash(name)]; ok {
				t.Skip(reason)
			}
			run(t, f)
			ran++
		})
		return nil
	})
	require.NoError(t, err)
	t.Logf("%d fixtures ran", ran)
	require.Equal(t, 281, ran+len(knownDifferences), "the fixtures of version 3.5.3")
}

// graphRunners run the fixtures of the graph profile by operation.
var graphRunners = map[string]func(t *testing.T, f fixture){}

// isGraph reports whether a fixture is about the graph profile.
func (f fixture) isGraph() bool {
	for _, key := range []string{"input", "expected"} {
		if strings.HasPrefix(f.text(key), "GCF profile=graph") {
			return true
		}
	}
	return false
}

func runEncode(t *testing.T, f fixture) {
	input := f.value(t, "input")
	got := codectest.Encoded(t, gcf.Codec{}, input)
	require.Equal(t, f.text("expected"), string(got))
	back := codectest.Decoded(t, gcf.Codec{}, got)
	require.True(t, wire.Equal(input, back), "decoded to %v", back)
	again := codectest.Encoded(t, gcf.Codec{}, back)
	require.Equal(t, string(got), string(again), "encoding what was decoded")
}

func runRoundTripWire(t *testing.T, f fixture) {
	v := codectest.Decoded(t, gcf.Codec{}, f.text("input"))
	got := codectest.Encoded(t, gcf.Codec{}, v)
	require.Equal(t, f.text("expected"), string(got))
}

// runDecode compares strictly: the suite asks for a subset only. The fixtures
// spell their expectation with sorted keys, so order is not compared here.
func runDecode(t *testing.T, f fixture) {
	v := codectest.Decoded(t, gcf.Codec{}, f.text("input"))
	want := f.value(t, "expected")
	require.True(t, wire.Equal(want, v), "want %v\ngot  %v", want, v)
}

func runError(t *testing.T, f fixture) {
	input := []byte(f.text("input"))
	if raw, ok := f.Get("inputBase64"); ok {
		var err error
		input, err = base64.StdEncoding.DecodeString(raw.Text())
		require.NoError(t, err)
	}
	v, err := gcf.Codec{}.Decode(input)
	e := codectest.Error(t, err)
	require.True(t, v.Kind() == wire.KindNull)
	require.Contains(t, err.Error(), f.text("expectedError"))
	if !strings.Contains(f.text("expectedError"), " ") {
		require.Equal(t, f.text("expectedError"), e.Code)
	}
}

func runEncodeError(t *testing.T, f fixture) {
	got, err := gcf.Codec{}.AppendEncode([]byte("kept"), f.value(t, "input"))
	e := codectest.Error(t, err)
	require.Equal(t, f.text("expectedError"), e.Code)
	require.NotEmpty(t, e.Hint)
	require.Equal(t, "kept", string(got))
}

// stringsOf returns an array's strings.
func stringsOf(v wire.Value) []string {
	var out []string
	for e := range v.Elements() {
		out = append(out, e.Text())
	}
	return out
}

func valuesOf(v wire.Value) []wire.Value {
	var out []wire.Value
	for e := range v.Elements() {
		out = append(out, e)
	}
	return out
}

func member(v wire.Value, key string) wire.Value {
	m, _ := v.Get(key)
	return m
}
