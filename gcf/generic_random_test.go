package gcf_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// awkward are strings that a grammar as this one could misread, as keys or as
// values.
var awkward = []string{
	"", "-", "~", "^", "^{a}", "^{a", "true", "false", "null", "0", "1", "-1", "1.5", "1e5", "01", "+1", ".5", "-.5", "1x",
	" ", " a", "a ", "a b", "#", "# c", "## s", "##! summary counts=1", "@0", "@0 =1", ".a", ".a {}", "=", "=1", "a=b", "a=1",
	"[1]", "[1]: a", "a[1]: b", " [9]", "[2]", "[?]", "{}", "{a}", "a,b", "a|b", "|", ",", "\"", "\"a\"", "\\", "a\\", "\n", "a\nb", "\r", "\t",
	"\x00", "\x7f", "\u0085", "\u00a0", "\u2028", "\ufeff", "\u200b", "é", "漢字", "🙂", "1.٥", "٥",
	">", "a>", ">a", "a>b", "a>>b", "m>x", "m>x>y", "key", "_key", "__key", "GCF profile=generic", "constructor", "__proto__",
}

var fewKeys = []string{"a", "b", "c", "m", "x", "id", "name", "key"}

// randomValues makes JSON texts of values in which objects often, but not
// always, have the same keys.
type randomValues struct{ *rand.Rand }

func (r randomValues) of(list []string) string { return list[r.IntN(len(list))] }

func (r randomValues) key() string {
	if r.IntN(6) == 0 {
		return r.of(awkward)
	}
	return r.of(fewKeys)
}

func (r randomValues) scalar(dst []byte) []byte {
	switch r.IntN(9) {
	case 0:
		return append(dst, "null"...)
	case 1:
		return append(dst, r.of([]string{"true", "false"})...)
	case 2:
		return strconv.AppendInt(dst, r.Int64N(2000)-1000, 10)
	case 3:
		return append(dst, r.of([]string{"0", "-0", "1.0", "1.50", "1e3", "1e16", "1e-7", "9007199254740993", "-9223372036854775808", "0.1", "123456.789", "1e20", "5e-324"})...)
	case 4:
		return scan.AppendQuote(dst, r.of(awkward))
	case 5:
		return scan.AppendQuote(dst, r.of(awkward)+r.of(awkward))
	}
	return scan.AppendQuote(dst, r.of([]string{"abc", "hello world", "x", "y-z", "2026-01-02T03:04:05Z", "a@b.io"}))
}

// object appends an object with some of the keys given, and sometimes others.
func (r randomValues) object(dst []byte, keys []string, depth int) []byte {
	dst = append(dst, '{')
	seen := map[string]bool{}
	add := func(key string) {
		if seen[key] {
			return
		}
		seen[key] = true
		if len(seen) > 1 {
			dst = append(dst, ',')
		}
		dst = append(scan.AppendQuote(dst, key), ':')
		dst = r.value(dst, depth-1)
	}
	for _, key := range keys {
		if r.IntN(8) > 0 {
			add(key)
		}
	}
	if r.IntN(8) == 0 {
		add(r.key())
	}
	return append(dst, '}')
}

func (r randomValues) keys() []string {
	keys := make([]string, r.IntN(5))
	for i := range keys {
		keys[i] = r.key()
	}
	return keys
}

func (r randomValues) value(dst []byte, depth int) []byte {
	if depth <= 0 || r.IntN(3) == 0 {
		return r.scalar(dst)
	}
	n := r.IntN(4)
	switch r.IntN(6) {
	case 0: // a map of similar objects
		keys := r.keys()
		dst = append(dst, '{')
		seen := map[string]bool{}
		for range n + 1 {
			key := r.key()
			if seen[key] {
				continue
			}
			seen[key] = true
			if len(seen) > 1 {
				dst = append(dst, ',')
			}
			dst = append(scan.AppendQuote(dst, key), ':')
			dst = r.object(dst, keys, depth-1)
		}
		return append(dst, '}')
	case 1, 2:
		return r.object(dst, r.keys(), depth)
	case 3, 4: // an array of similar objects
		keys := r.keys()
		dst = append(dst, '[')
		for i := range n {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = r.object(dst, keys, depth-1)
		}
		return append(dst, ']')
	}
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.value(dst, depth-1)
	}
	return append(dst, ']')
}

// TestRandomValues takes random values through every option: they come back
// equal, differ only as declared, and encode to the same bytes again.
func TestRandomValues(t *testing.T) {
	r := randomValues{rand.New(rand.NewPCG(7, 11))}
	orders := 0
	for range trials.Of(20_000) {
		text := r.value(nil, 5)
		v := codectest.JSON(t, text)
		for _, codec := range []gcf.Codec{{}, {NoFlatten: true}, {NoKeyedMaps: true}, v31, {ReorderNested: true}, {Dense: true}} {
			doc := codectest.Encoded(t, codec, v)
			back := codectest.Decoded(t, gcf.Codec{}, doc)
			require.True(t, wire.Equal(v, back), "%s\n%s", text, doc)
			loss, path := wire.Difference(v, back)
			require.Zero(t, loss&^(wire.LossOrder|wire.LossNumberText), "%v at %q: %s\n%s", loss, path, text, doc)
			if loss&wire.LossOrder != 0 {
				orders++
			}
			again := codectest.Encoded(t, codec, back)
			require.Equal(t, string(doc), string(again), "%s", text)
		}
	}
	require.NotZero(t, orders, "no value lost its order: the generator no longer covers it")
}
