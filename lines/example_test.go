package lines_test

import (
	"fmt"

	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
)

func Example() {
	text := []byte(`internal/server/router.go:38:7: req.Hedaer undefined (type *http.Request has no field or method Hedaer, but does have field Header)
internal/server/router.go:52:12: req.Hedaer undefined (type *http.Request has no field or method Hedaer, but does have field Header)
internal/server/router.go:53:12: req.Hedaer undefined (type *http.Request has no field or method Hedaer, but does have field Header)
internal/server/static.go:19:4: req.Hedaer undefined (type *http.Request has no field or method Hedaer, but does have field Header)
internal/server/static.go:77:19: req.Hedaer undefined (type *http.Request has no field or method Hedaer, but does have field Header)
internal/server/static.go:80:1: missing return
`)
	out, report := lines.Encode(text, lines.Options{Counter: tokens.O200k{}})
	fmt.Printf("%d tokens instead of %d\n%s", report.After, report.Before, out)
	back, err := lines.Decode(out)
	fmt.Println(string(back) == string(text), err)
	// Output:
	// 104 tokens instead of 182
	// lines v1; $1 to $1 stand for the texts below; >text begins the lines under it
	// $1=req.Hedaer undefined (type *http.Request has no field or method Hedaer, but does have field Header)
	// >internal/server/router.go:
	// 38:7: $1
	// 52:12: $1
	// 53:12: $1
	// >internal/server/static.go:
	// 19:4: $1
	// 77:19: $1
	// 80:1: missing return
	// true <nil>
}
