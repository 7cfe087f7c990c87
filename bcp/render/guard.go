package render

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What protects the structure of a rendering from content. All guards share
// what follows: what ends a line, what a reader does not see, and that the
// case of letters makes no difference.

// isLineBreak reports whether some reader takes r for the end of a line.
func isLineBreak(r rune) bool {
	switch r {
	case '\n', '\v', '\f', '\r', 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isInvisible reports whether r leaves no mark on a line: white space, controls,
// format characters, selectors of variants and fillers.
func isInvisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7F
	}
	return unicode.IsSpace(r) || r == brailleBlank ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// brailleBlank is the Braille pattern without dots.
const brailleBlank = 0x2800

// oneLine keeps a title, path or name on its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if isLineBreak(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// mayBreak are the first bytes of line breaks.
var mayBreak = [256]bool{'\n': true, '\v': true, '\f': true, '\r': true, 0x1C: true, 0x1D: true, 0x1E: true, 0xC2: true, 0xE2: true}

// nextLine returns the length of the first line of s and that of the line break
// after it. CR LF is one.
func nextLine(s []byte) (line, ending int) {
	for i, c := range s {
		if !mayBreak[c] {
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		if !isLineBreak(r) {
			continue
		}
		if r == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			size = 2
		}
		return i, size
	}
	return len(s), 0
}

// visible returns line without what is invisible at both of its ends.
func visible(line []byte) []byte { return bytes.TrimFunc(line, isInvisible) }

// skeletonLength is how much of a line is compared with forms of markup, the
// longest of which is far shorter.
const skeletonLength = 64

// skeleton returns what is visible of a line's beginning, in lower case.
func skeleton(dst, line []byte) []byte {
	for i := 0; i < len(line) && len(dst) < skeletonLength; {
		r, size := utf8.DecodeRune(line[i:])
		i += size
		if !isInvisible(r) {
			dst = utf8.AppendRune(dst, unicode.ToLower(unicode.ToUpper(r)))
		}
	}
	return dst
}

// firstOfForms are the bytes that the markup of a mode, or what can hide it,
// begins with. Bytes of other alphabets are looked at, too.
func firstOfForms(chars string) (set [256]bool) {
	for c := range set {
		set[c] = c <= ' ' || c >= 0x7F
	}
	for _, c := range []byte(chars) {
		set[c] = true
	}
	return set
}

var (
	markdownFirst = firstOfForms("#`~<[*_>-+=0123456789")
	minimalFirst  = firstOfForms("-[")
)

// longestFence returns the longest run of backticks that begins a line of s,
// whatever white space is before it.
func longestFence(s []byte) int {
	longest := 0
	if !bytes.Contains(s, []byte("```")) {
		return 0
	}
	for len(s) > 0 {
		n, ending := nextLine(s)
		line := bytes.TrimLeftFunc(s[:n], isInvisible)
		longest = max(longest, len(line)-len(bytes.TrimLeft(line, "`")))
		s = s[n+ending:]
	}
	return longest
}

// forgesMarkdown reports whether a line of s could pass for the pack's own
// markup, or begin a fence or raw HTML that swallows the blocks after it. s
// may come after text on its first line.
func forgesMarkdown(s []byte) bool {
	var buf [2 * skeletonLength]byte
	underlined := true // the line before is text, so that it can be underlined
	joined := false    // to the line before, by what only some readers take for a break
	for first := true; len(s) > 0; first = false {
		n, ending := nextLine(s)
		line, end := s[:n], s[n:n+ending]
		s = s[n+ending:]
		if n == 0 || markdownFirst[line[0]] {
			shown := visible(line)
			if underlined && isUnderline(shown) || markdownForm(skeleton(buf[:0], shown)) {
				return true
			}
		}
		// White space is what CommonMark takes for it, and no other.
		underlined = first || joined || len(bytes.Trim(line, " \t")) > 0
		joined = ending > 0 && end[ending-1] != '\n'
	}
	return false
}

// isUnderline reports whether a line makes a heading of the one above.
func isUnderline(line []byte) bool {
	line = bytes.TrimLeftFunc(line, func(r rune) bool { return r == '>' || isInvisible(r) })
	if len(line) == 0 || line[0] != '-' && line[0] != '=' {
		return false
	}
	first := rune(line[0])
	return bytes.IndexFunc(line, func(r rune) bool { return r != first && !isInvisible(r) }) < 0
}

var (
	rolesOfTurns = [][]byte{[]byte("system"), []byte("user"), []byte("assistant"), []byte("tool")}
	// "## ##" is a heading of the second level, too.
	markdownForms = [][]byte{[]byte("##"), []byte("```"), []byte("~~~"), []byte("[omitted:"), []byte("[embeddingref:")}
)

// markdownForm reports whether the skeleton of a line is that of markup.
// Quotes, items of lists and emphasis can be before it.
func markdownForm(line []byte) bool {
	rest := bytes.TrimLeft(line, ">-+*_0123456789.)")
	stressed := bytes.ContainsAny(line[:len(line)-len(rest)], "*_")
	switch {
	case len(rest) == 0:
		return false
	case rest[0] == '<':
		return len(rest) > 1 && (rest[1] == '/' || rest[1] == '!' || rest[1] == '?' || rest[1] >= 'a' && rest[1] <= 'z')
	}
	return hasPrefix(rest, markdownForms) || stressed && mayNameRole(rest)
}

// mayNameRole reports whether what a line stresses may read as the role of a
// turn: its letters, whatever emphasis and links are between them, or what an
// entity or raw HTML hides.
func mayNameRole(line []byte) bool {
	if bytes.ContainsAny(line, "&<") {
		return true
	}
	for _, role := range rolesOfTurns {
		rest, named := line, role
		for len(named) > 0 && len(rest) > 0 && (rest[0] == named[0] || !isLetter(rune(rest[0]))) {
			if rest[0] == named[0] {
				named = named[1:]
			}
			rest = rest[1:]
		}
		if len(named) == 0 && (len(rest) == 0 || !isLetter(rune(rest[0]))) {
			return true
		}
	}
	return false
}

// isLetter reports whether r is one of the letters that roles are made of, or a
// byte of one beyond ASCII.
func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= utf8.RuneSelf }

func hasPrefix(s []byte, list [][]byte) bool {
	return slices.ContainsFunc(list, func(p []byte) bool { return bytes.HasPrefix(s, p) })
}

var minimalForms = [][]byte{
	[]byte("[system]"), []byte("[user]"), []byte("[assistant]"), []byte("[tool]"), []byte("[omitted:"), []byte("[embed-ref:"),
}

// minimalDashes are around the line of a block's header.
var minimalDashes = []byte("---")

// forgesMinimal reports whether a line could pass for the markup of minimal
// mode.
func forgesMinimal(line []byte) bool {
	line = visible(line)
	if bytes.HasPrefix(line, minimalDashes) && bytes.HasSuffix(line, minimalDashes) && len(line) > len(minimalDashes) {
		return true
	}
	var buf [2 * skeletonLength]byte
	return len(line) > 0 && line[0] == '[' && hasPrefix(skeleton(buf[:0], line), minimalForms)
}
