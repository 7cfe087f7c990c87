package goon_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/wire"
)

func Example() {
	response, err := goon.ParseJSON([]byte(`{"result": {"format_version": "2.0.0", "query_type": "traversal",
		"nodes": [
			{"type": "User", "id": "1", "username": "alice", "name": "Alice Smith", "bio": null},
			{"type": "MergeRequest", "id": "42", "iid": 101, "state": "merged", "title": "Fix auth bug"}],
		"edges": [{"from": "User", "from_id": "1", "to": "MergeRequest", "to_id": "42", "type": "AUTHORED"}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := goon.Marshal(response)
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(text)
	// Output:
	// @header
	// query_type:traversal
	// goon_version:1.0.0
	// nodes:2
	// edges:1
	// @nodes
	// MergeRequest(1):
	// 42 iid=101 state=merged title="Fix auth bug"
	// User(1):
	// 1 name="Alice Smith" username=alice
	// @edges
	// AUTHORED(1):
	// User:1 --> MergeRequest:42
}

func ExampleCodec_DecodeResponse() {
	const text = `@header
query_type:aggregation
goon_version:1.0.0
nodes:1
edges:0
rows:1
group_by:u(node:User)
aggregations:merged_count(count:u)
@nodes
User(1):
1243277 username=ghost1
@edges
@rows
u=User:1243277 merged_count=65555
`
	response, err := goon.Codec{}.DecodeResponse([]byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range response.Rows {
		cell, _ := row.Get("u")
		user, _ := goon.CellNode(cell)
		username, _ := user.Get("username")
		count, _ := row.Get("merged_count")
		fmt.Println(user.ID, username, count)
	}
	// Output: 1243277 ghost1 65555
}

func ExampleFromList() {
	records, _ := wire.ParseJSON([]byte(`[{"sku":"A-7","price":9.50},{"sku":"B-1","price":12}]`))
	response, err := goon.FromList(records, goon.ListOptions{Type: "Item", Number: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := goon.Marshal(response)
	os.Stdout.Write(text)
	// Output:
	// @header
	// query_type:search
	// goon_version:1.0.0
	// nodes:2
	// edges:0
	// @nodes
	// Item(2):
	// 1 price=9.5 sku=A-7
	// 2 price=12 sku=B-1
	// @edges
}

func ExampleCodec_Sniff() {
	for _, body := range []string{"@header\nquery_type:search\n", `{"result": {}}`} {
		fmt.Println(goon.Codec{}.Sniff([]byte(body)))
	}
	// Output:
	// true
	// false
}

func ExampleCodec_DecodeResponse_lenient() {
	const text = "@header\nquery_type:search\n@nodes\nWork Item(2):\n7 title=Fix the login\n@edges"
	_, err := goon.Codec{}.DecodeResponse([]byte(text))
	var e *wire.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code)
	}
	lenient := goon.Codec{Lenient: true, Warn: func(w *wire.Error) { fmt.Println(w.Code) }}
	response, err := lenient.DecodeResponse([]byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	title, _ := response.Nodes[0].Get("title")
	fmt.Println(response.Nodes[0].Type, title)
	// Output:
	// missing_field
	// missing_field
	// missing_field
	// missing_field
	// invalid_name
	// invalid_value
	// missing_line_feed
	// group_count_mismatch
	// Work Item Fix the login
}
