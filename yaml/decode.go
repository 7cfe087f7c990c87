package yaml

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
	"go.yaml.in/yaml/v4"
)

// A decoder turns the nodes of a text into values.
type decoder struct {
	limits wire.Limits
	nodes  int // the most nodes of a text, and of what its aliases copy
	src    []byte
	build  builder.Builder

	from    int // the offset in src of what the reading is of
	reading reading

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
	if i := control(d.src); i >= 0 {
		return d.failAt(i, "syntax_error", wire.ErrSyntax, "a character that no text of YAML has", `write it as an escape in double quotes, "\u0007"`)
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

// offset returns the offset of a line and a column of the reading, both counted from 1, the
// latter in characters.
func (d *decoder) offset(line, column int) int {
	c := cursor{line: 1, column: 1}
	c.advance(d.reading.text, line, column)
	before := d.reading.text[:c.at]
	if d.reading.standIns {
		return d.from + len(restored(string(before), false))
	}
	return d.from + len(before)
}

// single reads a text of one document. Every JSON text is one, with the same
// value, and the parser of JSON takes a tenth of the time and memory.
func (d *decoder) single() (wire.Value, error) {
	if scan.InBrackets(d.src) {
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
	var v wire.Value // an empty text is an empty document
	found := false
	for p, err := range d.pieces() {
		switch {
		case err != nil:
			return wire.Value{}, err
		case !p.exists():
		case found:
			head, _ := headOf(d.src[p.from:p.to])
			return wire.Value{}, d.failAt(p.from+head, "several_documents", wire.ErrShape, "the text has more than one document", "yaml:multi-document reads them as an array, a stream as records")
		default:
			found = true
			if v, err = d.document(p); err != nil {
				return wire.Value{}, err
			}
		}
	}
	return v, nil
}

func (d *decoder) strictJSON() wire.JSON {
	return wire.JSON{RejectDuplicates: true, Limits: d.limits}
}

func (d *decoder) documents() (wire.Value, error) {
	if err := d.check(); err != nil {
		return wire.Value{}, err
	}
	d.limits.Depth-- // the array of the documents is a level
	mark := d.build.Mark()
	if roots := d.together(); roots != nil {
		for i, root := range roots {
			v, err := d.root(root)
			if err != nil {
				return wire.Value{}, wire.AtIndex(err, i)
			}
			d.build.Push(v)
		}
		return d.build.Array(mark), nil
	}
	for p, err := range d.pieces() {
		if err == nil && !p.exists() {
			continue
		}
		var v wire.Value
		n := d.build.Mark() - mark // documents so far
		if err == nil {
			v, err = d.document(p)
		}
		if err != nil {
			return wire.Value{}, wire.AtIndex(err, n)
		}
		d.build.Push(v)
	}
	return d.build.Array(mark), nil
}

// document returns the value of a piece.
func (d *decoder) document(p piece) (wire.Value, error) {
	root, err := d.load(p)
	if err != nil {
		return wire.Value{}, err
	}
	return d.root(root)
}

// root returns the value of a document.
func (d *decoder) root(n *yaml.Node) (wire.Value, error) {
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
		return wire.Null(), nil
	}
	return d.node(n.Content[0], 0)
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
	if d.values++; d.values > d.limits.Values {
		message := fmt.Sprintf("more than %d values, those of aliases counted each time", d.limits.Values)
		return wire.Value{}, d.fail(n, wire.CodeTooManyValues, wire.ErrLimit, message, "raise Limits.Values")
	}
	if d.alias > 0 {
		if err := cmp.Or(d.spendCopy(n), d.spendText(n)); err != nil {
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
	if tag := explicitTag(n); tag != "" && tag != "!!seq" && tag != "!!omap" {
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
	if tag := explicitTag(n); tag != "" && tag != "!!map" && tag != "!!set" {
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
	tag := explicitTag(key)
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (tag == "!!merge" || tag == "" && key.Tag != "!" && key.Style&quotedStyles == 0)
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
