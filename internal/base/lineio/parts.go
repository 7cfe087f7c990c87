package lineio

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"
	"sync"
)

// partSize is how much of a stream is read at once. What is there is not kept
// waiting for more.
const partSize = 128 << 10

// firstPart is how much is read at first, since no one helps with the first part.
const firstPart = 8 << 10

// MaxEmptyReads is how often in a row a reader may return nothing.
const MaxEmptyReads = 100

// A Part is a run of whole records of a stream, or all that is left of it.
type Part struct {
	Text    []byte
	Offset  int       // of Text in the stream
	Lines   int       // line feeds before Text
	Records int       // how many records Text holds if none is bad, as far as can be told without decoding; -1 if it cannot
	Rest    io.Reader // of the last part: what follows Text and was not read yet
}

// A Split is a stream in parts, whose records are of type V. Put together these give the
// records, errors and positions of reading it whole.
type Split[V any] interface {
	// Next returns the next part, in the memory of buf if there is room in it. A
	// part with a Rest is the last. An error is about what is before all records.
	Next(buf []byte) (Part, error)
	// Records reads the records of a part, which are valid until the loop goes on.
	// before is the number of records in the stream before them; only errors and
	// warnings depend on it. It is safe for concurrent use.
	Records(p Part, before int) iter.Seq2[V, error]
}

// An Appender makes the text of records of type V. It is for one goroutine.
type Appender[V any] interface {
	// AppendRecord appends what a writer writes for a record, before which there are so
	// many in the stream; -1 if that is not known. Where the text depends on it, false is
	// returned then. On error it returns dst as it was.
	AppendRecord(dst []byte, record V, before int) ([]byte, bool, error)
}

// After returns a reader of the part after a header.
func (p *Part) After(header []byte) io.Reader {
	rest := p.Rest
	if rest == nil {
		rest = failing{io.EOF}
	}
	return io.MultiReader(bytes.NewReader(header), bytes.NewReader(p.Text), rest)
}

// Reader returns a buffered reader of the part, which [Free] takes back.
func (p *Part) Reader() *bufio.Reader {
	b := buffers.Get().(*bufio.Reader)
	b.Reset(p.After(nil))
	return b
}

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// Free takes a reader back that no one uses any more.
func Free(b *bufio.Reader) {
	b.Reset(nil)
	buffers.Put(b)
}

// A Cut is where a text ends that is whole records.
type Cut struct {
	End     int  // 0 if no record in the text is known to be whole
	Records int  // before End; -1 if unknown
	Stop    bool // what follows End is not to be cut
}

// Parts cuts a stream into parts.
type Parts struct {
	r       io.Reader
	cut     func(text []byte, seen int) Cut
	max     int
	rest    []byte // was read, and is part of none yet
	offset  int
	lines   int
	stopped bool
}

// NewParts returns the parts of a stream of which head was read and r follows. cut
// is asked for the whole records of a text of which it saw the first seen bytes
// before and found none. After a record of more than max bytes nothing is cut.
func NewParts(head []byte, r io.Reader, max int, cut func(text []byte, seen int) Cut) *Parts {
	return &Parts{r: r, cut: cut, max: max, rest: head}
}

// Next returns the next part, in the memory of buf if there is room. There is none
// after one with a Rest.
func (p *Parts) Next(buf []byte) Part {
	text, err := append(buf[:0], p.rest...), error(nil)
	p.rest = p.rest[:0]
	for seen, empty := 0, 0; ; empty++ {
		if !p.stopped && len(text) > seen && len(text) <= p.max {
			c := p.cut(text, seen)
			p.stopped = c.Stop
			if c.End > 0 {
				return p.part(text, c)
			}
			seen, empty = len(text), 0
		}
		if p.stopped || err != nil || len(text) > p.max || empty > MaxEmptyReads {
			return p.last(text, p.r)
		}
		// So much that where parts end depends on the stream alone.
		want := partSize - len(text)%partSize
		if p.offset == 0 && len(text) == 0 {
			want = firstPart
		}
		text = slices.Grow(text, want)
		var n int
		n, err = p.r.Read(text[len(text) : len(text)+want])
		if text = text[:len(text)+n]; err != nil {
			p.r = failing{err}
		}
	}
}

func (p *Parts) part(text []byte, c Cut) Part {
	p.rest = append(p.rest, text[c.End:]...)
	part := Part{Text: text[:c.End], Offset: p.offset, Lines: p.lines, Records: c.Records}
	p.offset += c.End
	p.lines += bytes.Count(part.Text, newline)
	return part
}

var newline = []byte{'\n'}

func (p *Parts) last(text []byte, rest io.Reader) Part {
	return Part{Text: text, Offset: p.offset, Lines: p.lines, Records: -1, Rest: rest}
}

// A Recorder keeps what is read from a stream while its header is looked for.
type Recorder struct {
	r    io.Reader
	text []byte
	done bool
	err  error
}

// NewRecorder returns a Recorder of r.
func NewRecorder(r io.Reader) *Recorder { return &Recorder{r: r} }

func (r *Recorder) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.r.Read(p)
	if !r.done {
		r.text = append(r.text, p[:n]...)
	}
	r.err = err
	return n, err
}

// After returns the first n bytes, and the parts of what follows.
func (r *Recorder) After(n, max int, cut func(text []byte, seen int) Cut) ([]byte, *Parts) {
	r.done = true
	header := bytes.Clone(r.text[:n])
	p := NewParts(r.text[n:], r, max, cut)
	p.offset, p.lines = n, bytes.Count(header, newline)
	return header, p
}

// Whole returns the stream as one part, from its beginning.
func (r *Recorder) Whole() *Parts {
	r.done = true
	return &Parts{r: r, rest: r.text, stopped: true}
}

// failing is a reader that has only its error left.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// ByLines cuts after the last line end, for formats in which a record is a line,
// and a blank line none.
func ByLines(text []byte, seen int) Cut {
	end := bytes.LastIndexByte(text[seen:], '\n')
	if end < 0 {
		return Cut{}
	}
	end += seen + 1
	return Cut{End: end, Records: countLines(text[:end])}
}

// countLines returns how many lines of text are not blank. Lines of white space
// are taken for others.
func countLines(text []byte) int {
	if !bytes.Contains(text, []byte("\n\n")) && !bytes.Contains(text, []byte("\n\r\n")) {
		return bytes.Count(text, newline)
	}
	n := 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimRight(line, "\r\n")) > 0 {
			n++
		}
	}
	return n
}

// Rows cuts tables in which a row is a line: as long as lines are plain, and up to
// Most of them. The last plain line before another one is left to that, since a
// reader may look back at it; with Ahead also the last one there is, since a reader
// looks at the line after a row before the row is out.
type Rows struct {
	Plain func(line []byte) bool // of a line with its end
	Most  int                    // rows left; negative for any number
	Ahead bool
}

// Cut is the function for [NewParts].
func (r *Rows) Cut(text []byte, _ int) Cut {
	var c Cut
	last := 0
	for {
		from := c.End
		n := bytes.IndexByte(text[from:], '\n')
		if n < 0 {
			break
		}
		end := from + n + 1
		if c.Stop = c.Records == r.Most || !r.Plain(text[c.End:end]); c.Stop {
			break
		}
		last, c.End = c.End, end
		c.Records++
	}
	if c.Records > 0 && (c.Stop || r.Ahead) {
		c.End, c.Records = last, c.Records-1
	}
	if r.Most > 0 {
		r.Most -= c.Records
	}
	return c
}
