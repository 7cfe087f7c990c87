package inspect_test

import (
	"fmt"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/bcp/inspect"
)

func ExampleReport() {
	var b bcp.Builder
	p, err := b.Add(&bcp.Code{Lang: "go", Path: "main.go", Content: []byte("package main\n")}).Summary("The program.").Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	pack, err := bcp.Encode(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := inspect.Options{ShowBody: true}.Inspect(pack)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report)
	// Output:
	// Header: LCP v1.0, flags=0x00, 1 block
	// Block 0: CODE [go] path="main.go" (13 bytes)
	//          Summary: "The program."
	//          Body:    "package main\n"
	// ---
	// END sentinel at offset 53
}
