package render

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
)

// Extra is what annotations say of a block beyond its rank.
type extra struct {
	shorter   []string // summaries, the longest first
	worth     int      // 0 if they do not say
	outline   string   // the folder whose code the block outlines
	isOutline bool
	known     bool // to the reader, from an earlier pack
}

// mostShorter is how many summaries a block can have beside its own.
const mostShorter = int(levelSummary - levelLine)

// The labels of tags that mean something here.
const (
	worthTag   = "worth:"
	outlineTag = "outline:"
	sinceTag   = "since:"
)

// annotate reads the annotations with further summaries and tags.
func (r *renderer) annotate(p *bcp.Payload) {
	at := make([]*item, len(p.Blocks))
	for i := range r.items {
		at[r.items[i].index] = &r.items[i]
	}
	for _, b := range p.Blocks {
		a, ok := b.Body.(*bcp.Annotation)
		if !ok || a == nil || a.Kind == "priority" || !utf8.Valid(a.Value) || uint64(a.Target) >= uint64(len(at)) || at[a.Target] == nil {
			continue
		}
		it := at[a.Target]
		if it.extra == nil {
			it.extra = new(extra)
		}
		it.extra.add(a.Kind, string(a.Value))
	}
	r.items = slices.DeleteFunc(r.items, func(it item) bool { return it.extra != nil && it.extra.known })
}

func (e *extra) add(kind string, value string) {
	if kind == "summary" {
		if len(e.shorter) < mostShorter {
			e.shorter = append(e.shorter, value)
		}
		return
	}
	e.known = e.known || strings.HasPrefix(value, sinceTag)
	if folder, ok := strings.CutPrefix(value, outlineTag); ok {
		e.outline, e.isOutline = folder, true
	}
	if n, ok := strings.CutPrefix(value, worthTag); ok {
		if n, err := strconv.Atoi(n); err == nil && n > 0 && n <= mostWorth {
			e.worth = n
		}
	}
}

// isOutline reports whether an item outlines the code of a folder.
func (it *item) isOutline() bool { return it.extra != nil && it.extra.isOutline }

// hasLevel reports whether an item has a summary for a level between
// placeholder and full.
func (it *item) hasLevel(level amount) bool {
	return it.block.Summary != nil &&
		(level == levelSummary || it.extra != nil && int(levelSummary-level) <= len(it.extra.shorter))
}

// summaryAt returns the summary that an item is shown by at a level.
func (r *renderer) summaryAt(it *item, level amount) string {
	if level >= levelSummary {
		return *it.block.Summary
	}
	return it.extra.shorter[levelSummary-level-1]
}

// dropOutlines omits the outlines of folders whose code is all shown in full.
func (r *renderer) dropOutlines() {
	partly := make(map[string]bool) // of every folder with code, whether any of it is not shown in full
	for i := range r.items {
		if code, ok := r.items[i].block.Body.(*bcp.Code); ok {
			folder := path.Dir(code.Path)
			partly[folder] = partly[folder] || r.items[i].level != levelFull
		}
	}
	for i := range r.items {
		if it := &r.items[i]; it.isOutline() {
			if part, seen := partly[it.extra.outline]; seen && !part {
				it.level = levelOmitted
			}
		}
	}
}

// share takes the placeholders away from code, for which one line will be,
// and counts what that costs at most.
func (r *renderer) share(t *costTable) error {
	files, sum := 0, 0
	var core []*item
	for i := range r.items {
		if r.items[i].block.Type() != bcp.BlockCode {
			continue
		}
		core = appendCore(core, &r.items[i])
		r.shared = i
		files++
		sum += r.tokens[i]
		if t.top(i) != levelPlaceholder {
			t.items[i][levelPlaceholder] = absent
		}
	}
	if files == 0 {
		return nil
	}
	// Any number of as many digits costs about as much.
	slices.SortStableFunc(core, func(a, b *item) int {
		return cmp.Compare(len(b.block.Body.(*bcp.Code).Path), len(a.block.Body.(*bcp.Code).Path))
	})
	text := append([]byte(separator), writer{mode: r.o.Mode}.omitted(nil, files, sum, pathsOf(core))...)
	n, err := r.count(text)
	t.shared = n + omittedSlack
	return err
}

// appendCore appends an item whose tag makes it part of the core.
func appendCore(core []*item, it *item) []*item {
	if it.extra != nil && it.extra.worth >= coreWorth {
		return append(core, it)
	}
	return core
}

// mostNamed is how many files of the core are named that are not shown.
const mostNamed = 5

// pathsOf are the paths of the first of the items.
func pathsOf(items []*item) (paths []string) {
	for _, it := range items[:min(len(items), mostNamed)] {
		paths = append(paths, it.block.Body.(*bcp.Code).Path)
	}
	return paths
}

// omittedSlack is how much more than for the largest numbers the line can cost.
const omittedSlack = 4

// refine gives a part the form that the options ask for.
func (r *renderer) refine(p *part, body bcp.Body) {
	code, isCode := body.(*bcp.Code)
	data, _ := body.(*bcp.StructuredData)
	name, attrs := "data", []attr{{"format", ""}}
	if isCode && code.Lang == "json" && code.LineStart == nil {
		data = &bcp.StructuredData{Format: "json", Content: code.Content}
		name, attrs = code.Path, []attr{{"lang", ""}, {"path", code.Path}}
	}
	if data != nil && r.o.Data != nil {
		if c := r.convert(body, data); c.text != "" {
			attrs[0].value = c.format
			p.attrs, p.info, p.line, p.content = attrs, c.format, name+" ["+c.format+"]", []byte(c.text)
			return
		}
	}
	if isCode && r.o.LineNumbers && utf8.Valid(code.Content) {
		first := uint32(1)
		if code.LineStart != nil {
			first = *code.LineStart
		}
		p.content = numbered(p.content, uint64(first))
	}
}

// converted is structured data in another format.
type converted struct{ text, format string }

// convert asks for the other text of the structured data of a body, once.
func (r *renderer) convert(b bcp.Body, d *bcp.StructuredData) converted {
	c, ok := r.data[b]
	if !ok {
		if c.text, c.format = r.o.Data(d); !utf8.ValidString(c.text) {
			c.text = ""
		}
		r.data[b] = c
	}
	return c
}

// numbered puts its number before each line.
func numbered(text []byte, first uint64) []byte {
	lines := uint64(bytes.Count(text, []byte("\n")))
	width := len(strconv.FormatUint(first+lines, 10))
	out := make([]byte, 0, len(text)+int(lines+1)*(width+2))
	for line := range bytes.Lines(text) {
		out = append(fmt.Appendf(out, "%-*d: ", width, first), line...)
		first++
	}
	return out
}
