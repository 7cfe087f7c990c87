package tokens

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// A madeTokenizer is a tokenizer of its own: the file and what counts as it says, by
// regular expressions and by looking at every pair for each step.
type madeTokenizer struct {
	splits []*regexp2.Regexp
	vocab  map[string]int // by bytes
	merges [][2]string
	ranks  map[[2]string]int // the last places in merges
	ignore bool
	file   map[string]any
}

// makeTokenizer trains n merges of random pairs that occur in a text.
func makeTokenizer(random *rand.Rand, pattern Pattern, ignore, asPairs bool, n int) *madeTokenizer {
	m := &madeTokenizer{vocab: make(map[string]int), ranks: make(map[[2]string]int), ignore: ignore}
	var splits []any
	for _, line := range strings.Split(string(pattern), "\n") {
		m.splits = append(m.splits, regexp2.MustCompile(line, regexp2.None))
		splits = append(splits, map[string]any{"type": "Split", "pattern": map[string]any{"Regex": line}, "behavior": "Isolated", "invert": false})
	}
	names := make(map[byte]string)
	for r, b := range byteAlphabet() {
		names[b] = string(r)
		m.vocab[string([]byte{b})] = len(m.vocab)
	}
	pieces := m.pieces(scriptText(random, 3000))
	for range n {
		parts := m.merge([]byte(pieces[random.IntN(len(pieces))]))
		if len(parts) < 2 {
			continue
		}
		at := random.IntN(len(parts) - 1)
		pair := [2]string{parts[at], parts[at+1]}
		m.ranks[pair] = len(m.merges)
		m.merges = append(m.merges, pair)
		if _, ok := m.vocab[pair[0]+pair[1]]; !ok {
			m.vocab[pair[0]+pair[1]] = len(m.vocab)
		}
	}
	// The order of training is one that never lets a merge be passed over. Of a merge that
	// is listed twice the last place counts.
	m.merges = append(m.merges, m.merges[:len(m.merges)/10]...)
	random.Shuffle(len(m.merges), func(i, j int) { m.merges[i], m.merges[j] = m.merges[j], m.merges[i] })
	for i, pair := range m.merges {
		m.ranks[pair] = i
	}
	for range n / 10 { // tokens that no merge leads to
		if piece := pieces[random.IntN(len(pieces))]; m.vocab[piece] == 0 {
			m.vocab[piece] = len(m.vocab)
		}
	}
	for n := 10; n < 2000; n++ { // which most vocabularies have
		if digits := strconv.Itoa(n)[1:]; m.vocab[digits] == 0 {
			m.vocab[digits] = len(m.vocab)
		}
	}
	written := func(token string) string {
		var b strings.Builder
		for i := range len(token) {
			b.WriteString(names[token[i]])
		}
		return b.String()
	}
	vocab := map[string]int{"<|begin▁of▁text|>": len(m.vocab)}
	for token, id := range m.vocab {
		vocab[written(token)] = id
	}
	var merges []any
	for _, pair := range m.merges {
		if asPairs {
			merges = append(merges, []string{written(pair[0]), written(pair[1])})
		} else {
			merges = append(merges, written(pair[0])+" "+written(pair[1]))
		}
	}
	m.file = map[string]any{
		"version": "1.0", "truncation": nil, "added_tokens": []any{map[string]any{"id": 0, "content": "<think>", "special": false}}, "normalizer": nil,
		"pre_tokenizer": map[string]any{"type": "Sequence", "pretokenizers": append(splits, map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})},
		"model":         map[string]any{"type": "BPE", "dropout": nil, "unk_token": nil, "byte_fallback": false, "ignore_merges": ignore, "vocab": vocab, "merges": merges},
	}
	return m
}

// pieces splits a text by each expression in turn; what none matches is a piece.
func (m *madeTokenizer) pieces(text string) []string {
	pieces := []string{text}
	for _, split := range m.splits {
		var next []string
		for _, piece := range pieces {
			runes, at := []rune(piece), 0
			keep := func(to int) {
				if to > at {
					next = append(next, string(runes[at:to]))
				}
				at = to
			}
			for match, _ := split.FindStringMatch(piece); match != nil; match, _ = split.FindNextMatch(match) {
				keep(match.Index)
				keep(match.Index + match.Length)
			}
			keep(len(runes))
		}
		pieces = next
	}
	return pieces
}

// merge joins the first merge of the list that occurs, at its first place, again and again.
func (m *madeTokenizer) merge(piece []byte) []string {
	var parts []string
	for _, b := range piece {
		parts = append(parts, string([]byte{b}))
	}
	for {
		least, at := len(m.merges), 0
		for i := range len(parts) - 1 {
			if rank, ok := m.ranks[[2]string{parts[i], parts[i+1]}]; ok && rank < least {
				least, at = rank, i
			}
		}
		if least == len(m.merges) {
			return parts
		}
		parts = slices.Replace(parts, at, at+2, parts[at]+parts[at+1])
	}
}

func (m *madeTokenizer) tokens(text string) []string {
	var all []string
	for _, piece := range m.pieces(string([]rune(text))) {
		if _, ok := m.vocab[piece]; ok && m.ignore {
			all = append(all, piece)
		} else {
			all = append(all, m.merge([]byte(piece))...)
		}
	}
	return all
}

func (m *madeTokenizer) load(t *testing.T) *Vocabulary {
	t.Helper()
	src, err := json.Marshal(m.file)
	require.NoError(t, err)
	v, err := LoadTokenizerJSON("made", bytes.NewReader(src))
	require.NoError(t, err)
	return v
}

// scriptText returns a text of random characters of all scripts, words, white space and
// symbols.
func scriptText(random *rand.Rand, length int) string {
	names := slices.Sorted(maps.Keys(unicode.Scripts))
	common := []string{" ", " ", "  ", "\n", "\r\n", "\t", "1", "23", "4567", "!", "//", "'s", "'LL", "the", " the", "Return", "dataBase", "中文", "ア・イ゛ー", "\u3040", "\u3099", "、",
		"\x00", "\x01\x02", "\u00ad", "\u0378", "e\u0301", "\xff", "\u00a0", "(x", "-é", "aaaaa", "ababab", "½", "👍🏽", "한국"}
	var b strings.Builder
	for b.Len() < length {
		if random.IntN(3) > 0 {
			b.WriteString(common[random.IntN(len(common))])
			continue
		}
		table := unicode.Scripts[names[random.IntN(len(names))]]
		for range 1 + random.IntN(4) {
			if len(table.R16) > 0 {
				r := table.R16[random.IntN(len(table.R16))]
				b.WriteRune(rune(r.Lo) + rune(random.IntN(int(r.Hi-r.Lo)/int(r.Stride)+1))*rune(r.Stride))
			} else {
				b.WriteRune(rune(table.R32[random.IntN(len(table.R32))].Lo))
			}
		}
	}
	return string([]rune(b.String()))
}

// TestTokenizerJSON compares made tokenizers of each pattern with the counts, and the ends,
// of what they say, over texts of all scripts.
func TestTokenizerJSON(t *testing.T) {
	trials.OneGoroutine(t)
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for i, pattern := range slices.Sorted(maps.Keys(patterns)) {
		for _, ignore := range []bool{false, true} {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			m := makeTokenizer(random, pattern, ignore, ignore, 300)
			v := m.load(t)
			check := func(text string) {
				valid := string([]rune(text))
				require.Equal(t, m.pieces(valid), oracle{encoding: &v.encoding}.split(valid), "pieces of %q by %s", text, pattern)
				want, end := m.tokens(text), 0
				var ends []int
				for _, token := range want {
					end += len(token)
					ends = append(ends, end)
				}
				n, err := v.Count([]byte(text))
				require.NoError(t, err)
				require.Equal(t, len(want), n, "%q by %s", text, pattern)
				if !utf8.ValidString(text) {
					return
				}
				got, err := AppendEnds(nil, v, []byte(text))
				require.NoError(t, err)
				require.Equal(t, ends, got, "%q by %s", text, pattern)
				n, err = CountUpTo(v, []byte(text), len(want)/2)
				require.NoError(t, err)
				require.LessOrEqual(t, n, len(want))
				require.True(t, n > len(want)/2 || n == len(want), "%q by %s", text, pattern)
			}
			for _, test := range texts {
				check(test.text)
			}
			for range rounds {
				check(scriptText(random, 1+random.IntN(300)))
			}
			ascii := []string{" ", "  ", "1", "23", "4567", "a", "Bc", "!", "'", "\n", "\t", "/", "-x", "word"}
			for range rounds {
				var b strings.Builder
				for range 60 {
					b.WriteString(ascii[random.IntN(len(ascii))])
				}
				check(b.String())
			}
		}
	}
}

// TestTokenizerJSONLong holds that a long text has the same tokens counted in parts and
// piece by piece.
func TestTokenizerJSONLong(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		v := makeTokenizer(random, pattern, false, true, 100).load(t)
		text := []byte(scriptText(random, 2*parallelFrom))
		ends, err := AppendEnds(nil, v, text)
		require.NoError(t, err)
		n, err := v.Count(text)
		require.NoError(t, err)
		require.Equal(t, len(ends), n, pattern)
	}
}

// TestTokenizerJSONRefuses changes a good file in each way that makes it another kind.
func TestTokenizerJSONRefuses(t *testing.T) {
	type object = map[string]any
	split := func(o object) object {
		return o["pre_tokenizer"].(object)["pretokenizers"].([]any)[0].(object)
	}
	bytesStep := func(o object) object {
		return o["pre_tokenizer"].(object)["pretokenizers"].([]any)[1].(object)
	}
	model := func(o object) object { return o["model"].(object) }
	for _, test := range []struct {
		change func(o object)
		want   string
	}{
		{func(o object) { model(o)["type"] = "WordPiece" }, "WordPiece"},
		{func(o object) { model(o)["type"] = "Unigram"; model(o)["vocab"] = []any{[]any{"<unk>", 0}} }, "Unigram"},
		{func(o object) { model(o)["byte_fallback"] = true }, "SentencePiece"},
		{func(o object) { model(o)["dropout"] = 0.1 }, "dropout"},
		{func(o object) { model(o)["continuing_subword_prefix"] = "##" }, "##"},
		{func(o object) { model(o)["end_of_word_suffix"] = "</w>" }, "</w>"},
		{func(o object) { model(o)["merges"] = []any{"a"} }, "two tokens"},
		{func(o object) { model(o)["merges"] = []any{[]string{"a", "b", "c"}} }, "two tokens"},
		{func(o object) { model(o)["merges"] = []any{"qqq zzz"} }, "not tokens"},
		{func(o object) { delete(model(o)["vocab"].(map[string]int), "a"); model(o)["merges"] = []any{} }, "255 of the 256"},
		{func(o object) { model(o)["vocab"] = []any{} }, "model.vocab"},
		{func(o object) { delete(o, "model") }, "no model"},
		{func(o object) { o["normalizer"] = object{"type": "NFKC"} }, "NFKC"},
		{func(o object) {
			o["normalizer"] = object{"type": "Sequence", "normalizers": []any{object{"type": "Lowercase"}}}
		}, "Lowercase"},
		{func(o object) { o["pre_tokenizer"] = nil }, "ByteLevel"},
		{func(o object) { o["pre_tokenizer"] = object{"type": "Metaspace"} }, "ByteLevel"},
		{func(o object) { o["pre_tokenizer"] = object{"type": "ByteLevel"} }, "GPT-2"},
		{func(o object) { o["pre_tokenizer"] = object{"type": "ByteLevel", "use_regex": false} }, "unknown pattern"},
		{func(o object) { bytesStep(o)["add_prefix_space"] = true }, "add_prefix_space"},
		{func(o object) { bytesStep(o)["use_regex"] = true }, "GPT-2"},
		{func(o object) { split(o)["type"] = "Digits" }, "Digits"},
		{func(o object) { split(o)["pattern"] = object{"String": " "} }, "Regex"},
		{func(o object) { split(o)["pattern"] = object{"Regex": `\p{L}+`} }, `unknown pattern "\\p{L}+"`},
		{func(o object) { split(o)["behavior"] = "MergedWithNext" }, "MergedWithNext"},
		{func(o object) { split(o)["invert"] = true }, "invert true"},
	} {
		m := makeTokenizer(rand.New(rand.NewPCG(1, 1)), PatternQwen, false, true, 20)
		m.load(t)
		test.change(m.file)
		src, err := json.Marshal(m.file)
		require.NoError(t, err)
		_, err = LoadTokenizerJSON("bad.json", bytes.NewReader(src))
		require.ErrorContains(t, err, "tokens: tokenizer bad.json: ")
		require.ErrorContains(t, err, test.want)
	}
	m := makeTokenizer(rand.New(rand.NewPCG(1, 1)), PatternQwen, false, true, 20)
	src, err := json.Marshal(m.file)
	require.NoError(t, err)
	for cut := range 200 {
		_, err := LoadTokenizerJSON("cut", bytes.NewReader(src[:cut*len(src)/200]))
		require.ErrorContains(t, err, "not a tokenizer.json")
	}
	_, err = m.load(t).AppendBinary(nil)
	require.ErrorContains(t, err, "merges")
	split(m.file)["behavior"], split(m.file)["invert"] = "Removed", true
	m.load(t)
}

// TestNFC holds the normalizer against sentences of Unicode's own definition: what a
// composed character and its parts, in any order that is equivalent, become.
func TestNFC(t *testing.T) {
	tables := newNFC()
	for in, want := range map[string]string{
		"": "", "abc é": "abc é", "e\u0301": "é", "E\u0323\u0302": "Ệ", "E\u0302\u0323": "Ệ", "\u212b": "Å", "\u2126x": "Ωx", "\u0344": "\u0308\u0301",
		"\u0958": "\u0915\u093c", "\u1100\u1161\u11a8": "각", "가\u11a8": "각", "각\u11a8": "각\u11a8", "\u0301e": "\u0301e", "a\u0300\u0300": "à\u0300",
		"a\u0328\u0301": "ą\u0301", "a\u0346\u0301": "a\u0346\u0301", "a\u0301\u0328": "ą\u0301", "\uf900": "豈", "\u05e9\u05c1\u05bc": "\u05e9\u05bc\u05c1", "\U0001d15e": "\U0001d157\U0001d165",
		"\u09c7\u09be": "\u09cb", "\xffe\u0301": "\ufffdé", "が": "が", "か\u3099": "が", "\u1e9b\u0323": "\u1e9b\u0323", "か\u3099!か\u3099": "が!が",
	} {
		require.Equal(t, want, string(tables.normalize([]byte(in))), "%+q", in)
	}
	for r, parts := range tables.decomposed {
		one := tables.normalize([]byte(string(r)))
		require.Equal(t, string(one), string(tables.normalize([]byte(string(parts)))), "%U", r)
		require.Equal(t, string(one), string(tables.normalize(one)), "%U", r)
	}
	random := rand.New(rand.NewPCG(2, 3))
	m := makeTokenizer(random, PatternQwen, false, true, 50)
	m.file["normalizer"] = map[string]any{"type": "NFC"}
	v := m.load(t)
	for range 200 {
		text := scriptText(random, 200)
		n, err := v.Count([]byte(text))
		require.NoError(t, err)
		require.Equal(t, len(m.tokens(string(tables.normalize([]byte(text))))), n)
	}
	_, err := AppendEnds(nil, v, []byte("e\u0301"))
	require.ErrorIs(t, err, errors.ErrUnsupported)
	ends, err := AppendEnds(nil, v, []byte("é\xff"))
	require.NoError(t, err)
	require.NotEmpty(t, ends)
}

func BenchmarkTokenizerJSON(b *testing.B) {
	name := os.Getenv("TOKENIZER_JSON")
	if name == "" {
		b.Skip("TOKENIZER_JSON names no file")
	}
	src, err := os.ReadFile(name)
	require.NoError(b, err)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			_, err := LoadTokenizerJSON("file", bytes.NewReader(src))
			require.NoError(b, err)
		}
	})
	v, err := LoadTokenizerJSON("file", bytes.NewReader(src))
	require.NoError(b, err)
	for _, text := range append(benchmarkTexts(), benchmarkText{"code, prose and JSON", mixedText(b)}) {
		b.Run(text.name, func(b *testing.B) {
			b.SetBytes(int64(len(text.text)))
			for b.Loop() {
				_, err := v.Count(text.text)
				require.NoError(b, err)
			}
		})
	}
}

// mixedText is the code and the documentation of this repository, and answers in JSON, by
// turns.
func mixedText(b *testing.B) []byte {
	var text []byte
	code, err := filepath.Glob("*.go")
	require.NoError(b, err)
	prose, err := filepath.Glob("../docs/*.md")
	require.NoError(b, err)
	for i, answer := range payload.All() {
		for _, name := range []string{code[i%len(code)], prose[i%len(prose)]} {
			file, err := os.ReadFile(name)
			require.NoError(b, err)
			text = append(text, file...)
		}
		text = append(text, answer.JSON...)
	}
	return text
}

// TestTablesAreNotLinked: a program that loads no tokenizer.json does not have the tables of
// NFC.
func TestTablesAreNotLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it builds programs")
	}
	for call, want := range map[string]bool{`Default().Count(nil)`: false, `LoadTokenizerJSON("", nil)`: true} {
		dir := t.TempDir()
		source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
		require.NoError(t, os.WriteFile(source, []byte("package main\n\nimport \"github.com/wirekit/wirekit/tokens\"\n\nfunc main() { _, _ = tokens."+call+" }\n"), 0o600))
		out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput()
		require.NoError(t, err, "%s", out)
		linked, err := os.ReadFile(program)
		require.NoError(t, err)
		require.Equal(t, want, bytes.Contains(linked, []byte(nfcData[:1000])), call)
	}
}
