package gcf

import (
	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// An Unchanged is the answer that the consumer's graph is still current (section 10.3).
type Unchanged struct {
	Tool     string
	PackRoot string
	Count    int // of symbols
}

// EncodeUnchanged returns the answer's document, which is one line.
func EncodeUnchanged(u *Unchanged) ([]byte, error) {
	if u == nil {
		return nil, lex.MissingArgument("answer")
	}
	return lex.AppendUnchanged(nil, lex.ProfileGraph, u.Tool, u.PackRoot, "symbols", u.Count)
}

// DecodeUnchanged reads an unchanged answer about a graph.
func DecodeUnchanged(src []byte) (*Unchanged, error) {
	var l lex.Lines
	h := l.Begin(src, wire.Limits{}.Resolved())
	u := new(Unchanged)
	u.Tool, u.PackRoot, u.Count = l.Unchanged(&h, lex.ProfileGraph, "symbols")
	if l.Err != nil {
		return nil, l.Err
	}
	return u, nil
}
