package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A change is one operation of a JSON Patch (RFC 6902), which makes some of the difference
// between two values.
type change struct {
	op       string // add, remove or replace
	path     string // a JSON pointer
	old, new wire.Value
}

// changes are what makes b of a, in the order in which they apply. The values are not
// equal.
func changes(list []change, path string, a, b wire.Value) []change {
	switch {
	case wire.Equal(a, b):
		return list
	case a.Kind() == wire.KindObject && b.Kind() == wire.KindObject:
		for key, old := range a.Members() {
			if v, ok := b.Get(key); ok {
				list = changes(list, path+"/"+pointerToken(key), old, v)
			} else {
				list = append(list, change{op: "remove", path: path + "/" + pointerToken(key), old: old})
			}
		}
		for key, v := range b.Members() {
			if _, ok := a.Get(key); !ok {
				list = append(list, change{op: "add", path: path + "/" + pointerToken(key), new: v})
			}
		}
		return list
	case a.Kind() == wire.KindArray && b.Kind() == wire.KindArray:
		return elementChanges(list, path, a, b)
	}
	return append(list, change{"replace", path, a, b})
}

// elementChanges are those of arrays: what they begin and end with alike stays.
func elementChanges(list []change, path string, a, b wire.Value) []change {
	from, m, n := 0, a.Len(), b.Len()
	for from < min(m, n) && wire.Equal(a.Index(from), b.Index(from)) {
		from++
	}
	for m > from && n > from && wire.Equal(a.Index(m-1), b.Index(n-1)) {
		m, n = m-1, n-1
	}
	at := func(i int) string { return path + "/" + strconv.Itoa(i) }
	for i := from; i < min(m, n); i++ {
		list = changes(list, at(i), a.Index(i), b.Index(i))
	}
	for i := m - 1; i >= n; i-- {
		list = append(list, change{op: "remove", path: at(i), old: a.Index(i)})
	}
	for i := m; i < n; i++ {
		list = append(list, change{op: "add", path: at(i), new: b.Index(i)})
	}
	return list
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointerToken is a key as JSON pointers have it.
func pointerToken(key string) string { return pointerEscapes.Replace(key) }

// jsonPatch is the list as a JSON Patch.
func jsonPatch(list []change) wire.Value {
	operations := make([]wire.Value, len(list))
	for i, c := range list {
		members := []wire.Member{{Key: "op", Value: wire.String(c.op)}, {Key: "path", Value: wire.String(c.path)}}
		if c.op != "remove" {
			members = append(members, wire.Member{Key: "value", Value: c.new})
		}
		operations[i] = object(members)
	}
	return wire.Array(operations...)
}

// object returns an object of members whose keys differ.
func object(members []wire.Member) wire.Value {
	o, err := wire.Object(members...)
	if err != nil {
		panic(err)
	}
	return o
}

// maxShown is how much of a value's JSON a difference for people shows.
const maxShown = 300

// text is the change for people, with old and new value.
func (c change) text() (sign byte, line string) {
	path := c.path
	if path == "" {
		path = "the document"
	}
	switch c.op {
	case "add":
		return '+', path + ": " + shown(c.new)
	case "remove":
		return '-', path + ": " + shown(c.old)
	}
	return '~', path + ": " + shown(c.old) + " → " + shown(c.new)
}

func shown(v wire.Value) string {
	text := string(wire.AppendJSON(nil, v))
	if len(text) > maxShown {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:maxShown], ""), len(text))
	}
	return text
}

// The errors for differences that a merge patch cannot make: in it, null takes a member
// away; and what is not an object would be the patch itself, and a list is read as a JSON
// Patch.
var (
	errNoMergePatch = errors.New("a merge patch cannot make this difference, since null in it removes a member; say --json-patch")
	errNoObject     = errors.New("a merge patch is an object, and what this one must make is not; say --json-patch")
)

// mergePatch is what makes b of a as a JSON Merge Patch (RFC 7396).
func mergePatch(a, b wire.Value) (wire.Value, error) {
	if b.Kind() != wire.KindObject {
		return b, errNoObject
	}
	patch := mergeDifference(a, b)
	if !wire.Equal(applyMergePatch(a, patch), b) {
		return patch, errNoMergePatch
	}
	return patch, nil
}

func mergeDifference(a, b wire.Value) wire.Value {
	if a.Kind() != wire.KindObject || b.Kind() != wire.KindObject {
		return b
	}
	var members []wire.Member
	for key, v := range b.Members() {
		old, ok := a.Get(key)
		if !ok || !wire.Equal(old, v) {
			members = append(members, wire.Member{Key: key, Value: mergeDifference(old, v)})
		}
	}
	for key := range a.Members() {
		if _, ok := b.Get(key); !ok {
			members = append(members, wire.Member{Key: key, Value: wire.Null()})
		}
	}
	return object(members)
}

// applyMergePatch is MergePatch of RFC 7396, section 2.
func applyMergePatch(target, patch wire.Value) wire.Value {
	if patch.Kind() != wire.KindObject {
		return patch
	}
	var members []wire.Member
	for key, v := range target.Members() {
		p, ok := patch.Get(key)
		switch {
		case !ok:
			members = append(members, wire.Member{Key: key, Value: v})
		case !p.IsNull():
			members = append(members, wire.Member{Key: key, Value: applyMergePatch(v, p)})
		}
	}
	for key, p := range patch.Members() {
		if _, ok := target.Get(key); !ok && !p.IsNull() {
			members = append(members, wire.Member{Key: key, Value: applyMergePatch(wire.Null(), p)})
		}
	}
	return object(members)
}

// applyJSONPatch applies the operations of a JSON Patch, all or none.
func applyJSONPatch(v, patch wire.Value) (wire.Value, error) {
	for i := range patch.Len() {
		var err error
		if v, err = applyOperation(v, patch.Index(i)); err != nil {
			return v, fmt.Errorf("operation %d of the patch, %s: %w", i, shown(patch.Index(i)), err)
		}
	}
	return v, nil
}

func applyOperation(v, operation wire.Value) (wire.Value, error) {
	if operation.Kind() != wire.KindObject {
		return v, errors.New("it is not an object")
	}
	text := func(key string) (string, error) {
		s, _ := operation.Get(key)
		if s.Kind() != wire.KindString {
			return "", fmt.Errorf("it has no text %q", key)
		}
		return s.Text(), nil
	}
	op, err := text("op")
	if err != nil {
		return v, err
	}
	path, err := text("path")
	if err != nil {
		return v, err
	}
	value, given := operation.Get("value")
	from := ""
	switch op {
	case "add", "replace", "test":
		if !given {
			return v, errors.New(`it has no "value"`)
		}
	case "move", "copy":
		if from, err = text("from"); err != nil {
			return v, err
		}
		if value, err = v.At(from); err != nil {
			return v, err
		}
		if op == "move" {
			if strings.HasPrefix(path, from+"/") {
				return v, errors.New("a value cannot move into itself")
			}
			if v, err = without(v, from); err != nil {
				return v, err
			}
		}
	case "remove":
		return without(v, path)
	default:
		return v, fmt.Errorf(`unknown operation %q; known are add, remove, replace, move, copy, test`, op)
	}
	if op == "add" || op == "move" || op == "copy" {
		return inserted(v, path, value)
	}
	old, err := v.At(path)
	if err != nil {
		return v, err
	}
	if op == "test" {
		if !wire.Equal(old, value) {
			return v, fmt.Errorf("the document has %s there", shown(old))
		}
		return v, nil
	}
	return v.Set(path, value)
}

// without returns v without what is at path; all of it is null.
func without(v wire.Value, path string) (wire.Value, error) {
	if path == "" {
		return wire.Null(), nil
	}
	return v.Delete(path)
}

// inserted returns v with a value at path, before the element that an array has there.
func inserted(v wire.Value, path string, value wire.Value) (wire.Value, error) {
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return v.Set(path, value)
	}
	array, err := v.At(path[:cut])
	if err != nil || array.Kind() != wire.KindArray || path[cut+1:] == "-" {
		return v.Set(path, value)
	}
	elements := slices.Collect(array.Elements())
	i, err := strconv.Atoi(path[cut+1:])
	if err != nil || i < 0 || i > len(elements) || strconv.Itoa(i) != path[cut+1:] {
		return v, fmt.Errorf("%s has %d elements, and %q is not a place among them", path[:cut], len(elements), path[cut+1:])
	}
	return v.Set(path[:cut], wire.Array(slices.Insert(elements, i, value)...))
}
