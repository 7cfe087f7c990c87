// Command testall runs the tests of the modules, or parts of them, in the folders that it
// is given. It prints a line for each package as soon as that has ended, with how many
// cases passed, what failed whole, and one line at the end. Arguments that begin with "-"
// are flags of go test, but for -long: only tests that -short leaves out or cuts short.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	var flags, modules []string
	onlyLong := false
	for _, arg := range os.Args[1:] {
		if arg == "-long" {
			onlyLong = true
		} else if strings.HasPrefix(arg, "-") {
			flags = append(flags, arg)
		} else {
			modules = append(modules, arg)
		}
	}
	start := time.Now()
	var t tally
	for _, dir := range modules {
		args, packages := append([]string{"test", "-json"}, flags...), []string{"./..."}
		if onlyLong {
			run, some, err := long(dir)
			if err != nil || len(some) == 0 {
				t.fail(dir, err)
				continue
			}
			args, packages = append(args, "-run="+run), some
		}
		cmd := exec.Command("go", append(args, packages...)...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if dir != "." {
			cmd.Env = append(os.Environ(), "GOWORK=off")
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			err = t.read(os.Stdout, out)
		}
		if failed := cmd.Wait(); err == nil && failed != nil && len(t.failed) == 0 {
			err = failed
		}
		t.fail(dir, err)
	}
	fmt.Println(t.summary(time.Since(start)))
	if len(t.failed) > 0 {
		os.Exit(1)
	}
}

// An event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A tally counts what has ended.
type tally struct {
	packages, tests, skipped int
	failed                   []string
}

// fail notes an error that is not a test's.
func (t *tally) fail(dir string, err error) {
	if err != nil {
		t.failed = append(t.failed, fmt.Sprintf("%s: %v", dir, err))
	}
}

// read prints what the events from r say.
func (t *tally) read(w io.Writer, r io.Reader) error {
	said := make(map[[2]string]*strings.Builder) // what a test has printed
	parents := make(map[[2]string]bool)          // tests that have cases
	cases := make(map[string]int)                // that passed, by package
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			fmt.Fprintf(w, "%s", line) // of the program that the tests are in
			continue
		}
		at := [2]string{e.Package, e.Test}
		switch e.Action {
		case "output":
			if said[at] == nil {
				said[at] = new(strings.Builder)
			}
			said[at].WriteString(e.Output)
			continue
		case "build-output":
			fmt.Fprint(w, e.Output)
			continue
		case "pass", "fail", "skip":
		default:
			continue
		}
		if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
			parents[[2]string{e.Package, e.Test[:i]}] = true // its cases end before it does
		}
		if e.Test != "" && e.Action == "pass" && !parents[at] {
			cases[e.Package]++
		}
		text := said[at]
		delete(said, at)
		if e.Action == "fail" && text != nil {
			fmt.Fprint(w, text)
		}
		switch {
		case e.Test == "" && e.Action == "fail":
			t.failed = append(t.failed, e.Package)
		case e.Test == "" && e.Action == "pass":
			t.packages++
			fmt.Fprintf(w, "ok  \t%s\t%.3fs\t%d cases\n", e.Package, e.Elapsed, cases[e.Package]) // nearly as go test does
		case e.Test != "" && e.Action == "skip":
			t.skipped++
		case e.Test != "":
			t.tests++
		}
	}
}

func (t *tally) summary(took time.Duration) string {
	counts := fmt.Sprintf("%d packages, %d tests, %d skipped, %s", t.packages+len(t.failed), t.tests, t.skipped, took.Round(time.Second))
	if len(t.failed) > 0 {
		return "FAIL " + counts + "; failed: " + strings.Join(t.failed, ", ")
	}
	return "ok   " + counts
}
