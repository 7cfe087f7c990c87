package toon

import (
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// value parses the token s[i:end], which has no spaces around it.
func (p *parser) value(i, end int) (wire.Value, bool) {
	if !p.spend(1, i) {
		return wire.Value{}, false
	}
	switch c := p.s[i]; {
	case c == '"':
		text, ok := p.keyToken(i, end)
		return wire.String(text), ok
	case c-'0' <= 9 || c == '-':
		if v, next := builder.Decimal(p.s, i); next == end {
			return v, true
		}
	}
	return plainValue(p.s[i:end]), true
}

// plainValue returns what an unquoted token means (section 4).
func plainValue(s string) wire.Value {
	if s != "" && (s[0]-'0' <= 9 || s[0] == '-') && scan.Number(s) == len(s) {
		v, _ := wire.Number(s)
		return v
	}
	switch s {
	case "true":
		return wire.Bool(true)
	case "false":
		return wire.Bool(false)
	case "null":
		return wire.Null()
	}
	return wire.String(s)
}

// keyToken parses the key s[i:end], or another string in quotation marks, with spaces after it
// or without.
func (p *parser) keyToken(i, end int) (string, bool) {
	for end > i && p.s[end-1] == ' ' {
		end--
	}
	if i == end || p.s[i] != '"' {
		return p.s[i:end], true
	}
	key, next := p.quoted(i, end)
	if next >= 0 && next < end {
		next = p.afterQuote(next, end)
	}
	return key, next >= 0
}

func (p *parser) afterQuote(i, end int) int {
	return p.failAt(i, "after_quote", wire.ErrSyntax, "a quoted string goes on with "+p.found(i, end)+" after its closing quote",
		`a quote within a string is written \"`)
}

// quoted parses the quoted string that begins at i, in a line or token that ends
// at end or before, and returns where it ends.
func (p *parser) quoted(start, end int) (string, int) {
	i := scan.StringEnd(p.s, start+1)
	for i < end && p.s[i] < ' ' && p.s[i] != '\n' {
		i = scan.StringEnd(p.s, i+1) // a control character stands for itself
	}
	if i < end && p.s[i] == '"' {
		return p.s[start+1 : i], i + 1
	}
	text, i := p.Unescape(&stringEscapes, p.s[:end], start+1, min(i, end))
	switch {
	case i == end || p.s[i] == '\n':
		return "", p.unterminated(start, end)
	case p.s[i] == '\\' && i+1 == end:
		return "", p.unterminated(i, end)
	case p.s[i] == '\\':
		return "", p.badEscape(i, end)
	}
	return text, i + 1
}

// stringEscapes are those of section 7.1; control characters are read as they are.
var stringEscapes = func() scan.Escapes {
	e := scan.FewEscapes
	e.Controls = true
	return e
}()

func (p *parser) unterminated(i, end int) int {
	return p.failAt(i, wire.CodeUnterminated, p.cutOff(end), "the line ends inside the string that begins here",
		`a line end within a string is written \n`)
}

// cutOff returns the kind of an error about something that the end of a token or
// line at end cuts short: ErrTruncated if the text ends there.
func (p *parser) cutOff(end int) error {
	if end == p.end {
		return wire.ErrTruncated
	}
	return wire.ErrSyntax
}

// badEscape fails because of a backslash at i.
func (p *parser) badEscape(i, end int) int {
	message := "an escape for half of a surrogate pair; characters beyond U+FFFF stand for themselves"
	if p.s[i+1] != 'u' {
		message = "no escape begins with a backslash and " + strings.TrimSpace(p.found(i+1, end))
	} else if _, ok := scan.Hex4(p.s[i+2 : end]); !ok {
		message = `\u needs four hexadecimal digits`
	}
	return p.failAt(i, wire.CodeInvalidEscape, wire.ErrSyntax, message, `the escapes are \\ \" \n \r \t and \uXXXX`)
}
