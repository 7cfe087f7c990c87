// Package variants is what the formats share about their documented
// configurations, see [wire.Varied].
package variants

import "github.com/wirekit/wirekit/wire"

// A Row is a configuration with its name.
type Row[C wire.Codec] = struct {
	Name  string
	Codec C
}

// Codecs returns the codecs of a format's table.
func Codecs[C wire.Codec](table []Row[C]) []wire.Codec {
	codecs := make([]wire.Codec, len(table))
	for i, row := range table {
		codecs[i] = row.Codec
	}
	return codecs
}

// Name returns the name of c's configuration: "" for that of the zero codec, the
// name of the row with the same options, wire.CustomVariant for any other.
func Name[C wire.Codec, O comparable](table []Row[C], c C, options func(C) O) string {
	var zero C
	own := options(c)
	if own == options(zero) {
		return ""
	}
	for _, row := range table {
		if own == options(row.Codec) {
			return row.Name
		}
	}
	return wire.CustomVariant
}
