package outline

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A braceScan walks through a text with braces.
type braceScan struct {
	*scanner
	heads  []Head
	start  int // of the declaration at hand
	cut    int // where its text ends, 0 for where it ends
	paren  int
	depth  int
	blocks []block // the containers that are open
	named  int     // the head of what is closed, whose name follows its brace; -1 for none
}

type block struct {
	class  bool // it holds members of a class
	hidden bool // what follows in it is private
	head   int  // that opens it, -1 for none
	named  bool // a name follows its closing brace, as in typedef struct { } T;
	levels int  // how much deeper it is
}

// braces lists the heads of a language with braces.
func braces(s *scanner) []Head {
	s.hide()
	b := braceScan{scanner: s, named: -1}
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

// skip passes over a block and returns where it closes.
func (b *braceScan) skip(i int) int { return i + enclosed(b.mask[i:]) - 1 }

// open decides what a block is and returns from where to go on.
func (b *braceScan) open(i int) int {
	switch {
	case b.wraps(i):
		b.enter(i, block{})
		return i
	case b.paren > 0 || b.moduleLine(i) || b.inAngles(i):
		return b.skip(i)
	case b.cut > 0:
		return b.pass(i)
	}
	b.label(i)
	h := b.head(i)
	switch h.kind(true, b.inClass()) {
	case isContainer:
		loose := h.word == "namespace" || h.word == "extern"
		in := block{class: !loose && h.word != "module" && h.word != "mod", named: h.typedef, levels: 1, head: -1}
		in.hidden = b.lang == c && h.word == "class"
		if h.word == "extern" && b.lang == c {
			in.levels = 0
		}
		if h.Name != "" || !loose && (b.lang != c || h.typedef) {
			in.head = len(b.heads)
			h.Type = !loose
			b.add(h)
		}
		b.enter(i, in)
		return i
	case isFunction:
		b.add(h)
	case isNothing:
		switch {
		case !b.inClass() && (b.lang == php || b.lang == script) && conditional.MatchString(h.Text), h.Text == "" && b.lang == script && len(b.blocks) == 0:
			b.enter(i, block{})
			return i
		case h.Text != "":
			b.cut = i
			return b.pass(i)
		}
	}
	i = b.skip(i)
	b.begin(i + 1)
	return i
}

// conditional matches heads of blocks that declare what is for all, as if (!function_exists("f")).
var conditional = regexp.MustCompile(`^(?:if|else|elseif|try)\b`)

// pass passes over a block within a statement, which may end with it.
func (b *braceScan) pass(i int) int {
	i = b.skip(i)
	if rest := bytes.TrimLeft(b.mask[min(i+1, len(b.mask)):], " \t\r"); len(rest) == 0 || rest[0] == '\n' {
		b.statement(i)
	}
	return i
}

// enter goes into a block that holds declarations.
func (b *braceScan) enter(i int, in block) {
	b.blocks = append(b.blocks, in)
	b.depth += in.levels
	b.begin(i + 1)
}

// bareIndex returns where the first of some bytes is that is not between the angle brackets of
// type parameters, as in f<T = string>(, else the length, and how many brackets are open there.
func bareIndex(text, bytes string) (i, open int) {
	for i := range len(text) {
		switch ch, before := text[i], text[max(0, i-1)]; {
		case open == 0 && strings.IndexByte(bytes, ch) >= 0:
			return i, 0
		case ch == '<' && wordByte(before):
			open++
		case ch == '>' && before != '=':
			open = max(0, open-1)
		}
	}
	return len(text), open
}

// inAngles reports whether a brace is between angle brackets.
func (b *braceScan) inAngles(i int) bool {
	text := b.mask[b.start:i]
	if b.lang != script || len(text) > 4*MaxHead || bytes.IndexByte(text, '<') < 0 {
		return false
	}
	_, open := bareIndex(string(text), "")
	return open > 0
}

var wrapping = regexp.MustCompile(`^[\s;!]*\((?: ?function|\(\) =>|async )`)

// wraps reports whether a block is that of a function around a whole script:
// (function () { … })().
func (b *braceScan) wraps(i int) bool {
	return b.lang == script && len(b.blocks) == 0 && b.paren == 1 && i-b.start <= MaxHead && wrapping.Match(b.mask[b.start:i])
}

func (b *braceScan) inClass() bool { return len(b.blocks) > 0 && b.blocks[len(b.blocks)-1].class }

func (b *braceScan) begin(i int) { b.start, b.cut, b.paren = i, 0, 0 }

// close ends a container.
func (b *braceScan) close(i int) {
	if b.lang.newline && b.inClass() {
		b.statement(i)
	}
	b.named = -1
	if n := len(b.blocks) - 1; n >= 0 {
		if b.blocks[n].named {
			b.named = b.blocks[n].head
		}
		b.depth -= b.blocks[n].levels
		b.blocks = b.blocks[:n]
	}
	b.begin(i + 1)
}

// statement ends a declaration without a block.
func (b *braceScan) statement(i int) {
	end := cmp.Or(b.cut, i)
	b.label(i)
	switch h := b.head(end); {
	case b.module(end):
	case b.named >= 0:
		b.nameType(h.Text)
	case h.kind(false, b.inClass()) != isNothing:
		h.Type = h.typedef || h.lang.containers[h.word] || typeAlias[firstWord(h.Text)]
		b.add(h)
	}
	b.begin(i + 1)
}

var typeAlias = set("using", "type", "typealias", "typedef", "delegate")

// nameType gives the type that was closed last the name that follows its brace. One with a name
// of its own has both.
func (b *braceScan) nameType(text string) {
	name := lastWord(text)
	h := &b.heads[b.named]
	b.named = -1
	switch {
	case name == "", name == h.Name: // it has no other
	case h.Name == "":
		h.Text, h.Name = shortened(h.Text+" "+text), name
	default:
		b.heads = append(b.heads, Head{Text: shortened(h.Text + " " + text), Name: name, Depth: b.depth, Type: true})
	}
}

func (b *braceScan) add(h head) {
	h.private = len(b.blocks) > 0 && b.blocks[len(b.blocks)-1].hidden
	h.Text, h.Depth, h.comment = shortened(h.Text), b.depth, b.commentBefore(b.first())
	b.heads = append(b.heads, h.Head)
}

var accessLabel = regexp.MustCompile(`^(?:[A-Z_][A-Z0-9_]*\s*\n\s*)*((?:public|private|protected)(?: slots| Q_SLOTS)?|signals|[A-Z][A-Z0-9_]+) ?:(?:[^:]|$)`)

// label notes whether members of a class of C++ that follow are private, by the label that a
// statement begins with: by a macro, if its name says so.
func (b *braceScan) label(end int) {
	if from := b.first(); b.lang == c && b.inClass() && from < end {
		if label := accessLabel.FindSubmatch(b.mask[from:min(end, from+MaxHead)]); label != nil {
			b.blocks[len(b.blocks)-1].hidden = bytes.Contains(bytes.ToLower(label[1]), []byte("private"))
		}
	}
}

// endsLine reports whether a declaration can end with the line that ends at i.
func (b *braceScan) endsLine(i int) bool {
	line := bytes.TrimRight(b.mask[max(b.start, i-64):i], " \t\r")
	if len(line) == 0 {
		return len(bytes.TrimSpace(b.mask[b.start:min(i, b.start+64)])) == 0
	}
	if bytes.HasSuffix(line, []byte(".*")) { // import a.*
		return true
	}
	last := line[len(line)-1]
	if bytes.IndexByte([]byte(",=+-*/|&<:.("), last) >= 0 || last == '?' && b.lang == script || bytes.HasSuffix(line, []byte("=>")) {
		return false
	}
	// What begins the next line may carry it on.
	rest := bytes.TrimLeft(b.mask[i:min(len(b.mask), i+160)], " \t\r\n")
	if len(rest) > 0 && bytes.IndexByte([]byte("{.=?:|&,)<>+-*"), rest[0]) >= 0 {
		return false
	}
	return !beginsWithAny(rest, "extends ", "implements ", "where ", "with ") && !(b.lang == kotlin && constructor.Match(rest))
}

// constructor matches what a class of Kotlin has between its name and its parameters.
var constructor = regexp.MustCompile(`^(?:(?:internal|private|protected|public|actual) )*constructor ?\(`)

func beginsWithAny(text []byte, beginnings ...string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return bytes.HasPrefix(text, []byte(b)) })
}

// A head is the text of a declaration, taken apart.
type head struct {
	Head
	lang    *language
	word    string // that says what it is: "class"
	typedef bool
	open    bool // by what it is in, a protocol or a public extension
}

type kind uint8

const (
	isNothing kind = iota
	isContainer
	isFunction
)

// first returns where the statement at hand has its first byte of code.
func (b *braceScan) first() int {
	return len(b.mask) - len(bytes.TrimLeft(b.mask[b.start:], " \n"))
}

// head returns what is before an offset, on one line. Of what is too long for a head only
// the beginning counts, and so it is with what is in parentheses or brackets.
func (b *braceScan) head(end int) head {
	from := b.first()
	for n := 1; n > 0 && from < end; from += n {
		if n = annotation(b.lang, b.mask[from:end]); n == 0 && (b.mask[from] == ' ' || b.mask[from] == '\n') {
			n = 1
		}
	}
	var text []byte
	for i, n := from, 0; i < end && len(text) < 8*MaxHead; i += n {
		if n = b.within(i, end); n > 0 {
			continue
		}
		n = 1
		if b.mask[i] == '(' || b.mask[i] == '[' {
			n = enclosed(b.mask[i:end])
		}
		text = append(text, b.text[i:i+min(n, MaxHead)]...)
		if n > MaxHead {
			text = append(text, b.text[i+n-1])
		}
	}
	h := head{Head: Head{Text: oneLine(text)}, lang: b.lang}
	if b.lang == swift {
		h.Text = restricted.ReplaceAllString(h.Text, "")
		around := len(b.blocks) - 1
		h.open = around >= 0 && openTo.MatchString(b.heads[b.blocks[around].head].Text)
	}
	return h
}

var (
	// restricted matches words of Swift that restrict a part of what a property is for.
	restricted = regexp.MustCompile(`\w+\((?:set|unsafe)\) `)
	// openTo matches the heads of what has members that need no word to be public.
	openTo = regexp.MustCompile(`\bprotocol |^public extension `)
)

// within returns the length of an annotation or attribute with arguments in the middle of a
// head, 0 if there is none.
func (b *braceScan) within(i, end int) int {
	text := b.mask[i:end]
	if text[0] != '@' && (b.lang != c || wordByte(b.mask[max(0, i-1)]) || !beginsWithAny(text, "[[", "__", "alignas")) {
		return 0
	}
	n := annotation(b.lang, text)
	if n > 0 && text[n-1] != ')' && text[n-1] != ']' {
		return 0
	}
	return n
}

// annotations match what may be before a declaration, up to the bracket that it opens.
var annotations = regexp.MustCompile(`^(?:@[\w$.:]*\(?|#!?\[|\[\[?|template ?<|(?:__attribute__|__declspec|alignas) ?\(|(?:public|private|protected)(?: slots| Q_SLOTS)? ?:)`)

// macros match what is in capitals alone on its line before a declaration of C, up to its
// arguments, or is a label in a class.
var macros = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{2,}(?:\(|\n| ?:[^:])|^signals ?:[^:]`)

// annotation returns the length of an annotation, attribute or template prefix
// that a head begins with.
func annotation(l *language, text []byte) int {
	mark := string(annotations.Find(text))
	if l == c && mark == "" {
		return macro(text)
	}
	if mark == "[" && l != csharp || mark == "@interface" {
		return 0
	}
	if i := strings.IndexAny(mark, "([<"); i >= 0 {
		return i + enclosed(text[i:])
	}
	return len(mark)
}

// macro returns the length of a macro that is alone on its line at the beginning of a text,
// or a label.
func macro(text []byte) int {
	n := len(macros.Find(text))
	if n == 0 || text[n-1] != '(' {
		return max(0, n-1)
	}
	n += enclosed(text[n-1:]) - 1
	if n < len(text) && text[n] == '\n' {
		return n
	}
	return 0
}

// enclosed returns the length of what is in the brackets that a text begins with, all without
// their end.
func enclosed[T string | []byte](text T) int {
	end := ")]}>"[strings.IndexByte("([{<", text[0])]
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case text[0]:
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

// kind returns what a head declares, and finds its word and name.
func (h *head) kind(block, inClass bool) kind {
	if h.Text == "" {
		return isNothing
	}
	words, to := h.words()
	if len(words) > 0 && (h.lang == php && words[0] == "use" || h.lang == swift && words[0] == "case") {
		return isNothing
	}
	extern := false
	at := 0 // where a word ends
	for i, w := range words {
		at += strings.Index(h.Text[at:], w) + len(w)
		rest := h.Text[at:]
		switch {
		case w == "typedef":
			h.typedef = true
			if !block {
				h.Name = typedefName(h.Text)
				return isFunction
			}
		case h.lang.functions[w] && !strings.HasPrefix(rest, " interface "):
			if h.Name = declared(rest); w == "delegate" || w == "fun" {
				h.Name = lastWord(h.Text[:to])
			} else if w == "func" || w == "operator" {
				h.Name = cmp.Or(h.Name, operatorSigns.FindString(strings.TrimPrefix(rest, " ")))
			} else if w == "init" || w == "subscript" {
				h.Name = w
			} else if w == "using" && !strings.Contains(h.Text, "=") && h.lang == c {
				return isNothing
			}
			return isFunction
		case h.lang.containers[w] && w == "extern":
			extern = true
		case h.lang == swift && w == "class" && slices.ContainsFunc(words[i+1:], func(w string) bool { return h.lang.functions[w] || h.lang.values[w] }):
			// Of the class, not of its instances.
		case h.lang.containers[w] && !namesMember.MatchString(rest):
			if h.lang == c && to < len(h.Text) && h.Text[to] == '(' && w != "class" && w != "namespace" {
				return h.bareFunction(block, inClass, to)
			}
			h.word, h.Name = w, declared(rest)
			if h.Name == "" && w == "object" {
				h.Name = "Companion"
			}
			if _, target, ok := strings.Cut(rest, " for "); ok && w == "impl" {
				h.Name = declared(target)
			}
			switch {
			case block:
				return isContainer
			case h.lang == c || h.lang == dart:
				return isNothing // a declaration ahead, or a variable
			}
			return isFunction
		case h.lang.values[w] && (h.lang == swift || i < 4 && !slices.ContainsFunc(words[i+1:], func(w string) bool { return h.lang.functions[w] })):
			h.Name = declared(rest)
			return h.value(words[:i], block, inClass)
		}
	}
	if extern && block && to >= len(h.Text) {
		h.word, h.Name = "extern", ""
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

var assignment = regexp.MustCompile(`^= *(?:async )?(?:function|[^=>].*=>$)`)

// assigned reports whether a head gives a function to what is before the
// equals sign: exports.f = function (a), handler = (e) =>.
func (h *head) assigned(to int) bool {
	if !assignment.MatchString(h.Text[to:]) {
		return false
	}
	h.Name = lastWord(h.Text[:to])
	if _, named, ok := strings.Cut(h.Text[to:], "function "); ok && h.Name == "exports" {
		h.Name = cmp.Or(firstWord(named), h.Name)
	}
	return h.Name != ""
}

// words are those before the first parenthesis or equals sign, which is at to.
func (h *head) words() (words []string, to int) {
	from := 0
	if h.lang == rust && strings.HasPrefix(h.Text, "pub(") { // pub(crate)
		from = strings.IndexByte(h.Text, ')') + 1
	}
	to = from + strings.IndexAny(h.Text[from:], "(={;")
	if h.lang == script {
		to, _ = bareIndex(h.Text, "(={;")
	}
	if to < from {
		to = len(h.Text)
	}
	words = strings.FieldsFunc(h.Text[:to], func(r rune) bool {
		return r < 0x80 && !wordByte(byte(r)) && r != '!' && r != '@' && r != '.' && r != '-'
	})
	return words, to
}

// namesMember matches what follows a word that does not declare, but is the name of something:
// "module.exports", "type: x", "record(".
var namesMember = regexp.MustCompile(`^ *[.=:,)?(]`)

// value is const f = (a) => { and the like. Of other values the head ends before the value.
// Of Swift it is a property that is for others.
func (h *head) value(modifiers []string, block, inClass bool) kind {
	if h.lang == swift {
		if h.Name == "" || !h.open && !slices.Contains(modifiers, "public") && !slices.Contains(modifiers, "open") {
			return isNothing
		}
		h.Text, _, _ = strings.Cut(h.Text, " = ")
		h.Value = true
		return isFunction
	}
	before, init, ok := strings.Cut(h.Text, " = ")
	if !ok {
		before, init, ok = strings.Cut(h.Text, "=")
	}
	init = strings.TrimPrefix(strings.TrimSpace(init), "async ")
	params, _, arrow := strings.Cut(init, "=>")
	switch {
	case arrow && (strings.IndexByte("(<", init[0]) >= 0 || firstWord(params) == strings.TrimSpace(params)):
		h.Text = h.Text[:len(h.Text)-len(init)+len(params)+len("=>")]
	case strings.HasPrefix(init, "function"):
	case block && !(h.lang == script && strings.HasPrefix(init, "class")):
		return isNothing
	case block:
		return isContainer
	case h.lang == kotlin || h.lang == scala || inClass || h.lang == script && !strings.HasPrefix(h.Text, "export"):
		return isNothing
	case ok:
		h.Text = before
	}
	return isFunction
}

// bareFunction is a function that no word announces.
func (h *head) bareFunction(block, inClass bool, to int) kind {
	at := operatorWord.FindStringIndex(h.Text)
	operator := at != nil && at[0] < to
	if operator {
		from := at[1]
		if strings.HasPrefix(h.Text[from:], "()") {
			from += len("()")
		}
		if i := strings.IndexByte(h.Text[from:], '('); i >= 0 {
			to = from + i
		}
	}
	if to >= len(h.Text) || h.Text[to] != '(' {
		return isNothing
	}
	before := strings.TrimSpace(h.Text[:to])
	name := lastWord(before)
	if operator {
		name = strings.TrimSpace(h.Text[at[0]:to])
		if rest := strings.TrimLeft(name[len("operator"):], " "); rest != "" && !wordByte(rest[0]) {
			name = "operator" + strings.ReplaceAll(rest, " ", "")
		}
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
	h.Name = name
	if h.lang == c { // what initialises members is not part of the head
		end := to + enclosed(h.Text[to:])
		if i := strings.Index(strings.ReplaceAll(h.Text[end:], "::", ";;"), ":"); i >= 0 {
			h.Text = h.Text[:end+i]
		}
	}
	return isFunction
}

var (
	operatorWord  = regexp.MustCompile(`\boperator\b ?`)
	operatorSigns = regexp.MustCompile(`^[^\w\s$(:]+`)
)

// shortened cuts a head at MaxHead, visibly.
func shortened(text string) string {
	return Cut(strings.TrimRight(text, " =:"), MaxHead)
}

// Cut cuts a text after so many bytes, visibly.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

var qualified = regexp.MustCompile(`^(?:[\w$.[:^ascii:]]|::)+`)

// declared is the identifier after a word that declares one.
func declared(rest string) string {
	rest = strings.TrimLeft(rest, " *&`")
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "class "), "struct ") // enum class, record struct
	if strings.HasPrefix(rest, "<") {
		rest = strings.TrimLeft(rest[enclosed(rest):], " ")
	}
	name := qualified.FindString(rest)
	return name[strings.LastIndexAny(name, ".:")+1:]
}

// typedefName is what a typedef declares.
func typedefName(text string) string {
	if _, function, ok := strings.Cut(text, "(*"); ok {
		return firstWord(function)
	}
	text, _, _ = strings.Cut(text, "[")
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
	return text[len(strings.TrimRightFunc(text, wordRune)):]
}
