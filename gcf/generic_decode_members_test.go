package gcf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// A prediction must change neither what is accepted nor what it means.
func TestPredictedKeys(t *testing.T) {
	// Items of an expanded array, which are objects read one after the other.
	document := func(items ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "GCF profile=generic\n## [%d]\n", len(items))
		for i, item := range items {
			fmt.Fprintf(&b, "@%d {}\n  %s\n", i, strings.ReplaceAll(item, " / ", "\n  "))
		}
		return b.String()
	}
	for _, c := range []struct {
		name  string
		items []string
		want  string // JSON
	}{
		{"the same", []string{"a=1 / b=2 / c=3", "a=4 / b=5 / c=6"}, `[{"a":1,"b":2,"c":3},{"a":4,"b":5,"c":6}]`},
		{"one is missing", []string{"a=1 / b=2 / c=3 / d=4", "a=5 / c=6 / d=7"}, `[{"a":1,"b":2,"c":3,"d":4},{"a":5,"c":6,"d":7}]`},
		{"two are missing", []string{"a=1 / b=2 / c=3 / d=4", "a=5 / d=7"}, `[{"a":1,"b":2,"c":3,"d":4},{"a":5,"d":7}]`},
		{"one is missing at the start", []string{"a=1 / b=2 / c=3", "b=5 / c=6"}, `[{"a":1,"b":2,"c":3},{"b":5,"c":6}]`},
		{"one more", []string{"a=1 / b=2 / c=3", "a=4 / x=0 / b=5 / c=6 / y=0"}, `[{"a":1,"b":2,"c":3},{"a":4,"x":0,"b":5,"c":6,"y":0}]`},
		{"another order", []string{"a=1 / b=2 / c=3", "c=4 / b=5 / a=6"}, `[{"a":1,"b":2,"c":3},{"c":4,"b":5,"a":6}]`},
		{"a key that begins like another", []string{"a=1 / b=2 / c=3", "ab=4 / b2=5 / c_=6"}, `[{"a":1,"b":2,"c":3},{"ab":4,"b2":5,"c_":6}]`},
		{"arrays", []string{"a[1]: 1 / b=2 / c=3", "a=4 / b[0]: / c[2]: 5,6"}, `[{"a":[1],"b":2,"c":3},{"a":4,"b":[],"c":[5,6]}]`},
		{"sections", []string{"## a / ## b [0] / c=3 / d=4", "## a / ## b [0] / c=5 / d=6"}, `[{"a":{},"b":[],"c":3,"d":4},{"a":{},"b":[],"c":5,"d":6}]`},
		{"shorter, then longer", []string{"a=1 / b=2 / c=3", "a=4 / b=5", "a=6 / b=7 / c=8 / d=9", "a=10", "a=11 / b=12"},
			`[{"a":1,"b":2,"c":3},{"a":4,"b":5},{"a":6,"b":7,"c":8,"d":9},{"a":10},{"a":11,"b":12}]`},
		{"longer in the middle", []string{"a=1 / b=2 / c=3", "a=4 / b=5 / x=0 / c=6", "a=7 / b=8 / x=0 / y=0", "a=9 / b=10 / c=11"},
			`[{"a":1,"b":2,"c":3},{"a":4,"b":5,"x":0,"c":6},{"a":7,"b":8,"x":0,"y":0},{"a":9,"b":10,"c":11}]`},
		{"more kinds than are remembered", []string{"a=1 / b=2", "a=1 / c=2", "a=1 / d=2", "a=1 / e=2", "a=1 / f=2", "a=1 / b=3"},
			`[{"a":1,"b":2},{"a":1,"c":2},{"a":1,"d":2},{"a":1,"e":2},{"a":1,"f":2},{"a":1,"b":3}]`},
		{"values of every kind", []string{"a=1 / b=x / c=-", "a=- / b=true / c=false", `a="q" / b="a\nb" / c=0`, "a=-1 / b=1.50 / c= 7 ", "a=00 / b=truer / c=\"\""},
			`[{"a":1,"b":"x","c":null},{"a":null,"b":true,"c":false},{"a":"q","b":"a\nb","c":0},{"a":-1,"b":1.50,"c":7},{"a":"00","b":"truer","c":""}]`},
		{"quoted after bare", []string{"a=1 / b=2 / c=3", `"a"=4 / "b"=5 / "c"=6`}, `[{"a":1,"b":2,"c":3},{"a":4,"b":5,"c":6}]`},
		{"bare after quoted", []string{`"a"=4 / "b"=5 / "c"=6`, "a=1 / b=2 / c=3"}, `[{"a":4,"b":5,"c":6},{"a":1,"b":2,"c":3}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := codectest.Decoded(t, Codec{}, document(c.items...))
			require.Equal(t, c.want, string(wire.AppendJSON(nil, v)))
		})
	}
	// The line end of Windows, and none at the end.
	v := codectest.Decoded(t, Codec{}, "GCF profile=generic\r\n## [2]\r\n@0 {}\r\n  a=1\r\n  b=\"x\"\r\n@1 {}\r\n  a=2\r\n  b=\"y\"")
	require.Equal(t, `[{"a":1,"b":"x"},{"a":2,"b":"y"}]`, string(wire.AppendJSON(nil, v)))

	for _, c := range []struct {
		name  string
		items []string
		code  string
	}{
		{"a key that wants quotation marks", []string{`"a b"=1 / b=2 / c=3`, "a b=1 / b=2 / c=3"}, "invalid_line"},
		{"digits", []string{`"1"=1 / "2"=2 / "3"=3`, "1=1 / 2=2 / 3=3"}, "invalid_line"},
		{"an empty key", []string{`""=1 / b=2 / c=3`, "=1 / b=2 / c=3"}, "invalid_line"},
		{"a key with an equals sign", []string{`b=2 / c=3 / "a=b"=1`, "b=2 / c=3 / a=b=1 / a=2"}, "duplicate_key"},
		{"a key in a section", []string{`## "a b" / b=2 / c=3`, "b=2 / c=3 / a b=1"}, "invalid_line"},
		{"an unclosed string", []string{"a=1 / b=2", `a="x / b=2`}, "unterminated_quote"},
		{"a value that is none", []string{"a=1 / b=2", "a=~ / b=2"}, "invalid_missing"},
		{"an attachment", []string{"a=1 / b=2", "a=1 / b=^"}, "invalid_attachment_marker"},
		{"a number out of range", []string{"a=1 / b=2", "a=1 / b=9223372036854775808"}, "out_of_range"},
		{"a key twice", []string{"a=1 / b=2 / c=3", "a=4 / b=5 / b=6"}, "duplicate_key"},
		{"a key behind the one that it was", []string{"a=1 / b=2 / c=3", "a=4 / c=5 / a=6"}, "duplicate_key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Codec{}.Decode([]byte(document(c.items...)))
			codectest.Refused(t, err, c.code, nil)
		})
	}
}

// FuzzPredictions: whatever the document, predictions change neither the value
// nor the error. A comment after each line leaves nothing to predicted, which passes over
// the general reading of lines.
func FuzzPredictions(f *testing.F) {
	for _, body := range []string{
		"## [2]\n@0 {}\n  a=1\n  b=x\n@1 {}\n  a=2\n  b=\"y\"\n",
		"## [3]\n@0 {}\n  a=1\n  ## b\n    c=1\n    d=-\n  e[2]: 1,2\n@1 {}\n  a=2\n  ## b\n    c=true\n    d=x y\n  e[0]:\n@2 {}\n  a=2\n  e[0]:\n",
		"## [2]{x,y}\n@0 1|^\n.y {}\n    a=1\n    b=2\n    c=3\n@1 2|^\n.y {}\n    a=1\n    b=2\n    d=3\n",
		"## [2]{x,y}\n@0 ~|^\n.y [1]{a,b}\n    1|~\n@1 2|^\n.y [2]\n    1|2\n    ~|2\n",
		"## [2]\n@0 {}\r\n  a=1\r\n  b=\"x\"  \r\n@1 {}\r\n  a=1\r\n  b=\"x\"  \r\n",
		"a=1\nb=2\n## c\n  a=1\n  b=2\n## d\n  a=1\n  b=2\n  a=3\n",
	} {
		f.Add([]byte("GCF profile=generic\n" + body))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		codec := Codec{Limits: wire.Limits{Values: 10_000, LineBytes: 1 << 10}}
		with, withErr := codec.Decode(src)
		without, withoutErr := codec.Decode(bytes.ReplaceAll(src, []byte("\n"), []byte("\n# c\n")))
		if withoutErr != nil {
			require.Error(t, withErr)
			want, got := codectest.Error(t, withoutErr), codectest.Error(t, withErr)
			if want.Code != wire.CodeCount && got.Code != wire.CodeCount { // of which it matters how much follows
				require.Equal(t, want.Code, got.Code)
				require.Equal(t, (want.Line+1)/2, got.Line)
				require.Equal(t, want.Path(), got.Path())
			}
			return
		}
		require.NoError(t, withErr)
		require.True(t, wire.Identical(without, with), "%s, not %s", with, without)
	})
}
