package main

import (
	"bytes"
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
	require.Equal(t, "ok  \tm/a\t1.250s\n", out.String())
	require.Equal(t, "ok   1 packages, 1 tests, 1 skipped, 3s", passed.summary(3*time.Second))
	out.Reset()
	var all tally
	require.NoError(t, all.read(&out, strings.NewReader(events)))
	require.Equal(t, "ok  \tm/a\t1.250s\nc.go:1:1: no\nFAIL\tm/c [build failed]\n    z_test.go:1: wrong\n", out.String())
	require.Equal(t, "FAIL 3 packages, 2 tests, 1 skipped, 1s; failed: m/c, m/b", all.summary(time.Second))
}
