package scan

const hexDigits = "0123456789abcdef"

// shortEscape holds the letter of JSON's two-character escapes.
var shortEscape = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendQuote appends s as a JSON string: in quotation marks, with the escapes
// that RFC 8259 demands and no others, in their shortest form.
func AppendQuote(dst []byte, s string) []byte {
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// AppendEscaped is AppendQuote without the quotation marks.
func AppendEscaped(dst []byte, s string) []byte {
	for {
		i := StringEnd(s, 0)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		c := s[i]
		if short := shortEscape[c]; short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		s = s[i+1:]
	}
}
