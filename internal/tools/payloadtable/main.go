// Command payloadtable measures the answers of package payload in tokens of
// o200k_base and prints the tables of docs/choosing.md,
// docs/measurements.md and docs/fold.md.
//
//	go run ./internal/tools/payloadtable
//	go run ./internal/tools/payloadtable -charts docs/images
//	go run ./internal/tools/payloadtable -out payloads
//
// With -charts it draws the chart of README.md, light and dark, into that folder; with -out
// it writes the answers themselves, those of docs/payloads.sha256, as files of JSON.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/wirekit/wirekit/internal/testkit/payload"
)

func main() {
	charts := flag.String("charts", "", "folder to draw the charts into")
	out := flag.String("out", "", "folder to write the answers into")
	flag.Parse()
	if *out != "" {
		if err := write(*out, payload.All()); err != nil {
			log.Fatal(err)
		}
		return
	}
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
