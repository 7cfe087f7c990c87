// Gcxrequest decides tool calls in a workspace of several repositories: each
// tool says which scope it has, and a call that does not fit gets the error
// envelope that the document names.
package main

import (
	"errors"
	"fmt"
	"log"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/envelope"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	var codec gcx.Codec
	definitions := []envelope.Definition{
		{Name: "search_symbols", Scope: "fan-out"},
		{Name: "get_file_summary", Scope: "repo"},
		{Name: "list_repos", Scope: "workspace"},
	}
	text, err := envelope.AppendDefinitions(nil, codec, definitions)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)

	workspace := envelope.Workspace{Repos: []string{"api", "web"}}
	for _, call := range []struct {
		tool envelope.Definition
		repo wire.Value
	}{
		{definitions[0], wire.Array(wire.String("*"))},
		{definitions[1], wire.String("api")},
		{definitions[1], wire.Null()},
		{definitions[0], wire.Array(wire.String("mobile"))},
	} {
		request, err := envelope.Resolve(call.tool, call.repo, workspace)
		var refused *envelope.Error
		switch {
		case errors.As(err, &refused):
			text, err = envelope.AppendError(nil, codec, *refused)
		case err == nil:
			text, err = envelope.AppendRequest(nil, codec, request)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", text)
	}
}
