package wire_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestObjectsThatEndEarly has rows whose last members are there or not, with values
// that take slots of their own between, compact and indented: each row keeps its
// members, and rows of the same keys share one list.
func TestObjectsThatEndEarly(t *testing.T) {
	trials.OneGoroutine(t)
	var m wire.Memory
	r := rand.New(rand.NewPCG(1, 2))
	values := []string{"1", `"x"`, "[]", "[1,2]", `[{"b":1},"y"]`, `{"b":[{"a":1,"b":2},{"a":1}]}`, "null", "{}"}
	object := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `%c"k%d":%s`, "{,"[min(i, 1)], i, values[r.IntN(len(values))])
		}
		return strings.TrimPrefix(b.String()+"}", "}") + strings.Repeat("{}", 1-min(n, 1))
	}
	for round := range 200 {
		most := 1 + r.IntN(12)
		var rows []string
		for range 2 + r.IntN(20) {
			rows = append(rows, object(r.IntN(most+1)))
		}
		text := "[" + strings.Join(rows, ",") + "]"
		for _, indent := range []string{"", " "} {
			source := text
			if indent != "" {
				v, err := wire.ParseJSON([]byte(text))
				require.NoError(t, err)
				out, err := wire.JSON{Indent: indent}.AppendEncode(nil, v)
				require.NoError(t, err)
				source = string(out)
			}
			got, err := both(&m, source)
			require.NoError(t, err)
			require.Equal(t, text, got, "round %d", round)
			v, err := wire.ParseJSON([]byte(source))
			require.NoError(t, err)
			lists := map[int]*wire.Keys{}
			for row := range v.Elements() {
				if keys := lists[row.Len()]; keys != nil {
					require.Same(t, keys, row.Keys())
				}
				lists[row.Len()] = row.Keys()
			}
			for at := range source { // a damaged row is damaged both ways
				if at%7 == round%7 {
					cut := source[:at] + source[at+1:]
					_, err := both(&m, cut)
					require.Equal(t, json.Valid([]byte(cut)), err == nil, "%s: %v", cut, err)
				}
			}
		}
	}
}

// TestNumbersInObjects has every number of up to ten characters that JSON's own
// could consist of, at the end of the text and before more.
func TestNumbersInObjects(t *testing.T) {
	trials.OneGoroutine(t)
	var m wire.Memory
	r := rand.New(rand.NewPCG(3, 4))
	const marks = "0123456789012345678901234567890123456789........----eE++"
	for range 20000 {
		n := 1 + r.IntN(12)
		number := make([]byte, n)
		for i := range number {
			number[i] = marks[r.IntN(len(marks))]
		}
		for _, text := range []string{`{"n":` + string(number) + "}", `{"n":` + string(number) + ",\"é\":[\"\xc3\xa9\"]}", string(number)} {
			got, err := both(&m, text)
			require.Equal(t, json.Valid([]byte(text)), err == nil, "%s: %v", text, err)
			if err == nil {
				require.Equal(t, text, got)
			}
		}
	}
}

// TestTextsOfEveryAlignment has long strings that begin and end at every place of a
// step of sixteen bytes, with escapes at any place and characters cut in two.
func TestTextsOfEveryAlignment(t *testing.T) {
	trials.OneGoroutine(t)
	var m wire.Memory
	r := rand.New(rand.NewPCG(5, 6))
	parts := []string{`\n`, `\"`, `\\`, `\u00e9`, `\u6f22\u5b57`, `\ud83d\ude42`, "é", "漢", "🙂", `\/`}
	broken := []string{"\xff", "\xc3", "\xe6\xbc", "\x00", "\n", `\x`, `\ud83d`, `\u12`, "\x1f", "\xed\xa0\x80"}
	for before := range 16 {
		for n := range 150 {
			var b strings.Builder
			b.WriteString(strings.Repeat(" ", before) + `["`)
			from := b.Len()
			for b.Len()-from < n {
				b.WriteString("some text of a few words, or more"[:r.IntN(34)])
				if r.IntN(3) == 0 {
					b.WriteString(parts[r.IntN(len(parts))])
				}
			}
			text := b.String()
			at := from + r.IntN(len(text)-from+1)
			for _, text := range []string{text + `"]`, text + `","` + text[from:] + `"]`, text[:at] + broken[r.IntN(len(broken))] + text[at:] + `"]`, text, text[:at] + `"]`} {
				got, err := both(&m, text)
				var want []any
				valid := json.Unmarshal([]byte(text), &want) == nil && strings.ToValidUTF8(text, "") == text && !loneSurrogate(text)
				require.Equal(t, valid, err == nil, "%q: %v", text, err)
				if valid {
					var back []any
					require.NoError(t, json.Unmarshal([]byte(got), &back))
					require.Equal(t, want, back, "%q", text)
				}
			}
		}
	}
}

// loneSurrogate reports whether a text has half of a pair, which encoding/json
// replaces.
func loneSurrogate(text string) bool {
	var v any
	return json.Unmarshal([]byte(text), &v) == nil && strings.Contains(fmt.Sprint(v), "\uFFFD")
}
