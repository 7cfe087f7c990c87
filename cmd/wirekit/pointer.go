package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/wire"
)

// pointer is a JSON pointer (RFC 6901), the value of --at. The empty one leads
// to the whole document.
type pointer string

// add adds the flag.
func (p *pointer) add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(p), "at", "", "part of the document to take, a JSON pointer such as /rows/0/items (default: all)")
}

// check finds what is no pointer before anything is read.
func (p pointer) check() error {
	if p != "" && p[0] != '/' {
		return usageError{fmt.Errorf("--at %s: a JSON pointer begins with /, as in /rows/0/items", p)}
	}
	for i := range len(p) {
		if p[i] == '~' && !strings.HasPrefix(string(p[i+1:]), "0") && !strings.HasPrefix(string(p[i+1:]), "1") {
			return usageError{fmt.Errorf("--at %s: in a JSON pointer ~ is written ~0, and / within a key ~1", p)}
		}
	}
	return nil
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// in returns the part of v that the pointer leads to.
func (p pointer) in(v wire.Value) (wire.Value, error) {
	if p == "" {
		return v, nil
	}
	if err := p.check(); err != nil {
		return wire.Value{}, err
	}
	at := ""
	for token := range strings.SplitSeq(string(p[1:]), "/") {
		next, err := child(v, unescapePointer.Replace(token))
		if err != nil {
			return wire.Value{}, fmt.Errorf("--at %s: %s %w", p, cmp.Or(at, "the root"), err)
		}
		v, at = next, at+"/"+token
	}
	return v, nil
}

// child returns the member or the element that a step of a pointer names. The
// error says what v has instead.
func child(v wire.Value, step string) (wire.Value, error) {
	switch v.Kind() {
	case wire.KindObject:
		if member, ok := v.Get(step); ok {
			return member, nil
		}
		return wire.Value{}, fmt.Errorf("has no member %q%s", step, memberNames(v))
	case wire.KindArray:
		i, err := strconv.Atoi(step)
		if err != nil || strconv.Itoa(i) != step || i < 0 {
			return wire.Value{}, fmt.Errorf("is an array of %d elements, and %q is no index, which counts from 0", v.Len(), step)
		}
		if i >= v.Len() {
			return wire.Value{}, fmt.Errorf("is an array of %d elements, counted from 0, without an element %d", v.Len(), i)
		}
		return v.Index(i), nil
	}
	return wire.Value{}, fmt.Errorf("is of kind %s and has no part %q", v.Kind(), step)
}

// memberNames lists an object's first keys for a message.
func memberNames(v wire.Value) string {
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
