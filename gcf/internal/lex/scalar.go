package lex

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// This file holds the common scalar grammar (section 2) and the common key
// grammar (section 2a): what both profiles write and read between delimiters.

// The classes of a byte.
const (
	QuoteAlways  = 1 << iota // forces quotation marks wherever it occurs
	QuoteBracket             // '[': forces them before ']' and ':'
	QuoteLead                // begins a sequence that may be white space or C1
	quoteFirst               // forces them at the start
	LookFirst                // at the start: forces them in some company
	KeyFirst                 // can begin a bare key
	KeyRest                  // can continue a bare key
)

var Class = func() (t [256]uint8) {
	for c := range 0x20 {
		t[c] = QuoteAlways
	}
	// Section 2.4 asks for '|' and ',' only where they delimit; the fixtures
	// of the specification quote them everywhere.
	for _, c := range `"\|,` {
		t[c] = QuoteAlways
	}
	t['['] = QuoteBracket
	for _, c := range []byte{0xC2, 0xE1, 0xE2, 0xE3, 0xEF} {
		t[c] = QuoteLead
	}
	for _, c := range " #@." {
		t[c] |= quoteFirst
	}
	for _, c := range "+-~^tf0123456789" {
		t[c] |= LookFirst
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= KeyFirst | KeyRest
		t[c-'a'+'A'] |= KeyFirst | KeyRest
	}
	t['_'] |= KeyFirst | KeyRest
	for c := '0'; c <= '9'; c++ {
		t[c] |= KeyRest
	}
	return t
}()

// The tokens of null and, in a cell, of a field that the row lacks and of an array or object
// that is below the row.
const Null, Absent, Attachment = "-", "~", "^"

// AppendScalar appends a scalar token. It reports false for a number outside
// the domain of section 2.3.2.
func AppendScalar(dst []byte, v wire.Value) ([]byte, bool) {
	switch v.Kind() {
	case wire.KindString:
		return AppendString(dst, v.Text()), true
	case wire.KindNumber:
		return AppendNumber(dst, v)
	case wire.KindNull:
		return append(dst, Null...), true
	case wire.KindBool:
		return strconv.AppendBool(dst, v.Bool()), true
	}
	return AppendString(dst, string(wire.Internal.AppendText(nil, v))), true
}

// AppendString appends a string value: bare where section 2.4 allows it.
func AppendString(dst []byte, s string) []byte {
	if out, ok := appendBare(dst, s); ok {
		return out
	}
	if NeedsQuotes(s) {
		return scan.AppendQuote(dst, s)
	}
	return append(dst, s...)
}

// NeedsQuotes reports whether section 2.4 wants quotation marks around s.
func NeedsQuotes(s string) bool {
	if s == "" || s[len(s)-1] == ' ' {
		return true
	}
	first := Class[s[0]]
	if first&(quoteFirst|LookFirst) != 0 {
		if first&quoteFirst != 0 || ReadsOtherwise(s) {
			return true
		}
	}
	bracket := false
	for i := PlainPrefix(s, 0); i < len(s); {
		switch found := Class[s[i]]; {
		case found&QuoteAlways != 0, found&QuoteLead != 0 && isSpace(s[i:]):
			return true
		case found&QuoteBracket != 0:
			bracket = true
			i = PlainPrefix(s, i+1)
		case s[i] >= 0xE0:
			i += 3 // or one more
		case s[i] >= utf8.RuneSelf:
			i++
		default:
			i = PlainPrefix(s, i+1)
		}
	}
	return bracket && HoldsArrayPattern(s)
}

// isSpace reports whether s, which begins with a byte of class quoteLead, begins
// with a C1 control character or white space beyond ASCII. Of text that is not
// UTF-8 it reports either; the encoder refuses that in the end.
func isSpace(s string) bool {
	if len(s) < 3 {
		return len(s) == 2 && s[0] == 0xC2 && s[1] <= 0xA0
	}
	second, third := s[1], s[2]
	switch s[0] {
	case 0xC2:
		return second <= 0xA0 // U+0080 to U+00A0
	case 0xE1:
		return second == 0x9A && third == 0x80 // U+1680
	case 0xE2:
		// U+2000 to U+200A, U+2028, U+2029, U+202F, and U+205F
		return second == 0x80 && (third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF) ||
			second == 0x81 && third == 0x9F
	case 0xE3:
		return second == 0x80 && third == 0x80 // U+3000
	}
	return second == 0xBB && third == 0xBF // U+FEFF
}

// ReadsOtherwise reports whether a decoder, or a model, could read s as
// something else than a string. s begins with a byte of class lookFirst.
func ReadsOtherwise(s string) bool {
	switch c := s[0]; c {
	case 't':
		return s == "true"
	case 'f':
		return s == "false"
	case '~':
		return s == "~"
	case '^':
		return s == "^" || strings.HasPrefix(s, "^{") && s[len(s)-1] == '}'
	case '+', '-':
		if len(s) == 1 {
			return c == '-'
		}
		i := 1
		if s[i] == '.' {
			i++
		}
		return i < len(s) && s[i]-'0' <= 9
	case '0':
		if len(s) > 1 && s[1]-'0' <= 9 {
			return true
		}
	}
	return scan.Number(s) == len(s)
}

// HoldsArrayPattern reports whether s holds "[", with the next "]" followed by
// optional blanks and ":", which reads like an inline array.
func HoldsArrayPattern(s string) bool {
	for {
		open := strings.IndexByte(s, '[')
		if open < 0 {
			return false
		}
		n := strings.IndexByte(s[open:], ']')
		if n < 0 {
			return false
		}
		s = s[open+n+1:]
		if strings.HasPrefix(strings.TrimLeft(s, " "), ":") {
			return true
		}
	}
}

// HoldsSpace reports whether s, which is UTF-8, holds a C1 control character or
// white space beyond ASCII.
func HoldsSpace(s string) bool {
	for i := range len(s) {
		if Class[s[i]]&QuoteLead != 0 && isSpace(s[i:]) {
			return true
		}
	}
	return false
}

// AppendKey appends a key: bare if its grammar allows it (section 2a.1).
func AppendKey(dst []byte, key string) []byte {
	if IsBareKey(key) {
		return append(dst, key...)
	}
	return scan.AppendQuote(dst, key)
}

func IsBareKey(s string) bool { return s != "" && BareKeyEnd(s, 0) == len(s) }

// AppendNumber appends a number in canonical form (section 2.3.1). It reports
// false, and appends nothing, for what is outside the numeric domain of
// section 2.3.2: an integer token beyond int64, a decimal or exponent token
// beyond the range of a double. A decimal with more digits than a double holds
// keeps them: decoders that compute with doubles read the same double.
//
// The number's form says which of the two it is: digits are an integer; a
// point, an exponent, or a Go floating-point number make a double, whose text
// has an exponent from 2^53 on.
func AppendNumber(dst []byte, v wire.Value) ([]byte, bool) {
	if text, ok := wire.Internal.Spelling(v); ok {
		if out, ok := decimal.AppendPlain(dst, text); ok {
			return out, true // most numbers
		}
		return appendCanonical(dst, text, false)
	}
	if wire.Internal.IsFloat(v) {
		f, _ := v.Float64()
		return AppendFloat(dst, f)
	}
	n, ok := v.Int64()
	if !ok {
		return dst, false
	}
	return AppendInt(dst, n), true
}

// AppendInt is AppendNumber for an int64.
func AppendInt(dst []byte, n int64) []byte { return decimal.AppendInt(dst, n) }

// AppendFloat is AppendNumber for a float64, which may be none of the numbers.
func AppendFloat(dst []byte, f float64) ([]byte, bool) {
	if f-f != 0 {
		return dst, false
	}
	from := len(dst)
	dst = decimal.AppendFloat(dst, f)
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e15 {
		return dst, true // the shortest text is the canonical form
	}
	return appendCanonical(dst[:from], string(dst[from:]), true)
}

// appendCanonical is AppendNumber for a number in JSON's grammar. float tells that it is a
// double although it may have digits only.
func appendCanonical(dst []byte, text string, float bool) ([]byte, bool) {
	number := strings.TrimPrefix(text, "-")
	const safeDigits = 15 // of a whole number below 2^53
	switch point := scan.Digits(number, 0); {
	case point == len(number) && !float && number != "0": // -0 is 0
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return dst, false
		}
		return append(dst, text...), true
	case point <= safeDigits && scan.Digits(number, point+1) == len(number): // often with zeros at its end
		if out, ok := decimal.AppendPlain(dst, strings.TrimSuffix(strings.TrimRight(text, "0"), ".")); ok {
			return out, true
		}
	}
	var buf [32]byte
	few, negative, exp := decimal.AppendSplit(buf[:0], text)
	digits := string(few)
	// Numbers with a usual exponent are in the range. What it is, AppendSplit may not tell of a
	// longer text.
	const usual, longest = 300, 20
	switch {
	case (len(text) > longest || exp < -usual || exp > usual) && !inDouble(text, digits == ""):
		return dst, false
	case digits == "":
		return append(dst, '0'), true
	case negative:
		dst = append(dst, '-')
	}
	// Digits that are left out at the end are zeros, which no string order puts above a longer
	// string: this is from 2^53 on.
	const safe = "9007199254740992"
	if exp >= -6 && (exp < 15 || exp == 15 && digits[:min(len(digits), len(safe))] < safe) {
		return decimal.AppendDigits(dst, digits, exp), true
	}
	if dst = decimal.AppendMantissa(dst, digits); exp >= 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, exp, 10), true
}

// inDouble reports whether a number is in the range of a double, where only 0 becomes 0.
func inDouble(text string, zero bool) bool {
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && (f != 0 || zero)
}

// Scalars reads scalar tokens from lines.
type Scalars struct {
	Lines
	builder.Builder
}

// ReadKey reads the key at i, bare or quoted, and returns the position after it;
// without an error and with next == i if no key begins there.
func (s *Scalars) ReadKey(i, end int) (key string, next int, err error) {
	if i < end && s.Doc[i] == '"' {
		return s.quoted(i, end)
	}
	next = BareKeyEnd(s.Doc[:end], i)
	return s.Doc[i:next], next, nil
}

// quoted reads the quoted string at i (section 2.2) and returns the position
// after its closing quotation mark.
func (s *Scalars) quoted(i, end int) (string, int, error) {
	line := s.Doc[:end]
	stop := scan.StringEnd(line, i+1)
	if stop < end && line[stop] == '"' {
		return line[i+1 : stop], stop + 1, nil
	}
	text, stop := s.Unescape(&scan.JSONEscapes, line, i+1, stop)
	if stop == end || line[stop] != '"' {
		return "", 0, s.badString(i, stop, end)
	}
	return text, stop + 1, nil
}

// badString returns the error of what is not part of a string at i; the string begins at
// start.
func (s *Scalars) badString(start, i, end int) error {
	switch {
	case i == end:
		return s.Fail(start, wire.Error{Code: wire.CodeUnterminated, Kind: s.CutOff(end),
			Message: "the string's closing quotation mark is missing"})
	case s.Doc[i] != '\\':
		return s.Syntax(i, wire.CodeInvalidEscape, "a control character in a quoted string; it must be written as an escape")
	case i+1 == end:
		return s.Fail(i, wire.Error{Code: wire.CodeUnterminated, Kind: s.CutOff(end), Message: "the line ends inside an escape"})
	case s.Doc[i+1] != 'u':
		return s.Syntax(i, wire.CodeInvalidEscape, "no escape begins with a backslash and this character")
	}
	if _, ok := scan.Hex4(s.Doc[i+2 : end]); !ok {
		return s.Syntax(i, wire.CodeInvalidEscape, `\u needs four hexadecimal digits`)
	}
	return s.Fail(i, wire.Error{Code: "invalid_surrogate", Kind: wire.ErrUTF8,
		Message: "half of a surrogate pair without its other half"})
}

// What a token is that is not a value: the tag of the value in its place.
const (
	MarkAbsent     uint8 = 1 << iota // ~
	MarkAttachment                   // ^
	MarkSchema                       // ^{fields}
)

// MaxPlainNumber is a length from which on a number may be beyond the range of a
// double although it has no exponent.
const MaxPlainNumber = 300

// Token reads the scalar token at i, which delim or end ends (section 2.1),
// and returns the position of that delimiter or end. Leading and trailing
// blanks are skipped.
func (s *Scalars) Token(i, end int, delim byte) (v wire.Value, next int, err error) {
	text := s.Doc
	i = s.SkipBlanks(i, end)
	if i == end {
		return wire.String(""), end, nil
	}
	c := text[i]
	switch {
	case c == '"':
		var str string
		if str, next, err = s.quoted(i, end); err != nil {
			return v, 0, err
		}
		next = s.SkipBlanks(next, end)
		if next < end && text[next] != delim {
			return v, 0, s.Syntax(next, "trailing_characters", "characters after a string's closing quotation mark")
		}
		return wire.String(str), next, nil
	case c == '^' && i+1 < end && text[i+1] == '{':
		next = s.schemaEnd(i+1, end, delim)
		if text[s.TrimBlanks(i, next)-1] == '}' {
			return wire.Internal.TaggedString("", MarkSchema), next, nil
		}
		return wire.String(text[i:s.TrimBlanks(i, next)]), next, nil
	case Class[c]&LookFirst == 0:
		next = Delimiter(text[:end], i, delim)
		return wire.String(text[i:s.TrimBlanks(i, next)]), next, nil
	case c-'0' <= 9, c == '-' && i+1 < end && text[i+1] != delim:
		n, at := builder.Decimal(text, i)
		if at-i < MaxPlainNumber && (at == end || at > 0 && text[at] == delim) {
			return n, at, nil
		}
	}
	next = Delimiter(text[:end], i+1, delim)
	v, err = s.classify(i, s.TrimBlanks(i, next))
	return v, next, err
}

// PlainValue reads a value that reaches to the end of the line, which it
// returns: one without escapes, blanks around it or a carriage return. For all else,
// errors included, the end is -1.
func (s *Scalars) PlainValue(i int) (v wire.Value, end int) {
	switch text := s.Doc; {
	case i == len(text):
	case text[i]-'0' <= 9:
		if n, end, whole := scan.Decimal(text, i); whole && s.lineEndsAt(end) {
			return wire.Int(n), end
		}
	case text[i] == '"':
		end := scan.StringEnd(text, i+1)
		if s.lineEndsAt(end+1) && text[end] == '"' {
			return wire.String(text[i+1 : end]), end + 1
		}
	case text[i] == '-' && s.lineEndsAt(i+1):
		return wire.Null(), i + 1
	case text[i] == 't' && strings.HasPrefix(text[i:], "true\n"):
		return wire.Bool(true), i + len("true")
	case text[i] == 'f' && strings.HasPrefix(text[i:], "false\n"):
		return wire.Bool(false), i + len("false")
	case Class[text[i]]&LookFirst == 0 && text[i] > ' ':
		if end := i + strings.IndexByte(text[i:], '\n'); end > i && text[end-1] > ' ' {
			return wire.String(text[i:end]), end
		}
	}
	return wire.Value{}, -1
}

func (s *Scalars) lineEndsAt(i int) bool { return i < len(s.Doc) && s.Doc[i] == '\n' }

// schemaEnd is delimiter for a token that begins with ^{: delimiters in its
// quoted names do not count.
func (s *Scalars) schemaEnd(i, end int, delim byte) int {
	inQuotes := false
	for ; i < end; i++ {
		switch c := s.Doc[i]; {
		case inQuotes && c == '\\':
			i++
		case c == '"':
			inQuotes = !inQuotes
		case c == delim && !inQuotes:
			return i
		}
	}
	return end
}

// classify gives the bare token text[i:end] its meaning. Its first byte is of
// class lookFirst.
func (s *Scalars) classify(i, end int) (wire.Value, error) {
	token := s.Doc[i:end]
	switch token[0] {
	case '~':
		if len(token) == 1 {
			return wire.Internal.TaggedString("", MarkAbsent), nil
		}
	case '^':
		if len(token) == 1 {
			return wire.Internal.TaggedString("", MarkAttachment), nil
		}
	case 't':
		if token == "true" {
			return wire.Bool(true), nil
		}
	case 'f':
		if token == "false" {
			return wire.Bool(false), nil
		}
	case '+':
	case '-':
		if len(token) == 1 {
			return wire.Null(), nil
		}
		fallthrough
	default:
		if scan.Number(token) == len(token) {
			return s.number(i, end)
		}
	}
	return wire.String(token), nil
}

// number makes the number text[i:end], which follows JSON's grammar, and checks
// its domain (section 2.3.2).
func (s *Scalars) number(i, end int) (wire.Value, error) {
	text := s.Doc[i:end]
	if digits := strings.TrimPrefix(text, "-"); scan.Digits(digits, 0) == len(digits) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return wire.Value{}, s.Fail(i, wire.Error{Code: "out_of_range", Kind: wire.ErrRange,
				Message: "the integer " + Abbreviated(text) + " is outside int64, from -9223372036854775808 to 9223372036854775807",
				Hint:    "let the producer write it as a string"})
		}
		return wire.Int(n), nil
	}
	if len(text) >= MaxPlainNumber || strings.ContainsAny(text, "eE") {
		if _, digits, _, _ := decimal.Split(text); !inDouble(text, digits == "") {
			return wire.Value{}, s.Fail(i, wire.Error{Code: "out_of_range", Kind: wire.ErrRange,
				Message: "the number " + Abbreviated(text) + " is outside the range of a double",
				Hint:    "let the producer write it as a string"})
		}
	}
	return wire.Number(text)
}

// Abbreviated shortens a token for a message.
func Abbreviated(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
