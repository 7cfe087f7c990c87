package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTimeEnded(t *testing.T) {
	const head = "fuzz: elapsed: 4s, execs: 13994 (8205/sec), new interesting: 1 (total: 408)\n--- FAIL: FuzzX (4.12s)\n"
	const foot = "FAIL\nexit status 1\nFAIL\texample.com/x\t4.137s\n"
	require.True(t, timeEnded(head+"    context deadline exceeded\n"+foot))
	require.False(t, timeEnded(head+"    --- FAIL: FuzzX (0.00s)\n        x_test.go:7: boom\n    \n    Failing input written to testdata/fuzz/FuzzX/0123\n"+foot))
	require.False(t, timeEnded(head+"    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzX/0123\n"+foot))
	require.False(t, timeEnded(head+"    fuzzing process hung or terminated unexpectedly: exit status 2\n"+foot))
}
