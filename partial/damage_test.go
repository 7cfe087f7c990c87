package partial_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// A lexeme is a bracket, comma, colon, string, number or word of a correct text, with the white
// space before it. after is what the text has in its place when it is damaged.
type lexeme struct {
	blank, text string
	key         bool
	damaged     bool
}

// A damaged text is lexemes, what follows them, and what is around all.
type damagedText struct {
	all  []lexeme
	rest string
	wrap string // with a $ for the text
}

func (d damagedText) String() string {
	var b strings.Builder
	for _, x := range d.all {
		b.WriteString(x.blank + x.text)
	}
	return strings.Replace(d.wrap, "$", b.String()+d.rest, 1)
}

func lex(text string) (all []lexeme, rest string) {
	for {
		body := strings.TrimLeft(text, " \t\n\r")
		blank := text[:len(text)-len(body)]
		if body == "" {
			return all, blank
		}
		n := 1
		switch {
		case body[0] == '"':
			for ; n < len(body) && body[n] != '"'; n++ {
				if body[n] == '\\' {
					n++
				}
			}
			n = min(n+1, len(body))
		case !strings.ContainsRune("{}[],:", rune(body[0])):
			if n = strings.IndexAny(body, "{}[],: \t\n\r"); n < 0 {
				n = len(body)
			}
		}
		all = append(all, lexeme{blank: blank, text: body[:n]})
		text = body[n:]
		if next := strings.TrimLeft(text, " \t\n\r"); body[0] == '"' && strings.HasPrefix(next, ":") {
			all[len(all)-1].key = true
		}
	}
}

// A damage makes one mistake in a text, at random, and reports whether there was a place for
// it. What gives another correct text of JSON is not a mistake.
type damage struct {
	name string
	do   func(r *rand.Rand, d *damagedText) bool
}

// at returns a damage of one lexeme that is fit for it.
func at(name string, fit func(lexeme) bool, change func(*rand.Rand, lexeme) string) damage {
	return damage{name, func(r *rand.Rand, d *damagedText) bool {
		var places []int
		for i, x := range d.all {
			if !x.damaged && fit(x) {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			return false
		}
		d.all = slices.Clone(d.all)
		x := &d.all[places[r.IntN(len(places))]]
		text := change(r, *x)
		if isString(*x) && isJSON(text) {
			return false
		}
		x.text, x.damaged = text, true
		return true
	}}
}

func is(set string) func(lexeme) bool {
	return func(x lexeme) bool { return len(x.text) == 1 && strings.Contains(set, x.text) }
}

func isString(x lexeme) bool {
	return len(x.text) > 1 && x.text[0] == '"' && x.text[len(x.text)-1] == '"'
}

func instead(texts ...string) func(*rand.Rand, lexeme) string {
	return func(r *rand.Rand, _ lexeme) string { return texts[r.IntN(len(texts))] }
}

func before(texts ...string) func(*rand.Rand, lexeme) string {
	return func(r *rand.Rand, x lexeme) string { return texts[r.IntN(len(texts))] + x.text }
}

func within(x lexeme) string { return x.text[1 : len(x.text)-1] }

// quoted puts other marks around a string that does not have them.
func quoted(open, end string) func(*rand.Rand, lexeme) string {
	return func(_ *rand.Rand, x lexeme) string { return open + within(x) + end }
}

func without(marks string) func(lexeme) bool {
	return func(x lexeme) bool { return isString(x) && !strings.ContainsAny(x.text, marks) }
}

func around(name string, texts ...string) damage {
	return damage{name, func(r *rand.Rand, d *damagedText) bool {
		if d.wrap != "$" || !strings.ContainsAny(d.all[0].text[:1], "{[") {
			return false
		}
		d.wrap = texts[r.IntN(len(texts))]
		return true
	}}
}

// once replaces one of the places of old.
func once(old, replacement string) func(*rand.Rand, lexeme) string {
	return func(r *rand.Rand, x lexeme) string {
		parts := strings.Split(x.text, old)
		n := 1 + r.IntN(len(parts)-1)
		return strings.Join(parts[:n], old) + replacement + strings.Join(parts[n:], old)
	}
}

func has(part string) func(lexeme) bool {
	return func(x lexeme) bool {
		return isString(x) && strings.Contains(strings.ReplaceAll(x.text, `\\`, "  "), part)
	}
}

// isPlainWord reports whether a string is none of what programs write without quotation marks.
// One that begins with a colon would be another word after a key that has lost its colon.
func isPlainWord(x lexeme) bool {
	if !isString(x) || x.key || len(x.text) < 3 || x.text[1] == ':' {
		return false
	}
	s := within(x)
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == "" &&
		!isJSON(s) && !strings.Contains(s, `//`) && !strings.Contains(" True False None ", " "+s+" ")
}

func isJSON(s string) bool { _, err := wire.ParseJSON([]byte(s)); return err == nil }

// isIdentifier reports whether a key is one in programs.
func isIdentifier(x lexeme) bool {
	if !x.key || len(x.text) < 3 {
		return false
	}
	s := within(x)
	return !strings.Contains(" True False None ", " "+s+" ") && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$-") == ""
}

var damages = []damage{
	around("bom", "\uFEFF$"),
	around("fence", "```json\n$\n```", "```\n$\n```\n", "~~~JSON\n$\n~~~", "\n```json\n$"),
	around("prose_before", "Here it is:\n$", "Sure! I have found 12 of them: $", "It's \"done\":\n\n$"),
	around("prose_after", "$\nHope this helps!", "$ That is all (of 3).", "$\n\nIt's `done`: see \"notes\"."),
	around("tag", "<tool>$</tool>", "<a><b>\n$\n</b></a>"),
	at("comment", is("{}[],:"), func(r *rand.Rand, x lexeme) string {
		c := []string{"/* c */", "// c\n", "# it's one\n", "/* \"a\": [1], */", "//,\n"}[r.IntN(5)]
		if r.IntN(2) > 0 {
			return c + x.text
		}
		return x.text + c
	}),
	at("trailing_comma", is("]}"), before(",", ", ")),
	at("leading_comma", is("{["), func(_ *rand.Rand, x lexeme) string { return x.text + "," }),
	at("missing_comma", is(","), instead(" ", "\n", "  ")),
	at("missing_colon", is(":"), instead(" ", "", "=", "=>", " = ")),
	at("single_quotes", without(`'`), quoted(`'`, `'`)),
	at("typographic_quotes", without(`“”`), quoted(`“`, `”`)),
	at("bare_key", isIdentifier, func(_ *rand.Rand, x lexeme) string { return within(x) }),
	at("bare_text", isPlainWord, func(_ *rand.Rand, x lexeme) string { return within(x) }),
	at("word", func(x lexeme) bool { return x.text == "true" || x.text == "false" || x.text == "null" }, func(_ *rand.Rand, x lexeme) string {
		return map[string]string{"true": "True", "false": "False", "null": "None"}[x.text]
	}),
	at("control_in_text", has(`\n`), once(`\n`, "\n")),
	at("control_in_text", has(`\t`), once(`\t`, "\t")),
	at("inner_quote", has(`\"`), once(`\"`, `"`)),
	at("escape", has(`'`), once(`'`, `\'`)),
	at("escape", func(x lexeme) bool { // \' is an apostrophe
		return isString(x) && strings.Contains(x.text, `\\`) && !strings.Contains(x.text, `\\'`)
	}, once(`\\`, `\`)),
	at("wrong_closer", is("]}"), func(_ *rand.Rand, x lexeme) string { return map[string]string{"]": "}", "}": "]"}[x.text] }),
	at("missing_closer", is("]}"), instead("", " ")),
	at("extra_closer", is("]}"), func(r *rand.Rand, x lexeme) string { return x.text + []string{"]", "}"}[r.IntN(2)] }),
	at("padding", is("{}[],:"), before("\u00A0", "\u3000", "\uFEFF", "\u2003")),
	{"quoted_json", func(_ *rand.Rand, d *damagedText) bool {
		if d.wrap != "$" || !strings.ContainsAny(d.all[0].text[:1], "{[") {
			return false
		}
		text := string(wire.AppendJSON(nil, wire.String(d.String())))
		d.all, d.rest = []lexeme{{text: text}}, ""
		return true
	}},
	at("lost_quote", isString, func(r *rand.Rand, x lexeme) string {
		if r.IntN(2) > 0 {
			return x.text[1:]
		}
		return x.text[:len(x.text)-1]
	}),
}

// TestDamage makes one mistake, or two, in correct texts: what is read is the value that they
// had, or an error.
func TestDamage(t *testing.T) {
	texts := 100_000
	if testing.Short() {
		texts = 4000
	}
	g, r := conformance.NewGenerator(54), rand.New(rand.NewPCG(52, 4))
	repaired, refused := map[string]int{}, map[string]int{}
	for range texts {
		text := randomText(g, r, 200)
		want, err := wire.ParseJSON([]byte(text))
		require.NoError(t, err)
		original := damagedText{wrap: "$"}
		original.all, original.rest = lex(text)
		for _, d := range damages {
			once := original
			if r.IntN(len(damages)) > 7 || !d.do(r, &once) {
				continue
			}
			checkDamage(t, d.name, text, once.String(), want, repaired, refused)
			other := damages[r.IntN(len(damages)-2)] // but not the last two
			if twice := once; d.name != "lost_quote" && other.do(r, &twice) {
				checkDamage(t, d.name+"+"+other.name, text, twice.String(), want, nil, nil)
			}
		}
	}
	for _, d := range damages {
		if repaired[d.name] == 0 && d.name != "lost_quote" && d.name != "bom" {
			t.Errorf("%s is never repaired, and refused %d times", d.name, refused[d.name])
		}
	}
	t.Log(repaired, refused)
}

func checkDamage(t *testing.T, name, text, damaged string, want wire.Value, repaired, refused map[string]int) {
	t.Helper()
	quoted := strings.HasPrefix(name, "quoted_json")
	if isJSON(damaged) && !quoted {
		return
	}
	v, repairs, err := partial.Parse([]byte(damaged), partial.Options{Level: partial.Lenient, Quoted: quoted})
	if err != nil {
		if refused != nil {
			refused[name]++
		}
		var e *wire.Error
		require.True(t, errors.As(err, &e), "%v", err)
		return
	}
	if repaired != nil {
		repaired[name]++
	}
	require.NotEmpty(t, repairs, "%q", damaged)
	if !wire.Identical(want, v) {
		t.Errorf("%s: %q damaged to %q is %v", name, text, damaged, v)
	}
}
