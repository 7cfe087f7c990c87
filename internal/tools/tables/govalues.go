package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// The Go values that Marshal and Unmarshal are measured with.

type orderItem struct {
	SKU      string  `json:"sku"`
	Name     string  `json:"name"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
	Note     string  `json:"note,omitempty"`
}

type orderCustomer struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Email  string `json:"email"`
	Active bool   `json:"active"`
}

// order is nested: a struct, a pointer, a slice of structs and a map.
type order struct {
	ID       string            `json:"id"`
	Number   int               `json:"number"`
	Customer orderCustomer     `json:"customer"`
	Ship     *orderCustomer    `json:"ship"`
	Items    []orderItem       `json:"items"`
	Tags     map[string]string `json:"tags"`
	Total    float64           `json:"total"`
	Status   string            `json:"status"`
}

// reading is flat, with a decimal of 16 or 17 digits.
type reading struct {
	ID     int     `json:"id"`
	Sensor string  `json:"sensor"`
	Place  string  `json:"place"`
	Value  float64 `json:"value"`
	OK     bool    `json:"ok"`
	Count  int     `json:"count"`
}

func orders(n int) []order {
	list := make([]order, n)
	for i := range list {
		o := order{
			ID: fmt.Sprintf("ord_%06d", i), Number: i + 1000, Status: []string{"paid", "open", "shipped"}[i%3],
			Customer: orderCustomer{int64(9000 + i), "Ada Okafor", fmt.Sprintf("user%d@example.com", i), i%3 > 0},
			Ship:     &orderCustomer{int64(i), "Jun Tanaka", "jun@example.com", true},
			Tags:     map[string]string{"region": []string{"eu", "us"}[i%2], "channel": "web"},
		}
		for j := range 3 {
			item := orderItem{fmt.Sprintf("SKU-%04d", (i*7+j)%5000), "retry after backoff", j + 1, float64((i*31+j)%20000) / 100, ""}
			if (i+j)%4 == 0 {
				item.Note = "gift"
			}
			o.Items = append(o.Items, item)
			o.Total += item.Price
		}
		list[i] = o
	}
	return list
}

func readings(n int) []reading {
	list := make([]reading, n)
	for i := range list {
		list[i] = reading{i, "sensor-" + strconv.Itoa(i%40), "hall " + strconv.Itoa(i%7), float64(i%1000) / 7, i%5 > 0, i * 13 % 997}
	}
	return list
}

// marshaller is a format's way with Go values.
type marshaller struct {
	name      string
	marshal   func(v any) ([]byte, error)
	unmarshal func(src []byte, v any) error
}

var marshallers = []marshaller{
	{"goccy/go-json", gojson.Marshal, gojson.Unmarshal},
	{"encoding/json", json.Marshal, json.Unmarshal},
	{"json", func(v any) ([]byte, error) { return wire.Marshal(wire.JSON{}, v) },
		func(src []byte, v any) error { return wire.Unmarshal(wire.JSON{}, src, v) }},
	{"gcf", gcf.Marshal, gcf.Unmarshal},
	{"gcx", gcx.Marshal, gcx.Unmarshal},
	{"glyph", glyph.Marshal, glyph.Unmarshal},
	{"toon", toon.Marshal, toon.Unmarshal},
}

// goValues measures Marshal and Unmarshal.
func goValues(w io.Writer, each time.Duration) {
	var data any
	must(0, gojson.Unmarshal(must(gojson.Marshal(orders(1000))), &data))
	t := pairTables{unit: "µs", figure: micros}
	for _, v := range []struct {
		name  string
		value any
		fresh func() any
	}{
		{"1000 orders", orders(1000), func() any { return new([]order) }},
		{"5000 rows", readings(5000), func() any { return new([]reading) }},
		{"1000 orders of any", data, func() any { return new(any) }},
		{"one order", &orders(1)[0], func() any { return new(order) }},
		{"one row", readings(8)[7:], func() any { return new([]reading) }},
	} {
		var pairs []pair
		for _, m := range marshallers {
			doc := must(m.marshal(v.value))
			pairs = append(pairs, pair{m.name, func() { _, _ = m.marshal(v.value) }, func() { _ = m.unmarshal(doc, v.fresh()) }})
		}
		t.measure(v.name, len(must(gojson.Marshal(v.value))), pairs, each)
	}
	t.write.print(w, "Marshal", "× goccy")
	t.read.print(w, "Unmarshal", "× goccy")
}
