package wirekit

import (
	"bytes"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A long value is tried by a part of it: so many elements of each array and of
// each large object that the part has some two kilobytes as JSON. What all formats
// write alike, and above all what a format writes for each row, is in the part as
// it is in the whole.
const (
	wholeTrial = 6 << 10 // bytes of JSON up to which the value itself is tried
	leastTrial = 2000    // bytes of JSON that a part has at least, about
	mostTrial  = 3600    // and at most
	trialPart  = 80      // one byte in so many is tried, between these
	mostPart   = 0.3     // a part that is more than this of the value is none
	// manyMembers is above how many members an object is a map, of which some
	// stand for all. Members of others are columns, and stay; but an object of
	// objects is a map from fewMembers on.
	manyMembers = 100
	fewMembers  = 8
	// fewElements is how many elements stay of every array, so that a table in
	// the whole is one in the part. Where that leaves too much it is one.
	fewElements = 3
	// longText is what stays of a string.
	longText = 1 << 10
)

// part returns about that part of v, from 0 to 1, in which arrays have at least
// a few of their elements. What it makes is the Builder's.
func part(b *builder.Builder, v wire.Value, of float64, few int) wire.Value {
	switch v.Kind() {
	case wire.KindArray:
		if n := v.Len(); n > 0 {
			return b.Array(sample(b, v, keptOf(n, of, few), of, few))
		}
	case wire.KindObject:
		return partOfObject(b, v, of, few)
	case wire.KindString:
		if text := v.Text(); len(text) > longText && wire.Internal.Tag(v) == 0 {
			end := longText
			for !utf8.RuneStart(text[end]) {
				end--
			}
			return wire.String(text[:end])
		}
	}
	return v
}

func partOfObject(b *builder.Builder, v wire.Value, of float64, few int) wire.Value {
	n := v.Len()
	if n == 0 {
		return v
	}
	if !isMap(v) {
		mark := b.Mark()
		for i := range n {
			b.Push(part(b, v.Index(i), of, few))
		}
		return b.Row(v.Keys(), mark)
	}
	kept := keptOf(n, of, few)
	names := make([]string, kept)
	for i := range names {
		names[i] = v.Keys().At(spread(i, kept, n))
	}
	keys, err := wire.NewKeys(names...)
	if err != nil {
		return v // not of distinct keys
	}
	return b.Row(keys, sample(b, v, kept, of, few))
}

// isMap reports whether the members of an object are alike.
func isMap(v wire.Value) bool {
	n := v.Len()
	if n < fewMembers || n > manyMembers {
		return n > manyMembers
	}
	for m := range v.Elements() {
		if m.Kind() != wire.KindObject {
			return false
		}
	}
	return true
}

// sample pushes so many of v's children, and of each as much as is left to leave out.
func sample(b *builder.Builder, v wire.Value, kept int, of float64, few int) (mark int) {
	mark = b.Mark()
	of = of * float64(v.Len()) / float64(kept)
	for i := range kept {
		child := v.Index(spread(i, kept, v.Len()))
		if of < 0.75 {
			child = part(b, child, of, few)
		}
		b.Push(child)
	}
	return mark
}

// keptOf returns how many of n elements stay.
func keptOf(n int, of float64, few int) int {
	return min(n, max(few, int(float64(n)*of+0.5)))
}

// spread returns the place of the i-th of k among n, in the middle of its share.
func spread(i, k, n int) int { return (2*i + 1) * n / (2 * k) }

// perByte is how many tokens a byte of each format takes, where one of JSON takes
// one, about: what is left out are characters that take few.
var perByte = map[string]float64{"gcf": 1.16, "gcx": 1.07, "glyph": 1.12, "toon": 1.02, "csv": 1.06, "jsonl": 1, "yaml": 1}

// longer is how many times the tokens of the best a text may seem to have, by its
// length, to be counted.
const longer = 1.25

// tooLong reports whether e's text of what is tried is so long that it need not be
// counted. A counter of another kind than those of this package has other prices.
func (k *selection) tooLong(e *candidate, length int) bool {
	price := perByte[e.format]
	if price == 0 || k.Precision == PrecisionBytes || !k.usual || k.json.size == 0 || len(k.Formats) > 0 {
		return false
	}
	of := k.triedBytes
	if k.whole {
		of = len(k.text)
	}
	return float64(length)/float64(of)*k.json.size*price > longer*k.least()
}

// headOf returns the length of what a text has once: what leads up to the end of the
// line with its first table's columns, in GCX the last one's, unless that is nearly all.
func headOf(format string, text []byte) int {
	head := 0
	switch format {
	case "gcf", "toon":
		if head = bytes.Index(text[:len(text)/4], []byte("]{")) + 1; head == 0 {
			return 0
		}
	case "gcx":
		head = bytes.LastIndex(text[:len(text)/2], []byte("\nGCX1 ")) + 1
	case "csv", "glyph":
	default:
		return 0
	}
	head += bytes.IndexByte(text[head:], '\n') + 1
	if head > len(text)*9/10 {
		return 0
	}
	return head
}
