package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/base/bound"
)

// maxIndent is the level from which the depth of an entry is a number in front
// of its name. A tree of one deep branch would else be mostly indentation.
const maxIndent = 32

// tree lists the entries, two spaces to a level. Entries below a file, which a payload
// can hold, are not shown, nor are those deeper than any decoder reads. It stops when dst
// gets longer than most.
func (w writer) tree(dst []byte, entries []bcp.FileEntry, depth int) []byte {
	for i := range entries {
		if len(dst) > w.most {
			break
		}
		e := &entries[i]
		if w.plain || depth <= maxIndent {
			dst = append(dst, strings.Repeat("  ", depth)...)
		} else {
			dst = fmt.Appendf(dst, "%*s[%d] ", 2*maxIndent, "", depth)
		}
		dst = append(dst, w.title(e.Name)...)
		if e.Kind != "directory" {
			dst = append(strconv.AppendUint(append(dst, " ("...), e.Size, 10), " bytes)\n"...)
			continue
		}
		dst = append(dst, "/\n"...)
		if depth < bound.MostDepth {
			dst = w.tree(dst, e.Children, depth+1)
		}
	}
	return dst
}

// The reference indents every level. By default the indentation of all trees
// is then bounded by this much, and so much for each entry.
const (
	indentFloor    = 4 << 20
	indentPerEntry = 2 * maxIndent
)

// An indentation adds up what the trees of a payload take in plain mode.
type indentation struct {
	bytes, entries int
}

// add counts the entries of one tree and reports whether they are within the
// bound.
func (n *indentation) add(entries []bcp.FileEntry, depth int) bool {
	for i := range entries {
		n.entries++
		n.bytes += 2 * depth
		if n.bytes > indentFloor+indentPerEntry*n.entries {
			return false
		}
		if e := &entries[i]; e.Kind == "directory" && depth < bound.MostDepth && !n.add(e.Children, depth+1) {
			return false
		}
	}
	return true
}
