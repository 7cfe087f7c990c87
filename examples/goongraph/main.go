// Goongraph writes a graph query's result for a model to read.
package main

import (
	"fmt"
	"log"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/goon/response"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	var b response.Builder
	ada := b.Node("User", 1, wire.Member{Key: "name", Value: wire.String("Ada")}, wire.Member{Key: "state", Value: wire.String("active")})
	fix := b.Node("MergeRequest", 41, wire.Member{Key: "title", Value: wire.String("Fix the login timeout")}, wire.Member{Key: "draft", Value: wire.Bool(false)})
	docs := b.Node("MergeRequest", 42, wire.Member{Key: "title", Value: wire.String("Document it")}, wire.Member{Key: "draft", Value: wire.Bool(true)})
	b.Edge("AUTHORED", ada, fix)
	b.Edge("AUTHORED", ada, docs)
	response, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	text, err := goon.Marshal(response)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)

	back, err := goon.Codec{}.DecodeResponse(text)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range back.Nodes {
		title, _ := n.Get("title")
		fmt.Println(n.Type, n.ID, title)
	}
}
