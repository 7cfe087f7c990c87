package outline

import (
	"bytes"
	"slices"
	"strings"
)

// A braceScan walks through a text with braces.
type braceScan struct {
	*scanner
	match  []int32 // of each opening brace in order, where it closes
	next   int     // the next of them
	heads  []Head
	start  int // of the declaration at hand
	cut    int // where its text ends, 0 for where it ends
	paren  int
	depth  int
	bodies []bool // of the containers that are open: whether it holds members of a class
	levels []int  // how much deeper they are
	named  []bool // whether a name follows the closing brace, as in typedef struct { } T;
	after  bool   // such a name is expected
}

// braces lists the heads of a language with braces.
func braces(s *scanner) []Head {
	s.hide()
	b := braceScan{scanner: s, match: matches(s.mask)}
	for i := 0; i < len(s.mask) && len(b.heads) < mostHeads; i++ {
		switch s.mask[i] {
		case '(', '[':
			b.paren++
		case ')', ']':
			b.paren = max(0, b.paren-1)
		case ';':
			if b.paren == 0 {
				b.statement(i)
			}
		case '\n':
			if s.lang.newline && b.paren == 0 && b.endsLine(i) {
				b.statement(i)
			}
		case '{':
			i = b.open(i)
		case '}':
			b.close(i)
		}
	}
	return b.heads
}

// matches finds where braces close, those that do not at the end.
func matches(mask []byte) []int32 {
	var all []int32
	var open []int
	for i, ch := range mask {
		switch ch {
		case '{':
			open = append(open, len(all))
			all = append(all, int32(len(mask)))
		case '}':
			if n := len(open) - 1; n >= 0 {
				all[open[n]] = int32(i)
				open = open[:n]
			}
		}
	}
	return all
}

// closing returns where the brace that is next closes, and passes over those
// inside if they are skipped.
func (b *braceScan) closing() int {
	end := int(b.match[b.next])
	b.next++
	return end
}

// skip passes over a block and returns where it closes.
func (b *braceScan) skip(i, end int) int {
	// Braces in it are as many as are not looked at any more.
	b.next += bytes.Count(b.mask[i+1:min(end, len(b.mask))], []byte("{"))
	return end
}

// open decides what a block is and returns from where to go on.
func (b *braceScan) open(i int) int {
	end := b.closing()
	if b.paren > 0 {
		if b.wraps(i) {
			b.enter(i, false, false, 0)
			return i
		}
		return b.skip(i, end)
	}
	if b.moduleLine(i) || b.inAngles(i) {
		return b.skip(i, end)
	}
	h := b.head(i)
	switch kind := h.kind(true, b.inClass()); kind {
	case isContainer:
		if h.word != "extern" && h.word != "namespace" || h.name != "" {
			b.add(h)
		}
		b.enter(i, h.word != "namespace" && h.word != "module" && h.word != "mod" && h.word != "extern", h.typedef, 1)
		return i
	case isFunction:
		b.add(h)
		i = b.skip(i, end)
		b.begin(i + 1)
		return i
	}
	empty := len(h.text) == 0
	if empty && b.lang == script && len(b.bodies) == 0 {
		b.enter(i, false, false, 0)
		return i
	}
	if b.cut == 0 {
		b.cut = i
	}
	i = b.skip(i, end)
	if empty || b.lineEnds(i+1) {
		if !empty {
			b.statement(i)
		}
		b.begin(i + 1)
	}
	return i
}

// enter goes into a block that holds declarations, so many levels deeper.
func (b *braceScan) enter(i int, class, named bool, levels int) {
	b.bodies = append(b.bodies, class)
	b.named = append(b.named, named)
	b.levels = append(b.levels, levels)
	b.depth += levels
	b.begin(i + 1)
}

// bareIndex returns where the first parenthesis, equals sign, brace or semicolon is that is not between
// the angle brackets of type parameters, as in f<T = string>(, -1 if there is none.
func bareIndex(text string) int {
	depth := 0
	for i := range len(text) {
		if depth == 0 && strings.IndexByte("(={;", text[i]) >= 0 {
			return i
		}
		depth = angles(depth, text[max(0, i-1)], text[i])
	}
	return -1
}

// angles is how many angle brackets are open after a byte.
func angles(depth int, before, ch byte) int {
	switch {
	case ch == '<' && wordByte(before):
		return depth + 1
	case ch == '>' && before != '=':
		return max(0, depth-1)
	}
	return depth
}

// inAngles reports whether a brace is between angle brackets.
func (b *braceScan) inAngles(i int) bool {
	text := b.mask[b.start:i]
	if b.lang != script || len(text) > 4*MaxHead || bytes.IndexByte(text, '<') < 0 {
		return false
	}
	depth := 0
	for i, ch := range text {
		depth = angles(depth, text[max(0, i-1)], ch)
	}
	return depth > 0
}

// wraps reports whether a block is that of a function around a whole script:
// (function () { … })().
func (b *braceScan) wraps(i int) bool {
	if b.lang != script || len(b.bodies) > 0 || b.paren != 1 || i-b.start > MaxHead {
		return false
	}
	text := bytes.TrimLeft(b.mask[b.start:i], " \t\r\n;!")
	return beginsWithAny(text, "(function", "( function", "(() =>", "(async ")
}

// lineEnds reports whether nothing but blanks follows on the line.
func (b *braceScan) lineEnds(i int) bool {
	for ; i < len(b.mask) && i < len(b.src); i++ {
		switch b.mask[i] {
		case ' ', '\t', '\r':
		case '\n':
			return true
		default:
			return false
		}
	}
	return true
}

func (b *braceScan) inClass() bool { return len(b.bodies) > 0 && b.bodies[len(b.bodies)-1] }

func (b *braceScan) begin(i int) { b.start, b.cut, b.paren = i, 0, 0 }

// close ends a container.
func (b *braceScan) close(i int) {
	b.after = false
	if n := len(b.bodies) - 1; n >= 0 {
		b.after = b.named[n]
		b.depth -= b.levels[n]
		b.bodies, b.named, b.levels = b.bodies[:n], b.named[:n], b.levels[:n]
	}
	b.begin(i + 1)
}

// statement ends a declaration without a block.
func (b *braceScan) statement(i int) {
	h := b.head(i)
	if b.module(h.text) {
		b.begin(i + 1)
		return
	}
	if b.after {
		b.after = false
		if name := lastWord(h.text); name != "" {
			b.heads = append(b.heads, Head{Text: "typedef " + h.text, Name: name, Depth: b.depth})
		}
	} else if h.kind(false, b.inClass()) != isNothing {
		b.add(h)
	}
	b.begin(i + 1)
}

func (b *braceScan) add(h head) {
	from := b.start + len(b.text[b.start:]) - len(bytes.TrimLeft(b.text[b.start:], " \t\r\n"))
	b.heads = append(b.heads, Head{Text: h.text, Name: h.name, Depth: b.depth, comment: b.commentBefore(from)})
}

// endsLine reports whether a declaration can end with the line that ends at i.
func (b *braceScan) endsLine(i int) bool {
	line := bytes.TrimRight(b.mask[max(b.start, i-64):i], " \t\r")
	if len(line) == 0 {
		return len(bytes.TrimSpace(b.mask[b.start:min(i, b.start+64)])) == 0
	}
	last := line[len(line)-1]
	if bytes.IndexByte([]byte(",=+-*/|&<:.?("), last) >= 0 || bytes.HasSuffix(line, []byte("=>")) {
		return false
	}
	// What begins the next line may carry it on.
	rest := bytes.TrimLeft(b.mask[i:min(len(b.mask), i+160)], " \t\r\n")
	if len(rest) > 0 && bytes.IndexByte([]byte("{.=?:|&,)<>+-*"), rest[0]) >= 0 {
		return false
	}
	return !beginsWithAny(rest, "extends ", "implements ", "where ", "with ")
}

func beginsWithAny(text []byte, beginnings ...string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return bytes.HasPrefix(text, []byte(b)) })
}

// A head is the text of a declaration, taken apart.
type head struct {
	lang    *language
	text    string
	word    string // that tells what it is: "class"
	name    string
	typedef bool
}

type kind uint8

const (
	isNothing kind = iota
	isContainer
	isFunction
)

// head returns what is before an offset, on one line.
func (b *braceScan) head(end int) head {
	if b.cut > 0 {
		end = b.cut
	}
	// Of what is too long for a head only the beginning counts.
	end = min(end, b.start+8*MaxHead, len(b.src))
	if end < b.start {
		return head{lang: b.lang}
	}
	h := head{lang: b.lang, text: oneLine(b.text[b.start:end])}
	h.text = strings.TrimPrefix(h.text, "<?php ")
	for {
		rest := h.text[annotation(b.lang, h.text):]
		if rest == h.text {
			break
		}
		h.text = rest
	}
	return h
}

// annotation returns the length of an annotation, attribute or template prefix
// that a head begins with.
func annotation(l *language, text string) int {
	n := 0
	switch {
	case strings.HasPrefix(text, "@") && !strings.HasPrefix(text, "@interface"):
		n = 1
		for n < len(text) && (wordByte(text[n]) || text[n] == '.' || text[n] == ':') {
			n++
		}
		if n < len(text) && text[n] == '(' {
			n += enclosed(text[n:], '(', ')')
		}
	case strings.HasPrefix(text, "#["), strings.HasPrefix(text, "#!["):
		i := strings.IndexByte(text, '[')
		n = i + enclosed(text[i:], '[', ']')
	case strings.HasPrefix(text, "[") && (l == csharp || strings.HasPrefix(text, "[[")):
		n = enclosed(text, '[', ']')
	case l == c && strings.HasPrefix(text, "template"):
		if i := strings.IndexByte(text, '<'); i >= 0 && strings.TrimSpace(text[len("template"):i]) == "" {
			n = i + enclosed(text[i:], '<', '>')
		}
	case l == c && (strings.HasPrefix(text, "public:") || strings.HasPrefix(text, "private:") || strings.HasPrefix(text, "protected:")):
		n = strings.IndexByte(text, ':') + 1
	}
	for n > 0 && n < len(text) && text[n] == ' ' {
		n++
	}
	return n
}

// enclosed returns the length of what is in brackets, all without their end.
func enclosed(text string, open, end byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// oneLine joins lines and blanks, and cuts what is too long.
func oneLine(b []byte) string {
	text := strings.Join(strings.Fields(string(b)), " ")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "( ", "("), " )", ")")
	return strings.ToValidUTF8(text, "\uFFFD")
}

var controls = set("if", "for", "while", "switch", "return", "catch", "else", "do", "new", "throw", "await", "yield", "delete", "assert", "lock",
	"sizeof", "case", "using", "foreach", "with", "synchronized", "try", "finally", "match", "loop", "goto", "default", "elseif", "unless", "super", "this")

// kind tells what a head declares, and finds its word and name.
func (h *head) kind(block, inClass bool) kind {
	if h.text == "" {
		return isNothing
	}
	words, to := h.words()
	extern := false
	for i, w := range words {
		switch {
		case w == "typedef":
			h.typedef = true
			if !block {
				h.word, h.name = w, typedefName(h.text)
				h.text = shortened(h.text)
				return isFunction
			}
		case h.lang.functions[w]:
			h.word, h.name = w, nameAfter(h.text, w)
			if w == "delegate" {
				h.name = lastWord(h.text[:to])
			}
			h.text = shortened(h.text)
			if w == "using" && !strings.Contains(h.text, "=") && h.lang == c {
				return isNothing
			}
			return isFunction
		case h.lang.containers[w] && w == "extern":
			extern = true
		case h.lang.containers[w] && !followedByMember(h.text, w) && !(h.lang == script && strings.Contains(h.text, w+"(")):
			if h.lang == c && to < len(h.text) && h.text[to] == '(' && w != "class" {
				return h.bareFunction(block, inClass, to)
			}
			h.word, h.name = w, nameAfter(h.text, w)
			if h.name == "" && w == "object" {
				h.name = "Companion"
			}
			if w == "impl" {
				h.name = implName(h.text)
			}
			h.text = shortened(h.text)
			switch {
			case block:
				return isContainer
			case h.lang == c || h.lang == dart:
				return isNothing // a declaration ahead, or a variable
			}
			return isFunction
		case h.lang.values[w] && i < 4:
			return h.value(w, block, inClass)
		}
	}
	if extern && block && to >= len(h.text) {
		h.word, h.name = "extern", ""
		return isContainer
	}
	if h.lang == script && h.assigned(to) {
		return isFunction
	}
	if h.lang.bare {
		return h.bareFunction(block, inClass, to)
	}
	return isNothing
}

// assigned reports whether a head gives a function to what is before the
// equals sign: exports.f = function (a), handler = (e) =>.
func (h *head) assigned(to int) bool {
	if to+1 >= len(h.text) || h.text[to] != '=' || h.text[to+1] == '=' || h.text[to+1] == '>' {
		return false
	}
	value := strings.TrimPrefix(strings.TrimSpace(h.text[to+1:]), "async ")
	if !strings.HasPrefix(value, "function") && !strings.HasSuffix(value, "=>") {
		return false
	}
	if h.name = lastWord(h.text[:to]); h.name == "" {
		return false
	}
	h.text = shortened(h.text)
	return true
}

// words are those before the first parenthesis or equals sign, which is at to.
func (h *head) words() (words []string, to int) {
	to = strings.IndexAny(h.text, "(={;")
	if h.lang == script {
		if n := bareIndex(h.text); n >= 0 {
			to = n
		}
	}
	if i := strings.Index(h.text, "pub("); h.lang == rust && i >= 0 && i == to-3 { // Rust's pub(crate)
		if n := strings.IndexByte(h.text[to:], ')'); n >= 0 {
			next := strings.IndexAny(h.text[to+n:], "={;(")
			if next < 0 {
				to = len(h.text)
			} else {
				to += n + next
			}
		}
	}
	if to < 0 {
		to = len(h.text)
	}
	words = strings.FieldsFunc(h.text[:to], func(r rune) bool {
		return r < 0x80 && !wordByte(byte(r)) && r != '!' && r != '@' && r != '.' && r != '-'
	})
	return words, to
}

// followedByMember reports whether a word is not one that declares, but the
// name of something: "module.exports", "type: x".
func followedByMember(text, word string) bool {
	i := strings.Index(text, word)
	rest := strings.TrimLeft(text[i+len(word):], " ")
	return rest != "" && strings.IndexByte(".=:,)?", rest[0]) >= 0
}

// value is const f = (a) => { and the like. Of other values the head ends before the value.
func (h *head) value(w string, block, inClass bool) kind {
	h.word, h.name = w, nameAfter(h.text, w)
	before, init, ok := strings.Cut(h.text, " = ")
	if !ok {
		before, init, ok = strings.Cut(h.text, "=")
	}
	init = strings.TrimPrefix(strings.TrimSpace(init), "async ")
	params, _, arrow := strings.Cut(init, "=>")
	switch {
	case arrow && (strings.IndexByte("(<", init[0]) >= 0 || firstWord(params) == strings.TrimSpace(params)):
		h.text = h.text[:len(h.text)-len(init)+len(params)+len("=>")]
	case strings.HasPrefix(init, "function"):
	case block && !(h.lang == script && strings.HasPrefix(init, "class")):
		return isNothing
	case block:
		return isContainer
	case h.lang == kotlin || h.lang == scala || inClass || h.lang == script && !strings.HasPrefix(h.text, "export"):
		return isNothing
	case ok:
		h.text = before
	}
	h.text = shortened(h.text)
	return isFunction
}

// bareFunction is a function that no word announces.
func (h *head) bareFunction(block, inClass bool, to int) kind {
	operator := strings.Contains(h.text[:to], "operator")
	if operator {
		if i := strings.IndexByte(h.text[to:], '('); i >= 0 {
			to += i
		}
	}
	if to >= len(h.text) || h.text[to] != '(' {
		return isNothing
	}
	before := strings.TrimSpace(h.text[:to])
	name := lastWord(before)
	if operator {
		name = "operator"
	}
	fields := strings.Fields(before)
	plain, _, _ := strings.Cut(before, "<")
	switch {
	case name == "" || controls[name] && (h.lang != script || !inClass) || len(fields) > 0 && controls[fields[0]] && h.lang != script && (h.lang != java || fields[0] != "default"):
		return isNothing
	case h.lang == script && (!inClass || strings.Contains(plain, ".")):
		return isNothing
	case !block && h.lang != script && len(fields) < 2 && !strings.Contains(before, "~"):
		return isNothing // a call, or a macro
	case !block && strings.Contains(plain, "."):
		return isNothing
	}
	h.word, h.name = "", name
	// What initialises members is not part of the head.
	h.text = shortened(h.text)
	return isFunction
}

// shortened cuts a head at MaxHead, visibly.
func shortened(text string) string {
	text = strings.TrimRight(text, " =:")
	if len(text) > MaxHead {
		return strings.ToValidUTF8(text[:MaxHead], "") + "…"
	}
	return text
}

// nameAfter is the identifier after a word.
func nameAfter(text, word string) string {
	i := wordIndex(text, word)
	if i < 0 {
		return ""
	}
	rest := strings.TrimLeft(text[i+len(word):], " *&")
	if strings.HasPrefix(rest, "class ") || strings.HasPrefix(rest, "struct ") { // enum class, record struct
		_, rest, _ = strings.Cut(rest, " ")
	}
	if strings.HasPrefix(rest, "<") {
		rest = strings.TrimLeft(rest[enclosed(rest, '<', '>'):], " ")
	}
	n := 0
	for n < len(rest) && (wordByte(rest[n]) || rest[n] == '.' && word != "def" || rest[n] == ':' && n+2 < len(rest) && rest[n+1] == ':') {
		if rest[n] == ':' {
			n++
		}
		n++
	}
	name := rest[:n]
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// wordIndex finds a whole word.
func wordIndex(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return i
		}
		from = end
	}
}

// implName is the type that an impl of Rust is for.
func implName(text string) string {
	if wordIndex(text, "for") >= 0 {
		return nameAfter(text, "for")
	}
	return nameAfter(text, "impl")
}

// typedefName is what a typedef declares.
func typedefName(text string) string {
	if i := strings.Index(text, "(*"); i >= 0 {
		text = text[i+len("(*"):]
		return text[:len(text)-len(strings.TrimLeftFunc(text, func(r rune) bool { return r >= 0x80 || wordByte(byte(r)) }))]
	}
	if i := strings.IndexByte(text, '['); i >= 0 {
		text = text[:i]
	}
	return lastWord(text)
}

// lastWord is the identifier that a text ends with.
func lastWord(text string) string {
	text = strings.TrimRight(text, " ")
	if strings.HasSuffix(text, ">") { // f<T>(
		depth := 0
		for i := len(text) - 1; i > 0; i-- {
			if text[i] == '>' {
				depth++
			} else if text[i] == '<' {
				if depth--; depth == 0 {
					text = strings.TrimRight(text[:i], " ")
					break
				}
			}
		}
	}
	i := len(text)
	for i > 0 && wordByte(text[i-1]) {
		i--
	}
	return text[i:]
}
