package gcf_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/wirekit/wirekit/gcf"
)

func ExampleEncode() {
	doc, err := gcf.Encode(&gcf.Graph{
		Tool: "context_for_task",
		Symbols: []gcf.Symbol{
			{QualifiedName: "mcp.NewServer", Kind: "function", Score: 0.54, Provenance: "lsp_resolved", Distance: 1},
			{QualifiedName: "mcp.requireHash", Kind: "function", Score: 0.78, Provenance: "lsp_resolved"},
		},
		Edges: []gcf.Edge{{Source: "mcp.NewServer", Target: "mcp.requireHash", Type: "calls"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(doc))
	// Output:
	// GCF profile=graph tool=context_for_task symbols=2 edges=1
	// ## targets
	// @0 fn mcp.requireHash 0.78 lsp_resolved
	// ## related
	// @1 fn mcp.NewServer 0.54 lsp_resolved
	// ## edges [1]
	// @0<@1 calls
}

func ExampleDecode() {
	g, err := gcf.Decode([]byte("GCF profile=graph symbols=1\n## targets\n@0 iface io.Reader 0.90 lsp\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Symbols[0].Kind, g.Symbols[0].QualifiedName, g.Symbols[0].Score)
	// Output: interface io.Reader 0.9
}

// The second payload of a session refers to what the first declared.
func ExampleEncodeWithSession() {
	var session gcf.Session         // the producer's
	var consumer gcf.SessionDecoder // the consumer's
	g := &gcf.Graph{Symbols: []gcf.Symbol{{QualifiedName: "io.Reader", Kind: "interface", Score: 0.9, Provenance: "lsp"}}}
	for range 2 {
		doc, err := gcf.EncodeWithSession(g, &session)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(string(doc))
		back, err := consumer.Decode(doc)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("->", back.Symbols[0].QualifiedName)
	}
	// Output:
	// GCF profile=graph symbols=1 session=true
	// ## targets
	// @0 iface io.Reader 0.90 lsp
	// -> io.Reader
	// GCF profile=graph symbols=1 session=true
	// ## targets
	// @0  # previously transmitted
	// -> io.Reader
}

func ExampleEncodeDelta() {
	base := &gcf.Graph{Symbols: []gcf.Symbol{{QualifiedName: "a.Old", Kind: "function", Score: 0.5, Provenance: "lsp"}}}
	next := &gcf.Graph{Symbols: []gcf.Symbol{{QualifiedName: "a.New", Kind: "function", Score: 0.5, Provenance: "lsp"}}}
	delta, err := gcf.DiffGraphs(base, next)
	if err != nil {
		fmt.Println(err) // the producer sends next in full
		return
	}
	doc, err := gcf.EncodeDelta(delta)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, body, _ := strings.Cut(string(doc), "\n")
	fmt.Print(body)

	// The consumer checks both roots.
	received, err := gcf.DecodeDelta(doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := gcf.ApplyDelta(base, received)
	if err != nil {
		fmt.Println(err) // it keeps base and asks for a full payload
		return
	}
	fmt.Println(result.Symbols[0].QualifiedName)
	// Output:
	// ## removed
	// fn a.Old
	// ## added
	// @0 fn a.New 0.50 lsp 0
	// a.New
}

func ExampleGraphCodec_NewStreamEncoder() {
	e := gcf.GraphCodec{LabeledCounts: true}.NewStreamEncoder(os.Stdout, gcf.Graph{Tool: "context_for_task"})
	err := e.Symbol(&gcf.Symbol{QualifiedName: "pkg.Auth", Kind: "function", Score: 0.95, Provenance: "lsp_resolved"})
	if err == nil {
		err = e.Edge(&gcf.Edge{Source: "pkg.Auth", Target: "pkg.Auth", Type: "calls"})
	}
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// GCF profile=graph tool=context_for_task
	// ## targets
	// @0 fn pkg.Auth 0.95 lsp_resolved
	// ## edges [?]
	// @0<@0 calls
	// ##! summary symbols=1 edges=1 counts=targets:1,edges:1
}
