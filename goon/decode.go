package goon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// A decoder reads one text, line by line.
type decoder struct {
	c      Codec  // with the limits resolved
	buf    []byte // a private copy without byte order mark, in which texts lose their escapes
	text   string // buf; values are substrings of it
	src    []byte // for the positions of errors
	bom    int
	values int         // that may still be made
	err    *wire.Error // the first; no line after it is read

	line   string // the current line, without its end
	lineAt int    // where it begins
	next   int    // where the next line begins
	more   bool   // there is a current line

	doc     Response
	warned  []*wire.Error
	builder builder.Builder

	declared  map[string]declaration // of the header
	headerEnd int
	paths     int64  // number of the last path
	steps     int64  // of the last path so far
	checked   string // the last raw name that was found right
	table     table
}

// A declaration is a count or list that the header gives.
type declaration struct {
	at int // of its line
	n  uint64
}

func decode(c Codec, src []byte) (*Response, error) {
	if c.Strict && c.Lenient {
		return nil, variants.Invalid(name, "Lenient", "set with Strict", "one of the two")
	}
	c.Limits = c.Limits.Resolved()
	body := scan.TrimBOM(src)
	d := &decoder{c: c, src: src, bom: len(src) - len(body), values: c.Limits.Values, declared: make(map[string]declaration), paths: -1}
	if len(src) > c.Limits.InputBytes {
		d.fail(0, wire.CodeInputTooLong, wire.ErrLimit, "the text is longer than the limit; raise Limits.InputBytes")
	} else if n := scan.ValidUTF8(body); n < len(body) {
		d.fail(n, wire.CodeInvalidUTF8, wire.ErrUTF8, "bytes that are not UTF-8")
	} else {
		d.buf = append(make([]byte, 0, len(body)+scan.Ahead), body...)
		d.text = d.builder.TextOf(d.buf)
		d.document()
	}
	if d.err != nil {
		return nil, d.err
	}
	for _, w := range d.warned {
		c.Warn(w)
	}
	return &d.doc, nil
}

// advance makes the next line the current one.
func (d *decoder) advance() {
	d.lineAt = d.next
	if d.more = d.next < len(d.text); !d.more {
		d.line = ""
		return
	}
	n := strings.IndexByte(d.text[d.next:], '\n')
	if n < 0 {
		d.line = d.text[d.next:]
		d.next = len(d.text)
		d.tolerate(d.next, "missing_line_feed", wire.ErrTruncated, "the last line has no line feed: the text may have been cut")
	} else {
		d.line = strings.TrimSuffix(d.text[d.next:d.next+n], "\r")
		d.next += n + 1
	}
	if d.c.Lenient {
		d.trim()
	}
	if len(d.line) > d.c.Limits.LineBytes {
		d.fail(d.lineAt, wire.CodeLineTooLong, wire.ErrLimit, "a line is longer than the limit; raise Limits.LineBytes")
	}
}

// trim takes the blanks off both ends of the current line. Lines that are all indented
// leave room for other warnings.
func (d *decoder) trim() {
	line := strings.TrimLeft(d.line, " \t")
	at := d.lineAt + len(d.line) - len(line)
	if trimmed := strings.TrimRight(line, " \t"); len(trimmed) < len(d.line) {
		if len(d.warned) < maxWarnings/2 {
			d.note(d.lineAt, "outer_blank", wire.ErrSyntax, "blanks at the beginning or the end of a line")
		}
		d.line, d.lineAt = trimmed, at
	}
}

// again gives the current line back the escapes that it had.
func (d *decoder) again() { copy(d.buf[d.lineAt:], d.src[d.bom+d.lineAt:][:len(d.line)]) }

// spend counts values that are made.
func (d *decoder) spend(n int) {
	if d.values -= n; d.values < 0 {
		d.fail(d.lineAt, wire.CodeTooManyValues, wire.ErrLimit, "the text holds more values than the limit; raise Limits.Values")
	}
}

// body reports whether the current line belongs to the section.
func (d *decoder) body() bool { return d.more && (d.line == "" || d.line[0] != '@') }

// sections are the sections after the header, with their places in a text.
var sections = map[string]struct {
	place int
	read  func(*decoder)
}{
	nodesMark: {1, (*decoder).nodesSection},
	edgesMark: {2, (*decoder).edgesSection},
	pathsMark: {2, (*decoder).pathsSection},
	rowsMark:  {3, (*decoder).rowsSection},
}

// document reads the sections.
func (d *decoder) document() {
	d.header()
	stage := 0 // the place of the last section
	for d.more {
		mark := d.line
		section, known := sections[mark]
		switch {
		case !known:
			d.tolerate(d.lineAt, "unknown_section", wire.ErrSyntax, fmt.Sprintf("no section begins with %.60q", mark))
			section.read = (*decoder).skipSection
		case section.place != stage+1, mark == pathsMark != (d.doc.QueryType == queryPathFinding) && section.place == 2:
			d.tolerate(d.lineAt, "section_order", wire.ErrSyntax,
				mark+" is not in its place; the order is @nodes, @edges (for path_finding @paths), @rows")
		}
		stage = max(stage, section.place)
		d.advance()
		section.read(d)
	}
	d.lastSection(stage)
	d.count("nodes", len(d.doc.Nodes))
	d.countEdges()
	d.count("rows", len(d.table.ends))
	d.finishRows()
}

func (d *decoder) skipSection() {
	for d.body() {
		d.advance()
	}
}

// count compares a count of the header with what is listed.
func (d *decoder) count(field string, listed int) {
	if c, ok := d.declared[field]; ok && c.n != uint64(listed) {
		d.tolerate(c.at, wire.CodeCount, wire.ErrChecksum, mismatch(field, c.n, listed))
	}
}

func mismatch(field string, n uint64, listed int) string {
	return fmt.Sprintf("the header says %s:%d, the text has %d", field, n, listed)
}

// header reads the section that every text begins with.
func (d *decoder) header() {
	d.advance()
	for d.c.Lenient && d.more && d.line == "" {
		d.note(d.lineAt, blankLine, wire.ErrSyntax, "a blank line before the line @header")
		d.advance()
	}
	switch {
	case d.line == headerMark:
	case !d.more:
		d.fail(d.lineAt, wire.CodeUnexpectedEnd, wire.ErrTruncated, "the text is empty; it begins with the line @header")
	default:
		d.fail(d.lineAt, "missing_header", wire.ErrSyntax, "the text does not begin with the line @header")
	}
	for d.advance(); d.body(); d.advance() {
		if d.line != "" { // the document's published form has blank lines between groups
			d.field()
		}
	}
	d.headerEnd = d.lineAt
	for _, field := range [...]string{"query_type", "goon_version", "nodes", "edges"} { // rows: see lastSection
		if _, ok := d.declared[field]; !ok {
			d.tolerate(d.lineAt, "missing_field", wire.ErrSyntax, "the header has no line "+field)
		}
	}
}

// field reads a line of the header.
func (d *decoder) field() {
	key, i := d.name(0, ":", wordName)
	if i == len(d.line) || d.line[i] != ':' {
		d.tolerate(d.lineAt, "invalid_field", wire.ErrSyntax, "a line of the header is key:value")
		return
	}
	d.spend(1)
	i++
	value := d.line[i:]
	if key != "group_by" && key != "aggregations" { // lists of names, each quoted for itself
		value = d.fieldValue(i)
	}
	if !knownField(key) {
		d.doc.Header = append(d.doc.Header, Field{key, value})
		return
	}
	if _, again := d.declared[key]; again {
		d.tolerate(d.lineAt, "duplicate_field", wire.ErrDuplicateKey, "the header has two lines "+key)
		return
	}
	d.declared[key] = declaration{at: d.lineAt}
	d.known(key, value, i)
}

// fieldValue reads what follows the colon of a header line: quoted or raw.
func (d *decoder) fieldValue(i int) string {
	value := d.line[i:]
	if value != "" && value[0] == '"' {
		text, next := d.quotedName(i)
		if next == len(d.line) {
			return text
		}
		d.tolerate(d.lineAt+next, "invalid_field", wire.ErrSyntax, "text after a quoted value")
		return value
	}
	for j := range len(value) {
		if value[j] < 0x20 || value[j] == del {
			d.control(i+j, value[j])
		}
	}
	return value
}

// known takes the value, which begins at i, of a header line of the format's
// own.
func (d *decoder) known(key, value string, i int) {
	r := &d.doc
	switch key {
	case "query_type":
		r.QueryType = value
	case "goon_version":
		r.Version = value
	case "group_by":
		d.descriptors(i, d.groupColumn)
	case "aggregations":
		d.descriptors(i, d.metric)
	case "has_more", "truncated":
		switch {
		case value != "true" && value != "false":
			d.invalidValue(key, i, "true")
		case key == "has_more":
			d.page().HasMore = value == "true"
		default:
			d.page().Truncated = value == "true"
		}
	case "next_cursor":
		d.page().NextCursor = some(value)
	default:
		n, err := strconv.ParseUint(value, 10, 64)
		switch {
		case err != nil || value[0] == '0' && value != "0":
			delete(d.declared, key)
			d.invalidValue(key, i, "a whole number")
		case key == "total_rows":
			d.page().TotalRows = some(n)
		default:
			d.declared[key] = declaration{d.lineAt, n}
		}
	}
}

func (d *decoder) invalidValue(key string, i int, want string) {
	d.tolerate(d.lineAt+i, "invalid_field", wire.ErrSyntax, "the value of "+key+" is not "+want)
}

func (d *decoder) page() *Pagination {
	if d.doc.Pagination == nil {
		d.doc.Pagination = new(Pagination)
	}
	return d.doc.Pagination
}

// descriptors reads a list of descriptors: one reads that at a position and returns what
// sequence does.
func (d *decoder) descriptors(at int, one func(i int) int) {
	for i := at; ; {
		d.spend(1)
		switch i = one(i); i {
		case -1:
			d.tolerate(d.lineAt+at, "invalid_descriptor", wire.ErrSyntax, "a column is described as name(…), columns are separated by commas")
			return
		case len(d.line):
			return
		}
	}
}

// groupColumn reads name(kind) or name(kind:detail).
func (d *decoder) groupColumn(i int) int {
	var c GroupColumn
	var detail string
	next := d.sequence(i, part{&c.Name, "(", keyName}, part{&c.Kind, ":)", wordName}, part{&detail, ")", keyName})
	if next < 0 {
		return -1
	}
	switch {
	case c.Kind == kindNode:
		c.Entity = detail
	case c.Kind == kindProperty:
		c.Property = detail
	case detail != "":
		d.tolerate(d.lineAt+i, "invalid_descriptor", wire.ErrSyntax, "only groups of kind node or property have a detail")
	}
	d.doc.GroupColumns = append(d.doc.GroupColumns, c)
	return next
}

// metric reads name(function:target.property).
func (d *decoder) metric(i int) int {
	var c Column
	next := d.sequence(i, part{&c.Name, "(", keyName}, part{&c.Function, ":)", wordName},
		part{&c.Target, ".)", wordName}, part{&c.Property, ")", keyName})
	if next >= 0 {
		d.doc.Columns = append(d.doc.Columns, c)
	}
	return next
}

// A part is one name of a descriptor and what may follow it.
type part struct {
	to    *string
	stops string
	rule  nameRule
}

// sequence reads the parts of one descriptor up to its closing parenthesis and
// the comma after it. It returns where the next descriptor begins, the length
// of the line if there is none, -1 if this is not a descriptor.
func (d *decoder) sequence(i int, parts ...part) int {
	for n, p := range parts {
		if i == len(d.line) || strings.IndexByte(p.stops, d.line[i]) < 0 {
			*p.to, i = d.name(i, p.stops, p.rule)
		} else if n != 1 { // a kind may be empty; other names are then quoted or left out
			return -1
		}
		if i == len(d.line) || strings.IndexByte(p.stops, d.line[i]) < 0 {
			return -1
		}
		if i++; d.line[i-1] == ')' {
			break
		}
	}
	switch {
	case i == len(d.line):
		return i
	case d.line[i] == ',' && i+1 < len(d.line):
		return i + 1
	}
	return -1
}

// name reads the name at i of the line: quoted, or raw up to one of stops.
func (d *decoder) name(i int, stops string, rule nameRule) (string, int) {
	if i < len(d.line) && d.line[i] == '"' {
		return d.quotedName(i)
	}
	end := len(d.line)
	if n := strings.IndexAny(d.line[i:], stops); n >= 0 {
		end = i + n
	}
	d.checkName(d.line[i:end], i, rule)
	return d.line[i:end], end
}

// checkName checks a name that is raw in the line, at i.
func (d *decoder) checkName(s string, i int, rule nameRule) {
	if s == d.checked && s != "" {
		return
	}
	if !raw(s, rule) {
		d.tolerate(d.lineAt+i, "invalid_name", wire.ErrSyntax, fmt.Sprintf("%.60q must be quoted here", s))
	} else if rule == typeName { // what may begin a line may be anywhere else that a type may be
		d.checked = s
	}
}

// shortestNode is the length of a line with an id of one digit.
const shortestNode = len("1\n")

// nodesSection reads groups of nodes.
func (d *decoder) nodesSection() {
	groups(d, &d.doc.Nodes, shortestNode, func() bool { return d.line[0] == '-' || d.line[0]-'0' <= 9 }, d.node)
}

// groups reads groups of lines into a list. Each line takes as many bytes as the shortest.
func groups[T any](d *decoder, list *[]T, shortest int, belongs func() bool, one func(typ string)) {
	for d.body() {
		if d.line == "" {
			d.advance()
			continue
		}
		at := d.lineAt
		typ, n := d.groupHeader()
		// The count is not a promise: room is made for what the bytes can hold.
		*list = slices.Grow(*list, int(min(n, uint64(len(d.text)-d.next)/uint64(shortest))))
		listed := 0
		for d.advance(); d.body(); d.advance() {
			if d.line == "" {
				continue
			}
			if !belongs() {
				break
			}
			one(typ)
			listed++
		}
		if n != uint64(listed) {
			d.tolerate(at, "group_count_mismatch", wire.ErrChecksum, fmt.Sprintf("the group's header counts %d, the group has %d", n, listed))
		}
	}
}

// groupHeader reads Type(count): on the current line.
func (d *decoder) groupHeader() (typ string, n uint64) {
	const want = "expected the header of a group, Type(count):"
	body, ok := strings.CutSuffix(d.line, "):")
	open := strings.LastIndexByte(body, '(')
	if !ok || open < 0 {
		d.fail(d.lineAt, "invalid_group", wire.ErrSyntax, want)
		return "", 0
	}
	count := body[open+1:]
	n, err := strconv.ParseUint(count, 10, 64)
	if err != nil || count[0] == '0' && count != "0" {
		d.fail(d.lineAt+open+1, "invalid_group", wire.ErrSyntax, "the count of a group is a whole number")
	}
	if body[0] != '"' {
		d.checkName(body[:open], 0, typeName)
		return body[:open], n
	}
	typ, next := d.quotedName(0)
	if next != open {
		d.fail(d.lineAt+next, "invalid_group", wire.ErrSyntax, want)
	}
	return typ, n
}

// edgesSection reads groups of edges.
func (d *decoder) edgesSection() {
	groups(d, &d.doc.Edges, shortestEdge, func() bool { return !strings.HasSuffix(d.line, "):") }, d.edge)
}

// shortestEdge is the length of a line between ids of one digit.
const shortestEdge = len("A:1 --> B:1\n")

// edge reads From:id --> To:id, with depth=N or without.
func (d *decoder) edge(typ string) {
	const arrow, depth = " --> ", " depth="
	d.spend(5)
	e := Edge{Type: typ}
	i := d.ref(0, arrow, &e.From, &e.FromID)
	sound := strings.HasPrefix(d.line[i:], arrow)
	if sound {
		i = d.ref(i+len(arrow), depth, &e.To, &e.ToID)
	}
	if sound && i < len(d.line) {
		e.Depth.Value, e.Depth.Valid = parseID(d.line[i+len(depth):])
		sound = e.Depth.Valid
	}
	if !sound {
		d.fail(d.lineAt+i, "invalid_edge", wire.ErrSyntax, "an edge is From:id --> To:id, with depth=N or without")
	}
	d.doc.Edges = append(d.doc.Edges, e)
}

// ref reads Type:id at i, up to the text until or the end of the line.
func (d *decoder) ref(i int, until string, typ *string, id *int64) int {
	end := len(d.line)
	from := i
	if i < len(d.line) && d.line[i] == '"' {
		*typ, from = d.quotedName(i)
	}
	if n := strings.Index(d.line[from:], until); n >= 0 {
		end = from + n
	}
	colon := strings.LastIndexByte(d.line[from:end], ':')
	n, ok := parseID(d.line[from+colon+1 : end])
	if colon < 0 || from > i && colon > 0 || !ok {
		d.fail(d.lineAt+i, "invalid_reference", wire.ErrSyntax, "a node is referred to as Type:id, with a whole number of 64 bits")
		return len(d.line)
	}
	*id = n
	if from == i {
		*typ = d.line[i : i+colon]
		d.checkName(*typ, i, typeName)
	}
	return end
}

// parseID reads a whole number of 64 bits in its shortest form.
func parseID(s string) (int64, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] == '0' && s != "0" {
		return 0, false
	}
	n := int64(0)
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	switch {
	case len(digits) > 18: // n may have overflowed
		return decimal.Int64(s)
	case len(digits) < len(s):
		return -n, true
	}
	return n, true
}

// pathsSection reads one chain per line.
func (d *decoder) pathsSection() {
	for ; d.body(); d.advance() {
		if d.line != "" {
			d.path()
		}
	}
}

// path reads path=N: A:1 --REL--> B:2 … and makes an edge of each step. A path
// that is broken goes on in a line of the same number.
func (d *decoder) path() {
	rest, ok := strings.CutPrefix(d.line, "path=")
	colon := strings.Index(rest, ": ")
	if !ok || colon < 0 {
		d.invalidPath(0)
		return
	}
	number, ok := parseID(rest[:colon])
	if !ok {
		d.invalidPath(len("path="))
	}
	if number < d.paths {
		d.tolerate(d.lineAt, "path_order", wire.ErrSyntax, "the numbers of paths ascend")
	}
	if number != d.paths {
		d.paths, d.steps = number, 0
	}
	var from ref
	i := d.ref(len("path=")+colon+2, " --", &from.typ, &from.id)
	first := d.steps
	for ; i < len(d.line); d.steps++ {
		d.spend(7)
		e := Edge{From: from.typ, FromID: from.id, PathID: some(number), Step: some(d.steps)}
		i = d.step(i, &e)
		from = ref{e.To, e.ToID}
		d.doc.Edges = append(d.doc.Edges, e)
	}
	if d.steps == first {
		d.tolerate(d.lineAt, "invalid_path", wire.ErrSyntax, "a path without a step")
	}
}

// step reads  --REL--> B:2 at i.
func (d *decoder) step(i int, e *Edge) int {
	i += len(" --") // which ref stopped at
	if i < len(d.line) && d.line[i] == '"' {
		e.Type, i = d.quotedName(i)
	} else if n := strings.Index(d.line[i:], "--> "); n >= 0 {
		e.Type = d.line[i : i+n]
		d.checkName(e.Type, i, typeName)
		i += n
	}
	if !strings.HasPrefix(d.line[i:], "--> ") {
		d.invalidPath(i)
		return len(d.line)
	}
	return d.ref(i+len("--> "), " --", &e.To, &e.ToID)
}

func (d *decoder) invalidPath(i int) {
	d.fail(d.lineAt+i, "invalid_path", wire.ErrSyntax, "a path is path=N: A:1 --TYPE--> B:2 …")
}
