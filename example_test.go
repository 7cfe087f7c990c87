package wirekit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/wire"
)

func ExampleConvert() {
	src := []byte(`[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]`)
	out, err := wirekit.Convert(src, "json", "gcf")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", out)
	back, err := wirekit.Convert(out, "", "json")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", back)
	// Output:
	// GCF profile=generic
	// ## [2]{id,name}
	// 1|Ada
	// 2|Grace
	// [{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]
}

func ExampleChoose() {
	v, err := wire.ParseJSON([]byte(`{"hosts":[{"name":"a","up":true},{"name":"b","up":false},{"name":"c","up":true}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := wirekit.Choose(context.Background(), v)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(best.Name(), best.Tokens())
	fmt.Printf("%s", best.Encoded)
	// Output:
	// toon 20
	// hosts[3]{name,up}:
	//   a,true
	//   b,false
	//   c,true
}

func ExampleDetect() {
	for _, src := range []string{`{"a":1}`, "GCF profile=generic\na=1\n", "{a=1}", "GCX1 tool=t fields=a\n1\n"} {
		codec, err := wirekit.Detect([]byte(src))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(codec.Info().Name)
	}
	// Output:
	// json
	// gcf
	// glyph
	// gcx
}

func ExampleText() {
	type host struct {
		Name string `json:"name"`
		Up   bool   `json:"up"`
		Load int    `json:"load"`
	}
	hosts := []host{{"db-1", true, 41}, {"db-2", true, 87}, {"web-1", false, 0}}
	text, report, err := wirekit.Text(hosts)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("a table:", strings.Count(text, "load") == 1)
	fmt.Println("saves a tenth:", report.Saving() > 0.1)
	// Output:
	// a table: true
	// saves a tenth: true
}

func ExampleChooser() {
	best, err := wirekit.Chooser{
		Formats:   []string{"gcf", "gcx"}, // those that the prompt explains
		MinSaving: 0.5,
	}.Choose(context.Background(), json.RawMessage(`[{"a":1,"b":true},{"a":2,"b":false}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", best.Encoded)
	for _, candidate := range best.Report.Candidates {
		fmt.Println(candidate)
	}
	// Output:
	// [{"a":1,"b":true},{"a":2,"b":false}]
	// json: chosen, 18 tokens, 36 bytes
	// gcx: not-smaller, 18 tokens, 48 bytes
	// gcf: not-smaller, 21 tokens, 47 bytes
}

// A value that is only looked at takes no memory of its own.
func ExampleView() {
	err := wirekit.View([]byte("a: 1\nb: [2, 3]\n"), "yaml", func(v wire.Value) error {
		b, _ := v.Get("b")
		fmt.Println(b.Len(), b.Index(1))
		return nil
	})
	fmt.Println(err)
	// Output:
	// 2 3
	// <nil>
}

func ExampleLookup() {
	for _, name := range []string{"glyph", "glyph:canonical", "gcf+fold", "xml"} {
		codec, err := wirekit.Lookup(name)
		if err != nil {
			fmt.Println(errors.Is(err, wire.ErrUnknownFormat))
			continue
		}
		fmt.Println(codec.Info().FullName())
	}
	// Output:
	// glyph
	// glyph:canonical
	// gcf+fold
	// true
}

func ExampleRegistry() {
	codec, err := wirekit.Registry().LookupMediaType("text/csv; charset=utf-8")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codec.Info().Name)
	// Output:
	// csv
}

func ExampleCompare() {
	v, err := wire.ParseJSON([]byte(`[{"id":1,"name":"Ann"},{"id":2,"name":"Bo"},{"id":3,"name":"Cy"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	measurements, err := wirekit.Compare(context.Background(), v)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range measurements {
		switch r.Name() {
		case "json", "gcf", "csv":
			fmt.Println(r.Name(), len(r.Encoded), "bytes,", r.Tokens, "tokens, lossless:", r.Lossless)
		}
	}
	// Output:
	// gcf 52 bytes, 25 tokens, lossless: true
	// json 65 bytes, 27 tokens, lossless: true
	// csv 24 bytes, 15 tokens, lossless: true
}

// Structs go through a stream of rows without a slice of them.
func Example_streamOfStructs() {
	type reading struct {
		Place string  `json:"place"`
		Value float64 `json:"value"`
	}
	enc := wire.NewEncoder[reading](gcf.Codec{}, os.Stdout)
	for i := range 3 {
		if err := enc.Encode(reading{Place: fmt.Sprint("place ", i), Value: float64(i) / 4}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := enc.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// GCF profile=generic
	// ## [?]{place,value}
	// place 0|0
	// place 1|0.25
	// place 2|0.5
	// ##! summary counts=3
}

// What a tool prints is a text, not a value: it stays as it is, or repeats are said once.
func ExampleTextString() {
	log := strings.Repeat("ok   server/handler_test.go: request served\n", 30)
	text, report, err := wirekit.TextString(log, &lines.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Print(text)
	fmt.Printf("%.0f %% saved\n", 100*report.Saving())
	// Output:
	// lines v1; &1 repeats block 1, &*2 the line above twice
	// ok   server/handler_test.go: request served
	// &*29
	// 90 % saved
}
