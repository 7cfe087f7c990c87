package fold

import (
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// A step of a path is a key, or every element of an array.
type step struct {
	key  string
	each bool
}

// bareKey reports whether a key is in a path as it is.
func bareKey(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r < utf8.RuneSelf && !isWord(byte(r)) && !strings.ContainsRune("-$/@:", r)
	})
}

// appendStep appends a step to a path's text.
func appendStep(path []byte, s step) []byte {
	switch {
	case s.each:
		return append(path, "[]"...)
	case len(path) > 0:
		path = append(path, '.')
	}
	if bareKey(s.key) {
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
	if text != "" && text[0] == '"' {
		end := 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			return "", 0
		}
		v, err := wire.ParseJSON([]byte(text[:end+1]))
		if err != nil {
			return "", 0
		}
		return v.Text(), end + 1
	}
	end := 0
	for end < len(text) && bareKey(text[end:end+1]) {
		end++
	}
	return text[:end], end
}
