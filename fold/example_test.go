package fold_test

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// commits is an answer of the usual kind.
func commits() wire.Value {
	rows := make([]string, 40)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"number":%d,"state":"open","url":"https://git.example.com/organisation/project/pulls/%d","author":{"login":"user%d","type":"User"}}`, 40+i, 40+i, i%3)
	}
	v, err := wire.ParseJSON([]byte("[" + strings.Join(rows, ",") + "]"))
	if err != nil {
		panic(err)
	}
	return v
}

func ExampleFold() {
	folded, report, err := fold.Fold(wire.JSON{}, commits(), fold.Options{Counter: tokens.O200k{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Folded, report.Constants, report.Templates)
	for _, name := range []string{"constants", "templates"} {
		rules, _ := folded.Get(name)
		fmt.Println(name, rules)
	}
	data, _ := folded.Get("data")
	fmt.Println(data.Index(0))
	back, err := fold.Unfold(folded, wire.Limits{})
	fmt.Println(wire.Equal(back, commits()), err)
	// Output:
	// true 2 1
	// constants {"[]":{"state":"open"},"[].author":{"type":"User"}}
	// templates {"[]":{"url":"https://git.example.com/organisation/project/pulls/<number>"}}
	// {"number":40,"author":{"login":"user0"}}
	// true <nil>
}

// An answer of a model may hold references; the program that holds the legend
// resolves them.
func ExampleLegend_ExpandText() {
	folded, err := wire.ParseJSON([]byte(`{"folded":"…","legend":{"$1":"https://git.example.com/organisation/"},"data":["$1project","$1website"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	legend, err := fold.ParseLegend(folded)
	fmt.Println(legend.ExpandText("Look at $1project/issues first."), err)
	// Output:
	// Look at https://git.example.com/organisation/project/issues first. <nil>
}

func ExampleCodec() {
	codec := fold.Codec{Inner: wire.JSON{}, Options: fold.Options{Counter: tokens.O200k{}}}
	text, err := codec.AppendEncode(nil, commits())
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := codec.Decode(text)
	fmt.Println(codec.Info().FullName(), len(text) < len(wire.AppendJSON(nil, commits())), wire.Equal(v, commits()), err)
	// Output:
	// json+fold true true <nil>
}
