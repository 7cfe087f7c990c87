package mcp_test

import (
	"fmt"

	"github.com/wirekit/wirekit/mcp"
)

func ExampleRewriter_RewriteResult() {
	r := &mcp.Rewriter{Formats: []string{"gcx"}, MinTokens: 1}
	result := []byte(`{"content":[{"type":"text","text":"[{\"id\":1,\"state\":\"open\"},{\"id\":2,\"state\":\"open\"},{\"id\":3,\"state\":\"closed\"}]"}]}`)
	rewritten, event := r.RewriteResult(mcp.Call{Tool: "list_issues"}, result)
	fmt.Println(string(rewritten))
	fmt.Println(event.Reason, event.Format, event.TokensIn, event.TokensOut)
	// Output:
	// {"content":[{"type":"text","text":"GCX1 tool=data fields=id,state rows=3\n1\topen\n2\topen\n3\tclosed\n","_meta":{"dev.wirekit/format":"gcx"}}]}
	// converted gcx 27 22
}
