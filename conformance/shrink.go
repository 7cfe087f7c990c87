package conformance

import (
	"slices"

	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// maxShrinkCalls bounds what Shrink tries.
const maxShrinkCalls = 4000

// Shrink returns the smallest value it can find that still fails: it leaves
// out elements and members, replaces a value by a part of it, and makes
// scalars and keys simpler, as long as fails reports true and the JSON text
// gets shorter. v must fail.
func Shrink(v wire.Value, fails func(wire.Value) bool) wire.Value {
	calls := 0
	for again := true; again; {
		size := len(wire.AppendJSON(nil, v))
		again = anySmaller(v, func(c wire.Value) bool {
			if calls == maxShrinkCalls || len(wire.AppendJSON(nil, c)) >= size {
				return false
			}
			if calls++; !fails(c) {
				return false
			}
			v = c
			return true
		})
	}
	return v
}

// anySmaller reports whether one of the values is taken that are simpler than v in one
// place. The boldest are offered first.
func anySmaller(v wire.Value, take func(wire.Value) bool) bool {
	if v.Kind() < wire.KindArray {
		return slices.ContainsFunc(simplerScalars(v), take)
	}
	if take(wire.Null()) || slices.ContainsFunc(slices.Collect(v.Elements()), take) {
		return true
	}
	members := builder.Children(v)
	n := len(members)
	for size := n; size > 0; size /= 2 {
		for from := 0; from+size <= n; from += size {
			if take(builder.With(v, slices.Concat(members[:from], members[from+size:]))) {
				return true
			}
		}
	}
	for i, m := range members {
		takeWith := func(m wire.Member) bool {
			changed := slices.Clone(members)
			changed[i] = m
			return take(builder.With(v, changed))
		}
		if anySmaller(m.Value, func(c wire.Value) bool { return takeWith(wire.Member{Key: m.Key, Value: c}) }) {
			return true
		}
		if v.Kind() == wire.KindArray {
			continue
		}
		for _, key := range simplerTexts(m.Key) {
			if _, taken := v.Get(key); !taken && takeWith(wire.Member{Key: key, Value: m.Value}) {
				return true
			}
		}
	}
	return false
}

func simplerScalars(v wire.Value) []wire.Value {
	list := []wire.Value{wire.Null(), wire.Bool(true)}
	if k := v.Kind(); k == wire.KindNumber || k == wire.KindString {
		list = append(list, wire.Int(1))
	}
	for _, s := range simplerTexts(v.Text()) {
		switch v.Kind() {
		case wire.KindNumber:
			if n, err := wire.Number(s); err == nil {
				list = append(list, n)
			}
		case wire.KindString:
			list = append(list, wire.Internal.TaggedString(s, wire.Internal.Tag(v)))
		case wire.KindBytes:
			list = append(list, wire.Bytes([]byte(s)))
		}
	}
	return list
}

// simplerTexts returns s without parts of it, and with characters replaced by
// plain ones. It cuts at characters; bytes that are not UTF-8 stay as they are.
func simplerTexts(s string) []string {
	var starts []int
	for i := range s {
		starts = append(starts, i)
	}
	starts = append(starts, len(s))
	n := len(starts) - 1
	list := []string{""}
	for size := n / 2; size > 0; size /= 2 {
		for from := 0; from+size <= n; from += size {
			list = append(list, s[:starts[from]]+s[starts[from+size]:])
		}
	}
	if n > 200 {
		return list
	}
	for i := range n {
		for _, plain := range []string{"a", "1"} {
			list = append(list, s[:starts[i]]+plain+s[starts[i+1]:])
		}
	}
	return list
}
