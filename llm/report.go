package llm

import (
	"time"

	"github.com/wirekit/wirekit/internal/rewrite"
)

// A Report says what became of a request. It has no data of the request but the names
// of the model and of tools. Its JSON is a line of a statistics file.
type Report struct {
	Time    time.Time `json:"time"`
	Profile string    `json:"profile"`
	Shape   Shape     `json:"shape"`
	Model   string    `json:"model,omitempty"`
	// Reason is why nothing of the request was looked at, as in an event of package mcp;
	// empty if it was.
	Reason string `json:"reason,omitempty"`
	// Blocks are the texts that could be rewritten, in their order.
	Blocks []Block `json:"blocks,omitempty"`
	// BytesIn and BytesOut are the lengths of the body.
	BytesIn  int `json:"bytes_in"`
	BytesOut int `json:"bytes_out"`
	// TokensIn and TokensOut are those of the blocks that were counted.
	TokensIn  int `json:"tokens_in,omitempty"`
	TokensOut int `json:"tokens_out,omitempty"`
	// Counter is the name of the counter. No counter is exact for models whose
	// vocabulary is not public.
	Counter string `json:"counter,omitempty"`
	// Refused says that the provider answered 400 to the rewritten request, so that
	// the original was sent after it.
	Refused bool `json:"refused,omitempty"`
	// Duration is the time that it took, in nanoseconds.
	Duration time.Duration `json:"duration_ns"`
	// Error is what happened, if Reason is "failed".
	Error string `json:"error,omitempty"`
}

func (r *Report) fail(why string) {
	*r = Report{
		Time: r.Time, Profile: r.Profile, Shape: r.Shape, Reason: string(rewrite.Failed), Counter: r.Counter,
		BytesIn: r.BytesIn, BytesOut: r.BytesIn, Error: why,
	}
}

// A Block is a text of a request.
type Block struct {
	// Kind is "result" (of a tool), "user" (a user's message, with Users) or "document"
	// (with Documents).
	Kind string `json:"kind"`
	Tool string `json:"tool,omitempty"` // if its call is in the request
	// Reason is that of an event of package mcp.
	Reason string `json:"reason"`
	// Format is what it was rewritten to: "gcx"; "repeat" for the name of an earlier
	// call.
	Format    string `json:"format,omitempty"`
	TokensIn  int    `json:"tokens_in,omitempty"` // 0 if not counted
	TokensOut int    `json:"tokens_out,omitempty"`
	Omitted   int    `json:"omitted,omitempty"` // members that rules left out: a loss
}
