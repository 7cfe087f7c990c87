package yaml

import (
	"bytes"
	"slices"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// sniffed is how much of a document Sniff looks at.
const sniffed = 16 << 10

// Sniff reports whether src, a document or its beginning, is YAML that has an array or an
// object: its first line that holds something begins one in block style or is a mark of
// documents, and the whole parses. Single scalars, and JSON and other flow collections
// without a mark, are not claimed. With MultiDocument src has to hold more than one document,
// some of which may be empty.
func (c Codec) Sniff(src []byte) bool {
	if c.MultiDocument && !several(src) {
		return false
	}
	documents, err := sniff(src)
	if err != nil {
		return false
	}
	found := false
	for _, e := range documents {
		found = found || e.Kind() >= wire.KindArray
		if e.Kind() < wire.KindArray && e.Kind() != wire.KindNull {
			return false
		}
	}
	return found
}

// sniff reads the documents at the beginning of a text; none, if it does not begin like YAML.
func sniff(src []byte) ([]wire.Value, error) {
	if len(src) > sniffed {
		src = src[:bytes.LastIndexByte(src[:sniffed], '\n')+1]
	}
	if !begins(src) {
		return nil, nil
	}
	// Aliases can stand for far more than a beginning is worth looking at.
	c := Codec{MultiDocument: several(src), Limits: wire.Limits{Values: sniffed}}
	v, err := c.Decode(src)
	if c.MultiDocument {
		return slices.Collect(v.Elements()), err
	}
	return []wire.Value{v}, err
}

// several reports whether src has more than one document.
func several(src []byte) bool {
	n := 0
	for at := 0; at < len(src) && n < 2; {
		p := cut(src, at)
		if at = p.next; p.exists() {
			n++
		}
	}
	return n > 1
}

// begins reports whether the first line that is not a comment begins a block
// collection or a document.
func begins(src []byte) bool {
	head, directives := headOf(src)
	line := firstLine(scan.TrimBOM(src[head:]))
	marked := directives || isMark(line, "---")
	for isMark(line, "---") {
		if rest := bytes.TrimLeft(line[len("---"):], blanks+lineEnds); len(rest) > 0 && rest[0] != '#' {
			line = rest
			break
		}
		head += len(firstLine(src[head:]))
		n, _ := headOf(src[head:])
		head += n
		line = firstLine(src[head:])
	}
	line = bytes.Trim(line, blanks+lineEnds)
	if len(line) == 0 {
		return false
	}
	switch line[0] {
	case '{', '[':
		return marked
	case '<':
		return false
	case '"':
		return bytes.HasSuffix(line, []byte{':'}) || bytes.Contains(line, []byte(`": `))
	case '-', '?':
		if len(line) == 1 || line[1] == ' ' || line[1] == '\t' {
			return true
		}
	case '&':
		return true
	}
	return bytes.HasSuffix(line, []byte{':'}) || bytes.Contains(line, []byte(": "))
}
