package partial_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// TestMany: values that follow one another are an array that grows.
func TestMany(t *testing.T) {
	for _, c := range []struct{ text, soFar, outcome, final string }{
		{``, `[]`, "ok", `[]`},
		{`{"a":1}{"b":2}`, `[{"a":1},{"b":2}]`, "ok", `[{"a":1},{"b":2}]`},
		{"1 2\n\"x\"[]", `[1,2,"x",[]]`, "ok", `[1,2,"x",[]]`},
		{`1 2`, `[1]`, "ok", `[1,2]`},
		{`{"a":1}{"b":`, `[{"a":1},{}]`, "cut", `[{"a":1},{}]`},
		{`truefalse`, `[true]`, "4", `[true]`},
		{`[1],[2]`, `[[1]]`, "3", `[[1]]`},
		{`[1]]`, `[[1]]`, "3", `[[1]]`},
	} {
		p := partial.NewParser(partial.Options{Many: true})
		for i := range len(c.text) {
			_, _ = p.WriteString(c.text[i : i+1])
		}
		require.Equal(t, c.soFar, shown(p), c.text)
		require.Equal(t, c.outcome, outcome(p.Close()), c.text)
		require.Equal(t, c.final, shown(p), c.text)
	}
}

// TestQuoted: a text that is a string is the array or object in it, if that is asked for, and
// nothing is shown before that is known.
func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		o                               partial.Options
		text, soFar, outcome, of, final string
	}{
		{quotedText, `"{\"a\":[1.50]}"`, `-`, "ok", "quoted_json", `{"a":[1.50]}`},
		{quotedText, ` '["it\\u0027s"]' `, `-`, "ok", "single_quotes quoted_json", `["it's"]`},
		{quotedText, `"{\"a\":1`, `-`, "cut", "", `-`},
		{quotedText, `"[1,]"`, `-`, "ok", "", `"[1,]"`},
		{quotedText, `"12"`, `-`, "ok", "", `"12"`},
		{quotedText, `"\"[1]\""`, `-`, "ok", "", `"\"[1]\""`},
		{quotedText, `"[1]" and`, `-`, "6", "quoted_json", `[1]`},
		{quotedText, `["[1]"]`, `[""]`, "ok", "", `["[1]"]`},
		{quotedText, `Here: "[1]"`, `-`, "0", "", `-`},
		{partial.Options{Level: partial.Lenient}, `"[1]"`, `""`, "ok", "", `"[1]"`},
		{partial.Options{Level: partial.Wrapped, Quoted: true}, `"[1]"`, `""`, "ok", "", `"[1]"`},
		{partial.Options{Quoted: true}, `"[1]"`, `""`, "ok", "", `"[1]"`},
	} {
		p := partial.NewParser(c.o)
		for i := range len(c.text) {
			_, _ = p.WriteString(c.text[i : i+1])
			if first := strings.IndexAny(c.text, `"'`); i == first {
				require.Equal(t, c.soFar, shown(p), c.text)
			}
		}
		require.Equal(t, c.outcome, outcome(p.Close()), c.text)
		require.Equal(t, c.final, shown(p), c.text)
		require.Equal(t, c.of, listed(p.Repairs()), c.text)
	}
	_, repairs, err := partial.Parse([]byte(` "[1]"`), quotedText)
	require.NoError(t, err)
	require.Equal(t, []partial.Repair{{Kind: partial.QuotedJSON, Offset: 1, Read: `"[1]"`, Took: `[1]`, Sure: true}}, repairs)
}

var quotedText = partial.Options{Level: partial.Lenient, Quoted: true}

// TestLimits: what passes a limit has the reader's verdict, in any pieces.
func TestLimits(t *testing.T) {
	g, r := conformance.NewGenerator(55), rand.New(rand.NewPCG(52, 5))
	for range 3000 {
		text := randomText(g, r, 150)
		limits := wire.Limits{Depth: 1 + r.IntN(4), Values: 1 + r.IntN(20), InputBytes: 1 + r.IntN(200)}
		_, wanted := wire.JSON{Limits: limits}.Decode([]byte(text))
		p := partial.NewParser(partial.Options{Limits: limits})
		for rest := text; rest != ""; {
			n := min(1+r.IntN(30), len(rest))
			_, _ = p.WriteString(rest[:n])
			rest = rest[n:]
		}
		err := p.Close()
		if wanted == nil {
			require.NoError(t, err, "%q %+v", text, limits)
			continue
		}
		require.ErrorIs(t, err, wire.ErrLimit, "%q %+v", text, limits)
		require.Equal(t, wanted.Error(), err.Error(), "%q %+v", text, limits)
	}
}

// TestBounds: a text that needs repairs without end is refused, and so is what follows the end.
func TestBounds(t *testing.T) {
	_, repairs, err := partial.Parse([]byte("["+strings.Repeat("True,", 5000)+"]"), partial.Options{Level: partial.Lenient})
	require.ErrorIs(t, err, wire.ErrLimit)
	require.Len(t, repairs, 1000)

	p := partial.NewParser(partial.Options{})
	require.ErrorIs(t, p.Close(), partial.ErrEmpty)
	require.ErrorIs(t, p.Close(), wire.ErrTruncated)
	_, err = p.WriteString("1")
	require.ErrorIs(t, err, io.ErrClosedPipe)

	p = partial.NewParser(partial.Options{})
	_, first := p.WriteString("[1,]")
	_, second := p.WriteString(" 2]")
	require.Error(t, first)
	require.Equal(t, first, second)
	v, ok := p.Value()
	require.True(t, ok)
	require.Equal(t, "[1]", v.String())
}

// TestViews: what is complete in a value stays as it is, and an object that was returned keeps
// its members.
func TestViews(t *testing.T) {
	text := table(5000)
	p := partial.NewParser(partial.Options{})
	var taken []wire.Value
	var copies []wire.Value
	for i := range len(text) {
		_, err := p.WriteString(text[i : i+1])
		require.NoError(t, err)
		if v, ok := p.Value(); ok && i%37 == 0 {
			taken, copies = append(taken, v), append(copies, v.Clone())
		}
	}
	require.NoError(t, p.Close())
	last, _ := p.Value()
	for i, v := range taken {
		require.True(t, grows(copies[i], v), "%v became %v", copies[i], v)
		require.True(t, grows(v, last), "%v is not the beginning of the whole", v)
	}
}
