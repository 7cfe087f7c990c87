package wire

import (
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// jsonWriter appends one value. Once err is set, it writes nothing that counts.
type jsonWriter struct {
	format   string // of its errors
	dst      []byte
	indent   string
	maxDepth int
	maxLen   int
	// blanks is how many bytes of dst are indentation, maxBlanks how many may
	// be beyond blankFactor times what is not.
	blanks    int
	maxBlanks int
	err       error
	// instance, if it is set, returns what precedes the values of objects that are instances
	// of a class, nil for others, or that nothing more is to be written.
	instance func(*Keys) (labels []string, stop bool)
}

// Deep values can be far longer with indentation than without. Unless the
// caller sets Limits.OutputBytes, indentation is therefore in proportion to the
// rest.
const (
	freeBlanks  = 8 << 20
	blankFactor = 8
)

// begin makes w, which is new, append to dst under limits.
func (w *jsonWriter) begin(format string, dst []byte, indent string, l *Limits) {
	var limits Limits
	l.resolve(&limits)
	w.format, w.dst, w.indent, w.maxDepth = format, dst, indent, limits.Depth
	w.maxLen, w.maxBlanks = bound.Add(len(dst), limits.OutputBytes), limits.OutputBytes
	if l.OutputBytes == 0 {
		w.maxBlanks = freeBlanks
	}
}

func (w *jsonWriter) value(v Value, depth int) {
	if poison {
		v.live()
	}
	switch v.kind {
	case KindNull:
		w.dst = append(w.dst, "null"...)
	case KindBool:
		if v.num != 0 {
			w.dst = append(w.dst, "true"...)
		} else {
			w.dst = append(w.dst, "false"...)
		}
	case KindNumber:
		if v.form == formText {
			w.dst = append(w.dst, v.str()...)
		} else {
			w.dst = v.appendText(w.dst)
		}
	case KindString:
		if v.form == formPlain {
			w.dst = append(append(append(w.dst, '"'), v.str()...), '"')
		} else {
			w.dst = scan.AppendQuote(w.dst, v.str())
		}
	case KindBytes, KindTime:
		w.dst = append(w.dst, '"')
		w.dst = append(v.appendText(w.dst), '"')
	case KindArray:
		w.array(v, depth+1)
	case KindObject:
		w.object(v, depth+1)
	}
}

// enter checks the limits where a container begins.
func (w *jsonWriter) enter(depth int) bool {
	return depth <= w.maxDepth && len(w.dst) <= w.maxLen || w.within(depth)
}

// within is enter for what is beyond a limit.
func (w *jsonWriter) within(depth int) bool {
	if w.err == nil && depth > w.maxDepth {
		w.fail(CodeTooDeep, "arrays and objects nest deeper than the limit", "raise Limits.Depth")
	}
	return w.fits()
}

// fail sets the error. No text is within the limit of length from then on, so
// that one comparison after each value finds both.
func (w *jsonWriter) fail(code, message, hint string) {
	w.err = &Error{Format: w.format, Code: code, Kind: ErrLimit, Message: message, Hint: hint}
	w.maxLen = -1
}

// fits checks that the text is within its limit.
func (w *jsonWriter) fits() bool {
	switch {
	case w.err != nil:
	case len(w.dst) > w.maxLen:
		w.fail(CodeOutputTooLong, "the text gets longer than the limit", "raise Limits.OutputBytes")
	case w.blanks > w.maxBlanks && w.blanks-w.maxBlanks > blankFactor*(len(w.dst)-w.blanks):
		w.fail(CodeOutputTooLong, "indentation gets longer than 8 MiB and 8 times the text without it",
			"set Limits.OutputBytes to the length that it may have, or write it without Indent")
	}
	return w.err == nil
}

// check returns the error of the text from there on, which is that of v, if there is one: what
// was found first, or a string that is not UTF-8.
func (w *jsonWriter) check(v Value, from int) error {
	if w.fits() && !scan.IsUTF8(w.dst[from:]) {
		w.err = Internal.InvalidUTF8(v, w.format)
	}
	return w.err
}

func (w *jsonWriter) array(v Value, depth int) {
	if !w.enter(depth) {
		return
	}
	elems := v.children()
	w.dst = append(w.dst, '[')
	for i, e := range elems {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		if w.indent != "" {
			w.newline(depth)
			if !w.fits() {
				return
			}
		}
		w.value(e, depth)
		if len(w.dst) > w.maxLen && !w.fits() {
			AtIndex(w.err, i)
			return
		}
	}
	if w.indent != "" && len(elems) > 0 {
		w.newline(depth - 1)
	}
	w.dst = append(w.dst, ']')
}

func (w *jsonWriter) object(v Value, depth int) {
	if !w.enter(depth) {
		return
	}
	members := v.children()
	if len(members) == 0 {
		w.dst = append(w.dst, "{}"...)
		return
	}
	keys := v.keys()
	if w.indent != "" {
		w.indented(keys, members, depth)
		return
	}
	labels, end := w.labels(keys)
	dst := w.dst
	for i, e := range members {
		dst = append(dst, labels[i]...)
		switch { // as value does
		case e.kind == KindNumber && e.form == formText:
			dst = append(dst, e.str()...)
		case e.kind == KindString && e.form == formPlain:
			dst = append(append(append(dst, '"'), e.str()...), '"')
		default:
			w.dst = dst
			w.value(e, depth)
			dst = w.dst
		}
		if len(dst) > w.maxLen {
			if w.dst = dst; !w.fits() {
				AtKey(w.err, keys.names[i])
				return
			}
		}
	}
	w.dst = append(dst, end)
}

// codeStopped is the code of an error that no caller sees.
const codeStopped = "stopped"

// labels returns what precedes the values of an object, and what follows the last.
func (w *jsonWriter) labels(keys *Keys) (labels []string, end byte) {
	if w.instance != nil {
		labels, stop := w.instance(keys)
		if stop && w.err == nil {
			w.fail(codeStopped, "", "")
		}
		if labels != nil {
			return labels, ')'
		}
	}
	return keys.labels(), '}'
}

func (w *jsonWriter) indented(keys *Keys, members []Value, depth int) {
	w.dst = append(w.dst, '{')
	for i, e := range members {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.newline(depth)
		w.dst = scan.AppendQuote(w.dst, keys.names[i])
		w.dst = append(w.dst, ':', ' ')
		w.value(e, depth)
		if !w.fits() {
			AtKey(w.err, keys.names[i])
			return
		}
	}
	w.newline(depth - 1)
	w.dst = append(w.dst, '}')
}

func (w *jsonWriter) newline(depth int) {
	w.dst = append(w.dst, '\n')
	for range depth {
		w.dst = append(w.dst, w.indent...)
	}
	w.blanks += depth * len(w.indent)
}

// labels returns what compact JSON writes before each value of an object with
// these keys: a brace or a comma, the quoted key, a colon.
func (k *Keys) labels() []string {
	if l := k.jsonLabels.Load(); l != nil {
		return *l
	}
	size := 0
	for _, name := range k.names {
		size += len(name) + len(`,"":`)
	}
	text, labels := make([]byte, 0, size), make([]string, len(k.names))
	for i, name := range k.names {
		from := len(text)
		text = append(scan.AppendQuote(append(text, "{,"[min(i, 1)]), name), ':')
		labels[i] = aliasString(text[from:]) // a text that moves leaves it behind
	}
	k.jsonLabels.Store(&labels)
	return labels
}
