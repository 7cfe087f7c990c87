// Gcxrequest decides tool calls in a workspace of several repositories: each
// tool says which scope it has, and a call that does not fit gets the error
// envelope that the document names.
package main

import (
	"errors"
	"fmt"
	"log"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	var codec gcx.Codec
	definitions := []gcx.ToolDefinition{
		{Name: "search_symbols", Scope: gcx.ScopeFanOut},
		{Name: "get_file_summary", Scope: gcx.ScopeRepo},
		{Name: "list_repos", Scope: gcx.ScopeWorkspace},
	}
	text, err := codec.AppendToolDefinitions(nil, definitions)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)

	workspace := gcx.Workspace{Repos: []string{"api", "web"}}
	for _, call := range []struct {
		tool gcx.ToolDefinition
		repo wire.Value
	}{
		{definitions[0], wire.Array(wire.String("*"))},
		{definitions[1], wire.String("api")},
		{definitions[1], wire.Null()},
		{definitions[0], wire.Array(wire.String("mobile"))},
	} {
		request, err := gcx.Resolve(call.tool, call.repo, workspace)
		var refused *gcx.ToolError
		switch {
		case errors.As(err, &refused):
			text, err = codec.AppendToolError(nil, *refused)
		case err == nil:
			text, err = codec.AppendToolRequest(nil, request)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", text)
	}
}
