package wire

import (
	"fmt"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
)

// JSON is the codec of JSON text (RFC 8259). It keeps the order of members and
// the spelling of numbers, so a value of JSON's data model comes back
// [Identical]. Bytes are written as base64 and times as RFC 3339 strings.
type JSON struct {
	// Indent, if not empty, is written once per level and puts every element
	// and member on a line of its own. Unless Limits.OutputBytes is set, it may
	// take 8 MiB and 8 times the text without it.
	Indent string
	// RejectDuplicates makes a key that an object has already an error. By
	// default the last value wins, at the position of the first.
	RejectDuplicates bool
	// RecordsAt is a JSON pointer (RFC 6901) to the array whose elements a stream that is
	// read has as its records, such as "/items"; "" is the whole document.
	RecordsAt string
	Limits    Limits
}

// Info describes the codec.
func (c JSON) Info() Info {
	return Info{
		Name:       "json",
		Variant:    c.variant(),
		Title:      "JSON",
		Prompt:     "JSON.",
		MediaType:  "application/json",
		Extensions: []string{".json"},
		Document:   "RFC 8259",
		Version:    "2017",
		Loss:       LossBytes | LossTime | LossTag,
	}
}

const prettyIndent = "  "

func (c JSON) variant() string {
	switch {
	case c.Indent == "" && !c.RejectDuplicates:
		return ""
	case c.Indent == prettyIndent && !c.RejectDuplicates:
		return "pretty"
	case c.Indent == "":
		return "strict"
	}
	return customVariant
}

// Sniff reports whether src begins, after white space, as JSON text does: with
// a scalar and nothing else, or with containers whose first keys are strings
// before colons, and whose first scalar is followed by a comma or by brackets
// that close.
func (c JSON) Sniff(src []byte) bool {
	src = scan.TrimBOM(src)
	i := scan.SkipSpace(src, 0)
	if i == len(src) {
		return false
	}
	switch src[i] {
	case '{', '[':
		return sniffContainer(src[i:])
	}
	n := scalarLen(src[i:])
	return n > 0 && scan.SkipSpace(src, i+n) == len(src)
}

// sniffContainer looks at the first scalar in the first brackets, and at what
// follows it. It trusts a text that ends before.
func sniffContainer(src []byte) bool {
	for i, depth := 0, 0; i < len(src); depth++ {
		switch src[i] {
		case '[':
			i = scan.SkipSpace(src, i+1)
		case '{':
			if i = scan.SkipSpace(src, i+1); i == len(src) || src[i] == '}' {
				return sniffEnd(src, i, depth+1)
			}
			n := scalarLen(src[i:])
			if n == 0 || src[i] != '"' {
				return false
			}
			if i = scan.SkipSpace(src, i+n); i < len(src) && src[i] != ':' {
				return false
			}
			i = scan.SkipSpace(src, i+1)
		case ']':
			return sniffEnd(src, i, depth)
		default:
			n := scalarLen(src[i:])
			return n > 0 && sniffEnd(src, scan.SkipSpace(src, i+n), depth)
		}
	}
	return true
}

// sniffEnd looks at what follows the closing brackets from i on, while they
// close what is open: in JSON a comma, or the end.
func sniffEnd(src []byte, i, depth int) bool {
	for i < len(src) && (src[i] == ']' || src[i] == '}') {
		if depth--; depth == 0 {
			return true
		}
		i = scan.SkipSpace(src, i+1)
	}
	return i == len(src) || src[i] == ','
}

// scalarLen returns the length of the JSON scalar that src begins with, 0 if
// there is none. A string that is cut off ends with src.
func scalarLen(src []byte) int {
	if src[0] == '"' {
		for i := 1; i < len(src); i++ {
			if i, _ = scan.TextEnd(src, i); i == len(src) {
				break
			}
			switch src[i] {
			case '"':
				return i + 1
			case '\\':
				i++
			default:
				return 0
			}
		}
		return len(src)
	}
	for _, word := range []string{"true", "false", "null"} {
		if len(src) >= len(word) && string(src[:len(word)]) == word {
			return len(word)
		}
	}
	return scan.Number(src)
}

// AppendEncode appends v as JSON text.
func (c JSON) AppendEncode(dst []byte, v Value) ([]byte, error) {
	if err := c.checkIndent(); err != nil {
		return dst, err
	}
	var w jsonWriter
	w.begin("json", dst, c.Indent, &c.Limits)
	w.value(v, 0)
	if err := w.check(v, len(dst)); err != nil {
		return dst, err
	}
	return w.dst, nil
}

func (c JSON) checkIndent() error {
	if scan.SkipSpace([]byte(c.Indent), 0) < len(c.Indent) {
		return &Error{Format: "json", Code: CodeInvalidOption, Kind: ErrRange,
			Message: fmt.Sprintf("JSON.Indent is %q", c.Indent), Hint: "use spaces or tabs"}
	}
	return nil
}

// MarshalJSON returns v as JSON text, for encoding/json and packages like it, log/slog's
// JSON handler among them.
func (v Value) MarshalJSON() ([]byte, error) { return JSON{}.AppendEncode(nil, v) }

// UnmarshalJSON makes v the value of a JSON text. Unlike what encoding/json stores into
// an empty interface, it keeps the order of members and the spelling of numbers.
func (v *Value) UnmarshalJSON(src []byte) (err error) {
	*v, err = ParseJSON(src)
	return err
}

// AppendJSON appends v as compact JSON text: no white space, members in order,
// numbers as they are spelled, no escaping for HTML. It writes strings that
// are not valid UTF-8 as they are, and values of any depth; [JSON] refuses
// both.
func AppendJSON(dst []byte, v Value) []byte {
	switch v.Kind() {
	case KindString:
		if v.form != formPlain {
			return scan.AppendQuote(dst, v.str())
		}
	case KindNumber:
		return v.appendText(dst)
	}
	const unlimited = int(^uint(0) >> 1)
	w := jsonWriter{dst: dst, maxDepth: unlimited, maxLen: unlimited}
	w.value(v, 0)
	return w.dst
}

// ParseJSON parses JSON text as JSON{}.Decode does.
func ParseJSON(src []byte) (Value, error) { return JSON{}.Decode(src) }

// Decode parses one JSON text. A byte order mark at its start is skipped. The
// strings and numbers of the value point into one copy of src.
func (c JSON) Decode(src []byte) (Value, error) {
	p := borrowParser(inplace.Owned{}, "json", &c.Limits, c.RejectDuplicates)
	v, err := p.parse(src, scan.TrimBOM(src))
	p.giveBack(nil)
	return v, err
}

// view calls f with what Decode returns, in memory that is reused.
func (c JSON) view(to inplace.Target, src []byte, f func(Value) error) error {
	p := borrowParser(to, "json", &c.Limits, c.RejectDuplicates)
	v, err := p.parse(src, scan.TrimBOM(src))
	if err == nil {
		err = f(v)
	}
	p.giveBack(err)
	return err
}
