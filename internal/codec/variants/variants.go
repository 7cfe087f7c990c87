// Package variants is what the formats share about their documented
// configurations beside the default.
package variants

import (
	"fmt"
	"unsafe"

	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// Custom is the Variant of a configuration that is neither the default nor one of the
// documented ones. No lookup finds it.
const Custom = "custom"

// LossKinds are the losses that no value of JSON's data model can suffer.
const LossKinds = wire.LossBytes | wire.LossTime | wire.LossTag

// A Row is a configuration with its name.
type Row = struct {
	Name  string
	Codec wire.Codec
}

// Codecs returns the codecs of a format's table.
func Codecs(table []Row) []wire.Codec {
	codecs := make([]wire.Codec, len(table))
	for i, row := range table {
		codecs[i] = row.Codec
	}
	return codecs
}

// Name returns the name of the configuration that is like one of them: "" for
// the zero codec, the row's name for that of a row, else Custom.
func Name(table []Row, zero wire.Codec, like func(wire.Codec) bool) string {
	if like(zero) {
		return ""
	}
	for _, row := range table {
		if like(row.Codec) {
			return row.Name
		}
	}
	return Custom
}

// IsZero reports whether c is the zero codec of type C, a struct of more than one word. It
// costs less than a comparison of its fields.
func IsZero[C any](c wire.Codec) bool {
	_, p := gotype.Held(c)
	return gotype.IsZero(p, unsafe.Sizeof(*new(C)))
}

// Invalid returns the error for a field of a format's Codec whose value is out of its
// range.
func Invalid(format, field string, value any, valid string) error {
	return &wire.Error{Format: format, Code: wire.CodeInvalidOption, Kind: wire.ErrRange,
		Message: fmt.Sprintf("Codec.%s is %v", field, value), Hint: "use " + valid}
}
