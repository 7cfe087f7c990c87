package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// both parses a text in memory of its own and in m.
func both(m *wire.Memory, text string) (string, error) {
	v, err := wire.ParseJSON([]byte(text))
	lent, lentErr := "", m.View(wire.JSON{}, []byte(text), func(v wire.Value) error { return nil })
	if err != nil || lentErr != nil {
		if err == nil || lentErr == nil || err.Error() != lentErr.Error() {
			return "", fmt.Errorf("one way: %w, the other: %w", err, lentErr)
		}
		return "", err
	}
	m.View(wire.JSON{}, []byte(text), func(v wire.Value) error { lent = v.String(); return nil })
	if lent != v.String() {
		return "", fmt.Errorf("%s and %s", v, lent)
	}
	return lent, nil
}

// TestStringsOfEveryLength puts every byte that a string cannot hold, and some that
// it can, at every place of strings of up to some words.
func TestStringsOfEveryLength(t *testing.T) {
	var m wire.Memory
	for n := range 100 {
		for _, c := range []string{"x", `"`, `\`, "\x00", "\x1f", "\x7f", "\xff", "é", "\xe9", "]", "\xa2", "\xdc", "!", `\n`, `\u00e9`} {
			for _, at := range []int{0, n / 3, n / 2, n - 1, n} {
				if at < 0 {
					continue
				}
				for _, text := range []string{`["` + strings.Repeat("a", at) + c + strings.Repeat("b", n-at) + `",1]`, `{"` + strings.Repeat("a", at) + c + strings.Repeat("b", n-at) + `":[]}`} {
					got, err := both(&m, text)
					valid := json.Valid([]byte(text)) && strings.ToValidUTF8(text, "") == text
					require.Equal(t, valid, err == nil, "%q: %v", text, err)
					if valid && !strings.Contains(text, `\`) {
						require.Equal(t, text, got)
					}
				}
			}
		}
	}
}

// TestInvalidKeysStayInvalid reads keys and strings that are not UTF-8 again in the
// memory that has met them.
func TestInvalidKeysStayInvalid(t *testing.T) {
	var m wire.Memory
	for _, bad := range []string{"{\"a\xff\":1}", "{\"a\":\"\xc3\"}", "{\"a\":1,\"\xed\xa0\x80\":2}", "[{\"\xff\":1},{\"\xff\":1},{\"\xff\":1}]", "{\"\xff\":1,,}"} {
		for range 3 {
			_, err := both(&m, bad)
			require.ErrorIs(t, err, wire.ErrUTF8)
			require.NotContains(t, err.Error(), "way")
			_, err = both(&m, `{"a":"é","é":[{"a":1},{"a":2},{"a":3}]}`)
			require.NoError(t, err)
		}
	}
}

// TestGapsOfEveryLength has objects of one shape whose keys, and the white space
// around them, have every length; in one of them a single byte is another.
func TestGapsOfEveryLength(t *testing.T) {
	trials.OneGoroutine(t)
	var m wire.Memory
	for n := range 36 {
		key, blanks := strings.Repeat("k", n), strings.Repeat(" ", n/2)
		object := "{\n" + blanks + `"a` + key + `":` + blanks + "1,\n" + blanks + `"` + key + `": 2}`
		list := strings.Repeat(object+",", 3)
		got, err := both(&m, "["+list+object+"]")
		require.NoError(t, err)
		require.Equal(t, 4, strings.Count(got, `{"a`+key+`":1,"`+key+`":2}`), got)
		for at := range object {
			for _, c := range []string{" ", "k", ",", `"`, "z", "", "\xff"} {
				text := "[" + list + object[:at] + c + object[at+1:] + "," + object + "]"
				got, err := both(&m, text)
				valid := json.Valid([]byte(text)) && c != "\xff"
				require.Equal(t, valid, err == nil, "%q: %v", text, err)
				if valid {
					want, err := wire.ParseJSON([]byte(object[:at] + c + object[at+1:]))
					require.NoError(t, err)
					require.Contains(t, got, want.String())
				}
			}
		}
	}
}
