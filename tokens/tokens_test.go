package tokens

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go-loader/assets"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
)

// texts are the cases that every comparison with the library runs and that
// fuzzing begins with.
var texts = []struct{ name, text string }{
	{"one byte", "a"},
	{"one line break", "\n"},
	{"one space", " "},
	{"words", "hello world"},
	{"sentence", "The quick brown fox jumps over the lazy dog."},
	{"contractions", "I'm you're he's she'd we'll they've don't 'tis 'S 'LL 'Re x'Ve y'lL"},
	{"contraction at the end", "it'"},
	{"unfinished contractions", "a'r a'v a'l a'lx 're 'r"},
	{"apostrophe and byte that lowers to nothing", "a'\x13 a'\x12e 'S"},
	{"long s", "'ſt a'ſ ſ"},
	{"kelvin sign", "'K K"},
	{"camel case", "camelCaseWord HTTPServer XMLHttpRequest aBCdE ABCd"},
	{"modifier letters among capitals", "AʰBʰ ʰA Aʰ ªAªA AªAB"},
	{"titlecase letters", "Džabc DžDž aDž"},
	{"marks", "\u0301 \u0301a \u0301A \u0301\u0301A a\u0301 A\u0301B !\u0301 !!\u0301 1\u0301 \n\u0301 \u0301' \u0301's"},
	{"mark as prefix of capitals", "\u0301ABC \u0301ABCd \u0301AB\u0301C"},
	{"marks between prefixes", "\t\u0301!\u0301A\u0301"},
	{"digits", "1 12 123 1234 12345 123456 1a 12a 1234a ١٢٣٤ Ⅷ½²"},
	{"spaces", "a  b   c    d     "},
	{"tabs", "a\tb\t\tc \t d\t 1\t 2 \t!"},
	{"line breaks", "a\nb\n\nc\r\nd \n e\n \n f \r\n\t\n  g\n"},
	{"trailing spaces", "a \n  "},
	{"Unicode spaces", "a\u00a0b\u00a0\u00a0c\u2028d\u2029\u0085e\u3000f\u3000\u3000!\u180e\u200b"},
	{"symbols and line breaks", "a!\n\nb !!\r\n{\n/ /\n/*/\n// x"},
	{"slashes", "a/b/c //d http://example.com/x?y=z#/ \n/"},
	{"JSON", `{"id":12345,"name":"Ada","tags":["x","y"],"ok":true,"pi":3.14159,"n":null}`},
	{"indented JSON", "{\n  \"id\": 1,\n  \"rows\": [\n    {\"a\": -0.5e10}\n  ]\n}\n"},
	{"pipe table", "id|name|price\n1|Ada|9.50\n2|Grace|~\n"},
	{"tab table", "GCX1\tx\n1\tfoo\\tbar\t\t\n"},
	{"Chinese", "模型读取结构化数据,而不丢失信息。"},
	{"Japanese", "これはテストです。カタカナとひらがな"},
	{"Korean", "안녕하세요 세계"},
	{"Arabic", "مرحبا بالعالم"},
	{"Hindi", "नमस्ते दुनिया"},
	{"Thai", "สวัสดีชาวโลก"},
	{"Russian", "Привет, мир! ЭТО Тест"},
	{"Greek", "Καλημέρα Κόσμε ΑΒΓ"},
	{"emoji", "👍🏽 👨‍👩‍👧‍👦 🇩🇪 x👍y"},
	{"mathematical letters", "𝐀𝐁𝐜 𝟏𝟐𝟑𝟒 𐐀𐐨"},
	{"special tokens", "<|endoftext|> <|im_start|>user<|endofprompt|><|fim_prefix|>"},
	{"control characters", "\x00\x01\x7f\u0080\u009f"},
	{"private use and unassigned", "\ue000\U000e0001\U0010ffff\u0378"},
	{"byte order mark", "\ufeff{}"},
	{"replacement character", "a\ufffdb"},
	{"invalid UTF-8", "a\xffb\xc3\x28\xe2\x82 \xf0\x9f\x91\xff\xfe"},
	{"surrogates and overlong", "\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80"},
	{"truncated character", "é\xc3"},
	{"long word", strings.Repeat("antidisestablishmentarianism", 20)},
	{"piece at the limits of the short merge", strings.Repeat("x", 95) + " " + strings.Repeat("y", 95) + " " + strings.Repeat("z", 96)},
	{"long run of spaces", strings.Repeat(" ", 400) + "x"},
	{"long run of line breaks", strings.Repeat("\n", 400) + strings.Repeat("\r\n", 100)},
	{"long run of dashes", strings.Repeat("-", 300) + strings.Repeat("=", 300)},
	{"repeated rows", strings.Repeat("4711|Grace Hopper|grace@example.com|2024-05-01T12:00:00Z\n", 40)},
}

func TestKnownCounts(t *testing.T) {
	// The counts of cl100k_base for the sentence about tiktoken and for the
	// Japanese one are those of OpenAI's guide to counting tokens; the others
	// come from the library.
	for _, test := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"a", 1, 1},
		{"hello world", 2, 2},
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
	} {
		t.Run(test.text, func(t *testing.T) {
			n, err := O200k{}.Count([]byte(test.text))
			require.NoError(t, err)
			require.Equal(t, test.o200k, n, "o200k_base")
			n, err = Cl100k{}.Count([]byte(test.text))
			require.NoError(t, err)
			require.Equal(t, test.cl100k, n, "cl100k_base")
		})
	}
}

func TestEqualsLibrary(t *testing.T) {
	trials.OneGoroutine(t)
	forEachOracle(t, func(t *testing.T, o oracle) {
		for _, test := range texts {
			t.Run(test.name, func(t *testing.T) { o.requireEqual(t, test.text) })
		}
	})
}

// TestSplitEveryCharacter puts the first and the last character of every range
// of every category, their neighbours, and every character of the Latin pages
// into the positions that the patterns distinguish.
func TestSplitEveryCharacter(t *testing.T) {
	var characters []rune
	for r := rune(0); r < 0x250; r++ {
		characters = append(characters, r)
	}
	for _, table := range unicode.Categories {
		for _, r := range table.R16 {
			characters = append(characters, rune(r.Lo)-1, rune(r.Lo), rune(r.Hi), rune(r.Hi)+1)
		}
		for _, r := range table.R32 {
			characters = append(characters, rune(r.Lo)-1, rune(r.Lo), rune(r.Hi), rune(r.Hi)+1)
		}
	}
	slices.Sort(characters)
	characters = slices.Compact(characters)
	characters = slices.DeleteFunc(characters, func(r rune) bool { return !utf8.ValidRune(r) })
	if testing.Short() {
		characters = characters[:0x250]
	}
	forEachOracle(t, func(t *testing.T, o oracle) {
		for _, r := range characters {
			s := string(r)
			text := s + "a" + s + "A" + s + s + " " + s + "1" + s + "!" + s + "\n" + s + "\t" + s + "\u0301" + s + "B's" + s + "'" + s
			require.Equal(t, o.pieces(t, text), o.split(text), "around %U", r)
		}
	})
}

// TestCharacterClasses compares the table with package unicode, character by character.
func TestCharacterClasses(t *testing.T) {
	c := characterClasses()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := other
		switch {
		case r == '\n' || r == '\r':
			want = newline
		case unicode.IsSpace(r):
			want = blank
		case unicode.In(r, unicode.Lu, unicode.Lt):
			want = upper
		case unicode.Is(unicode.Ll, r):
			want = lower
		case unicode.IsLetter(r):
			want = caseless
		case unicode.IsMark(r):
			want = mark
		case unicode.IsNumber(r):
			want = number
		}
		got := c.pages[r>>8][r&0xff]
		if got != want {
			t.Fatalf("%U: got class %08b, want %08b", r, got, want)
		}
		if utf8.ValidRune(r) {
			text := string(r)
			of, next := c.at([]byte(text), 0)
			if of != want || next != len(text) {
				t.Fatalf("%U read: class %08b up to %d", r, of, next)
			}
		}
	}
}

// TestRandomTexts compares texts of random parts, chosen so that the
// alternatives of the patterns meet in every order.
func TestRandomTexts(t *testing.T) {
	alphabet := []string{
		"a", "b", "Z", "Q", "ll", "re", "'", "'s", "'LL", "ª", "ʰ", "Dž", "中", "é", "ß", "\u0301", "\u0903",
		"1", "23", "½", " ", "  ", "\t", "\n", "\r", "\r\n", "\u00a0", "\u2028", "\u3000", "/", "//", "!", "-", "{\"", "👍", "\ufffd",
		"\xff", "\xe4\xb8", "\x00", "the", " the", "Return", "data", "ing", "ion", "_id", "====", "<|endoftext|>",
	}
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	forEachOracle(t, func(t *testing.T, o oracle) {
		for range rounds {
			var b strings.Builder
			for range random.IntN(40) {
				b.WriteString(alphabet[random.IntN(len(alphabet))])
			}
			o.requireEqual(t, b.String())
		}
	})
}

// TestMerge compares both merges with each other and with the library on
// pieces of one kind, which have no borders.
func TestMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	forEachOracle(t, func(t *testing.T, o oracle) {
		v, err := o.encoding.load()
		require.NoError(t, err)
		for _, letters := range []string{"a", "ab", "abc", "etaoinshrdlu", "abcdefghijklmnopqrstuvwxyz", "的一是不了人我在有他这中大来上"} {
			runes := []rune(letters)
			for _, length := range []int{2, 3, 5, 8, 13, 31, 32, 33, 95, 96, 97, 200, 1000} {
				var piece []byte
				for len(piece) < length {
					piece = utf8.AppendRune(piece, runes[random.IntN(len(runes))])
				}
				want := 1
				if _, ok := o.ranks[string(piece)]; !ok {
					want = len(o.library.EncodeOrdinary(string(piece)))
					require.Equal(t, want, new(parts).merge(v, piece), "%q", piece)
				}
				got, err := o.counter.Count(piece)
				require.NoError(t, err)
				require.Equal(t, want, got, "%q", piece)
			}
		}
	})
}

func TestVocabularyEqualsLibrary(t *testing.T) {
	forEachOracle(t, func(t *testing.T, o oracle) {
		v, err := o.encoding.load()
		require.NoError(t, err)
		require.Len(t, v.ends, len(o.ranks))
		for token, rank := range o.ranks {
			b := []byte(token)
			if got := v.rank(b); got != uint32(rank) {
				t.Fatalf("rank of %q: got %d, want %d", token, got, rank)
			}
			if len(b) == 2 && v.pairs[uint(b[0])<<8|uint(b[1])] != uint32(rank) {
				t.Fatalf("pair %q is missing", token)
			}
			if b = append(b, 0x00); v.rank(b) != unranked && o.ranks[string(b)] == 0 {
				t.Fatalf("%q is no token", b)
			}
		}
	})
}

func TestReadVocabularyRefuses(t *testing.T) {
	for _, test := range []struct{ name, file, message string }{
		{"empty file", "", "0 of the 256 single bytes"},
		{"incomplete", "IQ== 0\n", "1 of the 256 single bytes"},
		{"rank out of order", "IQ== 0\nIg== 2\n", `token 1: unexpected rank "2"`},
		{"no rank", "IQ==\n", `token 0: unexpected rank ""`},
		{"no base64", "!!!! 0\n", "illegal base64"},
		{"empty token", " 0\n", "empty token"},
		{"twice", "IQ== 0\nIQ== 1\n", "token 1: duplicate"},
		{"endless line", strings.Repeat("A", 1<<20), "too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := readVocabulary(strings.NewReader(test.file))
			require.ErrorContains(t, err, test.message)
		})
	}
	broken := encoding{data: []byte("none"), pattern: patternO200k}
	for range 2 {
		_, err := broken.count([]byte("a"), noBound)
		require.ErrorIs(t, err, errBinary)
		_, err = broken.appendEnds(nil, []byte("a"))
		require.ErrorIs(t, err, errBinary)
	}
	_, err := Load("x", strings.NewReader(""), `\w+`)
	require.ErrorContains(t, err, "unknown pattern")
}

// TestBuiltInEqualsLoader holds that the embedded files are made of the
// loader's, whole and without a change.
func TestBuiltInEqualsLoader(t *testing.T) {
	trials.OneGoroutine(t)
	for name, data := range map[string][]byte{"o200k_base": o200kData, "cl100k_base": cl100kData} {
		ranks, err := assets.Assets.Open(name + ".tiktoken")
		require.NoError(t, err)
		defer ranks.Close()
		v, err := Load(name, ranks, PatternO200k)
		require.NoError(t, err)
		require.Equal(t, name, v.Name())
		require.True(t, v.Exact())
		binary, err := v.AppendBinary([]byte("x"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(binary[1:], data), "%s: run go run ./internal/tools/vocabulary", name)
		again, err := Load(name, bytes.NewReader(binary[1:]), PatternO200k)
		require.NoError(t, err)
		require.Equal(t, v.vocab, again.vocab)
		trusted, err := parseBinary(data)
		require.NoError(t, err)
		require.Equal(t, v.vocab, trusted)
	}
}

// TestBinaryRefuses cuts and damages the binary form.
func TestBinaryRefuses(t *testing.T) {
	small := &vocabulary{}
	for i := range 256 {
		small.bytes = append(small.bytes, byte(i))
		small.ends = append(small.ends, uint32(i+1))
	}
	require.NoError(t, small.index())
	good, err := (&Vocabulary{encoding: encoding{vocab: small}}).AppendBinary(nil)
	require.NoError(t, err)
	_, err = readVocabulary(bytes.NewReader(good))
	require.NoError(t, err)
	for cut := range good {
		_, err := readVocabulary(bytes.NewReader(good[:cut]))
		require.Error(t, err, cut)
	}
	for name, damage := range map[string]func(b []byte) []byte{
		"longer":          func(b []byte) []byte { return append(b, 'x') },
		"a length of 0":   func(b []byte) []byte { b[binaryHead+1] = 0; return b },
		"a longer length": func(b []byte) []byte { b[binaryHead+1]++; return b },
		"a later token":   func(b []byte) []byte { b[binaryHead] = 1; return b },
		"huge number":     func(b []byte) []byte { b[binaryHead-5] = 0xff; return b },
		"huge total":      func(b []byte) []byte { b[binaryHead-1] = 0xff; return b },
		"more tokens":     func(b []byte) []byte { b[binaryHead-7]++; return b },
		"duplicate":       func(b []byte) []byte { b[len(b)-1] = 0; return b },
	} {
		_, err := readVocabulary(bytes.NewReader(damage(bytes.Clone(good))))
		require.Error(t, err, name)
	}
	_, err = readVocabulary(iotest.ErrReader(io.ErrUnexpectedEOF))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	long := &vocabulary{bytes: make([]byte, 256), ends: []uint32{256}, longest: 256}
	_, err = (&Vocabulary{encoding: encoding{vocab: long}}).AppendBinary(nil)
	require.Error(t, err)
}

// TestFiles compares whole documents, when they are there.
func TestFiles(t *testing.T) {
	trials.OneGoroutine(t)
	files, err := filepath.Glob("../../shared/corpora/*.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("runs where the shared corpora are beside the repository")
	}
	forEachOracle(t, func(t *testing.T, o oracle) {
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			if len(src) > 1<<20 && testing.Short() {
				continue
			}
			got, err := o.counter.Count(src)
			require.NoError(t, err)
			require.Equal(t, len(o.library.EncodeOrdinary(string(src))), got, file)
		}
	})
}

// hostile texts of about n bytes: each could make a splitter or a merge
// quadratic.
var hostile = []struct {
	name string
	make func(n int) []byte
}{
	{"one letter", repeat("a")},
	{"one capital", repeat("A")},
	{"capitals and modifiers", repeat("ªA")},
	{"one modifier, then capitals", func(n int) []byte { return append([]byte("ª"), repeat("A")(n)...) }},
	{"random letters", randomOf("abcdefghijklmnopqrstuvwxyz")},
	{"random Chinese", randomOf("的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长")},
	{"spaces", repeat(" ")},
	{"tabs and spaces", repeat("\t ")},
	{"line breaks", repeat("\n")},
	{"line breaks after many spaces", func(n int) []byte { return append(repeat(" ")(n/2), repeat("\n ")(n/2)...) }},
	{"Unicode spaces", repeat("\u3000")},
	{"digits", repeat("7")},
	{"punctuation", repeat("!")},
	{"punctuation and breaks", repeat("!\n")},
	{"slashes", repeat("/")},
	{"apostrophes", repeat("'")},
	{"contractions", repeat("'s")},
	{"marks", repeat("\u0301")},
	{"marks and capitals", repeat("\u0301A")},
	{"pieces of medium length", repeat(strings.Repeat("q", 47) + " ")},
	{"different pieces of medium length", func(n int) []byte {
		text := randomOf("qxzjkv")(n)
		for i := 47; i < len(text); i += 48 {
			text[i] = ' '
		}
		return text
	}},
	{"random bytes", func(n int) []byte {
		random := rand.NewChaCha8([32]byte{})
		text := make([]byte, n)
		_, _ = random.Read(text)
		return text
	}},
	{"invalid bytes", repeat("\xff")},
	{"NUL bytes", repeat("\x00")},
}

func repeat(part string) func(int) []byte {
	return func(n int) []byte { return bytes.Repeat([]byte(part), n/len(part)) }
}

func randomOf(letters string) func(int) []byte {
	return func(n int) []byte {
		random := rand.New(rand.NewPCG(5, 6))
		runes := []rune(letters)
		var text []byte
		for len(text) < n {
			text = utf8.AppendRune(text, runes[random.IntN(len(runes))])
		}
		return text
	}
}

// TestHostile holds that counting does not become quadratic: a quadratic merge
// or splitter takes minutes for a megabyte of these, and the bound leaves room
// for slow machines and the race detector.
func TestHostile(t *testing.T) {
	trials.OneGoroutine(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // all on the goroutine that is measured
	size := 1 << 20
	if testing.Short() {
		size = 1 << 17
	}
	forEachOracle(t, func(t *testing.T, o oracle) {
		for _, test := range hostile {
			t.Run(test.name, func(t *testing.T) {
				o.requireEqual(t, string(test.make(300)))
				text := test.make(size)
				growth.Within(t, 20*time.Second, func() {
					n, err := o.counter.Count(text)
					require.NoError(t, err)
					require.Positive(t, n)
				})
			})
		}
	})
}

// TestLongPiece is the case that takes the library seconds. Its count is the
// library's own.
func TestLongPiece(t *testing.T) {
	text := bytes.Repeat([]byte("a"), 80_000)
	for _, counter := range []Counter{O200k{}, Cl100k{}} {
		_, err := counter.Count([]byte("load the vocabulary"))
		require.NoError(t, err)
		growth.Within(t, time.Second, func() {
			n, err := counter.Count(text)
			require.NoError(t, err)
			require.Equal(t, 10_000, n)
		})
	}
}

func TestConcurrentUse(t *testing.T) {
	// A fresh encoding, so that the goroutines race for the loading too.
	fresh := encoding{data: o200kData, pattern: patternO200k}
	text := []byte(strings.Repeat("concurrent counting, 12345 rows of \"names\"\n", 100))
	want, err := O200k{}.Count(text)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if n, err := fresh.count(text, noBound); n != want || err != nil {
					t.Errorf("got %d, %v; want %d", n, err, want)
				}
			}
		})
	}
	group.Wait()
}

func TestCountKeepsText(t *testing.T) {
	text := []byte("a\xffb and more\n")
	before := bytes.Clone(text)
	_, err := O200k{}.Count(text)
	require.NoError(t, err)
	require.Equal(t, before, text)
}

func TestAllocations(t *testing.T) {
	small := []byte("some text that has no need of a memo")
	large := bytes.Repeat([]byte("key: value, uncommonwordlike\n"), 10_000)
	for _, test := range []struct {
		name string
		text []byte
	}{{"small", small}, {"large", large}} {
		t.Run(test.name, func(t *testing.T) {
			growth.Allocs(t, 0, func() {
				if _, err := (O200k{}).Count(test.text); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// TestInvalidAllocations: the copy of a text that is not UTF-8 is allocated once, though it
// may be three times as long.
func TestInvalidAllocations(t *testing.T) {
	text := bytes.Repeat([]byte{0xff}, 100_000)
	growth.Allocs(t, 1, func() { replaceInvalid(text) })
}

type failingTransport struct{ t *testing.T }

func (f failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	f.t.Errorf("request to %s", r.URL)
	return nil, errors.New("no network")
}

func TestNoRequests(t *testing.T) {
	old := http.DefaultTransport
	defer func() { http.DefaultTransport = old }()
	http.DefaultTransport = failingTransport{t}
	for _, e := range []*encoding{
		{data: o200kData, pattern: patternO200k},
		{data: cl100kData, pattern: patternCl100k},
	} {
		n, err := e.count([]byte("hello world"), noBound)
		require.NoError(t, err)
		require.Equal(t, 2, n)
	}
}

// TestNoNetworkLinked holds that the package could not reach a network if it wanted to.
func TestNoNetworkLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(out))
	for _, banned := range []string{"net", "net/http", "github.com/dlclark/regexp2", "github.com/pkoukk/tiktoken-go",
		"github.com/pkoukk/tiktoken-go-loader/assets"} {
		require.NotContains(t, packages, banned)
	}
}

func TestLookup(t *testing.T) {
	require.Equal(t, []string{"o200k_base", "cl100k_base", "claude-estimate", "claude-4.7-estimate", "gemini-estimate"}, Names())
	require.Equal(t, Names()[0], Default().Name())
	for _, name := range Names() {
		counter, err := Lookup(name)
		require.NoError(t, err)
		require.Equal(t, name, counter.Name())
		require.Equal(t, !strings.Contains(name, "estimate"), counter.Exact())
		n, err := counter.Count(nil)
		require.NoError(t, err)
		require.Zero(t, n)
		n, err = counter.Count([]byte("hello world"))
		require.NoError(t, err)
		require.Positive(t, n)
	}
	for _, name := range []string{"", "gpt-4o", "O200K_BASE"} {
		counter, err := Lookup(name)
		require.Nil(t, counter)
		require.ErrorIs(t, err, ErrUnknownCounter)
		for _, known := range Names() {
			require.ErrorContains(t, err, known)
		}
	}
}

// fixed counts every text as n tokens, or fails.
type fixed struct {
	n   int
	err error
}

func (fixed) Name() string                { return "fixed" }
func (fixed) Exact() bool                 { return true }
func (f fixed) Count([]byte) (int, error) { return f.n, f.err }

func TestEstimate(t *testing.T) {
	failure := errors.New("failure")
	for _, test := range []struct {
		name     string
		estimate Estimate
		want     int
		message  string
	}{
		{"default factor", Estimate{Base: fixed{n: 100}}, 118, ""},
		{"nothing", Estimate{Base: fixed{}}, 0, ""},
		{"rounded down", Estimate{Base: fixed{n: 2}}, 2, ""},
		{"rounded up", Estimate{Base: fixed{n: 3}}, 4, ""},
		{"own factor", Estimate{Base: fixed{n: 100}, Factor: 0.5}, 50, ""},
		{"default base", Estimate{Factor: 10}, 10, ""},
		{"failing base", Estimate{Base: fixed{err: failure}}, 0, "failure"},
		{"negative factor", Estimate{Factor: -1}, 0, "factor -1"},
		{"factor is no number", Estimate{Factor: math.NaN()}, 0, "factor NaN"},
		{"infinite factor", Estimate{Factor: math.Inf(1)}, 0, "factor +Inf"},
		{"overflow", Estimate{Base: fixed{n: math.MaxInt}}, 0, "overflows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, err := test.estimate.Count([]byte("a"))
			require.Equal(t, test.want, n)
			if test.message == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.message)
			}
		})
	}
	require.Equal(t, "claude-estimate", Estimate{}.Name())
	require.Equal(t, "mistral-estimate", Estimate{Label: "mistral"}.Name())
	require.False(t, Estimate{}.Exact())
}

func TestEstimateUpTo(t *testing.T) {
	text := []byte(strings.Repeat("estimates stop early, too. ", 50))
	for _, e := range []Estimate{{}, {Factor: 0.2}, {Factor: 7, Base: O200k{}}, {Base: fixed{n: 40}}} {
		want, err := e.Count(text)
		require.NoError(t, err)
		for _, bound := range []int{-5, 0, 1, want / 3, want - 1, want, want + 1, math.MaxInt} {
			n, err := CountUpTo(e, text, bound)
			require.NoError(t, err)
			if want <= bound {
				require.Equal(t, want, n)
			} else {
				require.Greater(t, n, bound)
			}
		}
	}
}

// FuzzCount compares pieces and counts with the library.
func FuzzCount(f *testing.F) {
	for _, test := range texts {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := oracles()
		require.NoError(t, err)
		for _, o := range all {
			o.requireEqual(t, string(text))
		}
	})
}

// FuzzMerge compares merging with the library on single pieces.
func FuzzMerge(f *testing.F) {
	for _, test := range texts {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, piece []byte) {
		if len(piece) == 0 || len(piece) > 4096 {
			return
		}
		all, err := oracles()
		require.NoError(t, err)
		for _, o := range all {
			v, err := o.encoding.load()
			require.NoError(t, err)
			merged := new(parts).merge(v, piece)
			// The library merges what its pattern does not split; other texts
			// are left to FuzzCount.
			text := string(piece)
			if !utf8.ValidString(text) || len(o.pieces(t, text)) != 1 {
				continue
			}
			if _, whole := o.ranks[text]; !whole {
				require.Equal(t, len(o.library.EncodeOrdinary(text)), merged, "%q", text)
			}
		}
	})
}

// An overridden counter embeds one of this package and counts in its own way.
type overridden struct{ O200k }

func (overridden) Count([]byte) (int, error) { return 42, nil }

// TestCountUpToOfEmbedded: the Count of a type that embeds a counter holds, not that of
// the embedded one.
func TestCountUpToOfEmbedded(t *testing.T) {
	n, err := CountUpTo(overridden{}, []byte("some words"), 100)
	require.NoError(t, err)
	require.Equal(t, 42, n)
}

// TestBinaryMakesLittle: a binary form does not make far more text than it has itself.
func TestBinaryMakesLittle(t *testing.T) {
	src := append([]byte(binaryMagic), 0, 0, 0, 0, 0, 0, 0, 0)
	const first = "0123456789abcdef"
	src = append(append(src, 0, byte(len(first))), first...)
	n, length := uint32(1), uint32(len(first))
	for size := len(first); 2*size <= maxBinaryToken; size *= 2 { // each token is the last one twice
		src = append(src, byte(n), byte(n-1))
		n, length = n+1, length+uint32(2*size)
	}
	for range 1000 { // and many are the longest two
		src = append(src, byte(4), byte(2))
		n, length = n+1, length+128+64
	}
	binary.LittleEndian.PutUint32(src[len(binaryMagic):], n)
	binary.LittleEndian.PutUint32(src[len(binaryMagic)+4:], length)
	_, err := parseBinary(src)
	require.ErrorIs(t, err, errBinary)
	require.Greater(t, length, uint32(mostBytes*len(src)))
}
