package csv_test

import (
	"fmt"

	"github.com/wirekit/wirekit/csv"
)

type order struct {
	ID    int     `json:"id"`
	Total float64 `json:"total"`
	Note  string  `json:"note,omitempty"`
}

func ExampleMarshal() {
	text, err := csv.Marshal([]order{{1, 9.5, ""}, {2, 20, "007"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// id,total,note
	// 1,9.5,
	// 2,20,007
}

func ExampleUnmarshal() {
	var orders []order
	err := csv.Unmarshal([]byte("id,total,note\n1,9.5,\n2,20,007\n"), &orders)
	fmt.Println(orders, err)
	// Output:
	// [{1 9.5 } {2 20 007}] <nil>
}

// With Text every cell is the string that it spells.
func ExampleCodec_text() {
	v, err := csv.Codec{Comma: ';', AllStrings: true}.Decode([]byte("id;plz\n1;04109\n"))
	fmt.Println(v, err)
	// Output:
	// [{"id":"1","plz":"04109"}] <nil>
}
