package pack

import (
	"strconv"
	"strings"
)

// attributes are the rules of .gitattributes files that say what a repository holds, as
// GitHub's linguist reads them.
type attributes map[string]*rules

const (
	markGenerated     = "linguist-generated"
	markVendored      = "linguist-vendored"
	markDocumentation = "linguist-documentation"
)

// with returns the attributes with those of a file in the folder base.
func (a attributes) with(base, text string) attributes {
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
	if len(lists) == 0 {
		return a
	}
	all := make(attributes)
	for _, name := range []string{markGenerated, markVendored, markDocumentation} {
		all[name] = a[name].with(lists[name])
	}
	return all
}

// says reports whether the rules set an attribute of a file or unset it; they may do neither.
func (a attributes) says(attribute, name string) (set, unset bool) {
	last := a[attribute].last(name, false)
	said := last != nil && !last.unsaid
	return said && !last.negated, said && last.negated
}

// class returns the class of a file that has another by its name.
func (a attributes) class(name, byName string) string {
	vendored, ownCode := a.says(markVendored, name)
	documentation, _ := a.says(markDocumentation, name)
	_, written := a.says(markGenerated, name)
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
