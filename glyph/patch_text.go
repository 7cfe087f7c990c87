package glyph

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// patchValues is how values are written in a patch: each in its line, and so
// that no number changes.
var patchValues = Codec{NoTabular: true}

// AppendText appends the patch's text, without a final newline:
//
//	@patch @schema#abc123 @keys=wire @target=m:123 @base=1a2b3c4d5e6f7890 @exact=9b8a7c6d5e4f3021
//	= score 5
//	+ events "Goal!"
//	@end
func (p *Patch) AppendText(dst []byte) ([]byte, error) {
	if p.err != nil {
		return dst, p.err
	}
	out := append(dst, "@patch"...)
	if p.SchemaID != "" {
		out = append(append(out, " @schema#"...), p.SchemaID...)
	}
	out = append(append(out, " @keys="...), cmp.Or(p.keyMode, "wire")...)
	if p.Target != "" {
		out = appendWord(append(out, " @target="...), p.Target, bareID(p.Target, false))
	}
	for _, word := range [...]struct{ name, base string }{{" @base=", p.Base}, {" @exact=", p.exact}} {
		if word.base == "" {
			continue
		}
		if base, err := baseOf(word.base); err != nil || base != word.base {
			return dst, fault("invalid_base", wire.ErrSyntax, "a base needs 16 hexadecimal digits in lower case")
		}
		out = append(append(out, word.name...), word.base...)
	}
	out = append(out, '\n')
	for _, op := range p.ops {
		next, err := op.append(out)
		if err != nil {
			return dst, err
		}
		out = append(next, '\n')
	}
	out = append(out, "@end"...)
	if !scan.IsUTF8(out[len(dst):]) || strings.Map(idRune, p.SchemaID) != p.SchemaID {
		return dst, fault(wire.CodeInvalidUTF8, wire.ErrUTF8, "a target, a path or a schema id that cannot be written")
	}
	return out, nil
}

// append appends one operation's line.
func (op patchOp) append(dst []byte) ([]byte, error) {
	dst = append(dst, byte(op.action), ' ')
	dst = appendPath(dst, op.path)
	if op.action == actionDelete {
		return dst, nil
	}
	dst = append(dst, ' ')
	if op.action == actionDelta && !strings.HasPrefix(op.value.Text(), "-") {
		dst = append(dst, '+')
	}
	dst, err := patchValues.AppendEncode(dst, op.value)
	if err == nil && op.action == actionAppend && op.at >= 0 {
		dst = strconv.AppendInt(append(dst, " @idx="...), int64(op.at), 10)
	}
	return dst, err
}

// String returns the patch's text. In place of a patch without one it returns
// "%!v(glyph.Patch: …)" with the reason, in the manner of package fmt: no reader
// takes that for a patch. What is sent comes from AppendText.
func (p *Patch) String() string {
	text, err := p.AppendText(nil)
	if err != nil {
		return "%!v(glyph.Patch: " + err.Error() + ")"
	}
	return string(text)
}

// ParsePatch parses a patch's text. The registry, which may be nil, supplies the
// schema that the header names, which paths and values with #N need. Blank
// lines and lines that begin with "#" are skipped.
func ParsePatch(input string, registry *SchemaRegistry) (*Patch, error) {
	patch := new(Patch)
	err := parseText(input, func(p *parser) bool {
		q := patchParser{parser: p, patch: patch, registry: registry}
		return q.text() >= 0
	})
	if err != nil {
		return nil, err
	}
	return patch, nil
}

type patchParser struct {
	*parser
	patch    *Patch
	registry *SchemaRegistry
	seen     [5]bool // beside headerWords
}

func (p *patchParser) text() int {
	const word = "@patch"
	i := p.space(0)
	if !strings.HasPrefix(p.s[i:], word) {
		return p.expected(i, word)
	}
	p.line = true
	if i = p.header(i + len(word)); i < 0 {
		return i
	}
	for {
		i = p.nextLine(i)
		if strings.HasPrefix(p.s[i:], "@end") && class[p.s[i+4]] == 0 {
			p.line = false
			if i = p.space(i + 4); i != p.end {
				return p.fail(i, wire.CodeTrailingData, wire.ErrSyntax, "expected the end after the patch, found "+p.found(i))
			}
			return i
		}
		if i >= p.end {
			return p.fail(i, "missing_end", wire.ErrTruncated, "the text ends inside a patch; @end is missing")
		}
		at := len(p.patch.ops)
		if i = p.op(i); i < 0 {
			wire.AtIndex(p.err, at)
			return i
		}
	}
}

// nextLine skips blank lines and comments.
func (p *patchParser) nextLine(i int) int {
	for {
		for p.s[i] == '\n' || p.s[i] == '\r' || p.s[i] == ' ' || p.s[i] == '\t' {
			i++
		}
		if p.s[i] != '#' {
			return i
		}
		n := strings.IndexByte(p.s[i:p.end], '\n')
		if n < 0 {
			return p.end
		}
		i += n
	}
}

// header parses the words of the first line.
func (p *patchParser) header(i int) int {
	for {
		j := p.space(i)
		if j >= p.end || p.s[j] == '\n' || p.s[j] == '\r' {
			return p.lineEnd(j)
		}
		if j == i {
			return p.expected(i, "white space")
		}
		if i = p.headerWord(j); i < 0 {
			return i
		}
	}
}

var keyModes = []string{"wire", "name", "fid"}

// headerWords are the words of the header that mean something. Others that begin
// with "@" are passed over, as the reference implementations do.
var headerWords = []string{"@schema#", "@keys=", "@target=", "@base=", "@exact="}

func (p *patchParser) headerWord(i int) int {
	at := slices.IndexFunc(headerWords, func(word string) bool { return strings.HasPrefix(p.s[i:], word) })
	if at < 0 {
		if p.s[i] != '@' {
			return p.expected(i, strings.Join(headerWords, ", "))
		}
		return p.foreignWord(i)
	}
	word := headerWords[at]
	if p.seen[at] {
		return p.fail(i, "duplicate_word", wire.ErrSyntax, "the header has "+word+" twice")
	}
	p.seen[at] = true
	from := i + len(word)
	switch word {
	case "@schema#":
		return p.schemaWord(i)
	case "@keys=":
		to := p.partEnd(from)
		if p.patch.keyMode = strings.Clone(p.s[from:to]); !slices.Contains(keyModes, p.patch.keyMode) {
			return p.fail(from, "invalid_key_mode", wire.ErrSyntax, "the key modes are wire, name and fid")
		}
		return to
	case "@target=":
		return p.target(from)
	case "@base=":
		return p.fingerprint(from, &p.patch.Base)
	}
	return p.fingerprint(from, &p.patch.exact)
}

// foreignWord passes over a word of the header that another program wrote.
func (p *patchParser) foreignWord(i int) int {
	for i < p.end && p.s[i] > ' ' {
		if p.s[i] == '"' {
			if _, i = p.quoted(i); i < 0 {
				return i
			}
			continue
		}
		i++
	}
	return i
}

func (p *patchParser) schemaWord(i int) int {
	id, next := p.schemaID(i + len("@schema"))
	if next < 0 {
		return next
	}
	p.patch.SchemaID = id
	if p.registry != nil {
		p.schema = p.registry.lookup(id)
	}
	return next
}

func (p *patchParser) fingerprint(from int, base *string) int {
	to := p.partEnd(from)
	digits, err := baseOf(p.s[from:to])
	if err != nil || to-from != baseLength {
		return p.fail(from, "invalid_base", wire.ErrSyntax, "a base needs 16 hexadecimal digits")
	}
	*base = digits
	return to
}

func (p *patchParser) target(i int) int {
	if p.s[i] == '"' {
		target, next := p.quoted(i)
		p.patch.Target = strings.Clone(target)
		return next
	}
	j := idEnd(p.s, i)
	if j == i {
		return p.expected(i, "an id")
	}
	p.patch.Target = strings.Clone(p.s[i:j])
	return j
}

// op parses one operation's line.
func (p *patchParser) op(start int) int {
	op := patchOp{action: patchAction(p.s[start]), at: -1}
	switch op.action {
	case actionSet, actionAppend, actionDelete, actionDelta:
	default:
		return p.expected(start, "an operation (= + - ~) or @end")
	}
	i := p.space(start + 1)
	if i == start+1 {
		return p.expected(i, "white space after the operation")
	}
	op.path, i = p.path(i)
	if i < 0 {
		return i
	}
	if op.action != actionDelete {
		if i = p.opValue(i, &op); i < 0 {
			return i
		}
	}
	if err, ok := op.check().(*wire.Error); ok {
		return p.fail(start, err.Code, err.Kind, err.Message)
	}
	p.patch.ops = append(p.patch.ops, op)
	return p.lineEnd(i)
}

func (p *patchParser) opValue(i int, op *patchOp) int {
	i = p.space(i)
	if op.action == actionDelta && p.s[i] == '+' && p.s[i+1]-'0' <= 9 {
		i++
	}
	v, i := p.value(i)
	if i < 0 {
		return i
	}
	op.value = v
	j := p.space(i)
	const word = "@idx="
	if j == i || op.action != actionAppend || !strings.HasPrefix(p.s[j:], word) {
		return i
	}
	from := j + len(word)
	to := scan.Digits(p.s, from)
	n, err := strconv.ParseUint(p.s[from:to], 10, 31)
	if err != nil {
		return p.fail(from, "invalid_index", wire.ErrRange, "@idx= needs a whole number below 2^31")
	}
	op.at = int(n)
	return to
}
