package render_test

import (
	"fmt"
	"log"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/tokens"
)

// A budget of real tokens.
func ExampleOptions_Render() {
	var b bcp.Builder
	b.Add(&bcp.Code{Lang: "go", Path: "main.go", Content: []byte("package main\n\nfunc main() {\n\tprintln(\"hello\")\n}")}).
		Summary("Prints hello.")
	b.Add(&bcp.ToolResult{ToolName: "go vet", Status: "ok", Content: []byte("no findings")}).Priority(bcp.PriorityHigh)
	pack, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	for _, budget := range []int{64, 28} {
		r, err := render.Options{Mode: render.ModeMinimal, Budget: &budget, Counter: tokens.O200k{}}.Render(pack)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n%v, %d tokens\n\n", r.Text, r.Levels[:2], r.Tokens)
	}
	// Output:
	// --- main.go [go] ---
	// package main
	//
	// func main() {
	// 	println("hello")
	// }
	//
	// --- go vet [ok] ---
	// no findings
	// [full full], 29 tokens
	//
	// --- main.go [go] (summary) ---
	// Prints hello.
	//
	// --- go vet [ok] ---
	// no findings
	// [summary full], 23 tokens
}
