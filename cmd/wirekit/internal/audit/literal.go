package audit

import (
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// eachWord calls yield with the literals of each word of a text that is one: the word
// itself first, and then what it begins with that is a literal of its own, as a.go:12 and
// a.go in a.go:12:5. JSON with its escapes may be given, or the text that it means.
func eachWord(s string, yield func(literals []string)) {
	for n := 0; s != ""; s = s[n:] {
		switch n = wordLen(s); {
		case n > 0:
			literalsOf(s[:n], yield)
		case s[0] == '\\':
			n = len(escape.FindString(s))
		default:
			_, n = utf8.DecodeRuneInString(s)
		}
	}
}

// wordLen returns how long the word is that s begins with.
func wordLen(s string) (n int) {
	for n < len(s) {
		switch c := s[n]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[n:])
			if !unicode.IsLetter(r) {
				return n
			}
			n += size
		case c == '\\' && n == 2 && s[1] == ':': // C:\dir\file
			rest := strings.IndexAny(s, " \t\r\n\"'<>|,;()`")
			if rest < 0 {
				return len(s)
			}
			return rest
		case !isAlnum(c) && strings.IndexByte("_-./:~", c) < 0:
			return n
		default:
			n++
		}
	}
	return n
}

// escape is an escape of JSON, which may be in a string that is escaped itself.
var escape = regexp.MustCompile(`^\\+(u([0-9a-f]{4}|[0-9A-F]{4})|[nrtbf])?`)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// literalsOf calls yield with the literals of a word, once for each of its parts.
func literalsOf(w string, yield func(literals []string)) {
	w = strings.TrimLeft(strings.TrimRight(w, ".:-~"), ":-")
	list := fileLine(w)
	switch {
	case len(w) > 2 && w[1] == ':' && w[2] == '\\':
		yield([]string{strings.TrimRight(strings.ReplaceAll(w, `\\`, `\`), `\`)})
	case strings.Contains(w, "://"):
		yield([]string{strings.TrimRight(w, "/")})
	case list != nil:
		yield(list)
	default:
		for part := range strings.SplitSeq(w, ":") {
			if strings.Contains(part, "/") {
				if isPath(part) {
					yield([]string{strings.TrimRight(part, "/")})
				}
			} else if part = strings.Trim(part, ".~-"); len(part) >= 5 && (isNumber(part) || isHash(part) || isID(part)) {
				yield([]string{part})
			}
		}
	}
}

// fileLine returns what names a line of a file, without and with more after it, and the
// file if it is a path.
func fileLine(w string) []string {
	file, rest, ok := strings.Cut(w, ":")
	line := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if !ok || line == 0 || !hasExtension(file) && !isPath(file) || line < len(rest) && strings.IndexByte(":-", rest[line]) < 0 {
		return nil
	}
	list := []string{w, file + ":" + rest[:line]}
	if isPath(file) {
		list = append(list, file)
	}
	return slices.Compact(list)
}

// common are words with the shape of a path that are in many texts.
var common = []string{"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/bin/sh", "/bin/bash", "/usr/bin/env"}

// isPath reports whether a word with slashes is a path: one from a root, one of three parts,
// or one that ends in a slash or an extension.
func isPath(w string) bool {
	kind, sub, ok := strings.Cut(strings.TrimRight(w, "/"), "/")
	if !ok || sub == "" || !strings.ContainsFunc(w, unicode.IsLetter) || slices.Contains(common, w) {
		return false
	}
	switch kind {
	case "", ".", "..", "~":
		return kind != "" || strings.Contains(sub, "/")
	case "application", "text", "image", "audio", "video", "multipart", "font":
		return strings.Count(sub, "/") > 0 // not the type of a medium
	}
	return strings.Contains(sub, "/") || hasExtension(sub) || strings.HasSuffix(w, "/")
}

// hasExtension reports whether a name ends in an extension with a letter.
func hasExtension(name string) bool {
	i := strings.LastIndexByte(name, '.')
	ext := name[i+1:]
	return i > 0 && len(ext) >= 1 && len(ext) <= 8 && strings.ContainsFunc(ext, unicode.IsLetter) && !strings.ContainsAny(ext, "/_-")
}

// isNumber reports whether a word is a number that says something: not a round one, a power
// of two, or the seconds or milliseconds of a day or a week.
func isNumber(w string) bool {
	if strings.Trim(w, "0123456789") != "" {
		return false
	}
	n, _ := strconv.ParseUint(w, 10, 64) // the largest one, if it is larger
	significant := strings.TrimRight(w, "0")
	round := len(significant) <= 2 && len(w)-len(significant) >= 3
	return !round && bits.OnesCount64(n) > 1 && !slices.Contains([]string{"86400", "604800", "86400000", "604800000"}, w)
}

// isHash reports whether a word is hexadecimal, with letters of one case and digits.
func isHash(w string) bool {
	letters := strings.Trim(w, "0123456789")
	return len(w) >= 7 && letters != "" && strings.ContainsAny(w, "0123456789") &&
		(strings.Trim(letters, "0123456789abcdef") == "" || strings.Trim(letters, "0123456789ABCDEF") == "")
}

// technical are what the letters of words are that have digits and name a thing in general.
var technical = []string{"aes", "amd", "arm", "base", "claude", "cp", "es", "float", "gpt", "http", "int", "ipv", "iso", "le", "be",
	"md", "python", "rfc", "rsa", "sha", "ssl", "tls", "uint", "utf", "v", "win", "x"}

// isID reports whether a word is one that a program made up: letters, and five digits, or
// three with a hyphen, an underscore or more changes between letters and digits.
func isID(w string) bool {
	digits, joins, changes := 0, 0, 0
	for i := range len(w) {
		c := w[i]
		switch {
		case isDigit(c):
			digits++
		case c == '-' || c == '_':
			joins++
		case !isAlnum(c):
			return false
		}
		if i > 0 && isAlnum(c) && isAlnum(w[i-1]) && isDigit(c) != isDigit(w[i-1]) {
			changes++
		}
	}
	parts := strings.FieldsFunc(strings.ToLower(w), func(r rune) bool { return r < 'a' || r > 'z' })
	general := !slices.ContainsFunc(parts, func(p string) bool { return !slices.Contains(technical, p) })
	unit := len(w)-len(strings.TrimLeft(w, "0123456789"))+3 >= len(w) // as in 12000ms
	date := len(w) > 7 && w[4] == '-' && strings.Trim(w[:4]+w[5:7], "0123456789") == ""
	return !general && !unit && !date && len(w) >= 6 && (digits >= 5 || digits >= 3 && joins+changes/3 > 0)
}
