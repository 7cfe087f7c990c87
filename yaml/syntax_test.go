package yaml

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// syntax are texts whose meaning is that of YAML 1.2.2 and no other version, with sections.
var syntax = []struct{ section, text, json string }{
	{"5.4", "# by \u2028root: yes\nname: ann # \u0085x: 1\n", `{"name":"ann"}`},
	{"5.4", "name: ann\u2029bob\n", `{"name":"ann\u2029bob"}`},
	{"5.4", "- 'x \u0085 y'\n- x \u2028 y\n- \"x \u2029 y\\\u000a   z\"\n", `["x \u0085 y","x \u2028 y","x \u2029 yz"]`},
	{"5.4", "a: |\n  x\u0085  y\n  \u2028\nb: >\n  x\u2029\n  y\n", `{"a":"x\u0085  y\n\u2028\n","b":"x\u2029 y\n"}`},
	{"5.4", "\u0085k: 1\n'\u2028': 2\n? \u2029\n: 3\n", `{"\u0085k":1,"\u2028":2,"\u2029":3}`},
	{"5.4", "[\u0085, {\u2028: \u2029}]\n", `["\u0085",{"\u2028":"\u2029"}]`},
	{"5.4", "a:\u2028b\n", `"a:\u2028b"`},
	{"5.4", "a: x\rb: y\r\nc: |\r  z\r", `{"a":"x","b":"y","c":"z\n"}`},
	{"5.7", `{"a": "\/\ud83d\ude00\uD83D\uDE00\\ud83d\\\/", b: 'a\/\ud83d\ude00', c: \ud83d\ude00,}` + "\n", `{"a":"/😀😀\\ud83d\\/","b":"a\\/\\ud83d\\ude00","c":"\\ud83d\\ude00"}`},
	{"5.7", "\"\\ud83d\\ude00\": |\n  \\ud83d\\ude00\n", `{"😀":"\\ud83d\\ude00\n"}`},
	{"5.7", "a: \"\\\\\\ud83d\\ude00\\N\\L\\P\\_\\e\"\n", `{"a":"\\😀\u0085\u2028\u2029\u00a0\u001b"}`},
	{"6.1", "a: |\n \tx\nb:\n \ty\n\t\nc:\t1\n", `{"a":"\tx\n","b":"y","c":1}`},
	{"6.1", "-\t1\n- \t[\t2\t,\t3\t]\n", `[1,[2,3]]`},
	{"6.8", "%FOO bar # baz\n%YAML 1.3\n%TAG !e! tag:example.com,2000:\n---\na\n", `"a"`},
	{"6.8", "a: |\n  %YAML 1.2\nb: {c\n  %d: 1}\n", `{"a":"%YAML 1.2\n","b":{"c %d":1}}`},
	{"6.9.1", "- ! 12\n- ! true\n- ! ~\n- ! [1]\n- ! {a: ! 2}\n- ! 'x'\n", `["12","true","~",[1],{"a":"2"},"x"]`},
	{"6.9.2", "- &a:b 1\n- *a:b\n- &ü 2\n- *ü\n- &a.$@%! 3\n- *a.$@%!\n- &x\u0085\u2028 4\n- *x\u0085\u2028\n", `[1,1,2,2,3,3,4,4]`},
	{"6.9.2", "a: &b: c\nd: *b:\n", `{"a":"c","d":"c"}`},
	{"6.9.2", "a: &b: c\nR&D: 2\nd: x &y: 3\n", ``},
	{"6.9.2", "x: &a: 1\ny: 'z &b: 2'\n", ``},
	{"6.9.2", "R&D: 2\nx &y: 3\nz: 'a &b: c'\n", `{"R&D":2,"x &y":3,"z":"a &b: c"}`},
	{"6.9.2", "a: &x 1\n*x : 2\n", `{"a":1,"1":2}`},
	{"7.1", "a: &ß {k: 1}\nb: {<<: *ß, l: 2}\nc:\n  !!merge <<: *ß\n", `{"a":{"k":1},"b":{"l":2,"k":1},"c":{"k":1}}`},
	{"7.2", ": x\ny:\n", `{"":"x","y":null}`},
	{"7.3.1", "a: \"x\u007fy\"\n", `{"a":"x\u007fy"}`},
	{"7.3.3", "[?x, :y, ::1, a?b, a ? b, why?, -1, -x, http://h/?q=1&r=2#f, a:b]\n", `["?x",":y","::1","a?b","a ? b","why?",-1,"-x","http://h/?q=1&r=2#f","a:b"]`},
	{"7.4.2", "{?k: v, k?: w?, x: :y, \"q\"::z, 'r':s, \"t\": }\n", `{"?k":"v","k?":"w?","x":":y","q":":z","r":"s","t":null}`},
	{"7.4.2", "{two\n  words: 1, \"quo\n  ted\": 2, \"a\"\n  : 3}\n", `{"two words":1,"quo ted":2,"a":3}`},
	{"8.1", "--- |\nline\n%two\n", `"line\n%two\n"`},
	{"8.1", "a: |2-\n   x\nb: >+\n  y\n\n", `{"a":" x","b":"y\n\n"}`},
	{"9.1", "\ufeff# c\n\n\ufeff# d\n\ufeffa: 1\n", `{"a":1}`},
	{"10.1", "--- !!set {a, b}\n", `{"a":null,"b":null}`},
	{"10.1", "--- !!omap\n- a: 1\n- b: 2\n", `[{"a":1},{"b":2}]`},
}

// TestSyntax: whole and as a stream; those without a value are refused.
func TestSyntax(t *testing.T) {
	for _, c := range syntax {
		v, err := Codec{}.Decode([]byte(c.text))
		if c.json == "" {
			require.ErrorIs(t, err, wire.ErrSyntax, "%q: %v", c.text, v)
			continue
		}
		require.NoError(t, err, "%s: %q", c.section, c.text)
		require.True(t, wire.Identical(parse(t, c.json), v), "%s: %q is %v", c.section, c.text, v)
		requireRecords(t, c.text)
	}
}

// styles write a string so that YAML 1.2 reads it, in a mapping or a list. They leave out
// what they cannot write.
var styles = []struct {
	name  string
	write func(s string) string
	takes func(s string) bool
}{
	{"double quotes", func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "😀", `\ud83d\ude00`, "/", `\/`).Replace(s) + `"`
	}, func(string) bool { return true }},
	{"single quotes", func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" },
		func(s string) bool { return !strings.Contains(s, "\n") }},
	{"plain", func(s string) string { return s }, func(s string) bool {
		return s != "" && strings.Trim(s, " \t") == s && !strings.ContainsAny(s, "\n,[]{}") && !strings.Contains(s, ": ") && !strings.Contains(s, ":\t") && !strings.Contains(s, " #") && !strings.Contains(s, "\t#") &&
			!strings.HasSuffix(s, ":") && !strings.ContainsAny(s[:1], "#&*!|>'\"%@`-?:") && s != "x"
	}},
	{"literal", func(s string) string { return "|2-\n    " + strings.ReplaceAll(s, "\n", "\n    ") },
		func(s string) bool { return s != "" && !strings.HasSuffix(s, "\n") && strings.Trim(s, " \n") != "" }},
}

// places are where a string may be in a document, and the value then; literal blocks are
// for the first only.
var places = []struct{ before, after, json string }{
	{"x:\n  k: ", "\n", `{"x":{"k":%s}}`},
	{"- # c \u2028 d\n- ", "\n", `[null,%s]`},
	{"[", " , y]\n", `[%s,"y"]`},
	{"{k: ", " }\n", `{"k":%s}`},
	{"", ": 1\n", `{%s:1}`},
	{"&é:é ", "\n", `%s`},
	{"--- ", "\n...\n", `%s`},
}

// TestScalarsAnywhere: strings of what YAML 1.1 and other parsers take for more, in each
// style and place.
func TestScalarsAnywhere(t *testing.T) {
	pieces := []string{"a", "b c", "x", "\u0085", "\u2028", "\u2029", "\ufeff", "é", "😀", `\ud83d\ude00`, `\/`, `\`, "/", "?", ":", "::", "&a", "*a", "&é:", "%", "!", "'", "\"", "#", "\t", " ", "\n", "\n\n", "-", ",", "]", "}", marker[:1], "w"}
	r := rand.New(rand.NewPCG(12, 2))
	for range trials.Of(2000) {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		for _, style := range styles {
			if !style.takes(s) {
				continue
			}
			for i, place := range places {
				if style.name == "literal" && i > 0 || place.before == "" && strings.HasPrefix(s, "\ufeff") {
					continue
				}
				text := place.before + style.write(s) + place.after
				quoted, err := json.Marshal(s)
				require.NoError(t, err)
				want := parse(t, fmt.Sprintf(place.json, quoted))
				got, err := Codec{}.Decode([]byte(text))
				require.NoError(t, err, "%s: %q", style.name, text)
				require.True(t, wire.Identical(want, got), "%s: %q is %v", style.name, text, got)
				all := codectest.Decoded(t, Codec{MultiDocument: true}, "first: 1\n---\n"+strings.TrimPrefix(text, "--- "))
				require.True(t, wire.Identical(want, all.Index(1)), "%s: %q is %v", style.name, text, all)
				rows := codectest.All(t, Codec{}.Records(strings.NewReader(text)))
				require.True(t, wire.Identical(wire.Array(want), wire.Array(rows...)), "%s: %q is %v", style.name, text, rows)
			}
		}
	}
}

// faults are lines with something wrong in them, and its column; 0 for a fault that is
// noticed in another line, too, whose column is that of what it is in.
var faults = []struct {
	line   string
	column int
}{
	{`k: "a\qb"`, 6}, {`k: "a\x4"`, 6}, {`k: "\ud83d"`, 5}, {"k: @a", 4}, {"k: `a", 4}, {"k: %a", 4}, {"k: a: b", 5}, {"k: - a", 4},
	{"k: & a", 5}, {"k: * a", 5}, {"k: *a", 4}, {"k: !a b", 4}, {`k: "a`, 4}, {"k: 'a", 4}, {"k: ]", 4}, {"k: [a", 4}, {"k: {a: 1", 4}, {"k: [,]", 5},
	{"k: {a: 1, [}", 12}, {"\tk: 1", 0}, {"k: a\x07b", 5}, {"k: a\u0080b", 5}, {"k: a\ufffeb", 5}, {"k", 1}, {"k: \"a\"b", 7}, {"k: .inf", 4}, {"k1: 1", 1}, {"k: &a: b: c", 0},
	{"k: \"\u2028\\q\"", 6}, {"k: é\u0085 *ü: b", 9}, {"k: [&é é, *a]", 11},
}

// TestFaultPositions: what is wrong is found in its line and column, in any line.
func TestFaultPositions(t *testing.T) {
	for _, c := range faults {
		for _, at := range []int{1, 2, 5, 9, 10} {
			if c.line == "k1: 1" && at == 10 || c.line == "k" && at == 1 {
				continue // which is where it takes the place of the other, or goes on in the next line
			}
			var b strings.Builder
			for i := range 10 {
				if i+1 == at {
					b.WriteString(c.line + "\n")
				} else {
					fmt.Fprintf(&b, "k%d: v \u2029\n", (i+1)%10+1)
				}
			}
			_, err := Codec{}.Decode([]byte(b.String()))
			require.Error(t, err, "%q in line %d", c.line, at)
			e := codectest.Error(t, err)
			if c.line == "k1: 1" {
				at = 10
			}
			require.Equal(t, at, e.Line, "%q: %v", c.line, err)
			if c.column > 0 {
				require.Equal(t, c.column, e.Column, "%q in line %d: %v", c.line, at, err)
			}
		}
	}
}

// TestExponents: numbers with an exponent are written as readers of YAML 1.1 know them.
func TestExponents(t *testing.T) {
	for number, want := range map[string]string{
		"1e-7": "!!float 1e-7", "1.5e3": "!!float 1.5e3", "1E5": "!!float 1E5", "-2e+10": "!!float -2e+10", "0e0": "!!float 0e0", "1.25E-3": "1.25E-3", "1.5e+3": "1.5e+3", "1e400": "!!float 1e400", "17": "17", "0.5": "0.5",
	} {
		for _, form := range []string{"%s\n", "- %s\n", "a: %s\n", strings.Repeat("- ", flowDepth) + "[%s]\n"} {
			v := codectest.Decoded(t, Codec{}, fmt.Sprintf(form, number))
			require.Equal(t, fmt.Sprintf(form, want), string(codectest.Encoded(t, Codec{}, v)))
			back := codectest.Decoded(t, Codec{}, fmt.Sprintf(form, want))
			require.True(t, wire.Identical(v, back))
		}
	}
	for f, want := range map[float64]string{1e-7: "!!float 1e-7", 1e21: "!!float 1e+21", 1.5e300: "1.5e+300", 0.1: "0.1"} {
		text, err := Marshal(map[string]any{"a": f, "b": []float64{f}})
		require.NoError(t, err)
		require.Equal(t, "a: "+want+"\nb:\n  - "+want+"\n", string(text))
	}
}

// TestLeadingZeros: a number with zeros in front is a number, and for a string what it is in
// the text.
func TestLeadingZeros(t *testing.T) {
	type row struct {
		S string
		N float64
	}
	for spelling, n := range map[string]float64{"01067": 1067, "0755": 755, "00": 0, "-007": -7, "00.50": 0.5, "010e1": 100, "08": 8} {
		for _, form := range []string{"s: %[1]s\nn: %[1]s\n", "{s: %[1]s, n: %[1]s}\n", "s: &a %[1]s\nn: *a\n", "n: &a %[1]s\ns: *a\n"} {
			var got row
			require.NoError(t, Unmarshal(fmt.Appendf(nil, form, spelling), &got))
			require.Equal(t, row{spelling, n}, got)
		}
		for got, err := range wire.NewDecoder[row](Codec{}, strings.NewReader("s: "+spelling+"\n")).All() {
			require.NoError(t, err)
			require.Equal(t, spelling, got.S)
		}
	}
}

// TestReadingGrows: stand-ins, names with colons and anchors take time in proportion to the
// text.
func TestReadingGrows(t *testing.T) {
	for name, unit := range map[string]string{
		"line ends": "\u0085", "names": "- &é 1\n", "colons": "- &a: 1\n", "pairs": `\ud83d\ude00`, "no names": "- x &a: 1\n", "documents": "---\n", "ends": "...\n", "carriage returns": "a\r",
		"anchors in a line": "&a:b c, ", "heads": "# c\n",
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 16<<10, func(n int) func() {
				text := strings.Repeat(unit, n/len(unit))
				if name == "anchors in a line" {
					text = "[" + text + "&b: c]"
				}
				return func() { _, _ = Codec{MultiDocument: true}.Decode([]byte(text)) }
			})
		})
	}
}
