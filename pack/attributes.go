package pack

import (
	"maps"
	"strconv"
	"strings"
)

// Attributes are what .gitignore files say of the files of a repository, and .gitattributes
// files, as GitHub's linguist reads them: the rules for each attribute.
type attributes map[string]*rules

const (
	markIgnored       = "ignored"
	markGenerated     = "linguist-generated"
	markVendored      = "linguist-vendored"
	markDocumentation = "linguist-documentation"
)

// with returns the attributes with further rules.
func (a attributes) with(lists map[string][]rule) attributes {
	all := make(attributes)
	maps.Copy(all, a)
	for name, list := range lists {
		if len(list) > 0 {
			all[name] = &rules{a[name], list}
		}
	}
	return all
}

// parseAttributes reads a .gitattributes file in the folder base.
func parseAttributes(base, text string) map[string][]rule {
	lists := make(map[string][]rule)
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
		for word := range strings.FieldsSeq(rest) {
			name, value, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
			if name != markGenerated && name != markVendored && name != markDocumentation {
				continue
			}
			if r := newRule(base, pattern); !r.broken {
				r.negated = word[0] == '-' || value == "false"
				r.unsaid = word[0] == '!'
				lists[name] = append(lists[name], r)
			}
		}
	}
	return lists
}

// says reports whether the rules set an attribute of a file or folder or unset it; they may
// do neither.
func (a attributes) says(attribute, name string, folder bool) (set, unset bool) {
	last := a[attribute].last(name, folder)
	said := last != nil && !last.unsaid
	return said && !last.negated, said && last.negated
}

// class returns the class of a file that has another by its name.
func (a attributes) class(name, byName string) string {
	vendored, ownCode := a.says(markVendored, name, false)
	documentation, _ := a.says(markDocumentation, name, false)
	_, written := a.says(markGenerated, name, false)
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
