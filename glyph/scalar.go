package glyph

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// format is the name of the format in errors and registries.
const format = "glyph"

// tagID marks a string as an id. Its text begins with "^": it is what the
// document's bridge gives for the id in JSON.
const tagID uint8 = 'G'

// ID returns the id ^prefix:value, or ^value if the prefix is empty.
func ID(prefix, value string) wire.Value {
	if prefix != "" {
		value = prefix + ":" + value
	}
	return wire.Internal.TaggedString("^"+value, tagID)
}

// Int returns a number.
func Int(n int64) wire.Value { return wire.Int(n) }

// Str returns a string.
func Str(s string) wire.Value { return wire.String(s) }

// A MapEntry is one key and value of a [Map].
type MapEntry wire.Member

// Map returns an object with the entries in the order given. Of two entries
// with one key the last wins, at the place of the first, as the document has it
// for duplicate keys.
func Map(entries ...MapEntry) wire.Value {
	var b builder.Builder
	o := b.Object()
	for _, e := range entries {
		b.Key(&o, e.Key)
		b.Put(&o, e.Value)
	}
	return b.EndObject(&o)
}

// Classes of bytes in bare words.
const (
	classStart    = 1 << iota // begins a word
	classPart                 // continues a word
	classUpstream             // continues a word in the upstream profile
	classToken                // is in a token that begins with a digit: a number, a time
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case b|0x20 >= 'a' && b|0x20 <= 'z', b == '_':
			t[c] = classStart | classPart | classUpstream | classToken
		case b >= '0' && b <= '9':
			t[c] = classPart | classUpstream | classToken
		case b == '-', b == '.':
			t[c] = classPart | classToken
		case b == '/':
			t[c] = classPart
		case b == '+', b == ':':
			t[c] = classToken
		}
	}
	return t
}()

// wordStart and wordPart extend the classes to all of Unicode. The blocks that
// are letters throughout need no search in package unicode's tables.
func wordStart(r rune) bool { return allLetters(r) || unicode.IsLetter(r) }
func wordPart(r rune) bool {
	return allLetters(r) || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func allLetters(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || // CJK
		r >= 0x3041 && r <= 0x3096 || // Hiragana
		r >= 0x30A1 && r <= 0x30FA || // Katakana
		r >= 0xAC00 && r <= 0xD7A3 // Hangul
}

// bareWord reports whether s follows the document's bare-safe rule, reserved
// words aside.
func bareWord(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	if s == "" || class[s[0]]&classStart == 0 && (r < utf8.RuneSelf || !wordStart(r)) {
		return false
	}
	return wordEnd(s, n) == len(s)
}

// wordEnd returns the index of the first character at or after i that cannot continue a
// word, or len(s).
func wordEnd(s string, i int) int {
	for {
		if i = partRun(s, i); i == len(s) || s[i] < utf8.RuneSelf {
			return i
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !wordPart(r) {
			return i
		}
		i += n
	}
}

// idEnd is wordEnd for an id, whose words have colons between them.
func idEnd(s string, i int) int {
	for {
		if i = wordEnd(s, i); i == len(s) || s[i] != ':' {
			return i
		}
		i++
	}
}

// partRun returns the index of the first byte at or after i that is not in
// classPart, or len(s).
func partRun(s string, i int) int {
	for i+8 <= len(s) {
		if mask := notParts(scan.Load64(s, i)); mask != 0 {
			return i + bits.TrailingZeros64(mask)/8
		}
		i += 8
	}
	if w, ok := scan.EndWord(s); ok && notParts(w) == 0 {
		return len(s)
	}
	for i < len(s) && class[s[i]]&classPart != 0 {
		i++
	}
	return i
}

// notParts has the highest bit of each byte of a word that is not in classPart.
func notParts(w uint64) uint64 {
	const ones, highs = scan.Ones, scan.Highs
	// Adding 0x80-c to a byte below 0x80 sets its high bit if it is at least
	// c, and never carries into the next byte.
	low := w &^ highs
	lower := low | 0x20*ones
	letter := (lower + (0x80-'a')*ones) &^ (lower + (0x80-'z'-1)*ones)
	number := (low + (0x80-'-')*ones) &^ (low + (0x80-'9'-1)*ones) // "-./" and the digits
	line := ^((low ^ '_'*ones) + 0x7F*ones)
	return (w | ^(letter | number | line)) & highs
}

// reserved reports whether a bare s would be read as another value.
func reserved(s string) bool {
	if len(s) > 5 {
		return false
	}
	switch s {
	case "t", "f", "true", "false", "null", "none", "nil":
		return true
	}
	return false
}

// bare reports whether s is written without quotation marks. "_" is null as a
// value and an ordinary word as a key.
func bare(s string, key bool) bool {
	return bareWord(s) && !reserved(s) && (key || s != "_")
}

// upstreamBare is bare in the upstream profile.
func upstreamBare(s string) bool {
	if s == "" || class[s[0]]&classStart == 0 {
		return false
	}
	for i := range len(s) {
		if class[s[i]]&classUpstream == 0 {
			return false
		}
	}
	switch s {
	case "_", "NaN", "Inf", "struct", "sum", "list", "map":
		return false
	}
	return !reserved(s)
}

// bareID reports whether an id's text, after "^", is written without
// quotation marks.
func bareID(s string, upstream bool) bool {
	if upstream && (strings.Count(s, ":") > 1 || strings.IndexByte(s, '/') >= 0 || strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0) {
		return false
	}
	return s != "" && idEnd(s, 0) == len(s)
}

const upperHex = "0123456789ABCDEF"

// appendQuotedFrom appends s in quotation marks, which has nothing to escape before from. In a
// table's cell "|" is escaped too.
func appendQuotedFrom(dst []byte, s string, from int, cell bool) []byte {
	start := len(dst)
	dst = append(dst, '"')
	for i := scan.StringEnd(s, from); ; i = scan.StringEnd(s, 0) {
		dst = append(dst, s[:i]...)
		if i == len(s) {
			break
		}
		dst = appendEscape(dst, s[i])
		s = s[i+1:]
	}
	if dst = append(dst, '"'); cell {
		return scan.EscapeByte(dst, start, '|')
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	if short := scan.FewLetters[c]; short != 0 {
		return append(dst, '\\', short)
	}
	return append(dst, '\\', 'u', '0', '0', upperHex[c>>4], upperHex[c&15])
}

// appendKey appends a key or a column's name.
func appendKey(dst []byte, s string, upstream bool) []byte {
	return appendWord(dst, s, upstream && upstreamBare(s) || !upstream && bare(s, true))
}

// appendWord appends s as it is if it is bare, else in quotation marks.
func appendWord(dst []byte, s string, bare bool) []byte {
	if bare {
		return append(dst, s...)
	}
	return appendQuotedFrom(dst, s, 0, false)
}

// Exponents from which a float that is not whole is written with an exponent.
const (
	expThreshold         = 15
	upstreamExpThreshold = 6
	minExp               = -4
	maxSafe              = 1<<53 - 1
)

// isCanonical reports whether a JSON number's text is its canonical form for certain: it has
// at most 15 digits, which float64 holds without loss, and is a whole number other than -0,
// or a fraction without an exponent and zeros that could be left out, not too small or too
// large to be written so.
func isCanonical(text []byte, threshold int) bool {
	first, n := 0, len(text)
	if text[0] == '-' {
		first = 1
	}
	point := scan.Digits(text, first)
	switch {
	case n-first > 15:
		return false
	case point == n:
		return text[first] != '0' || first == 0
	case text[point] != '.' || scan.Digits(text, point+1) < n || text[n-1] == '0':
		return false
	}
	return point-first <= threshold && (text[first] != '0' || !bytes.HasPrefix(text[point:], []byte(".000")))
}

// appendFloat appends a finite float in canonical form.
func appendFloat(dst []byte, f float64, threshold int) []byte {
	if f == math.Trunc(f) && math.Abs(f) <= maxSafe {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	// Here the shortest text in ECMAScript's form is the canonical one.
	if abs := math.Abs(f); abs >= 1e-4 && abs < 1e15 && (threshold >= 15 || abs < math.Pow10(threshold)) {
		return decimal.AppendFloat(dst, f)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	e := from + bytes.IndexByte(dst[from:], 'e')
	exp, _ := strconv.Atoi(string(dst[e+1:]))
	if exp < minExp || exp >= threshold {
		return dst
	}
	return strconv.AppendFloat(dst[:from], f, 'f', -1, 64)
}

// canonicalNumber replaces dst[from:], a JSON number's text, by that of its
// nearest float64; it returns false and leaves it if there is none.
func canonicalNumber(dst []byte, from, threshold int) ([]byte, bool) {
	f, ok := decimal.ParseFloat(string(dst[from:]))
	if !ok && math.IsInf(f, 0) {
		return dst, false
	}
	return appendFloat(dst[:from], f, threshold), true
}

// timeSeconds is RFC 3339 with seconds in the offset, which some historical
// zones have; without them the instant would change.
const timeSeconds = "2006-01-02T15:04:05.999999999-07:00:00"

// writableTime reports whether parseTime reads what appendTime writes for t.
func writableTime(t time.Time) bool {
	const day = 24 * 60 * 60
	_, offset := t.Zone()
	return t.Year() >= 0 && t.Year() <= 9999 && -day < offset && offset < day
}

func appendTime(dst []byte, t time.Time) []byte {
	if _, offset := t.Zone(); offset%60 != 0 {
		return t.AppendFormat(dst, timeSeconds)
	}
	return t.AppendFormat(dst, time.RFC3339Nano)
}

// parseTime reads what appendTime writes, and nothing that it would have to
// round.
func parseTime(s string) (time.Time, bool) {
	var t time.Time
	if tooFine(s) {
		return t, false
	}
	if t.UnmarshalText([]byte(s)) == nil {
		return t, true
	}
	t, err := time.Parse(timeSeconds, s)
	return t, err == nil && len(s) > len("2006-01-02T15:04:05")
}

// tooFine reports whether a time has more digits than nanoseconds have.
func tooFine(s string) bool {
	i := strings.IndexByte(s, '.')
	return i >= 0 && scan.Digits(s, i+1)-i > 10
}

// beginsNumber reports whether a number or a time can begin with s, which is
// neither.
func beginsNumber(s string) bool {
	if scan.Number(s+"0") == len(s)+1 {
		return true
	}
	const year, sample = "2000-", "2000-01-01T00:00:00Z"
	if len(s) < len(year) { // any digits would do
		return false
	}
	if len(s) < len(sample) {
		_, ok := parseTime(s + sample[len(s):])
		return ok
	}
	for _, rest := range []string{"Z", "0Z", "00:00", "0:00", ":00", "00", "0"} {
		if _, ok := parseTime(s + rest); ok {
			return true
		}
	}
	return false
}

// isDate reports whether s looks like 2025-01-31. The document has bare dates
// in cells; they are strings.
func isDate(s string) bool {
	return len(s) == 10 && s[4] == '-' && s[7] == '-' &&
		scan.Digits(s, 0) == 4 && scan.Digits(s, 5) == 7 && scan.Digits(s, 8) == 10
}
