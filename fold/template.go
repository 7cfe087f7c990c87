package fold

import "strings"

// A template makes a member of another member: a copy, or a text with the
// other's text in it.
type template struct {
	source         string
	prefix, suffix string
	copies         bool // keeps the kind; no prefix and suffix then

	// Of a frame: the members whose names between < and > are their texts in what an
	// object shows, and whether = is the text of the object before.
	inner []string
	again bool
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
	hole := t.source
	for _, name := range t.inner {
		hole += "<" + name + ">"
	}
	if t.again {
		hole += "<" + again + ">"
	}
	text := double(t.prefix) + "<" + hole + ">" + double(t.suffix)
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
		rest, ok := t.parseHole(text)
		if !ok || found {
			return template{}, false
		}
		found = true
		t.prefix = literal.String()
		literal.Reset()
		text = rest
	}
	literal.WriteString(text)
	t.suffix = literal.String()
	return t, found
}

// parseHole reads what is after the < of a hole and returns what is after its >.
func (t *template) parseHole(text string) (rest string, ok bool) {
	end := strings.IndexAny(text, "<>")
	if end < 0 || !bareSource(text[:end]) {
		return "", false
	}
	t.source, text = text[:end], text[end:]
	for text[0] == '<' {
		var name string
		name, text, ok = strings.Cut(text[1:], ">")
		switch {
		case !ok || text == "":
			return "", false
		case name == again && !t.again:
			t.again = true
		case bareSource(name) && len(t.inner) < maxInner:
			t.inner = append(t.inner, name)
		default:
			return "", false
		}
	}
	return text[1:], text[0] == '>'
}
