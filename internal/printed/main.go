// Command printed collects what programs of this machine print, a file each, to
// measure package lines on, and prints the tables of docs/lines.md:
//
//	go run ./internal/printed -dir DIR -collect
//	go run ./internal/printed -dir DIR
//
// The texts name folders of the machine and are not part of the repository.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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
	folders := map[string]string{"REPO": "", "MOD": "", "GOROOT": ""}
	for name, args := range map[string][]string{"REPO": {"git", "rev-parse", "--show-toplevel"}, "MOD": {"go", "env", "GOMODCACHE"}, "GOROOT": {"go", "env", "GOROOT"}} {
		out, err := exec.Command(args[0], args[1:]...).Output()
		if err != nil {
			return nil, err
		}
		folders[name] = strings.TrimSpace(string(out))
	}
	cmd := exec.Command("timeout", fmt.Sprint(patience.Seconds()), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PAGER=cat", "NO_COLOR=1", "GOFLAGS=-mod=mod", "GOPROXY=off")
	for name, folder := range folders {
		cmd.Env = append(cmd.Env, name+"="+folder)
	}
	return cmd.CombinedOutput()
}
