package partial_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

func ExampleParser() {
	p := partial.NewParser(partial.Options{Limits: wire.Untrusted()})
	for _, piece := range []string{`{"path":"/etc/ho`, `sts","lines":[1,2`, `3,4`} {
		if _, err := p.WriteString(piece); err != nil {
			fmt.Println(err)
			return
		}
		v, _ := p.Value() // so far, with exact digits and in order
		fmt.Println(v, p.Complete("/path"))
	}
	err := p.Close()
	fmt.Println(errors.Is(err, partial.ErrCut), p.Open()[2].Text)
	// Output:
	// {"path":"/etc/ho"} false
	// {"path":"/etc/hosts","lines":[1]} true
	// {"path":"/etc/hosts","lines":[1,23]} true
	// true 4
}

func ExampleParse() {
	answer := "```json\n{name: 'Ada', \"born\": 1815,}\n```"
	v, repairs, err := partial.Parse([]byte(answer), partial.Options{Level: partial.Lenient})
	fmt.Println(v, err)
	for _, r := range repairs {
		fmt.Println(r)
	}
	// Output:
	// {"name":"Ada","born":1815} <nil>
	// fence: left out "```json"
	// bare_key: took name for "name"
	// single_quotes: took ' for "
	// trailing_comma: left out ","
}

func ExampleElements() {
	type step struct{ Tool string }
	pieces := func(yield func(string, error) bool) {
		for _, piece := range []string{`{"steps":[{"tool":"re`, `ad"},{"tool":"write"}`, `,{"tool":"de`} {
			if !yield(piece, nil) {
				return
			}
		}
	}
	for s, err := range partial.Elements[step](pieces, "/steps", partial.Options{}) {
		fmt.Println(s.Tool, errors.Is(err, partial.ErrCut))
	}
	// Output:
	// read false
	// write false
	//  true
}

func ExampleInto() {
	d := partial.Into[struct {
		Title string
		Tags  []string
	}](partial.Options{})
	for piece := range slices.Values([]string{`{"title":"A pl`, `an","tags":["ne`, `w"]}`}) {
		_, err := d.WriteString(piece)
		v, _ := d.Value()
		fmt.Println(v.Title, v.Tags, err)
	}
	fmt.Println(d.Close())
	// Output:
	// A pl [] <nil>
	// A plan [ne] <nil>
	// A plan [new] <nil>
	// <nil>
}
