package playground

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// MaxInput is the longest document or text that is taken, in bytes.
const MaxInput = 20_000_000

// An Engine answers requests. It is for one goroutine.
type Engine struct {
	// Formats are those that there are, in the order of their cards.
	Formats *wire.Registry
	// Texts are the forms of a text that a tool has printed; nil for programs without
	// them. A document that is in one of them is a string.
	Texts []wire.Codec
	// Detect returns the format of a document.
	Detect func([]byte) (wire.Codec, error)
	// WithCounter returns a codec with the counter that decides what saves tokens, and
	// whether it has one: those that fold, and Texts. It is nil in programs without such
	// codecs.
	WithCounter func(wire.Codec, tokens.Counter) (wire.Codec, bool)
	// More are further operations by their names.
	More map[string]Operation

	vocabularies map[string]*tokens.Vocabulary
	document     *wire.Value // that the cards are about, nil if none is open
}

// An Operation answers requests of one kind, or refuses them with [Refuse].
type Operation func(*Engine, Request) Answer

// A refusal is what Refuse panics with, and what Do answers as an error.
type refusal struct{ err error }

// Refuse ends an operation with an error.
func Refuse(err error) { panic(refusal{err}) }

// Must returns what a call without an error returned. It refuses one with an error.
func Must[T any](v T, err error) T {
	if err != nil {
		Refuse(err)
	}
	return v
}

// A Request is what a page asks.
type Request struct {
	head wire.Value
	Body []byte
}

// Member returns a member of the head; null if it is not there.
func (r Request) Member(name string) wire.Value {
	v, _ := r.head.Get(name)
	return v
}

// Text returns a member of the head that is a string, "" if it is not there.
func (r Request) Text(name string) string {
	if v := r.Member(name); v.Kind() == wire.KindString {
		return v.Text()
	}
	return ""
}

// Int returns a member of the head that is a whole number of 0 and more.
func (r Request) Int(name string, otherwise int) int {
	if n, ok := r.Member(name).Int64(); ok && n >= 0 && n <= math.MaxInt32 {
		return int(n)
	}
	return otherwise
}

// An Answer is a head, which is an object, and a body.
type Answer struct {
	Head []wire.Member
	Body []byte
}

// operations are those that every program has.
var operations = map[string]Operation{
	"formats":    (*Engine).formats,
	"vocabulary": (*Engine).loadVocabulary,
	"open":       (*Engine).open,
	"card":       (*Engine).card,
	"convert":    (*Engine).convert,
	"compare":    (*Engine).compare,
	"count":      (*Engine).count,
	"pieces":     (*Engine).pieces,
}

// Do answers a request: the length of the answer's head in four bytes, little
// endian, the head and the body. It never panics.
func (e *Engine) Do(head, body []byte) (out []byte) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case refusal:
			out = framed(Answer{Head: failure(p.err, body)})
		default:
			e.document = nil
			out = framed(Answer{Head: failure(fmt.Errorf("the program failed: %v; please report it with the document", p), nil)})
		}
	}()
	return framed(e.answer(head, body))
}

func (e *Engine) answer(head, body []byte) Answer {
	v := Must(wire.ParseJSON(head))
	if v.Kind() != wire.KindObject {
		Refuse(errors.New("a request is an object"))
	}
	if len(body) > MaxInput {
		Refuse(fmt.Errorf("%d bytes are more than the %d that are taken here; the command takes any", len(body), MaxInput))
	}
	r := Request{head: v, Body: body}
	op := r.Text("op")
	do, ok := e.More[op]
	if !ok {
		do, ok = operations[op]
	}
	if !ok {
		Refuse(fmt.Errorf("this program has no operation %q", op))
	}
	return do(e, r)
}

func framed(a Answer) []byte {
	out := wire.AppendJSON(make([]byte, 4, 256+len(a.Body)), Object(a.Head...))
	binary.LittleEndian.PutUint32(out, uint32(len(out)-4))
	return append(out, a.Body...)
}

// Object returns an object of members whose keys differ.
func Object(members ...wire.Member) wire.Value { return builder.Object(members...) }

// Text is a member that is a string. What is not UTF-8 has U+FFFD.
func Text(key, s string) wire.Member {
	return wire.Member{Key: key, Value: wire.String(strings.ToValidUTF8(s, "\ufffd"))}
}

// Int is a member that is a number.
func Int(key string, n int) wire.Member { return wire.Member{Key: key, Value: wire.Int(int64(n))} }

// Bool is a member that is true or false.
func Bool(key string, b bool) wire.Member { return wire.Member{Key: key, Value: wire.Bool(b)} }

// failure is the head of an answer that is an error about src.
func failure(err error, src []byte) []wire.Member {
	members := []wire.Member{Text("message", err.Error())}
	var e *wire.Error
	if errors.As(err, &e) {
		members = append(members, Text("format", e.Format), Text("code", e.Code), Text("hint", e.Hint), Text("path", e.Path()))
		if e.Line > 0 {
			members = append(members, Int("line", e.Line), Int("column", e.Column), Int("offset", e.Offset),
				Int("at", unitsOf(src[:min(e.Offset, len(src))])), Text("excerpt", e.Excerpt()))
		}
	}
	return []wire.Member{{Key: "error", Value: Object(members...)}}
}

// unitsOf returns the length of a text in UTF-16 code units; what is not valid UTF-8
// counts by its first bytes.
func unitsOf(text []byte) int {
	n := 0
	for _, b := range text {
		switch {
		case b >= 0xf0:
			n += 2
		case utf8.RuneStart(b):
			n++
		}
	}
	return n
}

// Counter returns the counter that a request names, nil if it names none.
func (e *Engine) Counter(r Request) (tokens.Counter, error) {
	name := r.Text("counter")
	if name == "" {
		return nil, nil
	}
	known, _ := tokens.Lookup(name)
	estimate, estimated := known.(tokens.Estimate)
	if estimated {
		name = tokens.Default().Name() // what it multiplies
	}
	v, ok := e.vocabularies[name]
	if !ok {
		return nil, fmt.Errorf("the vocabulary %s is not loaded", name)
	}
	if estimate.Base = v; estimated {
		return estimate, nil
	}
	return v, nil
}

// patterns are those of the vocabularies that can be loaded.
var patterns = map[string]tokens.Pattern{
	"o200k_base":  tokens.PatternO200k,
	"cl100k_base": tokens.PatternCl100k,
}

func (e *Engine) loadVocabulary(r Request) Answer {
	name := r.Text("name")
	pattern, ok := patterns[name]
	if !ok {
		Refuse(fmt.Errorf("no vocabulary is called %q", name))
	}
	v := Must(tokens.Load(name, bytes.NewReader(r.Body), pattern))
	if e.vocabularies == nil {
		e.vocabularies = map[string]*tokens.Vocabulary{}
	}
	e.vocabularies[name] = v
	return Answer{Head: []wire.Member{Text("name", name)}}
}

func (e *Engine) formats(Request) Answer {
	var all []wire.Value
	for _, c := range describe.All(e.Formats) {
		info := c.Info()
		all = append(all, Object(Text("name", info.FullName()), Text("title", info.Title), Text("version", info.Version),
			Bool("binary", info.Binary), Bool("variant", info.Variant != ""), Text("accepts", info.Accepts)))
	}
	return Answer{Head: []wire.Member{{Key: "formats", Value: wire.Array(all...)}}}
}
