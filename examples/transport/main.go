// Transport puts llm.Transport in front of a model's API, here a local one, and shows what
// the model is sent of a tool's result.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/wirekit/wirekit/llm"
)

type issue struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	State  string `json:"state"`
}

func main() {
	model := httptest.NewServer(http.HandlerFunc(show))
	defer model.Close()

	var issues []issue
	for i := range 40 {
		issues = append(issues, issue{i + 1, "The import blocks readers", "open"})
	}
	result, err := json.Marshal(issues)
	if err != nil {
		log.Fatal(err)
	}
	request, err := json.Marshal(map[string]any{"model": "local", "messages": []any{
		map[string]string{"role": "tool", "tool_call_id": "call_1", "content": string(result)},
	}})
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &llm.Transport{}}
	response, err := client.Post(model.URL+"/v1/chat/completions", "application/json", strings.NewReader(string(request)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("of", len(request), "bytes that the program wrote:", response.Status)
}

// show is the model: it prints what it is sent.
func show(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes sent: %.170s…\n", len(body), body)
}
