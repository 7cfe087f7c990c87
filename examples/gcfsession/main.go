// Gcfsession answers five tool calls of one conversation. Symbols that the
// model has been sent before travel as references of a few bytes.
package main

import (
	"fmt"
	"log"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/tokens"
)

func main() {
	scores := map[string]float64{"auth.Login": 0.91, "auth.hash": 0.78, "store.User": 0.7, "http.Serve": 0.66, "store.open": 0.52}
	graph := func(names ...string) *gcf.Graph {
		g := &gcf.Graph{Tool: "context_for_task"}
		for i, name := range names {
			g.Symbols = append(g.Symbols, gcf.Symbol{QualifiedName: name, Kind: "function", Score: scores[name], Provenance: "lsp_resolved", Distance: min(i, 2)})
		}
		for i := 1; i < len(names); i++ {
			g.Edges = append(g.Edges, gcf.Edge{Source: names[0], Target: names[i], Type: "calls"})
		}
		return g
	}
	calls := []*gcf.Graph{
		graph("auth.Login", "auth.hash", "store.User"),
		graph("auth.Login", "auth.hash", "store.User", "http.Serve"),
		graph("store.User", "store.open"),
		graph("http.Serve", "auth.Login", "store.User", "store.open"),
		graph("auth.Login", "auth.hash", "store.User"),
	}
	var producer gcf.Session        // the server keeps one per conversation
	var consumer gcf.SessionDecoder // and the client one
	alone, together := 0, 0
	for i, g := range calls {
		plain, err := gcf.Encode(g)
		if err != nil {
			log.Fatal(err)
		}
		text, err := gcf.EncodeWithSession(g, &producer)
		if err != nil {
			log.Fatal(err)
		}
		back, err := consumer.Decode(text)
		if err != nil {
			log.Fatal(err)
		}
		a, b := count(plain), count(text)
		alone, together = alone+a, together+b
		fmt.Printf("call %d: %d tokens alone, %d in the session, %d symbols read\n", i+1, a, b, len(back.Symbols))
		if i == 1 {
			fmt.Printf("%s", text)
		}
	}
	fmt.Printf("all: %d alone, %d in the session\n", alone, together)
}

func count(text []byte) int {
	n, err := tokens.O200k{}.Count(text)
	if err != nil {
		log.Fatal(err)
	}
	return n
}
