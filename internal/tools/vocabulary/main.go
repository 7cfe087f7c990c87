// Command vocabulary writes the binary vocabularies that package tokens embeds
// from the rank files of github.com/pkoukk/tiktoken-go-loader:
//
//	go run ./internal/tools/vocabulary -dir tokens/data
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/pkoukk/tiktoken-go-loader/assets"
	"github.com/wirekit/wirekit/tokens"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", "tokens/data", "folder to write to")
	flag.Parse()
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		if err := generate(name, filepath.Join(*dir, name+".bin")); err != nil {
			log.Fatal("vocabulary: ", err)
		}
	}
}

func generate(name, file string) error {
	ranks, err := fs.ReadFile(assets.Assets, name+".tiktoken")
	// The pattern is not in the file; any does.
	v, malformed := tokens.Load(name, bytes.NewReader(ranks), tokens.PatternO200k)
	if err = cmp.Or(err, malformed); err != nil {
		return err
	}
	binary, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", file, len(binary))
	return os.WriteFile(file, binary, 0o644)
}
