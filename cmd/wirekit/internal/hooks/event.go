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
	o, ok := members(event, "hook_event_name", "tool_name", "tool_input", "tool_response")
	if !ok || o.Word("hook_event_name") != "PostToolUse" {
		return nil
	}
	tool := o.Word("tool_name")
	var texts []splice.Span
	switch {
	case tool == "Bash" && !showsFiles(o.Object("tool_input").Word("command"), o.Word("cwd")):
		texts = shellText(o.Object("tool_response"))
	case tool == "WebFetch":
		texts = []splice.Span{o.Object("tool_response").At("result")}
	case strings.HasPrefix(tool, "mcp__") && !showsFilesByName(tool):
		texts = contentTexts(o, "tool_response")
	}
	return answer(event, o.At("tool_response"), tool, texts, rewrite, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":`, "}}\n")
}

// OpenCode does the same for the plugin of OpenCode. Its event has the tool, the arguments
// and the output, which is the content of a result if the tool is one of an MCP server.
func OpenCode(event []byte, rewrite Rewrite) []byte {
	o, ok := members(event, "tool", "args", "output")
	if !ok {
		return nil
	}
	tool, args := o.Word("tool"), o.Object("args")
	var texts []splice.Span
	switch {
	case tool == "bash" && !showsFiles(args.Word("command"), args.Word("workdir")), tool == "webfetch":
		texts = []splice.Span{o.At("output")}
	case o.Begins("output", '[') && !showsFilesByName(tool):
		texts = contentTexts(o, "output")
	}
	return answer(event, o.At("output"), tool, texts, rewrite, `{"output":`, "}\n")
}

// members finds the members of an event, which must have those of these names.
func members(event []byte, names ...string) (splice.Members, bool) {
	if _, err := (wire.JSON{RejectDuplicates: true}).Decode(event); err != nil {
		return splice.Members{}, false
	}
	o, ok := splice.Text{Bytes: event}.MembersAt(splice.Whole(event))
	for _, name := range names {
		ok = ok && o.Has(name)
	}
	return o, ok
}

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
func shellText(response splice.Members) []splice.Span {
	if !isNone(response, "interrupted") || !isNone(response, "isImage") {
		return nil
	}
	return []splice.Span{response.At("stdout")}
}

// contentTexts returns where the texts are in the result of an MCP tool, a member of o: a
// string, or blocks that an object may be around.
func contentTexts(o splice.Members, name string) (texts []splice.Span) {
	if o.Begins(name, '"') {
		return []splice.Span{o.At(name)}
	}
	if in := o.Object(name); isNone(in, "isError") && isNone(in, "structuredContent") && in.Has("content") {
		o, name = in, "content"
	}
	for b := range o.Objects(name) {
		if b.Word("type") == "text" {
			texts = append(texts, b.At("text"))
		}
	}
	return texts
}

// isNone reports whether a member is not there, or says that there is nothing.
func isNone(o splice.Members, name string) bool {
	return !o.Has(name) || string(o.Raw(name)) == "null" || string(o.Raw(name)) == "false"
}

// answer returns the output with its texts rewritten between what comes before and after
// it, or nil if none is.
func answer(event []byte, output splice.Span, tool string, texts []splice.Span, rewrite Rewrite, before, after string) []byte {
	edits := []splice.Edit{splice.Put(splice.Span{End: output.Start}, []byte(before)), splice.Put(splice.Span{Start: output.End, End: len(event)}, []byte(after))}
	for _, at := range texts {
		text, ok := splice.StringAt(event, at)
		if !ok {
			continue
		}
		if out := rewrite(tool, text); out != text {
			edits = append(edits, splice.Put(at, splice.Quote(out)))
		}
	}
	if len(edits) == 2 {
		return nil
	}
	return splice.EscapeSeparators(splice.Apply(event, edits))
}
