package gcx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// Meta is one key and value of a header, after its tool and its fields.
type Meta struct{ Key, Value string }

// A Header is the line that begins a section.
type Header struct {
	Tool   string   // the MCP tool, or a section of its result: "get_callers.edges"
	Fields []string // the columns, in order; at least one, all different
	Meta   []Meta   // further pairs; the encoder writes them sorted by key

	// nameDots is how many of Tool's first dots belong to its name. They are
	// written as \., for the first dot without a backslash separates the key of a
	// list.
	nameDots int
}

// Get returns the meta value of a key and whether there is one.
func (h *Header) Get(key string) (string, bool) {
	if i := slices.IndexFunc(h.Meta, func(m Meta) bool { return m.Key == key }); i >= 0 {
		return h.Meta[i].Value, true
	}
	return "", false
}

// Keys of headers that this package interprets itself.
const (
	metaTool     = "tool"
	metaFields   = "fields"
	metaRows     = "rows"     // number of rows, or anyRows
	metaTypes    = "types"    // see types.go
	metaSections = "sections" // number of sections of the payload
)

// anyRows is the value of rows= in a table whose writer did not know how long
// it gets.
const anyRows = "*"

func reserved(key string) bool {
	switch key {
	case metaTool, metaFields, metaRows, metaTypes, metaSections:
		return true
	}
	return false
}

const (
	tagName = "GCX"
	tag     = tagName + "1"
)

// written returns the header as it is written: without carriage returns, which
// the document strips, unless they are to be refused.
func (c Codec) written(h Header) Header {
	if c.Interop || !h.hasCR() {
		return h
	}
	h.Tool = stripCR(h.Tool)
	h.Fields = slices.Clone(h.Fields)
	for i, f := range h.Fields {
		h.Fields[i] = stripCR(f)
	}
	h.Meta = slices.Clone(h.Meta)
	for i, m := range h.Meta {
		h.Meta[i] = Meta{stripCR(m.Key), stripCR(m.Value)}
	}
	return h
}

func (h *Header) hasCR() bool {
	hasCR := func(s string) bool { return strings.IndexByte(s, '\r') >= 0 }
	return hasCR(h.Tool) || slices.ContainsFunc(h.Fields, hasCR) ||
		slices.ContainsFunc(h.Meta, func(m Meta) bool { return hasCR(m.Key) || hasCR(m.Value) })
}

func stripCR(s string) string { return strings.ReplaceAll(s, "\r", "") }

// check returns the error for a header that cannot be written, or could not be
// read.
func (h *Header) check(interop bool) *wire.Error {
	switch {
	case h.Tool == "":
		return shape("missing_tool", "a section needs a tool")
	case len(h.Fields) == 0 || len(h.Fields) == 1 && h.Fields[0] == "":
		return shape("missing_fields", "a section needs at least one field")
	}
	if i := repeated(len(h.Fields), func(i int) string { return h.Fields[i] }); i >= 0 {
		return &wire.Error{Format: name, Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey,
			Message: "field " + strconv.Quote(h.Fields[i]) + " occurs twice in a header"}
	}
	if interop {
		for _, f := range h.Fields {
			if !plainToken(f, ",") {
				return foreign("field " + strconv.Quote(f))
			}
		}
		if !plainToken(h.Tool, "") {
			return foreign("tool " + strconv.Quote(h.Tool))
		}
	}
	return h.checkMeta(interop)
}

// checkMeta is check for the pairs.
func (h *Header) checkMeta(interop bool) *wire.Error {
	for _, m := range h.Meta {
		switch {
		case m.Key == "" || m.Key == metaTool || m.Key == metaFields:
			return shape("reserved_meta", "a header cannot have the meta key "+strconv.Quote(m.Key))
		case interop && !plainToken(m.Key, "="):
			return foreign("meta key " + strconv.Quote(m.Key))
		case interop && !plainToken(m.Value, ""):
			return foreign("meta value " + strconv.Quote(m.Value))
		}
		if _, ok := count(m.Value); m.Key == metaRows && m.Value != anyRows && !ok {
			return shape("invalid_rows", "rows= wants a whole number, or "+anyRows+" for any, not "+strconv.Quote(m.Value))
		}
	}
	if i := repeated(len(h.Meta), func(i int) string { return h.Meta[i].Key }); i >= 0 {
		return &wire.Error{Format: name, Code: "duplicate_meta", Kind: wire.ErrDuplicateKey,
			Message: "meta key " + strconv.Quote(h.Meta[i].Key) + " occurs twice in a header"}
	}
	return nil
}

// repeated returns the place of the first of n names that is before as well, -1
// if none does.
func repeated(n int, name func(i int) string) int {
	seen := make(map[string]bool, n)
	for i := range n {
		if seen[name(i)] {
			return i
		}
		seen[name(i)] = true
	}
	return -1
}

// append appends the header's line.
func (h *Header) append(dst []byte) []byte {
	return h.appendMeta(appendFields(h.appendTool(append(dst, tag+" tool="...)), h.Fields))
}

// appendMeta appends the pairs and the line's end.
func (h *Header) appendMeta(dst []byte) []byte {
	meta := h.Meta
	byKey := func(a, b Meta) int { return strings.Compare(a.Key, b.Key) }
	if !slices.IsSortedFunc(meta, byKey) {
		meta = slices.SortedFunc(slices.Values(meta), byKey)
	}
	for _, m := range meta {
		dst = appendMeta(dst, m.Key, m.Value)
	}
	return append(dst, '\n')
}

func (h *Header) appendTool(dst []byte) []byte {
	tool := h.Tool
	for range h.nameDots {
		name, rest, ok := strings.Cut(tool, ".")
		if !ok {
			break
		}
		dst = append(appendToken(dst, name, ""), '\\', '.')
		tool = rest
	}
	return appendToken(dst, tool, "")
}

// sections returns the value of sections=, 0 if there is none or if it is
// another producer's word.
func (h *Header) sections() int {
	text, _ := h.Get(metaSections)
	n, _ := count(text)
	return max(n, 0)
}

// blankRows reports whether every blank line of a section is a row, although its
// rows are not counted: the header is that of a stream whose one column can lack
// its member.
func blankRows(fields []string, anyRows bool, types string) bool {
	return anyRows && types != "" && len(fields) == 1 && fields[0] != valueField
}

// blankRows is the function of that name for a header to be written.
func (h *Header) blankRows() bool {
	rows, _ := h.Get(metaRows)
	types, _ := h.Get(metaTypes)
	return blankRows(h.Fields, rows == anyRows, types)
}

// sectionCount returns the error for a payload of n sections whose first header
// declares another number of them, 0 for none.
func sectionCount(declared, n int) *wire.Error {
	if declared == 0 || declared == n {
		return nil
	}
	return miscount("section_count_mismatch", n < declared, strconv.Itoa(n)+" sections where sections="+strconv.Itoa(declared))
}

func appendFields(dst []byte, fields []string) []byte {
	dst = append(dst, " "+metaFields+"="...)
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendToken(dst, f, ",")
	}
	return dst
}

func appendMeta(dst []byte, key, value string) []byte {
	dst = append(dst, ' ')
	dst = appendToken(dst, key, "=")
	dst = append(dst, '=')
	return appendToken(dst, value, "")
}

// isHeader reports whether a line begins a section. A line of another version
// does as well, for a decoder must not take its section for rows. Every other
// line that begins with the tag is a row, which an encoder forgot to guard.
func isHeader(line string) bool {
	if len(line) < 4 || line[:3] != "GCX" {
		return false
	}
	i := scan.Digits(line, len("GCX"))
	rest := line[i:]
	if line[3:i] == "1" {
		return rest == "" || rest[0] == ' ' || rest[0] == '\r' || strings.HasPrefix(rest, "tool=")
	}
	return i > 3 && strings.HasPrefix(rest, " tool=")
}

// A sectionHeader is a header as it was read.
type sectionHeader struct {
	Header
	key      string // the tool after its first unescaped dot
	dotted   bool
	before   int // number of meta pairs that are before fields=
	rows     int // -1 if there is no rows=
	anyRows  bool
	types    string
	declared int // what Header.sections returns

	fieldsAt, typesAt int // where their values begin in the line

	// What the rows are read by as values: the fields as keys, the letter of each column,
	// whether the rows are values, and whether some column's empty cell is a missing member.
	keys           *wire.Keys
	letters        []byte
	bare, optional bool
}

// setColumns sets what rows are read by as values, once the line is parsed, or refuses the
// header. newKeys makes the keys; with asText, columns without a type are strings.
func (h *sectionHeader) setColumns(newKeys func(...string) (*wire.Keys, error), asText bool) *headerError {
	keys, err := newKeys(h.Fields...)
	if err != nil {
		return h.twoFields()
	}
	if bad := afterLetters(h.types); bad != "" {
		return syntax(h.typesAt+len(h.types)-len(bad), "invalid_types", "types= has a letter that means nothing: "+strconv.QuoteRune(rune(bad[0])))
	}
	n := keys.Len()
	h.keys, h.letters = keys, slices.Grow(h.letters[:0], n)[:n]
	h.bare, h.optional = n == 1 && keys.At(0) == valueField, false
	for col := range h.letters {
		letter := columnType(h.types, col)
		if asText && h.types == "" {
			letter = 's'
		}
		h.letters[col] = letter
		h.optional = h.optional || !h.bare && optional(letter)
	}
	return nil
}

// allBlanks is Header.blankRows for a header that was read.
func (h *sectionHeader) allBlanks() bool { return blankRows(h.Fields, h.anyRows, h.types) }

// clear empties the header for another one, and gives up what is large.
func (h *sectionHeader) clear() {
	fields, meta, letters := emptied(h.Fields), emptied(h.Meta), emptied(h.letters)
	*h = sectionHeader{letters: letters}
	h.Fields, h.Meta = fields, meta
}

// headerError is an error at a byte of a header's line.
type headerError struct {
	at int
	wire.Error
}

// parse reads a header's line without its line end into a header that may have room for
// its fields and pairs, and is empty else. Its strings are parts of the line where nothing
// is escaped.
func (h *sectionHeader) parse(line string, lenient bool) *headerError {
	h.rows = -1
	version := scan.Digits(line, min(len("GCX"), len(line)))
	if !strings.HasPrefix(line, "GCX") || version == len("GCX") {
		return syntax(0, "not_gcx", "a section begins with "+tag)
	}
	if line[:version] != tag {
		return &headerError{0, wire.Error{Code: "unsupported_version", Kind: wire.ErrVersion,
			Message: "version " + line[:min(version, 16)] + " of the format", Hint: "ask for JSON instead"}}
	}
	if version < len(line) && line[version] != ' ' {
		return malformed(version, "a space is missing after "+tag)
	}
	h.fieldsAt = -1
	p := headerParser{line: line, lenient: lenient, sectionHeader: h}
	for i := version; i < len(line); i++ {
		end := indexUnescaped(line, ' ', i)
		if end == i {
			continue
		}
		if bad := p.token(i, end); bad != nil {
			return bad
		}
		i = end
	}
	switch {
	case h.Tool == "":
		return syntax(len(line), "missing_tool", "a header without a tool")
	case h.fieldsAt < 0:
		return syntax(len(line), "missing_fields", "a header without fields")
	}
	h.declared = h.sections()
	return nil
}

func malformed(at int, message string) *headerError { return syntax(at, "malformed_header", message) }

func syntax(at int, code, message string) *headerError {
	return &headerError{at, wire.Error{Code: code, Kind: wire.ErrSyntax, Message: message}}
}

// twoFields is the error for fields of one name.
func (h *sectionHeader) twoFields() *headerError {
	return &headerError{h.fieldsAt, wire.Error{Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey,
		Message: "two fields have the same name"}}
}

type headerParser struct {
	*sectionHeader
	line    string
	lenient bool
	seen    map[string]int // meta keys, once there are many
}

// token reads one key=value.
func (p *headerParser) token(start, end int) *headerError {
	eq := indexUnescaped(p.line[:end], '=', start)
	if eq == end {
		return malformed(start, "a part of the header has no '='")
	}
	key, raw := unescaped(p.line[start:eq]), p.line[eq+1:end]
	switch key {
	case "":
		return malformed(start, "a part of the header has no key")
	case metaTool:
		if p.Tool != "" && !p.lenient {
			return p.twice(start, key)
		}
		p.Tool = unescaped(raw)
		dot := indexUnescaped(raw, '.', 0)
		p.key, p.dotted = "", dot < len(raw)
		if p.dotted {
			p.key = unescaped(raw[dot+1:])
		}
		p.nameDots = strings.Count(unescaped(raw[:dot]), ".")
		return nil
	case metaFields:
		if p.fieldsAt >= 0 && !p.lenient {
			return p.twice(start, key)
		}
		p.fieldsAt, p.before = eq+1, len(p.Meta)
		p.Fields = slices.Grow(p.Fields[:0], 1+strings.Count(raw, ","))
		for i := 0; i <= len(raw); {
			end := indexUnescaped(raw, ',', i)
			p.Fields = append(p.Fields, unescaped(raw[i:end]))
			i = end + 1
		}
		return nil
	}
	return p.meta(start, eq+1, key, unescaped(raw))
}

func (p *headerParser) twice(at int, key string) *headerError {
	return &headerError{at, wire.Error{Code: "duplicate_meta", Kind: wire.ErrDuplicateKey,
		Message: strconv.Quote(key) + " occurs twice in a header"}}
}

func (p *headerParser) meta(at, valueAt int, key, value string) *headerError {
	switch i := p.find(key); {
	case i < 0:
		p.Meta = append(p.Meta, Meta{key, value})
	case !p.lenient:
		return p.twice(at, key)
	default:
		p.Meta[i].Value = value
	}
	var ok bool
	switch key {
	case metaRows:
		p.anyRows = value == anyRows
		if p.anyRows {
			p.rows = -1
		} else if p.rows, ok = count(value); !ok && !p.lenient {
			return malformed(valueAt, "rows= wants a whole number")
		}
	case metaTypes:
		p.types, p.typesAt = value, valueAt
	}
	return nil
}

// find returns the index of a meta key, or -1 and notes that it comes next.
func (p *headerParser) find(key string) int {
	const few = 8
	if p.seen == nil && len(p.Meta) < few {
		return slices.IndexFunc(p.Meta, func(m Meta) bool { return m.Key == key })
	}
	if p.seen == nil {
		p.seen = make(map[string]int, 4*few)
		for i, m := range p.Meta {
			p.seen[m.Key] = i
		}
	}
	if i, ok := p.seen[key]; ok {
		return i
	}
	p.seen[key] = len(p.Meta)
	return -1
}

// count reads a whole number; -1 and false if s is none.
func count(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || s[0] == '+' || s[0] == '-' {
		return -1, false
	}
	return n, true
}
