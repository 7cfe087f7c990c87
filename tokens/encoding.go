package tokens

import (
	"math/bits"
	"sync"
	"unicode/utf8"
)

// An encoding is a vocabulary with the pattern that splits text into the
// pieces that the vocabulary encodes.
type encoding struct {
	file  string
	split splitter

	once  sync.Once
	vocab *vocabulary
	err   error
}

var (
	o200kBase  = encoding{file: "o200k_base.tiktoken", split: splitO200k}
	cl100kBase = encoding{file: "cl100k_base.tiktoken", split: splitCl100k}
)

func (e *encoding) load() (*vocabulary, error) {
	e.once.Do(func() { e.vocab, e.err = loadVocabulary(e.file) })
	return e.vocab, e.err
}

// count returns the number of tokens of text.
func (e *encoding) count(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	v, err := e.load()
	if err != nil {
		return 0, err
	}
	if !utf8.Valid(text) {
		text = replaceInvalid(text)
	}
	c := characterClasses()
	m := newMemo(text)
	total := 0
	for i := 0; i < len(text); {
		end := e.split(c, text, i)
		n, err := v.countPiece(text[i:end], &m, i)
		if err != nil {
			return 0, err
		}
		total += n
		i = end
	}
	return total, nil
}

// countPiece returns the number of tokens of a piece, which begins at start in
// the text of the memo.
func (v *vocabulary) countPiece(piece []byte, m *memo, start int) (int, error) {
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
	m.remember(piece, h, start, n)
	return n, nil
}

// A memo remembers the counts of a text's latest pieces. Documents repeat
// their words, keys and indentation, and finding a piece in the memo costs
// less than merging it, or even than finding it in the larger vocabulary.
//
// It lives for one call and points into the text, so it keeps nothing of it.
// A piece has one slot and evicts the one that had it before.
type memo struct {
	text  []byte
	slots []remembered
}

type remembered struct {
	start  int
	length uint32
	tokens uint32 // 0 if the slot is empty
}

const (
	// memoFrom is the length of the texts for which a memo pays.
	memoFrom = 512
	// memoSlots bounds the memo, at 16 bytes a slot.
	memoSlots = 1 << 12
	// longestRemembered bounds what comparing a piece with its slot costs.
	longestRemembered = 128
)

func newMemo(text []byte) memo {
	if len(text) < memoFrom {
		return memo{}
	}
	n := min(memoSlots, 1<<bits.Len(uint(len(text)/8)))
	return memo{text, make([]remembered, n)}
}

// recall returns the count of a piece with hash h, or 0.
func (m *memo) recall(piece []byte, h uint64) int {
	if len(m.slots) == 0 {
		return 0
	}
	s := &m.slots[uint(h>>20)&uint(len(m.slots)-1)]
	if int(s.length) != len(piece) || string(m.text[s.start:s.start+len(piece)]) != string(piece) {
		return 0
	}
	return int(s.tokens)
}

func (m *memo) remember(piece []byte, h uint64, start, tokens int) {
	if len(m.slots) == 0 || len(piece) > longestRemembered {
		return
	}
	m.slots[uint(h>>20)&uint(len(m.slots)-1)] = remembered{start, uint32(len(piece)), uint32(tokens)}
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
