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
func parseTemplate(text string) (t template, ok bool) {
	if rest, ok := strings.CutPrefix(text, "="); ok {
		if !strings.HasPrefix(rest, "=") {
			return template{source: rest, copies: true}, bareSource(rest)
		}
		text = rest
	}
	single := func(s string) string { return strings.ReplaceAll(s, "<<", "<") }
	at := alone(text)
	if at < 0 {
		return t, false
	}
	t.prefix = single(text[:at])
	if text, ok = t.parseHole(text[at+1:]); !ok || alone(text) >= 0 {
		return t, false
	}
	t.suffix = single(text)
	return t, true
}

// alone returns the index of the first < that is not one of two, -1 if there is none.
func alone(text string) int {
	for at := 0; ; at += 2 {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return -1
		}
		if at += i; !strings.HasPrefix(text[at:], "<<") {
			return at
		}
	}
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
