package csv

import (
	"bytes"
	"fmt"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// Separator returns the character that the first line of a table says its cells are parted
// by: spreadsheets write and honor a line sep=; before the header. It returns 0 for a text
// without such a line. A codec passes over the line if it names its Comma, and refuses to
// read the text if it names another.
func Separator(src []byte) (comma byte) {
	comma, _ = separator(scan.TrimBOM(src))
	return comma
}

// separator returns what the first line names, and the length of that line, 0 if it names
// nothing.
func separator(text []byte) (comma byte, n int) {
	if len(text) < len("sep=;") || !bytes.HasPrefix(text, []byte("sep=")) {
		return 0, 0
	}
	comma, rest := text[len("sep=")], text[len("sep=;"):]
	if _, err := (Codec{Comma: comma}).comma(); err != nil || comma == 0 {
		return 0, 0
	}
	line := firstLine(rest)
	if len(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})) > 0 {
		return 0, 0
	}
	return comma, len("sep=;") + len(line)
}

// otherSeparator is the error for a first line that names a separator that is not the
// codec's.
func (d *decoder) otherSeparator(comma byte) error {
	hint := fmt.Sprintf("set Comma to %q, or in the command name the file .csv", comma)
	if info := (Codec{Comma: comma, AllStrings: d.text}).Info(); info.Variant != variants.Custom {
		hint = "name the format " + info.FullName()
	}
	return d.Fail(d.Pos, "other_separator", wire.ErrSyntax, fmt.Sprintf("the first line says that cells are parted by %q, not %q", comma, d.comma),
		hint+"; quote the line if it is the name of a column")
}
