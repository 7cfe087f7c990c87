package yaml

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// standsPlain is plainSafe, rule by rule.
func standsPlain(s string) bool {
	switch strings.ToLower(s) {
	case "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=", ".nan", ".inf", "+.inf", "-.inf":
		return false
	}
	digit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	if digit(0) || strings.Contains("+-.", s[:1]) && (digit(1) || len(s) > 1 && s[1] == '.') || len(s) > maxPlain {
		return false
	}
	if strings.Contains(",[]{}#&*!|>'\"%@` .", s[:1]) || strings.Contains("-?:", s[:1]) && (len(s) == 1 || s[1] == ' ') {
		return false
	}
	for _, prefix := range []string{"GCX", "GCF ", "---"} {
		if strings.HasPrefix(s, prefix) {
			return false
		}
	}
	if strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") || strings.Contains(s, ": ") || strings.Contains(s, " #") || !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || !printable(r) || strings.ContainsRune(",[]{}", r) })
}

// standsLiteral is literal, rule by rule.
func standsLiteral(s string) (ended, ok bool) {
	body, ended := strings.CutSuffix(s, "\n")
	if len(s) < 2 || strings.ContainsAny(s[:1], " \n\t") || !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || !utf8.ValidString(s) {
		return false, false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" && strings.Trim(line, " ") == "" || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || !printable(r) }) {
			return false, false
		}
	}
	return ended, true
}

// quoted is appendQuoted, character by character.
func quoted(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteString(map[rune]string{'\n': `\n`, '\t': `\t`, '\r': `\r`}[r])
		case !printable(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			b.WriteByte(s[i])
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

func requireForms(t testing.TB, s string) {
	t.Helper()
	if plain := plainSafe(s); plain != standsPlain(s) {
		t.Fatalf("%q stands plain: %t", s, plain)
	}
	ended, ok := literal(s)
	wantEnded, want := standsLiteral(s)
	if ok != want || ok && ended != wantEnded {
		t.Fatalf("%q stands in a block: %t, %t", s, ended, ok)
	}
	if got := string(appendQuoted(nil, s)); got != quoted(s) {
		t.Fatalf("%q is quoted as %s, not %s", s, got, quoted(s))
	}
}

// TestForms holds the forms of random strings to the rules.
func TestForms(t *testing.T) {
	pieces := []string{"a", "word", "true", "Null", "yEs", "~", "<<", "=", ".inf", ".NaN", "GCX", "GCF ", "GCF", "---", "-", "--", "?", ":", ": ", "#", " #", " ", "  ", "\n", "\n", "\n \n", "\t", "\r", "\x00", "\x1f", "\x7f", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff", "\ufffd", "\xff", "\xc3", "ö", "日本", "🙂", ",", "[", "]", "{", "}", "&", "*", "!", "|", ">", "'", "\"", "\\", "%", "@", "`", ".", "+", "1", "0", "9", "İ", strings.Repeat("x", 120)}
	for _, a := range pieces {
		requireForms(t, a)
		for _, b := range pieces {
			requireForms(t, a+b)
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 60_000 {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		requireForms(t, b.String())
	}
}

func FuzzForms(f *testing.F) {
	for _, s := range []string{"", "a: b", "x\ny\n", "\xff", "-.inf", "a #b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { requireForms(t, s) })
}

// TestSpelled: bytes and times are written as the strings that come back.
func TestSpelled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	values := []wire.Value{wire.Bytes(nil), wire.Bytes([]byte("\xb6\xbb\x9e")), wire.Bytes([]byte{0xca, 0x78}), wire.Bytes([]byte{0x18, 0x25, 0xff}), wire.Bytes(bytes.Repeat([]byte{1}, 400)),
		wire.Bytes([]byte{0xfb, 0x4d, 0x34}), wire.Time(time.Unix(1e9, 5)), wire.Time(time.Unix(-1e9, 0).UTC())}
	for range 3000 {
		b := make([]byte, r.IntN(8))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		values = append(values, wire.Bytes(b))
	}
	nested := func(v wire.Value) wire.Value {
		object, err := wire.Object(wire.Member{Key: "a", Value: v})
		require.NoError(t, err)
		for range flowDepth {
			object = wire.Array(object, v)
		}
		return object
	}
	for _, v := range values {
		s := wire.String(string(wire.Internal.AppendText(nil, v)))
		require.Equal(t, string(codectest.Encoded(t, Codec{}, nested(s))), string(codectest.Encoded(t, Codec{}, nested(v))))
	}
}

// TestLabels: what is known about keys is known about no other ones, nor about those
// beyond the first.
func TestLabels(t *testing.T) {
	var members []wire.Member
	var want strings.Builder
	for i := range 3 * maxLabels / 2 {
		key := fmt.Sprint("k", i)
		if i%3 == 0 {
			key = fmt.Sprint(i)
			fmt.Fprintf(&want, "%q: %d\n", key, i)
		} else {
			fmt.Fprintf(&want, "%s: %d\n", key, i)
		}
		members = append(members, wire.Member{Key: key, Value: wire.Int(int64(i))})
	}
	wide, err := wire.Object(members...)
	require.NoError(t, err)
	require.Equal(t, want.String(), string(codectest.Encoded(t, Codec{}, wide)))
	list := parse(t, `[{"a":{"1":1,"b":2}},{"1":{"a":1,"2":2}},{"a":{"1":1,"b":2}},{"x":[{"z":1}]},{"a: ":{"a":1}}]`)
	require.Equal(t, "- a:\n    \"1\": 1\n    b: 2\n- \"1\":\n    a: 1\n    \"2\": 2\n- a:\n    \"1\": 1\n    b: 2\n- x:\n    - z: 1\n- \"a: \":\n    a: 1\n",
		string(codectest.Encoded(t, Codec{}, list)))
}
