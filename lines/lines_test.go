package lines_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
)

// eager encodes whatever saves a token.
var eager = lines.Options{Counter: tokens.O200k{}, MinSaving: -1}

// goldenTexts are the texts of testdata/golden, by name.
func goldenTexts(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/golden/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := make(map[string][]byte)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[strings.TrimSuffix(filepath.Base(file), ".txt")] = text
	}
	return texts
}

// encode encodes a text and holds that it comes back, by Decode and by the decoder
// that is written from the document, and that it does not become larger.
func encode(t testing.TB, text []byte, o lines.Options) ([]byte, lines.Report) {
	t.Helper()
	given := bytes.Clone(text)
	out, r := lines.Encode(text, o)
	require.Equal(t, given, text, "Encode changed what it was given")
	want, _ := lines.Normalize(text, o.Normalize)
	if !r.Encoded {
		require.NotEmpty(t, r.Why)
		require.True(t, bytes.Equal(want, out))
		return out, r
	}
	require.Empty(t, r.Why)
	require.Less(t, r.After, r.Before)
	require.True(t, lines.Sniff(out))
	back, err := lines.Decode(out)
	require.NoError(t, err)
	if !bytes.Equal(want, back) {
		t.Fatalf("%q\nbecame %q\nand that %q", want, out, back)
	}
	back, err = decodeByDocument(out)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, back), "the decoder written from the document disagrees:\n%s", out)
	return out, r
}

// TestGolden holds what a reader sees of each text, with a legend and without.
//
//	UPDATE_GOLDEN=1 go test ./lines -run TestGolden
func TestGolden(t *testing.T) {
	for name, text := range goldenTexts(t) {
		for variant, o := range map[string]lines.Options{
			"legend": {Counter: tokens.O200k{}},
			"plain":  {Counter: tokens.O200k{}, NoLegend: true},
		} {
			t.Run(name+"/"+variant, func(t *testing.T) {
				out, _ := encode(t, text, o)
				file := filepath.Join("testdata", "golden", name+"."+variant)
				if os.Getenv("UPDATE_GOLDEN") != "" {
					require.NoError(t, os.WriteFile(file, out, 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), string(out), "UPDATE_GOLDEN=1 go test ./lines -run TestGolden")
			})
		}
	}
}

// TestCut: a client may show the beginning of a text only, and texts end anywhere.
func TestCut(t *testing.T) {
	for name, text := range goldenTexts(t) {
		t.Run(name, func(t *testing.T) {
			for n := 0; n <= len(text); n += 100 {
				encode(t, text[:n], eager)
				encode(t, text[n:], lines.Options{MinSaving: -1})
			}
		})
	}
}

// repeated is a text that pays, made of lines.
func repeated(line string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

// TestExact: what is not text in the usual way comes back too.
func TestExact(t *testing.T) {
	const failed = "pkg/server/handler_%[1]d.go: connection refused by the upstream server, retrying at once"
	for name, text := range map[string]string{
		"CRLF":               strings.ReplaceAll(repeated(failed, 20), "\n", "\r\n"),
		"CR within lines":    repeated("Receiving objects: %d %%\rof the upstream server, in the usual way\r", 30),
		"mixed ends":         strings.ReplaceAll(repeated(failed, 20), "1\n", "1\r\n"),
		"no line feed":       strings.TrimSuffix(repeated(failed, 20), "\n"),
		"empty lines":        strings.ReplaceAll(repeated(failed, 20), "\n", "\n\n\n"),
		"empty lines last":   repeated(failed, 20) + "\n\n",
		"empty lines first":  "\n\n" + repeated(failed, 20),
		"tabs":               repeated("\tat\tpkg.server.Handler.serve\t%d\trefused by the upstream\tserver", 20),
		"NUL":                repeated("upstream\x00server\x00refused the connection of handler\x00%d", 20),
		"invalid UTF-8":      repeated("\xff\xfe upstream server refus\xe9 the connection \xc3 of handler %d \x80", 20),
		"invalid in a word":  repeated("connection \xf0\x9f\x92 refused\xc3\xa9\xc3 by the upstream server %d", 20),
		"all marks":          repeated("$1 >a &2 ~3 ^4 @5 %%6 #7 &8 !9 *1 +2 ?3 |4 refused by the upstream server %d", 20),
		"marks begin lines":  strings.Repeat(strings.Join(strings.Split("> = # : @ ^ % ! ~ + | ? & * .", " "), " refused by the upstream server\n"), 9),
		"references":         repeated("refused by the upstream server $%d ; handler; $$ $", 20),
		"digits after":       repeated("refused by the upstream server, handler:%d;5;", 20),
		"one line":           strings.Repeat("refused by the upstream server, as was the handler; ", 40),
		"lines in full":      strings.Repeat("refused by the upstream server\nand again by the other one, later\n", 30),
		"blocks":             strings.Repeat("one\nrefused by the upstream server\n", 4) + strings.Repeat(repeated(failed, 6), 5),
		"blocks in blocks":   strings.Repeat(repeated(failed, 3)+"x\n", 3) + strings.Repeat(strings.Repeat(repeated(failed, 3)+"x\n", 2)+"y\n", 4),
		"a head within":      repeated(failed, 9) + "lines v1; $1 to $2 stand for the texts below\n$1=a\n" + repeated(failed, 9),
		"a line all heading": strings.Repeat("refused by the upstream server /a\nrefused by the upstream server /ab\nrefused by the upstream server /\n", 9),
	} {
		t.Run(name, func(t *testing.T) {
			_, r := encode(t, []byte(text), eager)
			require.True(t, r.Encoded, r.Why)
			encode(t, []byte(text), lines.Options{MinSaving: -1, NoLegend: true})
		})
	}
}

// TestOwnOutput: what looks encoded stays, so that no reader decodes it twice.
func TestOwnOutput(t *testing.T) {
	for name, text := range goldenTexts(t) {
		out, r := lines.Encode(text, eager)
		require.True(t, r.Encoded, name)
		again, r := lines.Encode(out, eager)
		require.False(t, r.Encoded)
		require.Equal(t, out, again)
	}
	_, r := lines.Encode([]byte("lines v7; a later version\n"+repeated("refused by the upstream server %d", 30)), eager)
	require.Equal(t, "the text looks like an encoded one", r.Why)
}

func TestLeftAlone(t *testing.T) {
	long := []byte(repeated("refused by the upstream server %d", 9000))
	for _, c := range []struct {
		name, text, why string
		o               lines.Options
	}{
		{"nothing", "", "0 bytes are too few to save anything", eager},
		{"short", "a\na\n", "4 bytes are too few to save anything", eager},
		{"long", string(long), fmt.Sprintf("%d bytes are more than the limit of %d", len(long), lines.DefaultMaxBytes), eager},
		{"nothing repeats", noise(2000), "nothing repeats", eager},
		{"too little", noise(3000) + strings.Repeat("=", 20) + "\n" + repeated("refused by the upstream %d", 5), "% must be saved", lines.Options{Counter: tokens.O200k{}}},
		{"a counter that fails", string(long[:9000]), "tokens cannot be counted: out of order", lines.Options{Counter: new(brokenCounter)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, r := lines.Encode([]byte(c.text), c.o)
			require.False(t, r.Encoded)
			require.Equal(t, c.text, string(out))
			require.Contains(t, r.Why, c.why)
			require.Equal(t, r.Before, r.After)
		})
	}
	_, r := lines.Encode(long, lines.Options{MaxBytes: -1})
	require.True(t, r.Encoded)
}

// A brokenCounter fails from the second count on.
type brokenCounter struct{ calls int }

func (c *brokenCounter) Count(text []byte) (int, error) {
	if c.calls++; c.calls > 1 {
		return 9, errors.New("out of order")
	}
	return len(text), nil
}

// TestFailedCounterIsLeft: a counter that failed, perhaps after a time-out, is not asked
// again.
func TestFailedCounterIsLeft(t *testing.T) {
	text := []byte(repeated("the connection to the upstream %d was refused by its firewall", 200))
	c := new(brokenCounter)
	_, r := lines.Encode(text, lines.Options{Counter: c})
	require.Equal(t, "tokens cannot be counted: out of order", r.Why)
	require.Equal(t, 2, c.calls)
}

// noise is lines of n bytes without anything in common.
func noise(n int) string {
	var b strings.Builder
	for state := uint32(7); b.Len() < n; {
		state = state*1664525 + 1013904223
		fmt.Fprintf(&b, "%x\n", state)
	}
	return b.String()
}

// TestOnlyWhatIsCounted: the choice is the counter's, and the same every time.
func TestOnlyWhatIsCounted(t *testing.T) {
	for name, text := range goldenTexts(t) {
		first, r := lines.Encode(text, eager)
		for range 3 {
			again, _ := lines.Encode(text, eager)
			require.Equal(t, first, again, name)
		}
		n, err := tokens.O200k{}.Count(first)
		require.NoError(t, err)
		require.Equal(t, n, r.After)
		plain, p := lines.Encode(text, lines.Options{Counter: tokens.O200k{}, MinSaving: -1, NoLegend: true})
		require.LessOrEqual(t, r.After, p.After, name)
		require.Zero(t, p.Entries)
		require.NotContains(t, string(plain[:bytes.IndexByte(plain, '\n')]), "stand for")
	}
}

// TestLegend: an entry is whole words, never next to a word or to another reference,
// and never in a heading.
func TestLegend(t *testing.T) {
	const marks = "$~^@%#&!*+?|"
	for name, text := range goldenTexts(t) {
		out, r := lines.Encode(text, eager)
		require.LessOrEqual(t, r.Entries, 32)
		if r.Entries == 0 {
			continue
		}
		sigil := out[len("lines v1; ")]
		require.Contains(t, marks, string(sigil))
		parts := strings.SplitN(string(out), "\n", r.Entries+2)
		for i, entry := range parts[1 : r.Entries+1] {
			phrase, ok := strings.CutPrefix(entry, fmt.Sprintf("%c%d=", sigil, i+1))
			require.True(t, ok, entry)
			require.Equal(t, strings.TrimSpace(phrase), phrase)
			require.NotRegexp(t, `\`+string(sigil)+`\d`, phrase)
		}
		reference := `\` + string(sigil) + `\d+`
		require.NotRegexp(t, reference+`;?`+reference, parts[r.Entries+1], name)
		require.NotRegexp(t, reference+`[A-Za-z]|[A-Za-z]`+reference, parts[r.Entries+1], name)
		require.NotRegexp(t, `(?m)^>.*`+reference, parts[r.Entries+1], name)
	}
}

func TestNormalize(t *testing.T) {
	all := lines.Normalization{Escapes: true, Progress: true, TrailingBlanks: true}
	for _, c := range []struct {
		name, text, want string
		n                lines.Normalization
		removed          lines.Removed
	}{
		{"nothing asked for", "\x1b[1ma\x1b[0m \rb \n", "\x1b[1ma\x1b[0m \rb \n", lines.Normalization{}, lines.Removed{}},
		{"nothing there", "a\r\nb", "a\r\nb", all, lines.Removed{}},
		{"colours", "\x1b[1;31mred\x1b[0m\x1b[K\n", "red\n", all, lines.Removed{Escapes: 3}},
		{"commands", "\x1b]0;title\aa\x1b]8;;http://x\x1b\\b\n", "ab\n", all, lines.Removed{Escapes: 2}},
		{"cut sequences", "\x1b[1;3\n\x1b]0;title\n\x1b[\x1b\n\x1b", "\x1b[1;3\n\x1b]0;title\n\x1b[\x1b\n\x1b", all, lines.Removed{}},
		{"progress", "10 %\r20 %\rdone\nnext\r\n", "done\nnext\r\n", all, lines.Removed{Progress: 2}},
		{"blanks", "a \t\n \nb  \r\nc ", "a\n\nb\r\nc", all, lines.Removed{TrailingBlanks: 4}},
		{"blanks only", "\x1b[1ma \n", "\x1b[1ma\n", lines.Normalization{TrailingBlanks: true}, lines.Removed{TrailingBlanks: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, removed := lines.Normalize([]byte(c.text), c.n)
			require.Equal(t, c.want, string(got))
			require.Equal(t, c.removed, removed)
			_, r := encode(t, []byte(strings.Repeat(c.text, 30)), lines.Options{MinSaving: -1, Normalize: c.n})
			require.Equal(t, c.removed == lines.Removed{}, r.Removed == lines.Removed{})
		})
	}
	text := []byte(strings.Repeat("\x1b[32mok\x1b[0m   ", 20) + noise(900))
	out, r := lines.Encode(text, lines.Options{Normalize: all})
	require.False(t, r.Encoded)
	require.Equal(t, 40, r.Removed.Escapes)
	require.Less(t, r.After, r.Before)
	require.NotContains(t, string(out), "\x1b")
}
