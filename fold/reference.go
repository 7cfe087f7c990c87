package fold

import (
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A notation is how references look: the sigil, then the name, then a number.
type notation struct {
	sigil string // one ASCII character, or the same one twice
	name  string // lower-case letters
}

func (n notation) reference(number int) string {
	return n.sigil + n.name + strconv.Itoa(number)
}

// anywhere reports whether references are anywhere in strings, not only where one
// begins: their sigil is a character twice. Nothing is escaped then.
func (n notation) anywhere() bool { return len(n.sigil) == 2 }

// find returns where the first of such references is in s, -1 if there is none, its
// number and what follows it.
func (n notation) find(s string) (at, number int, rest string) {
	mark := n.sigil + n.name
	for at = 0; ; at++ {
		next := strings.Index(s[at:], mark)
		if next < 0 {
			return -1, 0, ""
		}
		at += next
		if end := at + len(mark); end < len(s) && scan.IsDigit(s[end]) {
			number, rest = cutNumber(s[end:])
			return at, number, rest
		}
	}
}

// looksLike reports whether s begins with one or more sigils, the name and a
// digit: it is written with one sigil more as text.
func (n notation) looksLike(s string) bool {
	rest, named := strings.CutPrefix(strings.TrimLeft(s, n.sigil), n.name)
	return strings.HasPrefix(s, n.sigil) && named && rest != "" && scan.IsDigit(rest[0])
}

// joined returns the string that means an entry and a rest.
func (n notation) joined(number int, rest string) string {
	ref := n.reference(number)
	if rest != "" && (scan.IsDigit(rest[0]) || rest[0] == '~') {
		return ref + "~" + rest
	}
	return ref + rest
}

// parse takes a string apart. ok is false for a string that means itself
// as it is; number is 0 for an escaped one, whose text is then rest.
func (n notation) parse(s string) (number int, rest string, ok bool) {
	if !n.looksLike(s) {
		return 0, s, false
	}
	if s[1] == n.sigil[0] {
		return 0, s[1:], true
	}
	number, rest = cutNumber(s[1+len(n.name):])
	return number, rest, true
}

// cutNumber cuts the digits that s begins with off, and the tilde that may part
// them from the rest. A number that no legend can have is -1.
func cutNumber(s string) (int, string) {
	end, number := scan.Digits(s, 0), -1
	if end <= len(strconv.Itoa(maxEntries)) && s[0] != '0' {
		number, _ = strconv.Atoi(s[:end])
	}
	return number, strings.TrimPrefix(s[end:], "~")
}

// maxEntries is the most entries that a legend can have.
const maxEntries = 99_999

// A Legend is the list of texts that the references of one folded value mean.
// It is immutable and safe for concurrent use. The zero Legend is empty.
type Legend struct {
	notation notation
	texts    []string
}

// ExpandText replaces every reference in running text, such as a model's
// answer, by the text of its entry. What refers to no entry stays as it is. A
// reference ends a word or is followed by its rest: "$3/issues/12" becomes
// entry 3 followed by "/issues/12". Escaped references lose a sigil.
func (l Legend) ExpandText(text string) string {
	if len(l.texts) == 0 {
		return text
	}
	var out strings.Builder
	if l.notation.anywhere() {
		for {
			at, number, rest := l.notation.find(text)
			switch {
			case at < 0:
				return out.String() + text
			case number < 1 || number > len(l.texts):
				rest = text[at+1:]
				out.WriteString(text[:at+1])
			default:
				out.WriteString(text[:at] + l.texts[number-1])
			}
			text = rest
		}
	}
	for {
		i := strings.Index(text, l.notation.sigil)
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		// A sigil inside of a word is none: US$7, a_7.
		inside := i > 0 && isWord(text[i-1])
		text = text[i:]
		run := len(text) - len(strings.TrimLeft(text, l.notation.sigil))
		shown, rest := text[:run], text[run:]
		switch {
		case inside || !l.notation.looksLike(text):
		case run > 1:
			shown = text[1:run]
		default:
			if number, after := cutNumber(text[1+len(l.notation.name):]); number >= 1 && number <= len(l.texts) {
				shown, rest = l.texts[number-1], after
			}
		}
		out.WriteString(shown)
		text = rest
	}
	out.WriteString(text)
	return out.String()
}

func isWord(c byte) bool {
	return scan.IsDigit(c) || scan.IsLetter(c) || c == '_'
}

// Expand resolves the references in the strings of v, such as the arguments
// that a model gives to a tool. Every string is read as a string of data is; a
// reference to an entry that the legend does not have is an error with its
// path. Unlike [Unfold] it does not take a wrapper.
func (l Legend) Expand(v wire.Value) (wire.Value, error) {
	var texts []wire.Value
	for _, text := range l.texts {
		texts = append(texts, wire.String(text))
	}
	u := unfolder{legend: l, budget: budgetOf(wire.Limits{}, append(texts, v)...)}
	return u.value(v, nil, 0)
}
