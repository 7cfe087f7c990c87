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
func (l *Lines) HeaderCount(h *Header, key string, absent int) int {
	if f := h.field(key); f != nil {
		return l.FieldCount(f)
	}
	return absent
}

// FieldCount reads the value of a field that is a number.
func (l *Lines) FieldCount(f *HeaderField) int {
	at := f.At + len(f.Key) + 1
	n, next := l.Count(at, at+len(f.Value))
	if next != at+len(f.Value) || next == at {
		l.RefuseSyntax(at, "malformed_header_field", "the header's "+f.Key+" is not a count")
	}
	return n
}

func (l *Lines) CountMismatch(at int, message string) {
	l.Refuse(at, wire.Error{Code: wire.CodeCount, Kind: wire.ErrChecksum, Message: message})
}

// SummaryFields reads the fields of the summary line after "##!".
func (l *Lines) SummaryFields(i int) []HeaderField {
	word := l.SkipBlanks(i, l.End)
	stop := wordEnd(l.Doc, word, l.End)
	if word == i || l.Doc[word:stop] != "summary" {
		l.RefuseSyntax(l.Start, "invalid_summary", `a line that begins with "##!" is the summary`)
	}
	fields, err := l.HeaderFields(stop, l.End, nil)
	l.Stop(err)
	return fields
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

// StopAtEnd is Stop with an error about the content of the whole document.
func (l *Lines) StopAtEnd(err error) {
	e, ok := err.(*wire.Error)
	if !ok {
		return
	}
	l.Refuse(len(l.Doc), wire.Error{Code: e.Code, Kind: e.Kind, Message: e.Message + " (" + e.Path() + ")"})
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
func (l *Lines) HeaderSavings(h *Header) int {
	f := h.field("savings")
	if f == nil {
		return 0
	}
	digits, ok := strings.CutSuffix(f.Value, "%")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		l.RefuseSyntax(f.At, "malformed_header_field", "the header's savings are not a percentage")
	}
	return n
}

// StopAtRoot is Stop with an error about a document's own root.
func (l *Lines) StopAtRoot(h *Header, err error) {
	if f := h.field("pack_root"); f != nil && err != nil {
		err = l.Fail(f.At, *err.(*wire.Error))
	}
	l.Stop(err)
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

// Unchanged reads what AppendUnchanged writes, after its header.
func (l *Lines) Unchanged(h *Header, profile, count string) (tool, root string, n int) {
	tool, _ = h.Get("tool")
	root, _ = h.Get("pack_root")
	if !h.Is("unchanged") || root == "" || h.Profile != profile {
		l.Refuse(0, wire.Error{Code: "not_unchanged", Kind: wire.ErrShape,
			Message: "the document is not an unchanged answer of the profile: its header needs profile=" + profile + ", unchanged=true and pack_root"})
	}
	n = l.HeaderCount(h, count, 0)
	if !l.Done {
		l.RefuseSyntax(l.Start, "trailing_content", "a line after the header of an unchanged answer")
	}
	return tool, root, n
}
