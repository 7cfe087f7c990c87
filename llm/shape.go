package llm

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/base/splice"
)

// A Shape is the form of a request.
type Shape uint8

const (
	// ShapeNone is a request whose form is not known: it stays as it is.
	ShapeNone Shape = iota
	// ShapeChat is that of OpenAI's Chat Completions, which many others understand.
	ShapeChat
	// ShapeResponses is that of OpenAI's Responses.
	ShapeResponses
	// ShapeMessages is that of Anthropic's Messages, and of its counting of tokens.
	ShapeMessages
	// ShapeGemini is that of Gemini's generateContent and streamGenerateContent.
	ShapeGemini
)

var shapes = enum.New[Shape]("llm.Shape", "none", "chat", "responses", "messages", "gemini")

// String returns the shape's name: "chat".
func (s Shape) String() string { return shapes.String(s) }

// MarshalText returns the shape's name.
func (s Shape) MarshalText() ([]byte, error) { return shapes.Marshal(s) }

// UnmarshalText takes a name that String returns.
func (s *Shape) UnmarshalText(text []byte) error { return shapes.Unmarshal(s, text) }

// paths are the ends of the paths that requests are sent to.
var paths = [...][]string{
	ShapeChat:      {"/chat/completions", "/api/chat"}, // the second is Ollama's own
	ShapeResponses: {"/responses", "/responses/input_tokens"},
	ShapeMessages:  {"/messages", "/messages/count_tokens", ":rawPredict", ":streamRawPredict"}, // and Anthropic's models on Vertex AI
	ShapeGemini:    {":generateContent", ":streamGenerateContent"},
}

// Detect returns the shape of a request by the path that it is sent to or, where that
// says nothing, by its body. Either may be empty.
func Detect(path string, body []byte) Shape {
	path = strings.TrimSuffix(path, "/")
	for shape, ends := range paths {
		if slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) }) {
			return Shape(shape)
		}
	}
	o, ok := splice.Text{Bytes: body}.MembersAt(splice.Whole(body))
	switch {
	case !ok:
		return ShapeNone
	case o.Has("contents"):
		return ShapeGemini
	case o.Has("input"):
		return ShapeResponses
	case !o.Has("messages"):
		return ShapeNone
	case o.Has("system") || o.Has("anthropic_version") || hasBlocks(o):
		return ShapeMessages
	}
	return ShapeChat
}

// hasBlocks reports whether a message has a block that only Anthropic's have.
func hasBlocks(request splice.Members) bool {
	for m := range request.Objects("messages") {
		for b := range m.Objects("content") {
			if kind := b.Word("type"); kind == "tool_use" || kind == "tool_result" || kind == "thinking" {
				return true
			}
		}
	}
	return false
}
