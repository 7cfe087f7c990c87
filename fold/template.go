package fold

import "strings"

// A template makes a member of another member: a copy, or a text with the
// other's text in it.
type template struct {
	source         string
	prefix, suffix string
	copies         bool // keeps the kind; no prefix and suffix then
}

// bareSource reports whether a member's name can be between < and >, and
// after =.
func bareSource(name string) bool {
	return name != "" && name[0] != '=' && !strings.ContainsAny(name, "<>")
}

func (t template) String() string {
	if t.copies {
		return "=" + t.source
	}
	double := func(s string) string { return strings.ReplaceAll(s, "<", "<<") }
	text := double(t.prefix) + "<" + t.source + ">" + double(t.suffix)
	if text[0] == '=' {
		return "=" + text
	}
	return text
}

// parseTemplate is the inverse of String.
func parseTemplate(text string) (template, bool) {
	if rest, ok := strings.CutPrefix(text, "="); ok {
		if !strings.HasPrefix(rest, "=") {
			return template{source: rest, copies: true}, bareSource(rest)
		}
		text = rest
	}
	var t template
	var literal strings.Builder
	found := false
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			break
		}
		literal.WriteString(text[:i])
		text = text[i+1:]
		if strings.HasPrefix(text, "<") {
			literal.WriteByte('<')
			text = text[1:]
			continue
		}
		name, rest, ok := strings.Cut(text, ">")
		if !ok || found || !bareSource(name) {
			return template{}, false
		}
		found = true
		t.source, t.prefix = name, literal.String()
		literal.Reset()
		text = rest
	}
	literal.WriteString(text)
	t.suffix = literal.String()
	return t, found
}
