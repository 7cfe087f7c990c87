package wire_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

func ExampleParseJSON() {
	v, err := wire.ParseJSON([]byte(`{"id": 12345678901234567890, "price": 0.10, "tags": ["a", "b"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for key, member := range v.Members() {
		fmt.Println(key, member.Kind(), member)
	}
	// Output:
	// id number 12345678901234567890
	// price number 0.10
	// tags array ["a","b"]
}

func ExampleError() {
	_, err := wire.ParseJSON([]byte("{\"rows\": [\n  {\"id\": 1},\n  {\"id\": 01}\n]}"))
	var e *wire.Error
	if errors.As(err, &e) {
		fmt.Println(e.Error())
		fmt.Println(e.Excerpt())
	}
	// Output:
	// json: line 3, column 10: leading_zero: a number with a leading zero (at /rows/1/id)
	// 3 |   {"id": 01}
	//              ^
}

func ExampleDifference() {
	sent, _ := wire.ParseJSON([]byte(`{"id": 9007199254740993, "rate": 1.50}`))
	got, _ := wire.ParseJSON([]byte(`{"id": 9007199254740992, "rate": 1.5}`))
	loss, at := wire.Difference(sent, got)
	fmt.Println(loss, "first at", at)
	// Output: number spelling, number precision first at /id
}

func ExampleBuilder() {
	var b wire.Builder
	var rows []wire.Value
	for _, line := range []string{"id=1 name=Ada", "id=2 name=Grace"} {
		row := b.Object()
		for _, cell := range strings.Fields(line) {
			key, text, _ := strings.Cut(cell, "=")
			b.Key(&row, key)
			b.Put(&row, wire.String(text))
		}
		rows = append(rows, b.EndObject(&row))
	}
	fmt.Println(wire.Array(rows...), rows[0].Keys() == rows[1].Keys())
	// Output: [{"id":"1","name":"Ada"},{"id":"2","name":"Grace"}] true
}

func ExampleNewRegistry() {
	r, err := wire.NewRegistry(wire.JSON{}, jsonl.Codec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, _ := r.Lookup("jsonl")
	v, _ := wire.FromGo([]int{1, 2})
	out, _ := c.AppendEncode(nil, v)
	fmt.Printf("%s", out)
	_, err = r.Lookup("yaml")
	fmt.Println(err)
	// Output:
	// 1
	// 2
	// wire: unknown_format: unknown format "yaml"; known are json, jsonl
}
