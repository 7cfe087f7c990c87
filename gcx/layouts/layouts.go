// Package layouts has the document's layouts of tools, the section "Per-tool field
// layouts": a struct for each result, which [gcx.Marshal] writes and [gcx.Unmarshal] reads.
//
//	var r layouts.SearchSymbols
//	err := gcx.Unmarshal(payload, &r)
//
// They are written with exactly the document's columns and read by the names of the
// columns, for producers have since put further ones between them. A tool of one's own
// has a struct with tags as these have, see [gcx.Extras].
package layouts

import (
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

// Symbol is a row of search_symbols.
type Symbol struct {
	Node
	Sig string `json:"sig"`
}

// SearchSymbols is the result of search_symbols.
type SearchSymbols struct {
	Total     int      `gcx:"total"`
	Truncated bool     `gcx:"truncated"`
	Symbols   []Symbol `gcx:"search_symbols"`
	gcx.Extras
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
	Symbol SymbolSource `gcx:"get_symbol_source"`
	gcx.Extras
}

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
	IncludeSource bool          `gcx:"source,column"`
	Symbols       []BatchSymbol `gcx:"batch_symbols"`
	gcx.Extras
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
	Usages []Usage `gcx:"find_usages"`
	gcx.Extras
}

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
	TotalNodes int          `gcx:"total_nodes"`
	TotalEdges int          `gcx:"total_edges"`
	Truncated  bool         `gcx:"truncated"`
	ETag       string       `gcx:"etag"`
	Symbols    []FileSymbol `gcx:"get_file_summary"`
	gcx.Extras
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
	Tool  string `gcx:"*"`
	Nodes []Node `gcx:"*.nodes"`
	Edges []Edge `gcx:"*.edges"`
	gcx.Extras
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
	Target       EditTarget `gcx:"get_editing_context.target"`
	Callers      []Node     `gcx:"get_editing_context.callers"`
	Dependencies []Node     `gcx:"get_editing_context.dependencies"`
	Tests        []TestFile `gcx:"get_editing_context.tests"`
	gcx.Extras
}

// ScoredSymbol is a row of smart_context.symbols.
type ScoredSymbol struct {
	Node
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
}

// Task is the row of smart_context.task.
type Task struct {
	Task string `json:"task"`
}

// SmartContext is the result of smart_context: exactly one task.
type SmartContext struct {
	Task    Task           `gcx:"smart_context.task"`
	Symbols []ScoredSymbol `gcx:"smart_context.symbols"`
	gcx.Extras
}

// DeadCode is a row of analyze.dead_code.
type DeadCode struct {
	Node
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
	Size     int      `json:"size"`
	Severity string   `json:"severity"`
	Nodes    []string `json:"nodes" gcx:"comma"`
}

// Analyze is the result of analyze, whose layout depends on its kind. The
// kinds "dead_code", "hotspots" and "cycles" have rows of their own; any other
// has a value, which the generic fallback writes.
type Analyze struct {
	Kind     string     `gcx:"*"`
	DeadCode []DeadCode `gcx:"analyze.*=dead_code"`
	Hotspots []Hotspot  `gcx:"analyze.*=hotspots"`
	Cycles   []Cycle    `gcx:"analyze.*=cycles"`
	Other    wire.Value `gcx:"analyze.*"`
	gcx.Extras
}

// Contract is a row of contracts.list.
type Contract struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Method    string   `json:"method"`
	Path      string   `json:"path"`
	Service   string   `json:"service"`
	Providers []string `json:"providers" gcx:"comma"`
	Consumers []string `json:"consumers" gcx:"comma"`
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
	List    []Contract       `gcx:"contracts.list"`
	Check   bool             `gcx:",section"`
	Orphans []ContractOrphan `gcx:"contracts.orphans"`
	gcx.Extras
}

// GetRepoOutline is the result of get_repo_outline: one section for each list,
// whose columns the document leaves to the generic fallback. A null is a list
// that is not there.
type GetRepoOutline struct {
	Languages    wire.Value `gcx:"get_repo_outline.languages,list"`
	Communities  wire.Value `gcx:"get_repo_outline.communities,list"`
	Hotspots     wire.Value `gcx:"get_repo_outline.hotspots,list"`
	MostImported wire.Value `gcx:"get_repo_outline.most_imported,list"`
	EntryPoints  wire.Value `gcx:"get_repo_outline.entry_points,list"`
	gcx.Extras
}
