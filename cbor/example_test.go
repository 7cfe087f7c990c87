package cbor_test

import (
	"fmt"

	"github.com/wirekit/wirekit/cbor"
)

type reading struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
}

func Example() {
	data, err := cbor.Marshal(reading{"t1", 21.5})
	fmt.Printf("%x %v\n", data, err)
	var r reading
	err = cbor.Unmarshal(data, &r)
	fmt.Println(r, err)
	// Output:
	// a26673656e736f726274316576616c7565f94d60 <nil>
	// {t1 21.5} <nil>
}
