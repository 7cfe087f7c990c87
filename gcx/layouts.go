package gcx

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/wire"
)

// The types of this file are the document's section "Per-tool field layouts".
// They are written with exactly its columns and read by the names of the
// columns, for producers have since put further ones between them.

// A Result is a tool's result in one of the document's layouts:
// [*SearchSymbols], [*GetSymbolSource], [*BatchSymbols], [*FindUsages],
// [*GetFileSummary], [*Graph], [*GetEditingContext], [*SmartContext],
// [*Analyze], [*Contracts] and [*GetRepoOutline].
type Result interface {
	// exchange names the result's sections to x, which writes or reads them.
	exchange(x *exchange)
	extras() *Extras
}

// Extras are what a payload has beyond its layout. They are written behind
// what the layout has.
type Extras struct {
	Meta     []Meta            // further pairs of the first section's header
	Later    map[string][]Meta // those of the layout's other sections, by their tools
	Sections []Section         // further sections
}

func (e *Extras) extras() *Extras { return e }

// Symbol is a row of search_symbols.
type Symbol struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Sig  string `json:"sig"`
}

// SearchSymbols is the result of search_symbols.
type SearchSymbols struct {
	Total     int
	Truncated bool
	Symbols   []Symbol
	Extras
}

func (r *SearchSymbols) exchange(x *exchange) {
	x.rows("search_symbols", &r.Symbols, metaField{"total", &r.Total}, metaField{"truncated", &r.Truncated})
}

// SymbolSource is the row of get_symbol_source.
type SymbolSource struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	// FromLine is the first line of Source, which may precede StartLine.
	FromLine int    `json:"from_line"`
	Sig      string `json:"sig"`
	ETag     string `json:"etag"`
	Source   string `json:"source"`
}

// GetSymbolSource is the result of get_symbol_source: exactly one row.
type GetSymbolSource struct {
	Symbol SymbolSource
	Extras
}

func (r *GetSymbolSource) exchange(x *exchange) { one(x, "get_symbol_source", &r.Symbol) }

// BatchSymbol is a row of batch_symbols.
type BatchSymbol struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Path      string `json:"path"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Sig       string `json:"sig"`
	Source    string `json:"source"`
	Error     string `json:"error"` // not empty if the symbol could not be resolved
}

// BatchSymbols is the result of batch_symbols. The column source is there only
// if IncludeSource.
type BatchSymbols struct {
	IncludeSource bool
	Symbols       []BatchSymbol
	Extras
}

func (r *BatchSymbols) exchange(x *exchange) {
	const tool = "batch_symbols"
	if x.reading {
		s := x.find(tool)
		r.IncludeSource = s != nil && slices.Contains(s.Fields, "source")
	} else if !r.IncludeSource {
		x.leaveOut = "source"
	}
	x.rows(tool, &r.Symbols)
}

// Usage is a row of find_usages.
type Usage struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	EdgeKind   string  `json:"edge_kind"`
	Origin     string  `json:"origin"`
	Confidence float64 `json:"confidence"`
	FromName   string  `json:"from_name"`
	FromPath   string  `json:"from_path"`
	FromLine   int     `json:"from_line"`
}

// FindUsages is the result of find_usages.
type FindUsages struct {
	Usages []Usage
	Extras
}

func (r *FindUsages) exchange(x *exchange) { x.rows("find_usages", &r.Usages) }

// FileSymbol is a row of get_file_summary.
type FileSymbol struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Line int    `json:"line"`
	Sig  string `json:"sig"`
}

// GetFileSummary is the result of get_file_summary.
type GetFileSummary struct {
	TotalNodes int
	TotalEdges int
	Truncated  bool
	ETag       string
	Symbols    []FileSymbol
	Extras
}

func (r *GetFileSummary) exchange(x *exchange) {
	x.rows("get_file_summary", &r.Symbols, metaField{"total_nodes", &r.TotalNodes}, metaField{"total_edges", &r.TotalEdges},
		metaField{"truncated", &r.Truncated}, metaField{"etag", &r.ETag})
}

// Node is a row of a section of symbols: .nodes, .callers, .dependencies.
type Node struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Path string `json:"path"`
	Line int    `json:"line"`
}

// Edge is a row of a section .edges.
type Edge struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Kind       string  `json:"kind"`
	Origin     string  `json:"origin"`
	Confidence float64 `json:"confidence"`
	Label      string  `json:"label"`
}

// Graph is the result of the five tools that answer with nodes and edges:
// get_callers, get_call_chain, get_dependencies, get_dependents and
// find_implementations. Reading sets Tool to that of the section .nodes, or of
// .edges if that is the only one.
type Graph struct {
	Tool  string
	Nodes []Node
	Edges []Edge
	Extras
}

func (r *Graph) exchange(x *exchange) {
	if x.reading {
		r.Tool = x.baseOf(".nodes", ".edges")
	}
	switch {
	case r.Tool != "":
	case x.reading:
		return // no section is a graph's
	default:
		x.fail(shape("missing_tool", "a graph needs a tool"))
		return
	}
	x.rows(r.Tool+".nodes", &r.Nodes)
	x.rows(r.Tool+".edges", &r.Edges)
}

// EditTarget is the row of the section .target.
type EditTarget struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Sig       string `json:"sig"`
	ETag      string `json:"etag"`
}

// TestFile is a row of the section .tests.
type TestFile struct {
	Path string `json:"path"`
}

// GetEditingContext is the result of get_editing_context: exactly one target.
type GetEditingContext struct {
	Target       EditTarget
	Callers      []Node
	Dependencies []Node
	Tests        []TestFile
	Extras
}

func (r *GetEditingContext) exchange(x *exchange) {
	const tool = "get_editing_context"
	one(x, tool+".target", &r.Target)
	x.rows(tool+".callers", &r.Callers)
	x.rows(tool+".dependencies", &r.Dependencies)
	x.rows(tool+".tests", &r.Tests)
}

// ScoredSymbol is a row of smart_context.symbols.
type ScoredSymbol struct {
	ID     string  `json:"id"`
	Kind   string  `json:"kind"`
	Name   string  `json:"name"`
	Path   string  `json:"path"`
	Line   int     `json:"line"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
}

// Task is the row of smart_context.task.
type Task struct {
	Task string `json:"task"`
}

// SmartContext is the result of smart_context: exactly one task.
type SmartContext struct {
	Task    Task
	Symbols []ScoredSymbol
	Extras
}

func (r *SmartContext) exchange(x *exchange) {
	one(x, "smart_context.task", &r.Task)
	x.rows("smart_context.symbols", &r.Symbols)
}

// DeadCode is a row of analyze.dead_code.
type DeadCode struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// Hotspot is a row of analyze.hotspots.
type Hotspot struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	FanIn    int     `json:"fan_in"`
	FanOut   int     `json:"fan_out"`
	CrossCut int     `json:"cross_cut"`
	Score    float64 `json:"score"`
}

// Cycle is a row of analyze.cycles.
type Cycle struct {
	Size     int       `json:"size"`
	Severity string    `json:"severity"`
	Nodes    CommaList `json:"nodes"`
}

// Analyze is the result of analyze, whose layout depends on its kind. The
// kinds "dead_code", "hotspots" and "cycles" have rows of their own; any other
// has a value, which the generic fallback writes.
type Analyze struct {
	Kind     string
	DeadCode []DeadCode
	Hotspots []Hotspot
	Cycles   []Cycle
	Other    wire.Value
	Extras
}

func (r *Analyze) exchange(x *exchange) {
	const prefix = "analyze."
	if x.reading {
		r.Kind = x.suffixOf(prefix)
	}
	switch tool := prefix + r.Kind; r.Kind {
	case "":
		x.fail(shape("missing_tool", "analyze needs a kind"))
	case "dead_code":
		x.rows(tool, &r.DeadCode)
	case "hotspots":
		x.rows(tool, &r.Hotspots)
	case "cycles":
		x.rows(tool, &r.Cycles)
	default:
		x.value(tool, &r.Other)
	}
}

// Contract is a row of contracts.list.
type Contract struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Method    string    `json:"method"`
	Path      string    `json:"path"`
	Service   string    `json:"service"`
	Providers CommaList `json:"providers"`
	Consumers CommaList `json:"consumers"`
}

// ContractOrphan is a row of contracts.orphans.
type ContractOrphan struct {
	ContractID string `json:"contract_id"`
	Side       string `json:"side"`
	Repo       string `json:"repo"`
	Symbol     string `json:"symbol"`
}

// Contracts is the result of contracts. The section of orphans is there only
// if Check, the action that looks for them.
type Contracts struct {
	List    []Contract
	Check   bool
	Orphans []ContractOrphan
	Extras
}

func (r *Contracts) exchange(x *exchange) {
	x.rows("contracts.list", &r.List)
	if x.reading {
		r.Check = x.find("contracts.orphans") != nil
	}
	if r.Check {
		x.rows("contracts.orphans", &r.Orphans)
	}
}

// GetRepoOutline is the result of get_repo_outline: one section for each list,
// whose columns the document leaves to the generic fallback. A null is a list
// that is not there.
type GetRepoOutline struct {
	Languages    wire.Value
	Communities  wire.Value
	Hotspots     wire.Value
	MostImported wire.Value
	EntryPoints  wire.Value
	Extras
}

func (r *GetRepoOutline) exchange(x *exchange) {
	for _, list := range []struct {
		key   string
		value *wire.Value
	}{{"languages", &r.Languages}, {"communities", &r.Communities}, {"hotspots", &r.Hotspots},
		{"most_imported", &r.MostImported}, {"entry_points", &r.EntryPoints}} {
		if x.reading || !list.value.IsNull() {
			x.list("get_repo_outline."+list.key, list.value)
		}
	}
}

// AppendResult appends a result in its layout.
func (c Codec) AppendResult(dst []byte, r Result) ([]byte, error) {
	x := exchange{c: c, extras: r.extras(), dst: dst, max: bound.Add(len(dst), c.Limits.Resolved().OutputBytes)}
	r.exchange(&x)
	for i := range x.extras.Sections {
		x.section(x.extras.Sections[i])
	}
	if x.err == nil {
		x.err = checkText(x.dst[len(dst):])
	}
	if x.err != nil {
		return dst, x.err
	}
	return x.dst, nil
}

// DecodeResult reads a payload into a result, which it replaces as a whole or,
// on error, not at all. Columns, pairs and sections that the layout does not
// have are kept in its Extras or, columns, passed over. A section without rows,
// or that is not there, gives a nil slice; where the layout wants exactly one
// row, that is an error, unless the codec is lenient.
func (c Codec) DecodeResult(src []byte, r Result) error {
	sections, at, err := c.decodeSections(src)
	if err != nil {
		return err
	}
	target := reflect.ValueOf(r).Elem()
	fresh := reflect.New(target.Type())
	result, _ := fresh.Interface().(Result)
	x := exchange{c: c, extras: result.extras(), reading: true, src: src, in: sections, at: at, used: make([]bool, len(sections))}
	result.exchange(&x)
	switch {
	case x.err != nil:
		return x.err
	case !slices.Contains(x.used, true):
		return shape("other_tool", "no section is one of this result's, the first is of "+strconv.Quote(sections[0].Tool))
	}
	for i, used := range x.used {
		if !used {
			x.extras.Sections = append(x.extras.Sections, sections[i])
		}
	}
	target.Set(fresh.Elem())
	return nil
}

// An exchange writes a result's sections, or reads them.
type exchange struct {
	c       Codec
	extras  *Extras
	reading bool
	err     error

	dst      []byte // writing
	max      int
	begun    bool
	leaveOut string // a field that is not written

	src  []byte // reading
	in   []Section
	at   []line // where the headers of in begin in src
	used []bool
}

// metaField is a pair of a header and the field it is kept in: an *int or a
// *bool, always written, or a *string, written if not empty.
type metaField struct {
	key   string
	field any
}

func (x *exchange) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

// rows exchanges the section of a tool, a pointer to a slice of typed rows.
func (x *exchange) rows(tool string, rows any, meta ...metaField) {
	if x.err != nil {
		return
	}
	if x.reading {
		if s := x.take(tool); s != nil {
			x.readMeta(s, meta)
			if len(s.Rows) == 0 {
				return
			}
			if err := s.Scan(rows); err != nil {
				x.fail(wire.AtKey(err, tool))
			}
		}
		return
	}
	h := Header{Tool: tool}
	for _, m := range meta {
		if text := m.text(); text != "" {
			h.Meta = append(h.Meta, Meta{m.key, text})
		}
	}
	if x.typedRows(h, reflect.ValueOf(rows).Elem()) {
		return
	}
	s, err := RowSection(h, reflect.ValueOf(rows).Elem().Interface())
	if err == nil && x.leaveOut != "" {
		fields := slices.DeleteFunc(slices.Clone(s.Fields), func(f string) bool { return f == x.leaveOut })
		h.Fields = fields
		s, err = RowSection(h, reflect.ValueOf(rows).Elem().Interface())
	}
	if err != nil {
		x.fail(wire.AtKey(err, tool))
		return
	}
	x.section(s)
}

// one is rows for a section of exactly one.
func one[T any](x *exchange, tool string, row *T) {
	rows := []T{*row}
	x.rows(tool, &rows)
	if !x.reading || x.err != nil {
		return
	}
	var zero T
	switch s := x.find(tool); {
	case s != nil && len(s.Rows) == 1, len(rows) > 0 && x.c.Lenient && s != nil && len(s.Rows) > 0:
		*row = rows[0]
	case x.c.Lenient:
		*row = zero
	default:
		x.fail(&wire.Error{Format: name, Code: "row_count_mismatch", Kind: wire.ErrChecksum,
			Message: "section " + strconv.Quote(tool) + " must have exactly one row"})
	}
}

// list exchanges the section of a tool, which the generic fallback writes and
// whose value is an array, however many rows it has.
func (x *exchange) list(tool string, v *wire.Value) {
	if x.value(tool, v); x.reading && x.err == nil && v.Kind() != wire.KindArray && x.find(tool) != nil {
		*v = wire.Array(*v)
	}
}

// value exchanges the section of a tool, which the generic fallback writes.
func (x *exchange) value(tool string, v *wire.Value) {
	if x.err != nil {
		return
	}
	if x.reading {
		s := x.take(tool)
		if s == nil {
			*v = wire.Value{}
			return
		}
		x.readMeta(s, nil)
		var err error
		if *v, err = x.sectionValue(s); err != nil {
			x.fail(err)
		}
		return
	}
	e := newValueEncoder(x.c, x.dst)
	e.plainSection(plainTool(tool), *v, x.furtherMeta(tool), 0)
	out, err := e.finish(*v)
	x.dst = out
	x.fail(err)
	if err == nil && len(out) > x.max {
		x.fail(outputTooLong())
	}
}

// sectionValue returns the value of a section alone, from its text: where a row
// is a blank line, that alone tells it from none.
func (x *exchange) sectionValue(s *Section) (wire.Value, error) {
	i := 0
	for &x.in[i] != s {
		i++
	}
	end := len(x.src)
	if i+1 < len(x.at) {
		end = x.at[i+1].at
	}
	v, err := x.c.sectionValue(x.src[x.at[i].at:end])
	if e, ok := err.(*wire.Error); ok {
		return wire.Value{}, e.Moved(x.at[i].at, x.at[i].number-1)
	}
	return v, err
}

// sectionValue returns the value of the section that text is.
func (c Codec) sectionValue(text []byte) (wire.Value, error) {
	p, err := newPayload(c, text)
	if err != nil {
		return wire.Value{}, err
	}
	d := valueDecoder{payload: p, values: p.limits.Values}
	h, keys, next, err := d.header(0)
	if err != nil {
		return wire.Value{}, err
	}
	rows, _, err := d.rows(&h, keys, next)
	if err != nil {
		return wire.Value{}, err
	}
	return d.alone(&decodedSection{h, rows})
}

// section writes a section; the first one gets the further pairs.
func (x *exchange) section(s Section) {
	if x.err != nil {
		return
	}
	s.Meta = append(slices.Clip(s.Meta), x.furtherMeta(s.Tool)...)
	out, err := x.c.appendSection(x.dst, &s, x.max)
	x.dst = out
	x.fail(err)
}

// furtherMeta returns the pairs of a section's header that its layout does not
// have. It is asked once for each section, in order.
func (x *exchange) furtherMeta(tool string) []Meta {
	meta := slices.Clone(x.extras.Later[tool])
	if !x.begun {
		meta = append(meta, x.extras.Meta...)
	}
	x.begun = true
	return meta
}

// find returns the section of a tool.
func (x *exchange) find(tool string) *Section {
	for i := range x.in {
		if x.in[i].Tool == tool {
			return &x.in[i]
		}
	}
	return nil
}

// take is find, and notes that the layout has the section.
func (x *exchange) take(tool string) *Section {
	for i := range x.in {
		if x.in[i].Tool == tool && !x.used[i] {
			x.used[i] = true
			return &x.in[i]
		}
	}
	return nil
}

// baseOf returns the tool of the section with the first of the suffixes that
// some section has.
func (x *exchange) baseOf(suffixes ...string) string {
	for _, suffix := range suffixes {
		for i := range x.in {
			if base, ok := strings.CutSuffix(x.in[i].Tool, suffix); ok && base != "" {
				return base
			}
		}
	}
	return ""
}

// suffixOf returns what follows the prefix in the tool that has it.
func (x *exchange) suffixOf(prefix string) string {
	for i := range x.in {
		if suffix, ok := strings.CutPrefix(x.in[i].Tool, prefix); ok {
			return suffix
		}
	}
	return ""
}

// readMeta stores the pairs of a header and keeps those that the layout does
// not have, but for the numbers of rows and sections, which may become others.
func (x *exchange) readMeta(s *Section, fields []metaField) {
	for _, m := range s.Meta {
		i := slices.IndexFunc(fields, func(f metaField) bool { return f.key == m.Key })
		if i >= 0 {
			if err := fields[i].set(m.Value); err != nil {
				x.fail(err)
			}
			continue
		}
		if m.Key == metaRows || m.Key == metaSections && s.sections() > 0 {
			continue
		}
		if s == &x.in[0] {
			x.extras.Meta = append(x.extras.Meta, m)
			continue
		}
		if x.extras.Later == nil {
			x.extras.Later = make(map[string][]Meta)
		}
		x.extras.Later[s.Tool] = append(x.extras.Later[s.Tool], m)
	}
}

func (f metaField) text() string {
	switch p := f.field.(type) {
	case *int:
		return strconv.Itoa(*p)
	case *bool:
		return strconv.FormatBool(*p)
	case *string:
		return *p
	}
	return ""
}

func (f metaField) set(text string) error {
	var err error
	switch p := f.field.(type) {
	case *int:
		*p, err = strconv.Atoi(text)
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *string:
		*p = text
	}
	if err != nil {
		return &wire.Error{Format: name, Code: "wrong_meta", Kind: wire.ErrShape,
			Message: "meta pair " + f.key + "=" + strconv.Quote(text)}
	}
	return nil
}
