package lex

import (
	"math"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// AppendTextField appends a header field, unless its value is empty.
func AppendTextField(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return append(append(append(append(dst, ' '), key...), '='), value...)
}

func AppendCountField(dst []byte, key string, n int) []byte {
	return strconv.AppendInt(append(append(append(dst, ' '), key...), '='), int64(n), 10)
}

// HeaderCount returns a number of the header, absent if it is not there.
func (l *Lines) HeaderCount(h *Header, key string, absent int) (int, error) {
	if f := h.field(key); f != nil {
		return l.FieldCount(f)
	}
	return absent, nil
}

// FieldCount reads the value of a field that is a number.
func (l *Lines) FieldCount(f *HeaderField) (int, error) {
	at := f.At + len(f.Key) + 1
	n, next := l.Count(at, at+len(f.Value))
	if next != at+len(f.Value) || next == at {
		return 0, l.Syntax(at, "malformed_header_field", "the header's "+f.Key+" is not a count")
	}
	return n, nil
}

func (l *Lines) CountMismatch(at int, message string) error {
	return l.Fail(at, wire.Error{Code: wire.CodeCount, Kind: wire.ErrChecksum, Message: message})
}

// SummaryFields reads the fields of the summary line after "##!".
func (l *Lines) SummaryFields(i int) ([]HeaderField, error) {
	word := l.SkipBlanks(i, l.End)
	stop := wordEnd(l.Doc, word, l.End)
	if word == i || l.Doc[word:stop] != "summary" {
		return nil, l.Syntax(l.Start, "invalid_summary", `a line that begins with "##!" is the summary`)
	}
	return l.HeaderFields(stop, l.End, nil)
}

// AppendDelta appends the beginning of a delta's header.
func AppendDelta(dst []byte, profile, tool, baseRoot, newRoot string) []byte {
	dst = AppendTextField(append(append(dst, "GCF profile="...), profile...), "tool", tool)
	return AppendTextField(AppendTextField(append(dst, " delta=true"...), "base_root", baseRoot), "new_root", newRoot)
}

// Delta returns what a delta's header says of it.
func (h *Header) Delta() (tool, baseRoot, newRoot string) {
	tool, _ = h.Get("tool")
	baseRoot, _ = h.Get("base_root")
	newRoot, _ = h.Get("new_root")
	return tool, baseRoot, newRoot
}

// AtEnd gives an error about the content of the whole document a position.
func (l *Lines) AtEnd(err error) error {
	e := err.(*wire.Error)
	return l.Fail(len(l.Doc), wire.Error{Code: e.Code, Kind: e.Kind, Message: e.Message + " (" + e.Path() + ")"})
}

// AppendSavings appends the saving in percent, rounded half to even; of unknown counts what
// is known otherwise, unless that is 0.
func AppendSavings(dst []byte, delta, full, otherwise int) []byte {
	switch {
	case delta > 0 && full > 0:
		otherwise = int(math.RoundToEven(100 * (1 - float64(delta)/float64(full))))
	case otherwise == 0:
		return dst
	}
	return append(AppendCountField(dst, "savings", otherwise), '%')
}

// HeaderSavings reads the saving in percent; 0 if there is none.
func (l *Lines) HeaderSavings(h *Header) (int, error) {
	f := h.field("savings")
	if f == nil {
		return 0, nil
	}
	digits, ok := strings.CutSuffix(f.Value, "%")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return 0, l.Syntax(f.At, "malformed_header_field", "the header's savings are not a percentage")
	}
	return n, nil
}

// AtRoot gives an error about a document's own root the place of that root.
func (l *Lines) AtRoot(h *Header, err error) error {
	if err == nil {
		return nil
	}
	e := *err.(*wire.Error)
	if f := h.field("pack_root"); f != nil {
		return l.Fail(f.At, e)
	}
	return &e
}

// AppendUnchanged appends the document that says that the content of a root is current:
// count names the header's field for how much that is (sections 10.3 and 10a.4).
func AppendUnchanged(dst []byte, profile, tool, root, count string, n int) ([]byte, error) {
	if err := CheckHeaderValue("tool", tool); err != nil {
		return dst, err
	}
	if !IsHeaderValue(root) || n < 0 {
		return dst, Fault("invalid_header_value", wire.ErrShape, "", "an unchanged answer needs a pack root and a count", "")
	}
	dst = append(append(dst, "GCF profile="...), profile...)
	dst = append(AppendTextField(dst, "tool", tool), " unchanged=true"...)
	dst = AppendTextField(dst, "pack_root", root)
	return append(AppendCountField(dst, count, n), '\n'), nil
}

// Unchanged reads what appendUnchanged writes, after its header.
func (l *Lines) Unchanged(h *Header, profile, count string) (tool, root string, n int, err error) {
	tool, _ = h.Get("tool")
	root, _ = h.Get("pack_root")
	if !h.Is("unchanged") || root == "" || h.Profile != profile {
		return "", "", 0, l.Fail(0, wire.Error{Code: "not_unchanged", Kind: wire.ErrShape,
			Message: "the document is not an unchanged answer of the profile: its header needs profile=" + profile + ", unchanged=true and pack_root"})
	}
	if n, err = l.HeaderCount(h, count, 0); err == nil && !l.Done {
		err = l.Syntax(l.Start, "trailing_content", "a line after the header of an unchanged answer")
	}
	return tool, root, n, err
}
