package splice

import (
	"bytes"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// Quote returns s as a JSON string that every reader of lines takes for a part of one.
func Quote(s string) []byte { return EscapeSeparators(scan.AppendQuote(nil, s)) }

// EscapeSeparators returns JSON text with U+2028 and U+2029 as escapes. JSON has them in
// strings only, as they are; some readers of lines take them for the ends of lines.
func EscapeSeparators(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\u2028"), []byte(`\u2028`))
	return bytes.ReplaceAll(text, []byte("\u2029"), []byte(`\u2029`))
}
