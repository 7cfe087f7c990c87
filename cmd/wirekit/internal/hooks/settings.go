package hooks

import (
	"bytes"
	_ "embed"
	"errors"
	"regexp"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/wire"
)

// What Install puts into settings is one piece of text at the beginning of the innermost
// container that is there. The blanks within brackets mark those that Install has added,
// so Uninstall knows what to take away:
//
//	"hooks": { "PostToolUse": [ ENTRY ] }
const (
	beforeEvent = `"PostToolUse": [ `
	afterEvent  = ` ]`
	beforeHooks = `"hooks": { `
	afterHooks  = ` }`
)

// ours matches the command of an entry that Install has written.
var ours = regexp.MustCompile(`\bhook run claude\b`)

// newFile is what settings that are not there begin as. It is not what anybody writes, so
// Uninstall knows that there was no file.
const newFile = "{\n\n}\n"

// entry returns the hook that runs a command.
func entry(command string) string {
	return `{"matcher": "Bash|WebFetch|mcp__.*", "hooks": [{"type": "command", "command": ` + string(scan.AppendQuote(nil, command)) + `, "timeout": 30}]}`
}

var errSettings = errors.New("the settings are not JSON with an object that is called hooks; nothing was changed")

// A settings is what is in a file of Claude Code's settings.
type settings struct {
	text  []byte
	plain []byte // the same with blanks for comments and trailing commas
	top   splice.Span
	hooks splice.Member
	event splice.Member // the list of hooks after a tool
	list  []splice.Span // its entries
}

func parse(text []byte) (s settings, err error) {
	s = settings{text: text, plain: plain(text)}
	if _, err := (wire.JSON{}).Decode(s.plain); err != nil {
		return s, err
	}
	s.top = splice.Whole(s.plain)
	o, ok := splice.FindMembers(s.plain, s.top, "hooks")
	if !ok {
		return s, errSettings
	}
	if s.hooks = o.Members[0]; !s.hooks.Found {
		return s, nil
	}
	if o, ok = splice.FindMembers(s.plain, s.hooks.Value, "PostToolUse"); !ok {
		return s, errSettings
	}
	if s.event = o.Members[0]; !s.event.Found {
		return s, nil
	}
	if s.list, ok = splice.FindElements(s.plain, s.event.Value); !ok {
		return s, errSettings
	}
	return s, nil
}

// own returns the entry that Install has written, and its command.
func (s settings) own() (at splice.Span, command string, found bool) {
	for _, at := range s.list {
		inner, _ := splice.Find(s.plain, at, "hooks")
		commands, _ := splice.FindElements(s.plain, inner)
		if len(commands) != 1 {
			continue
		}
		word, _ := splice.Find(s.plain, commands[0], "command")
		if command, ok := splice.StringAt(s.plain, word); ok && ours.MatchString(command) {
			return at, command, true
		}
	}
	return splice.Span{}, "", false
}

// Installed returns the command that settings run after tools, or "".
func Installed(text []byte) (string, error) {
	s, err := parse(text)
	_, command, _ := s.own()
	return command, err
}

// Install returns settings, of which nil are none, that run a command after tools.
// Settings that do already are returned as they are.
func Install(text []byte, command string) ([]byte, error) {
	if text == nil {
		text = []byte(newFile)
	}
	s, err := parse(text)
	if err != nil {
		return nil, err
	}
	if _, _, found := s.own(); found {
		return text, nil
	}
	added, at := entry(command), s.event.Value.Start
	if !s.event.Found {
		added, at = beforeEvent+added+afterEvent, s.hooks.Value.Start
	}
	if !s.hooks.Found {
		added, at = beforeHooks+added+afterHooks, s.top.Start
	}
	at++ // after the bracket
	next := len(text) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
	if rest := bytes.TrimLeft(s.plain[at:], " \t\r\n"); rest[0] != '}' && rest[0] != ']' {
		added = string(text[at:next]) + added + ","
	}
	out := splice.Apply(text, []splice.Edit{splice.Insert(at, []byte(added))})
	back, err := Uninstall(out)
	if back == nil {
		back = []byte(newFile)
	}
	if err != nil || !bytes.Equal(back, text) {
		return nil, errors.New("the settings could not be restored byte for byte; nothing was changed")
	}
	return out, nil
}

// Uninstall returns settings as they were before Install; nil if there were none. What
// others have written anew since then has no entry of ours, and is not restored further.
func Uninstall(text []byte) ([]byte, error) {
	s, err := parse(text)
	if err != nil {
		return nil, err
	}
	at, command, found := s.own()
	if !found {
		return text, nil
	}
	out := splice.Apply(text, []splice.Edit{splice.Put(s.added(at, command), nil)})
	if string(out) == newFile {
		return nil, nil
	}
	return out, nil
}

// added returns what Install has put around an entry, with the comma after it; or, in
// settings that were written anew, the largest container that has nothing else in it.
func (s settings) added(at splice.Span, command string) splice.Span {
	around := func(before, after string) bool {
		if !bytes.HasSuffix(s.text[:at.Start], []byte(before)) || !bytes.HasPrefix(s.text[at.End:], []byte(after)) {
			return false
		}
		at = splice.Span{Start: at.Start - len(before), End: at.End + len(after)}
		return true
	}
	if string(at.Of(s.text)) == entry(command) {
		if around(beforeEvent, afterEvent) {
			around(beforeHooks, afterHooks)
		}
	} else if len(s.list) == 1 {
		at = splice.Span{Start: s.event.Key.Start, End: s.event.Value.End}
		if all, _ := splice.AllMembers(s.plain, s.hooks.Value); len(all.Members) == 1 {
			at = splice.Span{Start: s.hooks.Key.Start, End: s.hooks.Value.End}
		}
	}
	return s.withComma(at)
}

// withComma widens a span over one comma: the one before it, or else the one after it and the
// blanks before it.
func (s settings) withComma(at splice.Span) splice.Span {
	const blanks = " \t\r\n"
	if before := bytes.TrimRight(s.plain[:at.Start], blanks); before[len(before)-1] == ',' {
		at.Start = len(before) - 1
		return at
	}
	at.Start = len(bytes.TrimRight(s.text[:at.Start], blanks))
	if rest := bytes.TrimLeft(s.plain[at.End:], blanks); rest[0] == ',' {
		at.End = len(s.plain) - len(rest) + 1
	}
	return at
}

// Strings are matched too, so that nothing in them is taken for a comment or a comma. What
// lacks its end is matched to that of the text: to look for it once more after each other
// match would take time that grows with the square of the text.
const aString = `(?s)"(?:[^"\\]|\\.)*(?:"|\\?\z)`

var (
	comments = regexp.MustCompile(aString + `|//[^\n]*|/\*.*?(?:\*/|\z)`)
	commas   = regexp.MustCompile(aString + `|,\s*[}\]]`)
)

// plain returns a text with blanks in the place of comments and of commas before closing
// brackets, so that what is left is JSON at the same positions.
func plain(text []byte) []byte {
	text = comments.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' || found[1] == '*' && (len(found) < len("/**/") || !bytes.HasSuffix(found, []byte("*/"))) {
			return found // a comment without an end is none
		}
		blank := bytes.Repeat([]byte(" "), len(found))
		for i, c := range found {
			if c == '\n' || c == '\r' {
				blank[i] = c
			}
		}
		return blank
	})
	return commas.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return append([]byte(" "), found[1:]...)
	})
}

//go:embed opencode.js
var plugin string

// pluginMark begins the plugin that Plugin writes.
const pluginMark = "// Written by wirekit hook install opencode."

// Plugin returns the plugin of OpenCode that runs a program with arguments after tools.
func Plugin(program string, args []string) []byte {
	list := []string{`"hook"`, `"run"`, `"opencode"`}
	for _, arg := range args {
		list = append(list, string(scan.AppendQuote(nil, arg)))
	}
	return []byte(strings.NewReplacer("PROGRAM", string(scan.AppendQuote(nil, program)), "ARGS", "["+strings.Join(list, ", ")+"]").Replace(plugin))
}

// IsPlugin reports whether a file is a plugin that Plugin has written.
func IsPlugin(text []byte) bool { return bytes.HasPrefix(text, []byte(pluginMark)) }
