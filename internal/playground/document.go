package playground

import (
	"encoding/binary"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

var errNoDocument = errors.New("no document is open")

// ErrOther is the error of a program that leaves a document to one that knows more
// formats. Its answer has the code other_program.
var ErrOther = &wire.Error{Format: "playground", Code: "other_program", Kind: wire.ErrUnknownFormat, Message: "the program with all formats has to look at it"}

// limits are those of the command for documents of this size, but for the input.
var limits = wire.Limits{InputBytes: MaxInput, LineBytes: -1}

// lookup returns the codec of a name.
func (e *Engine) lookup(name string) wire.Codec {
	for _, c := range e.Texts {
		if c.Info().FullName() == name {
			return Must(e.ready(c))
		}
	}
	return Must(e.ready(Must(e.Formats.Lookup(name))))
}

// ready returns a codec with the limits, and with the vocabulary by which the
// command folds, or writes lines.
func (e *Engine) ready(c wire.Codec) (wire.Codec, error) {
	c = wire.WithLimits(c, limits)
	if e.WithCounter == nil {
		return c, nil
	}
	counter, unloaded := e.Counter(Request{head: Object(Text("counter", "o200k_base"))})
	c, counts := e.WithCounter(c, counter)
	if !counts {
		return c, nil
	}
	return c, unloaded
}

// decode reads a document in the format that the request names with from, or
// that it seems to be in.
func (e *Engine) decode(r Request) (wire.Value, wire.Codec) {
	var codec wire.Codec
	if name := r.Text("from"); name != "" {
		codec = e.lookup(name)
	} else {
		codec = Must(e.ready(Must(e.Detect(r.Body))))
	}
	return Must(codec.Decode(r.Body)), codec
}

func (e *Engine) open(r Request) Answer {
	e.document = nil
	v, codec := e.decode(r)
	e.document = &v
	values, depth := sizeOf(v)
	return Answer{Head: []wire.Member{
		Text("format", codec.Info().FullName()), Int("bytes", len(r.Body)), Int("values", values), Int("depth", depth),
	}}
}

// sizeOf counts a value and what is in it, and returns how deep it is.
func sizeOf(v wire.Value) (values, depth int) {
	for e := range v.Elements() {
		n, d := sizeOf(e)
		values, depth = values+n, max(depth, d)
	}
	if v.Kind() >= wire.KindArray {
		depth++
	}
	return values + 1, depth
}

func (e *Engine) card(r Request) Answer {
	if e.document == nil {
		Refuse(errNoDocument)
	}
	counter := Must(e.Counter(r))
	codec := e.lookup(r.Text("format"))
	head, encoded := measured(codec, counter, *e.document)
	return Answer{Head: head, Body: encoded}
}

// measured returns a format's figures in the words of the command, and the
// encoding.
func measured(codec wire.Codec, counter tokens.Counter, v wire.Value) ([]wire.Member, []byte) {
	info := codec.Info()
	head := []wire.Member{Text("format", info.FullName()), Bool("binary", info.Binary)}
	m, err := measure.Once(codec, counter, v)
	if err != nil {
		return append(head, Text("refused", err.Error()), Bool("lossless", false)), nil
	}
	head = append(head, Int("bytes", len(m.Encoded)), Int("gzip", measure.Gzip(m.Encoded)), Bool("lossless", m.Equal))
	if m.Tokens >= 0 {
		head = append(head, Int("tokens", m.Tokens), Bool("exact", counter.Exact()))
	}
	if m.Loss != 0 {
		head = append(head, Text("loss", m.Loss.String()))
		if m.LossPath != "" {
			head = append(head, Text("loss_at", m.LossPath))
		}
	}
	head = append(head,
		wire.Member{Key: "encode_ms", Value: wire.Float(m.Encoding.Seconds() * 1000)},
		wire.Member{Key: "decode_ms", Value: wire.Float(m.Decoding.Seconds() * 1000)})
	return head, m.Encoded
}

func (e *Engine) convert(r Request) Answer {
	to := e.lookup(r.Text("to"))
	v, from := e.decode(r)
	out := Must(to.AppendEncode(nil, v))
	return Answer{
		Head: []wire.Member{Text("from", from.Info().FullName()), Text("to", to.Info().FullName()), Bool("binary", to.Info().Binary)},
		Body: out,
	}
}

func (e *Engine) compare(r Request) Answer {
	counter := Must(e.Counter(r))
	v, from := e.decode(r)
	codecs := e.Formats.Codecs()
	if all := r.Member("all"); all.Kind() == wire.KindBool && all.Bool() {
		codecs = describe.All(e.Formats)
	}
	if v.Kind() == wire.KindString && slices.ContainsFunc(e.Texts, func(c wire.Codec) bool { return c.Info().Name == from.Info().Name }) {
		codecs = e.Texts
	}
	var cards []wire.Value
	for _, codec := range codecs {
		ready, err := e.ready(codec)
		if err != nil {
			cards = append(cards, Object(Text("format", codec.Info().FullName()), Text("refused", err.Error()), Bool("lossless", false)))
			continue
		}
		head, _ := measured(ready, counter, v)
		cards = append(cards, Object(head...))
	}
	return Answer{Head: []wire.Member{
		Text("format", from.Info().FullName()), Int("bytes", len(r.Body)), {Key: "formats", Value: wire.Array(cards...)},
	}}
}

func (e *Engine) count(r Request) Answer {
	counter := Must(e.Counter(r))
	if counter == nil {
		Refuse(errors.New("count needs the name of a counter"))
	}
	n := Must(counter.Count(r.Body))
	return Answer{Head: []wire.Member{Int("tokens", n), Bool("exact", counter.Exact())}}
}

// pieces answers with the ends of the tokens of a text. Of several tokens that end
// within one character all have that character's end.
func (e *Engine) pieces(r Request) Answer {
	counter := Must(e.Counter(r))
	ends, err := tokens.AppendEnds(nil, counter, r.Body)
	if errors.Is(err, errors.ErrUnsupported) {
		err = errors.New("an estimate has the number of tokens, not the tokens")
	}
	ends = Must(ends, err)
	all := len(ends)
	ends = ends[:min(all, r.Int("most", all))]
	return Answer{Head: []wire.Member{Int("tokens", all)}, Body: appendUnits(nil, r.Body, ends)}
}

// appendUnits appends byte offsets into text as offsets in UTF-16 code units.
func appendUnits(dst, text []byte, ends []int) []byte {
	at, units := 0, 0
	for _, end := range ends {
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		if end > at {
			units += unitsOf(text[at:end])
			at = end
		}
		dst = binary.LittleEndian.AppendUint32(dst, uint32(units))
	}
	return dst
}
