// Command printed collects what programs of this machine print, a file each, to
// measure package lines on, and prints the tables of docs/lines.md:
//
//	go run ./internal/tools/printed -dir DIR -collect
//	go run ./internal/tools/printed -dir DIR
//
// The texts name folders of the machine and are not part of the repository.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
)

const (
	// A text has at most longest bytes, and so have all of a kind together mostKind;
	// shorter ones than shortest are not taken.
	longest, mostKind, shortest = 24 << 10, 44 << 10, 1500
	patience                    = 3 * time.Minute
)

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", "", "folder of the texts")
	collecting := flag.Bool("collect", false, "run the programs and write the texts")
	flag.Parse()
	if *dir == "" {
		log.Fatal("name a folder with -dir")
	}
	if *collecting {
		if err := collect(*dir); err != nil {
			log.Fatal(err)
		}
	}
	if err := report(os.Stdout, *dir); err != nil {
		log.Fatal(err)
	}
}

// collect runs the commands and writes what they print into dir.
func collect(dir string) error {
	work, err := os.MkdirTemp("", "printed")
	if err != nil {
		return err
	}
	defer func() {
		_ = exec.Command("chmod", "-R", "u+w", work).Run()
		_ = os.RemoveAll(work)
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := run(work, setup); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	kinds := make(map[string]int)
	for _, s := range samples {
		kinds[s.kind]++
	}
	for i, s := range samples {
		// Most of the commands fail, which is what is to be seen.
		text, _ := run(work, s.command)
		if most := min(longest, mostKind/kinds[s.kind]); len(text) > most {
			text = text[:bytes.LastIndexByte(text[:most], '\n')+1]
		}
		if len(text) < shortest {
			log.Printf("%s, %s: %d bytes are too few", s.kind, s.name, len(text))
			continue
		}
		if err := os.WriteFile(file(dir, i), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// file is where the text of sample i is.
func file(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("%03d.txt", i)) }

// run returns what a command prints on both of its outputs.
func run(dir, command string) ([]byte, error) {
	cmd := exec.Command("timeout", fmt.Sprint(patience.Seconds()), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PAGER=cat", "NO_COLOR=1", "GOFLAGS=-mod=mod", "GOPROXY=off")
	for name, args := range map[string][]string{"REPO": {"git", "rev-parse", "--show-toplevel"}, "MOD": {"go", "env", "GOMODCACHE"}, "GOROOT": {"go", "env", "GOROOT"}} {
		out, err := exec.Command(args[0], args[1:]...).Output()
		if err != nil {
			return nil, err
		}
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(out)))
	}
	return cmd.CombinedOutput()
}

// A tally is texts, what they take and what they take encoded, in tokens.
type tally struct {
	texts, tokens, plain, legend int
	savings                      []float64 // of each text with a legend
}

func (t *tally) add(before, plain, legend int) {
	t.texts++
	t.tokens += before
	t.plain += plain
	t.legend += legend
	t.savings = append(t.savings, saved(before, legend))
}

// saved is a share in percent.
func saved(before, after int) float64 { return 100 - 100*float64(after)/float64(before) }

func (t *tally) median() float64 {
	slices.Sort(t.savings)
	return t.savings[len(t.savings)/2]
}

func (t *tally) row(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d | %d | %.1f %% | %.1f %% |", name, t.texts, t.tokens, saved(t.tokens, t.plain), saved(t.tokens, t.legend))
}

const (
	heading = "| %s | texts | tokens | plain | legend |"
	rule    = "\n| --- | ---: | ---: | ---: | ---: |"
)

// pages are lengths of the beginnings of texts, in bytes; 0 is the whole text.
var pages = []int{0, 16 << 10, 8 << 10, 4 << 10, 2 << 10}

// report writes the tables.
func report(w io.Writer, dir string) error {
	kinds := make(map[string]*tally)
	var order []string
	totals := make([]tally, len(pages))
	for i, s := range samples {
		text, err := os.ReadFile(file(dir, i))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		k, ok := kinds[s.kind]
		if !ok {
			k = new(tally)
			kinds[s.kind] = k
			order = append(order, s.kind)
		}
		for p, most := range pages {
			page := text
			if most > 0 {
				page = text[:min(most, len(text))]
			}
			before, plain, legend := measure(page)
			if most == 0 {
				k.add(before, plain, legend)
			}
			if s.kind != sourceCode && s.kind != prose {
				totals[p].add(before, plain, legend)
			}
		}
	}
	fmt.Fprintf(w, heading+" median |"+rule+" ---: |\n", "beginnings of texts")
	for p := range totals {
		name := "whole"
		if pages[p] > 0 {
			name = fmt.Sprintf("%d KB", pages[p]>>10)
		}
		totals[p].row(w, name)
		fmt.Fprintf(w, " %.1f %% |\n", totals[p].median())
	}
	fmt.Fprintf(w, "\n"+heading+rule+"\n", "program")
	slices.SortStableFunc(order, func(a, b string) int {
		return kinds[a].legend*kinds[b].tokens - kinds[b].legend*kinds[a].tokens
	})
	for _, name := range order {
		kinds[name].row(w, name)
		fmt.Fprintln(w)
	}
	return nil
}

// measure returns the tokens of a text, and of what Encode makes of it without a
// legend and with one.
func measure(text []byte) (before, plain, legend int) {
	counter := tokens.O200k{}
	_, p := lines.Encode(text, lines.Options{Counter: counter, NoLegend: true})
	_, l := lines.Encode(text, lines.Options{Counter: counter})
	return p.Before, p.After, l.After
}
