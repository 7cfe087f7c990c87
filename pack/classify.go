package pack

import (
	"bytes"
	"cmp"
	encoding "encoding/binary"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/wirekit/wirekit/bcp"
)

// A Reason is a code for why something was skipped, such as "too-large"; its String is
// a phrase that says the same.
type Reason string

// The reasons.
const (
	reasonMissing        Reason = "missing"
	reasonUnreadable     Reason = "unreadable"
	reasonChanged        Reason = "changed" // while it was read
	reasonEncoding       Reason = "not-utf-8"
	reasonLink           Reason = "symbolic-link"
	reasonIrregular      Reason = "irregular" // a pipe, a device, a socket
	reasonDeep           Reason = "too-deep"
	reasonVersionControl Reason = "version-control"
	reasonDependencies   Reason = "dependencies" // or build output
	reasonIgnored        Reason = "ignored"
	reasonExcluded       Reason = "excluded"
	reasonSecret         Reason = "secret" // by the name or the content
	reasonLock           Reason = "lock-file"
	reasonMinified       Reason = "minified"
	reasonGenerated      Reason = "generated"
	reasonBinary         Reason = "binary"
	reasonLFS            Reason = "lfs-object" // a pointer of Git LFS to content that is elsewhere
	reasonLarge          Reason = "too-large"
	reasonFull           Reason = "pack-full"
	reasonSubmodule      Reason = "submodule" // that is not checked out
)

// phrases are the reasons whose words are not those of their code.
var phrases = map[Reason]string{
	reasonMissing:      "no such file",
	reasonChanged:      "changed while it was read",
	reasonEncoding:     "not UTF-8",
	reasonIrregular:    "not a regular file",
	reasonDependencies: "dependencies or build output",
	reasonSecret:       "may hold secrets",
	reasonFull:         "pack is full",
	reasonLFS:          "Git LFS object",
	reasonSubmodule:    "submodule, not checked out",
}

// String returns the reason as a phrase.
func (r Reason) String() string {
	return cmp.Or(phrases[r], strings.ReplaceAll(string(r), "-", " "))
}

// folderReason returns why a folder is left out by its name, its siblings and the rules for
// them, "" if it is not.
func (w *walker) folderReason(name string, siblings []fs.DirEntry, found *rules) Reason {
	base := path.Base(name)
	beside := nameKinds()["beside-"+base]
	switch {
	case slices.ContainsFunc(w.exclude, func(r rule) bool { return r.matches(name, true) }):
		return reasonExcluded
	case is("version-control", base):
		return reasonVersionControl
	case is("dependencies", base), len(beside) > 0 && slices.ContainsFunc(siblings, func(d fs.DirEntry) bool { return beside[d.Name()] }):
		return reasonDependencies
	case w.ignored(found, name, true):
		return reasonIgnored
	}
	return ""
}

// isGitData reports whether a folder holds the data of a Git repository, whatever its name is:
// that of a bare one, or of a work tree.
func isGitData(entries []fs.DirEntry) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return d.Name() == name })
	}
	return has("HEAD") && (has("objects") && has("refs") || has("commondir") && has("gitdir"))
}

// inVersionControl reports whether a path leads into the data of a version
// control system.
func inVersionControl(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(element string) bool { return is("version-control", element) })
}

// secretName reports whether files of that path hold keys or passwords, or the path is one.
func secretName(name string) bool {
	if _, secrets := mask("", []byte(name)); secrets != nil {
		return true
	}
	base := strings.ToLower(path.Base(name))
	if rest, ok := strings.CutPrefix(base, ".env."); ok {
		return !is("env-open", rest)
	}
	return isFile("secret", base) || is("secret", path.Join(path.Base(path.Dir(name)), base))
}

// generated reports whether a text says that a program wrote it: in Go by the line before
// the package clause that is agreed upon, elsewhere in the comments that it begins with.
func generated(lang string, text []byte) bool {
	switch lang {
	case "go":
		head, _, _ := bytes.Cut(text, []byte("\npackage "))
		return !bytes.HasPrefix(head, []byte("package ")) && goGenerator.Match(head)
	case "markdown":
		return false
	}
	lines := bytes.SplitN(text, []byte("\n"), mostHeader+1)
	lines = lines[:min(len(lines), mostHeader)]
	if lower := bytes.ToLower(bytes.Join(lines, nil)); !bytes.Contains(lower, []byte("generated")) && !bytes.Contains(lower, []byte("a bison parser")) {
		return false
	}
	ended := true // the comment line before ends a sentence
	for n, line := range lines {
		line = line[:min(len(line), maxLine)]
		comment := commentMark.FindIndex(line)
		if comment == nil {
			ended = true
			continue
		}
		said := bytes.TrimSpace(line[comment[1]:])
		if n < mostMarked && bytes.Contains(said, []byte("@generated")) || ended && generator.Match(said) ||
			bytes.Contains(bytes.ToLower(said), []byte("generated")) && edited.Match(said) {
			return true
		}
		ended = len(said) == 0 || bytes.IndexByte([]byte(".!:*/=-"), said[len(said)-1]) >= 0
	}
	return false
}

// How far into a text lines are marks: those of comments, and of other words.
const (
	mostHeader = 30
	mostMarked = 5
)

var (
	commentMark = regexp.MustCompile(`^\s*(?://[/!]*|/?\*+!?|#+!?|--+\[*|;+|%+|<!--+|\(\*|"""|'''|"|REM |dnl )\s*`)
	// What programs say of what they write, where a comment or a sentence of one begins.
	generator   = regexp.MustCompile(`^(?i:<auto-?generated|@generated|(?:this (?:file|code|class|module|source|header)? ?(?:is|was|has been) |machine |code |file )?(?:auto(?:matically)?[ -]?)?generated (?:by|using|with|from|on|via) |autogenerated (?:by|using|with|from) |a bison parser, made by |a lexical scanner generated by )`)
	goGenerator = regexp.MustCompile(`(?m)^// Code generated (?:.* )?DO NOT EDIT\.\r*$`)
	edited      = regexp.MustCompile(`(?i:do(?: not|n't) (?:hand[- ]?)?(?:edit|modify|change)|not be (?:edited|modified))`)
)

// minified reports whether lines are longer than people write them.
func minified(text []byte) bool {
	lines, longest := 0, 0
	for line := range bytes.Lines(text) {
		lines++
		longest = max(longest, len(line))
	}
	return longest > 5000 || lines > 0 && len(text) > 5000 && len(text)/lines > 500
}

// lfsForm matches what Git LFS writes in the place of an object, with the size of that.
var lfsForm = regexp.MustCompile(`^version https?://[^\s]*/spec/v1\n(?:[a-z0-9.-]+ [^\n]*\n)*oid [a-z0-9]+:[0-9a-f]+\nsize (\d+)\n?$`)

// fromUTF16 returns a text in UTF-8 that begins with the mark of UTF-16, and false for what
// is none.
func fromUTF16(text []byte) ([]byte, bool) {
	if len(text) < 2 || len(text)%2 != 0 {
		return nil, false
	}
	order := encoding.ByteOrder(encoding.LittleEndian)
	if text[0] == 0xFE {
		order = encoding.BigEndian
	}
	if order.Uint16(text) != 0xFEFF {
		return nil, false
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	runes := utf16.Decode(units[1:])
	return []byte(string(runes)), slices.Equal(utf16.Encode(runes), units[1:])
}

// interpreters are the languages of programs in a first line, which may be called by env.
var (
	interpreters = map[string]string{
		"sh": "shell", "bash": "shell", "zsh": "shell", "dash": "shell", "ksh": "shell",
		"python": "python", "pypy": "python", "ruby": "ruby", "node": "javascript", "nodejs": "javascript",
		"deno": "typescript", "bun": "typescript", "ts-node": "typescript", "tsx": "typescript",
	}
	interpreter = regexp.MustCompile(`^#!\s*(?:\S*/)?(?:env[0-9.]*(?:\s+(?:-\S*|\S*=\S*))*(?:\s+|$))?(?:\S*/)?(\S*?)[0-9.]*(?:\s|$)`)
)

// languageOf returns a language by the suffix of the path, else by the first
// line of the text.
func languageOf(name string, text []byte) string {
	if lang := bcp.LangOfPath(name); lang != "" {
		return lang
	}
	line, _, _ := bytes.Cut(text[:min(len(text), 256)], []byte("\n"))
	if bytes.HasPrefix(bytes.ToLower(line), []byte("<!doctype html")) {
		return "html"
	}
	return interpreters[firstGroup(interpreter, string(line))]
}
