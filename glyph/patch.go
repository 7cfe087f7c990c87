package glyph

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// PatchAction is what an operation of a patch does, by its character in the
// text.
type PatchAction byte

// The actions.
const (
	ActionSet    PatchAction = '=' // set a member or replace an element
	ActionAppend PatchAction = '+' // append to a list, or insert at an index; makes a list that is not there
	ActionDelete PatchAction = '-' // delete a member or an element
	ActionDelta  PatchAction = '~' // add to a number
)

// A PathStep leads from a value to one inside it: to the member Key of a map
// or, if IsIndex is set, to the element Index of a list.
type PathStep struct {
	Key     string
	Index   int
	IsIndex bool
}

// A PatchOp is one operation.
type PatchOp struct {
	Action PatchAction
	Path   []PathStep
	Value  wire.Value // of all but ActionDelete
	// At is the index that ActionAppend inserts at if AtIndex is set; without it
	// the value goes to the list's end.
	At      int
	AtIndex bool
}

// A Patch is a list of changes to one value, in the order in which they apply
// ("Patch Base Fingerprint").
type Patch struct {
	Target   string // what the patch is for: "m:123"; may be empty
	SchemaID string // id of the schema, without "#"; may be empty
	KeyMode  string // how paths name keys: "wire" (the default), "name" or "fid"
	Base     string // the first 16 digits of the base's Fingerprint; "" for none
	// Exact is the first 16 digits of the base's FingerprintExact, "" for none.
	// Unlike Base it tells all values apart. In the text it is the header's word
	// @exact=, which other readers pass over.
	Exact string
	Ops   []PatchOp
	// Canonical is the codec whose text of the base is hashed for Base. It is not
	// part of the patch's text. The profile ProfileLossless, which has many texts for
	// one value, stands for the document's ProfileCanonical here.
	Canonical Codec

	err error // what went wrong while the patch was built
}

// baseLength is how many digits of a fingerprint a patch holds.
const baseLength = 16

// A PatchBuilder builds a patch. Mistakes, such as a malformed path, are kept
// and returned by the patch's methods.
type PatchBuilder struct {
	p    Patch
	base *wire.Value
}

// NewPatchBuilder returns a builder of a patch for the target, an id without
// its "^" such as "m:123".
func NewPatchBuilder(target string) *PatchBuilder {
	return &PatchBuilder{p: Patch{Target: target, KeyMode: "wire"}}
}

// WithSchema names the schema by its id.
func (b *PatchBuilder) WithSchema(id string) *PatchBuilder {
	b.p.SchemaID = id
	return b
}

// WithCanonical sets the codec that the fingerprint of the base is taken with;
// see [Patch.Canonical].
func (b *PatchBuilder) WithCanonical(c Codec) *PatchBuilder {
	b.p.Canonical = c
	return b
}

// WithBaseValue makes the patch apply to this value only: it computes the
// document's fingerprint, for every reader, and the exact one.
func (b *PatchBuilder) WithBaseValue(base wire.Value) *PatchBuilder {
	b.base = &base
	return b
}

// WithBaseFingerprint makes the patch apply only to a value with this
// fingerprint: at least 16 hexadecimal digits, of which it keeps the first 16.
// Such a patch has no exact fingerprint.
func (b *PatchBuilder) WithBaseFingerprint(fingerprint string) *PatchBuilder {
	b.base, b.p.Exact = nil, ""
	base, err := baseOf(fingerprint)
	if err != nil {
		b.fail(err)
	}
	b.p.Base = base
	return b
}

func baseOf(fingerprint string) (string, error) {
	if len(fingerprint) < baseLength {
		return "", patchError("invalid_base", wire.ErrSyntax, "a base needs 16 hexadecimal digits")
	}
	base := strings.ToLower(fingerprint[:baseLength])
	for i := range baseLength {
		if c := base[i]; c-'0' > 9 && (c < 'a' || c > 'f') {
			return "", patchError("invalid_base", wire.ErrSyntax, "a base needs 16 hexadecimal digits")
		}
	}
	return base, nil
}

// Set sets the value at the path, whose parent must exist. The path "." is the
// whole value.
func (b *PatchBuilder) Set(path string, v wire.Value) *PatchBuilder {
	return b.add(path, PatchOp{Action: ActionSet, Value: v})
}

// Append appends v to the list at the path. A list that is not there is made, in
// an object that is.
func (b *PatchBuilder) Append(path string, v wire.Value) *PatchBuilder {
	return b.add(path, PatchOp{Action: ActionAppend, Value: v})
}

// Insert inserts v before element i of the list at the path; i may be the
// list's length. Like Append it makes a list that is not there.
func (b *PatchBuilder) Insert(path string, i int, v wire.Value) *PatchBuilder {
	return b.add(path, PatchOp{Action: ActionAppend, Value: v, At: i, AtIndex: true})
}

// Delete deletes the member or element at the path.
func (b *PatchBuilder) Delete(path string) *PatchBuilder {
	return b.add(path, PatchOp{Action: ActionDelete})
}

// Delta adds a number to the number at the path. The sum is exact, whole or not:
// 1 and 0.5 are 1.5, 0.1 and 0.2 are 0.3.
func (b *PatchBuilder) Delta(path string, amount wire.Value) *PatchBuilder {
	return b.add(path, PatchOp{Action: ActionDelta, Value: amount})
}

func (b *PatchBuilder) add(path string, op PatchOp) *PatchBuilder {
	steps, err := ParsePath(path)
	if err == nil {
		op.Path = steps
		err = op.check()
	}
	if err != nil {
		b.fail(err)
	}
	b.p.Ops = append(b.p.Ops, op)
	return b
}

func (b *PatchBuilder) fail(err error) {
	if b.p.err == nil {
		b.p.err = err
	}
}

// Build returns the patch.
func (b *PatchBuilder) Build() *Patch {
	p := b.p
	p.Ops = append([]PatchOp(nil), b.p.Ops...)
	if b.base != nil {
		full, err := p.canonical().Fingerprint(*b.base)
		if err != nil && p.err == nil {
			p.err = err
		}
		p.Base = full[:min(baseLength, len(full))]
		p.Exact = FingerprintExact(*b.base)[:baseLength]
	}
	return &p
}

// Err returns the first mistake that was made in building the patch, nil if
// there is none.
func (p *Patch) Err() error { return p.err }

func (p *Patch) canonical() Codec {
	c := p.Canonical
	if c.Profile == ProfileLossless {
		c.Profile = ProfileCanonical
	}
	return c
}

// VerifyBase reports, by its error, whether the patch is meant for base: every
// fingerprint that the patch has must be that of base.
func (p *Patch) VerifyBase(base wire.Value) error {
	if p.Base != "" {
		full, err := p.canonical().Fingerprint(base)
		if err != nil {
			return err
		}
		if err := sameBase("base", p.Base, full); err != nil {
			return err
		}
	}
	if p.Exact != "" {
		return sameBase("exact base", p.Exact, FingerprintExact(base))
	}
	return nil
}

func sameBase(what, want, full string) error {
	if full[:baseLength] == want {
		return nil
	}
	return patchError("base_mismatch", wire.ErrChecksum,
		fmt.Sprintf("the patch is for the %s %.20q, the value's fingerprint is %s", what, want, full[:baseLength]))
}

func patchError(code string, kind error, message string) error {
	return &wire.Error{Format: format, Code: code, Kind: kind, Message: message}
}

// check refuses operations that have no meaning whatever they apply to.
func (op PatchOp) check() error {
	below := func(s PathStep) bool { return s.IsIndex && s.Index < 0 }
	if slices.ContainsFunc(op.Path, below) || op.Action == ActionAppend && op.At < 0 {
		return patchError("invalid_index", wire.ErrRange, "an index below zero")
	}
	switch op.Action {
	case ActionSet, ActionAppend:
	case ActionDelete:
		if len(op.Path) == 0 {
			return patchError("invalid_path", wire.ErrShape, "the whole value cannot be deleted")
		}
	case ActionDelta:
		if op.Value.Kind() != wire.KindNumber {
			return patchError("type_mismatch", wire.ErrShape, "~ needs a number, not "+op.Value.Kind().String())
		}
	default:
		return patchError("invalid_action", wire.ErrSyntax, fmt.Sprintf("no operation is written %q", rune(op.Action)))
	}
	return nil
}

// ParsePath parses a path of a patch: members separated by dots, a["key"] or
// "quoted" for keys that are no words, [2] for elements. A leading dot is
// allowed; "." alone is the whole value. A path has at most 512 steps.
func ParsePath(path string) ([]PathStep, error) {
	src := []byte(path)
	p, err := Codec{}.parser(src)
	if err != nil {
		return nil, err
	}
	p.line = true
	steps, i := p.path(0)
	if i >= 0 && i != p.end {
		i = p.expected(i, "the end of the path")
	}
	if i < 0 {
		return nil, p.failure(src)
	}
	return steps, nil
}

// path parses a path up to the white space after it.
func (p *parser) path(i int) ([]PathStep, int) {
	var steps []PathStep
	if p.s[i] == '.' && p.s[i+1] <= ' ' {
		return nil, i + 1
	}
	for first := true; ; first = false {
		dot := p.s[i] == '.'
		if dot {
			i++
		}
		var step PathStep
		switch c := p.s[i]; {
		case c == '[' && !dot:
			step, i = p.bracketStep(i)
		case c <= ' ' && !dot && !first:
			return steps, i
		case dot || first:
			step, i = p.keyStep(i)
		default:
			return nil, p.expected(i, "'.', '[' or the end of the path")
		}
		if i < 0 {
			return nil, i
		}
		if len(steps) == p.depth {
			return nil, p.tooDeep(i)
		}
		steps = append(steps, step)
	}
}

// keyStep parses a key in a path: quoted, a number of the schema, or a run of
// word characters other than the dot.
func (p *parser) keyStep(i int) (PathStep, int) {
	if p.s[i] == '"' {
		key, i := p.quoted(i)
		return PathStep{Key: strings.Clone(key)}, i
	}
	if p.s[i] == '#' {
		key, i := p.numbered(i)
		return PathStep{Key: key}, i
	}
	end := p.stepEnd(i)
	if end == i {
		return PathStep{}, p.expected(i, "a key")
	}
	return PathStep{Key: strings.Clone(p.s[i:end])}, end
}

// stepEnd is partEnd, up to the first dot.
func (p *parser) stepEnd(i int) int {
	for p.s[i] != '.' {
		switch c := p.s[i]; {
		case class[c]&classPart != 0:
			i++
		case c < utf8.RuneSelf:
			return i
		default:
			r, n := utf8.DecodeRuneInString(p.s[i:])
			if !wordPart(r) {
				return i
			}
			i += n
		}
	}
	return i
}

// bracketStep parses [2] or ["key"].
func (p *parser) bracketStep(i int) (PathStep, int) {
	var step PathStep
	i++
	if p.s[i] == '"' {
		key, next := p.quoted(i)
		if next < 0 {
			return step, next
		}
		step.Key, i = strings.Clone(key), next
	} else {
		j := scan.Digits(p.s, i)
		n, err := strconv.ParseUint(p.s[i:j], 10, 31)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return step, p.fail(i, "invalid_index", wire.ErrRange, "an index of 2^31 or more")
		case err != nil:
			return step, p.expected(j, "an index or a quoted key")
		}
		step, i = PathStep{Index: int(n), IsIndex: true}, j
	}
	if p.s[i] != ']' {
		return step, p.expected(i, "']'")
	}
	return step, i + 1
}

// appendPath appends a path's text.
func appendPath(dst []byte, path []PathStep) []byte {
	if len(path) == 0 {
		return append(dst, '.')
	}
	for i, step := range path {
		switch {
		case step.IsIndex:
			dst = strconv.AppendInt(append(dst, '['), int64(step.Index), 10)
			dst = append(dst, ']')
			continue
		case i > 0:
			dst = append(dst, '.')
		}
		if bareWord(step.Key) && strings.IndexByte(step.Key, '.') < 0 {
			dst = append(dst, step.Key...)
		} else {
			dst = appendQuoted(dst, step.Key)
		}
	}
	return dst
}

// pathText is a path for messages.
func pathText(path []PathStep) string { return string(appendPath(nil, path)) }
