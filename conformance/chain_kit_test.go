package conformance

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// Chain sends v through the codecs one after the other: each encodes and
// decodes what the one before it decoded. It passes over codecs that refuse
// the value, and returns the names of those that carried it. The error says at
// which codec the value became another one: with lossless codecs, a value of
// JSON's data model stays [wire.Identical]; otherwise it loses at most what
// the codecs so far declare.
func Chain(codecs []wire.Codec, v wire.Value) (carried []string, err error) {
	defer caught(&err)
	var declared wire.Loss
	at := v
	for _, c := range codecs {
		k := checker{codec: c, info: c.Info()}
		encoding, refused := k.encode(nil, at)
		if refused != nil {
			k.refusal(at, encoding, refused, new(Report))
			continue
		}
		carried = append(carried, k.info.Name)
		declared |= k.info.Loss
		next, unread := k.decode(encoding)
		if unread != nil {
			return carried, broken("a codec must read what it wrote", "after %s: %v\nencoding: %s", strings.Join(carried, ", "), unread, quoted(encoding))
		}
		if loss, where := wire.Difference(v, next); loss&^declared != 0 {
			return carried, broken("a chain loses only what its codecs declare", "after %s the value has lost %v (at %q)\nencoding: %s\ndecoded: %s",
				strings.Join(carried, ", "), loss&^declared, where, quoted(encoding), text(next))
		}
		at = next
	}
	return carried, nil
}
