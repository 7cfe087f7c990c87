package glyph

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// patchAction is what an operation of a patch does, by its character in the
// text.
type patchAction byte

const (
	actionSet    patchAction = '=' // set a member or replace an element
	actionAppend patchAction = '+' // append to a list, or insert at an index; makes a list that is not there
	actionDelete patchAction = '-' // delete a member or an element
	actionDelta  patchAction = '~' // add to a number
)

// A pathStep leads from a value to one inside it: to the member key of a map
// or, if isIndex is set, to the element index of a list.
type pathStep struct {
	key     string
	index   int
	isIndex bool
}

// A patchOp is one operation.
type patchOp struct {
	action patchAction
	path   []pathStep
	value  wire.Value // of all but actionDelete
	at     int        // the index that actionAppend inserts at; below zero for the list's end
}

// A Patch is a list of changes to one value, in the order in which they apply
// ("Patch Base Fingerprint"). [NewPatchBuilder], [Diff] and [ParsePatch] make patches.
//
// A path is the keys of members with dots between them and the indexes of elements in
// brackets: a.b, list[2].name. A key that is not a word is quoted, as in a["any key"] or
// "any key".b, and "." is the whole value. A path is not a JSON pointer: one that begins
// with a slash is an error, unless its key is quoted.
type Patch struct {
	Target   string // what the patch is for: "m:123"; may be empty
	SchemaID string // id of the schema, without "#"; may be empty
	// Base is the first 16 digits of the base's Fingerprint; "" for none. A patch
	// from another program may have that of [ProfileUpstream]. To change it, call
	// [Patch.WithBaseFingerprint] or [Patch.WithBaseValue]: a patch also knows the exact
	// fingerprint of a base that was given as a value, which they change with it.
	Base string

	// exact is the first 16 digits of the base's fingerprintExact, "" for none.
	// Unlike Base it tells all values apart. In the text it is the header's word
	// @exact=, which other readers pass over.
	exact   string
	keyMode string // how paths name keys: "wire" (the default), "name" or "fid"
	ops     []patchOp
	err     error // what went wrong while the patch was built
}

// baseLength is how many digits of a fingerprint a patch holds.
const baseLength = 16

// NewPatchBuilder returns a patch without changes for the target, an id without its "^"
// such as "m:123". The methods that add to a patch keep the first mistake, such as a
// malformed path: the patch has no text then and applies to nothing, and
// [Patch.AppendText] and [Patch.Apply] return the mistake.
func NewPatchBuilder(target string) *Patch { return &Patch{Target: target} }

// Build returns the patch itself, to which changes can still be added. It is there because
// the document's builder has it.
func (p *Patch) Build() *Patch { return p }

// WithBaseValue makes the patch apply to this value only: it computes the
// document's fingerprint, for every reader, and the exact one.
func (p *Patch) WithBaseValue(base wire.Value) *Patch {
	full, err := canonicalText.Fingerprint(base)
	if err != nil {
		return p.fail(err)
	}
	p.Base, p.exact = full[:baseLength], fingerprintExact(base)[:baseLength]
	return p
}

// WithBaseFingerprint makes the patch apply only to a value with this
// fingerprint: at least 16 hexadecimal digits, of which it keeps the first 16.
// Such a patch has no exact fingerprint. [Codec.Fingerprint] gives that of
// [ProfileUpstream], for the reference implementations since June 2026.
func (p *Patch) WithBaseFingerprint(fingerprint string) *Patch {
	base, err := baseOf(fingerprint)
	if p.Base, p.exact = base, ""; err != nil {
		return p.fail(err)
	}
	return p
}

func baseOf(fingerprint string) (string, error) {
	base := strings.ToLower(fingerprint[:min(len(fingerprint), baseLength)])
	if len(base) < baseLength || strings.Trim(base, "0123456789abcdef") != "" {
		return "", fault("invalid_base", wire.ErrSyntax, "a base needs 16 hexadecimal digits")
	}
	return base, nil
}

// Set sets the value at the path, whose parent must exist. The path "." is the
// whole value. A [Patch] says what a path is.
func (p *Patch) Set(path string, v wire.Value) *Patch {
	return p.add(path, patchOp{action: actionSet, value: v})
}

// Append appends v to the list at the path. A list that is not there is made, in
// an object that is.
func (p *Patch) Append(path string, v wire.Value) *Patch {
	return p.add(path, patchOp{action: actionAppend, value: v, at: -1})
}

// Insert inserts v before element i of the list at the path; i may be the
// list's length. Like Append it makes a list that is not there.
func (p *Patch) Insert(path string, i int, v wire.Value) *Patch {
	if i < 0 {
		p.fail(fault("invalid_index", wire.ErrRange, "an index below zero"))
	}
	return p.add(path, patchOp{action: actionAppend, value: v, at: i})
}

// Delete deletes the member or element at the path.
func (p *Patch) Delete(path string) *Patch {
	return p.add(path, patchOp{action: actionDelete})
}

// Delta adds a number to the number at the path. The sum is exact, whole or not:
// 1 and 0.5 are 1.5, 0.1 and 0.2 are 0.3.
func (p *Patch) Delta(path string, amount wire.Value) *Patch {
	return p.add(path, patchOp{action: actionDelta, value: amount})
}

func (p *Patch) add(path string, op patchOp) *Patch {
	steps, err := parsePath(path)
	if err == nil {
		op.path = steps
		err = op.check()
	}
	if err != nil {
		return p.fail(err)
	}
	p.ops = append(p.ops, op)
	return p
}

func (p *Patch) fail(err error) *Patch {
	if p.err == nil {
		p.err = err
	}
	return p
}

// The codecs whose texts of the base a patch's Base may be of.
var (
	canonicalText = Codec{Profile: ProfileCanonical}
	upstreamText  = Codec{Profile: ProfileUpstream}
)

// verifyBase reports, by its error, whether the patch is meant for base: every
// fingerprint that the patch has must be that of base.
func (p *Patch) verifyBase(base wire.Value) error {
	if p.Base != "" {
		full, err := canonicalText.Fingerprint(base)
		if err != nil {
			return err
		}
		if full[:baseLength] != p.Base {
			if other, err := upstreamText.Fingerprint(base); err == nil && other[:baseLength] == p.Base {
				full = other
			}
		}
		if err := sameBase("base", p.Base, full); err != nil {
			return err
		}
	}
	if p.exact != "" {
		return sameBase("exact base", p.exact, fingerprintExact(base))
	}
	return nil
}

func sameBase(what, want, full string) error {
	if full[:baseLength] == want {
		return nil
	}
	return fault("base_mismatch", wire.ErrChecksum,
		fmt.Sprintf("the patch is for the %s %.20q, the value's fingerprint is %s", what, want, full[:baseLength]))
}

// check refuses operations that have no meaning whatever they apply to.
func (op patchOp) check() error {
	switch op.action {
	case actionDelete:
		if len(op.path) == 0 {
			return fault("invalid_path", wire.ErrShape, "the whole value cannot be deleted")
		}
	case actionDelta:
		if op.value.Kind() != wire.KindNumber {
			return fault(wire.CodeTypeMismatch, wire.ErrShape, "~ needs a number, not "+op.value.Kind().String())
		}
	}
	return nil
}

// parsePath parses a path of a patch: members separated by dots, a["key"] or
// "quoted" for keys that are not words, [2] for elements. A leading dot is
// allowed; "." alone is the whole value. A path has at most 512 steps.
func parsePath(path string) (steps []pathStep, err error) {
	err = parseText(path, func(p *parser) bool {
		p.line = true
		var i int
		if steps, i = p.path(0); i >= 0 && i != p.end {
			i = p.expected(i, "the end of the path")
		}
		return i >= 0
	})
	return steps, err
}

// path parses a path up to the white space after it.
func (p *parser) path(i int) ([]pathStep, int) {
	var steps []pathStep
	switch {
	case p.s[i] == '.' && p.s[i+1] <= ' ':
		return nil, i + 1
	case p.s[i] == '/':
		return nil, p.fail(i, "invalid_path", wire.ErrShape, "a path that begins with a slash: paths are a.b and list[2], and a key that begins with one is in quotation marks")
	}
	for first := true; ; first = false {
		dot := p.s[i] == '.'
		if dot {
			i++
		}
		var step pathStep
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
func (p *parser) keyStep(i int) (pathStep, int) {
	if p.s[i] == '"' {
		key, i := p.quoted(i)
		return pathStep{key: strings.Clone(key)}, i
	}
	if p.s[i] == '#' {
		key, i := p.numbered(i)
		return pathStep{key: key}, i
	}
	end := p.stepEnd(i)
	if end == i {
		return pathStep{}, p.expected(i, "a key")
	}
	return pathStep{key: strings.Clone(p.s[i:end])}, end
}

// stepEnd is partEnd, but stops at the first dot.
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
func (p *parser) bracketStep(i int) (pathStep, int) {
	var step pathStep
	i++
	if p.s[i] == '"' {
		if step, i = p.keyStep(i); i < 0 {
			return step, i
		}
	} else {
		j := scan.Digits(p.s, i)
		n, err := strconv.ParseUint(p.s[i:j], 10, 31)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return step, p.fail(i, "invalid_index", wire.ErrRange, "an index of 2^31 or more")
		case err != nil:
			return step, p.expected(j, "an index or a quoted key")
		}
		step, i = pathStep{index: int(n), isIndex: true}, j
	}
	if p.s[i] != ']' {
		return step, p.expected(i, "']'")
	}
	return step, i + 1
}

// appendPath appends a path's text.
func appendPath(dst []byte, path []pathStep) []byte {
	if len(path) == 0 {
		return append(dst, '.')
	}
	for i, step := range path {
		switch {
		case step.isIndex:
			dst = strconv.AppendInt(append(dst, '['), int64(step.index), 10)
			dst = append(dst, ']')
			continue
		case i > 0:
			dst = append(dst, '.')
		}
		dst = appendWord(dst, step.key, bareWord(step.key) && strings.IndexByte(step.key, '.') < 0)
	}
	return dst
}

// pathText is a path for messages.
func pathText(path []pathStep) string { return string(appendPath(nil, path)) }
