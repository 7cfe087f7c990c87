package govalues

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/yaml"
)

// TestForeignTags: the tags of other libraries name nothing, as the package docs say.
func TestForeignTags(t *testing.T) {
	type config struct {
		Host string `yaml:"y" cbor:"1,keyasint" msgpack:"m"`
		Port int    `json:"port" yaml:"y2" cbor:"2,keyasint" msgpack:"m2"`
	}
	want := map[string]any{"Host": "h", "port": 1.0}
	for name, c := range map[string]struct {
		marshal   func(any) ([]byte, error)
		unmarshal func([]byte, any) error
	}{
		"yaml": {yaml.Marshal, yaml.Unmarshal}, "cbor": {cbor.Marshal, cbor.Unmarshal}, "msgpack": {msgpack.Marshal, msgpack.Unmarshal},
	} {
		text, err := c.marshal(config{"h", 1})
		require.NoError(t, err, name)
		var got map[string]any
		require.NoError(t, c.unmarshal(text, &got), name)
		require.Equal(t, want, got, name)
	}
}
