package partial_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// An oracle is what a beginning of a correct text comes to, computed anew from its first byte:
// the shortest text that has its value, and what is open.
type oracle struct {
	closed  string // "" for no value
	pointer string
	inside  partial.Inside
	open    string // text of the key, string, number or word
	whole   bool
}

type level struct {
	object bool
	n      int
	key    string
}

// compute reads a beginning of a correct text with a stack, and ends it at the last place where
// a value is sure.
func compute(text string) oracle {
	var stack []level
	sure, i, key := "", 0, false // key: the next string is one
	path := func(n int) (pointer string) {
		for _, l := range stack[:n] {
			token := l.key
			if !l.object {
				token = strconv.Itoa(l.n)
			}
			pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
		}
		return pointer
	}
	end := func(inside partial.Inside, pointer, open string) oracle {
		closed := sure
		for j := len(stack) - 1; j >= 0; j-- {
			closed += map[bool]string{true: "}", false: "]"}[stack[j].object]
		}
		return oracle{closed: closed, pointer: pointer, inside: inside, open: open}
	}
	colon := false
	for i < len(text) {
		top := len(stack) - 1
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
			continue
		case '{', '[':
			stack, key, colon = append(stack, level{object: c == '{'}), c == '{', false
			i++
			sure = text[:i]
		case '}', ']':
			stack, key = stack[:top], false
			i++
			sure = text[:i]
		case ',':
			stack[top].n++
			i, key = i+1, stack[top].object
		case ':':
			i, colon = i+1, true
		case '"':
			whole, n := stringPrefix(text[i:])
			var s string
			if err := json.Unmarshal([]byte(text[i:i+n]+`"`), &s); err != nil {
				panic(err)
			}
			switch {
			case key && !whole:
				return end(partial.Key, path(top), s)
			case key:
				stack[top].key, key, colon = s, false, false
			case !whole:
				sure = text[:i+n] + `"`
				return end(partial.String, path(top+1), s)
			default:
				sure, colon = text[:i+n+1], false
			}
			i += n + 1
			if top >= 0 && stack[top].object && sure != text[:i] && !colon && strings.TrimSpace(text[i:]) == "" {
				return end(partial.BeforeColon, path(top+1), "")
			}
		default:
			n := i
			for n < len(text) && strings.IndexByte(" \t\n\r,]}", text[n]) < 0 {
				n++
			}
			word := text[i:n]
			if number := strings.IndexByte("-0123456789", c) >= 0; n == len(text) && (number || word != "true" && word != "false" && word != "null") {
				return end(map[bool]partial.Inside{true: partial.Number, false: partial.Unquoted}[number], path(top+1), word)
			}
			i, sure, colon = n, text[:n], false
		}
	}
	if len(stack) == 0 {
		return oracle{closed: sure, whole: sure != ""}
	}
	if colon {
		return end(partial.BeforeValue, path(len(stack)), "")
	}
	return end(map[bool]partial.Inside{true: partial.Object, false: partial.Array}[stack[len(stack)-1].object], path(len(stack)-1), "")
}

// stringPrefix reports whether a text begins with a whole string, and how long it is without
// its closing mark, and without an escape or a character that is not whole.
func stringPrefix(text string) (whole bool, n int) {
	for n = 1; n < len(text); {
		switch rest := text[n:]; {
		case rest[0] == '"':
			return true, n
		case rest[0] == '\\':
			size := 2
			if len(rest) > 1 && rest[1] == 'u' {
				size = 6
				if len(rest) >= 4 && strings.ContainsAny(rest[2:3], "dD") && strings.ContainsAny(rest[3:4], "89abAB") {
					size = 12
				}
			}
			if len(rest) < size {
				return false, n
			}
			n += size
		default:
			if !utf8.FullRuneInString(rest) {
				return false, n
			}
			_, size := utf8.DecodeRuneInString(rest)
			n += size
		}
	}
	return false, n
}

// spell writes a value as JSON in one of its many spellings.
func spell(r *rand.Rand, v wire.Value) string {
	blank := func() string { return strings.Repeat([]string{" ", "\n", "\t", "\r"}[r.IntN(4)], r.IntN(5)/3) }
	var write func(v wire.Value) string
	quote := func(s string) string {
		text := `"`
		for _, c := range s {
			switch {
			case r.IntN(8) > 0:
				q := string(wire.AppendJSON(nil, wire.String(string(c))))
				text += q[1 : len(q)-1]
			case c > 0xFFFF:
				text += fmt.Sprintf(`\u%04x\u%04X`, 0xD800+(c-0x10000)>>10, 0xDC00+(c-0x10000)&0x3FF)
			default:
				text += fmt.Sprintf(`\u%04x`, c)
			}
		}
		return text + `"`
	}
	write = func(v wire.Value) string {
		var parts []string
		switch v.Kind() {
		case wire.KindString:
			return blank() + quote(v.Text()) + blank()
		case wire.KindArray:
			for e := range v.Elements() {
				parts = append(parts, write(e))
			}
			return blank() + "[" + blank() + strings.Join(parts, ",") + "]" + blank()
		case wire.KindObject:
			for key, m := range v.Members() {
				parts = append(parts, blank()+quote(key)+blank()+":"+write(m))
			}
			return blank() + "{" + blank() + strings.Join(parts, ",") + "}" + blank()
		}
		return blank() + string(wire.AppendJSON(nil, v)) + blank()
	}
	return write(v)
}

// randomText returns a correct text of at most most bytes.
func randomText(g *conformance.Generator, r *rand.Rand, most int) string {
	for {
		v := g.Value()
		text, err := wire.JSON{}.AppendEncode(nil, v)
		if err != nil || len(text) > most {
			continue
		}
		if v, err = wire.ParseJSON(text); err == nil {
			if s := spell(r, v); len(s) <= most {
				return s
			}
		}
	}
}

func TestStates(t *testing.T) {
	trials.OneGoroutine(t)
	documents := 10_000
	if testing.Short() {
		documents = 300
	}
	g, r := conformance.NewGenerator(52), rand.New(rand.NewPCG(52, 1))
	for range documents {
		checkStates(t, randomText(g, r, 300), r)
	}
}

// TestStatesOfSuite reads the documents of the suite of Nicolas Seriot.
func TestStatesOfSuite(t *testing.T) {
	trials.OneGoroutine(t)
	files, err := filepath.Glob(filepath.Join(codectest.Upstream(t, "jsontestsuite"), "test_parsing", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	r := rand.New(rand.NewPCG(52, 2))
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if len(text) > 5000 {
			continue // nesting, which limits end
		}
		checkVerdict(t, text, r)
		if _, err := wire.ParseJSON(text); err == nil {
			checkStates(t, strings.TrimPrefix(string(text), "\uFEFF"), r)
		}
	}
}

// checkStates cuts a correct text at every byte, and feeds it in pieces.
func checkStates(t *testing.T, text string, r *rand.Rand) {
	t.Helper()
	for _, o := range []partial.Options{{}, {Level: partial.Level(1 + r.IntN(2))}} {
		p := partial.NewParser(o)
		before, seen := wire.Value{}, false
		for i := range len(text) {
			_, err := p.WriteString(text[i : i+1])
			require.NoError(t, err, "%q at %d", text, i)
			v, ok := p.Value()
			if seen && len(p.Repairs()) == 0 {
				require.True(t, ok && grows(before, v), "%q at %d: %v and then %v", text, i, before, v)
			}
			if before, seen = v.Clone(), ok; o.Level == partial.Strict {
				checkState(t, p, text[:i+1])
			}
		}
		checkEnd(t, p, text)
		p = partial.NewParser(o)
		for at := 0; at < len(text); {
			n := min(1+r.IntN(20), len(text)-at)
			_, err := p.WriteString(text[at : at+n])
			require.NoError(t, err, "%q", text)
			if at += n; o.Level == partial.Strict && r.IntN(3) > 0 {
				checkState(t, p, text[:at])
			}
		}
		checkEnd(t, p, text)
	}
}

func checkEnd(t *testing.T, p *partial.Parser, text string) {
	t.Helper()
	require.NoError(t, p.Close(), "%q", text)
	v, ok := p.Value()
	want, err := wire.ParseJSON([]byte(text))
	require.NoError(t, err, "%q", text)
	require.True(t, ok && wire.Identical(want, v), "%q: %v", text, v)
	for _, r := range p.Repairs() {
		require.Equal(t, partial.DuplicateKey, r.Kind, "%q", text)
	}
}

func checkState(t *testing.T, p *partial.Parser, text string) {
	t.Helper()
	v, ok := p.Value()
	want := compute(text)
	if want.closed == "" {
		require.False(t, ok, "%q: %v", text, v)
	} else {
		w, err := wire.ParseJSON([]byte(want.closed))
		require.NoError(t, err, "%q closed as %q", text, want.closed)
		require.True(t, ok && wire.Identical(w, v), "%q: %v instead of %v", text, v, w)
	}
	open := p.Open()
	require.Equal(t, want.whole, ok && open == nil, "%q", text)
	if len(open) > 0 {
		last := open[len(open)-1]
		require.Equal(t, []any{want.pointer, want.inside.String(), want.open}, []any{last.Pointer, last.Inside.String(), last.Text}, "%q", text)
	}
	if !ok || len(text) > 400 && len(text)%50 > 0 {
		return
	}
	for pointer, part := range parts("", v) {
		complete := !isOpen(open, pointer)
		require.Equal(t, complete, p.Complete(pointer), "%q: %s (%v)", text, pointer, part)
	}
}

func isOpen(open []partial.Part, pointer string) bool {
	for _, part := range open {
		if part.Pointer == pointer && part.Inside != partial.Key && part.Inside != partial.BeforeColon && part.Inside != partial.BeforeValue &&
			part.Inside != partial.Number && part.Inside != partial.Unquoted {
			return true
		}
	}
	return false
}

// parts iterates over all parts of a value with their pointers.
func parts(pointer string, v wire.Value) func(func(string, wire.Value) bool) {
	return func(yield func(string, wire.Value) bool) {
		if !yield(pointer, v) {
			return
		}
		i := 0
		for e := range v.Elements() {
			token := strconv.Itoa(i)
			if v.Kind() == wire.KindObject {
				token = strings.NewReplacer("~", "~0", "/", "~1").Replace(v.Keys().At(i))
			}
			for at, part := range parts(pointer+"/"+token, e) {
				if !yield(at, part) {
					return
				}
			}
			i++
		}
	}
}

// grows reports whether b is a or what a has grown to.
func grows(a, b wire.Value) bool {
	if a.Kind() != b.Kind() || a.Len() > b.Len() {
		return false
	}
	switch a.Kind() {
	case wire.KindString:
		return strings.HasPrefix(b.Text(), a.Text())
	case wire.KindArray, wire.KindObject:
		for i := range a.Len() {
			if a.Kind() == wire.KindObject && a.Keys().At(i) != b.Keys().At(i) ||
				i < a.Len()-1 && !wire.Identical(a.Index(i), b.Index(i)) || !grows(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return wire.Identical(a, b)
}

// checkVerdict compares the end of a text with what the reader says.
func checkVerdict(t *testing.T, text []byte, r *rand.Rand) {
	t.Helper()
	want, wanted := wire.ParseJSON(text)
	p := partial.NewParser(partial.Options{})
	for rest := text; len(rest) > 0; {
		n := min(1+r.IntN(9), len(rest))
		_, _ = p.Write(rest[:n])
		rest = rest[n:]
	}
	err := p.Close()
	if wanted == nil {
		require.NoError(t, err, "%q", text)
		v, ok := p.Value()
		require.True(t, ok && wire.Identical(want, v), "%q", text)
		return
	}
	var got, expected *wire.Error
	require.ErrorAs(t, err, &got, "%q instead of %v", text, wanted)
	require.ErrorAs(t, wanted, &expected)
	require.Equal(t, expected.Offset, got.Offset, "%q: %v instead of %v", text, err, wanted)
	require.Equal(t, expected.Line, got.Line, "%q", text)
	require.Equal(t, expected.Column, got.Column, "%q", text)
}

// TestVerdicts: with a byte changed, inserted or removed anywhere a text has the reader's verdict.
func TestVerdicts(t *testing.T) {
	trials.OneGoroutine(t)
	g, r := conformance.NewGenerator(53), rand.New(rand.NewPCG(52, 3))
	const bytes = `{}[],:"\ntruefalse0123.-+eE` + " \n\x00\xff\xc3\xef\xbb\xbf'#/"
	for range 20_000 {
		text := []byte(randomText(g, r, 120))
		at, c := r.IntN(len(text)), bytes[r.IntN(len(bytes))]
		switch r.IntN(4) {
		case 0:
			text[at] = c
		case 1:
			text = append(text[:at], text[at+1:]...)
		case 2:
			text = append(text[:at], append([]byte{c}, text[at:]...)...)
		default:
			text = text[:at]
		}
		checkVerdict(t, text, r)
	}
}
