package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	const events = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestX"}
{"Action":"output","Package":"m/a","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"pass","Package":"m/a","Test":"TestX","Elapsed":0.1}
{"Action":"pass","Package":"m/a","Test":"TestT/one","Elapsed":0}
{"Action":"pass","Package":"m/a","Test":"TestT/two","Elapsed":0}
{"Action":"pass","Package":"m/a","Test":"TestT","Elapsed":0}
{"Action":"skip","Package":"m/a","Test":"TestY","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":1.25}
{"ImportPath":"m/c [m/c.test]","Action":"build-output","Output":"c.go:1:1: no\n"}
{"ImportPath":"m/c [m/c.test]","Action":"build-fail"}
{"Action":"output","Package":"m/c","Output":"FAIL\tm/c [build failed]\n"}
{"Action":"fail","Package":"m/c","Elapsed":0,"FailedBuild":"m/c [m/c.test]"}
{"Action":"output","Package":"m/b","Test":"TestZ","Output":"    z_test.go:1: wrong\n"}
{"Action":"fail","Package":"m/b","Test":"TestZ","Elapsed":0}
{"Action":"fail","Package":"m/b","Elapsed":0.5}
{"Action":"skip","Package":"m/d","Elapsed":0}
`
	var out bytes.Buffer
	var passed tally
	require.NoError(t, passed.read(&out, strings.NewReader(events[:strings.Index(events, `{"ImportPath"`)])))
	require.Equal(t, "ok  \tm/a\t1.250s\t3 cases\n", out.String())
	require.Equal(t, "ok   1 packages, 4 tests, 1 skipped, 3s", passed.summary(3*time.Second))
	out.Reset()
	var all tally
	require.NoError(t, all.read(&out, strings.NewReader(events)))
	require.Equal(t, "ok  \tm/a\t1.250s\t3 cases\nc.go:1:1: no\nFAIL\tm/c [build failed]\n    z_test.go:1: wrong\n", out.String())
	require.Equal(t, "FAIL 3 packages, 5 tests, 1 skipped, 1s; failed: m/c, m/b", all.summary(time.Second))
}

// TestLong: a test is long if it asks testing.Short, itself or by a function or kit.
func TestLong(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, text := range map[string]string{
		"go.mod":          "module m\n",
		"kit/kit.go":      "package kit\ntype T[V any] struct{}\nfunc (T[V]) Run() { if testing.Short() {} }\nfunc Other() { kit2.Do() }\nfunc Short() {}\n",
		"kit2/kit2.go":    "package kit2\nfunc Do() { testing.Short() }\n",
		"a/a_test.go":     "package a\nfunc TestShort(t *testing.T) { kit.Short() }\nfunc TestSkipped(t *testing.T) { if testing.Short() { t.Skip() } }\nfunc TestByHelper(t *testing.T) { t.Run(\"x\", helper) }\nfunc helper(t *testing.T) { helper(t); kit.T[int]{}.Run() }\n",
		"a/b/b_test.go":   "package b\nfunc TestByKit(t *testing.T) { kit.Other() }\n",
		"b/b_test.go":     "package b\nfunc TestOther(t *testing.T) {}\n",
		"other/go.mod":    "module other\n",
		"other/c_test.go": "package c\nfunc TestElsewhere(t *testing.T) { kit.Other() }\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	run, packages, err := long(".")
	require.NoError(t, err)
	require.Equal(t, "^(TestByHelper|TestByKit|TestSkipped)$", run)
	require.Equal(t, []string{"./a", "./a/b"}, packages)
	run, packages, err = long("other")
	require.NoError(t, err)
	require.Equal(t, "^(TestElsewhere)$", run)
	require.Equal(t, []string{"./."}, packages)
}
