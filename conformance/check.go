package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A Report is what a codec does with a value when it keeps its promises.
type Report struct {
	Encoded  []byte      // nil if the value was refused
	Loss     wire.Loss   // what the decoded value lost; none if it is identical
	LossPath string      // JSON pointer of the first difference
	Refused  *wire.Error // the error of AppendEncode; nil if it encoded
}

// A failure is a broken promise. rule names it and is the same for all values
// that break it in the same way.
type failure struct {
	rule   string
	detail string
}

func (f *failure) Error() string { return f.rule + ": " + f.detail }

// ruleOf returns the rule that err says is broken.
func ruleOf(err error) string { return err.(*failure).rule }

func broken(rule, format string, args ...any) error {
	return &failure{rule, fmt.Sprintf(format, args...)}
}

// fail ends a check: it panics with what is broken, which caught returns.
func fail(rule, format string, args ...any) { panic(broken(rule, format, args...)) }

// hold fails unless what the rule says is true.
func hold(is bool, rule, format string, args ...any) {
	if !is {
		fail(rule, format, args...)
	}
}

// caught is deferred by what begins a check.
func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case *failure:
		*err = p
	default:
		panic(p)
	}
}

// noPanic is deferred by what calls a codec: it fails where that panics.
func noPanic(rule, format string, args ...any) {
	switch p := recover().(type) {
	case nil:
	case *failure:
		panic(p)
	default:
		fail(rule, "%v\n%s%s", p, fmt.Sprintf(format, args...), stack())
	}
}

// Check encodes v, decodes it and holds the codec to every rule of the
// contract that concerns one value. The error says which rule is broken; a
// value that is refused in the right way is not an error.
func Check(c wire.Codec, v wire.Value) (r Report, err error) {
	defer caught(&err)
	k := checker{codec: c, info: c.Info()}
	k.value(v, &r)
	return r, nil
}

// CheckBytes decodes src, which may be anything, and holds the codec to every
// rule that concerns one document: no panic, errors of the right form, and a
// decoded value that comes back from its own encoding. It suits fuzz targets.
func CheckBytes(c wire.Codec, src []byte) (err error) {
	defer caught(&err)
	k := checker{codec: c, info: c.Info()}
	k.document(src)
	return nil
}

// A checker applies the rules, and fails at the first that is broken. It holds no state but
// buffers, which make it unsafe for concurrent use.
type checker struct {
	codec wire.Codec
	info  wire.Info
	dst   []byte
	src   []byte
}

func (k *checker) lossy() bool { return k.info.Loss&wire.LossContent != 0 }

// encode calls AppendEncode and turns a panic into a failure.
func (k *checker) encode(dst []byte, v wire.Value) (out []byte, refused error) {
	defer noPanic("AppendEncode must not panic", "")
	return k.codec.AppendEncode(dst, v)
}

// decode calls Decode, turns a panic into a failure, and holds it to leave src as it was
// and to give null with an error.
func (k *checker) decode(src []byte) (v wire.Value, refused error) {
	defer noPanic("Decode and Sniff must not panic", "source: %s\n", quoted(src))
	k.src = append(k.src[:0], src...)
	if s, ok := k.codec.(interface{ Sniff(src []byte) bool }); ok {
		s.Sniff(src) // it may know the format or not, but it must not panic
	}
	v, refused = k.codec.Decode(src)
	hold(bytes.Equal(k.src, src), "Decode and Sniff must not write to src", "source: %s", quoted(k.src))
	hold(refused == nil || v.Kind() == wire.KindNull, "Decode must return null with an error", "it returned %s\nerror: %v", text(v), refused)
	return v, refused
}

// reread decodes what was written.
func (k *checker) reread(encoding []byte) wire.Value {
	v, refused := k.decode(encoding)
	hold(refused == nil, "a codec must read what it wrote", "%v\nencoding: %s", refused, quoted(encoding))
	return v
}

// stack returns where a panic came from, without this package's frames.
func stack() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	if i := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, "panic(") }); i >= 0 {
		lines = lines[i+2:]
	}
	return strings.Join(lines[:min(len(lines), 8)], "\n")
}

func (k *checker) value(v wire.Value, r *Report) {
	first, refused := k.encode(nil, v)
	if refused != nil {
		k.refusal(v, first, refused, r)
		return
	}
	k.encoding(v, first)
	k.roundTrip(v, first, r)
}

// encoding holds AppendEncode to the rules about its result.
func (k *checker) encoding(v wire.Value, first []byte) {
	if !k.info.Binary {
		hold(utf8.Valid(first), "a text codec must write UTF-8", "encoding: %s", quoted(first))
		hold(!bytes.HasPrefix(first, []byte("\ufeff")) || bytes.Contains(wire.AppendJSON(nil, v), []byte("\ufeff")), "a codec must not write a byte order mark", "encoding: %s", quoted(first))
	}
	// Room for nothing, for a part of the encoding, and for more than it.
	for _, room := range []int{0, len(first) / 2, len(first) + 64} {
		out := k.appendTo(v, room)
		hold(bytes.Equal(out, first), "the encoding must not depend on dst", "encoding of nil dst: %s\nof dst with room for %d: %s", quoted(first), room, quoted(out))
	}
	// The second one has objects that share their keys, and the numbers of Go where they can be.
	for _, same := range []wire.Value{respelled(v), builder.Map(new(builder.Builder), v, goNumber)} {
		out, refused := k.encode(nil, same)
		hold(refused == nil, "identical values must have one encoding", "encoding: %s\nanother value, identical to it, was refused: %v", quoted(first), refused)
		hold(bytes.Equal(out, first), "identical values must have one encoding", "encoding: %s\nof another value, identical to it: %s", quoted(first), quoted(out))
	}
}

const dstMarker = "what dst held, \xff\x00\n"

// appendTo encodes v after the marker, with room for that many further bytes.
func (k *checker) appendTo(v wire.Value, room int) []byte {
	dst := append(make([]byte, 0, len(dstMarker)+room), dstMarker...)
	out, refused := k.encode(dst, v)
	hold(refused == nil, "AppendEncode must not refuse because of dst", "%v", refused)
	hold(bytes.HasPrefix(out, []byte(dstMarker)) && string(dst) == dstMarker, "AppendEncode must keep what dst holds", "dst held %q, the result is %s", dstMarker, quoted(out))
	return out[len(dstMarker):]
}

// refusal holds AppendEncode to the rules about its errors.
func (k *checker) refusal(v wire.Value, out []byte, err error, r *Report) {
	e := k.form(err, "")
	hold(e.Line == 0, "errors of encoding have no position", "line %d: %v", e.Line, err)
	hold(leads(v, e.Path()), "the path of an error must lead to a part of the value", "path %q: %v", e.Path(), err)
	r.Refused = e
	hold(len(out) == 0, "AppendEncode must return dst as given on error", "dst was nil, the result is %s\nerror: %v", quoted(out), err)
	for _, room := range []int{0, 4096} {
		dst := append(make([]byte, 0, len(dstMarker)+room), dstMarker...)
		out, again := k.encode(dst, v)
		hold(again != nil && again.Error() == err.Error(), "the encoding must not depend on dst", "error with nil dst: %v\nwith other dst: %v", err, again)
		hold(string(dst) == dstMarker && string(out) == dstMarker && &out[0] == &dst[0], "AppendEncode must return dst as given on error", "dst held %q, the result is %s\nerror: %v", dstMarker, quoted(out), err)
	}
	hold(k.info.Accepts != "" || errors.Is(err, wire.ErrUTF8) || errors.Is(err, wire.ErrLimit), "a codec that refuses values must say in Info().Accepts which it takes", "error: %v", err)
}

var errorKinds = []error{
	wire.ErrSyntax, wire.ErrTruncated, wire.ErrLimit, wire.ErrRange, wire.ErrShape,
	wire.ErrType, wire.ErrUnknownMember, wire.ErrDuplicateKey, wire.ErrUTF8, wire.ErrVersion, wire.ErrChecksum, wire.ErrUnknownFormat,
}

// form holds an error to be a *wire.Error with everything a caller needs. about is what
// is said of it beside.
func (k *checker) form(err error, about string) *wire.Error {
	e, ok := err.(*wire.Error)
	fault := func(format string, args ...any) {
		fail("errors must be complete *wire.Errors", format+": %v%s", append(args, err, about)...)
	}
	switch {
	case !ok:
		fault("the error is a %T", err)
	case e == nil:
		fault("the error is a nil *wire.Error")
	case e.Format != k.info.Name:
		fault("Format is %q, Info().Name is %q", e.Format, k.info.Name)
	case e.Code == "" || strings.ContainsAny(e.Code, " \t\n"):
		fault("Code is %q", e.Code)
	case !slices.Contains(errorKinds, e.Kind):
		fault("Kind is %v, which is not one of package wire's", e.Kind)
	case e.Message == "":
		fault("Message is empty")
	case strings.ContainsAny(e.Error(), "\n\r"):
		fault("Error() has more than one line, %q", e.Error())
	}
	return e
}

// leads reports whether the JSON pointer leads to a part of v, or to a member
// that an object in v lacks.
func leads(v wire.Value, pointer string) bool {
	if _, err := v.At(pointer); err == nil {
		return true
	}
	parent, err := v.At(pointer[:max(0, strings.LastIndexByte(pointer, '/'))])
	return err == nil && parent.Kind() == wire.KindObject
}

// decodeError holds Decode to the rules about its errors.
func (k *checker) decodeError(src []byte, err error) {
	e := k.form(err, "\nsource: "+quoted(src).String())
	const rule = "errors of decoding have a true position"
	if k.info.Binary && e.Line == 0 && e.Column == 0 && e.Offset >= 0 && e.Offset <= len(src) {
		return // bytes have no lines
	}
	hold(e.Line > 0 && e.Column > 0 && e.Offset >= 0 && e.Offset <= len(src), rule, "offset %d, line %d, column %d in %d bytes: %v\nsource: %s", e.Offset, e.Line, e.Column, len(src), err, quoted(src))
	at := wire.ErrorAt(src, e.Offset, wire.Error{})
	hold(at.Line == e.Line && at.Column == e.Column, rule, "offset %d is line %d, column %d, not line %d, column %d: %v\nsource: %s", e.Offset, at.Line, at.Column, e.Line, e.Column, err, quoted(src))
}

// roundTrip decodes v's encoding, and encodes what came of it.
func (k *checker) roundTrip(v wire.Value, encoding []byte, r *Report) {
	src := bytes.Clone(encoding)
	got := k.reread(src)
	before := got.Clone()
	for i := range src {
		src[i] = 'x'
	}
	hold(wire.Identical(before, got), "a decoded value must share no memory with src", "encoding: %s", quoted(encoding))
	r.Encoded = encoding
	r.Loss, r.LossPath = wire.Difference(v, got)
	undeclared := r.Loss &^ k.info.Loss
	hold(undeclared == 0, "a codec loses only what it declares", "it lost %v (at %q), declared is %v\nencoding: %s\ndecoded:  %s", undeclared, r.LossPath, k.info.Loss, quoted(encoding), text(got))
	if r.Loss != 0 {
		k.stable(got)
		return
	}
	// got is identical to v, so this is one more identical value.
	again, refused := k.encode(k.dst[:0], got)
	hold(refused == nil && bytes.Equal(again, encoding), "identical values must have one encoding", "encoding: %s\nof the value decoded from it: %s %v", quoted(encoding), quoted(again), refused)
	k.dst = again
}

// stable holds a codec that has decoded v to lose nothing more: v's encoding
// is read as v again, and encoding that gives the same bytes. A codec that
// leaves content out by design may go on doing so.
func (k *checker) stable(v wire.Value) {
	const rule = "encoding what was decoded must be stable"
	one, refused := k.encode(nil, v)
	hold(refused == nil, rule, "the decoded value was refused: %v\nvalue: %s", refused, text(v))
	w := k.reread(one)
	if k.lossy() {
		return
	}
	loss, at := wire.Difference(v, w)
	hold(loss == 0, rule, "the second round lost %v (at %q)\nvalue: %s\nencoding: %s", loss, at, text(v), quoted(one))
	two, refused := k.encode(nil, w)
	hold(refused == nil && bytes.Equal(one, two), rule, "second encoding: %s\nthird: %s %v", quoted(one), quoted(two), refused)
}

// maxWritten is the depth up to which a document that was read is written
// again: a codec that indents writes the square of it.
const maxWritten = 2000

// document decodes bytes that may be anything.
func (k *checker) document(src []byte) {
	v, refused := k.decode(src)
	if refused != nil {
		k.decodeError(src, refused)
		return
	}
	depth := depthOf(v)
	hold(depth <= bound.MostDepth, "a document of more than 10,000 levels must be refused", "it has %d\nsource: %s", depth, quoted(src))
	if depth > maxWritten {
		return
	}
	one, unwritten := k.encode(nil, v)
	if unwritten != nil {
		k.refusal(v, one, unwritten, new(Report))
		return
	}
	w, unread := k.decode(one)
	hold(unread == nil, "a codec must read what it wrote", "%v\nsource: %s\nencoding: %s", unread, quoted(src), quoted(one))
	loss, at := wire.Difference(v, w)
	hold(loss&^k.info.Loss == 0, "a codec loses only what it declares", "it lost %v (at %q), declared is %v\nsource: %s\nencoding: %s\ndecoded first: %s\nthen: %s", loss&^k.info.Loss, at, k.info.Loss, quoted(src), quoted(one), text(v), text(w))
	if !k.lossy() {
		k.stable(w)
	}
}

// respelled returns a value identical to v that shares nothing with it: every
// object has keys of its own, and every number is held as text.
func respelled(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.KindNumber:
		if wire.Internal.IsFloat(v) && wholeDigits(v) {
			return v
		}
		return number(v.Text())
	case wire.KindArray, wire.KindObject:
		members := builder.Children(v)
		for i, m := range members {
			members[i] = wire.Member{Key: strings.Clone(m.Key), Value: respelled(m.Value)}
		}
		return builder.With(v, members)
	}
	return v.Clone()
}

// goNumber returns v as made from an int64, uint64 or float64 if that has the
// same spelling.
func goNumber(v wire.Value) wire.Value {
	if v.Kind() != wire.KindNumber || wholeDigits(v) && wire.Internal.IsFloat(v) {
		return v
	}
	i, _ := v.Int64() // 0 if it is not exact
	u, _ := v.Uint64()
	made := []wire.Value{wire.Int(i), wire.Uint(u)}
	if f, ok := v.Float64(); ok && !wholeDigits(v) {
		made = append(made, wire.Float(f))
	}
	for _, w := range made {
		if wire.Identical(v, w) {
			return w
		}
	}
	return v
}

// wholeDigits reports whether a number is spelled in digits alone and may not be
// below 2^53. A format may tell by its form whether such a number is an integer
// or a double, so that the one is not a stand-in for the other.
func wholeDigits(v wire.Value) bool {
	text := strings.TrimPrefix(v.Text(), "-")
	return len(text) >= len("9007199254740992") && strings.Trim(text, "0123456789") == ""
}

// maxShown bounds what a message shows of a value or document, in bytes.
const maxShown = 600

// quoted is text that messages show, perhaps its beginning.
type quoted []byte

func (b quoted) String() string {
	if len(b) > maxShown {
		return fmt.Sprintf("%q… (%d bytes)", []byte(b[:maxShown]), len(b))
	}
	return fmt.Sprintf("%q", []byte(b))
}

// text is a value that messages show as JSON, and kinds that JSON does not have by a word
// before it.
type text wire.Value

func (t text) String() string {
	v := wire.Value(t)
	b := wire.AppendJSON(nil, v)
	s := strings.ToValidUTF8(string(b[:min(len(b), maxShown)]), "\ufffd")
	if len(b) > maxShown {
		s += fmt.Sprintf("… (%d bytes)", len(b))
	}
	if k := v.Kind(); k == wire.KindBytes || k == wire.KindTime {
		return k.String() + " " + s
	}
	return s
}
