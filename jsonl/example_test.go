package jsonl_test

import (
	"fmt"

	"github.com/wirekit/wirekit/jsonl"
)

func ExampleMarshal() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	text, err := jsonl.Marshal([]user{{1, "ada"}, {2, "bob"}})
	fmt.Print(string(text))
	var users []user
	fmt.Println(err, jsonl.Unmarshal(text, &users), users)
	// Output:
	// {"id":1,"name":"ada"}
	// {"id":2,"name":"bob"}
	// <nil> <nil> [{1 ada} {2 bob}]
}
