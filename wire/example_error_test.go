package wire_test

import (
	"errors"
	"fmt"

	"github.com/wirekit/wirekit/wire"
)

func ExampleError_kinds() {
	var v any
	err := wire.Unmarshal(wire.JSON{}, []byte(`{"rows": [1, 2`), &v)
	var e *wire.Error
	switch {
	case errors.Is(err, wire.ErrTruncated):
		fmt.Println("ask for the rest:", err)
	case errors.As(err, &e) && e.Code == wire.CodeInvalidEscape:
		fmt.Println("repair the text at", e.Line, e.Column)
	}
	// Output:
	// ask for the rest: json: line 1, column 15: unexpected_end: the text ends where ',' or ']' after an element was expected (at /rows)
}
