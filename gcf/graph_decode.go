package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// Decode reads a document of the graph profile. It refuses deltas, unchanged
// answers and references to symbols of earlier payloads: [DecodeDelta],
// [DecodeUnchanged] and [SessionDecoder] read those.
//
// The graph's strings point into one copy of src.
func Decode(src []byte) (*Graph, error) { return GraphCodec{}.DecodeGraph(src) }

// graphDecoder reads the lines after a graph's header.
type graphDecoder struct {
	lex.Lines
	graph     Graph
	index     symbolIndex
	ids       idTable
	ends      []edgeEnds    // of the edges, by position
	edgeCount int           // edges read; a stream does not keep them
	maxValues int           // symbols and edges together
	session   *sessionReply // nil outside a session

	symbols, edges int  // what the header or the summary declares; -1 if neither does
	deferred       bool // the counts are those of the summary
	lex.Ending

	// The section whose lines are being read. first is the number of symbols or
	// edges that were there before it.
	section  graphSection
	distance int
	declared int // by its header; negative if it has no count
	first    int
}

type graphSection uint8

const (
	sectionHeader graphSection = iota // nothing but the header was read
	sectionNone
	sectionGroup
	sectionEdges
)

// edgeEnds are the positions of an edge's symbols.
type edgeEnds struct{ source, target int32 }

// idTable maps the ids of a payload to positions of symbols. Ids that count
// from 0 (section 5) need no map.
type idTable struct {
	n    int
	odd  map[int]int32 // once an id was not the next number
	base int           // how many ids are their own positions
}

// add binds id to the next position. It reports false if id is bound.
func (t *idTable) add(id int) bool {
	if t.odd == nil {
		if id == t.n {
			t.n++
			t.base = t.n
			return true
		}
		t.odd = make(map[int]int32)
	}
	if id < t.base {
		return false
	}
	if _, ok := t.odd[id]; ok {
		return false
	}
	t.odd[id] = int32(t.n)
	t.n++
	return true
}

// position returns the position that id is bound to, or -1.
func (t *idTable) position(id int) int {
	if id < t.base {
		return id
	}
	if at, ok := t.odd[id]; ok {
		return int(at)
	}
	return -1
}

// The shortest lines there are: "@0 a b 0.00 c\n" and "@0<@0 a\n".
const (
	minNodeLine = 14
	minEdgeLine = 8
)

// begin takes over what the header says.
func (d *graphDecoder) begin(h *lex.Header, limits wire.Limits) {
	d.maxValues = limits.Values
	g := &d.graph
	g.Tool, _ = h.Get("tool")
	g.PackRoot, _ = h.Get("pack_root")
	g.TokenBudget = d.HeaderCount(h, "budget", 0)
	g.TokensUsed = d.HeaderCount(h, "tokens", 0)
	d.symbols = d.HeaderCount(h, "symbols", -1)
	d.edges = d.HeaderCount(h, "edges", -1)
	d.deferred = d.symbols < 0
}

// reserve makes room for what the header declares, as far as the bytes that are
// there can hold it.
func (d *graphDecoder) reserve() {
	left := len(d.Doc) - min(d.Lines.Start, len(d.Doc))
	if n := min(d.symbols, left/minNodeLine); n > 0 {
		d.graph.Symbols = make([]Symbol, 0, n)
		left -= n * minNodeLine
	}
	d.index = newSymbolIndex(cap(d.graph.Symbols))
	if n := min(d.edges, left/minEdgeLine); n > 0 {
		d.graph.Edges = make([]Edge, 0, n)
		d.ends = make([]edgeEnds, 0, n)
	}
}

// document reads all lines.
func (d *graphDecoder) document() {
	for !d.Done {
		d.readLine()
		d.Advance()
	}
	d.finish(d.IsCut())
}

// readLine reads the current line, whatever it is.
func (d *graphDecoder) readLine() {
	switch {
	case d.Indent != 0:
		d.RefuseSyntax(d.Lines.Start, "invalid_indent", "the graph profile has no indented lines")
	case d.HasSummary:
		d.RefuseSyntax(d.Lines.Start, "trailing_content", "a line after the summary")
	case d.Doc[d.Lines.Start] == '#' && strings.HasPrefix(d.Line(), "##"):
		d.sectionLine()
	case d.section == sectionGroup:
		d.nodeLine()
	case d.section == sectionEdges:
		d.edgeLine()
	default:
		d.RefuseSyntax(d.Lines.Start, "missing_group", "a line before the first group header")
	}
}

// sectionLine reads a group header (section 6a) or the summary.
func (d *graphDecoder) sectionLine() {
	d.endSection()
	i := d.Lines.Start + len("##")
	if i < d.End && d.Doc[i] == '!' {
		d.summary(i + 1)
		return
	}
	name, stop, declared := d.GroupHeader()
	d.declared = declared
	d.deferred = d.deferred || declared == lex.CountDeferred
	if d.Doc[name:stop] == "edges" {
		d.section, d.first = sectionEdges, d.edgeCount
		return
	}
	distance, ok := d.GroupDistance(name, stop)
	if !ok {
		d.RefuseSyntax(name, "unknown_group", "no group of this name; the groups are targets, related, extended, distance_N and edges")
	}
	d.section, d.distance, d.first = sectionGroup, distance, len(d.graph.Symbols)
}

// endSection compares the count of the section that ends here.
func (d *graphDecoder) endSection() {
	n := len(d.graph.Symbols)
	if d.section == sectionEdges {
		n = d.edgeCount
	}
	if d.section > sectionNone && d.declared >= 0 && n-d.first != d.declared {
		d.CountMismatch(d.Lines.Start, "the section that ends here has another number of lines than its header says")
	}
}

// summary reads the trailer (section 8.4) from after "##!". Where the header
// has no counts, those of the trailer must be right; its counts= field is not
// checked (section 8.4.1).
func (d *graphDecoder) summary(i int) {
	fields := d.SummaryFields(i)
	for i := range fields {
		switch f := &fields[i]; {
		case f.Key == "symbols" && d.symbols < 0:
			d.symbols = d.FieldCount(f)
		case f.Key == "edges" && d.edges < 0:
			d.edges = d.FieldCount(f)
		}
	}
	d.section, d.HasSummary = sectionNone, true
}

// finish compares the counts of the whole document. cut says that its last line
// has no line feed.
func (d *graphDecoder) finish(cut bool) {
	d.endSection()
	switch {
	case d.symbols >= 0 && d.symbols != d.ids.n:
		d.CountMismatch(len(d.Doc), "the document has another number of symbols than it says")
	case d.edges >= 0 && d.edges != d.edgeCount:
		d.CountMismatch(len(d.Doc), "the document has another number of edges than it says")
	}
	if d.Err == nil {
		d.nameKinds()
		d.Stop(d.checkEnd(cut))
	}
}

// nameKinds sets the kinds of the ends of edges whose names alone do not tell
// the symbol.
func (d *graphDecoder) nameKinds() {
	if d.index.others == nil {
		return
	}
	for i := range d.graph.Edges {
		d.nameKindsOf(&d.graph.Edges[i], d.ends[i])
	}
}

func (d *graphDecoder) nameKindsOf(e *Edge, ends edgeEnds) {
	if d.index.isShared(e.Source) {
		e.SourceKind = d.graph.Symbols[ends.source].Kind
	}
	if d.index.isShared(e.Target) {
		e.TargetKind = d.graph.Symbols[ends.target].Kind
	}
}

// nodeLine reads a node line (section 5) or a reference to a symbol of an
// earlier payload (section 9).
func (d *graphDecoder) nodeLine() {
	d.room()
	d.graph.Symbols = append(d.graph.Symbols, Symbol{Distance: d.distance})
	s := &d.graph.Symbols[len(d.graph.Symbols)-1]
	id, ok := d.plainNode(s)
	if !ok {
		var w [lex.MaxWords][2]int
		n := d.Words(&w)
		switch {
		case d.Doc[d.Lines.Start] != '@':
			d.RefuseSyntax(d.Lines.Start, "invalid_node_line", "a line of a group begins with @ and the symbol's id")
		case n == 4 && d.Doc[w[1][0]:d.End] == "# previously transmitted":
			d.reference(s, d.SymbolID(d.Lines.Start, w[0][1]))
			return
		case n != 5:
			d.RefuseSyntax(d.Lines.Start, "invalid_node_line", "a node line has five fields: @id kind name score provenance")
		}
		id = d.SymbolID(d.Lines.Start, w[0][1])
		nodeFields(&d.Lines, s, &w)
	}
	if d.session != nil {
		d.session.declare(d, id, s)
	}
	d.addSymbol(id)
}

// plainNode reads the current line as a node line with one space between its
// fields. It reports false for all others, right or wrong.
func (d *graphDecoder) plainNode(s *Symbol) (id int, ok bool) {
	line := d.Line()
	i := 1
	for ; i < len(line) && line[i]-'0' <= 9; i++ {
		id = id*10 + int(line[i]-'0')
	}
	if line[0] != '@' || i == 1 || i > maxPlainID || i == len(line) || line[i] != ' ' {
		return 0, false
	}
	kind := i + 1
	for i = kind; i < len(line) && line[i] != ' '; i++ {
	}
	if i == len(line) {
		return 0, false
	}
	name := i + 1
	n := strings.IndexByte(line[name:], ' ')
	if n < 0 {
		return 0, false
	}
	score := name + n + 1
	for i = score; i < len(line) && line[i] != ' '; i++ {
	}
	if i == len(line) {
		return 0, false
	}
	s.Kind, s.QualifiedName, s.Provenance = line[kind:name-1], line[name:score-1], line[i+1:]
	if !isWord(s.Kind) || !isWord(s.QualifiedName) || !isWord(s.Provenance) {
		return 0, false
	}
	s.Kind = longKind(s.Kind)
	s.Score, ok = parseScore(line[score:i])
	return id, ok
}

// maxPlainID bounds the digits of an id, with its @, that fit into an int for
// certain.
const maxPlainID = 10

// nodeFields reads a node line's fields after the id.
func nodeFields(l *lex.Lines, s *Symbol, w *[lex.MaxWords][2]int) {
	s.Kind = l.Doc[w[1][0]:w[1][1]]
	s.QualifiedName = l.Doc[w[2][0]:w[2][1]]
	s.Provenance = l.Doc[w[4][0]:w[4][1]]
	for i, word := range [...]string{1: s.Kind, 2: s.QualifiedName, 4: s.Provenance} {
		if i != 0 && i != 3 && !isWord(word) {
			l.RefuseSyntax(w[i][0], "invalid_node_line", "white space other than a space, or a control character, in a field")
		}
	}
	s.Kind = longKind(s.Kind)
	var ok bool
	if s.Score, ok = parseScore(l.Doc[w[3][0]:w[3][1]]); !ok {
		l.RefuseSyntax(w[3][0], "invalid_score", "a score is a number with exactly two decimals")
	}
}

// addSymbol binds the last symbol to its id.
func (d *graphDecoder) addSymbol(id int) {
	if !d.ids.add(id) {
		d.Refuse(d.Lines.Start, wire.Error{Code: "duplicate_symbol_id", Kind: wire.ErrDuplicateKey,
			Message: "two symbols with one id"})
	}
	if !d.index.add(d.graph.Symbols) {
		d.Refuse(d.Lines.Start, wire.Error{Code: "duplicate_symbol", Kind: wire.ErrDuplicateKey,
			Message: "a symbol of this kind and name was declared before"})
	}
}

// room checks the limit on values.
func (d *graphDecoder) room() {
	if d.ids.n+d.edgeCount >= d.maxValues || d.ids.n >= maxGraphItems || len(d.ends) >= maxGraphItems {
		d.Refuse(d.Lines.Start, tooManyItems)
	}
}

var tooManyItems = wire.Error{Code: wire.CodeTooManyValues, Kind: wire.ErrLimit,
	Message: "more symbols and edges than the limit", Hint: "raise Limits.Values"}

// reference reads a reference line with that id as the last symbol s.
func (d *graphDecoder) reference(s *Symbol, id int) {
	unresolved := wire.Error{Code: "unresolved_reference", Kind: wire.ErrShape,
		Message: "a reference to a symbol of an earlier payload of the session",
		Hint:    "read the payloads of a session with one SessionDecoder"}
	ok := false
	if d.session != nil {
		unresolved.Message, unresolved.Hint = "no symbol of this id was declared in the session", "ask for a full payload"
		*s, ok = d.session.resolve(id)
	}
	if !ok {
		d.Refuse(d.Lines.Start, unresolved)
	}
	s.Distance = d.distance
	d.addSymbol(id)
}

// edgeLine reads an edge line (section 6).
func (d *graphDecoder) edgeLine() {
	d.room()
	at := d.Lines.Start
	stop, next := d.Word(at, d.End)
	arrow := at + max(strings.IndexByte(d.Doc[at:stop], '<'), 0)
	if d.Doc[at] != '@' || arrow == at || arrow+1 >= stop || d.Doc[arrow+1] != '@' || next == d.End {
		d.edgeSyntax()
		return
	}
	target, source := d.SymbolID(at, arrow), d.SymbolID(arrow+1, stop)
	ends := edgeEnds{source: int32(d.ids.position(source)), target: int32(d.ids.position(target))}
	if ends.source < 0 || ends.target < 0 {
		d.Refuse(at, wire.Error{Code: "unknown_edge_reference", Kind: wire.ErrSyntax,
			Message: "an edge to an id that no symbol before it has"})
		return
	}
	var e Edge
	stop, last := d.Word(next, d.End)
	e.Type = d.Doc[next:stop]
	if status := last; status < d.End {
		stop, last = d.Word(status, d.End)
		e.Status = d.Doc[status:stop]
	}
	if last < d.End || !isWord(e.Type) || e.Status != "" && !isWord(e.Status) {
		d.edgeSyntax()
	}
	e.Status = e.status()
	e.Source, e.Target = d.graph.Symbols[ends.source].QualifiedName, d.graph.Symbols[ends.target].QualifiedName
	d.graph.Edges = append(d.graph.Edges, e)
	d.ends = append(d.ends, ends)
	d.edgeCount++
}

func (d *graphDecoder) edgeSyntax() {
	d.RefuseSyntax(d.Lines.Start, "invalid_edge_syntax", "an edge line has the form @target<@source type [status]")
}
