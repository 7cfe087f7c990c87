package tron_test

import (
	"fmt"

	"github.com/wirekit/wirekit/tron"
)

func ExampleMarshal() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		Role string `json:"role"`
	}
	text, err := tron.Marshal(map[string]any{
		"owner": user{3, "Eve", "user"},
		"users": []user{{1, "Ada", "admin"}, {2, "Bob", "user"}},
	})
	fmt.Println(string(text), err)
	// Output:
	// class A: id,name,role
	//
	// {"owner":A(3,"Eve","user"),"users":[A(1,"Ada","admin"),A(2,"Bob","user")]} <nil>
}
