package gcf_test

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

func ExampleSetSession() {
	row := func(id int64, status string) wire.Value {
		v, err := wire.Object(wire.Member{Key: "id", Value: wire.Int(id)}, wire.Member{Key: "status", Value: wire.String(status)})
		if err != nil {
			panic(err)
		}
		return v
	}
	orders := &gcf.Set{Name: "orders", Key: "id", Fields: []string{"id", "status"}, Rows: []wire.Value{row(1, "open"), row(2, "paid")}}
	session, first, err := gcf.NewSetSession(orders, gcf.ReAnchor{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var consumer gcf.SetReceiver
	payloads := []gcf.Payload{first}
	orders.Rows = []wire.Value{row(1, "shipped"), row(2, "paid")}
	next, err := session.Next(orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range append(payloads, next) {
		set, err := consumer.Receive(p.Wire)
		if err != nil {
			fmt.Println(err)
			return
		}
		_, body, _ := strings.Cut(string(p.Wire), "\n")
		fmt.Printf("%s\n%s-> %v\n", p.Outcome, body, set.Rows[0])
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

// Who has the set already is told that it has not changed.
func ExampleEncodeUnchanged() {
	text, err := gcf.EncodeUnchanged(&gcf.Unchanged{Generic: true, PackRoot: "gcf:0f3a", Count: 250})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	u, err := gcf.DecodeUnchanged(text)
	fmt.Println(u.Count, err)
	// Output:
	// GCF profile=generic unchanged=true pack_root=gcf:0f3a count=250
	// 250 <nil>
}
