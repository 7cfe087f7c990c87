package pack

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// codeOutline returns the heads of a program with the first sentences about them, the heads
// alone, and the names of what it declares. By its name alone is a function of C that is declared
// in a header, and in the heads alone what comes after mostHeads bytes.
func codeOutline(f *file, inHeaders map[string]bool) (sentences, heads, names string) {
	mark := " // "
	if f.suffix() == ".py" || f.suffix() == ".pyi" {
		mark = " # "
	}
	var all, short headList
	var words []string
	if about := outline.About(f.suffix(), f.text); about != "" && len(f.heads) > 0 {
		all.line(mark[1:] + about)
	}
	met := make(map[string]bool)
	for _, h := range f.heads {
		if met[h.Name] && strings.HasPrefix(h.Text, "export const ") {
			continue // the value of a type
		}
		for _, name := range append(h.Exports, h.Name) {
			if name != "" && h.Depth < 2 && !met[name] && !h.Value {
				met[name] = true
				words = append(words, name)
			}
		}
		blanks := strings.Repeat(" ", min(h.Depth, 16))
		if h.Depth == 0 && !h.Type && h.Name != "" && inHeaders[h.Name] {
			all.name(blanks, h.Name)
			short.name(blanks, h.Name)
			continue
		}
		line := blanks + h.Text
		if h.Depth > 0 && !h.Type {
			line = blanks + usual.ReplaceAllString(h.Text, "$1")
		}
		switch {
		case h.Value: // with sentences only
		case h.Type, h.Name == "", short.out.Len() < mostHeads:
			short.line(line)
		default:
			short.name(blanks, h.Name)
		}
		if s := h.Sentence(); s != "" {
			line += mark + s
		}
		all.line(line)
	}
	return all.text(), short.text(), strings.Join(words, " ")
}

// mostHeads is from how many bytes on heads list functions by their names.
const mostHeads = 500

// A headList has a declaration a line, but those that are by their names, which share one.
type headList struct {
	out          strings.Builder
	byName       bool
	indent, last string
}

func (l *headList) line(text string) {
	if l.byName {
		l.out.WriteByte('\n')
	}
	l.byName = false
	l.out.WriteString(text + "\n")
}

func (l *headList) name(indent, name string) {
	switch {
	case !l.byName:
		l.out.WriteString(indent + name)
	case l.indent != indent:
		l.out.WriteString("\n" + indent + name)
	case l.last != name: // another form of it is not named again
		l.out.WriteString(" " + name)
	}
	l.byName, l.indent, l.last = true, indent, name
}

func (l *headList) text() string { return strings.TrimSuffix(l.out.String(), "\n") }

// usual matches the words of a member's head that say what most members are.
var usual = regexp.MustCompile(`^(?:(?:public|open|pub) )?((?:(?:static|async|abstract|final|override|virtual|inline|suspend|mutating|const|unsafe) )*)(?:public )?(?:function|fun|func|fn) `)

// How much of data and logs a summary shows.
const (
	firstRows  = 3
	firstLines = 5
	mostShape  = 1500 // bytes
)

// data is the shape of a table, a document or a log: how much there is, and the
// first rows. They are written as Options.Data says, else as JSON.
func (w *walker) data(f file) string {
	switch ext := strings.ToLower(path.Ext(f.Path)); {
	case ext == ".csv" || ext == ".tsv":
		return w.table(f.text, ext == ".tsv")
	case ext == ".json":
		if v, err := wire.ParseJSON(f.text); err == nil {
			return w.shape(v)
		}
	case ext == ".jsonl" || ext == ".ndjson":
		if v, err := (jsonl.Codec{}).Decode(f.text); err == nil {
			return w.shape(v)
		}
	case ext == ".log":
		return logShape(f.text)
	case ext == ".yaml" || ext == ".yml" || ext == ".toml" || ext == ".ini" || ext == ".cfg":
		return keysOf(f.text)
	}
	return ""
}

// table describes the columns and rows of a table.
func (w *walker) table(text []byte, tabs bool) string {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	if tabs {
		r.Comma = '\t'
	}
	head, err := r.Read()
	if err != nil || len(head) == 0 || len(head) > 200 {
		return ""
	}
	var rows []wire.Value
	n := 0
	for record, err := r.Read(); err == nil; record, err = r.Read() {
		if n++; len(rows) < firstRows && len(record) == len(head) {
			members := make([]wire.Member, len(head))
			for i := range head {
				members[i] = wire.Member{Key: head[i], Value: wire.String(record[i])}
			}
			row, err := wire.Object(members...)
			if err != nil {
				return ""
			}
			rows = append(rows, row)
		}
	}
	return w.rows(fmt.Sprintf("%s of %s", count(n, "row"), count(len(head), "column")), wire.Array(rows...))
}

// shape describes what a value is made of.
func (w *walker) shape(v wire.Value) string {
	switch v.Kind() {
	case wire.KindArray:
		var rows []wire.Value
		for i := range min(v.Len(), firstRows) {
			rows = append(rows, v.Index(i))
		}
		return w.rows("an array of "+count(v.Len(), "element"), wire.Array(rows...))
	case wire.KindObject:
		var out strings.Builder
		fmt.Fprintf(&out, "an object of %s:", count(v.Len(), "member"))
		for key, m := range v.Members() {
			out.WriteString(" " + shorten(key))
			switch m.Kind() {
			case wire.KindArray:
				fmt.Fprintf(&out, "[%d]", m.Len())
			case wire.KindObject:
				fmt.Fprintf(&out, "{%d}", m.Len())
			}
			if out.Len() > mostShape {
				out.WriteString(" …")
				break
			}
		}
		return out.String()
	}
	return ""
}

// rows adds the first rows to what is said of them.
func (w *walker) rows(said string, v wire.Value) string {
	if v.Len() == 0 {
		return said
	}
	text := ""
	if w.Data != nil {
		text = w.Data(v)
	}
	if text == "" {
		text = string(wire.AppendJSON(nil, v))
	}
	return said + "; the first:\n" + outline.Cut(text, mostShape)
}

// logShape is the first and last lines of a log, and the first that reports an
// error.
func logShape(text []byte) string {
	lines := slices.Collect(bytes.Lines(text))
	if len(lines) <= 2*firstLines {
		return ""
	}
	shown := func(i int) string { // of a long line that is all that is looked at
		return shorten(strings.TrimRight(string(lines[i][:min(len(lines[i]), 2*maxLine)]), "\r\n"))
	}
	var first, last []string
	for i := range firstLines {
		first, last = append(first, shown(i)), append(last, shown(len(lines)-firstLines+i))
	}
	first = append(first, fmt.Sprintf("… %d lines …", len(lines)-2*firstLines))
	for i := firstLines; i < len(lines); i++ {
		if s := shown(i); logError.MatchString(s) {
			first = append(first, fmt.Sprintf("line %d: %s", i+1, s), "…")
			break
		}
	}
	return strings.ToValidUTF8(strings.Join(append(first, last...), "\n"), "\uFFFD")
}

var logError = regexp.MustCompile(`(?i)error|panic|fatal`)

// settings match the sections and the keys at the top of a configuration.
var settings = regexp.MustCompile(`(?m)^(?:(\[.*)|([^ \t\r\n#;\-}\][:=][^:=\n]*)[:=])`)

// keysOf lists the sections and the keys at the top of a configuration.
func keysOf(text []byte) string {
	var out strings.Builder
	for _, found := range settings.FindAllSubmatch(text, -1) {
		if out.Len() > mostShape {
			out.WriteString("…\n")
			break
		}
		out.WriteString(shorten(strings.TrimSpace(string(found[1])+string(found[2]))) + "\n")
	}
	return strings.ToValidUTF8(strings.TrimSuffix(out.String(), "\n"), "\uFFFD")
}

// headingMarks are what is before headings, by the suffixes of texts that have such marks.
var headingMarks = map[string]*regexp.Regexp{
	".md":       regexp.MustCompile(`^#{1,6}[ \t]`),
	".adoc":     regexp.MustCompile(`^=+ `),
	".asciidoc": regexp.MustCompile(`^=+ `),
}

var (
	fences     = regexp.MustCompile("^(?:`{3,}|~{3,})")
	underlines = regexp.MustCompile("^(?:={3,}|-{3,}|~{3,}|\\^{3,}|\"{3,}|'{3,}|\\*{3,}|\\+{3,}|#{3,}|`{3,}|:{3,}|\\.{3,})$")
)

// headings lists the headings of a text by its suffix: those with a mark before them, but
// for what is in fences of Markdown, or those that are underlined, as in reStructuredText.
func headings(ext string, text []byte) string {
	mark := headingMarks[ext]
	var out []string
	before, fence := "", ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \t\r\n")
		if ext == ".md" {
			line = strings.TrimLeft(line, " \t")
		}
		switch opened := fences.FindString(line); {
		case fence != "":
			if len(opened) == len(line) && strings.HasPrefix(opened, fence) {
				fence = ""
			}
		case ext == ".md" && opened != "":
			fence = opened
		case mark != nil && mark.MatchString(line):
			out = append(out, shorten(line))
		case mark == nil && before != "" && len(before) <= len(line) && underlines.MatchString(line) && !underlines.MatchString(before):
			out = append(out, shorten(before))
		}
		before = line
	}
	return strings.Join(out, "\n")
}

// summaries are what represents a file where a budget has no room for it, the
// longest first, none that is not shorter than the one before.
func (w *walker) summariesOf(f file) []string {
	for i := len(w.summaries) - 1; i >= 0; i-- {
		if w.summaries[i].covers(f.Path) {
			return []string{w.Summaries[i].Text}
		}
	}
	if w.NoSummaries {
		return nil
	}
	var all []string
	size := len(f.text)
	list := w.outlines(f)
	if f.asked {
		list = append([]string{w.question.excerpt(f.text)}, list...)
	}
	for _, text := range list {
		if text != "" && len(text) < size {
			size = len(text)
			all = append(all, text)
		}
	}
	return all
}

// outlines are the summaries of a file by its language.
func (w *walker) outlines(f file) []string {
	ext := strings.ToLower(path.Ext(f.Path))
	switch {
	case f.lang == "go" && f.asked: // its package has no outline
		return []string{strings.TrimSuffix(strings.Join(f.parsed.lines, "")+f.parsed.own, "\n")}
	case f.lang == "go":
		return []string{f.parsed.own}
	case f.lang == "markdown":
		return f.prose(headings(".md", f.text))
	case ext == ".rst" || ext == ".txt" || headingMarks[ext] != nil:
		return f.prose(headings(ext, f.text))
	}
	if text := w.data(f); text != "" {
		return []string{text}
	}
	inHeaders := w.inHeaders
	if is("header", ext) || !outline.IsC(ext) {
		inHeaders = nil
	}
	sentences, heads, names := codeOutline(&f, inHeaders)
	if f.cells != "" {
		titles := cellHeadings(f.text)
		sentences, heads, names = titles+sentences, titles+heads, titles+names
	}
	if f.asked { // before them are passages, as one of three summaries
		return []string{heads, names}
	}
	return []string{sentences, heads, names}
}

// prose are the summaries of a text with these headings: of one of high rank its first
// screen with them, and its first paragraphs.
func (f *file) prose(headings string) []string {
	if f.Priority != bcp.PriorityHigh {
		return []string{headings}
	}
	screen := beginning(f.text, firstScreen)
	return []string{screen + without(headings, screen), beginning(f.text, firstParagraphs)}
}

// suffix is that by which the outline of a file is known, of programs without one that of
// their language.
func (f *file) suffix() string {
	if ext := cmp.Or(f.cells, strings.ToLower(path.Ext(f.Path))); outline.Known(ext) {
		return ext
	}
	return map[string]string{"shell": ".sh", "python": ".py", "ruby": ".rb", "javascript": ".js"}[f.lang]
}
