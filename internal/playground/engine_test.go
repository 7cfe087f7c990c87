package playground_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/playground"
	"github.com/wirekit/wirekit/internal/playground/corelist"
	"github.com/wirekit/wirekit/internal/playground/packview"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// ask sends a request and takes the answer apart.
func ask(t *testing.T, e *playground.Engine, head, body string) (wire.Value, string) {
	t.Helper()
	out := e.Do([]byte(head), []byte(body))
	require.GreaterOrEqual(t, len(out), 4)
	n := binary.LittleEndian.Uint32(out)
	v := codectest.JSON(t, out[4:4+n])
	return v, string(out[4+n:])
}

func at(t *testing.T, v wire.Value, names ...string) wire.Value {
	t.Helper()
	for _, name := range names {
		var ok bool
		v, ok = v.Get(name)
		require.True(t, ok, "no %s in it", name)
	}
	return v
}

// loaded returns an engine with the vocabularies.
func loaded(t *testing.T, e *playground.Engine) *playground.Engine {
	t.Helper()
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		data, err := os.ReadFile("../../tokens/data/" + name + ".bin")
		require.NoError(t, err)
		answer, _ := ask(t, e, `{"op":"vocabulary","name":"`+name+`"}`, string(data))
		require.Equal(t, name, at(t, answer, "name").Text())
	}
	return e
}

var engines = map[string]func() *playground.Engine{"core": corelist.Engine, "full": packview.Engine}

// TestCounters holds that every counter counts as it does elsewhere, and that only
// vocabularies have pieces.
func TestCounters(t *testing.T) {
	const text = "hello world, said the estimate"
	for which, engine := range engines {
		e := loaded(t, engine())
		for _, name := range tokens.Names() {
			c, err := tokens.Lookup(name)
			require.NoError(t, err)
			n, err := c.Count([]byte(text))
			require.NoError(t, err)
			answer, _ := ask(t, e, `{"op":"count","counter":"`+name+`"}`, text)
			require.Equal(t, fmt.Sprintf(`{"tokens":%d,"exact":%t}`, n, c.Exact()), answer.String(), "%s in %s", name, which)
			answer, _ = ask(t, e, `{"op":"pieces","counter":"`+name+`"}`, text)
			_, refused := answer.Get("error")
			require.Equal(t, !c.Exact(), refused, name)
		}
	}
}

// TestErrors has the answers to what cannot be done, with the position in
// characters, bytes and UTF-16 code units.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, head, body string
		want             string // the error, or a part of it where there is an …
	}{
		{"no JSON", `{`, ``, `…unexpected_end…`},
		{"no object", `[]`, ``, `{"message":"a request is an object"}`},
		{"no such operation", `{"op":"x"}`, ``, `{"message":"this program has no operation \"x\""}`},
		{"nothing open", `{"op":"card","format":"gcf"}`, ``, `{"message":"no document is open"}`},
		{"unknown format", `{"op":"convert","to":"x"}`, `{}`, `…unknown format…`},
		{"no counter", `{"op":"count"}`, ``, `{"message":"count needs the name of a counter"}`},
		{"vocabulary not loaded", `{"op":"count","counter":"o200k_base"}`, `x`, `{"message":"the vocabulary o200k_base is not loaded"}`},
		{"no such vocabulary", `{"op":"vocabulary","name":"x"}`, ``, `{"message":"no vocabulary is called \"x\""}`},
		{"damaged vocabulary", `{"op":"vocabulary","name":"o200k_base"}`, "tokenv2\n\xff\xff\x01\x00", `…damaged…`},
		{"estimate not loaded", `{"op":"count","counter":"claude-estimate"}`, `x`, `{"message":"the vocabulary o200k_base is not loaded"}`},
		{"ASCII", `{"op":"open","from":"json"}`, `{"a": x}`, `…"line":1,"column":7,"offset":6,"at":6,…`},
		{"second line", `{"op":"open","from":"json"}`, "{\n \"a\": x}", `…"line":2,"column":7,"offset":8,"at":8,…`},
		{"behind emoji", `{"op":"open","from":"json"}`, `{"😀é": x}`, `…"line":1,"column":8,"offset":11,"at":8,…`},
		{"behind emoji, caret", `{"op":"open","from":"json"}`, `{"😀": x}`, `…"excerpt":"1 | {\"😀\": x}\n          ^"…`},
		{"path", `{"op":"open","from":"json"}`, `{"a":[1,{"b":tru}]}`, `…"path":"/a/1/b"…`},
	} {
		for which, engine := range engines {
			t.Run(test.name+" "+which, func(t *testing.T) {
				answer, body := ask(t, engine(), test.head, test.body)
				got := at(t, answer, "error").String()
				require.Empty(t, body)
				if part, ok := strings.CutPrefix(test.want, "…"); ok {
					require.Contains(t, got, strings.TrimSuffix(part, "…"))
				} else {
					require.Equal(t, test.want, got)
				}
			})
		}
	}
}

// TestTooLong: what is longer than the page takes is refused before it is read.
func TestTooLong(t *testing.T) {
	answer, _ := ask(t, corelist.Engine(), `{"op":"open"}`, strings.Repeat(" ", playground.MaxInput+1))
	require.Contains(t, at(t, answer, "error", "message").Text(), "more than the 20000000")
}

// TestDeep: nesting beyond the limit is an error, not a crash.
func TestDeep(t *testing.T) {
	answer, _ := ask(t, corelist.Engine(), `{"op":"open"}`, strings.Repeat("[", 1_000_000))
	require.Contains(t, at(t, answer, "error", "message").Text(), "Depth")
}

// TestPanic: a program that fails still answers.
func TestPanic(t *testing.T) {
	e := corelist.Engine()
	e.More = map[string]playground.Operation{"fail": func(*playground.Engine, playground.Request) playground.Answer { panic("no") }}
	answer, _ := ask(t, e, `{"op":"fail"}`, "")
	require.Contains(t, at(t, answer, "error", "message").Text(), "the program failed: no")
}

// TestCards: the cards of both programs are what the library's comparison finds.
func TestCards(t *testing.T) {
	for _, file := range []string{"orders", "hosts", "graph", "symbols", "notes"} {
		text, err := os.ReadFile("../../examples/data/" + file + ".json")
		require.NoError(t, err)
		v := codectest.JSON(t, text)
		for which, engine := range engines {
			e := loaded(t, engine())
			opened, _ := ask(t, e, `{"op":"open"}`, string(text))
			require.Equal(t, "json", at(t, opened, "format").Text())
			for _, counter := range []tokens.Counter{tokens.O200k{}, tokens.Cl100k{}} {
				var names []string
				for _, c := range describe.All(e.Formats) {
					names = append(names, c.Info().FullName())
				}
				every, err := wirekit.Chooser{Registry: e.Formats, Formats: names, Counter: counter}.Compare(t.Context(), v)
				require.NoError(t, err)
				for _, want := range every {
					card, body := ask(t, e, `{"op":"card","format":"`+want.Name()+`","counter":"`+counter.Name()+`"}`, "")
					if want.Err != nil {
						require.Equal(t, want.Err.Error(), at(t, card, "refused").Text(), which)
						continue
					}
					require.Equal(t, string(want.Encoded), body)
					bytes, _ := at(t, card, "bytes").Int64()
					gzip, _ := at(t, card, "gzip").Int64()
					require.Equal(t, []int64{int64(len(want.Encoded)), int64(want.Gzip)}, []int64{bytes, gzip})
					require.Equal(t, want.Lossless, at(t, card, "lossless").Bool())
					if want.Tokens >= 0 {
						n, _ := at(t, card, "tokens").Int64()
						require.Equal(t, int64(want.Tokens), n, "%s %s", which, want.Name())
					}
					if want.Loss != 0 {
						require.Equal(t, want.Loss.String(), at(t, card, "loss").Text())
						path, _ := card.Get("loss_at")
						require.Equal(t, want.LossPath, path.Text())
					}
				}
			}
		}
	}
}

// TestConvert goes from JSON to each text format and back.
func TestConvert(t *testing.T) {
	const text = `{"orders":[{"id":1,"name":"ada"},{"id":2,"name":"bo"}]}`
	e := loaded(t, packview.Engine())
	for _, c := range describe.All(e.Formats) {
		name := c.Info().FullName()
		want, err := wirekit.Convert([]byte(text), "json", name)
		answer, body := ask(t, e, `{"op":"convert","to":"`+name+`"}`, text)
		if err != nil {
			require.Equal(t, err.Error(), at(t, answer, "error", "message").Text())
			continue
		}
		require.Equal(t, string(want), body)
		if c.Info().Loss == 0 {
			answer, body = ask(t, e, `{"op":"convert","from":"`+name+`","to":"json"}`, body)
			require.Equal(t, text, body, "%s: %s", name, answer)
		}
	}
}

// TestFold: folded formats are counted with the vocabulary that the command folds by.
func TestFold(t *testing.T) {
	text, err := os.ReadFile("../../examples/data/hosts.json")
	require.NoError(t, err)
	want, err := wirekit.Convert(text, "json", "gcf+fold")
	require.NoError(t, err)
	answer, body := ask(t, loaded(t, packview.Engine()), `{"op":"convert","to":"gcf+fold"}`, string(text))
	require.Equal(t, string(want), body, answer.String())
	answer, _ = ask(t, packview.Engine(), `{"op":"convert","to":"gcf+fold"}`, string(text))
	require.Contains(t, answer.String(), "the vocabulary o200k_base is not loaded")
}

func TestCompare(t *testing.T) {
	e := loaded(t, packview.Engine())
	for head, n := range map[string]int{`{"op":"compare"}`: len(wirekit.Registry().Codecs()), `{"op":"compare","all":true,"counter":"o200k_base"}`: len(describe.All(wirekit.Registry()))} {
		answer, _ := ask(t, e, head, `[{"a":1},{"a":2}]`)
		require.Equal(t, n, at(t, answer, "formats").Len())
	}
}

// TestOther: what is not JSON waits for the program that knows all formats.
func TestOther(t *testing.T) {
	for text, format := range map[string]string{
		`{"a":1}`: "json", "{\"a\":1}\n{\"a\":2}\n": "jsonl", "GCF profile=generic\na=1\n": "gcf", "[2]: 1,2": "toon", "---\n- a: 1\n": "yaml",
	} {
		full, _ := ask(t, loaded(t, packview.Engine()), `{"op":"open"}`, text)
		require.Equal(t, format, at(t, full, "format").Text(), text)
		core, _ := ask(t, corelist.Engine(), `{"op":"open"}`, text)
		if format == "json" || format == "jsonl" {
			require.Equal(t, format, at(t, core, "format").Text())
		} else {
			require.Equal(t, "other_program", at(t, core, "error", "code").Text())
		}
	}
}

// TestTexts: what is in no format is a text, with cards of its own. Where lines save
// nothing, they are refused.
func TestTexts(t *testing.T) {
	text := ""
	for i := range 30 {
		text += "internal/server/router.go:" + strings.Repeat("1", i%7+1) + ": undefined: reqHeader in the handler of the request\n"
	}
	e := loaded(t, packview.Engine())
	opened, _ := ask(t, e, `{"op":"open"}`, text)
	require.Equal(t, "text", at(t, opened, "format").Text())
	least := int64(1 << 40)
	for _, name := range []string{"text", "lines:plain", "lines"} {
		card, body := ask(t, e, `{"op":"card","format":"`+name+`","counter":"o200k_base"}`, "")
		require.True(t, at(t, card, "lossless").Bool(), "%s: %s", name, card)
		n, _ := at(t, card, "tokens").Int64()
		require.Less(t, n, least, name)
		least = n
		if name != "text" {
			require.True(t, strings.HasPrefix(body, "lines v1; "), body)
			again, _ := ask(t, e, `{"op":"open"}`, body)
			require.Equal(t, "lines", at(t, again, "format").Text())
			_, back := ask(t, e, `{"op":"convert","to":"text"}`, body)
			require.Equal(t, text, back)
			ask(t, e, `{"op":"open"}`, text)
		}
	}
	compared, _ := ask(t, e, `{"op":"compare","counter":"o200k_base"}`, text)
	require.Equal(t, 3, at(t, compared, "formats").Len())
	ask(t, e, `{"op":"open"}`, "Nothing is here twice.")
	card, _ := ask(t, e, `{"op":"card","format":"lines","counter":"o200k_base"}`, "")
	require.Contains(t, at(t, card, "refused").Text(), "too few")
	for _, value := range []string{`{"a":1}`, `"a text"`} {
		opened, _ = ask(t, e, `{"op":"open"}`, value)
		require.Equal(t, "json", at(t, opened, "format").Text())
	}
	broken, _ := ask(t, e, `{"op":"open"}`, "{\"a\": 1,\n \"b\": x}")
	require.Equal(t, "json", at(t, broken, "error", "format").Text())
}

func TestCount(t *testing.T) {
	e := loaded(t, corelist.Engine())
	answer, _ := ask(t, e, `{"op":"count","counter":"o200k_base"}`, "hello world")
	require.Equal(t, `{"tokens":2,"exact":true}`, answer.String())
}

// TestPieces has ends in UTF-16 code units. A character of several tokens is the
// end of all of them.
func TestPieces(t *testing.T) {
	e := loaded(t, corelist.Engine())
	for _, test := range []struct {
		text string
		most string
		want []uint32
	}{
		{"", "9", nil},
		{"hello world", "9", []uint32{5, 11}},
		{"hello world", "1", []uint32{5}},
		{"é hello", "9", []uint32{1, 7}},
		{"😀 hello", "9", []uint32{2, 8}},
		{"\U0001f9ff", "9", []uint32{2, 2, 2}},
	} {
		_, body := ask(t, e, `{"op":"pieces","counter":"o200k_base","most":`+test.most+`}`, test.text)
		var got []uint32
		for b := []byte(body); len(b) > 0; b = b[4:] {
			got = append(got, binary.LittleEndian.Uint32(b))
		}
		require.Equal(t, test.want, got, "%q", test.text)
	}
}
