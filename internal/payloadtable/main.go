// Command payloadtable measures the answers of package payload in tokens of
// o200k_base and prints the tables of docs/choosing.md and docs/fold.md; files
// given as arguments are measured instead.
//
//	go run ./internal/payloadtable [FILE...]
//	go run ./internal/payloadtable -charts docs/images
//	go run ./internal/payloadtable -dump FOLDER
//
// With -charts it draws the chart of README.md, light and dark, into that
// folder; with -dump it writes the answers there.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wirekit/wirekit/internal/payload"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	charts := flag.String("charts", "", "folder to draw the charts into")
	dump := flag.String("dump", "", "folder to write the payloads into, as JSON")
	flag.Parse()
	if err := run(*charts, *dump, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "payloadtable:", err)
		os.Exit(1)
	}
}

func run(charts, dump string, files []string) error {
	payloads := payload.All()
	if len(files) > 0 {
		payloads = nil
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			v, err := wire.ParseJSON(text)
			if err != nil {
				return err
			}
			kind := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			payloads = append(payloads, payload.Payload{Kind: kind, Recorded: true, JSON: wire.AppendJSON(nil, v), Value: v})
		}
	}
	if dump != "" {
		return write(dump, payloads)
	}
	measures, err := all(payloads)
	if err != nil {
		return err
	}
	if charts != "" {
		return draw(charts, measures)
	}
	pages, err := pagesFolded(measures)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		fmt.Println(groupTable(measures))
	}
	fmt.Print(formatTable(measures), "\n", foldTable(measures, pages))
	return nil
}

// write writes payloads as files.
func write(folder string, payloads []payload.Payload) error {
	for _, p := range payloads {
		name := strings.NewReplacer(" ", "-", ":", "").Replace(p.Kind) + ".json"
		if err := os.WriteFile(filepath.Join(folder, name), p.JSON, 0o644); err != nil {
			return err
		}
	}
	return nil
}
