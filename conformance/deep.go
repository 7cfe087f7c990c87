package conformance

import (
	"fmt"
	"testing"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// depths are those of the values that deepValues encodes: around the default
// limit, and beyond what any codec may take.
var depths = []int{300, 511, bound.Depth, bound.Depth + 1, maxWritten, bound.MostDepth + 1, 30_000}

// maxDeepBytes is what the encoding of one deep value may allocate for a deeper one to be
// tried. That is up to five times as deep, and takes the square of it where a codec indents.
const maxDeepBytes = 10 << 20

// deepValues encodes values deeper than any codec may, and some less deep. It
// stops where the next value would cost too much memory, as it does where a
// codec indents and has no limit.
func (s Suite) deepValues(t *testing.T) {
	r := report(t)
	for _, way := range nestings[:8] {
		d := deepener{checker: checker{codec: s.Codec, info: s.Codec.Info()}}
		v := wire.Int(1)
		made := 0
		for _, depth := range depths {
			if testing.Short() && (depth < bound.Depth && depth > 300 || depth == 30_000) {
				continue
			}
			name := fmt.Sprintf("%d %s", depth, way.name)
			if d.bytes > maxDeepBytes {
				if s.WithLimits == nil {
					r.document(name, broken("a value of more than 10,000 levels must be refused",
						"%d levels were written and took %d bytes of memory; the next step, which was not tried, would take more", d.depth, d.bytes))
				}
				break
			}
			for ; made < depth; made++ {
				v = way.put(v)
			}
			if err := d.encodeAt(v, depth); err != nil {
				r.document(name, err)
			}
		}
	}
}

// A deepener encodes ever deeper values and remembers what the last one cost
// that was not refused.
type deepener struct {
	checker
	depth int
	bytes uint64
}

// encodeAt encodes v once to see what it costs, and then holds the codec to its
// rules.
func (d *deepener) encodeAt(v wire.Value, depth int) (err error) {
	defer caught(&err)
	var out []byte
	var refused error
	encode := func() { out, refused = d.encode(nil, v) }
	took := growth.Allocated(encode)
	for n := 0; n < 5 && took > maxDeepBytes; n++ { // other tests allocate meanwhile, and pools may have been empty
		took = min(took, growth.Allocated(encode))
	}
	if refused != nil {
		d.refusal(v, out, refused, new(Report))
		return nil
	}
	d.depth, d.bytes = depth, took
	hold(depth <= bound.MostDepth || d.lossy(), "a value of more than 10,000 levels must be refused", "it was written in %d bytes", len(out))
	if depth <= bound.MostDepth {
		d.value(v, new(Report))
	}
	return nil
}
