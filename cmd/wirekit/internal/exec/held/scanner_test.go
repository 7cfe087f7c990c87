package held

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScanner: a text passes from the byte on by which it is not JSON, or not one object or
// array; until then it is held, wherever its pieces end.
func TestScanner(t *testing.T) {
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
		s, n := newScanner(false), 0
		for n < len(text) && s.next([]byte{text[n]}) {
			n++
		}
		if want.held < 0 {
			want.held = len(text)
		}
		require.Equal(t, want.held, n, text)
		require.Equal(t, want.values, s.whole(), text)
		s.stop()
	}
	s := newScanner(true)
	defer s.stop()
	require.True(t, s.next([]byte("{\"a\":1}\n[2]\n{")))
	require.Zero(t, s.whole())
	require.True(t, s.next([]byte("}\n")))
	require.Equal(t, 3, s.whole())
	require.False(t, s.next([]byte("5")))
	require.Zero(t, s.whole())
}
