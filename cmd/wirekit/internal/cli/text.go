package cli

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/lines"
)

// The names of package lines among the formats. They are formats of text, not of
// values, so no codec has them.
const (
	linesName   = "lines"
	LinesPlain  = "lines:plain"
	LinesLegend = "lines:legend"
	TextName    = "text"
)

// LinesNames are the names of package lines.
var LinesNames = []string{linesName, LinesPlain, LinesLegend}

// maxText is the longest text that is encoded: its tokens are more than any model
// reads.
const maxText = 4 << 20

// LinesOptions returns the options that a name is for: what is asked for by name is
// done where it saves anything.
func LinesOptions(name string, counter lines.Counter) lines.Options {
	return lines.Options{Counter: counter, NoLegend: name == LinesPlain, MinSaving: -1, MaxBytes: maxText}
}

// errNoFormat is the error of an input that is in no format.
var errNoFormat = errors.New("the input is in none of the formats")

// IsText reports whether a file without --from is text: by its extension, or because
// it is in no format.
func IsText(file string, src []byte) bool {
	switch strings.ToLower(filepath.Ext(UncompressedName(file))) {
	case ".txt", ".log":
		return utf8.Valid(src)
	}
	if ByExtension(file, src) != nil || Foreign(src) != nil || !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		return false
	}
	_, err := source(src, "")
	return errors.Is(err, errNoFormat)
}
