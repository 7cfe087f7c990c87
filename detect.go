package wirekit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// Detect tells the format of a document from its bytes. The codec is that of the
// format or, for several YAML documents, that of yaml:multi-document. The error wraps
// [wire.ErrUnknownFormat].
//
// Signatures and the grammar of the beginning decide for most texts. Where several
// formats read the text, the one whose encoding of its reading is the text has
// written it: plain lines of keys and values are YAML, unless TOON reads another
// value and would write it so; a text in brackets that JSON refuses is GLYPH on the
// same condition. Bytes that are not UTF-8 are CBOR or MessagePack if one of them alone
// reads an array or object to the end. Detect takes linear time and keeps nothing.
//
// What bytes cannot tell is an error that says what the text could be: a single
// word or line, which may be a string; what both CBOR and MessagePack read; 'x', True
// and comments, which are strings in TOON and not in YAML; tables of CSV.
func Detect(src []byte) (wire.Codec, error) {
	c, err := registry.Detect(src)
	if err != nil {
		return rewritten(src, err)
	}
	if !c.Info().Binary && !utf8.Valid(src) { // by its first characters alone
		if b, err := binary(src); err == nil {
			return b, nil
		}
	}
	switch c.Info().Name {
	case "json":
		if scan.InBrackets(src) && !isContainer(c, src) && wrote(glyph.Codec{}, src) {
			return glyph.Codec{}, nil
		}
	case "yaml":
		if d := (yaml.Codec{MultiDocument: true}); d.Sniff(src) || endMarked(src) && wrote(d, src) {
			return d, nil
		}
		return yamlOrTOON(c, src)
	case "gcf", "gcf-graph", "gcx", "goon":
		if headerAlone(src) {
			return nil, fmt.Errorf("wirekit: the input is the header of an empty document in %s, or a string: %w", c.Info().Name, wire.ErrUnknownFormat)
		}
	}
	return c, nil
}

// rewritten finds the format of a text that no codec claims: the one that its
// beginning leaves, if that writes it so.
func rewritten(src []byte, unknown error) (wire.Codec, error) {
	var c wire.Codec = toon.Codec{}
	switch {
	case len(bytes.TrimSpace(src)) == 0:
		return nil, unknown
	case scan.InBrackets(src):
		c = glyph.Codec{}
	case !utf8.Valid(src):
		return binary(src)
	case bytes.HasPrefix(src, []byte("---\n")):
		c = yaml.Codec{MultiDocument: true}
	}
	if isContainer(c, src) && wrote(c, src) {
		if v, err := (toon.Codec{}).Decode(src); err == nil && !hasArray(v) {
			if err := withoutMeaning(yamlRefusal(src)); err != nil {
				return nil, err
			}
		}
		return c, nil
	}
	if likeJSON(src) {
		return wire.JSON{}, nil // whose error says where it is not
	}
	if err := yamlRefusal(src); err != nil {
		return nil, fmt.Errorf("wirekit: the input begins like YAML, which refuses it: %w; name the format if it is another: %w", err, wire.ErrUnknownFormat)
	}
	if name := table(src); name != "" {
		return nil, fmt.Errorf("wirekit: the input is in no format that its bytes tell; if it is a table, name %s: %w", name, wire.ErrUnknownFormat)
	}
	return nil, unknown
}

// binary finds the format of bytes that are not text: that of CBOR and MessagePack which
// reads them to the end as an array or object, unless the other reads them too.
func binary(src []byte) (wire.Codec, error) {
	c, m := wire.Codec(cbor.Codec{}), wire.Codec(msgpack.Codec{})
	isCBOR, isMessagePack := isContainer(c, src), isContainer(m, src)
	whatever := func(wire.Value) bool { return true }
	switch {
	case cbor.Codec{}.Sniff(src), isCBOR && !reads(m, src, whatever):
		return c, nil
	case isMessagePack && !reads(c, src, whatever):
		return m, nil
	}
	return nil, fmt.Errorf("wirekit: the input is binary, or text that is not UTF-8: if it is CBOR or MessagePack, name cbor or msgpack: %w", wire.ErrUnknownFormat)
}

// reads reports whether c decodes src as a value that is wanted.
func reads(c wire.Codec, src []byte, wanted func(wire.Value) bool) bool {
	found := false
	err := wire.View(c, src, func(v wire.Value) error {
		found = wanted(v)
		return nil
	})
	return err == nil && found
}

// endMarked reports whether the last line of src ends a document of YAML, as
// yaml:multi-document writes a list of one.
func endMarked(src []byte) bool {
	return bytes.HasSuffix(bytes.TrimSuffix(src, []byte{'\n'}), []byte("\n..."))
}

// yamlOrTOON decides for a text that is YAML, and may be TOON as well.
func yamlOrTOON(yaml wire.Codec, src []byte) (wire.Codec, error) {
	as, err := toon.Codec{}.Decode(src)
	if err != nil || as.Kind() < wire.KindArray {
		return yaml, nil
	}
	v, err := yaml.Decode(src)
	if err == nil && wire.Equal(v, as) || !wrote(toon.Codec{}, src) {
		return yaml, nil
	}
	if err != nil {
		if err := withoutMeaning(err); err != nil && !hasArray(as) {
			return nil, err
		}
		return toon.Codec{}, nil
	}
	if marked(v, as) {
		_, path := wire.Difference(v, as)
		return nil, fmt.Errorf("wirekit: the input is YAML or TOON, which read different values at %q; name the format: %w", path, wire.ErrUnknownFormat)
	}
	return toon.Codec{}, nil
}

// yamlRefusal returns why YAML refuses a text that begins like it, else nil.
func yamlRefusal(src []byte) error {
	return describe.Of(yaml.Codec{}).Refusal(src)
}

// withoutMeaning is the error for a text of TOON's with keys and plain values only which
// YAML refuses though its syntax is YAML's, else nil.
func withoutMeaning(refusal error) error {
	var e *wire.Error
	if errors.As(refusal, &e) && slices.Contains(meanings, e.Code) {
		return fmt.Errorf("wirekit: the input is TOON, or YAML, which refuses it: %w; name the format: %w", e, wire.ErrUnknownFormat)
	}
	return nil
}

// meanings are the codes of YAML's errors that are not of its syntax.
var meanings = []string{"unknown_tag", "not_finite", "unknown_anchor", "bad_merge", "bad_scalar", "endless_alias", "key_is_no_scalar"}

// hasArray reports whether there is an array in v. TOON gives each its length, as people
// do not in YAML.
func hasArray(v wire.Value) bool {
	return v.Kind() == wire.KindArray || slices.ContainsFunc(slices.Collect(v.Elements()), hasArray)
}

// marked reports whether a string of TOON's reading is something else for YAML, as
// 'x', True and "x # comment" are, which people write in YAML. An object that YAML
// takes for null does not count, nor does what looks like the number of an issue.
func marked(v, as wire.Value) bool {
	switch {
	case as.Kind() == wire.KindString:
		before, after, _ := strings.Cut(as.Text(), " #")
		number := after != "" && '0' <= after[0] && after[0] <= '9'
		return !wire.Equal(v, as) && !(number && wire.Equal(v, wire.String(strings.TrimRight(before, " "))))
	case as.Kind() != wire.KindObject || as.Len() == 0:
		return false
	case v.Kind() != wire.KindObject || v.Len() != as.Len():
		return true
	}
	for i := range as.Len() {
		if marked(v.Index(i), as.Index(i)) {
			return true
		}
	}
	return false
}

// isContainer reports whether c decodes src as an array or object.
func isContainer(c wire.Codec, src []byte) bool {
	return reads(c, src, func(v wire.Value) bool { return v.Kind() >= wire.KindArray })
}

// wrote reports whether src, perhaps without its last line break, is what c or a
// variant of it makes of what c reads.
func wrote(c wire.Codec, src []byte) bool {
	line, _ := bytes.CutSuffix(src, []byte{'\n'})
	return reads(c, src, func(v wire.Value) bool {
		return slices.ContainsFunc(append(slices.Clone(describe.Of(c).Variants), c), func(d wire.Codec) bool {
			text, err := d.AppendEncode(nil, v)
			return err == nil && (bytes.Equal(text, src) || bytes.Equal(text, line))
		})
	})
}

// likeJSON reports whether src begins with an object, perhaps in lists, and a key
// in quotation marks.
func likeJSON(src []byte) bool {
	src = bytes.TrimLeft(scan.TrimBOM(src), space+"[")
	return len(src) > 0 && src[0] == '{' && bytes.HasPrefix(bytes.TrimLeft(src[1:], space), []byte{'"'})
}

// space is the white space of JSON.
const space = " \t\r\n"

// headerAlone reports whether src is one line that does not say how many rows
// follow: TOON and YAML write a string so.
func headerAlone(src []byte) bool {
	line, rest, _ := bytes.Cut(src, []byte{'\n'})
	return len(rest) == 0 && !bytes.Contains(line, []byte(" rows=0"))
}

// maxTabled is how much of a text is looked at for a table.
const maxTabled = 64 << 10

// table returns the name of the configuration of CSV in which the beginning of src
// is a table of several columns and at least one row.
func table(src []byte) string {
	if len(src) > maxTabled {
		src = src[:bytes.LastIndexByte(src[:maxTabled], '\n')+1]
	}
	for _, c := range append(slices.Clone(describe.Of(csv.Codec{}).Variants), csv.Codec{}) {
		if v, err := c.Decode(src); err == nil && v.Len() > 0 && v.Index(0).Keys().Len() > 1 {
			return c.Info().FullName()
		}
	}
	return ""
}
