package gcf_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

func Example() {
	v, err := wire.ParseJSON([]byte(`{"orders":[
		{"id":"O1","customer":{"name":"Ann","city":"Lyon"},"total":9.5},
		{"id":"O2","customer":{"name":"Bo","city":"Pune"},"total":12}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := gcf.Codec{}.AppendEncode(nil, v)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", doc)

	back, err := gcf.Codec{}.Decode(doc)
	fmt.Println(wire.Equal(v, back), err)
	// Output:
	// GCF profile=generic
	// ## orders [2]{id,"customer>name","customer>city",total}
	// O1|Ann|Lyon|9.5
	// O2|Bo|Pune|12
	// true <nil>
}

func ExampleCodec_Decode_error() {
	_, err := gcf.Codec{}.Decode([]byte("GCF profile=generic\n## rows [2]{id,name}\n1|Ann\n2\n"))
	fmt.Println(err)
	var e *wire.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code)
		fmt.Println(e.Excerpt())
	}
	// Output:
	// gcf: line 4, column 1: row_width_mismatch: the header declares 2 fields, the row has 1 cells (at /rows/1)
	// row_width_mismatch
	// 4 | 2
	//     ^
}

func ExampleCodec_noFlatten() {
	v, err := wire.ParseJSON([]byte(`[{"id":1,"pos":{"x":1,"y":2}},{"id":2,"pos":{"x":3,"y":4}}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, codec := range []gcf.Codec{{}, {NoFlatten: true}} {
		doc, err := codec.AppendEncode(nil, v)
		fmt.Printf("%s%v\n", doc, err)
	}
	// Output:
	// GCF profile=generic
	// ## [2]{id,"pos>x","pos>y"}
	// 1|1|2
	// 2|3|4
	// <nil>
	// GCF profile=generic
	// ## [2]{id,pos}
	// @0 1|^
	// .pos {}
	//     x=1
	//     y=2
	// @1 2|^
	// .pos {}
	//     x=3
	//     y=4
	// <nil>
}

func ExampleMarshal() {
	type host struct {
		Name string  `json:"name"`
		Load float64 `json:"load"`
	}
	doc, err := gcf.Marshal([]host{{"web-1", 0.25}, {"db-1", 1.5}})
	fmt.Printf("%s%v\n", doc, err)

	var hosts []host
	err = gcf.Unmarshal(doc, &hosts)
	fmt.Println(hosts, err)
	// Output:
	// GCF profile=generic
	// ## [2]{name,load}
	// web-1|0.25
	// db-1|1.5
	// <nil>
	// [{web-1 0.25} {db-1 1.5}] <nil>
}

// A stream without its summary may have been cut. It is read, and told.
func ExampleCodec_warn() {
	cut := []byte("GCF profile=generic\n## [?]{id,total}\n1|123\n")
	codec := gcf.Codec{Warn: func(e *wire.Error) { fmt.Println("warning:", e.Code) }}
	v, err := codec.Decode(cut)
	fmt.Println(v, err)

	_, err = gcf.Codec{Strict: true}.Decode(cut)
	fmt.Println(errors.Is(err, wire.ErrTruncated))
	// Output:
	// warning: missing_summary
	// [{"id":1,"total":123}] <nil>
	// true
}

func ExampleCodec_NewStreamEncoder() {
	e := gcf.Codec{}.NewStreamEncoder(os.Stdout, "")
	err := e.BeginTable("employees", "id", "name")
	if err == nil {
		err = e.Row(wire.Int(1), wire.String("Alice"))
	}
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// GCF profile=generic
	// ## employees [?]{id,name}
	// 1|Alice
	// ##! summary counts=1
}
