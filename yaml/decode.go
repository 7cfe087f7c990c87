package yaml

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/builder"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
	"go.yaml.in/yaml/v3"
)

// A decoder turns the nodes of a text into values.
type decoder struct {
	limits wire.Limits
	nodes  int // the most nodes of a text, and of what its aliases copy
	src    []byte
	build  builder.Builder
	values int
	copies int // nodes and members that aliases and merges made, of d.free
	free   int
	text   int                 // bytes of strings and keys that they may still copy
	alias  int                 // the aliases that the node at hand is a copy by
	within map[*yaml.Node]bool // the anchored nodes that the node at hand is in
}

func (d *decoder) check() error {
	if len(d.src) > d.limits.InputBytes {
		return d.failAt(d.limits.InputBytes, wire.CodeInputTooLong, wire.ErrLimit, fmt.Sprintf("the text is longer than %d bytes", d.limits.InputBytes), "raise Limits.InputBytes")
	}
	if i := scan.ValidUTF8(d.src); i < len(d.src) {
		return d.failAt(i, wire.CodeInvalidUTF8, wire.ErrUTF8, "the text is not UTF-8", "")
	}
	n := mostNodes(d.src)
	if n > d.nodes {
		return d.failAt(0, wire.CodeTooManyValues, wire.ErrLimit, fmt.Sprintf("up to %d keys and values in a text of %d bytes, which take more memory than the %d that are read unasked", n, len(d.src), d.nodes), "set Limits.Values")
	}
	d.free = d.nodes - n
	if bytes.Count(d.src, []byte("%TAG")) > maxTagDirectives {
		return d.failAt(0, "too_many_directives", wire.ErrLimit, fmt.Sprintf("more than %d times %%TAG", maxTagDirectives), "")
	}
	return nil
}

// maxTagDirectives bounds the directives of a text: the parser compares each
// with all before. Nothing here has a use for them.
const maxTagDirectives = 1000

func (d *decoder) failAt(offset int, code string, kind error, message, hint string) error {
	return wire.ErrorAt(d.src, offset, wire.Error{Format: format, Code: code, Kind: kind, Message: message, Hint: hint})
}

// fail returns an error at a node.
func (d *decoder) fail(n *yaml.Node, code string, kind error, message, hint string) error {
	return d.failAt(d.offset(n.Line, n.Column), code, kind, message, hint)
}

// offset returns the offset of a line and a column, both counted from 1, the
// latter in characters.
func (d *decoder) offset(line, column int) int {
	at := len(d.src) - len(scan.TrimBOM(d.src))
	for ; line > 1; line-- {
		i := bytes.IndexByte(d.src[at:], '\n')
		if i < 0 {
			return len(d.src)
		}
		at += i + 1
	}
	for ; column > 1 && at < len(d.src) && d.src[at] != '\n'; column-- {
		at++
		for at < len(d.src) && d.src[at]&0xc0 == 0x80 {
			at++
		}
	}
	return at
}

// readable returns src as the parser takes it, which refuses directives of
// version 1.2 although it reads what they mean.
func readable(src []byte) []byte {
	const directive, known = "%YAML 1.2", "%YAML 1.1"
	if !bytes.Contains(src, []byte(directive)) {
		return src
	}
	out := bytes.Clone(src)
	head := true // only directives, comments and blank lines so far
	for line := range bytes.Lines(scan.TrimBOM(out)) {
		if head && bytes.HasPrefix(line, []byte(directive)) {
			copy(line, known)
		}
		head = isMark(line, "...") || head && headless(line)
	}
	return out
}

// single reads a text of one document. Every JSON text is one, with the same
// value, and the parser of JSON takes a tenth of the time and memory.
func (d *decoder) single() (wire.Value, error) {
	if d.maybeJSON() {
		if v, err := d.strictJSON().Decode(d.src); err == nil {
			return v, nil
		}
	}
	return d.parsed()
}

// parsed is single for what is not JSON text.
func (d *decoder) parsed() (wire.Value, error) {
	if err := d.check(); err != nil {
		return wire.Value{}, err
	}
	in := yaml.NewDecoder(bytes.NewReader(readable(d.src)))
	v, err := d.next(in)
	if err == io.EOF {
		return wire.Null(), nil // an empty text is an empty document
	}
	if err != nil {
		return wire.Value{}, err
	}
	switch _, err := d.next(in); {
	case err == nil:
		second := len(d.src)
		if i := bytes.Index(d.src, []byte("\n---")); i >= 0 {
			second = i + 1
		}
		return wire.Value{}, d.failAt(second, "several_documents", wire.ErrShape, "the text has more than one document", "yaml:multi-document reads them as an array, a stream as records")
	case err != io.EOF:
		return wire.Value{}, err
	}
	return v, nil
}

func (d *decoder) maybeJSON() bool {
	text := bytes.TrimLeft(scan.TrimBOM(d.src), " \t\r\n")
	return len(text) > 0 && (text[0] == '[' || text[0] == '{')
}

func (d *decoder) strictJSON() wire.JSON {
	return wire.JSON{RejectDuplicates: true, Limits: d.limits}
}

func (d *decoder) documents() (wire.Value, error) {
	if err := d.check(); err != nil {
		return wire.Value{}, err
	}
	d.limits.Depth-- // the array of the documents is a level
	in := yaml.NewDecoder(bytes.NewReader(readable(d.src)))
	mark := d.build.Mark()
	for i := 0; ; i++ {
		v, err := d.next(in)
		if err == io.EOF {
			return d.build.Array(mark), nil
		}
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
		d.build.Push(v)
	}
}

// next reads a document, or returns io.EOF.
func (d *decoder) next(in *yaml.Decoder) (wire.Value, error) {
	var n yaml.Node
	if err := in.Decode(&n); err != nil {
		if err == io.EOF {
			return wire.Value{}, err
		}
		return wire.Value{}, d.syntax(err)
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
		return wire.Null(), nil
	}
	return d.node(n.Content[0], 0)
}

var errorLine = regexp.MustCompile(`^yaml: line ([0-9]+): `)

// syntax turns an error of the parser into one with a position.
func (d *decoder) syntax(err error) error {
	message := err.Error()
	at := len(d.src)
	if m := errorLine.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1])
		at = d.offset(line, 1)
		message = message[len(m[0]):]
	}
	message = strings.TrimPrefix(message, "yaml: ")
	kind, code := wire.ErrSyntax, "syntax_error"
	switch {
	case strings.Contains(message, "unknown anchor"):
		code = "unknown_anchor"
		if m := anchorName.FindStringSubmatch(message); m != nil {
			at = d.unresolved(m[1])
		}
	case strings.Contains(message, "exceeded max depth"):
		kind, code = wire.ErrLimit, wire.CodeTooDeep
	case strings.Contains(message, "unexpected end of stream"), strings.Contains(message, "found unexpected end"):
		kind, code = wire.ErrTruncated, wire.CodeUnterminated // only quoted scalars end so
	case strings.Contains(message, "unknown escape character"), strings.Contains(message, "did not find expected hexdecimal"),
		strings.Contains(message, "invalid Unicode character escape"):
		code = wire.CodeInvalidEscape
	case d.maybeJSON():
		if _, err := d.strictJSON().Decode(d.src); errors.Is(err, wire.ErrTruncated) {
			at, kind, code, message = len(d.src), wire.ErrTruncated, wire.CodeUnexpectedEnd, "the text ends within an array or object"
		}
	}
	return d.failAt(at, code, kind, message, "")
}

var anchorName = regexp.MustCompile(`unknown anchor '([^']*)'`)

// maxAliasReads bounds how often a text is read again to find an alias.
const maxAliasReads = 4

// unresolved returns the offset of the first alias that has the name and no
// anchor before it, or the text's length. The parser does not tell where it is;
// a text that ends after it fails like the whole one, and a text that ends in
// a comment or a quoted string with the same letters does not.
func (d *decoder) unresolved(name string) int {
	alias := []byte("*" + name)
	end := 0
	for range maxAliasReads {
		i := bytes.Index(d.src[end:], alias)
		if i < 0 {
			break
		}
		end += i + len(alias)
		in, err := yaml.NewDecoder(bytes.NewReader(readable(d.src[:end]))), error(nil)
		for err == nil {
			err = in.Decode(new(yaml.Node))
		}
		if m := anchorName.FindStringSubmatch(err.Error()); m != nil && m[1] == name {
			return end - len(alias)
		}
	}
	return len(d.src)
}

func (d *decoder) spend(n *yaml.Node, values int) error {
	if d.values += values; d.values > d.limits.Values {
		return d.fail(n, wire.CodeTooManyValues, wire.ErrLimit, fmt.Sprintf("more than %d values, those of aliases counted each time", d.limits.Values), "raise Limits.Values")
	}
	return nil
}

// spendCopy counts what an alias or a merge makes of the value that it refers
// to. A few bytes can become millions of them, so a text has as many as it
// could hold nodes beside those that it has.
func (d *decoder) spendCopy(n *yaml.Node) error {
	if d.copies++; d.copies > d.free {
		return d.fail(n, wire.CodeTooManyValues, wire.ErrLimit, fmt.Sprintf("aliases and merges copy more than %d values, which take more memory than a text of %d bytes gets unasked", d.free, len(d.src)), "set Limits.Values")
	}
	return nil
}

// A few bytes can become a long text again and again, which takes memory only where
// it is written. So the text that aliases copy is bounded, too: in proportion to the
// text that they are in, or by Limits.OutputBytes if that is more.
const (
	freeCopied   = 8 << 20
	copiedFactor = 8
)

// copyLimit returns how many bytes of strings and keys the aliases of a text of n
// bytes may copy.
func copyLimit(l wire.Limits, n int) int {
	most := bound.Add(freeCopied, bound.Times(copiedFactor, n))
	if l.OutputBytes != 0 {
		most = max(most, l.Resolved().OutputBytes)
	}
	return most
}

// spendText counts the text of a scalar that an alias copies.
func (d *decoder) spendText(n *yaml.Node) error {
	if d.text -= len(n.Value); d.text < 0 {
		return d.fail(n, "text_too_long", wire.ErrLimit, fmt.Sprintf("aliases copy more text than a text of %d bytes gets unasked", len(d.src)), "set Limits.OutputBytes")
	}
	return nil
}

func (d *decoder) node(n *yaml.Node, depth int) (wire.Value, error) {
	if err := d.spend(n, 1); err != nil {
		return wire.Value{}, err
	}
	if d.alias > 0 {
		if err := d.spendCopy(n); err != nil {
			return wire.Value{}, err
		}
		if err := d.spendText(n); err != nil {
			return wire.Value{}, err
		}
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return d.scalar(n)
	case yaml.AliasNode:
		if d.within[n.Alias] {
			return wire.Value{}, d.fail(n, "endless_alias", wire.ErrShape, fmt.Sprintf("the alias *%.40s is inside of what it refers to", n.Value), "")
		}
		d.alias++
		defer func() { d.alias-- }()
		return d.node(n.Alias, depth)
	case yaml.SequenceNode, yaml.MappingNode:
	default:
		return wire.Value{}, d.fail(n, "unknown_node", wire.ErrSyntax, "a node of an unknown kind", "")
	}
	if depth >= d.limits.Depth {
		return wire.Value{}, d.fail(n, wire.CodeTooDeep, wire.ErrLimit, fmt.Sprintf("more than %d levels", d.limits.Depth), "raise Limits.Depth")
	}
	if n.Anchor != "" {
		if d.within == nil {
			d.within = make(map[*yaml.Node]bool)
		}
		d.within[n] = true
		defer delete(d.within, n)
	}
	if n.Kind == yaml.SequenceNode {
		return d.sequence(n, depth)
	}
	return d.mapping(n, depth)
}

func (d *decoder) sequence(n *yaml.Node, depth int) (wire.Value, error) {
	if tag := explicitTag(n); tag != "" && tag != "!!seq" {
		return wire.Value{}, d.unknownTag(n, tag)
	}
	mark := d.build.Mark()
	for i, child := range n.Content {
		v, err := d.node(child, depth+1)
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, i)
		}
		d.build.Push(v)
	}
	return d.build.Array(mark), nil
}

func (d *decoder) mapping(n *yaml.Node, depth int) (wire.Value, error) {
	if tag := explicitTag(n); tag != "" && tag != "!!map" {
		return wire.Value{}, d.unknownTag(n, tag)
	}
	o := d.build.Object()
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			merged = append(merged, value)
			continue
		}
		name, err := d.key(key)
		if err != nil {
			return wire.Value{}, err
		}
		if !d.build.Key(&o, name) {
			return wire.Value{}, d.fail(key, wire.CodeDuplicateKey, wire.ErrDuplicateKey, fmt.Sprintf("the key %.40q occurs twice", name), "")
		}
		v, err := d.node(value, depth+1)
		if err != nil {
			return wire.Value{}, wire.AtKey(err, name)
		}
		d.build.Put(&o, v)
	}
	v := d.build.EndObject(&o)
	if merged == nil {
		return v, nil
	}
	return d.merge(v, merged, depth)
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.TaggedStyle) == 0
}

// key returns the text of a key, which is a scalar or an alias of one.
func (d *decoder) key(n *yaml.Node) (string, error) {
	copied := d.alias > 0
	if n.Kind == yaml.AliasNode {
		n, copied = n.Alias, true
	}
	if copied {
		if err := d.spendText(n); err != nil {
			return "", err
		}
	}
	if n.Kind != yaml.ScalarNode {
		return "", d.fail(n, "key_is_no_scalar", wire.ErrShape, "a key that is a mapping or a sequence", "objects have keys that are strings")
	}
	if tag := explicitTag(n); !isKnown(tag) {
		return "", d.unknownTag(n, tag)
	}
	return n.Value, nil
}

// merge appends the members of other mappings that v lacks, those of earlier
// ones first.
func (d *decoder) merge(v wire.Value, from []*yaml.Node, depth int) (wire.Value, error) {
	var members []wire.Member
	known := make(map[string]bool, v.Len())
	add := func(v wire.Value) error {
		for key, member := range v.Members() {
			if known[key] {
				continue
			}
			if err := d.spendCopy(from[0]); err != nil {
				return err
			}
			known[key] = true
			members = append(members, wire.Member{Key: key, Value: member})
		}
		return nil
	}
	if err := add(v); err != nil {
		return wire.Value{}, err
	}
	for _, n := range from {
		m, err := d.node(n, depth)
		if err != nil {
			return wire.Value{}, err
		}
		list := []wire.Value{m}
		if m.Kind() == wire.KindArray {
			list = slices.Collect(m.Elements())
		}
		for _, m := range list {
			if m.Kind() != wire.KindObject {
				return wire.Value{}, d.fail(n, "bad_merge", wire.ErrShape, "the key << takes mappings", "quote the key if it is one of the data")
			}
			if err := add(m); err != nil {
				return wire.Value{}, err
			}
		}
	}
	return wire.Object(members...)
}

// explicitTag returns the tag that the text gives a node, "" for none.
func explicitTag(n *yaml.Node) string {
	if n.Style&yaml.TaggedStyle == 0 || n.Tag == "!" {
		return ""
	}
	return n.ShortTag()
}

// tagged are the kinds of scalars by their tags.
var tagged = map[string]wire.Kind{
	"!!str": wire.KindString, "!!int": wire.KindNumber, "!!float": wire.KindNumber,
	"!!bool": wire.KindBool, "!!null": wire.KindNull, "!!binary": wire.KindBytes,
}

// isKnown reports whether a scalar may have the tag, or that it has none.
func isKnown(tag string) bool {
	_, known := tagged[tag]
	return known || tag == ""
}

func (d *decoder) unknownTag(n *yaml.Node, tag string) error {
	return d.fail(n, "unknown_tag", wire.ErrShape, fmt.Sprintf("the tag %.40s has no meaning here", tag), "remove it")
}

const quotedStyles = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func (d *decoder) scalar(n *yaml.Node) (wire.Value, error) {
	text := n.Value
	tag := explicitTag(n)
	switch {
	case tag == "!!str", tag == "" && (n.Style&quotedStyles != 0 || n.Tag == "!"):
		return wire.String(text), nil
	case tag == "!!binary":
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return wire.Value{}, d.fail(n, "bad_scalar", wire.ErrSyntax, "what has the tag !!binary is not base64", "")
		}
		return wire.Bytes(b), nil
	case !isKnown(tag):
		return wire.Value{}, d.unknownTag(n, tag)
	}
	v, finite := plain(text)
	if !finite {
		return wire.Value{}, d.fail(n, "not_finite", wire.ErrRange, fmt.Sprintf("%s is no number that other formats have", text), "quote it")
	}
	if tag != "" && v.Kind() != tagged[tag] {
		return wire.Value{}, d.fail(n, "bad_scalar", wire.ErrSyntax, fmt.Sprintf("%.40q does not fit its tag %s", text, tag), "")
	}
	return v, nil
}
