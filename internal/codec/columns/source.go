package columns

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A Source is the text of a table, whole or what is at hand of a stream, and how far it
// has been read.
type Source struct {
	Format string
	Limits wire.Limits // resolved
	Src    []byte
	Str    string // a private copy of Src, which values point into, with padding
	End    int    // of Src in Str
	Pos    int
	Mark   int        // length of the byte order mark that Src begins with
	Keys   *wire.Keys // of the table, once its header has been read
	Build  builder.Builder
	Values int   // that were counted
	Gaps   []int // the columns that the row at hand has no value in

	partial builder.PartialRows
}

// padding ends the last cell, and lets two words be loaded near the end.
const padding = "\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// Begin checks and loads a whole text, and passes over its byte order mark.
func (s *Source) Begin(src []byte) error {
	s.Src = src
	if len(src) > s.Limits.InputBytes {
		return s.LongInput(s.Limits.InputBytes)
	}
	if err := s.CheckUTF8(); err != nil {
		return err
	}
	s.Load()
	s.Mark = len(src) - len(scan.TrimBOM(src))
	s.Pos = s.Mark
	return nil
}

// CheckUTF8 refuses a text that is not UTF-8.
func (s *Source) CheckUTF8() error {
	if i := scan.ValidUTF8(s.Src); i < len(s.Src) {
		return s.Fail(i, wire.CodeInvalidUTF8, wire.ErrUTF8, "the text is not UTF-8", "")
	}
	return nil
}

// Load copies Src.
func (s *Source) Load() {
	s.Str, s.End, s.Pos = s.Build.Copy(s.Src, padding), len(s.Src), 0
}

// Fail returns an error at a position of Src.
func (s *Source) Fail(at int, code string, kind error, message, hint string) error {
	return wire.ErrorAt(s.Src, at, wire.Error{Format: s.Format, Code: code, Kind: kind, Message: message, Hint: hint})
}

// LongInput returns the error of a text, or record, that is longer than Limits allow.
func (s *Source) LongInput(at int) error {
	return s.Fail(at, wire.CodeInputTooLong, wire.ErrLimit, fmt.Sprintf("the text is longer than %d bytes", s.Limits.InputBytes), "raise Limits.InputBytes")
}

// TooMany returns the error of a text with more values than Limits allow.
func (s *Source) TooMany(at int) error {
	return s.Fail(at, wire.CodeTooManyValues, wire.ErrLimit, fmt.Sprintf("more than %d values", s.Limits.Values), "raise Limits.Values")
}

// TooLong returns the error of a row, or line, that is longer than Limits allow.
func (s *Source) TooLong(at int, what string) error {
	return s.Fail(at, wire.CodeLineTooLong, wire.ErrLimit, fmt.Sprintf("a %s longer than %d bytes", what, s.Limits.LineBytes), "raise Limits.LineBytes")
}

// SetKeys makes a copy of names the Keys, which may outlive the text, or refuses the second
// of two that are the same. at returns where a name is. names is overwritten.
func (s *Source) SetKeys(names []string, at func(i int) int) error {
	// Keys that cannot be made, because names occur twice, take more memory than a map.
	const few = 256
	if len(names) > few || !s.setKeys(names) {
		seen := make(map[string]bool)
		for i, name := range names {
			if seen[name] {
				return s.Fail(at(i), wire.CodeDuplicateField, wire.ErrDuplicateKey, fmt.Sprintf("two columns are named %.40q", name), "rename one of them")
			}
			seen[name] = true
		}
		s.setKeys(names)
	}
	return nil
}

func (s *Source) setKeys(names []string) (ok bool) {
	all := strings.Join(names, "")
	if len(names) == 1 { // which Join does not copy
		all = strings.Clone(all)
	}
	for i, name := range names {
		names[i], all = all[:len(name)], all[len(name):]
	}
	var err error
	s.Keys, err = s.Build.NewKeys(names...)
	return err == nil
}

// Row returns the row that has its values in slots, which Build made for all columns.
func (s *Source) Row(slots []wire.Value) wire.Value {
	return s.partial.Row(&s.Build, s.Keys, s.Gaps, slots)
}
