package anthropic

import (
	"errors"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// A Call is what a model has written of the input of a tool.
type Call struct {
	ID, Name string
	Input    *partial.Parser // its value so far
	start    string          // the input that the start of the block has, mostly {}
}

// StreamCalls reads the inputs of tools while the model writes them, and shows each after every
// piece. It returns the calls whose input is whole; the error wraps partial.ErrCut if one is
// not, for a limit of tokens may end the message anywhere.
func StreamCalls(stream *ssestream.Stream[anthropic.MessageStreamEventUnion], show func(*Call)) (calls []*Call, err error) {
	open := map[int64]*Call{}
	var empty *Call // the last call, if it has no piece
	var reason anthropic.StopReason
	for stream.Next() {
		switch event := stream.Current().AsAny().(type) {
		case anthropic.ContentBlockStartEvent:
			if block, ok := event.ContentBlock.AsAny().(anthropic.ToolUseBlock); ok {
				empty = nil
				open[event.Index] = &Call{block.ID, block.Name, partial.NewParser(partial.Options{Limits: wire.Untrusted()}), string(block.Input)}
			}
		case anthropic.ContentBlockDeltaEvent:
			delta, ok := event.Delta.AsAny().(anthropic.InputJSONDelta)
			if call := open[event.Index]; ok && call != nil && delta.PartialJSON != "" {
				if _, err := call.Input.WriteString(delta.PartialJSON); err != nil {
					return calls, err
				}
				show(call)
			}
		case anthropic.ContentBlockStopEvent:
			if call := open[event.Index]; call != nil {
				delete(open, event.Index)
				cut := call.Input.Close()
				if errors.Is(cut, partial.ErrEmpty) { // no piece came: what the start has is all, unless it is cut off
					if call.start == "{}" {
						empty = call
					}
					call.Input = partial.NewParser(partial.Options{Limits: wire.Untrusted()})
					_, _ = call.Input.WriteString(call.start)
					cut = call.Input.Close()
				}
				if cut == nil {
					calls = append(calls, call)
				}
				err = errors.Join(err, cut)
			}
		case anthropic.MessageDeltaEvent:
			reason = event.Delta.StopReason
		}
	}
	if empty != nil && reason != anthropic.StopReasonToolUse {
		calls, err = calls[:len(calls)-1], errors.Join(err, partial.ErrCut)
	}
	for _, call := range open { // the stream ended within them
		err = errors.Join(err, call.Input.Close(), partial.ErrCut)
	}
	return calls, errors.Join(err, stream.Err())
}
