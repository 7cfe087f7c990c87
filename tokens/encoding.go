package tokens

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/parallel"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// An encoding is a vocabulary with the pattern that splits text into the
// pieces that the vocabulary encodes.
type encoding struct {
	pattern
	data []byte // the binary form, of built-in vocabularies

	// normalize is what the tokenizer does to a text first, nil for nothing.
	normalize func(text []byte) []byte

	memos sync.Pool // of *memo
	once  sync.Once
	vocab *vocabulary
	err   error
}

var (
	o200kBase  = encoding{data: o200kData, pattern: patternO200k}
	cl100kBase = encoding{data: cl100kData, pattern: patternCl100k}
)

// load returns the vocabulary: the one that was loaded, or the built-in one, which is read once.
func (e *encoding) load() (*vocabulary, error) {
	e.once.Do(func() {
		switch {
		case e.vocab != nil:
		case e.data == nil:
			e.err = errors.New("the program was built with the tag novocabulary; load a vocabulary with tokens.Load")
		default:
			e.vocab, e.err = parseBinary(e.data)
		}
	})
	return e.vocab, e.err
}

// noBound is the bound of a count that goes to the end.
const noBound = math.MaxInt

// count returns the number of tokens of text, or a number above most as soon
// as there are more.
func (e *encoding) count(text []byte, most int) (int, error) {
	if e.normalize != nil {
		text = e.normalize(text)
	}
	if most == noBound && len(text) >= parallelFrom {
		return e.countParts(text)
	}
	return e.countAlone(text, most)
}

// boundStep is after how many bytes a count with a bound looks whether it is passed.
const boundStep = 1 << 10

// countAlone is count on one processor.
func (e *encoding) countAlone(text []byte, most int) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	v, err := e.load()
	if err != nil {
		return 0, err
	}
	m, ok := e.memos.Get().(*memo)
	if !ok {
		m = new(memo)
	}
	defer e.memos.Put(m)
	defer m.parts.shrink()
	step := len(text)
	if most != noBound {
		step = boundStep
	}
	c := e.classes()
	total, stop, valid := 0, step, false
	for i := 0; ; {
		known, at, err := e.countBlocks(v, m, text, i, stop)
		if err != nil {
			return 0, err
		}
		total, i = total+known, at
		switch {
		case i == len(text):
			return total, nil
		case i < stop:
			if !valid && !scan.IsUTF8(text[i:]) { // what was counted is ASCII
				text = replaceInvalid(text)
			}
			valid = true
			end := e.split(c, text, i)
			n, err := v.countPiece(text, i, end-i, m)
			if err != nil {
				return 0, err
			}
			total, i = total+n, end
		case total > most:
			return most + 1, nil
		default:
			stop = i + step
		}
	}
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
	if e.normalize != nil && !bytes.Equal(e.normalize(text), replaceInvalid(text)) {
		return dst, fmt.Errorf("tokens: %w: the text is not in Unicode's form NFC, into which the tokenizer brings it; the tokens of what it becomes end elsewhere", errors.ErrUnsupported)
	}
	valid := replaceInvalid(text)
	c := e.classes()
	ends := dst
	var p parts
	for i := 0; i < len(valid); {
		end := e.split(c, valid, i)
		if ends, err = v.appendPieceEnds(ends, valid[i:end], i, &p); err != nil {
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
	at, valid, last := 0, 0, 0 // the same place in both, and the size of the character before it in text
	for i, end := range ends {
		for valid < end {
			r, size := utf8.DecodeRune(text[at:])
			at, valid, last = at+size, valid+utf8.RuneLen(r), size
		}
		ends[i] = at - min(valid-end, last-1)
	}
}

// replaceInvalid returns a text that is valid UTF-8, of any other a copy with U+FFFD for every
// byte that is not part of it, as ranging over a Go string does.
func replaceInvalid(text []byte) []byte {
	if scan.IsUTF8(text) {
		return text
	}
	size := 0
	for rest := text; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		size, rest = size+utf8.RuneLen(r), rest[n:]
	}
	valid := make([]byte, 0, size)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		valid, text = utf8.AppendRune(valid, r), text[n:]
	}
	return valid
}

const (
	// parallelFrom is the length from which a text is counted in parts at once.
	parallelFrom = 512 << 10
	// partLen is the least length of a part.
	partLen = 128 << 10
)

// countParts counts a long text to its end, in parts on all processors.
func (e *encoding) countParts(text []byte) (int, error) {
	parts := cutParts(text)
	var total atomic.Int64
	err := parallel.Each(runtime.GOMAXPROCS(0), len(parts), func(_, i int) error {
		n, err := e.countAlone(parts[i], noBound)
		total.Add(int64(n))
		return err
	})
	if err != nil {
		return 0, err
	}
	return int(total.Load()), nil
}

// cutParts cuts a text into parts of at least partLen bytes, but for the last.
func cutParts(text []byte) (parts [][]byte) {
	start := 0
	for i := partLen; i < len(text); i++ {
		if pieceBegins(text, i) {
			parts = append(parts, text[start:i])
			start, i = i, i+partLen-1
		}
	}
	return append(parts, text[start:])
}

// pieceBegins reports whether a piece begins at text[i], whatever is elsewhere, so
// that the text's tokens are those of text[:i] and those of text[i:]. It knows two such
// places, in all patterns of this package.
//
// After a line end, where neither white space nor a slash follows: a piece that holds a
// line end has nothing after it but white space and, in o200k_base, slashes. A run of
// white space before the line end is cut there at the end of a text too.
//
// In front of a digit, where ASCII that is neither a digit nor white space is before
// it: digits share no piece with anything else. After white space this does not hold,
// because the last of it is a piece of its own only if something follows.
func pieceBegins(text []byte, i int) bool {
	before, at := text[i-1], text[i]
	if before == '\n' {
		return at > ' ' && at < 0x7f && at != '/'
	}
	return at-'0' < 10 && before > ' ' && before < 0x7f && before-'0' >= 10
}
