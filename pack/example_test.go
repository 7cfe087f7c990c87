package pack_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
)

// What a service holds in memory becomes the text for a model.
func ExampleOptions_Pack() {
	ctx := context.Background()
	files := fstest.MapFS{
		"main.go": {Data: []byte("package main\n\nfunc main() { println(1) }\n")},
		".env":    {Data: []byte("TOKEN=secret\n")},
	}
	payload, report, err := pack.Options{Instruction: "Review this."}.Pack(ctx, files)
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range report.Skipped {
		fmt.Println("left out:", l.Path, "–", l.Reason)
	}
	budget := 100
	text, err := render.Options{Mode: render.ModeMinimal, Budget: &budget, Counter: tokens.O200k{}}.Text(payload)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.ReplaceAll(text, "\n\n\n", "\n\n"))
	// Output:
	// left out: .env – may hold secrets
	// --- tree: . ---
	// main.go (41 bytes)
	//
	// --- main.go [go] ---
	// package main
	//
	// func main() { println(1) }
	//
	// [user] Review this.
}
