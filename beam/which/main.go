// Which tells which format pays for a lake of documents: it reads what a file pattern
// names, measures every record in every format, and writes a report.
//
//	go run . --input 'logs/*.jsonl' --report report.md --bad bad.jsonl
//
// It runs on this machine; --runner flink, spark or dataflow, with the flags of that
// runner, runs it there.
package main

import (
	"context"
	"errors"
	"flag"
	"log"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/beam"
	"github.com/wirekit/wirekit/tokens"
)

var (
	input     = flag.String("input", "", "pattern of the files to read")
	format    = flag.String("format", "", "their format (default: by extension or content)")
	whole     = flag.Bool("whole", false, "take each file for one document, not for records")
	variants  = flag.Bool("variants", false, "measure the variants of the formats too")
	tokenizer = flag.String("tokenizer", "", "token counter (default: o200k_base)")
	report    = flag.String("report", "report.md", "file to write the report to")
	bad       = flag.String("bad", "", "file to write what was passed over to, as JSON Lines")
	output    = flag.String("output", "", "prefix of files to write the records to, in the best format for each shard")
	shards    = flag.Int("shards", 16, "number of those files")
)

func main() {
	flag.Parse()
	sdk.Init()
	if err := check(); err != nil {
		log.Fatal("which: ", err)
	}
	if err := beamx.Run(context.Background(), pipeline()); err != nil {
		log.Fatal(err)
	}
}

// check refuses flags that no pipeline can be built from.
func check() (err error) {
	if *input == "" {
		return errors.New("name the files with --input")
	}
	if *format != "" {
		_, err = wirekit.Lookup(*format)
	}
	if *tokenizer != "" && err == nil {
		_, err = tokens.Lookup(*tokenizer)
	}
	return err
}

// pipeline is what the flags ask for.
func pipeline() *sdk.Pipeline {
	p, s := sdk.NewPipelineWithRoot()
	documents, unread := beam.Read(s, *input, beam.ReadOptions{Format: *format, Whole: *whole})
	passed := []sdk.PCollection{unread}
	if *output != "" {
		_, unwritten := beam.Write(s, documents, beam.WriteOptions{Prefix: *output, Format: "auto", Shards: *shards})
		passed = append(passed, unwritten)
	}
	measured := beam.Measure(s, documents, beam.MeasureOptions{Variants: *variants, Counter: *tokenizer}, passed...)
	beam.WriteReport(s, *report, measured)
	if *bad != "" {
		beam.WriteRejected(s, *bad, passed...)
	}
	return p
}
