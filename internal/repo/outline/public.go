package outline

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Public returns the heads that a file declares for others: in a module of JavaScript or
// TypeScript what it exports, in Python the names of __all__, imported ones too, else those
// without an underscore in front and what is imported as it is called, and everywhere no
// private members. Files that say nothing of that keep all.
func Public(ext string, src []byte, heads []Head) []Head {
	var shown func(Head) bool
	switch languages[ext] {
	case script:
		shown = exported(heads)
	case python:
		shown = inAll(src)
	case c:
		shown = outsideOf(ext, heads)
	}
	heads = without(heads, func(h Head) bool { return isPrivate(h) || h.Depth == 0 && shown != nil && !shown(h) })
	var list []Head
	for i, h := range heads {
		rest, values := heads[i+1:], 0
		for values < len(rest) && rest[values].Value && rest[values].Depth > h.Depth {
			values++
		}
		empty := h.Type && modified(h, "extension") && !strings.Contains(h.Text, ":") // it conforms to nothing
		if empty && (values == len(rest) || rest[values].Depth <= h.Depth) {
			if h.Value = true; values == 0 {
				continue
			}
		}
		list = append(list, h)
	}
	return list
}

// without returns the heads but those that are hidden, with all inside of them.
func without(heads []Head, hidden func(Head) bool) (list []Head) {
	depth := math.MaxInt // of what is hidden
	for _, h := range heads {
		if h.Depth > depth {
			continue
		}
		if depth = h.Depth; !hidden(h) {
			depth = math.MaxInt
			list = append(list, h)
		}
	}
	return list
}

// Offered returns those of the heads that Public lists which are for other files: without
// what says that it is for its module only and without additions to what is declared
// elsewhere, such as extensions.
func Offered(ext string, heads []Head) []Head {
	l := languages[ext]
	word := func(h Head) string { return firstWord(strings.TrimPrefix(h.Text, "pub ")) }
	heads = without(heads, func(h Head) bool {
		return modified(h, "internal") || l == rust && h.Depth == 0 && !strings.HasPrefix(h.Text, "pub") && word(h) != "impl"
	})
	return slices.DeleteFunc(heads, func(h Head) bool {
		return h.Name == "" || h.Value || word(h) == "impl" || l == swift && modified(h, "extension") || aliasOfSame(h)
	})
}

// outsideOf returns a test of what other files of C can call, nil for headers and for files
// that have nothing else.
func outsideOf(ext string, heads []Head) func(Head) bool {
	open := func(h Head) bool { return !strings.HasPrefix(h.Text, "static ") }
	if strings.HasPrefix(ext, ".h") || !slices.ContainsFunc(heads, open) {
		return nil
	}
	return open
}

// modified reports whether a word is before the name of what a head declares.
func modified(h Head, word string) bool {
	before, _, _ := strings.Cut(h.Text, "(")
	if i := strings.LastIndex(before, h.Name); i >= 0 {
		before = before[:i]
	}
	return strings.Contains(before, word) && slices.Contains(strings.Fields(before), word)
}

// aliasOfSame reports whether a head gives a name to what has it elsewhere:
// typealias Lock = java.util.Lock.
func aliasOfSame(h Head) bool {
	return typeAlias[firstWord(h.Text)] && strings.HasSuffix(h.Text, "."+h.Name) || modified(h, "typealias") && strings.HasSuffix(h.Text, "."+h.Name)
}

// isPrivate reports whether a member is not for others by how it is written.
func isPrivate(h Head) bool {
	return h.private || modified(h, "private") || modified(h, "fileprivate") || strings.HasPrefix(h.Text, "#") || h.Depth > 0 && strings.HasPrefix(h.Name, "_") && !strings.HasPrefix(h.Name, "__init__")
}

// exported returns a test of what a module exports, nil if it exports nothing in this way.
func exported(heads []Head) func(Head) bool {
	var names []string
	module := false
	for _, h := range heads {
		module = module || h.Depth == 0 && isExport(h)
		names = append(names, h.Exports...)
	}
	if !module {
		return nil
	}
	return func(h Head) bool { return isExport(h) || h.Name != "" && slices.Contains(names, h.Name) }
}

func isExport(h Head) bool {
	return h.Exports != nil || strings.HasPrefix(h.Text, "export ") || strings.HasPrefix(h.Text, "exports.") || strings.HasPrefix(h.Text, "module.exports")
}

var (
	comment  = regexp.MustCompile(`#[^\n]*`)
	allLists = regexp.MustCompile(`(?m)^__all__\s*(?::[^=\n]*)?\+?=\s*(?:\[(?:[^\]#]|#[^\n]*\n)*\]|\((?:[^)#]|#[^\n]*\n)*\))`)
	inQuotes = regexp.MustCompile(`["']([^"']+)["']`)
)

// inAll returns a test of the names that __all__ lists, or of those without an underscore if there is none.
func inAll(src []byte) func(Head) bool {
	names := make(map[string]bool)
	var lists [][]byte
	if bytes.Contains(src, []byte("__all__")) { // most files have none
		lists = allLists.FindAll(src, -1)
	}
	for _, list := range lists {
		for _, name := range inQuotes.FindAllSubmatch(comment.ReplaceAll(list, nil), -1) {
			names[string(name[1])] = true
		}
	}
	return func(h Head) bool {
		if h.Exports != nil { // from .x import *, a as a, or what is listed
			return strings.HasSuffix(h.Text, " import *") || slices.ContainsFunc(h.Exports, func(name string) bool {
				return names[name] || len(names) == 0 && strings.Contains(h.Text, " "+name+" as "+name)
			})
		}
		return names[h.Name] || len(names) == 0 && !strings.HasPrefix(h.Name, "_")
	}
}

var moduleList = regexp.MustCompile(`^[\s;]*(?:import(?:[ {]|$)|(?:export|export\s+type|module\.exports\s+=)\s*$)`)

// moduleLine reports whether a statement of a script imports, or lists what is exported:
// such a statement holds its braces. Of one that is too long for a head the beginning counts.
func (b *braceScan) moduleLine(i int) bool {
	return b.lang == script && len(b.blocks) == 0 && moduleList.Match(b.mask[b.start:min(i, b.start+8*MaxHead)])
}

// module takes a statement of a script that imports, of which nothing is listed, or that exports
// what is declared elsewhere. It reports false for all others.
func (b *braceScan) module(end int) bool {
	from := b.first()
	if b.lang != script || len(b.blocks) > 0 || from >= end || !beginsWithAny(b.mask[from:end], "import", "export", "module") {
		return false
	}
	h := Head{Text: strings.TrimRight(oneLine(b.text[from:end]), "; "), Depth: b.depth}
	form := moduleForm.FindStringSubmatch(h.Text)
	switch {
	case strings.HasPrefix(h.Text, "import"):
		return form != nil
	case form == nil || strings.HasPrefix(form[0], "module") && strings.Contains(h.Text, "("):
		return false
	case strings.HasSuffix(form[0], "{"):
		h.Exports = listedNames(h.Text)
	default:
		h.Exports = slices.DeleteFunc([]string{form[1] + form[2]}, func(name string) bool { return name == "" })
	}
	h.Text = shortened(h.Text)
	b.heads = append(b.heads, h)
	return true
}

// moduleForm matches what imports, what exports a list of names, or all that another module
// exports, with a name or none, and what exports a name by default.
var moduleForm = regexp.MustCompile(`^(?:import(?: [^(]|\{)|(?:module\.exports = |export ?(?:type )?)\{|export ?(?:type )?\*(?:.*? as ([\w$[:^ascii:]]*))?|export ?(?:type )?default ([\w$[:^ascii:]]*)$)`)

// listedNames are those that a list in braces gives to others: of "a as b" b, of "a: b" a.
func listedNames(text string) []string {
	_, text, _ = strings.Cut(text, "{")
	text, _, _ = strings.Cut(text, "}")
	names := []string{}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "type ")
		if _, as, ok := strings.Cut(part, " as "); ok {
			part = as
		}
		if name := firstWord(part); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// firstWord is the identifier that a text begins with.
func firstWord(text string) string {
	text = strings.TrimLeft(text, " ")
	return text[:len(text)-len(strings.TrimLeftFunc(text, wordRune))]
}
