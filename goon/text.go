package goon

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// class says what a byte may be part of.
var class = func() (t [256]uint8) {
	for c := range 256 {
		b := byte(c)
		switch {
		case b-'a' < 26 || b-'A' < 26 || b == '_':
			t[c] = bareByte | wordByte | startByte
		case b-'0' < 10 || b == '-':
			t[c] = bareByte | wordByte
		case b == ':' || b == '.' || b == '/' || b == '@' || b == '+':
			t[c] = bareByte
		}
	}
	return t
}()

const (
	bareByte  = 1 << iota // of a value without quotation marks
	wordByte              // of a name that must not hold a separator
	startByte             // begins a type name
)

// bare reports whether s, which is not empty, is written without quotation
// marks if it is not a word with a meaning.
func bare(s string) bool { return bareEnd(s, 0) == len(s) }

// bareEnd returns the index of the first byte at or after i that cannot stand
// in a value without quotation marks, len(s) if there is none.
func bareEnd(s string, i int) int {
	for i+8 <= len(s) {
		w := s[i : i+8]
		if class[w[0]]&class[w[1]]&class[w[2]]&class[w[3]]&class[w[4]]&class[w[5]]&class[w[6]]&class[w[7]]&bareByte == 0 {
			break
		}
		i += 8
	}
	for i < len(s) && class[s[i]]&bareByte != 0 {
		i++
	}
	return i
}

// meaning reports whether the bare token s would be read as something else
// than a string or a number.
func meaning(s string) bool { return s == "true" || s == "false" || s == "null" }

// appendText appends a text as a value: bare, as a date and time, or quoted.
// tail is what a cut text ends with.
func appendText(dst []byte, s, tail string) []byte {
	if len(s) >= len(dateTime) && s[10] == ' ' && tail == "" && isDateTime(s) {
		dst = append(dst, s...)
		dst[len(dst)-len(s)+10] = 'T'
		return dst
	}
	if bare(s) && (tail != "" || !meaning(s)) {
		return append(append(dst, s...), tail...)
	}
	dst = appendQuotedText(append(dst, '"'), s)
	return append(append(dst, tail...), '"')
}

// appendQuotedText appends s as it is between quotation marks. Control
// characters without an escape of their own are dropped. NEL, U+2028 and U+2029
// would end a line for many readers; they are written as names have them.
func appendQuotedText(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if n := len(dst); i+8 <= len(s) && n+8 <= cap(dst) {
			// Eight bytes are copied; what follows the first doubtful one is written over.
			w := scan.Load64(s, i)
			binary.LittleEndian.PutUint64(dst[n:n+8], w)
			mask := doubtful(w)
			if mask == 0 {
				dst, i = dst[:n+8], i+8
				continue
			}
			plain := bits.TrailingZeros64(mask) / 8
			dst, i = dst[:n+plain], i+plain
		}
		size, dropped := 1, false
		switch c := s[i]; {
		case c >= utf8.RuneSelf && breaks(s, i):
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if dropped = r < '\u00A0' && r != '\u0085'; !dropped {
				dst = appendHex(dst, r)
			}
		case scan.FewLetters[c] != 0:
			dst = append(dst, '\\', scan.FewLetters[c])
		case c >= 0x20 && c != 0x7F:
			dst = append(dst, c)
		default:
			dropped = true
		}
		if i += size; dropped && i < len(s) && s[i]&0xC0 == 0x80 {
			dst = append(dst, s[i-size:i]...) // else what is not UTF-8 might become it
		}
	}
	return dst
}

func appendHex(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// breaks reports whether the character at i of s, which begins there, is a
// control character beyond ASCII or ends a line.
func breaks(s string, i int) bool {
	switch s[i] {
	case 0xC2:
		return i+1 < len(s) && s[i+1]&^0x1F == 0x80
	case 0xE2:
		return i+2 < len(s) && s[i+1] == 0x80 && s[i+2]|1 == 0xA9
	}
	return false
}

// doubtful has a bit set for the first of eight bytes that may not stand for itself
// between quotation marks, and none below it; bits above it mean nothing. Of characters
// beyond ASCII it takes all that begin as those do which breaks reports. Text that is not
// UTF-8 may mislead it; such text is refused anyway.
func doubtful(w uint64) uint64 {
	// Of bytes below 0x80 the high bit gets set where the byte is below 0x20,
	// where it is one less than 0x80, and where a difference is zero. Borrows
	// reach only bytes above the first such one.
	quote, slash := (w^'"'*scan.Ones)-scan.Ones, (w^'\\'*scan.Ones)-scan.Ones
	lead := (w | 0x20*scan.Ones) ^ 0xE2*scan.Ones // 0 where the byte is 0xC2 or 0xE2
	return ((w-0x20*scan.Ones)|quote|slash|(w+scan.Ones))&(scan.Highs&^w) | (lead-scan.Ones)&^lead&scan.Highs
}

// characters counts the Unicode scalar values of s: the bytes that do not
// continue a sequence.
func characters(s string) int {
	n, i := len(s), 0
	for ; i+8 <= len(s); i += 8 {
		n -= continuations(scan.Load64(s, i))
	}
	for ; i < len(s); i++ {
		if s[i]&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// continuations counts the bytes of the form 10xxxxxx.
func continuations(w uint64) int { return bits.OnesCount64(w & scan.Highs &^ (w << 1)) }

// prefix returns the first n characters of s, which has more than n.
func prefix(s string, n int) string {
	i := 0
	for n >= 8 && i+8 <= len(s) {
		n -= 8 - continuations(scan.Load64(s, i))
		i += 8
	}
	// The rest of a sequence that was entered belongs to its character.
	for ; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			if n == 0 {
				break
			}
			n--
		}
	}
	return s[:i]
}

// dateTime is the shortest form that [isDateTime] accepts.
const dateTime = time.DateTime

// isDateTime reports whether s is a date and time as ClickHouse prints it,
// with any number of digits of the second. The grammar is strict and the
// calendar is checked: what is written without quotation marks cannot hold a
// second space or a line feed.
func isDateTime(s string) bool {
	if len(s) < len(dateTime) || s[4] != '-' || s[7] != '-' || s[13] != ':' || s[11] == ' ' {
		return false
	}
	whole, fraction := s[:len(dateTime)], s[len(dateTime):]
	if fraction != "" && (fraction[0] != '.' || len(fraction) == 1 || scan.Digits(fraction, 1) < len(fraction)) {
		return false
	}
	if minute, ok := strings.CutSuffix(whole, "60"); ok {
		whole = minute + "59" // a leap second
	}
	_, err := time.Parse(dateTime, whole)
	return err == nil
}

// Names – of types, properties, columns – are written raw, as the document has
// them, if they cannot be taken for something else. Other names, which do not
// occur in the domain the document speaks of, are quoted, and here no
// character is dropped: two names never become one.

// A nameRule says which names are raw.
type nameRule uint8

const (
	typeName nameRule = iota // begins a line and precedes ':' or '('
	keyName                  // precedes '=', a column's may begin a line
	wordName                 // is between separators
)

// raw reports whether a name is raw: letters, marks and digits may be those of every script.
func raw(s string, rule nameRule) bool {
	if s == "" || rule == keyName && s[0] == '@' || rule == typeName && s[0] < utf8.RuneSelf && class[s[0]]&startByte == 0 {
		return false
	}
	allowed := uint8(bareByte)
	if rule == wordName {
		allowed = wordByte
	}
	for _, r := range s {
		if r < utf8.RuneSelf {
			if class[r]&allowed == 0 {
				return false
			}
		} else if r == utf8.RuneError || !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return false
		}
	}
	return true
}

func appendName(dst []byte, s string, rule nameRule) []byte {
	if raw(s, rule) {
		return append(dst, s...)
	}
	return appendQuotedName(dst, s)
}

const hexDigits = "0123456789abcdef"

// appendQuotedName appends s in quotation marks. What does not print is
// escaped, except beyond the basic plane, where \u has no digits for it.
func appendQuotedName(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r < utf8.RuneSelf && scan.FewLetters[r] != 0:
			dst = append(dst, '\\', scan.FewLetters[r])
		case r <= 0xFFFF && !unicode.IsPrint(r):
			dst = appendHex(dst, r)
		default: // including bytes that are not UTF-8: the finished text is checked
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return append(dst, '"')
}

// appendHeaderValue appends what follows the colon of a header line. It is raw
// unless it holds what would end the line, get lost at its ends or be taken
// for a quoted value.
func appendHeaderValue(dst []byte, s string) []byte {
	if s != "" && (s[0] == '"' || s[0] == ' ' || s[len(s)-1] == ' ') {
		return appendQuotedName(dst, s)
	}
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7F || breaks(s, i) {
			return appendQuotedName(dst, s)
		}
	}
	return append(dst, s...)
}
