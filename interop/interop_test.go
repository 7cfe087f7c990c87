//go:build interop

package interop

import (
	"bufio"
	"bytes"
	"embed"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

//go:embed gcf.mjs partial.mjs toon.mjs tron.mjs package.json
var scripts embed.FS

// TestInteropGCF sends the corpora and random values through the published
// JavaScript package of GCF, in its newest version: it must read what we write,
// and we must read what it writes. Differences must be known, with a reason.
func TestInteropGCF(t *testing.T) {
	values := interopValues()
	var requests []wire.Value
	for _, v := range values {
		requests = append(requests,
			request(t, "decode", v.text),
			request(t, "encode", string(wire.AppendJSON(nil, v.value))))
	}
	answers := exchange(t, "gcf.mjs", "@blackwell-systems/gcf", requests)
	known := map[string]int{}
	same, sameBytes := 0, 0
	for i, v := range values {
		theirs := inJavaScript(v.value)
		for j, direction := range []string{"they read ours", "we read theirs"} {
			answer := answers[2*i+j]
			failure := ""
			if text, ok := answer.Get("ok"); !ok {
				message, _ := answer.Get("error")
				failure = "error: " + message.Text()
			} else if j == 0 {
				got := codectest.Decoded(t, wire.JSON{}, text.Text())
				if !wire.Equal(theirs, got) {
					failure = "other value: " + got.String()
				}
			} else {
				got, err := gcf.Codec{}.Decode([]byte(text.Text()))
				switch {
				case err != nil:
					failure = "we refuse it: " + err.Error()
				case !wire.Equal(theirs, inJavaScript(got)):
					failure = "other value: " + got.String()
				case text.Text() == v.text:
					sameBytes++
				}
			}
			if failure == "" {
				same++
				continue
			}
			reason := knownDifference(v.value, j == 0)
			if reason == "" {
				t.Errorf("%s, %s: %s\nvalue %.300s\nours  %.300q\nanswer %.300q", v.name, direction, failure, v.value.String(), v.text, answer.String())
				continue
			}
			known[reason]++
		}
	}
	t.Logf("%d values, both ways: %d exchanges agree, of %d encodings %d are the same bytes", len(values), same, len(values), sameBytes)
	for reason, n := range known {
		t.Logf("known difference, %d times: %s", n, reason)
	}
}

type interopValue struct {
	name, text string
	value      wire.Value
}

// interopValues returns what our codec accepts of the corpora and of random
// values, with our encoding.
func interopValues() []interopValue {
	var values []interopValue
	add := func(name string, v wire.Value) {
		// The scripts speak JSON; very long documents prove nothing more.
		read, err := wire.JSON{}.Decode(wire.AppendJSON(nil, v))
		if err != nil {
			return
		}
		written := map[string]bool{} // variants mostly write the same
		for _, codec := range []gcf.Codec{{}, {Reorder: true}, {Dense: true}} {
			text, err := codec.AppendEncode(nil, v)
			if err == nil && len(text) <= 1<<20 && !written[string(text)] {
				written[string(text)] = true
				values = append(values, interopValue{name + ", " + codec.Info().FullName(), string(text), read})
			}
		}
	}
	for _, corpus := range conformance.Corpora() {
		for name, v := range corpus.Cases {
			add(corpus.Name+": "+name, v)
		}
	}
	g := conformance.NewGenerator(7)
	for range 5000 {
		add("random", g.Value())
	}
	return values
}

// inJavaScript returns v as a JavaScript program holds it: every number a
// float64. Zero loses its sign, as it does in GCF.
func inJavaScript(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindNumber:
		f, _ := v.Float64()
		if math.IsInf(f, 0) {
			return v
		}
		return wire.Float(f)
	case wire.KindArray:
		elements := make([]wire.Value, 0, v.Len())
		for e := range v.Elements() {
			elements = append(elements, inJavaScript(e))
		}
		return wire.Array(elements...)
	case wire.KindObject:
		members := make([]wire.Member, 0, v.Len())
		for k, e := range v.Members() {
			members = append(members, wire.Member{Key: k, Value: inJavaScript(e)})
		}
		o, err := wire.Object(members...)
		if err != nil {
			panic(err) // the keys come from an object
		}
		return o
	}
	return v
}

func request(t *testing.T, verb, text string) wire.Value {
	t.Helper()
	v, err := wire.Object(wire.Member{Key: verb, Value: wire.String(text)})
	require.NoError(t, err)
	return v
}

// needsNode skips a test where Node is not installed.
func needsNode(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("runs where %s is installed: nothing was exchanged", tool)
		}
	}
}

// exchange installs the packages, runs the script, which uses the one named, on
// the requests and returns its answers.
func exchange(t *testing.T, script, uses string, requests []wire.Value) []wire.Value {
	t.Helper()
	answers, version := exchanged(t, script, uses, requests)
	t.Logf("npm package %s %s", uses, version)
	return answers
}

// exchanged is exchange with the version of the package.
func exchanged(t *testing.T, script, uses string, requests []wire.Value) (answers []wire.Value, packageVersion string) {
	t.Helper()
	needsNode(t)
	dir := t.TempDir()
	for _, name := range []string{script, "package.json"} {
		text, err := scripts.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
	install.Dir = dir
	out, err := install.CombinedOutput()
	require.NoError(t, err, "npm install: %s", out)
	manifest, err := os.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(uses), "package.json"))
	require.NoError(t, err)
	info := codectest.JSON(t, manifest)
	version, _ := info.Get("version")
	var input bytes.Buffer
	w, err := jsonl.Codec{}.NewRecordWriter(&input, nil)
	require.NoError(t, err)
	for _, r := range requests {
		require.NoError(t, w.Write(r))
	}
	require.NoError(t, w.Close())
	node := exec.Command("node", script)
	node.Dir, node.Stdin = dir, &input
	var errs bytes.Buffer
	node.Stderr = &errs
	output, err := node.Output()
	require.NoError(t, err, errs.String())
	answers = codectest.All(t, jsonl.Codec{}.Records(bufio.NewReader(bytes.NewReader(output))))
	require.Len(t, answers, len(requests))
	return answers, version.Text()
}
