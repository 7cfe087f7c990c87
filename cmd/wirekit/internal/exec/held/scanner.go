package held

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A scanner finds out as early as possible that a text is not JSON, or not one object or
// array. What it does not refuse the reader of the whole text checks.
type scanner struct {
	many   bool   // further values may follow
	piece  []byte // has come and is not read
	begun  bool   // a byte order mark cannot come any more
	open   int    // brackets
	values int    // that have ended
	read   func() (struct{}, bool)
	stop   func()
}

// maxDepth is how deep the reader of JSON goes.
const maxDepth = 512

func newScanner(many bool) *scanner {
	s := &scanner{many: many}
	s.read, s.stop = iter.Pull(s.tokens)
	return s
}

// next reports whether the text can go on as JSON, once it has gone on with these bytes.
func (s *scanner) next(text []byte) bool {
	s.piece = append(s.piece, text...)
	if !s.begun && bytes.HasPrefix([]byte("\ufeff"), s.piece) {
		return true
	}
	if !s.begun {
		s.begun, s.piece = true, scan.TrimBOM(s.piece)
	}
	_, goesOn := s.read()
	return goesOn
}

// whole returns of how many values the text is one with nothing else, or 0.
func (s *scanner) whole() int {
	if s.open > 0 {
		return 0
	}
	return s.values
}

// tokens reads the text. It yields where it has to wait, and returns where the text is not
// JSON.
func (s *scanner) tokens(yield func(struct{}) bool) {
	d := json.NewDecoder(source(func(p []byte) (int, error) {
		for len(s.piece) == 0 {
			if !yield(struct{}{}) {
				return 0, io.EOF
			}
		}
		n := copy(p, s.piece)
		s.piece = s.piece[n:]
		return n, nil
	}))
	d.UseNumber()
	defer func() { s.values = 0 }()
	for s.open > 0 || s.opens(d) {
		t, err := d.Token()
		bracket, isBracket := t.(json.Delim)
		switch {
		case err != nil, s.open > maxDepth:
			return
		case bracket == '{' || bracket == '[':
			s.open++
		case isBracket:
			if s.open--; s.open == 0 {
				s.values++
			}
		}
	}
}

// opens reports whether another value may follow, and one that is an object or array does.
func (s *scanner) opens(d *json.Decoder) bool {
	var first [1]byte
	d.More() // waits for it
	_, _ = d.Buffered().Read(first[:])
	return (s.many || s.values == 0) && (first[0] == '{' || first[0] == '[')
}

// A source is the Read of an io.Reader.
type source func(p []byte) (int, error)

func (s source) Read(p []byte) (int, error) { return s(p) }
