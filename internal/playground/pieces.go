package playground

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func (e *Engine) count(r Request) (Answer, error) {
	counter, err := e.Counter(r)
	if err != nil {
		return Answer{}, err
	}
	if counter == nil {
		return Answer{}, errors.New("count needs the name of a counter")
	}
	n, err := counter.Count(r.Body)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Head: []wire.Member{Int("tokens", n), Bool("exact", counter.Exact())}}, nil
}

// pieces answers with the ends of the tokens of a text. Of several tokens that end
// within one character all have that character's end.
func (e *Engine) pieces(r Request) (Answer, error) {
	counter, err := e.Counter(r)
	if err != nil {
		return Answer{}, err
	}
	ends, err := tokens.AppendEnds(nil, counter, r.Body)
	if errors.Is(err, errors.ErrUnsupported) {
		return Answer{}, errors.New("an estimate has the number of tokens, not the tokens")
	}
	if err != nil {
		return Answer{}, err
	}
	all := len(ends)
	ends = ends[:min(all, r.Int("most", all))]
	return Answer{Head: []wire.Member{Int("tokens", all)}, Body: appendUnits(nil, r.Body, ends)}, nil
}

// appendUnits appends byte offsets into text as offsets in UTF-16 code units.
func appendUnits(dst, text []byte, ends []int) []byte {
	at, units := 0, 0
	for _, end := range ends {
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		if end > at {
			units += unitsOf(text[at:end])
			at = end
		}
		dst = binary.LittleEndian.AppendUint32(dst, uint32(units))
	}
	return dst
}
