package gcx_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/wire"
)

func Example() {
	v, err := wire.ParseJSON([]byte(`{"symbols":[
		{"id":"a.go::Foo","kind":"function","sig":"func Foo()","line":10},
		{"id":"b.go::Bar","kind":"type","line":30}],"total":2}`))
	if err != nil {
		panic(err)
	}
	payload, err := gcx.Codec{Tool: "search_symbols"}.AppendEncode(nil, v)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(payload))
	back, err := gcx.Codec{}.Decode(payload)
	fmt.Println(wire.Identical(v, back), err)
	// Output:
	// GCX1 tool=search_symbols.symbols fields=id,kind,sig,line rows=2 types=m total=2
	// a.go::Foo	function	func Foo()	10
	// b.go::Bar	type		30
	// true <nil>
}

func ExampleMarshal() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	payload, err := gcx.Marshal([]user{{1, "Ada"}, {2, "Bo"}})
	if err != nil {
		panic(err)
	}
	fmt.Print(string(payload))
	var users []user
	err = gcx.Unmarshal(payload, &users)
	fmt.Println(users, err)
	// Output:
	// GCX1 tool=data fields=id,name rows=2
	// 1	Ada
	// 2	Bo
	// [{1 Ada} {2 Bo}] <nil>
}

func ExampleCodec_NewEncoder() {
	e := gcx.Codec{}.NewEncoder(os.Stdout)
	e.Section(gcx.Header{Tool: "get_callers.nodes", Fields: []string{"id", "line"}, Meta: []gcx.Meta{{Key: "total", Value: "7"}}})
	e.Comment("2 of 7")
	e.Row("a.go::Foo", "10")
	e.Values("b.go::Bar", 30)
	if err := e.Close(); err != nil { // errors of the writer are sticky
		panic(err)
	}
	// Output:
	// GCX1 tool=get_callers.nodes fields=id,line total=7
	// # 2 of 7
	// a.go::Foo	10
	// b.go::Bar	30
}

func ExampleCodec_NewDecoder() {
	d := gcx.Codec{}.NewDecoder(strings.NewReader("GCX1 tool=t.nodes fields=id,line\nA\t1\nGCX1 tool=t.edges fields=from,to\nA\tB\n"))
	for {
		h, err := d.NextSection()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		for row, err := range d.Rows() {
			fmt.Println(h.Tool, row, err)
		}
	}
	// Output:
	// t.nodes [A 1] <nil>
	// t.edges [A B] <nil>
}

func ExampleUnmarshal() {
	var r layouts.SearchSymbols
	err := gcx.Unmarshal([]byte("GCX1 tool=search_symbols fields=id,path_abs,line total=1\na.go::Foo\t/src/a.go\t10\n"), &r)
	fmt.Println(r.Total, r.Symbols[0].ID, r.Symbols[0].Line, err)
	// Output: 1 a.go::Foo 10 <nil>
}

// host is a row of the layout hosts.
type host struct {
	Name string `json:"name"`
	CPU  int    `json:"cpu"`
}

// hosts is the result of a tool of one's own: the tags are its layout.
type hosts struct {
	Total int    `gcx:"total"`
	Hosts []host `gcx:"hosts"`
	gcx.Extras
}

func ExampleExtras() {
	payload, err := gcx.Marshal(hosts{Total: 7, Hosts: []host{{"web-1", 23}, {"db-1", 41}}})
	fmt.Printf("%s%v\n", payload, err)
	var back hosts
	err = gcx.Unmarshal(payload, &back)
	fmt.Println(back.Total, back.Hosts, err)
	// Output:
	// GCX1 tool=hosts fields=name,cpu total=7
	// web-1	23
	// db-1	41
	// <nil>
	// 7 [{web-1 23} {db-1 41}] <nil>
}

func ExampleCodec_Decode_fallback() {
	_, err := gcx.Codec{}.Decode([]byte("GCX2 tool=t fields=a\n"))
	if errors.Is(err, wire.ErrVersion) {
		fmt.Println("asking for JSON")
	}
	// Output: asking for JSON
}
