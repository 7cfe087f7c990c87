package msgpack_test

import (
	"fmt"

	"github.com/wirekit/wirekit/msgpack"
)

type reading struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
}

func Example() {
	data, err := msgpack.Marshal(reading{"t1", 21.5})
	fmt.Printf("%x %v\n", data, err)
	var r reading
	err = msgpack.Unmarshal(data, &r)
	fmt.Println(r, err)
	// Output:
	// 82a673656e736f72a27431a576616c7565ca41ac0000 <nil>
	// {t1 21.5} <nil>
}
