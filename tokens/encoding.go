package tokens

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/scan"
)

// An encoding is a vocabulary with the pattern that splits text into the
// pieces that the vocabulary encodes.
type encoding struct {
	pattern
	data []byte // the binary form, of built-in vocabularies

	short sync.Pool // of *shortMemo
	once  sync.Once
	vocab *vocabulary
	err   error
}

var (
	o200kBase  = encoding{data: o200kData, pattern: patternO200k}
	cl100kBase = encoding{data: cl100kData, pattern: patternCl100k}
)

func (e *encoding) load() (*vocabulary, error) {
	e.once.Do(func() { e.vocab, e.err = loadBuiltIn(e.data) })
	return e.vocab, e.err
}

var errNotBuiltIn = errors.New("the program was built with the tag novocabulary; load a vocabulary with tokens.Load")

// loadBuiltIn reads a built-in vocabulary. The tests prove that it is the
// published one, so it is not checked again.
func loadBuiltIn(data []byte) (*vocabulary, error) {
	if data == nil {
		return nil, errNotBuiltIn
	}
	v, err := parseBinary(data)
	if err == nil {
		err = v.index(true)
	}
	if err != nil {
		return nil, fmt.Errorf("tokens: a built-in vocabulary: %w", err)
	}
	return v, nil
}

// noBound is the bound of a count that goes to the end.
const noBound = math.MaxInt

// count returns the number of tokens of text, or a number above most as soon
// as there are more.
func (e *encoding) count(text []byte, most int) (int, error) {
	if most == noBound {
		if n, done, err := e.countParts(text); done {
			return n, err
		}
	}
	return e.countAlone(text, most)
}

// countAlone is count on one processor.
func (e *encoding) countAlone(text []byte, most int) (int, error) {
	m := e.borrowMemo()
	defer m.giveBack(e)
	if len(text) >= memoFrom {
		m.grow(slotsFor(text))
	}
	return e.countBounded(&m, text, most)
}

// countWith counts all of a text with a memo that may know pieces already.
func (e *encoding) countWith(m *memo, text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	v, err := e.load()
	if err != nil {
		return 0, err
	}
	if !scan.IsUTF8(text) {
		text = replaceInvalid(text)
	}
	c := characterClasses()
	total := 0
	for i := 0; ; {
		known, at, length := e.countKnown(c, m.short, v.digits, text, i)
		total, i = total+known, at
		switch {
		case i == len(text):
			return total, nil
		case length > 0:
			total += v.countShort(text[i:i+length], key(text, i, length), m.short)
			i += length
			continue
		}
		end := e.pieceEnd(c, text, i)
		n := 1
		switch {
		case end == i+1 || v.digits && isDigits(text[i:end]):
		case end == i+2:
			n = v.countTwo(text[i], text[i+1])
		default:
			var err error
			if n, err = v.countPiece(text[i:end], m); err != nil {
				return 0, err
			}
		}
		total += n
		i = end
	}
}

// isDigits reports whether a piece that is not empty is one to three ASCII
// digits. Other pieces that begin with one have other numbers at their end or in
// their middle.
func isDigits(piece []byte) bool {
	n := len(piece)
	return piece[0]-'0' < 10 && n <= 3 && piece[n/2]|piece[n-1] < 0x80
}

// countTwo returns the number of tokens of a piece of two bytes.
func (v *vocabulary) countTwo(a, b byte) int {
	if v.pairs[uint(a)<<8|uint(b)] == unranked {
		return 2
	}
	return 1
}

// appendEnds appends the end of each token.
func (e *encoding) appendEnds(dst []int, text []byte) ([]int, error) {
	if len(text) == 0 {
		return dst, nil
	}
	v, err := e.load()
	if err != nil {
		return dst, err
	}
	valid := text
	if !scan.IsUTF8(text) {
		valid = replaceInvalid(text)
	}
	c := characterClasses()
	ends := dst
	for i := 0; i < len(valid); {
		end := e.pieceEnd(c, valid, i)
		if ends, err = v.appendPieceEnds(ends, valid[i:end], i); err != nil {
			return dst, err
		}
		i = end
	}
	if len(valid) != len(text) {
		originalEnds(ends[len(dst):], text)
	}
	return ends, nil
}

// originalEnds turns ends in what replaceInvalid made of text into ends in
// text itself. An end within a replacement becomes that of the byte replaced.
func originalEnds(ends []int, text []byte) {
	at, valid := 0, 0 // the same place in both
	for i, end := range ends {
		for {
			r, size := utf8.DecodeRune(text[at:])
			length := utf8.RuneLen(r)
			if valid+length <= end && size > 0 {
				at, valid = at+size, valid+length
				continue
			}
			ends[i] = at + min(end-valid, size)
			break
		}
	}
}

// appendPieceEnds appends the ends of the tokens of a piece that begins at
// start.
func (v *vocabulary) appendPieceEnds(dst []int, piece []byte, start int) ([]int, error) {
	if len(piece) <= v.longest && v.rank(piece, hash(piece)) != unranked {
		return append(dst, start+len(piece)), nil
	}
	return v.appendMerged(dst, piece, start)
}

// countPiece returns the number of tokens of a piece.
func (v *vocabulary) countPiece(piece []byte, m *memo) (int, error) {
	if len(piece) == 1 {
		return 1, nil
	}
	if len(piece) > max(v.longest, longestRemembered) {
		return v.merge(piece)
	}
	h := hash(piece)
	if n := m.recall(piece, h); n > 0 {
		return n, nil
	}
	n := 1
	if v.rank(piece, h) == unranked {
		var err error
		if n, err = v.merge(piece); err != nil {
			return 0, err
		}
	}
	m.remember(piece, h, n)
	return n, nil
}

// A memo remembers the counts of the latest pieces. Documents repeat their
// words, keys and indentation, and finding a piece in the memo costs less than
// merging it, or even than finding it in the larger vocabulary.
//
// A memo serves one call or one batch and points into a copy of the pieces. A piece
// has one slot and evicts the one that had it before. Pieces of up to longestShort
// ASCII bytes are held apart, and by themselves.
type memo struct {
	text  []byte // copies of the pieces in slots
	slots []remembered
	short *shortMemo
	room  *memoRoom // what text and slots are parts of
}

type memoRoom struct {
	slots [mostSlots]remembered
	text  []byte
}

type remembered struct {
	start  int
	length uint32
	tokens uint32 // 0 if the slot is empty
}

const (
	// memoFrom is the length of the texts for which a memo of longer pieces pays.
	memoFrom = 512
	// mostSlots bounds a memo, at 16 bytes a slot.
	mostSlots = 1 << 14
	// longestRemembered bounds what comparing a piece with its slot costs.
	longestRemembered = 256
	// mostCopied bounds the pieces that are copied.
	mostCopied = 1 << 20
)

var memoPool = sync.Pool{New: func() any { return new(memoRoom) }}

func (e *encoding) borrowMemo() memo {
	room := memoPool.Get().(*memoRoom)
	return memo{text: room.text[:0], room: room, short: e.borrowShort()}
}

// grow forgets the longer pieces and makes room for n.
func (m *memo) grow(n int) {
	m.text, m.slots = m.text[:0], m.room.slots[:min(mostSlots, n)]
	clear(m.slots)
}

// giveBack ends the memo.
func (m *memo) giveBack(e *encoding) {
	m.room.text = m.text
	memoPool.Put(m.room)
	e.short.Put(m.short)
	*m = memo{}
}

// slotsFor returns how many slots a memo of a text needs: a power of two.
func slotsFor(text []byte) int { return 1 << bits.Len(uint(len(text)/8)) }

// slot returns the place of a piece with hash h.
func (m *memo) slot(h uint64) *remembered { return &m.slots[uint(h>>20)&uint(len(m.slots)-1)] }

// recall returns the count of a piece with hash h, or 0.
func (m *memo) recall(piece []byte, h uint64) int {
	if len(m.slots) == 0 {
		return 0
	}
	s := m.slot(h)
	if int(s.length) != len(piece) || string(m.text[s.start:s.start+len(piece)]) != string(piece) {
		return 0
	}
	return int(s.tokens)
}

func (m *memo) remember(piece []byte, h uint64, tokens int) {
	if len(m.slots) == 0 || len(piece) > longestRemembered {
		return
	}
	if len(m.text) > mostCopied-longestRemembered {
		clear(m.slots)
		m.text = m.text[:0]
	}
	*m.slot(h) = remembered{len(m.text), uint32(len(piece)), uint32(tokens)}
	m.text = append(m.text, piece...)
}

// replaceInvalid returns a copy of text with U+FFFD for every byte that is not
// part of valid UTF-8, as ranging over a Go string does.
func replaceInvalid(text []byte) []byte {
	invalid := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			invalid++
		}
		i += size
	}
	valid := make([]byte, 0, len(text)+invalid*(utf8.RuneLen(utf8.RuneError)-1))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		valid = utf8.AppendRune(valid, r)
		i += size
	}
	return valid
}
