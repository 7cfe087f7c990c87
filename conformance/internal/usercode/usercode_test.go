// Package usercode holds that methods of users' types, which may change what is being
// written, break nothing in any format.
package usercode

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// Values whose methods change the value that they are a part of, while it is marshalled
// or unmarshalled and addresses in it are held.

// onCall is what the methods below do.
type onCall func()

func (f onCall) now() {
	if f != nil {
		f()
	}
}

type callJSON struct{ do onCall }

func (c callJSON) MarshalJSON() ([]byte, error) { c.do.now(); return []byte(`{"x":[1,"y"]}`), nil }

type callText struct{ do onCall }

func (c callText) MarshalText() ([]byte, error) { c.do.now(); return []byte("text"), nil }

type callWire struct{ do onCall }

func (c callWire) MarshalWire() (wire.Value, error) { c.do.now(); return wire.Int(1), nil }

type callZero struct {
	N  int
	do onCall
}

func (c callZero) IsZero() bool { c.do.now(); return c.N == 0 }

type callZeroAt struct {
	N  int
	do onCall
}

func (c *callZeroAt) IsZero() bool { c.do.now(); c.N++; return c.N == 1 }

type callKey struct{ do *onCall }

func (c callKey) MarshalText() ([]byte, error) { c.do.now(); return fmt.Append(nil, "key"), nil }

type callError struct{ do onCall }

func (c callError) MarshalJSON() ([]byte, error) { return nil, c }
func (c callError) Error() string                { c.do.now(); return "refused" }

// changing is a row that its methods may change. A read through an embedded pointer that
// is nil would be one of an address beyond the first page.
type changing struct {
	ID     int
	Zero   callZero   `json:",omitzero"`
	ZeroAt callZeroAt `json:",omitzero"`
	Calls  any        `json:",omitempty"`
	*Distant
	Leaf  *changingLeaf  `json:",omitempty"`
	List  []changingLeaf `json:",omitempty"`
	Map   map[string]changingLeaf
	Any   map[string]any
	Anys  []any
	After string
}

type Distant struct {
	Far   [1 << 12]byte `json:"-"`
	Name  string
	Count int `json:",omitempty"`
}

type changingLeaf struct {
	Z    callZero `json:",omitzero"`
	Text string
}

func newChanging(id int, do onCall, calls any) changing {
	leaf := changingLeaf{callZero{1, do}, "text"}
	return changing{ID: id, Zero: callZero{1, do}, ZeroAt: callZeroAt{1, do}, Calls: calls, Distant: &Distant{Name: "name", Count: 2}, Leaf: &leaf,
		List: []changingLeaf{leaf, leaf}, Map: map[string]changingLeaf{"a": leaf, "b": leaf},
		Any: map[string]any{"leaf": leaf, "text": "x", "at": &leaf}, Anys: []any{leaf, "text", &leaf}, After: "after"}
}

// plainChanging has the members that tables can have, and no methods but IsZero.
type plainChanging struct {
	ID   int
	Zero callZero `json:",omitzero"`
	*Distant
	Leaf *string
	Name string
}

// changes are what happens to all rows when a method is called.
func changes() map[string]func(rows *[]changing) {
	return map[string]func(rows *[]changing){
		"pointers": func(rows *[]changing) {
			for i := range *rows {
				(*rows)[i].Distant, (*rows)[i].Leaf, (*rows)[i].Calls = nil, nil, nil
			}
		},
		"pointers, back and forth": func(rows *[]changing) {
			for i := range *rows {
				if r := &(*rows)[i]; r.Distant == nil {
					r.Distant, r.Leaf = &Distant{Name: "new"}, &changingLeaf{}
				} else {
					r.Distant, r.Leaf = nil, nil
				}
			}
		},
		"lists": func(rows *[]changing) {
			for i := range *rows {
				(*rows)[i].List, (*rows)[i].Anys = nil, (*rows)[i].Anys[:0]
			}
			*rows = nil
		},
		"maps less": func(rows *[]changing) {
			for i := range *rows {
				clear((*rows)[i].Map)
				clear((*rows)[i].Any)
			}
		},
		"maps more": func(rows *[]changing) {
			for i := range *rows {
				r := &(*rows)[i]
				for range 3 {
					r.Map[fmt.Sprint("more", len(r.Map))] = changingLeaf{Text: "x"}
					r.Any[fmt.Sprint("more", len(r.Any))] = changingLeaf{Text: "x"}
				}
			}
		},
	}
}

// TestUserCode marshals values that change meanwhile in every format. What comes of them
// is a document, or an error, and never a panic or memory that belongs to others.
func TestUserCode(t *testing.T) {
	trials.OneGoroutine(t)
	for name, change := range changes() {
		t.Run(name, func(t *testing.T) {
			for _, c := range wirekit.Registry().Codecs() {
				for which := range 7 {
					var rows []changing
					calls := 0
					do := onCall(func() {
						if calls++; calls == 2 { // another conversion, while this one goes on
							_, _ = wire.Marshal(codectest.Values(c), newChanging(9, nil, 1))
						}
						if calls < 40 {
							change(&rows)
						}
					})
					kinds := []any{callJSON{do}, callText{do}, callWire{do}, &callZero{1, do}, callError{do}, map[callKey]int{{&do}: 1}, []callZeroAt{{1, do}}}
					rows = []changing{newChanging(1, nil, nil), newChanging(2, do, kinds[which]), newChanging(3, do, 1)}
					for _, v := range []any{rows, &rows, rows[1], &rows[1], map[string]changing{"a": rows[1], "b": rows[2]}, []any{rows[1], &rows[2]}} {
						marshalChanging(t, c, v)
						rows = []changing{newChanging(1, nil, nil), newChanging(2, do, kinds[which]), newChanging(3, do, 1)}
						calls = 0
					}
				}
			}
		})
	}
}

// TestUserCodeInTables is TestUserCode for rows that most formats write as a table.
func TestUserCodeInTables(t *testing.T) {
	trials.OneGoroutine(t)
	for _, c := range describe.All(wirekit.Registry()) {
		var rows []plainChanging
		text, calls := "text", 0
		do := onCall(func() {
			calls++
			for i := range rows {
				if r := &rows[i]; calls%3 == 1 {
					r.Distant, r.Leaf, r.Zero.N = nil, nil, calls%2
				} else {
					r.Distant, r.Leaf = &Distant{Name: "new"}, &text
				}
			}
		})
		for i := range 100 {
			rows = append(rows, plainChanging{i, callZero{1, do}, &Distant{Name: "name"}, &text, "row"})
		}
		marshalChanging(t, c, rows)
		marshalChanging(t, c, struct{ Rows []plainChanging }{rows})
	}
}

func marshalChanging(t *testing.T, c wire.Codec, v any) {
	t.Helper()
	text, err := wire.Marshal(codectest.Values(c), v)
	if err == nil {
		_, err = c.Decode(text)
		require.NoError(t, err, "%s\n%.300s", c.Info().FullName(), text)
	}
	if own, ok := c.(interface{ Marshal(any) ([]byte, error) }); ok {
		if text, err = own.Marshal(v); err == nil {
			_, err = c.Decode(text)
			require.NoError(t, err, "%s\n%.300s", c.Info().FullName(), text)
		}
	}
	if s, ok := c.(wire.Streamer); ok {
		e := wire.NewEncoder[any](s, new(bytes.Buffer))
		_ = errors.Join(e.Encode(v), e.Close())
	}
}

// TestIsZeroOfPointer holds that what an interface holds is never written to: IsZero of
// the pointer gets a copy, as in encoding/json.
func TestIsZeroOfPointer(t *testing.T) {
	type inner struct {
		Z callZeroAt `json:",omitzero"`
	}
	type root struct {
		A     string
		Inner inner
		Many  [2]inner
		Z     callZeroAt `json:",omitzero"`
	}
	v := any(root{A: "x", Inner: inner{callZeroAt{N: 1}}, Many: [2]inner{{callZeroAt{N: 0}}, {callZeroAt{N: 2}}}, Z: callZeroAt{N: 3}})
	for _, c := range describe.All(wirekit.Registry()) {
		for _, v := range []any{v, []any{v}, map[string]any{"v": v}, []root{v.(root)}[0]} {
			marshalChanging(t, c, v)
		}
	}
	require.Equal(t, 3, v.(root).Z.N)
	require.Equal(t, 1, v.(root).Inner.Z.N)
	text, err := wire.Marshal(wire.JSON{}, v)
	require.NoError(t, err)
	require.Equal(t, `{"A":"x","Inner":{"Z":{"N":1}},"Many":[{},{"Z":{"N":2}}],"Z":{"N":3}}`, string(text))
	p := &root{Z: callZeroAt{N: 3}}
	_, err = wire.Marshal(wire.JSON{}, p)
	require.NoError(t, err)
	require.Equal(t, 4, p.Z.N, "a variable of the caller's is asked itself")
}
