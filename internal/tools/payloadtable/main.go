// Command payloadtable measures the answers of package payload in tokens of
// o200k_base and prints the tables of docs/choosing.md,
// docs/measurements.md and docs/fold.md.
//
//	go run ./internal/tools/payloadtable
//	go run ./internal/tools/payloadtable -charts docs/images
//
// With -charts it draws the chart of README.md, light and dark, into that folder.
package main

import (
	"flag"
	"fmt"

	"github.com/wirekit/wirekit/internal/testkit/payload"
)

func main() {
	charts := flag.String("charts", "", "folder to draw the charts into")
	flag.Parse()
	measures := all(payload.All())
	if *charts != "" {
		draw(*charts, measures)
		return
	}
	fmt.Println(groupTable(measures))
	fmt.Print(formatTable(measures), "\n", foldTable(measures, pagesFolded(measures)))
}

// must returns what a call without an error returned: the payloads are parts of the program.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
