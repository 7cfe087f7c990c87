// Rows turns a slice of structs into rows and back.
package main

import (
	"fmt"
	"log"

	"github.com/wirekit/wirekit/gcx"
)

type symbol struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Line int    `json:"line"`
	Doc  string `json:"doc,omitempty"`
}

func main() {
	text, err := gcx.Marshal([]symbol{
		{"auth.Login", "function", 12, "Login checks a password."},
		{"auth.Token", "type", 40, ""},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)

	var symbols []symbol
	if err := gcx.Unmarshal(text, &symbols); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", symbols)
}
