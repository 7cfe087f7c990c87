package outline

import (
	"bytes"
	"regexp"
	"strings"
)

const (
	mostComment  = 4000 // bytes of a comment that are looked at
	mostSentence = 200
)

// Sentence is the first sentence of what is said about a declaration: in Python its docstring,
// elsewhere the comment before it that begins with /** or ///. It is "" if there is none.
func (h Head) Sentence() string { return sentence(h.comment) }

// About is the first sentence about a whole file, in Python that of its docstring.
func About(ext string, src []byte) string {
	if languages[ext] != python {
		return ""
	}
	return sentence(docstring(src[len(comments.Find(src)):]))
}

// comments match lines of comments that a text begins with, and empty ones.
var comments = regexp.MustCompile(`^(?:\s*#[^\n]*\n)*\s*`)

// commentBefore returns the comment that ends right before an offset of the mask, for
// programs that read such comments.
func (s *scanner) commentBefore(at int) []byte {
	if g := s.before(at); g.at == at {
		if found := docComment.FindSubmatch(s.src[g.from:g.to]); found != nil {
			return found[1][:min(len(found[1]), mostComment)]
		}
	}
	return nil
}

// docComment matches a comment of those kinds that a text ends with, on its last line or the one
// before it.
var docComment = regexp.MustCompile(`(/\*\*[^*]*\*+(?:[^*/][^*]*\*+)*/|(?:///[^\n]*\n[ \t]*)*///[^\n]*)[ \t\r]*\n?[ \t\r]*$`)

// docstring returns a string of Python that a text begins with, from its quotes on.
func docstring(text []byte) []byte {
	text = bytes.TrimLeft(text[:min(len(text), mostComment)], " \t\r\n\frRuU")
	for _, quotes := range []string{`"""`, `'''`, `"`, `'`} {
		if rest, ok := bytes.CutPrefix(text, []byte(quotes)); ok {
			text, _, _ = bytes.Cut(rest, []byte(quotes))
			return text
		}
	}
	return nil
}

var (
	inlineTag = regexp.MustCompile(`\{@\w+\s+([^}]*)\}`)      // {@link Name}
	htmlTag   = regexp.MustCompile(`</?[a-zA-Z][^<>]{0,80}>`) // <p>
	sentences = regexp.MustCompile(`[.!?](\s+[^a-z]|$)`)      // where one ends
)

// sentence takes the marks off a comment and cuts it after its first sentence, or where its
// first paragraph ends.
func sentence(comment []byte) string {
	var words []string
	for line := range bytes.Lines(comment) {
		text := strings.TrimSpace(strings.TrimRight(string(line), " \t\r\n*/"))
		text = strings.TrimSpace(strings.TrimLeft(text, "/*"))
		if strings.HasPrefix(text, "@") || strings.HasPrefix(text, ":param") || strings.HasPrefix(text, "```") || text == "" && len(words) > 0 {
			break
		}
		words = append(words, strings.Fields(text)...)
	}
	text := htmlTag.ReplaceAllString(inlineTag.ReplaceAllString(strings.ToValidUTF8(strings.Join(words, " "), ""), "$1"), "")
	for from := 0; ; {
		at := sentences.FindStringIndex(text[from:])
		if at == nil {
			break
		}
		if from += at[0] + 1; !strings.HasSuffix(text[:from], "e.g.") && !strings.HasSuffix(text[:from], "i.e.") {
			text = text[:from]
			break
		}
	}
	return Cut(strings.TrimSpace(text), mostSentence)
}
