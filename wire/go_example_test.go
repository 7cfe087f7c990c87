package wire_test

import (
	"fmt"
	"time"

	"github.com/wirekit/wirekit/wire"
)

type incident struct {
	ID       int       `json:"id"`
	Service  string    `json:"service"`
	Severity string    `json:"severity,omitempty"`
	Opened   time.Time `json:"opened"`
}

func ExampleMarshal() {
	incidents := []incident{
		{1, "billing", "high", time.Date(2025, 3, 1, 9, 30, 0, 0, time.UTC)},
		{2, "search", "", time.Date(2025, 3, 2, 17, 5, 0, 0, time.UTC)},
	}
	// Any codec takes the place of wire.JSON.
	text, err := wire.Marshal(wire.JSON{Indent: " "}, incidents)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	// Output:
	// [
	//  {
	//   "id": 1,
	//   "service": "billing",
	//   "severity": "high",
	//   "opened": "2025-03-01T09:30:00Z"
	//  },
	//  {
	//   "id": 2,
	//   "service": "search",
	//   "opened": "2025-03-02T17:05:00Z"
	//  }
	// ]
}

func ExampleUnmarshal() {
	text := []byte(`[{"id":1,"service":"billing","opened":"2025-03-01T09:30:00Z"},{"id":2.5}]`)
	var incidents []incident
	err := wire.Unmarshal(wire.JSON{}, text, &incidents)
	fmt.Println(incidents[0].Service, incidents[0].Opened.Weekday())
	fmt.Println(err)
	// Output:
	// billing Saturday
	// wire: line 1, column 69: number_out_of_range: number 2.5 does not go into a Go value of type int (at /1/id)
}

func ExampleFromGo() {
	type page struct {
		Total int              `json:"total"`
		Items []map[string]any `json:"items" wire:"rows"`
		Next  *string          `json:"next"`
	}
	v, err := wire.FromGo(page{Total: 1, Items: []map[string]any{{"name": "disk", "free": 0.25}}})
	fmt.Println(v, err)
	// Output:
	// {"total":1,"rows":[{"free":0.25,"name":"disk"}],"next":null} <nil>
}

func ExampleToGo() {
	v, _ := wire.ParseJSON([]byte(`{"small":7,"id":9007199254740993}`))
	var data map[string]any
	err := wire.ToGo(v, &data)
	fmt.Printf("%T %T %v %v\n", data["small"], data["id"], data["id"], err)
	// Output:
	// float64 json.Number 9007199254740993 <nil>
}
