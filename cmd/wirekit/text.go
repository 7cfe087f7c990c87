package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/lines"
)

// The names of package lines among the formats. They are formats of text, not of
// values, so no codec has them.
const (
	linesName   = "lines"
	linesPlain  = "lines:plain"
	linesLegend = "lines:legend"
	textName    = "text"
)

var linesNames = []string{linesName, linesPlain, linesLegend}

func isLines(name string) bool { return slices.Contains(linesNames, name) }

// maxText is the longest text that is encoded: its tokens are more than any model
// reads.
const maxText = 4 << 20

// linesOptions returns the options that a name is for: what is asked for by name is
// done where it saves anything.
func linesOptions(name string, counter lines.Counter) lines.Options {
	return lines.Options{Counter: counter, NoLegend: name == linesPlain, MinSaving: -1, MaxBytes: maxText}
}

// errNoFormat is the error of an input that is in no format.
var errNoFormat = errors.New("the input is in none of the formats")

// isText reports whether a file without --from is text: by its extension, or because
// it is in no format.
func isText(file string, src []byte) bool {
	switch strings.ToLower(filepath.Ext(uncompressedName(file))) {
	case ".txt", ".log":
		return utf8.Valid(src)
	}
	if extended(file, src) != nil || foreign(src) != nil || !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		return false
	}
	_, err := source(src, "")
	return errors.Is(err, errNoFormat)
}
