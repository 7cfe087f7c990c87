package tokens

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

// A slot of the hash table holds a token's rank plus one in its low bits and
// some bits of the token's hash above, so that most slots of other tokens are
// passed over without reading these tokens. The zero slot is empty.
const (
	rankBits  = 18
	rankMask  = 1<<rankBits - 1
	maxTokens = rankMask

	// unranked is the rank of byte strings that are no token: higher than any.
	unranked = ^uint32(0)
)

// A vocabulary ranks byte strings. It is immutable once indexed.
type vocabulary struct {
	bytes   []byte   // all tokens, in the order of their ranks, without separators
	ends    []uint32 // ends[r] is the end of token r in bytes and the start of token r+1
	slots   []uint32 // open addressing; a power of two, at most half full
	pairs   []uint32 // rank of each string of two bytes, at first<<8 | second
	longest int      // length of the longest token
	digits  bool     // each string of one to three digits is a token
	strict  bool     // a piece that is a token is one only if merges lead to it

	// Of a tokenizer.json: the pairs that may be joined, by the tokens that they make; nil if
	// all that make a token may be.
	merges [][]merge
}

// A merge joins a token of left bytes with one of the rest. Merges are ranked by their
// place in the list.
type merge struct{ left, rank uint32 }

// index fills the hash table and the table of pairs. Each byte must be a token, and no token
// occur twice.
func (v *vocabulary) index() error {
	v.slots = make([]uint32, 1<<bits.Len(uint(2*len(v.ends))))
	v.pairs = slices.Repeat([]uint32{unranked}, 1<<16)
	singles, start := 0, uint32(0)
	for r, end := range v.ends {
		token := v.bytes[start:end]
		start = end
		slot, tag := v.slot(token)
		if *slot != 0 {
			return fmt.Errorf("token %d: duplicate of an earlier one", r)
		}
		*slot = tag | uint32(r+1)
		switch len(token) {
		case 1:
			singles++
		case 2:
			v.pairs[uint(token[0])<<8|uint(token[1])] = v.joinRank(uint32(r), 1)
		}
		v.longest = max(v.longest, len(token))
	}
	if singles != 256 {
		return fmt.Errorf("%d of the 256 single bytes are tokens", singles)
	}
	v.digits = v.hasDigits()
	return nil
}

// hasDigits reports whether each string of one to three digits is a token.
func (v *vocabulary) hasDigits() bool {
	var text []byte
	for n := 10; n < 2000; n++ { // all strings of digits after a first one
		text = strconv.AppendInt(text[:0], int64(n), 10)
		if tokens, err := v.countNew(text[1:], new(parts)); tokens != 1 || err != nil {
			return false
		}
	}
	return true
}

func (v *vocabulary) token(r uint32) []byte {
	start := uint32(0)
	if r > 0 {
		start = v.ends[r-1]
	}
	return v.bytes[start:v.ends[r]]
}

// rank returns the rank of b, or unranked.
func (v *vocabulary) rank(b []byte) uint32 {
	if len(b) > v.longest {
		return unranked
	}
	slot, _ := v.slot(b)
	return *slot&rankMask - 1
}

// slot returns the slot of b, or the empty one that it would have, unranked plus one, and what
// its rank is tagged with there.
func (v *vocabulary) slot(b []byte) (slot *uint32, tag uint32) {
	h, slots := hash(b), v.slots
	tag = uint32(h>>32) &^ rankMask // bits that do not choose the slot
	for i := uint(h); ; i++ {
		slot = &slots[i&uint(len(slots)-1)]
		known := *slot
		if known == 0 || known&^rankMask == tag && string(v.token(known&rankMask-1)) == string(b) {
			return slot, tag
		}
	}
}

// joinRank returns the rank of joining the first left bytes of a piece that is token r, if it is
// one, with the rest of it.
func (v *vocabulary) joinRank(r uint32, left int) uint32 {
	if v.merges == nil || r == unranked {
		return r
	}
	for _, pair := range v.merges[r] {
		if int(pair.left) == left {
			return pair.rank
		}
	}
	return unranked
}

// hash mixes the bytes of b with multiplications of 64 by 64 bits. It is not
// seeded: the built-in vocabularies are fixed, so that the longest run of
// occupied slots is too, and the memo never looks at a second slot.
func hash(b []byte) uint64 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h := uint64(len(b)) * k0
	for len(b) > 16 {
		h = mix(h^binary.LittleEndian.Uint64(b)^k1, binary.LittleEndian.Uint64(b[8:])^k0)
		b = b[16:]
	}
	var x, y uint64
	switch n := len(b); {
	case n >= 8:
		x = binary.LittleEndian.Uint64(b)
		y = binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		x = uint64(binary.LittleEndian.Uint32(b))
		y = uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		x = uint64(b[0])<<16 | uint64(b[n/2])<<8 | uint64(b[n-1])
	}
	return mix(h^x^k1, y^k0)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// The binary form of a vocabulary:
//
//	magic     8 bytes, "tokenv2\n"
//	number    of tokens, 4 bytes, little endian
//	length    of all tokens together, 4 bytes, little endian
//	tokens    in the order of their ranks: the rank of an earlier token plus one and the
//	          rank of another one, whose bytes follow it; or 0, a length and the bytes
//
// Ranks and lengths of tokens are varints. Vocabularies are made by merging pairs of tokens,
// so that nearly all tokens are such a pair.
const binaryMagic = "tokenv2\n"

const binaryHead = len(binaryMagic) + 8

// maxBinaryToken is the longest token of the binary form, which bounds what a short text can
// be made of.
const maxBinaryToken = 255

// mostBytes is how many bytes of tokens a byte of the binary form may make. Vocabularies
// have two.
const mostBytes = 16

var errBinary = errors.New("the binary form is damaged")

// AppendBinary appends the vocabulary in a form that is a quarter as long as a rank
// file and read several times as fast. Tokens of more than 255 bytes are an
// error.
func (v *Vocabulary) AppendBinary(dst []byte) ([]byte, error) {
	words := v.vocab
	if words.merges != nil {
		return dst, fmt.Errorf("tokens: vocabulary %s: the binary form has no merges, which the vocabulary of a tokenizer.json is made of", v.name)
	}
	if words.longest > maxBinaryToken {
		return dst, fmt.Errorf("tokens: vocabulary %s: a token of %d bytes; the binary form has at most %d", v.name, words.longest, maxBinaryToken)
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, binaryMagic...), uint32(len(words.ends)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(words.bytes)))
	var pair, best []byte
	for r := range uint32(len(words.ends)) {
		token := words.token(r)
		best = append(binary.AppendUvarint(append(best[:0], 0), uint64(len(token))), token...)
		for i := 1; i < len(token); i++ {
			a, b := words.rank(token[:i]), words.rank(token[i:])
			if a >= r || b >= r {
				continue
			}
			pair = binary.AppendUvarint(binary.AppendUvarint(pair[:0], uint64(a)+1), uint64(b))
			if len(pair) < len(best) {
				pair, best = best, pair
			}
		}
		dst = append(dst, best...)
	}
	return dst, nil
}

// parseBinary returns the vocabulary that src is the binary form of.
func parseBinary(src []byte) (*vocabulary, error) {
	if len(src) < binaryHead || string(src[:len(binaryMagic)]) != binaryMagic {
		return nil, errBinary
	}
	n := int64(binary.LittleEndian.Uint32(src[len(binaryMagic):]))
	length := int64(binary.LittleEndian.Uint32(src[binaryHead-4:]))
	src = src[binaryHead:]
	if n > maxTokens {
		return nil, fmt.Errorf("more than %d tokens", maxTokens)
	}
	if 2*n > int64(len(src)) || length > min(maxBinaryToken*n, mostBytes*int64(len(src))) {
		return nil, errBinary
	}
	// There is room after the text, so that words can be copied whole.
	text, ends := make([]byte, length+2*maxBinaryToken), make([]uint32, n+1)
	for r := range uint64(n) {
		a, i := binary.Uvarint(src)
		b, j := binary.Uvarint(src[max(i, 0):])
		if i <= 0 || j <= 0 {
			return nil, errBinary
		}
		src = src[i+j:]
		end := ends[r]
		switch {
		case a == 0 && b <= min(uint64(len(src)), maxBinaryToken):
			end += uint32(copy(text[end:], src[:b]))
			src = src[b:]
		case a == 0 || a > r || b >= r:
			return nil, errBinary
		default:
			end = copyToken(text, end, ends[a-1], ends[a])
			end = copyToken(text, end, ends[b], ends[b+1])
		}
		if size := end - ends[r]; size == 0 || size > maxBinaryToken || int64(end) > length {
			return nil, errBinary
		}
		ends[r+1] = end
	}
	if len(src) > 0 || int64(ends[n]) != length {
		return nil, errBinary
	}
	v := &vocabulary{bytes: text[:length:length], ends: ends[1:]}
	return v, v.index()
}

// copyToken copies text[from:to], a token, to text[at:], and returns the end of the copy.
func copyToken(text []byte, at, from, to uint32) uint32 {
	if to-from <= 16 {
		*(*[16]byte)(text[at:]) = *(*[16]byte)(text[from:])
	} else {
		copy(text[at:], text[from:to])
	}
	return at + to - from
}
