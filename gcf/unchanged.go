package gcf

import (
	"github.com/wirekit/wirekit/wire"
)

// An Unchanged is the answer that the consumer's pack root is still current
// (sections 10.3 and 10a.4).
type Unchanged struct {
	Generic  bool // of the generic profile, otherwise of the graph profile
	Tool     string
	PackRoot string
	Count    int // of rows, or of symbols
}

// EncodeUnchanged returns the answer's document, which is one line.
func EncodeUnchanged(u *Unchanged) ([]byte, error) {
	if u == nil {
		return nil, missingArgument("answer")
	}
	profile, count := profileGraph, "symbols"
	if u.Generic {
		profile, count = profileGeneric, "count"
	}
	if err := checkHeaderValue("tool", u.Tool); err != nil {
		return nil, err
	}
	if !isHeaderValue(u.PackRoot) || u.Count < 0 {
		return nil, setError("invalid_header_value", wire.ErrShape, "an unchanged answer needs a pack root and a count", "")
	}
	dst := append(append([]byte(nil), "GCF profile="...), profile...)
	dst = append(appendTextField(dst, "tool", u.Tool), " unchanged=true"...)
	dst = appendTextField(dst, "pack_root", u.PackRoot)
	return append(appendCountField(dst, count, u.Count), '\n'), nil
}

// DecodeUnchanged reads an unchanged answer of either profile.
func DecodeUnchanged(src []byte) (*Unchanged, error) {
	var l lines
	if err := l.open(src, wire.Limits{}.Resolved()); err != nil {
		return nil, err
	}
	h, err := l.header()
	if err != nil {
		return nil, err
	}
	return l.unchanged(&h)
}

// unchanged reads an unchanged answer behind its header.
func (l *lines) unchanged(h *header) (*Unchanged, error) {
	u := &Unchanged{Generic: h.profile == profileGeneric}
	u.Tool, _ = h.get("tool")
	u.PackRoot, _ = h.get("pack_root")
	if !h.is("unchanged") || u.PackRoot == "" {
		return nil, l.fail(0, wire.Error{Code: "not_unchanged", Kind: wire.ErrShape,
			Message: "the document is not an unchanged answer: its header needs unchanged=true and pack_root"})
	}
	count := "symbols"
	if u.Generic {
		count = "count"
	}
	var err error
	if u.Count, err = l.headerCount(h, count, 0); err != nil {
		return nil, err
	}
	if !l.done {
		return nil, l.syntax(l.start, "trailing_content", "a line behind the header of an unchanged answer")
	}
	return u, nil
}
