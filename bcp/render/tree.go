package render

import (
	"cmp"
	"fmt"
	"path"
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

// appendFolders lists entries with one line for each folder that holds files:
// its path, then the names in it, those with the same suffix together.
//
//	bcp/render/ README.md *.go: costs escape fit; *.txt: a b
//
// A suffix that several files have is once, with a colon, and a semicolon
// follows their list. Names with a space or another character that could be
// taken for something else are quoted, and those of files stand for
// themselves. It stops when dst gets longer than most.
func appendFolders(dst []byte, folder string, entries []bcp.FileEntry, depth, most int) []byte {
	if names := listNames(entries); names != "" || len(entries) == 0 && folder != "" {
		dst = append(dst, quoted(cmp.Or(folder, "./"))...)
		dst = append(append(dst, names...), '\n')
	}
	for i := range entries {
		if len(dst) > most {
			break
		}
		if e := &entries[i]; e.Kind == "directory" && depth < bound.MostDepth {
			dst = appendFolders(dst, folder+e.Name+"/", e.Children, depth+1, most)
		}
	}
	return dst
}

// listNames lists the files among entries, each part after a space.
func listNames(entries []bcp.FileEntry) string {
	var alone, order []string
	bySuffix := make(map[string][]string)
	for i := range entries {
		if entries[i].Kind == "directory" {
			continue
		}
		name := entries[i].Name
		ext := path.Ext(name)
		if stem := strings.TrimSuffix(name, ext); stem == "" || ext == "" || ext == "." || quoted(name) != name {
			alone = append(alone, " "+quoted(name))
			continue
		}
		if bySuffix[ext] == nil {
			order = append(order, ext)
		}
		bySuffix[ext] = append(bySuffix[ext], strings.TrimSuffix(name, ext))
	}
	var groups []string
	for _, ext := range order {
		if stems := bySuffix[ext]; len(stems) > 1 {
			groups = append(groups, " *"+ext+": "+strings.Join(stems, " "))
		} else {
			alone = append(alone, " "+stems[0]+ext)
		}
	}
	return strings.Join(alone, "") + strings.Join(groups, ";")
}

// quoted returns a name as it is, or in quotes.
func quoted(name string) string {
	special := func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(`*:;"\`+"`", r) || isLineBreak(r) || isInvisible(r)
	}
	if name == "" || strings.IndexFunc(name, special) >= 0 {
		return strconv.Quote(name)
	}
	return name
}
