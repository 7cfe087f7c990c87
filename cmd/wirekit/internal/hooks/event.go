// Package hooks has the verbs of hook: it reads what agents tell a hook of a tool's output,
// and changes the settings in which agents name their hooks. It imports cli and rewriting.
package hooks

import (
	"regexp"
	"strings"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/wire"
)

// A Rewrite returns what takes the place of a text that a tool returned.
type Rewrite func(tool, text string) string

// Claude returns what Claude Code is to be told after an event, which is the output of the
// tool in its own shape with other strings, or nil if there is nothing to tell.
func Claude(event []byte, rewrite Rewrite) []byte {
	m, ok := members(event, "hook_event_name", "tool_name", "tool_input", "tool_response")
	if !ok || textAt(event, m[0]) != "PostToolUse" {
		return nil
	}
	tool := textAt(event, m[1])
	var texts []splice.Member
	switch {
	case tool == "Bash" && !showsFiles(splice.Word(event, m[2].Value, "command"), splice.Word(event, splice.Whole(event), "cwd")):
		texts = shellText(event, m[3])
	case tool == "WebFetch":
		o, _ := splice.FindMembers(event, m[3].Value, "result")
		texts = o.Members
	case strings.HasPrefix(tool, "mcp__") && !showsFilesByName(tool):
		texts = contentTexts(event, m[3])
	}
	return answer(event, m[3].Value, tool, texts, rewrite, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":`, "}}\n")
}

// OpenCode does the same for the plugin of OpenCode. Its event has the tool, the arguments
// and the output, which is the content of a result if the tool is one of an MCP server.
func OpenCode(event []byte, rewrite Rewrite) []byte {
	m, ok := members(event, "tool", "args", "output")
	if !ok {
		return nil
	}
	tool := textAt(event, m[0])
	var texts []splice.Member
	switch {
	case tool == "bash" && !showsFiles(splice.Word(event, m[1].Value, "command"), splice.Word(event, m[1].Value, "workdir")), tool == "webfetch":
		texts = m[2:]
	case event[m[2].Value.Start] == '[' && !showsFilesByName(tool):
		texts = contentTexts(event, m[2])
	}
	return answer(event, m[2].Value, tool, texts, rewrite, `{"output":`, "}\n")
}

// members finds members of an event, all of which it must have.
func members(event []byte, names ...string) ([]splice.Member, bool) {
	if _, err := (wire.JSON{RejectDuplicates: true}).Decode(event); err != nil {
		return nil, false
	}
	o, ok := splice.FindMembers(event, splice.Whole(event), names...)
	for _, m := range o.Members {
		ok = ok && m.Found
	}
	return o.Members, ok
}

func textAt(event []byte, m splice.Member) string { return splice.Word(event, m.Value) }

// fileTools matches the words of a tool that shows or changes files.
var (
	fileTools = regexp.MustCompile(` (files?|filesystem|read|view|edit|contents|open|show|cat|load|document content|search code|code search) `)

	otherThanWords = regexp.MustCompile(`[^a-zA-Z]+`)
	afterCapitals  = regexp.MustCompile(`([A-Z])([A-Z][a-z])`)
	beforeCapital  = regexp.MustCompile(`([a-z])([A-Z])`)
)

// showsFilesByName reports whether a tool of an MCP server shows files, by the words in its
// name: between other characters than letters, and changes of case.
func showsFilesByName(tool string) bool {
	tool = beforeCapital.ReplaceAllString(afterCapitals.ReplaceAllString(tool, "$1 $2"), "$1 $2")
	return fileTools.MatchString(strings.ToLower(" " + otherThanWords.ReplaceAllString(tool, " ") + " "))
}

// shellText returns where the standard output of a command is that has come to its end.
func shellText(event []byte, response splice.Member) []splice.Member {
	o, ok := splice.FindMembers(event, response.Value, "stdout", "interrupted", "isImage")
	if !ok || !isNone(event, o.Members[1]) || !isNone(event, o.Members[2]) {
		return nil
	}
	return o.Members[:1]
}

// contentTexts returns where the texts are in the result of an MCP tool: a string, or blocks
// that an object may be around.
func contentTexts(event []byte, m splice.Member) []splice.Member {
	if event[m.Value.Start] == '"' {
		return []splice.Member{m}
	}
	list := m.Value
	if event[list.Start] == '{' {
		if o, ok := splice.FindMembers(event, list, "content", "isError", "structuredContent"); ok && isNone(event, o.Members[1]) && isNone(event, o.Members[2]) {
			list = o.Members[0].Value
		}
	}
	blocks, _ := splice.FindElements(event, list)
	var texts []splice.Member
	for _, at := range blocks {
		if o, ok := splice.FindMembers(event, at, "type", "text"); ok && textAt(event, o.Members[0]) == "text" {
			texts = append(texts, o.Members[1])
		}
	}
	return texts
}

// isNone reports whether a member is not there, or says that there is nothing.
func isNone(event []byte, m splice.Member) bool {
	return !m.Found || string(m.Value.Of(event)) == "null" || string(m.Value.Of(event)) == "false"
}

// answer returns the output with its texts rewritten between what comes before and after
// it, or nil if none is.
func answer(event []byte, output splice.Span, tool string, texts []splice.Member, rewrite Rewrite, before, after string) []byte {
	edits := []splice.Edit{splice.Put(splice.Span{End: output.Start}, []byte(before)), splice.Put(splice.Span{Start: output.End, End: len(event)}, []byte(after))}
	for _, m := range texts {
		text, ok := splice.StringAt(event, m.Value)
		if !m.Found || !ok {
			continue
		}
		if out := rewrite(tool, text); out != text {
			edits = append(edits, splice.Put(m.Value, splice.Quote(out)))
		}
	}
	if len(edits) == 2 {
		return nil
	}
	return splice.EscapeSeparators(splice.Apply(event, edits))
}
