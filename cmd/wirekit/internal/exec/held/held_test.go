package held

import (
	"bufio"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// TestHolder: a text passes from the byte on by which it is not JSON, or not one object or
// array; until then it is held, wherever its pieces end.
func TestHolder(t *testing.T) {
	for text, want := range map[string]struct{ held, values int }{ // bytes, -1 for all
		`{"a":[1,2.5e3,{"b":null}],"c":"x\n\"y"}` + "\n": {-1, 1},
		"\ufeff[true,false]":                             {-1, 1},
		" \n[]":                                          {-1, 1},
		`[1,"`:                                           {-1, 0},
		"":                                               {-1, 0},
		"\ufeff":                                         {-1, 0},
		"[INFO] begun":                                   {1, 0},
		"[1,2,x":                                         {5, 0},
		"begun":                                          {0, 0},
		`"text"`:                                         {0, 0},
		"[]\ntrue":                                       {3, 0},
		"[]\n12":                                         {3, 0},
		"[]\n\"":                                         {3, 0},
		"[]\n{}":                                         {3, 0},
		"[]]":                                            {2, 0},
		`{"a":1]`:                                        {6, 0},
		strings.Repeat("[", 600):                         {maxDepth + 1, 0},
	} {
		h := hold(text, false)
		require.Equal(t, want.held >= 0, h.passes, text)
		if want.held < 0 {
			want.held = len(text) - 1
		}
		require.Len(t, h.held, want.held+1, text)
		require.Equal(t, want.values, h.whole(), text)
	}
	require.Zero(t, hold("{\"a\":1}\n[2]\n{", true).whole())
	require.Equal(t, 3, hold("{\"a\":1}\n[2]\n{}\n", true).whole())
	h := hold("{\"a\":1}\n[2]\n{}\n5", true)
	require.True(t, h.passes)
	require.Zero(t, h.whole())
}

// hold holds a text that comes byte by byte.
func hold(text string, lines bool) *holder {
	h := &holder{Copier: Copier{Most: 1 << 20, Lines: lines}, in: bufio.NewReader(iotest.OneByteReader(strings.NewReader(text))), isJSON: true}
	h.hold()
	return h
}
