package pack

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/repo/outline"
)

// namesText says what names mean, by kinds; libraryText has what is taken for no reference,
// by suffixes.
var (
	//go:embed names.txt
	namesText string
	//go:embed library.txt
	libraryText string

	nameKinds = sync.OnceValue(func() map[string]map[string]bool { return wordLists(namesText) })
	libraries = sync.OnceValue(func() map[string]map[string]bool { return wordLists(libraryText) })
)

// wordLists reads lines that have what words are for, a colon, and the words.
func wordLists(text string) map[string]map[string]bool {
	all := make(map[string]map[string]bool)
	for line := range strings.Lines(text) {
		if keys, list, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
			for key := range strings.FieldsSeq(keys) {
				all[key] = make(map[string]bool)
				for word := range strings.FieldsSeq(list) {
					all[key][word] = true
				}
			}
		}
	}
	return all
}

// is reports whether a word is one of a kind.
func is(kind, word string) bool { return nameKinds()[kind][word] }

// isFile reports whether the name of a file is one of a kind, or the end of it after an asterisk.
func isFile(kind, base string) bool {
	for i, b := range []byte(base) {
		if b == '.' && is(kind, "*"+base[i:]) {
			return true
		}
	}
	return is(kind, base)
}

// nameWords are the words of a name in lower case.
func nameWords(name string) (words []string) {
	eachWord([]byte(name), func(word []byte) { words = append(words, string(word)) })
	return words
}

// named reports whether a name is one of a kind, or its first or last word is.
func named(kind, name string) bool {
	if is(kind, strings.ToLower(name)) {
		return true
	}
	words := nameWords(name)
	return len(words) > 0 && (is(kind+"-first", words[0]) || is(kind+"-last", words[len(words)-1]))
}

// folderClass returns the class of what is in a folder by the names of all that it is in, ""
// if they do not say.
func folderClass(name string) string {
	folders := strings.Split(path.Dir(name), "/")
	lower := strings.Split(strings.ToLower(path.Dir(name)), "/")
	in := func(kind string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return named(kind, f) })
	}
	outside := lower // of what holds source
	if i := slices.IndexFunc(lower, func(f string) bool { return is("sources", f) }); i >= 0 {
		outside = lower[:i]
	}
	root := lower[:1]
	if outline.IsC(path.Ext(name)) {
		root = lower
	}
	switch {
	case in("vendored"), slices.ContainsFunc(root, func(f string) bool { return is("vendored-root", f) }):
		return classVendored
	case in("tests"), cucumber(lower), len(lower) > 1 && lower[0] == "src" && lower[1] == "it":
		return classTest
	case in("documentation"):
		return classDocumentation
	case in("examples"):
		return classExample
	case in("output"), migration(folders[len(folders)-1], path.Base(name)),
		slices.ContainsFunc(outside, func(f string) bool { return is("output-outside", f) }):
		return classOutput
	}
	return ""
}

// cucumber reports whether folders hold the steps of features, which have their names from
// Cucumber: deeper ones are features of a program.
func cucumber(folders []string) bool {
	return folders[0] == "features" && (len(folders) == 1 || len(folders) == 2 && slices.Contains([]string{"steps", "step_definitions", "support"}, folders[1]))
}

// migration reports whether a file is a step from one schema of a database to the next.
func migration(folder, base string) bool {
	if !is("migrations", strings.ToLower(folder)) {
		return false
	}
	ext := strings.ToLower(path.Ext(base))
	return ext == ".sql" || '0' <= base[0] && base[0] <= '9' && is("migration-suffixes", ext)
}

// isTestFile reports whether a file is a test by its own name.
func isTestFile(base, ext string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	if ext == ".go" {
		return strings.HasSuffix(stem, "_test")
	}
	words := nameWords(stem)
	return named("file-tests", stem) && !slices.Equal(words, []string{"test"}) ||
		len(words) > 1 && words[len(words)-1] == "spec" && is("file-tests-spec", ext)
}
