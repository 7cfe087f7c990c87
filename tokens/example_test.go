package tokens_test

import (
	"fmt"

	"github.com/wirekit/wirekit/tokens"
)

func Example() {
	text := []byte(`{"id":1,"name":"Ada"}`)
	for _, name := range tokens.Names() {
		counter, err := tokens.Lookup(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		n, err := counter.Count(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(counter.Name(), n, counter.Exact())
	}
	// Output:
	// o200k_base 9 true
	// cl100k_base 9 true
	// claude-estimate 11 false
	// claude-4.7-estimate 14 false
	// gemini-estimate 10 false
}

func ExampleEstimate() {
	guess := tokens.Estimate{Label: "in-house", Base: tokens.O200k{}, Factor: 1.1}
	n, err := guess.Count([]byte("The quick brown fox jumps over the lazy dog."))
	fmt.Println(guess.Name(), n, err)
	// Output:
	// in-house-estimate 11 <nil>
}

func ExampleAppendEnds() {
	text := []byte("wire formats, 12345")
	ends, err := tokens.AppendEnds(nil, tokens.O200k{}, text)
	if err != nil {
		fmt.Println(err)
		return
	}
	start := 0
	for _, end := range ends {
		fmt.Printf("%q ", text[start:end])
		start = end
	}
	// Output: "wire" " formats" "," " " "123" "45"
}
