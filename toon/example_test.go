package toon_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

func Example() {
	type city struct {
		City string `json:"city"`
	}
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		Home city   `json:"home"`
	}
	text, err := toon.Marshal(map[string]any{"users": []user{{1, "Ada", city{"London"}}, {2, "Grace, H.", city{"New York"}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))

	var back struct{ Users []user }
	fmt.Println(toon.Unmarshal(text, &back), back.Users[1].Home.City)
	// Output:
	// users[2]{id,name,home{city}}:
	//   1,Ada,London
	//   2,"Grace, H.",New York
	// <nil> New York
}

func ExampleCodec() {
	v, err := wire.ParseJSON([]byte(`[{"id":1,"price":1.50},{"price":2e1,"id":2}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range []toon.Codec{{}, {Delimiter: '|', Indent: 4}, {KeepOrder: true, KeepNumbers: true}} {
		text, err := c.AppendEncode(nil, v)
		fmt.Println(string(text), err)
		fmt.Println("may lose:", c.Info().Loss&^(wire.LossBytes|wire.LossTime|wire.LossTag))
	}
	// Output:
	// [2]{id,price}:
	//   1,1.5
	//   2,20 <nil>
	// may lose: member order, number spelling
	// [2|]{id|price}:
	//     1|1.5
	//     2|20 <nil>
	// may lose: member order, number spelling
	// [2]:
	//   - id: 1
	//     price: 1.50
	//   - price: 2e1
	//     id: 2 <nil>
	// may lose: none
}

func ExampleCodec_lenient() {
	text := []byte("rows[3]{id,name}:\n  1,Ada\n\n    2,Grace")
	_, err := toon.Codec{}.Decode(text)
	fmt.Println(err)

	text = []byte("rows[3]{id,name}:\n  1,Ada\n\n  2,Grace")
	v, err := toon.Codec{Lenient: true}.Decode(text)
	fmt.Println(v, err)
	// Output:
	// toon: line 4, column 5: over_indented: the line is deeper than anything before it can take (at /rows); only lines under "key:" or under a header are deeper
	// {"rows":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]} <nil>
}

func ExampleCodec_NewTableWriter() {
	rows := []string{`{"id":1,"name":"Ada"}`, `{"id":2,"name":"Grace"}`}
	w, err := toon.Codec{}.NewTableWriter(os.Stdout, nil, len(rows))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range rows {
		v, err := wire.ParseJSON([]byte(row))
		if err == nil {
			err = w.Write(v)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [2]{id,name}:
	//   1,Ada
	//   2,Grace
}

func ExampleCodec_Records() {
	text := "[3]{id,name}:\n  1,Ada\n  2,Grace"
	for v, err := range (toon.Codec{}).Records(strings.NewReader(text)) {
		fmt.Println(v, err)
	}
	// Output:
	// {"id":1,"name":"Ada"} <nil>
	// {"id":2,"name":"Grace"} <nil>
	// null toon: line 1, column 1: count_mismatch: the header declares 3, there are 2 rows
}
