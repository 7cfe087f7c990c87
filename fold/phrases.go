package fold

import (
	"slices"

	"github.com/wirekit/wirekit/internal/base/phrases"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

const (
	// marks are characters that references anywhere in strings begin with two of, the
	// best first after the format's own.
	marks = "$@%^&"
	// maxSearched is how many bytes of distinct strings are searched for phrases.
	maxSearched = 256 << 10
	// worthwhile is the part of the tokens that references in the middle of strings must
	// save, beyond what those at the beginning do: these are read more easily.
	worthwhile = 32
)

// addPhrases adds a legend whose entries are anywhere in strings. It reports whether there
// are any.
func (o folding) addPhrases(w *ruled) bool {
	found := occurrences(w.data)
	size := 0
	for _, t := range found {
		size += len(t.text)
	}
	n := notation{name: o.RefPrefix}
	if size > maxSearched || !n.choose(o.style.sigil+marks, found) {
		return false
	}
	var texts []phrases.Text
	for _, t := range found {
		if t.times > 1 { // with all of it for a phrase
			texts = append(texts, phrases.Text{Text: []byte(t.text), Times: t.times - 1})
		}
		texts = append(texts, phrases.Text{Text: []byte(t.text), Times: 1})
	}
	legend, referring := phrases.Refer(texts, phrases.Notation{
		Count: o.count.Text, Reference: n.appendReference, Sample: sampleNumber, Most: o.entries(),
	})
	if legend == nil {
		return false
	}
	w.legend.notation = n
	for _, text := range legend {
		w.legend.texts = append(w.legend.texts, string(text))
	}
	become := make(map[string]string)
	for i, t := range texts {
		if text := string(t.Text); text != string(referring[i]) {
			become[text] = string(referring[i])
		}
	}
	w.data = builder.Map(new(builder.Builder), w.data, func(v wire.Value) wire.Value {
		if v.Kind() == wire.KindString && wire.Internal.Tag(v) == 0 {
			if text, ok := become[v.Text()]; ok {
				w.References++
				return wire.String(text)
			}
		}
		return v
	})
	w.Entries = len(w.legend.texts)
	return true
}

// choose gives a notation a sigil that none of the texts has before the name and a digit.
func (n *notation) choose(marks string, texts []occurring) bool {
	for i := range len(marks) {
		n.sigil = marks[i:i+1] + marks[i:i+1]
		if !slices.ContainsFunc(texts, func(t occurring) bool { at, _, _ := n.find(t.text); return at >= 0 }) {
			return true
		}
	}
	return false
}

// appendReference appends a reference that is before the rest of a string.
func (n notation) appendReference(dst []byte, number int, rest []byte) []byte {
	rest = rest[:min(len(rest), 1)] // only the tilde depends on it
	ref := n.joined(number, string(rest))
	return append(dst, ref[:len(ref)-len(rest)]...)
}
