package bcp

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	// largePayload is the length from which on a payload is compressed where it
	// is: what is compressed takes the place of what has been read.
	largePayload = 1 << 20
	// mostWaiting is how much waits until it is clear whether compressing pays.
	mostWaiting = 1 << 18
	// largeWindow is how far back what is compressed may refer.
	largeWindow = 4 << 20
	// deflateStep is how much is read at a time.
	deflateStep = 1 << 17
)

// streamEncoders are idle. They write while they are written to.
var streamEncoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(largeWindow))
	if err != nil {
		panic(err) // the options are constant
	}
	return e
}}

// A replacement writes over a text that has been read.
type replacement struct {
	text    []byte
	read    int    // bytes of text that are not needed any more
	written int    // bytes of text that were replaced
	waiting []byte // what has no place yet
}

// Write takes what is to be in the text, and keeps what has no place yet.
func (r *replacement) Write(p []byte) (int, error) {
	r.waiting = append(r.waiting, p...)
	if len(r.waiting) > mostWaiting && (r.written > 0 || r.pays()) {
		r.place()
	}
	return len(p), nil
}

// pays reports whether the text gets shorter by a tenth, as far as it was read.
func (r *replacement) pays() bool { return r.written+len(r.waiting) <= r.read/10*9 }

// place puts what waits into the text, as far as that was read.
func (r *replacement) place() {
	n := copy(r.text[r.written:r.read], r.waiting)
	r.written += n
	r.waiting = r.waiting[:copy(r.waiting, r.waiting[n:])]
}

// deflateInPlace replaces a text by one zstd frame and returns its length, if that
// is less and allowed. Otherwise the text stays, and the length is that of the text.
func deflateInPlace(text []byte, allowed func(length int) bool) int {
	r := &replacement{text: text}
	e := streamEncoders.Get().(*zstd.Encoder)
	e.ResetContentSize(r, int64(len(text)))
	for r.read < len(text) {
		step := text[r.read:min(r.read+deflateStep, len(text))]
		if _, err := e.Write(step); err != nil {
			panic(err) // a replacement takes everything
		}
		r.read += len(step)
	}
	if err := e.Close(); err != nil {
		panic(err)
	}
	e.Reset(nil)
	streamEncoders.Put(e)
	length := r.written + len(r.waiting)
	if length < len(text) && allowed(length) {
		r.place()
		return length
	}
	r.restore()
	return len(text)
}

// restore brings the text back: it is what the frame inflates to.
func (r *replacement) restore() {
	if r.written == 0 {
		return
	}
	frame := append(r.text[:r.written:r.written], r.waiting...)
	text, err := zstdDecoder().DecodeAll(frame, make([]byte, 0, len(r.text)))
	if err != nil || len(text) != len(r.text) {
		panic("bcp: a frame that does not inflate to what was compressed")
	}
	copy(r.text, text)
}
