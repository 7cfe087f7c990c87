package scan

import "strings"

// PointerEscapes makes a key a reference token of a JSON pointer (RFC 6901), and
// PointerUnescapes a reference token a key.
var (
	PointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	PointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)
