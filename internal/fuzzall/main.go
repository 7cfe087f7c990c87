// Command fuzzall runs every fuzz target of the module for a given time each
// and fails when one finds something.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	each := flag.Duration("time", 10*time.Second, "how long each target runs")
	flag.Parse()
	packages, err := output("go", "list", "./...")
	if err != nil {
		fail(err)
	}
	targets := 0
	for _, pkg := range strings.Fields(packages) {
		list, err := output("go", "test", "-list", "^Fuzz", pkg)
		if err != nil {
			fail(err)
		}
		for _, name := range strings.Fields(list) {
			if !strings.HasPrefix(name, "Fuzz") {
				continue
			}
			targets++
			fmt.Printf("%s %s\n", pkg, name)
			// Workers share the cores with the fuzzed code: two are enough.
			out, err := output("go", "test", "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", each.String(), "-parallel", "2", "-fuzzminimizetime", "10x", pkg)
			if err != nil && !timeEnded(out) {
				fmt.Print(out)
				fail(fmt.Errorf("%s %s: %w", pkg, name, err))
			}
		}
	}
	if targets == 0 {
		fail(fmt.Errorf("no fuzz target found"))
	}
	fmt.Printf("fuzz: %d targets, %s each, nothing found\n", targets, *each)
}

// timeEnded reports whether a target that failed has found nothing: before Go
// 1.27 the end of its time can be taken for a failure (go.dev/issue/75804). What
// a target finds it writes to a file.
func timeEnded(out string) bool {
	return strings.Contains(out, "\n    context deadline exceeded\n") && !strings.Contains(out, "Failing input written to")
}

// output runs a command and returns what it printed; to standard error too if
// it failed.
func output(name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String() + errs.String(), fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out.String(), nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "fuzz:", err)
	os.Exit(1)
}
