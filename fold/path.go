package fold

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// A step of a path is a key, or every element of an array.
type step struct {
	key  string
	each bool
}

// bareKey returns the part of a text, from its beginning, that is in a path as it is.
func bareKey(text string) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf || isWord(byte(r)) || strings.ContainsRune("-$/@:", r)
	}))]
}

// quotedKey is a key that is not, as JSON.
var quotedKey = regexp.MustCompile(`(?s)^"(?:[^"\\]|\\.)*"`)

// appendStep appends a step to a path's text.
func appendStep(path []byte, s step) []byte {
	switch {
	case s.each:
		return append(path, "[]"...)
	case len(path) > 0:
		path = append(path, '.')
	}
	if s.key != "" && bareKey(s.key) == s.key {
		return append(path, s.key...)
	}
	return wire.AppendJSON(path, wire.String(s.key))
}

// parsePath reads a path. It is the inverse of appendStep over the steps.
func parsePath(text string) ([]step, bool) {
	var steps []step
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], "[]") {
			steps = append(steps, step{each: true})
			i += 2
			continue
		}
		if len(steps) > 0 {
			if text[i] != '.' {
				return nil, false
			}
			i++
		}
		key, n := cutKey(text[i:])
		if n == 0 {
			return nil, false
		}
		steps = append(steps, step{key: key})
		i += n
	}
	return steps, true
}

// cutKey returns the key that text begins with and the length of what spells
// it, 0 if there is none.
func cutKey(text string) (string, int) {
	if strings.HasPrefix(text, `"`) {
		quoted := quotedKey.FindString(text)
		v, err := wire.ParseJSON([]byte(quoted))
		if err != nil {
			return "", 0
		}
		return v.Text(), len(quoted)
	}
	key := bareKey(text)
	return key, len(key)
}
