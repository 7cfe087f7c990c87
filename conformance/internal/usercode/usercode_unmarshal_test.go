package usercode

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
)

// onUnmarshal is what the methods below do while a target is being filled.
var onUnmarshal func()

// took has what the methods were given, which is theirs for the time of the call.
var took []string

func take(text []byte) string {
	s := string(text)
	for i := range text { // the memory is not the document's
		text[i] = '?'
	}
	if took = append(took, s); onUnmarshal != nil {
		onUnmarshal()
	}
	return s
}

type takesJSON struct{ Text string }

func (x *takesJSON) UnmarshalJSON(text []byte) error { x.Text = take(text); return nil }

type takesText struct{ Text string }

func (x *takesText) UnmarshalText(text []byte) error { x.Text = take(text); return nil }

type takesWire struct{ Text string }

func (x *takesWire) UnmarshalWire(v wire.Value) error { x.Text = take(fmt.Append(nil, v)); return nil }

// filled is a row that is filled while its methods change it.
type filled struct {
	A takesJSON
	*Distant
	B    takesText
	Leaf *filledLeaf
	C    takesWire
	List []filledLeaf
	Map  map[string]filledLeaf
	Keys map[takesText]int
	Any  any
	Last string
}

type filledLeaf struct {
	T takesText
	S string
}

// TestUserCodeUnmarshals: methods that change what is being filled, while addresses in it
// are held, change nothing else and do not keep Unmarshal from its end. Run with the race
// detector and with checkptr it finds memory that is written where it no longer belongs.
func TestUserCodeUnmarshals(t *testing.T) {
	const row = `{"A":{"x":[1,"y"]},"Name":"name","Count":3,"B":"text","Leaf":{"T":"t","S":"s"},"C":[1,2],"List":[{"T":"t","S":"1"},{"T":"u","S":"2"}],` +
		`"Map":{"k":{"T":"t","S":"m"},"l":{"T":"t","S":"n"}},"Keys":{"p":1,"q":2},"Any":{"a":[1,{"b":null}]},"Last":"last"}`
	document, err := wire.ParseJSON([]byte("[" + row + "," + row + "," + row + "]"))
	require.NoError(t, err)
	var rows []filled
	changes := map[string]func(){
		"nothing": nil,
		"pointers": func() {
			for i := range rows {
				rows[i].Distant, rows[i].Leaf = nil, nil
			}
		},
		"new pointers": func() {
			for i := range rows {
				rows[i].Distant, rows[i].Leaf = &Distant{Name: "other"}, &filledLeaf{S: "other"}
			}
		},
		"lists": func() {
			for i := range rows {
				rows[i].List = nil
			}
			rows = nil
		},
		"longer lists": func() {
			for i := range rows {
				rows[i].List = append(rows[i].List, filledLeaf{}, filledLeaf{}, filledLeaf{})
			}
			rows = append(slices.Clone(rows), filled{})
		},
		"maps": func() {
			for i := range rows {
				rows[i].Map, rows[i].Any = map[string]filledLeaf{"other": {}}, map[string]any{"other": 1}
				clear(rows[i].Keys)
			}
		},
		"another document": func() {
			do, own := onUnmarshal, took
			onUnmarshal = nil
			var other []filled
			require.NoError(t, wire.Unmarshal(wire.JSON{}, []byte("["+row+"]"), &other))
			onUnmarshal, took = do, own
		},
	}
	defer func() { onUnmarshal = nil }()
	for _, c := range describe.All(wirekit.Registry()) {
		text, err := c.AppendEncode(nil, document)
		if err != nil {
			continue // what cannot carry nested values
		}
		back, err := c.Decode(text)
		require.NoError(t, err)
		if loss, _ := wire.Difference(document, back); loss&^wire.LossOrder != 0 {
			continue
		}
		before := string(text)
		for name, do := range changes {
			name = c.Info().FullName() + ", " + name
			for _, start := range [][]filled{nil, make([]filled, 1, 2), {{Distant: &Distant{}, Leaf: &filledLeaf{}, Map: map[string]filledLeaf{}}}} {
				rows, took = start, nil
				onUnmarshal = do
				require.NoError(t, wire.Unmarshal(c, text, &rows), name)
				require.Equal(t, before, string(text), name)
				require.Len(t, took, 3*10, name)
				require.Contains(t, took, "text", name)
				if do == nil {
					var want []filled
					require.NoError(t, json.Unmarshal(withWire(t, row), &want), name)
					for i := range rows {
						require.Equal(t, want[0], rows[i], name)
					}
				}
			}
		}
	}
}

// withWire returns a list of the row as encoding/json reads it into filled, which
// it cannot ask for UnmarshalWire.
func withWire(t *testing.T, row string) []byte {
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(row), &members))
	members["C"] = json.RawMessage(`{"Text":"[1,2]"}`)
	text, err := json.Marshal([]any{members})
	require.NoError(t, err)
	return text
}
