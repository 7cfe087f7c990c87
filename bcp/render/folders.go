package render

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/base/bound"
)

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
