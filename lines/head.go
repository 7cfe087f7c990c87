package lines

import (
	"bytes"
	"fmt"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// family begins every encoded text, and version is what this package writes and reads.
const family, version = "lines v", "1"

// Sniff reports whether a text looks like an encoded one, of any version.
func Sniff(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte(family))
	return ok && len(rest) > 0 && scan.IsDigit(rest[0])
}

// What a head says of each step. % is the step's mark.
const (
	saysTexts   = " stand for the texts below"
	saysHeading = "%text begins the lines under it"
	saysRepeat  = "%1 repeats block 1, %*2 the line above twice"
)

func appendHead(out []byte, m marks, entries int) []byte {
	out = append(out, family+version...)
	if m.sigil != 0 {
		out = fmt.Appendf(out, "; %c1 to %[1]c%d"+saysTexts, m.sigil, entries)
	}
	if m.heading != 0 {
		out = appendSaying(out, saysHeading, m.heading)
	}
	if m.repeat != 0 {
		out = appendSaying(out, saysRepeat, m.repeat)
	}
	return append(out, '\n')
}

func appendSaying(out []byte, saying string, mark byte) []byte {
	return append(append(out, "; "...), bytes.ReplaceAll([]byte(saying), []byte{'%'}, []byte{mark})...)
}
