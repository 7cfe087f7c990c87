package pack

import (
	"strconv"
	"strings"
)

// A mark is what .gitignore files say of the files of a repository, or .gitattributes files,
// as GitHub's linguist reads them.
type mark uint8

const (
	markIgnored mark = iota
	markGenerated
	markVendored
	markDocumentation
)

var marks = map[string]mark{"linguist-generated": markGenerated, "linguist-vendored": markVendored, "linguist-documentation": markDocumentation}

// rules are those of the files of one folder, after those of the folders above.
type rules struct {
	above *rules
	list  []rule
}

// parseAttributes reads a .gitattributes file in the folder base.
func parseAttributes(base, text string) (list []rule) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		pattern, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		if quoted, err := strconv.QuotedPrefix(line); err == nil && line[0] == '"' {
			rest = line[len(quoted):]
			pattern, _ = strconv.Unquote(quoted)
		}
		if pattern == "" || pattern[0] == '#' || pattern[0] == '!' {
			continue
		}
		r := newRule(base, pattern)
		for word := range strings.FieldsSeq(rest) {
			name, value, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
			off := word[0] == '-' || value == "false"
			r.set, r.unset = word[0] != '!' && !off, word[0] != '!' && off
			if r.mark = marks[name]; r.mark != markIgnored && !r.broken {
				list = append(list, r)
			}
		}
	}
	return list
}

// says reports whether the rules set a mark of a file or folder or unset it; they may do
// neither.
func (r *rules) says(mark mark, name string, folder bool) (set, unset bool) {
	for ; r != nil; r = r.above {
		for i := len(r.list) - 1; i >= 0; i-- {
			if last := &r.list[i]; last.mark == mark && last.matches(name, folder) {
				return last.set, last.unset
			}
		}
	}
	return false, false
}

// class returns the class of a file that has another by its name.
func (r *rules) class(name, byName string) string {
	vendored, ownCode := r.says(markVendored, name, false)
	documentation, _ := r.says(markDocumentation, name, false)
	_, written := r.says(markGenerated, name, false)
	switch {
	case vendored:
		return classVendored
	case documentation:
		return classDocumentation
	case byName == classVendored && ownCode, byName == classOutput && written:
		return classSource
	}
	return byName
}
