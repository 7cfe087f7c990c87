package wire

import (
	"strconv"
	"testing"
)

// TestWideKeys compares the positions that a wide object's keys have with those in
// a map.
func TestWideKeys(t *testing.T) {
	for _, n := range []int{maxShapeDepth - 1, maxShapeDepth, maxShapeDepth + 1, 5000} {
		var b Builder
		o := b.Object()
		at := map[string]int{}
		for i := range 2 * n {
			key := "key" + strconv.Itoa(i*7919%(n+n/2))
			_, known := at[key]
			if !known {
				at[key] = len(at)
			}
			if b.Key(&o, key) == known {
				t.Fatalf("%d keys: %q is new: %v", n, key, !known)
			}
			b.Put(&o, Int(int64(i)))
			if known && o.slot != -1 {
				t.Fatalf("%d keys: a slot is left behind %q", n, key)
			}
		}
		v := b.EndObject(&o)
		if v.Len() != len(at) {
			t.Fatalf("%d members, not %d", v.Len(), len(at))
		}
		for i, key := range v.Keys().All() {
			if at[key] != i {
				t.Fatalf("%d keys: %q stands at %d, not %d", n, key, i, at[key])
			}
		}
	}
}

func TestKeyIn(t *testing.T) {
	const key = "a_key1x"
	for _, c := range []struct {
		name, known, text string
		at, want          int
	}{
		{"the key", key, key + ": 1", 0, len(key)},
		{"further on", key, "  " + key + ":", 2, 2 + len(key)},
		{"at the end", key, key, 0, -1},
		{"a part of it", key, key[:4], 0, -1},
		{"longer", key, key + "2:", 0, -1},
		{"another", key, "b_key1x:", 0, -1},
		{"with a space behind it", key, key + " :", 0, -1},
		{"none before", "", key + ":", 0, -1},
		{"with a colon in it", "a:b", "a:b: 1", 0, -1},
		{"with quotation marks", `"a"`, `"a": 1`, 0, -1},
		{"with a space in it", "a b", "a b: 1", 0, -1},
		{"with a bracket in it", "a[1]", "a[1]: 1", 0, -1},
	} {
		var b Builder
		if c.known != "" {
			o := b.Object()
			b.Key(&o, c.known)
			b.Put(&o, Null())
			b.EndObject(&o)
		}
		o := b.Object()
		got := Internal.KeyIn(&b, &o, c.text, c.at, ':')
		if got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
		if got < 0 {
			b.Key(&o, "other")
		}
		b.Put(&o, Bool(true))
		if v := b.EndObject(&o); v.Len() != 1 || got >= 0 && v.keys().names[0] != c.known {
			t.Errorf("%s: the object is %v", c.name, v)
		}
	}
}

// TestKeyInWords: only identifiers are expected.
func TestKeyInWords(t *testing.T) {
	for _, key := range []string{"a-1", "a.x", "1a", "-", "."} {
		var b Builder
		o := b.Object()
		b.Key(&o, key)
		b.Put(&o, Null())
		b.EndObject(&o)
		o = b.Object()
		if at := Internal.KeyIn(&b, &o, key+":1", 0, ':'); at >= 0 {
			t.Errorf("%s: %d", key, at)
		}
	}
}
