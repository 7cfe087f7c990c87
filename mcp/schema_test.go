package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/mcp"
)

func TestPrune(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"titles that repeat the name", `{"title":"read_fileArguments","type":"object","properties":{"filePath":{"title":"File Path","type":"string"},"x":{"type":"number" , "title":"Horizontal position"}}}`,
			`{"type":"object","properties":{"filePath":{"type":"string"},"x":{"type":"number" , "title":"Horizontal position"}}}`},
		{"titles that the description has", `{"properties":{"x":{"title":"Horizontal","description":"the horizontal position"}}}`,
			`{"properties":{"x":{"description":"the horizontal position"}}}`},
		{"comments", `{"$comment":"todo", "type":"object","properties":{"a":{"$comment":{"b":1}}}}`, `{"type":"object","properties":{"a":{}}}`},
		{"neighbours", `{ "$comment":"x", "title":"Read File" , "$schema":"http://json-schema.org/draft-07/schema#" }`, `{  }`},
		{"in between", `{"type":"object", "$comment":"x", "title":"Read", "required":[], "$schema":"https://json-schema.org/draft/2020-12/schema"}`,
			`{"type":"object", "required":[]}`},
		{"descriptions that repeat", `{"description":"Reads a file.","properties":{"a":{"description":"Reads a file."},"b":{"description":"paths","items":{"description":"paths","type":"string"}}}}`,
			`{"properties":{"a":{},"b":{"description":"paths","items":{"type":"string"}}}}`},
		{"properties of such names", `{"properties":{"title":{"title":"Title","type":"string"},"$comment":{"type":"string"},"description":{"type":"string"},"$schema":{}},"required":["title"]}`,
			`{"properties":{"title":{"type":"string"},"$comment":{"type":"string"},"description":{"type":"string"},"$schema":{}},"required":["title"]}`},
		{"data stays", `{"const":{"title":"","$comment":1},"enum":[{"$comment":1}],"default":{"$comment":1},"examples":[{"title":""}]}`, ``},
		{"unknown keywords stay", `{"x-mcp-header":{"title":""},"properties":{"a":{"x-mcp-header":"A","other":{"$comment":1}}}}`, ``},
		{"everywhere", `{"$defs":{"a":{"$comment":1}},"anyOf":[{"$comment":1},{"not":{"$comment":1}}],"items":{"$comment":1},"prefixItems":[{"$comment":1}],"if":{"$comment":1},"additionalProperties":{"$comment":1},"patternProperties":{"^$":{"$comment":1}},"dependentSchemas":{"a":{"$comment":1}}}`,
			`{"$defs":{"a":{}},"anyOf":[{},{"not":{}}],"items":{},"prefixItems":[{}],"if":{},"additionalProperties":{},"patternProperties":{"^$":{}},"dependentSchemas":{"a":{}}}`},
		{"a version that matters: tuples", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},{}]}`, ``},
		{"a version that matters: beside $ref", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","definitions":{"a":{}},"minimum":1}`, ``},
		{"a version that matters: deep", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{"type":"string"}]}}}`, ``},
		{"a version that is too old", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`, ``},
		{"an own version", `{"$schema":"https://example.org/schema","type":"object"}`, ``},
		{"booleans", `{"properties":{"a":true},"additionalProperties":false}`, ``},
		{"no schema", `[1,{"$comment":1}]`, ``},
		{"odd values", `{"title":7,"description":[],"properties":[{"$comment":1}],"items":7,"anyOf":{}}`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			list := func(schema string, output bool) string {
				out := `{"tools":[{"name":"read_file","description":"Reads a file.","inputSchema":` + schema
				if output {
					out += `,"outputSchema":` + schema
				}
				return out + `,"annotations":{"title":"Read File"}}]}`
			}
			r := &mcp.Rewriter{Prune: true}
			got := r.RewriteTools(mcp.Call{}, []byte(list(c.in, true)))
			require.Equal(t, list(c.want, false), string(got))
			require.Equal(t, string(got), string(r.RewriteTools(mcp.Call{}, got)), "a second time")
			codectest.JSON(t, got)
			r.Mode = mcp.ModeText
			require.Equal(t, list(c.want, true), string(r.RewriteTools(mcp.Call{}, []byte(list(c.in, true)))))
			for _, mode := range []mcp.Mode{mcp.ModeDryRun, mcp.ModeOff} {
				r.Mode = mode
				require.Equal(t, list(c.in, true), string(r.RewriteTools(mcp.Call{}, []byte(list(c.in, true)))))
			}
		})
	}
}
