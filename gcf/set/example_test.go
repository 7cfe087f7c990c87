package set_test

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/gcf/set"
)

func ExampleSession() {
	type order struct {
		ID     int    `json:"id"`
		Status string `json:"status"`
	}
	orders, err := set.New("id", []order{{1, "open"}, {2, "paid"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	orders.Name = "orders"
	session := &set.Session{}
	first, err := session.Next(orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	var consumer set.Receiver
	messages := []set.Message{first}
	orders, err = set.New("id", []order{{1, "shipped"}, {2, "paid"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	orders.Name = "orders"
	next, err := session.Next(orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range append(messages, next) {
		got, err := consumer.Receive(p.Encoded)
		if err != nil {
			fmt.Println(err)
			return
		}
		_, body, _ := strings.Cut(string(p.Encoded), "\n")
		fmt.Printf("%s\n%s-> %v\n", p.Outcome, body, got.Rows[0])
	}
	// Output:
	// full
	// ## orders [2]{@id,status}
	// 1|open
	// 2|paid
	// -> {"id":1,"status":"open"}
	// delta
	// ## changed [1]{@id,status}
	// 1|shipped
	// -> {"id":1,"status":"shipped"}
}

func ExampleEncodeUnchanged() {
	orders, err := set.New("id", []map[string]int{{"id": 7}})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := set.EncodeUnchanged(orders, "gcf:0f3a")
	fmt.Print(string(text), err)
	// Output:
	// GCF profile=generic unchanged=true pack_root=gcf:0f3a count=1
	// <nil>
}
