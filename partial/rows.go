package partial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// A RowReader reads the rows of a table while it is being written.
type RowReader[T any] struct {
	codec wire.Streamer
	in    lines
}

// Rows returns a reader of a table in any format that has records: of what pieces bring, it
// reads whole lines.
func Rows[T any](codec wire.Streamer, pieces iter.Seq2[string, error]) *RowReader[T] {
	return &RowReader[T]{codec: codec, in: lines{pieces: pieces, declared: -1}}
}

// Declared returns how many rows the table says that it has, once its header is there. Not all
// formats have such a count.
func (r *RowReader[T]) Declared() (n int, ok bool) { return max(0, r.in.declared), r.in.declared >= 0 }

// All returns the rows, each as soon as its lines are there. It can be called once. A row that
// does not go into a T is an error, an [*wire.Error] with Format "wire", after which others
// can follow. The last pair may have another error, which wraps [ErrCut] if the text ends before the table does: there are
// fewer rows than declared or, where no count is, the last line has no line end. That line is
// not a row then. With the declared count the last line needs no end, and nothing shows whether
// its last cell is whole.
func (r *RowReader[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next, stop := iter.Pull2(r.in.pieces)
		defer stop()
		r.in.next = next
		n := 0
		var none T
		for row, err := range wire.NewDecoder[T](r.codec, &r.in).All() {
			if e, ok := err.(*wire.Error); err != nil && (!ok || e.Format != "wire") {
				yield(none, r.in.cutAt(n, err))
				return
			}
			if n++; !yield(row, err) {
				return
			}
		}
		if err := r.in.cutAt(n, nil); err != nil {
			yield(none, err)
		}
	}
}

// lines are the whole lines of a text in pieces, as a reader.
type lines struct {
	pieces   iter.Seq2[string, error]
	next     func() (string, error, bool)
	text     []byte // that is not read; it may end in an open line
	whole    int    // bytes of it that are whole lines
	seen     int    // lines that have been looked at for the count
	declared int    // -1 if no count is known
	rows     int    // lines after the one with the count
	failed   error  // of pieces; io.EOF after the last
}

// Read returns whole lines. The last one counts without its end if the table ends with it.
func (l *lines) Read(p []byte) (int, error) {
	for l.whole == 0 && l.failed == nil {
		piece, err, ok := l.next()
		from := len(l.text)
		l.text = append(l.text, piece...)
		if n := bytes.LastIndexByte(l.text[from:], '\n'); n >= 0 {
			l.whole = from + n + 1
			l.count(l.text[:l.whole])
		}
		if l.failed = err; !ok && err == nil {
			l.failed = io.EOF
			if l.declared >= 0 && l.rows+1 >= l.declared || endMark.Match(l.text) || len(bytes.TrimSpace(l.text)) == 0 {
				l.whole = len(l.text)
			}
		}
	}
	if l.whole == 0 {
		return 0, l.failed
	}
	n := copy(p, l.text[:l.whole])
	l.text, l.whole = l.text[n:], l.whole-n
	return n, nil
}

var (
	rowCount = regexp.MustCompile(`\[(\d+)\]|\brows=(\d+)`)
	endMark  = regexp.MustCompile(`^(@end|##! )`)
)

// headerLines are those that may declare a count.
const headerLines = 2

func (l *lines) count(text []byte) {
	for line := range bytes.Lines(text) {
		if l.seen++; l.declared >= 0 {
			l.rows++
		} else if m := rowCount.FindSubmatch(line); m != nil && l.seen <= headerLines {
			l.declared, _ = strconv.Atoi(string(m[1]) + string(m[2]))
		}
	}
}

// cutAt returns the error of a table of which n rows were read: err, or that it is cut off.
func (l *lines) cutAt(n int, err error) error {
	message := ""
	var e *wire.Error
	switch {
	case l.failed != io.EOF:
		return err
	case n < l.declared && (err == nil || errors.As(err, &e)):
		message = fmt.Sprintf("the table is cut off: it has %d of %d rows", n, l.declared)
	case errors.Is(err, wire.ErrTruncated):
		message = fmt.Sprintf("the table is cut off after %d rows", n)
	case err == nil && len(l.text) > 0:
		message = fmt.Sprintf("the table may be cut off: after %d rows is a line without its end, %.60q", n, l.text)
	default:
		return err
	}
	return &wire.Error{Format: "wire", Code: wire.CodeUnexpectedEnd, Kind: wire.ErrTruncated, Cause: ErrCut, Message: message}
}
