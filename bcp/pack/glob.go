package pack

import (
	"path"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// maxPattern bounds a pattern, in bytes. No system has a path of that length.
const maxPattern = 4096

// A pattern is what gitignore(5) calls one, by bytes. Matching takes time in
// proportion to the pattern and the text.
type pattern struct {
	prefix string // literal text in front of the first special character
	steps  []step // what follows it
	broken bool   // it can never match: a class without an end, a last backslash
}

// A step is one part of a pattern.
type step struct {
	kind stepKind
	set  [4]uint64 // the bytes that stepSet takes
	skip int       // the steps that stepSkip may leave out
}

type stepKind uint8

const (
	stepSet  stepKind = iota // one byte of a set
	stepStar                 // any run of bytes but /
	stepDeep                 // any run of bytes
	stepSkip                 // nothing; the next steps may be left out
)

func (s *step) add(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		s.set[b>>6] |= 1 << (b & 63)
	}
}

func (s *step) has(b byte) bool { return s.set[b>>6]&(1<<(b&63)) != 0 }

// invert takes every byte that was not taken, but never a slash.
func (s *step) invert() {
	for i := range s.set {
		s.set[i] = ^s.set[i]
	}
}

func literal(b byte) step {
	var s step
	s.add(b, b)
	return s
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
	p := pattern{prefix: text[:n]}
	rest := text[n:]
	for i := 0; i < len(rest); {
		switch c := rest[i]; c {
		case '*':
			end := i
			for end < len(rest) && rest[end] == '*' {
				end++
			}
			alone := end-i > 1 && (i == 0 || rest[i-1] == '/')
			switch {
			case alone && end == len(rest):
				p.steps = append(p.steps, step{kind: stepDeep})
			case alone && rest[end] == '/':
				p.steps = append(p.steps, step{kind: stepSkip, skip: 2}, step{kind: stepDeep}, literal('/'))
				end++
			default:
				p.steps = append(p.steps, step{kind: stepStar})
			}
			i = end
		case '?':
			s := literal('/')
			s.invert()
			p.steps = append(p.steps, s)
			i++
		case '[':
			s, n := class(rest[i:])
			if n == 0 {
				return pattern{broken: true}
			}
			p.steps = append(p.steps, s)
			i += n
		case '\\':
			if i++; i == len(rest) {
				return pattern{broken: true}
			}
			p.steps = append(p.steps, literal(rest[i]))
			i++
		default:
			p.steps = append(p.steps, literal(c))
			i++
		}
	}
	return p
}

// class reads a bracket expression and returns its length, 0 if it has no end
// or names a class that does not exist.
func class(text string) (s step, n int) {
	i := 1
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	last := -1 // the byte that a range may begin with, -1 for none
	for first := true; ; first = false {
		if i >= len(text) {
			return s, 0
		}
		c := text[i]
		switch {
		case c == ']' && !first:
			s.set['/'>>6] &^= 1 << ('/' & 63)
			if negated {
				s.add('/', '/')
				s.invert()
			}
			return s, i + 1
		case c == '-' && last >= 0 && i+1 < len(text) && text[i+1] != ']':
			i++
			if text[i] == '\\' {
				if i++; i == len(text) {
					return s, 0
				}
			}
			s.add(byte(last), text[i])
			last = -1
			i++
			continue
		case c == '[' && i+1 < len(text) && text[i+1] == ':':
			end := strings.IndexByte(text[i+2:], ']')
			if end < 0 {
				return s, 0
			}
			if name, ok := strings.CutSuffix(text[i+2:i+2+end], ":"); ok {
				if !s.named(name) {
					return s, 0
				}
				i += end + 3
				last = -1
				continue
			}
		case c == '\\':
			if i++; i == len(text) {
				return s, 0
			}
			c = text[i]
		}
		s.add(c, c)
		last = int(c)
		i++
	}
}

// named adds a class of POSIX, in ASCII.
func (s *step) named(name string) bool {
	ranges, ok := map[string]string{
		"alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~", "lower": "az",
		"print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
	}[name]
	for ; ok && len(ranges) > 0; ranges = ranges[2:] {
		s.add(ranges[0], ranges[1])
	}
	return ok
}

// match reports whether the pattern is the whole text.
func (p *pattern) match(text string) bool {
	rest, ok := strings.CutPrefix(text, p.prefix)
	if !ok || p.broken {
		return false
	}
	if len(p.steps) == 0 {
		return rest == ""
	}
	// at[i] tells whether steps[i] may come next. Steps that take nothing lead
	// forward only, so one pass follows them all.
	var room [2 * 64]bool
	states := room[:]
	if n := len(p.steps) + 1; 2*n > len(states) {
		states = make([]bool, 2*n)
	}
	at, next := states[:len(states)/2], states[len(states)/2:]
	at[0] = true
	for i := 0; ; i++ {
		for j := range p.steps {
			if !at[j] {
				continue
			}
			switch s := &p.steps[j]; s.kind {
			case stepStar, stepDeep:
				at[j+1] = true
			case stepSkip:
				at[j+1], at[j+1+s.skip] = true, true
			}
		}
		if i == len(rest) {
			return at[len(p.steps)]
		}
		clear(next)
		alive := false
		for j := range p.steps {
			if !at[j] {
				continue
			}
			switch s := &p.steps[j]; {
			case s.kind == stepSet && s.has(rest[i]):
				next[j+1], alive = true, true
			case s.kind == stepDeep, s.kind == stepStar && rest[i] != '/':
				next[j], alive = true, true
			}
		}
		if !alive {
			return false
		}
		at, next = next, at
	}
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
