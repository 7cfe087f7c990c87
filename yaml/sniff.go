package yaml

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// sniffed is how much of a document Sniff looks at.
const sniffed = 16 << 10

// Sniff reports whether src, a document or its beginning, is a block mapping or
// a block sequence in YAML: its first line that holds something begins one,
// and the whole parses as one. A single scalar, JSON and other flow
// collections are not claimed. With MultiDocument src has to hold more than one
// document.
func (c Codec) Sniff(src []byte) bool {
	if c.MultiDocument && !several(src) {
		return false
	}
	cut := len(src) > sniffed
	if cut {
		src = src[:sniffed]
		src = src[:bytes.LastIndexByte(src, '\n')+1]
	}
	if !begins(src) {
		return false
	}
	// Aliases can stand for far more than a beginning is worth looking at.
	v, err := Codec{MultiDocument: true, Limits: wire.Limits{Values: sniffed}}.Decode(src)
	if err != nil {
		return false
	}
	for e := range v.Elements() {
		if e.Kind() != wire.KindArray && e.Kind() != wire.KindObject {
			return false
		}
	}
	return v.Len() > 0
}

// several reports whether a line of src begins a document after the first one,
// that is, after anything that is neither a comment nor a directive.
func several(src []byte) bool {
	at := 0
	for line := range bytes.Lines(src) {
		if line[0] == '-' && isMark(line, "---") && !headless(src[:at]) {
			return true
		}
		at += len(line)
	}
	return false
}

// begins reports whether the first line that is not a comment begins a block
// collection or a document.
func begins(src []byte) bool {
	for line := range bytes.SplitSeq(scan.TrimBOM(src), []byte{'\n'}) {
		line = bytes.TrimRight(line, " \t\r")
		switch {
		case len(line) == 0, line[0] == '#', line[0] == '%' && bytes.HasPrefix(line, []byte("%YAML")), string(line) == "---":
			continue
		case line[0] == '{', line[0] == '[', line[0] == '<', line[0] == '"' && !bytes.HasSuffix(line, []byte{':'}) && !bytes.Contains(line, []byte(`": `)):
			return false
		case string(line) == "-", bytes.HasPrefix(line, []byte("- ")):
			return true
		}
		return bytes.HasSuffix(line, []byte{':'}) || bytes.Contains(line, []byte(": "))
	}
	return false
}
