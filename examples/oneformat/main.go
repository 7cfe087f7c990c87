// Oneformat sends a Go value in one format and reads it back. It links that
// format and package wire, nothing else.
package main

import (
	"fmt"
	"log"

	"github.com/wirekit/wirekit/gcf"
)

type order struct {
	ID       string   `json:"id"`
	Customer customer `json:"customer"`
	Items    []item   `json:"items"`
	Total    float64  `json:"total"`
}

type customer struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type item struct {
	SKU string `json:"sku"`
	Qty int    `json:"qty"`
}

func main() {
	orders := []order{
		{"O1", customer{7, "Ada"}, []item{{"A", 1}, {"B", 2}}, 9.5},
		{"O2", customer{8, "Grace"}, []item{{"C", 3}}, 1},
	}
	text, err := gcf.Marshal(map[string]any{"orders": orders})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)

	var back struct {
		Orders []order `json:"orders"`
	}
	if err := gcf.Unmarshal(text, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Println("read back:", back.Orders[1].Customer.Name, back.Orders[1].Items[0].Qty)
}
