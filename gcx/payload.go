package gcx

import (
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

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

// parseHeader parses a header's line. The keys outlive the text, the header is valid until
// the document is done.
func (d *valueDecoder) parseHeader(line string) (*sectionHeader, *headerError) {
	known := d.known.find(line, &d.c)
	var h *sectionHeader
	switch {
	case known != nil && known.header.keys != nil:
		return &known.header, nil
	case known != nil:
		h, line = &known.header, string(known.line)
		h.clear()
	case d.known != nil:
		h = d.room.header()
	default:
		h = new(sectionHeader)
	}
	if bad := h.parse(line, d.c.Lenient); bad != nil {
		return nil, bad
	}
	newKeys := d.b.NewKeys
	if d.stream != nil {
		newKeys = wire.NewKeys
	}
	if bad := h.setColumns(newKeys, d.c.AllStrings); bad != nil {
		return nil, bad
	}
	return h, nil
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
	lenient, text bool          // the codec's
	header        sectionHeader // without keys if it came once
}

// maxKnownHeader is the length of the headers that are remembered.
const maxKnownHeader = 1 << 10

// find returns what is known of a header, nil if it is new.
func (k *knownHeaders) find(line string, c *Codec) *knownHeader {
	if k == nil || len(line) > maxKnownHeader {
		return nil
	}
	for i := range k.headers {
		if h := &k.headers[i]; string(h.line) == line && h.lenient == c.Lenient && h.text == c.AllStrings {
			k.inUse[i] = true
			return h
		}
	}
	i := k.next
	k.next = (i + 1) % len(k.headers)
	if h := &k.headers[i]; !k.inUse[i] {
		h.line, h.lenient, h.text, h.header.keys = append(h.line[:0], line...), c.Lenient, c.AllStrings, nil
	}
	return nil
}

// startsRow reports whether the line at i can only be a row.
func startsRow[T scan.Bytes](text T, i int) bool {
	if i >= len(text) {
		return false
	}
	switch text[i] {
	case '\n', '\r', '#':
		return false
	case 'G':
		return len(text)-i < len(tagName) || string(text[i:i+len(tagName)]) != tagName
	}
	return true
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
