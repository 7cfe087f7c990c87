package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestEscapesAtEveryDistance decodes strings whose escapes are at all distances from
// each other and from the string's ends, and compares with encoding/json.
func TestEscapesAtEveryDistance(t *testing.T) {
	trials.OneGoroutine(t)
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöü漢字0123456789"
	escapes := []string{`\n`, `\"`, `\\`, `\/`, `\u0041`, `\u00e9`, `\u6f22`, `\ud83d\ude42`}
	for n, first := range escapes {
		for before := range 20 {
			for between := range 40 {
				second := escapes[(n+before+between)%len(escapes)]
				text := `["` + plain[:before] + first + plain[:between] + second + plain[:(before+between)%9] + first + first + plain[:n] + `"]`
				text = strings.ToValidUTF8(text, "")
				var want []string
				require.NoError(t, json.Unmarshal([]byte(text), &want))
				v := codectest.JSON(t, text)
				require.Equal(t, want[0], v.Index(0).Text(), text)
				for _, bad := range []string{"\x01", "\n", "\x1f"} {
					_, err := wire.ParseJSON([]byte(strings.Replace(text, second, second+bad, 1)))
					require.Error(t, err)
				}
				_, err := wire.ParseJSON([]byte(text[:len(text)-2]))
				require.ErrorIs(t, err, wire.ErrTruncated)
			}
		}
	}
}
