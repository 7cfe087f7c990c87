package fold

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// TestGolden holds what a reader sees: testdata/answer.json folded in each
// format. The legend is before the data, an entry or the rules of a path on
// a line where the format has lines.
//
//	UPDATE_GOLDEN=1 go test ./fold -run TestGolden
func TestGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/answer.json")
	require.NoError(t, err)
	v := codectest.JSON(t, text)
	for _, inner := range []wire.Codec{gcf.Codec{}, gcx.Codec{}, glyph.Codec{}, toon.Codec{}, wire.JSON{Indent: " "}} {
		for _, ordered := range []bool{false, true} {
			info := inner.Info()
			name := info.Name
			if ordered {
				name += "_ordered"
			}
			t.Run(name, func(t *testing.T) {
				codec := Codec{Inner: inner, Options: Options{Counter: tokens.O200k{}, KeepOrder: ordered}}
				got := codectest.Encoded(t, codec, v)
				file := filepath.Join("testdata", name+".txt")
				if os.Getenv("UPDATE_GOLDEN") != "" {
					require.NoError(t, os.WriteFile(file, got, 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), string(got), "UPDATE_GOLDEN=1 go test ./fold -run TestGolden")
				back := codectest.Decoded(t, codec, want)
				require.True(t, wire.Equal(v, back))
				if ordered && info.Loss&wire.LossOrder == 0 {
					require.True(t, wire.Identical(v, back))
				}
			})
		}
	}
}
