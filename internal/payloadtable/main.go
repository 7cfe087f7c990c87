// Command payloadtable measures the answers of package payload in tokens of
// o200k_base and prints the tables of docs/choosing.md and docs/fold.md.
//
//	go run ./internal/payloadtable
//	go run ./internal/payloadtable -charts docs/images
//
// With -charts it draws the chart of README.md, light and dark, into that folder.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/wirekit/wirekit/internal/payload"
)

func main() {
	charts := flag.String("charts", "", "folder to draw the charts into")
	flag.Parse()
	if err := run(*charts); err != nil {
		fmt.Fprintln(os.Stderr, "payloadtable:", err)
		os.Exit(1)
	}
}

func run(charts string) error {
	measures, err := all(payload.All())
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
	fmt.Println(groupTable(measures))
	fmt.Print(formatTable(measures), "\n", foldTable(measures, pages))
	return nil
}
