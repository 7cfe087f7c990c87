package set_test

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/wire"
)

func ExampleSession() {
	row := func(id int64, status string) wire.Value {
		v, err := wire.Object(wire.Member{Key: "id", Value: wire.Int(id)}, wire.Member{Key: "status", Value: wire.String(status)})
		if err != nil {
			panic(err)
		}
		return v
	}
	orders := &set.Set{Name: "orders", Key: "id", Fields: []string{"id", "status"}, Rows: []wire.Value{row(1, "open"), row(2, "paid")}}
	session := &set.Session{}
	first, err := session.Next(orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	var consumer set.Receiver
	messages := []set.Message{first}
	orders.Rows = []wire.Value{row(1, "shipped"), row(2, "paid")}
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
	order, err := wire.FromGo(map[string]int{"id": 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	orders := &set.Set{Key: "id", Fields: []string{"id"}, Rows: []wire.Value{order}}
	text, err := set.EncodeUnchanged(orders, "gcf:0f3a")
	fmt.Print(string(text), err)
	// Output:
	// GCF profile=generic unchanged=true pack_root=gcf:0f3a count=1
	// <nil>
}
