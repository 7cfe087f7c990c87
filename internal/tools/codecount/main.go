// Command codecount counts the lines of code of each folder, tests, blank lines and
// comments apart, and the places that use raw addresses: gotype.At, Add and Ptr,
// unsafe.Pointer, Add, Slice and String. Arguments are folders to add up instead, each
// with those below it.
package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	folders, err := count(os.DirFS("."))
	if err != nil {
		log.Fatal(err)
	}
	var sum counts
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if n := folders[dir]; within(dir, os.Args[1:]) {
			fmt.Printf("%7d %5d  %s\n", n.lines, n.addresses, dir)
			sum.lines += n.lines
			sum.addresses += n.addresses
		}
	}
	fmt.Printf("%7d %5d  in all\n", sum.lines, sum.addresses)
}

func within(dir string, folders []string) bool {
	return len(folders) == 0 || slices.ContainsFunc(folders, func(f string) bool {
		return dir == f || strings.HasPrefix(dir, f+"/")
	})
}

type counts struct{ lines, addresses int }

var address = regexp.MustCompile(`^(gotype\.(At|Add|Ptr)|unsafe\.(Pointer|Add|Slice|String))$`)

// count counts every folder's Go files but tests.
func count(root fs.FS) (map[string]counts, error) {
	folders := make(map[string]counts)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "node_modules" || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		n := folders[filepath.ToSlash(filepath.Dir(path))]
		n.add(src)
		folders[filepath.ToSlash(filepath.Dir(path))] = n
		return nil
	})
	return folders, err
}

// add counts a file: a line is code if a token is in it.
func (n *counts) add(src []byte) {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	last := 0             // the last line that was counted
	before := [2]string{} // the last two tokens
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		if text == "" {
			text = tok.String()
		}
		if before[1] == "." && address.MatchString(before[0]+"."+text) {
			n.addresses++
		}
		before = [2]string{before[1], text}
		first := file.Line(pos)
		for i, line := range strings.Split(text, "\n") {
			if first+i > last && strings.TrimSpace(line) != "" {
				n.lines++
				last = first + i
			}
		}
	}
}
