// Package layouts has the document's layouts of tools, the section "Per-tool field
// layouts": a struct for each result, which [gcx.Codec.AppendResult] writes and
// [gcx.Codec.DecodeResult] reads.
//
//	var r layouts.SearchSymbols
//	err := gcx.Codec{}.DecodeResult(payload, &r)
//
// They are written with exactly the document's columns and read by the names of the
// columns, for producers have since put further ones between them. A layout of a
// tool of one's own is a [gcx.Result] as these are.
package layouts

import (
	"slices"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

func pair(key string, field any) gcx.MetaField { return gcx.MetaField{Key: key, Field: field} }

func missingTool(message string) error {
	return &wire.Error{Format: "gcx", Code: "missing_tool", Kind: wire.ErrShape, Message: message}
}

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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *SearchSymbols) Exchange(x *gcx.Exchange) {
	x.Rows("search_symbols", &r.Symbols, pair("total", &r.Total), pair("truncated", &r.Truncated))
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *GetSymbolSource) Exchange(x *gcx.Exchange) { x.Row("get_symbol_source", &r.Symbol) }

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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *BatchSymbols) Exchange(x *gcx.Exchange) {
	const tool = "batch_symbols"
	if x.Reading() {
		h := x.Header(tool)
		r.IncludeSource = h != nil && slices.Contains(h.Fields, "source")
	} else if !r.IncludeSource {
		x.LeaveOut("source")
	}
	x.Rows(tool, &r.Symbols)
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *FindUsages) Exchange(x *gcx.Exchange) { x.Rows("find_usages", &r.Usages) }

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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *GetFileSummary) Exchange(x *gcx.Exchange) {
	x.Rows("get_file_summary", &r.Symbols, pair("total_nodes", &r.TotalNodes), pair("total_edges", &r.TotalEdges),
		pair("truncated", &r.Truncated), pair("etag", &r.ETag))
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *Graph) Exchange(x *gcx.Exchange) {
	if x.Reading() {
		r.Tool = x.ToolWithSuffix(".nodes", ".edges")
	}
	switch {
	case r.Tool != "":
	case x.Reading():
		return // no section is a graph's
	default:
		x.Fail(missingTool("a graph needs a tool"))
		return
	}
	x.Rows(r.Tool+".nodes", &r.Nodes)
	x.Rows(r.Tool+".edges", &r.Edges)
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *GetEditingContext) Exchange(x *gcx.Exchange) {
	const tool = "get_editing_context"
	x.Row(tool+".target", &r.Target)
	x.Rows(tool+".callers", &r.Callers)
	x.Rows(tool+".dependencies", &r.Dependencies)
	x.Rows(tool+".tests", &r.Tests)
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *SmartContext) Exchange(x *gcx.Exchange) {
	x.Row("smart_context.task", &r.Task)
	x.Rows("smart_context.symbols", &r.Symbols)
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
	Size     int           `json:"size"`
	Severity string        `json:"severity"`
	Nodes    gcx.CommaList `json:"nodes"`
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *Analyze) Exchange(x *gcx.Exchange) {
	const prefix = "analyze."
	if x.Reading() {
		r.Kind = x.ToolWithPrefix(prefix)
	}
	switch tool := prefix + r.Kind; r.Kind {
	case "":
		x.Fail(missingTool("analyze needs a kind"))
	case "dead_code":
		x.Rows(tool, &r.DeadCode)
	case "hotspots":
		x.Rows(tool, &r.Hotspots)
	case "cycles":
		x.Rows(tool, &r.Cycles)
	default:
		x.Value(tool, &r.Other)
	}
}

// Contract is a row of contracts.list.
type Contract struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Method    string        `json:"method"`
	Path      string        `json:"path"`
	Service   string        `json:"service"`
	Providers gcx.CommaList `json:"providers"`
	Consumers gcx.CommaList `json:"consumers"`
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *Contracts) Exchange(x *gcx.Exchange) {
	x.Rows("contracts.list", &r.List)
	if x.Reading() {
		r.Check = x.Header("contracts.orphans") != nil
	}
	if r.Check {
		x.Rows("contracts.orphans", &r.Orphans)
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
	gcx.Extras
}

// Exchange names the sections of the result.
func (r *GetRepoOutline) Exchange(x *gcx.Exchange) {
	for _, list := range []struct {
		key   string
		value *wire.Value
	}{{"languages", &r.Languages}, {"communities", &r.Communities}, {"hotspots", &r.Hotspots},
		{"most_imported", &r.MostImported}, {"entry_points", &r.EntryPoints}} {
		if x.Reading() || !list.value.IsNull() {
			x.List("get_repo_outline."+list.key, list.value)
		}
	}
}
