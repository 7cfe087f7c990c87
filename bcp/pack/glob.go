package pack

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// maxPattern bounds a pattern, in bytes. No system has a path of that length.
const maxPattern = 4096

// A pattern is what gitignore(5) calls one, by bytes. Matching takes time in
// proportion to the pattern and the text.
type pattern struct {
	prefix string         // literal text in front of the first special character
	rest   *regexp.Regexp // what follows it, nil for nothing
	broken bool           // it can never match: a class without an end, a last backslash
}

// compile reads a pattern. A run of asterisks crosses folders where it stands
// alone between slashes, or directly after literal text, as in git.
func compile(text string) pattern {
	if len(text) > maxPattern {
		return pattern{broken: true}
	}
	n := strings.IndexAny(text, `*?[\`)
	if n < 0 {
		return pattern{prefix: text}
	}
	rest := text[n:]
	expr := []byte(`^(?s:`)
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '*':
			end := i
			for end < len(rest) && rest[end] == '*' {
				end++
			}
			alone := end-i > 1 && (i == 0 || rest[i-1] == '/')
			switch {
			case alone && end == len(rest):
				expr = append(expr, `.*`...)
			case alone && rest[end] == '/':
				expr = append(expr, `(?:.*/)?`...)
				end++
			default:
				expr = append(expr, `[^/]*`...)
			}
			i = end - 1
		case '?':
			expr = append(expr, `[^/]`...)
		case '[':
			set, n := class(rest[i:])
			if n == 0 {
				return pattern{broken: true}
			}
			expr = append(expr, set...)
			i += n - 1
		case '\\':
			if i++; i == len(rest) {
				return pattern{broken: true}
			}
			fallthrough
		default:
			expr = fmt.Appendf(expr, `\x%02x`, rest[i])
		}
	}
	return pattern{prefix: text[:n], rest: regexp.MustCompile(string(append(expr, `)$`...)))}
}

// A byteSet is a class of a regular expression that is being written. None holds a slash.
type byteSet []byte

func (s *byteSet) add(lo, hi byte) {
	if lo <= '/' && '/' <= hi {
		s.add(lo, '/'-1)
		lo = '/' + 1
	}
	if lo <= hi {
		*s = fmt.Appendf(*s, `\x%02x-\x%02x`, lo, hi)
	}
}

// class reads a bracket expression and returns its length, 0 if it has no end
// or names a class that does not exist.
func class(text string) (set byteSet, n int) {
	i := 1
	set = byteSet(`[\x{100}`) // which is not a byte: a class may be empty
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		set = byteSet(`[^/`)
		i++
	}
	last := -1 // the byte that a range may begin with, -1 for none
	for first := true; ; first = false {
		if i >= len(text) {
			return nil, 0
		}
		c := text[i]
		switch {
		case c == ']' && !first:
			return append(set, ']'), i + 1
		case c == '-' && last >= 0 && i+1 < len(text) && text[i+1] != ']':
			i++
			if text[i] == '\\' {
				if i++; i == len(text) {
					return nil, 0
				}
			}
			set.add(byte(last), text[i])
			last = -1
			i++
			continue
		case c == '[' && i+1 < len(text) && text[i+1] == ':':
			end := strings.IndexByte(text[i+2:], ']')
			if end < 0 {
				return nil, 0
			}
			if name, ok := strings.CutSuffix(text[i+2:i+2+end], ":"); ok {
				ranges, ok := posix[name]
				if !ok {
					return nil, 0
				}
				for ; len(ranges) > 0; ranges = ranges[2:] {
					set.add(ranges[0], ranges[1])
				}
				i += end + 3
				last = -1
				continue
			}
		case c == '\\':
			if i++; i == len(text) {
				return nil, 0
			}
			c = text[i]
		}
		set.add(c, c)
		last = int(c)
		i++
	}
}

// posix are the classes of POSIX with their ranges, in ASCII.
var posix = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~", "lower": "az",
	"print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// match reports whether the pattern is the whole text.
func (p *pattern) match(text string) bool {
	rest, ok := strings.CutPrefix(text, p.prefix)
	if !ok || p.broken || p.rest == nil {
		return ok && !p.broken && rest == ""
	}
	if strings.ContainsFunc(rest, func(r rune) bool { return r >= utf8.RuneSelf }) {
		runes := make([]rune, len(rest)) // one for each byte
		for i := range len(rest) {
			runes[i] = rune(rest[i])
		}
		rest = string(runes)
	}
	return p.rest.MatchString(rest)
}

// A rule is a pattern with what a line of .gitignore says about it.
type rule struct {
	pattern
	base    string // the folder that paths are relative to, with a slash at its end; "" for the root
	negated bool
	folders bool // it matches folders only
	names   bool // it matches the last element of a path
}

// newRule reads a pattern without negation.
func newRule(base, text string) rule {
	r := rule{base: base}
	if s, ok := strings.CutSuffix(text, "/"); ok {
		text, r.folders = s, true
	}
	r.names = !strings.Contains(text, "/")
	r.pattern = compile(strings.TrimPrefix(text, "/"))
	return r
}

func (r *rule) matches(name string, folder bool) bool {
	if r.folders && !folder {
		return false
	}
	rest, ok := strings.CutPrefix(name, r.base)
	if !ok {
		return false
	}
	if r.names {
		rest = path.Base(rest)
	}
	return r.match(rest)
}

// covers reports whether the rule matches the file called name, or a folder
// that it is in.
func (r *rule) covers(name string) bool {
	for i := 0; i < len(name); i++ {
		if name[i] == '/' && r.matches(name[:i], true) {
			return true
		}
	}
	return r.matches(name, false)
}

// rules are those of one file, after those of the folders above.
type rules struct {
	above *rules
	list  []rule
}

// with returns the rules with those of one more file.
func (r *rules) with(list []rule) *rules {
	if len(list) == 0 {
		return r
	}
	return &rules{r, list}
}

// ignored reports what the last of the rules that matches says.
func (r *rules) ignored(name string, folder bool) bool {
	for ; r != nil; r = r.above {
		for i := len(r.list) - 1; i >= 0; i-- {
			if r.list[i].matches(name, folder) {
				return !r.list[i].negated
			}
		}
	}
	return false
}

// parseIgnore reads a .gitignore file in the folder base.
func parseIgnore(base, text string) []rule {
	var list []rule
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = trimSpaces(strings.TrimSuffix(line, "\r"))
		if line == "" || line[0] == '#' {
			continue
		}
		line, negated := strings.CutPrefix(line, "!")
		r := newRule(base, line)
		r.negated = negated
		if !r.broken {
			list = append(list, r)
		}
	}
	return list
}

// trimSpaces removes the spaces at the end of a line, unless a backslash
// protects them.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return line[:min(end, len(line))]
}

// globs compiles the patterns of an option.
func globs(option string, texts []string) ([]rule, error) {
	rules := make([]rule, len(texts))
	for i, text := range texts {
		rules[i] = newRule("", text)
		if rules[i].broken || text == "" {
			return nil, failure("invalid_glob", wire.ErrSyntax, "%s %q is no pattern", option, text)
		}
	}
	return rules, nil
}
