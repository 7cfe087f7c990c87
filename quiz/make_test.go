package quiz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// made returns the quiz that the options make of documents.
func made(t testing.TB, o Options, documents ...Document) *Quiz {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, o.Make(&out, documents...))
	q, err := Load(&out)
	require.NoError(t, err)
	return q
}

// reader answers questions from JSON text by encoding/json, and from the words of the
// question alone: it shares nothing with what asked them.
type reader struct{ document any }

func read(t testing.TB, text string) reader {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var r reader
	require.NoError(t, d.Decode(&r.document))
	return r
}

func unquoted(t testing.TB, s string) string {
	t.Helper()
	text, err := strconv.Unquote(s)
	require.NoError(t, err, s)
	return text
}

const (
	listPattern  = `the list(?: at the JSON pointer ("(?:[^"\\]|\\.)*"))?`
	namePattern  = `("(?:[^"\\]|\\.)*")`
	wherePattern = namePattern + ` = ("(?:[^"\\]|\\.)*"|[^ ".?]+(?:\.[^ ".?]+)*)`
)

func (r reader) at(t testing.TB, pointer string) any {
	t.Helper()
	v := r.document
	if pointer == "" {
		return v
	}
	for _, step := range strings.Split(unquoted(t, pointer), "/")[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch c := v.(type) {
		case map[string]any:
			v = c[step]
		case []any:
			i, err := strconv.Atoi(step)
			require.NoError(t, err)
			v = c[i]
		}
	}
	return v
}

// having returns the positions of elements with a member that is spelled so.
func having(t testing.TB, rows []any, name, spelled string) (at []int) {
	t.Helper()
	for i, row := range rows {
		v, there := row.(map[string]any)[unquoted(t, name)]
		if !there {
			continue
		}
		if s, isText := v.(string); isText {
			var want string
			if spelled[0] == '"' && json.Unmarshal([]byte(spelled), &want) == nil && s == want {
				at = append(at, i)
			}
		} else if _, nested := v.(map[string]any); !nested && fmt.Sprint(v) == spelled {
			at = append(at, i)
		}
	}
	return at
}

func member(t testing.TB, row any, name string) string {
	t.Helper()
	v, there := row.(map[string]any)[unquoted(t, name)]
	require.True(t, there)
	return fmt.Sprint(v)
}

var (
	positionWords = regexp.MustCompile(`^In ` + listPattern + `, take element number (\d+), counting from 1. What is its ` + namePattern + `\?$`)
	countWords    = regexp.MustCompile(`^In ` + listPattern + `, how many elements have ` + wherePattern + `\?$`)
	minimumWords  = regexp.MustCompile(`^In ` + listPattern + `, what is the smallest ` + namePattern + `\?$`)
	sumWords      = regexp.MustCompile(`^In ` + listPattern + `, what is the sum of ` + namePattern + ` over the first (\d+) elements\?$`)
	elementWords  = `^In ` + listPattern + `, take the element with ` + wherePattern + `\. `
	memberWords   = regexp.MustCompile(elementWords + `(?:What is its|Copy its|Call the tool record with its) ` + namePattern + `(?:\?| exactly, character by character\.| as the argument value\.)$`)
	reverseWords  = regexp.MustCompile(`^In ` + listPattern + `, take the only element with ` + wherePattern + `\. What is its ` + namePattern + `\?$`)
	absentWords   = regexp.MustCompile(elementWords + `Is its ` + namePattern + ` absent, null, an empty text, or another value\? Answer with one word: absent, null, empty or value\.$`)
	orderWords    = regexp.MustCompile(`^In ` + listPattern + `, which of two elements comes first, the one with ` + wherePattern + ` or the one with ` + wherePattern + `\? Answer with its ` + namePattern + `\.$`)
	joinWords     = regexp.MustCompile(elementWords + `Then, in ` + listPattern + `, take the element whose ` + namePattern + ` is the ` + namePattern + ` of the first\. What is its ` + namePattern + `\?$`)
	pointerWords  = regexp.MustCompile(`^(?:What is|Copy|Call the tool record with) the value at the JSON pointer ` + namePattern + `(?:\?| exactly, character by character\.| as the argument value\.)$`)
)

// answer computes the answer to a question from its words.
func (r reader) answer(t testing.TB, q Record) string {
	t.Helper()
	words := q.Question
	rows := func(m []string) []any { return r.at(t, m[1]).([]any) }
	one := func(rows []any, name, spelled string) any {
		at := having(t, rows, name, spelled)
		require.Len(t, at, 1, words)
		return rows[at[0]]
	}
	if m := positionWords.FindStringSubmatch(words); m != nil {
		n, _ := strconv.Atoi(m[2])
		return member(t, rows(m)[n-1], m[3])
	} else if m := countWords.FindStringSubmatch(words); m != nil {
		return strconv.Itoa(len(having(t, rows(m), m[2], m[3])))
	} else if m := minimumWords.FindStringSubmatch(words); m != nil {
		return total(t, rows(m), m[2], true)
	} else if m := sumWords.FindStringSubmatch(words); m != nil {
		n, _ := strconv.Atoi(m[3])
		return total(t, rows(m)[:n], m[2], false)
	} else if m := absentWords.FindStringSubmatch(words); m != nil {
		v, there := one(rows(m), m[2], m[3]).(map[string]any)[unquoted(t, m[4])]
		switch {
		case !there:
			return "absent"
		case v == nil:
			return "null"
		case v == "":
			return "empty"
		}
		return "value"
	} else if m := memberWords.FindStringSubmatch(words); m != nil {
		return member(t, one(rows(m), m[2], m[3]), m[4])
	} else if m := reverseWords.FindStringSubmatch(words); m != nil {
		return member(t, one(rows(m), m[2], m[3]), m[4])
	} else if m := orderWords.FindStringSubmatch(words); m != nil {
		a, b := having(t, rows(m), m[2], m[3]), having(t, rows(m), m[4], m[5])
		require.Len(t, append(a, b...), 2)
		return member(t, rows(m)[min(a[0], b[0])], m[6])
	} else if m := joinWords.FindStringSubmatch(words); m != nil {
		named, err := json.Marshal(one(rows(m), m[2], m[3]).(map[string]any)[unquoted(t, m[6])])
		require.NoError(t, err)
		var plain bytes.Buffer
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(json.RawMessage(named)))
		return member(t, one(r.at(t, m[4]).([]any), m[5], strings.TrimSpace(plain.String())), m[7])
	} else if m := pointerWords.FindStringSubmatch(words); m != nil {
		return fmt.Sprint(r.at(t, m[1]))
	}
	require.Fail(t, "another wording", words)
	return ""
}

// total returns the sum of a member in hundredths of powers of ten, or the smallest.
func total(t testing.TB, rows []any, name string, smallest bool) string {
	t.Helper()
	sum, least, digits := new(big.Int), "", 0
	for _, row := range rows {
		_, fraction, _ := strings.Cut(member(t, row, name), ".")
		digits = max(digits, len(fraction))
	}
	scaled := func(text string) *big.Int {
		whole, fraction, _ := strings.Cut(text, ".")
		n, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", digits-len(fraction)), 10)
		require.True(t, ok, text)
		return n
	}
	for _, row := range rows {
		text := member(t, row, name)
		sum.Add(sum, scaled(text))
		if least == "" || scaled(text).Cmp(scaled(least)) < 0 {
			least = text
		}
	}
	if smallest {
		return least
	}
	sign, text := "", sum.String()
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	if digits > 0 {
		text = strings.Repeat("0", max(0, digits+1-len(text))) + text
		text = text[:len(text)-digits] + "." + text[len(text)-digits:]
	}
	return sign + text
}

// documents are the payloads, and what has all kinds of questions.
func documents(t testing.TB) []Document {
	rich, err := wire.ParseJSON([]byte(`{"orders":[{"id":"A-1","customer":7,"total":1.10,"note":null},{"id":"A-2","customer":9,"total":20.05,"note":""},{"id":"A-3","customer":7,"total":-3.5}],
		"customers":[{"no":7,"name":"Ada O'Neil","phone":"0049 30 1234567890123"},{"no":9,"name":"Bo","phone":"0049 30 1234567890124"}]}`))
	require.NoError(t, err)
	flat, err := wire.ParseJSON(sample.Rows(20))
	require.NoError(t, err)
	all := []Document{{Name: "rich", Value: rich}, {Name: "flat", Value: flat}}
	for _, p := range payload.All() {
		all = append(all, Document{Name: p.Kind, Value: p.Value})
	}
	return all
}

// TestAnswers: each answer is what another program finds from the question's words.
func TestAnswers(t *testing.T) {
	trials.OneGoroutine(t)
	kinds := map[Kind]int{}
	for _, d := range documents(t) {
		q := made(t, Options{Seed: 33, Questions: 60, Arms: []string{Base}}, d)
		r := read(t, string(wire.AppendJSON(nil, d.Value)))
		for _, rec := range q.Questions {
			kinds[rec.Kind]++
			if rec.Kind == Whole {
				require.Equal(t, rec.Document == "d1", *rec.Right == "whole")
				continue
			}
			require.Equal(t, r.answer(t, rec), *rec.Right, "%s: %s", d.Name, rec.Question)
			require.Equal(t, rec.Kind == Task, rec.Tool != "")
			require.True(t, Grade(rec, Answer{Text: *rec.Right, Call: *rec.Right, Called: true}), "%s", *rec.Right)
		}
	}
	for _, k := range Kinds() {
		require.Greater(t, kinds[k], 10, k)
	}
	t.Log(kinds)
}

// TestArms: every arm carries its document without loss, and the damaged copies of a
// document are others.
func TestArms(t *testing.T) {
	trials.OneGoroutine(t)
	arms, damaged := map[string]int{}, 0
	for _, d := range documents(t)[:10] {
		q := made(t, Options{Seed: 1}, d)
		texts := map[string]string{}
		for _, rec := range q.Documents {
			format, explained := strings.CutSuffix(rec.Arm, hintSuffix)
			text := rec.Text
			if explained {
				_, text, _ = strings.Cut(text, "\n\n")
			}
			texts[rec.Document+" "+rec.Arm] = text
			if rec.Document != "d1" {
				continue
			}
			arms[rec.Arm]++
			c, err := wirekit.Lookup(format)
			require.NoError(t, err)
			v, err := c.Decode([]byte(text))
			require.NoError(t, err)
			require.True(t, wire.Internal.EqualAsJSON(d.Value, v), "%s in %s", d.Name, rec.Arm)
		}
		for name, text := range texts {
			_, arm, _ := strings.Cut(name, " ")
			if !strings.HasPrefix(name, "d1 ") {
				damaged++
				require.NotEqual(t, texts["d1 "+arm], text, name)
			}
		}
	}
	require.Greater(t, damaged, 100)
	for _, name := range []string{"json", "json:pretty", "json+hint", "md", "md:kv", "csv", "yaml", "glyph", "gcf", "gcx", "toon", "glyph+fold", "gcf+hint", "toon+fold+hint"} {
		require.NotZero(t, arms[name], name)
	}
}

// TestRepeatable: a seed and the documents decide about the quiz.
func TestRepeatable(t *testing.T) {
	trials.OneGoroutine(t)
	all := documents(t)[:5]
	var first, again, other bytes.Buffer
	require.NoError(t, Options{Seed: 5}.Make(&first, all...))
	require.NoError(t, Options{Seed: 5}.Make(&again, all...))
	require.NoError(t, Options{Seed: 6}.Make(&other, all...))
	require.Equal(t, first.String(), again.String())
	require.NotEqual(t, first.String(), other.String())
}

// TestTexts: texts have arms of their own, and questions about lines.
func TestTexts(t *testing.T) {
	kinds := map[Kind]int{}
	arms := map[string]bool{}
	for n := range 4 {
		var text strings.Builder
		for i := range 80 {
			fmt.Fprintf(&text, "2026-11-22T10:%02d:00Z internal/server/handler.go level=info request=%d path=/api/v1/orders/%d\n", i%60, i*i+n, i%7)
		}
		q := made(t, Options{Seed: uint64(n)}, Document{Name: "log", Text: []byte(text.String())})
		for _, d := range q.Documents {
			arms[d.Arm] = true
		}
		all := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		for _, rec := range q.Questions {
			kinds[rec.Kind]++
			word := ""
			if m := regexp.MustCompile(`(?:have|has) ("(?:[^"\\]|\\.)*") in`).FindStringSubmatch(rec.Question); m != nil {
				require.NoError(t, json.Unmarshal([]byte(m[1]), &word))
			}
			switch rec.Kind {
			case Position:
				var n int
				_, err := fmt.Sscanf(rec.Question, "What is line number %d of", &n)
				require.NoError(t, err)
				require.Equal(t, all[n-1], *rec.Right)
			case Count, Copy:
				var with []string
				for _, line := range all {
					if strings.Contains(line, word) {
						with = append(with, line)
					}
				}
				if rec.Kind == Copy {
					require.Equal(t, []string{*rec.Right}, with)
				} else {
					require.Equal(t, strconv.Itoa(len(with)), *rec.Right)
				}
			}
		}
	}
	require.Equal(t, map[string]bool{"text": true, "lines": true, "lines+hint": true, "lines:plain": true, "lines:plain+hint": true}, arms)
	for _, k := range []Kind{Position, Count, Copy, Whole} {
		require.NotZero(t, kinds[k], k)
	}
}

// TestEmptyObjects: a list whose elements have no members is one that only the question
// whether it is whole is asked about.
func TestEmptyObjects(t *testing.T) {
	v, err := wire.ParseJSON([]byte(`{"a":[{},{}]}`))
	require.NoError(t, err)
	for _, q := range made(t, Options{}, Document{Name: "x", Value: v}).Questions {
		require.Equal(t, Whole, q.Kind)
	}
}

func TestMakeErrors(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `null`} {
		v, err := wire.ParseJSON([]byte(text))
		require.NoError(t, err)
		require.ErrorIs(t, Options{}.Make(new(bytes.Buffer), Document{Name: "x", Value: v}), ErrNothing, text)
	}
	v := documents(t)[0]
	require.ErrorIs(t, Options{Arms: []string{"toml"}}.Make(new(bytes.Buffer), v), wire.ErrUnknownFormat)
	require.ErrorContains(t, Options{Arms: []string{"text", "gcf"}}.Make(new(bytes.Buffer), Document{Name: "x", Text: []byte("a b\nc d\n")}), "x: quiz: the arm gcf: of a text")
	require.ErrorContains(t, Options{Kinds: []Kind{"trivia"}}.Make(new(bytes.Buffer), v), "trivia")
	require.Error(t, Options{Questions: -1}.Make(new(bytes.Buffer), v))
	require.ErrorContains(t, Options{}.Make(full{}, v), "no space")
}

// TestNamedArms: an arm that is named is in the quiz for each document, or an error says of
// which document it is not, and why.
func TestNamedArms(t *testing.T) {
	docs := map[string]string{
		"flat":     `[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":3,"b":"z"}]`,
		"spelling": `{"rows":[{"a":1,"b":2.50},{"a":2,"b":3}]}`,
		"order":    `[{"a":1,"b":"x"},{"b":"y","a":2}]`,
		"nested":   `[{"a":1,"b":[1,{"c":2}]},{"a":2,"b":[]}]`,
	}
	reasons := map[string]map[string]string{
		"gcf": {"spelling": "it does not keep number spelling, at \"/rows/0/b\""}, "toon+hint": {"spelling": "number spelling, at \"/rows/0/b\""},
		"csv": {"spelling": "not_a_table", "nested": "nested_cell: a cell cannot hold an array (at /0/b)"},
		"md":  {"spelling": "not_a_table", "nested": "(at /0/b)"}, "goon": {"flat": "not_a_response", "spelling": "", "order": "not_a_response", "nested": "not_a_response"},
		"json": {}, "json+hint": {}, "json+fold": {}, "gcx+fold+hint": {}, "glyph": {}, "yaml": {}, "json:pretty": {},
		"cbor+hint": {"flat": "no sentence", "spelling": "", "order": "no sentence", "nested": "no sentence"},
	}
	for name, text := range docs {
		d := Document{Name: name + ".json", Value: codectest.JSON(t, text)}
		for arm, why := range reasons {
			var out bytes.Buffer
			err := Options{Arms: []string{"glyph", arm}, Questions: 5}.Make(&out, d)
			if reason, fails := why[name]; fails {
				require.ErrorContains(t, err, name+".json: quiz: the arm "+arm+": ", arm)
				require.ErrorContains(t, err, reason)
				continue
			}
			require.NoError(t, err, "%s in %s", name, arm)
			q, err := Load(&out)
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(q.Documents, func(r Record) bool { return r.Arm == arm && r.Document == "d1" }), "%s in %s", name, arm)
		}
		require.NoError(t, Options{Questions: 5}.Make(io.Discard, d), name)
	}
	log := []byte(strings.Repeat("2026-01-02T03:04:05Z service=orders level=info listening on port 8080\n", 40))
	var out bytes.Buffer
	require.NoError(t, Options{Arms: []string{"lines:plain+hint"}, Questions: 4}.Make(&out, Document{Name: "log", Text: log}))
	q, err := Load(&out)
	require.NoError(t, err)
	require.Equal(t, "lines:plain+hint", q.Documents[1].Arm)
	require.ErrorContains(t, Options{Arms: []string{"lines"}}.Make(io.Discard, Document{Name: "short", Text: []byte("a b\nc d\n")}), "short: quiz: the arm lines: ")
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left on device") }

// BenchmarkMake measures 1,000 questions about 1 MB of rows.
func BenchmarkMake(b *testing.B) {
	v, err := wire.ParseJSON(sample.Rows(9000))
	require.NoError(b, err)
	for name, arms := range map[string][]string{"json": {Base}, "all": nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				require.NoError(b, Options{Questions: 1000, Arms: arms}.Make(&out, Document{Name: "rows", Value: v}))
			}
		})
	}
}
