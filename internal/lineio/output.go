package lineio

import (
	"bufio"
	"io"
)

// An Output takes the texts of records. It is the part of a record writer that
// formats share whose records stand for themselves. After an error there is
// nothing more in it than that.
type Output struct {
	w   *bufio.Writer
	err error
}

// NewOutput returns an Output that writes to w.
func NewOutput(w io.Writer) Output { return Output{w: bufio.NewWriterSize(w, 64<<10)} }

// Take writes the text of a record unless there was an error in making it.
func (o *Output) Take(text []byte, err error) error {
	if o.err == nil {
		o.err = err
	}
	return o.Join(text, 1)
}

// Join writes a text of n records.
func (o *Output) Join(text []byte, _ int) error {
	if o.err == nil {
		_, o.err = o.w.Write(text)
	}
	return o.err
}

// Close writes what is buffered.
func (o *Output) Close() error {
	if o.err == nil {
		o.err = o.w.Flush()
	}
	return o.err
}

// WriteWhole writes all of a text. A writer that takes less without an error breaks
// its contract.
func WriteWhole(w io.Writer, text []byte) error {
	n, err := w.Write(text)
	if err == nil && n < len(text) {
		return io.ErrShortWrite
	}
	return err
}
