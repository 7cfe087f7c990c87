// Package measure tells what a value is in a format: its text, the tokens of
// it, and what is lost on the way there and back.
package measure

import (
	"bytes"
	"compress/gzip"
	"sync"
	"time"

	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// BeyondJSON are the losses that do not count where a format is judged against JSON: those
// that JSON has too, and those that wire.Equal does not see. What is left differs in the
// data.
const BeyondJSON = wire.LossBytes | wire.LossTime | wire.LossTag | wire.LossOrder | wire.LossNumberText

// A Result is a value in one format, measured.
type Result struct {
	Encoded  []byte
	Tokens   int // -1 where none are counted: a binary format, no counter
	Loss     wire.Loss
	LossPath string
	Equal    bool // judged against JSON

	Encoding, Decoding time.Duration // of this one run
}

// Once encodes v, decodes it again, compares and counts, each once. A nil
// counter counts nothing.
func Once(codec wire.Codec, counter tokens.Counter, v wire.Value) (Result, error) {
	start := time.Now()
	encoded, err := codec.AppendEncode(nil, v)
	if err != nil {
		return Result{}, err
	}
	middle := time.Now()
	back, err := codec.Decode(encoded)
	if err != nil {
		return Result{}, err
	}
	r := Result{Encoded: encoded, Tokens: -1, Encoding: middle.Sub(start), Decoding: time.Since(middle)}
	r.Loss, r.LossPath = wire.Difference(v, back)
	r.Equal = wire.Internal.EqualAsJSON(v, back)
	if counter != nil && !codec.Info().Binary {
		if r.Tokens, err = counter.Count(encoded); err != nil {
			return Result{}, err
		}
	}
	return r, nil
}

// gzipWriters wait for the next text: making one takes longer than a short text
// does.
var gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// Gzip returns the length of b after gzip at its default level.
func Gzip(b []byte) int {
	var out bytes.Buffer
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(&out)
	_, _ = w.Write(b) // a bytes.Buffer takes everything
	_ = w.Close()
	return out.Len()
}
