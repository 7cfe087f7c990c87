package llm_test

import (
	"fmt"
	"net/http"

	"github.com/wirekit/wirekit/llm"
)

func ExampleRewriter_RewriteRequest() {
	r := &llm.Rewriter{Formats: []string{"gcx"}, MinTokens: 1}
	body := []byte(`{"model":"m","messages":[{"role":"tool","tool_call_id":"call_1","content":"[{\"id\":1,\"state\":\"open\"},{\"id\":2,\"state\":\"open\"},{\"id\":3,\"state\":\"closed\"}]"}]}`)
	out, report := r.RewriteRequest(body, llm.Detect("/v1/chat/completions", body))
	fmt.Println(string(out))
	fmt.Println(report.Profile[:2], report.Blocks[0].Reason, report.TokensIn, report.TokensOut)
	// Output:
	// {"model":"m","messages":[{"role":"tool","tool_call_id":"call_1","content":"GCX1 tool=data fields=id,state rows=3\n1\topen\n2\topen\n3\tclosed\n"}]}
	// v1 converted 27 22
}

// One line in front of the client of any SDK that takes an http.Client.
func ExampleTransport() {
	client := &http.Client{Transport: &llm.Transport{}}
	fmt.Println(client.Transport != nil)
	// Output: true
}

// A server that forwards requests itself has them rewritten before.
func ExampleRewriter_Handler() {
	gateway := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("forwards", r.URL.Path)
	})
	mux := http.NewServeMux()
	mux.Handle("/v1/", new(llm.Rewriter).Handler(gateway))
	request, err := http.NewRequest(http.MethodGet, "/v1/models", nil)
	if err != nil {
		panic(err)
	}
	mux.ServeHTTP(nil, request)
	// Output: forwards /v1/models
}
