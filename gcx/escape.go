package gcx

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// special returns the index of the first byte at or after i that a row cannot
// hold as it is, or len(s): a backslash, or a control character below 0x10,
// which takes in TAB, LF and CR.
func special(s string, i int) int {
	for i+8 <= len(s) {
		if mask := specials(scan.Load64(s, i)); mask != 0 {
			return i + bits.TrailingZeros64(mask)/8
		}
		i += 8
	}
	if w, ok := scan.EndWord(s); ok && specials(w) == 0 {
		return len(s)
	}
	for i < len(s) && s[i] >= 0x10 && s[i] != '\\' {
		i++
	}
	return i
}

// specials has the highest bit of the first byte of a word that special stops at,
// and perhaps of others after it.
func specials(w uint64) uint64 {
	low := w & (0xF0 * scan.Ones)
	slash := w ^ ('\\' * scan.Ones)
	// A borrow can only set bits above the first true one.
	return ((low-scan.Ones)&^low | (slash-scan.Ones)&^slash) & scan.Highs
}

// appendCell appends s with the escapes of the section "Escape rules". That
// strips carriage returns, for which it has no escape.
func appendCell(dst []byte, s string) []byte {
	if out, set := appendString(dst, s); set != 0 {
		return out
	}
	return appendEscaped(dst, s)
}

// appendEscaped is appendCell for a string that may need escapes.
func appendEscaped(dst []byte, s string) []byte {
	for {
		i := special(s, 0)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		switch c := s[i]; c {
		case '\\':
			dst = append(dst, '\\', '\\')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
		default:
			dst = append(dst, c)
		}
		s = s[i+1:]
	}
}

// escapeJSON escapes the JSON text that dst holds from start on for a cell: of
// what a cell must escape, JSON text only ever has backslashes.
func escapeJSON(dst []byte, start int) []byte {
	return scan.EscapeByte(dst, start, '\\')
}

// unescape returns what a backslash and c stand for.
func unescape(c byte) byte {
	switch c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	}
	return c
}

// unescaped returns the text of an escaped cell; s itself if it has no escape.
func unescaped(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return string(appendUnescaped(nil, s))
}

// appendUnescaped appends the text of an escaped cell. A backslash at its end stays.
func appendUnescaped(dst []byte, s string) []byte {
	for i := strings.IndexByte(s, '\\'); i >= 0 && i < len(s)-1; i = strings.IndexByte(s, '\\') {
		dst = append(append(dst, s[:i]...), unescape(s[i+1]))
		s = s[i+2:]
	}
	return append(dst, s...)
}

// appendToken appends a part of a header with the characters of also escaped
// besides those of a cell. The document wants spaces in headers escaped and
// names no sequence; a backslash and the character is the one its rule for
// unknown escapes reads back.
func appendToken(dst []byte, s, also string) []byte {
	from := 0
	for i := range len(s) {
		c := s[i]
		if !perhapsEscaped[c] || c > ' ' && c != '\\' && strings.IndexByte(also, c) < 0 {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '\t':
			c = 't'
		case '\n':
			c = 'n'
		}
		dst = append(dst, '\\', c)
	}
	return append(dst, s[from:]...)
}

// perhapsEscaped are the characters that some part of a header escapes.
var perhapsEscaped = [256]bool{'\t': true, '\n': true, '\r': true, ' ': true, '\\': true, ',': true, '=': true, '.': true}

// indexUnescaped returns the index of the first c at or after i that no
// backslash precedes, or len(s).
func indexUnescaped(s string, c byte, i int) int {
	for i < len(s) && s[i] != c {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		i++
	}
	return min(i, len(s))
}

// plainToken reports whether the reference decoders read s unchanged as a tool,
// a meta value or, without the characters of also, a field or a meta key: they
// split headers at every space, unescape field names twice and trim white
// space of any script at the end of the line.
func plainToken(s, also string) bool {
	for i, r := range s {
		if r <= ' ' || r == '\\' || r == 0x7F || also != "" && strings.ContainsRune(also, r) ||
			r >= utf8.RuneSelf && unicode.IsSpace(r) || i == 0 && r == '\uFEFF' {
			return false
		}
	}
	return true
}

// cutCR returns a line without the CR of a CR LF line end. A CR after an
// escaping backslash is data.
func cutCR(line string) string {
	body, ok := strings.CutSuffix(line, "\r")
	if !ok || (len(body)-len(strings.TrimRight(body, `\`)))%2 == 1 {
		return line
	}
	return body
}
