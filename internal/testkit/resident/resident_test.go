package resident

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

var kept []byte

func megabyte() []byte { return make([]byte, 1<<20) }

func touch(n int) {
	kept = make([]byte, n)
	for i := 0; i < n; i += 4 << 10 {
		kept[i] = 1
	}
}

func TestCheck(t *testing.T) {
	Check(t,
		Case{Name: "nothing", Input: megabyte, Call: func([]byte) {}},
		Case{Name: "as allowed", Input: megabyte, Call: func(in []byte) { touch(100 * len(in)) }},
	)
}

// TestCheckFails runs TestTooMuch in a process of its own, which must fail.
func TestCheckFails(t *testing.T) {
	if testing.Short() || RaceEnabled || peak() == 0 {
		t.Skip("runs where memory is measured: on Linux, without -short and the race detector")
	}
	for _, name := range []string{"too much", "runaway"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTooMuch$/^"+strings.ReplaceAll(name, " ", "_")+"$")
		cmd.Env = append(os.Environ(), "WIREKIT_RESIDENT_FAILS=1")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "are allowed") {
			t.Errorf("%s: got %v\n%s", name, err, out)
		}
	}
}

func TestTooMuch(t *testing.T) {
	if os.Getenv("WIREKIT_RESIDENT_FAILS") == "" {
		t.Skip("runs as a part of TestCheckFails")
	}
	Check(t,
		Case{Name: "too much", Input: megabyte, Call: func(in []byte) { touch(200 * len(in)) }},
		Case{Name: "runaway", Input: megabyte, Call: func(in []byte) {
			for n := 1; ; n++ {
				touch(n << 26)
			}
		}},
	)
}
