// Command casecount runs the tests of packages and prints, for each, how many
// cases passed: every named case of a table counts as one, a test without
// cases too.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"

	gojson "github.com/goccy/go-json"
)

// event is a line that go test -json prints.
type event struct {
	Action, Package, Test, Output string
}

type count struct{ passed, failed, skipped int }

func main() {
	flag.Parse()
	cmd := exec.Command("go", append([]string{"test", "-json", "-short", "-count=1"}, flag.Args()...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fail(err)
	}
	counts, packages, failures := read(out)
	err = cmd.Wait()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, name := range packages {
		c := counts[name]
		fmt.Fprintf(w, "%s\t%d cases passed\t%d failed\t%d skipped\n", strings.TrimPrefix(name, "github.com/wirekit/wirekit/"), c.passed, c.failed, c.skipped)
	}
	_ = w.Flush() // standard output
	if err != nil {
		fmt.Print(failures)
		fail(err)
	}
}

// read counts the leaves of the tree of tests.
func read(r io.Reader) (map[string]*count, []string, string) {
	counts := map[string]*count{}
	var packages []string
	var failures strings.Builder
	parents := map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if gojson.Unmarshal(lines.Bytes(), &e) != nil || e.Package == "" {
			continue
		}
		if e.Test == "" {
			if e.Action == "output" && strings.HasPrefix(e.Output, "FAIL") {
				failures.WriteString(e.Output)
			}
			continue
		}
		c := counts[e.Package]
		if c == nil {
			c = &count{}
			counts[e.Package] = c
			packages = append(packages, e.Package)
		}
		if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
			parents[e.Package+" "+e.Test[:i]] = true
		}
		// The cases of a test end before it does.
		leaf := !parents[e.Package+" "+e.Test]
		switch e.Action {
		case "pass":
			if leaf {
				c.passed++
			}
		case "fail":
			if leaf {
				c.failed++
			}
			failures.WriteString("failed: " + e.Package + " " + e.Test + "\n")
		case "skip":
			c.skipped++
		}
	}
	return counts, packages, failures.String()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "casecount:", err)
	os.Exit(1)
}
