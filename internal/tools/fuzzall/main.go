// Command fuzzall runs every fuzz target of the module for a given time each
// and fails when one finds something.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("fuzz: ")
	each := flag.Duration("time", 10*time.Second, "how long each target runs")
	flag.Parse()
	if err := fuzz(*each); err != nil {
		log.Fatal(err)
	}
}

func fuzz(each time.Duration) error {
	dir, err := os.MkdirTemp("", "fuzzall")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	targets, err := targets()
	if err != nil {
		return err
	}
	// One program of each package: to build one is slower than what is fuzzed here.
	program := filepath.Join(dir, "fuzz.test")
	built := ""
	for _, t := range targets {
		fmt.Println(t.folder, t.name)
		if built != t.folder {
			built = t.folder
			if out, err := output(t.folder, "go", "test", "-c", "-fuzz", "^Fuzz", "-o", program); err != nil {
				fmt.Print(out)
				return err
			}
		}
		// Workers share the cores with the fuzzed code: two are enough.
		out, err := output(t.folder, program, "-test.run", "^$", "-test.fuzz", "^"+t.name+"$", "-test.fuzztime", each.String(), "-test.parallel", "2",
			"-test.fuzzminimizetime", "10x", "-test.fuzzcachedir", filepath.Join(dir, "corpus", t.folder))
		if err != nil && !timeEnded(out) {
			fmt.Print(out)
			return fmt.Errorf("%s %s: %w", t.folder, t.name, err)
		}
		if !strings.Contains(out, "fuzz: elapsed") {
			fmt.Print(out)
			return fmt.Errorf("%s %s was not fuzzed", t.folder, t.name)
		}
	}
	if len(targets) == 0 {
		return errors.New("no fuzz target found")
	}
	fmt.Printf("fuzz: %d targets, %s each, nothing found\n", len(targets), each)
	return nil
}

// A target is a fuzz target of the package in a folder.
type target struct{ folder, name string }

var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// targets finds the fuzz targets of the module that is in the working directory, and of
// those in it.
func targets() ([]target, error) {
	var list []target
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			list = append(list, target{filepath.Dir(path), string(m[1])})
		}
		return err
	})
	return list, err
}

// timeEnded reports whether a target that failed has found nothing: before Go
// 1.27 the end of its time can be taken for a failure (go.dev/issue/75804). What
// a target finds it writes to a file.
func timeEnded(out string) bool {
	return strings.Contains(out, "\n    context deadline exceeded\n") && !strings.Contains(out, "Failing input written to")
}

// output runs a command in a folder and returns what it printed.
func output(folder, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), err
}
