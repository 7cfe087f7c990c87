//go:build interop

package interop

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/tron"
	"github.com/wirekit/wirekit/wire"
)

// tronValues returns the corpora and 10,000 random values, with objects that repeat.
func tronValues() []wire.Value {
	var values []wire.Value
	add := func(v wire.Value) {
		text, err := wire.JSON{}.AppendEncode(nil, v)
		if err != nil || len(text) > 1<<18 {
			return
		}
		if v, err = wire.ParseJSON(text); err == nil {
			values = append(values, v)
		}
	}
	for _, corpus := range conformance.Corpora() {
		for _, v := range corpus.Cases {
			add(v)
		}
	}
	g := conformance.NewGenerator(13)
	for i := range 10_000 {
		if v := g.Value(); i%2 == 0 {
			add(v)
		} else { // classes pay
			add(wire.Array(v, v, v, g.Value(), v, v, v, v, v))
		}
	}
	return values
}

// tronFaults are why the package may lose a value, by what is wrong with it.
var tronFaults = []struct {
	reason              string
	theyRead, theyWrote bool // in which direction
	of                  func(wire.Value) bool
}{
	{"numbers beyond a double are infinite for JavaScript", true, true, func(v wire.Value) bool {
		return anyNumber(v, func(f float64) bool { return math.IsInf(f, 0) })
	}},
	{"members called __proto__ are dropped", true, false, func(v wire.Value) bool { return anyKey(v, func(k string) bool { return k == "__proto__" }) }},
	{"members called class are written bare", false, true, func(v wire.Value) bool { return anyKey(v, func(k string) bool { return k == "class" }) }},
	{"objects share a class whose keys only read alike", false, true, func(v wire.Value) bool { return anyKey(v, func(k string) bool { return strings.Contains(k, ",") }) }},
}

func tronFault(v wire.Value, theyRead bool) string {
	for _, f := range tronFaults {
		if (f.theyRead && theyRead || f.theyWrote && !theyRead) && f.of(v) {
			return f.reason
		}
	}
	return ""
}

// TestInteropTRON exchanges values with the published package: it reads what we write, and
// we read what it writes.
func TestInteropTRON(t *testing.T) {
	values := tronValues()
	var requests []wire.Value
	for _, v := range values {
		requests = append(requests, request(t, "decode", string(codectest.Encoded(t, tron.Codec{}, v))), request(t, "encode", string(wire.AppendJSON(nil, v))))
	}
	answers := exchange(t, "tron.mjs", "@tron-format/tron", requests)
	known := map[string]int{}
	same := 0
	for i, v := range values {
		want := inJavaScript(v)
		for j, theyRead := range []bool{true, false} {
			if reason := tronFault(v, theyRead); reason != "" {
				known[reason]++
				continue
			}
			text := ok(t, v, answers[2*i+j])
			var got wire.Value
			if theyRead {
				got = codectest.JSON(t, text)
			} else {
				got = inJavaScript(codectest.Decoded(t, tron.Codec{}, text))
			}
			require.True(t, wire.Equal(want, got), "they read %v\nvalue %.300v\ntext %.300q\nread %.300v", theyRead, v, text, got)
			same++
		}
	}
	t.Logf("%d values, %d exchanges agree", len(values), same)
	for reason, n := range known {
		t.Logf("not compared, %d times: %s", n, reason)
	}
}

// tronPieces are what mutants get.
var tronPieces = []string{"A(", "B(1,2)", ")", "(", "class A: a\n", "class C(A): z\n", "class", ":", ",", ";", "\n", "\n\n", " ", "#", "# c\n", "=", "a=1", "\"a\"=", "\"", "\\", "\\u12", "1", "-", "01", "1.", ".5", "e", "true", "null", "x", "[", "]", "{", "}", "é", "\t", "\r\n"}

// TestInteropTRONMutants holds that both refuse the same texts, and read the others alike,
// but for what docs/differences-tron.md lists.
func TestInteropTRONMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var texts []string
	var requests []wire.Value
	values := tronValues()
	for len(texts) < 20_000 {
		text := codectest.Encoded(t, tron.Codec{}, values[r.IntN(len(values))])
		if len(text) > 2000 {
			continue
		}
		if text = faulty.Damaged(r, text, text, tronPieces); utf8.Valid(text) {
			texts = append(texts, string(text))
			requests = append(requests, request(t, "decode", string(text)))
		}
	}
	answers := exchange(t, "tron.mjs", "@tron-format/tron", requests)
	verdicts := map[string]int{}
	for i, text := range texts {
		theirs, read := answers[i].Get("ok")
		v, err := tron.Codec{}.Decode([]byte(text))
		switch {
		case err == nil && read:
			verdicts["both read"]++
			got := codectest.JSON(t, theirs.Text())
			if tronFault(v, true) == "" && !wire.Equal(inJavaScript(v), got) {
				t.Errorf("read otherwise: %q\nours %v\ntheirs %v", text, v, got)
			}
		case err != nil && !read:
			verdicts["both refuse"]++
		case err == nil:
			message, _ := answers[i].Get("error")
			verdicts["they refuse"]++
			if !slices.ContainsFunc(stricter, func(re *regexp.Regexp) bool { return re.MatchString(text) }) {
				t.Errorf("they refuse %q: %s", text, message.Text())
			}
		default:
			e := codectest.Error(t, err)
			verdicts["we refuse"]++
			if !slices.Contains(refused, e.Code) && !inHeader(text, e) {
				t.Errorf("we refuse %q: %v", text, err)
			}
		}
	}
	t.Log(verdicts)
}

// stricter are texts that the package refuses though they are in the grammar.
var stricter = []*regexp.Regexp{
	regexp.MustCompile(`[:=]\s*(#.*)?\n|\n\s*[:=(]`),                      // a line break beside a colon or an equals sign, or before a parenthesis
	regexp.MustCompile(`class [^\n]*(\n\s*\n|#)`),                         // blank lines or comments between members
	regexp.MustCompile(`(:|,) *(true|false|null) *[,\n;]`),                // bare members that are words
	regexp.MustCompile("class [^\n]*\n[ ;\t\r]*\"[^\n]*\"[\\s;]*(#.*)?$"), // a string after a class
}

// refused are the codes of what JSON's grammar, unlike the package, does not have, and of
// what is wrong with a class though no instance shows it.
var refused = []string{"leading_zero", "control_character", wire.CodeInvalidEscape, "lone_surrogate", wire.CodeUnterminated, "class_defined_twice", wire.CodeDuplicateKey, "no_members"}

// inHeader reports whether a fault is one of separators between members, or within a number.
func inHeader(text string, e *wire.Error) bool {
	before := text[:e.Offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.HasPrefix(strings.TrimLeft(line, " \t;"), "class ") || regexp.MustCompile(`(^|[^\w"])-?[0-9.eE+-]*$`).MatchString(before)
}
