package gcf

import "github.com/wirekit/wirekit/wire"

// Objects outside tables repeat their keys, too. Their decoder compares a line
// with the key that stood at its place in an earlier object, which is cheaper
// than to find the key's end and then its place among the known keys.
//
// Only key lists that were read without quotation marks are kept. A line that
// begins with one of their keys and then "=" or "[" therefore begins with that
// bare key: no byte of a bare key is either.

// predictions are the key lists of some earlier objects.
type predictions struct {
	lists [8]*wire.Keys
	next  int // where the next one goes
}

// prediction is what is known of an object while its members are read.
type prediction struct {
	n     int        // its members so far
	bare  bool       // none of their keys was quoted
	keys  *wire.Keys // what its keys seem to be; nil if nothing fits
	skip  int        // members of keys that it lacks so far
	tries int        // how often keys was searched
}

const (
	// minPredicted is the smallest object worth a place among the predictions.
	minPredicted = 3
	// maxSearches bounds the searches for an object that is like none before.
	maxSearches = 2
)

// remember keeps the keys of an object for the prediction of others. seemed is
// what they were predicted to be.
func (d *decoder) remember(keys, seemed *wire.Keys) {
	if keys == seemed {
		return
	}
	for _, known := range d.known.lists {
		if known == keys {
			return
		}
	}
	d.known.lists[d.known.next] = keys
	d.known.next = (d.known.next + 1) % len(d.known.lists)
}

// predictedKey is key for the line of an object's member, at i.
func (d *decoder) predictedKey(p *prediction, i int) (key string, next int, err error) {
	if p.keys != nil {
		// A member may be missing.
		for range 2 {
			if key, next = d.keyOf(p.keys, p.n+p.skip, i); next > i {
				return key, next, nil
			}
			p.skip++
		}
		p.keys = nil
	}
	if p.tries < maxSearches {
		p.tries++
		p.skip = 0
		for _, keys := range d.known.lists {
			if keys == nil {
				break
			}
			if key, next = d.keyOf(keys, p.n, i); next > i {
				p.keys = keys
				return key, next, nil
			}
		}
	}
	p.bare = p.bare && d.text[i] != '"'
	return d.scalars.key(i, d.end)
}

// keyOf returns key n of a list and the position behind it if the member at i
// begins with that key, else i.
func (d *decoder) keyOf(keys *wire.Keys, n, i int) (key string, next int) {
	if n >= keys.Len() {
		return "", i
	}
	key = keys.At(n)
	next = i + len(key)
	if next >= d.end || d.text[i:next] != key || d.text[next] != '=' && d.text[next] != '[' {
		return "", i
	}
	return key, next
}
