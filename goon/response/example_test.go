package response_test

import (
	"fmt"
	"os"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/goon/response"
	"github.com/wirekit/wirekit/wire"
)

func ExampleBuilder() {
	var b response.Builder
	alice := b.Node("User", 1, wire.Member{Key: "username", Value: wire.String("alice")})
	fix := b.Node("MergeRequest", 42, wire.Member{Key: "title", Value: wire.String("Fix auth bug")})
	site := b.Node("Project", 100)
	b.Path(alice).Step("AUTHORED", fix).Step("IN_PROJECT", site)
	r, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := goon.Marshal(r)
	os.Stdout.Write(text)
	// Output:
	// @header
	// query_type:path_finding
	// goon_version:1.0.0
	// nodes:3
	// edges:2
	// @nodes
	// MergeRequest(1):
	// 42 title="Fix auth bug"
	// Project(1):
	// 100
	// User(1):
	// 1 username=alice
	// @paths
	// path=0: User:1 --AUTHORED--> MergeRequest:42 --IN_PROJECT--> Project:100
}
