package render

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/bound"
)

// maxTree bounds the nesting of entries that is shown; decoders bound it
// lower.
const maxTree = bound.MostDepth

// maxIndent is the level from which the depth of an entry is a number in front
// of its name. A tree of one deep branch would else be mostly indentation.
const maxIndent = 32

// appendTree lists the entries, two spaces to a level. Entries below a file,
// which a payload can hold, are not shown. It stops when dst gets longer than
// most.
func appendTree(dst []byte, entries []bcp.FileEntry, depth int, plain bool, most int) []byte {
	for i := range entries {
		if len(dst) > most {
			break
		}
		e := &entries[i]
		dst = appendIndent(dst, depth, plain)
		name := e.Name
		if !plain {
			name = oneLine(name)
		}
		dst = append(dst, name...)
		if e.Kind != "directory" {
			dst = append(dst, " ("...)
			dst = strconv.AppendUint(dst, e.Size, 10)
			dst = append(dst, " bytes)\n"...)
			continue
		}
		dst = append(dst, "/\n"...)
		if depth < maxTree {
			dst = appendTree(dst, e.Children, depth+1, plain, most)
		}
	}
	return dst
}

func appendIndent(dst []byte, depth int, plain bool) []byte {
	shown := depth
	if !plain {
		shown = min(depth, maxIndent)
	}
	dst = append(dst, strings.Repeat("  ", shown)...)
	if shown < depth {
		dst = append(strconv.AppendInt(append(dst, '['), int64(depth), 10), "] "...)
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
		if e := &entries[i]; e.Kind == "directory" && depth < maxTree && !n.add(e.Children, depth+1) {
			return false
		}
	}
	return true
}
