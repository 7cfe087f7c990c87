// Byname picks a codec at run time: by its name, and by measurement.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	src := []byte(`{"rows":[{"id":1,"host":"a.example","up":true},{"id":2,"host":"b.example","up":false},{"id":3,"host":"c.example","up":true}]}`)

	// From any format to any other; an empty name means "detect it".
	text, err := wirekit.Convert(src, "", "gcx")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)

	// The format with the fewest tokens among those that lose nothing of this
	// very value. JSON takes part, so the answer is never larger.
	v, err := wire.ParseJSON(src)
	if err != nil {
		log.Fatal(err)
	}
	best, err := wirekit.Choose(context.Background(), v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d tokens:\n%s\n", best.Name(), best.Tokens(), best.Encoded)

	if _, err := wirekit.Lookup("toml"); err != nil {
		fmt.Println(err)
	}
}
