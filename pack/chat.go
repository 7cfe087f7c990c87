package pack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// ReadConversation reads a conversation from JSON text in one of the shapes that
// the providers' interfaces have, or JSON Lines of messages:
//
//   - an array of messages, or an object with messages, as OpenAI's chat
//     completions, Mistral, Ollama and many servers take them;
//   - system and messages with blocks of content, Anthropic's;
//   - contents with parts and systemInstruction, Gemini's;
//   - instructions and input with items, OpenAI's responses;
//   - chat_messages with senders, as claude.ai exports them.
//
// Each turn becomes a CONVERSATION block. What the assistant calls is told in
// its turn; what a tool answers becomes a TOOL_RESULT block with the tool's
// name. Images, sounds and files are named, not kept; hidden reasoning is left
// out. Text that is not one of the shapes is an error.
func ReadConversation(src []byte) ([]bcp.Body, error) {
	v, err := wire.ParseJSON(src)
	if err != nil {
		lines, err2 := jsonl.Codec{}.Decode(src)
		if err2 != nil || lines.Len() == 0 {
			return nil, err
		}
		v = lines
	}
	c := chat{names: make(map[string]string)}
	if err := c.document(v); err != nil {
		return nil, err
	}
	if len(c.blocks) == 0 {
		return nil, failure("invalid_conversation", wire.ErrShape, "the conversation has no turns")
	}
	return c.blocks, nil
}

// A chat is a conversation that is being read.
type chat struct {
	blocks []bcp.Body
	names  map[string]string // of tools, by the ids of their calls
}

// document reads the whole.
func (c *chat) document(v wire.Value) error {
	if v.Kind() == wire.KindArray {
		return c.list(v)
	}
	if v.Kind() != wire.KindObject {
		return failure("invalid_conversation", wire.ErrShape, "a conversation is an array of messages or an object with them, not %s", v.Kind())
	}
	for _, key := range []string{"system", "instructions", "systemInstruction", "system_instruction"} {
		system := first(v, key)
		if parts, ok := system.Get("parts"); ok {
			system = parts
		}
		c.turn("system", c.content(system), "")
	}
	switch list := first(v, "messages", "contents", "input", "chat_messages"); list.Kind() {
	case wire.KindArray:
		return c.list(list)
	case wire.KindString:
		c.turn("user", list.Text(), "")
	case wire.KindNull:
		return failure("invalid_conversation", wire.ErrShape, "there is none of the members messages, contents, input and chat_messages")
	}
	return nil
}

// list reads messages.
func (c *chat) list(v wire.Value) error {
	for i, m := range slices.Collect(v.Elements()) {
		if m.Kind() != wire.KindObject || !c.message(m) {
			e := failure("invalid_conversation", wire.ErrShape, "message %d is none of the known shapes", i)
			e.Hint = "a message has a role and content, or a type"
			return e
		}
	}
	return nil
}

// message reads a turn or an item and reports whether it is one.
func (c *chat) message(m wire.Value) bool {
	switch member(m, "type") {
	case "function_call", "custom_tool_call":
		id := member(m, "call_id")
		c.turn("assistant", c.call(m, id), id)
		return true
	case "function_call_output", "custom_tool_call_output":
		c.result(c.names[member(m, "call_id")], c.content(first(m, "output")), "ok")
		return true
	case "reasoning":
		return true
	}
	name := cmp.Or(member(m, "role"), member(m, "sender"))
	role, ok := map[string]string{"system": "system", "developer": "system", "user": "user", "human": "user",
		"assistant": "assistant", "model": "assistant", "tool": "tool", "function": "tool"}[name]
	if !ok {
		return false
	}
	before := len(c.blocks)
	text := []string{c.content(first(m, "content", "parts", "text"))}
	if role == "tool" && len(c.blocks) == before { // its parts are no results of tools
		tool := cmp.Or(member(m, "name"), member(m, "tool_name"), c.names[member(m, "tool_call_id")])
		c.result(tool, text[0], "ok")
		return true
	}
	var id string
	if calls, ok := m.Get("tool_calls"); ok && calls.Kind() == wire.KindArray {
		for t := range calls.Elements() {
			f, ok := t.Get("function")
			if !ok {
				f = t
			}
			id = member(t, "id")
			text = append(text, c.call(f, id))
		}
	}
	c.turn(role, joined(text), id)
	return true
}

// content returns the text of a string or of the parts of an array. Results of tools in it
// become blocks before it.
func (c *chat) content(v wire.Value) string {
	switch v.Kind() {
	case wire.KindNull:
		return ""
	case wire.KindArray:
		var all []string
		for p := range v.Elements() {
			all = append(all, c.part(p))
		}
		return joined(all)
	}
	return c.part(v)
}

// part returns the text of one part.
func (c *chat) part(p wire.Value) string {
	switch kind := member(p, "type"); kind {
	case "tool_use", "server_tool_use":
		return c.call(p, member(p, "id"))
	case "tool_result":
		status := "ok"
		if first(p, "is_error").Bool() {
			status = "error"
		}
		c.result(c.names[member(p, "tool_use_id")], c.content(first(p, "content")), status)
		return ""
	case "thinking", "redacted_thinking", "reasoning":
		return ""
	case "image", "image_url", "input_image", "input_audio", "audio", "document", "input_file", "file", "video":
		return "[" + strings.TrimPrefix(kind, "input_") + "]"
	}
	if f, ok := p.Get("functionCall"); ok {
		return c.call(f, "")
	}
	if f, ok := p.Get("functionResponse"); ok {
		c.result(member(f, "name"), c.content(first(f, "response")), "ok")
		return ""
	}
	switch {
	case first(p, "inlineData", "inline_data", "fileData", "file_data").Kind() != wire.KindNull:
		return "[file]"
	case first(p, "thought").Bool():
		return ""
	}
	for _, key := range []string{"text", "refusal"} {
		if text, ok := p.Get(key); ok && text.Kind() == wire.KindString {
			return text.Text()
		}
	}
	return p.String()
}

func (c *chat) turn(role string, text, id string) {
	if text == "" {
		return
	}
	turn := &bcp.Conversation{Role: role, Content: []byte(text)}
	if id != "" {
		turn.ToolCallID = &id
	}
	c.blocks = append(c.blocks, turn)
}

func (c *chat) result(tool, text string, status string) {
	c.blocks = append(c.blocks, &bcp.ToolResult{ToolName: cmp.Or(tool, "tool"), Status: status, Content: []byte(text)})
}

// call describes what the assistant calls, with arguments that are JSON text or values, and notes
// the name for the answer.
func (c *chat) call(v wire.Value, id string) string {
	name := member(v, "name")
	c.names[id] = name
	return "[call " + name + " " + first(v, "arguments", "input", "args").String() + "]"
}

// member is the text of a member that is a string, "" without it.
func member(v wire.Value, key string) string {
	if m, ok := v.Get(key); ok && m.Kind() == wire.KindString {
		return m.Text()
	}
	return ""
}

// first is the first of the members that is there.
func first(v wire.Value, keys ...string) wire.Value {
	for _, key := range keys {
		if m, ok := v.Get(key); ok && m.Kind() != wire.KindNull {
			return m
		}
	}
	return wire.Value{}
}

// joined puts texts that are not empty on lines of their own.
func joined(texts []string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}
