package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// At returns the part of v at a JSON pointer (RFC 6901), such as "/rows/0/id"; "" is v
// itself. [Error.Path] and [Difference] return such pointers.
//
// The error says what v has where the pointer leads nowhere. Its code is
// invalid_pointer for a text that is not a pointer, else no_such_part.
func (v Value) At(pointer string) (Value, error) {
	tokens, err := pointerTokens(pointer)
	if err != nil {
		return Value{}, err
	}
	for i, token := range tokens {
		k, err := v.part(token)
		if err != nil {
			return Value{}, atTokens(err, tokens[:i])
		}
		v = v.Index(k)
	}
	return v, nil
}

// Set returns v with part at a JSON pointer; v does not change. It replaces what is
// there. A last token that an object lacks becomes its last member, and "-" appends to
// an array. All that leads there must be in v.
func (v Value) Set(pointer string, part Value) (Value, error) { return v.edit(pointer, &part) }

// Delete returns v without what is at a JSON pointer, which must be there; v does not
// change. The elements of an array after it move up.
func (v Value) Delete(pointer string) (Value, error) { return v.edit(pointer, nil) }

func (v Value) edit(pointer string, part *Value) (Value, error) {
	tokens, err := pointerTokens(pointer)
	if err != nil {
		return Value{}, err
	}
	if len(tokens) == 0 && part == nil {
		return Value{}, goError("invalid_pointer", ErrShape, `"" is the whole value, which cannot be deleted from itself`)
	}
	return v.editAt(tokens, 0, part)
}

// editAt is edit from tokens[i] on.
func (v Value) editAt(tokens []string, i int, part *Value) (Value, error) {
	if i == len(tokens) {
		return *part, nil
	}
	last := i == len(tokens)-1
	k, err := v.part(tokens[i])
	switch {
	case err != nil && last && part != nil && v.Kind() == KindObject:
		return Object(append(slices.Collect(v.allMembers), Member{tokens[i], *part})...)
	case last && part != nil && v.Kind() == KindArray && tokens[i] == "-":
		return Array(append(slices.Clone(v.children()), *part)...), nil
	case err != nil:
		return Value{}, atTokens(err, tokens[:i])
	case last && part == nil && v.Kind() == KindArray:
		return Array(slices.Delete(slices.Clone(v.children()), k, k+1)...), nil
	case last && part == nil:
		return Object(slices.Delete(slices.Collect(v.allMembers), k, k+1)...)
	}
	next, err := v.Index(k).editAt(tokens, i+1, part)
	if err != nil {
		return Value{}, err
	}
	children := slices.Clone(v.children())
	children[k] = next
	if v.Kind() == KindArray {
		return Array(children...), nil
	}
	return ObjectOf(v.Keys(), children...), nil
}

// allMembers is an iterator over v's members.
func (v Value) allMembers(yield func(Member) bool) {
	for key, m := range v.Members() {
		if !yield(Member{key, m}) {
			return
		}
	}
}

// part returns the position of the member or the element that a token names. The error
// says what v has instead.
func (v Value) part(token string) (int, error) {
	switch v.Kind() {
	case KindObject:
		if k := v.Keys().Index(token); k >= 0 {
			return k, nil
		}
		return 0, goError("no_such_part", ErrShape, "has no member %q%s", token, v.listKeys())
	case KindArray:
		k, err := strconv.Atoi(token)
		if err != nil || strconv.Itoa(k) != token || k < 0 {
			return 0, goError("no_such_part", ErrShape, "is an array of %d elements, and %q is not an index, which counts from 0", v.Len(), token)
		}
		if k >= v.Len() {
			return 0, goError("no_such_part", ErrShape, "is an array of %d elements, counted from 0, without an element %d", v.Len(), k)
		}
		return k, nil
	}
	return 0, goError("no_such_part", ErrShape, "is of kind %s and has no part %q", v.Kind(), token)
}

// listKeys lists an object's first keys for a message.
func (v Value) listKeys() string {
	const most = 8
	var names []string
	for key := range v.Members() {
		if len(names) == most {
			names = append(names, fmt.Sprintf("and %d more", v.Len()-most))
			break
		}
		names = append(names, strconv.Quote(key))
	}
	if names == nil {
		return ": it is empty"
	}
	return "; it has " + strings.Join(names, ", ")
}

// pointerTokens returns the reference tokens of a JSON pointer.
func pointerTokens(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, goError("invalid_pointer", ErrSyntax, "a JSON pointer begins with /, as in /rows/0/items, not %q", pointer)
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		for j := range len(token) {
			if token[j] == '~' && !strings.HasPrefix(token[j+1:], "0") && !strings.HasPrefix(token[j+1:], "1") {
				return nil, goError("invalid_pointer", ErrSyntax, "in a JSON pointer ~ is written ~0, and / within a key ~1, not as in %q", pointer)
			}
		}
		tokens[i] = scan.PointerUnescapes.Replace(token)
	}
	return tokens, nil
}

// atTokens puts what leads to a fault in front of its path and its message.
func atTokens(err error, tokens []string) error {
	for _, token := range slices.Backward(tokens) {
		AtKey(err, token)
	}
	e := err.(*Error)
	e.Message = cmp.Or(e.Path(), "the root") + " " + e.Message
	return err
}
