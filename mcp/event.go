package mcp

import "time"

// ReasonConverted is the Reason of a result that was rewritten, or would have been in a
// dry run.
const ReasonConverted = "converted"

// An Event tells what became of one result of a tool. It has no data of the
// result. Its JSON is a line of a statistics file.
type Event struct {
	Time   time.Time `json:"time"`
	Server string    `json:"server,omitempty"` // as the Rewriter names it, or as it names itself
	Tool   string    `json:"tool"`
	Mode   Mode      `json:"mode"`
	// Reason is [ReasonConverted], or why the result is what it was: "off" (a mode, a
	// rule or the request said so), "too-large" (above MaxBytes or MaxSteps), "small"
	// (below MinTokens), "no-gain" (less than MinSaving), "not-json" (no JSON, or none
	// that is an object or an array), "mixed" (structuredContent beside images or
	// resources), "not-ready" (an error's message, or a request for input), "kept" (the
	// server has rewritten it, or says that it is to stay), "failed" (see Error).
	Reason string `json:"reason"`
	// Format is the full name of what was chosen: "gcf", "json+fold". It is
	// "text" where structuredContent said no more than the text beside it.
	Format string `json:"format,omitempty"`
	// BytesIn and BytesOut are the lengths of the result.
	BytesIn  int `json:"bytes_in"`
	BytesOut int `json:"bytes_out"`
	// TokensIn is what a model would have been shown of the data: JSON of
	// structuredContent, or the text where there is none. TokensOut is what it
	// is shown now. Both are 0 where nothing was counted.
	TokensIn  int `json:"tokens_in,omitempty"`
	TokensOut int `json:"tokens_out,omitempty"`
	// Counter is the name of the counter. No counter is exact for models whose
	// vocabulary is not public.
	Counter string `json:"counter,omitempty"`
	// Omitted is the number of members that rules left out: a loss.
	Omitted int `json:"omitted,omitempty"`
	// Largest is the pattern of the rule omit that would leave out most of the
	// data, and LargestPart the part of its bytes that those members have.
	Largest     string  `json:"largest,omitempty"`
	LargestPart float64 `json:"largest_part,omitempty"`
	// Duration is the time that it took, in nanoseconds.
	Duration time.Duration `json:"duration_ns"`
	// Error is what happened, if Reason is "failed".
	Error string `json:"error,omitempty"`
}
