package openai

import (
	"errors"
	"maps"
	"slices"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// A Call is what a model has written of the arguments of a tool.
type Call struct {
	ID, Name  string
	Arguments *partial.Parser // their value so far
}

func newCall(id, name string) *Call {
	return &Call{ID: id, Name: name, Arguments: partial.NewParser(partial.Options{Limits: wire.Untrusted()})}
}

// write adds a piece and shows the call.
func (c *Call) write(piece string, show func(*Call)) error {
	if piece == "" {
		return nil
	}
	_, err := c.Arguments.WriteString(piece)
	if err == nil {
		show(c)
	}
	return err
}

// StreamCalls reads the arguments of tools of the first choice while the model writes them, and
// shows each call after every piece. It returns the calls whose arguments are whole; the error
// wraps partial.ErrCut if one's are not, for a limit of tokens may end them anywhere.
func StreamCalls(stream *ssestream.Stream[openai.ChatCompletionChunk], show func(*Call)) ([]*Call, error) {
	open := map[int64]*Call{}
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			for _, delta := range choice.Delta.ToolCalls {
				if choice.Index != 0 {
					continue
				}
				if open[delta.Index] == nil {
					open[delta.Index] = newCall(delta.ID, delta.Function.Name)
				}
				if err := open[delta.Index].write(delta.Function.Arguments, show); err != nil {
					return nil, err
				}
			}
		}
	}
	return whole(open, stream.Err())
}

// StreamResponse is StreamCalls for the Responses API.
func StreamResponse(stream *ssestream.Stream[responses.ResponseStreamEventUnion], show func(*Call)) ([]*Call, error) {
	open := map[int64]*Call{}
	for stream.Next() {
		switch event := stream.Current().AsAny().(type) {
		case responses.ResponseOutputItemAddedEvent:
			if call, ok := event.Item.AsAny().(responses.ResponseFunctionToolCall); ok {
				open[event.OutputIndex] = newCall(call.CallID, call.Name)
			}
		case responses.ResponseFunctionCallArgumentsDeltaEvent: // the event done has all of it again
			if call := open[event.OutputIndex]; call != nil {
				if err := call.write(event.Delta, show); err != nil {
					return nil, err
				}
			}
		}
	}
	return whole(open, stream.Err())
}

// whole ends the arguments of calls, and returns those that are whole in the order of the calls.
func whole(open map[int64]*Call, err error) (calls []*Call, _ error) {
	for _, i := range slices.Sorted(maps.Keys(open)) {
		if cut := open[i].Arguments.Close(); cut != nil {
			err = errors.Join(err, cut)
		} else {
			calls = append(calls, open[i])
		}
	}
	return calls, err
}
