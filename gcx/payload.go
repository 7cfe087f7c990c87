package gcx

import (
	"bytes"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// payload is the text of a payload that is decoded as a whole.
type payload struct {
	c       Codec
	src     []byte
	bom     int    // bytes of src before text
	text    string // a private copy; values point into it
	limits  wire.Limits
	omitted int // cells that rows omitted so far
	// stream is the line that text is, if the payload is read line by line.
	stream *line
}

// begin makes the payload that of src but for the text, which it has checked and
// returns.
func (p *payload) begin(c *Codec, src []byte) ([]byte, error) {
	p.c = *c
	p.limits = *c.limits()
	p.src, p.omitted = src, 0
	if len(src) > p.limits.InputBytes {
		return nil, wire.ErrorAt(src, p.limits.InputBytes, inputTooLong)
	}
	text := scan.TrimBOM(src)
	p.bom = len(src) - len(text)
	if n := scan.ValidUTF8(text); n < len(text) {
		return nil, p.errorAt(n, invalidUTF8)
	}
	return text, nil
}

func (p *payload) errorAt(i int, e wire.Error) error {
	if p.stream != nil {
		return p.stream.errorAt(i, e)
	}
	e.Format = name
	return wire.ErrorAt(p.src, p.bom+i, e)
}

// lineEnd returns the index of the LF that ends the line at i, or the end.
func (p *payload) lineEnd(i int) int {
	if n := strings.IndexByte(p.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(p.text)
}

// start returns where the first section begins.
func (p *payload) start() (int, error) {
	if i := contentStart(p.text); i < len(p.text) {
		return i, nil
	}
	return 0, p.errorAt(len(p.text), noSection)
}

// contentStart returns where the first line begins that is neither blank nor a comment, or
// where the text ends.
func contentStart[T scan.Bytes](text T) (i int) {
	for comment := false; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			comment = false
		case c == '#':
			comment = true
		case !comment && (c != '\r' || i+1 < len(text) && text[i+1] != '\n'):
			return i
		}
	}
	return i
}

var noSection = wire.Error{Code: wire.CodeUnexpectedEnd, Kind: wire.ErrTruncated, Message: "the payload has no section"}

// keyedHeader reads the header at i and returns where its rows begin. The keys outlive the
// text, the header is valid until the document is done.
func (d *valueDecoder) keyedHeader(i int) (*sectionHeader, *wire.Keys, int, error) {
	// In src, for the copy of the text is only just being written.
	src := d.src[d.bom:]
	end := len(src)
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		end = i + n
	}
	line, next := cutCR(d.text[i:end]), min(end+1, len(d.text))
	known := d.known.find(src[i:i+len(line)], &d.c)
	if known != nil && known.keys != nil {
		return &known.header, known.keys, next, nil
	}
	var h *sectionHeader
	switch {
	case known != nil:
		h, line = &known.header, string(known.line)
		h.clear()
	case d.known != nil:
		h = d.room.header()
	default:
		h = new(sectionHeader)
	}
	if bad := h.parse(line, d.c.Lenient); bad != nil {
		return nil, nil, 0, d.errorAt(i+bad.at, bad.Error)
	}
	keys, bad := h.check(d.b.NewKeys)
	if bad != nil {
		return nil, nil, 0, d.errorAt(i+bad.at, bad.Error)
	}
	h.setLetters(keys, d.c.AllStrings)
	if known != nil {
		known.keys = keys
	}
	return h, keys, next, nil
}

// knownHeaders are the headers that a decoder of lent values read last. What a header says
// is worth remembering when it comes the second time.
type knownHeaders struct {
	headers [8]knownHeader
	inUse   [8]bool // by sections of the document
	next    int     // to be replaced
}

type knownHeader struct {
	line          []byte
	lenient, text bool // the codec's
	header        sectionHeader
	keys          *wire.Keys // nil if the header came once
}

// maxKnownHeader is the length of the headers that are remembered.
const maxKnownHeader = 1 << 10

// find returns what is known of a header, nil if it is new.
func (k *knownHeaders) find(line []byte, c *Codec) *knownHeader {
	if k == nil || len(line) > maxKnownHeader {
		return nil
	}
	for i := range k.headers {
		if h := &k.headers[i]; bytes.Equal(h.line, line) && h.lenient == c.Lenient && h.text == c.AllStrings {
			k.inUse[i] = true
			return h
		}
	}
	i := k.next
	k.next = (i + 1) % len(k.headers)
	if h := &k.headers[i]; !k.inUse[i] {
		h.line, h.lenient, h.text, h.keys = append(h.line[:0], line...), c.Lenient, c.AllStrings, nil
	}
	return nil
}

// A lineKind is what a line of a section is.
type lineKind uint8

const (
	lineRow lineKind = iota
	lineBlank
	lineComment
	lineHeader
)

// kindOf tells what the line at i is.
func (p *payload) kindOf(i int) lineKind {
	switch p.text[i] {
	case '\n':
		return lineBlank
	case '\r':
		if i+1 == len(p.text) || p.text[i+1] == '\n' {
			return lineBlank
		}
	case '#':
		return lineComment
	case 'G':
		if strings.HasPrefix(p.text[i:], "GCX") && isHeader(p.text[i:p.lineEnd(i)]) {
			return lineHeader
		}
	}
	return lineRow
}

// cellReader reads cells that lie in a longer text.
type cellReader struct {
	b       *builder.Builder
	scratch []byte
}

// cellText returns the text of the cell at start and where the cell ends, at a TAB,
// a line end or the end of the payload. A backslash at the end of the cell stays.
func (r *cellReader) cellText(payload string, start int) (text string, end int) {
	end = cellEnd(payload, start)
	if text = payload[start:end]; strings.IndexByte(text, '\\') >= 0 {
		r.scratch = appendUnescaped(r.scratch[:0], text)
		text = r.b.Text(r.scratch)
	}
	return text, end
}

// cellEnd returns where the cell that i is in ends.
func cellEnd(payload string, i int) int {
	for i = special(payload, i); !endsCell(payload, i); i = special(payload, i+1) {
		if payload[i] == '\\' && i+1 < len(payload) && payload[i+1] != '\t' && payload[i+1] != '\n' {
			i++
		}
	}
	return i
}

// endsCell reports whether a cell ends at i.
func endsCell(payload string, i int) bool {
	return i == len(payload) || payload[i] == '\t' || payload[i] == '\n' ||
		payload[i] == '\r' && (i+1 == len(payload) || payload[i+1] == '\n')
}

// lineCount is what a section's header promised and what it kept.
type lineCount struct {
	rows   int
	blanks int
	budget bool
}

// endSection checks the rows before i, where the next section begins or the
// text ends.
func (p *payload) endSection(h *sectionHeader, n *lineCount, i int) error {
	if !h.counted() || p.c.Lenient {
		return nil
	}
	if i == len(p.text) && p.text[i-1] != '\n' {
		return p.errorAt(i, lineCut)
	}
	if bad := rowCount(h.rows, n.rows, n.budget, i == len(p.text)); bad != nil {
		return p.errorAt(i, *bad)
	}
	return nil
}

// omit counts the cells that a row omits.
func (p *payload) omit(cells, i int) error {
	read := len(p.text)
	if p.stream != nil {
		read += p.stream.at
	}
	if p.omitted += cells; p.omitted > maxOmitted(read) {
		return p.errorAt(i, tooManyOmitted)
	}
	return nil
}
