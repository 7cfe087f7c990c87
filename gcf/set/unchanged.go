package set

import (
	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// An Unchanged is the answer that the consumer's set is still current (section
// 10a.4).
type Unchanged struct {
	Tool     string
	PackRoot string
	Count    int // of rows
}

// EncodeUnchanged returns the answer's document, which is one line.
func EncodeUnchanged(u *Unchanged) ([]byte, error) {
	if u == nil {
		return nil, lex.MissingArgument("answer")
	}
	return lex.AppendUnchanged(nil, lex.ProfileGeneric, u.Tool, u.PackRoot, "count", u.Count)
}

// DecodeUnchanged reads an unchanged answer about a set.
func DecodeUnchanged(src []byte) (*Unchanged, error) {
	var l lex.Lines
	if err := l.Open(src, wire.Limits{}.Resolved()); err != nil {
		return nil, err
	}
	h, err := l.Header()
	if err != nil {
		return nil, err
	}
	u := new(Unchanged)
	if u.Tool, u.PackRoot, u.Count, err = l.Unchanged(&h, lex.ProfileGeneric, "count"); err != nil {
		return nil, err
	}
	return u, nil
}
