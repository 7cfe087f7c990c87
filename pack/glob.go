package pack

import (
	"path"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// maxPattern bounds a pattern, in bytes. No system has a path of that length.
const maxPattern = 4096

// A pattern is what gitignore(5) calls one, by bytes. Matching takes time in
// proportion to the pattern times the text.
type pattern struct {
	text   string
	prefix uint16 // the length of the literal text in front of the first special character
	broken bool   // it can never match: a class without an end, a last backslash
	folded bool   // case does not count, as core.ignoreCase of git has it
}

// compile checks a pattern. It makes nothing of it: a file may have a pattern in every
// other byte.
func compile(text string) pattern {
	if len(text) > maxPattern {
		return pattern{broken: true}
	}
	i := strings.IndexAny(text, `*?[\`)
	if i < 0 {
		i = len(text)
	}
	p := pattern{text: text, prefix: uint16(i)}
	for n := 1; i < len(text); i += n {
		if _, n = element(text[i:], 0, 0); n == 0 {
			return pattern{broken: true}
		}
	}
	return p
}

// fold makes a pattern match whatever the case of ASCII letters is. As in git, those after a
// backslash and those that are alone in brackets match in lower case only. The literal text in
// front is compared as it is, what follows by both cases.
func (p *pattern) fold() {
	p.folded = true
	text := []byte(p.text)
	for i := range p.prefix {
		text[i] = byte(lower(rune(text[i])))
	}
	p.text = string(text)
}

// lower is a letter of ASCII in lower case.
func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

// element reports whether a pattern begins with one that matches a byte, which is upper in
// another case, and the length of what it begins with, 0 if that has no end.
func element(text string, b, upper byte) (matches bool, n int) {
	switch {
	case text[0] == '?':
		return b != '/', 1
	case text[0] == '[':
		return class(text, b, upper)
	case text == `\`:
		return false, 0
	case text[0] == '\\':
		return b == text[1], 2
	}
	return b == text[0] || upper == text[0], 1
}

// class reports whether a byte is in the bracket expression that a text begins with, which
// no slash is, and the length of the expression, 0 if it has no end or names a class that
// does not exist.
func class(text string, b, upper byte) (in bool, n int) {
	i := 1
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	within := func(from, to byte) bool { return from <= b && b <= to || from <= upper && upper <= to }
	closing := 0 // where the next bracket is, if it is further on
	last := -1   // the byte that a range may begin with, -1 for none
	for first := true; i < len(text); first = false {
		c := text[i]
		i++
		switch {
		case c == ']' && !first:
			return in != negated && b != '/', i
		case c == '-' && last >= 0 && i < len(text) && text[i] != ']':
			if text[i] == '\\' {
				if i++; i == len(text) {
					return false, 0
				}
			}
			in = in || within(byte(last), text[i])
			last = -1
			i++
			continue
		case c == '[' && i < len(text) && text[i] == ':':
			if closing <= i {
				end := strings.IndexByte(text[i+1:], ']')
				if end < 0 {
					return false, 0
				}
				closing = i + 1 + end
			}
			if name, ok := strings.CutSuffix(text[i+1:closing], ":"); ok {
				ranges, ok := posix[name]
				if !ok {
					return false, 0
				}
				for ; len(ranges) > 0; ranges = ranges[2:] {
					in = in || within(ranges[0], ranges[1])
				}
				i = closing + 1
				last = -1
				continue
			}
		case c == '\\':
			if i == len(text) {
				return false, 0
			}
			c = text[i]
			i++
		}
		in = in || b == c
		last = int(c)
	}
	return false, 0
}

// posix are the classes of POSIX with their ranges, in ASCII.
var posix = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~", "lower": "az",
	"print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// match reports whether the pattern is the whole text. A run of asterisks crosses folders
// where it is alone between slashes, or directly after literal text, as in git.
//
// Only the last run of each kind is tried again, further on: what follows an earlier one
// already begins as early as it can, within the element of the path where it must be.
func (p *pattern) match(text string) bool {
	if p.folded {
		text = strings.Map(lower, text)
	}
	rest, ok := strings.CutPrefix(text, p.text[:p.prefix])
	if !ok || p.broken {
		return false
	}
	glob := p.text[p.prefix:]
	type state struct{ glob, text int } // how much is matched
	var at state
	crossing, within := state{text: -1}, state{text: -1} // after the last runs, text is -1 for none
	for {
		if at.glob < len(glob) && glob[at.glob] == '*' {
			after := strings.TrimLeft(glob[at.glob:], "*")
			run := len(glob) - len(after) - at.glob
			alone := run > 1 && (at.glob == 0 || glob[at.glob-1] == '/')
			at.glob += run
			switch {
			case alone && after == "":
				return true
			case alone && after[0] == '/':
				at.glob++
				crossing, within = at, state{text: -1}
			default:
				within = at
			}
			continue
		}
		if at.text == len(rest) && at.glob == len(glob) {
			return true
		}
		if at.text < len(rest) && at.glob < len(glob) {
			upper := rest[at.text]
			if p.folded && 'a' <= upper && upper <= 'z' {
				upper -= 'a' - 'A'
			}
			if matches, n := element(glob[at.glob:], rest[at.text], upper); matches {
				at.glob, at.text = at.glob+n, at.text+1
				continue
			}
		}
		if within.text >= 0 && within.text < len(rest) && rest[within.text] != '/' {
			within.text++
			at = within
			continue
		}
		if crossing.text < 0 {
			return false
		}
		folder := strings.IndexByte(rest[crossing.text:], '/')
		if folder < 0 {
			return false
		}
		crossing.text += folder + 1
		at, within = crossing, state{text: -1}
	}
}

// A rule is a pattern with what a line of .gitignore says about it.
type rule struct {
	pattern
	base    string // the folder that paths are relative to, with a slash at its end; "" for the root
	folders bool   // it matches folders only
	names   bool   // it matches the last element of a path
	mark    mark   // what it is about
	set     bool   // it sets the mark
	unset   bool   // it unsets it; with neither it is as if no rule matched
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

// ignores reads rules of a .gitignore file in the folder base.
func (w *walker) ignores(base, text string) (list []rule) {
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = trimSpaces(strings.TrimSuffix(line, "\r"))
		if line == "" || line[0] == '#' {
			continue
		}
		line, negated := strings.CutPrefix(line, "!")
		r := newRule(base, line)
		r.set, r.unset = !negated, negated
		if w.IgnoreCase {
			r.fold()
		}
		if !r.broken {
			list = append(list, r)
		}
	}
	return list
}

// trimSpaces removes the spaces at the end of a line, but for one that a backslash protects.
func trimSpaces(line string) string {
	rest := strings.TrimRight(line, " ")
	backslashes := len(rest) - len(strings.TrimRight(rest, `\`))
	if backslashes%2 == 1 && len(rest) < len(line) {
		rest += " "
	}
	return rest
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
