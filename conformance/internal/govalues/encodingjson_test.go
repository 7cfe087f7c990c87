package govalues

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// order has what docs/encoding-json.md speaks of.
type order struct {
	ID    int             `json:"id" wire:"number"`
	Total json.Number     `json:"total"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Price cents           `json:"price"`
}

// cents prefers MarshalWire to MarshalJSON.
type cents int64

func (c cents) MarshalJSON() ([]byte, error)     { return []byte(`"json"`), nil }
func (c cents) MarshalWire() (wire.Value, error) { return wire.Int(int64(c)), nil }

// TestFromEncodingJSON tries the table of docs/encoding-json.md in every format that takes
// any value.
func TestFromEncodingJSON(t *testing.T) {
	const text = `{"number":7,"total":12.50,"raw":{"b":[1,null],"a":"<&>"},"price":250}`
	for _, name := range []string{"json", "json:pretty", "gcf", "gcx", "glyph", "toon", "tron", "yaml", "bcp", "cbor", "msgpack"} {
		t.Run(name, func(t *testing.T) {
			codec, err := wirekit.Lookup(name)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, wire.MarshalWrite(&out, codec, order{ID: 7, Total: "12.50", Raw: json.RawMessage(`{"b":[1,null],"a":"<&>"}`), Price: 250}))
			v, err := codec.Decode(out.Bytes())
			require.NoError(t, err)
			want, err := wire.ParseJSON([]byte(text))
			require.NoError(t, err)
			require.True(t, wire.Equal(want, v), "%s", v)

			var back order
			require.NoError(t, wire.UnmarshalRead(codec, &out, &back))
			require.Equal(t, 7, back.ID)
			require.JSONEq(t, `{"b":[1,null],"a":"<&>"}`, string(back.Raw))

			src, err := codec.AppendEncode(nil, want)
			require.NoError(t, err)
			var few struct{ Total any }
			require.ErrorIs(t, wire.Options{RejectUnknownMembers: true}.Unmarshal(codec, src, &few), wire.ErrUnknownMember)
			require.NoError(t, wire.Options{UseNumber: true}.Unmarshal(codec, src, &few))
			require.IsType(t, json.Number(""), few.Total)
			few.Total = nil
			require.NoError(t, wire.Unmarshal(codec, src, &few))
			require.Equal(t, 12.5, few.Total)
		})
	}
}
