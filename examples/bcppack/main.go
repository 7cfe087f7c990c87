// Bcppack packs context for a model and renders it under a budget of tokens:
// what matters most in full, what does not fit by its summary.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/tokens"
)

func main() {
	var b bcp.Builder
	b.Add(&bcp.Conversation{Role: "user", Content: []byte("Why does login time out?")}).Priority(bcp.PriorityCritical)
	b.Add(&bcp.Code{Lang: "go", Path: "auth/login.go", Content: []byte("func Login() error {\n\treturn pool.Get(2 * time.Second)\n}")}).Priority(bcp.PriorityHigh)
	b.Add(&bcp.Document{Title: "Runbook", FormatHint: "markdown", Content: []byte(strings.Repeat("Check the pool. ", 200))}).
		Summary("What to check when the pool is exhausted.")
	payload, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	pack, err := bcp.EncodeOptions{CompressBlocks: true}.AppendEncode(context.Background(), nil, payload)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("packed:", len(pack), "bytes")

	received, err := bcp.Decode(pack)
	if err != nil {
		log.Fatal(err)
	}
	for _, budget := range []int{30, 60, 2000} {
		result, err := render.Options{Mode: render.ModeMarkdown, Budget: &budget, Counter: tokens.O200k{}}.Render(received)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("budget %d: %d tokens, levels %v\n", budget, result.Tokens, result.Levels)
		if budget == 60 {
			fmt.Printf("%s\n", result.Text)
		}
	}
}
