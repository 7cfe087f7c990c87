package lineio

import (
	"errors"
	"io"
)

// An Output gathers the texts of records and writes them, whole records only. It is
// the part that record writers share; their methods Flush, Written and Close are its.
//
// After an error of the writer below it writes nothing more. A record that cannot be
// made is not such an error: what precedes it is written, nothing of it is, and others can
// follow.
type Output struct {
	w       io.Writer
	text    []byte
	ends    []int // in text, of the records
	written int
	closed  bool
	err     error // of w
	sparsity
}

const (
	// writeAt is how much text is written without being asked for.
	writeAt = 32 << 10
	// outputSize is what text has room for at first.
	outputSize = writeAt + 4<<10
	// keptOutput is the most memory that is kept after a long record.
	keptOutput = 1 << 20
)

// ErrClosed is the error of a record that follows Close.
var ErrClosed = errors.New("a record after Close")

// NewOutput returns an Output that writes to w.
func NewOutput(w io.Writer) Output { return Output{w: w} }

// Text returns what is gathered, for a record to be appended to.
func (o *Output) Text() []byte {
	if o.text == nil {
		o.text = make([]byte, 0, outputSize)
	}
	return o.text
}

// Put takes what Text returned with something appended that is not a record, such as
// a header.
func (o *Output) Put(text []byte) { o.text = text }

// Ahead writes a text before what is gathered.
func (o *Output) Ahead(text []byte) { o.write(text, nil) }

// Take takes what Text returned with a record appended, unless err says that the
// record could not be made.
func (o *Output) Take(text []byte, err error) error {
	if err = o.Hold(text, err); err != nil && len(o.ends) > 0 || err == nil && len(text) >= writeAt {
		if failed := o.Flush(); failed != nil {
			return failed
		}
	}
	return err
}

// Hold is Take for text that must not be written before all of it is known.
func (o *Output) Hold(text []byte, err error) error {
	switch {
	case o.err != nil:
		return o.err
	case err != nil:
		return err
	case o.closed:
		return ErrClosed
	}
	o.text, o.ends = text, append(o.ends, len(text))
	return nil
}

// Join takes a text of whole records, which end at ends. Where [Output.Holds] reports
// false for one of them, it returns ErrSparse.
func (o *Output) Join(text []byte, ends []int) error {
	if !o.addAll(text, ends) {
		return ErrSparse
	}
	if len(o.text)+len(text) < writeAt {
		before := len(o.Text())
		for _, end := range ends {
			o.ends = append(o.ends, before+end)
		}
		o.text = append(o.text, text...)
		return o.err
	}
	if err := o.Flush(); err != nil {
		return err
	}
	o.write(text, ends)
	return o.err
}

// Flush writes what is gathered.
func (o *Output) Flush() error {
	if len(o.text) > 0 {
		o.write(o.text, o.ends)
		o.Reset()
	}
	return o.err
}

// write writes a text of records, and counts those that w takes whole.
func (o *Output) write(text []byte, ends []int) {
	if o.err != nil {
		return
	}
	var n int
	if n, o.err = o.w.Write(text); o.err == nil {
		if n == len(text) {
			o.written += len(ends)
			return
		}
		o.err = io.ErrShortWrite
	}
	for _, end := range ends {
		if end <= n {
			o.written++
		}
	}
}

// Reset forgets what is gathered.
func (o *Output) Reset() {
	o.text, o.ends = o.text[:0], o.ends[:0]
	if cap(o.text) > keptOutput {
		o.text = nil
	}
}

// Written returns how many records the writer below has taken whole.
func (o *Output) Written() int { return o.written }

// Count returns how many records were taken.
func (o *Output) Count() int { return o.written + len(o.ends) }

// Closed reports whether Close was called.
func (o *Output) Closed() bool { return o.closed }

// Close writes what is gathered. It does not close the writer below.
func (o *Output) Close() error {
	o.closed = true
	return o.Flush()
}

// Stop ends the writing of n records to w before one with an error: those n are
// written, by closing w if it has to know their number first. It returns how many
// are written and err, or, if not all are, the error of the writer below.
func Stop(w interface {
	Flush() error
	Written() int
	Close() error
}, n int, err error) (int, error) {
	if n == 0 {
		return n, err
	}
	failed := w.Flush()
	if failed == nil && w.Written() < n {
		failed = w.Close()
	}
	if failed != nil {
		return w.Written(), failed
	}
	return n, err
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
