package positions

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestPositionsOfUnknownKeys: the position of a member that no field takes is where the text
// is another if its key is, or its value, though other values have that word as well.
func TestPositionsOfUnknownKeys(t *testing.T) {
	type row struct {
		A  string `json:"a"`
		B  any    `json:"b"`
		In any    `json:"in"`
	}
	placed := 0
	for _, template := range []string{
		`{"a":"say note\n","b":2,"KEY":VALUE}`,
		`{"a":"note","b":"\tnote: x","KEY":VALUE}`,
		`{"a":"\"note\"","b":{"note":"\n"},"KEY":VALUE,"in":1}`,
		`{"a":"1","b":[],"KEY":VALUE}`,
		`{"a":"note=1 note\n","KEY":[VALUE],"b":{"note":"note\n"}}`,
	} {
		for _, list := range []bool{false, true} {
			var target any = new(row)
			path := "/note"
			if list {
				template, target, path = `[{"a":"x","b":1},`+template+`]`, new([]row), "/1/note"
			}
			for _, c := range describe.All(wirekit.Registry()) {
				encode := func(key, value string) []byte {
					text := strings.NewReplacer("KEY", key, "VALUE", value).Replace(template)
					src, _ := c.AppendEncode(nil, codectest.JSON(t, text))
					return src
				}
				src := encode("note", "3")
				if src == nil || c.Info().Binary {
					continue
				}
				var e *wire.Error
				require.ErrorAs(t, wire.Options{RejectUnknownMembers: true}.Unmarshal(c, src, target), &e, "%s %s", c.Info().FullName(), src)
				if e.Line == 0 || e.Path() != path { // or the format gives it to all rows
					continue
				}
				placed++
				const most = len(`"not`) // what the two keys begin with
				near := false
				for _, other := range [][]byte{encode("notf", "3"), encode("note", "4")} {
					at := 0
					for at < min(len(src), len(other)) && src[at] == other[at] {
						at++
					}
					near = near || at >= e.Offset && at <= e.Offset+most && bytes.IndexByte(src[e.Offset:at], '\n') < 0
				}
				require.True(t, near, "%s %d:%d\n%s", c.Info().FullName(), e.Line, e.Column, src)
			}
		}
	}
	require.Greater(t, placed, 200)
}
