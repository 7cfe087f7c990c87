// Toonrows writes the rows of a query as TOON while they come, reads them back
// one by one, and reads what a model has rewritten leniently.
package main

import (
	"bytes"
	"fmt"
	"log"

	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

type row struct {
	ID   int     `json:"id"`
	City string  `json:"city"`
	Temp float64 `json:"temp"`
}

func main() {
	rows := []row{{1, "Lagos", 31.5}, {2, "Malmö", 5}, {3, "São Paulo", 22.25}}

	// The header holds the number of rows, so a writer that knows it holds one
	// row at a time.
	var text bytes.Buffer
	w, err := toon.Codec{}.NewTableWriter(&text, nil, len(rows))
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		v, err := wire.FromGo(r)
		if err == nil {
			err = w.Write(v)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.String())

	for v, err := range (toon.Codec{}).Records(&text) {
		if err != nil {
			log.Fatal(err)
		}
		city, _ := v.Get("city")
		fmt.Println("read:", city.Text())
	}

	rewritten := []byte("[3]{id,city,temp}:\n  1,Lagos,31.5\n\n  2,Malmö,5")
	if _, err := (toon.Codec{}).Decode(rewritten); err != nil {
		fmt.Println("strict: ", err)
	}
	v, err := toon.Codec{Lenient: true}.Decode(rewritten)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("lenient:", v)
}
